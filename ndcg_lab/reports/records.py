"""What a query brings to a report, and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.rationals import written
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.measure.evaluation import Evaluation
from ndcg_lab.measure.outcomes import Value

SCHEMA = "ndcg-lab/report/1"


@dataclass(frozen=True)
class QueryRecord:
    """What a query brings: its judgments and its ranking (either may be empty) and its weight."""

    query: str
    weight: Fraction
    judgments: Judgments
    ranking: Ranking
    rank_conflict: str | None
    """Where the run's rank column contradicts its scores, in a sentence."""

    def to_json(self) -> dict[str, Any]:
        """The records as a report holds them."""
        conflict = {} if self.rank_conflict is None else {"rank_conflict": self.rank_conflict}
        return {
            "query": self.query,
            "weight": written(self.weight),
            **self.judgments.to_json(),
            "ranking": self.ranking.to_json(),
            **conflict,
        }


@dataclass(frozen=True)
class QueryResult:
    """A query that is averaged: its records, its evaluation, and the NDCG that enters the mean.

    A query without results, or without judgments, that counts as 0 is evaluated as an empty list; its NDCG is exactly
    0, whatever its ideal.
    """

    record: QueryRecord
    evaluation: Evaluation
    ndcg: Value

    @property
    def query(self) -> str:
        """The query's id."""
        return self.record.query

    @property
    def weight(self) -> Fraction:
        """The query's weight in the mean."""
        return self.record.weight

    @property
    def missing(self) -> bool:
        """Whether it counts 0 for want of results."""
        return not self.record.ranking

    @property
    def dcg(self) -> Linear:
        """The DCG of its ranking."""
        return self.evaluation.dcg

    @property
    def idcg(self) -> Linear:
        """The DCG of its ideal ranking."""
        return self.evaluation.idcg

    def to_json(self) -> dict[str, Any]:
        """The records and every number that they give."""
        numbers = {**self.evaluation.to_json(), **self.record.to_json(), "ndcg": self.ndcg.to_json()}
        return {"query": self.query, **numbers, **({"missing": True} if self.missing else {})}


@dataclass(frozen=True)
class Excluded:
    """A query that is not averaged, and why: `zero ideal`, `no results` or `no judgments`."""

    record: QueryRecord
    reason: str

    @property
    def query(self) -> str:
        """The query's id."""
        return self.record.query

    def to_json(self) -> dict[str, Any]:
        """The reason and the records."""
        records = self.record.to_json()
        return {"query": records.pop("query"), "reason": self.reason, **records}


@dataclass(frozen=True)
class Base:
    """What a contract was taken from, and the settings there that others replaced."""

    name: str
    overridden: Mapping[str, object]
    kind: Literal["file"] | None = None
    """`file` where the name is that of a contract's file; else it is a convention's."""

    def to_json(self) -> dict[str, Any]:
        """The name, its kind, and each replaced field with the value that it had."""
        kind = {} if self.kind is None else {"kind": self.kind}
        return {"name": self.name, **kind, "overridden": dict(self.overridden)}
