"""`dcg_score` and `ndcg_score` under scikit-learn's names: its own tests' cases, and the functions side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ndcg_lab.batch import dcg_score, ndcg_score
from ndcg_lab.errors import NdcgLabError
from tests.support import cases, require_module

SEVEN = 3 * np.eye(7)[:5]
FALLING = np.tile(np.arange(6, -1, -1), (5, 1))
PLACES = np.arange(2, 7)


def rows(function: Any, grades: Any, scores: Any, **settings: Any) -> Any:
    """Each query by itself."""
    return np.array([function([g], [s], **settings) for g, s in zip(grades, scores, strict=True)])


@pytest.mark.parametrize("ignore_ties", [True, False])
def test_toys(ignore_ties: bool) -> None:
    noise = FALLING + np.random.default_rng(0).uniform(-0.2, 0.2, FALLING.shape)
    ties = {"ignore_ties": ignore_ties}
    for scores in (FALLING, noise):
        assert rows(dcg_score, SEVEN, scores, **ties) == pytest.approx(3 / np.log2(PLACES))
    assert rows(ndcg_score, SEVEN, FALLING, **ties) == pytest.approx(1 / np.log2(PLACES))
    assert rows(dcg_score, SEVEN, FALLING, log_base=10, **ties) == pytest.approx(3 / np.log10(PLACES))
    assert ndcg_score(SEVEN, FALLING, **ties) == pytest.approx((1 / np.log2(PLACES)).mean())
    assert dcg_score(SEVEN, FALLING, **ties) == pytest.approx((3 / np.log2(PLACES)).mean())
    threes = 3 * np.ones((5, 7))
    assert rows(dcg_score, threes, FALLING, **ties) == pytest.approx((3 / np.log2(np.arange(2, 9))).sum() * np.ones(5))
    assert ndcg_score(threes, FALLING, **ties) == pytest.approx(1.0)


def test_a_tie_earns_its_mean_gain_or_is_cut_somehow() -> None:
    grades, scores, discounts = np.arange(5)[None], np.zeros((1, 5)), 1 / np.log2(PLACES)
    assert dcg_score(grades, scores) == pytest.approx(discounts.sum() * 2)
    assert dcg_score(grades, scores, ignore_ties=True) == pytest.approx((discounts * [4, 3, 2, 1, 0]).sum())
    scores[0, 3:] = 1
    assert dcg_score(grades, scores) == pytest.approx(discounts[:2].sum() * 3.5 + discounts[2:].sum() * 1)
    assert dcg_score(grades, scores, ignore_ties=True) == pytest.approx((discounts * [4, 3, 2, 1, 0]).sum())


def test_the_ideal_order_scores_1_whatever_k() -> None:
    grades = np.arange(70).reshape(7, 10)
    for k in (None, 1, 3, 10, 20):
        assert ndcg_score(grades, grades + 1000, k=k) == pytest.approx(1.0)
        assert ndcg_score(grades, grades, k=k, ignore_ties=True) == pytest.approx(1.0)


def test_a_query_of_zeros_scores_0() -> None:
    assert ndcg_score([[0, 0, 0], [0, 1, 0]], [[1, 2, 3], [1, 2, 3]]) == pytest.approx((0 + 1 / np.log2(3)) / 2)


@pytest.mark.parametrize(
    ("grades", "scores", "settings", "message"),
    [
        ([[-0.89, 0.39]], [[0.07, 0.31]], {}, "should not be used on negative y_true values"),
        ([[1]], [[1]], {}, "only meaningful when there is more than 1 document. Got 1 instead"),
        ([1, 2], [1, 2], {}, "`y_true` is an array of 1 dimensions"),
        ([[1, 2]], [[1, 2], [3, 4]], {}, "has the shape"),
        ([[1, np.nan]], [[1, 2]], {}, "`y_true` holds a value that is not finite"),
        ([[1, 2]], [[1, np.inf]], {}, "`y_score` holds a value that is not finite"),
        ([["a", "b"]], [[1, 2]], {}, "`y_true` is an array of 2 dimensions of <U1"),
        ([[1, 2]], [[1, 2]], {"k": 0}, "`k` is 0"),
        ([[1, 2]], [[1, 2]], {"k": 1.5}, "`k` can't be 1.5"),
        ([[1, 2]], [[1, 2]], {"sample_weight": [1, 2]}, "`sample_weight` has the shape"),
        ([[1, 2]], [[1, 2]], {"sample_weight": [0]}, "sum to 0"),
    ],
)
def test_errors_are_value_errors(grades: Any, scores: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises((NdcgLabError, ValueError), match=message) as raised:
        ndcg_score(grades, scores, **settings)
    assert isinstance(raised.value, ValueError)


def test_side_by_side() -> None:
    require_module("sklearn", "peers")
    from sklearn import metrics

    rng = np.random.default_rng(1)
    for _ in range(cases(ci=150, long=5000)):
        shape = int(rng.integers(1, 6)), int(rng.integers(2, rng.choice([4, 30, 100])))
        grades = rng.integers(0, 4, shape) * (rng.random(shape) < rng.choice([0.05, 1]))
        if rng.random() < 0.3:
            grades = rng.random(shape)
        scores = rng.integers(0, rng.choice([1, 3, 1000]), shape) / 3
        settings: dict[str, Any] = {"k": [None, 1, 5, 200][rng.integers(4)]}
        if rng.random() < 0.3:
            settings["sample_weight"] = rng.random(shape[0]) + 0.1
        wanted = metrics.ndcg_score(grades, scores, **settings)
        assert ndcg_score(grades, scores, **settings) == pytest.approx(wanted, abs=1e-12)
        base = rng.choice([2, 10, 1.5])
        wanted = metrics.dcg_score(grades, scores, log_base=base, **settings)
        assert dcg_score(grades, scores, log_base=base, **settings) == pytest.approx(wanted, abs=1e-11)
        if len(np.unique(scores)) == scores.size:
            wanted = metrics.ndcg_score(grades, scores, ignore_ties=True, **settings)
            assert ndcg_score(grades, scores, ignore_ties=True, **settings) == pytest.approx(wanted, abs=1e-12)


def test_its_own_tests_pass_on_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests that scikit-learn ships, called with our functions in place of its own."""
    require_module("sklearn", "peers")
    from sklearn.metrics.tests import test_ranking as theirs

    ours = {
        "dcg_score": dcg_score,
        "ndcg_score": ndcg_score,
        "_dcg_sample_scores": lambda grades, scores, **settings: rows(dcg_score, grades, scores, **settings),
        "_ndcg_sample_scores": lambda grades, scores, **settings: rows(ndcg_score, grades, scores, **settings),
    }
    for name, function in ours.items():
        monkeypatch.setattr(theirs, name, function)
    called = [name for name in dir(theirs) if name.startswith(("test_dcg", "test_ndcg"))]
    assert len(called) >= 8
    for name in called:
        test = getattr(theirs, name)
        if name == "test_ndcg_toy_examples":
            test(True)
            test(False)
        else:
            test()
