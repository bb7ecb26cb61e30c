"""A question comes before its claim: nothing above a prediction answers it, and the answer waits for a choice."""

from __future__ import annotations

import re

import pytest

from ndcg_lab.conventions.record import record
from ndcg_lab.lessons.course import start_here
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.progress import Progress
from tests.lesson_answers import NOTEBOOKS, module_of
from tests.lessons import prose

PREDICTING = [lesson for lesson in NOTEBOOKS if "lesson.prediction" in NOTEBOOKS[lesson].read_text(encoding="utf-8")]
each_lesson = pytest.mark.parametrize("lesson", PREDICTING)

# What would give an answer away, where neither the option nor the numbers of its reason say it.
GIVES_AWAY = {
    "00_start_here": r"costs more|eleven",
    "01_gain_reversal": r"2\.26|2\.25|243|1 \+ 2a|threshold (is|of)",
    "02_what_cancels": r"plus a number|shift.{0,30}(changes|leaves)|toward 1",
    "03_cutoff": r"Y, X, X, Y|twice",
    "04_candidate_only": r"Y leads|coverage, exactly",
    "05_zero_ideal": r"0/0 into 1|worthless list (leads|wins|win)|counts as 1",
    "06_ties": r"7/4|expectation of",
    "07_metric_family": r"can decide who wins|counts as relevant|relevant or not",
    "08_a_complete_report": r"two winners|name different winners",
    "09_one_ranking_many_tools": r"four numbers|fourteen|four values",
    "10_floats_and_proofs": r"are equal|exact ties|one number",
    "11_bug_hunt": r"same at k = 3|Y's is not",
    "14_a_real_case": r"0\.0073|ConvDR \+ BERT (leads|is ahead)|changes hands",
    "12_claims": r"\b16\b.*\b24\b",
}


def _cell(lesson: str, source: str) -> int:
    [found] = [index for index, cell in enumerate(prose.cells(lesson)) if "".join(cell["source"]).strip() == source]
    return found


def _text(lesson: str, start: int, end: int) -> str:
    texts = []
    for cell in prose.cells(lesson)[start:end]:
        texts.append("".join(cell["source"]))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            texts.append("".join(data.get("text/html") or data.get("text/plain") or output.get("text", "")))
    return prose.stripped("\n".join(texts))


@each_lesson
def test_nothing_above_a_prediction_answers_it(lesson: str) -> None:
    prediction: Predict = module_of(lesson).prediction
    above = _text(lesson, 0, _cell(lesson, "lesson.prediction"))
    assert not re.search(GIVES_AWAY[lesson], above), lesson
    asked = prose.stripped(prediction.question)
    for digits in re.findall(r"\d+\.\d{3,}", prose.stripped(prediction.because)):
        assert digits not in above or digits in asked, digits
    answer = prose.stripped(prediction.answer).casefold()
    assert len(answer) <= 4 or answer not in above.casefold()


@each_lesson
def test_the_claim_stands_below_the_reveal(lesson: str) -> None:
    if lesson == "12_claims":  # for looking up
        return
    cells = prose.cells(lesson)
    after = cells[_cell(lesson, "lesson.prediction.come_back()") + 1]
    assert "".join(after["source"]).startswith("**Claim.** ")
    assert "**Claim.**" not in _text(lesson, 0, _cell(lesson, "lesson.prediction.come_back()"))


@each_lesson
def test_without_a_kernel_the_answer_is_folded(lesson: str) -> None:
    [output] = prose.cells(lesson)[_cell(lesson, "lesson.prediction.come_back()")]["outputs"]
    html = "".join(output["data"]["text/html"])
    assert html.startswith('<details class="ndcg-reveal ndcg-static"><summary>')
    assert html.endswith("</details>")
    assert prose.stripped(module_of(lesson).prediction.because) not in "".join(output["data"]["text/plain"])


def test_the_answer_waits_for_a_choice() -> None:
    store = Progress()
    ask = Predict("demo", "Which is larger?", {"a": "No.", "1": "Yes."}, "1", "a is 1/log2(3).", store)
    back = ask.come_back()
    view = back.view()
    assert "1/log2(3)" not in view.value
    assert "waits here for your choice" in view.value
    ask.choose("a")
    assert "You chose “a”. No." in view.value
    assert "1/log2(3)" in view.value
    ask.choose("1")
    assert "Yes." in view.value


def test_a_choice_that_was_kept_is_answered_at_once() -> None:
    store = Progress()
    store.record("demo: predict", "1")
    ask = Predict("demo", "Which is larger?", {"a": "No.", "1": "Yes."}, "1", "a is 1/log2(3).", store)
    assert "Yes." in ask.come_back().view().value


def test_what_opens_the_course_is_the_record() -> None:
    told = start_here.printed().html
    entries = [entry for entry in record() if entry.case == "X@3" and not entry.parameters]
    assert len(entries) > 10
    for entry in entries:
        assert entry.printed in told
        assert entry.system in told
