"""Reads judgments, runs and weights: TREC files, plain or gzip, and data frames.

Nothing is guessed and nothing is rounded: ids are kept as they stand, scores and grades are the exact rationals that
were written, and what can't be read is a `FormatError` that names the file, the line and the cause.
"""

import gzip
import io
import itertools
import re
import reprlib
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ndcg_lab.errors import ContractError, FormatError, NdcgLabError, WrongKind, meant, require_package
from ndcg_lab.exact.rationals import rational
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.tables import Table, screen

if TYPE_CHECKING:
    import pandas as pd

Source = str | PathLike[str] | IO[bytes] | IO[str]
"""A path (`-` is standard input) or an open file, in text or in bytes."""


class Qrels(dict[str, Judgments]):
    """Query -> judgments, in the order of the file."""

    def __repr__(self) -> str:
        return f"<Qrels of {len(self)} queries, {sum(map(len, self.values()))} judgments>"

    def _repr_html_(self) -> str:
        grades = sorted({grade for judged in self.values() for grade in judged.values()})[:MOST_GRADES]
        heads = {"query": False, "judged": True, **{f"grade {grade}": True for grade in grades}}
        rows = []
        for query, judged in self.items():
            counts = Counter(judged.values())
            rows.append([query, str(len(judged)), *(str(counts[grade]) for grade in grades)])
        return screen([Table(repr(self)[1:-1], heads, rows)])

    def to_frame(self) -> "pd.DataFrame":
        """A row a judgment: `query`, `document`, `grade` (an int, or a Fraction where it is not whole)."""
        require_package("pandas", "`to_frame`")
        import pandas as pd

        rows = [(query, document, grade) for query, judged in self.items() for document, grade in judged.items()]
        return pd.DataFrame(rows, columns=["query", "document", "grade"])


MOST_GRADES = 10
"""So many grades have a column of their own in a view."""


class Run(dict[str, Ranking]):
    """Query -> ranking, in the order of the file, and where its rank column contradicts the scores.

    A run's order is by score, whatever `rank_conflicts` (query -> one sentence) says.
    """

    def __init__(self, rankings: Mapping[str, Ranking], rank_conflicts: Mapping[str, str] | None = None) -> None:
        super().__init__(rankings)
        self.rank_conflicts = dict(rank_conflicts or {})

    def __repr__(self) -> str:
        return f"<Run of {len(self)} queries, {sum(map(len, self.values()))} results>"

    def _repr_html_(self) -> str:
        heads = {"query": False, "results": True, "first": False, "score": True, "last": False, "its score": True}
        rows = []
        for query, ranking in self.items():
            scores = dict(zip(ranking.documents, ranking.texts or (), strict=False))
            ends = [(ranking[at], scores.get(ranking[at], "")) for at in (0, -1)] if len(ranking) else [("", "")] * 2
            rows.append([query, str(len(ranking)), *(cell for end in ends for cell in end)])
        return screen([Table(repr(self)[1:-1], heads, rows)])

    def to_frame(self) -> "pd.DataFrame":
        """A row a result, in the order given: `query`, `document`, `score` (a double; nan where there is none)."""
        require_package("pandas", "`to_frame`")
        import pandas as pd

        rows = [
            (query, document, float("nan") if score is None else float(score))
            for query, ranking in self.items()
            for document, score in zip(ranking.documents, ranking.scores or [None] * len(ranking), strict=True)
        ]
        return pd.DataFrame(rows, columns=["query", "document", "score"])


COMMENTS = {
    "error": "refused",
    "skip": "left out, as trec_eval 10 does",
    "data": "read as data, as every other system does",
}
"""What `comments` makes of a line that begins with `#`."""


def read_qrels(source: Source, *, comments: str = "error") -> Qrels:
    r"""Read judgments: lines `query iteration document grade`, in columns apart by blanks or tabs.

    Args:
        source: a path, plain or gzip; `-` for standard input; or an open file.
        comments: a line that begins with `#` is an `error`, left out (`skip`), or `data` like any other.

    Returns:
        Query -> judgments, both in the order of the file. Grades are exact: `2`, `1.9`, `-8/5`.

    Raises:
        FormatError: naming file, line and cause. A judgment that is repeated as it was is accepted; one that is
            repeated with another grade is not.

    >>> read_qrels(io.StringIO("q1 0 A 3\nq1 0 B -8/5\n"))["q1"]["B"]
    Fraction(-8, 5)
    """
    name, data = read_source(source)
    origin = _Origin(name, ("query", "iteration", "document", "grade"))
    qrels = _judgments(
        origin, ((line, query, document, grade) for line, (query, _, document, grade) in _rows(origin, data, comments))
    )
    if not qrels:
        raise FormatError(f"{name} holds no judgments; expected {origin.expected}")
    return Qrels(qrels)


