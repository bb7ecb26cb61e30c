"""Prints for people. A terminal shows what a foreign name holds, and obeys nothing in it."""

from __future__ import annotations

import os
import textwrap
from typing import TYPE_CHECKING

from ndcg_lab.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.table import Table as Grid

_PROSE = 100  # columns to which text is folded where there is no terminal
_WIDE = 160  # columns of a table there; a word or a number that needs more has it


def printable(text: str) -> str:
    r"""Text whose control, format and other invisible characters are written as escapes.

    >>> print(printable("red\x1b[31m"), printable("a\u202eb"))
    red\x1b[31m a\u202eb
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )


class Verbatim(str):
    """Lines that are shown as they are, such as a call to copy: not folded."""

    __slots__ = ()


def page_parts(page: str) -> Iterator[Table | str]:
    r"""A page in Markdown, as this package writes them, as tables and lines.

    >>> [str(part) for part in page_parts("# Name\n\n- said `so`")]
    ['Name', '', '- said `so`']
    """
    lines = iter(page.replace("\n\n| ", "\n| ").splitlines())  # a table brings a blank line
    for line in lines:
        if line.startswith("```"):
            code: list[str] = []
            for inside in lines:
                if inside.startswith("```"):
                    break
                code.append(f"    {inside}")
            yield Verbatim("\n".join(code))
        elif line.startswith("| "):
            head, rows = _cells(line), []
            next(lines)  # the rule
            for row in lines:
                if not row.startswith("| "):
                    break
                rows.append(_cells(row))
            yield Table("", dict.fromkeys(head, False), rows)
        else:
            yield line.lstrip("#").strip() if line.startswith("#") else line


def _cells(line: str) -> list[str]:
    parts = line.strip().removeprefix("|").removesuffix("|").replace("\\|", "\0").split("|")
    return [part.strip().replace("\0", "|").removeprefix("`").removesuffix("`") for part in parts]


def rendered_parts(parts: Iterable[Table | str], *, whole: bool = False) -> str:
    """Tables and lines as standard output gets them: on a terminal styled (but for NO_COLOR) and folded; else plain.

    Text is folded between words, a table's cell too; a table that doesn't fit is wider than the terminal rather than
    broken letter by letter.

    Args:
        parts: what to print, in order.
        whole: as where there is no terminal.
    """
    from rich.console import Console
    from rich.text import Text

    plain = bool(os.environ.get("NO_COLOR"))
    console = Console(
        highlight=False,
        markup=False,
        emoji=False,
        color_system=None if plain else "auto",
        force_terminal=False if whole else None,
    )
    terminal = console.is_terminal
    width = console.width if terminal else _WIDE
    with console.capture() as capture:
        for part in parts:
            if isinstance(part, Table):
                for line in folded(part.title, width if terminal else _PROSE) if part.title else ():
                    console.print(Text(line, style="bold"), soft_wrap=True)
                grid, needed = _grid(part, width)
                console.width = max(width, needed)
                console.print(grid)
            else:
                lines = part.splitlines() if isinstance(part, Verbatim) else folded(part, width if terminal else _PROSE)
                for line in map(printable, lines):
                    console.print(Text(line), soft_wrap=True)
    return capture.get() if terminal else "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def folded(text: str, width: int) -> list[str]:
    """A line of foreign text, folded between words; what follows the first line is set in.

    >>> folded("one two three four five six", 20)
    ['one two three four', '  five six']
    """
    whole = printable(text).replace(" = ", "\0=\0")  # a setting stays on its line
    lines = textwrap.wrap(whole, max(width, 20), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines] or [""]


def _grid(table: Table, width: int) -> tuple[Grid, int]:
    """A table in columns of whole words and numbers, and how wide that is: more than asked for where it must be."""
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text

    widths = _widths(table, width - _BETWEEN * len(table.columns))
    grid = Grid(box=box.SIMPLE, pad_edge=False, show_footer=False)
    for (heading, numeric), wide in zip(table.columns.items(), widths, strict=True):
        grid.add_column(heading, justify="right" if numeric else "left", width=wide)
    body, summary = (table.rows, []) if not table.summary else (table.rows[:-1], table.rows[-1:])
    for row in body:
        grid.add_row(*(Text(printable(cell)) for cell in row))
    for row in summary:
        grid.add_section()
        grid.add_row(*(Text(printable(cell)) for cell in row), style="bold")
    return grid, sum(widths) + _BETWEEN * len(widths)


_BRIEF = 12  # characters of a cell that isn't folded
_BETWEEN = 3  # columns of a terminal between two of a table, and at both its edges together


def _widths(table: Table, room: int) -> list[int]:
    """The columns' widths: what each needs for its longest word or number, and of the rest what it can use."""
    from rich.cells import cell_len

    needed, wished = [], []
    for place, (heading, numeric) in enumerate(table.columns.items()):
        cells = [printable(row[place]) for row in table.rows]
        wished.append(max(map(cell_len, [heading, *cells]), default=0) or 1)
        words = (word for cell in cells for word in ([cell] if numeric or len(cell) <= _BRIEF else cell.split()))
        whole = [*heading.split(), *words]
        needed.append(max(map(cell_len, whole), default=0) or 1)
    widths, left = list(needed), max(0, room - sum(needed))
    wanting = sorted(range(len(widths)), key=lambda place: wished[place] - needed[place])
    for count, place in zip(range(len(wanting), 0, -1), wanting, strict=True):
        more = min(wished[place] - needed[place], left // count)
        widths[place] += more
        left -= more
    return widths


def setting(value: object) -> str:
    """A setting as it is told."""
    return "none" if value is None else str(value)


def settings(values: Sequence[tuple[str, object]]) -> str:
    """Settings in a line: `name = value; …`."""
    return "; ".join(f"{name} = {setting(value)}" for name, value in values)
