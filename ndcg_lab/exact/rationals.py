"""Rational numbers: reading them exactly, rounding them correctly, writing them in positions."""

from __future__ import annotations

import math
import re
from collections.abc import Sized
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from operator import index
from typing import Any, SupportsIndex, TypeAlias

from ndcg_lab.errors import NdcgLabError, WrongKind, brief, cut
from ndcg_lab.limits import DIGITS, EXPONENT, beyond

__all__ = [
    "Number",
    "nearest_double",
    "nearest_whole",
    "positional",
    "rational",
    "short",
    "significant",
    "whole",
    "written",
]

Number: TypeAlias = int | Fraction
"""A rational as this library stores it: an `int` where whole, else a `Fraction`."""

_NUMBER = re.compile(r"[+-]?(?:\d+(?:/\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", re.ASCII)
_LONG = 2_000  # Bits from which on Python's own `str` may refuse whole numbers, at its strictest; `Decimal` does not.
_PLAIN = (-6, 20)


def rational(number: object, *, binary: bool = False) -> Number:
    """Read a rational number: the one door through which numbers come in.

    Args:
        number: ``3``, ``Fraction(27, 10)``, ``Decimal("2.7")``, ``"27/10"``, ``"2.7"``, ``"1e-3"``, ``2.0``, or a whole
            number, fraction or whole float of another library (numpy, pandas, sympy, mpmath).
        binary: whether a float that is not whole stands for its binary value.

    Returns:
        An `int` where the number is whole, else a `Fraction`.

    Raises:
        NdcgLabError: for a float that is not whole (without `binary`), for nan and infinities, and for text that is no
            number.
        WrongKind: for what is no number: a truth value, a complex number, a date, an array (of one number too), None.

    >>> rational("2.70"), rational("-8/5"), rational(3.0), rational(0.5, binary=True)
    (Fraction(27, 10), Fraction(-8, 5), 3, Fraction(1, 2))
    """
    if type(number) is int:
        return number
    if isinstance(number, str):
        value = _from_text(number)
    elif isinstance(number, Decimal):
        value = _from_decimal(number)
    elif not _is_number(number):
        raise WrongKind(f"{brief(number)} is not a number{_instead(number)}")
    elif isinstance(number, SupportsIndex):
        value = Fraction(int(index(number)))
    elif isinstance(number, Rational):
        value = Fraction(int(number.numerator), int(number.denominator))
    else:
        value = _from_real(number, binary=binary)
    return value.numerator if value.denominator == 1 else value


def whole(number: object, name: str, least: int | None = None, most: int | None = None, limit: str = "") -> int:
    """Read a whole number of any library, such as a count, as an `int`; `limit` names what `most` follows from.

    Raises:
        WrongKind: for anything else, truth values, whole floats and text among them.
        NdcgLabError: for one below `least` or above `most`.

    >>> whole(3, "digits", 1)
    3
    """
    if type(number) is not int:
        if not _is_number(number) or not isinstance(number, SupportsIndex):
            raise WrongKind(f"`{name}` can't be {brief(number)}, a {type(number).__name__}: write a whole number")
        number = int(index(number))
    if (least is not None and number < least) or (most is not None and number > most):
        ends = f"from {least} up" if most is None else f"from {least} to {most}"
        ends += f", {beyond(limit)}" if limit else ""
        raise NdcgLabError(f"`{name}` is {brief(number)}; it is a whole number {ends}")
    return number


def _kind(number: object) -> str:
    """The letter of numpy's dtype, without numpy: i, u and f are numbers, b truth values, c complex, m and M times."""
    return "b" if isinstance(number, bool) else getattr(getattr(number, "dtype", None), "kind", "")


def _is_number(number: object) -> bool:
    """Whether it is a real number, and not what merely turns into one: a truth value, a time, an array."""
    if _kind(number) not in ("", "i", "u", "f") or isinstance(number, Sized | type):
        return False
    return isinstance(number, Real | SupportsIndex)


def _instead(number: object) -> str:
    if _kind(number) == "b":
        return " here; write 0 or 1"
    if isinstance(number, Sized):
        return "; write the number itself"
    return "; write it like 2, 2.7, 27/10 or 1e-3"


def _from_text(text: str) -> Fraction:
    stripped = text.strip()
    if not _NUMBER.fullmatch(stripped):
        raise NdcgLabError(f"{brief(text)} is not a number; write it like 2, 2.7, 27/10 or 1e-3")
    mantissa, _, exponent = stripped.replace("E", "e").partition("e")
    if len(mantissa) > DIGITS:
        raise NdcgLabError(f"{brief(text)} has {len(mantissa):,} digits; a number has {beyond('DIGITS')}")
    if exponent and (len(exponent) > 12 or abs(int(exponent)) > EXPONENT):
        raise NdcgLabError(f"{brief(text)} is beyond the numbers read here: an exponent is {beyond('EXPONENT')}")
    above, _, below = stripped.partition("/")
    if below and not Decimal(below):
        raise NdcgLabError(f"{brief(text)} divides by zero")
    return Fraction(Decimal(above)) / Fraction(Decimal(below or 1))


def _from_decimal(number: Decimal) -> Fraction:
    if not number.is_finite():
        raise NdcgLabError(f"{brief(number)} is not a number that can be used exactly")
    if abs(number.adjusted()) > EXPONENT:
        raise NdcgLabError(f"{brief(number)} is beyond the numbers read here: an exponent is {beyond('EXPONENT')}")
    return Fraction(number)


def _from_real(number: Any, *, binary: bool) -> Fraction:
    """A float of any library; long doubles and numbers of many digits do not go through a double."""
    shown = brief(number)
    try:
        if hasattr(number, "as_integer_ratio"):
            value = Fraction(*number.as_integer_ratio())
            if binary or value.denominator == 1:
                return value
        elif not number - int(number):
            return Fraction(int(number))
    except (OverflowError, ValueError):
        raise NdcgLabError(f"{shown} is not a number that can be used exactly") from None
    raise NdcgLabError(
        f"the float {shown} does not say which exact number is meant; "
        'write a Fraction, a Decimal or text such as "27/10" or "2.7"'
    )


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


def short(q: Number) -> str:
    """The digits of a rational number as a message shows it: of a long one the first and the last.

    >>> short(10**99)
    '100000000000000000000000000 … 0000000000'
    """
    return cut(written(q), 40, 10)


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
