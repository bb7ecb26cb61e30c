"""Several runs and measures: values by hand and beside ir_measures, pairs proved, chance adjusted."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import pytest

from ndcg_lab import Contract, NdcgLabError, evaluate_run, read_qrels, read_run
from ndcg_lab.certificate import check
from ndcg_lab.errors import MissingResults
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.reports.runs import compare_runs, evaluate_measures
from tests.support import require_module, require_real

QRELS = {"q1": {"A": 3, "B": 2, "C": 2, "D": 0}, "q2": {"E": 1, "F": 0}, "q3": {"G": 1}}
RUNS: dict[str, object] = {
    "x": {"q1": ["B", "C", "A", "D"], "q2": ["F", "E"], "q3": ["G"]},
    "y": {"q1": ["A", "D", "B", "C"], "q2": ["E", "F"], "q3": ["G"]},
}


def test_values_and_means_by_hand() -> None:
    measured = evaluate_measures(["AP(rel=3)", "RR", "nDCG@3"], RUNS, QRELS)
    assert (measured.runs, measured.measures) == (["x", "y"], ["AP(rel=3)", "RR", "nDCG@3"])
    assert measured["x", "RR"].by_query == {"q1": 1, "q2": Fraction(1, 2), "q3": 1}
    assert measured["x", "RR"].mean == Fraction(5, 6)
    assert measured["x", "AP(rel=3)"].by_query["q1"] == Fraction(1, 3)
    assert str(measured["x", "nDCG@3"].by_query["q1"]) == "(7/2 + 2a)/(4 + 2a)"
    # 1, 1/2, 1: mean 5/6, deviations 1/6, -1/3, 1/6, variance (1/36 + 4/36 + 1/36)/2 = 1/12
    assert measured["x", "RR"].deviation == pytest.approx(math.sqrt(1 / 12))


def test_a_contract_is_measured_as_its_report_says() -> None:
    contract = Contract(gain="linear", k=3)
    measured = evaluate_measures(contract, RUNS, QRELS)
    report = evaluate_run(contract, RUNS["x"], QRELS)
    assert measured["x", "NDCG@3"].mean == report.mean.ndcg
    assert measured["x", "NDCG@3"].settings == contract.to_json()


def test_missing_queries_as_the_tool_does_or_as_told() -> None:
    runs = {"x": {"q1": ["B", "C", "A", "D"]}}
    measured = evaluate_measures(["RR", "recip_rank"], runs, QRELS)
    assert measured["x", "RR"].mean == Fraction(1, 3)  # ir_measures: over the judged queries
    assert measured["x", "RR"].missing == {"q2", "q3"}
    assert measured["x", "recip_rank"].mean == 1  # trec_eval: over those in both
    assert measured["x", "recip_rank"].excluded == {"q2": "no results", "q3": "no results"}
    with pytest.raises(MissingResults, match="2 judged queries have no results: q2, q3"):
        evaluate_measures("RR", runs, QRELS, missing="error")
    entries = measured.to_json()["runs"][0]["measures"][0]["queries"]
    assert [entry.get("missing") for entry in entries] == [None, True, True]


def test_json_and_frame() -> None:
    measured = evaluate_measures(["RR", "nDCG@3"], RUNS, QRELS)
    record = json.loads(json.dumps(measured.to_json()))
    assert record["schema"] == "ndcg-lab/measures/1"
    assert [run["run"] for run in record["runs"]] == ["x", "y"]
    ndcg = record["runs"][0]["measures"][1]
    assert (ndcg["measure"], ndcg["contract"]["ties"]) == ("nDCG@3", "docno-descending")
    assert ndcg["queries"][0]["value"]["exact"] == "(7/2 + 2a)/(4 + 2a)"
    assert record["runs"][0]["measures"][0]["mean"]["exact"] == "5/6"
    frame = measured.to_frame()
    assert list(frame.columns) == ["run", "query", "measure", "value"]
    assert len(frame) == 2 * 2 * 3


def test_judged_at_k_is_told() -> None:
    measured = evaluate_measures("nDCG@2", {"x": {"q2": ["E", "Z"], "q3": ["G"]}}, QRELS)
    assert measured["x", "nDCG@2"].judged_at_k == Fraction(3, 4)


def test_runs_against_each_other() -> None:
    runs = {**RUNS, "z": RUNS["y"]}
    compared = compare_runs(Contract(gain="linear", k=3), runs, QRELS, seed=1)
    assert [(pair.one.run, pair.other.run, pair.counts) for pair in compared.pairs] == [
        ("x", "y", (1, 1, 1)),
        ("x", "z", (1, 1, 1)),
        ("y", "z", (0, 3, 0)),
    ]
    first, _, equal = compared.pairs
    for comparison in (*first.queries.values(), first.mean):
        assert comparison.certificate is not None
        assert check(comparison.certificate) == comparison.sign
    # x leads q1 by (-1/2 + 2a)/(4 + 2a), y leads q2 by 1 - a
    assert first.queries["q1"].sign == 1
    assert str(first.queries["q2"].difference) == "-1 + a"
    assert equal.mean.sign == 0
    assert first.tests is not None
    assert equal.tests is not None
    assert first.holm_p == min(1.0, 3 * first.tests.randomisation_p)
    record = json.loads(json.dumps(compared.to_json()))
    assert [(pair["a"], pair["b"]) for pair in record["pairs"]] == [("x", "y"), ("x", "z"), ("y", "z")]
    assert len(compared.to_frame()) == 3


def test_an_undefined_value_is_set_aside() -> None:
    qrels = {**QRELS, "q4": {"H": 0}}
    runs: dict[str, Any] = {name: {**run, "q4": ["H"]} for name, run in RUNS.items() if isinstance(run, dict)}
    (pair,) = compare_runs(Contract(gain="linear", k=3), runs, qrels).pairs
    assert isinstance(pair.mean.difference, Undefined)
    assert pair.tests is not None
    assert pair.tests.undefined == 1


def test_one_run_or_two_measures_are_refused() -> None:
    with pytest.raises(NdcgLabError, match="give two or more"):
        compare_runs("RR", {"x": RUNS["x"]}, QRELS)
    with pytest.raises(NdcgLabError, match="compared by one measure"):
        compare_runs("P.1,2", RUNS, QRELS)


def test_every_query_of_a_real_run_beside_ir_measures() -> None:
    qrels, run = read_qrels(require_real("trec_eval.qrels")), read_run(require_real("trec_eval.run"))
    theirs = require_module("ir_measures")
    names = ["nDCG@10", "AP", "RR", "P@5", "R@100", "Rprec", "Success@5"]
    parsed = [theirs.parse_measure(name) for name in names]
    results = theirs.iter_calc(
        parsed,
        theirs.read_trec_qrels(str(require_real("trec_eval.qrels"))),
        theirs.read_trec_run(str(require_real("trec_eval.run"))),
    )
    measured = evaluate_measures(names, {"run": run}, qrels)
    seen = 0
    for metric in results:
        value = measured["run", str(metric.measure)].by_query[metric.query_id]
        assert isinstance(value, Exact)
        assert float(value) == pytest.approx(metric.value, rel=1e-12, abs=1e-12)
        seen += 1
    assert seen == len(names) * len(measured["run", "AP"].by_query)
