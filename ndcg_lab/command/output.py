"""What a command prints: tables and lines for people, JSON and tidy CSV for machines, Markdown and LaTeX for papers.

A command hands over one [Shown][ndcg_lab.command.output.Shown]; where it goes and how it looks are the flags' doing.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from ndcg_lab.command.terminal import printable
from ndcg_lab.errors import ContractError
from ndcg_lab.tables import Table, csv_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = ["Format", "Output", "Shown"]


class Format(StrEnum):
    """How a result is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"
    COQ = "coq"


@dataclass(frozen=True)
class Shown:
    """A result in every form that it has.

    Attributes:
        parts: tables, and lines of text between them.
        record: makes what JSON holds.
        rows: makes the tidy rows of CSV; None where a command has none.
        notes: what a reader should know beside the numbers: under the tables, and for other formats on standard error.
        texts: further formats, each with what makes its text.
    """

    parts: Sequence[Table | str]
    record: Callable[[], object]
    rows: Callable[[], Iterable[Mapping[str, str]]] | None = None
    notes: Sequence[str] = ()
    texts: Mapping[Format, Callable[[], str]] = field(default_factory=dict)

    @property
    def tables(self) -> list[Table]:
        """The tables among the parts."""
        return [part for part in self.parts if isinstance(part, Table)]


@dataclass(frozen=True)
class Output:
    """Where a result goes, and how it looks.

    Attributes:
        format: the form.
        file: a file to write, whole or not at all; None for standard output.
        queries: whether query rows are shown.
        exact: whether exact forms stand beside decimals.
    """

    format: Format
    file: str | None
    queries: bool
    exact: bool

    def show(self, shown: Shown) -> None:
        """Print a result, or write its file."""
        self.deliver(self._text(shown))
        if self.format is not Format.TABLE or self.file is not None:
            for note in shown.notes:
                sys.stderr.write(f"ndcg-lab: note: {printable(note)}\n")

    def deliver(self, text: str) -> None:
        """Print text, or write the file: beside its place first, so that it is there whole or as it was."""
        if self.file is None:
            sys.stdout.write(text)
            return
        target = Path(self.file)
        handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as out:
                out.write(text)
            Path(beside).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
            Path(beside).replace(target)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise

    def _text(self, shown: Shown) -> str:
        if self.format in shown.texts:
            return shown.texts[self.format]()
        if self.format is Format.JSON:
            # In ASCII: it passes through any encoding, and no name in it moves a terminal.
            return json.dumps(shown.record(), indent=2 if self._to_terminal else None) + "\n"
        if self.format is Format.CSV:
            assert shown.rows is not None
            text = csv_of(shown.rows())
            lines = text.removesuffix("\n").split("\n")
            return "".join(f"{printable(line)}\n" for line in lines) if self._to_terminal else text
        if self.format is Format.MARKDOWN:
            return "\n".join(markdown(table) for table in shown.tables)
        if self.format is Format.LATEX:
            return "\n".join(latex(table) for table in shown.tables)
        from ndcg_lab.command.terminal import rendered_parts

        return rendered_parts([*shown.parts, *(f"note: {note}" for note in shown.notes)], whole=self.file is not None)

    @property
    def _to_terminal(self) -> bool:
        return self.file is None and sys.stdout.isatty()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read_format(name: str, choices: Sequence[Format]) -> Format:
    """A format by its name.

    Raises:
        ContractError: it is not one of the choices.
    """
    for choice in choices:
        if choice.value == name:
            return choice
    raise ContractError(f"`--format {name}` is not a choice here; choices: {', '.join(choices)}")


_MARKDOWN = str.maketrans({character: f"\\{character}" for character in "\\`*_{}[]<>|#~$&"})


def markdown(table: Table) -> str:
    r"""A table in Markdown, its cells as text.

    >>> print(markdown(Table("Mean", {"run": False, "NDCG": True}, [["a|b", "1"]])), end="")
    **Mean**
    <BLANKLINE>
    | run | NDCG |
    | :-- | ---: |
    | a\|b | 1 |
    """
    lines = [list(map(_markdown, row)) for row in (list(table.columns), *table.rows)]
    sides = ["---:" if numeric else ":--" for numeric in table.columns.values()]
    body = [lines[0], sides, *lines[1:]]
    title = f"**{_markdown(table.title)}**\n\n" if table.title else ""
    return title + "".join(f"| {' | '.join(row)} |\n" for row in body)


def _markdown(cell: str) -> str:
    return " ".join(printable(cell).split()).translate(_MARKDOWN)


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "−": "$-$",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)


def latex(table: Table) -> str:
    r"""A table in LaTeX (booktabs), its cells as text.

    >>> print(latex(Table("Mean", {"run": False, "P@5": True}, [["a_b", "0.2"]])), end="")
    % \usepackage{booktabs}
    \begin{tabular}{lr}
    \toprule
    run & P@5 \\
    \midrule
    a\_b & 0.2 \\
    \bottomrule
    \end{tabular}
    """
    head, *rows = [[printable(cell).translate(_LATEX) for cell in row] for row in (list(table.columns), *table.rows)]
    sides = "".join("r" if numeric else "l" for numeric in table.columns.values())
    body = "".join(f"{' & '.join(row)} \\\\\n" for row in rows)
    return (
        "% \\usepackage{booktabs}\n"
        f"\\begin{{tabular}}{{{sides}}}\n\\toprule\n{' & '.join(head)} \\\\\n\\midrule\n{body}\\bottomrule\n"
        "\\end{tabular}\n"
    )
