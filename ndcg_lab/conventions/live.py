"""Run the systems that are installed here, on the same data, and return what they print.

Each function of `RUNNERS` hands data to one package in the way its documentation shows, at one cutoff, with parameters
named as in `systems.toml`. Nothing here computes NDCG.
"""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from shutil import which
from typing import TYPE_CHECKING, Any

from ndcg_lab.errors import ContractError
from ndcg_lab.exact.rationals import rational

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ndcg_lab.conventions.entries import Query

PACKAGES = {
    "scikit-learn": "scikit-learn",
    "pytrec_eval": "pytrec_eval-terrier",
    "ir_measures": "ir_measures",
    "gdeval": "ir_measures",
    "ranx": "ranx",
    "lightgbm": "lightgbm",
    "xgboost": "xgboost-cpu",
    "catboost": "catboost",
}
"""The system's name -> the package that holds it."""


@dataclass(frozen=True, slots=True)
class Printed:
    """What a system returned: each query's value, and the mean where it takes one itself."""

    queries: Mapping[str, float]
    mean: float | None = None


def installed(system: str) -> str | None:
    """The version of a system on this machine; None where it isn't installed, or can't be run from here."""
    if system == "gdeval" and which("perl") is None:
        return None
    try:
        return version(PACKAGES[system]) if system in PACKAGES else None
    except PackageNotFoundError:
        return None


def run(system: str, queries: Sequence[Query], k: int | str, *parameters: str) -> Printed:
    """What a system returns for some queries at a cutoff.

    Args:
        system: a name of `PACKAGES`.
        queries: the data; an error that the system raises passes through.
        k: the cutoff, or `all`.
        parameters: as listed in the system's `variants`.
    """
    if system not in RUNNERS:
        raise ContractError(f"`{system}` can't be run from here; systems that can: {', '.join(RUNNERS)}")
    with _quiet():
        return RUNNERS[system](queries, None if k == "all" else int(k), parameters)


@contextmanager
def _quiet() -> Iterator[None]:
    """Other packages' deprecation warnings are not ours to report."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


# The data, in the shapes that systems ask for.


def scores_of(query: Query) -> list[float]:
    """The scores as doubles; without scores, falling whole numbers keep the order."""
    if query.scores is None:
        return [float(len(query.ranking) - i) for i in range(len(query.ranking))]
    return [float(score) for score in query.scores]


def number_of(grade: int | str) -> int | float:
    """A grade as a system's user writes it: a whole number, or a double."""
    exact = rational(grade)
    return exact if isinstance(exact, int) else float(exact)


def labels_of(query: Query) -> list[int | float]:
    """The grade of each returned document, 0 where it has none: all that a system without judgments is told."""
    return [number_of(query.judgments.get(document, 0)) for document in query.ranking]


def _qrels(queries: Sequence[Query]) -> dict[str, dict[str, int | float]]:
    return {
        query.query: {document: number_of(grade) for document, grade in query.judgments.items()}
        for query in queries
        if query.judgments
    }


def _run(queries: Sequence[Query]) -> dict[str, dict[str, float]]:
    """Scores by query; a query without results is absent, but where there is no other."""
    with_results = [query for query in queries if query.ranking] or queries
    return {query.query: dict(zip(query.ranking, scores_of(query), strict=True)) for query in with_results}


@dataclass(frozen=True, slots=True)
class _Rows:
    """Queries one after another, a row a document, as learning to rank has them."""

    labels: list[int | float]
    scores: list[float]
    sizes: list[int]
    weights: list[float] | None
    """A query's weight at each of its rows; None where all are 1."""

    @classmethod
    def of(cls, queries: Sequence[Query]) -> _Rows:
        weights = [float(query.weight) for query in queries for _ in query.ranking]
        return cls(
            [label for query in queries for label in labels_of(query)],
            [score for query in queries for score in scores_of(query)],
            [len(query.ranking) for query in queries],
            None if set(weights) <= {1.0} else weights,
        )

    @property
    def features(self) -> Any:
        """A constant feature: the scores are given, nothing is learnt."""
        return import_module("numpy").zeros((len(self.labels), 1))


def _one_by_one(queries: Sequence[Query], value: Callable[[Sequence[Query]], float]) -> Printed:
    """For a system that returns a mean alone: each query's value is the mean over that query."""
    return Printed({query.query: value([query]) for query in queries}, value(queries))


# The systems.


def _scikit_learn(queries: Sequence[Query], k: int | None, parameters: Sequence[str]) -> Printed:
    metrics = import_module("sklearn.metrics")
    ignore_ties = "ignore_ties=True" in parameters
    values = {
        query.query: float(metrics.ndcg_score([labels_of(query)], [scores_of(query)], k=k, ignore_ties=ignore_ties))
        for query in queries
    }
    return Printed(values)


def _pytrec_eval(queries: Sequence[Query], k: int | None, parameters: Sequence[str]) -> Printed:
    pytrec_eval = import_module("pytrec_eval")
    measure, key = ("ndcg", "ndcg") if k is None else (f"ndcg_cut.{k}", f"ndcg_cut_{k}")
    judged_only = "judged_docs_only_flag=True" in parameters
    evaluator = pytrec_eval.RelevanceEvaluator(_qrels(queries), {measure}, judged_docs_only_flag=judged_only)
    return Printed({query: values[key] for query, values in evaluator.evaluate(_run(queries)).items()})


