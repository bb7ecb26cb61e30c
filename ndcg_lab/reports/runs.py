"""Several runs and several measures over the same judgments: one table, exact; and the runs against each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ndcg_lab.conventions.measures import Measure, parse_measures
from ndcg_lab.errors import NdcgLabError, require_package
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.measure.comparison import Comparison, compare_values
from ndcg_lab.measure.contract import Aggregate, Aggregation, Contract, Missing, QuerySet, UnjudgedQueries
from ndcg_lab.reports.averaging import mean_json
from ndcg_lab.reports.report import evaluate_records, left_out, query_records, refuse_missing
from ndcg_lab.reports.scores import Scores, gathered, of_report, short
from ndcg_lab.reports.significance import RESAMPLES, PairedTests, holm, tests_of_values
from ndcg_lab.reports.trec import as_qrels, as_run, naming
from ndcg_lab.tables import screen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pandas as pd

    from ndcg_lab.measure.data import Judgments
    from ndcg_lab.measure.outcomes import Value
    from ndcg_lab.reports.report import Report
    from ndcg_lab.reports.trec import Run

__all__ = ["MeasuredRuns", "Pair", "RunComparison", "compare_runs", "evaluate_measures"]

SCHEMA = "ndcg-lab/measures/1"


@dataclass(frozen=True, repr=False)
class MeasuredRuns:
    """Several runs by several measures, in the order asked for.

    >>> qrels = {"q1": {"A": 1, "B": 0}}
    >>> print(evaluate_measures(["P@1", "RR"], {"one": {"q1": ["B", "A"]}}, qrels))
    one: P@1 0, RR 1/2
    """

    scores: tuple[Scores, ...]

    @property
    def runs(self) -> list[str]:
        """The runs' names."""
        return list(dict.fromkeys(score.run for score in self.scores))

    @property
    def measures(self) -> list[str]:
        """The measures' names."""
        return list(dict.fromkeys(score.measure for score in self.scores))

    def __getitem__(self, key: tuple[str, str]) -> Scores:
        """One run by one measure, by both names."""
        for score in self.scores:
            if (score.run, score.measure) == key:
                return score
        raise KeyError(key)

    def of(self, run: str) -> list[Scores]:
        """One run by every measure."""
        return [score for score in self.scores if score.run == run]

    @property
    def notes(self) -> list[str]:
        """What a reader should know beside the numbers, each once, with the run it is about where there are several."""
        several = len(self.runs) > 1
        told = [f"{score.run}: {note}" if several else note for score in self.scores for note in score.notes]
        return list(dict.fromkeys(told))

    def to_json(self) -> dict[str, Any]:
        """``{"schema": …, "runs": [{"run": …, "measures": […]}], "notes": […]}``."""
        return {
            "schema": SCHEMA,
            "runs": [{"run": run, "measures": [score.to_json() for score in self.of(run)]} for run in self.runs],
            "notes": self.notes,
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row a run, query and measure: `run`, `query`, `measure`, `value` (exact)."""
        for score in self.scores:
            for query, value in score.by_query.items():
                yield {"run": score.run, "query": query, "measure": score.measure, "value": value}

    def to_frame(self) -> pd.DataFrame:
        """The rows as a data frame, values as doubles (an undefined one is nan)."""
        require_package("pandas", "`to_frame`")
        import pandas as pd

        rows = [
            {**row, "value": float("nan") if isinstance(row["value"], Undefined) else float(row["value"])}
            for row in self.rows()
        ]
        return pd.DataFrame(rows, columns=["run", "query", "measure", "value"])

    def __repr__(self) -> str:
        return f"<MeasuredRuns: {str(self).replace(chr(10), '; ')}>"

    def _repr_html_(self) -> str:
        from ndcg_lab.reports.report_views import measured_parts

        return screen([*measured_parts(self, queries=False, exact=False), *(f"note: {note}" for note in self.notes)])

    def __str__(self) -> str:
        return "\n".join(
            f"{run}: " + ", ".join(f"{score.measure} {short(score.mean)}" for score in self.of(run))
            for run in self.runs
        )


def evaluate_measures(
    measures: str | Measure | Contract | Iterable[str | Measure | Contract],
    runs: Mapping[str, object],
    qrels: object,
    *,
    query_set: QuerySet | None = None,
    missing: Missing | None = None,
    unjudged_queries: UnjudgedQueries | None = None,
    aggregate: Aggregate | None = None,
    weights: Mapping[str, object] | None = None,
    queries: Iterable[str] | None = None,
) -> MeasuredRuns:
    """Evaluate several runs by several measures.

    Args:
        measures: names such as ``"nDCG@10"``, ``"map"``, measures, or contracts (their NDCG).
        runs: name to run, each as `evaluate_run` takes it.
        qrels: as `evaluate_run` takes them.
        query_set: which queries are averaged, in place of what the measure's tool does; as `evaluate_run` takes it.
        missing: so too, what a judged query without results is.
        unjudged_queries: so too, what a query without judgments is.
        aggregate: `mean`; anything else is refused.
        weights: query to rational weight.
        queries: if given, these queries alone.

    Raises:
        UnknownMeasure: for a name that isn't covered.
        NdcgLabError: whatever `evaluate_run` raises.

    >>> qrels = {"q1": {"A": 1, "B": 0}, "q2": {"C": 1}}
    >>> runs = {"one": {"q1": ["B", "A"], "q2": ["C"]}}
    >>> evaluate_measures(["RR", "P@1"], runs, qrels).to_frame()
       run query measure  value
    0  one    q1      RR    0.5
    1  one    q2      RR    1.0
    2  one    q1     P@1    0.0
    3  one    q2     P@1    1.0
    """
    if isinstance(measures, str | Measure | Contract):
        measures = [measures]
    asked: list[Measure | Contract] = []
    for measure in measures:
        asked += parse_measures(measure) if isinstance(measure, str) else [measure]
    asked_over = {
        "query_set": query_set,
        "missing": missing,
        "unjudged_queries": unjudged_queries,
        "aggregate": aggregate,
    }
    over_queries = {name: setting for name, setting in asked_over.items() if setting is not None}
    judged = as_qrels(qrels)
    read = {name: as_run(run) for name, run in runs.items()}
    chosen = None if queries is None else list(queries)
    return MeasuredRuns(
        tuple(
            _scores(name, run, judged, measure, {} if weights is None else weights, chosen, over_queries)
            for name, run in read.items()
            for measure in asked
        )
    )


def _scores(
    name: str,
    run: Run,
    qrels: Mapping[str, Judgments],
    measure: Measure | Contract,
    weights: Mapping[str, object],
    queries: list[str] | None,
    over_queries: Any,
) -> Scores:
    contract = measure if isinstance(measure, Contract) else measure.contract
    start = Aggregation() if isinstance(measure, Contract) else measure.aggregation
    aggregation = start.replace(**over_queries)
    records = query_records(run, qrels, weights, queries)
    if contract is not None:
        report = evaluate_records(contract, aggregation, records)
        return scores_of(name, report, None if isinstance(measure, Contract) else measure.name)
    assert isinstance(measure, Measure)
    refuse_missing(aggregation, records)
    values: dict[str, Value] = {}
    excluded: dict[str, str] = {}
    for record in records:
        if reason := left_out(aggregation, record):
            excluded[record.query] = reason
        elif record.judgments and record.ranking:
            with naming(record.query):
                values[record.query] = measure(record.ranking, record.judgments)
        else:
            values[record.query] = Linear()
    return gathered(name, measure.name, measure.settings, aggregation, records, values, excluded)


def scores_of(run: str, report: Report, measure: str | None = None) -> Scores:
    """A run's NDCG, from its report.

    Raises:
        NdcgLabError: under `aggregate = ratio-of-sums`, where the mean is no mean of the queries' values.
    """
    if report.aggregation.aggregate != "mean":
        raise NdcgLabError("`aggregate = ratio-of-sums` is no mean of the queries' values; use `aggregate = mean`")
    return of_report(run, report, measure)


# --- runs against each other --------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Pair:
    """Two runs by one measure, query by query and on the mean.

    Attributes:
        one: the first run's scores.
        other: the second's.
        queries: the comparison of each query that both average.
        mean: the comparison of the means.
        tests: what chance gives; None where there is nothing to test, or no scipy.
        holm_p: the randomisation test's p, adjusted for all pairs of the comparison; None without tests.
    """

    one: Scores
    other: Scores
    queries: Mapping[str, Comparison]
    mean: Comparison
    tests: PairedTests | None
    holm_p: float | None

    def __repr__(self) -> str:
        return f"<Pair {self.one.run!r}, {self.other.run!r}: won, tied, lost {self.counts}, mean {self.mean!r}>"

    @property
    def counts(self) -> tuple[int, int, int]:
        """Queries on which the first is higher, both are exactly equal, the second is higher: proved."""
        signs = [comparison.sign for comparison in self.queries.values()]
        return signs.count(1), signs.count(0), signs.count(-1)

    def to_json(self) -> dict[str, Any]:
        """The pair as JSON, with each sign's certificate."""
        return {
            "a": self.one.run,
            "b": self.other.run,
            "queries": [{"query": query, **comparison.to_json()} for query, comparison in self.queries.items()],
            "mean": self.mean.to_json(),
            "tests": None if self.tests is None else {**self.tests.to_json(), "holm_p": self.holm_p},
        }


@dataclass(frozen=True, repr=False)
class RunComparison:
    """Runs compared by one measure: each run's scores, and each pair.

    >>> qrels = {"q1": {"A": 1, "B": 0}, "q2": {"A": 1, "B": 0}}
    >>> runs = {"one": {"q1": ["A", "B"], "q2": ["A", "B"]}, "two": {"q1": ["A", "B"], "q2": ["B", "A"]}}
    >>> compared = compare_runs("RR", runs, qrels)
    >>> compared.pairs[0].counts, str(compared.pairs[0].mean.difference)
    ((1, 1, 0), '1/4')
    """

    scores: tuple[Scores, ...]
    pairs: tuple[Pair, ...]

    @property
    def notes(self) -> list[str]:
        """What a reader should know beside the numbers."""
        return MeasuredRuns(self.scores).notes

    def to_json(self) -> dict[str, Any]:
        """``{"runs": […], "pairs": […], "notes": […]}``; with two runs their `queries`, `mean` and `tests` too."""
        return {
            "runs": [
                {
                    "run": score.run,
                    "measure": score.measure,
                    "contract": dict(score.settings),
                    "aggregation": score.aggregation.to_json(),
                    "mean": mean_json(score.mean),
                    "deviation": score.deviation,
                    "queries": len(score.by_query),
                    "missing": len(score.missing),
                    "judged_at_k": score.judged_at_k.to_json(),
                }
                for score in self.scores
            ],
            "pairs": [pair.to_json() for pair in self.pairs],
            **self._of_two(),
            "notes": self.notes,
        }

    def __repr__(self) -> str:
        means = ", ".join(f"{score.run} {short(score.mean)}" for score in self.scores)
        return f"<RunComparison by {self.scores[0].measure}: {means}>"

    def _repr_html_(self) -> str:
        from ndcg_lab.reports.report_views import comparison_parts

        return screen([*comparison_parts(self, queries=False, exact=False), *(f"note: {note}" for note in self.notes)])

    def _of_two(self) -> dict[str, Any]:
        """With two runs, the keys that a comparison of two reports has too."""
        if len(self.pairs) != 1:
            return {}
        record = self.pairs[0].to_json()
        return {name: record[name] for name in ("queries", "mean", "tests")}

    def to_frame(self) -> pd.DataFrame:
        """One row a pair: the runs, wins, ties, losses, the difference of the means, and the p values."""
        require_package("pandas", "`to_frame`")
        import pandas as pd

        rows = []
        for pair in self.pairs:
            wins, ties, losses = pair.counts
            difference = pair.mean.difference
            tests = pair.tests
            rows.append(
                {
                    "a": pair.one.run,
                    "b": pair.other.run,
                    "wins": wins,
                    "ties": ties,
                    "losses": losses,
                    "difference": float("nan") if isinstance(difference, Undefined) else float(difference),
                    "randomisation_p": None if tests is None else tests.randomisation_p,
                    "holm_p": pair.holm_p,
                    "t_p": None if tests is None else tests.t_p,
                    "sign_p": None if tests is None else tests.sign_p,
                }
            )
        return pd.DataFrame(rows)


def compare_runs(
    measure: str | Measure | Contract,
    runs: Mapping[str, object],
    qrels: object,
    *,
    seed: int = 0,
    query_set: QuerySet | None = None,
    missing: Missing | None = None,
    unjudged_queries: UnjudgedQueries | None = None,
    aggregate: Aggregate | None = None,
    weights: Mapping[str, object] | None = None,
    queries: Iterable[str] | None = None,
) -> RunComparison:
    """Compare two or more runs by one measure: who leads, by how much, proved; and whether it is more than chance.

    Args:
        measure: a name such as ``"nDCG@10"``, a measure, or a contract.
        runs: name to run, two or more, as `evaluate_run` takes them.
        qrels: as `evaluate_run` takes them.
        seed: of the randomisation test and the bootstrap.
        query_set: which queries are averaged, in place of what the measure's tool does; as `evaluate_run` takes it.
        missing: so too, what a judged query without results is.
        unjudged_queries: so too, what a query without judgments is.
        aggregate: `mean`; anything else is refused.
        weights: query to rational weight.
        queries: if given, these queries alone.

    Raises:
        NdcgLabError: fewer than two runs, and whatever `evaluate_measures` raises.
        Undecided: where a sign can't be proved.
    """
    if len(runs) < 2:
        raise NdcgLabError(f"{len(runs)} run can't be compared; give two or more")
    scores = evaluate_measures(
        measure,
        runs,
        qrels,
        query_set=query_set,
        missing=missing,
        unjudged_queries=unjudged_queries,
        aggregate=aggregate,
        weights=weights,
        queries=queries,
    ).scores
    if len(scores) > len(runs):
        raise NdcgLabError(f"runs are compared by one measure, and {measure} names several")
    return compare_scores(scores, seed=seed)


def compare_scores(scores: Sequence[Scores], *, seed: int) -> RunComparison:
    """Compare each pair of runs by their scores."""
    pairs = [_pair(one, other, seed) for one, other in combinations(scores, 2)]
    tested = [pair.tests.randomisation_p for pair in pairs if pair.tests is not None]
    adjusted = iter(holm(tested))
    return RunComparison(
        tuple(scores),
        tuple(pair if pair.tests is None else replace(pair, holm_p=next(adjusted)) for pair in pairs),
    )


def _pair(one: Scores, other: Scores, seed: int) -> Pair:
    shared = [query for query in one.by_query if query in other.by_query]
    queries = {query: compare_values(one.by_query[query], other.by_query[query], ()) for query in shared}
    pair = Pair(one, other, queries, compare_values(one.mean, other.mean, ()), None, None)
    defined = [query for query in shared if queries[query].sign is not None]
    if not defined or find_spec("scipy") is None:
        return pair
    weights = [float(one.weights[query]) for query in defined]
    alike = all(one.weights[query] == other.weights[query] for query in defined)
    first, second = ([float(side.by_query[query]) for query in defined] for side in (one, other))
    tests = tests_of_values(
        pair.counts,
        len(shared) - len(defined),
        first,
        second,
        weights if alike and any(weights) else None,
        seed=seed,
        resamples=RESAMPLES,
    )
    return replace(pair, tests=tests)
