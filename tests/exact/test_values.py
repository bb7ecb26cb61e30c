"""Exact values: arithmetic, order, correct rounding, printing. Oracles: Fraction, decimal, python-flint, sympy."""

from __future__ import annotations

import copy
import math
import operator
import pickle
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sympy
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ndcg_lab import parse
from ndcg_lab.certificate import certify, check, sentence
from ndcg_lab.errors import NdcgLabError, Undecided, UndefinedValue
from ndcg_lab.exact import algebra, enclosures
from ndcg_lab.exact.general import General
from ndcg_lab.exact.linear import Linear, a, y
from ndcg_lab.exact.quotient import Quotient
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from tests.balls import Pair, differences, ends, form_ball, forms, fractions, natural, positive_forms, scaled, values

if TYPE_CHECKING:
    from collections.abc import Callable

# 1 and 5/3, held as sums that no structure short of the relations shows to be rational.
ONE = a * y(6) + y(6) - a + 1
FIVE_THIRDS = y(15) * y(45) + a * y(45) - a * y(15) + Fraction(5, 3)  # for 45 is 3 * 15


def dcg(gains: list[int]) -> Linear:
    return Linear.weighted(gains, range(2, len(gains) + 2))


def ndcg(gains: list[int]) -> Exact:
    return dcg(gains) / dcg(sorted(gains, reverse=True))


def exponential(grades: list[int]) -> list[int]:
    return [2**grade - 1 for grade in grades]


# How forms are made.


@given(st.lists(st.tuples(st.integers(2, 300), fractions), max_size=20), st.integers(1, 60))
def test_weighted_terms_fold_perfect_powers_into_their_roots(pairs: list[tuple[int, Fraction]], below: int) -> None:
    expected: dict[int, Fraction] = {}
    for b, q in pairs:
        root, exponent = next((r, e) for r in range(2, b + 1) for e in range(1, 10) if r**e == b)
        expected[root] = expected.get(root, Fraction(0)) + q / exponent / below
    value = Linear.weighted([q for _, q in pairs], [b for b, _ in pairs], denominator=below)
    assert value.terms == {b: q for b, q in sorted(expected.items()) if q}
    assert list(value.terms) == sorted(value.terms)
    assert value == sum((q * y(b) for b, q in pairs), Linear()) / below


def test_coefficients_and_bases_go_in_pairs() -> None:
    with pytest.raises(ValueError, match="2 coefficients for 3 bases"):
        Linear.weighted([1, 2], [2, 3, 4])


def test_the_discounts_of_the_first_ranks() -> None:
    assert [y(rank + 1) for rank in (1, 3, 7, 15)] == [1, Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)]
    assert [y(rank + 1) for rank in (2, 8, 26)] == [a, a / 2, a / 3]


# Ring laws.


@settings(max_examples=40)
@given(values, values, values)
def test_sums_and_products_are_those_of_a_ring(x: Pair, v: Pair, w: Pair) -> None:
    one, two, three = x.value, v.value, w.value
    laws = [
        (one + two, two + one),
        (one * two, two * one),
        ((one + two) + three, one + (two + three)),
        (one - two, -(two - one)),
        (one + 0, one),
        (one * 1, one),
        (one * 0, Linear()),
        (one - one, Linear()),
        (one / 3 * 3, one),
        (2 * one - one, one),
    ]
    for left, right in laws:
        assert left == right
        assert hash(left) == hash(right)


@settings(max_examples=40)
@given(forms, forms, forms, positive_forms, positive_forms)
def test_products_distribute_and_quotients_undo_products(x: Pair, v: Pair, w: Pair, p: Pair, q: Pair) -> None:
    one, two, three, below, under = (pair.value for pair in (x, v, w, p, q))
    laws = [
        (one * (two + three), one * two + one * three),
        ((one * two) * three, one * (two * three)),
        (one / below * below, one),
        (one / below / under, one / (below * under)),
        ((one + two) / below, one / below + two / below),
        (one / below - one / under, one * (under - below) / below / under),
        (1 / (below / under), under / below),
    ]
    for left, right in laws:
        assert left == right
        assert hash(left) == hash(right)
        assert operator.ne(left, right) is False


@given(fractions, fractions)
def test_rational_values_are_fractions(p: Fraction, q: Fraction) -> None:
    value = Linear({2: p})
    assert value == p
    assert p == value
    assert hash(value) == hash(p)
    assert (value < q, value <= q, value > q, value >= q) == (p < q, p <= q, p > q, p >= q)
    assert (q < value, q <= value) == (q < p, q <= p)
    for result, expected in ((value + q, p + q), (q - value, q - p), (value * q, p * q)):
        assert result == expected
    assert value.is_rational
    assert value.as_fraction() == p
    assert {value: "here"}[Linear.rational(p)] == {p: "here"}[p]


def test_equal_values_are_one_element_of_a_set() -> None:
    same = {a / (1 + a), y(6), (2 * a) / (2 + 2 * a), 1 / (1 + 1 / a), y(36) * 2}
    assert len(same) == 1
    assert len({ONE, 1, Fraction(1), Linear.rational(1), ndcg([3, 2, 1])}) == 1
    assert {FIVE_THIRDS: 1}[Linear({2: Fraction(5, 3)})] == 1


