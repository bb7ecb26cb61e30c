"""Lesson 05: undefined, zero, empty, unjudged and negative are five things."""

from fractions import Fraction
from typing import Any

from ndcg_lab import Contract, Judgments, Ranking, a, evaluate
from ndcg_lab.exact.rationals import rational
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import typed, views
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.course import example
from ndcg_lab.lessons.exercises import Blank, Verdict, half, right, wrong
from ndcg_lab.lessons.panel import Panel
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.state import Preset, State, Target
from ndcg_lab.lessons.text import both, escape, shown
from ndcg_lab.measure.evaluation import Evaluation

LESSON = "lesson 05"

nothing = Judgments({"A": 0, "B": 0, "C": 0, "D": 0})
signed = Judgments({"A": 1, "B": -1})

prediction = Predict(
    LESSON,
    "A system returns D alone, the document with grade 0. Can its NDCG be 1?",
    {
        "no, it earned nothing": "So one would think; but 0/0 is whatever a convention says.",
        "yes, under two settings": "You are right.",
        "only if D is graded anew": "The grades can stay as they are.",
    },
    "Yes, under two settings",
    "With <code>ideal_population = returned</code> the ideal is made of D alone and is 0, and with "
    "<code>zero_ideal = one</code> the quotient 0/0 counts as 1. The list (B, A) has 0.91340 at k = 2 under the same "
    "contract, so the worthless list leads.",
)


def cause(evaluation: Evaluation) -> str:
    """Why an NDCG is what it is, in words."""
    if isinstance(evaluation.ndcg, Undefined):
        return f"no value: {evaluation.ndcg.reason}"
    if evaluation.idcg == 0:
        return f"0/0, and zero_ideal = {evaluation.contract.zero_ideal} says so"
    if evaluation.dcg == 0 and not len(evaluation.ranking):
        return "nothing was returned"
    if evaluation.dcg == 0:
        return "what was returned earns nothing"
    return "DCG over IDCG"


def causes(state: State) -> str:
    """DCG, IDCG and NDCG of each list, with the cause of the value."""
    rows = [
        (
            escape(name),
            views.value(evaluation.dcg),
            views.value(evaluation.idcg),
            views.value(evaluation.ndcg),
            str(evaluation.unjudged_in_k),
            f"<strong>{escape(cause(evaluation))}</strong>",
        )
        for name, evaluation in state.evaluations.items()
    ]
    head = ("list", "DCG", "IDCG", "NDCG", "without a grade in k", "because")
    return views.rows_table("What each number comes from", head, rows, words=["because"])


def panel() -> Panel:
    """Undefined, zero and empty."""
    start = State.of(example.judgments, Contract(gain="linear", k=2), X="D | A B C", Y="B A | C D")
    empty = State.of(nothing, start.contract, X="A B", Y="C D")
    returned = start.under(ideal_population="returned")
    return Panel(
        start,
        controls=("zero_ideal", "ideal_population", "k"),
        views=(causes, views.contributions),
        presets=[
            Preset("only D returned", start),
            Preset("nothing returned", start.with_lists(X="| A B C D")),
            Preset("all grades 0", empty),
            Preset("all grades 0, counted as 0", empty.under(zero_ideal="zero")),
            Preset("D against itself", returned),
            Preset("D against itself, counted as 1", returned.under(zero_ideal="one")),
        ],
        targets=[
            Target("Let a list that earns nothing lead.", _worthless_leads),
            Target("Make both lists 0, for two different causes.", _two_zeros),
            Target("Make one list undefined and the other not.", _one_undefined),
        ],
        can_leave=True,
        grades=True,
    )


def _worthless_leads(_: State, now: State) -> bool:
    return now.leader is not None and now.evaluations[now.leader].dcg == 0


def _two_zeros(_: State, now: State) -> bool:
    found = list(now.evaluations.values())
    return all(e.ndcg == 0 for e in found) and len({cause(e) for e in found}) == len(found)


