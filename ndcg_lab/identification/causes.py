"""What goes wrong outside any contract, as data: which gains are summed, where they are cut, what a rank is worth.

Numbers proposed in floats and numbers proved exactly are made from the same description.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from typing import NamedTuple

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.rationals import Number
from ndcg_lab.identification.space import Query
from ndcg_lab.measure.contract import Contract
from ndcg_lab.measure.evaluation import arranged, gains_of, resolved
from ndcg_lab.measure.rules import Discount, parse_gain

LIST, IDEAL, RETURNED, TOP, TOP_OF_ALL = "list", "ideal", "ideal of the returned", "top", "top of all queries"
APPENDED, SPREAD, REVERSED, AS_JUDGED = "appended", "appended, in no order", "reversed", "as judged"
KEPT, GRADED = "without padding", "without grade 0"
AS_RULED, LATE, RANK = "as ruled", "one rank late", "the rank"

UNSORTED = "the ideal taken in the order of the judgments, not sorted"
UNRETURNED = (
    "the judged documents that were not returned appended at the end of the list, in the order of the judgments"
)
UNRETURNED_SPREAD = "the judged documents that were not returned appended at the end of the list, as tied"
UNCUT = "the list not cut, while the ideal is cut at k"
TOPS = "an ideal of k documents of the query's top grade"
TOPS_OF_ALL = "an ideal of k documents of the top grade of all queries"
LATE_BOTH = "the discounts of list and ideal one rank off: each rank has that of the next"
LATE_LIST = "the discounts of the list one rank off, those of the ideal not: each rank has that of the next"
LATE_IDEAL = "the discounts of the ideal one rank off, those of the list not: each rank has that of the next"
LOSS = "1 − NDCG printed in its place, a loss"
BY_RANK = "gains multiplied by the rank, not by a discount"
UPSIDE_DOWN = "the list upside down, lowest score first"
PADDED = "documents of a negative grade leaving the list, as padding"
PADDED_ZERO = "documents of grade 0 leaving the list, as padding"


class Side(NamedTuple):
    """A sum: of which gains, whether they are cut at k, and what a rank is worth."""

    gains: str
    cut: bool = True
    worth: str = AS_RULED


class Cause(NamedTuple):
    """Something that no contract says: the quantity printed, what stands above and below, and beside which settings."""

    effect: str
    quantity: str
    above: Side
    below: Side | None = None
    loss: bool = False
    """Whether 1 less the ratio is printed."""
    settings: Mapping[str, str] = {}

    @property
    def late(self) -> bool:
        """Whether a rank has the discount of the next one somewhere."""
        return any(side is not None and side.worth == LATE for side in (self.above, self.below))

    @property
    def beyond_the_list(self) -> bool:
        """Whether a cutoff past every list makes a difference."""
        return any(side is not None and side.gains in {TOP, TOP_OF_ALL} for side in (self.above, self.below))


def _normalised(effect: str, above: Side, below: Side) -> Iterator[Cause]:
    yield Cause(effect, "ndcg", above, below)
    if above != Side(LIST):
        yield Cause(effect, "dcg", above)
    if below != Side(IDEAL):
        yield Cause(effect, "idcg", below)


CAUSES: tuple[Cause, ...] = (
    Cause(LOSS, "ndcg", Side(LIST), Side(IDEAL), loss=True),
    Cause(LOSS, "ndcg", Side(LIST), Side(RETURNED), loss=True, settings={"ideal_population": "returned"}),
    Cause(UNCUT, "ndcg", Side(LIST, cut=False), Side(IDEAL)),
    *_normalised(UNRETURNED, Side(APPENDED), Side(IDEAL)),
    *_normalised(UNRETURNED_SPREAD, Side(SPREAD), Side(IDEAL)),
    *_normalised(TOPS, Side(LIST), Side(TOP)),
    *_normalised(TOPS_OF_ALL, Side(LIST), Side(TOP_OF_ALL)),
    *_normalised(LATE_BOTH, Side(LIST, worth=LATE), Side(IDEAL, worth=LATE)),
    Cause(LATE_LIST, "ndcg", Side(LIST, worth=LATE), Side(IDEAL)),
    Cause(LATE_IDEAL, "ndcg", Side(LIST), Side(IDEAL, worth=LATE)),
    *_normalised(UNSORTED, Side(LIST), Side(AS_JUDGED)),
    *_normalised(UPSIDE_DOWN, Side(REVERSED), Side(IDEAL)),
    *_normalised(PADDED, Side(KEPT), Side(IDEAL)),
    *_normalised(PADDED_ZERO, Side(GRADED), Side(IDEAL)),
    *_normalised(BY_RANK, Side(LIST, worth=RANK), Side(IDEAL, worth=RANK)),
)


def _rule(name: str, shift: int = 0, more: int = 0) -> Callable[[Number], Number]:
    """A gain of grades so much higher, and so much more of it; each grade is looked up after its first time."""
    gain = parse_gain(name)
    return cache(lambda grade: gain(grade + shift) + more)


OTHER_GAINS: Mapping[str, Callable[[Number], Number]] = {
    **{name: _rule(name) for name in ("linear", "exponential", "binary:1", "power:2")},
    "2^grade": _rule("exponential", more=1),
    "linear, of grades one higher": _rule("linear", 1),
    "exponential, of grades one higher": _rule("exponential", 1),
}
"""Gains that one of list and ideal may have taken alone; those that no contract has may have been taken by both."""


def other_gains(gain: str) -> Iterator[Cause]:
    """List and ideal of different gains, beside a contract of this gain; or both of one that no contract has."""
    for name in OTHER_GAINS:
        if name != gain:
            listed, ideal = Side(f"{LIST}: {name}"), Side(f"{IDEAL}: {name}")
            yield Cause(f"another gain in the ideal than in the list: {name}", "ndcg", Side(LIST), ideal)
            yield Cause(f"another gain in the list than in the ideal: {name}", "ndcg", listed, Side(IDEAL))
    if gain == "exponential":
        listed, ideal = Side(f"{LIST}: 2^grade"), Side(f"{IDEAL}: 2^grade")
        yield from _normalised("the gain 2^grade, without the − 1, in list and ideal", listed, ideal)


class QueryGains:
    """One query's gains under a contract, by the names of the lists; `k` of the contract is `all`.

    Raises:
        NdcgLabError: where the contract refuses the data, or a gain has no value for a grade.
    """

    def __init__(self, query: Query, contract: Contract, highest: Number, reach: int) -> None:
        self.contract, self.judgments, self.reach = contract, query.judgments, reach
        self.grades = query.judgments.grades
        self.groups = arranged(contract, query.ranking, query.judgments)[0]
        self.returned = set(query.ranking)
        gains = gains_of(contract, query.judgments)
        self._gain: Callable[[Number], Number] = gains.__getitem__
        self._highest = highest
        self._made: dict[str, list[Number]] = {}

    def __getitem__(self, name: str) -> list[Number]:
        """The gains from rank 1 on."""
        if name not in self._made:
            kind, _, other = name.partition(": ")
            gain = self._other(other) if other else self._gain
            self._made[name] = self._list(kind, gain)
        return self._made[name]

    def _other(self, name: str) -> Callable[[Number], Number]:
        gain = OTHER_GAINS[name]
        return (lambda grade: gain(max(grade, 0))) if self.contract.negative == "zero" else gain

    def _list(self, kind: str, gain: Callable[[Number], Number]) -> list[Number]:
        if kind in {LIST, KEPT, GRADED}:
            leaves: Callable[[Number | None], bool] = {
                LIST: lambda _: False,
                KEPT: lambda grade: grade is not None and grade < 0,
                GRADED: lambda grade: grade == 0,
            }[kind]
            return self._earned(gain, leaves)
        if kind == REVERSED:
            return self[LIST][::-1]
        judged = [gain(grade) for grade in self.grades.values()]
        if kind == AS_JUDGED:
            return judged
        if kind == IDEAL:
            return sorted(judged, reverse=True)
        if kind == RETURNED:
            return sorted(self._entries, reverse=True)
        if kind in {TOP, TOP_OF_ALL}:
            return [max(judged) if kind == TOP else gain_of_grade(self.contract, self._highest)] * self.reach
        rest = [gain(grade) for document, grade in self.grades.items() if document not in self.returned]
        if kind == SPREAD:
            rest = [Fraction(sum(rest), len(rest))] * len(rest) if rest else []
        return [*self[LIST], *rest]

    @cached_property
    def _entries(self) -> list[Number]:
        """The gains of what was returned, in any order."""
        return [self._gain(grade) if earns and grade is not None else 0 for g in self.groups for _, grade, earns in g]

    def _earned(self, gain: Callable[[Number], Number], leaves: Callable[[Number | None], bool]) -> list[Number]:
        """What is earned at each rank of the list, but for documents that leave it."""
        ties = self.contract.ties
        earned: list[Number] = []
        for group in self.groups:
            kept = [
                (document, grade, gain(grade) if earns and grade is not None else 0)
                for document, grade, earns in group
                if not leaves(grade)
            ]
            if not kept:
                continue
            own = [worth for _, _, worth in resolved(ties, kept)]
            earned += [Fraction(sum(own), len(own))] * len(own) if ties == "average" else own
        return earned

    def sum(self, side: Side, k: int, discount: Discount) -> Linear:
        """A side's exact sum, cut at k where it is cut."""
        gains = self[side.gains][:k] if side.cut else self[side.gains]
        if side.worth == RANK:
            return Linear.rational(sum((gain * rank for rank, gain in enumerate(gains, 1)), Fraction(0)))
        return discount.total([0, *gains] if side.worth == LATE else gains)


def gain_of_grade(contract: Contract, grade: Number) -> Number:
    """The gain of a grade under a contract, of negative ones as it takes them."""
    return contract.gain_rule(max(grade, 0) if contract.negative == "zero" else grade)


def gathered(queries: Sequence[Query], contract: Contract, reach: int) -> list[QueryGains] | None:
    """Every judged query's gains; None where the contract refuses."""
    judged = [query for query in queries if len(query.judgments)]
    highest = max((grade for query in judged for grade in query.judgments.values()), default=0)
    try:
        return [QueryGains(query, contract, highest, reach) for query in judged]
    except NdcgLabError:
        return None