P = 2**61 - 1  # the modulus of Python's hashes


def forms_without_residue() -> list[Linear]:
    """Forms that are 0 in the numbers that stand for logarithms, to one digit and to two."""
    found = []
    for digits in (1, 2):
        three, five = (algebra._y(b, P, digits, 0)[0] for b in (3, 5))
        found += [Linear({3: five, 5: -three}), Linear({2: three % P**digits, 3: -1})]
    return found


@pytest.mark.parametrize("zero", [a * y(6) + y(6) - a, y(15) * y(45) + a * y(45) - a * y(15)], ids=str)
@pytest.mark.parametrize(
    "q",
    [
        Fraction(-1, P),
        Fraction(1, P),
        Fraction(7, 3 * P**2),
        Fraction(P),
        Fraction(-P, 2),
        Fraction(-1),
        Fraction(5, 7),
    ],
    ids=str,
)
def test_a_fraction_in_disguise_hashes_as_it_does(zero: Exact, q: Fraction) -> None:
    assert zero + q == q
    assert hash(zero + q) == hash(q)
    assert hash(zero / P + q) == hash(q)
    assert hash((zero + q) / (1 + a)) == hash(q / (1 + a))
    assert hash(zero * P + q) == hash(q)


def test_what_has_no_residue_below_the_line_hashes_as_its_equals() -> None:
    for form in forms_without_residue():
        assert algebra.residue(form.monomials(), P, seed=0) == 0
        assert algebra.residue((1 / form).monomials(), P, seed=0) is None
        for q in (Fraction(3, 4), Fraction(-1, P)):
            whole = (form * (a * y(6)) + form * (y(6) - a)) / form + q  # q, over a line that has no residue
            assert hash(whole) == hash(q)
        assert hash(form * a / form) == hash(a)
        assert hash(form / (2 * form + 1) + a) == hash((form + a + 2 * form * a) / (2 * form + 1))
        sums = form * (1 + a), form + form * a
        assert sums[0] == sums[1]
        assert hash(1 + sums[0] / form / form) == hash(1 + sums[1] / form / form)
        assert hash(-1 / form) == -hash(1 / form)


# Order.


@settings(max_examples=100)
@given(values, values)
def test_order_is_what_balls_show(x: Pair, v: Pair) -> None:
    low, high = ends(x.ball() - v.ball())
    one, two = x.value, v.value
    if low > 0 or high < 0:
        sign = 1 if low > 0 else -1
        assert one != two
    else:
        sign = 0
        assert one == two
        assert hash(one) == hash(two)
    assert (one < two, one <= two, one > two, one >= two) == (sign < 0, sign <= 0, sign > 0, sign >= 0)
    assert (one - two).sign() == sign
    assert bool(one - two) == (sign != 0)
    assert abs(one - two) == (one - two) * sign


@given(values)
def test_an_enclosure_is_narrow_and_holds_the_number(x: Pair) -> None:
    low, high = ends(x.ball())
    for bits in (1, 20, 80, 300):
        below, above = x.value.enclosure(bits)
        assert below <= high
        assert low <= above
        assert (above - below) * 2**bits <= min(abs(below), abs(above))


def test_near_ties_are_told_apart() -> None:
    first = dcg([36, 32, 18, 6, 35, 36, 0, 3, 36, 27])
    second = dcg([32, 35, 36, 18, 3, 0, 36, 27, 6, 36])
    ideal = dcg(sorted([36, 32, 18, 6, 35, 36, 0, 3, 36, 27], reverse=True))
    assert second > first
    assert second / ideal > first / ideal
    low, high = ((second - first) / first).enclosure(20)
    assert Fraction(33, 10**18) < low < high < Fraction(35, 10**18)


def test_exact_ties_that_floats_tell_apart() -> None:
    assert dcg([0, 0, 4, 0, 0, 0, 1]) == dcg([1, 0, 0, 0, 0, 0, 4]) == Fraction(7, 3)
    assert dcg([2, 3, 2, 0, 0, 0, 0, 0]) == dcg([3, 2, 0, 0, 0, 0, 0, 2]) == 3 + 3 * a


def test_equal_quotients_under_different_ideals() -> None:
    lone = dcg([0, 0, 0, 0, 1]) / dcg([1])
    pair = dcg([0, 1, 0, 0, 0]) / dcg([1, 1])
    assert lone == pair == 1 / y(2) * y(6)
    assert hash(lone) == hash(pair)
    assert dcg([0, 0, 3]) / dcg([3]) == dcg([1, 0]) / Linear.rational(2) == Fraction(1, 2)


def test_one_is_told_from_what_prints_as_one() -> None:
    value = ndcg(exponential([60, 0, 1]))
    assert float(value) == 1.0
    assert not value.is_one
    assert value < 1
    low, high = (1 - value).enclosure(20)
    assert Fraction(10, 10**20) < low < high < Fraction(12, 10**20)
    assert ndcg(exponential([60, 1, 0])).is_one
    assert ONE.is_one


