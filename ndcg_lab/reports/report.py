"""Evaluates a run over queries, and reports what was averaged, what was left out and why, under which contract.

Nothing is dropped in silence: every query of either input is averaged, or stands among the excluded with its reason
and its records, so that a report can be computed anew from itself.
"""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import NoneType
from typing import TYPE_CHECKING, Any

from ndcg_lab.errors import ContractError, MissingResults, NdcgLabError, UnknownQuery, require
from ndcg_lab.exact.values import Exact, Linear, Quotient, Undefined, rational
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation, Contract
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.measure.evaluation import Evaluation, evaluate
from ndcg_lab.measure.outcomes import Value
from ndcg_lab.reports.trec import Run, as_qrels, as_run, naming

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "ndcg-lab/report/1"

_ZERO = Linear()
_SHORT = 120  # characters up to which a mean's exact form is written
_NAMED = 10  # queries that one message names


@dataclass(frozen=True)
class QueryRecord:
    """What a query brings: its judgments and its ranking (either may be empty) and its weight."""

    query: str
    weight: Fraction
    judgments: Judgments
    ranking: Ranking
    rank_conflict: str | None
    """Where the run's rank column contradicts its scores, in a sentence."""

    def to_json(self) -> dict[str, Any]:
        """The records as a report holds them."""
        conflict = {} if self.rank_conflict is None else {"rank_conflict": self.rank_conflict}
        return {
            "query": self.query,
            "weight": str(self.weight),
            **self.judgments.to_json(),
            "ranking": self.ranking.to_json(),
            **conflict,
        }


@dataclass(frozen=True)
class QueryResult:
    """A query that is averaged: its records, its evaluation, and the NDCG that enters the mean.

    A query without results, or without judgments, that counts as 0 is evaluated as an empty list; its NDCG is exactly
    0, whatever its ideal.
    """

    record: QueryRecord
    evaluation: Evaluation
    ndcg: Value

    @property
    def query(self) -> str:
        """The query's id."""
        return self.record.query

    @property
    def weight(self) -> Fraction:
        """The query's weight in the mean."""
        return self.record.weight

    @property
    def dcg(self) -> Linear:
        """The DCG of its ranking."""
        return self.evaluation.dcg

    @property
    def idcg(self) -> Linear:
        """The DCG of its ideal ranking."""
        return self.evaluation.idcg

    def to_json(self) -> dict[str, Any]:
        """The records and every number that they give."""
        return {"query": self.query, **self.evaluation.to_json(), **self.record.to_json(), "ndcg": self.ndcg.to_json()}


@dataclass(frozen=True)
class Excluded:
    """A query that is not averaged, and why: `zero ideal`, `no results` or `no judgments`."""

    record: QueryRecord
    reason: str

    @property
    def query(self) -> str:
        """The query's id."""
        return self.record.query

    def to_json(self) -> dict[str, Any]:
        """The reason and the records."""
        records = self.record.to_json()
        return {"query": records.pop("query"), "reason": self.reason, **records}


@dataclass(frozen=True)
class Mean:
    """What the queries give together, by their weights; exact, or undefined."""

    dcg: Exact | Undefined
    ndcg: Exact | Undefined

    def to_json(self) -> dict[str, Any]:
        """Both values, each with an enclosure, and in exact form where that is short."""
        return {"dcg": _mean_json(self.dcg), "ndcg": _mean_json(self.ndcg)}


@dataclass(frozen=True)
class Base:
    """What a contract was taken from, and the settings there that others replaced."""

    name: str
    overridden: Mapping[str, object]

    def to_json(self) -> dict[str, Any]:
        """The name, and each replaced field with the value that it had."""
        return {"name": self.name, "overridden": dict(self.overridden)}


