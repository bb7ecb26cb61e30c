"""Exercises are worth doing: no answer stands above, no placeholder is one, and no place or word is usually right."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

import pytest

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.lessons import typed
from ndcg_lab.lessons.course import bug_hunt
from ndcg_lab.lessons.state import Order
from tests.lesson_answers import ANSWERS, NOTEBOOKS, check_of, module_of
from tests.lessons import prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ndcg_lab.lessons.exercises import Exercise

LESSONS = pytest.mark.parametrize("lesson", NOTEBOOKS)
ASKED = re.compile(r"^lesson\.(?:check|hunt)\((\d+)\)$")
TRUTHS = ("always", "sometimes", "never")


# ---------- what stands above an exercise ----------


def _plain_tex(text: str) -> str:
    text = re.sub(r"\\t?frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)", text)
    text = re.sub(r"\\t?frac(\d)(\d)", r"\1/\2", text)
    return re.sub(r"\\[a-z]+", " ", text)


def above(lesson: str) -> str:
    """All that stands above the exercises, and the lists and tables that a press of a preset shows."""
    texts = []
    for cell in prose.cells(lesson):
        source = "".join(cell["source"])
        if ASKED.match(source.strip()):
            break
        texts.append(_plain_tex(prose.stripped(source)))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            html = "".join(data.get("text/html") or data.get("text/plain") or output.get("text", ""))
            texts.append(prose.stripped(re.sub(r"</?(?:td|th|p|li|br|div|tr|summary)[^>]*>", "\n", html)))
    module = module_of(lesson)
    for name in ("panel", "second_panel"):
        for preset in getattr(module, name)().presets if hasattr(module, name) else ():
            texts += [str(Order(order.groups)) for order in preset.state.lists.values()]
    return "\n".join(texts)


CHUNK = re.compile(r"[\n,;:≈=<>]| and | is | so | against |\. ")
ORDER = re.compile(r"(?<![\w=])[A-E](?:[ =][A-E])*(?![\w=])")
GRADES = re.compile(r"\b\w=[−-]?\d+(?:, ?\w=[−-]?\d+)+")


def values(text: str) -> set[str]:
    """Everything in a text that reads as an exact value with a sign, a stroke or a logarithm in it."""
    found = set()
    for chunk in CHUNK.split(text):
        words = chunk.split()
        for start, end in product(range(len(words)), range(1, len(words) + 1)):
            candidate = " ".join(words[start:end])
            if (
                start < end <= start + 12
                and re.search(r"[/a+]", candidate)
                and not re.search(r"[^\d/a+−()· *log₂-]", candidate)
            ):
                found.add(candidate)
    return found - {"0/0"}  # no number: the form of the question


def _right(exercise: Exercise, answers: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    for answer in answers:
        try:
            if exercise(*answer).status == "right":
                yield answer
        except (ValueError, ZeroDivisionError):
            continue


def accepted(exercise: Exercise, text: str) -> list[tuple[str, ...]]:
    """The answers to an exercise that can be copied from a text."""
    labels = [blank.label for blank in exercise.blanks]
    typed_blanks = [blank for blank in exercise.blanks if not blank.choices]
    orders = sorted(set(ORDER.findall(text)))
    tables = sorted(set(GRADES.findall(text)))
    if labels[0] == "Bound p/q":
        powers = typed.inequalities(text)
        bounds = [(f"{m}/{n}", f"{b}^{m} < {c}^{n}") for (b, m), (c, n) in powers if c == 2]
        bounds += [(f"{n}/{m}", f"{b}^{m} < {c}^{n}") for (b, m), (c, n) in powers if b == 2]
        return list(_right(exercise, bounds))
    if labels == ["Exact value"]:
        return list(_right(exercise, ((value,) for value in sorted(values(text)))))
    if "sometimes" in exercise.blanks[0].choices:
        return list(_right(exercise, (("sometimes", order) for order in orders)))
    if len(typed_blanks) == len(labels):
        given = [
            tables if "=" in (blank.example or "") and not ORDER.fullmatch(blank.example) else orders
            for blank in typed_blanks
        ]
        return list(_right(exercise, product(*given)))
    return []


@LESSONS
def test_no_accepted_answer_stands_above(lesson: str) -> None:
    text = above(lesson)
    for answers in ANSWERS[lesson]:
        exercise = check_of(lesson, answers.exercise).exercise
        assert accepted(exercise, text) == [], answers.exercise


def test_copied_answers_are_found() -> None:
    assert accepted(check_of("00_start_here", "Exercise 3").exercise, "so it is (1 + 3a)/(4 + 2a), about") != []
    assert accepted(check_of("01_gain_reversal", "Exercise 2").exercise, "because 2¹¹ < 3⁷") != []
    assert accepted(check_of("03_cutoff", "Exercise 6").exercise, "take A B E C D and") == [("A B E C D",)]
    assert accepted(check_of("05_zero_ideal", "Exercise 6").exercise, "A=7, B=-11 and the list A") != []
    assert accepted(check_of("04_candidate_only", "Exercise 5").exercise, "B A and A D") == [("B A", "A D")]


@LESSONS
def test_no_placeholder_is_accepted(lesson: str) -> None:
    for answers in ANSWERS[lesson]:
        exercise = check_of(lesson, answers.exercise).exercise
        options = [blank.choices or (blank.example,) for blank in exercise.blanks]
        if all(blank.choices for blank in exercise.blanks):
            continue
        for answer in product(*options):
            judged = exercise(*answer)
            alone = exercise(
                *(text if blank.choices else "" for text, blank in zip(answer, exercise.blanks, strict=True))
            )
            assert judged.status != "right" or alone.status == "right", (answers.exercise, answer)


# ---------- places and words ----------


def _choices() -> list[tuple[str, int, int]]:
    """Every choice of the course: the lesson, the place of the right option, and how many there are."""
    found = []
    for lesson, listed in ANSWERS.items():
        for answers in listed:
            blanks = check_of(lesson, answers.exercise).exercise.blanks
            if len(blanks) == 1 and blanks[0].choices:
                found.append((lesson, blanks[0].choices.index(answers.right[0]), len(blanks[0].choices)))
    return found


def test_the_right_option_has_no_usual_place() -> None:
    places = Counter(place for _, place, _ in _choices())
    assert sum(places.values()) >= 20
    assert max(places.values()) <= sum(places.values()) / 2
    assert len(places) >= 4
    hunt = Counter(place for lesson, place, _ in _choices() if lesson.startswith("11"))
    assert max(hunt.values()) <= 4


def test_the_wrong_line_has_no_usual_place() -> None:
    right = [
        answers.right[0] for listed in ANSWERS.values() for answers in listed if answers.right[0].startswith("line ")
    ]
    assert max(Counter(right).values()) <= len(right) / 2


def test_always_sometimes_and_never_are_right_about_as_often() -> None:
    right = Counter(a.right[0] for listed in ANSWERS.values() for a in listed if a.right[0] in TRUTHS)
    assert set(right) == set(TRUTHS)
    assert max(right.values()) - min(right.values()) <= 1


def test_always_and_never_need_no_example() -> None:
    for lesson, listed in ANSWERS.items():
        for answers in listed:
            if answers.right[0] in TRUTHS:
                exercise = check_of(lesson, answers.exercise).exercise
                for truth in TRUTHS:
                    assert exercise(truth, "").status != "unread"


# ---------- what a wrong choice is answered with ----------


@pytest.mark.parametrize("number", range(1, len(bug_hunt.cases) + 1))
def test_a_wrong_setting_shows_what_it_would_have_given(number: int) -> None:
    case = bug_hunt.cases[number - 1]
    one, other = (report.mean.ndcg for report in case.reports)
    for option in case.offered:
        if option == case.setting:
            continue
        told = bug_hunt.hunt(number)(option).message
        number_told = re.search(r"With (\w+) = (\S+) the first number would be (\d\.\d+)", told)
        if number_told is None:
            assert told.startswith(f"The two contracts agree in {option}")
            continue
        assert number_told[1] == option
        assert case.with_setting(option, number_told[2]) not in {one, other}
        assert number_told[3] not in {bug_hunt._fixed(one), bug_hunt._fixed(other)}


@LESSONS
def test_wrong_options_are_answered_each_in_its_own_words(lesson: str) -> None:
    for answers in ANSWERS[lesson]:
        exercise = check_of(lesson, answers.exercise).exercise
        if len(exercise.blanks) != 1 or not exercise.blanks[0].choices or "line 1" in exercise.blanks[0].choices:
            continue
        told = [exercise(choice).message for choice in exercise.blanks[0].choices if choice != answers.right[0]]
        assert len(set(told)) >= min(2, len(told)), answers.exercise


def test_no_hint_of_the_hunt_names_the_setting() -> None:
    for number, case in enumerate(bug_hunt.cases, 1):
        hint = bug_hunt.hunt(number).exercise.hint
        assert case.setting not in hint
        assert case.setting.replace("_", " ") not in hint.lower()


def test_a_refused_change_is_no_error() -> None:
    with pytest.raises(NdcgLabError):
        bug_hunt.cases[0].with_setting("gain", "power:P")
    assert bug_hunt.cases[0].would_give("gain")
