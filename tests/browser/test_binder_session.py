"""A Binder session, without Docker: the base image's versions, the requirements, postBuild, a lesson in the browser.

Binder's image has Python 3.12; where that is not on this machine the same is done with the running Python.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from typing import TYPE_CHECKING

import nbformat
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.base_image import base_pins
from tests.browser.lab import SERVER_CONFIG, own_folders, serve
from tests.browser.panels import lab_page
from tests.browser.steps import expect_panels_to_move
from tests.support import ROOT, find_python, mostly_long
from tools.notebooks import lessons, normalised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.browser.lab import Lab

BASE = ["ipywidgets", "jupyterlab", "notebook", "jupyter-server"]
# Versions that conda writes otherwise, and what a new venv brings itself
NOT_ON_PYPI = {"tzdata", "pip", "setuptools", "wheel"}
# Extras that JupyterLab and Notebook bring themselves
JUPYTER = {"jsonschema", "nbclient", "notebook"}

TRUSTED = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code').every(cell => cell.model.trusted)"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as Binder's image holds it: the repository, its environment in `venv`, Jupyter's own files."""
    home = tmp_path_factory.mktemp("home")
    repository, venv = home / "repository", home / "venv"
    list_files = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(list_files, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    for name in filter(None, files.split("\0")):
        target = repository / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)

    base = home / "base.txt"
    pins = {name: version for name, version in base_pins().items() if name[0].isalnum() and name not in NOT_ON_PYPI}
    base.write_text("".join(f"{name}=={version}\n" for name, version in pins.items()), encoding="utf-8")
    uv = [sys.executable, "-m", "uv", "--quiet"]
    install = [*uv, "pip", "install", "--python", str(venv / "bin" / "python")]
    subprocess.run([*uv, "venv", "--seed", "--python", find_python("3.12") or sys.executable, str(venv)], check=True)
    subprocess.run([*install, "--constraint", str(base), *BASE], check=True)
    subprocess.run([*install, "--requirement", str(repository / "binder" / "requirements.txt")], check=True)

    environment = os.environ | own_folders(home) | {"HOME": str(home)}
    environment["PATH"] = f"{venv / 'bin'}{os.pathsep}{environment['PATH']}"
    subprocess.run(["./binder/postBuild"], cwd=repository, env=environment, check=True)
    return home


@pytest.fixture(scope="module")
def session(image: Path) -> Iterator[str]:
    """The address of a JupyterLab in that image, under a base URL as Binder gives one."""
    python = image / "venv" / "bin" / "python"
    notebooks = image / "repository" / "notebooks"
    with serve(notebooks, image, python=python, base_url="/user/reader/", settings=None) as url:
        yield url


def test_the_image_keeps_the_base_versions(image: Path) -> None:
    program = "import importlib.metadata, sys; print(*map(importlib.metadata.version, sys.argv[1:]))"
    command = [str(image / "venv" / "bin" / "python"), "-c", program, *BASE]
    installed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    pins = base_pins()
    assert installed == [pins[name] for name in BASE]


def test_the_image_saves_lessons_without_their_live_views(image: Path) -> None:
    installed = image / "venv" / "etc" / "jupyter" / "jupyter_server_config.d" / "ndcg-lab.json"
    assert installed.read_text(encoding="utf-8") == SERVER_CONFIG.read_text(encoding="utf-8")


def test_the_image_stays_small(image: Path, record_property: Callable[[str, object], None]) -> None:
    """Nothing that only tests, peers or the book need; the size is told at the end of the run."""
    venv = image / "venv"
    site_packages = next(venv.glob("lib/python*/site-packages"))
    installed = {canonicalize_name(found.name) for found in distributions(path=[str(site_packages)])}
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    unwanted = {canonicalize_name(Requirement(text).name) for name in extras for text in extras[name]} - JUPYTER
    assert "ndcg-lab" in installed
    assert installed & unwanted == set()
    size = sum(path.stat().st_size for path in venv.rglob("*") if path.is_file() and not path.is_symlink())
    record_property("installed size of the Binder environment", f"{size / 1e6:.0f} MB")


@pytest.mark.parametrize("lesson", mostly_long([path.stem for path in lessons()], always={"10_floats_and_proofs"}))
def test_a_lesson_prints_there_what_is_committed(image: Path, lesson: str) -> None:
    folder = image / "repository" / "notebooks"
    command = [str(image / "venv" / "bin" / "python"), "-m", "jupyter", "nbconvert", "--to", "notebook", "--execute"]
    environment = os.environ | own_folders(image) | {"HOME": str(image)}
    options = ["--ExecutePreprocessor.coalesce_streams=True", "--output-dir", str(image / "written")]
    written = [*command, *options, f"{lesson}.ipynb"]
    subprocess.run(written, check=True, capture_output=True, cwd=folder, env=environment)
    notebook = nbformat.read(image / "written" / f"{lesson}.ipynb", as_version=4)
    assert normalised(notebook, lesson) == (ROOT / "notebooks" / f"{lesson}.ipynb").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def reader(browser: Browser, session: str) -> Iterator[Lab]:
    with lab_page(browser, session) as lab:
        yield lab


@pytest.mark.parametrize("lesson", mostly_long([path.stem for path in lessons()], always={"01_gain_reversal"}))
def test_a_lesson_opens_trusted_runs_and_moves(reader: Lab, lesson: str) -> None:
    reader.turn_to(lesson)
    assert reader.page.evaluate(TRUSTED)
    reader.run_all()
    assert reader.errors() == []
    assert reader.page.get_by_text("Jupyter news").count() == 0
    expect_panels_to_move(reader, lesson)
