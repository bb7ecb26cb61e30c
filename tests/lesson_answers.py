"""What every exercise of the lessons says of a right, a half right and a wrong answer.

One table for the tests of the exercises themselves and for those that answer them in a browser. None stands where
an exercise knows no such answer.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tests.support import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ndcg_lab.lessons.check import Check

NOTEBOOKS = {path.stem: path for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}


@dataclass(frozen=True)
class Answers:
    """An exercise, by the name it is shown under, and answers to it: one text per blank."""

    exercise: str
    right: tuple[str, ...]
    half: tuple[str, ...] | None
    wrong: tuple[str, ...] | None

    def __iter__(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Each answer with the status it has."""
        yield "right", self.right
        if self.half is not None:
            yield "half", self.half
        if self.wrong is not None:
            yield "wrong", self.wrong


def _numbered(*rows: tuple[list[str], list[str] | None, list[str] | None]) -> list[Answers]:
    return [
        Answers(f"Exercise {number}", tuple(right), _tuple(half), _tuple(wrong))
        for number, (right, half, wrong) in enumerate(rows, 1)
    ]


def _tuple(answer: list[str] | None) -> tuple[str, ...] | None:
    return None if answer is None else tuple(answer)


def _cases(*rows: tuple[str, str]) -> list[Answers]:
    return [Answers(f"Case {number}", (right,), None, (wrong,)) for number, (right, wrong) in enumerate(rows, 1)]