def _ir_measures(queries: Sequence[Query], k: int | None, parameters: Sequence[str]) -> Printed:
    ir_measures = import_module("ir_measures")
    settings: dict[str, Any] = {}
    if "judged_only=True" in parameters:
        settings["judged_only"] = True
    if "gains={1: 1, 2: 3, 3: 7}" in parameters:
        settings["gains"] = {1: 1, 2: 3, 3: 7}
    return _measured(ir_measures.nDCG(**settings), queries, k)


def _gdeval(queries: Sequence[Query], k: int | None, _: Sequence[str]) -> Printed:
    ir_measures = import_module("ir_measures")
    return _measured(ir_measures.nDCG(dcg="exp-log2"), queries, k)


def _measured(measure: Any, queries: Sequence[Query], k: int | None) -> Printed:
    ir_measures = import_module("ir_measures")
    measure = measure if k is None else measure @ k
    qrels, results = _qrels(queries), _run(queries)
    values = {found.query_id: float(found.value) for found in ir_measures.iter_calc([measure], qrels, results)}
    return Printed(values, float(ir_measures.calc_aggregate([measure], qrels, results)[measure]))


def _ranx(queries: Sequence[Query], k: int | None, parameters: Sequence[str]) -> Printed:
    ranx = import_module("ranx")
    measure = ("ndcg_burges" if "ndcg_burges@K" in parameters else "ndcg") + ("" if k is None else f"@{k}")
    if "plain dict" in parameters:
        return _one_by_one(queries, lambda group: float(ranx.evaluate(_qrels(group), _run(group), measure)))
    qrels, results = _qrels(queries), _run(queries)
    comparable = "make_comparable=True" in parameters
    values = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(results), measure, return_mean=False, make_comparable=comparable)
    return Printed(dict(zip(sorted(qrels), map(float, values), strict=True)), float(values.mean()))


def _lightgbm(queries: Sequence[Query], k: int | None, parameters: Sequence[str]) -> Printed:
    lightgbm = import_module("lightgbm")
    table = next((text.removeprefix("label_gain=") for text in parameters if text.startswith("label_gain=")), None)

    def value(group: Sequence[Query]) -> float:
        rows = _Rows.of(group)
        depth = max(rows.sizes) if k is None else k
        settings = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [depth], "verbose": -1, "num_threads": 1}
        if table is not None:
            settings["label_gain"] = list(range(31)) if table.endswith("...") else [int(g) for g in table.split(",")]
        data = lightgbm.Dataset(
            rows.features, rows.labels, group=rows.sizes, weight=rows.weights, init_score=rows.scores, params=settings
        )
        (found,) = lightgbm.Booster(settings, data).eval_train()
        return float(found[2])

    return _one_by_one(queries, value)


def _xgboost(queries: Sequence[Query], k: int | None, parameters: Sequence[str]) -> Printed:
    xgboost = import_module("xgboost")
    settings: dict[str, Any] = {"objective": "rank:ndcg", "verbosity": 0, "nthread": 1}
    if "ndcg_exp_gain=False" in parameters:
        settings["ndcg_exp_gain"] = False

    def value(group: Sequence[Query]) -> float:
        rows = _Rows.of(group)
        measure = f"ndcg@{max(rows.sizes) if k is None else k}" + ("-" if "ndcg@K-" in parameters else "")
        measure = "ndcg" if "ndcg" in parameters else measure
        data = xgboost.DMatrix(rows.features, label=rows.labels, base_margin=rows.scores)
        data.set_group(rows.sizes)
        if rows.weights is not None:
            data.set_weight([float(query.weight) for query in group])
        return float(xgboost.Booster({**settings, "eval_metric": measure}, [data]).eval(data).rsplit(":", 1)[1])

    return _one_by_one(queries, value)


def _catboost(queries: Sequence[Query], k: int | None, parameters: Sequence[str]) -> Printed:
    catboost = import_module("catboost.utils")
    settings = [*([] if k is None else [f"top={k}"]), *(text for text in parameters if "=" in text)]
    measure = ("DCG" if "DCG" in parameters else "NDCG") + ":" * bool(settings) + ";".join(settings)

    def value(group: Sequence[Query]) -> float:
        rows = _Rows.of(group)
        groups = [index for index, size in enumerate(rows.sizes) for _ in range(size)]
        found = catboost.eval_metric(
            rows.labels, rows.scores, measure, group_id=groups, group_weight=rows.weights, thread_count=1
        )
        return float(found[0])

    return _one_by_one(queries, value)


RUNNERS: Mapping[str, Callable[[Sequence[Query], int | None, Sequence[str]], Printed]] = {
    "scikit-learn": _scikit_learn,
    "pytrec_eval": _pytrec_eval,
    "ir_measures": _ir_measures,
    "gdeval": _gdeval,
    "ranx": _ranx,
    "lightgbm": _lightgbm,
    "xgboost": _xgboost,
    "catboost": _catboost,
}
