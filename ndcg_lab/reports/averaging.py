"""What the queries of a report give together: the weighted mean, or the ratio of sums, exact."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.quotient import Quotient
from ndcg_lab.exact.rationals import written
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.measure.contract import ZERO_IDEAL, Aggregation, Contract
from ndcg_lab.measure.outcomes import Value
from ndcg_lab.reports.records import QueryResult

_ZERO = Linear()
_SHORT = 120  # characters up to which a mean's exact form is written


@dataclass(frozen=True)
class Mean:
    """What the queries give together, by their weights; exact, or undefined."""

    dcg: Exact | Undefined
    ndcg: Exact | Undefined

    def to_json(self) -> dict[str, Any]:
        """Both values, each with an enclosure, and in exact form where that is short."""
        return {"dcg": mean_json(self.dcg), "ndcg": mean_json(self.ndcg)}


def averaged(contract: Contract, aggregation: Aggregation, results: list[QueryResult]) -> Mean:
    """The weighted DCG and NDCG over queries."""
    weights = {result.query: result.weight for result in results}
    dcg = weighted_mean(weights, {result.query: result.dcg for result in results})
    if aggregation.aggregate == "mean" or isinstance(dcg, Undefined):
        return Mean(dcg, weighted_mean(weights, {result.query: result.ndcg for result in results}))
    idcg = weighted_mean(weights, {result.query: result.idcg for result in results})
    assert isinstance(idcg, Exact)
    whole = sum(weights.values())  # of the means make sums: (7/2 + 3a)/(5 + 2a), not halves of both
    return Mean(dcg, _ratio(contract, dcg * whole, idcg * whole))


def weighted_mean(weights: Mapping[str, Fraction], values: Mapping[str, Value]) -> Value:
    """The weighted mean of the queries' values: undefined where one of them is, or where there are none.

    Raises:
        NdcgLabError: the weights sum to 0.
    """
    if not values:
        return Undefined("no queries")
    total = sum(weights[query] for query in values)
    if total == 0:
        raise NdcgLabError(f"the weights of the {len(values)} averaged queries sum to 0; one at least must be positive")
    undefined = {query: value for query, value in values.items() if isinstance(value, Undefined)}
    if undefined:
        first, *others = dict.fromkeys(undefined.values())
        reasons = [first.reason, *(other.reason for other in others)]
        return Undefined(", ".join(reasons), undefined) if others else first.over(undefined)
    numbers = [(weights[query], value) for query, value in values.items() if isinstance(value, Exact)]
    return _weighted_sum(*zip(*numbers, strict=True)) / total


def _ratio(contract: Contract, dcg: Exact, idcg: Exact) -> Value:
    """Summed DCG over summed ideal DCG. The contract's `zero_ideal` is about this one ratio."""
    sign = idcg.sign()
    if sign > 0:
        return dcg / idcg
    if sign < 0:
        return Undefined("negative ideal")
    supplied: dict[str, Value] = {"zero": _ZERO, "one": Linear.rational(1)}
    return supplied.get(contract.zero_ideal, ZERO_IDEAL)


def _weighted_sum(weights: Iterable[Fraction], values: Iterable[Exact]) -> Exact:
    """Summed by halves: the sum of many quotients is long, and each addition reads all of it."""
    terms = [value * weight for value, weight in zip(values, weights, strict=True)]
    while len(terms) > 1:
        terms = [one + other for one, other in zip(terms[::2], [*terms[1::2], _ZERO], strict=False)]
    return terms[0]


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


def mean_json(value: Value) -> dict[str, Any]:
    """A mean as JSON: always enclosed; in exact form where that is short."""
    if isinstance(value, Undefined):
        return value.to_json()
    if short_form(value) is None:
        number = float(value)
        record: dict[str, Any] = {"float": number if math.isfinite(number) else None, "decimal": value.decimal(20)}
    else:
        record = value.to_json()
    return {**record, "enclosure": [written(end) for end in value.enclosure(80)]}
