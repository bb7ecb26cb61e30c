"""Lesson 03: a gain effect and a depth effect are two things."""

from fractions import Fraction
from itertools import pairwise

from ndcg_lab import Contract, Judgments, Ranking, a, evaluate, y
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import figures, plane, typed, variants, views
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.course import example
from ndcg_lab.lessons.exercises import Verdict, half, right, wrong
from ndcg_lab.lessons.figures import Figure
from ndcg_lab.lessons.panel import Panel
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.state import Preset, State, Target
from ndcg_lab.lessons.text import both, escape, shown

LESSON = "lesson 03"
CUTOFFS = (1, 2, 3, 4)
THRESHOLDS = {1: 1 + 0 * a, 2: 1 + a, 3: 1 + 2 * a, 4: 1 + 2 * a - 2 * y(5)}

prediction = Predict(
    LESSON,
    "Linear gain, X = B C A D and Y = A D B C. As the cutoff goes from k = 1 to k = 4, how often does the lead change "
    "hands?",
    {
        "never": "That is so under exponential gain.",
        "once": "It changes once more.",
        "twice": "You are right.",
        "three times": "There are only three steps, and at one of them the lead stays.",
    },
    "Twice",
    "Y leads at k = 1, X at 2 and 3, and Y again at 4. Under exponential gain Y leads at each cutoff.",
)


def path(state: State) -> str:
    """Both NDCGs and the leader at each cutoff; the panel's own is marked."""
    rows = []
    for k in CUTOFFS:
        at = state.under(k=k)
        mark = " ◂" if k == state.contract.k else ""
        values = [views.value(evaluation.ndcg) for evaluation in at.evaluations.values()]
        ideals = " / ".join(dict.fromkeys(shown(evaluation.idcg) for evaluation in at.evaluations.values()))
        rows.append((f"{k}{mark}", *values, ideals, f"<strong>{escape(at.leader or 'neither')}</strong>"))
    head = ("k", *(f"NDCG of {escape(name)}" for name in state.lists), "IDCG", "leads")
    return views.rows_table("Over the cutoff", head, rows)


def drawn(state: State) -> str:
    """NDCG over the cutoff, as a figure."""
    return figures.over_k(state, CUTOFFS).html


def panel() -> Panel:
    """X and Y over the cutoff; documents may be left out."""
    start = example.both()
    return Panel(
        start,
        plane=lambda state: plane.of(state, CUTOFFS),
        controls=("k", "gain", "ideal_cutoff"),
        views=(path, drawn, views.contributions),
        presets=[
            Preset("linear", start),
            Preset("exponential", start.under(gain="exponential")),
            Preset("a short list", start.with_lists(X="B | C A D")),
            Preset("a short list, ideal cut where it ends", _short(start)),
            Preset("the ideal not cut", start.under(k=2, ideal_cutoff="none")),
        ],
        targets=[
            Target("Let X lead at every cutoff under linear gain.", _always_x),
            Target("Let the lead change at each of the three steps.", _changes_each_time),
            Target("Let a list of one document have NDCG 1 at k = 3.", _one_document),
        ],
        can_leave=True,
    )


def _short(start: State) -> State:
    return start.with_lists(X="B | C A D").under(ideal_cutoff="returned")


def _leaders(state: State) -> list[str | None]:
    return [state.under(k=k).leader for k in CUTOFFS]


def _always_x(_: State, now: State) -> bool:
    return now.contract.gain == "linear" and _leaders(now) == ["X"] * len(CUTOFFS)


def _changes_each_time(_: State, now: State) -> bool:
    leaders = _leaders(now)
    return None not in leaders and all(one != other for one, other in pairwise(leaders))


def _one_document(_: State, now: State) -> bool:
    return now.contract.k == 3 and any(
        len(order.documents) == 1 and now.evaluations[name].ndcg == 1 for name, order in now.lists.items()
    )


def over_k(gain: str) -> Figure:
    """X and Y over the cutoff under one gain."""
    return figures.over_k(example.both(Contract(gain=gain, k=3)), CUTOFFS)


def _falls(order: str) -> Verdict:
    documents = typed.order(order, example.judgments, whole=True).ranking()
    values = [evaluate(Contract(gain="linear", k=k), documents, example.judgments).dcg for k in CUTOFFS]
    told = ", ".join(map(shown, values))
    if any(after < before for before, after in pairwise(values)):
        return right(f"DCG of {' '.join(documents)} falls: {told}.")
    return wrong(f"DCG of {' '.join(documents)} does not fall: {told}.")


five = Judgments({**example.judgments, "E": 1}, scale=range(4))


