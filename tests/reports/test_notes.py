"""What would pass in silence is counted, in the words that a reader sees."""

import csv
import io
import json
from typing import Any

import pytest

from ndcg_lab import Contract, Report, compare, evaluate_run, verify

LINEAR = Contract(gain="linear", k=2, unjudged="zero", zero_ideal="zero")
Pairs = dict[str, dict[str, int]]


def told(run: Pairs, qrels: Pairs, contract: Contract = LINEAR, **settings: Any) -> list[str]:
    """The notes of a report, which hold when it is evaluated anew, but for that on its depth."""
    report = evaluate_run(contract, run, qrels, **{"missing": "zero", **settings})
    record = json.loads(json.dumps(report.to_json()))
    assert verify(record) == []
    assert list(Report.from_json(record).notes) == record["notes"]
    return [note for note in report.notes if not note.startswith("No query returns more than")]


def test_a_run_that_answers_nothing() -> None:
    assert told({}, {"q1": {"a": 1}, "q2": {"a": 1}}) == [
        "The run holds no results.",
        "2 of 2 averaged queries have no results, and count 0: q1, q2.",
    ]
    assert told({"q1": {}}, {"q1": {"a": 1}}, missing="exclude") == ["The run holds no results."]


def test_no_query_in_common() -> None:
    run, qrels = {"1": {"a": 2}, "2": {"a": 2}}, {"q1": {"a": 1}}
    assert told(run, qrels) == [
        "No query in common: of 2 queries of the run and 1 with judgments none is the same.",
        "1 of 1 averaged query has no results, and counts 0: q1.",
    ]
    assert told(run, qrels, query_set="both") == [
        "No query in common: of 2 queries of the run and 1 with judgments none is the same."
    ]


def test_queries_of_the_run_that_match_nothing() -> None:
    run, qrels = {"q1": {"a": 2}, "q2": {"a": 1}, "q3": {"a": 1}}, {"q1": {"a": 1}}
    assert told(run, qrels) == ["2 of 3 queries of the run have no judgments: q2, q3."]
    assert told(run, qrels, query_set="run", unjudged_queries="zero") == [
        "2 of 3 queries of the run have no judgments: q2, q3.",
        "2 of 3 averaged queries have no judgments, and count 0: q2, q3.",
    ]


def test_documents_that_match_nothing() -> None:
    qrels = {"q1": {"doc1": 1}, "q2": {"doc1": 1}}
    assert told({"q1": {"DOC1": 3}, "q2": {"DOC2": 3}}, qrels) == [
        "No returned document is judged in any averaged queries with results: q1, q2.",
        "Judged@2: 0 of 2 returned documents at ranks up to 2 have a grade.",
    ]
    assert told({"q1": {"doc1": 3}, "q2": {"x": 3, "y": 2, "z": 1}}, qrels) == [
        "No returned document is judged in 1 of 2 averaged queries with results: q2.",
        "Judged@2: 1 of 3 returned documents at ranks up to 2 have a grade.",
    ]


@pytest.mark.parametrize("unjudged", ["zero", "remove"])
def test_how_many_are_judged(unjudged: str) -> None:
    run, qrels = {"q": {"a": 5, "x": 4, "b": 3, "y": 2}}, {"q": {"a": 1, "b": 1}}
    contract = LINEAR.replace(unjudged=unjudged)
    assert told(run, qrels, contract) == ["Judged@2: 1 of 2 returned documents at ranks up to 2 have a grade."]
    assert told(run, qrels, contract.replace(k=3)) == [
        "Judged@3: 2 of 3 returned documents at ranks up to 3 have a grade."
    ]
    assert told(run, qrels, contract.replace(k="all")) == ["Judged@all: 2 of 4 returned documents have a grade."]
    assert told(run, qrels, contract.replace(k=1)) == []


def test_a_query_without_results_looks_different_from_a_zero() -> None:
    report = evaluate_run(LINEAR, {"q2": {"x": 1}}, {"q2": {"a": 1}, "q3": {"a": 1}}, missing="zero")
    zero, missing = report.to_json()["queries"]
    assert zero["ndcg"] == missing["ndcg"]
    assert "missing" not in zero
    assert missing["missing"] is True
    rows = list(csv.DictReader(io.StringIO(report.to_csv())))
    assert [(row["query"], row["value"], row["missing"]) for row in rows[:2]] == [("q2", "0", ""), ("q3", "0", "true")]
    for wrong in (None, 1, False):
        missing["missing"] = wrong
        assert "queries[1].missing" in [
            fault.place for fault in verify({**report.to_json(), "queries": [zero, missing]})
        ]


def test_a_comparison_tells_the_notes_of_both() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    one, other = (
        evaluate_run(LINEAR.replace(k=1), run, qrels, missing="zero") for run in ({"q1": {"a": 1}}, {"q1": {"x": 1}})
    )
    assert compare(one, other).notes == (
        "both reports: 1 of 2 averaged queries has no results, and counts 0: q2.",
        "the second report: No returned document is judged in any averaged query with results: q1.",
        "the second report: Judged@1: 0 of 1 returned document at ranks up to 1 have a grade.",
    )
    apart = evaluate_run(LINEAR, {"r": {"a": 1}}, {"r": {"a": 1}})
    assert "no query is averaged by both reports" in compare(one, apart).notes
