"""The search in doubles holds to the evaluator: over every combination of fields, on random data."""

import math
import random
from fractions import Fraction
from typing import Any

import pytest

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.identification import identify
from ndcg_lab.identification import search as searching
from ndcg_lab.identification.chance import Seen
from ndcg_lab.identification.hits import Target
from ndcg_lab.identification.printed import read_printed, readings
from ndcg_lab.identification.search import Found
from ndcg_lab.identification.space import COSTS, Query, Space, overs, spellings
from ndcg_lab.measure import rules
from ndcg_lab.measure.contract import Contract
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.measure.evaluation import evaluate
from ndcg_lab.reports.report import evaluate_run
from tests.support import cases

CONTRACT = ["ideal_population", "ideal_cutoff", "ties", "score_precision", "unjudged", "duplicates", "negative"]
ANY = read_printed("0.5")


def drawn(draw: random.Random, names: list[str]) -> dict[str, Any]:
    return {name: draw.choice([choice for choice in COSTS[name] if choice != "error"]) for name in names}


def drawn_contract(draw: random.Random, zero_ideals: tuple[Any, ...] = ("zero", "one")) -> Contract:
    return Contract(
        **drawn(draw, CONTRACT),
        gain=draw.choice([*spellings("gain"), "binary:1", "binary:2", "0=0,1=2,2=1,3=7,-1=-1,1/2=1"]),
        discount=draw.choice(spellings("discount")),
        k=draw.choice([1, 2, 3, 4, 7, "all"]),
        zero_ideal=draw.choice(zero_ideals),
    )


def drawn_query(draw: random.Random, name: str, *, empty: float = 0.0) -> Query:
    grades = draw.choice([["0", "1", "2", "3"], ["0", "1", "1/2", "-1"], ["0", "0", "1"]])
    judged = {document: draw.choice(grades) for document in "abcde" if draw.random() < 0.7}
    scores = ["1", "2", draw.choice(["2.00000000001", "3"])]
    listed = [(draw.choice("abcdexy"), draw.choice(scores)) for _ in range(draw.randint(1, 7))]
    return Query(
        name,
        Ranking.from_scores([] if draw.random() < empty else listed),
        Judgments({} if draw.random() < empty else judged or {"a": 1}),
    )


def everything(queries: list[Query], quantities: list[str], known: dict[str, Any]) -> Found:
    """All that the search looks at where these settings are known."""
    targets = {quantity: Target(quantity, 0.5, [(-math.inf, math.inf)]) for quantity in quantities}
    seen = Seen(ANY, {quantity: readings(ANY, "dcg") for quantity in quantities})
    return searching.search(queries, Space.of(queries, known), targets, [], seen)


def test_the_search_and_the_evaluator_give_the_same() -> None:
    draw = random.Random(7)  # noqa: S311 -- test data
    refused = 0
    for _ in range(cases(ci=250, long=50_000)):
        query, contract = drawn_query(draw, "q"), drawn_contract(draw)
        known = {name: value for name, value in contract.to_json().items() if name != "round_to"}
        hits = everything([query], ["ndcg", "dcg", "idcg"], known).hits
        try:
            e = evaluate(contract, query.ranking, query.judgments)
        except NdcgLabError:
            # DCG alone has no ideal, whose making the ties may leave open
            assert not [hit for hit in hits if hit.quantity != "dcg"], (contract, query)
            refused += 1
            continue
        values = {"ndcg": e.ndcg, "dcg": e.dcg, "idcg": e.idcg}
        found = {hit.quantity: hit.value for hit in hits}
        defined = {name: float(value) for name, value in values.items() if not isinstance(value, Undefined)}
        assert found == pytest.approx(defined, rel=1e-9, abs=1e-9), (contract, query)
    assert refused > 5


