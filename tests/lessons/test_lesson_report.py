"""Lesson 08: its averages, its faults, its targets and exercises."""

from typing import Any

from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons.course import complete_report as lesson
from ndcg_lab.lessons.state import State


def with_options(**changes: str) -> State:
    state = lesson.panel().start
    return State(state.judgments, state.lists, state.contract, {**state.options, **changes})


def fixed(value: Any) -> str:
    assert isinstance(value, Exact)
    return value.fixed(5)


def test_the_two_averages_name_two_winners() -> None:
    start = with_options()
    assert lesson.mean_sign(start) == -1
    assert lesson.mean_sign(with_options(aggregate="ratio-of-sums")) == 1
    shown = lesson.averages(start) + lesson.averages(with_options(aggregate="ratio-of-sums"))
    for number in ("0.76795", "0.88009", "0.86121", "0.79848"):
        assert number in shown
    assert "run Y leads" in lesson.averages(start)


def test_five_queries_of_which_three_are_left_out_with_their_reasons() -> None:
    report = lesson.whole_report()
    assert [result.query for result in report] == ["q1", "q2"]
    assert {left.query: left.reason for left in report.excluded} == {
        "q3": "zero ideal",
        "q4": "no results",
        "q5": "no judgments",
    }
    assert fixed(report.mean.ndcg) == "0.76795"


def test_changes_are_found_at_their_places() -> None:
    assert lesson.faults({}).plain == "no fault"
    assert "queries[0].dcg.decimal" in lesson.faults({"queries.0.dcg.decimal": "4.7618595071429148743"}).html
    assert "contract.unjudged" in lesson.faults({"contract.unjudged": None}).html
    assert "queries[1].judgments.Q" in lesson.faults({"queries.1.judgments.Q": "1"}).html


def test_targets_are_reached_and_not_by_the_start() -> None:
    panel = lesson.panel()
    untouched, as_mean, defined = (target.reached for target in panel.targets)
    assert not any(reached(panel.start, panel.start) for reached in (untouched, as_mean, defined))
    assert untouched(panel.start, with_options(aggregate="ratio-of-sums"))
    assert as_mean(panel.start, with_options(**{"weight of q1": "3"}))
    third = with_options(**{"third query": "yes"})
    assert not defined(panel.start, third)
    assert defined(panel.start, third.under(zero_ideal="exclude"))
    assert "undefined" in lesson.averages(third)
