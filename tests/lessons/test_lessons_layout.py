"""The layout: areas are what documents add, exactly; lists share a scale; each kind of block is told apart."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from itertools import permutations
from typing import Literal

import pytest

from ndcg_lab import Contract, Judgments, a, evaluate, y
from ndcg_lab.lessons import layout
from ndcg_lab.lessons.state import Order, State

GRADES = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
BOTH = State.of(GRADES, Contract(gain="linear", k=3), X="B C A D", Y="A D B C")
TIED = State.of(GRADES, Contract(gain="linear", k=1, ties="average"), T="A=B C D")


def blocks(state: State, name: str) -> dict[str, layout.Block]:
    (line,) = [line for line in layout.of(state).lines if line.name == name]
    return {block.document: block for block in line.blocks}


def test_the_blocks_of_the_worked_example() -> None:
    x = blocks(BOTH, "X")
    assert [(b.document, b.discount, b.gain, b.adds, b.left) for b in x.values()] == [
        ("B", 1, 2, 2, 0),
        ("C", a, 2, 2 * a, 1),
        ("A", Fraction(1, 2), 3, Fraction(3, 2), 1 + a),
        ("D", y(5), 0, 0, Fraction(3, 2) + a),
    ]
    assert [b.kind for b in x.values()] == ["counted", "counted", "counted", "behind"]
    assert x["B"].told == "B, grade 2, rank 1 of X, adds 2"
    assert x["D"].told == "D, grade 0, rank 4 of X, behind the cutoff"


@pytest.mark.parametrize("gain", ["linear", "exponential", "0=1,2=5,3=7"])
@pytest.mark.parametrize("discount", ["log2", "log:10", "jarvelin", "reciprocal", "none"])
@pytest.mark.parametrize("k", [1, 3, 4, "all"])
def test_areas_are_what_documents_add(gain: str, discount: str, k: int | Literal["all"]) -> None:
    contract = Contract(gain=gain, k=k, discount=discount, ties="average")
    for order in [*permutations("ABCD"), ("A=B=C", "D"), ("A", "D=B=C"), ("A=B=C=D",)]:
        state = State.of(GRADES, contract, L=" ".join(order))
        found = evaluate(contract, state.lists["L"].ranking(), GRADES)
        (line,) = layout.of(state).lines
        for drawn, whole in ((line.blocks, found.dcg), (line.outlines, found.idcg)):
            counted = [block for block in drawn if block.kind in {"counted", "ideal"}]
            assert sum((b.discount * b.gain for b in counted), 0 * a) == whole
            assert sum((b.adds for b in counted if b.adds is not None), 0 * a) == whole


def test_tied_blocks_share_the_width_of_their_bracket() -> None:
    found = blocks(TIED, "T")
    assert found["A"].discount == found["B"].discount == Fraction(1, 2)
    assert found["A"].adds == Fraction(3, 2)
    assert found["B"].adds == 1
    assert found["B"].left == Fraction(1, 2)
    assert found["C"].left == 1 + a
    (bracket,) = layout.of(TIED).lines[0].brackets
    assert bracket.left == 0
    assert bracket.width == 1
    assert bracket.label == "1–2, cut at 1"
    assert found["A"].told == "A, grade 3, tied at ranks 1 to 2 of T, adds 3/2"


def test_what_was_not_judged_is_negative_or_removed() -> None:
    judged = Judgments({"A": 2, "B": -1, "Z": 0})
    state = State.of(judged, Contract(gain="linear", k=3, negative="allow", unjudged="zero"), L="U B A Z")
    found = blocks(state, "L")
    assert {d: b.pattern for d, b in found.items()} == {"U": "unjudged", "B": "negative", "A": "plain", "Z": "flat"}
    assert found["B"].adds == -a
    removed = blocks(state.under(unjudged="remove"), "L")
    assert removed["U"].kind == "removed"
    assert removed["B"].adds == -1
    assert layout.of(state).heights == (2.0, 1.0)


def test_all_lists_share_one_scale() -> None:
    drawn = layout.of(BOTH.with_lists(Y="A D | B C")).to_json()
    heights = {b["document"]: b["height"] for line in drawn["lines"] for b in line["blocks"]}
    assert heights == {"A": 1.0, "B": pytest.approx(2 / 3), "C": pytest.approx(2 / 3), "D": 0.0}
    x, z = drawn["lines"]
    assert x["blocks"][0]["width"] == z["blocks"][0]["width"]
    assert [out["document"] for out in z["rest"]] == ["B", "C"]
    assert drawn["edges"][-1] == 1
    assert drawn["widths"] == ["1", "a", "1/2", "1/log2(5)"]


def test_lists_without_numbers_stand_there_all_the_same() -> None:
    drawn = layout.bare({"X": Order.parse("B=C | D")}, {"B": "2"}).to_json()
    (line,) = drawn["lines"]
    assert [(b["document"], b["adds"], b["height"]) for b in line["blocks"]] == [("B", "", 0), ("C", "", 0)]
    assert line["brackets"][0]["label"] == "1–2"
    assert line["rest"][0]["told"] == "D, not judged, not returned"


def test_an_empty_list_has_its_ideal_behind_it() -> None:
    line = layout.of(BOTH.with_lists(X="| A B C D")).lines[0]
    assert line.blocks == ()
    assert len(line.outlines) == 3


def test_it_needs_the_core_alone() -> None:
    loaded = "import sys, ndcg_lab.lessons.layout; print(*{m.partition(chr(46))[0] for m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert not {"matplotlib", "ipywidgets", "anywidget", "numpy", "pandas", "IPython", "pydantic"} & set(
        done.stdout.split()
    )
