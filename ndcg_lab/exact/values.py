"""What every exact value does: a proved sign and order, correctly rounded digits, arithmetic, JSON.

Three classes, each closed under as much arithmetic as it can hold:

- `Linear`: ``sum q_b y_b`` with ``y_b = 1/log2(b)`` and rational ``q_b``; every DCG is one.
- `Quotient`: one linear form over another; every NDCG is one.
- `General`: a sum of products of powers of linear forms; differences of NDCGs and means are such.

Comparison is exact: structure proves equality, an enclosure that excludes 0 proves an order, and what neither settles
raises `Undecided`. No float takes part.
"""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from decimal import Decimal
from fractions import Fraction
from numbers import Complex, Rational
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, overload

from ndcg_lab.errors import NdcgLabError, WrongKind, brief
from ndcg_lab.exact.enclosures import LEVELS, decided
from ndcg_lab.exact.formats import formatted
from ndcg_lab.exact.rationals import Number, positional, rational, significant, whole
from ndcg_lab.exact.rounding import Decimals, Doubles, Places, rounded
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.writing import Monomial, plain, terminating
from ndcg_lab.limits import DIGITS

if TYPE_CHECKING:
    from collections.abc import Callable

    import sympy

__all__ = ["JSON", "SHORT", "Bounds", "Exact", "outside_zero", "shortened"]

Bounds: TypeAlias = tuple[int, int, int]
"""``lo, hi, den`` with ``lo/den <= value <= hi/den``."""

JSON: TypeAlias = dict[str, Any]

SHORT = 120
"""A value is shown in a message, or a general one in JSON, up to this many characters."""


