"""Lesson 10: what floating point does to ties and near ties, and how whole numbers settle them."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import ipywidgets

from ndcg_lab import Contract, Judgments, Ranking, evaluate, parse, y
from ndcg_lab.certificate import certify
from ndcg_lab.certificate import check as checked
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import typed, views
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.controls import Announcer, Choice
from ndcg_lab.lessons.display import Reading, bundle
from ndcg_lab.lessons.exercises import Verdict, half, right, wrong
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.text import escape, shown, typeset
from ndcg_lab.measure.evaluation import Evaluation

LESSON = "lesson 10"

prediction = Predict(
    LESSON,
    "Two needs, NDCG@5 with linear gain. One list has found one of two relevant documents, at rank 2: "
    "<i>a</i>/(1 + <i>a</i>). The other has found its only relevant document at rank 5: 1/log<sub>2</sub>(6). "
    "Which number is larger?",
    {
        "a/(1 + a)": "Their difference has no digit other than 0, however far you go.",
        "1/log2(6)": "Their difference has no digit other than 0, however far you go.",
        "they are equal": "You are right.",
    },
    "they are equal",
    "1 + <i>a</i> is 1 + log(2)/log(3) = log(6)/log(3), so <i>a</i>/(1 + <i>a</i>) = log(2)/log(6) = "
    "1/log<sub>2</sub>(6). It rests on 6 = 2 · 3, and on nothing else.",
)


# ---------- what others print ----------


@dataclass(frozen=True)
class Pair:
    """Two orders of one need's grades, and what floating point says of their order."""

    name: str
    first: tuple[int, ...]
    second: tuple[int, ...]
    printed: Mapping[str, tuple[float, float]]
    """By system and version: NDCG over all ranks, linear gain, of the first and of the second."""


PAIRS = {
    "seven documents": Pair(
        "seven documents",
        (0, 0, 4, 0, 0, 0, 1),
        (1, 0, 0, 0, 0, 0, 4),
        {
            "scikit-learn 1.9.1": (0.5038585030433304, 0.5038585030433305),
            "pytrec_eval 0.5.11": (0.5038585030433304, 0.5038585030433302),
            "ranx 0.3.21": (0.5038585030433304, 0.5038585030433302),
        },
    ),
    "eight documents": Pair(
        "eight documents",
        (2, 3, 2, 0, 0, 0, 0, 0),
        (3, 2, 0, 0, 0, 0, 0, 2),
        {
            "scikit-learn 1.9.1": (0.9298593499260984, 0.9298593499260986),
            "pytrec_eval 0.5.11": (0.9298593499260985, 0.9298593499260986),
            "ranx 0.3.21": (0.9298593499260985, 0.9298593499260986),
        },
    ),
    "ten documents": Pair(
        "ten documents",
        (36, 32, 18, 6, 35, 36, 0, 3, 36, 27),
        (32, 35, 36, 18, 3, 0, 36, 27, 6, 36),
        {
            "scikit-learn 1.9.1": (0.9277649144817749, 0.9277649144817749),
            "pytrec_eval 0.5.11": (0.9277649144817751, 0.927764914481775),
            "ranx 0.3.21": (0.9277649144817751, 0.927764914481775),
        },
    ),
}
"""Recorded by running each system; a test runs those that are installed again."""


def ranked(grades: Sequence[int], gain: str = "linear") -> Evaluation:
    """Grades in ranked order, evaluated over all ranks against their own ideal."""
    documents = [f"d{rank}" for rank in range(1, len(grades) + 1)]
    judgments = Judgments(dict(zip(documents, grades, strict=True)))
    return evaluate(Contract(gain=gain, k="all"), Ranking(documents), judgments)


def float_terms(grades: Sequence[int]) -> list[float]:
    """What a program adds up: gain over log2(rank + 1), each rounded to a double."""
    return [grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1)]


def plain_sum(terms: Iterable[float]) -> float:
    """The terms added one by one, each sum rounded to a double; `sum` does more from Python 3.12 on."""
    total = 0.0
    for term in terms:
        total += term
    return total


def _leads(one: float, other: float) -> str:
    return "first" if one > other else "second" if one < other else "equal"