@dataclass(frozen=True, repr=False)
class Report:
    """A run's DCG and NDCG per query and over queries, with all that they follow from.

    `report["q1"]` is the result of one query.
    """

    contract: Contract
    aggregation: Aggregation
    queries: tuple[QueryResult, ...]
    excluded: tuple[Excluded, ...]
    mean: Mean
    notes: tuple[str, ...]
    base: Base | None = None

    def __getitem__(self, query: str) -> QueryResult:
        for result in self.queries:
            if result.query == query:
                return result
        reasons = [f" (left out: {left.reason})" for left in self.excluded if left.query == query]
        raise UnknownQuery(f"query {query!r} is not among the {len(self.queries)} averaged{''.join(reasons)}")

    def __iter__(self) -> Iterator[QueryResult]:
        return iter(self.queries)

    def __len__(self) -> int:
        return len(self.queries)

    def __repr__(self) -> str:
        number = self.mean.ndcg
        shown = str(number) if isinstance(number, Undefined) else number.decimal(6)
        left_out = f", {len(self.excluded)} excluded" if self.excluded else ""
        return f"<Report of {len(self.queries)} queries{left_out}: mean NDCG {shown}, {self.contract!r}>"

    def to_json(self) -> dict[str, Any]:
        """The report as the object that `ndcg_lab/schema/report-1.json` describes."""
        return {
            "schema": SCHEMA,
            "contract": self.contract.to_json(),
            "aggregation": self.aggregation.to_json(),
            **({} if self.base is None else {"base": self.base.to_json()}),
            "notes": list(self.notes),
            "queries": [result.to_json() for result in self.queries],
            "excluded": [left.to_json() for left in self.excluded],
            "mean": self.mean.to_json(),
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any] | str) -> "Report":
        """Evaluate anew, from the records of a report: its numbers are not read.

        Raises:
            FormatError: where the report does not fit its schema, naming the place.
        """
        from ndcg_lab.reports.report_file import parse

        file = parse(record)
        entries = [*file.queries, *file.excluded]
        report = evaluate_run(
            Contract.from_json(file.contract),
            Run(
                {entry.query: entry.as_ranking() for entry in entries},
                {entry.query: entry.rank_conflict for entry in entries if entry.rank_conflict is not None},
            ),
            {entry.query: entry.as_judgments() for entry in entries},
            **Aggregation.from_json(file.aggregation).to_json(),
            weights={entry.query: entry.weight for entry in entries},
        )
        return report if file.base is None else replace(report, base=Base(file.base.name, file.base.overridden))

    def to_csv(self) -> str:
        """One line for each query, each that was left out, and the mean; every setting stands on every line."""
        return to_csv([self])

    def csv_rows(self) -> Iterator[dict[str, str]]:
        """The lines of `to_csv`, by column."""
        settings = {
            name: "none" if value is None else str(value)
            for name, value in {**self.contract.to_json(), **self.aggregation.to_json()}.items()
        }
        for result in self.queries:
            yield {
                "kind": "query",
                "query": result.query,
                "weight": str(result.weight),
                **_cells("dcg", result.dcg),
                **_cells("idcg", result.idcg),
                **_cells("ndcg", result.ndcg),
                **settings,
            }
        for left in self.excluded:
            yield {
                "kind": "excluded",
                "query": left.query,
                "weight": str(left.record.weight),
                "reason": left.reason,
                **settings,
            }
        yield {"kind": "mean", **_cells("dcg", self.mean.dcg), **_cells("ndcg", self.mean.ndcg), **settings}

    def to_frame(self) -> "pd.DataFrame":
        """The averaged queries as a data frame of doubles (nan where undefined), by query."""
        import pandas as pd

        return pd.DataFrame(
            {
                "weight": [float(result.weight) for result in self.queries],
                "dcg": [float(result.dcg) for result in self.queries],
                "idcg": [float(result.idcg) for result in self.queries],
                "ndcg": [_double(result.ndcg) for result in self.queries],
                "unjudged_in_k": [result.evaluation.unjudged_in_k for result in self.queries],
            },
            index=pd.Index([result.query for result in self.queries], name="query", dtype="object"),
        )


_CSV_COLUMNS = (
    *("kind", "query", "weight", "dcg", "idcg", "ndcg", "dcg_exact", "idcg_exact", "ndcg_exact", "reason"),
    *(field.name for field in (*FIELDS, *AGGREGATION_FIELDS)),
)


