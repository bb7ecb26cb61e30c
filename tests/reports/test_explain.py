"""Explaining two numbers: what differs, one change at a time, each alone, and who leads on the way."""

import json
import tomllib
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_lab import (
    Contract,
    Explanation,
    Judgments,
    NdcgLabError,
    Ranking,
    Report,
    a,
    evaluate,
    evaluate_run,
    explain,
    reversal,
)
from ndcg_lab.certificates.checker import check
from ndcg_lab.errors import Undecided
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.measure.contract import FIELDS
from ndcg_lab.measure.evaluation import Evaluation
from ndcg_lab.reports.explanation import Lead

FOUR = {"A": 3, "B": 2, "C": 2, "D": 0}
X, Y = ["B", "C", "A", "D"], ["A", "D", "B", "C"]
LINEAR = Contract(gain="linear", k=3)


def four(order: list[str], grades: dict[str, Any] = FOUR, **fields: object) -> Evaluation:
    return evaluate(LINEAR.replace(**fields), Ranking(order), Judgments(grades))


def values(explanation: Explanation) -> list[object]:
    return [step.mean for step in (explanation.start, *explanation.steps)]


# One ranking.


def test_one_setting_changes_one_number() -> None:
    explanation = explain(four(X), four(X, gain="exponential"))
    assert [(d.field, d.a, d.b) for d in explanation.differences] == [("gain", "linear", "exponential")]
    # DCG 2 + 2a + 3/2 over 3 + 2a + 2/2; with gains 2^r - 1: 3 + 3a + 7/2 over 7 + 3a + 3/2.
    assert values(explanation) == [
        (Fraction(7, 2) + 2 * a) / (4 + 2 * a),
        (Fraction(13, 2) + 3 * a) / (Fraction(17, 2) + 3 * a),
    ]
    assert explanation.summary == "NDCG is 0.90498 in A and 0.80756 in B, 0.09742 less. Only `gain` differs."


def test_every_change_stands_in_its_turn_and_alone() -> None:
    explanation = explain(four(X, k=1), four(X, gain="exponential", k=4, discount="none", zero_ideal="one"))
    assert [step.change for step in explanation.steps] == ["gain", "k", "discount", "zero_ideal"]
    # k = 1: 2/3, 3/7; then 10 ranks of 3 + 3a + 7/2 + 0 over 7 + 3a + 3/2; without discounts every order is perfect.
    exponential = (Fraction(13, 2) + 3 * a) / (Fraction(17, 2) + 3 * a)
    assert values(explanation) == [Fraction(2, 3), Fraction(3, 7), exponential, 1, 1]
    linear = (Fraction(7, 2) + 2 * a) / (4 + 2 * a)
    assert [step.mean for step in explanation.alone] == [Fraction(3, 7), linear, Fraction(2, 3), Fraction(2, 3)]
    assert "`zero_ideal` changes no number here." in explanation.summary
    assert "No change alone carries the whole disagreement; `k` moves most (+0.23831)." in explanation.summary
    assert "`discount` (0 alone, +0.19244 in its turn)" in explanation.summary


def test_a_change_that_carries_the_whole_disagreement_is_named() -> None:
    explanation = explain(four(X), four(X, gain="exponential", ties="average"))
    assert "`gain` alone carries the whole disagreement. `ties` changes no number here." in explanation.summary


def test_two_changes_that_each_carry_it() -> None:
    both = explain(four(["A", "B"], {"A": 1, "B": 1}, k=4, gain="linear"), four(["A"], {"A": 1, "B": 1}, k=1))
    assert both.start.mean == both.end.mean == 1
    assert both.summary.startswith("NDCG is 1 in both, exactly.")
    each = explain(four(["B", "A"], k=1), four(["A", "B"], k=1, gain="binary:2"))
    assert [step.change for step in each.alone] == ["gain", "order"]
    assert "Each of `gain` and `order` alone carries the whole disagreement." in each.summary


def test_nothing_differs() -> None:
    explanation = explain(four(X), four(X))
    assert (explanation.differences, explanation.steps, explanation.alone) == ((), (), ())
    assert explanation.summary == "Nothing differs that enters a number: NDCG is 0.90498 in both."
    told = explain(four(X), evaluate(LINEAR, Ranking(X), Judgments(FOUR, need="cars")))
    assert [d.field for d in told.differences] == ["need"]
    assert "`need` differs, and enters no number" in told.summary


