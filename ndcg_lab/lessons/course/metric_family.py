"""Lesson 07: CG, P@k, recall, RR, AP, ERR and RBP on the rankings that NDCG was computed on."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ndcg_lab import Contract, Judgments, Ranking, evaluate, family, y
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import typed, views
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.course import example
from ndcg_lab.lessons.display import Reading
from ndcg_lab.lessons.exercises import Verdict, half, right, wrong
from ndcg_lab.lessons.panel import Option, Panel
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.state import Preset, State, Target
from ndcg_lab.lessons.text import both, decimal, escape

LESSON = "lesson 07"

Value = Exact | Fraction | Undefined

prediction = Predict(
    LESSON,
    "Average precision (AP) looks at X = B C A D and Y = A D B C down to the last rank. Who wins?",
    {
        "X": "Under one convention. AP needs to be told which grades count as relevant.",
        "Y": "Under one convention. AP needs to be told which grades count as relevant.",
        "it depends on what counts as relevant": "You are right.",
    },
    "it depends on what counts as relevant",
    "If relevant means grade 1 or higher, X has AP 1 and Y 29/36. If it means grade 3, X has 1/3 and Y has 1.",
)


# ---------- the panel ----------


def values(state: State, name: str) -> dict[str, Value]:
    """Every metric of the family on one list, under the state's conventions."""
    ranking, judgments, k = state.lists[name].ranking(), state.judgments, state.contract.k
    threshold, options = state.options["relevant_from"], state.options
    binary: dict[str, Any] = {"k": k, "relevant_from": threshold, "unjudged": "zero"}
    graded: dict[str, Any] = {"k": k, "unjudged": "zero"}
    highest = max(3, *(int(grade) for grade in judgments.values()))
    evaluation = state.evaluations[name]
    return {
        "CG": family.cg(ranking, judgments, **graded),
        "DCG": evaluation.dcg,
        "NDCG": evaluation.ndcg,
        "P": family.precision(ranking, judgments, divide_by=options["divide_by"], **binary),
        "recall": family.recall(ranking, judgments, **binary),
        "RR": family.reciprocal_rank(ranking, judgments, **binary),
        "AP": family.average_precision(ranking, judgments, over=options["over"], **binary),
        "ERR": family.err(ranking, judgments, max_grade=highest, **graded),
        "RBP, p = 4/5": family.rbp(ranking, judgments, persistence="4/5", **binary),
    }


def winners(state: State) -> dict[str, str]:
    """For each metric the list that it prefers, or how they stand."""
    tables = [values(state, name) for name in state.lists]
    names = list(state.lists)
    told = {}
    for metric in tables[0]:
        one, other = (_exact(table[metric]) for table in tables)
        if one is None or other is None:
            told[metric] = "no order"
        else:
            sign = (one - other).sign()
            told[metric] = names[0 if sign > 0 else 1] if sign else "equal"
    return told


def _exact(value: Value) -> Exact | None:
    if isinstance(value, Undefined):
        return None
    return Linear.rational(value) if isinstance(value, Fraction) else value


def side_by_side(state: State) -> str:
    """The family as a table: one metric a row, one list a column, and who leads."""
    tables = [values(state, name) for name in state.lists]
    leads = winners(state)
    rows = [(escape(m), *(_cell(table[m]) for table in tables), escape(leads[m])) for m in leads]
    options = state.options
    k = "the whole list" if state.contract.k == "all" else f"k = {state.contract.k}"
    caption = (
        f"{k}; relevant from grade {options['relevant_from']}; P over {options['divide_by']}; AP over {options['over']}"
    )
    return views.rows_table(caption, ("metric", *map(escape, state.lists), "leads"), rows)


def _cell(value: Value) -> str:
    return escape(both(value))


def panel() -> Panel:
    """X and Y under every metric of the family."""
    plain = example.both()
    options = {"relevant_from": "1", "divide_by": "k", "over": "judged"}
    start = State(plain.judgments, plain.lists, plain.contract, options)

    def with_options(state: State, **changes: str) -> State:
        return State(state.judgments, state.lists, state.contract, {**state.options, **changes})

    return Panel(
        start,
        controls={"gain": None, "k": {"1": "1", "2": "2", "3": "3", "4": "4", "all": "all"}},
        views=(side_by_side,),
        options=[
            Option("relevant_from", "Relevant from grade", {"1": "1", "2": "2", "3": "3"}),
            Option("divide_by", "P divides by", {"k": "k", "what was returned": "returned"}),
            Option(
                "over",
                "AP averages over",
                {
                    "all relevant": "judged",
                    "as many as fit into k": "judged-at-k",
                    "those retrieved": "retrieved",
                },
            ),
        ],
        presets=[
            Preset("relevant from 1", start),
            Preset("relevant from 3", with_options(start, relevant_from="3")),
            Preset("one document returned", start.with_lists(X="B | C A D", Y="A | D B C")),
            Preset("nothing relevant returned", start.with_lists(X="D | A B C", Y="D | B C A")),
        ],
        targets=[
            Target("Make Y win on AP without moving a document.", _y_by_threshold),
            Target("Make NDCG and AP name different lists.", lambda _, now: _differ(now, "NDCG", "AP")),
            Target("Make P and NDCG name different lists.", lambda _, now: _differ(now, "NDCG", "P")),
        ],
        can_leave=True,
    )


