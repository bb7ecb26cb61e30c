"""Quotients of two linear forms: every NDCG is one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ndcg_lab.exact.enclosures import decided
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.values import JSON, Bounds, Exact, outside_zero, shortened
from ndcg_lab.exact.writing import Monomial, joined, monomial, written_monomial

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    import sympy

__all__ = ["Quotient"]


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
        """The quotient of two forms of the same scale, the second not 0, collapsed where it can be."""
        numerator, denominator = numerator.unscaled(), denominator.unscaled()
        if denominator.is_rational:
            return numerator._times(1 / denominator.as_fraction())
        if numerator.vanishes():
            return numerator
        if (ratio := numerator.ratio(denominator)) is not None:
            return Linear.rational(ratio)
        self = object.__new__(Quotient)
        self._numerator, self._denominator = numerator, denominator
        return self

    def bounds(self, bits: int) -> Bounds:
        low, high, den = self.numerator.bounds(bits)
        below, above, under = decided(
            lambda level: found if outside_zero(found := self.denominator.bounds(level)) else None,
            lambda: f"the sign of the denominator {shortened(self.denominator)}",
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
        return {monomial({form: 1, other: -1}): over / under}

    def _plus(self, other: Exact) -> Exact:
        if isinstance(other, Linear) and other.is_rational:
            return Quotient.of(self.numerator.plus(self.denominator._times(other.as_fraction())), self.denominator)
        if isinstance(other, Quotient):
            mine, form = self.denominator.form()
            theirs, form2 = other.denominator.form()
            if form == form2:
                return Quotient.of(self.numerator.plus(other.numerator._times(mine / theirs)), self.denominator)
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
