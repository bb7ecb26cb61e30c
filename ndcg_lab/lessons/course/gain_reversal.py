"""Lesson 01: one change of gain, and the lead changes hands."""

from fractions import Fraction
from itertools import combinations, permutations

from ndcg_lab import Contract, Judgments, Ranking, a, compare, evaluate
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.rationals import rational
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import figures, plane, typed, variants
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.course import example
from ndcg_lab.lessons.exercises import Verdict, half, right, wrong
from ndcg_lab.lessons.figures import Figure
from ndcg_lab.lessons.panel import Panel
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.state import Preset, State, Target

LESSON = "lesson 01"

prediction = Predict(
    LESSON,
    "Under linear gain (a grade r is worth r) X leads; under exponential gain (2<sup>r</sup> − 1) Y leads. "
    "A third gain is r<sup>2</sup>. On whose side does it fall?",
    {
        "X leads under r²": "You are right.",
        "Y leads under r²": "It is close: 9/4 = 2.25 just misses the threshold.",
        "they tie under r²": "They can't: <i>a</i> is irrational, and r<sup>2</sup> has a rational ratio.",
    },
    "X leads under r²",
    "The threshold is 1 + 2<i>a</i> ≈ 2.26186, and r<sup>2</sup> has the ratio 9/4 = 2.25, just below: "
    "<i>a</i> &gt; 5/8, because 3<sup>5</sup> &lt; 2<sup>8</sup> (243 &lt; 256).",
)


def panel() -> Panel:
    """X and Y, side by side."""
    start = example.both()
    return Panel(
        start,
        plane=plane.of,
        presets=[
            Preset("linear", start),
            Preset("r²", start.under(gain="power:2")),
            Preset("exponential", start.under(gain="exponential")),
            Preset("exponential, k = 4", start.under(gain="exponential", k=4)),
        ],
        targets=[
            Target("Make Y lead under linear gain at k = 3 with one swap in one list.", _one_swap),
            Target("By a gain table with g(3) more than twice g(2), keep X in the lead at k = 3.", _table),
            Target("Make the lists tie exactly, in different orders.", _tie),
        ],
    )


def _one_swap(start: State, now: State) -> bool:
    changed = [name for name in now.lists if now.lists[name] != start.lists[name]]
    return (
        (now.contract.gain, now.contract.k, now.leader) == ("linear", 3, "Y")
        and len(changed) == 1
        and now.lists[changed[0]].one_swap_from(start.lists[changed[0]])
    )


def _table(start: State, now: State) -> bool:
    rule = now.contract.gain_rule
    return (
        "=" in now.contract.gain
        and now.lists == start.lists
        and now.leader == "X"
        and now.contract.k == 3
        and rule(3) > 2 * rule(2)
    )


def _tie(_: State, now: State) -> bool:
    return now.sign == 0 and now.lists["X"] != now.lists["Y"]


def named_gains() -> Figure:
    """The plane of g(2) and g(3) with the three named gains."""
    return figures.gain_plane({"linear": (2, 3), "r²": (4, 9), "2ʳ − 1": (3, 7)})


def disagreements(k: int) -> int:
    """On how many of the 276 pairs of orders of A, B, C, D linear and exponential gain disagree at k."""
    orders = [Ranking(order) for order in permutations(example.judgments)]
    under = [Contract(gain=gain, k=k) for gain in ("linear", "exponential")]
    scores = [[evaluate(contract, order, example.judgments) for order in orders] for contract in under]
    linear, exponential = (
        [compare(one, other).sign for one, other in combinations(evaluations, 2)] for evaluations in scores
    )
    return sum(one != other for one, other in zip(linear, exponential, strict=True))


def _lists_under(grades: str) -> Verdict:
    judgments = _grades(grades)
    if dict(judgments) == dict(example.judgments):
        return wrong("These are the lesson's own grades; find others.")
    signs = {}
    for gain in ("linear", "exponential"):
        contract = Contract(gain=gain, k=3)
        signs[gain] = compare(evaluate(contract, example.X, judgments), evaluate(contract, example.Y, judgments)).sign
    if None in signs.values():
        return wrong("All grades are 0: NDCG has no value, so nobody leads.")
    words = {1: "X leads", 0: "they tie", -1: "Y leads"}
    told = " and ".join(f"under {gain} gain {words[sign or 0]}" for gain, sign in signs.items())
    linear, exponential = signs.values()
    if linear == exponential:
        return wrong(f"The two gains agree: {told}.")
    if 0 in signs.values():
        return half(f"Not quite: {told}. Find grades under which each gain names a leader, and another one.")
    return right(f"Right: {told}.")


