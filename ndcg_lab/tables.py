"""Small tables of text, as the results that explain or verify a report show them: plain, and as HTML."""

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import NamedTuple

_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # controls, marks of direction, halves of characters, ends of lines


def escape(foreign: str) -> str:
    r"""A document's id, or any other foreign text, safe inside HTML.

    Control and direction marks, which could hide or reorder what stands around them, are shown by their code.

    >>> escape("<b>\x07\u202e")
    '&lt;b&gt;\\u0007\\u202e'
    """
    return html.escape(visible(foreign))


def visible(foreign: str) -> str:
    """Text with its control and direction marks shown by their code."""
    if foreign.isascii() and foreign.isprintable():
        return foreign
    return "".join(f"\\u{ord(c):04x}" if unicodedata.category(c) in _HIDDEN else c for c in foreign)


def coded(text: str) -> str:
    """Plain text as HTML, escaped; what stands between backticks, as our sentences write a setting, becomes code.

    >>> coded("Only `gain` differs in <q>.")
    'Only <code>gain</code> differs in &lt;q&gt;.'
    """
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def csv_of(rows: Iterable[Mapping[str, object]], columns: Iterable[str] = ()) -> str:
    """Rows as a CSV table: these columns, then the others as they come.

    >>> print(csv_of([{"query": "q1"}, {"query": "q2", "missing": "true"}]), end="")
    query,missing
    q1,
    q2,true
    """
    listed = list(rows)
    return csv_text(dict.fromkeys([*columns, *(name for row in listed for name in row)]), listed)


def csv_text(columns: Iterable[str], rows: Iterable[Mapping[str, object]]) -> str:
    """A CSV table. A cell that holds anything but plain printable text is quoted, so that it stays in its row.

    Python's writer leaves a carriage return bare, which readers take for the end of a row. A text that a spreadsheet
    would run as a formula, such as an id `=1+1`, gets an apostrophe before it.

    >>> print(csv_text(["query", "ndcg"], [{"query": "a,b", "ndcg": "0"}]), end="")
    query,ndcg
    "a,b",0
    """
    heads = list(columns)
    lines = [heads, *([str(row.get(column, "")) for column in heads] for row in rows)]
    return "".join(f"{','.join(map(_csv_cell, line))}\n" for line in lines)


# A number below 0, or an exact form that begins so: what else begins with a minus, a spreadsheet runs as a formula.
_NEGATIVE = re.compile(r"-(?:inf|[\d.a(l][\w./()*]*(?:e[-+]\d+)?(?: [-+] [\w./()*]+)*)", re.ASCII)


def _csv_cell(text: str) -> str:
    if text.startswith(("=", "+", "@", "\t", "\r")) or (text.startswith("-") and not _NEGATIVE.fullmatch(text)):
        text = f"'{text}"  # as spreadsheets themselves mark a text
    if text.isprintable() and not any(mark in text for mark in ',"'):
        return text
    return '"' + text.replace('"', '""') + '"'


class Table(NamedTuple):
    """A title, headings with whether their column holds numbers, and rows of cells.

    `summary` tells whether the last row sums up the others, and is set apart.
    """

    title: str
    columns: dict[str, bool]
    rows: list[list[str]]
    summary: bool = False

    def __str__(self) -> str:
        """The table with its columns lined up.

        >>> print(Table("Lead", {"k": True, "leads": False}, [["1", "B"], ["10", "A"]]))
        Lead
           k  leads
           1  B
          10  A
        """
        lines = [list(map(visible, line)) for line in (self.columns, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        numeric = self.columns.values()
        text = [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, numeric, strict=True)
            ).rstrip()
            for line in lines
        ]
        return "\n".join([visible(self.title), *(f"  {line}" for line in text)])

    def to_html(self) -> str:
        """The table as HTML; whatever its cells hold is shown as text."""
        sides = ["right" if right else "left" for right in self.columns.values()]

        def row(tag: str, cells: Iterable[str]) -> str:
            marked = (  # a head without words names nothing: it is a plain cell
                f'<{kind} style="text-align: {side}">{escape(cell)}</{kind}>'
                for side, cell in zip(sides, cells, strict=True)
                for kind in (tag if cell else "td",)
            )
            return f"<tr>{''.join(marked)}</tr>"

        body = "".join(row("td", cells) for cells in self.rows)
        return (
            f"<table><caption>{escape(self.title)}</caption><thead>{row('th', self.columns)}</thead>"
            f"<tbody>{body}</tbody></table>"
        )

    def first(self, most: int) -> "Table":
        """The first rows, so many; a row that sums up stays, and one more row counts those left out."""
        if len(self.rows) <= most:
            return self
        body, last = (self.rows[:-1], self.rows[-1:]) if self.summary else (self.rows, [])
        kept = body[: max(1, most - 1 - len(last))]
        more = [f"… {len(body) - len(kept)} more", *[""] * (len(self.columns) - 1)]
        return self._replace(rows=[*kept, more, *last])


SCREEN = 24
"""So many rows of tables a view in a notebook has."""


def screen(parts: Iterable[Table | str]) -> str:
    """Tables and sentences as HTML, about a screen of it: of long tables the first rows.

    >>> screen(["`k` differs."])
    '<p><code>k</code> differs.</p>'
    """
    left, shown = SCREEN, []
    for part in parts:
        if isinstance(part, Table):
            table = part.first(max(left, 4))
            left -= len(table.rows) + 1
            shown.append(table.to_html())
        else:
            shown.append(f"<p>{coded(part)}</p>")
    return "".join(shown)
