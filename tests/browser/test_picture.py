"""Every panel's picture: its names for tests and styles, its height, nothing cut off, and the curtain of the cutoff."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.panels import LivePanel, lab_page, resize
from tests.browser.steps import PANEL, PANELS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator

    from tests.browser.lab import Lab

LESSONS = [name for name, panels in PANELS.items() if any(holding == PANEL for holding, _ in panels)]
FIRST = 500  # pixels within which a reader sees what moves and what it does
PARTS = ("controls", "picture", "verdict", "scores", "targets", "more")
BOTTOM = "(part, root) => part.getBoundingClientRect().bottom - root.getBoundingClientRect().top"
# Elements of a panel that reach beyond it, but for what lies in a table's own scrolled region.
BEYOND = """root => {
    const limits = root.getBoundingClientRect();
    return [...root.querySelectorAll('*')]
        .filter(part => part.getClientRects().length > 0)
        .filter(part => !part.closest('[role="group"][tabindex="0"] > *, .ndcg-hidden'))
        .filter(part => {
            const box = part.getBoundingClientRect();
            return box.right > limits.right + 1 || box.left < limits.left - 1;
        })
        .map(part => part.outerHTML.slice(0, 120));
}"""
WITHIN = (
    "root => root.closest('.jp-Cell-outputArea').getBoundingClientRect().right - root.getBoundingClientRect().right"
)


@pytest.fixture(scope="module")
def reader(browser: Browser, lab_url: str) -> Iterator[Lab]:
    with lab_page(browser, lab_url) as lab:
        yield lab


@pytest.fixture(scope="module", params=LESSONS)
def lesson(reader: Lab, request: pytest.FixtureRequest) -> Lab:
    reader.turn_to(request.param)
    resize(reader, 1280, 800)
    reader.run_all()
    return reader


def panels(lab: Lab) -> list[Locator]:
    expect(lab.page.locator(".ndcg-panel").first).to_be_visible()
    return lab.page.locator(".ndcg-panel").all()


def state(panel: Locator) -> dict[str, Any]:
    held: dict[str, Any] = json.loads(panel.get_attribute("data-state") or "")
    return held


def test_the_names_hold(lesson: Lab) -> None:
    for panel in panels(lesson):
        for part in PARTS:
            expect(panel.locator(f".ndcg-{part}")).to_have_count(1)
        for name, order in state(panel)["lists"].items():
            documents = [document for group in order["groups"] for document in group]
            blocks = panel.locator(f'.ndcg-picture button.ndcg-block[data-list="{name}"]')
            found = [[block.get_attribute(f"data-{what}") for what in ("document", "rank")] for block in blocks.all()]
            assert sorted(found) == sorted([document, str(rank)] for rank, document in enumerate(documents, 1))


def test_lists_picture_verdict_and_targets_stand_together(lesson: Lab) -> None:
    for panel in panels(lesson):
        root = panel.element_handle()
        for part in ("picture", "verdict", "scores", "targets"):
            assert panel.locator(f".ndcg-{part}").evaluate(BOTTOM, root) <= FIRST


@pytest.mark.parametrize("width", [1280, 800, 400])
def test_nothing_is_cut_off(lesson: Lab, width: int) -> None:
    resize(lesson, width, 800)
    for panel in panels(lesson):
        assert panel.evaluate(WITHIN) >= -1
        for summary in panel.locator(".ndcg-more:not([open]) > summary").all():
            summary.click()
        assert panel.evaluate(BEYOND) == []


def test_the_curtain_by_mouse_and_by_keys(reader: Lab) -> None:
    reader.turn_to("01_gain_reversal")
    resize(reader, 1280, 800)
    reader.run_all()
    panel = LivePanel(reader)
    curtain = panel.root.get_by_role("slider", name="Cutoff k")
    expect(curtain).to_have_attribute("aria-valuetext", "k = 3")
    curtain.focus()
    reader.page.keyboard.press("ArrowLeft")
    expect(curtain).to_have_attribute("aria-valuenow", "2")
    panel.expect_text("X leads: X − Y = −1 + 2a > 0")
    reader.page.keyboard.press("End")
    panel.expect_text("2/log2(5)")
    panel.press("reset")
    expect(curtain).to_have_attribute("aria-valuenow", "3")

    curtain.scroll_into_view_if_needed()
    held, target = curtain.bounding_box(), panel.document("X", "B").bounding_box()
    assert held is not None
    assert target is not None
    reader.page.mouse.move(held["x"] + held["width"] / 2, held["y"] + held["height"] / 2)
    reader.page.mouse.down()
    reader.page.mouse.move(target["x"] + target["width"] - 4, held["y"] + 20, steps=8)
    reader.page.mouse.up()
    expect(curtain).to_have_attribute("aria-valuetext", "k = 1")
    panel.expect_text("Y leads: X − Y = −1 < 0")
    panel.press("undo")
    expect(curtain).to_have_attribute("aria-valuetext", "k = 2")


def test_a_refusal_leaves_the_lists_to_be_moved(reader: Lab) -> None:
    reader.turn_to("06_ties")
    resize(reader, 1280, 800)
    reader.run_all()
    panel = LivePanel(reader)
    panel.choose("Go to", "no policy")
    panel.expect_text("No numbers: documents 'A', 'B' are tied at ranks 1 to 2")
    panel.drag("T", "B", onto="C")
    panel.expect_order("T", "A B C D")
    panel.expect_text("NDCG of T is 1")


def test_a_document_is_taken_out_and_brought_back(reader: Lab) -> None:
    reader.turn_to("03_cutoff")
    resize(reader, 1280, 800)
    reader.run_all()
    panel = LivePanel(reader)
    block = panel.document("X", "A")
    block.focus()
    reader.page.keyboard.press("Delete")
    expect(panel.root.locator('.ndcg-rest .ndcg-out[data-list="X"]')).to_have_attribute("data-document", "A")
    expect(block).to_be_focused()
    block.scroll_into_view_if_needed()
    panel.drag("X", "A", onto="B")
    panel.expect_order("X", "A B C D")
    panel.expect_text("X leads: X − Y = 2a > 0")


def test_the_point_of_the_plane_by_mouse_and_by_keys(reader: Lab) -> None:
    for lesson in ("01_gain_reversal", "03_cutoff"):
        reader.turn_to(lesson)
        resize(reader, 1280, 800)
        reader.run_all()
        panel = LivePanel(reader)
        point = panel.root.locator(".ndcg-point")
        expect(point).to_have_attribute("aria-label", "Gains, g(2) = 2, g(3) = 3; arrows move the point")
        point.focus()
        reader.page.keyboard.press("ArrowUp")
        reader.page.keyboard.press("ArrowUp")
        reader.page.keyboard.press("ArrowRight")
        expect(point).to_have_attribute("title", "g(2) = 9/4, g(3) = 7/2")
        panel.press("reset")

        point.scroll_into_view_if_needed()
        field, held = panel.root.locator(".ndcg-field svg").bounding_box(), point.bounding_box()
        assert field is not None
        assert held is not None
        reader.page.mouse.move(held["x"] + held["width"] / 2, held["y"] + held["height"] / 2)
        reader.page.mouse.down()
        reader.page.mouse.move(field["x"] + field["width"] * 0.2, field["y"] + field["height"] * 0.2, steps=8)
        reader.page.mouse.up()
        expect(point).to_have_attribute("title", "g(2) = 1, g(3) = 8")
        panel.expect_text("Y leads: X − Y = −7/2 + a < 0")
        assert state(panel.root.locator(".ndcg-panel"))["settings"]["gain"] == "0=0,2=1,3=8"
        panel.press("undo")
        expect(point).to_have_attribute("title", "g(2) = 2, g(3) = 3")
        assert reader.accessibility_faults() == []