def read_run(source: Source, *, comments: str = "error") -> Run:
    r"""Read a run: lines `query Q0 document rank score tag`, in columns apart by blanks or tabs.

    The scores order the documents, highest first, and are kept as written. The rank column is not used; where it
    contradicts the scores, `Run.rank_conflicts` says so. A document returned twice is kept twice: the contract's
    `duplicates` decides what that means. A run may be empty.

    Args:
        source: a path, plain or gzip; `-` for standard input; or an open file.
        comments: a line that begins with `#` is an `error`, left out (`skip`), or `data` like any other.

    Raises:
        FormatError: naming file, line and cause.

    >>> list(read_run(io.StringIO("q1 Q0 B 2 1e-3 x\nq1 Q0 A 1 0.7 x\n")))
    ['q1']
    """
    name, data = read_source(source)
    origin = _Origin(name, ("query", "Q0", "document", "rank", "score", "tag"))
    return _run(
        origin,
        (
            (line, query, document, score, rank)
            for line, (query, _, document, rank, score, _) in _rows(origin, data, comments)
        ),
    )


def read_weights(source: Source) -> dict[str, Fraction]:
    r"""Read weights of queries: lines `query weight`, a weight being a rational number that is not negative.

    Raises:
        FormatError: naming file, line and cause; a query given two different weights is one.

    >>> read_weights(io.StringIO("q1 2\nq2 1/3\n"))
    {'q1': Fraction(2, 1), 'q2': Fraction(1, 3)}
    """
    name, data = read_source(source)
    origin = _Origin(name, ("query", "weight"))
    weights: dict[str, Fraction] = {}
    first_line: dict[str, int] = {}
    for line, (query, text) in _rows(origin, data):
        weight = Fraction(_number(origin, line, "weight", text))
        if weight < 0:
            raise origin.error(line, f"the weight {text} of query {_shown(query)} is negative")
        if weights.setdefault(query, weight) != weight:
            raise origin.error(
                line, f"query {_shown(query)} weighs {text} here and {weights[query]} on line {first_line[query]}"
            )
        first_line.setdefault(query, line)
    if not weights:
        raise FormatError(f"{name} holds no weights; expected {origin.expected}")
    return weights


def as_qrels(judgments: object) -> dict[str, Judgments]:
    """Judgments per query, from a mapping (query -> `Judgments`, or document -> grade) or a data frame.

    A data frame has the columns `query`, `document` and `grade`.

    Raises:
        FormatError: naming the row, counted from 1.
        WrongKind: neither a mapping nor a data frame.
    """
    if isinstance(judgments, Mapping):
        qrels: dict[str, Judgments] = {}
        for query, graded in by_query("the judgments", judgments):
            with naming(query):
                qrels[query] = graded if isinstance(graded, Judgments) else _graded(graded)
        return qrels
    origin = _Origin("the judgments", ("query", "document", "grade"), unit="row")
    return _judgments(origin, _frame_rows(origin, judgments))


def as_run(run: object) -> Run:
    """Rankings per query, from a mapping (query -> `Ranking`, document -> score, or a list) or a data frame.

    A data frame has the columns `query`, `document` and `score`.

    Raises:
        FormatError: naming the row, counted from 1.
        WrongKind: neither a mapping nor a data frame.
    """
    if isinstance(run, Run):
        return run
    if isinstance(run, Mapping):
        rankings: dict[str, Ranking] = {}
        for query, returned in by_query("the run", run):
            with naming(query):
                rankings[query] = _ranking(returned)
        return Run(rankings)
    origin = _Origin("the run", ("query", "document", "score"), unit="row")
    return _run(origin, ((*row, None) for row in _frame_rows(origin, run)))


@contextmanager
def naming(query: str) -> Iterator[None]:
    """Have an error that is raised inside name the query."""
    try:
        yield
    except NdcgLabError as error:
        raise error.retold(f"query {query!r}: {error}") from error


@dataclass(frozen=True)
class _Origin:
    """Where rows come from: what their errors name."""

    name: str
    columns: tuple[str, ...]
    unit: str = "line"

    def error(self, number: int, cause: object) -> FormatError:
        text = str(cause)
        text = text if len(text) <= _LONGEST_CAUSE else f"{text[:_LONGEST_CAUSE]}..."
        return FormatError(f"{self.name}, {self.unit} {number}: {text}")

    @property
    def expected(self) -> str:
        return f"{len(self.columns)} columns: {' '.join(self.columns)}"


_LONGEST_CAUSE = 300
_LOOKS_LIKE = {2: "weights", 4: "judgments", 6: "a run"}


