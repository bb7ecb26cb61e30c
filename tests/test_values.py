"""Exact values: arithmetic, order, correct rounding, printing. Oracles: Fraction, python-flint's balls, sympy."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from ndcg_lab.values import Linear, a

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
