"""Printed numbers against bounds that share nothing with what prints them."""

import json
import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from typing import Any

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_lab import Contract, Judgments, Report, a, evaluate_run, verify, y
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.values import Exact
from ndcg_lab.reports import averaging
from ndcg_lab.reports.bounds import bounds, exactly, weighted, wrong
from tests.support import cases

KEPT = vars(import_module(Linear.__module__))["_term_json"]
"""Printed terms are kept here."""

numbers = st.fractions(min_value=-100, max_value=100, max_denominator=12).filter(bool)
forms = st.dictionaries(st.integers(2, 70), numbers, min_size=1, max_size=6)


def ball(form: dict[int, Fraction], scale: str | None = None) -> Any:
    """The value as a ball of 700 bits, by another library."""
    with flint.ctx.workprec(700):
        two = flint.arb(2).log()
        total = sum(
            (flint.arb(q.numerator) / q.denominator * two / flint.arb(b).log() for b, q in form.items()), flint.arb(0)
        )
        return total if scale is None else total * flint.arb(int(scale[5:-1])).log() / two


def spelled(form: dict[int, Fraction]) -> list[list[Any]]:
    return [[b, str(q)] for b, q in form.items()]


def holds(low: Fraction, high: Fraction, value: Any) -> bool:
    with flint.ctx.workprec(700):
        return bool(flint.arb(low.numerator) / low.denominator <= value <= flint.arb(high.numerator) / high.denominator)


@settings(max_examples=cases(ci=150, long=20_000))
@given(forms, st.sampled_from([None, "log2(10)", "log2(3)"]), st.sampled_from([64, 128, 256]))
def test_bounds_hold_the_value_and_are_close(form: dict[int, Fraction], scale: str | None, bits: int) -> None:
    low, high = bounds({"terms": spelled(form), "scale": scale})(bits)
    assert high - low <= Fraction(1, 2 ** (bits - 20))
    value = ball(form, scale)
    with flint.ctx.workprec(700):
        widened = Fraction(1, 2**600)  # a rational value is a ball of its own in the other library
        assert holds(low - widened, high + widened, value)


@settings(max_examples=cases(ci=100, long=20_000))
@given(forms, st.dictionaries(st.integers(2, 70), st.fractions(1, 9, max_denominator=5), min_size=1, max_size=3))
def test_what_is_printed_holds_and_its_neighbours_do_not(form: dict[int, Fraction], below: dict[int, Fraction]) -> None:
    value: Exact = Linear(form)
    for number in (value, value / Linear(below)):
        stated = {**number.to_json(), "enclosure": [str(end) for end in number.enclosure(80)]}
        assert wrong(stated, bounds(stated)) == []
        low, high = map(Fraction, stated["enclosure"])
        for name, other in (
            ("float", math.nextafter(stated["float"], math.inf)),
            ("float", math.nextafter(stated["float"], -math.inf)),
            ("float", None),
            ("decimal", neighbour(stated["decimal"], 1)),
            ("decimal", neighbour(stated["decimal"], -1)),
            ("decimal", stated["decimal"][:-1]),
            ("decimal", "0"),
            ("enclosure", [str(high + Fraction(1, 10**90)), str(high + 1)]),
            ("enclosure", [str(low - 1), str(low - Fraction(1, 10**90))]),
        ):
            assert wrong({**stated, name: other}, bounds(stated)) == [name], other


def neighbour(decimal: str, by: int) -> str:
    """The decimal whose last of 20 digits is one away."""
    number = Decimal(decimal)
    return f"{number + by * Decimal((0, (1,), int(number.as_tuple().exponent))):.19e}"


@pytest.mark.parametrize(
    ("value", "stated", "found"),
    [
        (1 - a / 10**25 + a / 10**25, "1.0000000000000000000", []),
        (1 - a / 10**19, "1.0000000000000000000", ["decimal"]),  # 0.99999999999999999994
        (1 - a / 10**21, "1.0000000000000000000", []),
        (1 + a / 10**19, "1.0000000000000000001", []),
        (-1 + a / 10**19, "-1.0000000000000000000", ["decimal"]),
        (Linear(), "0", []),
        (a / 10**30, "0", ["decimal"]),
        (a / 10**30, "6.3092975357145743710e-31", []),
        (a / 10**30, "6.3092975357145743710e-32", ["decimal"]),
        # 0.0000000000000946235086871449, of which the printing once lost a power of ten
        (3292733521053269 - 5218859155736967 * a, "9.4623508687144930781e-14", []),
        (3292733521053269 - 5218859155736967 * a, "9.4623508687144930781e-15", ["decimal"]),
        (3292733521053269 - 5218859155736967 * a, "9.46235086871449307806e-15", ["decimal"]),
    ],
)
def test_decimals_near_a_power_of_ten_and_near_0(value: Exact, stated: str, found: list[str]) -> None:
    assert wrong({"decimal": stated}, bounds(value.to_json())) == found


