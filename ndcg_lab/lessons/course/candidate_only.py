"""Lesson 04: whose documents make the denominator."""

from fractions import Fraction

from ndcg_lab import Contract, Ranking, a, evaluate
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import figures, typed, views
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.course import example
from ndcg_lab.lessons.exercises import Verdict, half, right, wrong
from ndcg_lab.lessons.figures import Figure
from ndcg_lab.lessons.panel import Panel
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.state import Preset, State, Target
from ndcg_lab.lessons.text import escape, shown

LESSON = "lesson 04"
OWN = Contract(gain="linear", k=3, ideal_population="returned-at-k")

prediction = Predict(
    LESSON,
    "X shows B C A at its top, Y shows A D B. Now each list is measured against the best order of its own top three. "
    "Who leads, under linear gain?",
    {
        "X, as before": "X's own top three are A, B and C, the best there are: it is measured by the full ideal, and "
        "has A at rank 3.",
        "Y": "You are right.",
        "they tie": "X has 0.90498 and Y 0.93856.",
    },
    "Y",
    "Y's own three documents A, D, B allow no more than 3 + 2<i>a</i>, and 4/(3 + 2<i>a</i>) = 0.93856. That Y left C "
    "out of its top three costs it nothing here: it lowers its own ideal too.",
)


def parts(state: State) -> dict[str, tuple[Exact, Exact]]:
    """For each list its ordering (NDCG against its own top k) and coverage (their ideal over the full ideal)."""
    own = state.under(ideal_population="returned-at-k").evaluations
    full = state.under(ideal_population="judged").evaluations
    found = {}
    for name in state.lists:
        ordering, ideal = own[name].ndcg, full[name].idcg
        if isinstance(ordering, Exact) and ideal:
            found[name] = (ordering, own[name].idcg / ideal)
    return found


def coverage(state: State) -> str:
    """Ordering times coverage, list by list."""
    rows = []
    split, full = parts(state), state.under(ideal_population="judged").evaluations
    for name in state.lists:
        if name in split:
            factors = [views.value(factor) for factor in split[name]]
        else:
            factors = ["no value: its top k have no gain", "0"]
        rows.append((escape(name), *factors, views.value(full[name].ndcg)))
    head = ("list", "ordering (own top k)", "× coverage", "= NDCG over all judged")
    return views.rows_table("Ordering × coverage", head, rows)


def drawn(state: State) -> str:
    """Ordering times coverage as rectangles."""
    split = parts(state)
    return figures.coverage(split).html if split else ""


def population(state: State) -> str:
    """Which documents each list is measured against, in words."""
    told = "; ".join(
        f"{escape(name)}: {' '.join(escape(row.document) for row in evaluation.ideal_rows) or 'none'}"
        for name, evaluation in state.evaluations.items()
    )
    return views.block(f"The ideal, in order: {told}.")


def panel() -> Panel:
    """X and Y against three populations; documents may be left out."""
    start = example.both()
    own = start.under(ideal_population="returned-at-k")
    return Panel(
        start,
        controls=("ideal_population", "gain", "k"),
        views=(views.verdict, population, coverage, drawn, views.contributions),
        presets=[
            Preset("all judged", start),
            Preset("own top three", own),
            Preset("B alone, k = 1", start.with_lists(X="B | C A D").under(k=1, ideal_population="returned")),
            Preset("without the best document", start.with_lists(X="B C D | A").under(ideal_population="returned")),
        ],
        targets=[
            Target("Let a list have NDCG 1 without the best document.", _perfect_without_best),
            Target("Make coverage of both lists 1, with different NDCGs.", _covered),
            Target("At k = 2, let one list lead over all judged, and the other against their own top two.", _turned),
        ],
        can_leave=True,
    )


def _perfect_without_best(_: State, now: State) -> bool:
    return any("A" not in now.lists[name].documents and e.ndcg == 1 for name, e in now.evaluations.items())


def _covered(_: State, now: State) -> bool:
    split = list(parts(now).values())
    return len(split) == len(now.lists) and all(cover == 1 for _, cover in split) and split[0][0] != split[1][0]


def _turned(_: State, now: State) -> bool:
    leaders = {now.under(ideal_population=p).leader for p in ("judged", "returned-at-k")}
    return now.contract.k == 2 and None not in leaders and len(leaders) == len(now.lists)


