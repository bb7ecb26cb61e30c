"""From a key to the changed page, in a real JupyterLab: a panel's numbers and its figure against an empty callback.

`python -m benchmarks.ui` prints one table. All three are measured in one session, in turns, so that what else the
machine does falls on each alike; only the ratios mean something. The goals: picture and scores at most 1.5 times
an empty callback's round trip, a figure at most 5 times.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.table import Table

from tests.browser.lab import FLAGS, Lab, serve
from tests.support import require_chromium
from tools.notebooks import normalised

EMPTY = """
import ipywidgets
from ndcg_lab.lessons.controls import Announcer, Choice

choice, told = Choice("empty", ["1", "2"], index=0), ipywidgets.HTML("0")
choice.observe(lambda change: setattr(told, "value", f"<p data-seen>{change['new']}</p>"), names="index")
ipywidgets.VBox([choice, told, Announcer()])
"""
NUMBERS = """
from ndcg_lab.lessons.course import gain_reversal

gain_reversal.panel()
"""
FIGURE = """
from ndcg_lab.lessons.course import cutoff

cutoff.panel()
"""

# Resolves to the milliseconds from the next key to the moment when what the selector names holds something else;
# a picture counts once it is decoded.
WATCH = """([index, selector]) => {
    const area = document.querySelectorAll('.jp-Cell-outputArea')[index];
    const held = () => { const e = area.querySelector(selector); return e && (e.src || e.textContent); };
    const before = held();
    window.measured = new Promise(resolve => {
        let start = null;
        area.addEventListener('keydown', () => { start = performance.now(); }, { capture: true, once: true });
        const observer = new MutationObserver(async () => {
            if (start === null || held() === before || !held()) return;
            observer.disconnect();
            const element = area.querySelector(selector);
            if (element.decode) await element.decode();
            resolve(performance.now() - start);
        });
        observer.observe(area, { subtree: true, childList: true, characterData: true, attributes: true });
    });
}"""


@dataclass(frozen=True)
class Subject:
    """What is measured: a cell's output, the options that a key goes back and forth between, and what then changes."""

    name: str
    cell: int
    group: str
    selector: str
    goal: float | None


SUBJECTS = (
    Subject("empty callback", 0, "empty", ".widget-html-content", None),
    Subject("picture, verdict, scores", 1, "Gain", ".ndcg-scores", 1.5),
    Subject("figure", 2, "Gain", "figure img", 5),
)


@contextmanager
def session() -> Iterator[Page]:
    """A page with the three outputs, run."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "notebooks"
        folder.mkdir()
        notebook = new_notebook(cells=[new_code_cell(source) for source in (EMPTY, NUMBERS, FIGURE)])
        (folder / "ui.ipynb").write_text(normalised(notebook, "ui"), encoding="utf-8")
        with serve(folder, Path(scratch)) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=require_chromium(), args=FLAGS)
            page = browser.new_page(viewport={"width": 1280, "height": 2400})
            lab = Lab(page, url)
            lab.open("ui")
            lab.run_all()
            page.locator(".ndcg-more > summary").last.click()  # the figure stands in the folded part
            page.locator("figure img").first.wait_for()
            yield page
            browser.close()


def press(page: Page, subject: Subject) -> float:
    """One key on the group's chosen option; the milliseconds until the page shows what it does."""
    output = page.locator(".jp-Cell-outputArea").nth(subject.cell)
    group = output.locator("fieldset", has=page.locator("legend", has_text=subject.group)).first
    radios = group.get_by_role("radio")
    first = radios.nth(0)
    key = "ArrowRight" if first.is_checked() else "ArrowLeft"
    radios.nth(0 if key == "ArrowRight" else 1).focus()
    page.evaluate(WATCH, [subject.cell, subject.selector])
    page.keyboard.press(key)
    taken: float = page.evaluate("window.measured")
    return taken


def measure(repeats: int) -> dict[str, list[float]]:
    """Milliseconds by subject: each in turn, so many times."""
    with session() as page:
        for subject in SUBJECTS:  # the first of each is not counted: scripts and fonts are loaded by it
            press(page, subject)
        taken: dict[str, list[float]] = {subject.name: [] for subject in SUBJECTS}
        for _ in range(repeats):
            for subject in SUBJECTS:
                taken[subject.name].append(press(page, subject))
    return taken


def main() -> int:
    """Print the table; 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=30)
    taken = measure(parser.parse_args().repeats)
    medians = {name: statistics.median(times) for name, times in taken.items()}
    base = medians[SUBJECTS[0].name]
    table = Table(title="Key to changed page, medians")
    for head in ("", "ms", "of an empty callback", "goal"):
        table.add_column(head, justify="right" if head else "left")
    missed = False
    for subject in SUBJECTS:
        ratio = medians[subject.name] / base
        missed = missed or (subject.goal is not None and ratio > subject.goal)
        goal = "" if subject.goal is None else f"at most {subject.goal:g}"
        table.add_row(subject.name, f"{medians[subject.name]:.1f}", f"{ratio:.2f}", goal)
    Console().print(table)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
