"""What holds for every test."""

from __future__ import annotations

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.support import LONG
from tools.notebooks import own_profile

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

# A slow machine fails no property. On CI hypothesis's own profile, which is repeatable, is the parent.
settings.register_profile("patient", settings(), deadline=None)
settings.load_profile("patient")


def pytest_configure(config: pytest.Config) -> None:
    """Give the kernels that nbval starts a profile of their own, not the user's."""
    folder = TemporaryDirectory(prefix="ndcg-lab-ipython-")
    config.add_cleanup(folder.cleanup)
    os.environ |= own_profile(Path(folder.name))


def group_of(item: pytest.Item) -> str:
    """Where a test runs: with its file; all that compiles ranx together; the tour of the lessons in three parts."""
    if "ranx" in item.name:
        return "ranx"
    lesson = re.search(r"\b(\d\d)_", item.name)
    part = int(lesson[1]) % 3 if lesson and item.path.name == "test_all_lessons.py" else ""
    return f"{item.path.stem}{part}"


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep together, on one worker, what shares costly fixtures."""
    item.add_marker(pytest.mark.xdist_group(group_of(item)))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what is marked `long` to `make test-long`."""
    if not LONG:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("long")])
        items[:] = [item for item in items if not item.get_closest_marker("long")]


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Tell what tests measured and recorded by `record_property`."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            terminalreporter.write_line(f"{name}: {value}")
