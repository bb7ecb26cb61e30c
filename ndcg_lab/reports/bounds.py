"""Checks printed numbers against bounds of its own, so that a wrong digit shows even where printing is wrong.

Nothing here is shared with what prints a value: a logarithm is the series ``2 (x + x^3/3 + x^5/5 + ...)`` with
``x = (m - 1)/(m + 1)``, summed in whole numbers and cut towards the outside.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, TypeAlias

Interval: TypeAlias = tuple[Fraction, Fraction]
"""Two numbers that a value lies between; the same one twice where it is known exactly."""

Bounds: TypeAlias = Callable[[int], Interval]
"""Bounds on one value, about 2^-bits apart."""

_PRECISIONS = [128 << n for n in range(7)]
_DIGITS = 20  # of the decimals in a report
_LARGEST = 500_000  # of an exponent
_HUGE = 1 << 1_000_000
_TOO_LARGE = Fraction(2**1024 - 2**970)  # halfway from the largest double to the next that there would be


def bounds(value: Mapping[str, Any]) -> Bounds:
    """Bounds on a value of a report from its terms, or from those of its numerator and denominator.

    >>> low, high = bounds({"terms": [[2, "-1"], [3, "2"]]})(64)
    >>> float(low), high - low < Fraction(1, 2**50)
    (0.2618595071429149, True)
    """
    if "terms" in value:
        return lambda bits: _linear(value["terms"], value.get("scale"), bits)
    return lambda bits: _ratio(_linear(value["numerator"], None, bits), _linear(value["denominator"], None, bits))


def weighted(values: Iterable[tuple[Fraction, Bounds]], denominators: Iterable[tuple[Fraction, Bounds]]) -> Bounds:
    """Bounds on a weighted sum over another one, which is positive."""
    above, below = list(values), list(denominators)
    return lambda bits: _ratio(_sum(above, bits), _sum(below, bits))


def exactly(number: Fraction) -> Bounds:
    """The bounds of a rational number."""
    return lambda _: (number, number)


def wrong(stated: Mapping[str, Any], value: Bounds) -> list[str]:
    """Those of `float`, `decimal` and `enclosure` that are not the value's: proved, never guessed.

    >>> wrong({"float": 0.63, "decimal": "0.63092975357145743710"}, bounds({"terms": [[3, "1"]]}))
    ['float']
    """
    value = cache(value)  # asked by each check
    checks: dict[str, _Check] = {"float": _is_float, "decimal": _is_decimal, "enclosure": _is_enclosed}
    return [name for name, check in checks.items() if name in stated and _decided(check, stated[name], value) is False]


_Check: TypeAlias = Callable[[Any, Fraction, Fraction], bool | None]
"""Whether what is stated is right for a value between two numbers; None where it may and may not be."""


def _decided(check: _Check, stated: Any, value: Bounds) -> bool | None:
    for bits in _PRECISIONS:
        decision = check(stated, *value(bits))
        if decision is not None:
            return decision
    return None


def _is_float(stated: float | None, low: Fraction, high: Fraction) -> bool | None:
    if stated is None:
        return _within(low, high, _TOO_LARGE, None) or _within(low, high, None, -_TOO_LARGE)
    number = float(stated)
    if low == high:
        return abs(low) < _TOO_LARGE and low.numerator / low.denominator == number
    below, above = math.nextafter(number, -math.inf), math.nextafter(number, math.inf)
    least = (Fraction(number) + Fraction(below)) / 2 if math.isfinite(below) else -_TOO_LARGE
    most = (Fraction(number) + Fraction(above)) / 2 if math.isfinite(above) else _TOO_LARGE
    return _within(low, high, least, most)


def _is_decimal(stated: str, low: Fraction, high: Fraction) -> bool | None:
    _, _, power = stated.lower().partition("e")
    if len(power) > 7 or abs(int(power or 0)) > _LARGEST:
        return False  # no value of a report is that large, and a few characters would fill memory
    number = _number(stated)
    if not number:
        return _within(low, high, number, number)
    mantissa, _, exponent = stated.lower().lstrip("-").partition("e")
    digits = mantissa.replace(".", "").lstrip("0")
    if len(digits) != _DIGITS:
        return False
    half = Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2])) / 2
    inner = half / 10 if digits.rstrip("0") == "1" else half  # below a power of ten the digits are finer
    below, above = (inner, half) if number > 0 else (half, inner)
    return _within(low, high, number - below, number + above)


def _number(text: str) -> Fraction:
    """The number of a text, however long; `Decimal` reads what `int` may refuse."""
    above, _, below = text.partition("/")
    return Fraction(Decimal(above)) / Fraction(Decimal(below or 1))


def _is_enclosed(stated: list[str] | None, low: Fraction, high: Fraction) -> bool | None:
    if stated is None:  # which says nothing of it, where the report never has null
        return False
    return _within(low, high, _number(stated[0]), _number(stated[1]))


def _within(low: Fraction, high: Fraction, least: Fraction | None, most: Fraction | None) -> bool | None:
    """Whether what lies from `low` to `high` lies from `least` to `most`; None where it may and may not."""
    if (least is None or least <= low) and (most is None or high <= most):
        return True
    return False if (least is not None and high < least) or (most is not None and most < low) else None


# Bounds.


def _linear(terms: Iterable[tuple[int, str]], scale: str | None, bits: int) -> Interval:
    form = [(b, _number(q)) for b, q in terms]
    low = high = Fraction(sum((q for b, q in form if b == 2), Fraction(0)))
    for b, q in form:
        if b > 2 and q:
            least, most = _over(_log(Fraction(2), bits), _log(Fraction(b), bits), bits)
            low, high = low + min(q * least, q * most), high + max(q * least, q * most)
    if scale is None:
        return low, high
    base = scale.removeprefix("log2(").removesuffix(")")
    one, two = (1 << bits, 1 << bits), _log(Fraction(2), bits)
    ends = _over(one, two, bits) if base == "e" else _over(_log(Fraction(base), bits), two, bits)
    return _product((low, high), ends)


def _sum(parts: Iterable[tuple[Fraction, Bounds]], bits: int) -> Interval:
    """The sum of weighted values, the ends of each cut to whole multiples of 2^-2 bits, outwards."""
    low = high = Fraction(0)
    for weight, value in parts:
        ends = value(bits)
        low, high = low + weight * _cut(ends[0], bits, up=False), high + weight * _cut(ends[1], bits, up=True)
    return low, high


def _cut(number: Fraction, bits: int, *, up: bool) -> Fraction:
    whole = number.numerator << 2 * bits
    if number.denominator.bit_length() <= bits:  # short ones stay what they are
        return number
    return Fraction(-(-whole // number.denominator) if up else whole // number.denominator, 1 << 2 * bits)


def _product(one: Interval, other: Interval) -> Interval:
    corners = [x * y for x in one for y in other]
    return min(corners), max(corners)


def _ratio(above: Interval, below: Interval) -> Interval:
    """A quotient whose denominator is positive; wider than any number of a report where that is not yet told."""
    if below[0] <= 0:
        return Fraction(-_HUGE), Fraction(_HUGE)
    return _product(above, (1 / below[1], 1 / below[0]))


def _over(above: tuple[int, int], below: tuple[int, int], bits: int) -> Interval:
    """A quotient of positive numbers in units of 2^-bits, cut to such units, outwards."""
    return (
        Fraction((above[0] << bits) // below[1], 1 << bits),
        Fraction(-(-(above[1] << bits) // below[0]), 1 << bits),
    )


@lru_cache(maxsize=20_000)
def _log(number: Fraction, bits: int) -> tuple[int, int]:
    """The natural logarithm of a rational number above 1, in units of 2^-bits: below, and above."""
    halvings = max(0, number.numerator.bit_length() - number.denominator.bit_length() - 1)
    while number / (1 << halvings) > 2:
        halvings += 1
    rest = number / (1 << halvings)
    low, high = _series((rest - 1) / (rest + 1), bits)
    if not halvings:
        return low, high
    one, two = _log(Fraction(2), bits) if number != 2 else _series(Fraction(1, 3), bits)
    return low + halvings * one, high + halvings * two


def _series(x: Fraction, bits: int) -> tuple[int, int]:
    """``2 (x + x^3/3 + ...)`` for 0 <= x <= 1/3 in units of 2^-bits.

    Each power is kept from below and from above. When the upper one is a unit or less, all further terms together are
    less than 2 units: each power is at most a ninth of the one before, and is divided by more.
    """
    low = (x.numerator << bits) // x.denominator
    high = -(-(x.numerator << bits) // x.denominator)
    up, down = x.numerator**2, x.denominator**2
    total_low = total_high = 0
    odd = 1
    while high > 1:
        total_low, total_high = total_low + low // odd, total_high - (-high // odd)
        low, high = low * up // down, -(-high * up // down)
        odd += 2
    return 2 * total_low, 2 * (total_high + 2)
