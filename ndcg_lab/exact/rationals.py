"""Rational numbers: reading them exactly, rounding them correctly, writing them in positions."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import TypeAlias

from ndcg_lab.errors import NdcgLabError

__all__ = [
    "Number",
    "nearest_double",
    "nearest_whole",
    "plain_fraction",
    "positional",
    "rational",
    "significant",
    "written",
]

Number: TypeAlias = int | Fraction
"""A rational as this library stores it: an `int` where whole, else a `Fraction`."""

_NUMBER = re.compile(r"[+-]?(?:\d+(?:/\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", re.ASCII)
_MAX_EXPONENT = 5_000
_MAX_DIGITS = 100_000
_LONG = 14_000  # Bits from which on Python's own `str` and `int` refuse whole numbers; `Decimal` does not.
_PLAIN = (-6, 20)


def rational(number: object) -> Number:
    """Read a rational number: `int`, `Fraction`, `Decimal`, a whole `float`, or text.

    Args:
        number: ``3``, ``Fraction(27, 10)``, ``"27/10"``, ``"2.7"``, ``"1e-3"``, ``2.0``, ...

    Returns:
        An `int` where the number is whole, else a `Fraction`.

    Raises:
        NdcgLabError: for a float that is not whole, for nan and infinities, for anything else.

    >>> rational("2.70"), rational("-8/5"), rational(3.0)
    (Fraction(27, 10), Fraction(-8, 5), 3)
    """
    if type(number) is int:
        return number
    if isinstance(number, str):
        text = number.strip()
        if not _NUMBER.fullmatch(text):
            raise NdcgLabError(f"{number!r} is not a number; write it like 2, 2.7, 27/10 or 1e-3")
        mantissa, _, exponent = text.replace("E", "e").partition("e")
        if len(mantissa) > _MAX_DIGITS or (exponent and (len(exponent) > 8 or abs(int(exponent)) > _MAX_EXPONENT)):
            raise NdcgLabError(f"{text[:40]!r} is beyond the numbers read here (10^{_MAX_EXPONENT})")
        above, _, below = text.partition("/")
        if below and not Decimal(below):
            raise NdcgLabError(f"{number!r} divides by zero")
        value = Fraction(Decimal(above)) / Fraction(Decimal(below or 1))
    elif isinstance(number, bool):
        raise NdcgLabError(f"{number!r} is not a number here; write 0 or 1")
    elif isinstance(number, Rational):
        value = plain_fraction(number)
    elif isinstance(number, Decimal):
        if not number.is_finite():
            raise NdcgLabError(f"{number} is not a number that can be used exactly")
        if abs(number.adjusted()) > _MAX_EXPONENT:
            raise NdcgLabError(f"{number} is beyond the numbers read here (10^{_MAX_EXPONENT})")
        value = Fraction(number)
    elif isinstance(number, float) or hasattr(number, "__float__"):
        as_float = float(number)
        if not math.isfinite(as_float):
            raise NdcgLabError(f"{number!r} is not a number that can be used exactly")
        if not as_float.is_integer():
            raise NdcgLabError(
                f"the float {number!r} does not say which exact number is meant; "
                'write a Fraction, a Decimal or text such as "27/10" or "2.7"'
            )
        value = Fraction(int(as_float))
    else:
        raise NdcgLabError(f"{number!r} is not a number; write it like 2, 2.7, 27/10 or 1e-3")
    return value.numerator if value.denominator == 1 else value


def plain_fraction(number: Rational) -> Fraction:
    """A plain `Fraction`, whatever whole numbers the foreign type is made of (numpy's overflow)."""
    return Fraction(int(number.numerator), int(number.denominator))


def nearest_double(numerator: int, denominator: int) -> float:
    """The double nearest to a fraction, ties to even: division of ints is correctly rounded."""
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if numerator > 0 else -math.inf


def nearest_whole(numerator: int, denominator: int, *, even: bool) -> int:
    """The nearest whole number to a fraction with a positive denominator."""
    if numerator < 0:
        return -nearest_whole(-numerator, denominator, even=even)
    whole, rest = divmod(numerator, denominator)
    twice = 2 * rest
    up = twice > denominator or (twice == denominator and (not even or whole % 2 == 1))
    return whole + up


def written(q: Number) -> str:
    """The digits of a rational number, however long it is.

    >>> written(Fraction(-7, 2)), len(written(10**5000))
    ('-7/2', 5001)
    """
    above, below = (
        str(Decimal(part)) if part.bit_length() > _LONG else str(part) for part in (q.numerator, q.denominator)
    )
    return above if below == "1" else f"{above}/{below}"


def positional(number: int, places: int) -> str:
    """A whole number of units of ``10**-places``, written out.

    >>> positional(-1234, 2), positional(5, 3), positional(7, 0)
    ('-12.34', '0.005', '7')
    """
    digits = written(abs(number)).rjust(places + 1, "0")
    split = len(digits) - places
    return ("-" if number < 0 else "") + digits[:split] + ("." if places else "") + digits[split:]


def significant(number: int, exponent: int) -> str:
    """Significant digits whose first stands for ``10**exponent``; plain for exponents -6 to 20.

    >>> significant(47619, 0), significant(25, -2), significant(12, 4), significant(12, 21)
    ('4.7619', '0.025', '12000', '1.2e+21')
    """
    digits = written(number)
    if not _PLAIN[0] <= exponent <= _PLAIN[1]:
        return positional(number, len(digits) - 1) + f"e{exponent:+d}"
    places = len(digits) - 1 - exponent
    return positional(number * 10 ** max(0, -places), max(0, places))
