"""Lesson 00: from CG to NDCG by hand."""

from fractions import Fraction

from ndcg_lab import Contract, Ranking, a, evaluate
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import figures, typed, variants, views
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.course import example
from ndcg_lab.lessons.display import Reading
from ndcg_lab.lessons.exercises import Verdict, half, right, wrong
from ndcg_lab.lessons.figures import Figure
from ndcg_lab.lessons.panel import Panel
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.state import Preset, State, Target
from ndcg_lab.lessons.text import escape, shown
from ndcg_lab.measure.contract import FIELDS

LESSON = "lesson 00"

prediction = Predict(
    LESSON,
    "A document slips down. What costs it more of its discount: the one step from rank 1 to rank 2, or the eleven "
    "steps from rank 2 to rank 13?",
    {
        "from rank 1 to 2": "It is close, and you are right.",
        "from rank 2 to 13": "It is close: eleven steps fall just short of that first one.",
        "both the same": "Nearly: they differ by less than a thousandth, but they differ.",
    },
    "From rank 1 to 2",
    "The first step costs 1 − <i>a</i>, the eleven together <i>a</i> − 1/log<sub>2</sub>(14). The difference "
    "1 − 2<i>a</i> + 1/log<sub>2</sub>(14) is about 0.00079, and positive. One rank further, to 14, and the many "
    "steps cost more.",
)


def panel() -> Panel:
    """One list: its DCG, its ideal, its NDCG."""
    start = example.one()
    return Panel(
        start,
        views=(views.contributions, views.ideal),
        presets=[
            Preset("X", start),
            Preset("the ideal order", start.with_lists(X="A B C D")),
            Preset("the reverse", start.with_lists(X="D C B A")),
        ],
        targets=[
            Target("Make NDCG exactly 1.", lambda _, now: _ndcg(now) == 1),
            Target("Make it 1 in an order other than A B C D.", _other_ideal),
            Target("Find the lowest NDCG that k = 3 allows.", _lowest),
        ],
    )


def _ndcg(state: State) -> object:
    (evaluation,) = state.evaluations.values()
    return evaluation.ndcg


def _other_ideal(_: State, now: State) -> bool:
    return _ndcg(now) == 1 and now.lists["X"].documents != ("A", "B", "C", "D")


def _lowest(_: State, now: State) -> bool:
    worst = now.with_lists(X=" ".join(sorted(now.judgments, key=now.judgments.__getitem__)))
    return now.contract.k == 3 and _ndcg(now) == _ndcg(worst)


def _perfect_then_not(order: str) -> Verdict:
    documents = typed.order(order, example.judgments, whole=True).documents
    at = {k: evaluate(Contract(gain="linear", k=k), Ranking(documents), example.judgments).ndcg for k in (2, 4)}
    told = f"{' '.join(documents)}: NDCG@2 = {shown(at[2])}, NDCG@4 = {shown(at[4])}"
    if at[2] == 1 and at[4] != 1:
        return right(f"Right. {told}, which is less than 1.")
    if at[2] == 1:
        return half(f"NDCG@2 is 1, but so is NDCG@4: {told}.")
    return wrong(f"NDCG@2 is not 1. {told}.")


