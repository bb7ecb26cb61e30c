"""The lessons, from the installed package: where they lie, a copy of them, JupyterLab on that copy."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import ndcg_lab
from ndcg_lab.errors import NdcgLabError

__all__ = ["FOLDER", "copied", "opened"]

FOLDER = "ndcg-lab-lessons"
"""Where the lessons are put unless a folder is named."""

_START = "00_start_here.ipynb"


def shipped() -> list[Path]:
    """The lessons: in the wheel beside the package, in a checkout beside its folder.

    Raises:
        NdcgLabError: neither is there.
    """
    package = Path(ndcg_lab.__file__).parent
    for folder in (package / "notebooks", package.parent / "notebooks"):
        if found := sorted(folder.glob("[0-9][0-9]_*.ipynb")):
            return found
    raise NdcgLabError("the lessons are not installed with this package: install it from its wheel, or from a clone")


def copied(folder: Path) -> tuple[list[str], list[str]]:
    """Copy the lessons into a folder, which is made; returns the names copied, and those that were there already.

    A file that is there is left alone: it may hold somebody's answers.
    """
    folder.mkdir(parents=True, exist_ok=True)
    new, kept = [], []
    for lesson in shipped():
        target = folder / lesson.name
        if target.exists():
            kept.append(lesson.name)
        else:
            shutil.copyfile(lesson, target)
            new.append(lesson.name)
    return new, kept


def opened(folder: Path, *arguments: str) -> int:
    """Copy what is missing and open JupyterLab on the folder; returns its exit status.

    Raises:
        NdcgLabError: JupyterLab is not installed.
    """
    if find_spec("jupyterlab") is None:
        raise NdcgLabError("`ndcg-lab lab` opens JupyterLab, which is not installed: pip install jupyterlab ipywidgets")
    copied(folder)
    command = [
        *(sys.executable, "-m", "jupyterlab"),
        f"--ServerApp.root_dir={folder.resolve()}",
        f"--LabApp.default_url=/lab/tree/{_START}",
        *arguments,
    ]
    return subprocess.run(command, check=False).returncode  # noqa: S603 - this Python's own JupyterLab
