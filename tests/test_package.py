"""What the package as a whole promises: its public names, and what importing it does not load."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys

import pytest

import ndcg_lab
from tests.support import ROOT
from tools.notebooks import lessons

CORE = ["exact.general", "certificate", "family", "measure.evaluation", "measure.comparison"]


def names_for_type_checkers() -> set[tuple[str, str]]:
    """The (module, name) pairs that `__init__` imports under TYPE_CHECKING."""
    source = ast.parse((ROOT / "ndcg_lab" / "__init__.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(source) if isinstance(node, ast.ImportFrom)]
    return {
        (str(node.module).removeprefix("ndcg_lab").removeprefix("."), alias.name)
        for node in imports
        if str(node.module).startswith("ndcg_lab")
        for alias in node.names
    }


def test_type_checkers_see_the_public_names() -> None:
    listed = {(module, name) for module, names in ndcg_lab._MODULES.items() for name in names}
    modules = {("", module) for module, names in ndcg_lab._MODULES.items() if not names}
    assert names_for_type_checkers() == listed | modules


@pytest.mark.parametrize("name", ndcg_lab.__all__)
def test_a_public_name_is_there_and_explained(name: str) -> None:
    value = getattr(ndcg_lab, name)
    assert value is getattr(importlib.import_module(f"ndcg_lab.{ndcg_lab._HOME[name]}"), name)
    assert value.__doc__


def test_a_misspelt_name_is_an_attribute_error() -> None:
    misspelt = "Contrat"
    with pytest.raises(AttributeError, match="no attribute 'Contrat'"):
        getattr(ndcg_lab, misspelt)


def packages_loaded(program: str) -> set[str]:
    """The packages beyond the standard library that a fresh interpreter has loaded after a program."""
    program += "\nimport sys; print(*{name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(run.stdout.split())


@pytest.mark.parametrize("module", ["ndcg_lab", *(f"ndcg_lab.{name}" for name in CORE)])
def test_the_core_imports_the_standard_library_alone(module: str) -> None:
    assert packages_loaded(f"import {module}") - packages_loaded("") == {"ndcg_lab"}


def test_the_core_does_not_know_reports_and_readers() -> None:
    program = "import sys, ndcg_lab.measure.comparison; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "ndcg_lab.measure.comparison" in loaded
    assert not {"ndcg_lab.reports.report", "ndcg_lab.reports.trec", "ndcg_lab.conventions"} & set(loaded)


def test_readme_names_every_lesson_and_no_file_that_is_not_there() -> None:
    links = re.findall(r"\]\((?!https?:)([^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []
    assert {path.name for path in lessons()} == {link.partition("/")[2] for link in links if link.endswith(".ipynb")}
