"""Lesson 11: two numbers disagree; which setting is it?

Each case holds data and two contracts, most of them of named systems. What a system printed stands in the case's
story, with its version; what the lesson computes are the contracts' values.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import ipywidgets

from ndcg_lab import Contract, Judgments, Ranking, conventions, evaluate_run, explain, identify
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import typed, views
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.controls import Announcer, Choice
from ndcg_lab.lessons.course import example
from ndcg_lab.lessons.display import Reading, bundle
from ndcg_lab.lessons.exercises import Blank, Exercise, Verdict, right, wrong
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.text import both, escape
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation
from ndcg_lab.reports.explanation import Explanation
from ndcg_lab.reports.report import Report
from ndcg_lab.tables import coded

LESSON = "lesson 11"

prediction = Predict(
    LESSON,
    "A dashboard prints 0.90498 for X = B C A D under linear gain, and doesn't say at which cutoff. "
    "Can X's number tell "
    "k = 3 from k = 4? Can Y's, for Y = A D B C?",
    {
        "X can, Y can't": "It is the other way round.",
        "X can't, Y can": "You are right.",
        "neither can": "Y's number changes at k = 4: C comes in.",
    },
    "X can't, Y can",
    "At k = 4 X gains D, which is worth nothing, and the ideal gains D too. Y gains C: its number goes from 0.76019 to "
    "0.92389.",
)

_SETTINGS = {declared.name: declared for declared in (*FIELDS, *AGGREGATION_FIELDS)}


_TRIED = {
    "k": ("1", "2", "3", "5", "10", "all"),
    "gain": ("linear", "exponential", "power:2"),
    "discount": ("log2", "jarvelin", "reciprocal", "none"),
}
"""For fields that take more than a few words: what a wrong choice is answered with."""


@dataclass(frozen=True)
class Case:
    """Two numbers for the same data.

    Args:
        title: a few words.
        story: what was seen, HTML; systems with their versions.
        data: judgments by query, and rankings by query.
        first: the contract behind the first number, with what else it takes over queries.
        second: the contract behind the second.
        setting: the field that makes the difference.
        offered: the fields to choose from, the right one among them; shown in the order of the alphabet.
        hint: where to look, without the name of the field; HTML.
    """

    title: str
    story: str
    data: tuple[Mapping[str, Judgments], Mapping[str, Ranking]]
    first: tuple[Contract, Aggregation]
    second: tuple[Contract, Aggregation]
    setting: str
    offered: tuple[str, ...]
    hint: str

    @property
    def qrels(self) -> Mapping[str, Judgments]:
        """Judgments by query."""
        return self.data[0]

    @property
    def run(self) -> Mapping[str, Ranking]:
        """Rankings by query."""
        return self.data[1]

    @cached_property
    def reports(self) -> tuple[Report, Report]:
        """The data under either contract."""
        return self._report(*self.first), self._report(*self.second)

    def _report(self, contract: Contract, aggregation: Aggregation) -> Report:
        return evaluate_run(contract, self.run, self.qrels, **aggregation.to_json())

    @cached_property
    def explanation(self) -> Explanation:
        """What differs between the two, and what each difference does."""
        return explain(*self.reports)

    def value(self, which: int) -> object:
        """The setting that matters, in the first (0) or the second (1)."""
        return _setting(*(self.first, self.second)[which], self.setting)

    def would_give(self, setting: str) -> str:
        """What the first number would be under other choices of a field that is not the cause."""
        one, other = (report.mean.ndcg for report in self.reports)
        for choice in _TRIED.get(setting) or [choice.spelling for choice in _SETTINGS[setting].choices]:
            try:
                found = self.with_setting(setting, choice)
            except NdcgLabError:  # refused: no number
                continue
            if found not in {one, other}:
                return (
                    f"With {setting} = {choice} the first number would be {_fixed(found)}, and that is not the second."
                )
        return f"The two contracts agree in {setting}, and no other choice of it gives the second number here."

    def with_change(self, setting: str) -> Exact | Undefined:
        """The first number once this setting is that of the second."""
        contract, aggregation = self.second
        return self.with_setting(setting, _setting(contract, aggregation, setting))

    def with_setting(self, setting: str, value: Any) -> Exact | Undefined:
        """The first number under another choice of one field."""
        contract, aggregation = self.first
        if setting in {declared.name for declared in AGGREGATION_FIELDS}:
            aggregation = aggregation.replace(**{setting: value})
        else:
            contract = contract.replace(**{setting: value})
        return self._report(contract, aggregation).mean.ndcg


def _fixed(value: Exact | Undefined) -> str:
    return str(value) if isinstance(value, Undefined) else value.fixed(6)


def _of(name: str, k: int | str, **changes: object) -> tuple[Contract, Aggregation]:
    """A system's contract at a cutoff, and how it averages."""
    convention = conventions[name]
    return convention.at(k).replace(**changes), convention.aggregation


