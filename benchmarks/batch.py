"""Batches: NDCG of arrays and of dicts, this package against the peers, on the same data, in one run.

`python -m benchmarks.batch` prints one table. Every pair of results is compared before any time is taken. A time is the
shortest of several runs, the spread how much longer the longest took; only ratios mean something.
"""

from __future__ import annotations

import argparse
import platform
import time
import warnings
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.table import Table

from ndcg_lab import Contract
from ndcg_lab.batch import ndcg

if TYPE_CHECKING:
    from collections.abc import Callable

PEERS = ("scikit-learn", "ranx", "pytrec_eval-terrier")


@dataclass(frozen=True)
class Data:
    """Judgments and scores of many queries, and the cutoff; None for all ranks."""

    name: str
    grades: np.ndarray[Any, np.dtype[np.int64]]
    scores: np.ndarray[Any, np.dtype[np.float64]]
    k: int | None

    @classmethod
    def random(cls, queries: int, documents: int, k: int | None, *, dense: bool) -> Data:
        """Whole scores, all distinct, which float32 keeps apart too; grades 0 to 4, or a single 1 a query."""
        draw = np.random.default_rng(queries * documents + dense)
        grades = draw.integers(0, 5, (queries, documents))
        if not dense:
            grades = np.zeros((queries, documents), np.int64)
            grades[np.arange(queries), draw.integers(0, documents, queries)] = 1
        kind = "dense" if dense else "one relevant"
        ranks = "all ranks" if k is None else f"@{k}"
        scores = draw.permuted(np.tile(np.arange(float(documents)), (queries, 1)), axis=1)
        return cls(f"{queries} × {documents}, {kind}, {ranks}", grades, scores, k)

    @property
    def contract(self) -> Contract:
        return Contract(gain="linear", k=self.k or "all", ties="average", zero_ideal="zero")

    def ours(self, *, certified: bool = False) -> Any:
        return ndcg(self.grades, self.scores, self.contract, certified=certified)

    def scikit_learn(self, *, ignore_ties: bool) -> Any:
        from sklearn.metrics import ndcg_score

        return np.array([ndcg_score(self.grades, self.scores, k=self.k, ignore_ties=ignore_ties)])

    def ranx(self) -> Callable[[], Any]:
        """Its evaluation alone: qrels and run are made before."""
        from ranx import Qrels, Run, evaluate

        names = np.array([f"d{column}" for column in range(self.grades.shape[1])])
        queries = [f"q{row:05}" for row in range(len(self.grades))]
        judged = [grades > 0 for grades in self.grades]
        qrels, run = Qrels(), Run()
        qrels.add_multi(
            queries,
            [names[j].tolist() for j in judged],
            [g[j].tolist() for g, j in zip(self.grades, judged, strict=True)],
        )
        run.add_multi(queries, [names.tolist()] * len(queries), self.scores.tolist())
        metric = "ndcg" if self.k is None else f"ndcg@{self.k}"
        return partial(evaluate, qrels, run, metric, return_mean=False)

    def pytrec_eval(self) -> Callable[[], Any]:
        """Dicts in, as most people call it."""
        import pytrec_eval

        names = [f"d{column}" for column in range(self.grades.shape[1])]
        qrels = {
            f"q{row:05}": {name: grade for name, grade in zip(names, grades, strict=True) if grade}
            for row, grades in enumerate(self.grades.tolist())
        }
        run = {f"q{row:05}": dict(zip(names, scores, strict=True)) for row, scores in enumerate(self.scores.tolist())}
        measure = "ndcg" if self.k is None else f"ndcg_cut_{self.k}"

        def call() -> Any:
            found = pytrec_eval.RelevanceEvaluator(qrels, {measure.replace("cut_", "cut.")}).evaluate(run)
            return np.array([found[query][measure] for query in qrels])

        return call


def timed(call: Callable[[], Any], repeats: int) -> tuple[float, float]:
    """The shortest of several runs in seconds, and the longest over it."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times), max(times) / min(times)


def rows(data: Data, repeats: int, peers: tuple[str, ...]) -> list[str]:
    """One row of the table: our times, and how often a peer's is as long."""
    calls: dict[str, Callable[[], Any]] = {
        "scikit-learn, default": partial(data.scikit_learn, ignore_ties=False),
        "scikit-learn, ignore_ties": partial(data.scikit_learn, ignore_ties=True),
    }
    if "ranx" in peers:
        calls["ranx, evaluate alone"] = data.ranx()
    if "pytrec_eval" in peers:
        calls["pytrec_eval, dicts in"] = data.pytrec_eval()
    floats, exact = data.ours(), data.ours(certified=True)
    assert np.allclose(floats, exact, rtol=1e-13, atol=0)
    for name, call in calls.items():
        theirs = np.asarray(call())
        wanted = [exact.mean()] if len(theirs) == 1 else exact
        assert np.allclose(theirs, wanted, rtol=1e-6, atol=1e-7), name
    ours, spread = timed(data.ours, max(3, repeats))
    certified, _ = timed(partial(data.ours, certified=True), max(3, repeats))
    ratios = [f"{timed(call, repeats)[0] / ours:.1f}" for call in calls.values()]
    return [data.name, f"{ours * 1e3:.1f}", f"{spread:.2f}", f"{certified / ours:.2f}", *ratios]


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="Batches: this package against its peers, on the same data.")
    parser.add_argument("--small", action="store_true", help="a hundredth of the size")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--peers", default="ranx,pytrec_eval", help="besides scikit-learn")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    many = 70 if options.small else 6980
    tasks = [
        Data.random(many, 1000, 10, dense=False),
        Data.random(many, 1000, 10, dense=True),
        Data.random(many, 1000, None, dense=True),
        Data.random(many // 7, 100, 10, dense=True),
    ]
    peers = tuple(options.peers.split(","))
    heads = ["scikit-learn default", "scikit-learn ignore_ties"]
    heads += ["ranx, evaluate alone"] * ("ranx" in peers) + ["pytrec_eval, dicts in"] * ("pytrec_eval" in peers)
    table = Table("queries × documents", "ndcg_lab.batch, ms", "longest / shortest", "certified, times as long", *heads)
    for task in tasks:
        table.add_row(*rows(task, options.repeats, peers))
    console = Console(width=200)
    console.print(table)
    versions = ", ".join(f"{name} {version(name)}" for name in ("ndcg-lab", "numpy", *PEERS))
    console.print(
        f"Python {platform.python_version()}, {versions}; {platform.machine()}; columns of peers: times as long"
    )


if __name__ == "__main__":
    main()
