"""Lesson 08: several queries, their mean, and a report that can be recomputed from itself."""

import copy
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, cast

from ndcg_lab import Contract, Judgments, Ranking, a, compare, evaluate_run, verify
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
from ndcg_lab.lessons.text import both, decimal, escape, shown
from ndcg_lab.measure.contract import Aggregate, Missing
from ndcg_lab.reports.report import Report

LESSON = "lesson 08"

prediction = Predict(
    LESSON,
    "Two queries and two runs. Run X has list X for the first query and its one relevant document at rank 2 for the "
    "second; run Y has list Y, and that document at rank 1. Averages can be taken of the ratios (the mean of NDCG), or "
    "as a ratio of sums (all DCG over all ideal DCG). Do the two name the same winner?",
    {
        "yes": "Not here: the second query weighs as much as the first in a mean, and little in a ratio of sums.",
        "no": "You are right.",
        "they always give one number": "Only where all ideals are equal.",
    },
    "no",
    "The mean is 0.76795 for X and 0.88009 for Y; the ratio of sums is 0.86121 for X and 0.79848 for Y.",
)

linear = Contract(gain="linear", k=3)

QRELS: Mapping[str, Judgments] = {"q1": example.judgments, "q2": Judgments({"P": 1, "Q": 0}, need="another need")}
RUNS: Mapping[str, Mapping[str, Ranking]] = {
    "X": {"q1": example.X, "q2": Ranking(["Q", "P"])},
    "Y": {"q1": example.Y, "q2": Ranking(["P", "Q"])},
}

OTHERS: Mapping[str, Judgments] = {"q3": Judgments({"R": 0, "S": 0}), "q4": Judgments({"M": 2})}
OTHER_RESULTS: Mapping[str, Ranking] = {"q3": Ranking(["R", "S"]), "q5": Ranking(["N"])}


def whole_report(missing: Missing = "exclude") -> Report:
    """Five queries, of which two can be averaged: the others have an ideal of 0, no results, no judgments."""
    return evaluate_run(
        linear.replace(zero_ideal="exclude"), {**RUNS["X"], **OTHER_RESULTS}, {**QRELS, **OTHERS}, missing=missing
    )


def table(report: Report) -> Reading:
    """A report's queries, its mean and what was left out."""
    rows = [
        (escape(result.query), str(result.weight), *map(_cell, (result.dcg, result.idcg, result.ndcg)))
        for result in report
    ]
    rows.append(("mean", "", _cell(report.mean.dcg), "", _cell(report.mean.ndcg)))
    rows += [
        (escape(left.query), str(left.record.weight), "", "", f"left out: {left.reason}") for left in report.excluded
    ]
    html = views.rows_table("The report, query by query", ("query", "weight", "DCG", "IDCG", "NDCG"), rows)
    html += _over_queries(report)
    return Reading(html, f"{len(report)} queries averaged, {len(report.excluded)} left out")


def _over_queries(report: Report) -> str:
    """The settings over queries and the weights, in one line, as the contract's line has its fields."""
    settings = {name.replace("_", " "): value for name, value in report.aggregation.to_json().items()}
    settings |= {f"weight of {result.query}": str(result.weight) for result in report}
    told = " · ".join(f"{escape(name)} <strong>{escape(str(value))}</strong>" for name, value in settings.items())
    return views.block(f"<small>Over queries: {told}.</small>")


def _cell(value: Exact | Undefined) -> str:
    if isinstance(value, Undefined):
        return escape(str(value))
    return decimal(value) if len(shown(value)) > _LONG else both(value)


_LONG = 60  # characters up to which a mean's exact form is shown


def faults(change: Mapping[str, Any], report: Report | None = None) -> Reading:
    """What verify says of a report in which some places were overwritten; None deletes.

    A place is written like `queries.0.dcg.decimal`.
    """
    record = copy.deepcopy((report or whole_report()).to_json())
    for place, value in change.items():
        *path, last = [int(part) if part.isdecimal() else part for part in place.split(".")]
        here: Any = record
        for part in path:
            here = here[part]
        if value is None:
            del here[last]
        else:
            here[last] = value
    found = [str(fault) for fault in verify(json.loads(json.dumps(record)))]
    more = [f"and {len(found) - _FIRST} more places"] if len(found) > _FIRST else []
    listed = "".join(f"<li>{escape(fault)}</li>" for fault in found[:_FIRST] + more)
    return Reading(
        f"<ul>{listed}</ul>" if found else views.block("No fault."), f"{len(found)} faults" if found else "no fault"
    )


