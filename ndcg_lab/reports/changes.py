"""What differs between two evaluations or reports, and the inputs that lie between them, one change at a time.

`Inputs` are what a result follows from. A `Way` leads from one to another: it lists in what they differ, and takes some
of the changes, by name, from the second and all else from the first. So every step on the way, and every change alone,
is a set of names.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Self, TypeAlias

from ndcg_lab.exact.rationals import Number, written
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation, Contract, Field
from ndcg_lab.measure.data import Judgments, Ranking, Score
from ndcg_lab.measure.evaluation import Evaluation, evaluate
from ndcg_lab.reports.records import QueryRecord
from ndcg_lab.reports.report import Report, evaluate_records

Result: TypeAlias = Report | Evaluation

GRADES, JUDGED, RETURNED, ORDER, SCORES, WEIGHTS, QUERIES = DATA = (
    "grades",
    "judged documents",
    "returned documents",
    "order",
    "scores",
    "weights",
    "queries",
)
"""The changes of data, in the order in which they are made, after those of settings."""

RUN = (RETURNED, ORDER, SCORES)
"""The changes that make one system's run of another's."""

THE_QUERY = "query"
"""What the one query of an evaluation is called."""


@dataclass(frozen=True)
class Difference:
    """One thing in which two inputs differ.

    Attributes:
        field: a setting's name, one of `DATA`, or something that follows from those or enters no number.
        a: how it is in the first, as JSON holds it; for data by query, and only where it differs.
        b: how it is in the second.
        effective: whether it is a change that can be made by itself; what is left out of the mean, for instance,
            follows from other changes.
    """

    field: str
    a: Any
    b: Any
    effective: bool = True

    def to_json(self) -> dict[str, Any]:
        """The field and both sides."""
        return {"field": self.field, "a": self.a, "b": self.b}


@dataclass(frozen=True)
class Inputs:
    """All that a result follows from. An evaluation of one ranking has no aggregation, and one query."""

    contract: Contract
    aggregation: Aggregation | None
    records: Mapping[str, QueryRecord]

    @classmethod
    def of(cls, result: Result) -> Self:
        """What a report or an evaluation was made from."""
        if isinstance(result, Evaluation):
            record = QueryRecord(THE_QUERY, Fraction(1), result.judgments, result.ranking, None)
            return cls(result.contract, None, {THE_QUERY: record})
        records = [*(averaged.record for averaged in result.queries), *(left.record for left in result.excluded)]
        return cls(result.contract, result.aggregation, {record.query: record for record in records})

    def evaluate(self) -> Result:
        """The result that follows; raises `NdcgLabError` where the settings refuse the data."""
        if self.aggregation is None:
            (record,) = self.records.values()
            return evaluate(self.contract, record.ranking, record.judgments)
        return evaluate_records(self.contract, self.aggregation, self.records.values())

    def with_rankings_of(self, other: "Inputs") -> "Inputs":
        """These settings, judgments and weights, with the run of another: a query that it lacks has no results."""
        judged = {query: record for query, record in self.records.items() if record.judgments}
        ranked = {query: record for query, record in other.records.items() if record.ranking}
        records = {}
        for query in self.records if self.aggregation is None else dict.fromkeys([*judged, *ranked]):
            base = self.records.get(query) or replace(ranked[query], judgments=Judgments({}))
            ranking = ranked[query].ranking if query in ranked else Ranking([])
            records[query] = replace(base, ranking=ranking, rank_conflict=None)
        return replace(self, records=records)


class Way:
    """From one input to another: in what they differ, and what lies between.

    Attributes:
        one: the inputs at first.
        other: the inputs at last.
    """

    def __init__(self, one: Inputs, other: Inputs) -> None:
        self.one, self.other = one, other
        self._both = [query for query in one.records if query in other.records]
        precisions = sorted({one.contract.score_precision, other.contract.score_precision})
        self._rankings = {
            query: _Rankings(one.records[query].ranking, other.records[query].ranking, precisions)
            for query in self._both
        }

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """Every difference: settings in the order of their declaration, then data, then what enters no number."""
        return (*self._settings(), *self._data(), *self._descriptions())

    @property
    def changes(self) -> list[str]:
        """The names of the differences that can be made by themselves, in order."""
        return [difference.field for difference in self.differences if difference.effective]

    def at(self, names: Collection[str]) -> Inputs:
        """The first inputs with the named changes made, each as it is in the second.

        Returned documents: those of the second alone take their positions there, and the documents of both keep their
        order on the positions left. Order: the documents of both stand as in the second, on the positions that they
        have. Scores: those of the second, position by position. With all three the ranking is the second's.
        """
        one, other = self.one, self.other
        known = other.records if QUERIES in names else one.records
        records = {
            query: self._mixed(query, names) if query in self._rankings else record for query, record in known.items()
        }
        aggregation = one.aggregation
        if aggregation is not None:
            aggregation = aggregation.replace(**_taken(AGGREGATION_FIELDS, other.aggregation, names))
        return Inputs(one.contract.replace(**_taken(FIELDS, other.contract, names)), aggregation, records)

    def _mixed(self, query: str, names: Collection[str]) -> QueryRecord:
        one, other = self.one.records[query], self.other.records[query]
        ranking = self._rankings[query].mixed(names)
        conflicts = {id(record.ranking): record.rank_conflict for record in (one, other)}  # a mixed one has no file
        return QueryRecord(
            one.query,
            other.weight if WEIGHTS in names else one.weight,
            _mixed_judgments(one.judgments, other.judgments, names),
            ranking,
            conflicts.get(id(ranking)),
        )

    def _settings(self) -> Iterator[Difference]:
        one, other = self.one, self.other
        pairs = [(FIELDS, one.contract, other.contract), (AGGREGATION_FIELDS, one.aggregation, other.aggregation)]
        for fields, mine, theirs in pairs:
            for field in fields:
                a, b = getattr(mine, field.name, None), getattr(theirs, field.name, None)
                if a != b:
                    yield Difference(field.name, a, b)

    def _data(self) -> Iterator[Difference]:
        one, other = self.one.records, self.other.records
        found: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {name: ({}, {}) for name in DATA}
        for query in self._both:
            parts = {
                **_judgment_differences(one[query].judgments.grades, other[query].judgments.grades),
                **self._rankings[query].differences,
            }
            if one[query].weight != other[query].weight:
                parts[WEIGHTS] = str(one[query].weight), str(other[query].weight)
            for name, (a, b) in parts.items():
                found[name][0][query], found[name][1][query] = a, b
        yield from (Difference(name, *sides) for name, sides in found.items() if sides[0])
        only = [query for query in one if query not in other]
        added = [query for query in other if query not in one]
        if only or added:
            yield Difference(QUERIES, only, added)

    def _descriptions(self) -> Iterator[Difference]:
        for name in ("need", "scale", "source"):
            a, b = (
                {query: _described(inputs.records[query].judgments, name) for query in self._both}
                for inputs in (self.one, self.other)
            )
            changed = [query for query in self._both if a[query] != b[query]]
            if changed:
                yield Difference(name, {q: a[q] for q in changed}, {q: b[q] for q in changed}, effective=False)


def left_out(one: Report, other: Report) -> Iterator[Difference]:
    """The queries that one report leaves out of its mean and the other does not, or for another reason."""
    a, b = ({left.query: left.reason for left in report.excluded} for report in (one, other))
    if a != b:
        mine, theirs = ({q: reason for q, reason in x.items() if y.get(q) != reason} for x, y in ((a, b), (b, a)))
        yield Difference("left out", mine, theirs, effective=False)


def _described(judgments: Judgments, name: str) -> Any:
    text = getattr(judgments, name)
    return [written(grade) for grade in text] if name == "scale" and text is not None else text


def _taken(fields: Iterable[Field], settings: object, names: Collection[str]) -> dict[str, Any]:
    return {field.name: getattr(settings, field.name) for field in fields if field.name in names}


# Judgments.


def _judgment_differences(one: Mapping[str, Number], other: Mapping[str, Number]) -> dict[str, tuple[Any, Any]]:
    parts: dict[str, tuple[Any, Any]] = {}
    graded = [document for document in one if document in other and one[document] != other[document]]
    if graded:
        parts[GRADES] = {d: written(one[d]) for d in graded}, {d: written(other[d]) for d in graded}
    if one.keys() != other.keys():
        parts[JUDGED] = [d for d in one if d not in other], [d for d in other if d not in one]
    return parts


def _mixed_judgments(one: Judgments, other: Judgments, names: Collection[str]) -> Judgments:
    if one.grades == other.grades or not (GRADES in names or JUDGED in names):
        return one
    judged = other.grades if JUDGED in names else one.grades
    graded, others = (other.grades, one.grades) if GRADES in names else (one.grades, other.grades)
    return Judgments({document: graded.get(document, others.get(document)) for document in judged})


# Rankings.

Copy: TypeAlias = tuple[str, int]
"""A returned document, and which of its copies it is."""


class _Rankings:
    """Two rankings for one query."""

    def __init__(self, one: Ranking, other: Ranking, precisions: Sequence[str]) -> None:
        self.one, self.other, self.precisions = one, other, precisions

    @cached_property
    def copies(self) -> tuple[list[Copy], list[Copy]]:
        """The documents of both as they stand, best first, each copy told apart."""
        return _copies(self.one), _copies(self.other)

    @cached_property
    def scores(self) -> tuple[list[Score] | None, list[Score] | None]:
        """The scores at the positions of both, best first."""
        one, other = (None if r.scores is None else sorted(r.scores, reverse=True) for r in (self.one, self.other))
        return one, other

    @cached_property
    def differences(self) -> dict[str, tuple[Any, Any]]:
        """Which documents; in what order those of both stand, and where they part; which scores at the positions."""
        if (self.one.documents, self.one.texts) == (self.other.documents, self.other.texts):
            return {}
        parts: dict[str, tuple[Any, Any]] = {}
        mine, theirs = self.copies
        present, wanted = set(mine), set(theirs)
        if present != wanted:
            parts[RETURNED] = [c[0] for c in mine if c not in wanted], [c[0] for c in theirs if c not in present]
        for precision in self.precisions:
            a, b = (
                [copy for copy in _copies(ranking, precision) if copy in present and copy in wanted]
                for ranking in (self.one, self.other)
            )
            if a != b:
                i = next(i for i in range(len(a)) if a[i] != b[i])
                parts[ORDER] = _stands(mine, a[i]), _stands(theirs, b[i])
                break
        one, other = self.scores
        places = range(min(len(mine), len(theirs)))
        if one is None or other is None:
            places = places[: one is not other]  # an order without scores is told by its first position
        place = next((p for p in places if one is None or other is None or one[p] != other[p]), None)
        if place is not None:
            parts[SCORES] = _scored(one, place), _scored(other, place)
        return parts

    def mixed(self, names: Collection[str]) -> Ranking:
        """The first ranking with the named changes made."""
        if not any(name in names for name in RUN) or not any(name in names for name in self.differences):
            return self.one
        if all(name in names for name in self.differences):
            return self.other
        mine, theirs = self.copies
        present, wanted = set(mine), set(theirs)
        ordered = (copy for copy in (theirs if ORDER in names else mine) if copy in present and copy in wanted)
        slots, both = (theirs, present) if RETURNED in names else (mine, wanted)
        documents = [(next(ordered) if copy in both else copy)[0] for copy in slots]
        first, second = self.scores if SCORES not in names else self.scores[::-1]
        scores = _filled(first, second, len(documents))
        return Ranking(documents) if scores is None else Ranking.from_scores(zip(documents, scores, strict=True))


def _copies(ranking: Ranking, precision: str = "exact") -> list[Copy]:
    documents = [document for group in ranking.tie_groups(precision) for document in group]
    if len(set(documents)) == len(documents):
        return [(document, 0) for document in documents]
    seen: Counter[str] = Counter()
    copies = []
    for document in documents:
        copies.append((document, seen[document]))
        seen[document] += 1
    return copies


def _stands(copies: Sequence[Copy], copy: Copy) -> dict[str, Any]:
    return {"position": copies.index(copy) + 1, "document": copy[0]}


def _scored(scores: Sequence[Score] | None, place: int) -> dict[str, Any]:
    return {"position": place + 1, "score": None if scores is None else str(scores[place])}


def _filled(scores: list[Score] | None, others: list[Score] | None, length: int) -> list[Score] | None:
    """So many scores, falling: past the end of the first list the others', or numbers below that tie as they do."""
    if scores is None or len(scores) >= length:
        return None if scores is None else scores[:length]
    tail = [-place for place in range(length - len(scores))] if others is None else others[len(scores) : length]
    if not scores or Fraction(scores[-1]) >= Fraction(tail[0]):
        return [*scores, *tail]
    last = Fraction(scores[-1])
    step = max(Fraction(1), abs(last))  # wide enough to stay apart in float32
    levels = {score: level for level, score in enumerate(dict.fromkeys(tail), 1)}
    return [*scores, *(last - step * levels[score] for score in tail)]
