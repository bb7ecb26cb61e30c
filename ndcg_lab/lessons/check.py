"""*Check yourself*: an exercise with its blanks, a hint, and then the solution."""

from typing import TYPE_CHECKING, Any

from ndcg_lab.lessons.display import bundle
from ndcg_lab.lessons.exercises import Exercise, Verdict
from ndcg_lab.lessons.progress import Progress, progress
from ndcg_lab.lessons.text import escape
from ndcg_lab.lessons.views import block

if TYPE_CHECKING:
    import ipywidgets

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
        f'<div class="ndcg-check ndcg-static"><div><strong>{name}.</strong> {exercise.question}</div><p>{wanted}.</p>'
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

    def respond(self, held: dict[str, Any]) -> dict[str, Any]:
        """What a page shows of what a reader has typed and pressed; JSON in, JSON out, nothing kept.

        Args:
            held: `answers`, as they stand; `checked`, the answers last checked, or null; `help`, "hint", "solution" or
                ""; `solvable`, whether the solution was unlocked before; `seed`, which variant is asked, 0 for none.

        The result holds `status` (of the verdict, or ""), `said` (its text), `solvable`, and HTML: `question`, `told`,
        `helped`.
        """
        status = said = told = ""
        exercise = self.exercise
        if held.get("seed") and exercise.fresh is not None:
            exercise = exercise.fresh(held["seed"])
        if held["checked"] is not None and held["checked"] != held["answers"]:
            told = block("<em>The answer has changed since it was checked.</em>")
        elif held["checked"] is not None:
            result = exercise(*held["answers"])
            status, said, told = result.status, result.message, verdict(result)
        helps = {"hint": ("Hint", exercise.hint), "solution": ("Solution", exercise.solution)}
        helped = ""
        if held["help"] in helps:
            kind, text = helps[held["help"]]
            helped = block(f"<strong>{kind}.</strong> {text}")
        solvable = held["solvable"] or helped != "" or status not in {"", "unread"}
        asked = f"<strong>{self.name}.</strong> {exercise.question}"
        question = f'<div style="line-height: 1.5; margin: 6px 0">{asked}</div>'
        shown = {"question": question, "told": told, "helped": helped}
        return {"status": status, "said": said, "solvable": solvable, **shown}

    def view(self) -> "ipywidgets.Widget":
        """The exercise as a widget: a shell around `respond` that keeps what was answered."""
        import ipywidgets

        from ndcg_lab.lessons.controls import Announcer
        from ndcg_lab.lessons.form import Form

        form = Form(self.exercise.blanks, renewable=self.exercise.fresh is not None)
        question, told, helped, announcer = (*(ipywidgets.HTML() for _ in range(3)), Announcer())
        held: dict[str, Any] = {
            "answers": list(form.answers),
            "checked": None,
            "help": "",
            "solvable": False,
            "seed": 0,
        }

        def show(**changes: object) -> dict[str, Any]:
            held.update(answers=list(form.answers), **changes)
            view = self.respond(held)
            held["solvable"] = form.solvable = view["solvable"]
            question.value, told.value, helped.value = view["question"], view["told"], view["helped"]
            return view

        def judge(*_: object) -> None:
            view = show(checked=list(form.answers))
            announcer.text = view["said"]
            if view["status"] != "unread":
                key = f"{self._key}, another one" if held["seed"] else self._key
                self._store.record(key, " | ".join((view["status"], *form.answers)))

        def renew(*_: object) -> None:
            form.answers = [""] * len(form.answers)
            show(checked=None, help="", solvable=False, seed=held["seed"] + 1)
            announcer.text = "Another one."

        status, *kept = (self._store.of(self._key) or "").split(" | ")
        if status in _SIGNS and len(kept) == len(form.answers):  # answered before: offered again
            form.answers = kept
            show(checked=kept, solvable=True)
        else:
            show()

        form.observe(lambda _: show(), names="answers")
        form.observe(judge, names="checked")
        form.observe(lambda _: show(help="hint"), names="hinted")
        form.observe(lambda _: show(help="solution"), names="solved")
        form.observe(renew, names="renewed")
        whole = ipywidgets.VBox([question, form, told, helped, announcer])
        whole.add_class("ndcg-check")
        return whole
