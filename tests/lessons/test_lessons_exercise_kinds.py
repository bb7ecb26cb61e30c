"""What holds of every exercise: nothing above gives the answer, no placeholder is one, no option is always right."""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from html import unescape
from typing import TYPE_CHECKING

import pytest

from ndcg_lab import parse, y
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.lessons.form import Form
from ndcg_lab.lessons.progress import Progress
from tests.lesson_answers import ANSWERS, NOTEBOOKS, Answers, check_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ndcg_lab.exact.values import Exact

EXERCISES = [(lesson, answers) for lesson, listed in ANSWERS.items() for answers in listed]
IDS = [f"{lesson} {answers.exercise}" for lesson, answers in EXERCISES]
ORDERED = ("always", "sometimes", "never")


def plain(text: str) -> str:
    """Text or HTML in one spelling: no marks, no blanks, ASCII signs and digits."""
    text = unescape(re.sub(r"<[^>]+>", " ", text)).translate(str.maketrans("−·×₂₃₅₆", "-**2356"))
    return re.sub(r"[\s$*_{}\\]", "", text)


def above(lesson: str, exercise: str) -> str:
    """All that a lesson's page shows before an exercise, exercises left out."""
    shown = ""
    for cell in json.loads(NOTEBOOKS[lesson].read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        called = re.fullmatch(r"lesson\.(check|hunt)\((\d+)\)|lesson\.last", source.strip())
        if called:
            name = "Last case" if called[1] is None else f"{'Exercise' if called[1] == 'check' else 'Case'} {called[2]}"
            if name == exercise:
                return shown
            continue
        shown += source + "\n"
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            shown += "".join(output.get("text", "")) + "".join(data.get("text/html", data.get("text/plain", "")))
    raise AssertionError(f"{exercise} is not in {lesson}")


@pytest.mark.parametrize(("lesson", "answers"), EXERCISES, ids=IDS)
def test_no_answer_stands_above(lesson: str, answers: Answers) -> None:
    """Neither as it is typed nor as the lessons write it; the words of a choice are free to stand anywhere."""
    shown = plain(above(lesson, answers.exercise))
    for text, blank in zip(answers.right, check_of(lesson, answers.exercise).exercise.blanks, strict=True):
        if blank.choices or not re.search(r"\d|<", text):
            continue
        spellings = {text}
        try:
            value = parse(text)
            spellings |= {str(value), value.fixed(5)} if not value.is_rational else {str(value)}
        except NdcgLabError:
            pass
        for spelling in spellings:
            assert not re.search(rf"(?<![\w./]){re.escape(plain(spelling))}(?![\w/])", shown), spelling


@pytest.mark.parametrize(("lesson", "answers"), EXERCISES, ids=IDS)
def test_a_placeholder_is_no_answer(lesson: str, answers: Answers) -> None:
    check = check_of(lesson, answers.exercise)
    pairs = list(zip(check.exercise.blanks, answers.right, strict=True))
    if not any(blank.example and right for blank, right in pairs):  # "always" needs no counterexample
        return
    assert check(*(blank.example or right for blank, right in pairs)).status != "right"


def options() -> Iterator[tuple[str, int, int]]:
    """Lesson, place and number of options, of each choice that has one right option."""
    for lesson, answers in EXERCISES:
        for text, blank in zip(answers.right, check_of(lesson, answers.exercise).exercise.blanks, strict=True):
            if text in blank.choices and tuple(blank.choices) != ORDERED:
                yield lesson, blank.choices.index(text), len(blank.choices)


def test_the_right_option_has_no_usual_place() -> None:
    listed = list(options())
    assert len(listed) > 20
    places = Counter(place for _, place, _ in listed)
    expected = sum(Fraction(1, number) for _, _, number in listed)  # at the first place, by chance
    assert max(places.values()) <= 2 * expected
    hunt = [place for lesson, place, _ in listed if lesson == "11_bug_hunt"]
    assert len(hunt) == 10
    assert max(Counter(hunt).values()) <= 5


def test_always_sometimes_and_never_are_right_about_as_often() -> None:
    right = Counter(text for _, answers in EXERCISES for text in answers.right if text in ORDERED)
    assert set(right) == set(ORDERED)
    assert max(right.values()) - min(right.values()) <= 2


def test_the_solution_waits_for_an_answer() -> None:
    """A press of check with nothing in the blanks does not show it."""
    check = check_of("00_start_here", "Exercise 1")
    check._store = Progress()
    form = next(child for child in check.view().children if isinstance(child, Form))
    form.checked += 1
    assert not form.solvable
    form.answers = ["1/2"]
    form.checked += 1
    assert form.solvable


RENEWED = [(lesson, answers) for lesson, answers in EXERCISES if check_of(lesson, answers.exercise).exercise.fresh]


def asked(question: str) -> Exact:
    """The answer, computed from the words of a drawn question alone."""
    grades = {name: int(grade) for name, grade in re.findall(r"\b([A-D]) = (\d)", question)}
    order = re.search(r"the list ([A-D](?: [A-D]){3})", question)
    k, gain = re.search(r"k = (\d)", question), re.search(r"(\S+) gain", question)
    assert order
    assert k
    assert gain
    base = {"linear": 0, "exponential": 2, "exponential:3": 3}[gain[1]]
    gains = {name: base**grade - 1 if base else grade for name, grade in grades.items()}
    listed = [Fraction(gains[name]) for name in order[1].split()]
    if tied := re.search(r"the first (\d) share", question):
        first = int(tied[1])
        listed[:first] = [sum(listed[:first], Fraction(0)) / first] * first
    dcg, ideal = (
        sum((y(rank + 1) * gain for rank, gain in enumerate(some[: int(k[1])], 1)), 0 * y(2))
        for some in (listed, sorted(gains.values(), reverse=True))
    )
    return dcg if "its DCG" in question else dcg / ideal


@pytest.mark.parametrize(("lesson", "answers"), RENEWED, ids=[f"{les} {ans.exercise}" for les, ans in RENEWED])
def test_another_one_is_fresh_and_exact(lesson: str, answers: Answers) -> None:
    fresh = check_of(lesson, answers.exercise).exercise.fresh
    assert fresh is not None
    variants = [fresh(seed) for seed in range(1, 41)]
    assert len({variant.question for variant in variants}) > 35
    assert fresh(7).question == variants[6].question
    for variant in variants:
        value = asked(variant.question)
        assert variant(value).status == "right"
        assert variant(value + 1).status != "right"
        assert variant(variant.blanks[0].example).status != "right"


def test_a_press_of_another_one_asks_anew() -> None:
    assert len(RENEWED) >= 6
    check = check_of("00_start_here", "Exercise 2")
    check._store = Progress()
    view = check.view()
    form = next(child for child in view.children if isinstance(child, Form))
    assert form.renewable
    form.answers = ["1 + 3a"]
    form.checked += 1
    before = view.children[0].value
    form.renewed += 1
    assert view.children[0].value != before
    assert form.answers == [""]
    assert not form.solvable
    form.answers = [str(asked(view.children[0].value))]
    form.checked += 1
    assert "Right" in view.children[2].value
    assert check._store.of(check._key) == "right | 1 + 3a"  # the first answer is kept
