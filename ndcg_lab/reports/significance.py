"""Is a lead more than chance? Wins, losses and exact ties per query, and four questions put to the differences.

The tests are scipy's. They answer narrow questions, which the result's words state.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ndcg_lab.errors import NdcgLabError, require, require_package
from ndcg_lab.reports.comparison import ReportComparison, compare
from ndcg_lab.reports.report import Report

__all__ = ["PairedTests", "holm", "paired_tests"]

RESAMPLES = 10_000
LEVEL = 0.95
"""Of the bootstrap interval."""
_EVEN = 1e-12  # differences that vary by less, relative to their size, vary by rounding alone
_RARE = 0.05  # the customary line: above it the words call a lead no more than chance gives

LIMITS = (
    "A small p does not say that a lead is large, nor that it holds for other queries, judgments or contracts; "
    "a large p does not say that the two are equal."
)


@dataclass(frozen=True)
class PairedTests:
    """What the queries that both sides average say of a lead in the mean.

    Attributes:
        wins: queries on which the first is higher, proved.
        ties: queries on which both are exactly equal.
        losses: queries on which the second is higher, proved.
        undefined: queries on which a value is undefined; they enter no test.
        difference: the mean difference over the queries tested (weighted, where both sides weigh alike), as a double.
        sign_p: two-sided p of the sign test over wins and losses; ties are left out.
        randomisation_p: two-sided p of the paired randomisation test of the difference.
        t_p: two-sided p of the paired t test of the unweighted mean difference; None with fewer than two queries, or
            where all differences are equal.
        interval: the bootstrap interval of the difference, of `LEVEL`: queries drawn anew, the 2.5th and the 97.5th
            percentile; None with fewer than two queries.
        resamples: random swaps that were drawn; None where every possible one was counted.
        seed: of the random swaps and of the queries drawn anew.
    """

    wins: int
    ties: int
    losses: int
    undefined: int
    difference: float
    sign_p: float
    randomisation_p: float
    t_p: float | None
    interval: tuple[float, float] | None
    resamples: int | None
    seed: int

    @property
    def words(self) -> tuple[str, ...]:
        """What was found and what it does not say, sentence by sentence."""
        return tuple(_words(self))

    def to_json(self) -> dict[str, Any]:
        """The counts, the p values, the interval, how they were obtained, and the words."""
        interval = None if self.interval is None else list(self.interval)
        return {**vars(self), "interval": interval, "words": list(self.words)}

    def __str__(self) -> str:
        return "\n".join(self.words)


def paired_tests(one: Report, other: Report, *, seed: int, resamples: int = RESAMPLES) -> PairedTests:
    """Test whether one report's lead over another is more than chance, over the queries that both average.

    The sign test looks at wins and losses alone. The paired randomisation test (Fisher's; for retrieval see Smucker,
    Allan and Carterette, CIKM 2007) swaps the two values of each query at random and asks how often the mean
    difference is at least as large as the one seen. Beside it stand the paired t test and a bootstrap interval
    (Sakai, SIGIR 2006).

    Args:
        one: a report.
        other: another, of the same queries.
        seed: of the random swaps; the same seed gives the same p.
        resamples: random swaps; where there are fewer possible ones, each is counted once instead.

    Raises:
        MissingPackage: without scipy.
        NdcgLabError: where the reports have no query with two values in common.
        Undecided: where a query's sign can't be proved.
    """
    return tests_of(compare(one, other), one, other, seed=seed, resamples=resamples)


def tests_of(comparison: ReportComparison, one: Report, other: Report, *, seed: int, resamples: int) -> PairedTests:
    """`paired_tests`, where the two reports have been compared already."""
    defined = [query for query, c in comparison.queries.items() if c.sign is not None]
    first, second = ({result.query: result for result in report} for report in (one, other))
    weights = [float(first[query].weight) for query in defined]
    alike = all(first[query].weight == second[query].weight for query in defined)
    return tests_of_values(
        comparison.counts(),
        len(comparison.queries) - len(defined),
        [float(first[query].ndcg) for query in defined],
        [float(second[query].ndcg) for query in defined],
        weights if alike and any(weights) else None,
        seed=seed,
        resamples=resamples,
    )


def tests_of_values(
    counts: tuple[int, int, int],
    undefined: int,
    first: Sequence[float],
    second: Sequence[float],
    weights: Sequence[float] | None,
    *,
    seed: int,
    resamples: int,
) -> PairedTests:
    """The tests over pairs of doubles, with the proved counts of wins, ties and losses beside them."""
    require_package("scipy", "`paired_tests`")
    import numpy as np
    from scipy.stats import binomtest, permutation_test, ttest_rel

    require(int, "seed", seed, "a whole number from 0 up")
    if seed < 0:
        raise NdcgLabError(f"`seed` is {seed}; it is a whole number from 0 up")
    if not first:
        raise NdcgLabError("there is nothing to test: no query has a value on both sides")
    x, y = np.array(first), np.array(second)
    share = np.ones(len(x)) if weights is None else np.array(weights)
    share /= share.sum()

    def difference(one: Any, other: Any, axis: int = -1) -> Any:
        return np.sum((one - other) * share, axis=axis)

    wins, ties, losses = counts
    several = len(x) > 1  # of one query both swaps are as large, and nothing varies
    randomisation_p, t_p, interval = 1.0, None, None
    if several:
        drawn = permutation_test(
            (x, y),
            difference,
            permutation_type="samples",
            vectorized=True,
            n_resamples=resamples,
            rng=np.random.default_rng(seed),
        )
        randomisation_p = float(drawn.pvalue)
        if np.ptp(x - y) > _EVEN * np.abs(x - y).max():
            t_p = float(ttest_rel(x, y).pvalue)
        interval = _interval(x - y, share, seed, resamples)
    return PairedTests(
        wins,
        ties,
        losses,
        undefined,
        float(difference(x, y)),
        float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0,
        randomisation_p,
        t_p,
        interval,
        None if 2 ** len(x) <= resamples else resamples,
        seed,
    )


def _interval(differences: Any, share: Any, seed: int, resamples: int) -> tuple[float, float]:
    """The percentile bootstrap over queries: each draw takes as many queries, with their weights."""
    import numpy as np

    generator = np.random.default_rng(seed)
    means = []
    for _ in range(resamples):
        taken = generator.integers(0, len(differences), len(differences))
        if weight := share[taken].sum():
            means.append(float((differences[taken] * share[taken]).sum() / weight))
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjustment of p values for as many comparisons (Scandinavian Journal of Statistics 6(2), 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted, largest = [0.0] * len(p_values), 0.0
    for place, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[at]))
        adjusted[at] = largest
    return adjusted


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
    if tests.t_p is not None:
        yield f"Paired t test, of the unweighted mean difference: p = {_p(tests.t_p)}."
    if tests.interval is not None:
        low, high = tests.interval
        yield f"Bootstrap over queries: {LEVEL:.0%} of the draws give a difference from {low:+.5f} to {high:+.5f}."
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
