"""Binder gets what it needs: the Dockerfile that repo2docker would build from, and pins that fit its base image."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.base_image import base_pins
from tests.support import ROOT

BINDER = ROOT / "binder"
TEST_TOOLS = {"hypothesis", "mypy", "nbval", "playwright", "pytest", "ruff", "scikit-learn"}


def pins(text: str) -> dict[str, str]:
    """Name -> version of each `name==version` line, its condition left aside; the first of several counts."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        requirement = Requirement(line)
        [specifier] = requirement.specifier
        assert specifier.operator == "==", line
        found.setdefault(canonicalize_name(requirement.name), specifier.version)
    return found


REQUIREMENTS = pins((BINDER / "requirements.txt").read_text(encoding="utf-8"))
BASE = base_pins()


@pytest.fixture(scope="module")
def dockerfile() -> str:
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(ROOT)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return run.stdout + run.stderr


def test_the_dockerfile_uses_the_binder_folder(dockerfile: str) -> None:
    assert "environment for python=3.12" in dockerfile
    assert re.search(r"COPY .*environment-2epy-2d3-2e12-2dlinux", dockerfile)
    assert 'pip install --no-cache-dir -r "binder/requirements.txt"' in dockerfile
    assert "RUN ./binder/postBuild" in dockerfile
    assert "pyproject" not in dockerfile  # with a binder folder the project's own metadata is not read


def test_post_build_is_executable() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--stage", "binder/postBuild"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert listed.stdout.startswith("100755 ")


def test_what_the_base_image_brings_stays_as_it_is() -> None:
    assert "jupyterlab" not in REQUIREMENTS
    shared = BASE.keys() & REQUIREMENTS.keys()
    assert "ipywidgets" in shared
    assert {name: REQUIREMENTS[name] for name in shared} == {name: BASE[name] for name in shared}


def test_the_other_pins_are_the_tested_versions() -> None:
    tested = pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    added = REQUIREMENTS.keys() - BASE.keys()
    assert {name: REQUIREMENTS[name] for name in added} == {name: tested[name] for name in added}


def test_the_image_has_what_the_package_needs_and_no_test_tools() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [Requirement(text) for text in project["dependencies"]]
    image = BASE | REQUIREMENTS
    assert [str(need) for need in needed if image[canonicalize_name(need.name)] not in need.specifier] == []
    assert not TEST_TOOLS & REQUIREMENTS.keys()
