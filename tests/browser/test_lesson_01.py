"""Lesson 01 in a browser: its panel by mouse and by keyboard, its prediction, its exercises."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.panels import LiveExercise, LivePanel, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.browser.lab import Lab


@pytest.fixture(scope="module")
def lesson(browser: Browser, lab_url: str) -> Iterator[Lab]:
    with running(browser, lab_url, "01_gain_reversal") as lab:
        yield lab


def test_by_mouse(lesson: Lab) -> None:
    panel = LivePanel(lesson)
    panel.expect_text("X leads: X − Y = −1/2 + 2a > 0 in DCG, because a > 1/4, because 3 < 2⁴ (3 < 16).")

    panel.choose("Gain", "exponential")
    panel.expect_text("Y leads: X − Y = −2 + 3a < 0 in DCG, because a < 2/3, because 2³ < 3² (8 < 9).")
    panel.expect_text("(13/2 + 3a)/(17/2 + 3a)")
    panel.expect_text("≈ 0.80756")

    panel.choose("k (", "4")
    panel.expect_text("17/2 + 3/log2(5)")
    panel.choose("k (", "3")
    panel.expect_text("· k 3 ·")

    panel.drag("X", "A", onto="B")
    panel.expect_order("X", "A B C D")
    panel.expect_text("X leads: X − Y = 3a > 0 in DCG")
    panel.press("undo")
    panel.expect_order("X", "B C A D")

    # Without dragging: a click lifts a document, a click on another puts it there.
    panel.document("Y", "D").click()
    panel.document("Y", "C").click()
    panel.expect_order("Y", "A B C D")
    panel.press("reset")
    panel.expect_order("Y", "A D B C")
    panel.expect_text("X leads: X − Y = −1/2 + 2a > 0")


def test_an_answer_from_the_kernel_leaves_a_drag_alone(lesson: Lab) -> None:
    panel = LivePanel(lesson)
    with panel.dragging("X", "A"):
        lesson.page.mouse.move(10, 10, steps=3)
        panel.radio("k (", "4").evaluate("radio => radio.click()")
        expect(panel.root.locator(".ndcg-flag").first).to_have_text("k = 4")
        expect(panel.document("X", "A")).to_have_class(re.compile("ndcg-dragged"))
        before = panel.document("X", "B").bounding_box()
        assert before is not None
        lesson.page.mouse.move(before["x"] + 2, before["y"] + 5, steps=6)
    panel.expect_order("X", "A B C D")


def test_by_touch(lesson: Lab) -> None:
    panel = LivePanel(lesson)
    finger = lesson.page.context.new_cdp_session(lesson.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def place(document: str, share: float) -> tuple[float, float]:
        box = panel.document("X", document).bounding_box()
        assert box is not None
        return box["x"] + box["width"] * share, box["y"] + box["height"] / 2

    panel.document("X", "A").scroll_into_view_if_needed()
    (x, y), (to, _) = place("A", 0.5), place("B", 0.1)
    touch("touchStart", (x, y))
    for step in range(1, 7):
        touch("touchMove", (x + (to - x) * step / 6, y))
    touch("touchEnd")
    panel.expect_order("X", "A B C D")
    panel.expect_text("X leads: X − Y = 2a > 0 in DCG")

    # A tap lifts a document, and a tap on another puts it there.
    for document in ("A", "C"):
        point = place(document, 0.5)
        touch("touchStart", point)
        touch("touchEnd")
    panel.expect_order("X", "B C A D")


def test_by_keyboard(lesson: Lab) -> None:
    panel = LivePanel(lesson)
    keyboard = lesson.page.keyboard

    panel.radio("Gain", "linear").focus()
    keyboard.press("ArrowRight")
    expect(panel.radio("Gain", "r²")).to_be_checked()
    panel.expect_text("X leads: X − Y = −5/2 + 4a > 0 in DCG, because a > 5/8, because 3⁵ < 2⁸ (243 < 256).")

    panel.document("X", "B").focus()
    keyboard.press("Space")
    panel.expect_spoken("B lifted, rank 1 of 4")
    keyboard.press("ArrowRight")
    keyboard.press("ArrowRight")
    panel.expect_order("X", "C A B D")
    keyboard.press("Escape")
    panel.expect_order("X", "B C A D")
    panel.expect_spoken("Cancelled; B is back at rank 1 of 4")

    keyboard.press("ArrowRight")
    expect(panel.document("X", "C")).to_be_focused()
    keyboard.press("End")
    expect(panel.document("X", "D")).to_be_focused()
    keyboard.press("Alt+ArrowLeft")
    panel.expect_order("X", "B C D A")
    panel.expect_text("Y leads: X − Y = −7 + 4a < 0 in DCG")
    panel.expect_spoken("Y leads: X − Y = −7 + 4a < 0")
    keyboard.press("Control+z")
    panel.expect_order("X", "B C A D")
    # The notebook kept out of it: no cell was selected, moved or cut by these keys.
    expect(lesson.page.locator(".jp-Notebook.jp-mod-commandMode .jp-Cell.jp-mod-selected")).to_have_count(1)
    assert lesson.errors() == []


def test_a_burst_of_keys_ends_on_the_last_state(lesson: Lab) -> None:
    panel = LivePanel(lesson)
    panel.document("X", "B").focus()
    for _ in range(5):
        for key in ("Alt+ArrowRight", "Alt+ArrowRight", "Alt+ArrowRight", "Alt+ArrowLeft", "Alt+Home"):
            lesson.page.keyboard.press(key)
    lesson.page.keyboard.press("Alt+End")
    panel.expect_order("X", "C A D B")
    panel.expect_text("Y leads: X − Y = −2 + 3a < 0 in DCG")


# Keeps each cutoff that the panel's line of settings shows, in order.
WATCH_CUTOFF = """root => {
    window.cutoffs = [];
    new MutationObserver(() => {
        const shown = /· k (\\w+) ·/.exec(root.textContent)?.[1];
        if (shown !== undefined && shown !== window.cutoffs.at(-1)) window.cutoffs.push(shown);
    }).observe(root, { subtree: true, childList: true, characterData: true });
}"""


def test_a_burst_of_keys_never_shows_a_stale_state(lesson: Lab) -> None:
    panel = LivePanel(lesson)
    panel.choose("k (", "1")
    panel.expect_text("· k 1 ·")
    panel.root.evaluate(WATCH_CUTOFF)
    panel.radio("k (", "1").focus()
    passed = ["1"]  # a slow page may still be showing the state before the burst
    for key, cutoffs in [("ArrowRight", "234"), ("ArrowLeft", "321"), ("ArrowRight", "234")]:
        for cutoff in cutoffs:
            lesson.page.keyboard.press(key)
            passed.append(cutoff)
    panel.expect_text("· k 4 ·")
    panel.expect_text("2/log2(5)")
    shown = lesson.page.evaluate("window.cutoffs")
    assert shown[-1] == "4"
    # States in between may be left out, but none comes after a later one.
    states = iter(passed)
    assert all(cutoff in states for cutoff in shown), shown


def test_pins_presets_tables_and_targets(lesson: Lab) -> None:
    panel = LivePanel(lesson)
    panel.press("pin as before")
    panel.expect_text("Nothing has changed since the pin.")
    panel.choose("Gain", "exponential")
    panel.expect_text("One setting changed since the pin: gain.")
    panel.choose("k (", "2")
    panel.expect_text("2 settings changed since the pin: gain, k.")

    panel.choose("Go to", "r²")
    panel.expect_text("−5/2 + 4a")
    panel.choose("Gain", "other…")
    field = panel.root.get_by_role("textbox", name="gain, one of:")
    field.fill("0=0,2=4,3=9")
    field.press("Enter")
    panel.expect_text("☑ done: By a gain table")
    field.fill("0=0,2=4")
    field.press("Enter")
    panel.expect_text("No numbers: document 'A': the table `gain = 0=0,2=4` has no entry for grade 3")

    panel.press("reset")
    panel.expect_text("X leads: X − Y = −1/2 + 2a > 0")
    panel.drag("X", "D", onto="A")
    panel.expect_text("☑ done: Make Y lead under linear gain")


def test_prediction_and_exercises(lesson: Lab) -> None:
    page = lesson.page
    page.get_by_role("radio", name="Y leads under r²").click()
    expect(lesson.outputs.filter(has=page.get_by_role("radio", name="Y leads under r²"))).to_contain_text("Kept:")
    expect(lesson.outputs.filter(has_text="You chose “Y leads under r²”")).to_contain_text("243 < 256")

    first = LiveExercise(lesson, "Exercise 1")
    first.answer("8a - 9")
    first.expect_text("Right: −9 + 8a.")
    first.answer("-9 + 3a")
    first.expect_text("the part without logarithms is right; the part with a is not")
    first.answer("-3.9526")
    first.expect_text("Rounded to 4 decimals that is right, but it is not the value")
    first.answer("5")
    first.expect_text("Not equal to the answer: it is too large.")

    fourth = LiveExercise(lesson, "Exercise 4")
    fourth.answer("always", "B A C D")
    fourth.expect_text("Your example is good, but it doesn't say “always”.")
    fourth.answer("sometimes", "B A C D")
    fourth.expect_text("Right: B A C D beats A D B C")

    fifth = LiveExercise(lesson, "Exercise 5")
    fifth.answer("A=2, B=1, C=1, D=0")
    fifth.expect_text("Right: under linear gain X leads and under exponential gain Y leads.")
    fifth.answer("A=2, B=2, C=2, D=2")
    fifth.expect_text("The two gains agree")
    fifth.answer("A=2; nonsense")
    fifth.expect_text("grades are written like A=3, B=2")


# Two letters and the button at once: the second letter is held back while the first is under way, the press is not.
TYPE_AND_PRESS = """root => {
    const field = root.querySelector('input[type=text]');
    for (const text of ['8a', '8a - 9']) {
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    [...root.querySelectorAll('button')].find(button => button.textContent === 'check').click();
}"""


def test_a_press_that_overtakes_the_last_letter_still_checks_the_whole_answer(lesson: Lab) -> None:
    exercise = LiveExercise(lesson, "Exercise 1")
    exercise.answer("5")
    exercise.expect_text("Not equal to the answer: it is too large.")
    exercise.root.evaluate(TYPE_AND_PRESS)
    exercise.expect_text("Right: −9 + 8a.")


def test_nothing_in_the_way(lesson: Lab) -> None:
    assert lesson.accessibility_faults() == []
