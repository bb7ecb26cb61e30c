"""A number as it was printed, and the ways to read it: which exact values it can stand for.

>>> [reading.name for reading in readings(read_printed("0.8076"), "ndcg")]
['rounded', 'truncated']
>>> readings(read_printed("96.08%"), "ndcg")[0].name
'percent-rounded'
"""

import math
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.rationals import rational
from ndcg_lab.exact.values import Exact
from ndcg_lab.limits import IDENTIFY_DIGITS, beyond

ULPS = 6
"""Units in the last place by which a double, or a float32, may be off: rounding noise of a sum."""

DOUBLE_DIGITS = 15
"""From this many significant digits on a number is read as a double."""

FLOAT32_DIGITS = range(7, 10)
"""So many significant digits a float32 has when it is printed."""

CUT_DECIMALS = 4
"""From this many decimals on a number may have been truncated. Shorter ones are cut in hand calculations."""

STRICTNESS = ("rounded", "ellipsis", "truncated", "double", "float32")
"""The names of the readings, stricter ones first; before each may stand `percent-`."""

_NUMBER = re.compile(r"([+-]?)(\d*)(?:([.,])(\d*))?(?:e([+-]?\d{1,3}))?", re.ASCII | re.IGNORECASE)
_PERCENT = "percent-"


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed number: its text, the number, the decimals and the significant digits shown, and what follows it."""

    text: str
    number: Fraction
    decimals: int
    digits: int
    ellipsis: bool = False
    percent: bool = False
    exact: bool = False
    """Given as a fraction: it stands for itself alone."""


def read_printed(reported: object) -> Printed:
    """Read a number as it was printed: text, or a number that Python holds.

    Text may have a decimal comma, an exponent, an ellipsis (`0.48...`) or a percent sign; a sign of approximation
    before it is passed over.

    Raises:
        NdcgLabError: for anything that is no number.

    >>> read_printed("0,76").number, read_printed("0.61314…").ellipsis
    (Fraction(19, 25), True)
    """
    if isinstance(reported, Printed):
        return reported
    if isinstance(reported, Fraction):
        return Printed(str(reported), reported, 0, 0, exact=True)
    if isinstance(reported, bool) or not isinstance(reported, str | int | float | Decimal):
        raise _not_a_number(reported)
    text = repr(float(reported)) if isinstance(reported, float) else str(reported).strip()
    bare = text.lstrip("≈~= ").replace("−", "-").replace("…", "...")
    percent = bare.endswith("%")
    bare = bare.removesuffix("%").rstrip()
    ellipsis = bare.endswith("...")
    bare = bare.removesuffix("...").rstrip()
    found = _NUMBER.fullmatch(bare)
    if found is None or not (found[2] or found[4]):
        raise _not_a_number(reported)
    sign, whole, _, decimals, exponent = (part or "" for part in found.groups())
    power = int(exponent or 0)
    if max(len(whole), len(decimals), abs(power)) > IDENTIFY_DIGITS:
        raise NdcgLabError(f"the digits of the reported number, and its exponent, are {beyond('IDENTIFY_DIGITS')}")
    number = rational(f"{sign}{whole or 0}.{decimals or 0}") * Fraction(10) ** power
    return Printed(
        text, Fraction(number), len(decimals) - power, len((whole + decimals).lstrip("0")) or 1, ellipsis, percent
    )


def _not_a_number(reported: object) -> NdcgLabError:
    return NdcgLabError(
        f"the reported number is {reported!r}; write it as it was printed, such as 0.8076, 0.48..., 96.08% or 0,76"
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a printed number: the interval of values, and which of them it stands for."""

    name: str
    low: Fraction
    high: Fraction
    ends: str = "both"
    """Which ends belong to it: `both`, `low` or `high`; or `noise`, around the number, of the kind of its name."""

    @property
    def kind(self) -> str:
        """The name, be it of a percentage or not."""
        return self.name.removeprefix(_PERCENT)

    @property
    def strictness(self) -> int:
        """The place in `STRICTNESS`."""
        return STRICTNESS.index(self.kind)

    def accepts(self, value: Exact) -> bool:
        """Whether the number stands for a value."""
        if self.ends == "noise":
            nearest, ulp = (float, math.ulp) if self.kind == "double" else (_float32, _ulp32)
            float_ = nearest(value)
            return math.isfinite(float_) and abs((self.low + self.high) / 2 - Fraction(float_)) <= ULPS * Fraction(
                ulp(float_)
            )
        if _below(value, self.low) or _above(value, self.high):
            return False
        return self.ends == "both" or not (value == self.high if self.ends == "low" else value == self.low)

    def surely(self, value: float, error: float) -> bool | None:
        """The same for a value that is known to lie so near to a double; None where that is not enough to tell."""
        if not math.isfinite(error) or self.ends == "noise":
            outside = math.isfinite(error) and not float(self.low) - error <= value <= float(self.high) + error
            return False if outside else None
        low, high = Fraction(value) - Fraction(error), Fraction(value) + Fraction(error)
        if self.low < low and high < self.high:
            return True
        return False if high < self.low or low > self.high else None


