"""A panel answers what a reader sets: JSON in, JSON out; its widget is a shell around that."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from ndcg_lab import Contract, Judgments
from ndcg_lab.lessons import views
from ndcg_lab.lessons.display import WIDGET_VIEW
from ndcg_lab.lessons.field_control import FieldControl
from ndcg_lab.lessons.panel import Option, Panel
from ndcg_lab.lessons.state import Preset, State, Target
from ndcg_lab.measure.contract import FIELDS, Field
from tests.lessons.reader import Reader

START = State.of(Judgments({"A": 3, "B": 2, "C": 2, "D": 0}), Contract(gain="linear", k=3), X="B C A D", Y="A D B C")


def test_controls_change_what_is_shown() -> None:
    reader = Reader(Panel(START))
    assert "X leads: X − Y = −1/2 + 2a &gt; 0" in reader.shown
    assert "NDCG (7/2 + 2a)/(4 + 2a) ≈ 0.90498" in reader.view["scores"]
    reader.set(gain="exponential")
    assert "Y leads: X − Y = −2 + 3a &lt; 0" in reader.shown
    reader.set(k=4)
    assert reader.state == START.under(gain="exponential", k=4)
    reader.order("X", "A B C D")
    assert reader.state.lists["X"].documents == ("A", "B", "C", "D")
    assert "X leads" in reader.shown
    reader.reset()
    assert reader.state == START


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_every_field_has_a_control(field: Field) -> None:
    settings: dict[str, list[object]] = {
        "gain": ["linear", "power:3", "0=0,1=1"],
        "k": [3, "all", 17],
        "round_to": [None, 4],
    }
    words: list[object] = [choice.spelling for choice in field.choices if ":" not in choice.spelling]
    control = FieldControl(field)
    panel = Panel(START, controls=[field.name])
    for setting in settings.get(field.name, words):
        control.value = setting
        assert field.parse(control.value) == field.parse(setting)
        held = panel.held(START.under(**{field.name: setting}))
        assert getattr(panel.read(held).contract, field.name) == field.parse(setting)


def test_a_control_offers_a_lessons_own_settings() -> None:
    panel = Panel(START, controls={"gain": {"plain": "linear", "times seven": "0=0,2=14,3=21"}, "k": None})
    (gain, k) = panel.describe()["controls"]
    assert gain["choices"] == [["plain", "linear"], ["times seven", "0=0,2=14,3=21"]]
    assert gain["about"].startswith("gain, one of: linear")
    assert k["label"] == "k"
    reader = Reader(panel)
    reader.set(gain="0=0,2=14,3=21")
    assert reader.state.contract.gain == "0=0,2=14,3=21"
    assert "X leads: X − Y = −7/2 + 14a" in reader.shown


def test_what_can_not_be_evaluated_shows_its_message_and_no_numbers() -> None:
    reader = Reader(Panel(START))
    reader.set(gain="0=0,2=3")
    assert reader.view["refused"]
    assert "No numbers: document &#x27;A&#x27;: the table" in reader.view["verdict"]
    assert "leads" not in reader.shown
    (x, _) = reader.view["picture"]["lines"]
    assert [(block["document"], block["adds"]) for block in x["blocks"]] == [("B", ""), ("C", ""), ("A", ""), ("D", "")]
    reader.set(gain="linear")
    assert not reader.view["refused"]
    assert "No numbers" not in reader.shown
    assert "X leads" in reader.shown


def test_a_view_that_fails_shows_its_message(caplog: pytest.LogCaptureFixture) -> None:
    def sometimes(state: State) -> str:
        if state.contract.k == 2:
            raise RuntimeError("this view is broken")
        return "fine"

    reader = Reader(Panel(START, views=(sometimes,)))
    assert "fine" in reader.shown
    reader.set(k=2)
    assert "No numbers: this view is broken" in reader.shown
    assert "a view of the panel failed" in caplog.text


def test_what_is_not_a_state_of_the_panel_is_refused() -> None:
    panel = Panel(START)
    changes: tuple[dict[str, object], ...] = (
        {"lists": {"Z": {"groups": [["A"]], "rest": []}}},
        {"lists": {}},
        {"settings": {"k": "none"}},
    )
    for change in changes:
        view = panel.respond({**panel.held(START), **change})
        assert view["refused"]
        json.dumps(view)


def test_presets_pins_and_targets() -> None:
    reversal = START.under(gain="exponential")
    panel = Panel(
        START,
        presets=[Preset("linear", START), Preset("exponential", reversal)],
        targets=[Target("Make Y lead.", lambda _, now: now.leader == "Y")],
    )
    reader = Reader(panel)
    assert "☐ Make Y lead." in reader.shown
    reader.pin()
    reader.go(1)
    assert reader.state == reversal
    assert reader.view["preset"] == 1
    assert "☐ Make Y lead." in reader.shown  # a preset reaches nothing
    assert "One setting changed since the pin: gain." in reader.shown
    reader.set(k=4)
    assert reader.view["preset"] == -1
    assert "2 settings changed since the pin: gain, k." in reader.shown
    assert "☐ Make Y lead." in reader.shown  # nor does a change after it that leaves Y in the lead
    reader.go(0)
    reader.set(gain="exponential")
    assert "☑ done: Make Y lead." in reader.shown
    reader.set(gain="linear")
    assert "☑ done: Make Y lead." in reader.shown  # it stays reached


def test_a_target_knows_where_the_reader_started() -> None:
    other = START.with_lists(X="A B C D")
    panel = Panel(
        START,
        presets=[Preset("one", START), Preset("other", other)],
        targets=[Target("One swap.", lambda start, now: now.lists["X"].one_swap_from(start.lists["X"]))],
    )
    reader = Reader(panel)
    reader.go(1)
    reader.order("X", "B C A D")  # two swaps from where the reader started
    assert "☐ One swap." in reader.shown
    reader.order("X", "B A C D")
    assert "☑ done: One swap." in reader.shown


def test_grades_and_options() -> None:
    panel = Panel(
        START,
        grades=True,
        options=[Option("shift", "Shift", {"none": "0", "one": "1"})],
        views=(lambda state: f"shift {state.options['shift']}, A {state.judgments['A']}",),
    )
    reader = Reader(panel)
    assert "shift 0, A 3" in reader.shown
    reader.choose(shift="1")
    reader.ask(grades="A=1, B=2, C=2, D=0")
    assert "shift 1, A 1" in reader.shown
    assert reader.state.judgments.scale == START.judgments.scale
    reader.ask(grades="A is good")
    assert "No numbers: grades are written like A=3, B=2" in reader.shown


def test_the_static_reading_has_the_same_values() -> None:
    panel = Panel(START, targets=[Target("Make Y lead.", lambda _, now: now.leader == "Y")])
    bundle = panel._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", WIDGET_VIEW}
    for view in (views.verdict, views.scores, views.contributions, views.contract):
        assert view(START) in Reader(panel).shown
        assert view(START) in bundle["text/html"]
    assert bundle["text/html"].startswith('<div class="ndcg-static">')
    assert "0x" not in bundle["text/plain"]
    assert bundle["text/plain"].startswith("Panel: X = B C A D; Y = A D B C; gain='linear', k=3. X leads")


def test_the_widget_hands_on_what_is_asked_and_what_is_answered() -> None:
    panel = Panel(START)
    widget = panel.widget
    assert widget.view["number"] == 0
    assert widget.view["more"] == ""  # nobody sees it yet
    asked = {**panel.held(START), "settings": {"gain": "exponential", "k": "3"}}
    widget.asked = {"number": 1, "state": asked, "more": True}
    assert widget.view == {**panel.respond(asked), "number": 1}
    assert "Contributions of X and Y" in widget.view["more"]


def test_an_answer_needs_the_core_alone() -> None:
    used = (
        "import sys\n"
        "from ndcg_lab import Contract, Judgments\n"
        "from ndcg_lab.lessons.panel import Panel\n"
        "from ndcg_lab.lessons.state import State\n"
        "start = State.of(Judgments({'A': 3, 'B': 2}), Contract(gain='linear', k=2), X='B A', Y='A B')\n"
        "panel = Panel(start)\n"
        "assert 'Y leads' in panel.respond(panel.held(start))['said']\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", used], capture_output=True, text=True, check=True)
    others = {"matplotlib", "ipywidgets", "anywidget", "traitlets", "numpy", "pandas", "IPython", "pydantic"}
    assert not others & set(done.stdout.split())
