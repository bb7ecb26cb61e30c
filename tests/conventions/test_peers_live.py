"""Each installed system, run on the same data as its contract: the worked example, edge cases, random rankings.

A missing package is a failure on CI; elsewhere a skip that says what to install.
"""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from ndcg_lab import Judgments, conventions, evaluate_run
from ndcg_lab.conventions import Convention, Departure, Query, agrees, live
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from tests.peers import ALL_ZERO, CASES, GRADES, ONLY_B, TWO_QUERIES, X, Y
from tests.support import missing

# Each system with the parameters that change its contract.
RUNS = [
    ("scikit-learn", ()),
    ("pytrec_eval", ()),
    ("pytrec_eval", ("judged_docs_only_flag=True",)),
    ("ir_measures", ()),
    ("ir_measures", ("judged_only=True",)),
    ("ir_measures", ("gains={1: 1, 2: 3, 3: 7}",)),
    ("gdeval", ("nDCG(dcg='exp-log2')@K",)),
    ("ranx", ()),
    ("ranx", ("ndcg_burges@K",)),
    ("ranx", ("plain dict",)),
    ("lightgbm", ()),
    ("lightgbm", ("label_gain=0,1,2,3,...",)),
    ("xgboost", ()),
    ("xgboost", ("ndcg@K-",)),
    ("xgboost", ("ndcg_exp_gain=False",)),
    ("catboost", ()),
    ("catboost", ("type=Exp",)),
    ("catboost", ("denominator=Position",)),
    ("catboost", ("type=Exp", "denominator=Position")),
    ("catboost", ("DCG",)),
]
HAVE_JUDGMENTS = {"pytrec_eval", "ir_measures", "gdeval", "ranx"}
"""Systems that are given judgments beside the results; the others see rows alone."""


def _ready(system: str) -> Convention:
    if live.installed(system) is None:
        perl = " and apt-get install perl" if system == "gdeval" else ""
        missing(live.PACKAGES[system], f"pip install -c constraints.txt -e '.[peers]'{perl}")
    return conventions[system]


def _name(run: tuple[str, tuple[str, ...]]) -> str:
    return " ".join([run[0], *run[1]])


def _random_queries(seed: int, *, depth: int) -> list[Query]:
    """Queries with ties, unjudged documents, judged ones that are not returned, and ideals of 0."""
    draw = np.random.default_rng(seed)
    queries = []
    for number in range(1, 9):
        returned = int(draw.integers(2, depth + 1))
        names = [f"d{i:03}" for i in draw.choice(200, returned + 4, replace=False)]
        graded = names if draw.random() < 0.5 else names[int(draw.integers(1, returned)) :]
        highest = draw.choice([0, 1, 2, 3])
        judgments = {name: int(draw.integers(0, highest + 1)) for name in draw.permutation(graded)}
        scores = tuple(str(draw.integers(0, returned + 1) / 8) for _ in range(returned))
        queries.append(Query(str(number), judgments, tuple(map(str, draw.permutation(names)[:returned])), scores))
    return queries


def _without_ties(query: Query) -> Query:
    return replace(query, scores=tuple(str(i) for i in range(len(query.ranking))))


def _hold(system: str, parameters: tuple[str, ...], queries: list[Query], k: int | str) -> None:
    """Every query's value and the mean against the contract."""
    convention = conventions[system]
    contract = convention.at(k, *parameters)
    printed = live.run(system, queries, k, *parameters)
    assert set(printed.queries) == {query.query for query in queries if query.judgments and query.ranking}
    for query in queries:
        evaluation = query.evaluate(contract)
        value = evaluation.dcg if "DCG" in parameters else evaluation.ndcg
        assert isinstance(value, Exact)
        found = printed.queries[query.query]
        assert agrees(found, value, convention.precision), (
            f"query {query.query} at {k}: printed {found!r}, exact {float(value)!r}"
        )
    if printed.mean is not None and "DCG" not in parameters:
        run = {query.query: query.as_ranking() for query in queries}
        qrels = {query.query: Judgments(query.judgments) for query in queries}
        mean = evaluate_run(contract, run, qrels, **convention.over_queries(*parameters).to_json()).mean.ndcg
        assert isinstance(mean, Exact)
        # The mean of rounded values isn't rounded again.
        assert agrees(printed.mean, mean, "double")


@pytest.mark.parametrize("run", RUNS, ids=_name)
def test_the_worked_example(run: tuple[str, tuple[str, ...]]) -> None:
    system, parameters = run
    _ready(system)
    for k in (1, 2, 3, 4, 20):
        for query in (X, Y):
            _hold(system, parameters, [query], k)


@pytest.mark.parametrize("run", RUNS, ids=_name)
def test_the_edge_cases(run: tuple[str, tuple[str, ...]]) -> None:
    system, parameters = run
    _ready(system)
    one_score = Query("1", GRADES, ("A", "B", "C", "D"), ("1", "1", "1", "1"))
    unjudged = Query("1", {"A": 3, "B": 2}, ("E", "A", "F", "B"), ("4", "3", "2", "1"))
    cases = [ALL_ZERO, CASES["tie_AB_input_A_first"], CASES["tie_AB_input_B_first"], one_score, unjudged]
    cases.append(CASES["score_gap_1e-9(B=1.0,A=1.000000001)"])
    if system != "scikit-learn":  # which refuses a single document
        cases.append(ONLY_B)
    for query in cases:
        for k in (1, 2, 3, 4):
            _hold(system, parameters, [query], k)
    if "DCG" not in parameters:
        _hold(system, parameters, list(TWO_QUERIES), 3)