def _one(judgments: Mapping[str, Any], ranking: Ranking) -> tuple[dict[str, Judgments], dict[str, Ranking]]:
    return {"q1": Judgments(judgments)}, {"q1": ranking}


_PLAIN = Aggregation()
_four = example.judgments


def _cases() -> list[Case]:
    x = _one(example.judgments, Ranking.from_scores({"B": 4, "C": 3, "A": 2, "D": 1}))
    linear = Contract(gain="linear", k="all", unjudged="zero", zero_ideal="zero", ties="docno-descending")
    return [
        Case(
            "Two libraries, one list",
            "The worked example, list X at k = 3. CatBoost 1.2.10 prints 0.9049765583210164 with "
            "<code>type=Base</code>; "
            "the same call with <code>type=Exp</code> prints 0.8075588805057204.",
            x,
            first=_of("catboost", 3),
            second=_of("catboost", 3, gain="exponential"),
            setting="gain",
            offered=("gain", "discount", "ideal_population", "k"),
            hint="Write down both ratios. Which of grade 3 and grade 2 weighs more in the second?",
        ),
        Case(
            "ndcg and ndcg_cut",
            "A and B have grade 2, C has grade 1, and the run returns A, B. trec_eval 10.0 prints ndcg 0.8671 and "
            "ndcg_cut_2 1.0000.",
            _one({"A": 2, "B": 2, "C": 1}, Ranking.from_scores({"A": 2, "B": 1})),
            first=_of("trec_eval-10", "all"),
            second=_of("trec_eval-10", 2),
            setting="k",
            offered=("k", "gain", "unjudged", "ties"),
            hint="How many documents does the ideal hold, for either number?",
        ),
        Case(
            "One hit, a perfect score",
            "Three rated documents of grades 3, 2 and 1; the search returns the best one alone, and k = 5. "
            "By its formula "
            "Elasticsearch's <code>normalize</code> gives 1; Quepid's ndcg_cut, at version f80322f, gives 0.74525.",
            _one({"p": 3, "q": 2, "r": 1}, Ranking(["p"])),
            first=_of("quepid-ndcg_cut", 5),
            second=_of("elasticsearch", 5),
            setting="ideal_cutoff",
            offered=("ideal_cutoff", "gain", "discount", "ties"),
            hint="One document came back. How many documents is it measured against?",
        ),
        Case(
            "What was never returned",
            "The worked example, but only B is returned, and k = 1. pytrec_eval 0.5.11 prints "
            "0.6666666666666666; CatBoost "
            "1.2.10 prints 1.0.",
            _one(example.judgments, Ranking.from_scores({"B": 1})),
            first=_of("pytrec_eval", 1),
            second=_of("catboost", 1),
            setting="ideal_population",
            offered=("ideal_population", "gain", "ties", "negative"),
            hint="Which documents can a tool know of that is handed the returned rows alone?",
        ),
        Case(
            "A document is renamed",
            "m1 has grade 2 and shares its score with k9, which nobody judged. trec_eval 10.0 prints 1.0000. With ties "
            "averaged, as scikit-learn does, the same data give 0.8155.",
            _one({"m1": 2}, Ranking.from_scores({"m1": "1.0", "k9": "1.0"})),
            first=(linear, _PLAIN),
            second=(linear.replace(ties="average"), _PLAIN),
            setting="ties",
            offered=("ties", "unjudged", "score_precision", "gain"),
            hint="Two documents share a score. Which of them comes first, and does somebody decide?",
        ),
        Case(
            "The eighth decimal of a score",
            "a1 is relevant and has score 0.80000001, b2 is not judged and has score 0.8; k = 1. trec_eval 10.0 prints "
            "1.0000, pytrec_eval 0.5.11 prints 0.0.",
            _one({"a1": 1}, Ranking.from_scores({"a1": "0.80000001", "b2": "0.8"})),
            first=_of("trec_eval-10", 1),
            second=_of("pytrec_eval", 1),
            setting="score_precision",
            offered=("score_precision", "duplicates", "k", "ties"),
            hint="How many digits of a score survive in 32 bits?",
        ),
        Case(
            "A list with a stranger",
            "The worked example; the run returns E, A, B, and nobody judged E; k = 3. With E counted as "
            "grade 0 the number "
            "is 0.54977; trec_eval with <code>-J</code> leaves E out and prints 0.8100.",
            _one(example.judgments, Ranking.from_scores({"E": 3, "A": 2, "B": 1})),
            first=_of("trec_eval-10", 3),
            second=_of("trec_eval-10", 3, unjudged="remove"),
            setting="unjudged",
            offered=("unjudged", "ideal_population", "ideal_cutoff", "k"),
            hint="At which rank does A stand, for either number?",
        ),
        Case(
            "A query without relevant documents",
            "Two queries: in the first the order is perfect, in the second all grades are 0. scikit-learn "
            "1.9.1 averages to "
            "0.5; CatBoost 1.2.10 to 1.",
            (
                {"q1": Judgments({"p": 2, "q": 1}), "q2": Judgments({"r": 0, "s": 0})},
                {"q1": Ranking.from_scores({"p": 2, "q": 1}), "q2": Ranking.from_scores({"r": 2, "s": 1})},
            ),
            first=_of("scikit-learn", "all"),
            second=_of("catboost", "all"),
            setting="zero_ideal",
            offered=("zero_ideal", "ties", "gain", "aggregate"),
            hint="Work out each query's number on its own. What is divided by what in the second?",
        ),
        Case(
            "A query without results",
            "Two judged queries; the run answers the first, perfectly, and not the second. pytrec_eval "
            "0.5.11 averages the "
            "queries that both files hold; ir_measures 0.4.3 averages all judged ones.",
            ({"q1": Judgments({"A": 1}), "q2": Judgments({"B": 1})}, {"q1": Ranking(["A"])}),
            first=(conventions["pytrec_eval"].at("all"), Aggregation(query_set="both", missing="zero")),
            second=_of("ir_measures", "all"),
            setting="query_set",
            offered=("query_set", "zero_ideal", "aggregate", "ties"),
            hint="Over how many queries is each mean taken?",
        ),
        Case(
            "The same document twice",
            "s has grade 2, t grade 1, and the list is s, s, t; k = 3. OpenSearch's formula counts both "
            "copies of s and "
            "comes to 1.49; with the later copy earning nothing it is 0.96.",
            _one({"s": 2, "t": 1}, Ranking(["s", "s", "t"])),
            first=_of("opensearch", 3, duplicates="first"),
            second=_of("opensearch", 3),
            setting="duplicates",
            offered=("duplicates", "round_to", "gain", "ties"),
            hint="Add up what the second s earns.",
        ),
    ]


