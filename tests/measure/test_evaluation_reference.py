"""`evaluate` agrees with the slow reference on random small inputs, over every field of the contract."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from ndcg_lab import errors
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.measure.contract import FIELDS, Contract
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.measure.evaluation import evaluate
from tests import reference
from tests.support import cases as many

DOCUMENTS = ["A", "B", "C", "é", "z9"]
SCORES = ["0.80000001", "0.8", "2", "1/2", "1e-3", "-1"]
GRADES = [Fraction(text) for text in ("0", "1", "2", "3", "1", "1/2", "-1", "-8/5")]

# The choices that take a parameter, filled in; every other field takes each of its words.
FILLED = {
    "gain": ["linear", "exponential", "exponential:3/2", "power:2", "binary:1", "binary:1/2", "-1=-1,0=0,1=1,2=3,3=2"],
    "k": ["1", "2", "3", "4", "all"],
    "discount": [
        "log2",
        "log:e",
        "log:10",
        "log:4",
        "jarvelin",
        "jarvelin:4",
        "reciprocal",
        "geometric:1/2",
        "none",
    ],
    "round_to": ["none", "0", "2", "5"],
}
CHOICES = {field.name: FILLED.get(field.name) or [choice.spelling for choice in field.choices] for field in FIELDS}


def contracts(choices: dict[str, list[str]]) -> st.SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries({name: st.sampled_from(words) for name, words in choices.items()})


# Any contract, on any input; and contracts that refuse little, on inputs that reach a number.
lenient = {name: [word for word in words if word != "error" or name == "ties"] for name, words in CHOICES.items()}
grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from(GRADES), max_size=5)
plain = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3).map(Fraction), min_size=3, max_size=5)
entries = st.lists(st.tuples(st.sampled_from(DOCUMENTS), st.sampled_from(SCORES)), max_size=5)
long = st.lists(st.tuples(st.sampled_from(DOCUMENTS), st.sampled_from(SCORES[:3])), min_size=3, max_size=5)
cases = st.tuples(contracts(CHOICES), entries, grades) | st.tuples(contracts(lenient), long, plain)


Case = tuple[dict[str, str], list[tuple[str, str]], dict[str, Fraction]]


def ranking(entries: list[tuple[str, str]], scored: bool) -> Ranking:
    return Ranking.from_scores(entries) if scored else Ranking([document for document, _ in entries])


@settings(max_examples=many(ci=2_000, long=100_000), deadline=None)
@given(cases, st.booleans())
def test_evaluate_agrees_with_the_reference(case: Case, scored: bool) -> None:
    contract, entries, grades = case
    given_entries = [(document, score if scored else None) for document, score in entries]
    arguments = Contract.from_json(contract), ranking(entries, scored), Judgments(grades)
    wanted = reference.expected(contract, given_entries, grades)
    if isinstance(wanted, str):
        event(f"refused: {wanted}")
        with pytest.raises(getattr(errors, wanted)):
            evaluate(*arguments)
        return

    e = evaluate(*arguments)
    assert e.dcg.terms == wanted.dcg
    assert e.idcg.terms == wanted.idcg
    assert e.unjudged_in_k == wanted.unjudged_in_k
    assert sum((row.contribution for row in e.rows), Linear()) == e.dcg
    assert sum((row.contribution for row in e.ideal_rows), Linear()) == e.idcg
    if wanted.undefined:
        event(wanted.undefined)
        assert e.ndcg == Undefined(wanted.undefined)
    elif wanted.supplied is not None:
        assert e.ndcg == wanted.supplied
    else:
        event("a number")
        assert not isinstance(e.ndcg, Undefined)
        assert e.ndcg * e.idcg == e.dcg


@settings(max_examples=200, deadline=None)
@given(st.tuples(contracts(lenient), long, plain))
def test_outcomes_agree_with_the_reference(case: Case) -> None:
    contract, entries, grades = case
    contract |= {"ties": "average", "unjudged": "zero", "duplicates": "first", "negative": "zero", "round_to": "none"}
    wanted = reference.expected(contract, entries, grades)
    assume(not isinstance(wanted, str))
    assert not isinstance(wanted, str)
    found = evaluate(Contract.from_json(contract), ranking(entries, scored=True), Judgments(grades)).outcomes()
    assert sum(found.probabilities) == 1
    if wanted.undefined or wanted.supplied is not None:
        assert len(found) == 1
        return
    ideal = Linear(wanted.idcg)
    numbers = {Linear(dict(dcg)) / ideal: probability for dcg, probability in wanted.outcomes.items()}
    event(f"{min(len(numbers), 3)} outcomes or more")
    assert dict(found) == numbers
    assert found.mean == Linear(wanted.dcg) / ideal
    ordered = [value for value in found.values if not isinstance(value, Undefined)]
    assert all(left > right for left, right in pairwise(ordered))


def test_every_choice_is_tried() -> None:
    words = {"linear", "exponential", "log2", "log:e", "jarvelin", "reciprocal", "none", "all"}
    for field in FIELDS:
        spelled = {choice.spelling for choice in field.choices if choice.spelling in words or field.name not in FILLED}
        assert spelled <= set(CHOICES[field.name])
