"""Exact values: rational combinations of ``y_b = 1/log2(b)``, their quotients, and sums of those.

Three classes, each closed under as much arithmetic as it can hold:

- `Linear`: ``sum q_b y_b`` with rational ``q_b``; every DCG is one. Distinct b that are not perfect
  powers have logarithms that are not proportional, so equal values have equal mappings.
- `Quotient`: one linear form over another; every NDCG is one.
- `General`: a sum of products of powers of linear forms; differences of NDCGs and means are such.

`y_2` is 1 and `a` stands for `y_3`. Comparison is exact: structure proves equality, an enclosure that
excludes 0 proves an order, and what neither settles raises `Undecided`. No float takes part.
"""

from __future__ import annotations

import math
import re
import reprlib
import sys
from abc import ABC, abstractmethod
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import compress
from numbers import Complex, Rational
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple, Self, SupportsIndex, TypeAlias

from ndcg_lab.errors import NdcgLabError, UndefinedValue, WrongKind
from ndcg_lab.exact.enclosures import LEVELS, decided, log2_bounds, primitive, y_floor
from ndcg_lab.exact.rationals import (
    MAX_DIGITS,
    Number,
    positional,
    rational,
    significant,
    whole,
    written,
)
from ndcg_lab.exact.rounding import Decimals, Doubles, Places, rounded
from ndcg_lab.exact.writing import (
    Form,
    Monomial,
    joined,
    latex_base,
    latex_form,
    latex_monomial,
    plain,
    terminating,
    written_form,
    written_monomial,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import sympy

__all__ = ["Exact", "General", "Linear", "Number", "Quotient", "Undefined", "a", "rational", "y"]

Bounds: TypeAlias = tuple[int, int, int]
"""``lo, hi, den`` with ``lo/den <= value <= hi/den``."""

JSON: TypeAlias = dict[str, Any]

_FEW = 8  # The layout of so few bases is quickly made.
MAX_BITS = 1024  # Of a b in 1/log2(b), and of the base of a scale.
_SHORT = 120  # A general value prints its exact form in JSON up to this many characters.


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
    def is_rational(self) -> bool:
        """Whether the value is held as a rational number."""
        return False

    def as_fraction(self) -> Fraction:
        """The value as a `Fraction`; raises `NdcgLabError` unless `is_rational`."""
        raise NdcgLabError(f"{self} is not held as a rational number")

    # --- sign and order -------------------------------------------------------------------

    def sign(self) -> int:
        """-1, 0 or 1, proved; raises `Undecided` where it can't be.

        >>> (3 * a - 2).sign(), (a / (1 + a) - y(6)).sign()
        (-1, 0)
        """

        def attempt(bits: int) -> int | None:
            if sign := _outside_zero(self.bounds(bits)):
                return sign
            return 0 if bits == LEVELS[1] and self.vanishes() else None

        return decided(attempt, lambda: f"{_shortened(self)} is not proved to be 0, and its sign")

    def vanishes(self) -> bool:
        """Whether structure proves that the value is 0; no number is looked at."""
        from ndcg_lab.exact.algebra import vanishes

        return vanishes(self.monomials())

    def _against(self, other: Exact) -> int:
        """The sign of self - other; often seen without the difference, which for quotients is long."""
        (low, high, den), (below, above, under) = (value.bounds(LEVELS[0]) for value in (self, other))
        if low * under > above * den:
            return 1
        if high * under < below * den:
            return -1
        return (self - other).sign()

    @property
    def is_one(self) -> bool:
        """Whether the value is exactly 1 (its float may be 1.0 without that)."""
        return self == 1

    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
        value = _operand(other, "==")
        return NotImplemented if value is None else self._against(value) == 0

    def __lt__(self, other: Exact | Number | Decimal) -> bool:
        value = _operand(other, "<")
        return NotImplemented if value is None else self._against(value) < 0

    def __le__(self, other: Exact | Number | Decimal) -> bool:
        value = _operand(other, "<=")
        return NotImplemented if value is None else self._against(value) <= 0

    def __gt__(self, other: Exact | Number | Decimal) -> bool:
        value = _operand(other, ">")
        return NotImplemented if value is None else self._against(value) > 0

    def __ge__(self, other: Exact | Number | Decimal) -> bool:
        value = _operand(other, ">=")
        return NotImplemented if value is None else self._against(value) >= 0

    def __hash__(self) -> int:
        # The value modulo a prime, with logarithms of primes replaced by fixed residues: equal
        # values have equal residues, and a rational's residue is what Python hashes it to.
        from ndcg_lab.exact.algebra import residue

        if self.is_rational:
            return hash(self.as_fraction())
        modulus = sys.hash_info.modulus
        remainder = residue(self.monomials(), modulus, seed=0)
        if remainder is None:  # the modulus divides a denominator
            return sys.hash_info.inf
        return hash(remainder - modulus if remainder and self.sign() < 0 else remainder)

    def __bool__(self) -> bool:
        return self.sign() != 0

    # --- numbers for people ---------------------------------------------------------------

    def __float__(self) -> float:
        """The nearest double, ties to even, proved; beyond the doubles an infinity.

        >>> float(a), float(Linear({2: 2**1024 - 1}))
        (0.6309297535714574, inf)
        """
        number = rounded(self, Doubles(), lambda: f"the double nearest to {_shortened(self)}")
        return number or math.copysign(number, self.sign())  # a small negative number is -0.0

    def decimal(self, digits: int = 20) -> str:
        """The value to that many significant digits, half to even, correctly rounded.

        Plain notation for exponents -6 to 20; ``0`` for zero.

        >>> (Fraction(7, 2) + 2 * a).decimal(20)
        '4.7618595071429148742'
        """
        digits = whole(digits, "digits", 1, MAX_DIGITS)
        sign = self.sign()
        if sign == 0:
            return "0"
        size = self if sign > 0 else -self
        number, exponent = rounded(size, Decimals(digits), lambda: f"{_shortened(self)} to {digits} digits")
        return ("-" if sign < 0 else "") + significant(number, exponent)

    def fixed(self, places: int) -> str:
        """The value with that many places after the point, half to even, correctly rounded.

        >>> (Fraction(7, 2) + 2 * a).fixed(3), Linear({2: Fraction(1, 8)}).fixed(2)
        ('4.762', '0.12')
        """
        places = whole(places, "places", 0, MAX_DIGITS)
        return positional(self._nearest_whole(places, even=True), places)

    def rounded(self, places: int) -> Fraction:
        """The value rounded to that many decimals, half away from zero, as systems do that round.

        >>> Linear({2: Fraction(1, 8)}).rounded(2)
        Fraction(13, 100)
        """
        places = whole(places, "places", -MAX_DIGITS, MAX_DIGITS)
        return Fraction(self._nearest_whole(places, even=False)) / Fraction(10) ** places

    def enclosure(self, bits: int = 80) -> tuple[Fraction, Fraction]:
        """Two fractions around the value, at most ``2**-bits`` apart relative to it.

        >>> low, high = a.enclosure(10)
        >>> low < a < high, high - low < Fraction(1, 1000)
        (True, True)
        """
        bits = whole(bits, "bits", 0, LEVELS[-1])
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

        return decided(attempt, lambda: f"an enclosure of {_shortened(self)} within 2^-{bits}")

    def _nearest_whole(self, places: int, *, even: bool) -> int:
        """The whole number nearest to ``self * 10**places``; ties to even or away from zero."""
        return rounded(self, Places(places, even=even), lambda: f"{_shortened(self)} to {places} decimals")

    # --- printing -------------------------------------------------------------------------

    def __str__(self) -> str:
        return self.written(plain)

    def __format__(self, spec: str) -> str:
        """``""`` as `str`; ``"d"`` with terminating decimals; ``".3f"`` correctly rounded.

        >>> format(Fraction(7, 2) + 2 * a, "d"), f"{a:.4f}"
        ('3.5 + 2a', '0.6309')
        """
        if not spec:
            return str(self)
        if spec == "d":
            return self.written(terminating)
        if match := re.fullmatch(r"\.(\d{1,4})f", spec):
            return self.fixed(int(match[1]))
        raise ValueError(f"unknown format {spec!r} for an exact value; use '', 'd' or '.3f'")

    def __repr__(self) -> str:
        return f"parse({str(self)!r})"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def to_json(self) -> JSON:
        """The value as the JSON object that every report uses.

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
        if value is None:
            return NotImplemented
        if value.is_rational:
            return self._times(value.as_fraction())
        if self.is_rational:
            return value._times(self.as_fraction())
        return _product(self, value)

    def __rmul__(self, other: Number | Decimal) -> Exact:
        return self * other

    def __truediv__(self, other: Exact | Number | Decimal) -> Exact:
        value = _operand(other, "/")
        if value is None:
            return NotImplemented
        if value.is_rational:
            if not value:
                raise ZeroDivisionError(f"{self} divided by 0")
            return self._times(1 / value.as_fraction())
        if isinstance(self, Linear) and isinstance(value, Linear) and self.scale == value.scale:
            return Quotient.of(self, value)
        if isinstance(value, Quotient) and value.numerator.is_rational:
            return self * (value.denominator * (1 / value.numerator.as_fraction()))
        return _product(self, _inverse(value))

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
        return _collapse(_sum(self.monomials(), other.monomials()))

    @abstractmethod
    def _times(self, factor: Fraction) -> Exact: ...


class Linear(Exact):
    """A rational combination of ``y_b = 1/log2(b)``, times an optional ``log2(base)``.

    Args:
        terms: ``{b: coefficient}`` with whole ``b >= 2``; perfect powers are folded into their roots
            (``y_4 = 1/2``), so that equal numbers have equal mappings.
        scale: ``None``, or the base (``"e"``, ``"10"``, ``"3/2"``) whose ``log2`` multiplies the sum.

    >>> print(Linear({2: Fraction(7, 2), 3: 2}))
    7/2 + 2a
    >>> Linear({4: 1}) == Fraction(1, 2)
    True
    """

    __slots__ = ("_bases", "_coefficients", "_denominator", "_scale")

    _bases: tuple[int, ...]
    _coefficients: tuple[int, ...]
    _denominator: int
    _scale: str | None

    def __new__(cls, terms: Mapping[int, object] | None = None, *, scale: str | None = None) -> Self:
        terms = terms or {}
        coefficients = [rational(q) for q in terms.values()]
        return cls.weighted(coefficients, [whole(b, "b", 2) for b in terms], scale=scale)

    @classmethod
    def weighted(
        cls,
        coefficients: Iterable[Number],
        bases: Iterable[int],
        denominator: int = 1,
        scale: str | None = None,
    ) -> Self:
        """``sum(c * y_b) / denominator``; bases may repeat and may be perfect powers.

        >>> print(Linear.weighted([3, 2, 2], [2, 3, 4]))
        4 + 2a
        """
        given, key = list(coefficients), tuple(bases)
        layout = _layout(key) if len(key) <= _FEW else _kept_layout(key)
        if len(given) != layout.size:
            raise ValueError(f"{len(given)} coefficients for {layout.size} bases")
        common = 1 if set(map(type, given)) == {int} else math.lcm(*(c.denominator for c in given))
        units = [int(c) for c in given] if common == 1 else [c.numerator * (common // c.denominator) for c in given]
        units.append(0)  # the weight of a root that does not itself occur
        denominator *= common
        weights = [units[place] for place in layout.places]
        powers = [(at, units[place], exponent) for at, place, exponent in layout.powers if units[place]]
        if powers:
            common = math.lcm(*(exponent for _, _, exponent in powers))
            if common > 1:
                weights = [weight * common for weight in weights]
                denominator *= common
            for at, weight, exponent in powers:
                weights[at] += weight * (common // exponent)
        if scale is not None:
            factor, scale = _checked_scale(scale)
            weights = [weight * factor for weight in weights]
        return cls._reduced(layout.roots, weights, denominator, scale)

    @classmethod
    def _reduced(cls, bases: tuple[int, ...], coefficients: Sequence[int], denominator: int, scale: str | None) -> Self:
        """Terms by rising b over a positive denominator, without zeros and in lowest terms."""
        if not all(coefficients):
            bases = tuple(compress(bases, coefficients))
            coefficients = list(filter(None, coefficients))
        if denominator != 1:
            shared = math.gcd(denominator, *coefficients)
            if shared > 1:
                denominator //= shared
                coefficients = [c // shared for c in coefficients]
        self = object.__new__(cls)
        self._bases = bases
        self._coefficients = tuple(coefficients)
        self._denominator = denominator
        self._scale = scale if bases else None
        return self

    @classmethod
    def rational(cls, number: Number) -> Linear:
        """A rational number as a linear form.

        >>> print(Linear.rational(Fraction(2, 3)))
        2/3
        """
        return cls._reduced((2,), (number.numerator,), number.denominator, None)

    @property
    def terms(self) -> dict[int, Fraction]:
        """``{b: coefficient}`` by rising b, without zeros; b = 2 holds the rational part."""
        return {b: Fraction(c, self._denominator) for b, c in zip(self._bases, self._coefficients, strict=True)}

    @property
    def scale(self) -> str | None:
        """The symbolic factor ``"log2(10)"`` that another base of the logarithm brings, or None."""
        return None if self._scale is None else f"log2({self._scale})"

    @property
    def is_rational(self) -> bool:
        return self._scale is None and self._bases in ((), (2,))

    def as_fraction(self) -> Fraction:
        if not self.is_rational:
            return super().as_fraction()
        return Fraction(self._coefficients[0] if self._bases else 0, self._denominator)

    def bounds(self, bits: int) -> Bounds:
        if self.is_rational:
            number = self._coefficients[0] if self._bases else 0
            return number, number, self._denominator
        floor = y_floor(bits)
        coefficients = self._coefficients
        low = high = sum(map(mul, coefficients, map(floor.__getitem__, self._bases)))
        # Each floor is at most 2 units too small; only coefficients of one sign move one end.
        total = sum(coefficients)
        size = total if min(coefficients) >= 0 else sum(map(abs, coefficients))
        low, high = low + total - size, high + total + size
        denominator = self._denominator << bits
        if self._scale is not None:
            below, above = log2_bounds(self._scale, bits)
            low = low * (below if low >= 0 else above)
            high = high * (above if high >= 0 else below)
            denominator <<= bits
        return low, high, denominator

    def sign(self) -> int:
        if not self._bases:
            return 0
        if all(c > 0 for c in self._coefficients):
            return 1
        if all(c < 0 for c in self._coefficients):
            return -1
        # Not zero, for there are terms: only the precision that shows the sign is to be found.
        return decided(
            lambda bits: _outside_zero(self.bounds(bits)) or None,
            lambda: f"{_shortened(self)} is not 0, but its sign",
        )

    def vanishes(self) -> bool:
        return not self._bases

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Linear) and self._scale == other._scale:
            return (
                self._bases == other._bases
                and self._coefficients == other._coefficients
                and self._denominator == other._denominator
            )
        return super().__eq__(other)

    __hash__ = Exact.__hash__

    def _ratio(self, other: Linear) -> Fraction | None:
        """The quotient of two forms whose terms are proportional; None where they are not; neither is zero."""
        if self._bases != other._bases:
            return None
        mine, theirs = self._coefficients[0], other._coefficients[0]
        if any(c * theirs != d * mine for c, d in zip(self._coefficients, other._coefficients, strict=True)):
            return None
        return Fraction(mine * other._denominator, theirs * self._denominator)

    def form(self) -> tuple[Fraction, Form]:
        """The content and the primitive form that it multiplies; not for zero."""
        content = math.gcd(*self._coefficients)
        if self._coefficients[0] < 0:
            content = -content
        form = tuple((b, c // content) for b, c in zip(self._bases, self._coefficients, strict=True))
        return Fraction(content, self._denominator), form

    def monomials(self) -> dict[Monomial, Fraction]:
        if not self._bases:
            return {}
        content, form = self.form()
        powers: dict[Form | str, int] = {} if form == _ONE else {form: 1}
        if self._scale is not None:
            factor, power, times = _logarithm(self._scale)
            powers[factor] = powers.get(factor, 0) + power
            content *= times
        return {_monomial(powers): content}

    def _plus(self, other: Exact) -> Exact:
        if isinstance(other, Quotient):
            return other._plus(self)
        same = isinstance(other, Linear) and (self._scale == other._scale or not self._bases or not other._bases)
        if not same:
            return super()._plus(other)
        assert isinstance(other, Linear)
        common = math.lcm(self._denominator, other._denominator)
        mine, theirs = common // self._denominator, common // other._denominator
        sums = {b: c * mine for b, c in zip(self._bases, self._coefficients, strict=True)}
        for b, c in zip(other._bases, other._coefficients, strict=True):
            sums[b] = sums.get(b, 0) + c * theirs
        bases = tuple(sorted(sums))
        return Linear._reduced(bases, [sums[b] for b in bases], common, self._scale or other._scale)

    def _times(self, factor: Fraction) -> Linear:
        up, down = factor.numerator, factor.denominator
        return Linear._reduced(self._bases, [c * up for c in self._coefficients], self._denominator * down, self._scale)

    def unscaled(self) -> Linear:
        """The same terms without the symbolic factor."""
        if self._scale is None:
            return self
        return Linear._reduced(self._bases, self._coefficients, self._denominator, None)

    def written(self, number: Callable[[Fraction], str]) -> str:
        text = written_form(self.terms.items(), number)
        if self._scale is None:
            return text
        if len(self._bases) > 1:
            return f"{self.scale}*({text})"
        return f"{text.removesuffix('1')}{self.scale}" if text in {"1", "-1"} else f"{text}*{self.scale}"

    def latex(self) -> str:
        text = latex_form(self.terms.items())
        if self._scale is None:
            return text
        factor = rf"\log_2 {latex_base(self._scale)}"
        return rf"{factor} \left({text}\right)" if len(self._bases) > 1 else rf"{text} \, {factor}"

    def to_sympy(self) -> sympy.Expr:
        import sympy

        total = sympy.Add(
            *(
                sympy.Rational(q.numerator, q.denominator)
                * (sympy.Integer(1) if b == 2 else sympy.log(2) / sympy.log(b))
                for b, q in self.terms.items()
            )
        )
        if self._scale is None:
            return total
        base = sympy.E if self._scale == "e" else sympy.Rational(self._scale)
        return total * sympy.log(base) / sympy.log(2)

    def to_json(self) -> JSON:
        if len(self._bases) > 1:
            return super().to_json()
        record = _term_json(self._bases, self._coefficients, self._denominator, self._scale)
        return {**record, "terms": [list(term) for term in record["terms"]]}

    def _exact_json(self) -> JSON:
        scale = {} if self._scale is None else {"scale": self.scale}
        return {"exact": str(self), "terms": self._terms_json(), **scale}

    def _terms_json(self) -> list[list[int | str]]:
        return [[b, written(q)] for b, q in self.terms.items()]

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.terms, self._scale)


class Quotient(Exact):
    """One linear form over another that is neither rational nor proportional to it.

    Made by dividing; a quotient keeps its parts as they came, so an NDCG shows DCG and IDCG.

    >>> print(Linear({2: 4}) / Linear({2: 4, 3: 2}))
    4/(4 + 2a)
    >>> print(Linear({2: 2, 3: 2}) / Linear({2: 3, 3: 3}))
    2/3
    """

    __slots__ = ("_denominator", "_numerator")

    _numerator: Linear
    _denominator: Linear

    @property
    def numerator(self) -> Linear:
        """The form above the line, as it came."""
        return self._numerator

    @property
    def denominator(self) -> Linear:
        """The form below the line, as it came."""
        return self._denominator

    @staticmethod
    def of(numerator: Linear, denominator: Linear) -> Exact:
        """The quotient of two forms of the same scale, collapsed where it can be."""
        numerator, denominator = numerator.unscaled(), denominator.unscaled()
        if denominator.is_rational:
            if not denominator:
                raise ZeroDivisionError(f"{numerator} divided by 0")
            return numerator._times(1 / denominator.as_fraction())
        if not numerator._bases:
            return numerator
        if (ratio := numerator._ratio(denominator)) is not None:
            return Linear.rational(ratio)
        self = object.__new__(Quotient)
        self._numerator, self._denominator = numerator, denominator
        return self

    def bounds(self, bits: int) -> Bounds:
        low, high, den = self.numerator.bounds(bits)
        below, above, under = decided(
            lambda level: found if _outside_zero(found := self.denominator.bounds(level)) else None,
            lambda: f"the sign of the denominator {_shortened(self.denominator)}",
            least=bits,
        )
        if below < 0:
            low, high, below, above = -high, -low, -above, -below
        # low/den over an interval [below, above]/under of positive numbers, on one denominator
        low = low * under * (below if low >= 0 else above)
        high = high * under * (above if high >= 0 else below)
        return low, high, den * below * above

    def vanishes(self) -> bool:
        return False  # neither part is 0

    def sign(self) -> int:
        return self.numerator.sign() * self.denominator.sign()

    def monomials(self) -> dict[Monomial, Fraction]:
        over, form = self.numerator.form()
        under, other = self.denominator.form()
        powers: dict[Form | str, int] = {other: -1}
        if form != _ONE:
            powers[form] = 1
        return {_monomial(powers): over / under}

    def _plus(self, other: Exact) -> Exact:
        if isinstance(other, Linear) and other.is_rational:
            return Quotient.of(_linear(self.numerator + self.denominator * other), self.denominator)
        if isinstance(other, Quotient):
            mine, form = self.denominator.form()
            theirs, form2 = other.denominator.form()
            if form == form2:
                return Quotient.of(_linear(self.numerator + other.numerator * (mine / theirs)), self.denominator)
        return super()._plus(other)

    def _times(self, factor: Fraction) -> Exact:
        return Quotient.of(self.numerator._times(factor), self.denominator)

    def written(self, number: Callable[[Fraction], str]) -> str:
        if len(self.denominator.terms) == 1 and 3 not in self.denominator.terms:  # over y_b: times log2(b)
            return joined(written_monomial(m, q, number) for m, q in self.monomials().items())
        over, under = self.numerator.written(number), self.denominator.written(number)
        if not re.fullmatch(r"-?[\d.]*a?", over):
            over = f"({over})"
        return f"{over}/{under if under == 'a' else f'({under})'}"

    def latex(self) -> str:
        return rf"\frac{{{self.numerator.latex()}}}{{{self.denominator.latex()}}}"

    def to_sympy(self) -> sympy.Expr:
        return self.numerator.to_sympy() / self.denominator.to_sympy()

    def _exact_json(self) -> JSON:
        return {
            "exact": str(self),
            "numerator": self.numerator._terms_json(),
            "denominator": self.denominator._terms_json(),
        }


class General(Exact):
    """A sum of products of powers of linear forms: what means and differences of NDCGs are.

    >>> difference = Linear({2: 4}) / (4 + 2 * a) - Linear({2: 2}) / (3 + a)
    >>> print(difference)
    2/(2 + a) - 2/(3 + a)
    """

    __slots__ = ("_terms",)

    _terms: dict[Monomial, Fraction]

    @classmethod
    def _of(cls, terms: dict[Monomial, Fraction]) -> General:
        self = object.__new__(cls)
        self._terms = terms
        return self

    def monomials(self) -> dict[Monomial, Fraction]:
        return dict(self._terms)

    def bounds(self, bits: int) -> Bounds:
        forms = {form for monomial in self._terms for form, _ in monomial}
        bits, known = _form_bounds(forms, bits)
        low = high = 0
        shared = math.lcm(*(q.denominator for q in self._terms.values()))
        for monomial, q in self._terms.items():
            below, above = 1 << bits, 1 << bits
            # Above the line first: what is large there is not divided away to nothing before.
            for form, exponent in sorted(monomial, key=lambda power: power[1] < 0):
                for _ in range(abs(exponent)):
                    below, above = _interval(below, above, *known[form], bits, exponent > 0)
            weight = q.numerator * (shared // q.denominator)
            if weight < 0:
                below, above = above, below
            low, high = low + weight * below, high + weight * above
        return low, high, shared << bits

    def _times(self, factor: Fraction) -> Exact:
        return _collapse({monomial: q * factor for monomial, q in self._terms.items()})

    def written(self, number: Callable[[Fraction], str]) -> str:
        return joined(written_monomial(monomial, q, number) for monomial, q in self._terms.items())

    def latex(self) -> str:
        return joined(latex_monomial(monomial, q) for monomial, q in self._terms.items())

    def to_sympy(self) -> sympy.Expr:
        import sympy

        return sympy.Add(
            *(
                sympy.Mul(
                    sympy.Rational(q.numerator, q.denominator),
                    *(_factor(form).to_sympy() ** exponent for form, exponent in monomial),
                )
                for monomial, q in self._terms.items()
            )
        )

    def _exact_json(self) -> JSON:
        text = str(self) if len(self._terms) <= 8 else ""
        low, high = self.enclosure(80)
        return {
            **({"exact": text} if 0 < len(text) <= _SHORT else {}),
            "enclosure": [written(low), written(high)],
        }


class Undefined:
    """A value that no convention supplies, with its reason; for a mean, with the queries behind it.

    Equal to another of the same reason; `float`, arithmetic and order raise `UndefinedValue`.

    >>> Undefined("zero ideal") == Undefined("zero ideal")
    True
    """

    __slots__ = ("_queries", "_reason")

    def __init__(self, reason: str, queries: Iterable[str] = ()) -> None:
        self._reason = reason
        self._queries = tuple(queries)

    @property
    def reason(self) -> str:
        """Why there is no value."""
        return self._reason

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries that leave a mean undefined."""
        return self._queries

    def __eq__(self, other: object) -> bool:
        return self.reason == other.reason if isinstance(other, Undefined) else NotImplemented

    def __hash__(self) -> int:
        return hash((Undefined, self.reason))

    def __repr__(self) -> str:
        queries = f", {list(self.queries)!r}" if self.queries else ""
        return f"Undefined({self.reason!r}{queries})"

    def __str__(self) -> str:
        return f"undefined ({self.reason})"

    def to_json(self) -> JSON:
        """``{"undefined": reason}``, with ``queries`` where there are any."""
        return {
            "undefined": self.reason,
            **({"queries": list(self.queries)} if self.queries else {}),
        }

    def _refuse(self, *_: object) -> Any:
        queries = f" (queries {', '.join(self.queries)})" if self.queries else ""
        raise UndefinedValue(f"this value is undefined: {self.reason}{queries}")

    __float__ = __int__ = __neg__ = __pos__ = __abs__ = __round__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse


def y(b: int) -> Linear:
    """The discount ``1/log2(b)``.

    >>> print(y(6), y(8), y(3))
    1/log2(6) 1/3 a
    """
    return Linear({whole(b, "b", 2): 1})


# --- helpers ------------------------------------------------------------------------------

_ONE: Form = ((2, 1),)


def _operand(other: object, operation: str) -> Exact | None:
    if isinstance(other, Exact):
        return other
    if type(other) is int or type(other) is Fraction:
        return Linear.rational(other)
    if isinstance(other, Rational | Decimal | SupportsIndex):
        return Linear.rational(rational(other))
    if isinstance(other, Complex) or (hasattr(other, "__float__") and not isinstance(other, Undefined)):
        raise WrongKind(
            f"an exact value {operation} a {type(other).__name__} ({reprlib.repr(other)}) has no exact meaning: "
            "write the float as a Fraction, or compare float(value)"
        )
    return None


def _linear(value: Exact) -> Linear:
    assert isinstance(value, Linear)
    return value


@lru_cache(maxsize=256)
def _checked_scale(scale: str) -> tuple[int, str | None]:
    """``"log2(10)"`` or ``"10"`` to ``(1, "10")``; ``"4"`` to ``(2, None)``, for log2(4) is 2."""
    base = scale.removeprefix("log2(").removesuffix(")")
    if base == "e":
        return 1, base
    number = rational(base)
    if number <= 1 or _too_large(number.numerator):
        raise NdcgLabError(
            f"log2({base[:40]}) is no scale; the base is e or a rational above 1, of {MAX_BITS:,} bits at most"
        )
    root, exponent = primitive(int(number)) if isinstance(number, int) else (0, 0)
    return (exponent, None) if root == 2 else (1, str(number))


@lru_cache(maxsize=256)
def _logarithm(base: str) -> tuple[Form | str, int, int]:
    """``log2(base)`` as a form, its power and a whole factor: log2(9) is 2 y_3^-1."""
    if base == "e":
        return base, 1, 1
    number = Fraction(base)
    above, exponent = primitive(number.numerator)
    if number.denominator == 1:
        return ((above, 1),), -1, exponent
    below, other = primitive(number.denominator)
    shared = math.gcd(exponent, other)
    return f"{above ** (exponent // shared)}/{below ** (other // shared)}", 1, shared


def _too_large(b: int) -> bool:
    return b.bit_length() > MAX_BITS


@lru_cache(maxsize=1 << 14)
def _term_json(bases: tuple[int, ...], coefficients: tuple[int, ...], denominator: int, scale: str | None) -> JSON:
    """The JSON of a form of one term: the rows of a report hold the same few discounts and contributions."""
    return Exact.to_json(Linear._reduced(bases, coefficients, denominator, scale))


def _restored(terms: Mapping[int, object], scale: str | None) -> Linear:
    return Linear(terms, scale=scale)


def _outside_zero(bounds: Bounds) -> int:
    """The sign that an enclosure proves, or 0 where it proves none."""
    low, high, _ = bounds
    return 1 if low > 0 else -1 if high < 0 else 0


def _shortened(value: Exact) -> str:
    text = str(value)
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"


@lru_cache(maxsize=4096)  # a mean over queries, and each difference of two, meets the same forms again and again
def _factor(form: Form | str) -> Exact:
    if isinstance(form, str):
        return Linear({2: 1}, scale=form)
    return Linear(dict(form))


# Terms of linear forms.


class _Layout(NamedTuple):
    """Where the coefficients of given bases go: bases may repeat, and may be perfect powers.

    Attributes:
        size: the number of bases.
        roots: the distinct roots, rising.
        places: for each root the place where it occurs first as it is; `size` where it never does.
        powers: (which root, place, exponent) of all other bases.
    """

    size: int
    roots: tuple[int, ...]
    places: tuple[int, ...]
    powers: tuple[tuple[int, int, int], ...]


def _layout(bases: tuple[int, ...]) -> _Layout:
    first: dict[int, int] = {}
    others: list[tuple[int, int, int]] = []
    for place, b in enumerate(bases):
        if b < 2 or _too_large(b):
            raise NdcgLabError(f"b is {reprlib.repr(b)}, not a whole number from 2 up, of {MAX_BITS:,} bits at most")
        root, exponent = primitive(b)
        if exponent > 1 or root in first:
            others.append((root, place, exponent))
        else:
            first[root] = place
    for root, _, _ in others:
        first.setdefault(root, len(bases))
    roots = tuple(sorted(first))
    index = {root: at for at, root in enumerate(roots)}
    powers = tuple((index[root], place, exponent) for root, place, exponent in others)
    return _Layout(len(bases), roots, tuple(first[root] for root in roots), powers)


_kept_layout = lru_cache(maxsize=32)(_layout)  # a list's bases are the ranks' again and again


# Sums of monomials.


def _order(power: tuple[Form | str, int]) -> tuple[bool, Form, str, int]:
    form, exponent = power
    return (False, form, "", exponent) if isinstance(form, tuple) else (True, (), form, exponent)


def _monomial(powers: Mapping[Form | str, int]) -> Monomial:
    return tuple(sorted(((f, e) for f, e in powers.items() if e), key=_order))


def _sum(one: Mapping[Monomial, Fraction], other: Mapping[Monomial, Fraction]) -> dict[Monomial, Fraction]:
    total = dict(one)
    for monomial, q in other.items():
        total[monomial] = total.get(monomial, Fraction(0)) + q
    return {monomial: q for monomial, q in total.items() if q}


def _product(one: Exact, other: Exact) -> Exact:
    total: dict[Monomial, Fraction] = {}
    for left, p in one.monomials().items():
        for right, q in other.monomials().items():
            powers = dict(left)
            for form, exponent in right:
                powers[form] = powers.get(form, 0) + exponent
            key = _monomial(powers)
            total[key] = total.get(key, Fraction(0)) + p * q
    return _collapse({monomial: q for monomial, q in total.items() if q})


def _inverse(value: Exact) -> Exact:
    terms = value.monomials()
    if len(terms) != 1:
        if not value:
            raise ZeroDivisionError("division by 0")
        raise NdcgLabError(f"1/({_shortened(value)}) is outside the values held here")
    ((monomial, q),) = terms.items()
    return _collapse({tuple((form, -exponent) for form, exponent in monomial): 1 / q})


def _collapse(terms: dict[Monomial, Fraction]) -> Exact:
    """The plainest kind of value: terms that share their denominators add up to one numerator."""
    shared: dict[Monomial, Linear] = {}
    rest: dict[Monomial, Fraction] = {}
    for monomial, q in terms.items():
        above = [(form, e) for form, e in monomial if e > 0]
        if len(above) > 1 or any(e > 1 or isinstance(form, str) for form, e in above):
            rest[monomial] = q
            continue
        below = tuple((form, e) for form, e in monomial if e < 0)
        linear = _linear(_factor(above[0][0]) if above else Linear({2: 1}))._times(q)
        shared[below] = _linear(shared[below] + linear) if below in shared else linear
    parts: dict[Monomial, Fraction] = dict(rest)
    simple: list[tuple[Monomial, Linear]] = []
    for below, linear in shared.items():
        if not linear:
            continue
        content, form = linear.form()
        powers = dict(below)
        if form != _ONE:
            powers[form] = powers.get(form, 0) + 1
        key = _monomial(powers)
        parts[key] = parts.get(key, Fraction(0)) + content
        simple.append((below, linear))
    if not parts:
        return Linear()
    if not rest and len(simple) == 1:
        below, linear = simple[0]
        if not below:
            return linear
        if len(below) == 1 and below[0][1] == -1 and isinstance(below[0][0], tuple):
            return Quotient.of(linear, _linear(_factor(below[0][0])))
    if set(parts) == set(terms):
        return General._of(parts)
    return _collapse({monomial: q for monomial, q in parts.items() if q})


# Intervals at a fixed point of ``bits`` bits.


def _form_bounds(forms: Iterable[Form | str], bits: int) -> tuple[int, dict[Form | str, tuple[int, int]]]:
    """Bounds on ``2**bits`` times each form, at the first precision where all exclude 0."""

    def attempt(level: int) -> tuple[int, dict[Form | str, tuple[int, int]]] | None:
        known = {
            form: log2_bounds(form, level) if isinstance(form, str) else _factor(form).bounds(level)[:2]
            for form in forms
        }
        return (level, known) if all(low > 0 or high < 0 for low, high in known.values()) else None

    return decided(attempt, lambda: "whether a factor is above or below 0", least=bits)


def _interval(low: int, high: int, below: int, above: int, bits: int, times: bool) -> tuple[int, int]:
    """``[low, high]`` times or over ``[below, above]``, which excludes 0, rounded outward."""
    if above <= 0:
        low, high, below, above = -high, -low, -above, -below
    if times:
        low = low * (below if low >= 0 else above)
        high = high * (above if high >= 0 else below)
        return low >> bits, -(-high >> bits)
    low = (low << bits) // (above if low >= 0 else below)
    high = -(-(high << bits) // (below if high >= 0 else above))
    return low, high


a: Linear = Linear({3: 1})
