"""How judgments and runs are laid out: TREC's columns, tables with a head, and what others call the columns."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ndcg_lab.errors import ContractError, FormatError, meant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["COMMENTS", "NAMES", "Origin", "head_of", "headed", "rows"]

COMMENTS = {
    "error": "refused",
    "skip": "left out, as trec_eval 10 does",
    "data": "read as data, as every other system does",
}
"""What `comments` makes of a line that begins with `#`."""

NAMES = {
    "query": ("query", "query_id", "query-id", "queryid", "qid", "q_id", "topic", "topic_id"),
    "document": ("document", "doc_id", "docno", "docid", "doc", "document_id", "corpus-id", "corpus_id", "did", "d_id"),
    "grade": ("grade", "relevance", "rel", "label", "judgment", "judgement", "score"),
    "score": ("score",),
    "rank": ("rank",),
}
"""Column -> its names, ours first, then those of ir_datasets, ir_measures, PyTerrier, ranx, BEIR and others."""

_IGNORED = {"iteration", "iter", "q0", "subtopic", "run", "tag", "name", "system", "rank", "index", ""}
_LONGEST_CAUSE = 300
_LOOKS_LIKE = {2: "a file of weights", 4: "a file of judgments", 6: "a run"}


@dataclass(frozen=True)
class Origin:
    """Where rows come from: what their errors name."""

    name: str
    columns: tuple[str, ...]
    unit: str = "line"

    def error(self, number: int, cause: object) -> FormatError:
        """The error at a place."""
        text = str(cause)
        text = text if len(text) <= _LONGEST_CAUSE else f"{text[:_LONGEST_CAUSE]}..."
        return FormatError(f"{self.name}, {self.unit} {number}: {text}")

    @property
    def expected(self) -> str:
        """What was looked for."""
        return f"{len(self.columns)} columns: {' '.join(self.columns)}"


def head_of(origin: Origin, present: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """The places of the wanted columns in a head, under any of their names.

    Raises:
        FormatError: where one is missing, or stands there under two names.
    """
    places = []
    for column in wanted:
        ours = [place for place, name in enumerate(present) if name == column]
        found = ours or [place for place, name in enumerate(present) if name.strip().lower() in NAMES.get(column, ())]
        if column == "grade" and len(found) > 1 and not ours:  # a score beside a label is the run's
            found = [place for place in found if present[place].strip().lower() != "score"] or found
        if len(found) > 1:
            names = " and ".join(repr(present[place]) for place in found)
            raise FormatError(
                f"{origin.name}: the columns {names} may each be the {column}; leave one, or name it {column!r}"
            )
        if not found:
            guess, listed = meant(column, list(present)), ", ".join(map(repr, present[:20]))
            raise FormatError(
                f"{origin.name}: there is no column {column!r}{guess}, only {listed}; expected {origin.expected}"
            )
        places += found
    return places


def rows(
    origin: Origin, data: bytes, wanted: Sequence[str], *, comments: str = "data", columns: str | None = None
) -> Iterator[tuple[int, list[str]]]:
    """The wanted columns of the lines that hold something, with the lines' numbers from 1 on.

    Lines are split as bytes: only ASCII blanks separate columns, so an id may hold any other space.

    Args:
        origin: the file, and all columns that its lines have.
        data: its text.
        wanted: which columns to take.
        comments: what a line that begins with `#` means, one of `COMMENTS`.
        columns: the columns that lines have instead, by name, such as `query document score`; any other name is passed
            over.

    Raises:
        FormatError: naming line and cause.
        ContractError: for `comments` and `columns` that can't be.
    """
    if comments not in COMMENTS:
        raise ContractError(f"`comments = {comments}` is not a choice; choices: {', '.join(COMMENTS)}")
    present = list(origin.columns) if columns is None else columns.split()
    if columns is None and (separator := headed(data, wanted)):
        yield from _table(origin, data, wanted, separator)
        return
    lacking = [column for column in wanted if column not in present]
    if lacking:
        raise ContractError(f"`columns = {columns}` lacks {', '.join(lacking)}; write them as the lines have them")
    places, width = [present.index(column) for column in wanted], len(present)
    free = columns is None and origin.columns[-1] == "tag"  # what stands behind a run's tag is passed over
    for number, line in _numbered(origin, data, comments):
        fields = line.split()
        if len(fields) == width or (free and len(fields) > width):
            yield number, [fields[place].decode() for place in places]
        elif fields:
            raise origin.error(number, _other_width(origin, len(fields), wanted, columns))


def _numbered(origin: Origin, data: bytes, comments: str) -> Iterator[tuple[int, bytes]]:
    """Lines and their numbers, comments refused, left out or not told apart."""
    for number, line in enumerate(io.BytesIO(data), 1):
        if comments != "data" and line.startswith(b"#"):
            if comments == "skip":
                continue
            choices = ", ".join(f"`{name}` ({meaning})" for name, meaning in COMMENTS.items() if name != "error")
            raise origin.error(number, f"the line begins with `#`; `comments` decides what that means: {choices}")
        yield number, line


def _other_width(origin: Origin, width: int, wanted: Sequence[str], columns: str | None) -> str:
    count = f"{width} column{'s' * (width != 1)}"
    if columns is not None:
        return f"{count}; expected {len(columns.split())}: {columns}"
    if width == 5 and "grade" in wanted:
        return f"{count}, as judgments of statAP have, whose last two are no grades; expected {origin.expected}"
    if width == 3 and len(origin.columns) > 3:
        last = "grade" if "grade" in wanted else "score"
        asked = f'; if they are query, document and {last}, say `columns` (--columns) "query document {last}"'
        return f"{count}{asked}; expected {origin.expected}"
    looks = f" ({_LOOKS_LIKE[width]}?)" if width in _LOOKS_LIKE else ""
    return f"{count}{looks}; expected {origin.expected}"


# Tables with a head, told by the names in it.


def headed(data: bytes, wanted: Sequence[str]) -> str:
    """What separates the columns of a table whose first line names what is wanted; else nothing."""
    first = data.lstrip(b"\n ").partition(b"\n")[0].decode()
    separator = "\t" if "\t" in first else "," if "," in first else " "
    names = [
        name.strip().strip('"').lower() for name in (first.split() if separator == " " else first.split(separator))
    ]
    known = {name for column in NAMES.values() for name in column} | _IGNORED
    found = all(
        any(name in NAMES[column] for name in names) for column in wanted if column in NAMES and column != "rank"
    )
    return separator if found and all(name in known for name in names) else ""


def _table(origin: Origin, data: bytes, wanted: Sequence[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    text = io.StringIO(data.decode(), newline="")
    if separator == " ":
        lines: Iterator[tuple[int, list[str]]] = ((number, line.split()) for number, line in enumerate(text, 1))
    else:
        lines = _delimited(origin, text, separator)
    head: list[str] = []
    places: list[int | None] = []
    for number, fields in lines:
        if not any(fields):
            continue
        if not head:
            head = fields
            places = [*head_of(origin, head, [column for column in wanted if column != "rank"])]
            if "rank" in wanted:
                rank = [place for place, name in enumerate(head) if name.strip().lower() == "rank"]
                places.insert(list(wanted).index("rank"), rank[0] if rank else None)
        elif len(fields) != len(head):
            raise origin.error(number, f"{len(fields)} columns under a head of {len(head)}: {', '.join(head)}")
        else:
            yield number, ["" if place is None else fields[place] for place in places]


def _delimited(origin: Origin, text: io.StringIO, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of CSV, each with the line that it ends on."""
    reader = csv.reader(text, delimiter=separator, strict=True)
    try:
        for fields in reader:
            yield reader.line_num, fields
    except csv.Error as error:
        raise origin.error(reader.line_num, f"not CSV: {error}") from error