def printed(name: str) -> Reading:
    """What sums of doubles and real systems make of a pair, beside the exact verdict."""
    pair = PAIRS[name]
    one, other = (ranked(grades) for grades in (pair.first, pair.second))
    sums = {
        "DCG, plain sum of doubles": [plain_sum(float_terms(grades)) for grades in (pair.first, pair.second)],
        "DCG, math.fsum": [math.fsum(float_terms(grades)) for grades in (pair.first, pair.second)],
    }
    rows = [(what, repr(x), repr(z), _leads(x, z)) for what, (x, z) in sums.items()]
    rows += [(f"NDCG, {system}", repr(x), repr(z), _leads(x, z)) for system, (x, z) in pair.printed.items()]
    sign = (one.dcg - other.dcg).sign()
    rows.append(("DCG, exact", shown(one.dcg), shown(other.dcg), {1: "first", 0: "equal", -1: "second"}[sign]))
    head = ("computed by", f"first: {_listed(pair.first)}", f"second: {_listed(pair.second)}", "larger")
    told = f"{pair.name}: {len({row[3] for row in rows[:-1]})} different verdicts from floating point"
    return Reading(views.rows_table(f"Grades in ranked order, {pair.name}", head, rows), told)


def _listed(grades: Sequence[int]) -> str:
    return " ".join(map(str, grades))


PERFECT_PRINTED = ((2, 2, 1, 1, 1, 1), 1.0000000000000002)
"""A perfect ranking, and what scikit-learn 1.9.1 returns for it."""


def nearly_one() -> Reading:
    """A perfect ranking that is printed as something else, and an imperfect one whose nearest double is 1.0."""
    perfect, by_sklearn = PERFECT_PRINTED
    cases = [
        ("perfect", perfect, "linear", f"{by_sklearn!r} (scikit-learn 1.9.1)"),
        ("not perfect", (60, 0, 1), "exponential", "1.0, by any correct rounding"),
    ]
    rows = []
    for name, grades, gain, told in cases:
        value = _ndcg(grades, gain)
        answer = "yes" if value.is_one else f"no: 1 − NDCG is {(1 - value).decimal(3)}"
        rows.append((f"{name}: {_listed(grades)}", gain, told, repr(float(value)), answer))
    head = ("grades in ranked order", "gain", "printed", "nearest double", "exactly 1?")
    return Reading(views.rows_table("Is it 1?", head, rows), "; ".join(f"{row[0]}: {row[4]}" for row in rows))


def _ndcg(grades: Sequence[int], gain: str = "linear") -> Exact:
    value = ranked(grades, gain).ndcg
    assert not isinstance(value, Undefined)
    return value


# ---------- the panel: sign and proof of any value ----------

EXAMPLES = {
    "X − Y, linear gain": "2a - 1/2",
    "X − Y, exponential gain": "3a - 2",
    "rank 2 to 13 against 1 to 2": "1 - 2a + 1/log2(14)",
    "a tie across needs": "a/(1 + a) - 1/log2(6)",
    "two ideals": "(7/2 + 2a)/(4 + 2a) - 4/(3 + 2a)",
    "ten documents": str(ranked(PAIRS["ten documents"].first).dcg - ranked(PAIRS["ten documents"].second).dcg),
}


def proof(text: str) -> str:
    """The sign of a typed value with what proves it, step by step, as HTML."""
    value = parse(text)
    certificate = certify(value)
    mark = {1: "&gt; 0", 0: "= 0", -1: "&lt; 0"}[certificate["sign"]]
    lines = [f"<p><strong>{shown(value)} {mark}</strong>, {escape(views.proved(certificate))}.</p>"]
    if certificate["sign"]:
        rows = []
        for bound in certificate["bounds"]:
            for side, sign in (("lower", ">"), ("upper", "<")):
                if side in bound:
                    name = shown(y(bound["b"]))
                    why = bound.get(f"{side}_powers", "by the series for the logarithm")
                    rows.append((f"{name} {escape(sign)} {bound[side]}", escape(typeset(why))))
        if rows:
            lines.append(views.rows_table("The bounds, each checked with whole numbers", ("bound", "because"), rows))
    double = float_value(value)
    proved = checked(certificate)
    lines.append(
        f"<p>The checker, with whole numbers and fractions alone, says: sign {typeset(str(proved))}. "
        f"The value is {typeset(value.decimal(20))}; a plain sum of doubles says {typeset(repr(double))}.</p>"
    )
    return "".join(lines)


