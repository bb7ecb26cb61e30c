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
from ndcg_lab.identification.space import Candidate, Cutoff, Ideal, Over, Policy, Query, Space, cost, cutoff_cost, depth

MARGIN = 4e-12
"""How far a float may be from its exact value, relative to the larger of 1 and its size."""

PLAIN = 40
"""Up to this cost a contract is plain enough to be named as near, though others may be nearer."""

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
    policies: tuple[Policy, ...]
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

    @classmethod
    def of(cls, quantity: str, printed: Printed, readings: Sequence[Reading]) -> "Target":
        """From every reading; a centre is what a near value is near to."""
        centre = _float(printed.number / 100 if printed.percent else printed.number)
        intervals = []
        for reading in readings:
            low, high = _float(reading.low), _float(reading.high)
            room = MARGIN * max(1.0, abs(low), abs(high))
            intervals.append((low - room, high + room))
        return cls(quantity, centre, intervals)

    def takes(self, value: float) -> bool:
        """Whether a value is in one of the intervals, or at a margin's distance."""
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
Cell = tuple[Query, float, float]


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


def _value_key(hit: Hit) -> tuple[str, float]:
    return hit.quantity, float(f"{hit.value:.12g}")


def _nearest(pairs: list[tuple[float, Hit]]) -> list[tuple[float, Hit]]:
    """The nearest of distinct values."""
    first: dict[tuple[str, float], tuple[float, Hit]] = {}
    for miss, hit in pairs:
        first.setdefault(_value_key(hit), (miss, hit))
    return nsmallest(NEAREST, first.values(), key=lambda pair: pair[0])


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
        self.hits: dict[object, Hit] = {}
        self.plain: list[tuple[float, Hit]] = []
        self.far: list[tuple[float, Hit]] = []
        self.bound = math.inf
        self.ideals_seen: set[object] = set()

    def run(self) -> Found:
        longest = max(self.whole, *(k for k in self.space.cutoffs if isinstance(k, int)), 1)
        spelled: dict[int, list[Cutoff]] = {}
        for k in self.space.cutoffs:  # `all` is the length of the whole list
            spelled.setdefault(self.whole if k == "all" else int(k), []).append(k)
        look = self._several if any(quantity.startswith("mean") for quantity in self.targets) else self._one
        for lists in all_lists(self.queries, self.space):
            options = {k: lists.options(k, self.space.ideals) for k in spelled}
            for discount in self.space.discounts:
                sums = Sums(lists, discount, longest)
                for k, spellings in spelled.items():
                    look(_Place(sums, discount, k, tuple(spellings)), options[k])
        near = {_value_key(hit): (miss, hit) for miss, hit in reversed([*_nearest(self.plain), *_nearest(self.far)])}
        return Found(list(self.hits.values()), [hit for _, hit in sorted(near.values(), key=lambda pair: pair[0])])

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
        for parts, ideals in options:
            cells = [
                (query, place.sums.dcg(q, place.k), place.sums.idcg(q, parts[q]))
                for q, query in enumerate(self.queries)
            ]
            for overs in self.space.overs:
                chosen = [cell for cell in cells if _chosen(cell[0], overs[0])]
                if "mean dcg" in self.targets and chosen and overs[0].aggregate == "mean":
                    total = math.fsum(dcg for _, dcg, _ in chosen)
                    self._take(
                        _times(total / len(chosen), place.sums.lists.unit), "mean dcg", place, (), ideals, overs=overs
                    )
                if "mean" not in self.targets or not chosen:
                    continue
                if overs[0].aggregate == "ratio-of-sums":
                    below = math.fsum(idcg for _, _, idcg in chosen)
                    if below > 0:
                        value = math.fsum(dcg for _, dcg, _ in chosen) / below
                        self._take(value, "mean", place, parts, ideals, overs=overs)
                else:
                    self._mean(place, parts, ideals, overs, chosen)

    def _mean(
        self, place: _Place, parts: tuple[Part, ...], ideals: tuple[Ideal, ...], overs: list[Over], chosen: list[Cell]
    ) -> None:
        """The mean of the queries' NDCG, for every value that a zero ideal may have."""
        if any(idcg < 0 for _, _, idcg in chosen):
            return
        zero = any(query.evaluable and idcg == 0 for query, _, idcg in chosen)
        for zero_ideal in self.space.zero_ideals if zero else ["undefined"]:
            values = [
                dcg / idcg if idcg else _SUPPLIED.get(zero_ideal, 0.0) if query.evaluable else 0.0
                for query, dcg, idcg in chosen
                if idcg or not query.evaluable or zero_ideal != "exclude"
            ]
            if not values:
                continue
            for decimals in (None, *self.rounding):
                rounded = values if decimals is None else [_rounded(value, decimals) for value in values]
                self._take(math.fsum(rounded) / len(values), "mean", place, parts, ideals, zero_ideal, decimals, overs)

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
        hits = target.takes(value)
        miss = abs(value - target.centre)
        if not hits and miss >= self.bound and not place.plain:
            return
        lists = place.sums.lists
        hit = Hit(
            value,
            quantity,
            lists.gains,
            list(place.spellings),
            [place.discount],
            tuple(ideals),
            tuple(lists.policies),
            zero_ideal,
            round_to,
            tuple(overs),
        )
        if hits:
            key = self._structure(quantity, place, parts), hit.ideals, zero_ideal, round_to, hit.overs
            known = self.hits.setdefault(key, hit)
            known.discounts.extend(name for name in hit.discounts if name not in known.discounts)
            known.cutoffs.extend(k for k in hit.cutoffs if k not in known.cutoffs)
            return
        if not math.isfinite(miss):
            return
        if place.plain and hit.cost(self.whole) <= PLAIN:
            self.plain.append((miss, hit))
        if miss < self.bound:
            self.far.append((miss, hit))
            if len(self.far) > 16 * NEAREST:
                self.far = _nearest(self.far)
                self.bound = self.far[-1][0] if len(self.far) == NEAREST else math.inf

    def _structure(self, quantity: str, place: _Place, parts: tuple[Part, ...]) -> object:
        """What a value is made of: where this is the same, so is the value, whatever the settings' names.

        Ranks below the last that earns anything aren't among it: cutoffs there are one.
        """
        lists, weights_ = place.sums.lists, place.sums.weights
        ranks = () if quantity == "idcg" else tuple(worth(gains[: place.k]) for gains in lists.earned)
        depth_ = max((*ranks, *(size for _, size in parts)), default=0)
        if quantity == "idcg":
            return quantity, tuple(lists.part(0, parts[0])), lists.unit, weights_[:depth_]
        return quantity, lists, ranks, parts, weights_[:depth_]