def to_csv(reports: Iterable[Report]) -> str:
    """Reports as one CSV table: a line for each query, each that was left out, and each mean."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _CSV_COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for report in reports:
        writer.writerows(report.csv_rows())
    return text.getvalue()


def evaluate_run(
    contract: Contract,
    run: object,
    qrels: object,
    *,
    query_set: str = "judged",
    missing: str = "error",
    unjudged_queries: str = "exclude",
    aggregate: str = "mean",
    weights: Mapping[str, object] | None = None,
    queries: Iterable[str] | None = None,
) -> Report:
    """Evaluate a run over queries.

    Args:
        contract: what NDCG means for one query.
        run: `read_run`'s result, or a mapping of queries to rankings or to scores by document, or a data frame with
            the columns query, document, score. A query with an empty list has no results.
        qrels: `read_qrels`'s result, or a mapping of queries to judgments or to grades by document, or a data frame
            with the columns query, document, grade.
        query_set: which queries are averaged: those `judged`, those of the `run`, or `both`.
        missing: a judged query without results is an `error`, counts as exactly `zero`, or is left out (`exclude`).
        unjudged_queries: a query of the run without judgments is left out (`exclude`) or counts as exactly `zero`,
            under `query_set="run"`.
        aggregate: the `mean` of the queries' NDCG, or the `ratio-of-sums`: weighted DCG over weighted ideal DCG.
        weights: query to rational weight, 0 or more; 1 where absent.
        queries: if given, these queries alone are looked at.

    Raises:
        MissingResults: naming the judged queries without results.
        UnknownQuery: a query in `weights` or `queries` that neither input holds.
        NdcgLabError: whatever `evaluate` raises, naming the query; weights that are negative or sum to 0.

    >>> qrels = {"q1": {"A": 2, "B": 1}, "q2": {"C": 1}}
    >>> run = {"q1": {"A": 0.9, "B": 0.4}}
    >>> report = evaluate_run(Contract(gain="linear", k=10), run, qrels, missing="zero")
    >>> print(report.mean.ndcg)
    1/2
    """
    require(Contract, "contract", contract, 'Contract(gain="linear", k=10)')
    aggregation = Aggregation(
        query_set=query_set, missing=missing, unjudged_queries=unjudged_queries, aggregate=aggregate
    )
    if aggregation.aggregate == "ratio-of-sums" and contract.round_to is not None:
        raise ContractError(
            f"`aggregate = ratio-of-sums` takes no query's NDCG, so there is nothing for `round_to = "
            f"{contract.round_to}` to round; use `aggregate = mean` or `round_to = none`"
        )
    records = _records(as_run(run), as_qrels(qrels), {} if weights is None else weights, queries)
    _refuse_missing(aggregation, records)
    results: list[QueryResult] = []
    excluded: list[Excluded] = []
    for record in records:
        reason = _left_out(aggregation, record)
        result = None if reason else _result(contract, record)
        if result is None:
            excluded.append(Excluded(record, reason or "zero ideal"))
        else:
            results.append(result)
    # In the report's own order: evaluated anew from its records, it gives the same notes.
    ordered = [*(result.record for result in results), *(left.record for left in excluded)]
    return Report(
        contract,
        aggregation,
        tuple(results),
        tuple(excluded),
        Mean(*_mean(contract, aggregation, results)),
        tuple(_notes(contract, ordered)),
    )


def _records(
    run: Run, qrels: Mapping[str, Judgments], weights: Mapping[str, object], queries: Iterable[str] | None
) -> list[QueryRecord]:
    """Every query: the judged ones in their order, then those of the run alone."""
    require(Mapping, "weights", weights, "a mapping of queries to weights")
    require((Iterable, NoneType), "queries", queries, "a list of queries, or None for all")
    known = dict.fromkeys([*qrels, *run])
    chosen = known if queries is None else dict.fromkeys(queries)
    for query in chosen:
        if query not in known:
            raise UnknownQuery(f"query {query!r} is in neither the judgments nor the run")
    for query in weights:
        if query not in known:
            raise UnknownQuery(f"query {query!r} has a weight, and is in neither the judgments nor the run")
    nothing, unjudged = Ranking([]), Judgments({})
    return [
        QueryRecord(
            query,
            _weight(query, weights.get(query, 1)),
            qrels.get(query, unjudged),
            run.get(query, nothing),
            run.rank_conflicts.get(query),
        )
        for query in known
        if query in chosen
    ]


def _weight(query: str, weight: object) -> Fraction:
    with naming(query):
        number = Fraction(rational(weight))
        if number < 0:
            raise NdcgLabError(f"the weight {number} is negative; a weight is a rational number, 0 or more")
    return number


def _refuse_missing(aggregation: Aggregation, records: Iterable[QueryRecord]) -> None:
    if (aggregation.query_set, aggregation.missing) != ("judged", "error"):
        return
    missing = [record.query for record in records if record.judgments and not record.ranking]
    if missing:
        (field,) = (field for field in AGGREGATION_FIELDS if field.name == "missing")
        raise MissingResults(
            f"{_counted(len(missing), 'judged query has', 'judged queries have')} no results: {_named(missing)}; "
            f"`missing` decides: {field.spellings}"
        )


def _left_out(aggregation: Aggregation, record: QueryRecord) -> str | None:
    """Why a query is not averaged by its records alone, or None."""
    if not record.judgments:
        counted = aggregation.query_set == "run" and aggregation.unjudged_queries == "zero"
        return None if counted and record.ranking else "no judgments"
    if not record.ranking:
        counted = aggregation.query_set == "judged" and aggregation.missing == "zero"
        return None if counted else "no results"
    return None


def _result(contract: Contract, record: QueryRecord) -> QueryResult | None:
    """The result of a query that is averaged; None where its ideal is 0 and the contract excludes it for that."""
    evaluable = bool(record.judgments and record.ranking)
    with naming(record.query):
        evaluation = evaluate(contract, record.ranking if evaluable else Ranking([]), record.judgments)
    if not evaluable:
        return QueryResult(record, evaluation, _ZERO)
    if contract.zero_ideal == "exclude" and evaluation.ndcg == Undefined("zero ideal"):
        return None
    return QueryResult(record, evaluation, evaluation.ndcg)


def _mean(contract: Contract, aggregation: Aggregation, results: list[QueryResult]) -> tuple[Value, Value]:
    """The weighted DCG and NDCG over queries."""
    if not results:
        return Undefined("no queries"), Undefined("no queries")
    weights = [result.weight for result in results]
    total = sum(weights)
    if total == 0:
        raise NdcgLabError(
            f"the weights of the {len(results)} averaged queries sum to 0; one at least must be positive"
        )
    dcg = _weighted_sum(weights, [result.dcg for result in results])
    if aggregation.aggregate == "ratio-of-sums":
        return dcg / total, _ratio(contract, dcg, _weighted_sum(weights, [result.idcg for result in results]))
    values = [result.ndcg for result in results if not isinstance(result.ndcg, Undefined)]
    if len(values) < len(results):
        undefined = {result.query: result.ndcg.reason for result in results if isinstance(result.ndcg, Undefined)}
        return dcg / total, Undefined(", ".join(dict.fromkeys(undefined.values())), undefined)
    return dcg / total, _weighted_sum(weights, values) / total


def _ratio(contract: Contract, dcg: Exact, idcg: Exact) -> Value:
    """Summed DCG over summed ideal DCG. The contract's `zero_ideal` is about this one ratio."""
    sign = idcg.sign()
    if sign > 0:
        return dcg / idcg
    if sign < 0:
        return Undefined("negative ideal")
    supplied: dict[str, Value] = {"zero": _ZERO, "one": Linear.rational(1)}
    return supplied.get(contract.zero_ideal, Undefined("zero ideal"))


