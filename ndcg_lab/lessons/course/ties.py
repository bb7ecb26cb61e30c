"""Lesson 06: what equal scores leave open, and who decides."""

from fractions import Fraction

from ndcg_lab import Contract, a, evaluate, y
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import figures, typed, variants, views
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.course import example
from ndcg_lab.lessons.exercises import Verdict, right, wrong
from ndcg_lab.lessons.figures import Figure
from ndcg_lab.lessons.panel import Panel
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.state import Order, Preset, State, Target
from ndcg_lab.lessons.text import both, escape, shown
from ndcg_lab.measure.contract import FIELDS

LESSON = "lesson 06"
MEAN = Contract(gain="linear", k=3, ties="average")
POLICIES = {choice.spelling: choice.meaning for field in FIELDS if field.name == "ties" for choice in field.choices}

prediction = Predict(
    LESSON,
    "A system gives all four documents one score. If each of the 24 orders is equally likely, what NDCG@3 is to be "
    "expected, under linear gain?",
    {
        "about 0.5": "That is nearly the bottom: even the worst order has 0.42986.",
        "about 0.71": "You are right.",
        "about 0.90": "That is X, which has the three good documents on top.",
        "0: nothing was ranked": "Even the worst order earns something.",
    },
    "About 0.71",
    "The mean gain is 7/4, and three ranks are worth 1 + <i>a</i> + 1/2, so the expected DCG is 21/8 + (7/4)<i>a</i>, "
    "and (21/8 + (7/4)<i>a</i>)/(4 + 2<i>a</i>) = 0.70871. The worst order has 0.42986: this NDCG has no floor at 0.",
)


def outcomes(state: State) -> str:
    """What each list can come to, however its ties are resolved."""
    told = ""
    for name, evaluation in state.under(ties="average").evaluations.items():
        found = evaluation.outcomes()
        rows = [(views.value(value), str(share)) for value, share in found]
        rows.append(("<strong>expectation</strong>", views.value(found.mean)))
        told += views.rows_table(f"All outcomes of {name}", ("NDCG", "probability"), rows)
    return told


def policies(state: State) -> str:
    """NDCG of each list under every choice of `ties`."""
    rows = []
    for policy, meaning in POLICIES.items():
        values = [_under(state.under(ties=policy), name) for name in state.lists]
        mark = " ◂" if policy == state.contract.ties else ""
        rows.append((f"<code>{policy}</code>{mark}", *values, escape(meaning)))
    head = ("ties", *(f"NDCG of {escape(name)}" for name in state.lists), "meaning")
    return views.rows_table("Policy by policy", head, rows, words=["meaning"])


def _under(state: State, name: str) -> str:
    try:
        return views.value(evaluate(state.contract, state.lists[name].ranking(), state.judgments).ndcg)
    except NdcgLabError:
        return "refused"


def drawn(state: State) -> str:
    """The outcomes of the first list that has several, as a figure."""
    for name, evaluation in state.under(ties="average").evaluations.items():
        if len(evaluation.outcomes()) > 1 and isinstance(evaluation.ndcg, Exact):
            return figures.tie_outcomes(evaluation, name).html
    return views.block("These ties leave one outcome: no order of tied documents changes NDCG.")


def panel() -> Panel:
    """One list with ties, under each policy."""
    start = State.of(example.judgments, Contract(gain="linear", k=1, ties="average"), T="A=B C D")
    return Panel(
        start,
        controls=("ties", "gain", "k"),
        views=(policies, outcomes, drawn, views.contributions),
        presets=[
            Preset("A and B tied, k = 1", start),
            Preset("all tied, k = 3", start.with_lists(T="A=B=C=D").under(k=3)),
            Preset("equal grades tied", start.with_lists(T="B=C A D").under(k=3, ties="error")),
            Preset("a tie across the cut", start.with_lists(T="A B=D C").under(k=2)),
            Preset("no policy", start.under(ties="error")),
        ],
        targets=[
            Target("Tie documents so that no policy changes anything.", _harmless),
            Target("Make four different outcomes at k = 3.", lambda _, now: now.contract.k == 3 and _count(now) == 4),
            Target("Let best and worst differ by more than 1/2.", _far_apart),
        ],
        can_tie=True,
    )


def _count(state: State) -> int:
    (evaluation,) = state.under(ties="average").evaluations.values()
    return len(evaluation.outcomes())


def _harmless(_: State, now: State) -> bool:
    return any(order.has_ties for order in now.lists.values()) and _count(now) == 1


def _far_apart(_: State, now: State) -> bool:
    (evaluation,) = now.under(ties="average").evaluations.values()
    found = evaluation.outcomes()
    if isinstance(found.best, Undefined) or isinstance(found.worst, Undefined):
        return False
    return found.best - found.worst > Fraction(1, 2)


def all_tied() -> Figure:
    """The outcomes of four tied documents at k = 3."""
    return figures.tie_outcomes(
        evaluate(MEAN, Order.parse("A=B=C=D").ranking(), example.judgments), "four tied documents"
    )


def _values(order: str) -> tuple[str, Exact, Exact, Exact, Exact]:
    """The list as read, and its best, expected, worst and input-order NDCG at k = 3."""
    listed = typed.order(order, example.judgments, whole=True)
    found = evaluate(MEAN, listed.ranking(), example.judgments).outcomes()
    given = evaluate(MEAN.replace(ties="input"), listed.ranking(), example.judgments).ndcg
    values = [value for value in (found.best, found.mean, found.worst, given) if isinstance(value, Exact)]
    best, mean, worst, as_given = values
    return str(listed), best, mean, worst, as_given


