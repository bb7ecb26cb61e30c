"""Linear forms ``sum q_b y_b`` with ``y_b = 1/log2(b)``: every DCG is one.

Distinct b that are not perfect powers have logarithms that are not proportional, so equal values have equal mappings.
`y_2` is 1, and `a` stands for `y_3`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from itertools import compress
from operator import mul
from typing import TYPE_CHECKING, NamedTuple, Self

from ndcg_lab.errors import NdcgLabError, brief, require_package
from ndcg_lab.exact.enclosures import decided, log2_bounds, primitive, y_floor
from ndcg_lab.exact.rationals import Number, rational, whole, written
from ndcg_lab.exact.values import JSON, Bounds, Exact, outside_zero, shortened
from ndcg_lab.exact.writing import Form, Monomial, latex_base, latex_form, monomial, written_form
from ndcg_lab.limits import BASE_BITS, beyond

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import sympy

__all__ = ["Linear", "a", "y"]

_FEW = 8  # The layout of so few bases is quickly made.


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
        return None if self._scale is None else f"log2({self._scale})"

    @property
    def is_rational(self) -> bool:
        if self._scale is None:
            return self._bases in ((), (2,))
        return len(self._bases) == 1 and _quotient_of_logs(self._scale, self._bases[0]) > 0

    def as_fraction(self) -> Fraction:
        if not self.is_rational:
            return super().as_fraction()
        number = self._coefficients[0] if self._bases else 0
        if self._scale is not None:
            number *= _quotient_of_logs(self._scale, self._bases[0])
        return Fraction(number, self._denominator)

    def bounds(self, bits: int) -> Bounds:
        if self.is_rational:
            number = self.as_fraction()
            return number.numerator, number.numerator, number.denominator
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
            lambda bits: outside_zero(self.bounds(bits)) or None,
            lambda: f"{shortened(self)} is not 0, but its sign",
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

    def __hash__(self) -> int:
        if self._scale == "e":  # equal to its own kind alone
            return hash((self._bases, self._coefficients, self._denominator))
        return super().__hash__()

    def ratio(self, other: Linear) -> Fraction | None:
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
        if self._scale is None:
            return {monomial({form: 1}): content}
        if self._scale == "e":
            raise NdcgLabError(
                f"{shortened(self)} is outside the values that are added and multiplied: it holds log2(e)"
            )
        # log2(p/q) is 1/y_p - 1/y_q, and 1/y_p is the exponent of p over the y of its root.
        base = Fraction(self._scale)
        found: dict[Monomial, Fraction] = {}
        for number, sign in ((base.numerator, 1), (base.denominator, -1)):
            if number > 1:
                root, exponent = primitive(number)
                under: Form = ((root, 1),)
                key = monomial({form: 0} if form == under else {form: 1, under: -1})
                found[key] = found.get(key, Fraction(0)) + sign * exponent * content
        return found

    def _plus(self, other: Exact) -> Exact:
        if isinstance(other, Linear) and (self._scale == other._scale or not self._bases or not other._bases):
            return self.plus(other)
        return super()._plus(other)

    def plus(self, other: Linear) -> Linear:
        """The sum of two forms of one scale."""
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
        if self._scale is None:
            return self
        return Linear._reduced(self._bases, self._coefficients, self._denominator, None)

    def written(self, number: Callable[[Fraction], str]) -> str:
        if self.is_rational:
            return written_form([(2, self.as_fraction())], number) if self._bases else "0"
        text = written_form(self.terms.items(), number)
        if self._scale is None:
            return text
        if len(self._bases) > 1:
            return f"{self.scale}*({text})"
        return f"{text.removesuffix('1')}{self.scale}" if text in {"1", "-1"} else f"{text}*{self.scale}"

    def latex(self) -> str:
        if self.is_rational:
            return latex_form([(2, self.as_fraction())]) if self._bases else "0"
        text = latex_form(self.terms.items())
        if self._scale is None:
            return text
        factor = rf"\log_2 {latex_base(self._scale)}"
        if len(self._bases) > 1:
            return rf"{factor} \left({text}\right)"
        return f"{text.removesuffix('1')}{factor}" if text in {"1", "-1"} else rf"{text} \, {factor}"

    def to_sympy(self) -> sympy.Expr:
        require_package("sympy", "`to_sympy`")
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


def y(b: int) -> Linear:
    """The discount ``1/log2(b)``.

    >>> print(y(6), y(8), y(3))
    1/log2(6) 1/3 a
    """
    return Linear({whole(b, "b", 2): 1})


def _restored(terms: Mapping[int, object], scale: str | None) -> Linear:
    return Linear(terms, scale=scale)


@lru_cache(maxsize=256)
def _checked_scale(scale: str) -> tuple[int, str | None]:
    """``"log2(10)"`` or ``"10"`` to ``(1, "10")``; ``"4"`` to ``(2, None)``, for log2(4) is 2."""
    base = scale.removeprefix("log2(").removesuffix(")")
    if base == "e":
        return 1, base
    number = rational(base)
    if number <= 1 or _too_large(number.numerator):
        raise NdcgLabError(
            f"log2({base[:40]}) is no scale; the base is e or a rational above 1, its bits are {beyond('BASE_BITS')}"
        )
    root, exponent = primitive(number) if isinstance(number, int) else (0, 0)
    return (exponent, None) if root == 2 else (1, written(number))


@lru_cache(maxsize=256)
def _quotient_of_logs(scale: str, b: int) -> int:
    """``log2(100)/log2(10)`` is 2; 0 where a scale's base is no power of b."""
    root, exponent = primitive(int(scale)) if scale.isdigit() else (0, 0)
    return exponent if root == b else 0


def _too_large(b: int) -> bool:
    return b.bit_length() > BASE_BITS


@lru_cache(maxsize=1 << 14)
def _term_json(bases: tuple[int, ...], coefficients: tuple[int, ...], denominator: int, scale: str | None) -> JSON:
    """The JSON of a form of one term: the rows of a report hold the same few discounts and contributions."""
    return Exact.to_json(Linear._reduced(bases, coefficients, denominator, scale))


# Where terms go.


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
            raise NdcgLabError(f"b is {brief(b)}, not a whole number from 2 up, its bits are {beyond('BASE_BITS')}")
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


a: Linear = Linear({3: 1})
