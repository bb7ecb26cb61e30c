"""What the lessons say, as plain text: their cells, and what their exercises, predictions and targets say."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, Any

from ndcg_lab.lessons.check import Check
from tests.lesson_answers import NOTEBOOKS, module_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ndcg_lab.lessons.exercises import Exercise

ASKED = re.compile(r"^lesson\.(check\(\d+\)|hunt\(\d+\)|last|prediction(\.come_back\(\))?)$")


def cells(lesson: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(NOTEBOOKS[lesson].read_text(encoding="utf-8"))["cells"]
    return found


def stripped(text: str) -> str:
    """HTML or Markdown as it is read."""
    text = re.sub(r"<sup>(\d+)</sup>", r"^\1", text)
    return html.unescape(re.sub(r"</?[a-z][^>]*>|[*`]", "", text))


def read(lesson: str) -> str:
    """The lesson's own cells, without the references."""
    texts = ["".join(cell["source"]) for cell in cells(lesson) if cell["cell_type"] == "markdown"]
    return stripped(re.sub(r"\n## References\n.*?(?=\n## |\Z)", "", "\n\n".join(texts), flags=re.DOTALL))


def exercises(lesson: str) -> list[Exercise]:
    module = module_of(lesson)
    if lesson.startswith("11"):
        checks = [*(module.hunt(number) for number in range(1, len(module.cases) + 1)), module.last]
        return [check.exercise for check in checks if isinstance(check, Check)]
    return list(getattr(module, "exercises", ()))


def asked(lesson: str) -> Iterator[str]:
    """Questions, hints and solutions of the exercises; the prediction's question, options and answer; targets."""
    module = module_of(lesson)
    for exercise in exercises(lesson):
        yield from map(stripped, (exercise.question, exercise.hint, exercise.solution))
    if prediction := getattr(module, "prediction", None):
        said = (prediction.question, prediction.answer, prediction.because)
        yield from map(stripped, (*said, *prediction.options, *prediction.options.values()))
    for name in ("panel", "second_panel"):
        if hasattr(module, name):
            yield from (stripped(target.say) for target in getattr(module, name)().targets)


def computed(lesson: str) -> str:
    """What the lesson's cells printed when they ran, without what its exercises and predictions say."""
    texts = []
    for cell in cells(lesson):
        if cell["cell_type"] == "code" and not ASKED.match("".join(cell["source"]).strip()):
            for output in cell["outputs"]:
                data = output.get("data", {})
                texts.append("".join(data.get("text/html") or data.get("text/plain") or output.get("text", "")))
    return html.unescape(re.sub(r"<[^>]+>", " ", re.sub("</?sub>", "", "\n".join(texts))))


def sentences(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[.?!:])\s+|\n+", text) if part.strip()]
