"""When a printed number agrees with an exact value.

The rule of this project: within 8 units in the last place of the system's own number type, and exactly where it
prints rounded decimals.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ndcg_lab.exact.values import Exact

ULPS = 8
"""How many units in the last place rounding noise may make."""


def printed_value(printed: str | float) -> float | None:
    """The number that was printed; None for nan and for anything that isn't a number.

    >>> printed_value("0.6667"), printed_value("nan"), printed_value("ValueError: …")
    (0.6667, None, None)
    """
    try:
        number = float(printed)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def agrees(printed: str | float, value: Exact, precision: str = "double") -> bool:
    """Whether a printed number is the exact value, to the precision of the system that printed it.

    Args:
        printed: the number, or its text.
        value: the exact value of the system's contract.
        precision: `double` or `single` (within 8 units in the last place), or `decimals:N` (rounded: exactly).

    >>> from fractions import Fraction
    >>> from ndcg_lab.exact.linear import Linear
    >>> two_thirds = Linear.rational(Fraction(2, 3))
    >>> agrees("0.6667", two_thirds, "decimals:4"), agrees(0.6667, two_thirds), agrees(2 / 3, two_thirds)
    (True, False, True)
    """
    number = printed_value(printed)
    if number is None:
        return False
    if precision.startswith("decimals:"):
        return Fraction(str(number)) == value.rounded(int(precision.removeprefix("decimals:")))
    if precision == "single":
        unit = 2.0 ** (math.frexp(float(value))[1] - 24) if float(value) else 0.0
    else:
        unit = math.ulp(float(value)) if float(value) else 0.0
    low, high = value.enclosure(80)
    return Fraction(number) - high <= ULPS * Fraction(unit) and low - Fraction(number) <= ULPS * Fraction(unit)
