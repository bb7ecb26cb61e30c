"""What a page of a lesson shows is a pure answer: of every panel, prediction and exercise, JSON in and JSON out."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module

import pytest

from ndcg_lab import a
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.progress import Progress

COURSE = [
    *("start_here", "gain_reversal", "what_cancels", "cutoff", "candidate_only", "zero_ideal", "ties"),
    *("metric_family", "complete_report", "many_tools"),
]
NEVER = ("matplotlib", "ipywidgets", "anywidget", "traitlets", "numpy", "pandas", "IPython")
USED = """
import sys
from importlib import import_module
for name in sys.argv[1:]:
    lesson = import_module(f"ndcg_lab.lessons.course.{name}")
    panel = lesson.panel()
    panel.respond(panel.held(panel.start), more=False)
    lesson.prediction.respond({"chosen": None})
    lesson.check(1).respond({"answers": ["1"], "checked": ["1"], "help": "", "solvable": False})
print(*{name.partition(".")[0] for name in sys.modules})
"""


def test_the_course_answers_without_jupyter_and_without_arrays() -> None:
    done = subprocess.run([sys.executable, "-c", USED, *COURSE], capture_output=True, text=True, check=True)
    assert not set(NEVER) & set(done.stdout.split())


@pytest.mark.parametrize("name", COURSE)
def test_what_is_asked_and_answered_is_json(name: str) -> None:
    panel = import_module(f"ndcg_lab.lessons.course.{name}").panel()
    for preset in panel.describe()["presets"]:
        view = panel.respond(preset["state"])
        assert json.loads(json.dumps(view)) == view
        assert panel.respond(view["state"]) == view  # what it says is set is what it answers to


def test_a_prediction_reveals_after_a_choice() -> None:
    predict = Predict("demo", "Which?", {"a": "No.", "1": "Yes."}, "1", "So it is.", Progress())
    assert "So it is" not in json.dumps(predict.respond({"chosen": None}))
    assert predict.respond({"chosen": "neither"})["chosen"] is None
    view = predict.respond({"chosen": "a"})
    assert "You chose “a”. No." in view["revealed"]
    assert "So it is." in view["revealed"]
    assert view["said"] == "Kept: “a”. The lesson comes back to it."


def test_an_exercise_answers_to_what_is_typed_and_pressed() -> None:
    exercise = ask.exact("What is rank 2 worth?", 0 + a, hint="Think of log2(3).", solution="It is a.")
    check = Check("Exercise 1", exercise, store=Progress())
    held = {"answers": [""], "checked": None, "help": "", "solvable": False}
    empty = {"status": "", "said": "", "told": "", "helped": "", "solvable": False}
    first = check.respond(held)
    assert "What is rank 2 worth?" in first.pop("question")
    assert first == empty
    right = check.respond({**held, "answers": ["1/log2(3)"], "checked": ["1/log2(3)"]})
    assert (right["status"], right["said"], right["solvable"]) == ("right", "Right: a.", True)
    changed = check.respond({**held, "answers": ["1/2"], "checked": ["1/log2(3)"]})
    assert "has changed since" in changed["told"]
    assert changed["status"] == ""
    assert check.respond({**held, "checked": [""]})["solvable"] is False
    hinted = check.respond({**held, "help": "hint"})
    assert "Think of" in hinted["helped"]
    assert hinted["solvable"] is True
