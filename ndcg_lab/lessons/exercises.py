"""Exercises and how an answer to them is judged; no widget here.

An [Exercise][ndcg_lab.lessons.exercises.Exercise] is a question, blanks to fill in, and a function from what was
typed to a [Verdict][ndcg_lab.lessons.exercises.Verdict]. The functions below make the kinds of exercise that the
lessons use. Nothing typed is evaluated as code: `ndcg_lab.lessons.typed` reads it.

Questions, hints and solutions are the author's HTML; verdicts are plain text, for they may quote the reader.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from ndcg_lab.errors import NdcgLabError, Undecided
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.quotient import Quotient
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons import typed
from ndcg_lab.lessons.state import State
from ndcg_lab.lessons.text import decimal, typeset
from ndcg_lab.measure.evaluation import Evaluation

Status = Literal["right", "half", "wrong", "unread"]


@dataclass(frozen=True)
class Verdict:
    """What an answer is worth, and why.

    Args:
        status: "right"; "half" right; "wrong"; or "unread", where it can't be read as an answer.
        message: plain text.
    """

    status: Status
    message: str


def right(message: str) -> Verdict:
    """A right answer."""
    return Verdict("right", message)


def half(message: str) -> Verdict:
    """An answer with something right in it."""
    return Verdict("half", message)


def wrong(message: str) -> Verdict:
    """A wrong answer."""
    return Verdict("wrong", message)


@dataclass(frozen=True)
class Blank:
    """One thing to fill in: typed text, or one of `choices`.

    Args:
        label: what to fill in.
        choices: the options, where it is a choice.
        example: how such an answer is written.
        optional: whether it may stay empty.
    """

    label: str
    choices: tuple[str, ...] = ()
    example: str = ""
    optional: bool = False


@dataclass(frozen=True)
class Exercise:
    """A question that judges its answers. Call it with one answer per blank.

    >>> from ndcg_lab import a
    >>> ask = exact("What is rank 2 worth?", a, hint="The discount is 1/log2(rank + 1).", solution="a = 1/log2(3)")
    >>> ask("1/log2(3)")
    Verdict(status='right', message='Right: a.')
    """

    question: str
    blanks: tuple[Blank, ...]
    judge: Callable[..., Verdict]
    hint: str
    solution: str
    fresh: "Callable[[int], Exercise] | None" = None
    """Another of its kind, from a seed."""

    def __call__(self, *answers: object) -> Verdict:
        """Judge an answer; exact values and fractions may be given as they are."""
        if len(answers) != len(self.blanks):
            labels = ", ".join(blank.label for blank in self.blanks)
            return Verdict("unread", f"This exercise wants {len(self.blanks)} answers: {labels}.")
        texts = [str(answer).strip() for answer in answers]
        for place, (text, blank) in enumerate(zip(texts, self.blanks, strict=True)):
            if not text and not blank.optional:
                return Verdict("unread", f"{blank.label}: nothing there yet." + _such_as(blank))
            if blank.choices:
                meant = [choice for choice in blank.choices if typed.word(choice) == typed.word(text)]
                if not meant:
                    return Verdict("unread", f"{blank.label}: choose one of {', '.join(blank.choices)}.")
                texts[place] = meant[0]
        try:
            return self.judge(*texts)
        except NdcgLabError as error:
            return Verdict("unread", f"{error}.".replace("..", "."))


def _such_as(blank: Blank) -> str:
    return f" Write it like {blank.example}." if blank.example else ""


# ---------- an exact value ----------


def exact(
    question: str,
    answer: Exact | Fraction | int | Undefined,
    *,
    near: Mapping[str, str] | None = None,
    label: str = "Exact value",
    example: str = "7/2 + 2a",
    hint: str,
    solution: str,
    fresh: Callable[[int], Exercise] | None = None,
) -> Exercise:
    """Asks for a value, exact; proves the answer equal or not.

    Args:
        question: HTML.
        answer: the value.
        near: for wrong values that are half right, written as a reader would: what is right in them.
        label: what the reader is asked to type.
        example: how an answer of this kind is written.
        hint: HTML.
        solution: HTML.
        fresh: another of its kind, from a seed.
    """
    value = Linear.rational(answer) if isinstance(answer, int | Fraction) else answer
    kept = [(typed.value(text), say) for text, say in (near or {}).items()]
    blank = Blank(label, example=example)
    return Exercise(question, (blank,), lambda text: judge_exact(value, text, kept), hint, solution, fresh)


_DECIMAL = re.compile(r"(-?\d*[.,]\d+|-?\d+(?=\s*%))\s*(%?)")


def judge_exact(answer: Exact | Undefined, text: str, near: Iterable[tuple[Exact, str]] = ()) -> Verdict:
    """Compare typed text with the exact answer.

    >>> from ndcg_lab import parse
    >>> print(judge_exact(parse("7/2 + 2a"), "4.762").message)
    Rounded to 3 decimals that is right, but it is not the value: the value is irrational, so no decimal equals it.
    Keep a and fractions as they are.
    >>> judge_exact(parse("7/2 + 2a"), "7/2 + 3a").message
    'Half right: the part without logarithms is right; the part with a is not.'
    """
    if isinstance(answer, Undefined):
        if typed.word(text) in {"undefined", "none", "no value", "0/0", "nan"}:
            return right(f"Right: {answer}.")
        return wrong("Not so: is there a value at all?")
    if typed.word(text) in {"undefined", "nan", "no value"}:
        return wrong("It has a value.")
    decimal = _DECIMAL.fullmatch(typed.plain(text))
    value = _fraction(decimal) if decimal else typed.value(text)
    try:
        if value == answer:
            return right(f"Right: {typeset(str(answer))}.")
        for close, say in near:
            if value == close:
                return half(say)
        if decimal:
            return _judge_decimal(answer, decimal)
        return _unbracketed(answer, text) or _partly(answer, value) or _off(answer, value)
    except Undecided:
        return wrong("Not proved equal to the answer; write it in the form that the lesson uses.")


def _fraction(decimal: re.Match[str]) -> Exact:
    return Linear.rational(Fraction(decimal[1].replace(",", ".")) / (100 if decimal[2] else 1))


def _judge_decimal(answer: Exact, decimal: re.Match[str]) -> Verdict:
    """A decimal, or a percentage, that is not the value: whether it is the value rounded."""
    places = len("".join(re.split(r"[.,]", decimal[1])[1:])) + (2 if decimal[2] else 0)
    why = (
        "the value is a fraction whose decimals don't end there. Write it as p/q."
        if answer.is_rational
        else "the value is irrational, so no decimal equals it. Keep a and fractions as they are."
    )
    if _fraction(decimal) == answer.rounded(places):
        return half(f"Rounded to {places} decimals that is right, but it is not the value: {why}")
    return wrong(f"A decimal can't be the answer here: {why} This one isn't the value rounded either.")


def _unbracketed(answer: Exact, text: str) -> Verdict | None:
    """What `3 + 3a/4 + 2a` lacks, where brackets around both sides of one of its strokes give the answer."""
    clean = typed.plain(text)
    for stroke in (place for place, sign in enumerate(clean) if sign in "/÷"):
        try:
            bracketed = typed.value(f"({clean[:stroke]})/({clean[stroke + 1 :]})")
        except NdcgLabError:
            continue
        if bracketed == answer:
            return half(
                "Half right: brackets are missing. Without them only what stands next to the stroke is divided; put "
                "what belongs above the line in brackets, and what belongs below it."
            )
    return None


def _partly(answer: Exact, value: Exact) -> Verdict | None:
    if value == -answer:
        return half("Half right: the size is right, the sign is not.")
    if isinstance(answer, Quotient) and answer.numerator == value:
        return half("Half right: that is the numerator. What is it divided by?")
    if isinstance(answer, Quotient) and answer.denominator == value:
        return half("Half right: that is the denominator. What stands over it?")
    if isinstance(answer, Quotient) and isinstance(value, Quotient):
        if value.numerator == answer.numerator:
            return half("Half right: the numerator is right, the denominator is not.")
        if value.denominator == answer.denominator:
            return half("Half right: the denominator is right, the numerator is not.")
        if value * answer == 1:
            return half("Half right: both parts are right, but upside down.")
    if isinstance(answer, Linear) and isinstance(value, Linear):
        bases = {*answer.terms, *value.terms}
        good = [b for b in sorted(bases) if answer.terms.get(b) == value.terms.get(b)]
        bad = [b for b in sorted(bases) if b not in good]
        if good:
            agree, differ = _parts(good), _parts(bad)
            return half(f"Half right: {agree} {'is' if len(good) == 1 else 'are'} right; {differ} is not.")
    return None


def _parts(bases: Sequence[int]) -> str:
    names = {2: "the part without logarithms", 3: "the part with a"}
    return " and ".join(names.get(b, f"the part with 1/log2({b})") for b in bases)


def _off(answer: Exact, value: Exact) -> Verdict:
    return wrong(f"Not equal to the answer: it is too {'large' if value > answer else 'small'}.")


# ---------- a choice ----------


def choose(
    question: str,
    options: Mapping[str, str],
    answer: str,
    *,
    label: str = "Answer",
    hint: str,
    solution: str,
) -> Exercise:
    """Asks for one of some options; each option comes with what to say to it.

    >>> ask = choose("Which?", {"this": "Yes.", "that": "That is not this."}, "this", hint="", solution="this")
    >>> ask("that")
    Verdict(status='wrong', message='That is not this.')
    """

    def judge(text: str) -> Verdict:
        return right(options[text]) if text == answer else wrong(options[text])

    return Exercise(question, (Blank(label, tuple(options)),), judge, hint, solution)


def settings(
    state: State, others: Mapping[str, object], told: Callable[[Evaluation], str] | None = None
) -> dict[str, str]:
    """For each field what another setting of it alone would give: what to say to a reader who took it for the cause.

    Args:
        state: one list under the first contract.
        others: another setting for each field.
        told: what to say of an evaluation; its NDCG unless given.
    """
    said = {}
    for field, setting in others.items():
        (evaluation,) = state.under(**{field: setting}).evaluations.values()
        number = told(evaluation) if told else f"NDCG {_rounded(evaluation)}"
        said[field] = f"With {field} = {setting} alone it would be {number}."
    return said


def _rounded(evaluation: Evaluation) -> str:
    return str(evaluation.ndcg) if isinstance(evaluation.ndcg, Undefined) else decimal(evaluation.ndcg)


def wrong_line(question: str, lines: Sequence[str], wrong_one: int, why: str, *, hint: str, solution: str) -> Exercise:
    """Shows a derivation with one wrong line and asks which; `wrong_one` counts from 1."""
    listed = "".join(f"<li>{line}</li>" for line in lines)
    good = "Follows from the lines before it, if they hold."
    options = {f"line {n}": why if n == wrong_one else good for n in range(1, len(lines) + 1)}
    return choose(
        f"{question}<ol>{listed}</ol>", options, f"line {wrong_one}", label="Wrong line", hint=hint, solution=solution
    )


# ---------- always, sometimes, never ----------


def claim(
    question: str,
    truth: Literal["always", "sometimes", "never"],
    *,
    witness: str,
    example: str,
    check: Callable[[str], Verdict],
    because: str = "",
    hint: str,
    solution: str,
) -> Exercise:
    """Asks whether something holds always, sometimes or never; for "sometimes" also for an example that shows it.

    Args:
        question: HTML.
        truth: which of the three.
        witness: what the example must be, as the label of its blank.
        example: how such an example is written.
        check: judges the example: right where it speaks against "always", or against "never".
        because: why it holds always, or never; plain text.
        hint: HTML.
        solution: HTML.
    """
    blanks = (Blank("It holds", ("always", "sometimes", "never")), Blank(witness, example=example, optional=True))

    def judge(choice: str, text: str) -> Verdict:
        found = check(text) if text else None
        if found is not None and found.status == "unread":
            return found
        if choice == truth == "sometimes":
            if found is None:
                return half("“sometimes” is right. Show an example.")
            return found if found.status == "right" else half(f"“sometimes” is right. {found.message}")
        if choice == truth:
            return right(f"Right: {because}")
        if truth == "sometimes" and found is not None and found.status == "right":
            return half(f"Your example is good, but it doesn't say “{choice}”. {found.message}")
        if choice == "sometimes":
            return wrong(f"Not “sometimes”. {found.message if found else 'Look for an example.'}")
        return wrong(f"Not “{choice}”. {found.message if found else 'Try an example or two.'}")

    return Exercise(question, blanks, judge, hint, solution)


# ---------- a construction ----------


def construct(
    question: str, check: Callable[..., Verdict], blanks: Iterable[Blank], *, hint: str, solution: str
) -> Exercise:
    """Asks for something with a property; any construction that has it is accepted."""
    return Exercise(question, tuple(blanks), check, hint, solution)


# ---------- a bound by whole powers ----------


def power_bound(
    question: str,
    base: int,
    *,
    above: Fraction | None = None,
    below: Fraction | None = None,
    hint: str,
    solution: str,
) -> Exercise:
    """Asks for p/q on the right side of 1/log2(base), with the inequality of whole powers that proves it.

    Give `above` where the proof needs 1/log2(base) < p/q <= above, or `below` where it needs
    below <= p/q < 1/log2(base).

    >>> ask = power_bound("Show that a < 2/3.", 3, above=Fraction(2, 3), hint="", solution="2^3 < 3^2")
    >>> ask("2/3", "2^3 < 3^2").message
    'Right: a < 2/3, because 2³ < 3² (8 < 9).'
    """
    name = {3: "a"}.get(base, f"1/log2({base})")
    blanks = (Blank("Bound p/q", example="1/9"), Blank("Inequality of whole powers", example=f"{base} < 2^9"))

    def judge(bound: str, inequality: str) -> Verdict:
        side, value = typed.bound(bound)
        if not value.is_rational or value.sign() <= 0:
            return wrong("The bound is to be a fraction p/q of whole numbers.")
        fraction = value.as_fraction()
        p, q = fraction.numerator, fraction.denominator
        low = base**p < 2**q  # p/q < 1/log2(base)
        said = typed.inequalities(inequality)
        if not said:
            return Verdict("unread", f"Write the inequality like {base}^5 < 2^8.")
        for (b, m), (c, n) in said:
            if b**m >= c**n:
                return wrong(typeset(f"{_power(b, m)} < {_power(c, n)} is false."))
        sign = ">" if low else "<"
        if side and side != sign:
            return wrong(f"{name} {side} {fraction} is false.")
        if {b**m for b, m in said[0]} != {base**p, 2**q}:
            rule = f"p/q < {name} exactly when {base}^p < 2^q"
            return half(typeset(f"Half right: the inequality is true, but {rule}; your p and q are others."))
        if above is not None and (low or fraction > above):
            return half(f"True: {name} {sign} {fraction}. But the claim needs a bound above {name}, at most {above}.")
        if below is not None and (not low or fraction < below):
            return half(f"True: {name} {sign} {fraction}. But the claim needs a bound below {name}, at least {below}.")
        smaller, larger = ((base, p), (2, q)) if low else ((2, q), (base, p))
        powers = f"{_power(*smaller)} < {_power(*larger)}"
        worked = f"{smaller[0] ** smaller[1]} < {larger[0] ** larger[1]}"
        sizes = f" ({worked})" if worked != powers and larger[0] ** larger[1] < _READABLE else ""
        return right(typeset(f"Right: {name} {sign} {fraction}, because {powers}{sizes}."))

    return Exercise(question, blanks, judge, hint, solution)


def _power(base: int, exponent: int) -> str:
    return f"{base}^{exponent}" if exponent > 1 else str(base)


_READABLE = 10**12  # powers below this are written out
