"""Further numbers that would decide: what each candidate predicts at other cutoffs, or for single queries."""

from collections.abc import Iterator, Sequence
from itertools import product

from ndcg_lab.contract import Contract
from ndcg_lab.identification.confirm import Number
from ndcg_lab.identification.result import Decider, Identification, Match, TellApart
from ndcg_lab.identification.space import depth
from ndcg_lab.values import Undefined

DECIMALS = 4
MOST_CUTOFFS, MOST_QUERIES, MOST_CANDIDATES = 8, 3, 8
"""How far is looked: cutoffs, single queries, and values among which one number shall decide."""

Probe = tuple[str, int | str, int]
"""A quantity, a cutoff, and the query's place."""


class Probes:
    """Looks for further numbers on one number's data."""

    def __init__(self, number: Number) -> None:
        self.number = number
        self.queries = number.asked.queries
        self.whole = depth(self.queries)

    def predicted(self, contract: Contract, probe: Probe) -> str | None:
        """What a contract predicts, to four decimals; None where it has no value."""
        quantity, k, q = probe
        evaluation = self.number.values.one(q, contract.replace(k=k))
        if evaluation is None:
            return None
        value = {"dcg": evaluation.dcg, "idcg": evaluation.idcg, "ndcg": evaluation.ndcg}[quantity]
        return None if isinstance(value, Undefined) else value.fixed(DECIMALS)

    def all(self, asked: Sequence[tuple[str, int | str]]) -> Iterator[Probe]:
        """Probes worth asking for, easiest to come by first; not those that were asked."""
        several = self.number.asked.over_queries
        cutoffs: list[int | str] = list(
            dict.fromkeys(k for k in (self.whole, 1, 2, 3, 5, 10, 4, 20) if k <= self.whole)
        )
        own = asked[0][1]
        if several:
            places = [q for q, query in enumerate(self.queries) if query.evaluable][:MOST_QUERIES]
            yield from (("ndcg", own, q) for q in places)
            return
        first = asked[0][0]
        for quantity, k in product((first, *(q for q in ("ndcg", "dcg", "idcg") if q != first)), [own, *cutoffs]):
            if (quantity, k) not in asked:
                yield quantity, k, 0

    def tell_apart(self, match: Match, matches: Sequence[Match]) -> TellApart | None:
        """A number that tells a match from the plainest other that it can be told from."""
        rivals = [other for other in _first_of_each(matches) if other.bundle != match.bundle][:3]
        rivals.sort(key=lambda other: other.group == match.group)
        for rival in rivals:
            for probe in self.all(_asked(match)):
                mine, its = self.predicted(match.contract, probe), self.predicted(rival.contract, probe)
                if mine is not None and its is not None and mine != its:
                    quantity, k, q = probe
                    return TellApart(quantity, k, self._name(q), mine, rival.contract, its)
        return None

    def decides(self, result: Identification) -> Decider | None:
        """The number that splits the plainest candidates into most parts."""
        candidates = _first_of_each(result.matches)[:MOST_CANDIDATES]
        if len(candidates) < 2:
            return None
        best: Decider | None = None
        parts = 1
        for probe in self.all(_asked(candidates[0])):
            predictions = [(match, self.predicted(match.contract, probe)) for match in candidates]
            stated = [(match, predicts) for match, predicts in predictions if predicts is not None]
            if len({predicts for _, predicts in stated}) > parts:
                parts = len({predicts for _, predicts in stated})
                best = Decider(probe[0], probe[1], self._name(probe[2]), tuple(stated))
        return best

    def _name(self, q: int) -> str:
        return self.queries[q].name if self.number.asked.over_queries else ""


def _asked(match: Match) -> list[tuple[str, int | str]]:
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
