"""Every lesson as its reader meets it in JupyterLab: untrusted, then run, used by mouse and keys, wide, narrow, dark.

Each lesson is opened once, one after the other on one page; the tests of this module take turns on it, in the order in
which they stand.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.lab import COLOURS
from tests.browser.panels import LiveExercise, LivePanel, lab_page, resize, theme
from tests.browser.steps import PANELS
from tests.lesson_answers import ANSWERS, NOTEBOOKS, check_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.browser.lab import Lab

SIGNS = {"right": "✔", "half": "◐", "wrong": "✘"}

# Each cell that has HTML among its outputs: what is shown of it, and of its pictures.
SHOWN = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code')
    .map(cell => [cell, cell.node.querySelector('.jp-Cell-outputArea')])
    .map(([cell, area]) => ({
        trusted: cell.model.trusted,
        text: area.textContent,
        height: area.offsetHeight,
        figures: [...area.querySelectorAll('figure')].map(figure => ({
            alt: figure.querySelector('img')?.alt ?? '',
            width: figure.querySelector('img')?.naturalWidth ?? 0,
            caption: figure.querySelector('figcaption')?.textContent ?? '',
        })),
    }))"""
ALL_CELLS = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code')
    .every(cell => cell.model.outputs.length === 0 || cell.node.querySelector('.jp-OutputArea-output'))"""

# Elements of the live views that reach beyond their output area, but for what lies in a region that scrolls.
OVERFLOWING = """() => [...document.querySelectorAll('.jp-Cell-outputArea')].flatMap(area => {
    const limit = area.getBoundingClientRect().right + 1;
    return [...area.querySelectorAll('.jupyter-widgets, .jupyter-widgets *, .ndcg-panel, .ndcg-panel *')]
        .filter(element => element.getClientRects().length > 0 && !element.closest('[role="group"][tabindex="0"]>*'))
        .filter(element => !element.closest('.ndcg-hidden, .MathJax, mjx-container'))
        .filter(element => element.getBoundingClientRect().right > limit)
        .map(element => element.outerHTML.slice(0, 160));
})"""
MOVING = """() => [...document.querySelectorAll('.jp-Cell-outputArea [class*="ndcg-"]')]
    .filter(element => [getComputedStyle(element).transitionDuration, getComputedStyle(element).animationDuration]
        .some(duration => duration.split(', ').some(part => parseFloat(part) > 0)))
    .map(element => element.className)"""


class _Words(HTMLParser):
    """The words of a piece of HTML, without its tags."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def words(html: str) -> str:
    """All of its text in one, without spaces: what lies between them differs from place to place."""
    parser = _Words()
    parser.feed(html)
    parser.close()
    return squeezed("".join(parser.found))


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


class Opened:
    """A lesson's page: what it showed before anything ran, and the lesson as it runs."""

    def __init__(self, name: str, lab: Lab) -> None:
        self.name, self.lab = name, lab
        lab.page.wait_for_function(ALL_CELLS)
        self.before: list[dict[str, Any]] = lab.page.evaluate(SHOWN)
        lab.run_all()


@pytest.fixture(scope="module")
def reader(browser: Browser, lab_url: str) -> Iterator[Lab]:
    with lab_page(browser, lab_url) as lab:
        yield lab


@pytest.fixture(scope="module", params=list(NOTEBOOKS))
def opened(reader: Lab, request: pytest.FixtureRequest) -> Opened:
    reader.turn_to(request.param)
    resize(reader, 1280, 900)
    theme(reader, "JupyterLab Light")
    return Opened(request.param, reader)


def test_untrusted_every_static_reading_is_shown(opened: Opened) -> None:
    cells = json.loads(NOTEBOOKS[opened.name].read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert len(opened.before) == len(code)
    for cell, shown in zip(code, opened.before, strict=True):
        readings = [
            "".join(output["data"]["text/html"]) for output in cell["outputs"] if "text/html" in output.get("data", {})
        ]
        if not readings:
            continue
        assert not shown["trusted"]
        assert shown["height"] > 0
        for html in readings:
            assert words(html) in squeezed(shown["text"])
        assert len(shown["figures"]) == sum(html.count("<figure") for html in readings)
        for figure in shown["figures"]:
            assert len(figure["alt"]) > 20
            assert len(figure["caption"]) > 20
            assert figure["width"] > 0


def test_it_runs_without_error(opened: Opened) -> None:
    assert opened.lab.errors() == []


def test_axe_finds_nothing_at_the_start(opened: Opened) -> None:
    assert opened.lab.accessibility_faults() == []


def test_reduced_motion_is_respected(opened: Opened) -> None:
    assert opened.lab.page.evaluate(MOVING) == []


def test_the_panel_by_mouse_and_by_keyboard(opened: Opened) -> None:
    assert opened.name in PANELS
    for holding, steps in PANELS[opened.name]:
        panel = LivePanel(opened.lab, holding=holding)
        for step, text in steps:
            expect(panel.root).not_to_contain_text(text)
            step(panel)
            panel.expect_text(text)
    assert opened.lab.errors() == []


def test_exercises_answered_right_half_right_and_wrong(opened: Opened) -> None:
    for answers in ANSWERS[opened.name]:
        live = LiveExercise(opened.lab, answers.exercise)
        live.expect_no_solution_yet()
        for status, answer in answers:
            live.answer(*answer)
            live.expect_text(f"{SIGNS[status]} {check_of(opened.name, answers.exercise)(*answer).message}")
        live.press("hint")
        live.expect_text("Hint.")
        live.press("solution")
        live.expect_text("Solution.")


def test_axe_finds_nothing_after_use(opened: Opened) -> None:
    assert opened.lab.accessibility_faults() == []


@pytest.mark.parametrize(("width", "height"), [(400, 800), (640, 450)], ids=["400 pixels", "zoomed to 200 %"])
def test_nothing_is_cut_off(opened: Opened, width: int, height: int) -> None:
    resize(opened.lab, width, height)
    assert opened.lab.page.evaluate(OVERFLOWING) == []


def test_the_dark_theme_is_readable(opened: Opened) -> None:
    resize(opened.lab, 1280, 900)
    theme(opened.lab, "JupyterLab Dark")
    assert opened.lab.accessibility_faults(COLOURS) == []
