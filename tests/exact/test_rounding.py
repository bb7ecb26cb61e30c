"""Digits of values made to cancel. Oracles: python-flint's balls and its lattice reduction, decimal, Fraction."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

import pytest
from flint import arb, fmpz_mat

from ndcg_lab.errors import Undecided
from ndcg_lab.exact import enclosures
from ndcg_lab.exact.linear import Linear, a, y
from ndcg_lab.exact.rounding import Decimals
from tests.balls import ends, form_ball, precision
from tests.support import cases

if TYPE_CHECKING:
    from collections.abc import Callable

    from ndcg_lab.exact.values import Exact

BASES = [b for b in range(2, 60) if Linear({b: 1}).terms.get(b)]  # 2, and what is no perfect power
DIGITS = (1, 2, 5, 20, 60)
PLACES = (0, 3, 12, 40, 310)

# 1, held as a sum that nothing short of log 6 = log 2 + log 3 shows to be rational; as a quotient; with a scale.
ONES: list[Exact] = [a * y(6) + y(6) - a + 1, a * y(6) / (a - y(6)), Linear({10: 1}, scale="10")]


def drawn(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - numbers to test with, no secret


@dataclass(frozen=True)
class Case:
    """A value, and how to enclose the same number in balls; or the rational number that it is known to be."""

    value: Exact
    oracle: Callable[[], arb] | Fraction

    def ends(self, bits: int) -> tuple[Fraction, Fraction]:
        if isinstance(self.oracle, Fraction):
            return self.oracle, self.oracle
        with precision(bits):
            return ends(self.oracle())


def convergents(b: int, bits: int) -> list[tuple[int, int]]:
    """The convergents p/q of 1/log2(b), by the continued fraction of both ends of a ball as far as they agree."""
    with precision(bits):
        low, high = ends(form_ball({b: 1}))
    found, (p, q), (r, s) = [], (1, 0), (0, 1)
    while math.floor(low) == math.floor(high) and low != math.floor(low):
        whole = math.floor(low)
        (p, q), (r, s) = (whole * p + r, whole * q + s), (p, q)
        found.append((p, q))
        low, high = 1 / (high - whole), 1 / (low - whole)
    return found


@cache
def kept_convergents(b: int) -> list[tuple[int, int]]:
    return convergents(b, 2_200)


def convergent(draw: random.Random) -> dict[int, Fraction]:
    b = draw.choice(BASES[1:])
    p, q = draw.choice(kept_convergents(b))
    return {2: Fraction(-p), b: Fraction(q)}


@lru_cache(maxsize=256)
def relations(seed: int) -> list[dict[int, Fraction]]:
    """Whole numbers whose sum over eight to nineteen discounts is as small as lattice reduction makes it."""
    draw = drawn(seed)
    bases = draw.sample(BASES, draw.randint(8, 19))
    bits = draw.randint(60, 1_060)
    with precision(bits + 100):
        rows = [[int(b == c) for c in bases] + [math.floor(2**bits * ends(form_ball({b: 1}))[0])] for b in bases]
    reduced = fmpz_mat(rows).lll().tolist()
    return [{b: Fraction(int(c)) for b, c in zip(bases, row, strict=False)} for row in reduced[:4]]


def small(draw: random.Random) -> dict[int, Fraction]:
    """A form that nearly cancels: from what a grade may be down to 1e-300."""
    if draw.random() < 0.3:
        return convergent(draw)
    return draw.choice(relations(draw.randrange(cases(ci=60, long=3_000))))


def shifted(terms: dict[int, Fraction], q: Fraction) -> Case:
    total = {**terms, 2: terms.get(2, Fraction(0)) + q}
    return Case(Linear(total), lambda: form_ball(total))


def over(draw: random.Random, terms: dict[int, Fraction]) -> Case:
    """A quotient of that numerator; sometimes a difference of two quotients that comes to it."""
    below = {b: Fraction(draw.randint(1, 9)) for b in draw.sample(BASES, 3)}
    if draw.random() < 0.5:
        return Case(Linear(terms) / Linear(below), lambda: form_ball(terms) / form_ball(below))
    other = {b: Fraction(draw.randint(1, 9)) for b in draw.sample(BASES, 2)}
    value = (Linear(terms) + Linear(below)) / Linear(below) - Linear(other) / Linear(other)
    minus = Linear(other) / (1 + Linear(other))
    return Case(value + minus - minus, lambda: form_ball(terms) / form_ball(below))


def near(draw: random.Random, number: Fraction) -> Case:
    """As near to a number, from above or below, as the smallest forms are."""
    tiny = {b: q * abs(number) * draw.choice([1, -1]) for b, q in small(draw).items()}
    if draw.random() < 0.5:
        return shifted(tiny, number)
    below = {2: Fraction(draw.randint(1, 9)), draw.choice(BASES[1:]): Fraction(draw.randint(1, 9))}
    above = {b: tiny.get(b, Fraction(0)) + number * below.get(b, Fraction(0)) for b in {*tiny, *below}}
    return Case(Linear(above) / Linear(below), lambda: form_ball(above) / form_ball(below))


def cancelling(draw: random.Random) -> Case:
    factor = Fraction(draw.randint(1, 10**6), draw.randint(1, 10**6))
    return shifted({b: q * factor for b, q in small(draw).items()}, Fraction(0))


def loose(draw: random.Random) -> Case:
    """A value whose first enclosure clear of 0 nearly holds 0: one end tells nothing of its size."""
    bits = draw.choice(enclosures.LEVELS[:4])
    terms = {b: Fraction(draw.randint(-(10**9), 10**9), draw.randint(1, 60)) for b in draw.sample(BASES, 3)}
    for _ in range(8):  # The shift changes the enclosure a little, so a few are needed.
        low, _, below = Linear(terms).bounds(bits)
        terms[2] = terms.get(2, Fraction(0)) - Fraction(low - draw.randint(1, 1_000), below)
    sign = draw.choice([1, -1])
    return shifted({b: sign * q for b, q in terms.items()}, Fraction(0))


def quotient(draw: random.Random) -> Case:
    return over(draw, small(draw))


def power_of_ten(draw: random.Random) -> Case:
    return near(draw, Fraction(10) ** draw.randint(-40, 40))


def half(draw: random.Random) -> Fraction:
    """Half-way between two neighbours of one of the grids."""
    places = draw.choice(PLACES)
    number = Fraction(2 * draw.randrange(10**20) + 1, 2 * 10**places)
    digits = Fraction(2 * draw.randrange(10 ** draw.choice(DIGITS)) + 1) * Fraction(10) ** draw.randint(-60, 60) / 2
    low = math.ldexp(draw.random(), draw.randint(-1090, 1020))
    double = (Fraction(low) + Fraction(math.nextafter(low, math.inf))) / 2
    return draw.choice([1, -1]) * draw.choice([number, digits, double])


def beside_a_half(draw: random.Random) -> Case:
    return near(draw, half(draw))


def half_in_disguise(draw: random.Random) -> Case:
    number = half(draw)
    return Case(draw.choice(ONES) * number, number)


# What is right, from two ends that agree.


def to_digits(digits: int, q: Fraction) -> Decimal:
    """Rounded by the standard library's decimal arithmetic, which divides correctly rounded."""
    return Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=10**6, Emin=-(10**6)).divide(q.numerator, q.denominator)