def _below_expectation(order: str) -> Verdict:
    listed, _, mean, _, given = _values(order)
    told = f"{listed}: in the order given {shown(given)}, expected {shown(mean)}"
    return right(f"Right. {told}.") if given < mean else wrong(f"The order given does not earn less. {told}.")


def _around(order: str) -> Verdict:
    listed, best, mean, worst, _ = _values(order)
    x, y = (evaluate(example.linear, ranking, example.judgments).ndcg for ranking in (example.X, example.Y))
    told = f"{listed}: best {both(best)}, expected {both(mean)}, worst {both(worst)}"
    met = [best >= x, worst <= y, y < mean < x]
    if all(met):
        return right(f"Right. {told}.")
    wanted = ("the best at least 0.90498", "the worst at most 0.76019", "the expectation between the two")
    missed = ", ".join(what for what, good in zip(wanted, met, strict=True) if not good)
    return (ask.half if any(met) else wrong)(f"Not yet: {missed}. {told}.")


exercises = (
    ask.exact(
        "A and B share the top score. Linear gain, k = 2, both orders equally likely. What NDCG is expected?",
        Fraction(5, 2) * (1 + a) / (3 + 2 * a),
        near={
            "1": "Half right: that is one of the two outcomes.",
            "(2 + 3a)/(3 + 2a)": "Half right: that is one of the two outcomes.",
            "5/2 + 5/2*a": "Half right: that is the expected DCG. Divide it by the ideal.",
        },
        example="(1 + a)/(2 + a)",
        hint="Each of the two ranks earns the mean gain, 5/2.",
        solution="(5/2 + (5/2)<i>a</i>)/(3 + 2<i>a</i>), about 0.95670. No order has this value: a single draw gives "
        "1 or "
        "(2 + 3<i>a</i>)/(3 + 2<i>a</i>).",
        fresh=variants.an_ndcg_of_ties("linear", 3),
    ),
    ask.exact(
        "All four documents are tied. Exponential gain, k = 3. What NDCG is expected?",
        (Fraction(39, 8) + Fraction(13, 4) * a) / (Fraction(17, 2) + 3 * a),
        near={
            "39/8 + 13/4*a": "Half right: that is the expected DCG.",
            "(21/8 + 7/4*a)/(4 + 2a)": "Half right: that is the expectation under linear gain.",
        },
        example="(21/8 + (7/4)a)/(4 + 2a)",
        hint="The gains are 7, 3, 3 and 0. Their mean stands at each rank, and the ranks are worth 1 + <i>a</i> + 1/2.",
        solution="(13/4)(3/2 + <i>a</i>)/(17/2 + 3<i>a</i>) = (39/8 + (13/4)<i>a</i>)/(17/2 + 3<i>a</i>), "
        "about 0.66638.",
        fresh=variants.an_ndcg_of_ties("exponential", 3),
    ),
    ask.choose(
        "k = 2, and the contract says <code>ties = error</code>. Which of these lists is evaluated all the same? (A=B: "
        "A and B are tied.)",
        {
            "A=B C D": "A and B differ in grade, so their order changes DCG: refused.",
            "A B=D C": "Which of B and D stands at rank 2 changes DCG: refused.",
            "A B=C D": "Right: B and C have one grade, so no order of them changes DCG.",
            "D=A B C": "A and D differ in grade, so their order changes DCG: refused.",
        },
        "A B=C D",
        label="List",
        hint="Only where resolving them could change DCG are ties refused.",
        solution="A B=C D: whichever of B and C comes second, DCG is 3 + 2<i>a</i>.",
    ),
    ask.exact(
        "Five documents, A with grade 1 and B to E with grade 0, share one score; k = 5, ties broken by document id, "
        "ascending. Then NDCG is 1. Now document A is renamed to Z. What is NDCG?",
        y(6),
        near={
            "1": "That is NDCG before the renaming: A comes before B. Does Z?",
            "a": "Half right: Z would stand at rank 2 behind one document. How many come before it?",
        },
        example="1/log2(5)",
        hint="B to E come first now, and the document with grade 1 stands at rank 5.",
        solution="1/log<sub>2</sub>(6), about 0.38685.",
    ),
    ask.claim(
        "“Keeping tied documents in the order in which they were given earns at least the expectation.” Orders of A, "
        "B, C, D, linear gain, k = 3: always, sometimes or never? Show a tied list for which it earns less, if there "
        "is one.",
        "sometimes",
        witness="Such a list",
        example="A=B C D",
        check=_below_expectation,
        hint="Write the worse document first.",
        solution="Sometimes. D=A B C is an example: as given D comes first. The order of the file decides, and the "
        "scores have no say in it.",
    ),
    ask.construct(
        "Build a list of A, B, C, D with ties so that, at k = 3 under linear gain, its best outcome is at least NDCG "
        "of X (0.90498), its worst at most NDCG of Y (0.76019), and its expectation strictly between the two.",
        _around,
        [ask.Blank("List with ties", example="A=B C D")],
        hint="Put the best document first, without a tie.",
        solution="A B=C=D: best 1, worst 4/(4 + 2<i>a</i>) = 0.76019, expected (11/3 + (4/3)<i>a</i>)/(4 + 2<i>a</i>) "
        "= 0.85671.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
