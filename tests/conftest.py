"""What holds for every test."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hypothesis import settings

from tools.notebooks import own_profile

if TYPE_CHECKING:
    import pytest

# A slow machine fails no property. On CI hypothesis's own profile, which is repeatable, is the parent.
settings.register_profile("patient", settings(), deadline=None)
settings.load_profile("patient")


def pytest_configure(config: pytest.Config) -> None:
    """Give the kernels that nbval starts a profile of their own, not the user's."""
    folder = TemporaryDirectory(prefix="ndcg-lab-ipython-")
    config.add_cleanup(folder.cleanup)
    os.environ |= own_profile(Path(folder.name))