def _y_by_threshold(start: State, now: State) -> bool:
    return now.lists == start.lists and winners(now)["AP"] == "Y"


def _differ(state: State, one: str, other: str) -> bool:
    told = winners(state)
    return {told[one], told[other]} == set(state.lists)


# ---------- a glossary, held against exact arithmetic ----------


def glossary() -> Reading:
    """Statements of a common kind, each with what the arithmetic gives."""
    five = Judgments({**example.judgments, "E": 1})
    perfect = {k: evaluate(Contract(gain="linear", k=k), Ranking(list("ABCDE")), five).ndcg for k in (3, 4)}
    missed = evaluate(Contract(gain="linear", k=1, ideal_population="returned"), Ranking(["B"]), example.judgments).ndcg
    marginal, excellent = (
        {f"{name}{n}": grade for n in range(size)} for name, size, grade in (("m", 10, 1), ("e", 3, 3))
    )
    tens = [_ten(grades) for grades in (marginal, excellent)]
    orders = ("ABC", "ACB", "BAC", "BCA", "CAB", "CBA")
    marginal_first, excellent_first = tens
    dcg = {
        gain: f"{decimal(_known(marginal_first[gain]), 4)} against {decimal(_known(excellent_first[gain]), 4)}"
        for gain in ("linear", "exponential")
    }
    said = {
        "“Rank 10 is worth about a third of rank 1.”": (
            f"1/log<sub>2</sub>(11) ≈ {decimal(y(11))}: 29 percent, off by {decimal(Fraction(1, 3) - y(11), 4)}"
        ),
        "“An NDCG of 1.0 means the optimal ordering.”": (
            "of one population at one cutoff: with a fifth document E of grade 1, the order A B C D E has "
            f"{_cell(perfect[3])} at k = 3 and {decimal(_known(perfect[4]))} at k = 4; and (B) alone, against what was "
            f"returned, has {_cell(missed)} and misses A"
        ),
        "“Binary metrics can't tell ten marginal documents from three excellent ones.”": (
            f"P@10 is {_cell(marginal_first['P@10'])} against {_cell(excellent_first['P@10'])}: it "
            f"tells them apart, and "
            f"prefers the marginal ones. DCG@10 is {dcg['linear']} under linear gain and {dcg['exponential']} under "
            "exponential gain. Each list has NDCG 1, measured against its own documents"
        ),
        "“P@k ignores order.”": (
            "within the first k, yes: all six orders of A, B, C have one P@3 and "
            f"{len({_ndcg(order) for order in orders})} different NDCG@3"
        ),
        "“NDCG punishes irrelevant documents.”": (
            f"not as such: X has {_cell(_ndcg('BCAD'))} at k = 3, and the same at k = 4, where D comes in"
        ),
    }
    table = views.rows_table("Heard of these metrics", ("heard", "exact arithmetic says"), said.items(), wrap=True)
    return Reading(table, f"{len(said)} sayings, each with what the arithmetic gives")


def _known(value: Value) -> Exact:
    exact = _exact(value)
    assert exact is not None
    return exact


def _ndcg(order: str, k: int = 3) -> Exact | Undefined:
    return evaluate(Contract(gain="linear", k=k), Ranking(list(order)), example.judgments).ndcg


def _ten(grades: Mapping[str, int]) -> dict[str, Value]:
    ranking, judgments = Ranking(list(grades)), Judgments(grades)
    found: dict[str, Value] = {"P@10": family.precision(ranking, judgments, k=10, relevant_from=1)}
    for gain in ("linear", "exponential"):
        found[gain] = evaluate(Contract(gain=gain, k=10), ranking, judgments).dcg
    return found


# ---------- exercises ----------


def _another_precision(order: str) -> Verdict:
    documents = typed.order(order, example.judgments, whole=True).documents
    precision = family.precision(Ranking(documents), example.judgments, k=3, relevant_from=1)
    if set(documents[:3]) != set(example.X[:3]):
        return wrong(f"The top three of {' '.join(documents)} are not those of X.")
    if precision == 1:
        return wrong(f"P@3 of {' '.join(documents)} is 1, as that of X.")
    return right(f"P@3 of {' '.join(documents)} is {precision}.")