def test_gains_beyond_the_doubles() -> None:
    gains = exponential([3, 1024, 0, 1023])
    value = ndcg(gains)
    # Balls of 3,000 bits: (7 + a (2^1024 - 1) + (2^1023 - 1)/log2(5)) / ((2^1024 - 1) + a (2^1023 - 1) + 7/2).
    parts = [dict(enumerate(order, 2)) for order in (gains, sorted(gains, reverse=True))]
    total = Pair(value, lambda: form_ball(parts[0]) / form_ball(parts[1]))
    low, high = ends(total.ball(3000))
    assert float(low) == float(high) == float(value)
    ideal = dcg(sorted(gains, reverse=True))
    assert float(ideal) == math.inf
    assert ideal.to_json()["float"] is None
    assert float(-ideal) == -math.inf


# The nearest double.


def nearest_double(q: Fraction) -> float:
    try:
        return float(q)
    except OverflowError:
        return math.inf if q > 0 else -math.inf


@settings(max_examples=100)
@given(values, st.integers(-1100, 1100))
def test_a_double_is_the_nearest(x: Pair, exponent: int) -> None:
    factor = Fraction(2) ** exponent
    low, high = ends(x.ball(900))
    if low <= 0 <= high:
        assert float(x.value * factor) == 0
        return
    assert nearest_double(low * factor) == nearest_double(high * factor)  # 900 bits are enough, else tell
    assert float(x.value * factor) == nearest_double(low * factor)


doubles = st.floats(min_value=0, allow_nan=False, allow_infinity=False)


@settings(max_examples=60)
@given(doubles, st.integers(60, 700), st.sampled_from([1, -1]))
@example(0.0, 300, 1)
@example(5e-324, 300, -1)
@example(2.2250738585072009e-308, 200, 1)
@example(1.7976931348623157e308, 300, -1)
@example(1.7976931348623157e308, 300, 1)
def test_a_double_next_to_the_middle_of_two(low: float, shift: int, sign: int) -> None:
    high = math.nextafter(low, math.inf)
    middle = (Fraction(low) + (Fraction(high) if math.isfinite(high) else Fraction(2**1024))) / 2
    nudged = middle + sign * a * middle / 2**shift
    expected = high if sign > 0 else low
    assert float(nudged) == expected
    assert float(-nudged) == -expected
    even = nearest_double(middle)
    assert float(Linear.rational(middle)) == even
    assert float(middle * ONE) == even
    assert float(Linear({10: middle}, scale="10")) == even


def test_the_ends_of_the_doubles() -> None:
    tiny = Fraction(1, 2**1075)
    assert float(Linear.rational(tiny)) == 0.0
    assert float(tiny * (1 + a / 2**500)) == 5e-324
    assert float(tiny * (1 - a / 2**500)) == 0.0
    last = Fraction(2) ** 1024 - Fraction(2) ** 970
    assert float(Linear.rational(last)) == math.inf
    assert float(last - a) == 1.7976931348623157e308
    assert float(last + a) == math.inf
    assert float(-last - a) == -math.inf


def test_a_small_number_left_over_by_cancelling_keeps_its_sign_in_zero() -> None:
    small = (a - Fraction(63092975357145743709952711434276085, 10**35)) / 10**400
    assert small.sign() != 0
    assert math.copysign(1, float(small)) == small.sign()
    assert math.copysign(1, float(-small)) == -small.sign()


# Decimals.


def half_even(q: Fraction, digits: int) -> Decimal:
    """Rounded by the standard library's decimal arithmetic, which divides correctly rounded."""
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=10**6, Emin=-(10**6))
    return context.divide(q.numerator, q.denominator)


@given(st.fractions(), st.integers(-400, 400), st.integers(1, 25))
def test_a_decimal_of_a_rational_is_what_decimal_arithmetic_gives(q: Fraction, exponent: int, digits: int) -> None:
    q *= Fraction(10) ** exponent
    assert Fraction(Linear({2: q}).decimal(digits)) == Fraction(half_even(q, digits))


@settings(max_examples=80)
@given(values, st.integers(-30, 30), st.integers(1, 60))
def test_a_decimal_is_correctly_rounded(x: Pair, exponent: int, digits: int) -> None:
    factor = Fraction(10) ** exponent
    low, high = ends(x.ball(900))
    text = (x.value * factor).decimal(digits)
    if low <= 0 <= high:
        assert text == "0"
        return
    assert half_even(low * factor, digits) == half_even(high * factor, digits) == Decimal(text)
    shown = Decimal(text)
    if "e" in text:
        assert not -6 <= shown.adjusted() <= 20
        assert len(shown.as_tuple().digits) == digits
    else:
        assert -6 <= shown.adjusted() <= 20
        assert len(shown.as_tuple().digits) == max(digits, shown.adjusted() + 1)


@pytest.mark.parametrize(
    ("q", "digits", "text"),
    [
        ("0", 5, "0"),
        ("62e-6", 3, "0.0000620"),
        ("1/8", 2, "0.12"),
        ("3/8", 2, "0.38"),
        ("9.995", 3, "10.0"),
        ("9.985", 3, "9.98"),
        ("99.95", 3, "100"),
        ("0.9995", 3, "1.00"),
        ("10", 1, "10"),
        ("12345", 2, "12000"),
        ("-2.5", 1, "-2"),
        ("1e-6", 3, "0.00000100"),
        ("1e-7", 3, "1.00e-7"),
        ("99999949e-14", 3, "0.00000100"),
        ("1e20", 3, "100000000000000000000"),
        ("1e21", 3, "1.00e+21"),
        ("999999999999999999999", 3, "1.00e+21"),
        ("1e21", 1, "1e+21"),
    ],
)
def test_how_decimals_are_written(q: str, digits: int, text: str) -> None:
    for value in (Linear({2: q}), ONE * Fraction(q), Linear({10: q}, scale="10")):
        assert value.decimal(digits) == text