_FIRST = 6  # faults shown


# ---------- the panel ----------


def _reports(state: State) -> dict[str, Report]:
    options = state.options
    weights = {"q1": options["weight of q1"], "q2": "1"}
    qrels = {"q1": state.judgments, "q2": QRELS["q2"]}
    if options["third query"] == "yes":
        qrels["q3"] = OTHERS["q3"]
    found = {}
    for name, order in state.lists.items():
        run = {"q1": order.ranking(), "q2": RUNS[name]["q2"]}
        if options["third query"] == "yes":
            run["q3"] = OTHER_RESULTS["q3"]
        found[name] = evaluate_run(
            state.contract,
            run,
            qrels,
            aggregate=cast("Aggregate", options["aggregate"]),
            weights=weights,
            missing="zero",
        )
    return found


def averages(state: State) -> str:
    """Both runs, query by query, and who leads on the average."""
    reports = _reports(state)
    names = list(reports)
    queries = [result.query for result in reports[names[0]]]
    rows = [(escape(query), *(_cell(reports[name][query].ndcg) for name in names)) for query in queries]
    rows += [(escape(left.query), *[f"left out: {left.reason}"] * len(names)) for left in reports[names[0]].excluded]
    rows.append((state.options["aggregate"], *(_cell(reports[name].mean.ndcg) for name in names)))
    return (
        views.rows_table("NDCG by query and over queries", ("query", *(f"run {n}" for n in names)), rows)
        + views.block(_leader(state))
        + _over_queries(reports[names[0]])
    )


def _leader(state: State) -> str:
    sign = mean_sign(state)
    if sign is None:
        return "No order: a value among those averaged is undefined, and so is the average. zero_ideal decides."
    one, other = state.lists
    return (
        "Over queries: exactly equal." if not sign else f"Over queries run {escape(one if sign > 0 else other)} leads."
    )


def mean_sign(state: State) -> int | None:
    """The sign of run X's average minus run Y's."""
    reports = list(_reports(state).values())
    return compare(reports[0], reports[1]).mean.sign


def panel() -> Panel:
    """Two runs over two queries, or three."""
    plain = example.both()
    options = {"aggregate": "mean", "weight of q1": "1", "third query": "no"}
    start = State(plain.judgments, plain.lists, plain.contract, options)

    def with_options(**changes: str) -> State:
        return State(start.judgments, start.lists, start.contract, {**options, **changes})

    return Panel(
        start,
        controls=("gain", "k", "zero_ideal"),
        views=(averages,),
        verdict=_leader,
        front=("aggregate", "weight of q1"),
        options=[
            Option("aggregate", "Over queries", {"mean of ratios": "mean", "ratio of sums": "ratio-of-sums"}),
            Option("weight of q1", "Weight of q1", {"1": "1", "2": "2", "3": "3", "1/2": "1/2"}),
            Option("third query", "A third query, all grades 0", {"no": "no", "yes": "yes"}),
        ],
        presets=[
            Preset("mean of ratios", start),
            Preset("ratio of sums", with_options(aggregate="ratio-of-sums")),
            Preset("with a zero ideal", with_options(**{"third query": "yes"})),
        ],
        targets=[
            Target(
                "Make run X lead without touching a list.", lambda s, now: now.lists == s.lists and mean_sign(now) == 1
            ),
            Target(
                "Make it lead as a mean of ratios.",
                lambda _, now: now.options["aggregate"] == "mean" and mean_sign(now) == 1,
            ),
            Target("With the third query, get a mean that is defined.", _defined_with_third),
        ],
    )


def _defined_with_third(_: State, now: State) -> bool:
    return now.options["third query"] == "yes" and mean_sign(now) is not None


# ---------- exercises ----------

_X, _Y = ({q: evaluate_run(linear, RUNS[n], QRELS)[q].ndcg for q in QRELS} for n in ("X", "Y"))


