"""The search: which contracts of the space come near enough to a number, in floats.

What makes no difference on these data is kept together in one `Hit`. Floats only propose: the caller evaluates every
hit exactly.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import nsmallest
from typing import NamedTuple

from ndcg_lab.identification.lists import Part, Sums, all_lists, worth
from ndcg_lab.identification.printed import Printed, Reading
from ndcg_lab.identification.space import (
    Candidate,
    Cutoff,
    Ideal,
    Over,
    Policy,
    Query,
    Space,
    cost,
    cutoff_cost,
    depth,
    size,
)

MARGIN = 4e-12
"""How far a float may be from its exact value, relative to the larger of 1 and its size."""

PLAIN = 40
"""Up to this cost a contract is plain enough to be named as near, though others may be nearer."""

MOST_COST_OF_MEANS, MOST_COST_OF_LARGE, LARGE = 100, 50, 5000
"""Over queries, where there is much more to vary, contracts further from plain than this are not tried; nor are those
past the second cost over more documents than the third."""

NEAREST = 3
"""How many of the nearest are kept: of the plain ones, and of all."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Contracts that can't be told apart on these data, whose value comes near enough; plainest choices first.

    Any combination of the choices is such a contract. The lists grow while the search goes on.
    """

    value: float
    quantity: str
    gains: tuple[str, ...]
    cutoffs: list[Cutoff]
    discounts: list[str]
    ideals: tuple[Ideal, ...]
    policies: list[Policy]
    zero_ideal: str
    round_to: int | None
    overs: tuple[Over, ...]

    def plainest(self) -> Candidate:
        """The plainest contract."""
        return Candidate(
            self.gains[0],
            self.cutoffs[0],
            self.discounts[0],
            self.ideals[0],
            self.policies[0],
            self.zero_ideal,
            self.round_to,
            self.overs[0],
        )

    def count(self) -> int:
        """How many contracts these are."""
        sizes = map(len, (self.gains, self.cutoffs, self.discounts, self.ideals, self.policies, self.overs))
        return math.prod(sizes)

    def cost(self, whole: int) -> int:
        """How far from plain the plainest one is; `whole` is the length of the whole list."""
        return (
            cost("gain", self.gains[0])
            + cost("discount", self.discounts[0])
            + cutoff_cost(self.cutoffs[0], whole)
            + self.ideals[0].cost
            + self.policies[0].cost
            + (cost("zero_ideal", self.zero_ideal) if self.zero_ideal != "undefined" else 0)
            + cost("round_to", self.round_to)
            + self.overs[0].cost
        )


class Found(NamedTuple):
    """What a search gives: the hits, and what comes nearest otherwise."""

    hits: list[Hit]
    near: list[Hit]


class Target(NamedTuple):
    """One quantity, and the intervals that the printed number stands for as that."""

    quantity: str
    centre: float
    intervals: list[tuple[float, float]]
    least: float
    most: float

    @classmethod
    def of(cls, quantity: str, printed: Printed, readings: Sequence[Reading]) -> "Target":
        """From every reading; a centre is what a near value is near to."""
        centre = _float(printed.number / 100 if printed.percent else printed.number)
        intervals = []
        for reading in readings:
            low, high = _float(reading.low), _float(reading.high)
            room = MARGIN * max(1.0, abs(low), abs(high))
            intervals.append((low - room, high + room))
        return cls(quantity, centre, intervals, min(low for low, _ in intervals), max(high for _, high in intervals))

    def takes(self, value: float) -> bool:
        """Whether a value is in one of the intervals, or at a margin's distance."""
        if value < self.least or value > self.most:  # the innermost question of the search, and nearly always no
            return False
        return any(low <= value <= high for low, high in self.intervals)


def _float(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)


class _Place(NamedTuple):
    """Where the search is: running sums, their discount, and a cutoff with its spellings."""

    sums: Sums
    discount: str
    k: int
    spellings: tuple[Cutoff, ...]

    @property
    def plain(self) -> bool:
        """Whether contracts here may be plain."""
        return self.discount in _PLAIN_DISCOUNTS


_PLAIN_DISCOUNTS = {"log2", "jarvelin"}
_SUPPLIED = {"zero": 0.0, "one": 1.0}
Option = tuple[tuple[Part, ...], tuple[Ideal, ...]]
Cell = tuple[float, float, bool]
"""A query's DCG, its ideal DCG, and whether it has both judgments and results."""


def _chosen(query: Query, over: Over) -> bool:
    """Whether a query is averaged, before its ideal is looked at."""
    if not len(query.judgments):
        return bool(len(query.ranking)) and over.query_set == "run" and over.unjudged_queries == "zero"
    return bool(len(query.ranking)) or (over.query_set == "judged" and over.missing == "zero")


def _times(value: float, unit: int) -> float:
    if unit == 1:
        return value
    try:
        return value * unit
    except OverflowError:
        return math.copysign(math.inf, value)


