"""What TensorFlow Ranking printed (`tools/record_tfranking.py`), against its contract.

It runs in an environment of its own, so these tests read a record.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ndcg_lab import Contract, conventions, evaluate_run
from ndcg_lab.conventions import Query, agrees
from ndcg_lab.exact.values import Exact

RECORD = json.loads((Path(__file__).parent.parent / "cases" / "tfranking.json").read_text(encoding="utf-8"))
CONVENTION = conventions["tensorflow-ranking"]


def _query(case: dict[str, Any]) -> Query:
    names = tuple(f"d{i:02}" for i in range(len(case["labels"])))
    return Query("1", dict(zip(names, case["labels"], strict=True)), names, tuple(map(repr, case["scores"])))


def _contract(case: dict[str, Any]) -> Contract:
    return CONVENTION.at(case["k"], *([case["parameter"]] if case["parameter"] else []))


def test_the_version_is_the_entrys() -> None:
    assert RECORD["versions"]["tensorflow-ranking"] == CONVENTION.version


def test_every_recorded_value_is_the_contracts() -> None:
    assert len(RECORD["values"]) == 348
    for case in RECORD["values"]:
        value = _query(case).evaluate(_contract(case)).ndcg
        assert isinstance(value, Exact)
        assert agrees(case["printed"], value, "single"), case


def test_a_tie_prints_the_values_of_its_orders() -> None:
    """60 calls each: every value is one order's, and where orders differ both were met."""
    met = 0
    for case in RECORD["ties"]:
        outcomes = _query(case).evaluate(_contract(case)).outcomes().values
        for printed in case["printed"]:
            assert any(agrees(printed, value, "single") for value in outcomes if isinstance(value, Exact)), case
        assert len(case["printed"]) == len(outcomes)
        met += len(case["printed"]) == 2
    assert met >= 20


def test_a_negative_label_marks_padding() -> None:
    without = Query("1", {"A": 2, "B": 2, "C": 3}, ("A", "B", "C"), ("4", "3", "2"))
    value = without.evaluate(CONVENTION.at(3)).ndcg
    assert isinstance(value, Exact)
    assert agrees(RECORD["padding"], value, "single")


def test_a_list_without_relevant_documents_is_averaged_as_0() -> None:
    qrels = {"1": {"A": 2, "B": 2, "C": 3, "D": 0}, "2": dict.fromkeys("ABCD", 0)}
    run = {query: dict(zip("ABCD", (4, 3, 2, 1), strict=True)) for query in qrels}
    mean = evaluate_run(CONVENTION.at(3), run, qrels).mean.ndcg
    assert isinstance(mean, Exact)
    assert agrees(RECORD["mean_with_an_all_zero_list"], mean, "single")


@pytest.mark.parametrize(
    "case", RECORD["calls"], ids=lambda case: case["contract"]["gain"] + " " + case["contract"]["discount"]
)
def test_a_call_made_from_a_contract_was_run(case: dict[str, Any]) -> None:
    contract = Contract.from_json(case["contract"])
    assert conventions.call(contract, "tensorflow-ranking").text == case["text"]
    report = evaluate_run(contract, case["run"], case["judgments"])
    for result in report.queries:
        assert isinstance(result.ndcg, Exact)
        assert agrees(case["printed"][result.query], result.ndcg, "single")
