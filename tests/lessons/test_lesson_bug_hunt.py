"""Lesson 11: each case is solved by its setting and by no other that is offered; explain and identify say so."""

import contextlib
from decimal import Decimal

import pytest

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons.course import bug_hunt as lesson

CASES = list(enumerate(lesson.cases, 1))
# What the stories say was printed, for the first and the second contract.
PRINTED = {
    1: ("0.9049765583210164", "0.8075588805057204"),
    2: ("0.8671", "1.0000"),
    3: ("0.74525", "1"),
    4: ("0.6666666666666666", "1.0"),
    5: ("1.0000", "0.8155"),
    6: ("1.0000", "0.0"),
    7: ("0.54977", "0.8100"),
    8: ("0.5", "1"),
    9: ("1", "0.5"),
    10: ("0.96", "1.49"),
}


def test_there_are_eight_cases_or_more_each_with_its_own_setting() -> None:
    assert len(lesson.cases) >= 8
    assert len({case.setting for case in lesson.cases}) == len(lesson.cases)


@pytest.mark.parametrize(("number", "case"), CASES)
def test_the_setting_alone_gives_the_second_number_and_no_other_offered_one_does(
    number: int, case: lesson.Case
) -> None:
    second = case.reports[1].mean.ndcg
    assert case.reports[0].mean.ndcg != second
    assert case.with_change(case.setting) == second
    assert case.setting in case.offered
    for other in set(case.offered) - {case.setting}:
        with contextlib.suppress(NdcgLabError):
            assert case.with_change(other) != second
    assert number in PRINTED


@pytest.mark.parametrize(("number", "case"), CASES)
def test_the_stories_print_what_the_contracts_give(number: int, case: lesson.Case) -> None:
    for report, text in zip(case.reports, PRINTED[number], strict=True):
        value = report.mean.ndcg
        assert isinstance(value, Exact)
        places = len(text.partition(".")[2])
        if places < 15:
            assert Decimal(value.fixed(places)) == Decimal(text)
        else:
            assert float(value) == pytest.approx(float(text), rel=1e-15)


@pytest.mark.parametrize(("number", "case"), CASES)
def test_explain_names_the_setting_and_identify_finds_it(number: int, case: lesson.Case) -> None:
    assert f"`{case.setting}`" in case.explanation.summary
    told = lesson.solve(number).html
    assert f"{case.setting} = {case.value(1)}" in told
    assert " 0 of them" not in told


@pytest.mark.parametrize(("number", "case"), CASES)
def test_a_hunt_is_judged(number: int, case: lesson.Case) -> None:
    exercise = lesson.hunt(number).exercise
    assert exercise(case.setting).status == "right"
    for other in set(case.offered) - {case.setting}:
        assert exercise(other).status == "wrong"


def test_the_bench_takes_over_one_setting() -> None:
    bench = lesson.Bench()
    assert "does not give" in bench._shown.value
    bench.setting.index = bench.setting.labels.index("gain")
    assert "gives the second number, exactly" in bench._shown.value
    bench.case.index = 1
    assert bench.setting.labels == ["nothing", "k", "gain", "unjudged", "ties"]
    assert bench.setting.chosen == "nothing"
    bench._restart()
    assert "Two libraries" in bench._shown.value


def test_the_last_case_accepts_what_tells_the_cutoffs_apart() -> None:
    exercise = lesson.last.exercise
    assert exercise("A B D C").status == "right"
    assert exercise("B C A D").status == "wrong"
    assert exercise("A A B C").status == "unread"
