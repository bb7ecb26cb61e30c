"""What the search gives: contracts whose value comes near enough to a printed number."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ndcg_lab.identification.printed import Printed, Reading
from ndcg_lab.identification.space import Candidate, Cutoff, Ideal, Over, Policy, cost, cutoff_cost

MARGIN = 4e-12
"""How far a float may be from its exact value, relative to the larger of 1 and its size."""


class Double(NamedTuple):
    """A value as the search knows it: a double, how far the exact value may be from it, and what it is made of.

    Where two values are made of the same, they are the same, exactly.
    """

    value: float
    error: float
    made: Hashable


UNKNOWN = Double(math.nan, math.inf, None)


@dataclass(frozen=True, slots=True)
class Hit:
    """Contracts that can't be told apart on these data, whose value comes near enough; plainest choices first.

    Any combination of the choices is such a contract. The lists grow while hits are gathered.
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
    double: Double = UNKNOWN

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


class Target(NamedTuple):
    """One quantity, and the intervals that the printed number stands for as that."""

    quantity: str
    centre: float
    intervals: list[tuple[float, float]]

    @classmethod
    def of(cls, quantity: str, printed: Printed, readings: Sequence[Reading]) -> "Target":
        """From every reading; a centre is what a near value is near to."""
        centre = as_float(printed.number / 100 if printed.percent else printed.number)
        intervals = []
        for reading in readings:
            low, high = as_float(reading.low), as_float(reading.high)
            room = MARGIN * max(1.0, abs(low), abs(high))
            intervals.append((low - room, high + room))
        return cls(quantity, centre, intervals)


def as_float(number: Fraction) -> float:
    """The nearest double; beyond their range an infinity."""
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)
