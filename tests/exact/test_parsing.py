"""Reading exact values: what is printed is read back, what people type is read, all else is refused with its place."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ndcg_lab
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.general import General
from ndcg_lab.exact.linear import Linear, a, y
from ndcg_lab.exact.parsing import parse
from ndcg_lab.exact.quotient import Quotient
from ndcg_lab.exact.values import Exact
from tests.balls import Pair, values


@settings(max_examples=100)
@given(values)
def test_what_is_printed_is_read_back(x: Pair) -> None:
    value = x.value
    for text in (str(value), format(value, "d"), repr(value).removeprefix("parse('").removesuffix("')")):
        assert parse(text) == value
    assert eval(repr(value), {"parse": ndcg_lab.parse}) == value  # noqa: S307 - that is what a repr is for


def test_kinds_are_kept() -> None:
    for text, kind in (("7/2 + 2a", Linear), ("(7/2 + 2a)/(4 + 2a)", Quotient), ("2/(2 + a) - 2/(3 + a)", General)):
        assert type(parse(text)) is kind
        assert str(parse(text)) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7/2 + 2a", Fraction(7, 2) + 2 * a),
        ("2a + 3.5", Fraction(7, 2) + 2 * a),
        ("3.5+2*a", Fraction(7, 2) + 2 * a),
        ("Rational(7,2) + 2*a", Fraction(7, 2) + 2 * a),
        ("Rational(7, 2) + 2*a", Fraction(7, 2) + 2 * a),
        ("Fraction(-7, 2) + Integer(2)*a", 2 * a - Fraction(7, 2)),
        ("  7/2\n+ 2 a ", Fraction(7, 2) + 2 * a),
        ("7/2 + 2·a", Fraction(7, 2) + 2 * a),
        ("7÷2 − 2×a", Fraction(7, 2) - 2 * a),
        ("7/2 + 2\N{NO-BREAK SPACE}a", Fraction(7, 2) + 2 * a),
        ("-a", -a),
        ("--a", a),
        ("+a - -2", a + 2),
        ("-(1/2)a", -a / 2),
        ("2(1 + a)", 2 + 2 * a),
        ("(1 + a)(2 + a)", (1 + a) * (2 + a)),
        ("0.5/log2(5)", y(5) / 2),
        ("(1/2)/log2(5)", y(5) / 2),
        ("1/log2(6)", y(6)),
        ("y(6)", y(6)),
        ("y(8)", Linear.rational(Fraction(1, 3))),
        ("log2(8)", Linear.rational(3)),
        ("log2(1)", Linear()),
        ("log2(5)", 1 / y(5)),
        ("2*log2(10)", 2 / y(10)),
        ("log2(e)*(1 + a)", Linear({2: 1, 3: 1}, scale="e")),
        ("log2(3/2)", Linear({2: 1}, scale="3/2")),
        ("log2(2.5)", Linear({2: 1}, scale="5/2")),
        ("4/(4 + 2a)", Linear({2: 4}) / (4 + 2 * a)),
        ("8/2/2", Linear.rational(2)),
        ("a/(1 + a)", y(6)),
        (".5", Linear.rational(Fraction(1, 2))),
        ("2.", Linear.rational(2)),
        ("0", Linear()),
        ("1" + "0" * 5000, Linear.rational(10**5000)),
    ],
)
def test_what_people_type(text: str, value: Exact) -> None:
    assert parse(text) == value


@pytest.mark.parametrize(
    ("text", "place", "cause"),
    [
        ("", 1, "a value is missing"),
        ("7/2 +", 6, "a value is missing"),
        ("7/2a", 4, "above or below the line"),
        ("4/(4 + 2a", 10, "'\\)' is missing"),
        ("4)", 2, "'\\)' can't stand here"),
        ("2 3", 3, "a sign is missing"),
        ("b", 1, "'b' is not known here"),
        ("a^2", 2, "powers are not part"),
        ("1/0", 3, "division by 0"),
        ("1/(a - a)", 3, "division by 0"),
        ("a + €", 5, "'€' is not part"),
        ("y(1)", 1, "'y' is not known here"),
        ("y(2.5)", 1, "'y' is not known here"),
        ("y(3/", 5, "a number is needed here"),
        ("y(", 3, "a number is needed here"),
        ("log2(0.5)", 1, "'log2' is not known here"),
        ("Rational(1, 0)", 1, "'Rational' is not known here"),
        ("__import__('os')", 12, "is not part"),
        ("(" * 60 + "1" + ")" * 60, 51, "brackets inside one another"),
    ],
)
def test_what_is_refused_says_where(text: str, place: int, cause: str) -> None:
    with pytest.raises(NdcgLabError, match=rf"character {place}: .*{cause}"):
        parse(text)


def test_only_text_of_a_stated_length_is_read() -> None:
    with pytest.raises(NdcgLabError, match="not from float"):
        parse(0.5)  # type: ignore[arg-type]  # the wrong type is the point
    with pytest.raises(NdcgLabError, match="too many for an exact value"):
        parse("1+" * 600_000 + "1")


@settings(max_examples=300)
@given(st.text(alphabet="0123a.+-*/(), ^ylog2e−", max_size=14) | st.text(max_size=6))
@example("y(3/")
@example("log2(1/0)")
@example("y(" + "9" * 400 + ")")
@example("1/(a*y(6) + y(6) - a)")
@example("1/(a*a + 1)")
def test_whatever_is_typed_ends_in_a_value_or_in_an_error_of_this_library(text: str) -> None:
    try:
        value = parse(text)
    except NdcgLabError:
        return
    assert isinstance(value, Exact)


def test_a_form_of_5_000_terms_is_read() -> None:
    value = Linear.weighted([Fraction(n % 7 + 1, 3) for n in range(5_000)], range(2, 5_002))
    assert parse(str(value)) == value


@pytest.mark.parametrize("base", ["e", "10", "3", "3/2"])
def test_another_base_keeps_its_terms_and_its_scale(base: str) -> None:
    value = Linear({2: Fraction(7, 2), 3: 2, 5: -1}, scale=base)
    read = parse(str(value))
    assert isinstance(read, Linear)
    assert read.terms == {2: Fraction(7, 2), 3: 2, 5: -1}
    assert read.scale == f"log2({base})"
    assert read == value