def readings(printed: Printed, quantity: str) -> list[Reading]:
    """Every way to read the number as that quantity, stricter ones first.

    `rounded` is either way at a half. A whole number below 10 stands for itself alone. Without a percent sign, a
    number above 1 may be a percentage where it is an NDCG.
    """
    if printed.exact:
        return [_interval("rounded", printed.number, printed.number)]
    ratio = quantity in {"ndcg", "mean"}
    found: list[Reading] = []
    if not printed.percent:
        found += _plain(printed, printed.number, printed.decimals, "")
    if printed.percent or (ratio and printed.number > 1):
        found += _plain(printed, printed.number / 100, printed.decimals + 2, _PERCENT)
    return sorted(found, key=lambda reading: reading.strictness)


def cut_reading(printed: Printed) -> Reading:
    """The number as a truncated one, however few decimals it has."""
    number, decimals, prefix = printed.number, printed.decimals, ""
    if printed.percent:
        number, decimals, prefix = number / 100, decimals + 2, _PERCENT
    return _cut(prefix + "truncated", number, Fraction(1, 10) ** decimals)


def _plain(printed: Printed, number: Fraction, decimals: int, prefix: str) -> Iterator[Reading]:
    unit = Fraction(1, 10) ** decimals
    if printed.ellipsis:
        yield _cut(prefix + "ellipsis", number, unit)
        return
    whole = decimals <= 0 and abs(number) < 10
    half = Fraction(0) if whole else unit / 2
    yield _interval(prefix + "rounded", number - half, number + half)
    if printed.digits >= DOUBLE_DIGITS:
        yield _noisy(prefix + "double", number, math.ulp(float(number)))
    elif decimals >= CUT_DECIMALS:
        yield _cut(prefix + "truncated", number, unit)
    if printed.digits in FLOAT32_DIGITS or (printed.digits > FLOAT32_DIGITS[-1] and _is_float32(printed.number)):
        yield _noisy(prefix + "float32", number, _ulp32(float(number)))


def _interval(name: str, low: Fraction, high: Fraction) -> Reading:
    return Reading(name, low, high)


def _cut(name: str, number: Fraction, unit: Fraction) -> Reading:
    """From the number on, away from 0, up to the next but not including it."""
    if number < 0:
        return Reading(name, number - unit, number, "high")
    return Reading(name, number, number + unit, "low")


def _noisy(name: str, number: Fraction, ulp: float) -> Reading:
    """Within a few units in the last place of the value's nearest float."""
    room = (ULPS + 2) * Fraction(ulp)
    return Reading(name, number - room, number + room, "noise")


def _float32(value: Exact) -> float:
    return _to_float32(float(value))


def _to_float32(number: float) -> float:
    try:
        return array("f", [number])[0]
    except OverflowError:
        return math.inf


def _ulp32(number: float) -> float:
    return math.ldexp(1.0, max(math.frexp(number)[1], -125) - 24)


def _is_float32(number: Fraction) -> bool:
    try:
        double = float(number)
    except OverflowError:
        return False
    return _to_float32(double) == double


def _below(value: Exact, bound: Fraction) -> bool:
    low, high = value.enclosure(80)
    if low >= bound or high < bound:
        return high < bound
    return (value - bound).sign() < 0


def _above(value: Exact, bound: Fraction) -> bool:
    low, high = value.enclosure(80)
    if high <= bound or low > bound:
        return low > bound
    return (value - bound).sign() > 0