def _weights(text: str) -> Verdict:
    parts = typed.numbers(text)
    if len(parts) != len(QRELS):
        return Verdict("unread", "Write two weights, like 1 1 or 3 1/2.")
    weights = dict(zip(QRELS, parts, strict=True))
    one, other = (evaluate_run(linear, RUNS[name], QRELS, weights=weights) for name in ("X", "Y"))
    sign = compare(one, other).mean.sign
    means = f"run X has {_exact(one.mean.ndcg).fixed(5)}, run Y {_exact(other.mean.ndcg).fixed(5)}"
    if sign == 1:
        told = "" if all(weights.values()) else " (A query of weight 0 is not counted at all; can you keep both?)"
        return right(f"Right: {means}.{told}") if all(weights.values()) else half(f"It leads: {means}.{told}")
    return wrong(f"Not yet: {means}.")


def _exact(value: Exact | Undefined) -> Exact:
    assert isinstance(value, Exact)
    return value


def _two_values(text: str) -> Verdict:
    parts = typed.numbers(text)
    if len(parts) != 2:
        return Verdict("unread", "Write two values, like 1/4 1/2.")
    one, other = parts
    if one + other != Fraction(3, 2):
        return wrong(f"Their mean is {(one + other) / 2}.")
    if not (0 <= one <= 1 and 0 <= other <= 1):
        return wrong("An NDCG lies between 0 and 1 here.")
    if one == other:
        return wrong("These two are equal; find different ones.")
    return right(f"{one} and {other} have the mean 3/4 as 3/4 and 3/4 have.")


exercises = (
    ask.exact(
        "q1 is given weight 2 and q2 weight 1. The ratio of sums for run X, all weighted DCG over all weighted ideal "
        "DCG, "
        "exactly?",
        (7 + 5 * a) / (9 + 4 * a),
        near={
            "(7/2 + 3a)/(5 + 2a)": "Half right: that is without weights. Count the first query twice, above and below.",
            "7 + 5a": "Half right: that is the weighted DCG. Divide it by the weighted ideal DCG.",
        },
        example="4/(4 + 2a)",
        hint="DCG is 7/2 + 2<i>a</i> and <i>a</i>; the ideals are 4 + 2<i>a</i> and 1.",
        solution="(2(7/2 + 2<i>a</i>) + <i>a</i>)/(2(4 + 2<i>a</i>) + 1) = (7 + 5<i>a</i>)/(9 + 4<i>a</i>), about "
        "0.88120.",
    ),
    ask.exact(
        "One query has NDCG 1 and weight 3, another NDCG 1/2 and weight 1. The weighted mean, exactly?",
        Fraction(7, 8),
        near={
            "3/4": "Half right: that is the mean without weights.",
            "7/2": "Half right: divide by the weights' sum, 4.",
        },
        example="2/3",
        hint="(3 · 1 + 1 · 1/2) over (3 + 1).",
        solution="(3 + 1/2)/4 = 7/8.",
    ),
    ask.choose(
        "A report averages 157 of 158 judged queries and doesn't say more. Which of these can its reader not tell?",
        {
            "the mean of the 157": "That is the number printed.",
            "why one was left out": "Right: it may have had no results, a zero ideal, or have been forgotten.",
            "how many were judged": "That is stated: 158.",
        },
        "why one was left out",
        hint="What would you need to recompute the mean?",
        solution="Why one was left out. A complete report names it, with its reason and its records.",
    ),
    ask.claim(
        "“Two reports with the same mean NDCG have the same NDCG for every query.” Always, sometimes or "
        "never? Give two "
        "different values from 0 to 1 whose mean is 3/4.",
        "sometimes",
        witness="Two values",
        example="1/4 1/2",
        check=_two_values,
        hint="3/4 and 3/4 have it; what else?",
        solution="Sometimes. 1 and 1/2 have the mean of 3/4 and 3/4.",
    ),
    ask.construct(
        "Find weights for the two queries, both above 0, under which run X leads run Y on the weighted mean.",
        _weights,
        [ask.Blank("Weights of q1 and q2", example="1 1")],
        hint="X is ahead on q1 by about 0.145, and behind on q2 by about 0.369.",
        solution="Any weights with w1/w2 above 2.55 or so: 3 and 1, for instance.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
