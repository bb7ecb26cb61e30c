"""Lesson 04: whose documents make the denominator."""

from fractions import Fraction

from ndcg_lab import Contract, Ranking, a, evaluate
from ndcg_lab.exact.undefined import Undefined
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
from ndcg_lab.lessons.text import decimal, escape, shown

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
        views=(population, coverage, drawn, views.contributions),
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


def _known(value: Exact | Undefined) -> Exact:
    assert isinstance(value, Exact)
    return value


def rectangles() -> Figure:
    """X and Y at k = 3 as areas."""
    return figures.coverage(parts(example.both()))


def _scores_higher(order: str) -> Verdict:
    documents = typed.order(order, example.judgments)
    split = parts(State.of(example.judgments, example.linear, L=documents)).get("L")
    if split is None:
        return wrong(f"{documents}: none of its top three is worth anything, so its own score has no value.")
    ordering, cover = split
    told = f"{documents}: {shown(ordering)} against its own top three, {shown(ordering * cover)} against all judged"
    return right(f"It does. {told}.") if ordering * cover > ordering else wrong(f"This one does not. {told}.")


def _turned_lists(one: str, other: str) -> Verdict:
    lists = [typed.order(text, example.judgments).documents for text in (one, other)]
    signs = []
    told = []
    for population in ("judged", "returned-at-k"):
        contract = Contract(gain="linear", k=2, ideal_population=population)
        values = [evaluate(contract, Ranking(documents), example.judgments).ndcg for documents in lists]
        told.append(f"{' and '.join(map(shown, values))} ({population})")
        first, second = values
        if isinstance(first, Undefined) or isinstance(second, Undefined):
            return wrong(f"One of them has no value: {'; '.join(told)}.")
        signs.append((first - second).sign())
    said = "; ".join(told)
    if signs == [1, -1]:
        return right(f"Right: {said}.")
    if signs[0] == 1 or signs[1] == -1:
        return half(f"One of the two is so: {said}.")
    return wrong(f"Not yet: {said}.")


_SAME = "C D B A"
_OWN, _FULL = (
    _known(
        evaluate(Contract(gain="linear", k=3, ideal_population=which), Ranking(_SAME.split()), example.judgments).ndcg
    )
    for which in ("returned-at-k", "judged")
)
_SETTINGS = ask.settings(
    State.of(example.judgments, OWN, L=_SAME),
    {"gain": "exponential", "k": 2, "ideal_cutoff": "none", "ties": "average"},
) | {"ideal_population": "Right: one divides by the ideal of all judged documents, the other by that of the list."}

exercises = (
    ask.exact(
        "A system returns D and C, in this order. Linear gain, k = 2. Its NDCG against all judged documents?",
        2 * a / (3 + 2 * a),
        near={
            "a": "Half right: that is its score when the ideal is made of D and C alone.",
            "2a": "Half right: that is DCG.",
        },
        example="(1 + a)/(2 + a)",
        hint="DCG is 2<i>a</i>. The best two of all judged documents are A and B.",
        solution="2<i>a</i>/(3 + 2<i>a</i>), about 0.29608. Against D and C alone it would be 2<i>a</i>/2 = <i>a</i>.",
    ),
    ask.exact(
        "Coverage of the list C D B A at k = 3 under exponential gain: the ideal DCG of its own top three, over the "
        "full "
        "ideal DCG?",
        (3 + 3 * a) / (Fraction(17, 2) + 3 * a),
        near={
            "(9/2)/(17/2 + 3a)": "That is NDCG of the list. Coverage asks for the best order of C, D and B.",
            "(9/2)/(3 + 3a)": "Half right: that is the other factor, ordering.",
            "(2 + 2a)/(4 + 2a)": "Half right: that is its coverage under linear gain.",
        },
        example="4/(3 + 2a)",
        hint="C, D and B in their best order: C B D, with gains 3, 3 and 0.",
        solution="(3 + 3<i>a</i>)/(17/2 + 3<i>a</i>), about 0.47079.",
    ),
    ask.choose(
        f"One report says {decimal(_OWN)} of C D B A at k = 3, another {decimal(_FULL)}. Same grades, same list. "
        "Which field "
        "of the contract differs?",
        _SETTINGS,
        "ideal_population",
        label="Setting",
        hint="What would be divided by what, to come to either number? DCG is 3.",
        solution=f"<code>ideal_population</code>: the list's own top three give 3/(2 + 2<i>a</i>) = {decimal(_OWN)}, "
        "all "
        f"judged documents 3/(4 + 2<i>a</i>) = {decimal(_FULL)}.",
    ),
    ask.claim(
        "“Against all judged documents a list scores higher than against its own top k.” Linear gain, k = 3, these "
        "four "
        "documents: always, sometimes or never? If it is not never, show a list that does.",
        "never",
        witness="Such a list, if any",
        example="A D B",
        check=_scores_higher,
        because="The full ideal is at least as large as any list's own.",
        hint="Which of the two ideals is the larger one?",
        solution="Never: equal when A, B and C are all in the top three, as in X = B C A D, and lower when one of "
        "them is "
        "missing and another is there. (Of D alone the second score has no value.) Higher it can't be, for the full "
        "ideal is "
        "at least as large.",
    ),
    ask.construct(
        "Build two lists so that, at k = 2 under linear gain, the first leads over all judged documents and the "
        "second leads "
        "when each is measured against its own top two.",
        _turned_lists,
        [ask.Blank("First list", example="A B C"), ask.Blank("Second list", example="C D B")],
        hint="The first should cover much and be out of order, the second cover less and be in order.",
        solution="B A and A D are one pair: 2 + 3<i>a</i> against 3 in DCG, so the first leads over all judged "
        "documents; "
        "against their own top two they have (2 + 3<i>a</i>)/(3 + 2<i>a</i>) and 1.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