def float_value(value: Exact) -> float:
    """The value as a program without proofs would compute it: doubles all the way."""

    def total(form: Linear) -> float:
        return plain_sum(float(q) / math.log2(b) for b, q in form.terms.items())

    result = 0.0
    for monomial, q in value.unscaled().monomials().items():
        product = float(q)
        for form, power in monomial:
            product *= total(Linear(dict(form))) ** power
        result += product
    if value.scale is None:
        return result
    base = value.scale.removeprefix("log2(").removesuffix(")")
    return result * math.log2(math.e if base == "e" else Fraction(base))


class Prover:
    """A panel: type an exact value, or choose one, and read its sign and what proves it."""

    def __init__(self) -> None:
        self.example = Choice("Value", list(EXAMPLES), index=0)
        self.text = ipywidgets.Text(description="or type one", continuous_update=False)
        self.text.style.description_width = "initial"
        self.text.layout.width = "min(100%, 40em)"
        self.reset = ipywidgets.Button(description="reset")
        self._shown = ipywidgets.HTML()
        self._announcer = Announcer()
        self.example.observe(lambda _: self._take(), names="index")
        self.text.observe(lambda _: self._refresh(), names="value")
        self.reset.on_click(lambda _: self._restart())
        self.widget = ipywidgets.VBox([self.example, self.text, self.reset, self._shown, self._announcer])
        self._take()

    def _restart(self) -> None:
        self.example.index = 0
        self._take()

    def _take(self) -> None:
        if self.example.chosen is not None:
            self.text.value = EXAMPLES[self.example.chosen]

    def _refresh(self) -> None:
        if self.example.chosen is not None and self.text.value != EXAMPLES[self.example.chosen]:
            self.example.index = -1
        try:
            self._shown.value = proof(self.text.value)
            self._announcer.text = f"{self.text.value}: shown"
        except (NdcgLabError, ZeroDivisionError) as error:
            self._shown.value = views.block(f"<strong>No verdict: {escape(str(error))}</strong>")
            self._announcer.text = f"No verdict: {error}"

    def reading(self) -> str:
        """Every example with its verdict."""
        return "".join(f"<p>{escape(name)}:</p>{proof(text)}" for name, text in EXAMPLES.items())

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return bundle(self.widget, self.reading(), repr(self))

    def __repr__(self) -> str:
        return f"Prover: {len(EXAMPLES)} examples"


# ---------- exercises ----------


def _grades(text: str) -> tuple[int, ...]:
    parts = typed.plain(text).strip("[]()").replace(",", " ").split()
    if not 2 <= len(parts) <= 20 or not all(part.isdecimal() and int(part) <= 1000 for part in parts):
        raise NdcgLabError("write 2 to 20 whole grades from 0 to 1000 in ranked order, like 0 0 4 0 0 0 1")
    return tuple(map(int, parts))


def _tie_that_floats_break(one: str, other: str) -> Verdict:
    first, second = _grades(one), _grades(other)
    if any({first, second} == {pair.first, pair.second} for pair in PAIRS.values()):
        return wrong("That pair is the lesson's own; find another.")
    if sorted(first) != sorted(second):
        return wrong("The two lists are to order the same grades.")
    if first == second:
        return wrong("The two lists are the same.")
    difference = ranked(first).dcg - ranked(second).dcg
    sums = [plain_sum(float_terms(grades)) for grades in (first, second)]
    if difference.sign() != 0:
        return wrong(
            typeset(f"They don't tie: the first minus the second is {difference}, about {difference.decimal(6)}.")
        )
    if sums[0] == sums[1]:
        return half(f"They tie exactly, at {ranked(first).dcg}; and here a sum of doubles agrees: {sums[0]!r} twice.")
    return right(
        f"Right: both are exactly {ranked(first).dcg}, and a sum of doubles gives {sums[0]!r} and {sums[1]!r}."
    )


