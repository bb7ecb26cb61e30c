"""Fresh variants of exercises: four documents with grades and an order drawn from a seed, and what follows exactly."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons.text import decimal, mark, shown
from ndcg_lab.measure.contract import Contract
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.measure.evaluation import evaluate

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["a_dcg", "an_ndcg", "an_ndcg_of_ties"]

_NAMES = "ABCD"


def a_dcg(gain: str, k: int) -> Callable[[int], ask.Exercise]:
    """What is the DCG of a list? A variant for each seed."""
    return lambda seed: _drawn(seed, Contract(gain=gain, k=k), of="dcg")


def an_ndcg(gain: str, k: int) -> Callable[[int], ask.Exercise]:
    """What is the NDCG of a list? A variant for each seed.

    >>> variant = an_ndcg("linear", 3)(1)
    >>> variant.question.endswith("What is its NDCG, exactly?")
    True
    """
    return lambda seed: _drawn(seed, Contract(gain=gain, k=k), of="ndcg")


def an_ndcg_of_ties(gain: str, k: int) -> Callable[[int], ask.Exercise]:
    """What NDCG is expected where the first documents are tied? A variant for each seed."""
    return lambda seed: _drawn(seed, Contract(gain=gain, k=k, ties="average"), of="ndcg")


def _drawn(seed: int, contract: Contract, *, of: str) -> ask.Exercise:
    draw = random.Random(seed)  # noqa: S311 -- an exercise, no secret
    while True:
        grades = Judgments({name: draw.randint(0, 4) for name in _NAMES})
        order = draw.sample(_NAMES, 4)
        tied = draw.randint(2, 3) if contract.ties == "average" else 1
        scores = {name: 4 if place < tied else 4 - place for place, name in enumerate(order)}
        found = evaluate(contract, Ranking.from_scores(scores), grades)
        value = getattr(found, of)
        if isinstance(value, Exact) and not value.is_rational and value != 1 and len(set(grades.values())) > 2:
            break
    listed = ", ".join(f"{name} = {grade}" for name, grade in grades.items())
    told = f"the list {' '.join(order)}"
    if tied > 1:
        told += f", of which the first {tied} share one score and every order of them is equally likely"
    what = {"dcg": "What is its DCG, exactly?", "ndcg": "What is its NDCG, exactly?"}[of]
    if tied > 1:
        what = "What NDCG is expected, exactly?"
    gains = ", ".join(shown(gain) for gain in found.earned())
    parts = f"The gains at ranks 1 to {contract.k} are {gains}"
    rest = "" if of == "dcg" else f"; DCG {shown(found.dcg)} over the ideal {shown(found.idcg)}"
    half = {} if of == "dcg" else {str(found.dcg): "Half right: that is DCG. Divide it by the ideal DCG."}
    return ask.exact(
        f"Grades {listed}; {told}; {contract.gain} gain, k = {contract.k}. {what}",
        value,
        near=half,
        example="7 + 5a" if of == "dcg" else "(7 + 5a)/(9 + 5a)",
        hint=f"{parts}.",
        solution=f"{parts}{rest}: {shown(value)} {mark(value)} {decimal(value)}.",
    )
