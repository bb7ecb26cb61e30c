"""Every case and every relation of cases/exact.json: terms, 50 digits, nearest doubles, proved signs."""

import json
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ndcg_lab import compare
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.measure.contract import Contract
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.measure.evaluation import Evaluation, evaluate

LEDGER = json.loads((Path(__file__).parent.parent / "cases" / "exact.json").read_text(encoding="utf-8"))
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in LEDGER["cases"]}

GAINS = {"identity": "linear", "exp2": "exponential"}
DISCOUNTS = {"jk2002_base2": "jarvelin", "zipf": "reciprocal"}
TIES: dict[str, Any] = {"order": "error", "expected": "average", "best": "best", "worst": "worst"}
IDEALS: dict[str, Any] = {"universe": "judged", "candidates": "returned"}


def contract(case: dict[str, Any]) -> Contract:
    discount = case["discount"]
    return Contract(
        gain=case["gain"].get("table") or GAINS[case["gain"]["type"]],
        k=case["k"] or "all",
        discount=DISCOUNTS.get(discount["type"]) or f"log:{discount['base']}",
        ties=TIES[case["ties"]],
        ideal_population=IDEALS[case["ideal"]],
        negative="allow",
    )


@cache
def evaluated(name: str) -> Evaluation:
    case = CASES[name]
    ranking = Ranking.from_scores(case["scores"]) if case["ranking"] is None else Ranking(case["ranking"])
    return evaluate(contract(case), ranking, Judgments(case["universe"]))


def holds(value: Exact, digits: str, double: str) -> bool:
    """Whether a value has these 50 digits, trailing zeros included, and this nearest double."""
    size = len(Decimal(digits).as_tuple().digits)
    return Decimal(value.decimal(size)).as_tuple() == Decimal(digits).as_tuple() and float(value) == float.fromhex(
        double
    )


def terms(pairs: list[tuple[int, str]]) -> dict[int, Fraction]:
    return {b: Fraction(q) for b, q in pairs}


def test_the_ledger_is_whole() -> None:
    assert (len(CASES), len(LEDGER["relations"])) == (121, 37)


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    case, e = CASES[name], evaluated(name)
    assert e.dcg.terms == terms(case["dcg"])
    assert e.idcg.terms == terms(case["idcg"])
    scale = None if case["scale"] == "1" else case["scale"]
    assert e.dcg.scale == (scale if case["dcg"] else None)  # the scale of 0 says nothing
    assert e.idcg.scale == (scale if case["idcg"] else None)
    assert holds(e.dcg, case["dcg50"], case["dcg_double"])
    assert holds(e.idcg, case["idcg50"], case["idcg_double"])
    if case["ndcg50"] is None:
        assert e.ndcg == Undefined("negative ideal" if case["idcg"] else "zero ideal")
        return
    assert not isinstance(e.ndcg, Undefined)
    assert holds(e.ndcg, case["ndcg50"], case["ndcg_double"])
    assert e.ndcg.is_rational == (case["ndcg_rational"] is not None)
    if case["ndcg_rational"] is not None:
        assert e.ndcg == Fraction(case["ndcg_rational"])
    if scale is None:
        assert str(e.dcg) == case["dcg_text"]
        assert str(e.idcg) == case["idcg_text"]


@pytest.mark.parametrize("relation", LEDGER["relations"], ids=lambda r: f"{r['a']}-{r['b']}-{r['metric']}")
def test_relation(relation: dict[str, Any]) -> None:
    one, other = evaluated(relation["a"]), evaluated(relation["b"])
    left, right = (one.dcg, other.dcg) if relation["metric"] == "dcg" else (one.ndcg, other.ndcg)
    assert not isinstance(left, Undefined)
    assert not isinstance(right, Undefined)
    assert (left - right).sign() == relation["sign"]
    assert (left == right) == (relation["sign"] == 0)
    assert (left < right) == (relation["sign"] < 0)
    assert (float(left) == float(right)) == relation["equal_doubles"]
    if relation["sign"] == 0:
        assert hash(left) == hash(right)
    if relation["metric"] == "ndcg":
        assert compare(one, other).sign == relation["sign"]
