"""A lesson saved and opened again shows its static readings, and what was chosen and answered is offered again."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from jupyter_server.services.contents.filemanager import FileContentsManager
from nbformat.v4 import new_code_cell, new_notebook, new_output

from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.progress import FILE, Progress
from ndcg_lab.lessons.saving import WIDGET_VIEW, without_views
from tests.support import ROOT

if TYPE_CHECKING:
    from pathlib import Path

LESSON = "from ndcg_lab.lessons.course import cutoff as lesson\nlesson.panel()"
CONFIG = ROOT / "ndcg_lab" / "lessons" / "jupyter_server_config.json"


def saved_by_lab(source: str = LESSON) -> dict[str, Any]:
    """A notebook as JupyterLab hands it over: a live view beside its reading, a bare view, and widget state."""
    live = {WIDGET_VIEW: {"model_id": "1"}, "text/html": "<p>read</p>", "text/plain": "read"}
    bare = {WIDGET_VIEW: {"model_id": "2"}, "text/plain": "bare"}
    outputs = [new_output("display_data", data=data, metadata={WIDGET_VIEW: {}}) for data in (live, bare)]
    cell = new_code_cell(source, outputs=[*outputs, new_output("stream", text="said")])
    return dict(new_notebook(cells=[cell], metadata={"widgets": {"state": {}}, "language_info": {"name": "python"}}))


def test_views_are_not_saved_and_readings_are() -> None:
    notebook = saved_by_lab()
    without_views({"type": "notebook", "content": notebook}, path="03_cutoff.ipynb", contents_manager=None)
    first, second, stream = notebook["cells"][0]["outputs"]
    assert first["data"] == {"text/html": "<p>read</p>", "text/plain": "read"}
    assert first["metadata"] == {}
    assert WIDGET_VIEW in second["data"]  # nothing else stands beside it
    assert stream["text"] == "said"
    assert "widgets" not in notebook["metadata"]


@pytest.mark.parametrize("model", [{"type": "file", "content": "text"}, {"type": "notebook", "content": None}, {}])
def test_other_files_are_left_alone(model: dict[str, Any]) -> None:
    before = dict(model)
    without_views(model)
    assert model == before


def test_other_peoples_notebooks_are_left_alone() -> None:
    notebook = saved_by_lab("import ipywidgets")
    without_views({"type": "notebook", "content": notebook})
    assert notebook == saved_by_lab("import ipywidgets") | {"cells": notebook["cells"]}
    assert WIDGET_VIEW in notebook["cells"][0]["outputs"][0]["data"]
    assert "widgets" in notebook["metadata"]


def test_jupyters_server_takes_the_hook_as_it_is_installed(tmp_path: Path) -> None:
    settings = json.loads(CONFIG.read_text(encoding="utf-8"))["ContentsManager"]
    manager = FileContentsManager(root_dir=str(tmp_path), **settings)
    model = {"type": "notebook", "format": "json", "content": saved_by_lab()}
    save: Any = manager.save
    save(model, "03_cutoff.ipynb")
    written = json.loads((tmp_path / "03_cutoff.ipynb").read_text(encoding="utf-8"))
    assert WIDGET_VIEW not in written["cells"][0]["outputs"][0]["data"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    name = CONFIG.relative_to(ROOT).as_posix()
    assert shared == {name: "etc/jupyter/jupyter_server_config.d/ndcg-lab.json"}


def test_the_server_loads_no_widgets_for_it() -> None:
    program = "import sys, ndcg_lab.lessons.saving; print('ipywidgets' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["False", "False"]


# ---------- progress ----------


def test_two_kernels_keep_one_file(tmp_path: Path) -> None:
    here, there = Progress(), Progress()
    for kernel in (here, there):
        kernel.keep(tmp_path / FILE)
    here.record("lesson 01: predict", "X leads under r²")
    there.record("lesson 02: predict", "both change")
    again = Progress()
    again.keep(tmp_path / FILE)
    assert again.kept() == {"lesson 01: predict": "X leads under r²", "lesson 02: predict": "both change"}
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_a_file_that_is_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_text("[1]", encoding="utf-8")
    store = Progress()
    store.keep(path)
    store.record("lesson 01: predict", "X leads under r²")
    assert path.read_text(encoding="utf-8") == "[1]"
    assert store.of("lesson 01: predict") == "X leads under r²"


def test_tests_and_scripts_keep_nothing(tmp_path: Path) -> None:
    program = "from ndcg_lab.lessons.progress import progress; progress.record('a', 'b')"
    environment = {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path, env=environment)
    assert list(tmp_path.iterdir()) == []


def test_an_answer_is_offered_again() -> None:
    store = Progress()
    exercise = ask.power_bound("Is a above 1/4?", 3, below=Fraction(1, 4), hint="", solution="")
    store.record("Exercise 1", "right | 1/4 | 3 < 2^4")
    _, form, told, *_ = Check("Exercise 1", exercise, store=store).view().children
    assert form.answers == ["1/4", "3 < 2^4"]
    assert "Right: a &gt; 1/4" in told.value
    form.answers = ["1/3", "3 < 2^4"]
    assert "has changed since" in told.value
    store.record("Exercise 2", "right | of another time, with one part")
    form = Check("Exercise 2", exercise, store=store).view().children[1]
    assert form.answers == ["", ""]