def _one_undefined(_: State, now: State) -> bool:
    undefined = [isinstance(e.ndcg, Undefined) for e in now.evaluations.values()]
    return any(undefined) and not all(undefined)


def second_panel() -> Panel:
    """Unjudged documents and negative grades."""
    start = State.of(example.judgments, Contract(gain="linear", k=3, unjudged="zero"), X="U B A | C D", Y="B A C | D U")
    harmful = State.of(signed, Contract(gain="linear", k=2, negative="allow"), X="A | B", Y="A B")
    return Panel(
        start,
        controls=("unjudged", "negative", "k"),
        views=(causes, views.contributions),
        presets=[
            Preset("U keeps its rank", start),
            Preset("U is removed", start.under(unjudged="remove")),
            Preset("U is refused", start.under(unjudged="error")),
            Preset("a negative grade, allowed", harmful),
            Preset("a negative grade, taken as 0", harmful.under(negative="zero")),
        ],
        targets=[
            Target("Let X and Y tie exactly, with U in the top three of X.", _tie_with_unjudged),
            Target("Bring an NDCG above 1.", _above_one),
            Target("Make the ideal negative.", _negative_ideal),
        ],
        can_leave=True,
        grades=True,
    )


def _tie_with_unjudged(_: State, now: State) -> bool:
    return now.sign == 0 and "U" in now.lists["X"].documents[:3] and "U" not in now.judgments


def _above_one(_: State, now: State) -> bool:
    return any(not isinstance(e.ndcg, Undefined) and e.ndcg > 1 for e in now.evaluations.values())


def _negative_ideal(_: State, now: State) -> bool:
    return any(e.ndcg == Undefined("negative ideal") for e in now.evaluations.values())


def _zero_by_convention(population: Any, convention: Any, order: str) -> Verdict:
    documents = typed.order(order, example.judgments).documents
    contract = Contract(gain="linear", k=3, ideal_population=population, zero_ideal=convention)
    found = evaluate(contract, Ranking(documents), example.judgments)
    told = f"{' '.join(documents)}: DCG {shown(found.dcg)}, IDCG {shown(found.idcg)}, NDCG {shown(found.ndcg)}"
    if found.idcg == 0 and found.ndcg == 0:
        return right(f"Right. {told}.")
    if found.idcg == 0:
        return half(f"The ideal is 0, but the convention gives another value, or none. {told}.")
    if found.ndcg == 0:
        return half(f"NDCG is 0, but no convention is at work: the ideal is positive. {told}.")
    return wrong(f"The ideal is not 0. {told}.")


def _above_fifty(grades: str, order: str) -> Verdict:
    judged = read_grades(grades)
    documents = typed.order(order, judged).documents
    found = evaluate(Contract(gain="linear", k=3, negative="allow"), Ranking(documents), judged)
    told = f"{' '.join(documents)}: DCG {found.dcg}, IDCG {found.idcg}"
    if isinstance(found.ndcg, Undefined):
        return half(f"NDCG is {found.ndcg}. {told}.")
    if found.ndcg > 50:
        return right(f"Right: NDCG is {both(found.ndcg)}, above 50. {told}.")
    if found.ndcg > 1:
        return half(f"NDCG is {shown(found.ndcg)}: above 1, but not above 50. {told}.")
    return wrong(f"NDCG is {shown(found.ndcg)}, which is not above 1. {told}.")


def read_grades(text: str) -> Judgments:
    """Grades typed as A=1, B=-1."""
    return Judgments({document: rational(grade) for document, grade in typed.grades(text).items()})


