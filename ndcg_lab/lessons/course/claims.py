"""Lesson 12: every statement of the course, computed when the lesson runs.

A statement is one function below, under its id. It returns what was found: exact values with what they are of, and a
verdict. Nothing here is looked up: a value is the library's own, at the moment of running.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product
from typing import Any

import ipywidgets

from ndcg_lab import Contract, Judgments, Ranking, a, compare, evaluate, evaluate_run, family, verify, y
from ndcg_lab.certificate import certify
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import typed, views
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.controls import Announcer, Choice
from ndcg_lab.lessons.course import gain_reversal
from ndcg_lab.lessons.course.example import X, Y, judgments
from ndcg_lab.lessons.display import Reading, bundle
from ndcg_lab.lessons.exercises import Verdict, half, right, wrong
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.text import both, decimal, escape, typeset
from ndcg_lab.measure.evaluation import Evaluation
from ndcg_lab.reports.report import Report
from ndcg_lab.tables import coded

Value = Exact | Undefined | Fraction | int

GAINS = ("linear", "exponential")
CUTOFFS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Found:
    """What a statement came to.

    Args:
        verdict: in words.
        values: exact values, each with what it is of (may be empty).
        holds: whether the statement was confirmed; None for what has no verdict by arithmetic.
    """

    verdict: str
    values: tuple[tuple[str, Value], ...] = ()
    holds: bool | None = True


@dataclass(frozen=True)
class Claim:
    """A statement: its id, kind and words, and the function that computes it."""

    id: str
    kind: str
    section: str
    say: str
    compute: Callable[[], Found]


LEDGER: dict[str, Claim] = {}
_titles: list[str] = []
_under = _titles.append  # the statements that follow stand under this title


def _claim(name: str, kind: str, say: str) -> Callable[[Callable[[], Found]], Callable[[], Found]]:
    section = _titles[-1]

    def add(compute: Callable[[], Found]) -> Callable[[], Found]:
        LEDGER[name] = Claim(name, kind, section, say, compute)
        return compute

    return add


# ---------- what the statements share ----------


def four(
    order: Iterable[str], gain: Any = "linear", k: Any = 3, *, grades: Judgments = judgments, **fields: Any
) -> Evaluation:
    """An order of the four documents, evaluated."""
    return evaluate(Contract(gain=gain, k=k, **fields), Ranking(list(order)), grades)


@cache
def _orders() -> tuple[tuple[str, ...], ...]:
    return tuple(permutations(judgments))


def _exact(value: Exact | Undefined) -> Exact:
    assert isinstance(value, Exact)
    return value


def _ndcg(*arguments: Any, **fields: Any) -> Exact:
    return _exact(four(*arguments, **fields).ndcg)


def _equal(values: Sequence[tuple[str, Value]], verdict: str = "exact") -> Found:
    return Found(verdict, tuple(values))


def _holds(condition: bool, checked: str, *values: tuple[str, Value]) -> Found:
    return Found(f"{'holds' if condition else 'does not hold'}: {checked}", values, condition)


def _signed(difference: Exact, what: str) -> Found:
    certificate = certify(difference)
    mark = {1: ">", 0: "=", -1: "<"}[certificate["sign"]]
    return Found(f"{what} {mark} 0, {views.proved(certificate)}", ((what, difference),))


def _refusal(action: Callable[[], object]) -> str | None:
    """The error that an action ends in, by its class, or None."""
    try:
        action()
    except NdcgLabError as error:
        return type(error).__name__
    return None


def _policy(refused: str | None, values: Sequence[tuple[str, Value]], words: str) -> Found:
    told = f"refused by default ({refused})" if refused else "undefined by default"
    return Found(f"{told}; {words}", tuple(values))


# ---------- the worked example ----------

_under("The worked example at k = 3")


@_claim("discounts-1-2-3", "set", "The first three ranks are worth 1, a and 1/2.")
def _discounts_1_2_3() -> Found:
    rule = Contract(gain="linear", k=3).discount_rule
    return _equal([(f"d({rank})", rule.value(rank)) for rank in (1, 2, 3)])


@_claim("discount-decreases", "holds", "Discounts fall with rank, ever more slowly, and stay positive.")
def _discount_decreases() -> Found:
    d = [y(rank + 1) for rank in range(1, 1002)]
    falls = all(one > other > 0 for one, other in pairwise(d))
    steps = [one - other for one, other in pairwise(d)]
    slower = all(one > other for one, other in pairwise(steps[:201]))
    return _holds(
        falls and slower,
        "d(i) > d(i + 1) > 0 for i = 1 to 1000; steps shrink for i = 1 to 200",
        ("d(1023)", y(1024)),
    )


@_claim("prefixes", "holds", "X and Y order the same four documents, and their top threes hold different ones.")
def _prefixes() -> Found:
    same = set(X) == set(Y) == set(judgments)
    differ = (set(X[:3]), set(Y[:3])) == ({"A", "B", "C"}, {"A", "B", "D"})
    return _holds(same and differ, "top threes {A, B, C} and {A, B, D}")


def _contributions(gain: str) -> Found:
    return _equal(
        [
            (f"{name}, rank {row.rank}", row.contribution)
            for name, order in (("X", X), ("Y", Y))
            for row in four(order, gain).rows
        ]
    )


@_claim("contributions-L-3", "set", "What each rank adds under linear gain: X 2, 2a, 3/2; Y 3, 0, 1.")
def _contributions_l_3() -> Found:
    return _contributions("linear")


@_claim("contributions-E-3", "set", "What each rank adds under exponential gain: X 3, 3a, 7/2; Y 7, 0, 3/2.")
def _contributions_e_3() -> Found:
    return _contributions("exponential")


def _number(name: str, kind: str, say: str, compute: Callable[[], Exact], what: str) -> None:
    _claim(name, kind, say)(lambda: _equal([(what, compute())]))


_number("dcg-L-X-3", "exact", "DCG of X under linear gain.", lambda: four(X).dcg, "DCG(X)")
_number("dcg-L-Y-3", "exact", "DCG of Y under linear gain is a whole number.", lambda: four(Y).dcg, "DCG(Y)")
_number("idcg-L-3", "exact", "Ideal DCG under linear gain.", lambda: four(X).idcg, "IDCG")
_number("ndcg-L-X-3", "ratio", "NDCG of X under linear gain.", lambda: _ndcg(X), "NDCG(X)")
_number("ndcg-L-Y-3", "ratio", "NDCG of Y under linear gain.", lambda: _ndcg(Y), "NDCG(Y)")


@_claim("lead-L-3", "sign", "X leads under linear gain.")
def _lead_l_3() -> Found:
    return _signed(four(X).dcg - four(Y).dcg, "X − Y")


_number("dcg-E-X-3", "exact", "DCG of X under exponential gain.", lambda: four(X, "exponential").dcg, "DCG(X)")
_number("dcg-E-Y-3", "exact", "DCG of Y under exponential gain.", lambda: four(Y, "exponential").dcg, "DCG(Y)")
_number("idcg-E-3", "exact", "Ideal DCG under exponential gain.", lambda: four(X, "exponential").idcg, "IDCG")
_number("ndcg-E-X-3", "ratio", "NDCG of X under exponential gain.", lambda: _ndcg(X, "exponential"), "NDCG(X)")
_number("ndcg-E-Y-3", "ratio", "NDCG of Y under exponential gain.", lambda: _ndcg(Y, "exponential"), "NDCG(Y)")


@_claim("lead-E-3", "sign", "Y leads under exponential gain: with the line above, the gain reversal.")
def _lead_e_3() -> Found:
    return _signed(four(X, "exponential").dcg - four(Y, "exponential").dcg, "X − Y")


# ---------- gain ----------

_under("Gain")


@_claim(
    "exponential-gains",
    "set",
    "Exponential gain makes 0, 1, 3, 7, 15 of the grades 0 to 4; grade 4 is worth 15 grade 1s, under linear gain 4.",
)
def _exponential_gains() -> Found:
    rule = Contract(gain="exponential", k=1).gain_rule
    return _equal([(f"g({grade})", rule(grade)) for grade in range(5)])


@_claim("gain-ratio", "holds", "Exponential gain is not linear gain rescaled.")
def _gain_ratio() -> Found:
    ratios = [Fraction(rule(3)) / rule(2) for rule in (Contract(gain=gain, k=1).gain_rule for gain in GAINS)]
    return _holds(
        ratios[0] != ratios[1],
        "g(3)/g(2) differs",
        ("linear g(3)/g(2)", ratios[0]),
        ("exponential g(3)/g(2)", ratios[1]),
    )


@_claim(
    "common-ideal",
    "holds",
    "Under one gain both lists share one positive ideal, so normalising can't change who leads.",
)
def _common_ideal() -> Found:
    agree = all(
        compare(one, other).sign == (one.dcg - other.dcg).sign()
        for gain, k in product(GAINS, CUTOFFS)
        for one, other in combinations([four(order, gain, k) for order in _orders()], 2)
    )
    return _holds(
        agree, "the sign of the NDCG difference is that of the DCG difference: both gains, k = 1 to 4, 276 pairs"
    )


@_claim(
    "reversal-threshold",
    "holds",
    "With g(0) = 0 and g(2) > 0 the lead at k = 3 turns on one number: X leads exactly while g(3)/g(2) < 1 + 2a.",
)
def _reversal_threshold() -> Found:
    threshold = 1 + 2 * a
    named = {"linear": Fraction(3, 2), "r²": Fraction(9, 4), "2^r − 1": Fraction(7, 3)}
    sides = [(threshold - ratio).sign() for ratio in named.values()] == [1, 1, -1]

    def ratio(base: Fraction) -> Fraction:
        return (base**3 - 1) / (base**2 - 1)

    low, high = (Fraction(b, 10**11) for b in (191931318294, 191931318295))
    crossing = ratio(low) < threshold < ratio(high)
    below, above = threshold.enclosure(40)
    power = Fraction(3, 2) ** 20129 < below**10000 and above**10000 < Fraction(3, 2) ** 20130
    return _holds(
        sides and crossing and power,
        "3/2 and 9/4 lie below, 7/3 above; r^p crosses between p = 2.0129 and 2.0130, b^r − 1 between "
        "b = 1.91931318294 and 1.91931318295; a is irrational, so no rational gains with g(0) = 0 tie X and Y, unless "
        "g(2) = g(3) = 0",
        ("1 + 2a", threshold),
    )


@_claim(
    "how-common",
    "holds",
    "Of the 276 pairs of orders, linear and exponential gain disagree on 0, 16, 24 and 8 at k = 1, 2, 3, 4.",
)
def _how_common() -> Found:
    counts = [gain_reversal.disagreements(k) for k in CUTOFFS]
    values = [(f"k = {k}", count) for k, count in zip(CUTOFFS, counts, strict=True)]
    return _holds(counts == [0, 16, 24, 8], "by enumeration, exact signs", *values)


@_claim("gain-scaling", "holds", "Gains multiplied by 7 give the same NDCG.")
def _gain_scaling() -> Found:
    same = all(
        _ndcg(order, gain, k) == _ndcg(order, _times(gain, 7, 0), k)
        for gain, k, order in product(GAINS, CUTOFFS, (X, Y))
    )
    return _holds(same, "exactly equal: both gains, both lists, k = 1 to 4")


def _times(gain: str, factor: int, shift: int) -> str:
    """The table of gain times factor plus shift, for the grades of the example."""
    rule = Contract(gain=gain, k=1).gain_rule
    return ",".join(f"{grade}={rule(grade) * factor + shift}" for grade in sorted(set(judgments.values())))


@_claim("gain-shift", "holds", "Adding 1 to every gain changes NDCG, though the DCG difference X − Y stays as it was.")
def _gain_shift() -> Found:
    shifted = _times("linear", 1, 1)
    before, after = four(X).dcg - four(Y).dcg, four(X, shifted).dcg - four(Y, shifted).dcg
    return _holds(
        before == after and _ndcg(X) != _ndcg(X, shifted),
        "linear gain, k = 3",
        ("X − Y, before and after", after),
        ("NDCG(X) before", _ndcg(X)),
        ("NDCG(X) after", _ndcg(X, shifted)),
    )


@_claim(
    "binary-agrees",
    "holds",
    "On grades 0 and 1 linear and exponential gain are one rule: a binary test case can't tell them apart.",
)
def _binary_agrees() -> Found:
    grades = Judgments({"A": 1, "B": 1, "C": 0, "D": 0})
    same = all(
        _ndcg(order, "linear", k, grades=grades) == _ndcg(order, "exponential", k, grades=grades)
        for order, k in product(_orders(), CUTOFFS)
    )
    return _holds(same, "all 24 orders of a binary universe, k = 1 to 4, exactly equal")


# ---------- ideal ----------

_under("Ideal and normalisation")


@_claim("ideal-by-enumeration", "holds", "Sorting by gain is ideal.")
def _ideal_by_enumeration() -> Found:
    best = all(
        max(four(order, gain, k).dcg for order in _orders()) == four(X, gain, k).idcg
        for gain, k in product(GAINS, CUTOFFS)
    )
    return _holds(
        best,
        "the greatest DCG of all 24 orders is IDCG: both gains, k = 1 to 4; and a swap adds (v − u)(d(i) − d(j)) ≥ 0",
    )


@_claim("ideal-scores-one", "holds", "An ideal order scores exactly 1.")
def _ideal_scores_one() -> Found:
    counts = [sum(four(order, "linear", k).ndcg == 1 for order in _orders()) for k in CUTOFFS]
    one = all(_ndcg("ABCD", gain, k) == 1 for gain, k in product(GAINS, CUTOFFS))
    values = [(f"ideal orders at k = {k}", count) for k, count in zip(CUTOFFS, counts, strict=True)]
    return _holds(one and counts == [6, 4, 2, 2], "A B C D under both gains, k = 1 to 4", *values)


@_claim("unit-interval", "holds", "NDCG stays within 0 and 1 under its assumptions, and no float betrays it.")
def _unit_interval() -> Found:
    rng = random.Random(12)  # noqa: S311 - test data, the same each time; nothing secret
    inside = True
    for _ in range(300):
        grades = Judgments({f"d{n}": rng.randint(0, 4) for n in range(rng.randint(1, 12))} | {"best": 4})
        order = rng.sample(list(grades), len(grades))
        for ranking in (order, sorted(grades, key=grades.__getitem__, reverse=True)):
            value = _ndcg(ranking, rng.choice(GAINS), rng.randint(1, 14), grades=grades)
            inside &= 0 <= value <= 1 and float(value) <= 1.0 and (value != 1 or float(value) == 1.0)
            inside &= ranking is order or value == 1
    return _holds(
        inside,
        "300 random needs, each in random and in ideal order; every float at most 1.0, an ideal order's exactly 1.0",
    )


@_claim("mixed-ratio", "holds", "Numerator and ideal must share gain and cutoff.")
def _mixed_ratio() -> Found:
    mixed = four(X).dcg / four(X, k=1).idcg
    return _holds(mixed > 1, "DCG@3 over IDCG@1 is above 1, and no NDCG at all", ("DCG@3(X)/IDCG@1", mixed))


# ---------- discount ----------

_under("Discount")


@_claim(
    "log-base",
    "holds",
    "Another base of the logarithm, the same in numerator and ideal, rescales DCG and leaves NDCG alone.",
)
def _log_base() -> Found:
    same = True
    for gain, k, order, base in product(GAINS, CUTOFFS, (X, Y), ("e", "10")):
        one, other = four(order, gain, k), four(order, gain, k, discount=f"log:{base}")
        same &= one.ndcg == other.ndcg and other.dcg.terms == one.dcg.terms and other.dcg.scale == f"log2({base})"
    return _holds(same, "bases e and 10, both gains, both lists, k = 1 to 4: NDCG exactly equal, DCG times log2(base)")


@_claim(
    "discount-shape",
    "sign",
    "Another shape of discount is another metric: with Järvelin and Kekäläinen's X leads even under exponential gain.",
)
def _discount_shape() -> Found:
    x, other = (four(order, "exponential", discount="jarvelin").dcg for order in (X, Y))
    return _signed(x - other, "X − Y")


@_claim("rank-10", "loose", "“Rank 10 is worth about a third of rank 1.”")
def _rank_10() -> Found:
    d = y(11)
    return Found("29 percent; a third is off by 0.0443", (("d(10)", d), ("1/3 − d(10)", Fraction(1, 3) - d)))


# ---------- scores ----------

_under("Scores and order")


@_claim("score-transform", "holds", "Ordering scores matter by their order alone: s and 10 s + 7 give one NDCG.")
def _score_transform() -> Found:
    scores = dict(zip("BCAD", (40, 30, 20, 10), strict=True))

    def under(change: Callable[[int], int], ties: Any = "error") -> Value:
        ranking = Ranking.from_scores({document: change(score) for document, score in scores.items()})
        return evaluate(Contract(gain="linear", k=3, ties=ties), ranking, judgments).ndcg

    plain = under(lambda s: s)
    return _holds(
        plain == under(lambda s: 10 * s + 7)
        and plain != under(lambda s: -s)
        and plain != under(lambda s: s // 30, "average"),
        "a map that reverses, or creates a tie, is not covered",
        ("s", plain),
        ("10 s + 7", under(lambda s: 10 * s + 7)),
        ("−s", under(lambda s: -s)),
        ("s // 30, ties averaged", under(lambda s: s // 30, "average")),
    )


# ---------- cutoff ----------

_under("Cutoff")

_number(
    "cutoff-4-L",
    "ratio",
    "k = 4 adds C to Y and nothing to X or the ideal; Y leads under linear gain too.",
    lambda: _ndcg(Y, k=4),
    "NDCG@4(Y)",
)
_number("cutoff-4-E", "ratio", "The same under exponential gain.", lambda: _ndcg(Y, "exponential", 4), "NDCG@4(Y)")


@_claim(
    "cutoff-path",
    "holds",
    "Over k = 1, 2, 3, 4 the lead under linear gain goes Y, X, X, Y; under exponential gain it is Y throughout.",
)
def _cutoff_path() -> Found:
    path = {gain: [compare(four(X, gain, k), four(Y, gain, k)).sign for k in CUTOFFS] for gain in GAINS}
    thresholds = [Linear({2: 1}), 1 + a, 1 + 2 * a, 1 + 2 * a - 2 * y(5)]
    ok = all(  # X leads exactly while g(3)/g(2) lies below the threshold
        compare(four(X, f"0=0,2=1,3={ratio}", k), four(Y, f"0=0,2=1,3={ratio}", k)).sign == (threshold - ratio).sign()
        for k, threshold in zip(CUTOFFS, thresholds, strict=True)
        for ratio in (Fraction(11, 10), Fraction(3, 2), Fraction(8, 5), Fraction(9, 4), Fraction(7, 3))
    )
    values = [(f"threshold at k = {k}", value) for k, value in zip(CUTOFFS, thresholds, strict=True)]
    return _holds(path == {"linear": [-1, 1, 1, -1], "exponential": [-1] * 4} and ok, "exact signs", *values)


@_claim("cutoff-ideal", "holds", "The ideal is cut where the list is; D adds nothing, so IDCG@4 = IDCG@3.")
def _cutoff_ideal() -> Found:
    return _holds(
        all(four(X, gain, 4).idcg == four(X, gain).idcg for gain in GAINS),
        "both gains",
        ("IDCG@4, linear", four(X, k=4).idcg),
    )


@_claim("short-result", "holds", "A list shorter than k earns only what it has; the ideal is still cut at k.")
def _short_result() -> Found:
    value = _ndcg("B")
    return _holds(value == Linear({2: 2}) / four(X).idcg, "(B) at k = 3 under linear gain", ("NDCG@3 of (B)", value))


# ---------- population ----------

_under("Population")


@_claim(
    "candidate-only",
    "set",
    "Returned (B), k = 1: 2/3 and 3/7 against all judged, 1 and 1 against what was returned. A report "
    "names its population.",
)
def _candidate_only() -> Found:
    return _equal(
        [
            (f"{gain}, {population}", _ndcg("B", gain, 1, ideal_population=population))
            for population in ("judged", "returned")
            for gain in GAINS
        ]
    )


@_claim(
    "candidate-times-coverage",
    "holds",
    "Full NDCG = candidate-only NDCG × (ideal of the candidates / ideal of all judged).",
)
def _candidate_times_coverage() -> Found:
    own = four(Y, ideal_population="returned-at-k")
    coverage = own.idcg / four(Y).idcg
    return _holds(
        _exact(own.ndcg) * coverage == _ndcg(Y),
        "Y's own top three, k = 3, linear gain",
        ("ordering", own.ndcg),
        ("coverage", coverage),
        ("product", _ndcg(Y)),
    )


@_claim(
    "incomplete-pool", "policy", "The ideal knows only what was judged; a report says how its judged set came about."
)
def _incomplete_pool() -> Found:
    pooled = Judgments({"A": 3, "B": 2, "C": 2, "D": 0}, source="the first three of X and of Y")
    deeper = Judgments({**pooled, "E": 3}, source="a deeper pool")
    return Found(
        "no setting repairs it: one more judged document lowers NDCG; `source` says who judged what",
        (("pool of four", _ndcg(X, grades=pooled)), ("one more of grade 3", _ndcg(X, grades=deeper))),
    )


@_claim("unjudged", "policy", "No grade is not grade 0; the contract says what a returned document without one counts.")
def _unjudged() -> Found:
    values = [(f"unjudged = {policy}", _ndcg("EAB", unjudged=policy)) for policy in ("zero", "remove")]
    return _policy(_refusal(lambda: four("EAB")), values, "E A B, where E has no grade")


# ---------- ties ----------

_under("Ties")


def _tied(gain: Any, ties: Any = "error") -> Evaluation:
    ranking = Ranking.from_scores({"A": 9, "B": 9, "C": 2, "D": 1})
    return evaluate(Contract(gain=gain, k=1, ties=ties), ranking, judgments)


@_claim(
    "tie-outcomes",
    "set",
    "A and B share the top score, k = 1: the outcomes are 1 and 2/3 under linear, 1 and 3/7 under exponential gain.",
)
def _tie_outcomes() -> Found:
    return _equal(
        [(f"{gain}, {ties}", _tied(gain, ties).ndcg) for gain in GAINS for ties in ("best", "worst")],
        "refused by default (TiedScores); best and worst are named",
    )


@_claim(
    "tie-expectation",
    "set",
    "If both orders are declared equally likely: 5/6 (linear) and 5/7 (exponential). A single draw is neither.",
)
def _tie_expectation() -> Found:
    return _equal([(f"{gain}, average", _tied(gain, "average").ndcg) for gain in GAINS])


# ---------- zero, empty, negative ----------

_under("Zero, empty, negative")
_ZEROS = Judgments({"A": 0, "B": 0})


@_claim("zero-ideal", "policy", "All grades 0: 0/0 has no value; the contract supplies one or refuses.")
def _zero_ideal() -> Found:
    values = [
        (f"zero_ideal = {policy}", four("AB", grades=_ZEROS, zero_ideal=policy).ndcg)
        for policy in ("undefined", "zero", "one", "exclude")
    ]
    return _policy(None, values, "or left out of a mean (exclude)")


@_claim("empty-result", "exact", "Nothing returned: exactly 0, for the ideal is positive; not the case above.")
def _empty_result() -> Found:
    return _equal([("NDCG of ()", _ndcg(""))])


@_claim(
    "zero-has-causes",
    "holds",
    "A printed 0 can come from an empty result, from returning only D, or from a convention for 0/0; the "
    "record tells which.",
)
def _zero_has_causes() -> Found:
    empty, only, convention = four(""), four("D"), four("AB", grades=_ZEROS, zero_ideal="zero")
    records = [(len(e.ranking), e.idcg != 0) for e in (empty, only, convention)]
    return _holds(
        all(e.ndcg == 0 for e in (empty, only, convention)) and len(set(records)) == len(records),
        "three records, one number, three reasons: nothing returned; one worthless document; an ideal of 0",
        ("NDCG", 0),
    )


@_claim(
    "negative-grades",
    "policy",
    "With negative gains a shorter list can beat the best full order, and the ideal can be zero or negative.",
)
def _negative_grades() -> Found:
    grades = Judgments({"A": 1, "B": -1})
    refused = _refusal(lambda: four("A", k=2, grades=grades))
    return _policy(
        refused, [("(A), negative = allow", _ndcg("A", k=2, grades=grades, negative="allow"))], "above 1 when allowed"
    )


@_claim("grade-scale", "policy", "A grade off the declared scale is refused, not used.")
def _grade_scale() -> Found:
    return Found(f"refused ({_refusal(lambda: Judgments({'A': 4}, scale=range(4)))}): grade 4 on a scale from 0 to 3")


# ---------- several queries ----------

_under("Several queries, reports")


def _report(run: Mapping[str, Sequence[str]], qrels: Mapping[str, object], **settings: Any) -> Report:
    contract = Contract(**{"gain": "linear", "k": 3, **settings.pop("fields", {})})
    return evaluate_run(contract, {query: Ranking(order) for query, order in run.items()}, qrels, **settings)


@_claim(
    "aggregate",
    "holds",
    "A mean is reported with each query's value and weight, and the queries left out, each with its reason.",
)
def _aggregate() -> Found:
    report = _report(
        {"q1": X, "q2": ["Z"], "q3": ["N"]},
        {"q1": judgments, "q2": {"Z": 0}, "q4": {"M": 1}},
        missing="exclude",
        fields={"zero_ideal": "exclude"},
    )
    reasons = {left.query: left.reason for left in report.excluded}
    whole = reasons == {"q2": "zero ideal", "q3": "no judgments", "q4": "no results"}
    return _holds(
        whole and report.mean.ndcg == _ndcg(X),
        "one query averaged, three left out: zero ideal, no judgments, no results",
        ("mean", report.mean.ndcg),
    )


@_claim("mean-hides", "holds", "One average, different queries: 1 and 1/2, or 3/4 and 3/4.")
def _mean_hides() -> Found:
    binary, graded = {"P": 1, "Q": 0, "R": 0}, {"P": 4, "Q": 3}
    uneven = _report({"q1": ["P"], "q2": ["Q", "R", "P"]}, {"q1": binary, "q2": binary})
    even = _report({"q1": ["Q"], "q2": ["Q"]}, {"q1": graded, "q2": graded}, fields={"k": 1})
    return _holds(
        uneven.mean.ndcg == even.mean.ndcg == Fraction(3, 4),
        "both means are 3/4",
        *((f"first report, {result.query}", result.ndcg) for result in uneven),
        *((f"second report, {result.query}", result.ndcg) for result in even),
    )


@_claim("mean-or-ratio-of-sums", "holds", "Mean of ratios and ratio of sums can name different winners.")
def _mean_or_ratio_of_sums() -> Found:
    qrels = {"q1": judgments, "q2": {"P": 1, "Q": 0}}
    runs = {"X": {"q1": X, "q2": ["Q", "P"]}, "Y": {"q1": Y, "q2": ["P", "Q"]}}
    means = {
        (aggregate, name): _exact(_report(run, qrels, aggregate=aggregate).mean.ndcg)
        for aggregate in ("mean", "ratio-of-sums")
        for name, run in runs.items()
    }
    different = means["mean", "X"] < means["mean", "Y"] and means["ratio-of-sums", "X"] > means["ratio-of-sums", "Y"]
    return _holds(
        different,
        "two queries, exact",
        *((f"{name}, {aggregate}", value) for (aggregate, name), value in means.items()),
    )


def _example_report() -> dict[str, Any]:
    return _report({"q1": X}, {"q1": judgments}).to_json()


@_claim(
    "complete-report",
    "holds",
    "A report that stands alone names need, documents, grades, scale, order and every setting.",
)
def _complete_report() -> Found:
    record = _example_report()
    named = True
    fields = [("contract", name) for name in record["contract"]] + [
        ("aggregation", name) for name in record["aggregation"]
    ]
    for part, name in fields:
        rest = {key: value for key, value in record[part].items() if key != name}
        named &= any(name in str(fault) for fault in verify({**record, part: rest}))
    return _holds(named, f"each of {len(fields)} settings deleted from a report: verify names it")


@_claim("recomputable", "holds", "From a report's own records every number in it can be recomputed.")
def _recomputable() -> Found:
    record = _example_report()
    changed = _example_report()
    changed["queries"][0]["ndcg"]["decimal"] = changed["queries"][0]["ndcg"]["decimal"][:-1] + "8"
    return _holds(
        not list(verify(record)) and bool(list(verify(changed))), "verify finds no fault, and finds one changed digit"
    )


# ---------- the family ----------

_under("The family of metrics")


@_claim("cumulative-gain", "holds", "CG adds grades and is blind to their order.")
def _cumulative_gain() -> Found:
    values = [{family.cg(Ranking(order), judgments, k=3) for order in permutations(top)} for top in ("BCA", "ADB")]
    return _holds(values == [{7}, {5}], "every order of X's and of Y's top three", ("CG@3(X)", 7), ("CG@3(Y)", 5))


@_claim(
    "reciprocal-rank",
    "exact",
    "First relevant document at rank 3: 1/3; what comes later changes nothing; MRR averages it over queries.",
)
def _reciprocal_rank() -> Found:
    found = {
        family.reciprocal_rank(Ranking(list(order)), judgments, k="all", relevant_from=3) for order in ("BCAD", "CBA")
    }
    (value,) = found
    return _equal([("RR, relevant from 3", value)])


@_claim("no-relevant", "policy", "No relevant document at all: RR, AP and recall need a declared value.")
def _no_relevant() -> Found:
    ranking = Ranking(["A", "B"])
    values: list[tuple[str, Value]] = [
        (
            f"RR, no_relevant = {policy}",
            family.reciprocal_rank(ranking, _ZEROS, k=2, relevant_from=1, no_relevant=policy),
        )
        for policy in ("undefined", "zero", "one")
    ]
    return _policy(None, values, "or what `no_relevant` says")


def _binary(measure: Callable[..., Any], name: str, **arguments: Any) -> list[tuple[str, Value]]:
    return [(f"{name}({which})", measure(order, judgments, **arguments)) for which, order in (("X", X), ("Y", Y))]


@_claim("precision-at-3", "set", "P@3 with relevance from grade 1 up: X 1, Y 2/3.")
def _precision_at_3() -> Found:
    return _equal(_binary(family.precision, "P@3", k=3, relevant_from=1))


@_claim("recall-at-3", "set", "R@3 with relevance from grade 1 up: X 1, Y 2/3.")
def _recall_at_3() -> Found:
    return _equal(_binary(family.recall, "R@3", k=3, relevant_from=1))


@_claim(
    "average-precision",
    "set",
    "AP from grade 1 up: X 1, Y 29/36; from grade 3 up: X 1/3, Y 1. Over all relevant ones or those "
    "found: two conventions.",
)
def _average_precision() -> Found:
    return _equal(
        [
            (f"{what}, from {threshold}", value)
            for threshold in (1, 3)
            for what, value in _binary(family.average_precision, "AP", k="all", relevant_from=threshold)
        ]
    )


@_claim("precision-at-k-blind", "holds", "P@k can't see order within its top k; NDCG can.")
def _precision_at_k_blind() -> Found:
    orders = list(permutations("BCA"))
    same = {family.precision(Ranking(order), judgments, k=3, relevant_from=3) for order in orders}
    return _holds(
        len(same) == 1 and len({_ndcg(order) for order in orders}) > 1,
        "all orders of X's top three: one P@3, several NDCG@3",
        *((f"NDCG@3, {' '.join(order)}", _ndcg(order)) for order in ("ABC", "BAC", "BCA")),
    )


@_claim(
    "irrelevant-unpunished", "holds", "NDCG doesn't punish an irrelevant document as such, only the places it takes."
)
def _irrelevant_unpunished() -> Found:
    return _holds(_ndcg(X, k=4) == _ndcg(X, k=3), "X@4 = X@3, although rank 4 is D", ("NDCG@4(X)", _ndcg(X, k=4)))


@_claim(
    "graded-against-binary", "loose", "“Binary measures can't tell ten marginal documents from three excellent ones.”"
)
def _graded_against_binary() -> Found:
    marginal, excellent = Judgments({f"m{n}": 1 for n in range(10)}), Judgments({f"e{n}": 3 for n in range(3)})
    values: list[tuple[str, Value]] = []
    for name, grades in (("ten of grade 1", marginal), ("three of grade 3", excellent)):
        order = Ranking(list(grades))
        values.append((f"P@10, {name}", family.precision(order, grades, k=10, relevant_from=1)))
        for gain in GAINS:
            e = evaluate(Contract(gain=gain, k=10), order, grades)
            values.append((f"DCG@10 {gain}, {name}", e.dcg))
            assert e.ndcg == 1
    return Found(
        "P@10 tells them apart, and prefers the marginal ones; each against its own pool has NDCG 1", tuple(values)
    )


# ---------- heard often ----------

_under("Heard often")


@_claim("perfect-score", "loose", "“1.0 means the best possible order.”")
def _perfect_score() -> Found:
    grades = Judgments({**judgments, "E": 1})
    values = [(f"A B C D E at k = {k}", _ndcg("ABCDE", k=k, grades=grades)) for k in (3, 4)]
    missing = ("(B) against what was returned, k = 1", _ndcg("B", k=1, ideal_population="returned"))
    return Found(
        "of the declared population, gain and cutoff; a candidate-only 1 can miss the best document", (*values, missing)
    )


@_claim("cross-query", "loose", "“NDCG makes queries comparable, DCG never does.”")
def _cross_query() -> Found:
    values = []
    for gain in (1, 7):
        grades = Judgments({"P": gain, "Q": 0, "R": 0})
        e = evaluate(Contract(gain="linear", k=3), Ranking(["Q", "R", "P"]), grades)
        values += [(f"NDCG, one document of gain {gain} at rank 3", e.ndcg), ("its loss in DCG", e.idcg - e.dcg)]
    return Found("it sets each query's best to 1, no more: equal NDCG, unequal loss", tuple(values))


@_claim("only-the-best-matters", "loose", "“Under exponential gain only the single best document matters.”")
def _only_the_best_matters() -> Found:
    one = Linear({2: 15})
    rule = Contract(gain="exponential", k=4).discount_rule
    three, four_of_them = (rule.total([7] * n) for n in (3, 4))
    told = views.proved(certify(one - three))
    return Found(
        f"one grade 4 beats three grade 3s, {told}; it loses to four of them",
        (("15 against three", one - three), ("15 against four", one - four_of_them)),
    )


@_claim("renamed-tie", "loose", "“Document names can't affect a score.”")
def _renamed_tie() -> Found:
    def under(name: str) -> Value:
        contract = Contract(gain="linear", k=2, ties="docno-descending", unjudged="zero")
        return evaluate(contract, Ranking.from_scores({name: 1, "other": 1}), Judgments({name: 1})).ndcg

    return Found(
        "under a tie broken by id they do", (("named zebra", under("zebra")), ("renamed aardvark", under("aardvark")))
    )


# ---------- documented, outside ----------

_under("What others document, and what this does not show")


@_claim(
    "scikit-learn-says",
    "documented",
    "scikit-learn: true relevance and ordering score are separate inputs; ties averaged by default, "
    "ignore_ties to skip; the ideal respects k; negative relevance is refused.",
)
def _scikit_learn_says() -> Found:
    return Found("scikit-learn 1.9, API reference, sklearn.metrics.ndcg_score", holds=None)


@_claim(
    "tensorflow-ranking-says",
    "documented",
    "TensorFlow Ranking: gain and rank discount are functions to choose; pow_minus_1 is 2^r − 1; equal "
    "scores are ordered at random.",
)
def _tensorflow_ranking_says() -> Found:
    return Found("TensorFlow Ranking 0.5.5, API reference, tfr.keras.metrics.NDCGMetric and tfr.utils", holds=None)


@_claim(
    "elasticsearch-says",
    "documented",
    "Elasticsearch rank evaluation: integer ratings per query for a user's need, per-query details in "
    "the answer, unrated documents listed.",
)
def _elasticsearch_says() -> Found:
    return Found("Elasticsearch reference, Ranking evaluation API", holds=None)


@_claim(
    "not-shown",
    "outside",
    "That grades are right; that NDCG is a probability of a right answer; that a discount mirrors people, that 10 is "
    "the right depth, that NDCG suits a use better than MAP.",
)
def _not_shown() -> Found:
    return Found("not shown: grades are stipulated, and none of this is a result of the arithmetic", holds=None)


# ---------- the table ----------

_KINDS = {
    "exact": "value",
    "ratio": "value",
    "set": "values",
    "sign": "sign",
    "holds": "property",
    "policy": "needs a setting",
    "loose": "not quite true",
    "documented": "documented",
    "outside": "not shown",
}


def sections() -> Iterator[tuple[str, list[Claim]]]:
    """The ledger's statements by section."""
    titles = dict.fromkeys(claim.section for claim in LEDGER.values())
    for title in titles:
        yield title, [claim for claim in LEDGER.values() if claim.section == title]