def _rounded(value: float, decimals: int) -> float:
    """Half away from zero; what a float's noise leaves just below a half goes up too."""
    scale = 10.0**decimals
    return math.copysign(math.floor(abs(value) * scale + 0.5 + 1e-9) / scale, value)


class _Nearest:
    """The nearest of distinct values."""

    def __init__(self) -> None:
        self.bound = math.inf
        """A value that misses by this much or more isn't among them."""
        self._pairs: dict[tuple[str, float], tuple[float, Hit]] = {}

    def add(self, miss: float, hit: Hit) -> None:
        """Take a value that may be among them; of equal ones the first stays."""
        self._pairs.setdefault((hit.quantity, float(f"{hit.value:.12g}")), (miss, hit))
        if len(self._pairs) > 8 * NEAREST:
            self._pairs = self.kept()
            self.bound = max(miss for miss, _ in self._pairs.values())

    def kept(self) -> dict[tuple[str, float], tuple[float, Hit]]:
        """Them, by quantity and value."""
        return dict(nsmallest(NEAREST, self._pairs.items(), key=lambda pair: pair[1][0]))


def search(queries: Sequence[Query], space: Space, targets: Mapping[str, Target], rounding: Sequence[int]) -> Found:
    """Every contract of the space whose value comes near enough to the number, and the nearest others.

    Args:
        queries: one, whose `ndcg`, `dcg` and `idcg` are looked at; or several, with their `mean` and `mean dcg`.
        space: what is varied.
        targets: the quantities looked at, and what the number stands for as each.
        rounding: decimals to which each query's value may have been rounded.
    """
    return _Search(queries, space, targets, rounding).run()


