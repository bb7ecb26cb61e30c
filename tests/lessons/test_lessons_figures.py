"""Figures: the same bytes each time, with a name, a caption and their data."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from ndcg_lab import Contract, Judgments, a, evaluate
from ndcg_lab.lessons import figures
from ndcg_lab.lessons.state import Order, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from ndcg_lab.lessons.figures import Figure

GRADES = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
STATE = State.of(GRADES, Contract(gain="linear", k=3), X="B C A D", Y="A D B C")

ALL: dict[str, Callable[[], Figure]] = {
    "discounts": lambda: figures.discounts(("log2", "reciprocal"), 7),
    "over_k": lambda: figures.over_k(STATE, (1, 2, 3, 4)),
    "gain_plane": lambda: figures.gain_plane({"linear": (2, 3), "exponential": (3, 7)}),
    "coverage": lambda: figures.coverage({"Y": (4 / (3 + 2 * a), (3 + 2 * a) / (4 + 2 * a))}),
    "picture": lambda: figures.picture(STATE),
    "tie_outcomes": lambda: figures.tie_outcomes(
        evaluate(Contract(gain="linear", k=1, ties="average"), Order.parse("A=B C D").ranking(), GRADES), "T"
    ),
}


@pytest.mark.parametrize("name", ALL)
def test_the_same_bytes_twice(name: str) -> None:
    one, other = ALL[name](), ALL[name]()
    assert one.svg == other.svg
    assert one.png == other.png
    assert one.html == other.html


@pytest.mark.parametrize("name", ALL)
def test_name_caption_and_data(name: str) -> None:
    figure = ALL[name]()
    html = figure.html
    assert re.search(r'<img src="data:image/png;base64,[^"]+" alt="[^"]{20,}"', html)
    assert re.search(r"<figcaption>.{20,}</figcaption>", html)
    assert "<summary>The figure's data</summary><table>" in html
    assert '<th scope="col">' in html
    assert "dc:date" not in figure.svg
    assert "<text" in figure.svg  # text as text, not as outlines
    assert figure._repr_mimebundle_()["text/plain"] == f"Figure: {figure.name}"


@pytest.mark.parametrize("name", ALL)
def test_nothing_reaches_over_the_edge(name: str) -> None:
    canvas = ALL[name]().canvas
    width, height = canvas.get_size_inches()
    box = canvas.get_tightbbox()
    assert 0 < box.x0 < box.x1 < width
    assert 0 < box.y0 < box.y1 < height


def test_the_data_are_exact() -> None:
    assert '<th scope="row">2</th><td>(2 + 2a)/(3 + 2a) ≈ 0.76536</td><td>3/(3 + 2a) ≈ 0.70392</td><td>X</td>' in (
        figures.over_k(STATE, (1, 2, 3, 4)).table
    )
    assert "<td>3/2</td><td>X</td>" in ALL["gain_plane"]().table
    assert "<td>7/3</td><td>Y</td>" in ALL["gain_plane"]().table
    assert '<th scope="row">3</th><td>1/2 ≈ 0.5</td>' not in ALL["discounts"]().table
    assert '<th scope="row">1</th><td>1</td><td>1/2</td>' in ALL["tie_outcomes"]().table
    assert "<td>1</td><td>B</td><td>1</td><td>2</td><td>2</td>" in ALL["picture"]().table
    assert "<td>3</td><td>ideal: C</td><td>1/2</td><td>2</td><td>1</td>" in ALL["picture"]().table
    assert f'<th scope="row">2/3</th><td>0.66667</td><td>{Fraction(1, 2)}</td>' in ALL["tie_outcomes"]().table
