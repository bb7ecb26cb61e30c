"""The form of an exercise: its blanks, and the buttons check, hint and solution."""

from collections.abc import Iterable
from typing import Any

import anywidget
import traitlets

from ndcg_lab.lessons.controls import static
from ndcg_lab.lessons.exercises import Blank

_LONG = 24  # options longer than this stand one a line


class Form(anywidget.AnyWidget):
    """Blanks to fill in, lines of text or radio buttons, with the buttons check, hint and solution.

    `answers` holds what stands in each blank; `checked`, `hinted`, `solved` and `renewed` count the presses. Enter in
    a line of text counts as check.

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
    renewable = traitlets.Bool(default_value=False).tag(sync=True)
    renewed = traitlets.Int(0).tag(sync=True)

    def __init__(self, blanks: Iterable[Blank], *, renewable: bool = False) -> None:
        described = [
            {
                "label": blank.label,
                "choices": list(blank.choices),
                "example": blank.example,
                "stacked": max(map(len, blank.choices), default=0) > _LONG,
            }
            for blank in blanks
        ]
        super().__init__(blanks=described, answers=[""] * len(described), renewable=renewable)

    def __repr__(self) -> str:
        pairs = zip(self.blanks, self.answers, strict=True)
        filled = ", ".join(f"{blank['label']}: {answer!r}" for blank, answer in pairs)
        return f"Form({filled})"
