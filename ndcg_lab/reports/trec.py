"""Reads judgments, runs and weights: files (TREC's columns, tables with a head, JSON), data frames, mappings, records.

Nothing is guessed and nothing is rounded: ids are kept as they stand, scores and grades are the exact rationals that
were written, and what can't be read is a `FormatError` that names the file, the line and the cause.
"""

import itertools
import re
import reprlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from numbers import Integral
from os import PathLike
from typing import TYPE_CHECKING, Any

from ndcg_lab.errors import FormatError, NdcgLabError, WrongKind, require_package
from ndcg_lab.exact.rationals import rational
from ndcg_lab.json_text import load, repeated
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.reports.layouts import NAMES, Origin, head_of, headed, rows
from ndcg_lab.reports.sources import Source, read_source
from ndcg_lab.tables import Table, screen

if TYPE_CHECKING:
    import pandas as pd


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


def read_qrels(source: Source, *, comments: str = "error", columns: str | None = None) -> Qrels:
    r"""Read judgments: lines `query iteration document grade`, in columns apart by blanks or tabs.

    A table whose head names the columns (BEIR's, CSV) and JSON (query -> document -> grade) are read too.

    Args:
        source: a path, plain or gzip, bzip2, xz; `-` for standard input; or an open file.
        comments: a line that begins with `#` is an `error`, left out (`skip`), or `data` like any other.
        columns: what the lines hold instead, such as `"query document grade"`; other names are passed over.

    Returns:
        Query -> judgments, both in the order of the file. Grades are exact: `2`, `1.9`, `-8/5`.

    Raises:
        FormatError: naming file, line and cause. A judgment that is repeated as it was is accepted; one that is
            repeated with another grade is not.

    >>> import io
    >>> read_qrels(io.StringIO("q1 0 A 3\nq1 0 B -8/5\n"))["q1"]["B"]
    Fraction(-8, 5)
    """
    name, data = read_source(source)
    origin = Origin(name, ("query", "iteration", "document", "grade"))
    if (record := _json_of(name, data, 4)) is not None:
        qrels = _of_json(name, record, as_qrels, "query -> document -> grade")
    elif columns is None and not headed(data, ("query", "document", "grade")):
        qrels = _judgments(origin, _one_subtopic(origin, rows(origin, data, origin.columns, comments=comments)))
    else:
        found = rows(origin, data, ("query", "document", "grade"), comments=comments, columns=columns)
        qrels = _judgments(origin, ((line, query, document, grade) for line, (query, document, grade) in found))
    if not qrels:
        raise FormatError(f"{name} holds no judgments; expected {origin.expected}")
    return Qrels(qrels)


def read_run(source: Source, *, comments: str = "error", columns: str | None = None) -> Run:
    r"""Read a run: lines `query Q0 document rank score tag`, in columns apart by blanks or tabs.

    The scores order the documents, highest first, and are kept as written. The rank column is not used; where it
    contradicts the scores, `Run.rank_conflicts` says so. A document returned twice is kept twice: the contract's
    `duplicates` decides what that means. A run may be empty. What stands behind the tag is passed over, as trec_eval
    does. A table whose head names the columns and JSON (query -> document -> score) are read too.

    Args:
        source: a path, plain or gzip, bzip2, xz; `-` for standard input; or an open file.
        comments: a line that begins with `#` is an `error`, left out (`skip`), or `data` like any other.
        columns: what the lines hold instead, such as `"query document score"`; other names are passed over.

    Raises:
        FormatError: naming file, line and cause.

    >>> import io
    >>> list(read_run(io.StringIO("q1 Q0 B 2 1e-3 x\nq1 Q0 A 1 0.7 x\n")))
    ['q1']
    """
    name, data = read_source(source)
    origin = Origin(name, ("query", "Q0", "document", "rank", "score", "tag"))
    if (record := _json_of(name, data, 6)) is not None:
        run: Run = _of_json(name, record, as_run, "query -> document -> score")
        return run
    wanted = ["query", "document", "score", *(["rank"] if columns is None or "rank" in columns.split() else [])]
    found = rows(origin, data, wanted, comments=comments, columns=columns)
    return _run(
        origin, ((line, one, two, score, rank[0] if rank else None) for line, (one, two, score, *rank) in found)
    )


