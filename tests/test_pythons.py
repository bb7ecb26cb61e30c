"""The lessons give the same outputs on every Python that the package is for, and that is on this machine.

`make test` runs them on the Python that it has, and CI on each; `make test-long` runs them here on the others.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from tests.support import ROOT, find_python, missing

if TYPE_CHECKING:
    from pathlib import Path

TOOLS = ["hypothesis", "nbval", "pytest"]
NBVAL = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=60", "notebooks"]
FLOATS = ["tests/lessons/test_lesson_floats.py", "tests/lessons/test_lesson_answers.py", "-k", "not system_prints"]


def declared() -> list[str]:
    """The Pythons that the package says it is for."""
    metadata = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    prefix = "Programming Language :: Python :: 3."
    return [line.removeprefix(prefix) for line in metadata["classifiers"] if line.startswith(prefix)]


OTHERS = [f"3.{minor}" for minor in declared() if int(minor) != sys.version_info.minor]


def environment() -> dict[str, str]:
    """This process's variables without what would make a missing peer a failure, or lead to this Python's packages."""
    return {name: value for name, value in os.environ.items() if name not in {"CI", "PYTHONPATH", "VIRTUAL_ENV"}}


@pytest.mark.long
@pytest.mark.parametrize("version", OTHERS)
def test_lessons_and_recorded_floats(version: str, tmp_path: Path) -> None:
    found = find_python(version)
    if found is None:
        missing(f"Python {version}", "install it, or put it among pyenv's versions")
    python = str(tmp_path / "venv" / "bin" / "python")
    uv = [sys.executable, "-m", "uv", "--quiet"]
    subprocess.run([*uv, "venv", "--python", found, str(tmp_path / "venv")], check=True)
    install = [*uv, "pip", "install", "--python", python, "--constraint", "constraints.txt", ".", *TOOLS]
    subprocess.run(install, check=True, cwd=ROOT)
    for tests in (NBVAL, FLOATS):
        command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment())
        assert done.returncode == 0, done.stdout[-4000:]


def test_ci_runs_the_lessons_on_each_python() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    for minor in declared():
        assert f'"3.{minor}"' in workflow
    assert "make lessons" in workflow
    assert "$(NBVAL) notebooks" in (ROOT / "Makefile").read_text(encoding="utf-8")
