"""A real JupyterLab on a copy of the lessons, and a browser in front of it.

The server and the browser start once for all tests of this folder. Each test gets a fresh page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.lab import FLAGS, Lab, serve
from tests.support import ROOT, require_chromium

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page


# How long a change may take to appear: a bound for a loaded machine, not a wait.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Headless Chromium."""
    executable = require_chromium()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page of its own context: no cookies, no cache, nothing from another test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="package")
def lab_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address, token included, of a JupyterLab that serves a copy of `notebooks/`."""
    with serve(ROOT / "notebooks", tmp_path_factory.mktemp("jupyter")) as url:
        yield url


@pytest.fixture
def lab(page: Page, lab_url: str) -> Lab:
    """JupyterLab as a reader drives it: `lab.open("01_gain_reversal")`, `lab.run_all()`, `lab.screenshot("…")`."""
    return Lab(page, lab_url)
