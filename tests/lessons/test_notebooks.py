"""The lessons are committed as they run: all cells, in order, the same bytes each time."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.notebooks import WIDGET_VIEW, execute, lessons, main, normalised

if TYPE_CHECKING:
    from pathlib import Path

LESSONS = pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)

PANEL = """
import ipywidgets as widgets
widgets.HTML("a live view")
"""
STATIC = """
from IPython.display import publish_display_data
publish_display_data({"text/html": "<p>a static reading</p>", "text/plain": "a reading", "%s": {"model_id": "1"}})
"""


@LESSONS
def test_every_cell_ran_in_order(path: Path) -> None:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    outputs = [output for cell in code for output in cell["outputs"]]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert [output for output in outputs if output["output_type"] == "error"] == []
    assert not any(WIDGET_VIEW in output.get("data", {}) for output in outputs)
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}


@LESSONS
def test_running_it_again_changes_no_byte(path: Path) -> None:
    assert asyncio.run(execute(path)) == path.read_text(encoding="utf-8")


def test_plain_nbconvert_gives_the_committed_outputs(tmp_path: Path) -> None:
    """As a reader without these tools would run them: with a panel, and with files written."""
    chosen = [path for path in lessons() if path.stem[:2] in {"01", "08"}]
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--to", "notebook", "--execute", "--output-dir"]
    subprocess.run([*command, str(tmp_path), *map(str, chosen)], check=True, capture_output=True)
    for path in chosen:
        written = nbformat.read(tmp_path / path.name, as_version=4)
        assert normalised(written, path.stem) == path.read_text(encoding="utf-8")


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    """A notebook as an editor leaves it: random ids, timings, saved widget state."""
    cells = [
        new_markdown_cell("# A draft"),
        new_code_cell(PANEL, metadata={"execution": {"iopub.status.busy": "2026-01-01T00:00:00Z"}}),
        new_code_cell(STATIC % WIDGET_VIEW),
    ]
    path = tmp_path / "00_draft.ipynb"
    nbformat.write(new_notebook(cells=cells, metadata={"widgets": {"state": {}}}), path)
    return path


def test_building_keeps_the_static_reading_alone(draft: Path) -> None:
    assert main(["--check", str(draft)]) == 1
    assert main([str(draft)]) == 0
    built = json.loads(draft.read_text(encoding="utf-8"))
    assert set(built["metadata"]) == {"kernelspec", "language_info"}
    assert [cell["id"] for cell in built["cells"]] == ["00-00", "00-01", "00-02"]
    assert [cell["metadata"] for cell in built["cells"]] == [{}, {}, {}]
    [panel] = built["cells"][1]["outputs"]
    assert panel["data"] == {"text/plain": ["HTML(value='a live view')"]}
    [static] = built["cells"][2]["outputs"]
    assert static["data"] == {"text/html": ["<p>a static reading</p>"], "text/plain": ["a reading"]}


def test_building_twice_gives_the_same_bytes(draft: Path) -> None:
    main([str(draft)])
    once = draft.read_bytes()
    assert main(["--check", str(draft)]) == 0
    assert main([str(draft)]) == 0
    assert draft.read_bytes() == once