ANSWERS: dict[str, list[Answers]] = {
    "00_start_here": _numbered(
        (["1/5"], ["1/log2(31)"], ["1/2"]),
        (["1 + 3a"], ["5"], ["9"]),
        (["(1 + 3a)/(4 + 2a)"], ["1 + 3a"], ["1"]),
        (["line 2"], None, ["line 1"]),
        (["3/7", "5^3 < 2^7"], ["3/7", "3^2 < 2^4"], ["3/7", "2^7 < 5^3"]),
        (["A B D C"], ["A B C D"], ["B C A D"]),
    ),
    "01_gain_reversal": _numbered(
        (["8a - 9"], ["-9 + 3a"], ["5"]),
        (["7/11", "2^11 < 3^7"], ["2/3", "2^3 < 3^2"], ["7/11", "3^7 < 2^11"]),
        (["1 + a"], ["1 + 2a"], ["5"]),
        (["sometimes", "B A C D"], ["always", "B A C D"], ["never", "A B C D"]),
        (["A=2, B=1, C=1, D=0"], None, ["A=2, B=2, C=2, D=2"]),
    ),
    "02_what_cancels": _numbered(
        (["DCG and IDCG"], None, ["nothing"]),
        (["(5/2 + 4a)/(11/2 + 3a)"], ["(1 + 3a)/(4 + 2a)"], ["1"]),
        (["discount"], None, ["k"]),
        (["3/8", "3^3 < 2^8"], ["1/4", "3^1 < 2^4"], ["3/8", "2^8 < 3^3"]),
        (["always", ""], None, ["sometimes", "A D B C"]),
        (["0=1,2=2,3=3"], None, ["0=1,2=3,3=4"]),
    ),
    "03_cutoff": _numbered(
        (["(1 + 3a + 2/log2(5))/(4 + 2a)"], ["(1 + 3a)/(4 + 2a)"], ["1"]),
        (["3/5", "3^3 < 2^5"], ["1/2", "3^1 < 2^2"], ["3/5", "2^5 < 3^3"]),
        (["(1/2 + a - 1/log2(5))/(1 - 1/log2(5))"], ["1 + 2a - 2/log2(5)"], ["5"]),
        (["(2 + 3a)/(4 + 2a)"], ["(2 + 3a)/(3 + 2a)"], ["5"]),
        (["never", ""], None, ["sometimes", "D C B A"]),
        (["A B E C D"], ["A B D C E"], ["D A B C E"]),
    ),
    "04_candidate_only": _numbered(
        (["2a/(3 + 2a)"], ["a"], ["1/2"]),
        (["(3 + 3a)/(17/2 + 3a)"], ["(2 + 2a)/(4 + 2a)"], ["5"]),
        (["ideal_population"], None, ["gain"]),
        (["never", ""], None, ["always", "A B C"]),
        (["B A", "A D"], ["A B", "B A"], ["A B", "A C"]),
    ),
    "05_zero_ideal": _numbered(
        (["nothing was returned"], None, ["nothing was judged"]),
        (["undefined"], None, ["1"]),
        (["(7/2)/(4 + 2a)"], ["7/2"], ["1"]),
        (["2/(2 - 3a)"], ["2"], ["5"]),
        (["returned", "zero", "D"], ["judged", "zero", "D"], ["judged", "one", "B A"]),
        (["A=7, B=-11", "A"], ["A=1, B=-1", "A"], ["A=1, B=0", "A"]),
    ),
    "06_ties": _numbered(
        (["(5/2 + (5/2)a)/(3 + 2a)"], ["1"], ["1/2"]),
        (["(39/8 + 13/4*a)/(17/2 + 3a)"], ["39/8 + 13/4*a"], ["1"]),
        (["A B=C D"], None, ["A=B C D"]),
        (["1/log2(6)"], ["a"], ["1/2"]),
        (["sometimes", "D=A B C"], ["always", "D=A B C"], ["never", "A=B C D"]),
        (["A B=C=D"], ["A B C D"], None),  # every list meets one of the three conditions
    ),
    "07_metric_family": _numbered(
        (["23/36"], ["23/12"], ["1/2"]),
        (["divide by"], None, ["cutoff"]),
        (["29/64"], ["7/16"], ["1"]),
        (["always", ""], None, ["sometimes", "C B A D"]),
        (["line 3"], None, ["line 1"]),
        (["C B A D", "A D C B"], ["A B C D", "A C B D"], ["A B C D", "D C B A"]),
    ),
    "08_a_complete_report": _numbered(
        (["(7 + 5a)/(9 + 4a)"], ["(7/2 + 3a)/(5 + 2a)"], ["1"]),
        (["7/8"], ["3/4"], ["1"]),
        (["why one was left out"], None, ["how many were judged"]),
        (["sometimes", "1 1/2"], ["always", "1 1/2"], ["never", "1/4 1/4"]),
        (["3 1"], ["1 0"], ["1 1"]),
    ),
    "09_one_ranking_many_tools": _numbered(
        (["(3 + 2a)/(5 + 2a)"], ["3 + 2a"], ["1"]),
        (["zero_ideal"], None, ["gain"]),
        (["ideal_population"], None, ["ties"]),
        (["4/3"], None, ["1"]),
        (["line 4"], None, ["line 1"]),
        (["A=B C D"], None, ["A B C D"]),
    ),
    "10_floats_and_proofs": _numbered(
        (["13/6"], ["3/2"], ["3"]),
        (["these digits can't tell"], None, ["the first"]),
        (["5/14", "2^14 < 7^5"], ["5/14", "2^3 < 3^2"], ["5/14", "7^5 < 2^14"]),
        (["1/log2(22)"], ["(1/log2(11))/(1 + 1/log2(11))"], ["1/log2(6)"]),
        (["line 2"], None, ["line 1"]),
        (
            ["0 0 8 0 0 0 2", "2 0 0 0 0 0 8"],
            ["0 0 12 0 0 0 3", "3 0 0 0 0 0 12"],
            ["0 0 4 0 0 0 1", "1 0 0 0 0 0 4"],
        ),
    ),
    "11_bug_hunt": [
        *_cases(
            ("gain", "k"),
            ("k", "unjudged"),
            ("ideal_cutoff", "gain"),
            ("ideal_population", "negative"),
            ("ties", "gain"),
            ("score_precision", "k"),
            ("unjudged", "k"),
            ("zero_ideal", "ties"),
            ("query_set", "aggregate"),
            ("duplicates", "round_to"),
        ),
        Answers("Last case", ("A B D C",), None, ("B C A D",)),
    ],
    "12_claims": _numbered(
        (["(3/2 + 7a + 3/log2(5))/(17/2 + 3a)"], ["7a + 3/2 + 3/log2(5)"], ["2"]),
        (["5/13", "6^5 < 2^13"], ["5/13", "2^3 < 3^2"], ["5/13", "2^13 < 6^5"]),
        (["false"], None, ["a value"]),
        (["a/3"], ["1/26"], ["2"]),
        (["A B C D", "A B D C"], ["A B C D", "A C B D"], ["A B C D", "D C B A"]),
        (["1 - a/100000000000000000000"], ["1"], ["1 - a/1000"]),
    ),
    "13_workbench": [],
    "14_a_real_case": _numbered(
        (["-1/50"], ["-1/10"], ["1"]),
        (["many small leads against fewer large ones"], None, ["a figure is wrong"]),
        (["unjudged"], None, ["missing"]),
        (["30/79"], ["2/5"], ["1"]),
        (["always", ""], None, ["sometimes", "1/4 1/2"]),
    ),
}


def module_of(lesson: str) -> Any:
    """The module that holds what a lesson's cells show; for the workbench, its own."""
    cells = json.loads(NOTEBOOKS[lesson].read_text(encoding="utf-8"))["cells"]
    source = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    named = re.search(r"from ndcg_lab\.lessons\.course import (\w+) as lesson", source)
    return import_module(f"ndcg_lab.lessons.course.{named[1]}" if named else "ndcg_lab.lessons.workbench")


def check_of(lesson: str, name: str) -> Check:
    """An exercise of a lesson, by the name it is shown under."""
    module = module_of(lesson)
    kind, _, number = name.partition(" ")
    found: Check
    match kind:
        case "Exercise":
            found = module.check(int(number))
        case "Case":
            found = module.hunt(int(number))
        case _:
            found = module.last
    assert found.name == name
    return found
