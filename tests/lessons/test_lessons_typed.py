"""Answers are read in every notation that the lessons print, and in those that people type."""

from __future__ import annotations

import html
import re
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from ndcg_lab import Undefined, a, parse, y
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import typed
from ndcg_lab.lessons.course import what_cancels, zero_ideal
from ndcg_lab.lessons.exercises import judge_exact
from tests.lesson_answers import NOTEBOOKS, check_of
from tests.lessons import prose
from tests.lessons.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

LESSONS = pytest.mark.parametrize("lesson", NOTEBOOKS)


QUARTER = ask.power_bound("Is a above 1/4?", 3, below=Fraction(1, 4), hint="", solution="")

# ---------- what people type ----------


@pytest.mark.parametrize(
    "text",
    [
        "1/log2(6)",
        "1/log₂(6)",
        "1/log_2(6)",
        "1/log_{2}(6)",
        "1/log2 6",
        "1/log₂6",
        "y(6)",
        "y_6",
        "log(2)/log(6)",
        "ln(2)/ln(6)",
        "“1/log2(6)”",
        "1 / log2(6)",
        "1/log₂(6) ≈ 0.38685",
    ],
)
def test_logarithms(text: str) -> None:
    assert typed.value(text) == y(6)


@pytest.mark.parametrize("text", ["−1/2 + 2a", "-1/2 + 2*a", "–1/2+2a", "2·a − 1/2", "2 a - 1/2", "‘−1/2 + 2a’"])
def test_signs(text: str) -> None:
    assert judge_exact(2 * a - Fraction(1, 2), text).status == "right"


@pytest.mark.parametrize(
    "text",
    ["3 < 2^4", "3 < 2⁴", "3^1 < 2^4", "3**1<2**4", "3 < 16", "2⁴ > 3", "16 > 3", "3 < 2⁴ (3 < 16)", "“3 < 2^4”"],
)
@pytest.mark.parametrize("bound", ["1/4", "a > 1/4", "1/4 < a", "0.25", "1/log₂(3) > 1/4"])
def test_inequalities_of_powers(text: str, bound: str) -> None:
    assert QUARTER(bound, text).status == "right"


def test_a_bound_on_the_wrong_side_is_false() -> None:
    verdict = QUARTER("a < 1/4", "3 < 2^4")
    assert (verdict.status, verdict.message) == ("wrong", "a < 1/4 is false.")


@pytest.mark.parametrize(
    "text",
    [
        "B C A D",
        "BCAD",
        "bcad",
        "b c a d",
        "B, C, A, D",
        "B,C,A,D",
        "B > C > A > D",
        "B → C → A → D",
        "(B, C, A, D)",
        "[B, C, A, D]",
        "X = B C A D",
        "1. B (2)   2. C (2)   3. A (3)   4. D (0)",
        "“B C A D”",
        "B;C;A;D",
    ],
)
def test_orders(text: str) -> None:
    assert typed.order(text, "ABCD", whole=True).documents == ("B", "C", "A", "D")


def test_tied_orders_and_unknown_documents() -> None:
    assert str(typed.order("a = b c d", "ABCD")) == "A=B C D"
    assert str(typed.order("B | CAD", "ABCD")) == "B | C A D"
    for text, told in (("Z A B", "'Z' is not among"), ("BCAZ", "'BCAZ' is not among"), ("A B A", "'A' stands twice")):
        with pytest.raises(NdcgLabError, match=told):
            typed.order(text, "ABCD")


@pytest.mark.parametrize(
    "text", ["A=2, B=−1", "A:2 B:-1", "A = 2; B = -1", "{'A': 2, 'B': -1}", "A=2 B=-1", "A→2\nB→-1"]
)
def test_grades(text: str) -> None:
    assert typed.grades(text) == {"A": "2", "B": "-1"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A=1, A=2", "A is graded twice, 1 and 2"),
        ("A is good", "'A is good' is not"),
        ("A=1 B", "'B' is not"),
        ("", "like"),
    ],
)
def test_grades_that_are_none_or_two(text: str, told: str) -> None:
    with pytest.raises(NdcgLabError, match=told):
        typed.grades(text)
    with pytest.raises(NdcgLabError, match=told):
        zero_ideal.read_grades(text)


def test_a_grade_typed_twice_in_a_panel_is_refused() -> None:
    reader = Reader(zero_ideal.panel())
    reader.ask(grades="A=1, A=2")
    assert "No numbers: A is graded twice, 1 and 2" in reader.view["verdict"]


@pytest.mark.parametrize("text", ["undefined", "“undefined”", "Undefined", "NaN", "nan", "'no value'", "0/0", "none"])
def test_words(text: str) -> None:
    assert judge_exact(Undefined("zero ideal"), text).status == "right"
    assert check_of("00_start_here", "Exercise 4").exercise("“Line 2”").status == "right"