def test_data_changes_come_after_settings() -> None:
    grades = {"A": 1, "B": 2, "C": 2, "E": 3}
    explanation = explain(four(X), four(["E", "C", "B", "A"], grades, gain="exponential"))
    names = ["gain", "grades", "judged documents", "returned documents", "order"]
    assert [step.change for step in explanation.steps] == [step.change for step in explanation.alone] == names
    # The data as they stand at each step, written out: grades, judged documents, the list.
    steps = [
        (FOUR, X),
        ({**FOUR, "A": 1}, X),
        (grades, X),
        (grades, ["E", "B", "C", "A"]),
        (grades, ["E", "C", "B", "A"]),
    ]
    exponential = LINEAR.replace(gain="exponential", unjudged="zero")
    lenient = explain(four(X, unjudged="zero"), four(["E", "C", "B", "A"], grades, gain="exponential", unjudged="zero"))
    for step, (judged, order) in zip(lenient.steps, steps, strict=True):
        assert step.mean == evaluate(exponential, Ranking(order), Judgments(judged)).ndcg


def test_a_refused_step_holds_the_reason() -> None:
    """E is judged in the second alone: with its document returned and not yet judged, `unjudged = error` refuses."""
    explanation = explain(four(["A", "B"], {"A": 1, "B": 0}), four(["A", "E"], {"A": 1, "E": 2}))
    names = ["judged documents", "returned documents"]
    assert [step.change for step in explanation.steps] == names
    assert explanation.steps[0].result is None
    assert "document 'B' was returned and has no grade; `unjudged` decides" in str(explanation.steps[0].error)
    record = explanation.to_json()["steps"][0]
    assert record == {"change": "judged documents", "error": explanation.steps[0].error}
    assert explanation.steps[1].mean == explanation.end.mean == (1 + 2 * a) / (2 + a)
    assert "With `returned documents` alone changed the contract refuses" in explanation.summary
    assert "refused" in str(explanation)


def test_an_undefined_value_is_said() -> None:
    explanation = explain(four(["A"], {"A": 0}), four(["A"], {"A": 0}, zero_ideal="one"))
    assert explanation.summary == "NDCG is undefined (zero ideal) in A and 1 in B. Only `zero_ideal` differs."
    assert explanation.to_json()["start"]["mean"] == {"undefined": "zero ideal"}


def test_a_report_beside_an_evaluation_is_refused() -> None:
    report = evaluate_run(LINEAR, {"q": X}, {"q": FOUR})
    with pytest.raises(NdcgLabError, match="take two of a kind"):
        explain(report, four(X))


# Reports.


def two_queries(order: list[str] = X, **settings_: Any) -> Report:
    contract = Contract(**{"gain": "linear", "k": 3, **{f: settings_.pop(f) for f in FIELD_NAMES & settings_.keys()}})
    return evaluate_run(contract, {"q1": order, "q2": ["E", "F"]}, {"q1": FOUR, "q2": {"E": 0, "F": 1}}, **settings_)


FIELD_NAMES = {field.name for field in FIELDS}


def test_the_mean_and_every_query_after_each_step() -> None:
    explanation = explain(two_queries(), two_queries(gain="exponential", weights={"q2": 3}))
    assert [step.change for step in explanation.steps] == ["gain", "weights"]
    linear = (Fraction(7, 2) + 2 * a) / (4 + 2 * a)
    exponential = (Fraction(13, 2) + 3 * a) / (Fraction(17, 2) + 3 * a)
    assert [step.queries for step in (explanation.start, *explanation.steps)] == [
        {"q1": linear, "q2": a},
        {"q1": exponential, "q2": a},
        {"q1": exponential, "q2": a},
    ]
    assert values(explanation) == [(linear + a) / 2, (exponential + a) / 2, (exponential + 3 * a) / 4]
    assert [step.mean for step in explanation.alone] == [(exponential + a) / 2, (linear + 3 * a) / 4]
    assert "q2" in str(explanation)


def test_queries_left_out_follow_from_other_changes() -> None:
    qrels, run = {"q1": FOUR, "q2": {"E": 1}}, {"q1": X}
    one = evaluate_run(LINEAR, run, qrels, missing="zero")
    other = evaluate_run(LINEAR, run, qrels, missing="exclude")
    explanation = explain(one, other)
    assert [step.change for step in explanation.steps] == ["missing"]
    assert [d.to_json() for d in explanation.differences] == [
        {"field": "missing", "a": "zero", "b": "exclude"},
        {"field": "left out", "a": {}, "b": {"q2": "no results"}},
    ]
    (step,) = explanation.steps
    assert list(step.queries) == ["q1"]