def test_over_queries_the_search_and_the_report_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MOST_COST_OF_MEANS", math.inf)
    draw = random.Random(11)  # noqa: S311 -- test data
    compared = 0
    for _ in range(cases(ci=120, long=20_000)):
        queries = [drawn_query(draw, f"q{i}", empty=0.15) for i in range(draw.randint(2, 4))]
        contract = drawn_contract(draw, ("zero", "one", "exclude"))
        over = draw.choice([over for group in overs(queries) for over in group])._asdict()
        known = {name: value for name, value in contract.to_json().items() if name != "round_to"} | over
        if contract.gain.startswith("exp") and any("/" in str(g) for q in queries for g in q.judgments.values()):
            continue  # a gain that some grade refuses is not tried, though its query were not averaged
        try:
            mean = evaluate_run(contract, *sides(queries), **over).mean
        except NdcgLabError:
            continue
        found = {hit.quantity: hit for hit in everything(queries, ["mean", "mean dcg"], known).hits}
        for quantity, value in (("mean", mean.ndcg), ("mean dcg", mean.dcg)):
            if quantity == "mean dcg" and contract.zero_ideal == "exclude":
                continue  # of DCG it is not tried
            if isinstance(value, Undefined):
                assert quantity not in found, (contract, over, queries)
            elif quantity == "mean" or over["aggregate"] == "mean":
                assert quantity in found, f"{contract!r} {over} {queries}"
                hit = found[quantity]
                assert hit.value == pytest.approx(float(value), rel=1e-9, abs=1e-9), (contract, over, queries)
                if math.isfinite(hit.double.error):
                    low, high = value.enclosure(100)
                    error = Fraction(hit.double.error)
                    assert Fraction(hit.value) - error <= low <= high <= Fraction(hit.value) + error
                    compared += 1
    assert compared > 40


def sides(queries: list[Query]) -> tuple[dict[str, Ranking], dict[str, Judgments]]:
    return {q.name: q.ranking for q in queries}, {q.name: q.judgments for q in queries}


def test_no_setting_is_said_to_make_no_difference_under_which_the_data_are_refused() -> None:
    """A tie of documents of unequal gain across the cut leaves open what the top k is made of."""
    ranking = Ranking.from_scores({"a": 9, "b": 5, "c": 5, "d": 1})
    judgments = Judgments({"a": 3, "b": 2, "c": 1, "d": 0})
    value = evaluate(Contract(gain="linear", k=2, ties="average"), ranking, judgments).dcg
    found = identify(ranking, judgments, reported=value.decimal(9), quantity="dcg")
    assert found
    for quantity, k in (("ndcg", 2), ("idcg", 2), ("ndcg", 1), ("ndcg", 3)):
        e = evaluate(Contract(gain="linear", k=k, ties="average"), ranking, judgments)
        exact = e.idcg if quantity == "idcg" else e.ndcg
        assert not isinstance(exact, Undefined)
        for match in identify(ranking, judgments, reported=exact.decimal(9), quantity=quantity):
            for name, choices in match.also.items():
                for choice in choices:
                    other = evaluate(match.contract.replace(**{name: choice}), ranking, judgments)
                    assert (other.idcg if quantity == "idcg" else other.ndcg) == match.value


def test_over_queries_no_refused_setting_is_named_either() -> None:
    run = {"1": Ranking.from_scores({"a": 9, "b": 5, "c": 5, "d": 1}), "2": Ranking(["a", "b"])}
    qrels = {"1": Judgments({"a": 3, "b": 2, "c": 1, "d": 0}), "2": Judgments({"a": 1, "b": 3})}
    mean = evaluate_run(Contract(gain="linear", k=2, ties="average"), run, qrels).mean.ndcg
    assert not isinstance(mean, Undefined)
    found = identify(run, qrels, reported=mean.decimal(9), quantity="mean")
    assert Contract(gain="linear", k=2, ties="average") in [match.contract for match in found]
    for match in found:
        over = {} if match.aggregation is None else match.aggregation.to_json()
        for name, choices in match.also.items():
            for choice in choices:
                settings = match.contract.to_json()
                changed = Contract(**{**settings, name: choice}) if name in settings else match.contract
                its = over if name in settings else {**over, name: choice}
                assert evaluate_run(changed, run, qrels, **its).mean.ndcg == match.value, (name, choice)


def test_an_added_gain_and_an_added_discount_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry in the table of rules is all that it takes."""
    gain = rules.Entry(
        "shifted", "the grade and one", lambda text, _: rules.Gain(text, lambda grade: grade + 1), cost=33
    )
    discount = rules.Entry(
        "square", "1/rank^2", lambda text, _: rules.Discount(text, lambda rank: (2, Fraction(1, rank**2))), cost=34
    )
    monkeypatch.setattr(rules, "GAINS", (*rules.GAINS, gain))
    monkeypatch.setattr(rules, "DISCOUNTS", (*rules.DISCOUNTS, discount))
    ranking, judgments = Ranking(["b", "a", "c"]), Judgments({"a": 7, "b": 4, "c": 1})
    contract = Contract(gain="shifted", discount="square", k=3)
    ndcg = evaluate(contract, ranking, judgments).ndcg
    assert ndcg == Fraction(5 * 36 + 8 * 9 + 2 * 4, 8 * 36 + 5 * 9 + 2 * 4)
    found = identify(ranking, judgments, reported="0.762463", quantity="ndcg")
    (match,) = [match for match in found if match.contract == contract]
    assert match.cost == 33 + 34
