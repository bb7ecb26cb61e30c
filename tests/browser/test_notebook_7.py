"""Every lesson in Notebook 7: it opens and runs there, and its panel and exercises work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.lab import serve
from tests.browser.panels import LiveExercise, lab_page
from tests.browser.steps import expect_panels_to_move
from tests.lesson_answers import ANSWERS, NOTEBOOKS
from tests.support import ROOT, mostly_long

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.browser.lab import Lab


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve(ROOT / "notebooks", tmp_path_factory.mktemp("notebook"), app="notebook", settings=None) as address:
        yield address


@pytest.fixture(scope="module")
def reader(browser: Browser, url: str) -> Iterator[Lab]:
    with lab_page(browser, url, path="notebooks") as lab:
        yield lab


@pytest.mark.parametrize(
    "name", mostly_long(NOTEBOOKS, always={"01_gain_reversal", "10_floats_and_proofs", "13_workbench"})
)
def test_a_lesson_opens_runs_and_answers(reader: Lab, name: str) -> None:
    reader.open(name)
    reader.run_all()
    assert reader.errors() == []
    expect_panels_to_move(reader, name)
    for answers in ANSWERS[name][:1]:
        exercise = LiveExercise(reader, answers.exercise)
        exercise.answer(*answers.right)
        exercise.expect_text("✔")
    reader.leave()