def test_means_that_agree_over_queries_that_do_not() -> None:
    qrels = {"q1": {"A": 1, "B": 0}, "q2": {"A": 0, "B": 1}}
    one, other = (
        evaluate_run(LINEAR, {"q1": list(first), "q2": list(first)}, qrels) for first in permutations(["A", "B"])
    )
    assert one.mean.ndcg == other.mean.ndcg == (1 + a) / 2
    explanation = explain(one, other)
    assert "in both, exactly, though the value of 2 queries differs. The runs differ (`order`), and nothing else." in (
        explanation.summary
    )


def test_json_has_the_stated_shape() -> None:
    record = json.loads(json.dumps(explain(two_queries(), two_queries(Y, gain="exponential")).to_json()))
    assert set(record) == {"differences", "start", "steps", "alone", "lead", "summary"}
    assert [d["field"] for d in record["differences"]] == ["gain", "order"]
    for part in ("steps", "alone"):
        assert [step["change"] for step in record[part]] == ["gain", "order"]
        for step in record[part]:
            assert [query["query"] for query in step["queries"]] == ["q1", "q2"]
            assert {"float", "decimal"} <= set(step["mean"])
    assert record["steps"][0]["queries"][0]["ndcg"]["exact"] == "(13/2 + 3a)/(17/2 + 3a)"


def test_html_shows_foreign_names_as_text() -> None:
    name = "<script>alert(1)</script>"
    one, other = ({name: 2, "B": 1}, {name: 1, "B": 2})
    reports = [
        evaluate_run(LINEAR, {name: [name, "B"], "q": ["B"]}, {name: grades, "q": {"B": 1}}) for grades in (one, other)
    ]
    html = explain(reports[0], reports[1])._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html


# Who leads.


def lead_of(order_a: list[str], order_b: list[str], **fields: Any) -> tuple[Evaluation, Evaluation]:
    return four(order_a, **fields), four(order_b, **fields)


def test_gain_flips_the_lead() -> None:
    """Linear: DCG 7/2 + 2a against 3 + 1 (Y has 3, 0, 2/2): X leads. Exponential: 13/2 + 3a against 7 + 3/2: Y."""
    turn = reversal(lead_of(X, Y), lead_of(X, Y, gain="exponential"))
    assert (turn.start.sign, turn.end.sign, turn.reversed) == (1, -1, True)
    assert turn.summary.endswith("`gain` flips the lead.")
    assert "because" in str(turn)


def certified(lead: Lead) -> int:
    assert lead.comparison is not None
    assert lead.comparison.certificate is not None
    return check(lead.comparison.certificate)


def test_a_lead_comes_with_its_proof() -> None:
    turn = reversal(lead_of(X, Y), lead_of(X, Y, gain="exponential"))
    assert [certified(lead) for lead in (turn.start, *turn.steps, *turn.alone)] == [1, -1, -1]
    record = turn.to_json()
    assert check(record["start"]["certificate"]) == record["start"]["sign"] == 1
    assert check(record["steps"][0]["certificate"]) == record["steps"][0]["sign"] == -1


def test_a_lead_that_only_one_change_turns() -> None:
    """At k = 4 Y leads under both gains (claims of the lesson: linear signs by k are -, +, +, -)."""
    turn = reversal(lead_of(X, Y), lead_of(X, Y, gain="exponential", zero_ideal="one"))
    assert "`gain` alone flips the lead." in turn.summary
    back = reversal(lead_of(X, Y, k=4), lead_of(X, Y, gain="exponential", k=3))
    assert (back.start.sign, back.end.sign) == (-1, -1)
    assert [(lead.change, lead.sign) for lead in back.alone] == [("gain", -1), ("k", 1)]
    assert back.summary.endswith("No reversal, though `k` alone would turn the lead.")


def test_a_lead_that_takes_two_changes() -> None:
    """k = 1 and k = 2 with linear gain: 2 against 3 at k = 1, 2 + 2a against 3 at k = 2."""
    one = {"A": 3, "B": 2, "C": 2, "D": 0}
    turn = reversal(lead_of(X, Y, k=1), lead_of(X, Y, k=2))
    assert (turn.start.sign, turn.end.sign) == (-1, 1)
    table = "0=0,2=2,3=30"
    both = reversal(
        (four(X, one, k=1, gain=table), four(Y, one, k=1, gain=table)), (four(X, one, k=2), four(Y, one, k=2))
    )
    assert [(lead.change, lead.sign) for lead in both.alone] == [("gain", -1), ("k", -1)]
    assert (both.start.sign, both.end.sign) == (-1, 1)
    assert "No change alone flips the lead, but `gain` and `k` together do. It turns with `k`" in both.summary


