"""How many contracts would give a number by chance: measured on other numbers of so many digits."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ndcg_lab.identification.printed import Printed, Reading

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_NUMBERS = 1000
"""So many other numbers are tried; all of them where there are no more."""

RATIOS = {"ndcg", "mean"}


@dataclass(frozen=True)
class Chance:
    """What the other numbers showed.

    Attributes:
        tried: how many contracts were looked at, settings that can't matter counted too.
        low, high: the numbers tried lie between these, and have as many decimals as the one that was reported.
        numbers: how many there were.
        fitted: how many of them some contract gives.
        contracts: by how many contracts one of them is given, in the middle case.
        as_plain: how many of them a contract gives that is as plain as the plainest of the reported number.
    """

    tried: int
    low: str
    high: str
    numbers: int
    fitted: int
    contracts: int
    as_plain: int

    @property
    def rare(self) -> bool:
        """Whether at most one in a hundred would find a contract as plain."""
        return 100 * (self.as_plain + 1) <= self.numbers + 1

    def to_json(self) -> dict[str, Any]:
        """Every count."""
        return {
            "tried": self.tried,
            "low": self.low,
            "high": self.high,
            "numbers": self.numbers,
            "fitted": self.fitted,
            "contracts": self.contracts,
            "as_plain": self.as_plain,
        }


class Seen:
    """The values that a search looked at, near enough to the number for others like it to be compared."""

    def __init__(self, printed: Printed, readings: Mapping[str, Sequence[Reading]]) -> None:
        self.printed, self.readings = printed, readings
        self.tried = 0
        self.low, self.high = between(printed, readings)
        self._kept: dict[str, list[tuple[NDArray[Any], ...]]] = {quantity: [] for quantity in readings}

    def add(self, quantity: str, values: "NDArray[Any]", costs: "NDArray[Any]", counts: "NDArray[Any]") -> None:
        """Values with their costs, and how many contracts each stands for."""
        self.tried += int(counts.sum())
        whole = float(min(self.low, self.low / 100)), float(max(self.high, self.high / 100))
        near = (values >= whole[0]) & (values <= whole[1])
        self._kept[quantity].append((values[near], costs[near], counts[near]))

    def chance(self, most_cost: int, strictness: int) -> Chance | None:
        """What other numbers would find; None for a number given exactly, which has no digits.

        Args:
            most_cost: how far from plain the plainest contract of the reported number is.
            strictness: the place of its reading among the readings.
        """
        import numpy as np

        if self.printed.exact:
            return None
        numbers = others(self.printed, self.low, self.high)
        found, plain = np.zeros(len(numbers)), np.zeros(len(numbers))
        for quantity, kept in self._kept.items():
            if not kept:
                continue
            values, costs, counts = (np.concatenate(column) for column in zip(*kept, strict=True))
            order = np.argsort(values, kind="stable")
            values, costs, counts = values[order], costs[order], counts[order]
            of = self.readings[quantity]
            found += _found(values, counts, numbers, _spans(self.printed, of))
            like = costs <= most_cost
            spans = _spans(self.printed, [reading for reading in of if reading.strictness <= strictness])
            plain += _found(values[like], counts[like], numbers, spans)
        return Chance(
            self.tried,
            _written(self.low, self.printed),
            _written(self.high, self.printed),
            len(numbers),
            int((found > 0).sum()),
            int(np.median(found)) if numbers else 0,
            int((plain > 0).sum()),
        )


def between(printed: Printed, quantities: Iterable[str]) -> tuple[Fraction, Fraction]:
    """Where other numbers are plausible: from half to double of it, a ratio at most 1; for 0 from there to 1."""
    number, chosen = printed.number, set(quantities)
    percent = printed.percent or (number > 1 and chosen <= RATIOS)
    most = Fraction(100 if percent else 1)
    low, high = sorted((number / 2, number * 2 or most))
    return low, min(high, most) if chosen & RATIOS and 0 < number <= most else high


def others(printed: Printed, low: Fraction, high: Fraction) -> list[float]:
    """Other numbers with as many decimals: all, or so many at random, the same at every call."""
    import numpy as np

    unit = Fraction(1, 10) ** printed.decimals
    first, last = math.ceil(low / unit), math.floor(high / unit)
    own = round(printed.number / unit)
    if last - first < MOST_NUMBERS:
        chosen = [place for place in range(first, last + 1) if place != own]
    else:
        shares = np.random.default_rng(0).random(MOST_NUMBERS).tolist()
        chosen = [place for place in (first + int(share * (last - first + 1)) for share in shares) if place != own]
    return [float(place * unit) for place in chosen]


_Spans = list[tuple[bool, float, float]]


def _found(values: "NDArray[Any]", counts: "NDArray[Any]", numbers: Sequence[float], spans: _Spans) -> "NDArray[Any]":
    """By how many contracts each number is given; the values rise."""
    import numpy as np

    below = np.concatenate([[0], np.cumsum(counts)])
    total = np.zeros(len(numbers))
    for percent, low, high in spans:
        shown = np.array(numbers) / (100 if percent else 1)
        total += below[np.searchsorted(values, shown + high, "right")]
        total -= below[np.searchsorted(values, shown + low, "left")]
    return total


def _spans(printed: Printed, readings: Sequence[Reading]) -> _Spans:
    """What readings take in around a number, as distances from it; those that overlap as one."""
    found: _Spans = []
    for percent in (False, True):
        centre = printed.number / 100 if percent else printed.number
        ends = sorted(
            (float(reading.low - centre), float(reading.high - centre))
            for reading in readings
            if reading.name.startswith("percent-") == percent
        )
        for low, high in ends:
            if found and found[-1][0] == percent and low <= found[-1][2]:
                found[-1] = percent, found[-1][1], max(high, found[-1][2])
            else:
                found.append((percent, low, high))
    return found


def _written(number: Fraction, printed: Printed) -> str:
    """A bound, in the decimals of the number."""
    places = max(printed.decimals, 0)
    return f"{float(number):.{min(places, 6)}f}" + ("%" if printed.percent else "")