@pytest.mark.parametrize("run", RUNS, ids=_name)
@pytest.mark.parametrize("seed", range(2))
def test_random_rankings_at_every_cutoff(run: tuple[str, tuple[str, ...]], seed: int) -> None:
    system, parameters = run
    _ready(system)
    depth = 7
    queries = _random_queries(seed, depth=depth)
    for k in range(1, depth + 2):
        _hold(system, parameters, queries, k)


@pytest.mark.parametrize("run", RUNS, ids=_name)
def test_long_random_rankings(run: tuple[str, tuple[str, ...]]) -> None:
    system, parameters = run
    _ready(system)
    queries = _random_queries(99, depth=60)
    if system == "ranx":  # whose sort is stable up to 15 documents: see its entry
        queries = [_without_ties(query) for query in queries]
    for k in (5, 20, 100):
        _hold(system, parameters, queries, k)
    if system != "gdeval":
        _hold(system, parameters, queries, "all")


@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_without_ties_ignores_none(seed: int) -> None:
    """`ignore_ties=True` is exact where scores differ; where they tie, it prints one of the orders' values."""
    _ready("scikit-learn")
    convention, parameter = conventions["scikit-learn"], "ignore_ties=True"
    for query in _random_queries(seed, depth=6):
        _hold("scikit-learn", (parameter,), [_without_ties(query)], 4)
        found = live.run("scikit-learn", [query], 4, parameter).queries[query.query]
        outcomes = query.evaluate(convention.at(4)).outcomes().values
        assert any(agrees(found, value) for value in outcomes if isinstance(value, Exact))


@pytest.mark.parametrize("system", sorted(HAVE_JUDGMENTS))
def test_queries_that_one_side_lacks(system: str) -> None:
    """A judged query without results, and a query of the run without judgments."""
    convention = _ready(system)
    parameters = {"gdeval": ("nDCG(dcg='exp-log2')@K",), "ranx": ("make_comparable=True",)}.get(system, ())
    queries = [X, Query("2", {"E": 1}, (), ()), Query("3", {}, ("F",), ("1",))]
    printed = live.run(system, queries, 3, *parameters)
    qrels = {query.query: query.judgments for query in queries if query.judgments}
    run = {query.query: query.as_ranking() for query in queries if query.ranking}
    aggregation = convention.over_queries(*parameters)
    report = evaluate_run(convention.at(3, *parameters), run, qrels, **aggregation.to_json())
    averaged = {result.query: result.ndcg for result in report.queries}
    assert set(printed.queries) == set(averaged)
    if printed.mean is not None:
        assert isinstance(report.mean.ndcg, Exact)
        assert agrees(printed.mean, report.mean.ndcg)


def test_ranx_wants_the_same_queries_on_both_sides() -> None:
    _ready("ranx")
    with pytest.raises(AssertionError, match="query ids do not match"):
        live.run("ranx", [X, Query("2", {"E": 1}, (), ())], 3)


def test_gdeval_leaves_out_a_query_without_relevant_documents() -> None:
    """Its own mean, which ir_measures doesn't pass on, is over the rest: `zero_ideal = exclude`."""
    convention = _ready("gdeval")
    assert convention.contract.zero_ideal == "exclude"
    (value,) = live.run("gdeval", [ALL_ZERO], 3).queries.values()
    assert value == 0.0
    assert ALL_ZERO.evaluate(convention.at(3)).ndcg == Undefined("zero ideal")


RUN_DEPARTURES = [found for found in conventions.departures() if found.obtained == "run"]


@pytest.mark.parametrize("departure", RUN_DEPARTURES, ids=lambda found: f"{found.system} {found.what}")
def test_a_departure_is_as_recorded(departure: Departure) -> None:
    _ready(departure.system)

    def run() -> float | None:
        printed = live.run(departure.system, departure.queries, departure.contract.k, *departure.parameters)
        return printed.mean if len(departure.queries) > 1 else printed.queries[departure.queries[0].query]

    if departure.kind == "refusal":
        # LightGBM's and gdeval's errors are no ValueErrors: the words tell them apart.
        with pytest.raises(Exception, match=re.escape(departure.printed.partition(": ")[2])) as refusal:
            run()
        assert type(refusal.value).__name__ == departure.printed.partition(": ")[0]
    else:
        assert run() == pytest.approx(float(departure.printed), rel=4e-16, nan_ok=True)


def test_pytrec_eval_counts_a_query_whose_results_are_empty() -> None:
    """It is in the result with 0; a query that the run doesn't name is not."""
    _ready("pytrec_eval")
    pytrec_eval = import_module("pytrec_eval")
    (stated,) = (found for found in conventions["pytrec_eval"].departures if "results are empty" in found.what)
    qrels = {query.query: query.judgments for query in stated.queries}
    run = {query.query: dict(zip(query.ranking, live.scores_of(query), strict=True)) for query in stated.queries}
    assert str(pytrec_eval.RelevanceEvaluator(qrels, {"ndcg"}).evaluate(run)) == stated.printed
    del run["2"]
    assert list(pytrec_eval.RelevanceEvaluator(qrels, {"ndcg"}).evaluate(run)) == ["1"]
