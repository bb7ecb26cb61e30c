"""The plane of two gains, g(2) and g(3): where one list leads and where the other, and the line between.

DCG is linear in the gains, so over one ideal the lists tie on a straight line of the plane. The point of the gain in
use is there to be dragged; the line turns as the cutoff and the lists change.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons.state import State
from ndcg_lab.lessons.text import decimal, shown

WIDTH, HEIGHT = 5, 10
"""The largest g(2) and g(3) drawn."""
STEP = Fraction(1, 4)
"""By how much the point moves."""
NAMED = {"linear": (2, 3), "r²": (4, 9), "2ʳ − 1": (3, 7)}
_LENS = (Fraction(39, 10), Fraction(41, 10), Fraction(44, 5), Fraction(46, 5))  # around r²: from, to; from, to

Point = tuple[float, float]


def weights(state: State) -> tuple[Exact, Exact, Exact] | None:
    """What g(0), g(2) and g(3) are multiplied by in DCG of the first list minus the second's.

    None where the lists are not measured by one ideal: then no straight line divides the plane.

    >>> from ndcg_lab.lessons.course import example
    >>> [str(weight) for weight in weights(example.both())]
    ['-a', '1/2 + a', '-1/2']
    """
    found = []
    for unit in ("0=1,2=0,3=0", "0=0,2=1,3=0", "0=0,2=0,3=1"):
        first, second = state.under(gain=unit).evaluations.values()
        found.append(first.dcg - second.dcg)
    if state.contract.ideal_population != "judged" or state.contract.ideal_cutoff == "returned":
        return None
    none, two, three = found
    return none, two, three


def of(state: State, cutoffs: Sequence[int] = ()) -> dict[str, Any]:
    """What is to be drawn of a state, as JSON: the point, the two sides, the line, a lens beside r².

    Args:
        state: two lists of documents with grades 0, 2 and 3.
        cutoffs: further cutoffs whose lines are drawn thin.
    """
    rule, (first, second) = state.contract.gain_rule, state.lists
    here = Fraction(rule(2)), Fraction(rule(3))
    drawn: dict[str, Any] = {
        "width": WIDTH,
        "height": HEIGHT,
        "step": STEP.denominator,
        "here": [min(float(here[0]), WIDTH), min(float(here[1]), HEIGHT)],
        "told": f"g(2) = {here[0]}, g(3) = {here[1]}",
        "named": [{"name": name, "at": list(at)} for name, at in NAMED.items()],
        "names": [first, second],
        "sides": [],
        "lines": [],
        "lens": None,
    }
    found = weights(state)
    if found is None:
        drawn["says"] = "The lists are measured by two ideals here, so no straight line divides the plane."
        return drawn
    shift = float(found[0]) * float(rule(0))
    slope = (float(found[1]), float(found[2]))
    whole = (0, WIDTH, 0, HEIGHT)
    drawn["says"] = _said(found, rule(0) == 0, first, second)
    if slope == (0.0, 0.0):
        return drawn
    drawn["sides"] = [_side(whole, *slope, shift), _side(whole, -slope[0], -slope[1], -shift)]
    drawn["lens"] = {
        "from": [float(_LENS[0]), float(_LENS[2])],
        "to": [float(_LENS[1]), float(_LENS[3])],
        "sides": [_side(_LENS, *slope, shift), _side(_LENS, -slope[0], -slope[1], -shift)],
    }
    for k in cutoffs:
        other = weights(state.under(k=k))
        if other is not None:
            drawn["lines"].append({"name": f"k = {k}", "ends": _ends(whole, *map(float, other[1:]))})
    return drawn


def _said(found: tuple[Exact, Exact, Exact], plain: bool, first: str, second: str) -> str:
    """Where the first list leads, in words, for gains with g(0) = 0."""
    _, two, three = found
    if not plain:
        return "Here g(0) is not 0, which moves the line away from the origin."
    if two.sign() == 0 and three.sign() == 0:
        return "The lists tie under every gain."
    if two.sign() * three.sign() >= 0:
        ahead, behind = (first, second) if two.sign() + three.sign() > 0 else (second, first)
        whole = two.sign() == three.sign()
        return f"{ahead} leads under every gain above 0." if whole else f"{behind} never leads."
    threshold = -two / three
    about = shown(threshold) if threshold.is_rational else f"about {decimal(threshold, 2)}"
    below, above = (first, second) if two.sign() > 0 else (second, first)
    return f"Below the line, where g(3)/g(2) is less than {about}, {below} leads; above it {above}."


def _corners(box: Sequence[Any]) -> list[Point]:
    left, right, bottom, top = map(float, box)
    return [(left, bottom), (right, bottom), (right, top), (left, top)]


def _side(box: Sequence[Any], by_x: float, by_y: float, shift: float) -> list[list[float]]:
    """The part of a box where by_x · x + by_y · y + shift is above 0, as a polygon's corners."""
    corners, kept = _corners(box), []
    for (x, y), (to_x, to_y) in zip(corners, corners[1:] + corners[:1], strict=True):
        here, there = (by_x * p + by_y * q + shift for p, q in ((x, y), (to_x, to_y)))
        if here >= 0:
            kept.append([x, y])
        if here * there < 0:
            share = here / (here - there)
            kept.append([x + share * (to_x - x), y + share * (to_y - y)])
    return [[round(x, 6), round(y, 6)] for x, y in kept]


def _ends(box: Sequence[Any], by_x: float, by_y: float) -> list[list[float]]:
    """Where the line by_x · x + by_y · y = 0 enters and leaves a box that begins in the origin."""
    edges: Iterable[list[float]] = _side(box, by_x, by_y, 0.0)
    ends = [[x, y] for x, y in edges if abs(by_x * x + by_y * y) < 1e-4]
    return ends[:2] if len(ends) > 1 else []