exercises = (
    ask.exact(
        "What is rank 31 worth under the discount 1/log<sub>2</sub>(rank + 1)?",
        Fraction(1, 5),
        near={"1/log2(31)": "Half right: the form is right, but the number under the logarithm is the rank plus 1."},
        example="1/log2(6)",
        hint="log<sub>2</sub>(32) is a whole number.",
        solution="1/log<sub>2</sub>(32) = 1/5, for 32 = 2<sup>5</sup>.",
    ),
    ask.exact(
        "The list D A C B, linear gain, k = 3. What is its DCG?",
        1 + 3 * a,
        near={
            "5": "Half right: 5 is CG, the gains added up without their discounts.",
            "1 + 2a": "Half right: the part without logarithms is right. Which document stands at rank 2?",
        },
        hint="Gains 0, 3, 2; discounts 1, <i>a</i>, 1/2.",
        solution="0 · 1 + 3 · <i>a</i> + 2 · 1/2 = 1 + 3<i>a</i>.",
        fresh=variants.a_dcg("linear", 3),
    ),
    ask.exact(
        "And its NDCG?",
        (1 + 3 * a) / (4 + 2 * a),
        near={
            "4 + 2a": "Half right: that is the ideal DCG, which goes below the line.",
            "1 + 3a": "Half right: that is DCG. NDCG divides it by the ideal DCG.",
        },
        example="(7/2 + 2a)/(4 + 2a)",
        hint="Divide by the DCG of the best order, A B C D.",
        solution="(1 + 3<i>a</i>)/(4 + 2<i>a</i>), about 0.54977.",
        fresh=variants.an_ndcg("linear", 3),
    ),
    ask.wrong_line(
        "One line of this derivation is wrong. Which? (List D B A C, linear gain, k = 3.)",
        [
            "The gains in order are 0, 2, 3.",
            "The ranks are worth 1, <i>a</i> and 1/3, so DCG = 0 + 2<i>a</i> + 1 = 1 + 2<i>a</i>.",
            "The ideal is made of every judged document, so it begins A B C.",
            "NDCG = DCG / IDCG.",
        ],
        2,
        "Right: rank 3 is worth 1/log2(4) = 1/2, and DCG is 3/2 + 2a.",
        hint="What is rank 3 worth?",
        solution="Line 2. Rank 3 is worth 1/log<sub>2</sub>(4) = 1/2, not 1/3, and DCG is 3/2 + 2<i>a</i>.",
    ),
    ask.power_bound(
        "Is rank 4, worth 1/log<sub>2</sub>(5), worth more than 3/7? Give the fraction to compare with, and the "
        "inequality of whole powers that decides it.",
        5,
        below=Fraction(3, 7),
        hint="p/q &lt; 1/log<sub>2</sub>(5) exactly when 5<sup>p</sup> &lt; 2<sup>q</sup>.",
        solution="It is worth more: 1/log<sub>2</sub>(5) &gt; 3/7, because 5<sup>3</sup> &lt; 2<sup>7</sup>: 125 &lt; "
        "128.",
    ),
    ask.construct(
        "Build an order of A, B, C, D with NDCG@2 = 1 and NDCG@4 &lt; 1 (linear gain).",
        _perfect_then_not,
        [ask.Blank("Order", example="B C A D")],
        hint="The top two must be as good as any top two; below them something must be out of order.",
        solution="A B D C, or A C D B: at k = 2 both have 3 + 2<i>a</i>, which no order exceeds; at k = 4 the last "
        "grade 2 stands at rank 4 instead of 3.",
    ),
)


def printed() -> Reading:
    """What recorded systems print for B C A D at k = 3 by default, those together that mean one number."""
    from ndcg_lab.conventions.record import CASES, record
    from ndcg_lab.lessons.course import many_tools

    groups: dict[object, list[tuple[str, str]]] = {}
    for entry in record():
        if entry.case == "X@3" and not entry.parameters:
            value = many_tools.meant(many_tools.contract_of(entry).replace(round_to=None), CASES["X@3"])
            groups.setdefault(value, []).append((entry.printed, entry.system))
    rows = [
        (
            " or ".join(sorted({text for text, _ in found}, key=lambda text: (len(text), text))),
            escape(", ".join(system for _, system in found)),
        )
        for found in groups.values()
    ]
    table = views.rows_table("What programs print for B C A D, by default", ("printed", "by"), sorted(rows), wrap=True)
    return Reading(table, f"{len(rows)} groups of programs, and {sum(map(len, groups.values()))} programs")


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")


def contract_fields() -> Reading:
    """The contract's fields, as declared."""
    rows = [
        (
            f"<code>{field.name}</code>",
            field.meaning,
            f"<code>{field.spellings}</code>",
            "required" if field.required else f"<code>{'none' if field.default is None else field.default}</code>",
        )
        for field in FIELDS
    ]
    table = views.rows_table("The fields of a contract", ("field", "decides", "choices", "default"), rows, wrap=True)
    return Reading(table, f"The {len(FIELDS)} fields of a contract: {', '.join(field.name for field in FIELDS)}")


def discounts() -> Figure:
    """The usual discount over the first 15 ranks."""
    return figures.discounts()
