"""*Check yourself*: an exercise with its blanks, a hint, and then the solution."""

from typing import Any

import ipywidgets

from ndcg_lab.lessons.controls import Announcer, Choice
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
        fields = [_Field(blank) for blank in self.exercise.blanks]
        check = ipywidgets.Button(description="check")
        hint = ipywidgets.Button(description="hint")
        solution = ipywidgets.Button(description="solution", disabled=True)
        told, helped, announcer = ipywidgets.HTML(), ipywidgets.HTML(), Announcer()
        judged: list[tuple[str, ...]] = []

        def answers() -> tuple[str, ...]:
            return tuple(field.value for field in fields)

        def judge(*_: object) -> None:
            result = self.exercise(*answers())
            judged[:] = [answers()]
            told.value, announcer.text = verdict(result), result.message
            solution.disabled = False
            if result.status != "unread":
                self._store.record(self._key, " | ".join((result.status, *answers())))

        def changed(*_: object) -> None:
            if judged and judged[0] != answers():
                told.value = block("<em>The answer has changed since it was checked.</em>")
                judged.clear()

        def show(kind: str, text: str) -> None:
            helped.value = block(f"<strong>{kind}.</strong> {text}")
            solution.disabled = False

        check.on_click(judge)
        hint.on_click(lambda _: show("Hint", self.exercise.hint))
        solution.on_click(lambda _: show("Solution", self.exercise.solution))
        for field in fields:
            field.watch(changed, judge)
        question = ipywidgets.HTML(
            f'<div style="line-height: 1.5; margin: 6px 0"><strong>{self.name}.</strong> {self.exercise.question}</div>'
        )
        buttons = ipywidgets.HBox([check, hint, solution], layout=_WRAPPED)
        return ipywidgets.VBox([question, *(field.widget for field in fields), buttons, told, helped, announcer])


_WRAPPED = {"flex_flow": "row wrap"}


class _Field:
    """A blank as a widget: a line of text, or radio buttons."""

    def __init__(self, blank: Blank) -> None:
        self.widget: ipywidgets.Widget
        if blank.choices:
            self.widget = Choice(blank.label, blank.choices, stacked=max(map(len, blank.choices)) > _LONG)
        else:
            self.widget = ipywidgets.Text(
                description=blank.label, placeholder=f"such as {blank.example}" if blank.example else ""
            )
            self.widget.style.description_width = "initial"
            self.widget.layout.width = "min(100%, 32em)"

    @property
    def value(self) -> str:
        return (self.widget.chosen or "") if isinstance(self.widget, Choice) else str(self.widget.value)

    def watch(self, changed: Any, entered: Any) -> None:
        """Call `changed` at each change, and `entered` where Enter is pressed."""
        self.widget.observe(changed, names="index" if isinstance(self.widget, Choice) else "value")

        def message(_widget: object, content: object, _buffers: object) -> None:
            if isinstance(content, dict) and content.get("event") == "submit":
                entered()

        self.widget.on_msg(message)


_LONG = 24  # options longer than this stand one a line