def test_a_decimal_just_above_a_power_of_ten_is_rounded_once() -> None:
    # Slightly above 10 + 1.5e-40 as a quotient, whose enclosure reaches below 10.
    value = ((10 + Fraction(3, 2 * 10**40)) * (1 + 2 * a) + a / 10**60) / (1 + 2 * a)
    assert value.decimal(41) == "10." + "0" * 39
    assert value.decimal(42) == "10." + "0" * 39 + "2"
    assert value.decimal(43) == "10." + "0" * 39 + "15"


@given(fractions, st.integers(0, 4))
def test_places_are_rounded_half_to_even_and_half_away(q: Fraction, places: int) -> None:
    for value in (Linear({2: q}), ONE * q):
        assert Decimal(value.fixed(places)) == Decimal(str(round(q, places) * 10**places)).scaleb(-places)
        assert len(value.fixed(places).partition(".")[2]) == places
        away = math.floor(abs(q) * 10**places + Fraction(1, 2)) * (1 if q > 0 else -1)
        assert value.rounded(places) == Fraction(away, 10**places)


def test_halves_and_what_is_next_to_them() -> None:
    half = Fraction(1, 8)
    assert (Linear.rational(half).fixed(2), Linear.rational(half).rounded(2)) == ("0.12", Fraction(13, 100))
    assert ((half + a / 10**50).fixed(2), (half - a / 10**50).rounded(2)) == ("0.13", Fraction(12, 100))
    assert (-Linear.rational(half)).rounded(2) == Fraction(-13, 100)
    assert Linear.rational(1250).rounded(-2) == 1300
    assert f"{a:.4f}" == "0.6309"
    assert f"{-a / 1000:.2f}" == "0.00"


def test_counts_of_digits_that_make_no_sense_are_refused() -> None:
    with pytest.raises(NdcgLabError, match="`digits` is 0; it is a whole number from 1 to 100000"):
        a.decimal(0)
    with pytest.raises(NdcgLabError, match="`places` is -1; it is a whole number from 0 to 100000"):
        a.fixed(-1)
    with pytest.raises(NdcgLabError, match="`bits` is -5; it is a whole number from 0 to 32768"):
        a.enclosure(-5)
    for ask in (a.decimal, a.fixed, a.rounded, a.enclosure):
        with pytest.raises(NdcgLabError, match="it is a whole number from"):
            ask(10**9)
    with pytest.raises(ValueError, match="unknown format 'x'"):
        format(a, "x")


# Printing.


@pytest.mark.parametrize(
    ("value", "text", "decimals"),
    [
        (Fraction(7, 2) + 2 * a, "7/2 + 2a", "3.5 + 2a"),
        (4 + 2 * y(5), "4 + 2/log2(5)", "4 + 2/log2(5)"),
        (Fraction(37, 2) + 7 * a + 7 * y(6), "37/2 + 7a + 7/log2(6)", "18.5 + 7a + 7/log2(6)"),
        (Fraction(157, 5) + a / 2, "157/5 + (1/2)a", "31.4 + 0.5a"),
        (y(5) / 2, "(1/2)/log2(5)", "0.5/log2(5)"),
        (2 * a - Fraction(1, 2), "-1/2 + 2a", "-0.5 + 2a"),
        (-a, "-a", "-a"),
        (3 - 2 * a, "3 - 2a", "3 - 2a"),
        (-a / 2, "-(1/2)a", "-0.5a"),
        (Linear(), "0", "0"),
        (Linear({2: Fraction(2, 3)}), "2/3", "2/3"),
        (a * Fraction(2, 3), "(2/3)a", "(2/3)a"),
        (Linear({2: 4}) / (4 + 2 * a), "4/(4 + 2a)", "4/(4 + 2a)"),
        ((Fraction(7, 2) + 2 * a) / (4 + 2 * a), "(7/2 + 2a)/(4 + 2a)", "(3.5 + 2a)/(4 + 2a)"),
        (Linear({2: Fraction(1, 2)}) / (1 + a), "(1/2)/(1 + a)", "0.5/(1 + a)"),
        (a / (1 + a), "a/(1 + a)", "a/(1 + a)"),
        (-a / (1 + a), "-a/(1 + a)", "-a/(1 + a)"),
        (1 / a, "1/a", "1/a"),
        (1 / y(5), "log2(5)", "log2(5)"),
        (Linear({3: 1, 2: 2}, scale="10"), "log2(10)*(2 + a)", "log2(10)*(2 + a)"),
        (Linear({3: 2}, scale="e"), "2a*log2(e)", "2a*log2(e)"),
        (Linear({2: 4}) / (4 + 2 * a) - Linear({2: 2}) / (3 + a), "2/(2 + a) - 2/(3 + a)", "2/(2 + a) - 2/(3 + a)"),
    ],
)
def test_how_values_are_printed(value: Exact, text: str, decimals: str) -> None:
    assert str(value) == format(value, "") == text
    assert format(value, "d") == decimals
    assert repr(value) == f"parse({text!r})"


