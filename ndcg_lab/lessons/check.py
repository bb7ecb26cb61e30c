"""*Check yourself*: an exercise with its blanks, a hint, and then the solution."""

from collections.abc import Iterable
from typing import Any

import anywidget
import ipywidgets
import traitlets

from ndcg_lab.lessons.controls import Announcer, static
from ndcg_lab.lessons.display import bundle
from ndcg_lab.lessons.exercises import Blank, Exercise, Verdict
from ndcg_lab.lessons.progress import Progress, progress
from ndcg_lab.lessons.text import escape
from ndcg_lab.lessons.views import block

_SIGNS = {"right": "✔ ", "half": "◐ ", "wrong": "✘ ", "unread": "… "}


def verdict(judged: Verdict) -> str:
    """A verdict as HTML; its sign and words carry the meaning, not a colour."""
    return block(f"<strong>{_SIGNS[judged.status]}</strong>{escape(judged.message)}")


def reading(name: str, exercise: Exercise) -> str:
    """An exercise without a kernel: the question, its hint and its solution folded away."""
    wanted = "; ".join(
        f"{blank.label}: {' / '.join(blank.choices)}" if blank.choices else blank.label for blank in exercise.blanks
    )
    return (
        f"<div><div><strong>{name}.</strong> {exercise.question}</div><p>{wanted}.</p>"
        f"<details><summary>Hint</summary><p>{exercise.hint}</p></details>"
        f"<details><summary>Solution</summary><p>{exercise.solution}</p></details></div>"
    )


class Check:
    """An exercise, shown with its blanks; it can also be called with an answer.

    Args:
        name: such as "Exercise 1".
        exercise: what is asked.
        key: under which the answer is kept; by default the name.
        store: where it is kept.
    """

    def __init__(self, name: str, exercise: Exercise, *, key: str | None = None, store: Progress = progress) -> None:
        self.name, self.exercise = name, exercise
        self._key, self._store = key or name, store

    def __call__(self, *answers: object) -> Verdict:
        """Judge an answer given in code."""
        return self.exercise(*answers)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return bundle(self.view(), reading(self.name, self.exercise), repr(self))

    def __repr__(self) -> str:
        return f"{self.name}: {', '.join(blank.label for blank in self.exercise.blanks)}"

    def view(self) -> ipywidgets.Widget:
        """The exercise as a widget."""
        form = Form(self.exercise.blanks)
        told, helped, announcer = ipywidgets.HTML(), ipywidgets.HTML(), Announcer()
        judged: list[tuple[str, ...]] = []

        def judge(*_: object) -> None:
            result = self.exercise(*form.answers)
            judged[:] = [tuple(form.answers)]
            told.value, announcer.text = verdict(result), result.message
            if result.status != "unread":
                form.solvable = True
                self._store.record(self._key, " | ".join((result.status, *form.answers)))

        def changed(*_: object) -> None:
            if judged and judged[0] != tuple(form.answers):
                told.value = block("<em>The answer has changed since it was checked.</em>")
                judged.clear()

        def show(kind: str, text: str) -> None:
            helped.value = block(f"<strong>{kind}.</strong> {text}")
            form.solvable = True

        status, *kept = (self._store.of(self._key) or "").split(" | ")
        if status in _SIGNS and len(kept) == len(form.answers):  # answered before: offered again
            form.answers, form.solvable = kept, True
            judged.append(tuple(kept))
            told.value = verdict(self.exercise(*kept))

        form.observe(changed, names="answers")
        form.observe(judge, names="checked")
        form.observe(lambda _: show("Hint", self.exercise.hint), names="hinted")
        form.observe(lambda _: show("Solution", self.exercise.solution), names="solved")
        question = ipywidgets.HTML(
            f'<div style="line-height: 1.5; margin: 6px 0"><strong>{self.name}.</strong> {self.exercise.question}</div>'
        )
        return ipywidgets.VBox([question, form, told, helped, announcer])


_LONG = 24  # options longer than this stand one a line


class Form(anywidget.AnyWidget):
    """Blanks to fill in, lines of text or radio buttons, with the buttons check, hint and solution.

    `answers` holds what stands in each blank; `checked`, `hinted` and `solved` count the presses. Enter in a line of
    text counts as check.

    >>> form = Form([Blank("Bound p/q", example="5/8"), Blank("It holds", ("always", "never"))])
    >>> form.answers = ["2/3", "never"]
    >>> form
    Form(Bound p/q: '2/3', It holds: 'never')
    """

    _esm = static("radios.js", "form.js")
    _css = static("choice.css", "form.css")
    blanks: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    answers = traitlets.List(traitlets.Unicode()).tag(sync=True)
    checked = traitlets.Int(0).tag(sync=True)
    hinted = traitlets.Int(0).tag(sync=True)
    solved = traitlets.Int(0).tag(sync=True)
    solvable = traitlets.Bool(default_value=False).tag(sync=True)

    def __init__(self, blanks: Iterable[Blank]) -> None:
        described = [
            {
                "label": blank.label,
                "choices": list(blank.choices),
                "example": blank.example,
                "stacked": max(map(len, blank.choices), default=0) > _LONG,
            }
            for blank in blanks
        ]
        super().__init__(blanks=described, answers=[""] * len(described))

    def __repr__(self) -> str:
        pairs = zip(self.blanks, self.answers, strict=True)
        filled = ", ".join(f"{blank['label']}: {answer!r}" for blank, answer in pairs)
        return f"Form({filled})"
