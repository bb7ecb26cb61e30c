"""Random inputs off the plain path, and the conditions that departures name: `where` in `departures.toml`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ndcg_lab.conventions import Query
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Value = Exact | Undefined | None
"""What a contract gives; None where it refuses."""

GRADES: Mapping[str, Sequence[str]] = {
    "plain": ("0", "1", "2", "3"),
    "negative": ("-2", "-1", "0", "1", "2"),
    "fractional": ("0", "1/2", "3/4", "1.1", "2.7", "3/2", "2"),
    "large": ("0", "4", "7", "30", "31", "40", "1000"),
    "missing": ("0", "1", "2"),
}
"""Kinds of input, and the grades that each draws from; in `missing` few documents are judged."""


def seeded(*words: object) -> np.random.Generator:
    """A generator of its own for each case, so that a case is the same alone and among others."""
    return np.random.default_rng(list(" ".join(map(str, words)).encode()))


def random_query(draw: np.random.Generator, kind: str, *, name: str = "1", duplicates: bool = False) -> Query:
    """A query of a kind: ties among the scores, documents without a judgment, judged ones that are not returned."""
    size = int(draw.integers(1, 8))
    names = [f"d{number:02}" for number in draw.choice(90, size + 3, replace=False)]
    twice = duplicates and draw.random() < 0.5
    returned = [str(each) for each in draw.choice(names[:size], size)] if twice else names[:size]
    judged = draw.permutation(names)[: draw.integers(1, 4 if kind == "missing" else len(names) + 1)]
    judgments = {str(each): str(draw.choice(GRADES[kind])) for each in judged}
    scores = tuple(str(int(draw.integers(0, size + 2)) / 8) for _ in returned)
    return Query(name, judgments, tuple(returned), scores)


def _grades(query: Query) -> list[Fraction]:
    return [Fraction(grade) for grade in query.judgments.values()]


def _seen(query: Query) -> list[Fraction]:
    return [Fraction(query.judgments[name]) for name in query.ranking if name in query.judgments]


def _unseen(query: Query) -> list[Fraction]:
    return [Fraction(grade) for name, grade in query.judgments.items() if name not in query.ranking]


def _whole(grade: Fraction) -> bool:
    return grade.denominator == 1


def _float32(grade: Fraction) -> bool:
    return Fraction(float(np.float32(float(grade)))) == grade


WHERE: Mapping[str, Callable[[Query, Value], bool]] = {
    "one document is returned": lambda query, _: len(query.ranking) == 1,
    "a returned grade is below 0": lambda query, _: any(grade < 0 for grade in _seen(query)),
    "a grade below 0 is not returned": lambda query, _: any(grade < 0 for grade in _unseen(query)),
    "a returned grade isn't whole": lambda query, _: not all(map(_whole, _seen(query))),
    "a grade that isn't whole is not returned": lambda query, _: not all(map(_whole, _unseen(query))),
    "a grade isn't whole": lambda query, _: not all(map(_whole, _grades(query))),
    "a grade is between 0 and 1": lambda query, _: any(0 < grade < 1 for grade in _grades(query)),
    "a returned grade is above 30": lambda query, _: any(grade > 30 for grade in _seen(query)),
    "a returned grade is above 31": lambda query, _: any(grade > 31 for grade in _seen(query)),
    "a grade is above 4": lambda query, _: any(grade > 4 for grade in _grades(query)),
    "a grade is above 1000000": lambda query, _: any(grade > 10**6 for grade in _grades(query)),
    "a grade is above 2^63": lambda query, _: any(grade > 2**63 for grade in _grades(query)),
    "a gain is beyond the doubles": lambda query, _: any(grade > 1023 for grade in _grades(query)),
    "a returned grade is no float32": lambda query, _: not all(map(_float32, _seen(query))),
    "a grade that the map doesn't name": lambda query, _: any(
        grade not in {0, 1, 2, 3} and grade > 0 for grade in _grades(query)
    ),
    "gains of both signs are returned": lambda query, _: (
        min(_seen(query), default=0) < 0 < max(_seen(query), default=0)
    ),
    "the ideal is negative": lambda _, value: value == Undefined("negative ideal"),
    "the value is below 1/300": lambda _, value: isinstance(value, Exact) and float(value) < 1 / 300,
    "every grade of a query is -2 or below": lambda query, _: all(grade <= -2 for grade in _grades(query)),
}
"""Each condition, decided from a query and the value that the contract gives it."""