cases = _cases()


# ---------- showing a case ----------


def _number(value: Exact | Undefined) -> str:
    return escape(both(value, 6))


def _data(case: Case) -> str:
    rows = []
    for query, judgments in case.qrels.items():
        grades = ", ".join(f"{escape(d)} = {grade}" for d, grade in judgments.items())
        ranking = case.run.get(query)
        if ranking is None:
            order = "<em>no results</em>"
        elif ranking.texts is None:
            order = " ".join(map(escape, ranking))
        else:
            scores = zip(ranking.documents, ranking.texts, strict=True)
            order = ", ".join(f"{escape(d)} ({escape(text)})" for d, text in scores)
        rows.append((escape(query), grades, order))
    return views.rows_table("The data", ("query", "grades", "returned (score)"), rows, wrap=True)


def show(number: int) -> Reading:
    """Case `number`, from 1 on: what was seen, the data, and the two exact numbers."""
    case = cases[number - 1]
    one, other = (report.mean.ndcg for report in case.reports)
    html = (
        f"{views.block(f'<strong>Case {number}: {case.title}.</strong> {case.story}')}{_data(case)}"
        f"{views.block(f'First: {_number(one)}. Second: {_number(other)}.')}"
    )
    return Reading(html, f"Case {number}: {case.title}")


def solve(number: int) -> Reading:
    """What `explain` says of a case, and which contracts `identify` finds for the second number."""
    case = cases[number - 1]
    html = views.block(f"<strong>explain:</strong> {coded(case.explanation.summary)}")
    found = _identified(case)
    html += views.block(f"<strong>identify:</strong> {escape(found)}")
    return Reading(html, f"Case {number}: {case.explanation.summary}")


def _identified(case: Case) -> str:
    """How many contracts give the second number, and one that differs from the first in the setting alone."""
    value = case.reports[1].mean.ndcg
    assert isinstance(value, Exact)
    if len(case.qrels) > 1:
        found = identify(case.run, case.qrels, reported=value.fixed(4), quantity="mean")
    else:
        ((query, judgments),) = case.qrels.items()
        found = identify(case.run[query], judgments, reported=value.fixed(4), quantity="ndcg")
    hits = sum(_setting(match.contract, match.aggregation, case.setting) == case.value(1) for match in found.matches)
    return (
        f"{value.fixed(4)} is given by {len(found.matches)} groups of contracts, {hits} of them with "
        f"{case.setting} = {case.value(1)}."
    )


