"""Whole-number bounds on logarithms. Oracle: python-flint's balls at twice the precision."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ndcg_lab.exact.enclosures import LEVELS, log2_bounds, logarithms, primitive, y_floor
from tests.balls import ends, form_ball, precision

bases = st.integers(2, 10**4) | st.integers(2, 10**12) | st.integers(2, 2**200)


@given(bases, st.sampled_from(LEVELS[:5]) | st.integers(1, 400))
@example(3, 1)
@example(4093, 96)  # the largest prime that the series for p - 1 and p + 1 is used for
@example(4096, 96)
@example(4097, 96)
@example(2**200 + 1, 96)
@settings(max_examples=150)
def test_a_discount_lies_within_two_units_of_its_floor(b: int, bits: int) -> None:
    with precision(2 * bits + 300):
        low, high = ends(form_ball({b: 1}))
    floor = y_floor(bits)[b]
    assert floor <= high * 2**bits
    assert low * 2**bits <= floor + 2


@pytest.mark.parametrize("bits", LEVELS[-4:])
def test_the_highest_precisions(bits: int) -> None:
    for b in (3, 4093, 1_000_003):
        with precision(2 * bits):
            low, high = ends(form_ball({b: 1}))
        assert Fraction(y_floor(bits)[b], 2**bits) <= high
        assert low <= Fraction(y_floor(bits)[b] + 2, 2**bits)


@given(st.integers(1, 10**5), st.integers(60, 300))
def test_natural_logarithms(n: int, bits: int) -> None:
    with precision(2 * bits):
        low, high = ends(arb(n).log())
    below, above = logarithms(bits)[n]
    assert below <= high * 2**bits
    assert low * 2**bits <= above
    assert above - below < 2**40


@given(st.integers(1, 10**30), st.integers(1, 10**30), st.sampled_from(LEVELS[:3]))
@example(2**200, 1, 96)
def test_logarithms_of_bases(part: int, below: int, bits: int) -> None:
    base = Fraction(part, below) + 1
    with precision(3 * bits + 300):
        low, high = ends(form_ball({2: 1}, str(base)))
    lo, hi = log2_bounds(str(base), bits)
    assert 0 <= lo <= high * 2**bits
    assert low * 2**bits <= hi
    assert hi - lo <= 2 + high * 2


def test_the_logarithm_of_e() -> None:
    for bits in LEVELS[:6]:
        with precision(2 * bits):
            low, high = ends(form_ball({2: 1}, "e"))
        lo, hi = log2_bounds("e", bits)
        assert lo <= high * 2**bits
        assert low * 2**bits <= hi <= lo + 3


@given(st.integers(2, 10**6) | st.integers(2, 2**300), st.integers(1, 12))
@settings(max_examples=200)
def test_perfect_powers(n: int, exponent: int) -> None:
    root, power = primitive(n**exponent)
    assert root**power == n**exponent
    assert power % exponent == 0
    assert primitive(root) == (root, 1)


def test_the_first_perfect_powers() -> None:
    powers = {b for b in range(2, 5000) if primitive(b)[1] > 1}
    assert powers == {r**e for r in range(2, 71) for e in range(2, 13) if r**e < 5000}
