"""Every lesson has its parts, read from the committed file without running it."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
REFERENCE = {"12_claims", "13_workbench"}  # for looking up, and a tool: neither is a lesson
LESSONS = [path for path in PATHS if path.stem not in REFERENCE]
by_name = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def cells(path: Path, kind: str) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == kind]


def prose(path: Path) -> str:
    return "\n\n".join("".join(cell["source"]) for cell in cells(path, "markdown"))


def code(path: Path) -> str:
    return "\n".join("".join(cell["source"]) for cell in cells(path, "code"))


def outputs(path: Path, mime: str) -> list[str]:
    found = [output for cell in cells(path, "code") for output in cell["outputs"]]
    return ["".join(output["data"][mime]) for output in found if mime in output.get("data", {})]


@by_name
def test_headings(path: Path) -> None:
    text = re.sub(r"```.*?```", "", prose(path), flags=re.DOTALL)
    levels = [len(mark) for mark in re.findall(r"^(#+) ", text, re.MULTILINE)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@by_name
def test_parts(path: Path) -> None:
    text = prose(path)
    assert re.search(r"^\*\*Question\.\*\* .{40,}\?$", text, re.MULTILINE)
    assert text.count("**Claim.**") == 1
    assert re.search(r"^\*\*Time\.\*\* \d+ minutes\.$", text, re.MULTILINE)
    for part in ("Do", "Learn", "Need"):
        assert re.search(rf"^- \*\*{part}:\*\* ", text, re.MULTILINE)
    order = ["Predict", "Check yourself", "What changed and what did not", "Limits", "References", "Next"]
    places = [text.index(f"\n## {part}\n") for part in order]
    assert places == sorted(places)
    assert "lesson.prediction\n" in code(path)
    assert "lesson.prediction.come_back()" in code(path)
    assert len(re.findall(r"lesson\.(?:check|hunt)\(\d+\)", code(path))) >= 4


@by_name
def test_prediction_comes_before_its_answer_and_checks_after_the_panel(path: Path) -> None:
    source = code(path)
    assert source.index("lesson.prediction\n") < source.index("lesson.prediction.come_back()")
    headings = re.findall(r"^## (.+)$", prose(path), re.MULTILINE)
    panels = [heading for heading in headings if heading.endswith("panel")]
    assert panels
    assert all(headings.index(panel) < headings.index("Check yourself") for panel in panels)


@by_name
def test_references_are_full(path: Path) -> None:
    listed = prose(path).partition("\n## References\n")[2].partition("\n## ")[0]
    entries = re.findall(r"^- .+$", listed, re.MULTILINE)
    assert entries
    for entry in entries:
        assert re.search(r"doi:10\.|https://|PMLR|Press\b|\d+\(\d+\), \d+–\d+", entry), entry


@by_name
def test_cells_are_short(path: Path) -> None:
    for cell in cells(path, "code"):
        assert len("".join(cell["source"]).splitlines()) <= 12


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_figures_have_name_caption_and_data(path: Path) -> None:
    for html in outputs(path, "text/html"):
        for figure in re.findall(r"<figure.*?</figure>", html, re.DOTALL):
            assert re.search(r'alt="[^"]{20,}"', figure)
            assert re.search(r"<figcaption>.{20,}</figcaption>", figure, re.DOTALL)
            assert "<table" in figure
    assert not any(
        mime.startswith("image/")
        for cell in cells(path, "code")
        for output in cell["outputs"]
        for mime in output.get("data", {})
    )


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_links_between_lessons(path: Path) -> None:
    names = {other.name for other in PATHS}
    planned = {
        f"{name}.ipynb"
        for name in re.findall(r"\]\((\d\d_\w+)\.ipynb\)", prose(ROOT / "notebooks" / "00_start_here.ipynb"))
    }
    for target in re.findall(r"\]\((\d\d_\w+\.ipynb)\)", prose(path)):
        assert target in names | planned


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_outputs_hold_no_address(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "object at 0x" not in text
    assert "/home/" not in text
    assert "<script" not in text
