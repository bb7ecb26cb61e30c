"""*Predict*: a choice that the reader makes before the lesson, which the lesson keeps and comes back to."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ndcg_lab.lessons.display import bundle
from ndcg_lab.lessons.progress import Progress, progress
from ndcg_lab.lessons.views import block

if TYPE_CHECKING:
    import ipywidgets


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
            f'<div class="ndcg-predict ndcg-static"><p><strong>Predict.</strong> {self.question}</p><ul>{listed}</ul>'
            "<p>Choose before you read on; the lesson comes back to it.</p></div>"
        )

    @property
    def answered(self) -> str:
        """The answer, after what the reader chose, as HTML; it waits for a choice."""
        revealed: str = self.respond({"chosen": self.chosen})["revealed"]
        return revealed

    def respond(self, held: dict[str, Any]) -> dict[str, Any]:
        """What a page shows of a choice, `chosen` (an option, or null); JSON in, JSON out, nothing kept.

        The result holds `asked` and `revealed`, HTML: the question, and the answer that waits for a choice; `options`;
        and `said`, what the choice is told.
        """
        chosen = held["chosen"] if held["chosen"] in self.options else None
        if chosen is None:
            waits = "The answer waits here for your choice: go back to the prediction and make one."
            revealed, said = block(f"<em>{waits}</em>"), ""
        else:
            revealed = block(f"You chose “{chosen}”. {self.options[chosen]}") + self._answer
            said = f"Kept: “{chosen}”. The lesson comes back to it."
        return {
            "asked": block(f"<strong>Predict.</strong> {self.question}"),
            "options": list(self.options),
            "chosen": chosen,
            "said": said,
            "revealed": revealed,
        }

    @property
    def folded(self) -> str:
        """The answer as HTML for a page without a kernel: folded away, for there it can't wait for a choice."""
        summary = "<summary>The answer to the prediction</summary>"
        return f'<details class="ndcg-reveal ndcg-static">{summary}{self._answer}</details>'

    @property
    def _answer(self) -> str:
        return block(f"<strong>{self.answer}.</strong> {self.because}")

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return bundle(self._view(), self.asked, repr(self))

    def _view(self) -> "ipywidgets.Widget":
        import ipywidgets

        from ndcg_lab.lessons.controls import Announcer, Choice

        view = self.respond({"chosen": self.chosen})
        labels = view["options"]
        at = -1 if view["chosen"] is None else labels.index(view["chosen"])
        choice = Choice("Your choice", labels, index=at, stacked=True)
        kept, announcer = ipywidgets.HTML(view["said"]), Announcer()

        def choose(change: dict[str, Any]) -> None:
            if change["new"] >= 0:
                self.choose(labels[change["new"]])
                kept.value = announcer.text = self.respond({"chosen": self.chosen})["said"]

        choice.observe(choose, names="index")
        whole = ipywidgets.VBox([ipywidgets.HTML(view["asked"]), choice, kept, announcer])
        whole.add_class("ndcg-predict")
        return whole

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

    def view(self) -> "ipywidgets.HTML":
        """The answer as a widget, which follows the choice."""
        import ipywidgets

        prediction = self._prediction
        shown = ipywidgets.HTML(prediction.answered)
        shown.add_class("ndcg-reveal")

        def refresh() -> None:
            shown.value = prediction.answered

        prediction.store.on_change(refresh)
        return shown

    def __repr__(self) -> str:
        return f"{self._prediction.name}: the answer to the prediction"
