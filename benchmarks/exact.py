"""One list, exact: this package against sympy on the same values, in one run.

`python -m benchmarks.exact` prints one table. Only its ratios mean something, for both sides ran on one machine at one
time. sympy's double is its 17 digits, which nothing proves to be rounded correctly; ours is.
"""

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import sympy
from rich.console import Console
from rich.table import Table

from ndcg_lab import Contract, Evaluation, Judgments, Ranking, compare, evaluate
from ndcg_lab.exact.linear import Linear

CONTRACT = Contract(gain="linear", k="all")
COLD = """
import sys, time
from benchmarks import exact
task = exact.Task.random(int(sys.argv[1]))
start = time.perf_counter()
task.{side}_double()
print(time.perf_counter() - start)
"""


@dataclass(frozen=True)
class Task:
    """Two rankings of the same judged documents."""

    judgments: Judgments
    one: Ranking
    other: Ranking

    @classmethod
    def random(cls, documents: int) -> "Task":
        """Grades 0 to 4 and two orders, the same ones for a number of documents each time."""
        draw = random.Random(documents)  # noqa: S311 - a list to measure with, no secret
        names = [f"d{number}" for number in range(documents)]
        judgments = Judgments({name: draw.randrange(5) for name in names})
        return cls(judgments, *(Ranking(draw.sample(names, documents)) for _ in range(2)))

    def ours(self, ranking: Ranking) -> Evaluation:
        return evaluate(CONTRACT, ranking, self.judgments)

    def our_dcg(self, ranking: Ranking) -> Linear:
        """As on the other side: grades looked up, and their sum over the ranks; no ideal, no ties, no checks."""
        return CONTRACT.discount_rule.total([self.judgments[name] for name in ranking])

    def our_double(self) -> float:
        return float(self.ours(self.one).ndcg)

    def our_sign(self) -> int | None:
        return compare(self.ours(self.one), self.ours(self.other)).sign

    def sympy_dcg(self, ranking: Ranking) -> sympy.Expr:
        return dcg([int(self.judgments[name]) for name in ranking])

    def sympy_ndcg(self, ranking: Ranking) -> sympy.Expr:
        return self.sympy_dcg(ranking) / dcg(sorted((int(grade) for grade in self.judgments.values()), reverse=True))

    def sympy_double(self) -> float:
        return float(self.sympy_ndcg(self.one).evalf(17))

    def sympy_sign(self) -> int:
        return int(sympy.sign((self.sympy_ndcg(self.one) - self.sympy_ndcg(self.other)).evalf(30)))


def dcg(gains: list[int]) -> sympy.Expr:
    """The DCG of gains in ranked order, as a sympy expression."""
    return sympy.Add(*(sympy.Integer(gain) / sympy.log(rank + 1, 2) for rank, gain in enumerate(gains, start=1)))


def seconds(function: Callable[[], object], repeats: int) -> float:
    """The shortest of several runs: what the work takes when nothing else does."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def first_call(side: str, documents: int) -> float:
    """The seconds of the first double in a new interpreter, nothing cached."""
    command = [sys.executable, "-c", COLD.format(side=side), str(documents)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def import_time(module: str) -> float:
    """The seconds that a new interpreter takes to start and import a module."""
    return seconds(lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True), repeats=3)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="This package against sympy, on the same values.")
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    documents, repeats = options.documents, options.repeats

    task = Task.random(documents)
    assert abs(task.our_double() - task.sympy_double()) < 1e-15
    assert task.our_sign() == task.sympy_sign()
    assert task.our_dcg(task.one) == task.ours(task.one).dcg

    large = Task.random(10 * documents)
    large.our_double()
    measured = [
        (
            "build a DCG",
            seconds(lambda: task.sympy_dcg(task.one), repeats),
            seconds(lambda: task.our_dcg(task.one), repeats),
        ),
        (
            "a DCG against a whole evaluation",
            seconds(lambda: task.sympy_dcg(task.one), repeats),
            seconds(lambda: task.ours(task.one), repeats),
        ),
        ("two forms and the double", seconds(task.sympy_double, repeats), seconds(task.our_double, repeats)),
        ("the same, nothing cached", first_call("sympy", documents), first_call("our", documents)),
        ("which of two NDCGs leads", seconds(task.sympy_sign, repeats), seconds(task.our_sign, repeats)),
        ("ten times the documents", seconds(task.sympy_double, 1), seconds(large.our_double, repeats)),
        ("import", import_time("sympy"), import_time("ndcg_lab")),
    ]
    table = Table("task", "sympy, ms", "ndcg-lab, ms", "times faster", title=f"{documents} documents, all ranks")
    for name, theirs, ours in measured:
        table.add_row(name, f"{theirs * 1e3:.2f}", f"{ours * 1e3:.2f}", f"{theirs / ours:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
