"""Arguments as they come from elsewhere: tests/cases/foreign/README.md, "Arguments", and their kind."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ndcg_lab import Contract, Judgments, Ranking, evaluate_run, family, y
from ndcg_lab.errors import NdcgLabError

GRADES = Judgments({"a": 2, "b": 0, "c": 1})
LIST = Ranking(["a", "b", "c"])
BY_HAND = Fraction(3, 16) + Fraction(1, 3) * Fraction(1, 16) * Fraction(13, 16)
"""ERR with the highest grade 4: the documents satisfy with 3/16, 0 and 1/16."""


@pytest.mark.parametrize("highest", [4, 4.0, "4", Decimal(4), np.int64(4), np.float32(4), Fraction(4)])
def test_a_highest_grade_is_read(highest: Any) -> None:
    assert family.err(LIST, GRADES, k=3, max_grade=highest) == BY_HAND


@pytest.mark.parametrize("highest", [None, 10**6, True, 2.5, float("nan"), [4], "four"])
def test_what_is_no_highest_grade_is_refused_by_name(highest: Any) -> None:
    with pytest.raises(NdcgLabError, match="max_grade"):
        family.err(LIST, GRADES, k=3, max_grade=highest)


@pytest.mark.parametrize("two", [2, np.int64(2), np.uint8(2)])
def test_whole_numbers_of_numpy_are_whole_numbers(two: Any) -> None:
    assert family.precision(LIST, GRADES, k=two, relevant_from=1) == Fraction(1, 2)
    assert Contract(gain="linear", k=two) == Contract(gain="linear", k=2)
    assert y(two + 4) == y(6)


def test_ids_that_are_whole_numbers_are_read_alike() -> None:
    contract = Contract(gain="linear", k=2)
    qrels, run = {"7": {"1": 1, "2": 0}}, {"7": {"1": 0.5, "2": 0.25}}
    wanted = evaluate_run(contract, run, qrels).mean.ndcg
    for kind in (int, np.int64):
        numbers = {kind(7): {kind(1): 1, kind(2): 0}}, {kind(7): {kind(1): 0.5, kind(2): 0.25}}
        assert evaluate_run(contract, numbers[1], numbers[0]).mean.ndcg == wanted
    judged = pd.DataFrame({"query": [7, 7], "document": [1, 2], "grade": [1, 0]})
    returned = pd.DataFrame({"query": [7, 7], "document": [1, 2], "score": [0.5, 0.25]})
    assert evaluate_run(contract, returned, judged).mean.ndcg == wanted
