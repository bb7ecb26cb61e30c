"""Every sentence proves its claim when read alone, by a reader of the tests' own."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import reduce
from itertools import permutations
from operator import add
from typing import TYPE_CHECKING, Any

import pytest

from ndcg_lab import Contract, Judgments, Ranking, compare, evaluate
from ndcg_lab.certificate import certify, sentence
from ndcg_lab.exact.linear import Linear, a, y
from ndcg_lab.lessons.state import State
from ndcg_lab.lessons.views import verdict_text
from tests.certificates.reader import Claim, Counted, Refused, decide, linear, parse
from tests.support import cases

if TYPE_CHECKING:
    from collections.abc import Callable

    from ndcg_lab.exact.values import Exact

GRADES = {"A": 3, "B": 2, "C": 2, "D": 0}
GAINS: dict[str, Callable[[int], int]] = {
    "linear": lambda r: r,
    "power:2": lambda r: r**2,
    "exponential": lambda r: 2**r - 1,
}
ORDERS = ["".join(order) for order in permutations("ABCD")]


def dcg(order: str, gain: Callable[[int], int], k: int) -> dict[int, Fraction]:
    """`{b: coefficient}`, worked out here: rank 3 is worth 1/log2(4) = 1/2."""
    worth = {1: (2, Fraction(1)), 2: (3, Fraction(1)), 3: (2, Fraction(1, 2)), 4: (5, Fraction(1))}
    total: dict[int, Fraction] = {}
    for rank, document in enumerate(order[:k], 1):
        b, share = worth[rank]
        total[b] = total.get(b, Fraction(0)) + share * gain(GRADES[document])
    return total


def minus(one: dict[int, Fraction], other: dict[int, Fraction]) -> dict[int, Fraction]:
    found = {b: one.get(b, Fraction(0)) - other.get(b, Fraction(0)) for b in one | other}
    return {b: q for b, q in found.items() if q}


@pytest.mark.parametrize("gain", GAINS)
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_every_verdict_of_lesson_01s_lists_proves_its_claim(gain: str, k: int) -> None:
    judgments, contract = Judgments(GRADES), Contract(gain=gain, k=k)
    read = ties = 0
    for one, other in permutations(ORDERS, 2):
        text = verdict_text(State.of(judgments, contract, X=" ".join(one), Y=" ".join(other)))
        difference = minus(dcg(one, GAINS[gain], k), dcg(other, GAINS[gain], k))
        if text.startswith("X and Y tie exactly"):
            assert not difference, text
            ties += 1
            continue
        claim = decide(text)
        assert linear(claim.expression) == difference
        assert claim.leader
        read += 1
    assert read + ties == 24 * 23
    assert read > ties


@pytest.mark.parametrize("gain", GAINS)
def test_every_comparison_of_lesson_01s_lists_proves_its_claim(gain: str) -> None:
    judgments, contract = Judgments(GRADES), Contract(gain=gain, k=3)
    results = [evaluate(contract, Ranking(list(order)), judgments) for order in ORDERS]
    for one, other in permutations(results, 2):
        decide(str(compare(one, other)))


# Random values of each kind.


def random_form(draw: random.Random, *, positive: bool = False) -> Linear:
    low = 0 if positive else -9
    terms = {b: draw.randint(low, 9) for b in draw.sample(range(2, 14), draw.randint(1, 4))}
    return Linear({**terms, 2: draw.randint(1, 9)} if positive else terms)


def random_value(draw: random.Random) -> Exact:
    match draw.randrange(6):
        case 0:
            return random_form(draw)
        case 1:
            return random_form(draw) / random_form(draw, positive=True)
        case 2:  # NDCGs with different ideals
            first, second = (random_form(draw, positive=True) / random_form(draw, positive=True) for _ in range(2))
            return first - second
        case 3:
            ideals = [random_form(draw, positive=True) for _ in range(draw.randint(2, 3))]
            values: list[Exact] = [random_form(draw) / ideal for ideal in ideals]
            return reduce(add, values) / len(ideals)
        case 4:  # a tie across needs, or nearly one
            b, d = draw.sample([3, 5, 7, 11], 2)
            tie = y(b) * y(b * d) + y(d) * y(b * d) - y(b) * y(d)
            return tie / random_form(draw, positive=True) + Fraction(draw.choice([0, 0, 1]), 10**9)
        case _:
            return Linear(dict(random_form(draw).terms), scale=draw.choice(["e", "17", "3/2"]))


def test_random_sentences_prove_their_claims() -> None:
    draw = random.Random(9)  # noqa: S311 - test data
    counted, many = 0, cases(ci=1000, long=100_000)
    for _ in range(many):
        value = random_value(draw)
        certificate = certify(value)
        text = f"{value} {'<=>'[certificate['sign'] + 1]} 0, {sentence(certificate)}"
        facts = [side for bound in certificate["bounds"] for side in ("lower", "upper") if side in bound]
        powers = [side for bound in certificate["bounds"] for side in bound if side.endswith("_powers")]
        if len(facts) <= 8 and len(powers) == len(facts):
            decide(text)
            continue
        with pytest.raises(Counted) as many_facts:
            decide(text)
        assert many_facts.value.counted[0] == (len(facts), "rational bound")
        counted += 1
    assert counted < many / 5


# The reader refuses what doesn't prove.

GOOD = [
    "the second leads: (-2 + 3a)/(17/2 + 3a) < 0, because a < 2/3, because 2^3 < 3^2, and every discount is positive",
    "Y leads: X − Y = −2 + 3a < 0 in DCG, because a < 2/3, because 2³ < 3² (8 < 9). One ideal, so in NDCG too.",
    "(7/2 + 2a)/(4 + 2a) − 4/(3 + 2a) < 0, because a > 5/8 (3^5 < 2^8) and a < 2/3 (2^3 < 3^2, 8 < 9)",
    "1 + a > 0, because every term has that sign",
    "a/(1 + a) > 0, because every discount is positive",
    "a/(1 + a) - 1/log2(6) = 0, because 2 * 3 = 6 and every discount is positive, so both sides are one number",
    "-(2 - 3a)*log2(3/2) < 0, because a < 2/3 (2^3 < 3^2) and log2(3/2) > 0 (1 < 3/2)",
    "exactly equal: 0 = 0, because both sides are the same expression",
    "Y leads: X − Y = −1/6 < 0 in DCG. One ideal, so in NDCG too.",
    "log2(17)*(3/2 + 3/log2(10)) > 0, because log2(17) > 0, because 1 < 17, and every discount is positive",
    "log2(17)*(3/2 + 3/log2(10)) > 0, because every discount is positive",
    "1 - a/log2(6) > 0, because a < 1 (2 < 3) and 1/log2(6) < 1 (2 < 6) and every discount is positive",
]


@pytest.mark.parametrize("text", GOOD)
def test_the_reader_accepts_what_proves(text: str) -> None:
    assert isinstance(decide(text), Claim)


@pytest.mark.parametrize(
    ("good", "whole", "broken"),
    [
        # who leads, and the relation
        (0, "the second", "the first"),
        (0, "< 0", "> 0"),
        (0, "< 0", "= 0"),
        (1, "Y leads", "X leads"),
        (1, "X − Y", "Y − X"),
        (7, "exactly equal", "the first leads"),
        (7, "0 = 0", "a = 0"),
        (7, "0 = 0", "0 < 0"),
        (8, "−1/6", "1/6"),
        (8, "−1/6", "−a/6"),
        # the claim
        (0, "-2 + 3a", "-1 + 3a"),
        (0, "17/2 + 3a", "17/2 - 30a"),
        (1, "3a", "4a"),
        (3, "1 + a", "1 - a"),
        (3, "1 + a", "1 + a/(1 + a)"),
        (3, "> 0", "= 0"),
        (4, "a/(1 + a)", "(a - 1)/(1 + a)"),
        (5, "log2(6)", "log2(7)"),
        (5, "(1 + a)", "(2 + a)"),
        (6, "log2(3/2)", "log2(5/2)"),
        (11, "1 - a", "1 - 2a"),
        # a bound, its side, its number, its name
        (0, "a < 2/3", "a < 3/4"),
        (0, "a < 2/3", "a > 2/3"),
        (0, "a < 2/3", "1/log2(5) < 2/3"),
        (2, "a > 5/8", "a > 4/8"),
        (2, "a > 5/8 (3^5 < 2^8) and ", ""),
        (11, "1/log2(6) < 1", "1/log2(7) < 1"),
        # the whole powers
        (0, "2^3 < 3^2", "2^3 < 3^1"),
        (0, "2^3 < 3^2", "2^5 < 3^4"),
        (0, "2^3 < 3^2", "2^4 < 3^2"),
        (0, "2^3 < 3^2", "8 < 9"),
        (0, "2^3 < 3^2", "every child knows it"),
        (1, "8 < 9", "8 < 10"),
        (2, "8 < 9", "7 < 9"),
        (2, "3^5 < 2^8", "3^6 < 2^8"),
        (6, "1 < 3/2", "1 < 5/2"),
        (6, "log2(3/2) > 0 (1 < 3/2)", "log2(2/3) > 0 (1 < 2/3)"),
        (6, " and log2(3/2) > 0 (1 < 3/2)", " and every discount is positive"),
        (6, "> 0 (1", "> 1 (1"),
        # the discounts' sign, unsaid or said in vain
        (0, ", and every discount is positive", ""),
        (1, "(8 < 9)", "(8 < 9), and every discount is positive"),
        (4, "every discount is positive", "every term has that sign"),
        (4, "every discount is positive", "every discount is large"),
        (5, " and every discount is positive", ""),
        (9, ", and every discount is positive", ""),
        (9, "1 < 17", "1 < 16"),
        (9, "log2(17) > 0, because", "log2(18) > 0, because"),
        (11, " and every discount is positive", ""),
        # an identity
        (5, "2 * 3 = 6", "2 * 3 = 7"),
        (5, "2 * 3 = 6", "2 * 5 = 10"),
        (5, "2 * 3 = 6", "2 * 3 = 6 and 2 * 5 = 10"),
        (5, "2 * 3 = 6 and ", ""),
        (5, ", so both sides are one number", ""),
        # what could be left out, and what is no reason
        (2, "a < 2/3", "a < 1 (2 < 3) and a < 2/3"),
        (3, "every term has that sign", "a < 1, because 2 < 3"),
        (8, "< 0 in DCG", "< 0 in DCG, because nothing is left when all is multiplied out"),
        (8, "< 0 in DCG", "< 0 in DCG, because both sides are the same expression"),
        (3, ", because every term has that sign", ""),
        (3, "because every term has that sign", "because it is so"),
    ],
)
def test_the_reader_refuses_a_sentence_with_one_thing_broken(good: int, whole: str, broken: str) -> None:
    assert whole in GOOD[good]
    with pytest.raises(Refused):
        decide(GOOD[good].replace(whole, broken, 1))


@pytest.mark.parametrize("text", ["1 +", "(1", "1 + b", "2)", "log3(4)", "1 ** 2", "log2(a)"])
def test_the_reader_refuses_what_is_no_expression(text: str) -> None:
    with pytest.raises(Refused):
        parse(text)


def test_the_reader_says_where_facts_are_counted() -> None:
    value: Any = Linear.weighted([(-1) ** n for n in range(40)], range(2, 42))
    with pytest.raises(Counted, match="31"):
        decide(f"{value} > 0, {sentence(certify(value))}")


def test_a_bound_that_is_not_needed_is_not_told() -> None:
    needed = certify(3 * a - 2)
    more = {**needed, "bounds": [{**needed["bounds"][0], "lower": "1/2"}, {"b": 5, "upper": "1"}]}
    assert sentence(more) == sentence(needed) == "because a < 2/3, because 2^3 < 3^2"