def read_source(source: Source) -> tuple[str, bytes]:
    """The name of a source and its bytes, decompressed, without a byte order mark, proved to be UTF-8."""
    data: bytes | str
    if isinstance(source, str) and source == "-":
        name, data = "standard input", getattr(sys.stdin, "buffer", sys.stdin).read()
    elif isinstance(source, str | PathLike):
        name, data = str(source), Path(source).read_bytes()
    else:
        if not hasattr(source, "read"):
            raise WrongKind(f"a file is named by its path or given open, not as {type(source).__name__}")
        name, data = str(getattr(source, "name", "the open file")), source.read()
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogateescape")
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise FormatError(f"{name}: damaged gzip data ({error}); expected a whole gzip file, or text") from error
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError(f"{name}, line 1: the text is UTF-16; expected UTF-8")
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        place = error.start - data.rfind(b"\n", 0, error.start)
        byte = f"byte 0x{data[error.start]:02x} at position {place}"
        raise FormatError(f"{name}, line {line}: {byte} is not UTF-8; expected UTF-8 text") from error
    return name, data


def _rows(origin: _Origin, data: bytes, comments: str = "data") -> Iterator[tuple[int, list[str]]]:
    """The lines that hold something, numbered from 1 and split.

    Split as bytes: only ASCII blanks separate columns, so an id may hold any other space.
    """
    if comments not in COMMENTS:
        raise ContractError(f"`comments = {comments}` is not a choice; choices: {', '.join(COMMENTS)}")
    width = len(origin.columns)
    for number, line in enumerate(io.BytesIO(data), 1):
        if comments != "data" and line.startswith(b"#"):
            if comments == "skip":
                continue
            choices = ", ".join(f"`{name}` ({meaning})" for name, meaning in COMMENTS.items() if name != "error")
            raise origin.error(number, f"the line begins with `#`; `comments` decides what that means: {choices}")
        fields = line.split()
        if len(fields) == width:
            yield number, [field.decode() for field in fields]
        elif fields:
            looks = f" (a file of {_LOOKS_LIKE[len(fields)]}?)" if len(fields) in _LOOKS_LIKE else ""
            count = f"{len(fields)} column{'s' * (len(fields) != 1)}"
            raise origin.error(number, f"{count}{looks}; expected {origin.expected}")


def _judgments(origin: _Origin, rows: Iterable[tuple[int, str, str, Any]]) -> dict[str, Judgments]:
    grades: dict[str, dict[str, Any]] = {}
    numbers: dict[str, dict[str, int]] = {}
    for number, query, document, grade in rows:
        if query not in grades:
            grades[query], numbers[query] = {}, {}
        given = grades[query].setdefault(document, grade)
        first = numbers[query].setdefault(document, number)
        if given != grade and _number(origin, first, "grade", given) != _number(origin, number, "grade", grade):
            raise origin.error(
                number,
                f"document {_shown(document)} of query {_shown(query)} has grade {grade} here and {given} on "
                f"{origin.unit} {first}; expected one grade for each document",
            )
    qrels: dict[str, Judgments] = {}
    for query, by_document in grades.items():
        try:
            qrels[query] = Judgments(by_document)
        except NdcgLabError:
            for document, grade in by_document.items():
                _number(origin, numbers[query][document], "grade", grade)
            raise
    return qrels


def _run(origin: _Origin, rows: Iterable[tuple[int, str, str, Any, str | None]]) -> Run:
    scored: dict[str, list[tuple[str, Any]]] = {}
    places: dict[str, list[tuple[int, str | None]]] = {}
    for number, query, document, score, rank in rows:
        if query not in scored:
            scored[query], places[query] = [], []
        scored[query].append((document, score))
        places[query].append((number, rank))
    rankings: dict[str, Ranking] = {}
    conflicts: dict[str, str] = {}
    for query, pairs in scored.items():
        try:
            ranking = rankings[query] = Ranking.from_scores(pairs)
        except NdcgLabError:
            for (number, _), pair in zip(places[query], pairs, strict=True):
                try:
                    Ranking.from_scores([pair])
                except NdcgLabError as error:
                    raise origin.error(number, error) from error
            raise
        if conflict := _rank_conflict(ranking, [rank for _, rank in places[query]]):
            conflicts[query] = conflict
    return Run(rankings, conflicts)


def _rank_conflict(ranking: Ranking, ranks: list[str | None]) -> str | None:
    """Say where a rank column puts a lower score first; None where it doesn't, or holds no whole numbers."""
    scores, texts = ranking.scores or (), ranking.texts or ()
    try:
        numbers = [int(rank) for rank in ranks if rank is not None]
    except ValueError:
        return None
    # By rank, and by score where ranks are equal: a score that rises now contradicts a rank.
    order = sorted(range(len(numbers)), key=scores.__getitem__, reverse=True)
    order.sort(key=numbers.__getitem__)
    for one, other in itertools.pairwise(order):
        if scores[one] < scores[other]:
            first, second = (
                f"{_shown(ranking.documents[i])} has rank {numbers[i]} and score {texts[i]}" for i in (one, other)
            )
            return f"{first}, {second}"
    return None


