"""The plane of gains: its line is where the lists tie, its sides are where the evaluation says they lead."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from ndcg_lab import a, y
from ndcg_lab.lessons import plane
from ndcg_lab.lessons.course import cutoff, example, gain_reversal
from tests.lessons.reader import Reader

BOTH = example.both()


@pytest.mark.parametrize(("k", "threshold"), [(1, 1), (2, 1 + a), (3, 1 + 2 * a), (4, 1 + 2 * a - 2 * y(5))])
def test_the_line_turns_with_the_cutoff(k: int, threshold: object) -> None:
    found = plane.weights(BOTH.under(k=k))
    assert found is not None
    _, two, three = found
    assert -two / three == threshold


def inside(corners: list[list[float]], x: float, y: float) -> bool:
    """Whether a point lies within a convex polygon."""
    turns = [
        (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True)
    ]
    return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)


@pytest.mark.parametrize(("x", "y"), [("B C A D", "A D B C"), ("C A B D", "A D C B"), ("D B C A", "A C B D")])
@pytest.mark.parametrize("k", [1, 3, 4])
def test_each_side_belongs_to_the_list_that_leads_there(x: str, y: str, k: int) -> None:
    state = BOTH.with_lists(X=x, Y=y).under(k=k)
    sides = dict(zip(("X", "Y"), plane.of(state)["sides"], strict=True))
    for two, three in product((0.5, 2.25, 4.0), (0.75, 3.0, 7.0, 9.5)):
        leader = state.under(gain=f"0=0,2={Fraction(two)},3={Fraction(three)}").leader
        if leader is not None:
            assert inside(sides[leader], two, three)
            assert not inside(sides["Y" if leader == "X" else "X"], two, three)


def test_what_is_said_of_the_sides() -> None:
    assert plane.of(BOTH)["says"].startswith("Below the line, where g(3)/g(2) is less than about 2.26, X leads")
    assert plane.of(BOTH.with_lists(X="A B C D"))["says"] == "Y never leads."
    assert plane.of(BOTH.with_lists(Y="B C A D"))["says"] == "The lists tie under every gain."
    assert plane.of(BOTH.with_lists(Y="D C A B"))["says"] == "Y never leads."
    assert "two ideals" in plane.of(BOTH.under(ideal_population="returned-at-k"))["says"]
    assert "away from the origin" in plane.of(BOTH.under(gain="0=1,2=2,3=3"))["says"]


def test_r_squared_lies_beside_the_line_in_the_lens() -> None:
    lens = plane.of(BOTH.under(gain="power:2"))["lens"]
    x, y = lens["sides"]
    assert inside(x, 4, 9)
    assert not inside(y, 4, 9)
    assert min(abs(corner[1] - 9) for corner in y) < 0.2


def test_a_dragged_point_is_a_gain_table() -> None:
    reader = Reader(gain_reversal.panel())
    reader.set(gain="0=0,2=15/4,3=17/2")
    assert reader.view["plane"]["told"] == "g(2) = 15/4, g(3) = 17/2"
    assert reader.view["plane"]["here"] == [3.75, 8.5]
    assert reader.held["reached"] == []
    reader.set(gain="0=0,2=3,3=25/4")  # 25/12 is above 2 and below 1 + 2a
    assert 1 in reader.held["reached"]
    assert [line["name"] for line in Reader(cutoff.panel()).view["plane"]["lines"]] == [
        "k = 1",
        "k = 2",
        "k = 3",
        "k = 4",
    ]
    reader.set(gain="none")
    assert reader.view["plane"] is None
