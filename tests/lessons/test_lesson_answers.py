"""Every exercise of every lesson is judged as the table of answers says."""

from __future__ import annotations

import json
import re

import pytest

from tests.lesson_answers import ANSWERS, NOTEBOOKS, Answers, check_of

ROWS = [(lesson, answers) for lesson, listed in ANSWERS.items() for answers in listed]


def test_every_exercise_of_every_lesson_is_in_the_table() -> None:
    assert set(ANSWERS) == set(NOTEBOOKS)
    for lesson, path in NOTEBOOKS.items():
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        shown = len(re.findall(r"^lesson\.(check\(\d+\)|hunt\(\d+\)|last)$", code, flags=re.MULTILINE))
        assert len(ANSWERS[lesson]) == shown, lesson


@pytest.mark.parametrize(("lesson", "answers"), ROWS, ids=[f"{lesson}: {row.exercise}" for lesson, row in ROWS])
def test_an_exercise_judges(lesson: str, answers: Answers) -> None:
    exercise = check_of(lesson, answers.exercise).exercise
    for status, answer in answers:
        verdict = exercise(*answer)
        assert verdict.status == status, verdict.message
