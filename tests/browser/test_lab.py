"""The harness itself: it runs cells, sees a widget change, and finds faults that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect

from tests.browser.lab import Lab, serve
from tools.notebooks import normalised

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

COUNTER = """
import ipywidgets as widgets
choice = widgets.ToggleButtons(options=["linear", "exponential"], description="Gain")
told = widgets.HTML("none")
choice.observe(lambda change: setattr(told, "value", f"<b>now {change.new}</b>"), "value")
widgets.VBox([choice, told])
"""
NAMELESS = """
from IPython.display import HTML
HTML('<button></button>')
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("notebooks")
    for name, sources in {"good": [COUNTER], "bad": [NAMELESS, "1 / 0"]}.items():
        notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
        (folder / f"{name}.ipynb").write_text(normalised(notebook, name), encoding="utf-8")
    with serve(folder, tmp_path_factory.mktemp("jupyter")) as address:
        yield address


def test_a_widget_is_run_and_moved(page: Page, url: str) -> None:
    lab = Lab(page, url)
    lab.open("good")
    lab.run_all()
    assert lab.errors() == []
    page.get_by_role("button", name="exponential").click()
    expect(lab.outputs.locator("b")).to_have_text("now exponential")
    assert lab.accessibility_faults() == []


def test_faults_are_found(page: Page, url: str) -> None:
    lab = Lab(page, url)
    lab.open("bad")
    lab.run_all()
    assert lab.errors() == ["ZeroDivisionError: division by zero"]
    assert [fault.partition(":")[0] for fault in lab.accessibility_faults()] == ["button-name"]
