"""Comparing evaluations and reports: the sign, the exact difference, its certificate, and what is mixed."""

from fractions import Fraction
from typing import Any

import pytest

from ndcg_lab import Contract, Judgments, NdcgLabError, Ranking, a, compare, evaluate, evaluate_run, parse
from ndcg_lab.certificates.checker import check
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.measure.comparison import Comparison
from ndcg_lab.measure.evaluation import Evaluation

FOUR = {"A": 3, "B": 2, "C": 2, "D": 0}
X, Y = ["B", "C", "A", "D"], ["A", "D", "B", "C"]


def proved(comparison: Comparison) -> int:
    assert comparison.certificate is not None
    return check(comparison.certificate)


def four(order: list[str], **fields: Any) -> Evaluation:
    return evaluate(Contract(**{"gain": "linear", "k": 3, **fields}), Ranking(order), Judgments(FOUR))


@pytest.mark.parametrize(
    ("gain", "k", "sign"),
    [("linear", 1, -1), ("linear", 2, 1), ("linear", 3, 1), ("linear", 4, -1)]
    + [("exponential", k, -1) for k in range(1, 5)],
)
def test_the_lead_over_the_cutoff(gain: str, k: int, sign: int) -> None:
    result = compare(four(X, gain=gain, k=k), four(Y, gain=gain, k=k))
    assert result.sign == sign
    assert proved(result) == sign
    assert result.notes == ()


def test_the_difference_is_exact_and_its_reason_short() -> None:
    result = compare(four(X), four(Y))
    assert str(result.difference) == "(-1/2 + 2a)/(4 + 2a)"
    assert result.reason == "because a > 1/4, because 3 < 2^4"
    certificate = result.to_json()["certificate"]
    assert certificate["bounds"] == [{"b": 3, "lower": "1/4", "lower_powers": "3 < 2^4"}]
    assert compare(four(Y), four(X)).sign == -1


def test_ties_across_needs_are_exact() -> None:
    contract = Contract(gain="linear", k=5, unjudged="zero")
    fifth = evaluate(contract, Ranking(["p", "q", "r", "s", "A"]), Judgments({"A": 1}))
    second = evaluate(contract, Ranking(["p", "A"]), Judgments({"A": 1, "B": 1}))
    result = compare(fifth, second)
    assert result.sign == 0
    assert proved(result) == 0
    assert any("judgments differ" in note for note in result.notes)


def test_different_contracts_are_compared_and_named() -> None:
    result = compare(four(X), four(X, gain="exponential"))
    assert result.sign == 1
    assert any("gain" in note for note in result.notes)


def test_an_undefined_value_has_no_order() -> None:
    nothing = evaluate(Contract(gain="linear", k=3), Ranking(["D"]), Judgments({"D": 0}))
    result = compare(four(X), nothing)
    assert result.sign is None
    assert result.difference == Undefined("zero ideal")
    assert result.certificate is None
    assert result.to_json() == {"sign": None, "difference": {"undefined": "zero ideal"}, "certificate": None}


def test_reports_are_compared_by_query_and_on_the_mean() -> None:
    contract = Contract(gain="linear", k=3)
    qrels = {"q1": FOUR, "q2": {"P": 1, "Q": 0}}
    first = evaluate_run(contract, {"q1": Ranking(X), "q2": Ranking(["Q", "P"])}, qrels)
    second = evaluate_run(contract, {"q1": Ranking(Y), "q2": Ranking(["P", "Q"])}, qrels)
    result = compare(first, second)
    assert {query: c.sign for query, c in result.queries.items()} == {"q1": 1, "q2": -1}
    assert result.counts() == (1, 0, 1)
    expected = (parse("(7/2 + 2a)/(4 + 2a)") + a - parse("4/(4 + 2a)") - 1) * Fraction(1, 2)
    assert result.mean.difference == expected
    assert result.mean.sign == -1
    assert proved(result.mean) == -1
    assert [entry["query"] for entry in result.to_json()["queries"]] == ["q1", "q2"]


def test_queries_in_one_report_alone_are_named() -> None:
    contract = Contract(gain="linear", k=3)
    qrels = {"q1": FOUR, "q2": {"P": 1}}
    whole = evaluate_run(contract, {"q1": Ranking(X), "q2": Ranking(["P"])}, qrels)
    part = evaluate_run(contract, {"q1": Ranking(X)}, qrels, missing="exclude")
    result = compare(whole, part)
    assert result.only == (("q2",), ())
    assert any("q2" in note for note in result.notes)
    assert any("averaged by different settings" in note for note in result.notes)


def test_an_evaluation_and_a_report_do_not_mix() -> None:
    report: Any = evaluate_run(Contract(gain="linear", k=3), {"q1": Ranking(X)}, {"q1": FOUR})
    with pytest.raises(NdcgLabError, match="report"):
        compare(four(X), report)
