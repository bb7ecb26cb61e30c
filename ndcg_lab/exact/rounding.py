"""Correct rounding, by one algorithm: to doubles, to significant digits, to places.

A grid is a set of numbers to round to; between two neighbours lies one middle. Rounding R to a grid is monotone, and
constant between one middle and the next. Of a number x only enclosures are known, ``low <= x <= high``. Then::

    R(low) == R(high)            R(x) lies between them: it is this number.
    R(low), R(high) neighbours   The middle m between them is the only one in the enclosure, so R(x) is R(low) for
                                 x < m, R(high) for x > m, and R(m) for x = m; the sign of x - m is proved.
    else                         A narrower enclosure is taken.

It ends. Where x is no middle, some distance separates it from all of them, and an enclosure narrower than that has
R(low) == R(high). Where x is the middle m, the next middles on either side lie at some distance, and in an enclosure
narrower than that R(low) and R(high) are equal or m's two neighbours. (A grid of significant digits has no point next
to 0, so 0 is told apart before.) What stops it early is the highest precision tried, and then it says `Undecided`.

No exponent, digit or double is taken from one end of an enclosure alone.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol, TypeVar

from ndcg_lab.exact.enclosures import decided
from ndcg_lab.exact.rationals import nearest_double, nearest_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from ndcg_lab.exact.values import Exact

__all__ = ["Decimals", "Doubles", "Places", "rounded"]

T = TypeVar("T")


class Grid(Protocol[T]):
    """Numbers to round to."""

    def nearest(self, numerator: int, denominator: int) -> T | None:
        """The grid's nearest number to a fraction of positive denominator; None for what the grid does not reach."""

    def middle(self, low: T, high: T) -> Fraction | None:
        """What lies half-way between two neighbours; None where the two are no neighbours."""


def rounded(value: Exact, grid: Grid[T], question: Callable[[], str]) -> T:
    """The grid's nearest number to an exact value.

    Raises:
        Undecided: where the highest precision does not tell, or the side of a middle is not decided.
    """

    def attempt(bits: int) -> T | None:
        lo, hi, den = value.bounds(bits)
        low, high = grid.nearest(lo, den), grid.nearest(hi, den)
        if low is None or high is None or low == high:
            return low
        middle = grid.middle(low, high)
        if middle is None:  # what structure shows to be 0 needs no enclosure as narrow as the grid is there
            return grid.nearest(0, 1) if lo <= 0 <= hi and value.vanishes() else None
        if value.scale == "log2(e)":  # no fraction is subtracted from it, nor is one known to equal it
            return None
        side = (value - middle).sign()
        return low if side < 0 else high if side > 0 else grid.nearest(*middle.as_integer_ratio())

    return decided(attempt, question)


class Doubles:
    """The doubles, ties to even; 2**1024 stands for infinity."""

    def nearest(self, numerator: int, denominator: int) -> float:
        return nearest_double(numerator, denominator)

    def middle(self, low: float, high: float) -> Fraction | None:
        if math.nextafter(low, math.inf) != high:
            return None
        ends = (Fraction(math.copysign(1, end)) * 2**1024 if math.isinf(end) else Fraction(end) for end in (low, high))
        return sum(ends, Fraction(0)) / 2


class Places:
    """The multiples of ``10**-places``, counted; ties to even or away from zero."""

    def __init__(self, places: int, *, even: bool) -> None:
        self.up, self.down = 10 ** max(0, places), 10 ** max(0, -places)
        self.even = even

    def nearest(self, numerator: int, denominator: int) -> int:
        return nearest_whole(numerator * self.up, denominator * self.down, even=self.even)

    def middle(self, low: int, high: int) -> Fraction | None:
        return Fraction((low + high) * self.down, 2 * self.up) if high == low + 1 else None


class Decimals:
    """Positive numbers of so many significant digits, ties to even, each as ``(digits, exponent of the first)``."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self.end: int = 10**digits

    def nearest(self, numerator: int, denominator: int) -> tuple[int, int] | None:
        if numerator <= 0:
            return None
        exponent = _exponent(numerator, denominator)
        places = self.digits - 1 - exponent
        number = nearest_whole(numerator * 10 ** max(0, places), denominator * 10 ** max(0, -places), even=True)
        return (number, exponent) if number < self.end else (number // 10, exponent + 1)

    def middle(self, low: tuple[int, int], high: tuple[int, int]) -> Fraction | None:
        number, exponent = low
        following = (number + 1, exponent) if number + 1 < self.end else (self.end // 10, exponent + 1)
        places = self.digits - 1 - exponent
        return (2 * number + 1) * Fraction(10) ** -places / 2 if high == following else None


def _exponent(numerator: int, denominator: int) -> int:
    """The e with ``10**e <= numerator/denominator < 10**(e + 1)``; both positive."""
    # The fraction lies between 2**(lengths - 1) and 2**(lengths + 1), and the product below is off by far less than
    # 1: the floor is e or one less or more, and whole numbers say which.
    lengths = numerator.bit_length() - denominator.bit_length()
    exponent = math.floor(lengths * math.log10(2))
    while numerator * 10 ** max(0, -exponent) < denominator * 10 ** max(0, exponent):
        exponent -= 1
    while numerator * 10 ** max(0, -exponent - 1) >= denominator * 10 ** max(0, exponent + 1):
        exponent += 1
    return exponent
