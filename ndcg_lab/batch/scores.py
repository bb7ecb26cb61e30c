"""`dcg_score` and `ndcg_score` as scikit-learn defines them, in its words and with its errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from ndcg_lab.batch.arrays import read, real
from ndcg_lab.batch.ranking import ideal, ranked
from ndcg_lab.batch.sums import doubles, total
from ndcg_lab.errors import NdcgLabError, NegativeGrade, WrongKind
from ndcg_lab.exact.rationals import whole
from ndcg_lab.measure.contract import Contract

if TYPE_CHECKING:
    from ndcg_lab.batch.arrays import Array, Batch, Floats
    from ndcg_lab.batch.ranking import Gains

__all__ = ["dcg_score", "ndcg_score"]


def dcg_score(
    y_true: object,
    y_score: object,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: object = None,
    ignore_ties: bool = False,
) -> float:
    """The mean DCG over queries, as scikit-learn's function of this name: linear gain, ties averaged.

    Args:
        y_true: (queries, documents), the grades, which are the gains.
        y_score: (queries, documents), higher is better.
        k: how many ranks count; all of them, if left out.
        log_base: the discount is 1/log(rank + 1) in this base.
        sample_weight: (queries,), a weight for each query.
        ignore_ties: documents of equal score are taken in some order, instead of all orders.

    Raises:
        NdcgLabError: for arrays of other kinds, which is a `ValueError`, as there.

    >>> dcg_score([[10, 0, 0, 1, 5]], [[.1, .2, .3, 4, 70]]) # doctest: +ELLIPSIS
    9.4994...
    """
    lists, _, queries, depth = _summed(y_true, y_score, k, ignore_ties=ignore_ties)
    sums = total(lists, doubles("log2", depth) * np.log2(log_base), queries)
    return _mean(sums, sample_weight)


def ndcg_score(
    y_true: object, y_score: object, *, k: int | None = None, sample_weight: object = None, ignore_ties: bool = False
) -> float:
    """The mean NDCG over queries, as scikit-learn's function of this name: linear gain, ties averaged, zero ideals 0.

    The arguments are those of `dcg_score`.

    Raises:
        NegativeGrade: for grades below 0.
        NdcgLabError: for arrays of other kinds, and for lists of one document. All are `ValueError`s, as there.

    >>> ndcg_score([[10, 0, 0, 1, 5]], [[.1, .2, .3, 4, 70]]) # doctest: +ELLIPSIS
    0.6956...
    """
    grades = _array("y_true", y_true)
    if grades.size and grades.min() < 0:
        raise NegativeGrade("ndcg_score should not be used on negative y_true values.")
    if grades.ndim > 1 and grades.shape[1] <= 1:
        raise NdcgLabError(
            f"Computing NDCG is only meaningful when there is more than 1 document. Got {grades.shape[1]} instead."
        )
    lists, batch, queries, depth = _summed(grades, y_score, k, ignore_ties=ignore_ties)
    weights = doubles("log2", depth)
    idcg = total(ideal(batch, lists), weights, queries)
    values = np.zeros(queries)
    np.divide(total(lists, weights, queries), idcg, out=values, where=idcg > 0)
    return _mean(values, sample_weight)


def _array(name: str, values: object) -> Array:
    array = real(name, np.asarray(values, dtype=np.float64) if np.asarray(values).dtype == np.bool_ else values)
    if not np.isfinite(array).all():
        raise NdcgLabError(f"`{name}` holds a value that is not finite")
    return array


def _summed(y_true: object, y_score: object, k: int | None, *, ignore_ties: bool) -> tuple[Gains, Batch, int, int]:
    """What the lists earn, of what, over how many queries and ranks."""
    cutoff: int | Literal["all"] = "all" if k is None else whole(k, "k", 1)
    contract = Contract(gain="linear", k=cutoff, ties="reverse-input" if ignore_ties else "average", negative="allow")
    batch = read(contract, _array("y_true", y_true), _array("y_score", y_score), None, None)
    queries, documents = batch.shape
    if documents < 2 or not queries:
        raise WrongKind(
            f"`y_true` has the shape {batch.shape}; NDCG compares two documents at least, of one query at least"
        )
    return ranked(batch), batch, queries, batch.depth


def _mean(values: Floats, sample_weight: object) -> float:
    if sample_weight is None:
        return float(values.mean())
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != values.shape:
        raise WrongKind(
            f"`sample_weight` has the shape {weights.shape}; write a weight for each of {len(values)} queries"
        )
    if weights.sum() == 0:
        raise NdcgLabError("the weights in `sample_weight` sum to 0")
    return float(np.average(values, weights=weights))
