"""A lesson saved, shut and opened again: its static readings are there, and what was chosen and answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.panels import LiveExercise

if TYPE_CHECKING:
    from tests.browser.lab import Lab

SAVE = "() => window.jupyterapp.commands.execute('docmanager:save')"


def test_a_lesson_comes_back_as_it_was_left(lab: Lab) -> None:
    page = lab.page
    lab.open("03_cutoff")
    lab.run_all()
    reveal = lab.outputs.filter(has_text="The answer waits here for your choice")
    expect(reveal).to_have_count(1)
    page.get_by_role("radio", name="once", exact=True).click()
    expect(lab.outputs.filter(has_text="You chose “once”.")).to_have_count(1)
    LiveExercise(lab, "Exercise 4").answer("(2 + 3a)/(4 + 2a)")
    LiveExercise(lab, "Exercise 4").expect_text("Right: (2 + 3a)/(4 + 2a).")
    page.evaluate(SAVE)

    lab.turn_to("03_cutoff")
    expect(lab.outputs.get_by_alt_text("X and Y as blocks").first).to_be_visible()
    expect(page.get_by_text("model not found")).to_have_count(0)
    expect(page.get_by_text("Error displaying widget")).to_have_count(0)
    expect(lab.outputs.get_by_text("The answer to the prediction", exact=True)).to_be_visible()

    lab.run_all()
    expect(page.get_by_role("radio", name="once", exact=True)).to_be_checked()
    expect(lab.outputs.filter(has_text="You chose “once”.")).to_have_count(1)
    LiveExercise(lab, "Exercise 4").expect_text("Right: (2 + 3a)/(4 + 2a).")