@cache
def found(name: str) -> Found:
    """What a statement comes to, computed once in a session."""
    return LEDGER[name].compute()


def rows(claims: Iterable[Claim], told: str) -> str:
    """Statements as a table, computed now."""
    cells = [
        (escape(c.id), escape(c.say), _KINDS[c.kind], _values(found(c.id)), coded(typeset(found(c.id).verdict)))
        for c in claims
    ]
    return views.rows_table(told, ("id", "statement", "kind", "exact, rounded", "verdict"), cells, wrap=True)


def table(title: str) -> Reading:
    """The statements of one section, computed now."""
    claims = dict(sections())[title]
    failed = [claim.id for claim in claims if found(claim.id).holds is False]
    told = f"{title}: {len(claims)} of the ledger's statements, " + (
        f"not confirmed: {', '.join(failed)}" if failed else "none refuted"
    )
    return Reading(rows(claims, told), told)


def _values(shown_of: Found) -> str:
    return "<br>".join(f"{escape(what)}: {_value(value)}" for what, value in shown_of.values)


def _value(value: Value) -> str:
    return escape(both(value, 9))


class LookUp:
    """Find statements by words and by kind; the static reading lists what the ledger holds of each kind."""

    def __init__(self) -> None:
        kinds = list(dict.fromkeys(_KINDS.values()))
        self.kind = Choice("Kind", ["any", *kinds], index=0)
        self.words = ipywidgets.Text(description="Words", placeholder="rank, ideal, tie …")
        self._shown = ipywidgets.HTML()
        self._announcer = Announcer()
        self.kind.observe(lambda _: self._refresh(), names="index")
        self.words.observe(lambda _: self._refresh(), names="value")
        self.widget = ipywidgets.VBox([self.kind, self.words, self._shown, self._announcer])
        self._refresh()

    def matching(self) -> list[Claim]:
        """The statements that hold every word typed and are of the kind chosen; none before anything is asked."""
        words = self.words.value.casefold().split()
        if not words and self.kind.index == 0:
            return []
        return [
            claim
            for claim in LEDGER.values()
            if self.kind.chosen in ("any", _KINDS[claim.kind])
            and all(word in f"{claim.id} {claim.say} {claim.section}".casefold() for word in words)
        ]

    def _refresh(self) -> None:
        claims = self.matching()
        asked = bool(self.words.value.strip()) or self.kind.index != 0
        told = f"{len(claims)} of {len(LEDGER)} statements" if asked else "Type a word or choose a kind."
        self._shown.value = rows(claims, told) if claims else views.block(told)
        self._announcer.text = told

    def reading(self) -> str:
        """How many statements of each kind there are."""
        kinds = [_KINDS[claim.kind] for claim in LEDGER.values()]
        counted = [(kind, str(kinds.count(kind))) for kind in dict.fromkeys(kinds)]
        return views.rows_table(f"The ledger: {len(LEDGER)} statements", ("kind", "statements"), counted)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return bundle(self.widget, self.reading(), repr(self))

    def __repr__(self) -> str:
        return f"Look-up: {len(LEDGER)} statements"


