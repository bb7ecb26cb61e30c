"""Wins, losses, exact ties, and what chance gives."""

import json
import subprocess
import sys
from collections.abc import Mapping
from itertools import product
from math import atan, comb, pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_lab import Contract, NdcgLabError, Report, evaluate_run, paired_tests
from ndcg_lab.reports.significance import LIMITS, holm
from tests.support import ROOT

FIRST = Contract(gain="linear", k=1, unjudged="zero")


def found(values: list[int], weights: Mapping[str, object] | None = None, **fields: object) -> Report:
    """A report whose queries q0, q1, ... have the values 0 or 1: whether the relevant document stands first."""
    run = {f"q{i}": ["A", "B"] if value else ["B", "A"] for i, value in enumerate(values)}
    return evaluate_run(FIRST.replace(**fields), run, {query: {"A": 1, "B": 0} for query in run}, weights=weights)


def enumerated(differences: list[float]) -> float:
    """The two-sided p over all swaps, by counting: twice the smaller tail, at most 1."""
    seen = sum(differences)
    sums = [
        sum(sign * d for sign, d in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    upper = sum(s >= seen - 1e-12 for s in sums) / len(sums)
    lower = sum(s <= seen + 1e-12 for s in sums) / len(sums)
    return min(1.0, 2 * min(upper, lower))


def signs(wins: int, losses: int) -> float:
    """The two-sided p of the sign test, by counting."""
    n, most = wins + losses, max(wins, losses)
    tail: int = sum(comb(n, i) for i in range(most, n + 1))
    return min(1.0, 2 * tail / (1 << n))


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=7))
def test_both_tests_against_counting(pairs: list[tuple[int, int]]) -> None:
    one, other = ([pair[side] for pair in pairs] for side in (0, 1))
    tests = paired_tests(found(one), found(other), seed=0)
    assert (tests.wins, tests.ties, tests.losses) == (
        pairs.count((1, 0)),
        pairs.count((0, 0)) + pairs.count((1, 1)),
        pairs.count((0, 1)),
    )
    assert tests.sign_p == pytest.approx(signs(tests.wins, tests.losses))
    assert tests.randomisation_p == pytest.approx(enumerated([float(a - b) for a, b in pairs]))
    assert tests.resamples is None
    assert tests.difference == pytest.approx(sum(a - b for a, b in pairs) / len(pairs))


def test_weights_weigh_the_difference() -> None:
    weights = {"q0": 3, "q1": 1}
    tests = paired_tests(found([1, 0], weights), found([0, 1], weights), seed=0)
    assert tests.difference == pytest.approx(0.5)
    assert tests.randomisation_p == pytest.approx(1)  # of the sums 1, 1/2, -1/2, -1: half are at least 1/2
    assert paired_tests(found([1, 0], weights), found([0, 1]), seed=0).difference == 0


def test_a_seed_gives_its_p_again() -> None:
    one, other = found([1, 0, 1, 1] * 10), found([0, 1, 1, 0] * 10)
    first, again, another = (paired_tests(one, other, seed=seed, resamples=500) for seed in (7, 7, 8))
    assert first == again
    assert first.resamples == 500
    assert first.randomisation_p != another.randomisation_p


def test_undefined_values_are_set_aside() -> None:
    qrels = {"q0": {"A": 1, "B": 0}, "q1": {"A": 0}}
    one, other = (evaluate_run(FIRST, {"q0": order, "q1": ["A"]}, qrels) for order in (["A", "B"], ["B", "A"]))
    tests = paired_tests(one, other, seed=0)
    assert (tests.wins, tests.undefined) == (1, 1)
    assert "1 undefined and set aside" in str(tests)


def test_nothing_to_test() -> None:
    alone = evaluate_run(FIRST, {"p": ["A"]}, {"p": {"A": 1}})
    with pytest.raises(NdcgLabError, match="no query has a value on both sides"):
        paired_tests(alone, found([1]), seed=0)


def test_equal_everywhere() -> None:
    tests = paired_tests(found([1, 0]), found([1, 0]), seed=0)
    assert (tests.sign_p, tests.randomisation_p, tests.difference) == (1, 1, 0)


def test_the_t_test_by_hand() -> None:
    # Differences 1, 1, 0, -1: mean 1/4, variance 11/12, so t = (1/4)/sqrt(11/48) = 0.52223 with 3 degrees of freedom;
    # of Student's distribution with 3, P(|T| > t) = 1 - (2/pi)(atan(t/sqrt 3) + (t/sqrt 3)/(1 + t^2/3)).
    tests = paired_tests(found([1, 1, 0, 0]), found([0, 0, 0, 1]), seed=0)
    x = 0.25 / (11 / 48) ** 0.5 / 3**0.5
    assert tests.t_p == pytest.approx(1 - (2 / pi) * (atan(x) + x / (1 + x * x)))
    assert paired_tests(found([1, 1]), found([0, 0]), seed=0).t_p is None  # nothing varies
    assert paired_tests(found([1]), found([0]), seed=0).t_p is None


def test_the_bootstrap_interval() -> None:
    # Of two queries with differences 1 and 0 the draws have the means 0, 1/2 and 1, a quarter of them at either end.
    tests = paired_tests(found([1, 0]), found([0, 0]), seed=0)
    assert tests.interval == (0.0, 1.0)
    assert "95% of the draws give a difference from +0.00000 to +1.00000" in str(tests)
    # Of many, about the mean and 1.96 standard errors: differences 1 and 0, half each, 100 queries: 0.05 apiece.
    many = paired_tests(found([1, 0] * 50), found([0, 0] * 50), seed=0)
    assert many.interval is not None
    assert many.interval == pytest.approx((0.5 - 1.96 * 0.05, 0.5 + 1.96 * 0.05), abs=0.012)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_the_words_say_what_the_numbers_do_not() -> None:
    chance = paired_tests(found([1, 0]), found([0, 1]), seed=3)
    assert "no more than chance gives" in str(chance)
    assert str(chance).endswith(LIMITS)
    rare = paired_tests(found([1] * 12), found([0] * 12), seed=3)
    assert "no more than chance gives" not in str(rare)
    assert "A is higher on 12 of 12 queries, B on 0, 0 exactly tied." in rare.words
    assert json.loads(json.dumps(rare.to_json()))["sign_p"] == pytest.approx(2 / 2**12)


def test_without_scipy_the_error_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['scipy'] = None\n"
        "from ndcg_lab import *\n"
        "r = evaluate_run(Contract(gain='linear', k=1), {'q': ['A']}, {'q': {'A': 1}})\n"
        "paired_tests(r, r, seed=0)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
    assert "MissingPackage: `paired_tests` needs scipy, which is not installed: pip install scipy" in run.stderr


@pytest.mark.parametrize("seed", [-1, "x", None])
def test_a_seed_that_is_none_is_named(seed: object) -> None:
    report = evaluate_run(Contract(gain="linear", k=2), {"q": ["A", "B"]}, {"q": {"A": 0, "B": 1}})
    with pytest.raises(NdcgLabError, match="`seed`"):
        paired_tests(report, report, seed=seed)  # type: ignore[arg-type]  # the wrong kind is the point


def test_a_certain_lead_comes_up_in_all_draws() -> None:
    report = evaluate_run(Contract(gain="linear", k=2), {"q": ["A", "B"]}, {"q": {"A": 0, "B": 1}})
    assert "in 100 of 100 draws" in str(paired_tests(report, report, seed=0))