def conflict_follows(ranking: Ranking, told: str) -> bool:
    """Whether a sentence can be what `Run.rank_conflicts` says of a ranking: its documents, and scores that rise.

    The ranks in it are those of the run's file, which a ranking does not keep: only that they don't rise is seen.
    """
    texts, scores = ranking.texts or (), ranking.scores or ()
    starts = [(f"{_shown(document)} has rank ", i) for i, document in enumerate(ranking.documents) if i < len(texts)]

    def read(text: str) -> Iterator[tuple[int, int, str]]:
        """The entries that a text can begin with: which, its rank, and what is left."""
        for start, i in starts:
            if text.startswith(start):
                rank, _, rest = text[len(start) :].partition(" and score ")
                if re.fullmatch(r"-?\d+", rank, re.ASCII) and rest.startswith(texts[i]):
                    yield i, int(rank), rest[len(texts[i]) :]

    return any(
        rest == "" and scores[one] < scores[other] and first <= second
        for one, first, between in read(told)
        if between.startswith(", ")
        for other, second, rest in read(between[2:])
    )


def _graded(value: Any) -> Judgments:
    return Judgments(dict(_named(value)) if hasattr(value, "items") else value)


def _ranking(value: Any) -> Ranking:
    if isinstance(value, Ranking):
        return value
    if hasattr(value, "items"):
        return Ranking.from_scores(_named(value))
    ids = _Ids(_Origin("the list", ("document",), unit="entry"), "document")
    return Ranking(map(ids.known, itertools.count(1), value) if isinstance(value, list | tuple) else value)


def _named(by_document: Any) -> list[tuple[Any, Any]]:
    """Documents and values, with ids that are whole numbers as texts."""
    ids = _Ids(_Origin("the mapping", ("document",), unit="entry"), "document")
    return [(ids.known(number, key), value) for number, (key, value) in enumerate(by_document.items(), 1)]


def by_query(name: str, values: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    """Queries and values of a mapping of that name, with ids that are whole numbers as texts."""
    ids = _Ids(_Origin(name, ("query",), unit="query"), "query")
    return [(ids.text(number, key), value) for number, (key, value) in enumerate(values.items(), 1)]


def _frame_rows(origin: _Origin, frame: Any) -> Iterator[tuple[int, str, str, Any]]:
    """The rows of a data frame, by the names of its columns."""
    if not hasattr(frame, "columns"):
        raise WrongKind(f"{origin.name}: {type(frame).__name__} is neither a mapping nor a data frame")
    present = list(map(str, frame.columns))
    missing = [column for column in origin.columns if column not in present]
    if missing:
        guess = meant(missing[0], present)
        raise FormatError(
            f"{origin.name}: the data frame has no column {missing[0]!r}{guess}, only {', '.join(map(repr, present))}; "
            f"expected {origin.expected}"
        )
    columns = [frame[column].to_list() for column in origin.columns]
    queries, documents = _Ids(origin, "query"), _Ids(origin, "document")
    for number, (query, document, value) in enumerate(zip(*columns, strict=True), 1):
        yield number, queries.text(number, query), documents.text(number, document), value


class _Ids:
    """Reads ids of one kind as texts. Whole numbers are common among them, and a table's reader makes numbers of them.

    So `1` and `"1"` are one id, and a source that spells it both ways may mean two: it is refused.
    """

    def __init__(self, origin: _Origin, what: str) -> None:
        self.origin, self.what = origin, what
        self.spelled: dict[str, object] = {}

    def text(self, number: int, value: object) -> str:
        """The id at a place, as text."""
        text = self.known(number, value)
        if isinstance(text, str) and text:
            return text
        raise self.origin.error(number, f"{self.what} {_shown(value)} is not an id; expected text or a whole number")

    def known(self, number: int, value: object) -> Any:
        """The same, but for what is no id, which stays what it is."""
        if type(value) is not str and (isinstance(value, bool) or not isinstance(value, str | Integral)):
            return value
        text = value if isinstance(value, str) else str(int(value))
        first = self.spelled.setdefault(text, value)
        if first != value:
            raise self.origin.error(
                number,
                f"{self.what} {value!r} and {self.what} {first!r} are two spellings of one id; write it in one way",
            )
        return text


def _number(origin: _Origin, number: int, what: str, value: object) -> int | Fraction:
    """The exact number that was written."""
    try:
        return rational(value)
    except NdcgLabError as error:
        raise origin.error(number, f"{what} {_shown(value)} can't be read: {error}") from error


def _shown(value: object) -> str:
    """A foreign value in a message: quoted, its control characters escaped, of bounded length."""
    return reprlib.repr(value) if isinstance(value, str) else repr(value)
