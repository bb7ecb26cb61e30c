"""What systems printed for a few small cases: the record that lesson 09 shows.

`tools/record_peers.py` makes `record.json`: it runs the systems that are installed, and takes what the others printed
from the tests' records. `compare_installed` runs the installed ones once more and says where they disagree with it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ndcg_lab.conventions import live
from ndcg_lab.conventions.agreement import printed_value
from ndcg_lab.conventions.entries import Query

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

GRADES = {"A": 3, "B": 2, "C": 2, "D": 0}
"""The worked example: four imaginary documents."""


def _four(order: str, *scores: str) -> Query:
    return Query("1", GRADES, tuple(order), scores or tuple(str(len(order) - i) for i in range(len(order))))


X, Y = _four("BCAD"), _four("ADBC")
_ZERO = Query("2", {"E": 0, "F": 0}, ("E", "F"), ("2", "1"))


@dataclass(frozen=True)
class Case:
    """A small input: one query, or two of which the mean is asked."""

    name: str
    k: int
    queries: tuple[Query, ...]
    say: str


CASES: Mapping[str, Case] = {
    case.name: case
    for case in [
        *(Case(f"X@{k}", k, (X,), f"X = B C A D at k = {k}") for k in (1, 2, 3, 4)),
        *(Case(f"Y@{k}", k, (Y,), f"Y = A D B C at k = {k}") for k in (1, 2, 3, 4)),
        Case("all zero@3", 3, (replace(X, judgments=dict.fromkeys(GRADES, 0)),), "X, every grade 0"),
        Case("only B@1", 1, (_four("B"),), "B alone is returned"),
        Case("nothing@3", 3, (Query("1", GRADES, (), ()),), "nothing is returned"),
        Case("tie, A first@1", 1, (_four("ABCD", "4", "4", "2", "1"),), "A and B tie; A stands first in the input"),
        Case("tie, B first@1", 1, (_four("BACD", "4", "4", "2", "1"),), "A and B tie; B stands first in the input"),
        Case(
            "1e-9 apart@1",
            1,
            (_four("BACD", "1.0", "1.000000001", "0.5", "0.25"),),
            "A leads B by 0.000000001; B stands first in the input",
        ),
        Case("unjudged first@3", 3, (_four("EAB"),), "E, which nobody judged, then A and B"),
        Case("mean with all zero@3", 3, (X, _ZERO), "the mean of X and a query whose grades are all 0"),
    ]
}
"""The cases by name."""

ROWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("scikit-learn", ()),
    ("pytrec_eval", ()),
    ("ir_measures", ()),
    ("gdeval", ("nDCG(dcg='exp-log2')@K",)),
    ("ranx", ()),
    ("ranx", ("ndcg_burges@K",)),
    ("lightgbm", ()),
    ("lightgbm", ("label_gain=0,1,2,3,...",)),
    ("xgboost", ()),
    ("xgboost", ("ndcg_exp_gain=False",)),
    ("catboost", ()),
    ("catboost", ("type=Exp",)),
    ("catboost", ("denominator=Position",)),
)
"""The systems that are run, with their parameters."""


NO_VALUE = "no value"
"""What `run_case` says of a mean, for a system that takes none."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What one system, with its parameters, printed for one case; or the error that it raised."""

    system: str
    parameters: tuple[str, ...]
    case: str
    version: str
    printed: str
    obtained: str
    """`run` by the script that made the record, or `record`: run elsewhere."""

    @property
    def value(self) -> float | None:
        """The number; None for an error and for nan."""
        return printed_value(self.printed)


@cache
def record() -> tuple[Recorded, ...]:
    """Everything that is recorded, in the order of the conventions."""
    entries: list[dict[str, Any]] = json.loads(files(__package__).joinpath("record.json").read_text(encoding="utf-8"))
    return tuple(Recorded(**{**entry, "parameters": tuple(entry["parameters"])}) for entry in entries)


def run_case(system: str, parameters: tuple[str, ...], case: Case) -> str:
    """What an installed system prints for a case, or the error that it raises, in one line."""
    try:
        found = live.run(system, case.queries, case.k, *parameters)
        value = found.queries[case.queries[0].query] if len(case.queries) == 1 else found.mean
    except Exception as error:  # noqa: BLE001 - whatever another package raises is what is recorded
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}".strip()
    return NO_VALUE if value is None else repr(value)


def compare_installed(
    systems: Iterable[str] = live.PACKAGES, cases: Iterable[str] = ("X@3", "Y@3", "all zero@3")
) -> Iterator[tuple[Recorded, str]]:
    """Runs the installed systems among those named, and yields each disagreement with the record.

    A last digit that another processor rounds otherwise is no disagreement.
    """
    chosen, wanted = set(cases), set(systems)
    for entry in record():
        if entry.obtained == "run" and entry.case in chosen and entry.system in wanted and live.installed(entry.system):
            printed = run_case(entry.system, entry.parameters, CASES[entry.case])
            if not _same(entry.printed, printed):
                yield entry, printed


def _same(recorded: str, printed: str) -> bool:
    one, other = printed_value(recorded), printed_value(printed)
    if one is None or other is None:
        return recorded == printed
    return abs(one - other) <= 4e-16 * max(abs(one), abs(other))