def test_explain_follows_the_lead_where_runs_and_settings_differ() -> None:
    explanation = explain(two_queries(X), two_queries(Y, gain="exponential"))
    lead = explanation.lead
    assert lead is not None
    assert [step.change for step in lead.steps] == ["gain"]  # the runs stay what they are
    assert (lead.start.sign, lead.end.sign) == (1, -1)
    assert lead.start.counts == (1, 1, 0)
    assert "Under A's settings A's run leads by" in explanation.summary
    assert "`gain` flips the lead." in explanation.summary
    assert explain(two_queries(X), two_queries(X, gain="exponential")).lead is None
    assert explain(two_queries(X), two_queries(Y)).lead is None


def test_a_lead_under_a_contract_that_refuses() -> None:
    one = (four(["A", "B"]), four(["B", "A"]))
    lenient = evaluate(LINEAR.replace(unjudged="zero"), Ranking(["A", "Z"]), Judgments(FOUR))
    turn = reversal(one, (lenient, lenient))
    assert [lead.error is None for lead in turn.alone] == [True, False]
    assert "refused" in str(turn)
    assert turn.to_json()["alone"][1]["error"].startswith("A: document 'Z'")


def test_an_undefined_lead() -> None:
    zero = (four(["A"], {"A": 0}), four(["A"], {"A": 0}))
    one = (four(["A"], {"A": 0}, zero_ideal="one"), four(["A"], {"A": 0}, zero_ideal="one"))
    turn = reversal(zero, one)
    assert (turn.start.sign, turn.end.sign, turn.reversed) == (None, 0, False)
    assert "no one leads" in turn.summary
    assert "A and B are exactly equal" in turn.summary


# The confusions that people reported, backwards: from the two numbers to the setting.

CASES = tomllib.loads((Path(__file__).parent.parent / "cases" / "reports.toml").read_text(encoding="utf-8"))["case"]
REPORTED = [case for case in CASES if "reported" in case]


def evaluations(case: dict[str, Any]) -> list[tuple[str, Evaluation]]:
    """Under each contract of the case that gives a value: the setting's value, and the evaluation."""
    ranking = Ranking.from_scores(case["scores"]) if "scores" in case else Ranking(case["ranking"])
    return [
        (
            expect[case["setting"]],
            evaluate(
                Contract(**case["contract"], **{case["setting"]: expect[case["setting"]]}),
                ranking,
                Judgments(case["judgments"]),
            ),
        )
        for expect in case["expect"]
        if "error" not in expect
    ]


def prints(reported: str, value: Exact | Undefined) -> bool:
    """Whether a number is printed so, to as many places as the report has."""
    places = len(reported.partition(".")[2])
    return f"{float(value):.{places}f}" == reported


def test_the_cases_with_a_reported_number_are_all_here() -> None:
    assert len(REPORTED) == 10


@pytest.mark.parametrize("case", REPORTED, ids=lambda case: case["id"])
def test_a_reported_number_is_explained_by_its_setting(case: dict[str, Any]) -> None:
    found = evaluations(case)
    theirs = [(setting, e) for setting, e in found if prints(case["reported"], e.ndcg)]
    assert theirs, "no contract of the case gives the reported number"
    pairs = [(one, other) for other in theirs for one in found if one[1].ndcg != other[1].ndcg]
    assert pairs
    for (mine, one), (other_setting, other) in pairs:
        for explanation in (explain(one, other), explain(*map(as_report, (one, other)))):
            assert [(d.field, d.a, d.b) for d in explanation.differences] == [(case["setting"], mine, other_setting)]
            assert [step.change for step in explanation.steps] == [case["setting"]]
            assert f"Only `{case['setting']}` differs." in explanation.summary
            assert explanation.end.mean == other.ndcg


def as_report(e: Evaluation) -> Report:
    return evaluate_run(e.contract, {"q": e.ranking}, {"q": e.judgments})


# Any two reports.

documents = st.sampled_from("ABCD")
orders = st.lists(documents, unique=True, min_size=1, max_size=4)
grades = st.dictionaries(documents, st.integers(0, 3), min_size=1)
contracts = st.builds(
    Contract,
    gain=st.sampled_from(["linear", "exponential", "binary:2"]),
    k=st.sampled_from([1, 2, "all"]),
    discount=st.sampled_from(["log2", "reciprocal", "none"]),
    unjudged=st.sampled_from(["zero", "remove", "error"]),
    zero_ideal=st.sampled_from(["undefined", "zero", "one", "exclude"]),
)
reports = st.builds(
    lambda contract, run, qrels, missing: (contract, run, qrels, missing),
    contracts,
    st.dictionaries(st.sampled_from(["p", "q"]), orders, min_size=1),
    st.dictionaries(st.sampled_from(["p", "q"]), grades, min_size=1),
    st.sampled_from(["zero", "exclude"]),
)