@pytest.mark.parametrize(
    ("value", "latex"),
    [
        (Fraction(7, 2) + 2 * a, r"\frac{7}{2} + 2 a"),
        (3 - a / 2, r"3 - \frac{1}{2} a"),
        (4 + 2 * y(5), r"4 + \frac{2}{\log_2 5}"),
        (-y(5) / 2, r"-\frac{1}{2 \log_2 5}"),
        (Linear(), "0"),
        (Linear({2: 4}) / (4 + 2 * a), r"\frac{4}{4 + 2 a}"),
        (Linear({2: 2, 3: 1}, scale="10"), r"\log_2 10 \left(2 + a\right)"),
        (Linear({3: 1}, scale="e"), r"a \, \log_2 e"),
        (Linear({3: 1}, scale="3/2"), r"a \, \log_2 \frac{3}{2}"),
        (a * a, r"\left(a\right) \, \left(a\right)"),
    ],
)
def test_how_values_are_set_in_latex(value: Exact, latex: str) -> None:
    assert value.latex() == latex
    assert value._repr_latex_() == f"${latex}$"


def test_numbers_of_more_digits_than_python_prints_at_once() -> None:
    digits = "1" + "0" * 4999 + "7"
    value = Linear({2: digits, 3: f"1/{digits}"})
    assert str(value) == f"{digits} + (1/{digits})a"
    assert value.terms[2] == 10**5000 + 7
    assert value.to_json()["terms"] == [[2, digits], [3, f"1/{digits}"]]
    assert value.decimal(5002).startswith("1.000")
    assert len(a.decimal(5000)) == 5002
    assert digits in value.latex()


def test_ndcgs_of_huge_gains_are_ordered() -> None:
    first, second = ([2**grade - 1 for grade in grades] for grades in ([19_000, 20_000, 3], [19_000, 20_000, 4]))
    ideal, other = (dcg(sorted(gains, reverse=True)) for gains in (first, second))
    assert dcg(first) / ideal < dcg(second) / other  # the last gain adds more to what is found than to the ideal


@settings(max_examples=60)
@given(values)
def test_latex_is_well_formed(x: Pair) -> None:
    latex = x.value.latex()
    for opening, closing in ("{}", (r"\left(", r"\right)")):
        assert latex.count(opening) == latex.count(closing)
    assert "$" not in latex


@settings(max_examples=15)
@given(forms | scaled | differences)
def test_sympy_holds_the_same_number(x: Pair) -> None:
    low, high = ends(x.ball(400))
    assume(low > 0 or high < 0)  # of zeros in disguise sympy finds no digits
    number = x.value.to_sympy().evalf(30, maxn=1000)
    assert abs(Fraction(str(number)) - low) <= abs(high) / 10**28


# JSON.


def test_json_of_each_kind() -> None:
    assert (Fraction(7, 2) + 2 * a).to_json() == {
        "exact": "7/2 + 2a",
        "terms": [[2, "7/2"], [3, "2"]],
        "float": 4.761859507142915,
        "decimal": "4.7618595071429148742",
    }
    assert Linear().to_json() == {"exact": "0", "terms": [], "float": 0.0, "decimal": "0"}
    quotient = ((Fraction(7, 2) + 2 * a) / (4 + 2 * a)).to_json()
    assert list(quotient) == ["exact", "numerator", "denominator", "float", "decimal"]
    assert quotient["numerator"] == [[2, "7/2"], [3, "2"]]
    assert quotient["denominator"] == [[2, "4"], [3, "2"]]
    assert Linear({3: 1}, scale="10").to_json()["scale"] == "log2(10)"
    assert Linear({3: 1}, scale="10").to_json()["terms"] == [[3, "1"]]
    general = (Linear({2: 4}) / (4 + 2 * a) - Linear({2: 2}) / (3 + a)).to_json()
    assert set(general) == {"exact", "enclosure", "float", "decimal"}
    long = sum((ndcg([1, 0, 0, n, 2]) for n in range(12)), Linear()).to_json()
    assert set(long) == {"enclosure", "float", "decimal"}


@settings(max_examples=60)
@given(values)
def test_json_enclosures_are_narrow_and_doubles_right(x: Pair) -> None:
    record = x.value.to_json()
    low, high = ends(x.ball(900))
    assert record["float"] == nearest_double((low + high) / 2)
    if "enclosure" in record:
        below, above = map(Fraction, record["enclosure"])
        assert below <= high
        assert low <= above
        assert (above - below) * 2**80 <= abs(below)


def test_json_that_was_changed_changes_no_value() -> None:
    value = y(5)
    value.to_json()["terms"].append("spoilt")
    value.to_json()["terms"][0][0] = 7
    assert value.to_json()["terms"] == [[5, "1"]]


# Quotients.


