"""Systems that don't install here: their formula, as their source states it, against their contract on random data.

Each function below restates one source in plain floats, in a few lines of its own; the file is named in `systems.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from ndcg_lab import conventions, evaluate_run, read_qrels, read_run
from ndcg_lab.conventions import Query, agrees
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from tests.peers import CASES, EMPTY, X
from tests.support import require_real

Formula = Callable[[Query, int], float | None]


def _log2(rank: int) -> float:
    return math.log2(rank + 1)


def _natural(rank: int) -> float:
    return math.log(rank + 1)


def _clipped(rank: int) -> float:
    return math.log2(max(rank, 2))


def _sum(gains: Iterable[float], divisor: Callable[[int], float] = _log2) -> float:
    return sum(gain / divisor(rank) for rank, gain in enumerate(gains, 1))


def _grades(query: Query) -> list[int]:
    """The grade at each rank, 0 where there is none: the order of the results is the ranking."""
    return [int(query.judgments.get(document, 0)) for document in query.ranking]


def _judged(query: Query) -> list[int]:
    return sorted(map(int, query.judgments.values()), reverse=True)


def _exponential(grades: Sequence[int]) -> list[float]:
    return [2.0**grade - 1 for grade in grades]


def elasticsearch(query: Query, k: int) -> float:
    hits = _grades(query)[:k]
    ideal = _sum(_exponential(_judged(query)[: len(hits)]))
    return _sum(_exponential(hits)) / ideal if ideal else 0.0


def trec_eval_9(query: Query, k: int) -> float:
    scores = [float(np.float32(float(score))) for score in query.scores or ()]
    order = sorted(zip(scores, query.ranking, strict=True), reverse=True)
    ideal = _sum(_judged(query)[:k])
    return _sum([int(query.judgments.get(document, 0)) for _, document in order[:k]]) / ideal if ideal else 0.0


def trec_eval_10(query: Query, k: int) -> float:
    order = sorted(((float(score), document) for document, score in _scored(query)), reverse=True)
    ideal = _sum(_judged(query)[:k])
    return _sum([int(query.judgments.get(document, 0)) for _, document in order[:k]]) / ideal if ideal else 0.0


def _scored(query: Query) -> list[tuple[str, str]]:
    return list(zip(query.ranking, query.scores or (), strict=True))


def torchmetrics(query: Query, k: int) -> float:
    labels, scores = _grades(query), [float(np.float32(float(score))) for score in query.scores or ()]
    discounts = [1 / _log2(rank) if rank <= k else 0.0 for rank in range(1, len(labels) + 1)]
    dcg, above = 0.0, 0
    for level in sorted(set(scores), reverse=True):
        group = [label for label, score in zip(labels, scores, strict=True) if score == level]
        dcg += sum(group) / len(group) * sum(discounts[above : above + len(group)])
        above += len(group)
    ideal = _sum(sorted(labels, reverse=True)[:k])
    return dcg / ideal if ideal else 0.0


def allrank(query: Query, k: int) -> float:
    ideal = _sum(_exponential(sorted(_grades(query), reverse=True)[:k]))
    return _sum(_exponential(_grades(query)[:k])) / ideal if ideal else 1.0


def opensearch(query: Query, k: int) -> float:
    ideal = _sum(_exponential(_judged(query)[:k]))
    return math.floor(_sum(_exponential(_grades(query)[:k])) / ideal * 100 + 0.5) / 100 if ideal else 0.0


def quepid(query: Query, k: int) -> float:
    ideal = _sum(_exponential(_judged(query)))
    return _sum(_exponential(_grades(query)[:k])) / ideal if ideal else 0.0


def quepid_cut(query: Query, k: int) -> float:
    ideal = _sum(_exponential(_judged(query)[:k]))
    return _sum(_exponential(_grades(query)[:k])) / ideal if ideal else 0.0


def _hits(query: Query, least: int) -> tuple[list[int], int]:
    """Whether each returned document is relevant, and how many are: for systems that are given a set."""
    relevant = {document for document, grade in query.judgments.items() if int(grade) >= least}
    return [int(document in relevant) for document in query.ranking], len(relevant)


def spark(query: Query, k: int) -> float:
    hits, relevant = _hits(query, 1)
    ideal = _sum([1] * min(relevant, k), _natural)
    return _sum(hits[:k], _natural) / ideal if relevant else 0.0


def vespa(query: Query, k: int) -> float:
    hits, relevant = _hits(query, 1)
    ideal = _sum([1] * min(relevant, k))
    return _sum(hits[:k]) / ideal if ideal else 0.0


def recbole(query: Query, k: int) -> float:
    hits, relevant = _hits(query, 1)
    return _sum(hits[:k]) / _sum([1] * min(relevant, k)) if relevant else 0.0


def cornac(query: Query, k: int) -> float | None:
    hits, relevant = _hits(query, 1)
    return _sum(hits[:k]) / _sum([1] * min(relevant, k)) if relevant else None


def llamaindex(query: Query, _: int) -> float | None:
    hits, relevant = _hits(query, 1)
    return _sum(hits) / _sum([1] * relevant) if relevant else None


def lenskit(query: Query, k: int) -> float:
    hits, listed = _hits(query, 0)
    return _sum(hits[:k], _clipped) / _sum([1] * min(listed, k), _clipped)


def lenskit_graded(query: Query, k: int) -> float | None:
    ideal = _sum(_judged(query)[:k], _clipped)
    return _sum(_grades(query)[:k], _clipped) / ideal if ideal else None


def recommenders(query: Query, k: int) -> float:
    hits, listed = _hits(query, 0)
    return _sum(hits[:k], _natural) / _sum([1] * min(listed, k), _natural)


def recommenders_raw(query: Query, k: int) -> float | None:
    ideal = _sum(_judged(query)[:k], _natural)
    return _sum(_grades(query)[:k], _natural) / ideal if ideal else None


def haystack(query: Query, _: int) -> float:
    ideal = _sum(_judged(query))
    return _sum(_grades(query)) / ideal if ideal else 0.0


def evidently(query: Query, k: int) -> float:
    ideal = _sum(sorted(_grades(query), reverse=True)[:k])
    return _sum(_grades(query)[:k]) / ideal if ideal else 0.0


def trectools(query: Query, k: int) -> float | None:
    ideal = _sum(_judged(query)[:k])
    return _sum(_grades(query)[:k]) / ideal if ideal else None


def trectools_file(query: Query, k: int) -> float | None:
    order = sorted(_scored(query), key=lambda row: (-float(row[1]), row[0]))
    return trectools(replace(query, ranking=tuple(document for document, _ in order)), k)


def mlflow(query: Query, k: int) -> float:
    hits, relevant = _hits(query, 1)
    top = hits[:k]
    return _sum(top) / _sum([1] * min(relevant, len(top))) if relevant and top else 0.0


def sentence_transformers(query: Query, k: int) -> float | None:
    order = sorted(_scored(query), key=lambda row: (-float(row[1]), row[0]))
    ordered = replace(query, ranking=tuple(document for document, _ in order))
    hits, relevant = _hits(ordered, 1)
    return _sum(hits[:k]) / _sum([1] * min(relevant, k)) if relevant else None


def pyg(query: Query, k: int) -> float | None:
    hits, relevant = _hits(query, 1)
    return _sum(hits[:k]) / _sum([1] * min(relevant, k)) if relevant else None


def pyg_weighted(query: Query, k: int) -> float | None:
    ideal = _sum(_judged(query)[:k])
    return _sum(_grades(query)[:k]) / ideal if ideal else None


def torchrec(query: Query, _: int) -> float:
    labels = _grades(query)
    loss = 1 - _sum(labels) / max(_sum(sorted(labels, reverse=True)), 1e-6)
    return 1 - loss


def torchrec_exponential(query: Query, _: int) -> float:
    gains = _exponential(_grades(query))
    return 1 - (1 - _sum(gains) / max(_sum(sorted(gains, reverse=True)), 1e-6))


def azure(query: Query, _: int) -> float:
    ideal = _sum(_exponential(_judged(query)[:3]))
    return _sum(_exponential(_grades(query)[:3])) / ideal if ideal else 0.0


def implicit(query: Query, k: int) -> float:
    hits, stored = _hits(query, 0)
    discounts = [1 / _log2(rank) for rank in range(1, k + 1)]
    ideal = sum(discounts[: min(k, stored)])
    return sum(discount / ideal for discount, hit in zip(discounts, hits, strict=False) if hit)


def ranklib(query: Query, k: int) -> float:
    labels = _grades(query)
    size = min(k, len(labels))
    ideal = _sum([float((1 << label) - 1) for label in sorted(labels, reverse=True)[:size]])
    return _sum([float((1 << label) - 1) for label in labels[:size]]) / ideal if ideal > 0 else 0.0


def ranklib_qrel(query: Query, k: int) -> float:
    ideal = _sum([float((1 << label) - 1) for label in _judged(query)[:k]])
    return _sum([float((1 << label) - 1) for label in _grades(query)[:k]]) / ideal if ideal > 0 else 0.0


def keras_rs(query: Query, k: int) -> float:
    ideal = _sum(_exponential(sorted(_grades(query), reverse=True)[:k]))
    return _sum(_exponential(_grades(query)[:k])) / ideal if ideal else 0.0


def _cut(value: float) -> float:
    return math.floor(value * 100 + 1e-9) / 100


def rre(query: Query, k: int) -> float:
    """Each term past rank 1, each of the ideal, and the ratio, cut to two decimals."""
    dcg = sum(grade if rank == 1 else _cut(grade / _log2(rank)) for rank, grade in enumerate(_grades(query)[:k], 1))
    ideal = sum(_cut(grade / _log2(rank)) for rank, grade in enumerate(_judged(query)[:k], 1))
    return _cut(dcg / ideal) if ideal else 0.0


def _rounded(formula: Formula) -> Formula:
    def value(query: Query, k: int) -> float | None:
        found = formula(query, k)
        return None if found is None else round(found, 5)

    return value


# System, parameters, formula, and whether its data holds ties.
FORMULAS: list[tuple[str, tuple[str, ...], Formula, bool]] = [
    ("elasticsearch", (), elasticsearch, False),
    ("trec_eval", (), trec_eval_9, True),
    ("trec_eval-10", (), trec_eval_10, True),
    ("torchmetrics", (), torchmetrics, True),
    ("opensearch", (), opensearch, False),
    ("quepid-ndcg", (), quepid, False),
    ("quepid-ndcg_cut", (), quepid_cut, False),
    ("spark-mllib", (), spark, False),
    ("spark-mllib", ("with relevances",), quepid_cut, False),
    ("beir", (), _rounded(trec_eval_9), True),
    ("mteb", (), _rounded(trec_eval_9), True),
    ("haystack", (), haystack, False),
    ("llamaindex", (), llamaindex, False),
    ("lenskit", (), lenskit, False),
    ("lenskit", ("gain='rating'",), lenskit_graded, False),
    ("recommenders", (), recommenders, False),
    ("recommenders", ("score_type='raw'",), recommenders_raw, False),
    ("allrank", (), allrank, False),
    ("evidently", (), evidently, False),
    ("trectools", (), trectools, False),
    ("trectools", ("TrecRun(FILE)",), trectools_file, True),
    ("cornac", (), cornac, False),
    ("recbole", (), recbole, False),
    ("vespa", (), vespa, False),
    ("mlflow", (), mlflow, False),
    ("sentence-transformers", (), sentence_transformers, True),
    ("pyg", (), pyg, False),
    ("pyg", ("weighted=True",), pyg_weighted, False),
    ("torchrec", (), torchrec, False),
    ("torchrec", ("exponential_gain=True",), torchrec_exponential, False),
    ("azure-ai-evaluation", (), azure, False),
    ("implicit", (), implicit, False),
    ("ranklib", (), ranklib, False),
    ("ranklib", ("-qrel FILE",), ranklib_qrel, False),
    ("keras-rs", (), keras_rs, False),
    ("keras-rs", ("shuffle_ties=False",), keras_rs, False),
]
UNCUT = {"haystack", "llamaindex", "torchrec"}
"""Systems without a cutoff."""


OF_THE_RETURNED = {"torchrec", "ranklib", "keras-rs"}
"""Systems whose ideal is made of the returned documents: where nothing is returned, it is 0."""


def _random_queries(seed: int, *, ties: bool) -> list[Query]:
    draw = np.random.default_rng(seed)
    queries = []
    for _ in range(40):
        returned = int(draw.integers(1, 12))
        names = [f"d{i:02}" for i in draw.choice(90, returned + 5, replace=False)]
        highest = int(draw.integers(0, 5))
        judged = draw.permutation(names)[: int(draw.integers(1, len(names)))]
        judgments = {str(name): int(draw.integers(0, highest + 1)) for name in judged}
        scores = draw.integers(0, 4, returned) if ties else np.arange(returned)[::-1]
        queries.append(Query("1", judgments, tuple(names[:returned]), tuple(str(score / 8) for score in scores)))
    return queries


@pytest.mark.parametrize(
    ("system", "parameters", "formula", "ties"), FORMULAS, ids=[" ".join([row[0], *row[1]]) for row in FORMULAS]
)
def test_a_formula_is_its_contract(system: str, parameters: tuple[str, ...], formula: Formula, *, ties: bool) -> None:
    convention = conventions[system]
    precision = convention.precision
    if system.startswith("trec_eval"):
        precision = "double"  # the formula's own, before it is printed
    met = set()
    for query in _random_queries(sum(map(ord, system)), ties=ties):
        for k in (1, 2, 3, 5, 10):
            cutoff = 3 if system == "azure-ai-evaluation" else "all" if system in UNCUT else k
            exact = query.evaluate(convention.at(cutoff, *parameters)).ndcg
            stated = formula(query, k)
            if stated is None:
                assert isinstance(exact, Undefined)
            else:
                assert isinstance(exact, Exact)
                assert agrees(stated, exact, precision), f"{query}, {k}: {stated!r}, {float(exact)!r}"
            met.add(stated)
    assert len(met) > 20


def test_what_rated_ranking_evaluator_cuts_is_its_contract() -> None:
    """No contract says the cuts: each takes less than 0.01 from a term, so that the ratio stays near."""
    convention, apart = conventions["rre"], 0
    for query in _random_queries(5, ties=False):
        for k in (1, 2, 3, 5, 10):
            exact = query.evaluate(convention.at(k)).ndcg
            assert isinstance(exact, Exact)
            ideal = _sum(_judged(query)[:k])
            room = 0.01 + 0.01 * k / ideal * 1.1 if ideal else 0.0
            assert abs(rre(query, k) - float(exact)) <= room
            apart += not agrees(rre(query, k), exact, convention.precision)
    assert apart > 20


def test_the_uncut_ideal_of_elasticsearch_is_cut_at_the_hits() -> None:
    one_hit = replace(X, ranking=("A",), scores=None)
    assert one_hit.evaluate(conventions["elasticsearch"].at(5)).ndcg == 1
    assert elasticsearch(one_hit, 5) == 1.0


def test_elasticsearch_without_normalisation_reports_dcg() -> None:
    """The number that its own test of DCG expects for ratings 3, 2, 3, 0, 1, 2."""
    query = Query("1", {f"{i}": grade for i, grade in enumerate([3, 2, 3, 0, 1, 2])}, tuple("012345"))
    convention = conventions["elasticsearch"]
    assert convention.variant("normalize=false").quantity == "dcg"
    assert agrees(13.84826362927298, query.evaluate(convention.contract).dcg)


def test_nothing_returned_earns_nothing() -> None:
    for system, _, formula, _ in FORMULAS:
        exact = EMPTY.evaluate(conventions[system].at(3)).ndcg
        if system not in {"allrank", "elasticsearch", "torchmetrics", "evidently", "mlflow", *OF_THE_RETURNED}:
            assert exact == 0, system
            assert formula(EMPTY, 3) == 0.0, system


def test_a_duplicate_counts_twice_or_once() -> None:
    twice = CASES["duplicates A,A,B"]
    assert agrees(1.24, _exact(twice, "opensearch", 3), "decimals:2")
    assert agrees(opensearch(twice, 3), _exact(twice, "opensearch", 3), "decimals:2")
    assert agrees(0.7601875334318685, _exact(twice, "haystack", None))


def _exact(query: Query, system: str, k: int | None) -> Exact:
    value = query.evaluate(conventions[system].at(k)).ndcg
    assert isinstance(value, Exact)
    return value


def test_trec_eval_prints_its_own_sample() -> None:
    """Every ndcg and ndcg_cut that trec_eval prints for the sample it is distributed with, each query and the mean."""
    qrels = read_qrels(require_real("trec_eval.qrels"))
    run = read_run(require_real("trec_eval.run"))
    convention = conventions["trec_eval"]
    checked = 0
    for line in require_real("trec_eval.expected").read_text(encoding="utf-8").splitlines():
        measure, query, printed = line.split()
        if not measure.startswith("ndcg"):
            continue
        contract = convention.at(measure.removeprefix("ndcg_cut_") if "cut" in measure else "all")
        report = evaluate_run(contract, run, qrels, **convention.aggregation.to_json())
        found = {result.query: result.ndcg for result in report.queries} | {"all": report.mean.ndcg}
        value = found[query]
        assert isinstance(value, Exact)
        assert agrees(printed, value, convention.precision)
        checked += 1
    assert checked == 16
