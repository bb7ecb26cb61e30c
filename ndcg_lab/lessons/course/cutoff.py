"""Lesson 03: a gain effect and a depth effect are two things."""

from fractions import Fraction
from itertools import pairwise

from ndcg_lab import Contract, Judgments, Ranking, a, evaluate, y
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
        controls=("k", "gain", "ideal_cutoff"),
        views=(views.verdict, path, drawn, views.contributions),
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
    values = [evaluate(Contract(gain="linear", k=k), documents, example.judgments).ndcg for k in CUTOFFS]
    for k, (before, after) in enumerate(pairwise(values), 1):
        if (after - before).sign() < 0:
            return right(f"Right: from k = {k} to {k + 1} NDCG of {' '.join(documents)} falls, to {shown(after)}.")
    return wrong(f"NDCG of {' '.join(documents)} does not fall from any cutoff to the next.")


five = Judgments({**example.judgments, "E": 1}, scale=range(4))


def _one_then_less(order: str) -> Verdict:
    documents = typed.order(order, five).documents
    at3, at4 = (evaluate(Contract(gain="linear", k=k), Ranking(documents), five).ndcg for k in (3, 4))
    told = f"{' '.join(documents)}: NDCG@3 = {shown(at3)}, NDCG@4 = {shown(at4)}"
    if at3 != 1:
        return wrong(f"NDCG@3 is not 1. {told}.")
    return half(f"NDCG@3 is 1, but NDCG@4 too. {told}.") if at4 == 1 else right(f"Right. {told}.")


exercises = (
    ask.exact(
        "What is NDCG@4 of Y (A D B C) under linear gain?",
        (4 + 2 * y(5)) / (4 + 2 * a),
        near={
            "4/(4 + 2a)": "Half right: that is NDCG@3. At k = 4 document C counts too.",
            "4 + 2/log2(5)": "Half right: that is DCG@4. Divide it by the ideal DCG.",
        },
        example="(7/2 + 2a)/(4 + 2a)",
        hint="C, with gain 2, stands at rank 4, which is worth 1/log<sub>2</sub>(5). The ideal gains nothing from D.",
        solution="(4 + 2/log<sub>2</sub>(5))/(4 + 2<i>a</i>), about 0.92389.",
    ),
    ask.power_bound(
        "At k = 2 under linear gain X − Y = −1 + 2<i>a</i>. Prove who leads: give the fraction to compare <i>a</i> "
        "with, and the inequality of whole powers.",
        3,
        below=Fraction(1, 2),
        hint="Is <i>a</i> above or below 1/2?",
        solution="<i>a</i> &gt; 1/2, because 3<sup>1</sup> &lt; 2<sup>2</sup>: 3 &lt; 4. So X leads at k = 2.",
    ),
    ask.exact(
        "With g(0) = 0 and g(2) &gt; 0, at k = 4: X leads exactly while g(3)/g(2) is below which number?",
        1 + 2 * a - 2 * y(5),
        near={
            "1 + 2a": "Half right: that is the threshold at k = 3. What does C add to Y at rank 4?",
            "1 + 2a - 1/log2(5)": "Half right: the last term is to be doubled, as the others are.",
        },
        example="1 + 2a",
        hint="X has g(2)(1 + <i>a</i>) + g(3)/2, and Y has g(3) + g(2)/2 + g(2)/log<sub>2</sub>(5).",
        solution="g(2)(1/2 + <i>a</i> − 1/log<sub>2</sub>(5)) &gt; g(3)/2, so g(3)/g(2) &lt; "
        "1 + 2<i>a</i> − 2/log<sub>2</sub>(5), about 1.40051. Linear gain, with 3/2, lies above it.",
    ),
    ask.exact(
        "A list returns B alone. Linear gain, k = 3, the ideal cut at k. What is its NDCG?",
        2 / (4 + 2 * a),
        near={
            "2/3": "Half right: the numerator is right. The ideal is still cut at k = 3, not where the list ends.",
            "1": "Half right: so it would be if the ideal were made of B alone.",
        },
        example="4/(4 + 2a)",
        hint="The list earns what it has, and the ideal has three ranks.",
        solution="2/(4 + 2<i>a</i>), about 0.38009. With <code>ideal_cutoff = returned</code> it would be 2/3.",
    ),
    ask.claim(
        "“NDCG of a list does not fall when the cutoff grows by one.” Linear gain, orders of A, B, C, D: always, "
        "sometimes or never? Show an order for which it falls, if there is one.",
        "sometimes",
        witness="Such an order",
        example="B C A D",
        check=_falls,
        hint="Begin with the best document, and go on badly.",
        solution="Sometimes. Y = A D B C is an example: 1 at k = 1, and 3/(3 + 2<i>a</i>) = 0.70392 at k = 2. DCG "
        "can't fall, but the ideal may grow faster.",
    ),
    ask.construct(
        "A fifth document E with grade 1 is judged. Build a list of A, B, C, D, E with NDCG@3 = 1 and NDCG@4 &lt; 1 "
        "(linear gain).",
        _one_then_less,
        [ask.Blank("Order", example="B C A D E")],
        hint="Leave the best document that is still to come out of rank 4.",
        solution="A B C D E: at k = 4 the ideal has E at rank 4 and the list has D. NDCG@4 = (4 + 2<i>a</i>)/"
        "(4 + 2<i>a</i> + 1/log<sub>2</sub>(5)), about 0.92434. A list that ends after A B C is right too.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