def _one_logarithm(text: str) -> Verdict:
    found = ask.judge_exact(y(22), text)
    if found.status == "right" and len(re.findall("log|y", text)) != 1:
        return half("That is the number, as the question has it. Write it with one logarithm, as 1/log2(b).")
    return found


exercises = (
    ask.exact(
        "Grades in ranked order 0, 0, 3, 0, 0, 0, 2, linear gain: what is DCG over all seven ranks, exactly?",
        Fraction(13, 6),
        near={
            "3/2": "Half right: that is rank 3. Rank 7 adds 2/log2(8).",
            "5": "Those are the gains; each is discounted.",
        },
        example="3/2",
        hint="Ranks 3 and 7 are worth 1/2 and 1/3.",
        solution="3/2 + 2/3 = 13/6, a fraction: no logarithm is left.",
    ),
    ask.choose(
        "Two dashboards show 2.3333333333333335 for one order and 2.333333333333333 for another, both with the correct "
        "DCG up to rounding. Which order is better?",
        {
            "the first": "It is larger by one unit in the last place, and rounding alone goes as far.",
            "the second": "It is smaller by one unit in the last place, and rounding alone goes as far.",
            "these digits can't tell": "Right: both may be rounded from one number, as 7/3 is here.",
        },
        "these digits can't tell",
        hint="How far apart are neighbouring doubles at 2.33?",
        solution="They can't tell. The numbers differ by one unit in the last place, and the exact values "
        "are both 7/3.",
    ),
    ask.power_bound(
        "Prove 5 − 14/log<sub>2</sub>(7) &gt; 0: give the fraction that 1/log<sub>2</sub>(7) must stay below, and the "
        "inequality of whole powers.",
        7,
        above=Fraction(5, 14),
        hint="5 − 14/log<sub>2</sub>(7) &gt; 0 says 1/log<sub>2</sub>(7) &lt; 5/14.",
        solution="1/log<sub>2</sub>(7) &lt; 5/14, because 2<sup>14</sup> &lt; 7<sup>5</sup>: 16384 &lt; 16807.",
    ),
    ask.construct(
        "As <i>a</i>/(1 + <i>a</i>) above, (1/log<sub>2</sub>(11))/(1 + 1/log<sub>2</sub>(11)) is a single "
        "1/log<sub>2</sub>(<i>b</i>). Write it in that form.",
        _one_logarithm,
        [ask.Blank("Exact value", example="1/log2(7)")],
        hint="1 + log(2)/log(11) is log(2 · 11)/log(11).",
        solution="1/log<sub>2</sub>(22).",
    ),
    ask.wrong_line(
        "A derivation that comes to <i>a</i> · 1/log<sub>2</sub>(6) = (<i>a</i> − 1/log<sub>2</sub>(6))/2. Which line "
        "is wrong?",
        [
            "log 6 = log 2 + log 3.",
            "Divide by log 2: log<sub>2</sub>(6) = 2 + log<sub>2</sub>(3).",
            "Divide by both logarithms: <i>a</i> = 2<i>a</i>/log<sub>2</sub>(6) + 1/log<sub>2</sub>(6).",
            "So <i>a</i>/log<sub>2</sub>(6) = (<i>a</i> − 1/log<sub>2</sub>(6))/2.",
        ],
        2,
        "Right: log 2 over log 2 is 1, so log2(6) = 1 + log2(3), and the factor 2 goes.",
        hint="Divide each of the three terms, one by one.",
        solution="Line 2. It should read log<sub>2</sub>(6) = 1 + log<sub>2</sub>(3); then "
        "<i>a</i>/log<sub>2</sub>(6) = <i>a</i> − 1/log<sub>2</sub>(6).",
    ),
    ask.construct(
        "Find two orders of the same grades that tie exactly under linear gain, and whose plain sums of "
        "doubles differ.",
        _tie_that_floats_break,
        [ask.Blank("One order", example="0 0 4 0 0 0 1"), ask.Blank("Other order", example="1 0 0 0 0 0 4")],
        hint="Ranks 1, 3 and 7 are worth 1, 1/2 and 1/3: trade grades among them. Or scale the lesson's example.",
        solution="0 0 8 0 0 0 2 and 2 0 0 0 0 0 8 tie at 14/3; the sums of doubles are 4.666666666666667 and "
        "4.666666666666666.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
