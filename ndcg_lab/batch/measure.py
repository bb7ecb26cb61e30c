"""NDCG under a contract, for arrays of queries by documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ndcg_lab.batch.arrays import read
from ndcg_lab.batch.ranking import Block, Gains, Spans, ideal, ranked
from ndcg_lab.batch.sums import certified as proved
from ndcg_lab.batch.sums import doubles, total
from ndcg_lab.errors import require
from ndcg_lab.measure.contract import Contract

if TYPE_CHECKING:
    from ndcg_lab.batch.arrays import Batch, Flags, Floats
    from ndcg_lab.exact.rationals import Number

__all__ = ["ndcg"]


def ndcg(
    grades: object,
    scores: object,
    contract: Contract,
    *,
    mask: object = None,
    returned: object = None,
    certified: bool = False,
) -> Floats:
    """NDCG of each query, as doubles.

    A document is a column. What an array can't hold is refused by name: document ids, and so the orders by id. A query
    that the kernels don't decide goes to the exact path, and so does one that the contract refuses, which then names
    the query and the column.

    Args:
        grades: (queries, documents); NaN where a document has no grade. A float is read as it is written: 0.1 is 1/10.
        scores: (queries, documents), higher is better, compared as they are (or in `score_precision`).
        contract: what NDCG means.
        mask: true where a document exists; everywhere, if left out.
        returned: true where a document was returned; everywhere, if left out. The others have grades alone.
        certified: each value is the double nearest to the exact one, proved (`ndcg_lab.batch.sums` says how).
            Else it is good to about 14 digits.

    Returns:
        (queries,); NaN where the contract leaves NDCG undefined, or excludes the query.

    Raises:
        WrongKind: for arrays of another kind or shape.
        InvalidScore: for a returned document's score that is not finite.
        ContractError: for `ties` by document id.
        TiedScores, UnjudgedDocument, NegativeGrade, MissingGain, InvalidGrade: where the contract refuses a query.

    >>> linear = Contract(gain="linear", k=3)
    >>> ndcg([[3, 2, 2, 0], [3, 2, 2, 0]], [[2, 4, 3, 1], [4, 2, 1, 3]], linear, certified=True)
    array([0.90497656, 0.76018753])
    """
    require(Contract, "contract", contract, 'Contract(gain="linear", k=10)')
    batch = read(contract, grades, scores, mask, returned)
    queries, documents = batch.shape
    lists = ranked(batch)
    ideals = ideal(batch, lists)
    depth = batch.depth
    below = documents if contract.ideal_cutoff == "none" else depth
    weights = doubles(contract.discount, max(depth, below))
    idcg = total(ideals, weights[:below], queries)
    left = _left_to_exact(batch, lists, ideals, idcg)
    values = np.full(queries, {"zero": 0.0, "one": 1.0}.get(contract.zero_ideal, np.nan))
    some = idcg > 0
    if certified:
        found, shown = proved(contract.discount, lists, ideals, _table(batch), (depth, below), queries)
        values[some] = found[some]
        left |= some & ~shown
    else:
        np.divide(total(lists, weights[:depth], queries), idcg, out=values, where=some)
    for query in np.flatnonzero(left).tolist():
        values[query] = batch.exact(query)
    return values


def _table(batch: Batch) -> tuple[Number, ...] | None:
    grades = batch.grades if batch.few is None else batch.few[1]
    return None if grades.values is not None else grades.gains


def _left_to_exact(batch: Batch, lists: Gains, ideals: Gains, idcg: Floats) -> Flags:
    """Queries that a refusal, a rounding rule or a sum about to cancel leaves to the exact path."""
    contract, left = batch.contract, lists.open
    if contract.round_to is not None:
        return np.ones(len(idcg), np.bool_)
    if batch.few is not None:
        places, grades = batch.few
        if grades.refused.any():
            left[places // batch.shape[1]] = True
    else:
        left |= batch.grades.refused
    if batch.known is not None and contract.unjudged == "error":
        open_ones = ~batch.known if batch.returned is None else ~batch.known & batch.returned
        left |= open_ones.any(axis=1)
    table = _table(batch)
    negative = contract.negative == "allow" and (table is None or any(gain < 0 for gain in table))
    if negative:
        sizes = total(_absolute(ideals), np.ones(batch.shape[1]), len(idcg))
        left |= idcg <= 1e-9 * sizes
    return left | ~np.isfinite(idcg)


def _absolute(gains: Gains) -> Gains:
    return Gains(
        gains.open,
        [Spans(s.query, s.above, s.last, np.abs(s.gain), s.share) for s in gains.spans],
        [Block(b.queries, np.abs(b.gains)) for b in gains.blocks],
    )
