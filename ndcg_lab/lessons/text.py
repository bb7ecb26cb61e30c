"""How numbers, powers and foreign names are written in a lesson's HTML."""

import re
from fractions import Fraction

from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.tables import escape

__all__ = ["PLACES", "both", "decimal", "escape", "mark", "shown", "typeset"]

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def typeset(text: str) -> str:
    """Plain arithmetic with its signs: a real minus, raised exponents, the order signs.

    >>> typeset("-1/2 + 2a > 0, because 3 < 2^4")
    '−1/2 + 2a > 0, because 3 < 2⁴'
    """
    raised = re.sub(r"\^(\d+)", lambda match: match[1].translate(_RAISED), text)
    return re.sub(r"(?<![A-Za-z])-(?=[\d(a])|(?<= )-(?= )", "−", raised).replace(">=", "≥").replace("<=", "≤")


def shown(value: Exact | Undefined | Fraction | int) -> str:
    """A value in its exact form, for reading.

    >>> from ndcg_lab import parse
    >>> shown(parse("2*a - 1/2"))
    '−1/2 + 2a'
    """
    return typeset(str(value))


PLACES = 5
"""Decimals of a rounded value."""


def decimal(value: Exact | Fraction | int, places: int = PLACES) -> str:
    """A value to so many decimals, without trailing zeros where it is exact at that.

    >>> from ndcg_lab import a
    >>> decimal(a), decimal(Fraction(1, 2)), decimal(Fraction(-7, 2)), decimal(Fraction(2, 3))
    ('0.63093', '0.5', '−3.5', '0.66667')
    """
    text = _as_exact(value).fixed(places)
    if mark(value, places) == "=":
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−")


def mark(value: Exact | Fraction | int, places: int = PLACES) -> str:
    """What stands between a value and its decimals: "=" where they are exact, else "≈"."""
    number = _as_exact(value)
    ends = number.is_rational and (number.as_fraction() * 10**places).denominator == 1
    return "=" if ends else "≈"


def both(value: Exact | Undefined | Fraction | int, places: int = PLACES) -> str:
    """A value exact, and rounded where that says more.

    >>> from ndcg_lab import a
    >>> both(2 * a), both(Fraction(1, 2)), both(3)
    ('2a ≈ 1.26186', '1/2 = 0.5', '3')
    """
    if isinstance(value, Undefined):
        return str(value)
    exact, rounded = shown(value), decimal(value, places)
    return exact if exact == rounded else f"{exact} {mark(value, places)} {rounded}"


def _as_exact(value: Exact | Fraction | int) -> Exact:
    return value if isinstance(value, Exact) else Linear.rational(value)
