"""Every case of cases/reports.toml: small inputs behind reported confusions, under each declared setting."""

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ndcg_lab import errors
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Contract
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.measure.evaluation import Evaluation, evaluate
from ndcg_lab.reports.report import Report, evaluate_run

CASES = tomllib.loads((Path(__file__).parent.parent / "cases" / "reports.toml").read_text(encoding="utf-8"))["case"]
CONTRACT = {field.name for field in FIELDS}
AGGREGATION = {field.name for field in AGGREGATION_FIELDS}
EXPECTED = {"value", "num", "den", "float", "error", "names", "undefined"}
EXPECTED_OF_MEAN = {"mean", "mean_undefined_because_of", "excluded", "error"}

SINGLE = [(case, expect) for case in CASES if "needs" not in case for expect in case["expect"]]
SEVERAL = [(case, expect) for case in CASES if "needs" in case for expect in case["expect"]]


def named(pair: tuple[dict[str, Any], dict[str, Any]]) -> str:
    case, expect = pair
    return "-".join([case["id"], *(f"{key}={value}" for key, value in expect.items() if key in CONTRACT | AGGREGATION)])


def contract(case: dict[str, Any], expect: dict[str, Any]) -> Contract:
    return Contract(**case["contract"], **{key: value for key, value in expect.items() if key in CONTRACT})


def linear(terms: list[tuple[int, str]]) -> Linear:
    return Linear({b: Fraction(q) for b, q in terms})


def test_the_file_is_whole() -> None:
    assert (len(CASES), len(SINGLE), len(SEVERAL)) == (22, 39, 9)


@pytest.mark.parametrize("pair", SINGLE, ids=named)
def test_one_query(pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
    case, expect = pair
    assert set(expect) <= CONTRACT | EXPECTED
    ranking = Ranking.from_scores(case["scores"]) if "scores" in case else Ranking(case["ranking"])

    def run() -> Evaluation:
        return evaluate(contract(case, expect), ranking, Judgments(case["judgments"]))

    if "error" in expect:
        with pytest.raises(getattr(errors, expect["error"]), match=expect.get("names")):
            run()
        return
    e = run()
    if "undefined" in expect:
        assert e.ndcg == Undefined(expect["undefined"])
        return
    assert not isinstance(e.ndcg, Undefined)
    if "value" in expect:
        assert e.ndcg == Fraction(expect["value"])
    else:
        assert e.dcg == linear(expect["num"])
        assert e.idcg == linear(expect["den"])
        assert e.ndcg == linear(expect["num"]) / linear(expect["den"])
    if "float" in expect:
        assert float(e.ndcg).hex() == expect["float"].hex()


@pytest.mark.parametrize("pair", SEVERAL, ids=named)
def test_several_queries(pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
    case, expect = pair
    assert set(expect) <= CONTRACT | AGGREGATION | EXPECTED_OF_MEAN
    qrels = {query: need["judgments"] for query, need in case["needs"].items()}
    rankings = {query: Ranking(need["ranking"]) for query, need in case["needs"].items() if "ranking" in need}

    def run() -> Report:
        settings = {key: value for key, value in expect.items() if key in AGGREGATION}
        return evaluate_run(contract(case, expect), rankings, qrels, **settings)

    if "error" in expect:
        assert expect["error"] == "names Q2"
        with pytest.raises(errors.MissingResults, match="Q2"):
            run()
        return
    report = run()
    if "mean_undefined_because_of" in expect:
        assert isinstance(report.mean.ndcg, Undefined)
        assert report.mean.ndcg.reason == "zero ideal"
        assert report.mean.ndcg.queries == (expect["mean_undefined_because_of"],)
    else:
        assert report.mean.ndcg == Fraction(expect["mean"])
    if "excluded" in expect:
        assert [excluded.query for excluded in report.excluded] == expect["excluded"]


@pytest.mark.parametrize("case", [case for case in CASES if "reported" in case], ids=lambda case: case["id"])
def test_the_reported_number_is_some_setting_s(case: dict[str, Any]) -> None:
    """The number that a tool prints is what one choice of the named setting gives, to the digits printed."""
    places = len(case["reported"].partition(".")[2])
    ranking = Ranking.from_scores(case["scores"]) if "scores" in case else Ranking(case["ranking"])
    found = set()
    for expect in case["expect"]:
        if "error" not in expect and case["setting"] in expect:
            value = evaluate(contract(case, expect), ranking, Judgments(case["judgments"])).ndcg
            assert not isinstance(value, Undefined)
            found.add(value.rounded(places))
    assert Fraction(case["reported"]) in found