def read_weights(source: Source) -> dict[str, Fraction]:
    r"""Read weights of queries: lines `query weight`, a weight being a rational number that is not negative.

    Raises:
        FormatError: naming file, line and cause; a query given two different weights is one.

    >>> import io
    >>> read_weights(io.StringIO("q1 2\nq2 1/3\n"))
    {'q1': Fraction(2, 1), 'q2': Fraction(1, 3)}
    """
    name, data = read_source(source)
    origin = Origin(name, ("query", "weight"))
    weights: dict[str, Fraction] = {}
    first_line: dict[str, int] = {}
    for line, (query, text) in rows(origin, data, origin.columns):
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
    """Judgments per query, from a mapping, a data frame, a file's path or records.

    A mapping is query -> `Judgments`, or query -> document -> grade. A data frame has the columns `query`, `document`
    and `grade`, under these names or those that ir_datasets, ir_measures, PyTerrier and ranx give them; records are
    objects with attributes of such names, as ir_datasets' `qrels_iter()` gives. A grade that is a float of at most 15
    digits is the decimal that it prints: 0.1 is 1/10.

    Raises:
        FormatError: naming the row, counted from 1.
        WrongKind: none of these.
    """
    if isinstance(judgments, str | PathLike):
        return read_qrels(judgments)
    if isinstance(judgments, Mapping):
        qrels: dict[str, Judgments] = {}
        for query, graded in by_query("the judgments", judgments):
            with naming(query):
                qrels[query] = graded if isinstance(graded, Judgments) else _graded(graded)
        return qrels
    origin = Origin("the judgments", ("query", "document", "grade"), unit="row")
    graded = _frame_rows(origin, judgments)
    return _judgments(
        origin, ((number, query, document, _as_written(grade)) for number, query, document, grade in graded)
    )


def as_run(run: object) -> Run:
    """Rankings per query, from a mapping, a data frame, a file's path or records.

    A mapping is query -> `Ranking`, document -> score, or a list of documents. A data frame has the columns `query`,
    `document` and `score`, under the names that `as_qrels` knows; records are objects with attributes of such names.

    Raises:
        FormatError: naming the row, counted from 1.
        WrongKind: none of these.
    """
    if isinstance(run, Run):
        return run
    if isinstance(run, str | PathLike):
        return read_run(run)
    if isinstance(run, Mapping):
        rankings: dict[str, Ranking] = {}
        for query, returned in by_query("the run", run):
            with naming(query):
                rankings[query] = _ranking(returned)
        return Run(rankings)
    origin = Origin("the run", ("query", "document", "score"), unit="row")
    return _run(origin, ((*row, None) for row in _frame_rows(origin, run)))


@contextmanager
def naming(query: str) -> Iterator[None]:
    """Have an error that is raised inside name the query."""
    try:
        yield
    except NdcgLabError as error:
        raise error.retold(f"query {query!r}: {error}") from error


def _json_of(name: str, data: bytes, width: int) -> Any:
    """What JSON text holds, numbers as they are written; None for other text, such as lines of that many columns."""
    if not data.lstrip().startswith((b"{", b"[")) or len(data.lstrip().partition(b"\n")[0].split()) == width:
        return None
    return load(data.decode(), name, as_written=True)


def _of_json(name: str, record: Any, read: Callable[[object], Any], shape: str) -> Any:
    """What a JSON object of queries stands for."""
    if not isinstance(record, dict):
        raise FormatError(f"{name}: this is JSON of a {type(record).__name__}; expected an object {shape}")
    if isinstance(record.get("schema"), str):
        schema = reprlib.repr(record["schema"])
        raise FormatError(f"{name}: this is JSON of the schema {schema}, such as `verify` reads; expected {shape}")
    for place in repeated(record):
        raise FormatError(f"{name}: the key `{place}` is given more than once")
    try:
        return read(record)
    except NdcgLabError as error:
        raise FormatError(f"{name}: this is JSON of queries, and {error}; expected {shape}") from error


def _one_subtopic(origin: Origin, lines: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, str, str, str]]:
    """Query, document and grade of each line; refused where the second column tells judgments of one document apart."""
    first: dict[tuple[str, str], tuple[str, int]] = {}
    for number, (query, iteration, document, grade) in lines:
        before, where = first.setdefault((query, document), (iteration, number))
        if before != iteration:
            raise origin.error(
                number,
                f"document {_shown(document)} of query {_shown(query)} stands here under {_shown(iteration)} in the "
                f"second column and under {_shown(before)} on line {where}: a diversity qrels file, whose second "
                "column is a subtopic; expected one grade for each document",
            )
        yield number, query, document, grade


def _judgments(origin: Origin, rows: Iterable[tuple[int, str, str, Any]]) -> dict[str, Judgments]:
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