def attempt(contract: Contract, run: Any, qrels: Any, missing: Any) -> Report | None:
    try:
        return evaluate_run(contract, run, qrels, missing=missing)
    except NdcgLabError:
        return None


@settings(max_examples=150)
@given(reports, reports)
def test_settings_alone_are_the_same_data_under_another_setting(one: Any, other: Any) -> None:
    first, second = attempt(*one), attempt(*other)
    if first is None or second is None:
        return
    explanation = explain(first, second)
    assert [step.change for step in explanation.steps] == [step.change for step in explanation.alone]
    assert explanation.end.mean == second.mean.ndcg
    assert explanation.end.queries == {result.query: result.ndcg for result in second}
    contract = one[0]
    for step, alone in zip(explanation.steps, explanation.alone, strict=True):
        if step.change not in FIELD_NAMES:
            break
        changed = {step.change: getattr(other[0], step.change)}
        contract = contract.replace(**changed)
        for state, terms in ((step, contract), (alone, one[0].replace(**changed))):
            expected = attempt(terms, *one[1:])
            assert (state.result is None) == (expected is None)
            if expected is not None:
                assert state.mean == expected.mean.ndcg
                assert state.queries == {result.query: result.ndcg for result in expected}
    str(explanation), json.dumps(explanation.to_json())


def test_a_difference_too_small_for_five_places_is_shown() -> None:
    judged = {"A": 1, "B": "0.999999999"}
    explanation = explain(four(["A", "B"], judged, k=2), four(["B", "A"], judged, k=2))
    # The difference is 1e-9 (1 - a) over 1 + (1 - 1e-9) a.
    assert "NDCG is 1 in A and 1.00000 (not 1) in B, 2.3e-10 less." in explanation.summary


# What moves most.


def test_changes_that_move_equally_are_all_named() -> None:
    # Of three queries one gives 1; one has an ideal of 0; one returns A below an unjudged document, cut at 1.
    qrels = {"q1": {"A": 1}, "q2": {"A": 0}, "q3": {"A": 1}}
    run = {"q1": ["A"], "q2": ["A"], "q3": ["U", "A"]}
    first, second = (
        evaluate_run(
            Contract.from_json({"gain": "linear", "k": 1, "unjudged": unjudged, "zero_ideal": zero_ideal}), run, qrels
        )
        for unjudged, zero_ideal in (("zero", "zero"), ("remove", "one"))
    )
    assert first.mean.ndcg == Fraction(1, 3)
    assert second.mean.ndcg == 1
    told = "; `unjudged` (+0.33333) and `zero_ideal` (+0.33333) move most, and equally."
    assert f"No change alone carries the whole disagreement{told}" in explain(first, second).summary


def test_where_nothing_moves_alone_no_change_is_said_to_move_most() -> None:
    # The gain of grade 1 and the place of A below an unjudged document each keep the number at 0.
    first, second = (
        evaluate(
            Contract(gain=gain, k=1, zero_ideal="zero").replace(unjudged=unjudged),
            Ranking(["U", "A"]),
            Judgments({"A": 1}),
        )
        for gain, unjudged in (("binary:2", "zero"), ("linear", "remove"))
    )
    assert first.ndcg == 0
    assert second.ndcg == 1
    summary = explain(first, second).summary
    assert "No change alone carries the whole disagreement, and none moves it." in summary
    assert "most" not in summary


def test_an_evaluation_of_nothing_is_explained() -> None:
    contract = Contract(gain="linear", k=2, unjudged="zero")
    for rankings in permutations([Ranking([]), Ranking(["A"])]):
        one, other = (
            evaluate(contract.replace(zero_ideal=zero), ranking, Judgments({}))
            for ranking, zero in zip(rankings, ("zero", "one"), strict=True)
        )
        explanation = explain(one, other)
        assert [step.mean for step in explanation.steps] == [1, 1]
        assert explanation.lead is not None
        assert explanation.lead.end.sign == 0


def test_where_it_can_not_be_decided_no_change_is_said_to_move_most(monkeypatch: pytest.MonkeyPatch) -> None:
    explanation = explain(four(X, k=1), four(X, gain="exponential", k=4, discount="none"))
    assert "; `k` moves most (+0.23831)." in explanation.summary

    def undecided(*_: object) -> bool:
        raise Undecided("at the precision cap")

    again = explain(four(X, k=1), four(X, gain="exponential", k=4, discount="none"))
    monkeypatch.setattr(Exact, "__lt__", undecided)
    assert "No change alone carries the whole disagreement. " in again.summary
    assert "most" not in again.summary
