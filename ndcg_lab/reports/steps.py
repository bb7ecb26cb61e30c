"""What lies between two results, step by step: `explanation` makes it, and `explanation_views` tells of it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ndcg_lab.errors import Undecided
from ndcg_lab.exact.values import Exact
from ndcg_lab.measure.comparison import Comparison
from ndcg_lab.measure.evaluation import Evaluation
from ndcg_lab.measure.outcomes import Value
from ndcg_lab.reports.changes import THE_QUERY, Difference, Result
from ndcg_lab.reports.report import Report


@dataclass(frozen=True)
class Step:
    """What one more change, or one change alone, gives.

    Attributes:
        change: the change's name; empty for the start.
        result: the report or evaluation that follows; None where the contract refuses.
        error: why it refuses.
        before: what the change is made to; None for the start.
    """

    change: str
    result: Result | None
    error: str | None = None
    before: "Step | None" = field(default=None, repr=False)

    @cached_property
    def queries(self) -> dict[str, Value]:
        """The NDCG of each query that is averaged."""
        if isinstance(self.result, Evaluation):
            return {THE_QUERY: self.result.ndcg}
        return {} if self.result is None else {query.query: query.ndcg for query in self.result}

    @property
    def mean(self) -> Value | None:
        """The mean NDCG; None where the contract refuses."""
        if isinstance(self.result, Evaluation):
            return self.result.ndcg
        return None if self.result is None else self.result.mean.ndcg

    @cached_property
    def moved(self) -> Exact | None:
        """By how much the change moves the mean; None where there is no number before or after."""
        return None if self.before is None else minus(self.mean, self.before.mean)

    @cached_property
    def idle(self) -> bool:
        """Whether the change is known to change neither a query's value nor the mean."""
        before = self.before
        if before is None or self.error or before.error or self.queries.keys() != before.queries.keys():
            return False
        pairs = [(self.mean, before.mean), *((value, before.queries[query]) for query, value in self.queries.items())]
        return all(same(value, old) for value, old in pairs)

    def to_json(self) -> dict[str, Any]:
        """The change with each query's value and the mean, or with the error."""
        if self.result is None:
            return {"change": self.change, "error": self.error}
        mean = self.result.mean.to_json()["ndcg"] if isinstance(self.result, Report) else self.result.ndcg.to_json()
        queries = [{"query": query, "ndcg": value.to_json()} for query, value in self.queries.items()]
        return {"change": self.change, "queries": queries, "mean": mean}


@dataclass(frozen=True)
class Lead:
    """Who leads of two systems, in one state of the settings and data.

    Attributes:
        change: the change that led here; empty for the start.
        a: the first system's mean, or the evaluation's NDCG; None where the contract refuses.
        b: the second system's.
        comparison: the first minus the second, with its proof.
        counts: queries won by the first, exactly tied, won by the second; None for evaluations.
        error: why the contract refuses.
    """

    change: str
    a: Value | None
    b: Value | None
    comparison: Comparison | None
    counts: tuple[int, int, int] | None = None
    error: str | None = None

    @property
    def sign(self) -> int | None:
        """+1 where the first leads, -1 where the second does, 0 where they are equal; None where neither is so."""
        return None if self.comparison is None else self.comparison.sign

    def to_json(self) -> dict[str, Any]:
        """Both means, the sign of their difference, and the certificate of that sign."""
        if self.comparison is None or self.a is None or self.b is None:
            return {"change": self.change, "error": self.error}
        counts = {} if self.counts is None else dict(zip(("wins", "ties", "losses"), self.counts, strict=True))
        mean = {"a": self.a.to_json(), "b": self.b.to_json()}
        return {"change": self.change, "mean": mean, **counts, **self.comparison.to_json()}


@dataclass(frozen=True)
class LeadPath:
    """Who leads of two systems, A and B, as the question put to both changes, one change at a time.

    Attributes:
        start: the lead at first.
        steps: after one more change each.
        alone: after each change alone.
        names: what the first and the last state of the settings are called.
    """

    start: Lead
    steps: tuple[Lead, ...]
    alone: tuple[Lead, ...]
    names: tuple[str, str] = ("the first settings", "the second settings")

    @property
    def end(self) -> Lead:
        """The lead at last."""
        return self.steps[-1] if self.steps else self.start

    @property
    def reversed(self) -> bool:
        """Whether the lead at last is the other's."""
        return {self.start.sign, self.end.sign} == {1, -1}


@dataclass(frozen=True)
class Path:
    """Two results, what differs between them, and what each difference does.

    Attributes:
        differences: settings in the order of their declaration, then data, then what follows from those.
        start: the first result.
        steps: one more change each; the last gives the second result.
        alone: each change made alone to the first.
        lead: where both a system's run and the question put to it differ: who leads, followed through the changes of
            the question.
    """

    differences: tuple[Difference, ...]
    start: Step
    steps: tuple[Step, ...]
    alone: tuple[Step, ...]
    lead: "LeadPath | None" = None

    @property
    def end(self) -> Step:
        """The second result."""
        return self.steps[-1] if self.steps else self.start


def same(one: object, other: object) -> bool:
    """Whether two values are known to be exactly equal."""
    try:
        return one == other
    except Undecided:
        return False


def minus(one: Value | None, other: Value | None) -> Exact | None:
    """The difference, where both are numbers."""
    return one - other if isinstance(one, Exact) and isinstance(other, Exact) else None
