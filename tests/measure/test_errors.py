"""Errors say as data which setting decides, and what it takes."""

import pickle
from typing import Any

import pytest

from ndcg_lab import Contract, Judgments, Ranking, errors, evaluate, evaluate_run, family
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation

CHOICES = {field.name: tuple(choice.spelling for choice in field.choices) for field in (*FIELDS, *AGGREGATION_FIELDS)}
TIED = Ranking.from_scores({"A": 1, "B": 1})
GRADES = Judgments({"A": 1, "B": 0})


def one(ranking: Ranking | None = None, grades: dict[str, Any] | None = None, **settings: Any) -> None:
    stated = {"gain": "linear", "k": 1, **settings}
    evaluate(Contract(**stated), ranking or Ranking(["A"]), GRADES if grades is None else Judgments(grades))


def many(**settings: Any) -> None:
    evaluate_run(Contract(gain="linear", k=1), {}, {"q": {"A": 1}}, **settings)


@pytest.mark.parametrize(
    ("kind", "setting", "case"),
    [
        ("TiedScores", "ties", lambda: one(TIED)),
        ("TiedScores", "ideal_population", lambda: one(TIED, ties="average", ideal_population="returned-at-k")),
        ("UnjudgedDocument", "unjudged", lambda: one(Ranking(["C"]))),
        ("DuplicateDocument", "duplicates", lambda: one(Ranking(["A", "A"]), k=2)),
        ("NegativeGrade", "negative", lambda: one(grades={"A": -1})),
        ("NegativeGrade", "negative", lambda: one(gain="1=-1")),
        ("MissingGain", "gain", lambda: one(gain="0=0")),
        ("InvalidGrade", "gain", lambda: one(grades={"A": "1/2"}, gain="exponential")),
        ("InvalidGrade", "gain", lambda: one(grades={"A": 10**7}, gain="exponential")),
        ("MissingResults", "missing", many),
        ("ContractError", "ties", lambda: Contract(gain="linear", k=1, ties="first")),  # type: ignore[arg-type]
        ("ContractError", "k", lambda: Contract(gain="linear", k=0)),
        ("ContractError", "gain", lambda: Contract(k=1)),  # type: ignore[call-arg]
        ("ContractError", "missing", lambda: Aggregation(missing="one")),  # type: ignore[arg-type]
        ("ContractError", "query_set", lambda: many(query_set="all")),
    ],
)
def test_the_setting_that_decides_and_its_choices_are_data(kind: str, setting: str, case: Any) -> None:
    with pytest.raises(getattr(errors, kind)) as caught:
        case()
    error = caught.value
    assert (error.setting, error.choices) == (setting, CHOICES[setting])
    assert f"`{setting}" in str(error)
    for other in (error.retold("q: told again"), pickle.loads(pickle.dumps(error))):  # noqa: S301  # our own
        assert (type(other), other.setting, other.choices) == (type(error), setting, CHOICES[setting])


@pytest.mark.parametrize(
    ("kind", "setting", "ranking", "grades", "reading"),
    [
        ("TiedScores", "ties", TIED, {"A": 1, "B": 0}, {}),
        ("UnjudgedDocument", "unjudged", Ranking(["C"]), {"A": 1}, {}),
        ("NegativeGrade", "negative", Ranking(["A"]), {"A": -1}, {}),
        ("ContractError", "ties", TIED, {"A": 1, "B": 0}, {"ties": "first"}),
    ],
)
def test_the_family_says_so_too(kind: str, setting: str, ranking: Ranking, grades: Any, reading: Any) -> None:
    with pytest.raises(getattr(errors, kind)) as caught:
        family.precision(ranking, Judgments(grades), k=1, relevant_from=1, **reading)
    assert caught.value.setting == setting
    assert caught.value.choices[0] == "error"
    assert str(caught.value).endswith(", ".join(caught.value.choices))


def test_a_number_that_a_zero_ideal_leaves_open_names_what_would_supply_it() -> None:
    contract = Contract(gain="linear", k=1)
    zero = {"A": 0}
    single = evaluate(contract, Ranking(["A"]), Judgments(zero)).ndcg
    report = evaluate_run(contract, {"q1": ["A"], "q2": ["A"]}, {"q1": zero, "q2": {"A": 1}})
    sums = evaluate_run(contract, {"q": ["A"]}, {"q": zero}, aggregate="ratio-of-sums")
    for value, queries in ((single, ""), (report.mean.ndcg, r" \(queries q1\)"), (sums.mean.ndcg, "")):
        told = rf"zero ideal{queries}; `zero_ideal` decides: undefined, zero, one, exclude$"
        for use in (float, abs, lambda v: v + 1):
            with pytest.raises(errors.UndefinedValue, match=told) as caught:
                use(value)
            assert (caught.value.setting, caught.value.choices) == ("zero_ideal", CHOICES["zero_ideal"])
        assert value == Undefined("zero ideal")


def test_a_negative_ideal_is_supplied_by_no_setting() -> None:
    contract = Contract(gain="linear", k=1, negative="allow")
    with pytest.raises(errors.UndefinedValue, match=r"negative ideal$") as caught:
        float(evaluate(contract, Ranking(["A"]), Judgments({"A": -1})).ndcg)
    assert caught.value.setting is None


def test_a_query_that_is_named_keeps_what_decides() -> None:
    with pytest.raises(errors.UnjudgedDocument, match="query 'q'") as caught:
        evaluate_run(Contract(gain="linear", k=1), {"q": ["B"]}, {"q": {"A": 1}})
    assert caught.value.setting == "unjudged"


def test_an_error_that_no_setting_decides_names_none() -> None:
    with pytest.raises(errors.InvalidScore) as caught:
        Ranking.from_scores({"A": "x"})
    assert (caught.value.setting, caught.value.choices) == (None, ())
