"""Each panel's committed static reading is the reading of today, and holds what the live panel shows at its start."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import ipywidgets
import pytest

from ndcg_lab.lessons.live import LivePanel
from tests.lesson_answers import NOTEBOOKS, module_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PANEL = re.compile(r"^(?:lesson\.)?(panel|\w+_panel|Prover|Bench|LookUp|Reversal|Workbench)\(\)$", re.MULTILINE)


def panels(lesson: str) -> list[tuple[str, str]]:
    """The name that makes each panel of a lesson, and its committed reading."""
    found = []
    for cell in json.loads(NOTEBOOKS[lesson].read_text(encoding="utf-8"))["cells"]:
        named = PANEL.search("".join(cell["source"])) if cell["cell_type"] == "code" else None
        if named is not None:
            found.append((named[1], "".join(cell["outputs"][0]["data"]["text/html"])))
    return found


def html_values(widget: ipywidgets.Widget) -> Iterator[str]:
    """What each HTML widget of a tree shows, or a panel's one widget."""
    if isinstance(widget, LivePanel):
        widget.asked = {**widget.asked, "number": 1, "more": True}
        yield from (widget.view[part] for part in ("verdict", "scores", "targets", "more"))
    if isinstance(widget, ipywidgets.HTML):
        yield widget.value
    for child in getattr(widget, "children", ()):
        yield from html_values(child)


def numbers(html: str) -> set[str]:
    """The contents of a page's table cells."""
    return set(re.findall(r"<td[^>]*>(.*?)</td>", html, re.DOTALL))


@pytest.mark.parametrize("lesson", NOTEBOOKS)
def test_the_reading_holds_what_the_live_panel_shows_at_its_start(lesson: str) -> None:
    found = panels(lesson)
    assert found, "no panel"
    for name, committed in found:
        panel: Any = getattr(module_of(lesson), name)()
        assert committed == panel.reading()
        shown = set().union(*map(numbers, html_values(panel.widget)))
        assert shown <= numbers(committed)
        if name.endswith("panel"):
            assert shown
