"""Take the README's pictures anew: `python -m tools.screenshots` writes `docs/images/`.

A real JupyterLab serves a copy of the lessons, and a headless Chromium runs them and looks.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.browser.lab import FLAGS, Lab, serve
from tests.support import ROOT, require_chromium

IMAGES = ROOT / "docs" / "images"


def main() -> None:
    """Write every picture."""
    IMAGES.mkdir(exist_ok=True)
    with (
        TemporaryDirectory() as folder,
        serve(ROOT / "notebooks", Path(folder)) as url,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=require_chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 1600}, device_scale_factor=1.5)
        page.set_default_timeout(60_000)
        lab = Lab(page, url)
        lab.open("01_gain_reversal")
        lab.run_all()
        lab.outputs.filter(has=page.locator(".ndcg-editor")).first.screenshot(path=IMAGES / "gain_reversal_panel.png")
        browser.close()


if __name__ == "__main__":
    main()
