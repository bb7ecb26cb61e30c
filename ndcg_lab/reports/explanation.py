"""Why two NDCG numbers disagree: what differs, and what each difference does, exactly.

`explain` takes two reports (or two evaluations) and goes from the first to the second, one change at a time; every
change is also tried alone, so that effects of the order show. `reversal` follows who leads of two systems, from one
contract to another. Both evaluate anew from the records: nothing rests on printed numbers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ndcg_lab.errors import NdcgLabError, require, require_package
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS
from ndcg_lab.measure.evaluation import Evaluation
from ndcg_lab.measure.outcomes import Value
from ndcg_lab.reports.changes import DATA, RUN, Inputs, Result, Way, left_out
from ndcg_lab.reports.comparison import compare
from ndcg_lab.reports.explanation_views import lead_summary, lead_table, summary, tables
from ndcg_lab.reports.report import Report, double
from ndcg_lab.reports.steps import Lead, LeadPath, Path, Step
from ndcg_lab.tables import Table, screen

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Explanation", "Lead", "Reversal", "Step", "explain", "reversal"]


@dataclass(frozen=True, repr=False)
class Reversal(LeadPath):
    """Who leads of two systems, A and B, as the question changes: `summary` says it in a few sentences."""

    @cached_property
    def summary(self) -> str:
        """Whether the lead turns, and by which change, in words."""
        return " ".join(lead_summary(self))

    def to_json(self) -> dict[str, Any]:
        """Start, steps, each change alone, and the summary."""
        start = self.start.to_json()
        del start["change"]
        return {
            "start": start,
            "steps": [lead.to_json() for lead in self.steps],
            "alone": [lead.to_json() for lead in self.alone],
            "summary": self.summary,
        }

    def tables(self) -> list[Table]:
        """The lead, one change at a time and after each alone."""
        return [lead_table(self)]

    def __str__(self) -> str:
        return "\n\n".join([self.summary, *map(str, self.tables())])

    def __repr__(self) -> str:
        return f"<Reversal: {self.summary}>"

    def _repr_html_(self) -> str:
        return screen([self.summary, *self.tables()])

    def to_frame(self) -> "pd.DataFrame":
        """A row a state: what changed and how (`start`, `step`, `alone`), both means as doubles, who leads."""
        require_package("pandas", "`to_frame`")
        import pandas as pd

        states = [("start", self.start), *(("step", lead) for lead in self.steps), *(("alone", s) for s in self.alone)]
        rows = [
            {
                "kind": kind,
                "change": lead.change,
                "a": _number(lead.a),
                "b": _number(lead.b),
                "difference": _number(None if lead.comparison is None else lead.comparison.difference),
                "leads": {1: "A", -1: "B", 0: "equal", None: ""}[lead.sign],
                "error": lead.error or "",
            }
            for kind, lead in states
        ]
        return pd.DataFrame(rows)


@dataclass(frozen=True, repr=False)
class Explanation(Path):
    """Two results, what differs between them, and what each difference does. `summary` says it in a few sentences."""

    lead: Reversal | None = None

    @cached_property
    def summary(self) -> str:
        """What the disagreement comes from, in words."""
        return " ".join(summary(self))

    def to_json(self) -> dict[str, Any]:
        """Differences, start, steps, each change alone, lead and summary."""
        start = self.start.to_json()
        del start["change"]
        return {
            "differences": [difference.to_json() for difference in self.differences],
            "start": start,
            "steps": [step.to_json() for step in self.steps],
            "alone": [step.to_json() for step in self.alone],
            **({} if self.lead is None else {"lead": self.lead.to_json()}),
            "summary": self.summary,
        }

    def tables(self) -> list[Table]:
        """What differs; one change at a time; each alone; the queries; the lead."""
        return list(tables(self))

    def __str__(self) -> str:
        return "\n\n".join([self.summary, *map(str, self.tables())])

    def __repr__(self) -> str:
        return f"<Explanation: {self.summary}>"

    def _repr_html_(self) -> str:
        return screen([self.summary, *self.tables()])

    def to_frame(self) -> "pd.DataFrame":
        """A row a state: what changed and how (`start`, `step` or `alone`), the mean NDCG, its move, and the error."""
        require_package("pandas", "`to_frame`")
        import pandas as pd

        states = [("start", self.start), *(("step", step) for step in self.steps), *(("alone", s) for s in self.alone)]
        rows = [
            {
                "kind": kind,
                "change": step.change,
                "ndcg": _number(step.mean),
                "moved": _number(step.moved),
                "error": step.error or "",
            }
            for kind, step in states
        ]
        return pd.DataFrame(rows)


def _number(value: Value | None) -> float:
    """A double; nan where there is no value."""
    return float("nan") if value is None else double(value)


def explain(first: Result, second: Result) -> Explanation:
    """What differs between two reports, or two evaluations, and what each difference does.

    The changes go in the order of the contract's fields, the aggregation's, then data: grades, judged documents,
    returned documents, order, scores, weights, queries. A step that its contract refuses holds the error's text.

    Raises:
        NdcgLabError: for an evaluation beside a report.

    >>> from ndcg_lab import Contract, Judgments, Ranking, evaluate
    >>> judgments, order = Judgments({"u": 2, "v": 0, "w": 3}), Ranking(["u", "v", "w"])
    >>> first, second = (evaluate(Contract(gain=g, k=3), order, judgments) for g in ("linear", "exponential"))
    >>> print(explain(first, second).summary)
    NDCG is 0.82124 in A and 0.73093 in B, 0.09031 less. Only `gain` differs.
    """
    _refuse_mixed([first, second])
    way = Way(Inputs.of(first), Inputs.of(second))
    names = way.changes
    known: dict[frozenset[str], Result | str] = {frozenset(): first, frozenset(names): second}

    def step(change: str, made: Iterable[str], before: Step) -> Step:
        state = frozenset(made)
        if state not in known:
            known[state] = _attempt(way.at(state))
        result = known[state]
        return Step(change, None, result, before) if isinstance(result, str) else Step(change, result, None, before)

    start = Step("", first)
    steps: list[Step] = []
    for name in names:
        steps.append(step(name, names[: len(steps) + 1], steps[-1] if steps else start))
    alone = tuple(step(name, [name], start) for name in names)
    follows = left_out(first, second) if isinstance(first, Report) and isinstance(second, Report) else ()
    return Explanation((*way.differences, *follows), start, tuple(steps), alone, _lead_between(way))


def reversal(first: tuple[Result, Result], second: tuple[Result, Result]) -> Reversal:
    """Who leads of two systems under one contract, under another, and after each change between.

    Args:
        first: the reports (or evaluations) of systems A and B under the first contract.
        second: those under the second. Where the data differ too, the change is made for both systems at once.

    Raises:
        NdcgLabError: for evaluations beside reports.

    >>> from ndcg_lab import Contract, Judgments, Ranking, evaluate
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> x, y = Ranking(["B", "C", "A", "D"]), Ranking(["A", "D", "B", "C"])
    >>> linear, exponential = (
    ...     tuple(evaluate(Contract(gain=gain, k=3), ranking, judgments) for ranking in (x, y))
    ...     for gain in ("linear", "exponential")
    ... )
    >>> reversal(linear, exponential).reversed
    True
    """
    _refuse_mixed([*first, *second])
    a, b = (Way(Inputs.of(one), Inputs.of(other)) for one, other in zip(first, second, strict=True))
    return _reversal(a, b)


def _refuse_mixed(results: Sequence[Result]) -> None:
    for result in results:
        require((Evaluation, Report), "result", result, "what `evaluate` or `evaluate_run` gave")
    if len({isinstance(result, Evaluation) for result in results}) > 1:
        raise NdcgLabError(
            "an evaluation of one ranking and a report over queries have no steps between them; take two of a kind"
        )


def _attempt(inputs: Inputs) -> Result | str:
    """The result, or why the contract refuses."""
    try:
        return inputs.evaluate()
    except NdcgLabError as error:
        return str(error)


def _lead_between(way: Way) -> Reversal | None:
    """Who leads of the two runs, from the question put to the first to that put to the second, where both differ."""
    if not set(RUN) & set(way.changes) or set(RUN) >= set(way.changes):
        return None
    one, other = way.one, way.other
    ways = Way(one, other.with_rankings_of(one)), Way(one.with_rankings_of(other), other)
    what = "settings and data" if set(way.changes) & (set(DATA) - set(RUN)) else "settings"
    return _reversal(*ways, (f"A's {what}", f"B's {what}"))


def _reversal(a: Way, b: Way, names: tuple[str, str] = Reversal.names) -> Reversal:
    changes = sorted({*a.changes, *b.changes}, key=_place)
    known: dict[frozenset[str], Lead] = {}

    def lead(change: str, made: Iterable[str]) -> Lead:
        state = frozenset(made)
        if state not in known:
            known[state] = _lead(a.at(state), b.at(state))
        return replace(known[state], change=change)

    return Reversal(
        lead("", []),
        tuple(lead(change, changes[: index + 1]) for index, change in enumerate(changes)),
        tuple(lead(change, [change]) for change in changes),
        names,
    )


def _place(change: str) -> int:
    return [*(field.name for field in (*FIELDS, *AGGREGATION_FIELDS)), *DATA].index(change)


def _lead(one: Inputs, other: Inputs) -> Lead:
    results = _attempt(one), _attempt(other)
    for system, result in zip("AB", results, strict=True):
        if isinstance(result, str):
            return Lead("", None, None, None, error=f"{system}: {result}")
    a, b = results
    if isinstance(a, Evaluation) and isinstance(b, Evaluation):
        return Lead("", a.ndcg, b.ndcg, compare(a, b))
    assert isinstance(a, Report)
    assert isinstance(b, Report)
    comparison = compare(a, b)
    return Lead("", a.mean.ndcg, b.mean.ndcg, comparison.mean, comparison.counts())
