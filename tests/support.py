"""What a test needs and a machine may lack.

On CI its absence is a failure, elsewhere a skip that says what to install.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable
    from types import FrameType, ModuleType

    from _pytest.mark.structures import ParameterSet

ROOT = Path(__file__).resolve().parent.parent

# Real runs and judgments are not part of the repository: the one thing whose absence is always a skip.
REAL = Path(os.environ.get("NDCG_LAB_REAL", ROOT.parent / "shared" / "real"))


LONG = bool(os.environ.get("NDCG_LAB_LONG"))
"""Whether the long campaigns run: `make test-long`."""


def cases(*, ci: int, long: int) -> int:
    """How many random cases a campaign tries: the first number in `make test`, the second in `make test-long`."""
    return long if LONG else ci


def work(task: Callable[[], object]) -> int:
    """How many calls of the library's functions a task takes: the same on a slow machine as on a fast one."""
    calls = 0
    package = str(ROOT / "ndcg_lab")

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_filename.startswith(package)

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        task()
    finally:
        sys.setprofile(before)
    return calls


def mostly_long(names: Iterable[str], *, always: Container[str]) -> list[ParameterSet | str]:
    """Parameters of which `make test` takes a few, and `make test-long` the whole tour."""
    return [name if name in always else pytest.param(name, marks=pytest.mark.long) for name in names]


def find_python(version: str) -> str | None:
    """A Python of this version that can make environments: on the path, or among pyenv's versions."""
    candidates = [str(path) for path in Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")]
    for candidate in [f"python{version}", *candidates]:
        command = [candidate, "-m", "ensurepip", "--version"]
        if shutil.which(candidate) and subprocess.run(command, check=False, capture_output=True).returncode == 0:
            return candidate
    return None


def missing(what: str, remedy: str) -> NoReturn:
    """End the running test: something it needs is not on this machine."""
    message = f"{what} is missing: {remedy}"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def require_module(name: str, extra: str = "peers") -> ModuleType:
    """Import a module that one of the project's extras brings."""
    if importlib.util.find_spec(name.partition(".")[0]) is None:
        missing(name, f"pip install -c constraints.txt -e '.[{extra}]'")
    return importlib.import_module(name)


def require_chromium() -> Path:
    """The browser: Debian's Chromium, or the program that the variable CHROMIUM names."""
    for name in (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"):
        if name and (found := shutil.which(name)):
            return Path(found)
    missing("Chromium", "apt-get install chromium, or set CHROMIUM to the program's path")


def require_real(name: str) -> Path:
    """A file of real data, from the folder that the variable NDCG_LAB_REAL names."""
    path = REAL / name
    if not path.exists():
        pytest.skip(f"{name} is not in {REAL}: set NDCG_LAB_REAL to a folder that holds it")
    return path
