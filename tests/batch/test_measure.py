"""Arrays against the exact path: every combination of the contract's fields that arrays take, on random data."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ndcg_lab import Contract, Judgments, Ranking, evaluate
from ndcg_lab.batch import ndcg
from ndcg_lab.batch import ranking as ways
from ndcg_lab.batch.arrays import Batch
from ndcg_lab.errors import (
    ContractError,
    InvalidGrade,
    InvalidScore,
    MissingGain,
    NdcgLabError,
    NegativeGrade,
    TiedScores,
    UnjudgedDocument,
    WrongKind,
)
from ndcg_lab.exact.undefined import Undefined
from tests.support import cases

CHOICES: dict[str, list[Any]] = {
    "gain": [
        "0=1,1=2,2=3,3=4,4=5",
        "linear",
        "exponential",
        "power:2",
        "binary:2",
        "exponential:3",
        "0=0,1=1/3,2=1,3=7/2,4=9",
    ],
    "k": [1, 2, 3, 5, 10, "all"],
    "discount": ["log2", "log:e", "log:10", "jarvelin", "jarvelin:4", "reciprocal", "geometric:4/5", "none"],
    "ideal_population": ["judged", "returned", "returned-at-k"],
    "ideal_cutoff": ["k", "returned", "none"],
    "ties": ["error", "average", "best", "worst", "input", "reverse-input"],
    "score_precision": ["exact", "float32"],
    "unjudged": ["error", "zero", "remove"],
    "negative": ["error", "zero", "allow"],
    "zero_ideal": ["undefined", "zero", "one", "exclude"],
    "round_to": [None, None, None, 3],
}


def expected(contract: Contract, grades: Any, scores: Any, exists: Any, returned: Any) -> float | None:
    """One query by the exact path; None where it is refused."""
    columns = [c for c in range(len(grades)) if exists[c]]
    ranking = Ranking.from_scores([(str(c), float(scores[c])) for c in columns if returned[c]])
    judgments = Judgments({str(c): Fraction(str(grades[c])) for c in columns if not math.isnan(grades[c])})
    try:
        value = evaluate(contract, ranking, judgments).ndcg
    except NdcgLabError:
        return None
    return math.nan if isinstance(value, Undefined) else float(value)


def drawn(rng: np.random.Generator) -> tuple[Contract, dict[str, Any]]:
    """A contract and arrays of one of many kinds: sparse and dense, tied and not, with holes and without."""
    contract = Contract(**{name: choices[rng.integers(len(choices))] for name, choices in CHOICES.items()})
    queries, documents = int(rng.integers(1, 5)), int(rng.integers(1, rng.choice([6, 30, 90])))
    shape = queries, documents
    grades = rng.integers(0, 5, shape).astype(np.float64)
    if rng.random() < 0.5:
        grades *= rng.random(shape) < rng.choice([0.05, 0.3])
    if rng.random() < 0.2:
        grades = np.where(rng.random(shape) < 0.3, -grades, grades)
    if rng.random() < 0.2:
        grades = np.where(rng.random(shape) < 0.2, np.nan, grades)
    if rng.random() < 0.1:
        grades = grades / 10
    if rng.random() < 0.05:
        grades = grades * 10  # gains of 41 bits
    levels = rng.choice([1, 2, 5, 1000])
    scores = rng.integers(0, levels, shape) / 7 if rng.random() < 0.7 else rng.standard_normal(shape)
    if rng.random() < 0.3 and not np.isnan(grades).any() and (grades == np.rint(grades)).all():
        grades = grades.astype(rng.choice(["int8", "int64"]))
    if rng.random() < 0.2:
        scores = scores.astype(np.float32)
    arrays: dict[str, Any] = {"grades": grades, "scores": scores}
    if rng.random() < 0.3:
        arrays["mask"] = rng.random(shape) < 0.8
    if rng.random() < 0.3:
        arrays["returned"] = rng.random(shape) < 0.7
    return contract, arrays


def agrees(contract: Contract, arrays: dict[str, Any], *, certified: bool) -> bool:
    """Whether a batch gives what the exact path gives, query by query; and refuses where that does."""
    everywhere = np.ones(arrays["grades"].shape, np.bool_)
    flags = arrays.get("mask", everywhere), arrays.get("returned", everywhere)
    wanted = [expected(contract, *row) for row in zip(arrays["grades"], arrays["scores"], *flags, strict=True)]
    try:
        found = ndcg(contract=contract, certified=certified, **arrays)
    except NdcgLabError:
        return None in wanted
    if None in wanted:
        return False
    if certified:
        return [value.hex() for value in found.tolist()] == [value.hex() for value in wanted if value is not None]
    return bool(np.allclose(found, np.array(wanted, np.float64), rtol=1e-12, atol=1e-12, equal_nan=True))


@pytest.mark.parametrize("certified", [False, True])
def test_random_contracts_and_arrays(monkeypatch: pytest.MonkeyPatch, certified: bool) -> None:
    rng = np.random.default_rng(11 + certified)
    for number in range(cases(ci=1500, long=50_000)):
        monkeypatch.setattr(ways, "_CHUNK", int(rng.choice([1, 40, 1 << 18])))
        contract, arrays = drawn(rng)
        assert agrees(contract, arrays, certified=certified), (number, contract, arrays)


FOUR = [[3, 2, 2, 0], [3, 2, 2, 0]]
X_AND_Y = [[2, 4, 3, 1], [4, 2, 1, 3]]
LINEAR = Contract(gain="linear", k=3)


def test_the_worked_example() -> None:
    a = 1 / math.log2(3)
    x_and_y = [(7 / 2 + 2 * a) / (4 + 2 * a), 4 / (4 + 2 * a)]
    assert ndcg(FOUR, X_AND_Y, LINEAR).tolist() == pytest.approx(x_and_y, rel=1e-15)
    assert ndcg(FOUR, X_AND_Y, LINEAR, certified=True).tolist() == pytest.approx(x_and_y, rel=2e-16)


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        (
            {"scores": [[2, 4, 4, 1], [4, 2, 2, 3]], "grades": [[3, 2, 1, 0]] * 2},
            TiedScores,
            "query 0: documents '1', '2'",
        ),
        (
            {"grades": [[3, 2, 2, 0], [3, math.nan, 2, 0]]},
            UnjudgedDocument,
            "query 1: document '1' was returned and has no",
        ),
        ({"grades": [[3, 2, 2, 0], [3, -1, 2, 0]]}, NegativeGrade, "query 1: document '1' has the negative grade -1"),
        ({"scores": [[2, 4, 3, 1], [4, 2, math.inf, 3]]}, InvalidScore, "query 1: document 2 has the score inf"),
        ({"scores": [[2, 4, 3]] * 2}, WrongKind, r"`grades` has the shape \(2, 4\) and `scores` \(2, 3\)"),
        ({"grades": [3, 2, 2, 0]}, WrongKind, "`grades` is an array of 1 dimensions of int64"),
        ({"grades": [["3", "2", "2", "0"]] * 2}, WrongKind, "`grades` is an array of 2 dimensions of <U1"),
        ({"scores": [[2, 4, 3, 1j]] * 2}, WrongKind, "`scores` is an array of 2 dimensions of complex128"),
        ({"mask": [[1, 1, 1, 0]] * 2}, WrongKind, "`mask` is an array of int64 of the shape"),
        ({"returned": [True, False]}, WrongKind, r"`returned` is an array of bool of the shape \(2,\)"),
        (
            {"contract": LINEAR.replace(ties="docno-ascending")},
            ContractError,
            "needs document ids, which arrays don't have",
        ),
        ({"contract": "linear"}, WrongKind, "`contract` can't be of the kind str"),
        (
            {"contract": LINEAR.replace(gain="exponential"), "grades": [[0.5, 2, 2, 0]] * 2},
            InvalidGrade,
            "query 0: document '0'",
        ),
        ({"contract": LINEAR.replace(gain="0=0,3=1")}, MissingGain, "query 0: document '1'"),
    ],
)
def test_what_is_refused(change: dict[str, Any], kind: type[NdcgLabError], message: str) -> None:
    with pytest.raises(kind, match=message):
        ndcg(**{"grades": FOUR, "scores": X_AND_Y, "contract": LINEAR, **change})


def test_a_gain_is_the_grade_as_it_is_written() -> None:
    """0.1 and 0.3 stand for 1/10 and 3/10; of float32 too."""
    third = Contract(gain="linear", k=1)
    for kind in (np.float64, np.float32):
        assert ndcg(np.array([[0.1, 0.3]], kind), [[2, 1]], third, certified=True).tolist() == [float(Fraction(1, 3))]


def test_scores_beyond_doubles_keep_their_order() -> None:
    scores = np.array([[2**60, 2**60 + 1]])
    assert ndcg([[1, 0]], scores, Contract(gain="linear", k=1)).tolist() == [0.0]
    assert ndcg([[0, 1]], scores, Contract(gain="linear", k=1)).tolist() == [1.0]


def test_no_documents_and_no_queries() -> None:
    assert math.isnan(ndcg(np.zeros((1, 0)), np.zeros((1, 0)), LINEAR)[0])
    assert ndcg(np.zeros((0, 3)), np.zeros((0, 3)), LINEAR, certified=True).shape == (0,)


def test_more_different_grades_than_a_table_takes() -> None:
    rng = np.random.default_rng(5)
    grades, scores = rng.random((2, 3000)), rng.random((2, 3000))
    contract = Contract(gain="linear", k=20)
    wanted = [expected(contract, *row, [True] * 3000, [True] * 3000) for row in zip(grades, scores, strict=True)]
    assert ndcg(grades, scores, contract).tolist() == pytest.approx(wanted, rel=1e-14)
    assert ndcg(grades, scores, contract, certified=True).tolist() == wanted


def test_a_value_between_two_doubles_goes_to_the_exact_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """1 - 2^-54 of a table's gains lies in the middle between two doubles, which no pair of doubles tells."""
    asked: list[int] = []
    exact = Batch.exact

    def noted(batch: Batch, query: int) -> float:
        asked.append(query)
        return exact(batch, query)

    monkeypatch.setattr(Batch, "exact", noted)
    contract = Contract(gain={1: 2**54 - 1, 2: 2**54}, k=1)
    assert ndcg([[1, 2]], [[2, 1]], contract, certified=True).tolist() == [1.0]
    assert ndcg([[1, 2]], [[1, 2]], contract, certified=True).tolist() == [1.0]
    assert asked[0] == 0


def test_large_gains_and_many_ties_are_certified_or_left() -> None:
    """Sums that doubles do not hold exactly are not trusted: ties of 2 to 40 documents, gains of 2^20 and more."""
    rng = np.random.default_rng(3)
    scores = np.repeat(np.arange(39), np.arange(2, 41))[None, :].repeat(3, axis=0)
    for top in (3, 20, 45):
        grades = rng.integers(0, top + 1, scores.shape)
        contract = Contract(gain="exponential", k="all", ties="average", zero_ideal="zero")
        wanted = [expected(contract, *row, [True] * 819, [True] * 819) for row in zip(grades, scores, strict=True)]
        assert ndcg(grades, scores, contract, certified=True).tolist() == wanted