def to_double(q: Fraction) -> float:
    try:
        return float(q)
    except OverflowError:
        return math.inf if q > 0 else -math.inf


def to_even(places: int, q: Fraction) -> Fraction:
    return Fraction(round(q, places))


def away(places: int, q: Fraction) -> Fraction:
    size = Fraction(math.floor(abs(q) * 10**places + Fraction(1, 2)), 10**places)
    return size if q > 0 else -size


def right(case: Case, rounding: Callable[[Fraction], object]) -> object:
    """What both ends of a ball round to, at the first precision at which they agree."""
    for bits in (1_500, 3_000, 6_000, 12_000):
        low, high = (rounding(end) for end in case.ends(bits))
        if low == high:
            return low
    raise AssertionError("the oracle is not narrow enough")


MADE = [cancelling, loose, quotient, power_of_ten, beside_a_half, half_in_disguise]
CHUNKS = 5


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("make", MADE)
def test_what_nearly_cancels_is_correctly_rounded(make: Callable[[random.Random], Case], chunk: int) -> None:
    for number in range(chunk, cases(ci=2_000, long=100_000) // len(MADE), CHUNKS):
        case = make(drawn(number))
        value = case.value
        assert float(value) == right(case, to_double), (number, value)
        for digits in DIGITS:
            assert Decimal(value.decimal(digits)) == right(case, partial(to_digits, digits)), (number, digits)
        for places in PLACES:
            assert Fraction(value.fixed(places)) == right(case, partial(to_even, places)), (number, places)
            assert value.rounded(places) == right(case, partial(away, places)), (number, places)
        low, high = case.ends(3_000)
        for bits in (1, 80, 200):
            below, above = value.enclosure(bits)
            assert below <= high, (number, bits)
            assert low <= above, (number, bits)
            assert (above - below) * 2**bits <= min(abs(below), abs(above)), (number, bits)


def test_the_values_are_as_small_as_they_are_meant_to_be() -> None:
    sizes = [abs(float(cancelling(drawn(number)).value)) for number in range(400)]
    assert sum(size < 1e-13 for size in sizes) > 200
    assert min(sizes) < 1e-300
    assert {make(drawn(1)).value.sign() for make in MADE} <= {-1, 1}


def test_an_end_of_the_first_enclosure_clear_of_0_tells_nothing_of_the_size() -> None:
    ratios = []
    for number in range(200):
        value = loose(drawn(number)).value
        size = abs(value)
        low, high, _ = next(bounds for bits in enclosures.LEVELS if (bounds := size.bounds(bits))[0] > 0)
        ratios.append(Fraction(high, low))
    assert sum(ratio > 100 for ratio in ratios) > 50


def test_digits_that_were_wrong_by_a_power_of_ten() -> None:
    value = 3292733521053269 - 5218859155736967 * a
    low, high = shifted({3: Fraction(-5218859155736967)}, Fraction(3292733521053269)).ends(400)
    assert value.decimal(20) == "9.4623508687144930781e-14"
    assert Fraction(94623508687144930780, 10**33) < low < high < Fraction(94623508687144930781, 10**33)
    assert value.fixed(15) == "0.000000000000095"
    assert value.to_json()["decimal"] == value.decimal(20)
    assert float(value) == 9.462350868714493e-14


@pytest.mark.parametrize("exponent", [-45, -7, -6, -1, 0, 1, 20, 21, 60])
@pytest.mark.parametrize("one", ONES, ids=str)
def test_next_to_a_power_of_ten_each_side_has_its_own_exponent(exponent: int, one: Exact) -> None:
    power = Fraction(10) ** exponent
    tiny = power * (2 - 3 * a) / 10**100  # 2 - 3a = 0.107...
    for digits in (1, 2, 20, 60):
        assert Fraction((one * power + tiny).decimal(digits)) == power
        assert Fraction((one * power - tiny).decimal(digits)) == power
        assert Decimal((one * power).decimal(digits)) == Decimal(10) ** exponent
        below = one * power * (1 - Fraction(1, 2 * 10**digits))  # 9.995 of three digits: a tie, to the even 10.0
        assert Fraction(below.decimal(digits)) == power
        assert Fraction((below + tiny).decimal(digits)) == power
        assert Fraction((below - tiny).decimal(digits)) == power * (1 - Fraction(1, 10**digits))


def test_what_no_precision_tells_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enclosures, "LEVELS", enclosures.LEVELS[:2])
    p, q = convergents(3, 1_000)[-1]
    value = a - Fraction(p, q) + Fraction(1, 2)
    with pytest.raises(Undecided, match="sign is not decided"):
        value.fixed(0)
    with pytest.raises(Undecided, match="within 2\\^-300 is not decided"):
        a.enclosure(300)
    with pytest.raises(Undecided, match="a to 100 digits is not decided"):
        a.decimal(100)
    with pytest.raises(Undecided, match="a to 90 decimals is not decided"):
        a.fixed(90)
    assert value.fixed(4) == "0.5000"
    assert (value - Fraction(1, 2)).fixed(4) == "0.0000"  # its sign is not known, and not needed
    with pytest.raises(Undecided):
        (value - Fraction(1, 2)).decimal(4)
    assert f"{float(value):.1f}" == "0.5"


def test_no_number_of_so_many_digits_is_next_to_0() -> None:
    grid = Decimals(3)
    assert grid.nearest(0, 1) is None
    assert grid.nearest(-1, 7) is None
    assert grid.nearest(1, 10**400) == (100, -400)
