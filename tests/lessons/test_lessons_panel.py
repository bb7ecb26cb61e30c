"""The panel holds widgets and shows what its views make of their state."""

from __future__ import annotations

import pytest

from ndcg_lab import Contract, Judgments
from ndcg_lab.lessons import views
from ndcg_lab.lessons.display import WIDGET_VIEW
from ndcg_lab.lessons.panel import FieldControl, Option, Panel
from ndcg_lab.lessons.state import Order, Preset, State, Target
from ndcg_lab.measure.contract import FIELDS, Field

START = State.of(Judgments({"A": 3, "B": 2, "C": 2, "D": 0}), Contract(gain="linear", k=3), X="B C A D", Y="A D B C")


def shown(panel: Panel) -> str:
    """All HTML that the panel shows now."""

    def walk(widget: object) -> str:
        children = getattr(widget, "children", ())
        return "".join(map(walk, children)) + str(getattr(widget, "value", "") or getattr(widget, "text", ""))

    return walk(panel.widget)


def button(panel: Panel, description: str) -> None:
    def find(widget: object) -> None:
        if getattr(widget, "description", "") == description and hasattr(widget, "click"):
            widget.click()
        for child in getattr(widget, "children", ()):
            find(child)

    find(panel.widget)


def test_controls_change_what_is_shown() -> None:
    panel = Panel(START)
    assert "X leads: X − Y = −1/2 + 2a &gt; 0" in shown(panel)
    panel.fields["gain"].value = "exponential"
    assert "Y leads: X − Y = −2 + 3a &lt; 0" in shown(panel)
    panel.fields["k"].value = 4
    assert panel.state == START.under(gain="exponential", k=4)
    panel.editors["X"].value = Order.parse("A B C D")
    assert panel.state.lists["X"].documents == ("A", "B", "C", "D")
    assert "X leads" in shown(panel)
    button(panel, "reset")
    assert panel.state == START


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_every_field_has_a_control(field: Field) -> None:
    settings: dict[str, list[object]] = {
        "gain": ["linear", "power:3", "0=0,1=1"],
        "k": [3, "all", 17],
        "round_to": [None, 4],
    }
    words: list[object] = [choice.spelling for choice in field.choices if ":" not in choice.spelling]
    control = FieldControl(field)
    for setting in settings.get(field.name, words):
        control.value = setting
        assert field.parse(control.value) == field.parse(setting)


def test_a_control_offers_a_lessons_own_settings() -> None:
    panel = Panel(START, controls={"gain": {"plain": "linear", "times seven": "0=0,2=14,3=21"}, "k": None})
    panel.fields["gain"].choice.index = 1
    assert panel.state.contract.gain == "0=0,2=14,3=21"
    assert "X leads: X − Y = −7/2 + 14a" in shown(panel)


def test_what_can_not_be_evaluated_shows_its_message_and_no_numbers() -> None:
    panel = Panel(START)
    panel.fields["gain"].value = "0=0,2=3"
    assert "No numbers: document &#x27;A&#x27;: the table" in shown(panel)
    assert "leads" not in shown(panel)
    panel.fields["gain"].value = "linear"
    assert "No numbers" not in shown(panel)
    assert "X leads" in shown(panel)


def test_a_view_that_fails_shows_its_message(caplog: pytest.LogCaptureFixture) -> None:
    def broken(state: State) -> str:
        raise RuntimeError("this view is broken" if state.contract.k == 2 else "")

    def sometimes(state: State) -> str:
        return broken(state) if state.contract.k == 2 else "fine"

    panel = Panel(START, views=(sometimes,))
    assert "fine" in shown(panel)
    panel.fields["k"].value = 2
    assert "No numbers: this view is broken" in shown(panel)
    assert "a view of the panel failed" in caplog.text


def test_presets_pins_and_targets() -> None:
    reversal = START.under(gain="exponential")
    panel = Panel(
        START,
        presets=[Preset("linear", START), Preset("exponential", reversal)],
        targets=[Target("Make Y lead.", lambda _, now: now.leader == "Y")],
    )
    assert "☐ Make Y lead." in shown(panel)
    button(panel, "pin as before")
    panel.presets.index = 1
    assert panel.state == reversal
    assert "☐ Make Y lead." in shown(panel)  # a preset reaches nothing
    assert "One setting changed since the pin: gain." in shown(panel)
    panel.fields["k"].value = 4
    assert panel.presets.index == -1
    assert "2 settings changed since the pin: gain, k." in shown(panel)
    assert "☐ Make Y lead." in shown(panel)  # nor does a change after it that leaves Y in the lead
    panel.presets.index = 0
    panel.fields["gain"].value = "exponential"
    assert "☑ done: Make Y lead." in shown(panel)
    panel.fields["gain"].value = "linear"
    assert "☑ done: Make Y lead." in shown(panel)  # it stays reached


def test_a_target_knows_where_the_reader_started() -> None:
    other = START.with_lists(X="A B C D")
    panel = Panel(
        START,
        presets=[Preset("one", START), Preset("other", other)],
        targets=[Target("One swap.", lambda start, now: now.lists["X"].one_swap_from(start.lists["X"]))],
    )
    panel.presets.index = 1
    panel.editors["X"].value = START.lists["X"]  # two swaps from where the reader started
    assert "☐ One swap." in shown(panel)
    panel.editors["X"].value = other.lists["X"].swapped("B", "A")
    assert "☑ done: One swap." in shown(panel)


def test_grades_and_options() -> None:
    panel = Panel(
        START,
        grades=True,
        options=[Option("shift", "Shift", {"none": "0", "one": "1"})],
        views=(lambda state: f"shift {state.options['shift']}, A {state.judgments['A']}",),
    )
    assert "shift 0, A 3" in shown(panel)
    panel.options["shift"].value = "1"
    panel.grades.value = "A=1, B=2, C=2, D=0"
    assert "shift 1, A 1" in shown(panel)
    assert panel.state.judgments.scale == START.judgments.scale
    panel.grades.value = "A is good"
    assert "No numbers: grades are written like A=3, B=2" in shown(panel)


def test_the_static_reading_has_the_same_values() -> None:
    panel = Panel(START, targets=[Target("Make Y lead.", lambda _, now: now.leader == "Y")])
    bundle = panel._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", WIDGET_VIEW}
    for view in (views.verdict, views.contributions, views.contract):
        assert view(START) in shown(panel)
        assert view(START) in bundle["text/html"]
    assert "0x" not in bundle["text/plain"] + bundle["text/html"]
    assert bundle["text/plain"].startswith("Panel: X = B C A D; Y = A D B C; gain='linear', k=3. X leads")


def test_editors_show_grades_and_the_cut() -> None:
    panel = Panel(START)
    assert panel.editors["X"].grades == {"A": "3", "B": "2", "C": "2", "D": "0"}
    assert panel.editors["X"].cut == 3
    panel.fields["k"].value = "all"
    assert panel.editors["X"].cut == 0
    assert repr(panel.editors["X"]) == "RankingEditor('X', 'B C A D')"