def _one_then_less(order: str) -> Verdict:
    documents = typed.order(order, five).documents
    at2, at3 = (evaluate(Contract(gain="linear", k=k), Ranking(documents), five).ndcg for k in (2, 3))
    told = f"{' '.join(documents)}: NDCG@2 = {both(at2)}, NDCG@3 = {both(at3)}"
    if at2 != 1:
        return wrong(f"NDCG@2 is not 1. {told}.")
    if isinstance(at3, Undefined) or at3 == 1 or at3 < Fraction(9, 10):
        return half(f"NDCG@2 is 1, but NDCG@3 is not from 9/10 to below 1. {told}.")
    return right(f"Right. {told}.")


exercises = (
    ask.exact(
        "What is NDCG@4 of D A C B under linear gain?",
        (1 + 3 * a + 2 * y(5)) / (4 + 2 * a),
        near={
            "(1 + 3a)/(4 + 2a)": "Half right: that is NDCG@3. At k = 4 document B counts too.",
            "1 + 3a + 2/log2(5)": "Half right: that is DCG@4. Divide it by the ideal DCG.",
        },
        example="(7/2 + 2a)/(4 + 2a)",
        hint="B, with gain 2, stands at rank 4, which is worth 1/log<sub>2</sub>(5). The ideal gains nothing from D.",
        solution="(1 + 3<i>a</i> + 2/log<sub>2</sub>(5))/(4 + 2<i>a</i>), about 0.71346.",
        fresh=variants.an_ndcg("linear", 4),
    ),
    ask.power_bound(
        "Under gains 0, 5, 8 (for grades 0, 2, 3) at k = 2, X − Y = −3 + 5<i>a</i>. Prove who leads: give the "
        "fraction to "
        "compare <i>a</i> with, and the inequality of whole powers.",
        3,
        below=Fraction(3, 5),
        hint="Is <i>a</i> above or below 3/5?",
        solution="<i>a</i> &gt; 3/5, because 3<sup>3</sup> &lt; 2<sup>5</sup>: 27 &lt; 32. So X leads at k = 2.",
    ),
    ask.exact(
        "Another list, B C D A, against Y = A D B C. With g(0) = 0 and g(2) &gt; 0, at k = 4: it leads exactly while "
        "g(3)/g(2) is below which number?",
        (Fraction(1, 2) + a - y(5)) / (1 - y(5)),
        near={
            "1 + 2a - 2/log2(5)": "Half right: that is the threshold of B C A D. Where does A stand here?",
            "1/2 + a - 1/log2(5)": "Half right: that is what g(2) is multiplied by. And g(3)?",
        },
        example="(1 + 2a)/(3 - a)",
        hint="The list has g(2)(1 + <i>a</i>) + g(3)/log<sub>2</sub>(5), and Y has g(3) + g(2)/2 + "
        "g(2)/log<sub>2</sub>(5).",
        solution="g(2)(1/2 + <i>a</i> − 1/log<sub>2</sub>(5)) &gt; g(3)(1 − 1/log<sub>2</sub>(5)), so g(3)/g(2) &lt; "
        "(1/2 + <i>a</i> − 1/log<sub>2</sub>(5))/(1 − 1/log<sub>2</sub>(5)), about 1.22997.",
    ),
    ask.exact(
        "A list returns B and A alone, in this order. Linear gain, k = 3, the ideal cut at k. What is its NDCG?",
        (2 + 3 * a) / (4 + 2 * a),
        near={
            "(2 + 3a)/(3 + 2a)": "Half right: the numerator is right. The ideal is still cut at k = 3, not where the "
            "list ends.",
            "2 + 3a": "Half right: that is DCG.",
        },
        example="4/(4 + 2a)",
        hint="The list earns what it has, and the ideal has three ranks.",
        solution="(2 + 3<i>a</i>)/(4 + 2<i>a</i>), about 0.73981. With <code>ideal_cutoff = returned</code> it would "
        "be "
        "(2 + 3<i>a</i>)/(3 + 2<i>a</i>).",
    ),
    ask.claim(
        "“DCG of a list falls when the cutoff grows by one.” Linear gain, orders of A, B, C, D: always, sometimes or "
        "never? "
        "If it is not never, show an order for which it falls.",
        "never",
        witness="Such an order, if any",
        example="B C A D",
        check=_falls,
        because="A further rank adds a gain times a discount, and neither is below 0.",
        hint="What does one more rank add to DCG? And what to NDCG?",
        solution="Never: a further rank adds a gain times a discount, and neither is negative. NDCG can fall, for the "
        "ideal "
        "may grow faster.",
    ),
    ask.construct(
        "A fifth document E with grade 1 is judged. Build a list of A, B, C, D, E with NDCG@2 = 1 and NDCG@3 at least "
        "9/10, "
        "but less than 1 (linear gain).",
        _one_then_less,
        [ask.Blank("Order", example="B C A D E")],
        hint="Which document at rank 3 is not the best that is left, and not the worst?",
        solution="A B E C D, or A C E B D: (3 + 2<i>a</i> + 1/2)/(4 + 2<i>a</i>) = 0.90498. With D at rank 3 it would "
        "be "
        "(3 + 2<i>a</i>)/(4 + 2<i>a</i>) = 0.80995.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
