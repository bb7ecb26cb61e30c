"""Exact values: arithmetic, order, correct rounding, printing. Oracles: Fraction, python-flint's balls, sympy."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.values import Linear, a, y

# Decimals.


def half_even(q: Fraction, digits: int) -> Fraction:
    """Rounded by the standard library's decimal arithmetic, which divides correctly rounded."""
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=10**6, Emin=-(10**6))
    return Fraction(context.divide(q.numerator, q.denominator))


@given(st.fractions(), st.integers(-400, 400), st.integers(1, 25))
def test_a_decimal_of_a_rational_is_what_decimal_arithmetic_gives(q: Fraction, exponent: int, digits: int) -> None:
    q *= Fraction(10) ** exponent
    assert Fraction(Linear({2: q}).decimal(digits)) == half_even(q, digits)


def test_a_decimal_keeps_its_digits_and_its_place() -> None:
    assert Linear({2: Fraction(62, 10**6)}).decimal(3) == "0.0000620"
    assert (a / 10_000).decimal(5) == "0.000063093"
    assert Linear({2: 10}).decimal(1) == "10"
    assert Linear({2: Fraction(1, 10**7)}).decimal(3) == "1.00e-7"


def test_a_decimal_just_above_a_power_of_ten_is_rounded_once() -> None:
    # Slightly above 10 + 1.5e-40 as a quotient, whose enclosure reaches below 10.
    value = ((10 + Fraction(3, 2 * 10**40)) * (1 + 2 * a) + a / 10**60) / (1 + 2 * a)
    assert value.decimal(41) == "10." + "0" * 39
    assert value.decimal(42) == "10." + "0" * 39 + "2"
    assert value.decimal(43) == "10." + "0" * 39 + "15"


# Scales: the factor log2(base) that another base of the logarithm brings.


def test_a_scale_that_is_rational_folds_into_the_terms() -> None:
    assert Linear({2: 1}, scale="4") == 2
    assert Linear({3: 1}, scale="log2(8)").terms == {3: 3}
    assert Linear({3: 1}, scale="2").scale is None


def test_scales_of_powers_of_one_base_are_whole_multiples() -> None:
    for one, times, other in (("9", 2, "3"), ("27", 3, "3"), ("9/4", 2, "3/2"), ("1000", 3, "10")):
        left, right = Linear({2: 1, 5: 2}, scale=one), Linear({2: times, 5: 2 * times}, scale=other)
        assert left.terms == {2: 1, 5: 2}
        assert left == right
        assert hash(left) == hash(right)
        assert left < right + Fraction(1, 10**30)
        assert (left + a) - (right + a) == 0


def test_a_scale_and_its_discount_cancel() -> None:
    assert Linear({10: 3}, scale="10") == 3
    assert hash(Linear({10: 3}, scale="10")) == hash(3)
    assert Linear({10: 3}, scale="10").decimal(5) == "3.0000"
    assert float(Linear({10: 3}, scale="10")) == 3.0


def test_a_base_next_to_1_has_bounds_around_its_logarithm() -> None:
    value = Linear({2: 2, 3: -3}, scale=f"{2**200 + 1}/{2**200}")
    for bits in (96, 192, 384):
        low, high, below = value.bounds(bits)
        assert Fraction(low, below) <= Fraction(high, below)
    # log2(1 + x) lies between x and 3x/2 for a small x, and 2 - 3a between 0.107 and 0.108.
    assert Fraction(107, 1000) < value * 2**200 < Fraction(162, 1000)


def test_a_base_beyond_the_stated_size_is_refused() -> None:
    for make in (lambda: y(10**400), lambda: Linear({2: 1}, scale="1" + "0" * 400), lambda: y(1), lambda: y(-3)):
        with pytest.raises(NdcgLabError):
            make()
