"""Lesson 07: its panel's values, its targets, its exercises."""

from fractions import Fraction

from ndcg_lab.lessons.course import metric_family as lesson
from ndcg_lab.lessons.state import State


def start(**options: str) -> State:
    state = lesson.panel().start
    return State(state.judgments, state.lists, state.contract, {**state.options, **options})


def test_the_threshold_decides_who_wins_on_ap() -> None:
    every_rank = start().under(k="all")
    assert [lesson.values(every_rank, name)["AP"] for name in "XY"] == [1, Fraction(29, 36)]
    strict = start(relevant_from="3").under(k="all")
    assert [lesson.values(strict, name)["AP"] for name in "XY"] == [Fraction(1, 3), 1]
    assert lesson.winners(every_rank)["AP"] == "X"
    assert lesson.winners(strict)["AP"] == "Y"


def test_what_the_lesson_says_of_k_3() -> None:
    assert {m: lesson.winners(start())[m] for m in ("P", "recall", "ERR", "RR")} == {
        "P": "X",
        "recall": "X",
        "ERR": "Y",
        "RR": "equal",
    }
    strict = lesson.winners(start(relevant_from="3"))
    assert {m: strict[m] for m in ("RR", "AP", "P")} == {"RR": "Y", "AP": "Y", "P": "equal"}


def test_targets_are_reached_and_not_by_the_start() -> None:
    panel = lesson.panel()
    by_threshold, by_ndcg, by_p = (target.reached for target in panel.targets)
    assert not any(reached(panel.start, panel.start) for reached in (by_threshold, by_ndcg, by_p))
    assert by_threshold(panel.start, start(relevant_from="3"))
    assert by_ndcg(panel.start, start(relevant_from="3"))
    assert by_p(panel.start, start().under(gain="exponential"))


def test_the_reading_holds_the_table_and_the_sayings_their_numbers() -> None:
    reading = lesson.panel().reading()
    for text in ("931/1536", "57/64", "5/9", "(7/2 + 2a)/(4 + 2a)"):
        assert text in reading
    sayings = lesson.glossary().html
    for text in ("0.28906", "0.0443", "0.92434", "4.5436 against 6.3928", "4.5436 against 14.9165", "3/10"):
        assert text in sayings