# ---------- the lesson's questions ----------

LESSON = "lesson 12"

prediction = Predict(
    LESSON,
    "The four documents have 24 orders, which make 276 pairs. On how many of these pairs do linear and exponential "
    "gain disagree at k = 1, 2, 3 and 4?",
    {
        "0, 16, 24, 8": "You are right.",
        "0, 8, 16, 24": "The count does not keep growing: with all four documents in view it falls again.",
        "24, 16, 8, 0": "At k = 1 one document decides, and both gains rise with its grade: nothing to disagree on.",
    },
    "0, 16, 24, 8",
    "At k = 1 both gains rise with the one grade that counts. At k = 2 and 3 lists trade one high grade against "
    "several lower ones. At k = 4 every list holds the same gains, and only their places differ.",
)


def _ties_at_two_alone(one: str, other: str) -> Verdict:
    lists = [typed.order(text, judgments, whole=True).documents for text in (one, other)]
    signs = {k: compare(four(lists[0], k=k), four(lists[1], k=k)).sign for k in (2, 4)}
    told = f"{' '.join(lists[0])} and {' '.join(lists[1])}"
    if signs[2] == 0 and signs[4] != 0:
        return right(f"Right: {told} tie exactly at k = 2 and differ at k = 4.")
    if signs[2] == 0:
        return half(f"Half right: {told} tie at k = 2, but at k = 4 too.")
    return wrong(f"{told} differ at k = 2 already.")


