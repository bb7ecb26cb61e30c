"""Comparing: two evaluations, or two reports query by query and on the mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from ndcg_lab.errors import NdcgLabError, WrongKind, require_package
from ndcg_lab.measure.comparison import Comparison, compare_evaluations, compare_values, mixed
from ndcg_lab.measure.evaluation import Evaluation
from ndcg_lab.reports.report import Report, double
from ndcg_lab.tables import screen

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ReportComparison", "compare"]


@dataclass(frozen=True, repr=False)
class ReportComparison:
    """Two reports compared query by query, and their means.

    Attributes:
        queries: a comparison for each query that both average.
        mean: the comparison of the means.
        only: the queries that one report averages and the other does not, for each of the two.
        notes: in what the two reports differ beside their numbers.
    """

    queries: dict[str, Comparison]
    mean: Comparison
    only: tuple[tuple[str, ...], tuple[str, ...]]
    notes: tuple[str, ...]
    reports: tuple[Report, Report] = field(repr=False, compare=False)

    def counts(self) -> tuple[int, int, int]:
        """Queries won by the first, exactly tied, and won by the second."""
        signs = [comparison.sign for comparison in self.queries.values()]
        return signs.count(1), signs.count(0), signs.count(-1)

    def __repr__(self) -> str:
        wins, ties, losses = self.counts()
        return (
            f"<ReportComparison of {len(self.queries)} queries: {wins} won, {ties} tied, {losses} lost; {self._told}>"
        )

    @property
    def _told(self) -> str:
        from ndcg_lab.reports.comparison_views import headline

        return headline(self, *self.reports)

    def _repr_html_(self) -> str:
        from ndcg_lab.reports.comparison_views import comparison_table

        return screen([self._told, comparison_table(self, *self.reports), *(f"note: {note}" for note in self.notes)])

    def to_frame(self) -> pd.DataFrame:
        """A row a query, by doubles (nan where undefined): `a`, `b`, `difference`, and the proved `sign`."""
        require_package("pandas", "`to_frame`")
        import pandas as pd

        one, other = ({result.query: result.ndcg for result in report} for report in self.reports)
        return pd.DataFrame(
            {
                "a": [double(one[query]) for query in self.queries],
                "b": [double(other[query]) for query in self.queries],
                "difference": [double(compared.difference) for compared in self.queries.values()],
                "sign": pd.array([compared.sign for compared in self.queries.values()], dtype="Int64"),
            },
            index=pd.Index(list(self.queries), name="query", dtype="object"),
        )

    def to_coq(self) -> str:
        """A theorem for each query and one for the mean, for `coqc -R proofs NdcgLab`; docs/proofs.md tells more.

        Raises:
            NotExported: for what is not told to Coq, naming the query.
        """
        from ndcg_lab.reports.coq import report_file

        return report_file(self, *self.reports)

    def to_json(self) -> dict[str, Any]:
        """``{"queries": [...], "mean": {...}, "notes": [...]}``."""
        queries = [{"query": query, **comparison.to_json()} for query, comparison in self.queries.items()]
        return {"queries": queries, "mean": self.mean.to_json(), "notes": list(self.notes)}


@overload
def compare(one: Evaluation, other: Evaluation) -> Comparison: ...
@overload
def compare(one: Report, other: Report) -> ReportComparison: ...
def compare(one: object, other: object) -> Comparison | ReportComparison:
    """Compare the NDCG of two evaluations, or of two reports query by query and on the mean.

    Equal means exactly equal; a lead is proved. Different contracts, judgments and ideals can be compared: the notes
    then say that two questions are mixed.

    Raises:
        Undecided: where a sign can't be proved.

    >>> from ndcg_lab import Contract, Judgments, Ranking, evaluate
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> contract = Contract(gain="exponential", k=3)
    >>> x, y = (evaluate(contract, Ranking(list(order)), judgments) for order in ("BCAD", "ADBC"))
    >>> print(compare(x, y))
    the second leads: (-2 + 3a)/(17/2 + 3a) < 0, because a < 2/3, because 2^3 < 3^2, and every discount is positive
    """
    for name, result in (("one", one), ("other", other)):
        if not isinstance(result, Evaluation | Report):
            kind = type(result).__name__
            raise WrongKind(f"`{name}` can't be of the kind {kind}: write what `evaluate` or `evaluate_run` gave")
    if isinstance(one, Evaluation) and isinstance(other, Evaluation):
        return compare_evaluations(one, other)
    if not (isinstance(one, Report) and isinstance(other, Report)):
        raise NdcgLabError(
            "an evaluation of one ranking and a report over queries can't be compared; take report[query]"
        )
    mine = {result.query: result for result in one.queries}
    theirs = {result.query: result for result in other.queries}
    queries = {
        query: compare_values(result.ndcg, theirs[query].ndcg, mixed(result.evaluation, theirs[query].evaluation))
        for query, result in mine.items()
        if query in theirs
    }
    only = tuple(q for q in mine if q not in theirs), tuple(q for q in theirs if q not in mine)
    notes = tuple(_notes(one, other, only, queries))
    mean = compare_values(one.mean.ndcg, other.mean.ndcg, notes)
    return ReportComparison(queries, mean, only, notes, (one, other))


def _notes(
    one: Report, other: Report, only: tuple[tuple[str, ...], tuple[str, ...]], queries: dict[str, Comparison]
) -> list[str]:
    notes = [] if queries else ["no query is averaged by both reports"]
    if differences := one.contract.differences(other.contract):
        notes.append(f"two questions are mixed: the contracts differ in {', '.join(differences)}")
    if one.aggregation != other.aggregation:
        notes.append("two questions are mixed: the queries are averaged by different settings")
    changed = [query for query, c in queries.items() if any("judgments" in note for note in c.notes)]
    if changed:
        notes.append(f"two questions are mixed: the judgments differ for {_listed(changed)}")
    for which, names in zip(("first", "second"), only, strict=True):
        if names:
            notes.append(f"only the {which} report averages {_listed(names)}")
    weights = {result.query: result.weight for result in other.queries}
    if any(weights.get(result.query, result.weight) != result.weight for result in one.queries):
        notes.append("two questions are mixed: the weights differ")
    for note in dict.fromkeys([*one.notes, *other.notes]):
        holders = [name for name, report in (("first", one), ("second", other)) if note in report.notes]
        notes.append(f"{f'the {holders[0]} report' if len(holders) == 1 else 'both reports'}: {note}")
    return notes


def _listed(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more queries" if len(names) > 5 else "")