def test_when_quotients_collapse() -> None:
    cases: list[tuple[Exact, type, str]] = [
        (Linear({2: 2, 3: 2}) / Linear.rational(2), Linear, "1 + a"),
        (Linear({2: 2, 3: 2}) / Linear({2: 3, 3: 3}), Linear, "2/3"),
        (Linear({2: 2, 3: 2}) / Linear({2: 2, 3: 2}), Linear, "1"),
        (Linear() / (1 + a), Linear, "0"),
        (Linear({2: 4}) / Linear({2: 4, 3: 2}), Quotient, "4/(4 + 2a)"),
        (Linear({2: 4}) / Linear({2: 4, 3: 2}) + Linear({3: 2}) / Linear({2: 4, 3: 2}), Linear, "1"),
        (1 - Linear({2: 4}) / Linear({2: 4, 3: 2}), Quotient, "2a/(4 + 2a)"),
        (a / (1 + a) * (1 + a), Linear, "a"),
        (a / (1 + a) * 2, Quotient, "2a/(1 + a)"),
        (a / (1 + a) + a / (2 + 2 * a), Quotient, "((3/2)a)/(1 + a)"),
        (a * a, General, "a*a"),
        (a * a / a, Linear, "a"),
    ]
    for value, kind, text in cases:
        assert type(value) is kind
        assert str(value) == text
    kept = Linear({2: 4, 3: 4}) / Linear({2: 6, 3: 2})
    assert isinstance(kept, Quotient)
    assert kept.numerator.terms == {2: 4, 3: 4}
    assert kept.denominator.terms == {2: 6, 3: 2}


def test_a_quotient_over_a_negative_form() -> None:
    value = (2 * a - 1) / (a - 2)  # 0.26186/-1.36907, by hand from a = 0.63093
    assert isinstance(value, Quotient)
    low, high = value.enclosure(60)
    assert low < value < high
    assert -0.19127 < low < high < -0.19126
    assert value == (1 - 2 * a) / (2 - a)
    assert value.sign() == -1
    number = value.to_sympy().evalf(30)
    assert abs(Fraction(str(number)) - low) < Fraction(1, 10**17)


def test_forms_of_one_scale_are_divided_without_it() -> None:
    for base in ("10", "e", "3/2"):
        assert Linear({3: 6}, scale=base) / Linear({2: 2}, scale=base) == 3 * a


def test_only_a_rational_number_is_given_as_a_fraction() -> None:
    for value in (a, a / (1 + a), a * a, Linear({2: 1}, scale="e")):
        with pytest.raises(NdcgLabError, match="is not held as a rational number"):
            value.as_fraction()


def test_division_by_zero() -> None:
    for above, below in ((a, 0), (a, a - a), (1, Linear()), (a / (1 + a), ONE - 1), (a, FIVE_THIRDS - Fraction(5, 3))):
        with pytest.raises(ZeroDivisionError):
            operator.truediv(above, below)


def test_an_inverse_that_is_not_held() -> None:
    with pytest.raises(NdcgLabError, match="outside the values held here"):
        1 / (a * a + 1)


# Scales: the factor log2(base) that another base of the logarithm brings.


@given(scaled)
def test_a_scale_leaves_the_terms(x: Pair) -> None:
    low, high = ends(x.ball())
    assert low <= x.value.enclosure(200)[1]
    assert x.value.enclosure(200)[0] <= high


def test_a_scale_that_is_rational_folds_into_the_terms() -> None:
    assert Linear({2: 1}, scale="4") == 2
    assert Linear({3: 1}, scale="log2(8)").terms == {3: 3}
    assert Linear({3: 1}, scale="2").scale is None
    assert Linear({3: 1}, scale="10").scale == Linear({3: 1}, scale="log2(10)").scale == "log2(10)"


def test_scales_of_powers_of_one_base_are_whole_multiples() -> None:
    for one, times, other in (("9", 2, "3"), ("27", 3, "3"), ("9/4", 2, "3/2"), ("1000", 3, "10")):
        left, right = Linear({2: 1, 5: 2}, scale=one), Linear({2: times, 5: 2 * times}, scale=other)
        assert left.terms == {2: 1, 5: 2}
        assert left == right
        assert hash(left) == hash(right)
        assert left < right + Fraction(1, 10**30)
        assert (left + a) - (right + a) == 0


def test_a_scale_cancels_in_a_quotient_and_adds_to_its_own_kind() -> None:
    one, two = Linear({2: 1, 3: 2}, scale="10"), Linear({2: 4, 3: 2}, scale="10")
    assert one / two == Linear({2: 1, 3: 2}) / Linear({2: 4, 3: 2})
    assert type(one / two) is Quotient
    assert one + two == Linear({2: 5, 3: 4}, scale="10")
    assert str(one + two) == "log2(10)*(5 + 4a)"
    assert one < Linear({2: 1, 3: 2}, scale="11")


def test_a_scale_and_its_discount_cancel() -> None:
    assert Linear({10: 3}, scale="10") == 3
    assert hash(Linear({10: 3}, scale="10")) == hash(3)
    assert Linear({10: 3}, scale="10").decimal(5) == "3.0000"
    assert float(Linear({10: 3}, scale="10")) == 3.0


