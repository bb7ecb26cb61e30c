"""What holds for every test."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tools.notebooks import own_profile

if TYPE_CHECKING:
    import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Give the kernels that nbval starts a profile of their own, not the user's."""
    folder = TemporaryDirectory(prefix="ndcg-lab-ipython-")
    config.add_cleanup(folder.cleanup)
    os.environ |= own_profile(Path(folder.name))