def _weighted_sum(weights: list[Fraction], values: Iterable[Exact]) -> Exact:
    """Summed by halves: the sum of many quotients is long, and each addition reads all of it."""
    terms = [value * weight for value, weight in zip(values, weights, strict=True)]
    while len(terms) > 1:
        terms = [one + other for one, other in zip(terms[::2], [*terms[1::2], _ZERO], strict=False)]
    return terms[0]


def _notes(contract: Contract, records: Iterable[QueryRecord]) -> Iterator[str]:
    """What a reader of the numbers should know beside them."""
    conflicts = {record.query: record.rank_conflict for record in records if record.rank_conflict is not None}
    for query, conflict in list(conflicts.items())[:1]:
        yield (
            f"The rank column contradicts the scores in {_counted(len(conflicts), 'query', 'queries')} "
            f"({_named(conflicts)}), and is not used. In {query}, {conflict}."
        )
    depth = max((len(record.ranking) for record in records), default=0)
    if contract.k != "all" and 0 < depth < contract.k:
        yield f"No query returns more than {_counted(depth, 'document', 'documents')}, and k is {contract.k}."


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _named(queries: Iterable[str]) -> str:
    names = list(queries)
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def short_form(value: Exact, limit: int = _SHORT) -> str | None:
    """A value's exact form where it has at most so many characters; a long one is not even written."""
    if isinstance(value, Linear):
        terms = len(value.terms)
    elif isinstance(value, Quotient):
        terms = len(value.numerator.terms) + len(value.denominator.terms)
    else:
        terms = len(value.monomials())
    if 4 * terms - 3 > limit:  # a term has a character at least, and " + " stands between two
        return None
    text = str(value)
    return text if len(text) <= limit else None


def _mean_json(value: Value) -> dict[str, Any]:
    """A mean as JSON: always enclosed; in exact form where that is short."""
    if isinstance(value, Undefined):
        return value.to_json()
    if short_form(value) is None:
        number = float(value)
        record: dict[str, Any] = {"float": number if math.isfinite(number) else None, "decimal": value.decimal(20)}
    else:
        record = value.to_json()
    return {**record, "enclosure": [str(end) for end in value.enclosure(80)]}


def _cells(name: str, value: Value) -> dict[str, str]:
    if isinstance(value, Undefined):
        return {name: str(value)}
    return {name: value.decimal(20), f"{name}_exact": short_form(value) or ""}


def _double(value: Value) -> float:
    return float("nan") if isinstance(value, Undefined) else float(value)
