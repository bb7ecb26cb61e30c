"""The book, opened from disk with the network cut: every page, light and dark, wide and narrow."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from tests.browser.lab import COLOURS, axe_faults
from tests.support import ROOT, require_module
from tools.notebooks import lessons

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

LESSONS = [path.stem for path in lessons()]
PAGES = [
    "index",
    "conventions",
    "systems/trec_eval",
    "systems/mlflow",
    "api",
    "teaching",
    *(f"lessons/{name}" for name in LESSONS),
]
DARK = ["index", "conventions", "lessons/04_candidate_only"]
LIGHT = "matchMedia('(prefers-color-scheme: light)').matches"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require_module("sphinx", "site")
    folder: Path = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "tools.site", str(folder)]
    build = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert build.returncode == 0, build.stderr
    return folder


@pytest.mark.parametrize(
    ("theme", "name"),
    [
        *(("light", name) for name in PAGES),
        *(("dark", name) for name in DARK),
        *(pytest.param("dark", name, marks=pytest.mark.long) for name in PAGES if name not in DARK),
    ],
)
def test_a_page_stands_alone(site: Path, browser: Browser, theme: Literal["light", "dark"], name: str) -> None:
    context = browser.new_context(offline=True, color_scheme=theme, reduced_motion="reduce")
    page = context.new_page()
    failed: list[str] = []
    asked: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: failed.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.goto((site / f"{name}.html").as_uri())
    page.wait_for_load_state()

    assert failed == []
    assert [address for address in asked if not address.startswith(("file:", "data:"))] == []
    assert axe_faults(page, rules=None if page.evaluate(LIGHT) else COLOURS) == []
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate(OVERFLOW) == 0
    context.close()


def test_formulas_are_mathml(site: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.goto((site / "lessons" / "01_gain_reversal.html").as_uri())
    assert page.locator("math mfrac").count() > 0
    assert page.get_by_text(r"\frac").count() == 0
    page.close()


def test_the_pages_are_linked_in_order(site: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    seen = []
    for _ in LESSONS:
        following = page.locator(".next-page")
        name = str(following.get_attribute("href")).rpartition("/")[2]
        following.click()
        page.wait_for_url(f"**/{name}")
        expect(page.locator("h1")).to_have_count(1)
        seen.append(name.removesuffix(".html"))
    assert seen == LESSONS
    page.close()
