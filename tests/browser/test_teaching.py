"""What docs/teaching.md tells a lecturer: one panel in a view of its own, and progress in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect

from tests.browser.lab import Lab, serve
from tests.browser.panels import LivePanel
from tools.notebooks import normalised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

CELLS = [
    "from ndcg_lab.lessons.course import gain_reversal as lesson\nlesson.panel()",
    "from ndcg_lab.lessons.keeping import Keeping\nKeeping()",
    "lesson.prediction",
    "lesson.prediction.come_back()",
]
NEW_VIEW = """() => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = 0;
    return window.jupyterapp.commands.execute('notebook:create-output-view');
}"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("notebooks")
    notebook = new_notebook(cells=[new_code_cell(source) for source in CELLS])
    (folder / "class.ipynb").write_text(normalised(notebook, "class"), encoding="utf-8")
    with serve(folder, tmp_path_factory.mktemp("jupyter")) as address:
        yield address


def upload(page: Page, path: Path) -> None:
    with page.expect_file_chooser() as waiting:
        page.get_by_role("button", name="load progress").click()
    waiting.value.set_files(path)


@pytest.fixture
def running(page: Page, url: str) -> Lab:
    lab = Lab(page, url)
    lab.open("class")
    lab.run_all()
    assert lab.errors() == []
    return lab


def test_a_panel_in_a_view_of_its_own_is_live(running: Lab) -> None:
    panel = LivePanel(running)
    running.page.evaluate(NEW_VIEW)
    alone = running.page.locator(".jp-LinkedOutputView")
    alone.get_by_role("radio", name="exponential", exact=True).first.click()
    expect(alone).to_contain_text("X − Y = −2 + 3a < 0")
    panel.expect_text("X − Y = −2 + 3a < 0")


def test_progress_is_saved_and_loaded(running: Lab, tmp_path: Path) -> None:
    page = running.page
    page.get_by_role("radio", name="X leads under r²").click()
    expect(running.outputs.nth(3)).to_contain_text("You chose “X leads under r²”")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="save progress").click()
    saved = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert saved == {"lesson 01: predict": "X leads under r²"}

    other = tmp_path / "other.json"
    other.write_text(json.dumps({"lesson 01: predict": "Y leads under r²", "<b>": "<i>"}), encoding="utf-8")
    upload(page, other)
    expect(running.outputs.nth(1)).to_contain_text("Loaded: 2 answers.")
    expect(running.outputs.nth(1)).to_contain_text("<i>")
    expect(running.outputs.nth(3)).to_contain_text("You chose “Y leads under r²”")
    other.write_text("[]", encoding="utf-8")
    upload(page, other)
    expect(running.outputs.nth(1)).to_contain_text("Nothing loaded: progress: not an object of names and answers")
    assert running.accessibility_faults() == []