def _run(origin: Origin, rows: Iterable[tuple[int, str, str, Any, str | None]]) -> Run:
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
    if not hasattr(value, "items"):
        return Judgments(value)
    return Judgments({document: _as_written(grade) for document, grade in _named(value)})


def _as_written(grade: object) -> object:
    """A float that is a short decimal as the text that it prints: in a table 0.1 was 1/10, not its binary value."""
    if isinstance(grade, float) or getattr(getattr(grade, "dtype", None), "kind", "") == "f":
        text = str(grade)
        if len(text.strip("-0.").replace(".", "")) <= _SHORT_DECIMAL and text[-1:].isdigit():
            return text
    return grade


_SHORT_DECIMAL = 15
"""So many digits every double keeps: a decimal of no more is printed as it was written."""


def _ranking(value: Any) -> Ranking:
    if isinstance(value, Ranking):
        return value
    if hasattr(value, "items"):
        return Ranking.from_scores(_named(value))
    ids = _Ids(Origin("the list", ("document",), unit="entry"), "document")
    return Ranking(map(ids.known, itertools.count(1), value) if isinstance(value, list | tuple) else value)


def _named(by_document: Any) -> list[tuple[Any, Any]]:
    """Documents and values, with ids that are whole numbers as texts."""
    ids = _Ids(Origin("the mapping", ("document",), unit="entry"), "document")
    return [(ids.known(number, key), value) for number, (key, value) in enumerate(by_document.items(), 1)]


def by_query(name: str, values: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    """Queries and values of a mapping of that name, with ids that are whole numbers as texts."""
    ids = _Ids(Origin(name, ("query",), unit="query"), "query")
    return [(ids.text(number, key), value) for number, (key, value) in enumerate(values.items(), 1)]


def _frame_rows(origin: Origin, data: Any) -> Iterator[tuple[int, str, str, Any]]:
    """The rows of a data frame, by the names of its columns, or of records, by the names of their attributes."""
    queries, documents = _Ids(origin, "query"), _Ids(origin, "document")
    for number, (query, document, value) in enumerate(_values(origin, data), 1):
        yield number, queries.text(number, query), documents.text(number, document), value


def _values(origin: Origin, data: Any) -> Iterable[tuple[Any, Any, Any]]:
    if hasattr(data, "columns"):
        places = head_of(origin, list(map(str, data.columns)), origin.columns)
        return zip(*(_kept(data.iloc[:, place]) for place in places), strict=True)
    if isinstance(data, Iterable) and not isinstance(data, str | bytes | Mapping):
        return _records(origin, data)
    raise WrongKind(
        f"{origin.name}: {type(data).__name__} is no mapping, no data frame, no path of a file, and holds no records"
    )


def _kept(column: Any) -> list[Any]:
    """The values of a column; single precision stays what it is, for its digits are fewer."""
    return list(column.to_numpy()) if column.dtype in ("float32", "float16") else list(column.to_list())


def _records(origin: Origin, records: Iterable[Any]) -> Iterator[tuple[Any, Any, Any]]:
    names: list[str] = []
    for number, record in enumerate(records, 1):
        if not names:
            known = {name for column in origin.columns for name in NAMES[column]}
            present = [name for name in known if not name.startswith("_") and hasattr(record, name)]
            if not present or isinstance(record, str | bytes):
                raise WrongKind(
                    f"{origin.name}: entry {number} is a {type(record).__name__} without such names as query_id and "
                    f"doc_id; expected a mapping, a data frame, or records with {', '.join(origin.columns)}"
                )
            names = [present[place] for place in head_of(origin, present, origin.columns)]
        try:
            one, two, three = (getattr(record, name) for name in names)
        except AttributeError as error:
            raise origin.error(number, error) from error
        yield one, two, three
    if not names:
        raise WrongKind(f"{origin.name}: an empty {type(records).__name__} does not say what it holds; write {{}}")


class _Ids:
    """Reads ids of one kind as texts. Whole numbers are common among them, and a table's reader makes numbers of them.

    So `1` and `"1"` are one id, and a source that spells it both ways may mean two: it is refused.
    """

    def __init__(self, origin: Origin, what: str) -> None:
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


def _number(origin: Origin, number: int, what: str, value: object) -> int | Fraction:
    """The exact number that was written."""
    try:
        return rational(value)
    except NdcgLabError as error:
        raise origin.error(number, f"{what} {_shown(value)} can't be read: {error}") from error


def _shown(value: object) -> str:
    """A foreign value in a message: quoted, its control characters escaped, of bounded length."""
    return reprlib.repr(value) if isinstance(value, str) else repr(value)
