"""A lesson's panel and exercises as a reader finds them: by role and name, as a screen reader would."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.lab import Lab

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page


# A theme is in place once its name stands on the page's body.
THEME = "name => document.body.dataset.jpThemeName === name"
COLLAPSE = """() => {
    const shell = window.jupyterapp.shell;
    if (!shell.leftCollapsed) shell.collapseLeft();
    if (!shell.rightCollapsed) shell.collapseRight();
}"""


@contextmanager
def lab_page(browser: Browser, lab_url: str, path: str = "lab/tree") -> Iterator[Lab]:
    """A page of its own for lessons to be opened in; the kernel of the last one ends with it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    lab = Lab(context.new_page(), lab_url, path)
    yield lab
    lab.leave()
    context.close()


@contextmanager
def running(browser: Browser, lab_url: str, lesson: str) -> Iterator[Lab]:
    """A lesson, opened and run once; the tests of its module share the page, and reset a panel before they use it."""
    with lab_page(browser, lab_url) as lab:
        lab.open(lesson)
        lab.run_all()
        assert lab.errors() == []
        yield lab


def resize(lab: Lab, width: int, height: int) -> None:
    """Another size of the page, with JupyterLab's side bars folded away, as a reader with a small screen has them."""
    lab.page.set_viewport_size({"width": width, "height": height})
    lab.page.evaluate(COLLAPSE)


def theme(lab: Lab, name: str) -> None:
    """JupyterLab in another theme."""
    lab.page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", name)
    lab.page.wait_for_function(THEME, arg=name)


class LivePanel:
    """One panel of a lesson that has been run: the first that holds what the selector names.

    A panel that can be reset is, and what stands folded below is opened.
    """

    def __init__(self, lab: Lab, holding: str = ".ndcg-panel") -> None:
        self.page: Page = lab.page
        self.root: Locator = lab.outputs.filter(has=lab.page.locator(holding)).first
        if self.root.get_by_role("button", name="reset", exact=True).count():
            self.press("reset")
        folded = self.root.locator(".ndcg-more:not([open]) > summary")
        if folded.count():
            folded.first.click()
            expect(self.root.locator(".ndcg-tables").first).not_to_be_empty()
        expect(self.root.locator('.ndcg-panel[data-busy="true"]')).to_have_count(0)

    def choose(self, group: str, option: str) -> None:
        """Click an option of a group of radio buttons; the group's name may be given by its beginning."""
        self.radio(group, option).click()

    def radio(self, group: str, option: str) -> Locator:
        return self.root.locator("fieldset", has=self.page.locator("legend", has_text=group)).get_by_role(
            "radio", name=option, exact=True
        )

    def press(self, button: str) -> None:
        self.root.get_by_role("button", name=button, exact=True).click()

    def document(self, ranking: str, document: str) -> Locator:
        """A document of a list."""
        return self.root.locator(f'[data-list="{ranking}"][data-document="{document}"]')

    def order(self, ranking: str) -> list[str]:
        """The documents as the picture shows them."""
        found = self.root.locator(f'[data-list="{ranking}"][data-document]')
        return [document.get_attribute("data-document") or "" for document in found.all()]

    def drag(self, ranking: str, document: str, onto: str, share: float = 0.1) -> None:
        """Drag a document to the place at that share of another one's width."""
        mouse = self.page.mouse
        with self.dragging(ranking, document):
            target = self.document(ranking, onto).bounding_box()
            assert target is not None
            mouse.move(target["x"] + target["width"] * share, target["y"] + target["height"] / 2, steps=6)

    @contextmanager
    def dragging(self, ranking: str, document: str) -> Iterator[None]:
        """With the mouse's button down on a document; what is done inside moves it, and it is dropped at the end."""
        source = self.document(ranking, document).bounding_box()
        assert source is not None
        self.page.mouse.move(source["x"] + source["width"] / 2, source["y"] + source["height"] / 2)
        self.page.mouse.down()
        try:
            yield
        finally:
            self.page.mouse.up()

    def expect_text(self, text: str) -> None:
        expect(self.root).to_contain_text(text)

    def expect_order(self, ranking: str, documents: str) -> None:
        found = self.root.locator(f'[data-list="{ranking}"][data-document] .ndcg-label b')
        expect(found).to_have_text(documents.split())

    def expect_spoken(self, text: str) -> None:
        """What the panel's live regions last said."""
        expect(self.root.locator('[role="status"], [aria-live]', has_text=text)).to_have_count(1)


class LiveExercise:
    """One exercise of a lesson that has been run, by the name it is shown under."""

    def __init__(self, lab: Lab, name: str) -> None:
        named = lab.page.locator(".widget-html strong", has_text=f"{name}.")
        self.page: Page = lab.page
        self.root: Locator = lab.outputs.filter(has=named)

    def answer(self, *answers: str) -> None:
        """Fill the blanks in order, text or choice, and press check."""
        blanks = self.root.locator("fieldset.ndcg-choice, input[type=text]")
        for index, answer in enumerate(answers):
            blank = blanks.nth(index)
            if blank.evaluate("element => element.tagName") == "FIELDSET":
                blank.get_by_role("radio", name=answer, exact=True).click()
            else:
                blank.fill(answer)
        self.press("check")

    def press(self, button: str) -> None:
        self.root.get_by_role("button", name=button, exact=True).click()

    def expect_no_solution_yet(self) -> None:
        expect(self.root.get_by_role("button", name="solution", exact=True)).to_be_disabled()

    def expect_text(self, text: str) -> None:
        expect(self.root).to_contain_text(text)
