"""One run by one measure: the queries' exact values with their conventions, what was left out, and their mean."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.measure import family
from ndcg_lab.reports.averaging import mean_json, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ndcg_lab.measure.contract import Aggregation
    from ndcg_lab.measure.outcomes import Value
    from ndcg_lab.reports.records import QueryRecord
    from ndcg_lab.reports.report import Report

__all__ = ["NDCG", "Scores", "gathered", "numbers_of", "of_report", "short"]

NDCG = "NDCG"
"""The name of what a contract measures."""


@dataclass(frozen=True, repr=False)
class Scores:
    """One run by one measure.

    Attributes:
        run: the run's name.
        measure: the measure's name.
        settings: every convention behind it, as plain data.
        aggregation: which queries are averaged.
        by_query: the averaged queries, in order, with their exact values.
        weights: of these queries.
        excluded: the queries left out, each with its reason.
        missing: the averaged queries that have no results and count 0.
        judged_at_k: the mean share of judged documents in the first k (all documents without a cutoff).
        notes: what a reader should know beside the numbers.
    """

    run: str
    measure: str
    settings: Mapping[str, object]
    aggregation: Aggregation
    by_query: Mapping[str, Value]
    weights: Mapping[str, Fraction]
    excluded: Mapping[str, str]
    missing: frozenset[str]
    judged_at_k: Value
    notes: tuple[str, ...] = ()
    mean: Value = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", weighted_mean(self.weights, self.by_query))

    def __repr__(self) -> str:
        return f"<Scores of {self.run!r}: mean {self.measure} {short(self.mean)} over {len(self.by_query)} queries>"

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the queries' values, as a double; None with fewer than two, or an undefined one."""
        numbers = [float(value) for value in self.by_query.values() if isinstance(value, Exact)]
        if len(numbers) < 2 or len(numbers) < len(self.by_query):
            return None
        middle = sum(numbers) / len(numbers)
        variance: float = sum((number - middle) ** 2 for number in numbers) / (len(numbers) - 1)
        return math.sqrt(variance)

    def to_json(self) -> dict[str, Any]:
        """The measure with its conventions, its mean, and each query's value."""
        return {
            "measure": self.measure,
            "contract": dict(self.settings),
            "aggregation": self.aggregation.to_json(),
            "mean": mean_json(self.mean),
            "queries": [
                {"query": query, "value": value.to_json(), **({"missing": True} if query in self.missing else {})}
                for query, value in self.by_query.items()
            ],
            "excluded": [{"query": query, "reason": reason} for query, reason in self.excluded.items()],
        }


def of_report(run: str, report: Report, measure: str | None) -> Scores:
    """A report's NDCG as one measure, under a name of its own or the given one."""
    contract = report.contract
    return gathered(
        run,
        measure or (NDCG if contract.k == "all" else f"{NDCG}@{contract.k}"),
        contract.to_json(),
        report.aggregation,
        [result.record for result in report.queries],
        {result.query: result.ndcg for result in report.queries},
        {left.query: left.reason for left in report.excluded},
        report.notes,
    )


def numbers_of(run: str, report: Report) -> list[Scores]:
    """NDCG, DCG and ideal DCG of a report, as three measures."""
    k = "" if report.contract.k == "all" else f"@{report.contract.k}"
    first = of_report(run, report, None)
    return [
        first,
        *(
            replace(
                first,
                measure=f"{name}{k}",
                by_query={result.query: getattr(result, attribute) for result in report.queries},
            )
            for name, attribute in (("DCG", "dcg"), ("IDCG", "idcg"))
        ),
    ]


def gathered(
    run: str,
    measure: str,
    settings: Mapping[str, object],
    aggregation: Aggregation,
    records: Iterable[QueryRecord],
    values: Mapping[str, Value],
    excluded: Mapping[str, str],
    notes: tuple[str, ...] = (),
) -> Scores:
    """One measure of one run, from the queries' records and their values."""
    averaged = [record for record in records if record.query in values]
    depth: Any = settings.get("k", "all")
    answered = [record for record in averaged if record.ranking]
    shares = {
        record.query: family.judged(record.ranking, record.judgments, k=depth, ties="input") for record in answered
    }
    equally = dict.fromkeys(shares, Fraction(1))
    return Scores(
        run,
        measure,
        settings,
        aggregation,
        values,
        {record.query: record.weight for record in averaged},
        excluded,
        frozenset(record.query for record in averaged if record.judgments and not record.ranking),
        weighted_mean(equally, {q: _exact(share) for q, share in shares.items()}),
        notes,
    )


def _exact(value: Fraction | Undefined) -> Value:
    return value if isinstance(value, Undefined) else Linear.rational(value)


def short(value: Value) -> str:
    """A value in a line: exact where it is rational, else five digits."""
    return str(value) if isinstance(value, Undefined) or value.is_rational else value.decimal(5)
