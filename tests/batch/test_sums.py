"""The steps of the certificate in `ndcg_lab.batch.sums`, each by itself, where a random batch would rarely go."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from ndcg_lab.batch.sums import _pieces, _plus, _product, _quotient, doubles
from ndcg_lab.measure.rules import parse_discount

HALF = 2.0**-54  # half of a unit in the last place below 1


@pytest.mark.parametrize(
    "discount", ["log2", "log:4", "jarvelin", "jarvelin:8", "reciprocal", "geometric:9/10", "none"]
)
@pytest.mark.parametrize("width", [12, 20, 41])
def test_pieces_are_whole_and_two_units_from_the_discount(discount: str, width: int) -> None:
    pieces = _pieces(discount, 200, width)
    bits = width * len(pieces)
    assert bits >= 120
    assert all((piece == np.floor(piece)).all() and (piece >= 0).all() for piece in pieces)
    assert all((piece <= 2.0**width).all() for piece in pieces)
    rule, ctx.prec = parse_discount(discount), 400
    for place in range(200):
        b, q = rule.term(place + 1)
        q = Fraction(q) / rule.term(1)[1]
        exact = arb(q.numerator) / q.denominator * (arb(2).log() / arb(b).log() if b != 2 else arb(1)) * arb(2) ** bits
        cut = sum(int(piece[place]) << width * (len(pieces) - 1 - n) for n, piece in enumerate(pieces))
        assert exact - cut > -arb("1e-30")
        assert exact - cut < 2


@pytest.mark.parametrize("discount", ["log2", "log:e", "log:10", "jarvelin:8", "reciprocal", "geometric:9/10", "none"])
def test_doubles_are_the_discounts(discount: str) -> None:
    exact = [float(parse_discount(discount).value(rank)) for rank in range(1, 60)]
    assert doubles(discount, 59).tolist() == pytest.approx(exact, rel=1e-15)


def test_a_pair_holds_what_a_double_does_not() -> None:
    rng = np.random.default_rng(2)
    one, other = rng.standard_normal((2, 500)) * 2.0 ** rng.integers(-40, 40, (2, 500))
    high, low = _product(one, other)
    assert [Fraction(h) + Fraction(e) for h, e in zip(high, low, strict=True)] == [
        Fraction(x) * Fraction(z) for x, z in zip(one, other, strict=True)
    ]
    high, low = _plus(one, one * 2.0**-60, other)
    for h, e, x, z in zip(high, low, one, other, strict=True):
        exact = Fraction(x) + Fraction(x * 2.0**-60) + Fraction(z)
        assert abs(Fraction(h) + Fraction(e) - exact) <= (abs(Fraction(x)) + abs(Fraction(z))) / 2**104


@pytest.mark.parametrize(
    ("low", "value"),
    [
        (-HALF, None),  # in the middle between 1 - 2^-53 and 1
        (-HALF - 2.0**-110, None),  # closer to the middle than is known
        (-HALF + 2.0**-110, None),
        (-HALF - 2.0**-90, 1 - 2.0**-53),
        (-HALF + 2.0**-90, 1.0),
        (0.0, 1.0),
        (2.0**-53, None),  # in the middle between 1 and 1 + 2^-52
        (2.0**-53 + 2.0**-90, 1 + 2.0**-52),
    ],
)
def test_a_quotient_is_shown_where_its_double_is_certain(low: float, value: float | None) -> None:
    ones, nothing, yes = np.ones(1), np.zeros(1), np.ones(1, np.bool_)
    found, shown = _quotient((ones, np.array([low])), (ones, nothing), ones, ones, yes)
    assert shown.tolist() == [value is not None]
    if value is not None:
        assert found.tolist() == [value]


def test_a_quotient_over_what_may_be_0_is_not_shown() -> None:
    ones, nothing, yes = np.ones(1), np.zeros(1), np.ones(1, np.bool_)
    for below in (0.0, 2.0**-95, -1.0):
        _, shown = _quotient((ones, nothing), (np.array([below]), nothing), ones, ones, yes)
        assert shown.tolist() == [False]
    assert _quotient((ones, nothing), (ones, nothing), ones, ones, ~yes)[1].tolist() == [False]
