"""The tables of gains and discounts: what stands in an entry is all that there is to know of it."""

import subprocess
import sys

import pytest

from ndcg_lab.measure.rules import DISCOUNTS, GAINS, cost_of, parse_discount, parse_gain
from tests.support import ROOT


def test_every_spelling_that_is_tried_is_the_canonical_one_of_its_own_entry() -> None:
    for entries, parse in ((GAINS, parse_gain), (DISCOUNTS, parse_discount)):
        for entry in entries:
            for text, cost in entry.tried.items():
                assert parse(text).text == text
                assert entry.writes(text)
                assert cost_of(entries, text) == cost


@pytest.mark.parametrize(
    ("text", "cost"),
    [("linear", 0), ("exponential", 10), ("binary:1/2", 30), ("power:2", 40), ("power:9", 50), ("0=0,1=5", 60)],
)
def test_how_plain_a_gain_is(text: str, cost: int) -> None:
    assert cost_of(GAINS, text) == cost


@pytest.mark.parametrize(
    ("text", "cost"), [("log2", 0), ("log:e", 30), ("log:10", 31), ("log:7/2", 60), ("none", 45), ("geometric:1/3", 70)]
)
def test_how_plain_a_discount_is(text: str, cost: int) -> None:
    assert cost_of(DISCOUNTS, text) == cost


def test_a_table_or_a_parameter_is_not_tried_by_itself() -> None:
    assert {entry.spelling: entry.tried for entry in GAINS if not entry.tried} == {"binary:T": {}, "0=0,1=1,2=3": {}}
    assert all("P" not in text and "B" not in text for entry in DISCOUNTS for text in entry.tried)


def test_a_discount_is_added_by_its_entry_alone() -> None:
    """Through evaluation, command line, JSON, identification, explanation and a panel."""
    command = [sys.executable, "-m", "tests.new_discount"]
    walk = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert walk.returncode == 0, walk.stderr
