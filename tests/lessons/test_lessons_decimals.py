"""A decimal printed after an exact value is that value's: "(3 + 3a)/(4 + 2a), about 0.92986" is held to its word."""

from __future__ import annotations

import html
import importlib
import json
import re
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from ndcg_lab import parse
from ndcg_lab.errors import NdcgLabError
from tools.notebooks import lessons

if TYPE_CHECKING:
    from pathlib import Path

    from ndcg_lab.exact.values import Exact
    from ndcg_lab.lessons.exercises import Exercise

LESSONS = ["start_here", "gain_reversal", "what_cancels", "cutoff", "candidate_only", "zero_ideal", "ties"]
PRINTED = re.compile(r"([^;:,]+?)(?:,| =) (?:about )?(\d+\.\d{3,})")


def texts(lesson: str) -> list[str]:
    """The hints and solutions of a lesson and the reason of its prediction, as plain text."""
    module = importlib.import_module(f"ndcg_lab.lessons.course.{lesson}")
    exercises: tuple[Exercise, ...] = module.exercises
    written = [module.prediction.because, *(text for ask in exercises for text in (ask.hint, ask.solution))]
    return [html.unescape(re.sub(r"<[^>]+>", "", text)).replace("−", "-").replace("·", "*") for text in written]


def value_at_the_end(text: str) -> Exact | None:
    """The longest exact value that a text ends with."""
    words = text.strip().split(" ")
    for start in range(len(words)):
        try:
            return parse(" ".join(words[start:]).rpartition("= ")[2])
        except NdcgLabError:
            continue
    return None


def printed(lesson: str) -> list[tuple[str, Exact, str]]:
    found = []
    for text in texts(lesson):
        for before, digits in PRINTED.findall(text):
            value = value_at_the_end(before)
            if value is not None and not re.fullmatch(r"[\d.]+", before.strip().split(" ")[-1]):
                found.append((before, value, digits))
    return found


@pytest.mark.parametrize("lesson", LESSONS)
def test_decimals_are_those_of_their_values(lesson: str) -> None:
    for before, value, digits in printed(lesson):
        assert value.fixed(len(digits.partition(".")[2])) == digits, (before, digits)


def test_decimals_are_found() -> None:
    assert sum(len(printed(lesson)) for lesson in LESSONS) >= 15
    assert value_at_the_end("so it is (3 + 3a)/(4 + 2a)") == parse("(3 + 3a)/(4 + 2a)")
    assert value_at_the_end("nothing exact") is None


SHOWN = re.compile(r"([^;:,\n]+?) ([=≈]) (-?\d+\.\d+)(…?)")


def shown_in(path: Path) -> list[tuple[str, Exact, str, str]]:
    """What a lesson's outputs show as an exact value and its decimals: the text, the value, the sign, the digits."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    found = []
    for output in (output for cell in cells for output in cell.get("outputs", [])):
        text = "".join(output.get("text", "")) + "".join(output.get("data", {}).get("text/html", ""))
        plain = html.unescape(re.sub(r"<[^>]+>", "\n", re.sub("</?sub>", "", text))).replace("−", "-")
        for before, sign, digits, more in SHOWN.findall(plain):
            value = value_at_the_end(before)
            if value is not None and not more:
                found.append((before, value, sign, digits))
    return found


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_equals_stands_between_equal_values_alone(path: Path) -> None:
    for before, value, sign, digits in shown_in(path):
        if sign == "=":
            assert value == Fraction(digits), (before, digits)
        else:
            assert value.fixed(len(digits.partition(".")[2])) == digits, (before, digits)


def test_the_lessons_show_such_pairs() -> None:
    signs = [sign for path in lessons() for _, _, sign, _ in shown_in(path)]
    assert signs.count("≈") > 50
    assert signs.count("=") > 5