def _setting(contract: Contract, aggregation: Mapping[str, Any] | Aggregation | None, name: str) -> object:
    if hasattr(contract, name):
        return getattr(contract, name)
    return aggregation.get(name) if isinstance(aggregation, Mapping) else getattr(aggregation, name, None)


def hunt(number: int) -> Check:
    """The question of case `number`: which setting?"""
    case = cases[number - 1]

    def judge(answer: str) -> Verdict:
        if answer == case.setting:
            return right(f"Right. {case.explanation.summary}")
        return wrong(case.would_give(answer))

    exercise = Exercise(
        "Which setting makes the difference?",
        (Blank("Setting", tuple(sorted(case.offered))),),
        judge,
        case.hint,
        f"<code>{case.setting}</code>: {escape(str(case.value(0)))} against {escape(str(case.value(1)))}.",
    )
    return Check(f"Case {number}", exercise, key=f"{LESSON}: case {number}")


# ---------- the panel ----------


class Bench:
    """Try one change at a time: a case, and a setting to take over from the second contract."""

    def __init__(self) -> None:
        self.case = Choice("Case", [case.title for case in cases], index=0, stacked=True)
        self.setting = Choice("Take over from the second contract", ["nothing"], index=0)
        self.reset = ipywidgets.Button(description="reset")
        self._shown = ipywidgets.HTML()
        self._announcer = Announcer()
        self.case.observe(lambda _: self._take(), names="index")
        self.setting.observe(lambda _: self._refresh(), names="index")
        self.reset.on_click(lambda _: self._restart())
        self.widget = ipywidgets.VBox([self.case, self.setting, self.reset, self._shown, self._announcer])
        self._take()

    def _restart(self) -> None:
        self.case.index = 0
        self._take()

    def _take(self) -> None:
        self.setting.labels = ["nothing", *cases[self.case.index].offered]
        self.setting.index = 0
        self._refresh()

    def _refresh(self) -> None:
        text, said = bench(self.case.index, self.setting.chosen or "nothing")
        self._shown.value, self._announcer.text = text, said

    def reading(self) -> str:
        """Each case with what its right setting does."""
        return "".join(bench(index, case.setting)[0] for index, case in enumerate(cases))

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return bundle(self.widget, self.reading(), repr(self))

    def __repr__(self) -> str:
        return f"Bench: {len(cases)} cases"


def bench(index: int, setting: str) -> tuple[str, str]:
    """A case's numbers before and after one change: as HTML, and in a sentence."""
    case = cases[index]
    one, other = (report.mean.ndcg for report in case.reports)
    try:
        changed = one if setting == "nothing" else case.with_change(setting)
        middle = _number(changed)
        reached = changed == other
    except NdcgLabError as error:
        middle, reached = escape(str(error)), False
    rows = [
        ("first contract", _number(one)),
        (f"first, with the second's {escape(setting)}", middle),
        ("second contract", _number(other)),
    ]
    told = "That alone gives the second number, exactly." if reached else "That alone does not give the second number."
    return views.rows_table(case.title, ("", "NDCG"), rows) + views.block(told), f"{setting}: {told}"


# ---------- exercises beyond the cases ----------


def _tells_apart(order: str) -> Verdict:
    documents = typed.order(order, example.judgments, whole=True).documents
    if documents == tuple(example.Y):
        return wrong("Y is the lesson's own; find another.")
    values = [
        evaluate_run(Contract(gain="linear", k=k), {"q": Ranking(documents)}, {"q": _four}).mean.ndcg for k in (3, 4)
    ]
    one, other = (value for value in values if isinstance(value, Exact))
    told = f"{' '.join(documents)} has {one.fixed(5)} at k = 3 and {other.fixed(5)} at k = 4"
    return wrong(f"{told}: it can't tell.") if one == other else right(f"Right: {told}.")


last = Check(
    "Last case",
    ask.construct(
        "Somebody reports NDCG of one list under linear gain and says “k is 3 or 4”. Give an order of A, B, C, D, "
        "other "
        "than Y, whose number tells the two apart.",
        _tells_apart,
        [Blank("Order", example="B C A D")],
        hint="The fourth document must be worth something.",
        solution="Any order in which D is not last: A B D C, for instance.",
    ),
    key=f"{LESSON}: last case",
)