def _grades(text: str) -> Judgments:
    grades = {document.upper(): rational(grade) for document, grade in typed.grades(text).items()}
    if set(grades) != set(example.judgments):
        raise NdcgLabError("give one grade to each of A, B, C and D, like A=3, B=2, C=2, D=0")
    for document, grade in grades.items():
        if not isinstance(grade, int) or not 0 <= grade <= _HIGHEST:
            raise NdcgLabError(f"{document} has grade {grade}; use whole grades from 0 to {_HIGHEST}")
    return Judgments(grades)


_HIGHEST = 9


def _beats_best_first(order: str) -> Verdict:
    documents = typed.order(order, example.judgments, whole=True).documents
    if documents[0] == "A":
        return wrong("A stands first in this list too; the example needs a list that does not begin with A.")
    mine, theirs = (evaluate(example.exponential, Ranking(one), example.judgments) for one in (documents, list("ADBC")))
    difference = mine.dcg - theirs.dcg
    if difference.sign() > 0:
        return right(f"Right: {' '.join(documents)} beats A D B C, by {difference} in DCG.")
    return wrong(f"{' '.join(documents)} does not beat A D B C: the difference is {difference}.")


exercises = (
    ask.exact(
        "Under 3<sup>r</sup> − 1 (gains 0, 8, 26 for grades 0, 2, 3) at k = 3: what is DCG of X minus DCG of Y, "
        "exactly?",
        8 * a - 9,
        near={
            "21 + 8a": "Half right: that is DCG of X. Now subtract DCG of Y.",
            "30": "Half right: that is DCG of Y. The question is X minus Y.",
            "2a - 1/2": "Half right: that is the difference under linear gain.",
        },
        hint="X has gains 8, 8, 26 and Y has 26, 0, 8, at discounts 1, <i>a</i>, 1/2.",
        solution="(8 + 8<i>a</i> + 13) − (26 + 0 + 4) = 8<i>a</i> − 9.",
        fresh=variants.a_dcg("exponential:3", 3),
    ),
    ask.power_bound(
        "Under the gains 0, 11, 25 (for grades 0, 2, 3) X − Y is 11<i>a</i> − 7 at k = 3. Prove that Y leads: give the "
        "fraction that <i>a</i> must stay below, and the inequality of whole powers.",
        3,
        above=Fraction(7, 11),
        hint="11<i>a</i> − 7 &lt; 0 says <i>a</i> &lt; 7/11.",
        solution="<i>a</i> &lt; 7/11, because 2<sup>11</sup> &lt; 3<sup>7</sup>: 2048 &lt; 2187.",
    ),
    ask.exact(
        "At k = 2, with g(0) = 0 and g(2) &gt; 0: X leads exactly while g(3)/g(2) is below which number?",
        1 + a,
        near={
            "1 + 2a": "Half right: that is the threshold at k = 3. At k = 2 the third rank doesn't count.",
            "2.26186": "That is the threshold at k = 3, rounded. What is it at k = 2?",
        },
        example="1 + 2a",
        hint="At k = 2 X has g(2) + g(2)<i>a</i>, and Y has g(3).",
        solution="g(2)(1 + <i>a</i>) &gt; g(3), so g(3)/g(2) &lt; 1 + <i>a</i>, about 1.63093.",
    ),
    ask.claim(
        "Exponential gain, k = 3, orders of A, B, C, D. “A list that begins with A leads every list that does not.” "
        "Does it hold always, sometimes or never? Show a list without A on top that beats A D B C, if there is one.",
        "sometimes",
        witness="Such a list",
        example="B C A D",
        check=_beats_best_first,
        hint="Put A at rank 2, and not D at rank 3.",
        solution="Sometimes. B A C D has 3 + 7<i>a</i> + 3/2 = 9/2 + 7<i>a</i>, and A D B C has 17/2: the first leads "
        "because <i>a</i> &gt; 4/7, because 3<sup>4</sup> &lt; 2<sup>7</sup> (81 &lt; 128).",
    ),
    ask.construct(
        "Keep the two lists, X = B C A D and Y = A D B C, and k = 3. Find other whole grades, from 0 to 9, under which "
        "linear and exponential gain again name different leaders.",
        _lists_under,
        [ask.Blank("Grades", example="A=3, B=2, C=2, D=0")],
        hint="Lower all grades of A, B and C by one and look at what the two gains make of them.",
        solution="A=2, B=1, C=1, D=0 is one: X − Y is −1/2 + <i>a</i> &gt; 0 under linear gain, and "
        "−1 + <i>a</i> &lt; 0 under exponential gain. There are more.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
