"""Sums of products of powers of linear forms: what differences of NDCGs and means are."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from ndcg_lab.errors import NdcgLabError, require_package
from ndcg_lab.exact.enclosures import decided
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.quotient import Quotient
from ndcg_lab.exact.rationals import written
from ndcg_lab.exact.values import JSON, SHORT, Bounds, Exact, shortened
from ndcg_lab.exact.writing import Form, Monomial, joined, latex_monomial, monomial, written_monomial
from ndcg_lab.limits import TERMS, beyond

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import sympy

__all__ = ["General", "added", "divided", "multiplied"]


class General(Exact):
    """A sum of products of powers of linear forms: what means and differences of NDCGs are.

    >>> from ndcg_lab import a
    >>> difference = 4 / (4 + 2 * a) - 2 / (3 + a)
    >>> print(difference)
    2/(2 + a) - 2/(3 + a)
    """

    __slots__ = ("_terms",)

    _terms: dict[Monomial, Fraction]

    @classmethod
    def of(cls, terms: dict[Monomial, Fraction]) -> General:
        """The sum of ``coefficient * product``; `collected` makes the plainest kind of value of such terms."""
        self = object.__new__(cls)
        self._terms = terms
        return self

    def monomials(self) -> dict[Monomial, Fraction]:
        return dict(self._terms)

    def bounds(self, bits: int) -> Bounds:
        forms = {form for factors in self._terms for form, _ in factors}
        bits, known = _form_bounds(forms, bits)
        low = high = 0
        shared = math.lcm(*(q.denominator for q in self._terms.values()))
        for factors, q in self._terms.items():
            below, above = 1 << bits, 1 << bits
            # Above the line first: what is large there is not divided away to nothing before.
            for form, exponent in sorted(factors, key=lambda power: power[1] < 0):
                for _ in range(abs(exponent)):
                    below, above = _interval(below, above, *known[form], bits, exponent > 0)
            weight = q.numerator * (shared // q.denominator)
            if weight < 0:
                below, above = above, below
            low, high = low + weight * below, high + weight * above
        return low, high, shared << bits

    def _times(self, factor: Fraction) -> Exact:
        return collected({key: q * factor for key, q in self._terms.items()})

    def written(self, number: Callable[[Fraction], str]) -> str:
        return joined(written_monomial(key, q, number) for key, q in self._terms.items())

    def latex(self) -> str:
        return joined(latex_monomial(key, q) for key, q in self._terms.items())

    def to_sympy(self) -> sympy.Expr:
        require_package("sympy", "`to_sympy`")
        import sympy

        return sympy.Add(
            *(
                sympy.Mul(
                    sympy.Rational(q.numerator, q.denominator),
                    *(_factor(form).to_sympy() ** exponent for form, exponent in key),
                )
                for key, q in self._terms.items()
            )
        )

    def _exact_json(self) -> JSON:
        text = str(self) if len(self._terms) <= 8 else ""
        low, high = self.enclosure(80)
        return {
            **({"exact": text} if 0 < len(text) <= SHORT else {}),
            "enclosure": [written(low), written(high)],
        }


# --- arithmetic ---------------------------------------------------------------------------


def added(one: Exact, other: Exact) -> Exact:
    """The sum of two values that are not both linear, or of unlike scales."""
    if isinstance(one, Linear) and isinstance(other, Quotient):
        return other + one
    total = one.monomials()
    for key, q in other.monomials().items():
        total[key] = total.get(key, Fraction(0)) + q
    return collected(total)


def multiplied(one: Exact, other: Exact) -> Exact:
    """The product of two values of which neither is rational."""
    for scaled, plain in ((one, other), (other, one)):  # what another base scales: an NDCG times its ideal is DCG
        if isinstance(scaled, Linear) and scaled.scale and not plain.scale:
            product = scaled.unscaled() * plain
            if isinstance(product, Linear):
                return Linear(product.terms, scale=scaled.scale)
    total: dict[Monomial, Fraction] = {}
    mine, theirs = one.monomials(), other.monomials()
    if len(mine) * len(theirs) > TERMS:
        raise NdcgLabError(f"a product of {len(mine):,} and {len(theirs):,} terms: products are {beyond('TERMS')}")
    for left, p in mine.items():
        for right, q in theirs.items():
            powers = dict(left)
            for form, exponent in right:
                powers[form] = powers.get(form, 0) + exponent
            key = monomial(powers)
            total[key] = total.get(key, Fraction(0)) + p * q
    return collected(total)


def divided(one: Exact, other: Exact) -> Exact:
    """One value over another that is not rational."""
    if isinstance(one, Linear) and isinstance(other, Linear) and (one.scale == other.scale or one.vanishes()):
        return Quotient.of(one, other)
    if isinstance(other, Quotient) and other.numerator.is_rational:
        return one * (other.denominator * (1 / other.numerator.as_fraction()))
    terms = other.monomials()
    if len(terms) != 1:
        if not other:
            raise ZeroDivisionError("division by 0")
        raise NdcgLabError(f"1/({shortened(other)}) is outside the values held here")
    ((key, q),) = terms.items()
    return one * collected({tuple((form, -exponent) for form, exponent in key): 1 / q})


def collected(terms: dict[Monomial, Fraction]) -> Exact:
    """The plainest kind of value: terms that share their denominators add up to one numerator."""
    terms = {key: q for key, q in terms.items() if q}
    shared: dict[Monomial, Linear] = {}
    parts: dict[Monomial, Fraction] = {}
    for key, q in terms.items():
        above = [(form, e) for form, e in key if e > 0]
        if len(above) > 1 or any(e > 1 for _, e in above):
            parts[key] = q
            continue
        below = tuple((form, e) for form, e in key if e < 0)
        linear = (_factor(above[0][0]) if above else _ONE)._times(q)
        shared[below] = shared[below].plus(linear) if below in shared else linear
    simple = [(below, linear) for below, linear in shared.items() if not linear.vanishes()]
    if not parts and not simple:
        return _ZERO
    if not parts and len(simple) == 1:
        ((below, linear),) = simple
        if not below:
            return linear
        if len(below) == 1 and below[0][1] == -1:
            return Quotient.of(linear, _factor(below[0][0]))
    for below, linear in simple:
        content, form = linear.form()
        powers = dict(below)
        powers[form] = powers.get(form, 0) + 1
        key = monomial(powers)
        parts[key] = parts.get(key, Fraction(0)) + content
    parts = {key: q for key, q in parts.items() if q}
    return General.of(parts) if set(parts) == set(terms) else collected(parts)


_ZERO, _ONE = Linear(), Linear.rational(1)


@lru_cache(maxsize=4096)  # a mean over queries, and each difference of two, meets the same forms again and again
def _factor(form: Form) -> Linear:
    return Linear(dict(form))


# --- intervals at a fixed point of ``bits`` bits ------------------------------------------


def _form_bounds(forms: Iterable[Form], bits: int) -> tuple[int, dict[Form, tuple[int, int]]]:
    """Bounds on ``2**bits`` times each form, at the first precision where all exclude 0."""

    def attempt(level: int) -> tuple[int, dict[Form, tuple[int, int]]] | None:
        known = {form: _factor(form).bounds(level)[:2] for form in forms}
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