class _Search:
    def __init__(
        self, queries: Sequence[Query], space: Space, targets: Mapping[str, Target], rounding: Sequence[int]
    ) -> None:
        self.queries = queries
        self.space = space
        self.targets = targets
        self.rounding = rounding
        self.whole = depth(queries)
        self.hits: dict[tuple[object, int, object], Hit] = {}
        self.evaluable = [query.evaluable for query in queries]
        chosen = [(overs, [q for q, query in enumerate(queries) if _chosen(query, overs[0])]) for overs in space.overs]
        self.chosen = [(overs, places) for overs, places in chosen if places]
        self.plain = _Nearest()
        self.far = _Nearest()

    def run(self) -> Found:
        longest = max(self.whole, *(k for k in self.space.cutoffs if isinstance(k, int)), 1)
        spelled: dict[int, list[Cutoff]] = {}
        for k in self.space.cutoffs:  # `all` is the length of the whole list
            spelled.setdefault(self.whole if k == "all" else int(k), []).append(k)
        look = self._several if any(quantity.startswith("mean") for quantity in self.targets) else self._one
        most: float = math.inf
        if look == self._several:
            most = MOST_COST_OF_LARGE if size(self.queries) > LARGE else MOST_COST_OF_MEANS
        for lists in all_lists(self.queries, self.space):
            start = cost("gain", lists.gains[0]) + lists.policies[0].cost
            options = {k: lists.options(k, self.space.ideals) for k in spelled}
            for discount in self.space.discounts:
                room = most - start - cost("discount", discount)
                if room < 0:
                    continue
                sums = Sums(lists, discount, longest)
                for k, spellings in spelled.items():
                    tried = [(parts, ideals) for parts, ideals in options[k] if ideals[0].cost <= room]
                    look(_Place(sums, discount, k, tuple(spellings)), tried)
        near = {**self.far.kept(), **self.plain.kept()}  # of equal values the plain one
        return Found(
            _without_idle_cutoffs(self.hits, self.space.cutoffs),
            [hit for _, hit in sorted(near.values(), key=lambda pair: pair[0])],
        )

    def _one(self, place: _Place, options: list[Option]) -> None:
        """The values of one query."""
        sums, k = place.sums, place.k
        unit = sums.lists.unit
        dcg = sums.dcg(0, k)
        if "dcg" in self.targets:
            self._take(_times(dcg, unit), "dcg", place, (), self.space.ideals[:1])
        for parts, ideals in options:
            idcg = sums.idcg(0, parts[0])
            if "idcg" in self.targets:
                self._take(_times(idcg, unit), "idcg", place, parts, ideals)
            if "ndcg" not in self.targets:
                continue
            if idcg > 0:
                value = dcg / idcg
                self._take(value, "ndcg", place, parts, ideals)
                for decimals in self.rounding:
                    self._take(_rounded(value, decimals), "ndcg", place, parts, ideals, round_to=decimals)
            elif idcg == 0:
                for zero_ideal, value in _SUPPLIED.items():
                    if zero_ideal in self.space.zero_ideals:
                        self._take(value, "ndcg", place, parts, ideals, zero_ideal)

    def _several(self, place: _Place, options: list[Option]) -> None:
        """The values over queries."""
        dcgs = [place.sums.dcg(q, place.k) for q in range(len(self.queries))]
        for parts, ideals in options:
            idcgs = [place.sums.idcg(q, part) for q, part in enumerate(parts)]
            for overs, chosen in self.chosen:
                if "mean dcg" in self.targets and overs[0].aggregate == "mean":
                    total = math.fsum(dcgs[q] for q in chosen)
                    value = _times(total / len(chosen), place.sums.lists.unit)
                    self._take(value, "mean dcg", place, (), ideals, overs=overs)
                if "mean" not in self.targets:
                    continue
                if overs[0].aggregate == "mean":
                    cells = [(dcgs[q], idcgs[q], self.evaluable[q]) for q in chosen]
                    self._mean(place, parts, ideals, overs, cells)
                elif (below := math.fsum(idcgs[q] for q in chosen)) > 0:
                    value = math.fsum(dcgs[q] for q in chosen) / below
                    self._take(value, "mean", place, parts, ideals, overs=overs)

    def _mean(
        self, place: _Place, parts: tuple[Part, ...], ideals: tuple[Ideal, ...], overs: list[Over], cells: list[Cell]
    ) -> None:
        """The mean of the queries' NDCG, for every value that a zero ideal may have."""
        if any(idcg < 0 for _, idcg, _ in cells):
            return
        zero = any(evaluable and not idcg for _, idcg, evaluable in cells)
        for zero_ideal in self.space.zero_ideals if zero else ["undefined"]:
            supplied = _SUPPLIED.get(zero_ideal, 0.0)
            values = [
                dcg / idcg if idcg else supplied if evaluable else 0.0
                for dcg, idcg, evaluable in cells
                if idcg or not evaluable or zero_ideal != "exclude"
            ]
            if not values:
                continue
            self._take(math.fsum(values) / len(values), "mean", place, parts, ideals, zero_ideal, None, overs)
            for decimals in self.rounding:
                value = math.fsum(_rounded(value, decimals) for value in values) / len(values)
                self._take(value, "mean", place, parts, ideals, zero_ideal, decimals, overs)

    def _take(
        self,
        value: float,
        quantity: str,
        place: _Place,
        parts: tuple[Part, ...],
        ideals: Sequence[Ideal],
        zero_ideal: str = "undefined",
        round_to: int | None = None,
        overs: Sequence[Over] = (Over(),),
    ) -> None:
        """Keep a value that hits, or that is among the nearest."""
        target = self.targets[quantity]
        miss = abs(value - target.centre)
        hits = target.takes(value)
        if not hits and miss >= self.far.bound and not (place.plain and miss < self.plain.bound):
            return
        lists = place.sums.lists
        hit = Hit(
            value,
            quantity,
            lists.gains,
            list(place.spellings),
            [place.discount],
            tuple(ideals),
            list(lists.policies),
            zero_ideal,
            round_to,
            tuple(overs),
        )
        if hits:
            rest = hit.gains, hit.ideals, zero_ideal, round_to, hit.overs
            known = self.hits.setdefault((self._structure(quantity, place, parts), place.k, rest), hit)
            known.discounts.extend(name for name in hit.discounts if name not in known.discounts)
            known.policies.extend(policy for policy in hit.policies if policy not in known.policies)
        elif math.isfinite(miss):
            self.far.add(miss, hit)
            if place.plain and miss < self.plain.bound and hit.cost(self.whole) <= PLAIN:
                self.plain.add(miss, hit)

    def _structure(self, quantity: str, place: _Place, parts: tuple[Part, ...]) -> object:
        """What a value is made of: where this is the same, so is the value, whatever the settings' names.

        Ranks below the last that earns anything aren't among it.
        """
        lists, weights = place.sums.lists, place.sums.weights
        earned = [] if quantity == "idcg" else [gains[: worth(gains[: place.k])] for gains in lists.earned]
        ideal = [lists.part(q, part) for q, part in enumerate(parts)]
        reach = max(map(len, (*earned, *ideal)), default=0)
        return quantity, lists.unit, tuple(map(tuple, earned)), tuple(map(tuple, ideal)), weights[:reach]


def _without_idle_cutoffs(hits: Mapping[tuple[object, int, object], Hit], cutoffs: Sequence[Cutoff]) -> list[Hit]:
    """The hits; those that differ in nothing but their cutoff, being made of the same, as one."""
    found: dict[object, Hit] = {}
    for (structure, _, rest), hit in hits.items():
        known = found.setdefault((structure, rest, tuple(hit.discounts), tuple(hit.policies)), hit)
        if known is not hit:
            known.cutoffs[:] = [k for k in cutoffs if k in known.cutoffs or k in hit.cutoffs]
    return list(found.values())
