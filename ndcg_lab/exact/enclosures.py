"""Whole-number enclosures of 1/log2(b), as narrow as asked for, from nothing but integers.

Everything rests on one series, `atanh(x) = x + x^3/3 + x^5/5 + ...`, summed in fixed point with
every rounding accounted for, and on three exact identities::

    log 2        = 2 atanh(1/3)
    2 log p      = log(p - 1) + log(p + 1) + 2 atanh(1/(2p^2 - 1))     p an odd prime
    log(q s + r) = log q + log s + 2 atanh(r/(2 q s + r))              large arguments, s a power of 2

So each bound is a theorem, not a library's promise: a pair `lo, hi` returned here satisfies
`lo <= 2**bits * x <= hi` whatever the precision.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from ndcg_lab.errors import Undecided
from ndcg_lab.limits import PRECISION, beyond

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LEVELS", "decided", "log2_bounds", "primitive", "y_floor"]

LEVELS = (96, 192, 384, 768, 1536, 3072, 6144, 12288, 24576, PRECISION)
"""The precisions, in bits, that are tried in turn before a question is `Undecided`."""

_GUARD = 40  # Extra bits inside; interval widths stay far below 2**40 units for every b in use.
_TABLE_BITS = 12  # Logarithms of numbers below 2**12 go by factors; larger ones are reduced to them.


T = TypeVar("T")


def decided(attempt: Callable[[int], T | None], question: Callable[[], str], *, least: int = 0) -> T:
    """What `attempt` answers at the first of the precisions, from `least` bits on, at which it answers.

    Raises:
        Undecided: where it answers None at all of them; the message begins with the question.
    """
    for bits in LEVELS:
        if bits >= least and (answer := attempt(bits)) is not None:
            return answer
    raise Undecided(f"{question()} is not decided: its bits are {beyond('PRECISION')}")


@lru_cache(maxsize=1 << 17)
def primitive(n: int) -> tuple[int, int]:
    """Write ``n >= 2`` as ``root**exponent`` with the exponent as large as possible.

    >>> primitive(1024), primitive(12), primitive(729)
    ((2, 10), (12, 1), (3, 6))
    """
    root, exponent = n, 1
    power = 2
    while root.bit_length() > power:  # 2**power <= root, else no such root exists
        candidate = _integer_root(root, power)
        if candidate**power == root:
            root, exponent = candidate, exponent * power
        else:
            power += 1
    return root, exponent


def _integer_root(n: int, power: int) -> int:
    """The largest integer whose ``power``-th power is at most ``n`` (Newton from above)."""
    guess = 1 << -(-n.bit_length() // power)
    while True:
        better = ((power - 1) * guess + n // guess ** (power - 1)) // power
        if better >= guess:
            return guess
        guess = better


def _atanh(numerator: int, denominator: int, bits: int) -> tuple[int, int]:
    """Bounds on ``2**bits * atanh(numerator/denominator)`` for a ratio between 0 and 1/2.

    Each stored power lies less than 2 units below the true one (its error is multiplied by at most
    1/4 and grows by less than 1 in a step), so each term is less than 3 too small; once the stored
    power is 0 all that is left adds up to less than 3.
    """
    up, down = numerator * numerator, denominator * denominator
    power = (numerator << bits) // denominator
    total, odd = 0, 1
    while power:
        total += power // odd
        power = power * up // down
        odd += 2
    return total, total + 3 * (odd // 2) + 3


class _Logarithms(dict[int, tuple[int, int]]):
    """``n -> (lo, hi)`` with ``lo <= 2**bits * log(n) <= hi``, filled when asked."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        lo, hi = _atanh(1, 3, bits)
        super().__init__({1: (0, 0), 2: (2 * lo, 2 * hi)})

    def __missing__(self, n: int) -> tuple[int, int]:
        shift = n.bit_length() - _TABLE_BITS
        if shift > 0:
            head = n >> shift
            rest = n - (head << shift)
            lo, hi = _atanh(rest, 2 * (head << shift) + rest, self.bits)
            (lo1, hi1), (lo2, hi2) = self[head], self[2]
            pair = lo1 + shift * lo2 + 2 * lo, hi1 + shift * hi2 + 2 * hi
        else:
            factor = _smallest_factor(n)
            if factor < n:
                (lo1, hi1), (lo2, hi2) = self[factor], self[n // factor]
                pair = lo1 + lo2, hi1 + hi2
            else:
                lo, hi = _atanh(1, 2 * n * n - 1, self.bits)
                (lo1, hi1), (lo2, hi2) = self[n - 1], self[n + 1]
                pair = (lo1 + lo2) // 2 + lo, -(-(hi1 + hi2) // 2) + hi
        self[n] = pair
        return pair


def _smallest_factor(n: int) -> int:
    factor = 2
    while factor * factor <= n:
        if n % factor == 0:
            return factor
        factor += 1
    return n


class _Discounts(dict[int, int]):
    """``b -> lo`` with ``lo <= 2**bits / log2(b) <= lo + 2``, filled when asked."""

    def __init__(self, bits: int) -> None:
        super().__init__({2: 1 << bits})
        self.bits = bits

    def __missing__(self, b: int) -> int:
        guard = _GUARD
        while True:
            logs = logarithms(self.bits + guard)
            (lo2, hi2), (lo, hi) = logs[2], logs[b]
            floor = (lo2 << self.bits) // hi
            if hi2 << self.bits <= (floor + 2) * lo:
                self[b] = floor
                return floor
            guard *= 2


@lru_cache(maxsize=len(LEVELS) * 4)
def logarithms(bits: int) -> _Logarithms:
    """The table of natural logarithms at one precision."""
    return _Logarithms(bits)


@lru_cache(maxsize=len(LEVELS) * 4)
def y_floor(bits: int) -> _Discounts:
    """The table ``b -> lo`` with ``lo <= 2**bits / log2(b) <= lo + 2``.

    >>> y_floor(8)[3], 256 * 0.6309297535714574
    (161, 161.5180169142931)
    """
    return _Discounts(bits)


def log2_bounds(base: str, bits: int) -> tuple[int, int]:
    """Bounds on ``2**bits * log2(base)``; ``base`` is ``"e"`` or a rational above 1.

    >>> log2_bounds("10", 20), round(2**20 * 3.3219280948873623)
    ((3483294, 3483295), 3483294)
    """
    logs = logarithms(bits + _GUARD)
    lo2, hi2 = logs[2]
    if base == "e":
        one = 1 << (bits + _GUARD)
        lo, hi = one, one
    else:
        above, _, below = base.partition("/")
        (lo1, hi1), (lo0, hi0) = logs[int(above)], logs[int(below or 1)]
        lo, hi = max(0, lo1 - hi0), hi1 - lo0
    return (lo << bits) // hi2, -(-(hi << bits) // lo2)
