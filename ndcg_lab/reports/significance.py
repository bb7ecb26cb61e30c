"""Is a lead more than chance? Wins, losses and exact ties per query, a sign test and a paired randomisation test.

The tests are scipy's (the extra `stats`). They answer a narrow question, which the result's words state.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ndcg_lab.errors import NdcgLabError, require
from ndcg_lab.reports.comparison import ReportComparison, compare
from ndcg_lab.reports.report import Report

__all__ = ["PairedTests", "paired_tests"]

RESAMPLES = 10_000
_RARE = 0.05  # the customary line: above it the words call a lead no more than chance gives

LIMITS = (
    "A small p does not say that a lead is large, nor that it holds for other queries, judgments or contracts; "
    "a large p does not say that the two are equal."
)


@dataclass(frozen=True)
class PairedTests:
    """What the queries that both reports average say of a lead in the mean NDCG.

    Attributes:
        wins: queries on which the first is higher, proved.
        ties: queries on which both are exactly equal.
        losses: queries on which the second is higher, proved.
        undefined: queries on which a value is undefined; they enter neither test.
        difference: the mean difference over the queries tested (weighted, where both reports weigh alike), as a double.
        sign_p: two-sided p of the sign test over wins and losses; ties are left out.
        randomisation_p: two-sided p of the paired randomisation test of the difference.
        resamples: random swaps that were drawn; None where every possible one was counted.
        seed: of the random swaps.
    """

    wins: int
    ties: int
    losses: int
    undefined: int
    difference: float
    sign_p: float
    randomisation_p: float
    resamples: int | None
    seed: int

    @property
    def words(self) -> tuple[str, ...]:
        """What was found and what it does not say, sentence by sentence."""
        return tuple(_words(self))

    def to_json(self) -> dict[str, Any]:
        """The counts, both p values, how they were obtained, and the words."""
        return {**vars(self), "words": list(self.words)}

    def __str__(self) -> str:
        return "\n".join(self.words)


def paired_tests(one: Report, other: Report, *, seed: int, resamples: int = RESAMPLES) -> PairedTests:
    """Test whether one report's lead over another is more than chance, over the queries that both average.

    The sign test looks at wins and losses alone. The paired randomisation test (Fisher's; for retrieval see Smucker,
    Allan and Carterette, CIKM 2007) swaps the two values of each query at random and asks how often the mean
    difference is at least as large as the one seen.

    Args:
        one: a report.
        other: another, of the same queries.
        seed: of the random swaps; the same seed gives the same p.
        resamples: random swaps; where there are fewer possible ones, each is counted once instead.

    Raises:
        NdcgLabError: without scipy, or where the reports have no query with two values in common.
        Undecided: where a query's sign can't be proved.
    """
    return tests_of(compare(one, other), one, other, seed=seed, resamples=resamples)


def tests_of(comparison: ReportComparison, one: Report, other: Report, *, seed: int, resamples: int) -> PairedTests:
    """`paired_tests`, where the two reports have been compared already."""
    try:
        import numpy as np
        from scipy.stats import binomtest, permutation_test
    except ImportError:
        raise NdcgLabError("the tests need scipy: pip install 'ndcg-lab[stats]'") from None

    require(int, "seed", seed, "a whole number from 0 up")
    if seed < 0:
        raise NdcgLabError(f"`seed` is {seed}; it is a whole number from 0 up")
    wins, ties, losses = comparison.counts()
    defined = [query for query, c in comparison.queries.items() if c.sign is not None]
    if not defined:
        raise NdcgLabError("there is nothing to test: no query has a value in both reports")
    first, second = ({result.query: result for result in report} for report in (one, other))
    x, y = (np.array([float(results[query].ndcg) for query in defined]) for results in (first, second))
    weights = np.array([float(first[query].weight) for query in defined])
    if any(first[query].weight != second[query].weight for query in defined) or not weights.sum():
        weights = np.ones(len(defined))
    weights /= weights.sum()

    def difference(one: Any, other: Any, axis: int = -1) -> Any:
        return np.sum((one - other) * weights, axis=axis)

    def randomisation() -> float:
        if len(defined) < 2:  # both swaps of one query are as large: scipy takes two queries at least
            return 1.0
        drawn = permutation_test(
            (x, y),
            difference,
            permutation_type="samples",
            vectorized=True,
            n_resamples=resamples,
            rng=np.random.default_rng(seed),
        )
        return float(drawn.pvalue)

    return PairedTests(
        wins,
        ties,
        losses,
        len(comparison.queries) - len(defined),
        float(difference(x, y)),
        float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0,
        randomisation(),
        None if 2 ** len(defined) <= resamples else resamples,
        seed,
    )


def _words(tests: PairedTests) -> Iterator[str]:
    queries = tests.wins + tests.ties + tests.losses
    aside = f", {tests.undefined} undefined and set aside" if tests.undefined else ""
    yield f"A is higher on {tests.wins} of {queries} queries, B on {tests.losses}, {tests.ties} exactly tied{aside}."
    yield f"Sign test, of these counts: p = {_p(tests.sign_p)}."
    how = "every swap counted" if tests.resamples is None else f"{tests.resamples:,} random swaps, seed {tests.seed}"
    yield (
        f"Paired randomisation test, of the mean difference {tests.difference:+.5f}: "
        f"p = {_p(tests.randomisation_p)} ({how})."
    )
    percent = 100 * tests.randomisation_p
    share = f"{percent:.0f} of 100" if percent >= 10 else f"{percent:.2g} of 100"
    chance = "If it made no difference which run gave which of a query's two values, a lead as large as this would"
    if tests.randomisation_p < _RARE:
        yield f"{chance} come up in {share} draws."
    else:
        yield f"{chance} still come up in {share} draws: on these queries it is no more than chance gives."
    yield LIMITS


def _p(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1g}"
