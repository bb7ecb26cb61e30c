"""Prints for people. A terminal shows what a foreign name holds, and obeys nothing in it."""

from __future__ import annotations

import os
import textwrap
from typing import TYPE_CHECKING

from ndcg_lab.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table as Grid

_PROSE = 100  # columns to which text is folded where there is no terminal
_WIDE = 100_000  # columns of a table there: nothing in it is folded


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
                if part.title:
                    console.print(Text(printable(part.title), style="bold"), soft_wrap=True)
                grid = _grid(part)
                console.width = width
                console.width = max(width, console.measure(grid).minimum)
                console.print(grid)
            else:
                for line in folded(part, width if terminal else _PROSE):
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


def _grid(table: Table) -> Grid:
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=box.SIMPLE, pad_edge=False, show_footer=False)
    for heading, numeric in table.columns.items():
        grid.add_column(heading, justify="right" if numeric else "left", no_wrap=numeric)
    body, summary = (table.rows, []) if not table.summary else (table.rows[:-1], table.rows[-1:])
    for row in body:
        grid.add_row(*(Text(printable(cell)) for cell in row))
    for row in summary:
        grid.add_section()
        grid.add_row(*(Text(printable(cell)) for cell in row), style="bold")
    return grid


def setting(value: object) -> str:
    """A setting as it is told."""
    return "none" if value is None else str(value)


def settings(values: Sequence[tuple[str, object]]) -> str:
    """Settings in a line: `name = value; …`."""
    return "; ".join(f"{name} = {setting(value)}" for name, value in values)
