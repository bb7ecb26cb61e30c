"""*Predict*: a choice that the reader makes before the lesson, which the lesson keeps and comes back to."""

from collections.abc import Mapping
from typing import Any

import ipywidgets

from ndcg_lab.lessons.controls import Announcer, Choice
from ndcg_lab.lessons.display import bundle
from ndcg_lab.lessons.progress import Progress, progress
from ndcg_lab.lessons.views import block


class Predict:
    """A question with options. Shown, it takes the reader's choice; `come_back()` shows that choice again, answered.

    Args:
        name: under which the choice is kept, such as "lesson 01".
        question: HTML.
        options: each option, with what to say to a reader who chose it (HTML).
        answer: the right option.
        because: why (HTML).
        store: where the choice is kept.

    >>> ask = Predict("demo", "Which is larger?", {"a": "No.", "1": "Yes."}, "1", "a is 1/log2(3).", Progress())
    >>> ask.choose("a")
    >>> "You chose “a”. No." in ask.answered
    True
    """

    def __init__(
        self,
        name: str,
        question: str,
        options: Mapping[str, str],
        answer: str,
        because: str,
        store: Progress = progress,
    ) -> None:
        self.name, self.question, self.options, self.answer, self.because = name, question, options, answer, because
        self._key = f"{name}: predict"
        self.store = store

    @property
    def chosen(self) -> str | None:
        """The option chosen, or None."""
        kept = self.store.of(self._key)
        return kept if kept in self.options else None

    def choose(self, option: str) -> None:
        """Keep a choice."""
        self.store.record(self._key, option)

    @property
    def asked(self) -> str:
        """The question and its options, as HTML."""
        listed = "".join(f"<li>{option}</li>" for option in self.options)
        return (
            f"<p><strong>Predict.</strong> {self.question}</p><ul>{listed}</ul>"
            "<p>Choose before you read on; the lesson comes back to it.</p>"
        )

    @property
    def answered(self) -> str:
        """The answer, after what the reader chose, as HTML; it waits for a choice."""
        if self.chosen is None:
            return block("<em>The answer waits here for your choice: go back to the prediction and make one.</em>")
        return block(f"You chose “{self.chosen}”. {self.options[self.chosen]}") + self._answer

    @property
    def folded(self) -> str:
        """The answer as HTML for a page without a kernel: folded away, for there it can't wait for a choice."""
        return f'<details class="ndcg-reveal"><summary>The answer to the prediction</summary>{self._answer}</details>'

    @property
    def _answer(self) -> str:
        return block(f"<strong>{self.answer}.</strong> {self.because}")

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return bundle(self._view(), self.asked, repr(self))

    def _view(self) -> ipywidgets.Widget:
        labels = list(self.options)
        choice = Choice(
            "Your choice", labels, index=-1 if self.chosen is None else labels.index(self.chosen), stacked=True
        )
        kept = ipywidgets.HTML()
        announcer = Announcer()

        def told() -> str:
            return f"Kept: “{self.chosen}”. The lesson comes back to it." if self.chosen is not None else ""

        def choose(change: dict[str, Any]) -> None:
            if change["new"] >= 0:
                self.choose(labels[change["new"]])
                kept.value = announcer.text = told()

        kept.value = told()
        choice.observe(choose, names="index")
        return ipywidgets.VBox(
            [ipywidgets.HTML(block(f"<strong>Predict.</strong> {self.question}")), choice, kept, announcer]
        )

    def come_back(self) -> "ComeBack":
        """The question's answer, to be shown where the lesson has proved it."""
        return ComeBack(self)

    def __repr__(self) -> str:
        return f"Predict, {self.name}: {' / '.join(self.options)}"


class ComeBack:
    """A prediction, answered once the reader has chosen; it changes when the reader chooses anew."""

    def __init__(self, prediction: Predict) -> None:
        self._prediction = prediction

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return bundle(self.view(), self._prediction.folded, repr(self))

    def view(self) -> ipywidgets.HTML:
        """The answer as a widget, which follows the choice."""
        prediction = self._prediction
        shown = ipywidgets.HTML(prediction.answered)

        def refresh() -> None:
            shown.value = prediction.answered

        prediction.store.on_change(refresh)
        return shown

    def __repr__(self) -> str:
        return f"{self._prediction.name}: the answer to the prediction"
