"""Evaluates a run over queries, and reports what was averaged, what was left out and why, under which contract.

Nothing is dropped in silence: every query of either input is averaged, or stands among the excluded with its reason
and its records, so that a report can be computed anew from itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import NoneType
from typing import TYPE_CHECKING, Any

from ndcg_lab.errors import ContractError, MissingResults, NdcgLabError, UnknownQuery, require, require_package
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.rationals import nearest_double, rational, short
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.measure.contract import (
    ZERO_IDEAL,
    Aggregate,
    Aggregation,
    Contract,
    Missing,
    QuerySet,
    Stated,
    UnjudgedQueries,
    decided,
)
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.measure.evaluation import evaluate
from ndcg_lab.measure.outcomes import Value
from ndcg_lab.reports.averaging import Mean, averaged
from ndcg_lab.reports.notes import counted, named, notes
from ndcg_lab.reports.records import SCHEMA, Base, Excluded, QueryRecord, QueryResult
from ndcg_lab.reports.trec import Run, as_qrels, as_run, by_query, naming
from ndcg_lab.tables import csv_of, screen

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Report", "evaluate_records", "evaluate_run"]

_ZERO = Linear()


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

        checked = parse(record)
        report = evaluate_records(checked.contract, checked.aggregation, checked.records.values())
        return report if checked.file.base is None else replace(report, base=checked.file.base.as_base())

    def to_csv(self, run: str = "run", *, exact: bool = False, everything: bool = False, settings: bool = False) -> str:
        """Tidy CSV, as `ndcg-lab evaluate --format csv` writes it: `run`, `query`, `measure`, `value`, `missing`.

        Args:
            run: what stands in the column `run`.
            exact: a column with the exact form, where it is short.
            everything: means and what was left out as rows too, told apart by `kind`, with the `reason`.
            settings: a column for every setting.
        """
        from ndcg_lab.reports.report_views import report_rows

        return csv_of(report_rows(run, [self], exact=exact, everything=everything, settings=settings), TIDY)

    def _repr_html_(self) -> str:
        from ndcg_lab.reports.report_views import report_parts

        return screen([*report_parts([self], queries=True, exact=False), *(f"note: {note}" for note in self.notes)])

    def to_frame(self) -> "pd.DataFrame":
        """The averaged queries as a data frame of doubles (nan where undefined), by query."""
        require_package("pandas", "`to_frame`")
        import pandas as pd

        return pd.DataFrame(
            {
                "weight": [nearest_double(*result.weight.as_integer_ratio()) for result in self.queries],
                "dcg": [float(result.dcg) for result in self.queries],
                "idcg": [float(result.idcg) for result in self.queries],
                "ndcg": [double(result.ndcg) for result in self.queries],
                "unjudged_in_k": [result.evaluation.unjudged_in_k for result in self.queries],
            },
            index=pd.Index([result.query for result in self.queries], name="query", dtype="object"),
        )


TIDY = ("run", "query", "measure", "value")
"""The first columns of tidy CSV."""


def evaluate_run(
    contract: Contract | Stated,
    run: object,
    qrels: object,
    *,
    query_set: QuerySet | None = None,
    missing: Missing | None = None,
    unjudged_queries: UnjudgedQueries | None = None,
    aggregate: Aggregate | None = None,
    weights: Mapping[str, object] | None = None,
    queries: Iterable[str] | None = None,
) -> Report:
    """Evaluate a run over queries.

    Args:
        contract: what NDCG means for one query; a named convention, or a contract that carries query settings
            (`Contract.over`), says with it what of these isn't given here.
        run: `read_run`'s result, or a mapping of queries to rankings or to scores by document, or a data frame with
            the columns query, document, score. A query with an empty list has no results.
        qrels: `read_qrels`'s result, or a mapping of queries to judgments or to grades by document, or a data frame
            with the columns query, document, grade.
        query_set: which queries are averaged: those `judged` (by default), those of the `run`, or `both`.
        missing: a judged query without results is an `error` (by default), counts as exactly `zero`, or is left out
            (`exclude`).
        unjudged_queries: a query of the run without judgments is left out (`exclude`, by default) or counts as
            exactly `zero`, under `query_set="run"`.
        aggregate: the `mean` of the queries' NDCG (by default), or the `ratio-of-sums`: weighted DCG over weighted
            ideal DCG.
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
    terms: Any = contract if isinstance(contract, Contract) else getattr(contract, "at", lambda: contract)()
    require(Contract, "contract", terms, 'Contract(gain="linear", k=10)')
    given = {
        "query_set": query_set,
        "missing": missing,
        "unjudged_queries": unjudged_queries,
        "aggregate": aggregate,
    }
    own = terms.aggregation or Aggregation()
    aggregation = own.replace(**{name: value for name, value in given.items() if value is not None})
    records = query_records(as_run(run), as_qrels(qrels), {} if weights is None else weights, queries)
    return evaluate_records(terms, aggregation, records)


def evaluate_records(contract: Contract, aggregation: Aggregation, records: Iterable[QueryRecord]) -> Report:
    """Evaluate what each query brings, as `evaluate_run` does."""
    if aggregation.aggregate == "ratio-of-sums" and contract.round_to is not None:
        raise ContractError(
            f"`aggregate = ratio-of-sums` takes no query's NDCG, so there is nothing for `round_to = "
            f"{contract.round_to}` to round; use `aggregate = mean` or `round_to = none`"
        )
    records = list(records)
    refuse_missing(aggregation, records)
    results: list[QueryResult] = []
    excluded: list[Excluded] = []
    for record in records:
        reason = left_out(aggregation, record)
        result = None if reason else _result(contract, record)
        if result is None:
            excluded.append(Excluded(record, reason or "zero ideal"))
        else:
            results.append(result)
    return Report(
        contract,
        aggregation,
        tuple(results),
        tuple(excluded),
        averaged(contract, aggregation, results),
        tuple(notes(contract, results, excluded)),
    )


def query_records(
    run: Run, qrels: Mapping[str, Judgments], weights: Mapping[str, object], queries: Iterable[str] | None
) -> list[QueryRecord]:
    """Every query: the judged ones in their order, then those of the run alone."""
    require(Mapping, "weights", weights, "a mapping of queries to weights")
    require((Iterable, NoneType), "queries", queries, "a list of queries, or None for all")
    weights = dict(by_query("the weights", weights))
    known = dict.fromkeys([*qrels, *run])
    chosen = known if queries is None else dict(by_query("the queries", dict.fromkeys(queries)))
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
            raise NdcgLabError(f"the weight {short(number)} is negative; a weight is a rational number, 0 or more")
    return number


def refuse_missing(aggregation: Aggregation, records: Iterable[QueryRecord]) -> None:
    """Raise `MissingResults` where a judged query has no results and the aggregation wants them."""
    if (aggregation.query_set, aggregation.missing) != ("judged", "error"):
        return
    missing = [record.query for record in records if record.judgments and not record.ranking]
    if missing:
        has = counted(len(missing), "judged query has", "judged queries have")
        raise decided(MissingResults, f"{has} no results: {named(missing)}", "missing")


def left_out(aggregation: Aggregation, record: QueryRecord) -> str | None:
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
    if contract.zero_ideal == "exclude" and evaluation.ndcg == ZERO_IDEAL:
        return None
    return QueryResult(record, evaluation, evaluation.ndcg)


def double(value: Value) -> float:
    """The nearest double; nan where there is no value."""
    return float("nan") if isinstance(value, Undefined) else float(value)
