"""Random inputs of every kind through each installed system: it prints its contract's value, or a stated departure.

The kinds are those of `inputs.GRADES`: plain, negative, fractional, large and missing grades, all with ties; with rows
given twice where a system is given rows; and several queries at once, some missing or empty on one side.
"""

from __future__ import annotations

import math
import re
import signal
import subprocess
import sys

import pytest

from ndcg_lab import Judgments, NdcgLabError, conventions, evaluate_run
from ndcg_lab.conventions import Departure, Query, agrees, live
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from tests.conventions.inputs import GRADES, WHERE, Value, random_query, seeded
from tests.support import cases, missing

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
    ("catboost", ("DCG",)),
]
ROWS_ALONE = {"scikit-learn", "lightgbm", "xgboost", "catboost"}
"""Systems that are given rows without names, so that a document may stand twice."""

SLOW = {"gdeval": 10}
"""gdeval is a program, started for each case: so much fewer."""

CRASHES = {
    found.system: found.where for found in conventions.departures("error") if found.printed == "Segmentation fault"
}
"""Systems that end the process that calls them, and on which inputs."""


def _ready(system: str) -> None:
    if live.installed(system) is None:
        missing(live.PACKAGES[system], "pip install -c constraints.txt -e '.[peers]'")


def _printed(system: str, parameters: tuple[str, ...], query: Query, k: int) -> float | str:
    """The number, or the error, its digits masked."""
    try:
        return live.run(system, [query], k, *parameters).queries[query.query]
    except Exception as error:  # noqa: BLE001 - whatever another package raises is what is compared
        return f"{type(error).__name__}: {error}"


def _given(system: str, parameters: tuple[str, ...], query: Query, k: int) -> tuple[Value, str]:
    """What the contract gives, or the name of its refusal."""
    try:
        evaluation = query.evaluate(conventions[system].at(k, *parameters))
    except NdcgLabError as error:
        return None, type(error).__name__
    return evaluation.dcg if "DCG" in parameters else evaluation.ndcg, ""


def _agree(system: str, printed: float | str, value: Value) -> bool:
    if isinstance(printed, str) or value is None:
        return False
    if isinstance(value, Undefined):
        return math.isnan(printed)
    return agrees(printed, value, conventions[system].precision)


def error_matches(error: str, printed: str) -> bool:
    """Whether an error is the one that a departure states: its class, and its words, whatever numbers they name."""
    name, _, words = printed.partition(": ")
    pattern = re.sub(r"\d+", r"\\d+", re.escape(words))
    return error.startswith(name) and re.search(pattern, error) is not None


def _covers(
    departure: Departure, parameters: tuple[str, ...], query: Query, printed: float | str, given: tuple[Value, str]
) -> bool:
    """Whether a stated departure is what was met: on such inputs, with those parameters, and in that way."""
    value, refused = given
    if not departure.where or not set(departure.parameters) <= set(parameters):
        return False
    if not WHERE[departure.where](query, value):
        return False
    if departure.kind == "refusal":
        return isinstance(printed, str) and error_matches(printed, departure.printed)
    if departure.kind == "ours":
        return isinstance(printed, float) and departure.refused == refused
    if isinstance(printed, str) or value is None:
        return False
    if departure.kind != "float":
        return True
    if departure.printed == "nan":
        return math.isnan(printed)
    return isinstance(value, Exact) and math.isclose(printed, float(value), rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.parametrize("kind", GRADES)
@pytest.mark.parametrize("run", RUNS, ids=lambda run: " ".join([run[0], *run[1]]))
def test_a_random_input_is_the_contracts_or_a_stated_departure(run: tuple[str, tuple[str, ...]], kind: str) -> None:
    system, parameters = run
    _ready(system)
    stated = conventions[system].departures
    agreed = 0
    for number in range(cases(ci=100, long=1000) // len(GRADES) // SLOW.get(system, 1)):
        draw = seeded(kind, number)
        query = random_query(draw, kind, duplicates=system in ROWS_ALONE)
        k = int(draw.choice([1, 2, 3, 5, 20]))
        if system in CRASHES and WHERE[CRASHES[system]](query, None):
            continue  # a stated departure, which would end this process: see below
        printed, given = _printed(system, parameters, query, k), _given(system, parameters, query, k)
        if _agree(system, printed, given[0]):
            agreed += 1
        else:
            assert any(_covers(found, parameters, query, printed, given) for found in stated), (
                f"{query} at {k}: printed {printed!r}; the contract gives {given}"
            )
    assert agreed > 0 or kind in {"fractional", "large"}


@pytest.mark.parametrize("where", sorted({found.where for found in conventions.departures() if found.where}))
def test_each_condition_holds_on_the_input_that_shows_it(where: str) -> None:
    for departure in conventions.departures():
        if departure.where == where:
            try:
                value: Value = departure.queries[-1].evaluate(departure.contract).ndcg
            except NdcgLabError:
                value = None
            assert WHERE[where](departure.queries[-1], value), departure.what


LACKING = {
    "ir_measures": (),
    "gdeval": ("nDCG(dcg='exp-log2')@K",),
    "ranx": ("make_comparable=True",),
    "pytrec_eval": (),
}
"""Systems that are given judgments and results apart, with the parameter under which either may lack a query."""


@pytest.mark.parametrize("system", LACKING)
def test_queries_that_one_side_lacks(system: str) -> None:
    """Three queries, some without results and some without judgments: the averaged ones, and the mean."""
    _ready(system)
    parameters = LACKING[system]
    convention = conventions[system]
    for number in range(cases(ci=100, long=1000) // SLOW.get(system, 1)):
        draw = seeded("lacking", number)
        queries = [random_query(draw, "plain", name=str(name)) for name in (1, 2, 3)]
        without = [draw.choice(["nothing", "nothing", "results", "judgments"]) for _ in queries]
        queries = [
            Query(
                query.query,
                {} if lacks == "judgments" else query.judgments,
                () if lacks == "results" else query.ranking,
                () if lacks == "results" else query.scores,
            )
            for query, lacks in zip(queries, without, strict=True)
        ]
        if "nothing" not in without:
            continue
        printed = live.run(system, queries, 3, *parameters)
        qrels = {query.query: Judgments(query.judgments) for query in queries if query.judgments}
        results = {query.query: query.as_ranking() for query in queries if query.ranking}
        over = convention.over_queries(*parameters).to_json()
        report = evaluate_run(convention.at(3, *parameters), results, qrels, **over)
        assert set(printed.queries) == {result.query for result in report.queries}
        for result in report.queries:
            assert isinstance(result.ndcg, Exact)
            assert agrees(printed.queries[result.query], result.ndcg, convention.precision), (queries, result.query)
        if printed.mean is not None:
            assert isinstance(report.mean.ndcg, Exact)
            assert agrees(printed.mean, report.mean.ndcg, "double"), queries


@pytest.mark.parametrize("system", CRASHES)
def test_what_ends_the_process_is_run_in_one_of_its_own(system: str) -> None:
    _ready(system)
    (departure,) = (found for found in conventions[system].departures if found.printed == "Segmentation fault")
    lines = [
        "from ndcg_lab import conventions",
        "from ndcg_lab.conventions import live",
        f"found = [each for each in conventions[{system!r}].departures if each.printed == 'Segmentation fault'][0]",
        "live.run(found.system, found.queries, found.contract.k)",
    ]
    ended = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, check=False)
    assert ended.returncode == -signal.SIGSEGV, departure.what
