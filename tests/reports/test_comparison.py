"""Two reports compared: what is taken, what the notes say, and how what has no order is shown."""

import re
from itertools import permutations
from typing import Any

import pytest

from ndcg_lab import Contract, Judgments, NdcgLabError, Ranking, Report, compare, evaluate, evaluate_run, explain
from ndcg_lab.errors import WrongKind
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.reports.comparison_views import comparison_table, headline

LINEAR = Contract(gain="linear", k=1)
QRELS = {"q1": {"A": 2, "B": 1}, "q2": {"A": 2, "B": 1}}


def report(first: str = "A", second: str = "B", contract: Contract = LINEAR, **settings: Any) -> Report:
    return evaluate_run(contract, {"q1": [first], "q2": [second]}, settings.pop("qrels", QRELS), **settings)


EVALUATION = evaluate(LINEAR, Ranking(["A"]), Judgments(QRELS["q1"]))
STEP = explain(report(), report("B", contract=LINEAR.replace(gain="exponential"))).steps[0]


@pytest.mark.parametrize("other", [STEP, STEP.to_json(), report().to_json(), report().mean.ndcg, "report.json", None])
def test_only_what_was_evaluated_is_compared(other: Any) -> None:
    kind = re.escape(type(other).__name__)
    for known in (report(), EVALUATION):
        for name, pair in (("one", (other, known)), ("other", (known, other)), ("one", (other, other))):
            with pytest.raises(WrongKind, match=f"`{name}` can't be of the kind {kind}: write what `evaluate`"):
                compare(*pair)


def test_an_evaluation_and_a_report_are_not_compared() -> None:
    for one, other in permutations([EVALUATION, report()]):
        with pytest.raises(NdcgLabError, match=r"take report\[query\]"):
            compare(one, other)  # type: ignore[call-overload]  # what is tried here is what the type forbids


# Notes.


@pytest.mark.parametrize(
    ("settings", "note"),
    [
        ({"weights": {"q1": 2}}, "two questions are mixed: the weights differ"),
        ({"weights": {"q2": "1/3"}}, "two questions are mixed: the weights differ"),
        ({"contract": LINEAR.replace(discount="none")}, "two questions are mixed: the contracts differ in discount"),
        ({"aggregate": "ratio-of-sums"}, "two questions are mixed: the queries are averaged by different settings"),
        ({"qrels": {**QRELS, "q2": {"A": 1, "B": 3}}}, "two questions are mixed: the judgments differ for q2"),
        ({"queries": ["q1"]}, "only the first report averages q2"),
        ({}, None),
        ({"weights": {"q1": 1}}, None),
    ],
)
def test_what_mixes_two_questions_is_noted(settings: dict[str, Any], note: str | None) -> None:
    comparison = compare(report(), report("B", **settings))
    assert comparison.notes == comparison.mean.notes == (() if note is None else (note,))
    assert comparison.to_json()["notes"] == list(comparison.notes)


def test_the_weights_of_common_queries_alone_are_compared() -> None:
    # q2, which the second does not average, weighs 1 there whatever it weighs in the first.
    one, other = report(weights={"q2": 5}), report(queries=["q1"])
    assert compare(one, other).notes == ("only the first report averages q2",)


# What has no order.


def test_a_difference_of_undefined_values_is_shown_as_none() -> None:
    zero = {"q1": {"A": 2, "B": 1}, "q2": {"A": 0, "B": 0}}
    one, other = report(qrels=zero), report("B", qrels=zero)
    comparison = compare(one, other)
    assert comparison.queries["q2"].difference == Undefined("zero ideal")
    assert (comparison.queries["q2"].sign, comparison.mean.sign) == (None, None)
    table = comparison_table(comparison, one, other)
    assert table.rows[1:] == [
        ["q2", "undefined (zero ideal)", "undefined (zero ideal)", "", "no one", ""],
        ["mean", "undefined (zero ideal in q2)", "undefined (zero ideal in q2)", "", "no one", ""],
    ]
    assert table.rows[0][:5] == ["q1", "1", "0.50000", "+0.50000", "A"]
    assert headline(comparison, one, other) == (
        "The mean NDCG is undefined (zero ideal in q2) in A and undefined (zero ideal in q2) in B: no one leads."
    )


def test_one_undefined_value_is_enough() -> None:
    zero = {"q1": {"A": 2, "B": 1}, "q2": {"A": 0, "B": 0}}
    one, other = report(qrels=zero), report("B", qrels=zero, contract=LINEAR.replace(zero_ideal="zero"))
    for first, second in permutations([one, other]):
        comparison = compare(first, second)
        assert comparison.queries["q2"].to_json() == {
            "sign": None,
            "difference": {"undefined": "zero ideal"},
            "certificate": None,
        }
        assert comparison.mean.to_json()["difference"] == {"undefined": "zero ideal", "queries": ["q2"]}
        assert comparison_table(comparison, first, second).rows[1][3:] == ["", "no one", ""]
        assert headline(comparison, first, second).endswith(": no one leads.")


def test_a_lead_and_an_exact_tie_in_a_sentence() -> None:
    one, other = report("A", "B"), report("B", "A")
    assert headline(compare(one, other), one, other) == "Both means are exactly equal: 0.75000."
    assert [row[3:5] for row in comparison_table(compare(one, other), one, other).rows] == [
        ["+0.50000", "A"],
        ["-0.50000", "B"],
        ["0", "equal"],
    ]
    best = report("A", "A")
    told = "The mean NDCG is 1 in A and 0.75000 in B: A leads by 0.25000, proved."
    assert headline(compare(best, one), best, one) == told


def test_an_explanation_of_undefined_values_says_so() -> None:
    zero = {"q1": {"A": 2, "B": 1}, "q2": {"A": 0, "B": 0}}
    explanation = explain(
        report(qrels=zero), report("B", qrels=zero, contract=LINEAR.replace(zero_ideal="zero", gain="exponential"))
    )
    assert explanation.steps[0].moved is None
    (steps,) = (table for table in explanation.tables() if table.title.startswith("One change"))
    assert steps.rows[0][:3] == ["A", "undefined (zero ideal in q2)", ""]
    assert steps.rows[1][2] == ""
    assert explanation.lead is not None
    assert "no one leads, for a mean is undefined (zero ideal)" in explanation.lead.summary