def test_doubles_at_the_ends_of_their_range() -> None:
    assert wrong({"float": None}, bounds({"terms": [[3, str(2**1025)]]})) == []
    assert wrong({"float": 1.7976931348623157e308}, bounds({"terms": [[3, str(2**1025)]]})) == ["float"]
    assert wrong({"float": 0.0}, bounds({"terms": [[3, f"1/{2**1100}"]]})) == []
    assert wrong({"float": 5e-324}, bounds({"terms": [[3, f"1/{2**1100}"]]})) == ["float"]
    assert wrong({"float": 1.0}, exactly(1 + Fraction(1, 2**53))) == []  # halfway: to even
    assert wrong({"float": 1 + 2**-52}, exactly(1 + Fraction(1, 2**53))) == ["float"]


def test_a_weighted_mean() -> None:
    one, other, whole = exactly(Fraction(1)), bounds((2 * a).to_json()), exactly(Fraction(4))
    mean = weighted([(Fraction(1), one), (Fraction(3), other)], [(Fraction(1), whole)])
    low, high = mean(128)
    assert holds(low, high, ball({2: Fraction(1, 4), 3: Fraction(3, 2)}))


# A report whose printing is wrong: evaluated anew by the same code it would agree with itself.

QRELS = {"q1": Judgments({"A": 3, "B": 2, "C": 2, "D": 0}), "q2": Judgments({"A": 1, "B": 0})}
RUN = {"q1": list("BCAD"), "q2": list("BA")}


def report(**settings_: Any) -> Report:
    return evaluate_run(Contract(gain="linear", k=3), RUN, QRELS, weights={"q1": "1/3"}, **settings_)


@pytest.fixture
def nothing_kept() -> Iterator[None]:
    """No printed terms: none from before the printing is made wrong, and none afterwards."""
    KEPT.cache_clear()
    yield
    KEPT.cache_clear()


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("aggregate", ["mean", "ratio-of-sums"])
def test_a_wrong_digit_is_found_though_printing_and_verifying_share_the_fault(
    aggregate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Exact.decimal

    def shifted(value: Exact, digits: int) -> str:
        text = right(value, digits)
        return text if value.is_rational else text[:-1] + str((int(text[-1]) + 1) % 10)

    monkeypatch.setattr(Exact, "decimal", shifted)
    record = json.loads(json.dumps(report(aggregate=aggregate).to_json()))
    found = {fault.place for fault in verify(record)}
    assert {"queries[0].dcg.decimal", "queries[0].ndcg.decimal", "mean.dcg.decimal", "mean.ndcg.decimal"} <= found
    assert "queries[0].rows[1].contribution.decimal" in found
    assert "queries[0].ideal[1].discount.decimal" in found
    assert all(place.endswith(".decimal") for place in found)
    monkeypatch.undo()
    KEPT.cache_clear()
    assert verify(report(aggregate=aggregate)) == []


@pytest.mark.usefixtures("nothing_kept")
def test_a_wrong_double_or_enclosure_is_found_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    double = Exact.__float__
    monkeypatch.setattr(Exact, "__float__", lambda value: math.nextafter(double(value), 9))
    found = {fault.place for fault in verify(report())}
    assert {"queries[0].ndcg.float", "mean.ndcg.float"} <= found
    monkeypatch.undo()
    KEPT.cache_clear()
    monkeypatch.setattr(Exact, "enclosure", lambda _, __: (Fraction(3), Fraction(4)))
    assert [fault.place for fault in verify(report())] == ["mean.dcg.enclosure", "mean.ndcg.enclosure"]


def test_it_asks_nothing_of_the_code_that_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    stated = (y(5) / 3 - 2 * a).to_json()
    for name in ("decimal", "enclosure", "__float__", "sign", "fixed"):
        monkeypatch.setattr(Exact, name, None)
    monkeypatch.setattr(averaging, "short_form", None)
    assert wrong(stated, bounds(stated)) == []


def test_what_can_not_be_decided_is_not_called_wrong() -> None:
    # 2/log2(4) is 1, which logarithms alone never tell: no report writes it so.
    assert wrong({"enclosure": ["1", "2"]}, bounds({"terms": [[4, "2"]]})) == []
    assert wrong({"enclosure": ["3/2", "2"]}, bounds({"terms": [[4, "2"]]})) == ["enclosure"]


def test_a_denominator_that_nearly_cancels() -> None:
    near = a.enclosure(900)[0].limit_denominator(2**200)
    below = near.denominator * a - near.numerator
    value = 1 / (below if ball({2: Fraction(-near.numerator), 3: Fraction(near.denominator)}) > 0 else -below)
    assert abs(float(value)) > 2**190
    assert wrong(value.to_json(), bounds(value.to_json())) == []
    off = neighbour(value.to_json()["decimal"], 1)
    assert wrong({"decimal": off}, bounds(value.to_json())) == ["decimal"]
