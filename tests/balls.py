"""An oracle for exact values: python-flint's balls, which share no code with this library."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from operator import add, mul, sub, truediv
from typing import TYPE_CHECKING, Any

from flint import arb, ctx, fmpq
from hypothesis import strategies as st

from ndcg_lab.exact.linear import Linear

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ndcg_lab.exact.values import Exact

__all__ = [
    "Pair",
    "differences",
    "ends",
    "form_ball",
    "forms",
    "fractions",
    "natural",
    "positive_forms",
    "precision",
    "quotients",
    "scaled",
    "values",
]


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with so many bits inside."""
    before, ctx.prec = ctx.prec, bits
    try:
        yield
    finally:
        ctx.prec = before


def ball(q: Fraction | int) -> arb:
    """A rational number."""
    return arb(fmpq(q.numerator, q.denominator))


def form_ball(terms: Mapping[int, Fraction | int], scale: str | None = None) -> arb:
    """``sum q/log2(b)``, times ``log2(scale)``."""
    total = sum((ball(q) * discount(b, ctx.prec) for b, q in terms.items()), arb(0))
    if scale is None:
        return total
    return total * (arb(1) if scale == "e" else ball(Fraction(scale)).log()) / arb(2).log()


@lru_cache(maxsize=4096)
def discount(b: int, bits: int) -> arb:
    with precision(bits):
        return arb(2).log() / arb(b).log()


def ends(number: arb) -> tuple[Fraction, Fraction]:
    """The rational ends of a ball."""
    middle, radius = (_fraction(part) for part in (number.mid(), number.rad()))
    return middle - radius, middle + radius


def _fraction(number: arb) -> Fraction:
    mantissa, exponent = number.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


@dataclass(frozen=True)
class Pair:
    """A value under test, and how to work out the same number in balls."""

    value: Exact
    oracle: Callable[[], arb]

    def ball(self, bits: int = 700) -> arb:
        with precision(bits):
            return self.oracle()

    def __repr__(self) -> str:
        return repr(self.value)


# What hypothesis draws; plain integers are what it draws quickly.

fractions = st.integers(-5_000, 5_000).map(lambda n: Fraction(n, 60))


def _linear(terms: dict[int, Fraction], scale: str | None = None) -> Pair:
    return Pair(Linear(terms, scale=scale), lambda: form_ball(terms, scale))


def _combined(one: Pair, operate: Callable[..., Any], other: Pair) -> Pair:
    return Pair(operate(one.value, other.value), lambda: operate(one.oracle(), other.oracle()))


def _folded(start: Pair, steps: list[tuple[Callable[..., Any], Pair]]) -> Pair:
    return reduce(lambda total, step: _combined(total, *step), steps, start)


_terms = st.dictionaries(st.integers(2, 40), fractions, max_size=6)
forms = _terms.map(_linear)
positive_forms = st.dictionaries(st.integers(2, 40), st.integers(1, 9).map(Fraction), min_size=1, max_size=5).map(
    _linear
)
scaled = st.tuples(_terms, st.sampled_from(["10", "3/2", "9", "4"])).map(lambda pair: _linear(*pair))
natural = _terms.map(lambda terms: _linear(terms, "e"))
quotients = st.tuples(forms, st.just(truediv), positive_forms).map(lambda parts: _combined(*parts))
differences = st.tuples(quotients, st.just(sub), quotients).map(lambda parts: _combined(*parts))
leaves = forms | quotients | scaled
values = st.tuples(
    leaves,
    st.lists(
        st.tuples(st.sampled_from([add, sub, mul]), leaves) | st.tuples(st.just(truediv), positive_forms), max_size=3
    ),
).map(lambda parts: _folded(*parts))