def _rounds_alike(text: str) -> Verdict:
    value = typed.value(text)
    if value == Linear({2: 1}):
        return half("That is 1 itself. Look for a value that is not 1, and whose double is.")
    if float(value) == 1.0:
        return right(f"Right: 1 minus it is {typeset((1 - value).decimal(3))}, and its nearest double is 1.0.")
    return wrong(f"Its nearest double is {float(value)!r}.")


exercises = (
    ask.exact(
        "NDCG@4 of D A B C under exponential gain, exactly?",
        (7 * a + Fraction(3, 2) + 3 * y(5)) / (Fraction(17, 2) + 3 * a),
        near={
            "7a + 3/2 + 3/log2(5)": "Half right: that is DCG. Divide it by the ideal DCG.",
            "(3a + 1 + 2/log2(5))/(4 + 2a)": "Half right: that is NDCG@4 under linear gain.",
        },
        example="(1 + 2a)/(4 + a)",
        hint="The gains are 0, 7, 3, 3; the ideal is that of the four documents.",
        solution="(3/2 + 7<i>a</i> + 3/log<sub>2</sub>(5))/(17/2 + 3<i>a</i>), about 0.69361.",
    ),
    ask.power_bound(
        "Rank 5 is worth more than 5/13. Give the fraction to compare 1/log<sub>2</sub>(6) with, and the inequality of "
        "whole powers.",
        6,
        below=Fraction(5, 13),
        hint="p/q &lt; 1/log<sub>2</sub>(6) exactly when 6<sup>p</sup> &lt; 2<sup>q</sup>.",
        solution="1/log<sub>2</sub>(6) &gt; 5/13, because 6<sup>5</sup> &lt; 2<sup>13</sup>: 7776 &lt; 8192.",
    ),
    ask.choose(
        "“The system's NDCG of 0.9 means that nine in ten of its documents are relevant.” "
        "Which kind of statement is it?",
        {
            "a value": "There is no list and no contract from which it would be computed.",
            "false": f"Right: X has NDCG {decimal(_ndcg(X))}, and three of its four documents have a grade above 0.",
            "not shown": "More can be said: there are lists that it doesn't hold for. Take X.",
        },
        "false",
        hint="What is NDCG of X, and how many of its four documents have a grade above 0?",
        solution=f"False, for X refutes it: its NDCG is {decimal(_ndcg(X))}, and three of its four documents, not "
        "nine in ten, have a grade above 0. NDCG is no share of documents.",
    ),
    ask.exact(
        "Under a tie broken by document id, descending, one relevant document and 25 others share the score. The NDCG "
        "is 1 "
        "under one name. What is it when renaming puts the document last, at k = 26?",
        a / 3,
        near={
            "1/26": "Rank 26 is worth 1/log2(27), not 1/26.",
            "1/log2(26)": "Half right: the number is the rank plus 1.",
        },
        example="2/3",
        hint="The document moves to rank 26, the ideal stays 1, and 27 = 3<sup>3</sup>.",
        solution="1/log<sub>2</sub>(27) = (1/3)<i>a</i>, the discount of rank 26.",
    ),
    ask.construct(
        "Give two orders of A, B, C, D that tie exactly at k = 2 under linear gain and do not tie at k = 4.",
        _ties_at_two_alone,
        [ask.Blank("One order", example="B C A D"), ask.Blank("Other order", example="A D B C")],
        hint="At k = 2 only the first two gains count. B and C have the same grade.",
        solution="A B C D and A B D C are one pair.",
    ),
    ask.construct(
        "Find an exact value that is not 1 although its nearest double is 1.0.",
        _rounds_alike,
        [ask.Blank("Exact value", example="1 - a/1000")],
        hint="Doubles near 1 are about 10<sup>−16</sup> apart.",
        solution="1 − <i>a</i>/10<sup>20</sup> is one: write 1 - a/100000000000000000000.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
