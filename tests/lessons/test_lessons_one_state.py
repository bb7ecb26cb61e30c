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
from tests.lessons.reader import Reader
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


def _expect_one_state(reader: Reader) -> None:
    panel, view = reader.panel, reader.view
    state = refusal = None
    try:
        state = reader.state
        for shown in panel.views[:1]:
            shown(state)
        panel.verdict(state)
    except NdcgLabError as error:
        refusal = error
    contract = "" if state is None else views.contract(state)
    assert view["refused"] == (refusal is not None)
    if refusal is not None:
        assert view["said"] == f"No numbers: {refusal}"
        assert (view["scores"], view["pinned"], view["more"]) == ("", "", contract)
        assert all(not block["adds"] for line in view["picture"]["lines"] for block in line["blocks"])
        assert "score" not in view["said"]  # documents are tied in a panel; they have no scores to quote
    else:
        assert state is not None
        assert view["more"].endswith(contract)
        assert view["said"] == panel.verdict(state)
        assert view["scores"] == views.scores(state)
    for line in view["picture"]["lines"]:
        order = Order.from_json(view["state"]["lists"][line["name"]])
        assert sorted(block["document"] for block in line["blocks"]) == sorted(order.documents)
        assert sorted(block["place"] for block in line["blocks"]) == list(range(1, len(order.documents) + 1))


@each_panel
def test_what_is_shown_is_one_state(name: str) -> None:
    panel = PANELS[name]()
    reader = Reader(panel)
    for preset in range(len(panel.presets))[:: cases(ci=len(panel.presets), long=1)]:
        for field, offer in panel.offers.items():
            for spelling in [*offer.choices.values(), "nothing of the kind"]:
                reader.go(preset)
                reader.set(**{field: spelling})
                _expect_one_state(reader)


def test_a_tie_that_is_refused_quotes_no_score_and_no_old_contract() -> None:
    reader = Reader(ties.panel())
    reader.go([preset.name for preset in reader.panel.presets].index("a tie across the cut"))
    reader.set(ties="error")
    assert "are tied at ranks 2 to 3" in reader.view["verdict"]
    assert "ties <strong>error</strong>" in reader.view["more"]
    reader.set(k="some")
    assert reader.view["more"] == ""


def test_an_order_has_no_score_to_quote() -> None:
    state = ties.panel().start.under(ties="error")
    with pytest.raises(NdcgLabError, match="documents 'A', 'B' are tied at ranks 1 to 2"):
        state.evaluations  # noqa: B018  # reading it evaluates


# ---------- targets ----------


@each_panel
def test_no_state_that_a_press_leads_to_reaches_a_target(name: str) -> None:
    reader = Reader(PANELS[name]())
    for index in range(len(reader.panel.presets)):
        reader.go(index)
        assert reader.held["reached"] == []


@each_panel
def test_the_start_meets_no_target(name: str) -> None:
    """It could be reached only by leaving it first."""
    panel = PANELS[name]()
    assert not any(target.reached(panel.start, panel.start) for target in panel.targets)


MOVES: dict[tuple[str, int], tuple[str, str]] = {
    ("start_here.panel", 0): ("X", "A B C D"),
    ("ties.panel", 0): ("T", "A B=C D"),
    ("ties.panel", 2): ("T", "A=D B C"),
}


@pytest.mark.parametrize(("name", "target"), MOVES)
def test_a_move_of_the_readers_own_reaches_it_for_good(name: str, target: int) -> None:
    reader = Reader(PANELS[name]())
    reader.order(*MOVES[name, target])
    assert target in reader.held["reached"]
    reader.reset()
    reader.go(len(reader.panel.presets) - 1)
    assert reader.view["targets"].count("☑ done") == len(reader.held["reached"])
    assert target in reader.held["reached"]


def test_every_lesson_with_a_panel_is_here() -> None:
    shown = {name for name, path in NOTEBOOKS.items() if "lesson.panel()" in path.read_text(encoding="utf-8")}
    assert len(shown) == len(COURSE)
    assert isinstance(PANELS["ties.panel"]().start, State)
