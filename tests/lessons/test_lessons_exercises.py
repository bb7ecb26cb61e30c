"""How answers are judged: exact values, decimals, half-right ones, choices, constructions, powers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ndcg_lab import Undefined, a, parse
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import typed
from ndcg_lab.lessons.exercises import Blank, Verdict, judge_exact, right, wrong

DCG = parse("7/2 + 2a")
NDCG = parse("(7/2 + 2a)/(4 + 2a)")


@pytest.mark.parametrize(
    "text", ["7/2 + 2a", "2*a + 7/2", "Rational(7,2) + 2*a", "3.5 + 2a", "7/2+2/log2(3)", "(7 + 4a)/2"]
)
def test_every_spelling_of_the_value_is_right(text: str) -> None:
    assert judge_exact(DCG, text) == Verdict("right", "Right: 7/2 + 2a.")


@pytest.mark.parametrize(
    ("answer", "text", "status", "says"),
    [
        (DCG, "4.762", "half", "Rounded to 3 decimals that is right"),
        (DCG, "4,762", "half", "Rounded to 3 decimals that is right"),
        (DCG, "4.77", "wrong", "isn't the value rounded either"),
        (parse("2/3"), "0.667", "half", "decimals don't end there. Write it as p/q."),
        (parse("1/2"), "0.5", "right", "1/2"),
        (DCG, "7/2 + 3a", "half", "the part without logarithms is right; the part with a is not"),
        (DCG, "2a", "half", "the part with a is right; the part without logarithms is not"),
        (DCG, "-7/2 - 2a", "half", "the sign is not"),
        (DCG, "9", "wrong", "too large"),
        (DCG, "a", "wrong", "too small"),
        (NDCG, "7/2 + 2a", "half", "that is the numerator"),
        (NDCG, "4 + 2a", "half", "that is the denominator"),
        (NDCG, "(7/2 + 2a)/(5 + 2a)", "half", "the numerator is right, the denominator is not"),
        (NDCG, "(3 + 2a)/(4 + 2a)", "half", "the denominator is right, the numerator is not"),
        (NDCG, "(4 + 2a)/(7/2 + 2a)", "half", "upside down"),
        (NDCG, "(7 + 4a)/(8 + 4a)", "right", "Right"),
        (DCG, "undefined", "wrong", "It has a value"),
        (Undefined("zero ideal"), "undefined", "right", "zero ideal"),
        (Undefined("zero ideal"), "0", "wrong", "is there a value at all?"),
    ],
)
def test_what_is_said_of_an_exact_answer(answer: object, text: str, status: str, says: str) -> None:
    assert isinstance(answer, type(DCG) | type(NDCG) | Undefined)
    verdict = judge_exact(answer, text)
    assert verdict.status == status
    assert says in verdict.message


@pytest.mark.parametrize("text", ["", "7/2 +", "__import__('os')", "a.decimal(3)", "lambda: 0", "1/0"])
def test_nothing_typed_is_run(text: str) -> None:
    ask_value = ask.exact("?", DCG, hint="", solution="")
    assert ask_value(text).status == "unread"


def test_what_the_author_foresaw_is_said_first() -> None:
    ask_value = ask.exact("?", DCG, near={"7": "That is CG."}, hint="", solution="")
    assert ask_value("7") == Verdict("half", "That is CG.")
    assert ask_value(Fraction(7, 2) + 2 * a).status == "right"


def test_a_bound_by_powers() -> None:
    below = ask.power_bound("?", 3, below=Fraction(5, 8), hint="", solution="")
    assert below("5/8", "3^5 < 2^8") == Verdict("right", "Right: a > 5/8, because 3⁵ < 2⁸ (243 < 256).")
    assert below("5/8", "2**8 > 3**5").status == "right"
    assert below("17/27", "3^17 < 2^27").status == "right"  # 0.6296..., between 5/8 and a
    assert below("1/2", "3^1 < 2^2").message == "True: a > 1/2. But the claim needs a bound below a, at least 5/8."
    assert below("2/3", "2^3 < 3^2").status == "half"
    assert below("5/8", "3^5 > 2^8") == Verdict("wrong", "2⁸ < 3⁵ is false.")
    assert below("5/8", "3^2 < 2^4").status == "half"
    assert below("5/8", "243 < 256").status == "right"
    assert below("a", "3^5 < 2^8").status == "wrong"
    above = ask.power_bound("?", 3, above=Fraction(2, 3), hint="", solution="")
    assert above("2/3", "2^3 < 3^2").status == "right"
    assert above("7/11", "2^11 < 3^7").status == "right"
    assert above("3/4", "2^4 < 3^3").status == "half"
    assert above("5/8", "3^5 < 2^8").status == "half"


def test_always_sometimes_never() -> None:
    ask_claim = ask.claim(
        "?",
        "sometimes",
        witness="Example",
        example="3",
        check=lambda text: right("It is odd.") if int(text) % 2 else wrong("It is even."),
        hint="",
        solution="",
    )
    assert ask_claim("sometimes", "3").status == "right"
    assert ask_claim("sometimes", "2") == Verdict("half", "“sometimes” is right. It is even.")
    assert ask_claim("always", "3").status == "half"
    assert ask_claim("never", "2").status == "wrong"
    assert ask_claim("maybe", "3").status == "unread"
    assert ask_claim("always", "").status == "wrong"
    assert ask_claim("sometimes", "") == Verdict("half", "“sometimes” is right. Show an example.")


def test_what_holds_always_needs_no_example() -> None:
    ask_claim = ask.claim(
        "?",
        "always",
        witness="Example",
        example="3",
        check=lambda text: right("It is odd.") if int(text) % 2 else wrong("It is even."),
        because="They are even.",
        hint="",
        solution="",
    )
    assert ask_claim("always", "") == Verdict("right", "Right: They are even.")
    assert ask_claim("sometimes", "2") == Verdict("wrong", "Not “sometimes”. It is even.")
    assert ask_claim("never", "").status == "wrong"


def test_choices_and_wrong_lines() -> None:
    ask_line = ask.wrong_line("?", ["1 = 1", "1 = 2", "so 2 = 2"], 2, "It is not.", hint="", solution="")
    assert ask_line("line 2") == Verdict("right", "It is not.")
    assert ask_line("line 1").status == "wrong"
    assert ask_line("line 4").status == "unread"
    assert "<li>1 = 2</li>" in ask_line.question


def test_a_construction_names_what_it_can_not_read() -> None:
    ask_order = ask.construct(
        "?", lambda text: right(str(typed.order(text, "ABC", whole=True))), [Blank("Order")], hint="", solution=""
    )
    assert ask_order("C A B") == Verdict("right", "C A B")
    assert "'Z' is not among the documents A B C" in ask_order("Z A B").message
    assert "C: not placed yet" in ask_order("A B").message
    assert "'A' stands twice" in ask_order("A B A").message
    assert ask_order("A", "B").status == "unread"
