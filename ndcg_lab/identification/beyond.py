"""What systems do that no contract says: tried where no contract gives the number, under plain contracts alone."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.identification.confirm import Number, value_of
from ndcg_lab.identification.space import depth
from ndcg_lab.measure.contract import Contract
from ndcg_lab.measure.evaluation import Evaluation, evaluate

GAINS, DISCOUNTS = ("linear", "exponential"), ("log2", "jarvelin")
MOST_RANKS = 50
"""With longer lists nothing is tried."""

UNSORTED = "the ideal taken in the order of the judgments, not sorted"
DRAWN = "one order of the tied documents, drawn at random"
SHARED = "tied documents all standing at their mean rank, cut to a whole number"


class Effect(NamedTuple):
    """Something that no contract says, and the value that it gives beside a contract."""

    effect: str
    contract: Contract
    quantity: str
    value: Exact


def beyond(number: Number) -> Iterator[Effect]:
    """Every effect tried that gives the number, under the plainest contract that it gives it with first."""
    asked = number.asked
    if asked.over_queries or depth(asked.queries) > MOST_RANKS:
        return
    (query,) = asked.queries
    known = {name: value for name, value in asked.known.items() if name in {"gain", "k", "discount"}}
    seen = set()
    for gain, discount, k in product(GAINS, DISCOUNTS, range(depth(asked.queries), 0, -1)):
        settings = {"gain": gain, "discount": discount, "k": k, **known}
        contract = Contract(**settings, ties="average", unjudged="zero", duplicates="count", negative="zero")
        if contract in seen:
            continue
        seen.add(contract)
        try:
            e = evaluate(contract, query.ranking, query.judgments)
            for effect, quantity, value in _effects(e):
                if quantity in asked.quantities and _gives(number, quantity, value):
                    yield Effect(effect, contract, quantity, value)
        except NdcgLabError:  # a grade without a gain, or more orders of ties than are listed
            continue


def _gives(number: Number, quantity: str, value: Exact) -> bool:
    return any(reading.accepts(value) for reading in number.readings[quantity])


def _effects(e: Evaluation) -> Iterator[tuple[str, str, Exact]]:
    """Each effect with a quantity and its value."""
    contract, discount, k = e.contract, e.contract.discount_rule, e.contract.k
    assert isinstance(k, int)
    gains = [contract.gain_rule(max(grade, 0)) for grade in e.judgments.values()]
    unsorted = discount.total(gains[:k])
    if unsorted.sign() > 0 and unsorted != e.idcg:
        yield UNSORTED, "ndcg", e.dcg / unsorted
        yield UNSORTED, "idcg", unsorted
    groups = e.ranking.tie_groups()
    if all(len(group) == 1 for group in groups):
        return
    earned = {document: contract.gain_rule(max(e.judgments.get(document, 0), 0)) for document in e.ranking}
    shared: Exact = Linear()
    first = 1
    for group in groups:
        rank = first + (len(group) - 1) // 2
        if rank <= k:
            shared += discount.value(rank) * sum(earned[document] for document in group)
        first += len(group)
    yield SHARED, "dcg", shared
    if e.idcg.sign() > 0:
        yield SHARED, "ndcg", shared / e.idcg
    for value in e.outcomes().values:
        if not isinstance(value, Undefined) and value != value_of(e, "ndcg"):
            yield DRAWN, "ndcg", value