@pytest.mark.parametrize("text", ["0=1,2=2,3=3", "0:1 2:2 3:3", "g(0)=1, g(2)=2, g(3)=3", "0 = 1; 2 = 2; 3 = 3"])
def test_gain_tables(text: str) -> None:
    assert what_cancels._same_for_x(text).status == "right"


@pytest.mark.parametrize("text", ["3+3a/4+2a", "(3+3a)/4+2a", "3+3a/(4+2a)", "3 + 3a ÷ 4 + 2a"])
def test_missing_brackets_are_named(text: str) -> None:
    verdict = judge_exact(parse("(3 + 3a)/(4 + 2a)"), text)
    assert verdict.status == "half"
    assert "brackets are missing" in verdict.message


@pytest.mark.parametrize(
    ("text", "status"), [("90%", "half"), ("90.5 %", "half"), ("90,5%", "half"), ("91%", "wrong"), ("0.905", "half")]
)
def test_percentages_are_decimals(text: str, status: str) -> None:
    assert judge_exact(parse("(7/2 + 2a)/(4 + 2a)"), text).status == status


def test_a_percentage_may_be_the_value() -> None:
    assert judge_exact(parse("1/2"), "50%").status == "right"


# ---------- what the lessons print ----------


def shown(lesson: str) -> str:
    """Prose, outputs and exercises of a lesson, as they are read."""
    outputs = []
    for cell in prose.cells(lesson):
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            outputs.append("".join(data.get("text/html") or data.get("text/plain") or output.get("text", "")))
    cells = re.sub(r"</?(?:td|th|p|li|br|div|summary|tr)[^>]*>", "\n", "\n".join(outputs))
    return prose.stripped(cells) + "\n" + prose.read(lesson)


POWERS = re.compile(r"\d+(?:\^\d+|[⁰¹²³⁴⁵⁶⁷⁸⁹]+) [<>] \d+(?:\^\d+|[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?(?![\d/.])|\d+ [<>] \d+[⁰¹²³⁴⁵⁶⁷⁸⁹]+")


@LESSONS
def test_every_printed_inequality_of_powers_is_read(lesson: str) -> None:
    for printed in set(POWERS.findall(shown(lesson))):
        assert typed.inequalities(printed), printed


FORM = re.compile(r"[−-]?[\d(][\d/a+−()· *-]*(?:/?log[2₂]\(\d+\)[\d/a+−()· *-]*)*")


def exact_cells(lesson: str) -> Iterator[str]:
    """Lines of outputs that hold an exact value alone, or one with its decimals."""
    for line in shown(lesson).splitlines():
        text = line.partition("≈")[0].partition(" = ")[0].strip()
        if FORM.fullmatch(text) and re.search(r"a|log", text) and not re.search(r"[\da)] [\da(]", text):
            yield html.unescape(text)


@LESSONS
def test_every_printed_value_is_read(lesson: str) -> None:
    for printed in set(exact_cells(lesson)):
        assert typed.value(printed) is not None, printed
        assert judge_exact(typed.value(printed), printed).status == "right", printed


ORDERS = re.compile(r"(?<![\w=])[A-E](?:[ =][A-E]){2,}(?![\w=(])")


@LESSONS
def test_every_printed_order_is_read(lesson: str) -> None:
    for printed in set(ORDERS.findall(shown(lesson))):
        if len(set(re.findall(r"\w", printed))) == len(re.findall(r"\w", printed)):
            assert typed.order(printed, "ABCDE").documents == tuple(re.findall(r"\w", printed))


def test_such_notations_are_printed() -> None:
    assert sum(len(POWERS.findall(shown(lesson))) for lesson in NOTEBOOKS) > 40
    assert sum(len(list(exact_cells(lesson))) for lesson in NOTEBOOKS) > 200
    assert sum(len(ORDERS.findall(shown(lesson))) for lesson in NOTEBOOKS) > 40


@LESSONS
def test_every_placeholder_is_read(lesson: str) -> None:
    for exercise in prose.exercises(lesson):
        if all(blank.example for blank in exercise.blanks):
            assert exercise(*(blank.example for blank in exercise.blanks)).status != "unread", exercise.question


def test_what_an_exercise_judges_is_what_is_typed() -> None:
    below = ask.power_bound("?", 3, below=Fraction(5, 8), hint="", solution="")
    assert below("5/8", "3⁵ < 2⁸ and 243 < 256").message == "Right: a > 5/8, because 3⁵ < 2⁸ (243 < 256)."
    assert below("5/8", "3⁵ < 2⁸ and 256 < 243").status == "wrong"
    assert below("5/8", "2^999999999 > 3").status == "unread"
