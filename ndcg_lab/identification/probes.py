"""Further numbers that would decide: what each candidate predicts at other cutoffs, or for single queries."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.identification.confirm import Number, over_of, value_of
from ndcg_lab.identification.matches import Decider, Match, TellApart
from ndcg_lab.identification.space import Cutoff, cutoff_cost, depth, size

if TYPE_CHECKING:
    from ndcg_lab.measure.outcomes import Value

DECIMALS = 4
MOST_QUERIES, MOST_CANDIDATES = 3, 8
"""How far is looked: single queries, and contracts among which one number shall decide."""

MOST_DOCUMENTS = 2000
"""Over more documents means at other cutoffs are not looked at, but single queries alone."""

Probe = tuple[str, Cutoff, int]
"""A quantity, a cutoff, and the query's place."""


class Probes:
    """Looks for further numbers on one number's data."""

    def __init__(self, number: Number) -> None:
        self.number = number
        self.queries = number.asked.queries
        self.whole = depth(self.queries)

    def predicted(self, match: Match, probe: Probe) -> str | None:
        """What a match predicts, to four decimals; None where it has no value."""
        quantity, k, q = probe
        contract, values = match.contract.replace(k=k), self.number.values
        value: Value | None
        if quantity == "mean":
            value = values.of(quantity, contract, over_of(match.aggregation))
        else:
            evaluation = values.one(q, contract)
            value = None if evaluation is None else value_of(evaluation, quantity)
        return None if value is None or isinstance(value, Undefined) else value.fixed(DECIMALS)

    def all(self, asked: Sequence[tuple[str, Cutoff]]) -> Iterator[Probe]:
        """Probes worth asking for, easiest to come by first; not those that were asked."""
        spelled: list[Cutoff] = ["all", self.whole]
        whole = min(spelled, key=lambda k: cutoff_cost(k, self.whole))  # as people write it
        usual = [k for k in (1, 2, 3, 5, 10, 4, 20) if k <= self.whole]
        cutoffs: list[Cutoff] = list(dict.fromkeys([asked[0][1], whole, *usual]))
        if not self.number.asked.over_queries:
            first = asked[0][0]
            quantities = (first, *(one for one in ("ndcg", "dcg", "idcg") if one != first))
            yield from ((one, k, 0) for one, k in product(quantities, cutoffs) if (one, k) not in asked)
            return
        if size(self.queries) <= MOST_DOCUMENTS:
            yield from (("mean", k, 0) for k in cutoffs if ("mean", k) not in asked)
        places = [q for q, query in enumerate(self.queries) if query.evaluable][:MOST_QUERIES]
        yield from (("ndcg", k, q) for k, q in product(cutoffs, places))

    def tell_apart(self, match: Match, matches: Sequence[Match]) -> TellApart | None:
        """A number that tells a match from the plainest other that it can be told from."""
        rivals = [other for other in _first_of_each(matches) if other.bundle != match.bundle][:3]
        rivals.sort(key=lambda other: other.group == match.group)
        for rival in rivals:
            for probe in self.all(_asked(match)):
                mine, its = self.predicted(match, probe), self.predicted(rival, probe)
                if mine is not None and its is not None and mine != its:
                    quantity, k, _ = probe
                    return TellApart(quantity, k, self._name(probe), mine, rival.contract, its)
        return None

    def decides(self, matches: Sequence[Match]) -> Decider | None:
        """The number that splits the plainest candidates into most parts."""
        candidates = _first_of_each(matches)[:MOST_CANDIDATES]
        if len(candidates) < 2:
            return None
        best: Decider | None = None
        parts = 1
        for probe in self.all(_asked(candidates[0])):
            predictions = [(match, self.predicted(match, probe)) for match in candidates]
            stated = [(match, predicts) for match, predicts in predictions if predicts is not None]
            if len({predicts for _, predicts in stated}) > parts:
                parts = len({predicts for _, predicts in stated})
                best = Decider(probe[0], probe[1], self._name(probe), tuple(stated))
        return best

    def _name(self, probe: Probe) -> str:
        """The query that is asked for, where there are several."""
        quantity, _, q = probe
        return self.queries[q].name if self.number.asked.over_queries and quantity != "mean" else ""


def _asked(match: Match) -> list[tuple[str, Cutoff]]:
    return [(fit.quantity, fit.contract.k) for fit in match.fits]


def _first_of_each(matches: Sequence[Match]) -> list[Match]:
    """The plainest match of each bundle, one value after the other: first the plainest of each value."""
    first: dict[int, Match] = {}
    for match in matches:
        first.setdefault(match.bundle, match)
    leading: dict[int, Match] = {}
    for match in first.values():
        leading.setdefault(match.group, match)
    return [*leading.values(), *(match for match in first.values() if leading[match.group] is not match)]
