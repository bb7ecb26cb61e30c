"""Format specifications and `round`: the digits of floats where a float has them, and beyond."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_lab import Undefined, a, parse
from ndcg_lab.errors import UndefinedValue
from ndcg_lab.exact.linear import Linear

SPECS = ["f", ".0f", ".3f", "8.2f", ">+10.4f", "<12.1f", "^12.3e", ".2e", ".0e", ".5g", "g", "010.3f", "*>9.1f", ".3"]
SPECS += [",.2f", "_.1f", "%", ".1%", "+.2%", " .3f", "=+9.2f", ".3E", ".4G", ".1F"]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("number", ["0", "1", "-5/8", "1234567/8", "1/1024", "-12345678901", "3/4"])
def test_a_number_that_a_double_holds_is_formatted_as_a_double(spec: str, number: str) -> None:
    assert format(parse(number), spec) == format(float(Fraction(number)), spec)


@given(st.floats(1e-6, 1e9), st.integers(0, 12), st.sampled_from("feg"))
def test_random_doubles_too(number: float, places: int, kind: str) -> None:
    spec = f".{places}{kind}"
    assert format(Linear.rational(Fraction(number)), spec) == format(number, spec)


def test_digits_come_from_the_exact_value() -> None:
    with localcontext(prec=60):
        exact = Decimal(2).ln() / Decimal(3).ln()
    assert f"{a:.40f}" == f"{exact:.40f}"
    assert f"{a:.30g}" == f"{exact:.30g}"
    assert f"{a:.25e}" == f"{exact:.25e}".replace("e-1", "e-01")  # two digits at least, as a float has
    assert f"{a:+045.30f}" == f"{exact:+045.30f}"
    assert f"{Linear.rational(10**20 + 1):_.2f}" == "100_000_000_000_000_000_001.00"
    assert f"{parse('1/2') * 10**30:.20g}" == "5e+29"
    assert f"{Linear.rational(10**400):.2e}" == "1.00e+400"
    assert f"{parse('1/8'):.2f}" == "0.12"  # half to even
    assert (f"{a:>8}", f"{a:d}", f"{Fraction(7, 2) + a:>9d}") == ("       a", "a", "  3.5 + a")


def test_values_and_undefined_ones_stand_in_one_column() -> None:
    column = [f"{value:>24.4f}" for value in (a, Undefined("zero ideal"), parse("1/2"))]
    assert column == [f"{'0.6309':>24}", f"{'undefined (zero ideal)':>24}", f"{'0.5000':>24}"]
    assert f"{Undefined('x'):<15.2f}|" == "undefined (x)  |"
    assert f"{Undefined('x')}" == "undefined (x)"


@pytest.mark.parametrize("spec", ["x", ".f3", "..", "3.2q", "b", ".99999f"])
def test_what_is_no_format_is_refused_alike(spec: str) -> None:
    for value in (a, Undefined("zero ideal")):
        with pytest.raises(ValueError, match="unknown format"):
            format(value, spec)


def test_round() -> None:
    assert (round(a), round(-a), round(parse("1/2")), round(parse("3/2"))) == (1, -1, 0, 2)
    assert all(type(round(value)) is int for value in (a, parse("1/2")))
    assert repr(round(a, 4)) == "0.6309"
    assert round(parse("1/8"), 2) == round(0.125, 2)
    assert round(Linear.rational(1250), -2) == 1200.0
    assert round(Undefined("zero ideal"), 4) == Undefined("zero ideal")
    with pytest.raises(UndefinedValue, match="zero ideal"):
        round(Undefined("zero ideal"))
    assert [round(value, 3) for value in (a, Undefined("x"))] == [0.631, Undefined("x")]


@given(st.fractions(), st.integers(0, 9))
def test_round_is_that_of_fractions(number: Fraction, places: int) -> None:
    value = Linear.rational(number)
    assert round(value) == round(number)
    assert math.isclose(round(value, places), float(round(number, places)), rel_tol=0, abs_tol=0)