def _disagree(one: str, other: str) -> Verdict:
    lists = [typed.order(text, example.judgments, whole=True).documents for text in (one, other)]
    if {tuple(example.X), tuple(example.Y)} & {*map(tuple, lists)}:
        return wrong("X and Y are the lesson's own lists; find others.")
    told = {}
    contract = Contract(gain="linear", k=4)
    measures: dict[str, Callable[[Ranking], Value]] = {
        "AP": lambda ranking: family.average_precision(ranking, example.judgments, k="all", relevant_from=1),
        "NDCG@4": lambda ranking: evaluate(contract, ranking, example.judgments).ndcg,
    }
    for name, measure in measures.items():
        first, second = (_known(measure(Ranking(documents))) for documents in lists)
        told[name] = (first - second).sign()
    words = {1: "the first", 0: "neither", -1: "the second"}
    said = ", ".join(f"{name} prefers {words[sign]}" for name, sign in told.items())
    if told["AP"] * told["NDCG@4"] < 0:
        return right(f"Right: {said}.")
    if 0 in told.values():
        return half(f"Not quite: {said}. Find two lists where each prefers one, and another one.")
    return wrong(f"They agree: {said}.")


exercises = (
    ask.exact(
        "AP of D C A B, relevant from grade 1, over all relevant documents: what is it exactly?",
        Fraction(23, 36),
        near={
            "23/12": "Half right: that is the sum of the three precisions. AP divides it by the three relevant "
            "documents.",
            "29/36": "That is AP of Y, with a relevant document on top. Here D stands there.",
        },
        example="2/3",
        hint="The relevant documents stand at ranks 2, 3 and 4; the precisions there are 1/2, 2/3 and 3/4.",
        solution="(1/2 + 2/3 + 3/4)/3 = (23/12)/3 = 23/36.",
    ),
    ask.choose(
        "Two tools evaluate the list (B), at k = 3 with relevance from grade 1. One prints P@3 = 1, the other 0.3333. "
        "Which setting makes the difference?",
        {
            "relevant from": "From grade 1 or 2 B is relevant for both, and from grade 3 both would print 0.",
            "divide by": "Right: one divides by the one document returned, the other by k = 3.",
            "cutoff": "Both looked at k = 3, and at k = 1 both would print 1.",
        },
        "divide by",
        hint="One hit, over what?",
        solution="What precision divides by: the documents returned (1), or k (3).",
    ),
    ask.exact(
        "ERR of D A B at k = 3 with 3 as the highest grade: a reader stops at grade 3 with probability 7/8, at grade "
        "2 with "
        "3/8, at grade 0 never. What is it exactly?",
        Fraction(29, 64),
        near={
            "7/16": "Half right: that is rank 2 alone. One reader in eight goes on to B at rank 3.",
            "31/64": "Half right: the reader who reaches rank 3 stops there with 3/8, and a stop at rank 3 counts 1/3.",
        },
        example="2/3",
        hint="Nobody stops at D. Then 7/8 · 1/2, then (1/8) · (3/8) · 1/3.",
        solution="0 + (7/8)/2 + (1/8)(3/8)/3 = 28/64 + 1/64 = 29/64.",
    ),
    ask.claim(
        "“Another order of its top three leaves P@3 of a list as it was (relevant from grade 1).” Always, sometimes "
        "or never? "
        "If not always, show an order with the top three of X = B C A D and another P@3.",
        "always",
        witness="Such an order, if any",
        example="C B A D",
        check=_another_precision,
        because="P@3 counts the relevant ones among the first three, wherever they stand.",
        hint="What does P@3 count?",
        solution="Always: P@3 counts, and counting doesn't see order. NDCG@3 does.",
    ),
    ask.wrong_line(
        "AP of X = B C A D, relevant from grade 3, over all relevant documents. Which line is wrong?",
        [
            "One document is relevant: A, at rank 3.",
            "The precision at rank 3 is 1/3.",
            "The average is over the three ranks looked at, so AP = (1/3)/3 = 1/9.",
        ],
        3,
        "Right: AP averages over the relevant documents, and there is one. AP = 1/3.",
        hint="How many relevant documents are there?",
        solution="Line 3. AP averages over relevant documents, not over ranks: (1/3)/1 = 1/3.",
    ),
    ask.construct(
        "Give two orders of A, B, C, D, neither of them X or Y, for which AP (relevant from grade 1, all ranks) and "
        "NDCG@4 "
        "(linear gain) prefer different lists.",
        _disagree,
        [ask.Blank("One order", example="A B C D"), ask.Blank("Other order", example="D C B A")],
        hint="AP only asks where D stands. NDCG asks where A stands, too.",
        solution="C B A D and A D C B are one such pair: AP prefers the first, where D comes last, and NDCG@4 the "
        "second, "
        "where A comes first.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