@given(scaled | natural, forms | scaled | natural)
def test_values_of_unlike_scales_are_ordered(x: Pair, v: Pair) -> None:
    low, high = ends(x.ball() - v.ball())
    assume(low > 0 or high < 0)
    assert (x.value < v.value, x.value > v.value, x.value == v.value) == (high < 0, low > 0, False)


def test_the_natural_logarithm_is_a_factor_on_the_whole() -> None:
    one = Linear({2: 1, 3: 2}, scale="e")
    assert one == Linear({2: 2, 3: 4}, scale="e") / 2
    assert hash(one) == hash(Linear({2: 2, 3: 4}, scale="e") / 2)
    assert one - one == 0
    assert Linear() / one == 0
    assert one / one == 1
    assert (1 + 2 * a) * Linear({2: 1}, scale="e") == one
    assert Linear({2: Fraction(1, 2)}, scale="e") * (2 + 4 * a) == one
    for operate in (operator.add, operator.sub, operator.mul, operator.truediv):
        for pair in ((one, a), (a, one), (one, Linear({3: 1}, scale="10")), (a / (1 + a), one)):
            with pytest.raises(NdcgLabError, match="outside the values that are added and multiplied"):
                operate(*pair)
    low, high = ends(Pair(one, lambda: form_ball({2: 1, 3: 2}, "e")).ball())
    assert low < one < high
    assert float(one) == float(low) == float(high)
    assert one.fixed(3) == "3.263"
    assert one * (3 / (1 + 2 * a)) == Linear({2: 3}, scale="e")  # an NDCG times its ideal is a DCG
    assert (a / (1 + 2 * a)) * one == Linear({3: 1}, scale="e")


def test_the_natural_logarithm_next_to_a_half() -> None:
    """To round is to tell it from a half, by enclosures: no fraction is subtracted from it."""
    one = Linear({2: 1, 3: 2}, scale="e")
    for low, high in (one.enclosure(300), one.enclosure(120)):
        above, below = (Linear({2: q, 3: 2 * q}, scale="e") for q in (Fraction(1, 2) / low, Fraction(1, 2) / high))
        assert (above.fixed(0), below.fixed(0)) == ("1", "0")
        assert (above.decimal(3), below.decimal(3)) == ("0.500", "0.500")


def test_unlike_scales_that_nothing_tells_apart_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ndcg_lab.exact.enclosures.LEVELS", enclosures.LEVELS[:3])
    one = Linear({2: 1}, scale="e")
    low, high = one.enclosure(300)
    monkeypatch.setattr("ndcg_lab.exact.enclosures.LEVELS", enclosures.LEVELS[:2])
    with pytest.raises(Undecided, match=r"the order of log2\(e\) and .* is not decided"):
        bool(one < low)
    monkeypatch.undo()
    assert low < one < high


def test_a_base_next_to_1_has_bounds_around_its_logarithm() -> None:
    value = Linear({2: 2, 3: -3}, scale=f"{2**200 + 1}/{2**200}")
    for bits in (96, 192, 384):
        low, high, below = value.bounds(bits)
        assert Fraction(low, below) <= Fraction(high, below)
    # log2(1 + x) lies between x and 3x/2 for a small x, and 2 - 3a between 0.107 and 0.108.
    assert Fraction(107, 1000) < value * 2**200 < Fraction(162, 1000)


@pytest.mark.parametrize(
    "make",
    [
        lambda: y(10**400),
        lambda: y(1),
        lambda: y(-3),
        lambda: Linear({2: 1}, scale="1" + "0" * 400),
        lambda: Linear({2: 1}, scale="1"),
        lambda: Linear({2: 1}, scale="two"),
        lambda: Linear({2: 0.5}),
    ],
)
def test_numbers_that_make_no_value_are_refused(make: Callable[[], Exact]) -> None:
    with pytest.raises(NdcgLabError):
        make()


# Operands.

OPERATORS = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.eq,
    operator.ne,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
]
FLOATS = [0.5, 1.0, math.nan, math.inf, 1j, np.float64(0.5), np.float32(0.5), np.complex64(1), sympy.Float(0.5)]
KINDS = [Linear.rational(1), a, Linear({3: 1}, scale="10"), a / (1 + a), a * a]


@pytest.mark.parametrize("operate", OPERATORS)
@pytest.mark.parametrize("number", FLOATS, ids=lambda number: f"{type(number).__name__} {number}")
def test_a_float_operand_is_a_type_error_that_names_the_way_out(operate: Callable[..., Any], number: Any) -> None:
    for value in KINDS:
        with pytest.raises(TypeError, match="write the float as a Fraction, or compare float"):
            operate(value, number)
        if not isinstance(number, sympy.Float):  # sympy answers for its own
            with pytest.raises(TypeError, match="write the float as a Fraction, or compare float"):
                operate(number, value)


@pytest.mark.parametrize("operate", OPERATORS)
def test_strangers_are_left_to_python(operate: Callable[..., Any]) -> None:
    for value in KINDS:
        for stranger in ("1", None, [1]):
            if operate in {operator.eq, operator.ne}:
                assert operate(value, stranger) is (operate is operator.ne)
            else:
                with pytest.raises(TypeError, match=r"not supported|unsupported|can only concatenate|can't multiply"):
                    operate(value, stranger)