exercises = (
    ask.choose(
        "A report says NDCG 0. Its ideal DCG is 4 + 2<i>a</i>, and it has no rows. What happened?",
        {
            "a convention for 0/0": "The ideal is not 0, so nothing was supplied by convention.",
            "nothing was returned": "Right: no row earned anything because there was no row.",
            "only worthless documents were returned": "Then there would be rows, with contribution 0.",
            "nothing was judged": "Then the ideal would be 0.",
        },
        "nothing was returned",
        hint="Rows stand for returned documents.",
        solution="Nothing was returned. The ideal is positive, so 0 is an honest value, not a convention.",
    ),
    ask.exact(
        "Grades A = 3 and B = −5, linear gain, k = 2, <code>negative = allow</code>, <code>zero_ideal = one</code>. "
        "What is "
        "NDCG of the list A B? (You may answer “undefined”.)",
        Undefined("negative ideal"),
        example="2/3",
        hint="The ideal order is A B. What is the sign of 3 − 5<i>a</i>?",
        solution="Undefined: the ideal is 3 − 5<i>a</i>, and <i>a</i> &gt; 3/5, because 3<sup>3</sup> &lt; "
        "2<sup>5</sup>. No "
        "convention for 0/0 supplies a value for a negative ideal.",
    ),
    ask.exact(
        "The list B U A, linear gain, k = 3; U has no grade, and <code>unjudged = zero</code>. What is its NDCG?",
        Fraction(7, 2) / (4 + 2 * a),
        near={
            "(2 + 3a)/(4 + 2a)": "Half right: so it is when U is removed. Here U keeps rank 2 and earns 0.",
            "7/2": "Half right: that is DCG.",
        },
        example="(7/2 + 2a)/(4 + 2a)",
        hint="B stands at rank 1, U earns 0 at rank 2, A stands at rank 3.",
        solution="(2 + 3/2)/(4 + 2<i>a</i>), about 0.66516. With U removed it would be (2 + 3<i>a</i>)/(4 + "
        "2<i>a</i>).",
    ),
    ask.exact(
        "Grades A = 2 and B = −3, linear gain, k = 2, <code>negative = allow</code>. What is NDCG of the list that "
        "returns A "
        "alone? (You may answer “undefined”.)",
        2 / (2 - 3 * a),
        near={
            "2": "Half right: DCG is 2. The ideal is the best order of both documents, and B at rank 2 costs it.",
            "2 - 3a": "Half right: that is the ideal DCG.",
        },
        example="(7/2 + 2a)/(4 + 2a)",
        hint="The best order of both is A B: 2 − 3<i>a</i>. Is that positive?",
        solution="2/(2 − 3<i>a</i>), about 18.65485: the ideal is positive, for <i>a</i> &lt; 2/3, and leaving B out "
        "beats every "
        "order of both.",
    ),
    ask.construct(
        "The grades are those of the lesson, k = 3. Choose a population, a convention and a list so that NDCG is 0 by "
        "convention, with an ideal of 0.",
        _zero_by_convention,
        [
            Blank("Population", ("judged", "returned", "returned-at-k")),
            Blank("Zero ideal", ("undefined", "zero", "one", "exclude")),
            Blank("List", example="B A"),
        ],
        hint="Whose gains must all be 0 for the ideal to be 0?",
        solution="returned, zero, D: the ideal of D is 0, and the convention makes 0/0 a 0. With returned-at-k it "
        "works as well. "
        "With judged the ideal is 4 + 2<i>a</i>, and a 0 is no convention.",
    ),
    ask.construct(
        "Negative grades are allowed, linear gain, k = 3. Find grades for documents of your own and a list with NDCG "
        "above 50.",
        _above_fifty,
        [Blank("Grades", example="A=1, B=-1"), Blank("List", example="A")],
        hint="The full order should earn next to nothing, but not less than 0. Which fractions lie close to <i>a</i>?",
        solution="A=7, B=-11 and the list A: 7/(7 − 11<i>a</i>) = 117.11. It is positive, for <i>a</i> &lt; 7/11, "
        "because "
        "2<sup>11</sup> &lt; 3<sup>7</sup>.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
