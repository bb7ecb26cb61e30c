"""Hand calculations: whether rounding at each step, as people do, would give a printed number.

Tried are the plain contracts with, at most, one rounding while the terms are made (of logarithms, discounts or terms)
and one later (of DCG and IDCG before the division, of each query's value before the mean, or of the result itself).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from operator import mul
from typing import NamedTuple

import numpy as np

from ndcg_lab.identification.lists import Lists, all_lists, weights
from ndcg_lab.identification.printed import Printed
from ndcg_lab.identification.space import Candidate, Query, Space, cost, cutoff_cost, depth

GAINS = ("linear", "exponential")
DISCOUNTS = ("log2", "jarvelin")
PLACES = (2, 3, 4)
MOST_RANKS = 200
"""Longer lists are not summed by hand."""

CUT = "the result cut"
"""The last step of a calculation whose result is truncated."""

COST_OF_A_STEP = 25
"""How far from plain a second rounding is, on the scale of `ndcg_lab.identification.space.COSTS`."""

NOISE = 1e-9
"""What a float's noise may hide of a half, in units of the last place."""


class Way(NamedTuple):
    """One way to calculate by hand, and what it gives under a contract."""

    candidate: Candidate
    quantity: str
    procedure: str
    gives: str
    steps: int
    cost: int
    """How far from plain the contract is."""


class Rounding(NamedTuple):
    """To round or to cut to some places."""

    verb: str
    places: int

    def __call__(self, value: float) -> float:
        scale = 10.0**self.places
        size = abs(value) * scale
        whole = math.floor(size + 0.5 + NOISE) if self.verb == "rounded" else math.floor(size + NOISE)
        return math.copysign(whole / scale, value)

    def __str__(self) -> str:
        return f"{self.verb} to {self.places}"


ROUNDINGS = [Rounding(verb, places) for places in PLACES for verb in ("rounded", "cut")]

Making = Callable[[float, float], float]
"""From a gain and a discount to a term."""


def _makings() -> Iterator[tuple[str, Making]]:
    """Ways to make a term, with what they are called; the first one rounds nothing."""
    yield "", mul
    for rounding in ROUNDINGS:
        yield f"logarithms {rounding} decimals", _by_logarithm(rounding)
        yield f"discounts {rounding}", _by_discount(rounding)
        yield f"terms {rounding}", _by_term(rounding)


def _by_logarithm(rounding: Rounding) -> Making:
    return lambda gain, discount: gain / (rounding(1 / discount) or 1.0)


def _by_discount(rounding: Rounding) -> Making:
    return lambda gain, discount: gain * rounding(discount)


def _by_term(rounding: Rounding) -> Making:
    return lambda gain, discount: rounding(gain * discount)


class _Number:
    """The printed number, as the last step of a calculation is held against it."""

    def __init__(self, printed: Printed) -> None:
        scale = 100 if printed.percent else 1
        self.value = float(printed.number / scale)
        self.places = printed.decimals + (2 if printed.percent else 0)
        self.unit = 10.0**-self.places

    def rounded(self, value: float) -> bool:
        """Whether it is the value rounded, either way at a half."""
        return abs(value - self.value) <= self.unit * (0.5 + NOISE)

    def endings(self, value: float) -> Iterator[str]:
        """The last steps that lead from a value to the number: none (rounded), or what was done instead."""
        if self.rounded(value):
            yield ""
            return
        if Rounding("cut", self.places)(value) == Rounding("rounded", self.places)(self.value):
            yield f"{CUT} to {self.places}"
        if self.rounded(Rounding("rounded", self.places + 1)(value)):
            yield f"the result rounded to {self.places + 1}, then to {self.places}"


def by_hand(queries: Sequence[Query], space: Space, printed: Printed, quantities: Sequence[str]) -> list[Way]:
    """Every hand calculation tried that gives the number, fewest roundings under the plainest contract first.

    A contract that gives the number without any is left out.
    """
    whole = depth(queries)
    number = _Number(printed)
    if printed.exact or printed.ellipsis or whole > MOST_RANKS or not min(PLACES) <= number.places <= max(PLACES) + 1:
        return []
    plain = space._replace(
        gains=[gain for gain in space.gains if gain in GAINS],
        policies=space.policies[:1],
        ideals=[ideal for ideal in space.ideals if ideal.ideal_population == "judged"],
    )
    ways: list[Way] = []
    for lists in all_lists(queries, plain):
        for discount in (name for name in space.discounts if name in DISCOUNTS):
            ways += _under(queries, lists, discount, plain, number, quantities)
    return sorted(ways, key=lambda way: _cost(way.candidate, whole) + 25 * (way.steps - 1))