def test_whole_numbers_fractions_and_decimals_mix_in() -> None:
    halves: list[Fraction | Decimal] = [Fraction(1, 2), Decimal("0.5")]
    threes: list[Any] = [3, np.int64(3), np.uint8(3)]
    for half in halves:
        assert Linear({2: half}) == half
        assert half == Linear({2: half})
        assert hash(Linear({2: half})) == hash(half)
        assert a + half == half + a == Linear({2: half, 3: 1})
        assert a > half
        assert half < a
    for three in threes:
        assert a * three == three * a == Linear({3: 3})
        assert 0 < a < three
    assert a * sympy.Integer(3) == Linear({3: 3})
    assert sympy.Integer(3) * a == 3 * sympy.log(2) / sympy.log(3)


# Undefined.


def test_undefined_values() -> None:
    one, other = Undefined("zero ideal"), Undefined("no queries")
    assert one == Undefined("zero ideal") == Undefined("zero ideal", ["q1"])
    assert hash(one) == hash(Undefined("zero ideal", ["q1"]))
    assert one != other
    assert one != 0
    assert one != a
    assert a != one
    assert (one.reason, Undefined("zero ideal", ["q1"]).queries) == ("zero ideal", ("q1",))
    assert Undefined("zero ideal", ["q1"]).to_json() == {"undefined": "zero ideal", "queries": ["q1"]}
    assert one.to_json() == {"undefined": "zero ideal"}
    assert repr(Undefined("zero ideal", ["q1"])) == "Undefined('zero ideal', ['q1'])"
    assert str(one) == "undefined (zero ideal)"


@pytest.mark.parametrize("operate", [o for o in OPERATORS if o not in {operator.eq, operator.ne}])
def test_undefined_values_have_no_arithmetic_and_no_order(operate: Callable[..., Any]) -> None:
    nothing = Undefined("zero ideal", ["q1", "q2"])
    for other in (*KINDS, 1, Fraction(1, 2), 0.5, Undefined("zero ideal")):
        for pair in ((nothing, other), (other, nothing)):
            with pytest.raises(UndefinedValue, match=r"zero ideal \(queries q1, q2\)|zero ideal"):
                operate(*pair)


@pytest.mark.parametrize("convert", [float, int, abs, round, operator.neg, operator.pos])
def test_undefined_values_are_no_numbers(convert: Callable[..., Any]) -> None:
    with pytest.raises(UndefinedValue, match="zero ideal"):
        convert(Undefined("zero ideal"))


# Values are values.

SAMPLES = [Linear(), *KINDS, ONE, Linear({2: 4}) / (4 + 2 * a), Undefined("zero ideal", ["q1"])]


@pytest.mark.parametrize("value", SAMPLES, ids=str)
def test_values_are_copied_and_pickled_whole(value: Exact | Undefined) -> None:
    pickles = [pickle.dumps(value, protocol) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for twin in (copy.copy(value), copy.deepcopy(value), *map(pickle.loads, pickles)):
        assert type(twin) is type(value)
        assert twin == value
        assert hash(twin) == hash(value)
        assert str(twin) == str(value)
        assert twin.to_json() == value.to_json()


@pytest.mark.parametrize("value", SAMPLES, ids=str)
def test_values_can_not_be_changed(value: Exact | Undefined) -> None:
    for name in ("terms", "scale", "numerator", "denominator", "reason", "queries", "anything"):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)
    if isinstance(value, Exact):
        before = (str(value), hash(value))
        value.monomials().clear()
        if isinstance(value, Linear):
            value.terms.clear()
        assert (str(value), hash(value)) == before


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (Linear({10: -5}, scale="10"), Fraction(-5)),
        (Linear({10: Fraction(5, 3)}, scale="1000"), Fraction(5)),
        (Linear({3: 1}, scale="3"), Fraction(1)),
    ],
)
def test_a_term_times_its_own_logarithm_is_the_rational_number_that_it_is(value: Linear, number: Fraction) -> None:
    """5/log2(10) times log2(10): DCG of one document at rank 9 under log:10."""
    assert value.is_rational
    assert value.as_fraction() == number
    assert str(value) == str(parse(str(number)))
    assert value.latex() == parse(str(number)).latex()
    assert value == number
    assert hash(value) == hash(number)
    assert value.enclosure(3) == (number, number)
    assert value.scale is not None
    certificate = certify(value)
    assert check(certificate) == value.sign()
    assert sentence(certificate) == "because every term has that sign"
    assert value + Linear({5: 1}, scale=value.scale) - Linear({5: 1}, scale=value.scale) == number


@pytest.mark.parametrize(
    "value", [Linear({10: 5, 3: 1}, scale="10"), Linear({10: 5}, scale="5"), Linear({3: 1}, scale="e")]
)
def test_other_scaled_forms_are_not_rational(value: Linear) -> None:
    assert not value.is_rational
    assert "log2(" in str(value)


def test_a_logarithm_alone_has_no_factor_1_in_latex() -> None:
    assert Linear({2: 1}, scale="3/2").latex() == r"\log_2 \frac{3}{2}"
    assert Linear({2: -1}, scale="e").latex() == r"-\log_2 e"
