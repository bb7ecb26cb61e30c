"""Take the README's pictures anew: `python -m tools.screenshots` writes `docs/images/`.

A headless Chromium looks at a lesson that it ran in a real JupyterLab, and at a page of the book.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tests.browser.lab import FLAGS, Lab, serve
from tests.support import ROOT, require_chromium
from tools.site import main as build

IMAGES = ROOT / "docs" / "images"


def panel(browser: Browser, url: str) -> None:
    """The first lesson's panel, in JupyterLab."""
    page = browser.new_page(viewport={"width": 1280, "height": 1600}, device_scale_factor=1.5)
    page.set_default_timeout(60_000)
    lab = Lab(page, url)
    lab.open("01_gain_reversal")
    lab.run_all()
    lab.outputs.filter(has=page.locator(".ndcg-panel")).first.screenshot(path=IMAGES / "gain_reversal_panel.png")


def book(browser: Browser, site: Path) -> None:
    """A page of the book, at the panel's reading."""
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
    page.goto((site / "lessons" / "04_candidate_only.html").as_uri())
    page.locator("figure").first.evaluate("figure => scrollTo(0, figure.getBoundingClientRect().top - 380)")
    page.screenshot(path=IMAGES / "book.png")


def main() -> int:
    """Write every picture; returns the exit status."""
    IMAGES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        scratch = Path(folder)
        if status := build(str(scratch / "site")):
            return status
        browser = playwright.chromium.launch(executable_path=require_chromium(), args=FLAGS)
        with serve(ROOT / "notebooks", scratch) as url:
            panel(browser, url)
        book(browser, scratch / "site")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
