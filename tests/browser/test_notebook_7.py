"""Lessons in Notebook 7: they open and run there, and their panels and exercises work.

The lessons chosen hold every kind of widget between them; what else is in a lesson JupyterLab's tests look at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.lab import Lab, serve
from tests.browser.panels import LiveExercise, LivePanel
from tests.browser.steps import PANELS
from tests.lesson_answers import ANSWERS
from tests.support import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve(ROOT / "notebooks", tmp_path_factory.mktemp("notebook"), app="notebook", settings=None) as address:
        yield address


@pytest.mark.parametrize("name", ["01_gain_reversal", "06_ties", "10_floats_and_proofs", "13_workbench"])
def test_a_lesson_opens_runs_and_answers(page: Page, url: str, name: str) -> None:
    lab = Lab(page, url, path="notebooks")
    lab.open(name)
    lab.run_all()
    assert lab.errors() == []
    for holding, steps in PANELS[name]:
        panel = LivePanel(lab, holding=holding)
        step, text = steps[0]
        step(panel)
        panel.expect_text(text)
    for answers in ANSWERS[name][:1]:
        exercise = LiveExercise(lab, answers.exercise)
        exercise.answer(*answers.right)
        exercise.expect_text("✔")