def rectangles() -> Figure:
    """X and Y at k = 3 as areas."""
    return figures.coverage(parts(example.both()))


def _perfect_alone(order: str) -> Verdict:
    documents = typed.order(order, example.judgments).documents
    own, full = (
        evaluate(Contract(gain="linear", k=3, ideal_population=which), Ranking(documents), example.judgments).ndcg
        for which in ("returned", "judged")
    )
    told = f"{' '.join(documents)}: {shown(own)} against what was returned, {shown(full)} against all judged"
    if "A" in documents:
        return wrong(f"A, the best document, is in this list. {told}.")
    if own != 1:
        return half(f"The best document is missing, but the score is not 1. {told}.")
    return right(f"Right. {told}.")


def _covers(order: str) -> Verdict:
    documents = typed.order(order, example.judgments)
    state = State.of(example.judgments, example.linear, L=documents)
    split = parts(state).get("L")
    if split is None:
        return wrong("None of its top three is worth anything, so its ordering has no value.")
    ordering, cover = split
    told = f"{documents}: ordering {shown(ordering)}, coverage {shown(cover)}"
    if cover == 1:
        return right(f"Right: both scores are equal. {told}.")
    return wrong(f"Its full NDCG is lower than its ordering. {told}.")


_PLAIN = "No: with another {} these two numbers would not come out."
_SETTINGS = {
    "gain": _PLAIN.format("gain"),
    "k": _PLAIN.format("cutoff"),
    "ideal_population": "Right: one divides by the ideal of all judged documents, the other by that of the list.",
    "ideal_cutoff": "Over all judged documents the ideal is 4 + 2a under each choice of this field.",
    "ties": "There are no ties here.",
}

exercises = (
    ask.exact(
        "A system returns B alone. Linear gain, k = 1. Its NDCG against all judged documents?",
        Fraction(2, 3),
        near={"1": "Half right: that is its score when the ideal is made of B alone."},
        example="2/3",
        hint="The best document at rank 1 is A.",
        solution="2/3. Against B alone it would be 1.",
    ),
    ask.exact(
        "Coverage of Y (A D B C) at k = 3 under linear gain: the ideal DCG of its own top three, over the full ideal "
        "DCG?",
        (3 + 2 * a) / (4 + 2 * a),
        near={
            "4/(4 + 2a)": "That is NDCG of Y. Coverage asks for the best order of A, D and B, not for the order shown.",
            "4/(3 + 2a)": "Half right: that is the other factor, ordering.",
            "3/4": "Half right: three of four documents, but coverage counts gains at their discounts.",
        },
        example="4/(3 + 2a)",
        hint="A, D and B in their best order: A B D.",
        solution="(3 + 2<i>a</i>)/(4 + 2<i>a</i>), about 0.80995.",
    ),
    ask.choose(
        "One report says 0.93856 of Y, another 0.76019. Same grades, same list. Which field of the contract differs?",
        _SETTINGS,
        "ideal_population",
        label="Setting",
        hint="0.93856 = 4/(3 + 2<i>a</i>) and 0.76019 = 4/(4 + 2<i>a</i>).",
        solution="<code>ideal_population</code>: Y's own top three, and all judged documents.",
    ),
    ask.claim(
        "“Against all judged documents a list scores lower than against its own top k.” Linear gain, k = 3, these four "
        "documents: always, sometimes or never? Show a list whose two scores are equal, if there is one.",
        "sometimes",
        witness="Such a list",
        example="A D B",
        check=_covers,
        hint="When is the ideal of its top three the full ideal?",
        solution="Sometimes: equal when A, B and C are all in the top three, as in X = B C A D, and lower when one of "
        "them is missing and another is there. (Of D alone the second score has no value.) Higher it can't be, for "
        "the full ideal is at least as large.",
    ),
    ask.construct(
        "Build a list whose NDCG against the returned documents is 1 (k = 3, linear gain) and that misses the best "
        "document.",
        _perfect_alone,
        [ask.Blank("List", example="C D B")],
        hint="Leave A out, and sort what is left.",
        solution="B C D is one. So is B, or C B: whatever a list leaves out, its own ideal leaves out too.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
