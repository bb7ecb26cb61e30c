"""Every panel of every lesson shows one state: after a refusal too, contract, targets and numbers belong together."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.lessons import views
from ndcg_lab.lessons.course import ties
from ndcg_lab.lessons.state import Order, State
from tests.lesson_answers import NOTEBOOKS
from tests.support import cases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ndcg_lab.lessons.panel import Panel

COURSE = [
    *("start_here", "gain_reversal", "what_cancels", "cutoff", "candidate_only", "zero_ideal", "ties"),
    *("metric_family", "complete_report", "many_tools"),
]


def _panels() -> Iterator[tuple[str, Callable[[], Panel]]]:
    for name in COURSE:
        module = import_module(f"ndcg_lab.lessons.course.{name}")
        for kind in ("panel", "second_panel"):
            if hasattr(module, kind):
                yield f"{name}.{kind}", getattr(module, kind)


PANELS = dict(_panels())
each_panel = pytest.mark.parametrize("name", PANELS)


def _expect_one_state(panel: Panel) -> None:
    state = refusal = None
    try:
        state = panel.state
        for view in panel._views[:1]:
            view(state)
        views.verdict_text(state)
    except NdcgLabError as error:
        refusal = error
    assert panel._contract_shown.value == ("" if state is None else views.contract(state))
    if refusal is not None:
        assert "No numbers" in panel._message.value
        assert [place.value for place in panel._shown] == [""] * len(panel._shown)
        assert panel._pin_shown.value == ""
    else:
        assert panel._message.value == ""
        assert panel._shown[0].value != ""
    assert "score" not in panel._message.value  # documents are tied in a panel; they have no scores to quote


@each_panel
def test_what_is_shown_is_one_state(name: str) -> None:
    panel = PANELS[name]()
    for preset in panel._presets[:: cases(ci=len(panel._presets), long=1)]:
        for field, control in panel.fields.items():
            for index in range(len(control.choice.labels)):
                panel._set(preset.state)
                panel.fields[field].choice.index = index
                _expect_one_state(panel)


def test_a_tie_that_is_refused_quotes_no_score_and_no_old_contract() -> None:
    panel = ties.panel()
    panel.presets.index = [preset.name for preset in panel._presets].index("a tie across the cut")
    panel.fields["ties"].value = "error"
    assert "are tied at ranks 2 to 3" in panel._message.value
    assert "ties <strong>error</strong>" in panel._contract_shown.value
    panel.fields["k"].choice.index = len(panel.fields["k"].choice.labels) - 1
    panel.fields["k"].text.value = "some"
    assert panel._contract_shown.value == ""


def test_an_order_has_no_score_to_quote() -> None:
    state = ties.panel().start.under(ties="error")
    with pytest.raises(NdcgLabError, match="documents 'A', 'B' are tied at ranks 1 to 2"):
        state.evaluations  # noqa: B018  # reading it evaluates


# ---------- targets ----------


@each_panel
def test_no_state_that_a_press_leads_to_reaches_a_target(name: str) -> None:
    panel = PANELS[name]()
    for index in range(len(panel._presets)):
        panel.presets.index = index
        assert "☑" not in panel._targets_shown.value


@each_panel
def test_the_start_meets_no_target(name: str) -> None:
    """It could be reached only by leaving it first."""
    assert PANELS[name]()._met == set()


MOVES: dict[tuple[str, int], Callable[[Panel], None]] = {
    ("start_here.panel", 0): lambda panel: _order(panel, "A B C D"),
    ("ties.panel", 0): lambda panel: _order(panel, "A B=C D"),
    ("ties.panel", 2): lambda panel: _order(panel, "A=D B C"),
}


def _order(panel: Panel, order: str) -> None:
    next(iter(panel.editors.values())).value = Order.parse(order)


@pytest.mark.parametrize(("name", "target"), MOVES)
def test_a_move_of_the_readers_own_reaches_it_for_good(name: str, target: int) -> None:
    panel = PANELS[name]()
    MOVES[name, target](panel)
    assert target in panel._reached
    panel._set(panel.start)
    panel.presets.index = len(panel._presets) - 1
    assert panel._targets_shown.value.count("☑ done") == len(panel._reached)
    assert target in panel._reached


def test_every_lesson_with_a_panel_is_here() -> None:
    shown = {name for name, path in NOTEBOOKS.items() if "lesson.panel()" in path.read_text(encoding="utf-8")}
    assert len(shown) == len(COURSE)
    assert isinstance(PANELS["ties.panel"]().state, State)
