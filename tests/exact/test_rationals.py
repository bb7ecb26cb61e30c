"""The door through which numbers come in. Oracle: values written down by hand."""

from __future__ import annotations

import decimal
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sympy

from ndcg_lab.errors import NdcgLabError, WrongKind
from ndcg_lab.exact.linear import Linear, a, y
from ndcg_lab.exact.rationals import rational, whole
from tests.strangers import FRACTIONS, HALVES, NO_NUMBERS, NO_WHOLE, WHOLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def named(thing: object) -> str:
    return f"{type(thing).__name__} {thing!r}"[:40]


@pytest.fixture(params=[False, True], ids=["plain context", "FloatOperation trapped"], autouse=True)
def _context(request: pytest.FixtureRequest) -> Iterator[None]:
    with decimal.localcontext() as context:
        context.traps[decimal.FloatOperation] = request.param
        yield


@pytest.mark.parametrize(("number", "value"), FRACTIONS, ids=named)
def test_a_number_of_any_library_is_an_int_or_a_fraction(number: Any, value: Fraction) -> None:
    found = rational(number)
    assert found == value
    assert type(found) is (int if value.denominator == 1 else Fraction)
    assert type(found.numerator) is int


@pytest.mark.parametrize("number", [*NO_NUMBERS, *HALVES], ids=named)
def test_what_is_no_number_is_refused_by_name(number: Any) -> None:
    with pytest.raises(NdcgLabError) as caught:
        rational(number)
    assert len(str(caught.value)) < 300
    with pytest.raises(NdcgLabError, match="`k`"):
        whole(number, "k")


@pytest.mark.parametrize(
    ("number", "cause"),
    [
        (True, "True is not a number here; write 0 or 1"),
        (np.True_, "is not a number here; write 0 or 1"),
        (np.array([3]), r"array\(\[3\]\) is not a number; write the number itself"),
        (None, "None is not a number; write it like 2, 2.7, 27/10 or 1e-3"),
        (0.5, "the float 0.5 does not say which exact number is meant"),
        (float("nan"), "nan is not a number that can be used exactly"),
        ("9" * 100_001, r"'9999\S* has 100,001 digits"),
        ("1/0", "'1/0' divides by zero"),
    ],
    ids=named,
)
def test_a_refusal_says_what_to_write(number: object, cause: str) -> None:
    with pytest.raises(NdcgLabError, match=cause):
        rational(number)


@pytest.mark.parametrize("number", WHOLE, ids=named)
def test_a_whole_number_of_any_library_is_an_int(number: Any) -> None:
    assert whole(number, "k", 3, 3) == 3
    assert type(whole(number, "k")) is int
    assert y(number * 2) == y(6)
    assert type(next(iter(y(number).terms))) is int
    assert a.decimal(number) == "0.631"
    assert a.fixed(number) == "0.631"
    assert a.rounded(number) == Fraction(631, 1000)
    assert a.enclosure(number) == a.enclosure(3)
    assert a * number == a + number - number + 2 * a == Linear({3: 3})
    assert a < number
    if not isinstance(number, sympy.Integer):  # sympy answers for its own
        assert number * a == number - (number - a) * 1 + 2 * a == Linear({3: 3})


@pytest.mark.parametrize("number", NO_WHOLE, ids=named)
@pytest.mark.parametrize("ask", [y, a.decimal, a.fixed, a.rounded, a.enclosure])
def test_no_whole_number_is_refused_by_name(ask: Callable[[Any], object], number: Any) -> None:
    with pytest.raises(WrongKind, match="write a whole number"):
        ask(number)


@pytest.mark.parametrize("b", [6.0, "6", Decimal(6), True, None, (6,), np.float64(6)], ids=named)
def test_bases_of_terms_are_whole_numbers(b: Any) -> None:
    with pytest.raises(WrongKind, match="`b` can't be"):
        Linear({b: 1})


def test_whole_numbers_have_ends() -> None:
    with pytest.raises(NdcgLabError, match="`k` is 0; it is a whole number from 1 up"):
        whole(0, "k", 1)
    with pytest.raises(NdcgLabError, match="`k` is 8; it is a whole number from 1 to 7"):
        whole(np.int8(8), "k", 1, 7)


def test_operands_come_through_the_same_door() -> None:
    strangers: list[Any] = [True, np.timedelta64(3, "D"), np.array([3]), Decimal("nan")]
    for number in strangers:
        with pytest.raises(NdcgLabError):
            a + number
    assert Linear({2: Decimal("0.5")}) == Decimal("0.5")
    assert Linear({2: np.uint8(200), 3: np.uint8(100)}) * 2 == Linear({2: 400, 3: 200})


def test_floats_stand_for_their_binary_values_where_that_is_asked() -> None:
    tenth = Fraction(3602879701896397, 36028797018963968)
    assert rational(0.1, binary=True) == tenth
    assert rational(np.longdouble(1) / 3, binary=True) != rational(1 / 3, binary=True)
    assert rational(np.float16(0.5), binary=True) == Fraction(1, 2)
