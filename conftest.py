"""What holds for every test."""

from __future__ import annotations

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from tests.support import LONG
from tools.notebooks import own_profile

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter
    from xdist.remote import Producer

# A slow machine fails no property. On CI hypothesis's own profile, which is repeatable, is the parent.
settings.register_profile("patient", settings(), deadline=None)
settings.load_profile("patient")


def pytest_configure(config: pytest.Config) -> None:
    """Give the kernels that nbval starts a profile of their own, not the user's."""
    folder = TemporaryDirectory(prefix="ndcg-lab-ipython-")
    config.add_cleanup(folder.cleanup)
    os.environ |= own_profile(Path(folder.name))


class Groups(LoadScopeScheduling):  # type: ignore[misc]
    """Keeps together, on one worker, what shares costly fixtures.

    A test runs with its file; all that compiles ranx runs together; the tour of the lessons runs in three parts.
    """

    def _split_scope(self, nodeid: str) -> str:
        file, _, name = nodeid.partition("::")
        if "ranx" in name:
            return "ranx"
        lesson = re.search(r"\b(\d\d)_", name)
        part = int(lesson[1]) % 3 if lesson and file.endswith("test_all_lessons.py") else ""
        return f"{file}{part}"


@pytest.hookimpl(optionalhook=True)  # without the plugin everything runs in one process
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Groups:
    """Hand tests out in groups, whatever kind of distribution was asked for."""
    return Groups(config, log)


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