def _cost(candidate: Candidate, whole: int) -> int:
    settings = cost("gain", candidate.gain) + cost("discount", candidate.discount) + candidate.ideal.cost
    return settings + cutoff_cost(candidate.k, whole)


def _under(
    queries: Sequence[Query], lists: Lists, discount: str, space: Space, number: _Number, quantities: Sequence[str]
) -> Iterator[Way]:
    whole, ideal = depth(queries), space.ideals[0]
    tables = [_Table(lists, weights(discount, whole), *making) for making in _makings()]
    seen: set[object] = set()
    lengths = [whole if k == "all" else min(int(k), whole) for k in space.cutoffs]
    sizes = lists.parts([ideal], np.array(lengths, dtype=np.int32))[ideal].sizes.T.tolist()
    for k, length, parts in zip(space.cutoffs, lengths, sizes, strict=True):
        if (length, *parts) in seen:
            continue
        seen.add((length, *parts))
        candidate = Candidate(lists.gains.names[0], k, discount, ideal, lists.policies[0])
        for quantity in quantities:
            exact = _finish(tables[0].sums(length, parts), quantity, None)
            if exact is None or number.rounded(exact):
                continue
            for steps, procedure, value in _calculations(tables, length, parts, quantity, number):
                gives = f"{value:.{number.places + 2}f}"
                yield Way(candidate, quantity, procedure, gives, steps, _cost(candidate, whole))


class _Table:
    """Running sums of terms that are made in one way."""

    def __init__(self, lists: Lists, discounts: Sequence[float], name: str, making: Making) -> None:
        self.name = name
        judged = lists.gains.floats()[lists.judged.classes]
        self._dcg = [self._running(gains, discounts, making) for gains in lists.earned.tolist()]
        self._ideal = [self._running(gains, discounts, making) for gains in judged.tolist()]

    @staticmethod
    def _running(gains: Sequence[float], discounts: Sequence[float], making: Making) -> list[float]:
        return list(accumulate(map(making, gains, discounts), initial=0.0))

    def sums(self, k: int, sizes: Sequence[int]) -> list[tuple[float, float]]:
        """Each query's DCG and IDCG at k; the ideals have these lengths."""
        return [
            (dcg[min(k, len(dcg) - 1)], ideal[size])
            for dcg, ideal, size in zip(self._dcg, self._ideal, sizes, strict=True)
        ]


def _calculations(
    tables: Sequence[_Table], k: int, parts: Sequence[int], quantity: str, number: _Number
) -> Iterator[tuple[int, str, float]]:
    """Steps, name and result of each calculation that gives the number."""
    for table in tables:
        sums = table.sums(k, parts)
        for later, rounding in _laters(quantity):
            value = _finish(sums, quantity, rounding)
            if value is None:
                continue
            for ending in number.endings(value):
                done = [step for step in (table.name, later, ending) if step]
                if 0 < len(done) < 3:
                    yield len(done), "; ".join(done), value


def _laters(quantity: str) -> Iterator[tuple[str, Rounding | None]]:
    """Roundings between the sums and the result."""
    yield "", None
    for rounding in ROUNDINGS:
        if quantity == "ndcg":
            yield f"DCG and IDCG {rounding} before the division", rounding
        elif quantity == "mean":
            yield f"each query's value {rounding} before the mean", rounding


def _finish(sums: Sequence[tuple[float, float]], quantity: str, rounding: Rounding | None) -> float | None:
    """The result from the sums."""
    if quantity in {"dcg", "mean dcg"}:
        return math.fsum(dcg for dcg, _ in sums) / len(sums)
    if quantity == "idcg":
        return sums[0][1]
    if quantity == "ndcg":
        dcg, idcg = sums[0] if rounding is None else (rounding(sums[0][0]), rounding(sums[0][1]))
        return dcg / idcg if idcg else None
    if any(idcg == 0 for _, idcg in sums):
        return None
    values = [dcg / idcg for dcg, idcg in sums]
    return math.fsum(values if rounding is None else [rounding(value) for value in values]) / len(values)