class Exact(ABC):
    """An exact real number with a proved order and correctly rounded decimals."""

    __slots__ = ()

    # --- what each kind of value provides -------------------------------------------------

    @abstractmethod
    def bounds(self, bits: int) -> Bounds:
        """Whole numbers ``lo, hi, den`` with ``lo/den <= self <= hi/den``, narrower for more bits."""

    @abstractmethod
    def monomials(self) -> dict[Monomial, Fraction]:
        """The value as a sum of products of powers of primitive forms."""

    @abstractmethod
    def written(self, number: Callable[[Fraction], str]) -> str:
        """The printed form, with coefficients written by ``number``."""

    @abstractmethod
    def latex(self) -> str:
        """The printed form in LaTeX, without dollars."""

    @abstractmethod
    def to_sympy(self) -> sympy.Expr:
        """The same number as a sympy expression (imports sympy)."""

    def _sympy_(self) -> sympy.Expr:
        return self.to_sympy()  # asked for by sympy, which would take the float else

    @property
    def scale(self) -> str | None:
        """The symbolic factor that another base of the logarithm brings, ``"log2(10)"``, or None."""
        return None

    def unscaled(self) -> Exact:
        """The value without its scale."""
        return self

    @property
    def is_rational(self) -> bool:
        """Whether the value is held as a rational number."""
        return False

    def as_fraction(self) -> Fraction:
        """The value as a `Fraction`; raises `NdcgLabError` unless `is_rational`."""
        raise NdcgLabError(f"{self} is not held as a rational number")

    # --- sign and order -------------------------------------------------------------------

    def sign(self) -> int:
        """-1, 0 or 1, proved; raises `Undecided` where it can't be.

        >>> from ndcg_lab import a, y
        >>> (3 * a - 2).sign(), (a / (1 + a) - y(6)).sign()
        (-1, 0)
        """

        def attempt(bits: int) -> int | None:
            if sign := outside_zero(self.bounds(bits)):
                return sign
            return 0 if bits == LEVELS[1] and self.vanishes() else None

        return decided(attempt, lambda: f"{shortened(self)} is not proved to be 0, and its sign")

    def vanishes(self) -> bool:
        """Whether structure proves that the value is 0; no number is looked at."""
        from ndcg_lab.exact.algebra import vanishes

        return vanishes(self.monomials())

    def against(self, other: Exact | Number) -> int:
        """The sign of self - other; often seen without the difference, which for quotients is long."""
        value = _operand(other, "<=>")
        assert value is not None

        def apart(bits: int) -> int | None:
            (low, high, den), (below, above, under) = self.bounds(bits), value.bounds(bits)
            return 1 if low * under > above * den else -1 if high * under < below * den else None

        if sign := apart(LEVELS[0]):
            return sign
        if self.scale != value.scale and "log2(e)" in (self.scale, value.scale):  # their difference is not held
            return decided(apart, lambda: f"the order of {shortened(self)} and {shortened(value)}")
        return (self - value).sign()

    @property
    def is_one(self) -> bool:
        """Whether the value is exactly 1 (its float may be 1.0 without that)."""
        return self == 1

    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
        value = _operand(other, "==")
        return NotImplemented if value is None else self.against(value) == 0

    def __lt__(self, other: Exact | Number | Decimal) -> bool:
        value = _operand(other, "<")
        return NotImplemented if value is None else self.against(value) < 0

    def __le__(self, other: Exact | Number | Decimal) -> bool:
        value = _operand(other, "<=")
        return NotImplemented if value is None else self.against(value) <= 0

    def __gt__(self, other: Exact | Number | Decimal) -> bool:
        value = _operand(other, ">")
        return NotImplemented if value is None else self.against(value) > 0

    def __ge__(self, other: Exact | Number | Decimal) -> bool:
        value = _operand(other, ">=")
        return NotImplemented if value is None else self.against(value) >= 0

    def __hash__(self) -> int:
        # The value with fixed numbers in place of the logarithms of primes, modulo Python's own prime: equal values
        # have equal residues, and a rational's is what Python hashes it to; where there is none, as of 1 over the
        # prime, it is what Python takes for infinity.
        from ndcg_lab.exact.algebra import residue

        if self.is_rational:
            return hash(self.as_fraction())
        remainder = residue(self.monomials(), sys.hash_info.modulus, seed=0)
        if remainder == 0:
            return 0
        negative = self.sign() < 0
        if remainder is None:
            return -sys.hash_info.inf if negative else sys.hash_info.inf
        return hash(remainder - sys.hash_info.modulus if negative else remainder)

    def __bool__(self) -> bool:
        return self.sign() != 0

    # --- numbers for people ---------------------------------------------------------------

    def __float__(self) -> float:
        """The nearest double, ties to even, proved; beyond the doubles an infinity.

        >>> from ndcg_lab import a
        >>> float(a), float(2**1024 + a)
        (0.6309297535714574, inf)
        """
        number = rounded(self, Doubles(), lambda: f"the double nearest to {shortened(self)}")
        return number or math.copysign(number, self.sign())  # a small negative number is -0.0

    def decimal(self, digits: int = 20) -> str:
        """The value to that many significant digits, half to even, correctly rounded.

        Plain notation for exponents -6 to 20; ``0`` for zero.

        >>> from ndcg_lab import a
        >>> (Fraction(7, 2) + 2 * a).decimal(20)
        '4.7618595071429148742'
        """
        digits = whole(digits, "digits", 1, DIGITS, "DIGITS")
        sign = self.sign()
        if sign == 0:
            return "0"
        size = self if sign > 0 else -self
        number, exponent = rounded(size, Decimals(digits), lambda: f"{shortened(self)} to {digits} digits")
        return ("-" if sign < 0 else "") + significant(number, exponent)

    def fixed(self, places: int) -> str:
        """The value with that many places after the point, half to even, correctly rounded.

        >>> from ndcg_lab import a, parse
        >>> (Fraction(7, 2) + 2 * a).fixed(3), parse("1/8").fixed(2)
        ('4.762', '0.12')
        """
        places = whole(places, "places", 0, DIGITS, "DIGITS")
        return positional(self._nearest_whole(places, even=True), places)

    def rounded(self, places: int) -> Fraction:
        """The value rounded to that many decimals, half away from zero, as systems do that round.

        >>> from ndcg_lab import parse
        >>> parse("1/8").rounded(2)
        Fraction(13, 100)
        """
        places = whole(places, "places", -DIGITS, DIGITS, "DIGITS")
        return Fraction(self._nearest_whole(places, even=False)) / Fraction(10) ** places

    def enclosure(self, bits: int = 80) -> tuple[Fraction, Fraction]:
        """Two fractions around the value, at most ``2**-bits`` apart relative to it.

        >>> from ndcg_lab import a
        >>> low, high = a.enclosure(10)
        >>> low < a < high, high - low < Fraction(1, 1000)
        (True, True)
        """
        bits = whole(bits, "bits", 0, LEVELS[-1], "PRECISION")
        if self.is_rational:
            return self.as_fraction(), self.as_fraction()
        if self.sign() == 0:
            return Fraction(0), Fraction(0)

        def attempt(level: int) -> tuple[Fraction, Fraction] | None:
            lo, hi, den = self.bounds(level)
            least = min(abs(lo), abs(hi))
            if (lo > 0) != (hi > 0) or (hi - lo) << (bits + 2) > least:
                return None
            # A short dyadic number on either side: one unit is at most 2**-(bits + 2) of the value.
            shift = bits + 3 + den.bit_length() - least.bit_length()
            up, down = 1 << max(0, shift), 1 << max(0, -shift)
            low, high = lo * up // (den * down), -(-hi * up // (den * down))
            return Fraction(low * down, up), Fraction(high * down, up)

        return decided(attempt, lambda: f"an enclosure of {shortened(self)} within 2^-{bits}")

    def _nearest_whole(self, places: int, *, even: bool) -> int:
        """The whole number nearest to ``self * 10**places``; ties to even or away from zero."""
        return rounded(self, Places(places, even=even), lambda: f"{shortened(self)} to {places} decimals")

    # --- printing -------------------------------------------------------------------------

    def __str__(self) -> str:
        return self.written(plain)

    def __format__(self, spec: str) -> str:
        """``""`` as `str`; ``"d"`` with terminating decimals; else as a float, correctly rounded: ``".3f"``, ``".1%"``.

        >>> from ndcg_lab import a
        >>> format(Fraction(7, 2) + 2 * a, "d"), f"{a:.4f}", f"{a:.1%}", f"{a:>8.3g}"
        ('3.5 + 2a', '0.6309', '63.1%', '   0.631')
        """
        if not spec:
            return str(self)
        return formatted(self, spec, str(self), self.written(terminating))

    @overload
    def __round__(self, places: None = None) -> int: ...
    @overload
    def __round__(self, places: SupportsIndex) -> float: ...
    def __round__(self, places: SupportsIndex | None = None) -> int | float:
        """The nearest whole number; with `places` the double that prints so many decimals. Half to even.

        >>> from ndcg_lab import a
        >>> round(a), round(a, 4)
        (1, 0.6309)
        """
        if places is None:
            return self._nearest_whole(0, even=True)
        count = whole(places, "places", -DIGITS, DIGITS, "DIGITS")
        return float(Fraction(self._nearest_whole(count, even=True)) / Fraction(10) ** count)

    def __repr__(self) -> str:
        return f"parse({str(self)!r})"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def to_json(self) -> JSON:
        """The value as the JSON object that every report uses.

        >>> from ndcg_lab import a
        >>> (Fraction(7, 2) + 2 * a).to_json()["terms"]
        [[2, '7/2'], [3, '2']]
        """
        number = float(self)
        return {
            **self._exact_json(),
            "float": number if math.isfinite(number) else None,
            "decimal": self.decimal(20),
        }

    @abstractmethod
    def _exact_json(self) -> JSON: ...

    # --- arithmetic -----------------------------------------------------------------------

    def __add__(self, other: Exact | Number | Decimal) -> Exact:
        value = _operand(other, "+")
        return NotImplemented if value is None else self._plus(value)

    def __radd__(self, other: Number | Decimal) -> Exact:
        return self + other

    def __sub__(self, other: Exact | Number | Decimal) -> Exact:
        value = _operand(other, "-")
        return NotImplemented if value is None else self._plus(-value)

    def __rsub__(self, other: Number | Decimal) -> Exact:
        return -self + other

    def __mul__(self, other: Exact | Number | Decimal) -> Exact:
        value = _operand(other, "*")
        from ndcg_lab.exact.general import multiplied

        if value is None:
            return NotImplemented
        if value.is_rational:
            return self._times(value.as_fraction())
        if self.is_rational:
            return value._times(self.as_fraction())
        return multiplied(self, value)

    def __rmul__(self, other: Number | Decimal) -> Exact:
        return self * other

    def __truediv__(self, other: Exact | Number | Decimal) -> Exact:
        value = _operand(other, "/")
        from ndcg_lab.exact.general import divided

        if value is None:
            return NotImplemented
        if value.is_rational:
            if not value:
                raise ZeroDivisionError(f"{self} divided by 0")
            return self._times(1 / value.as_fraction())
        return divided(self, value)

    def __rtruediv__(self, other: Number | Decimal) -> Exact:
        value = _operand(other, "/")
        return NotImplemented if value is None else value / self

    def __neg__(self) -> Exact:
        return self._times(Fraction(-1))

    def __pos__(self) -> Exact:
        return self

    def __abs__(self) -> Exact:
        return -self if self.sign() < 0 else self

    def _plus(self, other: Exact) -> Exact:
        from ndcg_lab.exact.general import added

        return added(self, other)

    @abstractmethod
    def _times(self, factor: Fraction) -> Exact: ...


def _operand(other: object, operation: str) -> Exact | None:
    if isinstance(other, Exact):
        return other
    from ndcg_lab.exact.linear import Linear

    if type(other) is int or type(other) is Fraction:
        return Linear.rational(other)
    if isinstance(other, Rational | Decimal | SupportsIndex):
        return Linear.rational(rational(other))
    if isinstance(other, Complex) or (hasattr(other, "__float__") and not isinstance(other, Undefined)):
        raise WrongKind(
            f"an exact value {operation} a {type(other).__name__} ({brief(other)}) has no exact meaning: "
            "write the float as a Fraction, or compare float(value)"
        )
    return None


def outside_zero(bounds: Bounds) -> int:
    """The sign that an enclosure proves, or 0 where it proves none."""
    low, high, _ = bounds
    return 1 if low > 0 else -1 if high < 0 else 0


def shortened(value: Exact) -> str:
    """The value as a message shows it."""
    text = str(value)
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"
