"""The claims ledger: each statement that the lessons demonstrate is computed anew, and held against claims.toml.

A claim `lead-L-3` is tested by `test_lead_l_3`; the last test sees that none is left out.
"""

import re
import tomllib
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_lab import Contract, Judgments, Ranking, a, compare, evaluate, evaluate_run, parse, y
from ndcg_lab.certificate import certify, check, sentence
from ndcg_lab.errors import NegativeGrade, OffScale, TiedScores, UnjudgedDocument
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.measure.evaluation import Evaluation

CLAIMS: dict[str, dict[str, Any]] = {
    claim["id"]: claim
    for claim in tomllib.loads((Path(__file__).parent.parent / "claims.toml").read_text(encoding="utf-8"))["claim"]
}

FOUR = {"A": 3, "B": 2, "C": 2, "D": 0}
X, Y = "BCAD", "ADBC"
L, E = "linear", "exponential"
CUTOFFS = (1, 2, 3, 4)
ORDERS = ["".join(order) for order in permutations("ABCD")]


def four(order: str, gain: Any = L, k: Any = 3, **settings: Any) -> Evaluation:
    """An order of the example's four documents, one letter each."""
    return evaluate(Contract(gain=gain, k=k, **settings), Ranking(list(order)), Judgments(FOUR))


def ndcg(e: Evaluation) -> Exact:
    assert not isinstance(e.ndcg, Undefined)
    return e.ndcg


def linear(terms: list[tuple[int, str]]) -> Linear:
    return Linear({b: Fraction(q) for b, q in terms})


def is_shown(value: Exact, shown: str) -> bool:
    """Whether a value reads so, rounded half-even to as many places as are shown, or to nine."""
    places = len(shown.partition(".")[2])
    return Decimal(value.fixed(max(places, 9) if places < 6 else places)) == Decimal(shown)


def holds(name: str, value: Exact) -> bool:
    """Whether the value is the one that a claim of kind exact or ratio states, and is shown as it says."""
    claim = CLAIMS[name]
    exact = linear(claim["terms"]) if claim["kind"] == "exact" else linear(claim["num"]) / linear(claim["den"])
    return value == exact and is_shown(value, claim["shown"])


def hold(name: str, values: list[Exact]) -> bool:
    """Whether these are the values that a claim of kind set states, in order, and are shown as it says."""
    claim = CLAIMS[name]
    pairs = zip(values, claim["values"], claim["shown"], strict=True)
    return all(value == linear(terms) and is_shown(value, shown) for value, terms, shown in pairs)


def is_proved(name: str, difference: Exact) -> bool:
    """Whether a claim of kind sign holds of a difference, and its certificate proves it as the claim words it."""
    claim = CLAIMS[name]
    certificate = certify(difference)
    reason = re.search(r"because (\S+ < [\d^]+)", claim["say"])
    assert reason is not None
    return (
        difference == linear(claim["terms"])
        and is_shown(difference, claim["shown"])
        and check(certificate) == claim["sign"] == difference.sign()
        and sentence(certificate).endswith(reason[1])
    )


def table(g2: object, g3: object) -> dict[int, object]:
    """A gain table for the example, with g(0) = 0."""
    return {0: 0, 2: g2, 3: g3}


# The worked example at k = 3.


def test_discounts_1_2_3() -> None:
    assert hold("discounts-1-2-3", [row.discount for row in four(X).rows])


def test_discount_decreases() -> None:
    discount = Contract(gain=L, k="all").discount_rule
    values = [discount.value(rank) for rank in range(1, 1003)]
    assert all(left > right > 0 for left, right in pairwise(values[:1001]))
    drops = [left - right for left, right in pairwise(values[:101])]
    assert all(left > right for left, right in pairwise(drops))
    assert discount.value(1023) == Fraction(1, 10)


def test_prefixes() -> None:
    assert set(X) == set(Y) == set(FOUR)
    assert [{row.document for row in four(order).rows} for order in (X, Y)] == [set("ABC"), set("ABD")]


def test_contributions_l_3() -> None:
    assert hold("contributions-L-3", [row.contribution for order in (X, Y) for row in four(order, L).rows])


def test_contributions_e_3() -> None:
    assert hold("contributions-E-3", [row.contribution for order in (X, Y) for row in four(order, E).rows])


def test_dcg_l_x_3() -> None:
    dcg = four(X, L).dcg
    assert holds("dcg-L-X-3", dcg)
    assert f"printed {dcg}, or {dcg:d}" in CLAIMS["dcg-L-X-3"]["say"]


def test_dcg_l_y_3() -> None:
    assert holds("dcg-L-Y-3", four(Y, L).dcg)


def test_idcg_l_3() -> None:
    assert holds("idcg-L-3", four(X, L).idcg)
    assert holds("idcg-L-3", four(Y, L).idcg)


def test_ndcg_l_x_3() -> None:
    assert holds("ndcg-L-X-3", ndcg(four(X, L)))


def test_ndcg_l_y_3() -> None:
    assert holds("ndcg-L-Y-3", ndcg(four(Y, L)))


def test_lead_l_3() -> None:
    assert is_proved("lead-L-3", four(X, L).dcg - four(Y, L).dcg)
    assert compare(four(X, L), four(Y, L)).sign == CLAIMS["lead-L-3"]["sign"]


def test_dcg_e_x_3() -> None:
    assert holds("dcg-E-X-3", four(X, E).dcg)


def test_dcg_e_y_3() -> None:
    assert holds("dcg-E-Y-3", four(Y, E).dcg)


def test_idcg_e_3() -> None:
    assert holds("idcg-E-3", four(X, E).idcg)
    assert holds("idcg-E-3", four(Y, E).idcg)


def test_ndcg_e_x_3() -> None:
    assert holds("ndcg-E-X-3", ndcg(four(X, E)))


def test_ndcg_e_y_3() -> None:
    assert holds("ndcg-E-Y-3", ndcg(four(Y, E)))


def test_lead_e_3() -> None:
    assert is_proved("lead-E-3", four(X, E).dcg - four(Y, E).dcg)
    assert compare(four(X, E), four(Y, E)).sign == CLAIMS["lead-E-3"]["sign"]


# Gain.


def gains(gain: Any, grades: dict[str, int]) -> list[int | Fraction]:
    e = evaluate(Contract(gain=gain, k="all"), Ranking(list(grades)), Judgments(grades))
    return [row.gain for row in e.rows]


def test_exponential_gains() -> None:
    grades = {"n": 0, "o": 1, "p": 2, "q": 3, "r": 4}
    assert hold("exponential-gains", [Linear.rational(gain) for gain in gains(E, grades)])
    assert [Fraction(gains(gain, grades)[4], gains(gain, grades)[1]) for gain in (L, E)] == [4, 15]


def test_gain_ratio() -> None:
    ratios = [Fraction(high, low) for gain in (L, E) for high, low in [gains(gain, {"h": 3, "l": 2})]]
    assert ratios == [Fraction(3, 2), Fraction(7, 3)]
    assert "3/2 under L, 7/3 under E" in CLAIMS["gain-ratio"]["how"]


def test_common_ideal() -> None:
    for gain, k in product((L, E), CUTOFFS):
        evaluations = [four(order, gain, k) for order in ORDERS]
        assert len({e.idcg for e in evaluations}) == 1
        for one, other in combinations(evaluations, 2):
            assert (ndcg(one) - ndcg(other)).sign() == (one.dcg - other.dcg).sign()


def lead(gain: object, k: int = 3) -> int:
    """The sign of X minus Y."""
    sign = compare(four(X, gain, k), four(Y, gain, k)).sign
    assert sign is not None
    return sign


def test_reversal_threshold() -> None:
    how, threshold = CLAIMS["reversal-threshold"]["how"], 1 + 2 * a
    assert is_shown(threshold, "2.261859507")
    assert not threshold.is_rational
    low, high = threshold.enclosure(30)
    assert (lead(table(1, low)), lead(table(1, high))) == (1, -1)
    assert (lead(table(7, 7 * low)), lead(table(7, 7 * high))) == (1, -1)
    assert [(lead(gain), gains(gain, {"h": 3, "l": 2})) for gain in (L, "power:2", E)] == [
        (1, [3, 2]),
        (1, [9, 4]),
        (-1, [7, 3]),
    ]
    assert "(r^2: 3^5 < 2^8)" in how
    assert sentence(certify(threshold - Fraction(9, 4))).endswith("3^5 < 2^8")
    with localcontext(prec=30):
        exact_a = 1 / (Decimal(3).ln() / Decimal(2).ln())
        power = (1 + 2 * exact_a).ln() / Decimal("1.5").ln()
        base = exact_a + (exact_a**2 + 2 * exact_a).sqrt()
        assert abs((base**3 - 1) / (base**2 - 1) - (1 + 2 * exact_a)) < Decimal("1e-25")
        assert f"p = log(1+2a)/log(3/2) = {str(power)[:13]}" in how
        assert f"b = a + sqrt(a^2 + 2a) = {str(base)[:13]}" in how
    below, above = (Fraction(str(base)[:9]) + Fraction(step, 10**7) for step in (0, 1))
    assert (lead(f"exponential:{below}"), lead(f"exponential:{above}")) == (1, -1)


def test_how_common() -> None:
    disagreements = []
    for k in CUTOFFS:
        pairs = [
            [(four(one, gain, k).dcg - four(other, gain, k).dcg).sign() for gain in (L, E)]
            for one, other in combinations(ORDERS, 2)
        ]
        assert len(pairs) == 276
        disagreements.append(sum(linear_sign * exponential_sign < 0 for linear_sign, exponential_sign in pairs))
    assert disagreements == [0, 16, 24, 8]
    assert "disagree on 0, 16, 24 and 8 pairs at k = 1, 2, 3, 4" in CLAIMS["how-common"]["say"]


def test_gain_scaling() -> None:
    for order, k in product((X, Y), CUTOFFS):
        assert ndcg(four(order, table(14, 21), k)) == ndcg(four(order, L, k))
        assert ndcg(four(order, table(21, 49), k)) == ndcg(four(order, E, k))


def test_gain_shift() -> None:
    shifted = {0: 1, 2: 3, 3: 4}
    assert four(X, shifted).dcg - four(Y, shifted).dcg == four(X).dcg - four(Y).dcg == parse("-1/2 + 2a")
    before, after = ndcg(four(X)), ndcg(four(X, shifted))
    assert before != after
    assert f"from {before.fixed(9)} to {after.decimal(7)[:8]}..." in CLAIMS["gain-shift"]["how"]


def test_binary_agrees() -> None:
    grades = Judgments({"p": 1, "q": 0, "r": 1, "s": 0})
    for order, k in product(permutations(grades), CUTOFFS):
        linear_e, exponential_e = (evaluate(Contract(gain=gain, k=k), Ranking(order), grades) for gain in (L, E))
        assert (linear_e.dcg, linear_e.ndcg) == (exponential_e.dcg, exponential_e.ndcg)


# Ideal and normalisation.


def test_ideal_by_enumeration() -> None:
    for gain, k in product((L, E), CUTOFFS):
        assert max(four(order, gain, k).dcg for order in ORDERS) == four("ABCD", gain, k).dcg == four(X, gain, k).idcg


def test_ideal_scores_one() -> None:
    ideal = [sum(ndcg(four(order, L, k)).is_one for order in ORDERS) for k in CUTOFFS]
    assert ideal == [sum(ndcg(four(order, E, k)).is_one for order in ORDERS) for k in CUTOFFS] == [6, 4, 2, 2]
    assert "6, 4, 2, 2 are ideal at k = 1, 2, 3, 4" in CLAIMS["ideal-scores-one"]["how"]
    assert all(ndcg(four("ABCD", gain, k)).is_one for gain, k in product((L, E), CUTOFFS))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=12).filter(any), st.integers(1, 12), st.sampled_from([L, E]))
def test_unit_interval(grades: list[int], k: int, gain: str) -> None:
    judgments = Judgments({f"d{i}": grade for i, grade in enumerate(grades)})
    given_order = ndcg(evaluate(Contract(gain=gain, k=k), Ranking(list(judgments)), judgments))
    assert 0 <= given_order <= 1
    assert 0 <= float(given_order) <= 1
    best = ndcg(
        evaluate(
            Contract(gain=gain, k=k), Ranking(sorted(judgments, key=lambda d: judgments[d], reverse=True)), judgments
        )
    )
    assert best.is_one
    assert float(best) == 1.0


def test_mixed_ratio() -> None:
    mixed = four(X, L, 3).dcg / four(X, L, 1).idcg
    assert mixed == parse("7/2 + 2a") / 3
    assert mixed > 1
    assert "is (7/2 + 2a)/3 > 1" in CLAIMS["mixed-ratio"]["how"]


# Discount.


def test_log_base() -> None:
    for gain, order, k in product((L, E), (X, Y), CUTOFFS):
        plain = four(order, gain, k)
        for base in ("e", "10"):
            other = four(order, gain, k, discount=f"log:{base}")
            assert other.ndcg == plain.ndcg
            assert (other.dcg.terms, other.dcg.scale) == (plain.dcg.terms, f"log2({base})")
            assert float(other.dcg) == pytest.approx(float(plain.dcg) * float(_log2(base)), rel=1e-14)


def _log2(base: str) -> Decimal:
    return (Decimal(1) if base == "e" else Decimal(base).ln()) / Decimal(2).ln()


def test_discount_shape() -> None:
    x, other = four(X, E, discount="jarvelin"), four(Y, E, discount="jarvelin")
    assert is_proved("discount-shape", x.dcg - other.dcg)
    assert compare(x, other).sign == 1
    assert compare(four(X, E), four(Y, E)).sign == -1


def test_rank_10() -> None:
    discount = Contract(gain=L, k=10).discount_rule.value(10)
    assert discount == y(11)
    assert f"1/log2(11) = {discount.decimal(12)[:11]}..." in CLAIMS["rank-10"]["how"]
    assert (Fraction(1, 3) - discount).fixed(4) == "0.0443"


# Scores and order.


def test_score_transform() -> None:
    judgments, contract = Judgments(FOUR), Contract(gain=L, k=3)
    scores = dict(zip(X, (40, 30, 20, 10), strict=True))
    plain, mapped, turned = (
        evaluate(contract, Ranking.from_scores({d: factor * s + shift for d, s in scores.items()}), judgments)
        for factor, shift in ((1, 0), (10, 7), (-1, 0))
    )
    assert plain.ndcg == mapped.ndcg == four(X).ndcg
    assert turned.ndcg == four(X[::-1]).ndcg != plain.ndcg
    with pytest.raises(TiedScores):
        evaluate(contract, Ranking.from_scores({d: max(s, 30) for d, s in scores.items()}), judgments)


# Cutoff.


def test_cutoff_4_l() -> None:
    e = four(Y, L, 4)
    assert holds("cutoff-4-L", ndcg(e))
    assert f"(DCG {e.dcg}, shown {e.dcg.fixed(9)})" in CLAIMS["cutoff-4-L"]["say"]
    assert four(X, L, 4).dcg == four(X, L, 3).dcg
    assert e.idcg == four(Y, L, 3).idcg
    assert lead(L, 4) == -1


def test_cutoff_4_e() -> None:
    assert holds("cutoff-4-E", ndcg(four(Y, E, 4)))


def test_cutoff_path() -> None:
    claim = CLAIMS["cutoff-path"]
    leaders = {gain: ", ".join({1: "X", -1: "Y"}[lead(gain, k)] for k in CUTOFFS) for gain in (L, E)}
    assert f"under L goes {leaders[L]}" in claim["say"]
    assert set(leaders[E]) == {"Y", ",", " "}
    for k, threshold in zip(CUTOFFS, claim["how"].partition("g(3)/g(2) is ")[2].split(", "), strict=True):
        low, high = parse(threshold).enclosure(40)
        if low == high:
            assert lead(table(1, low), k) == 0
        step = Fraction(1, 10**9)
        assert (lead(table(1, low - step), k), lead(table(1, high + step), k)) == (1, -1)


def test_cutoff_ideal() -> None:
    assert all(four(X, gain, 4).idcg == four(X, gain, 3).idcg for gain in (L, E))


def test_short_result() -> None:
    value = ndcg(four("B", L, 3))
    assert value == 2 / parse("4 + 2a")
    assert CLAIMS["short-result"]["how"].endswith(str(value))


# Population.


def test_candidate_only() -> None:
    values = [
        ndcg(four("B", gain, 1, ideal_population=population))
        for population in ("judged", "returned")
        for gain in (L, E)
    ]
    assert hold("candidate-only", values)


def test_candidate_times_coverage() -> None:
    full = four(Y[:3])
    own = four(Y[:3], ideal_population="returned")
    coverage = own.idcg / full.idcg
    assert ndcg(full) == ndcg(own) * coverage == ndcg(four(Y))
    how = CLAIMS["candidate-times-coverage"]["how"]
    assert how.startswith("Y's own top three at k = 3 under L: 4/(3+2a) x (3+2a)/(4+2a)")
    assert (ndcg(own), coverage) == (4 / parse("3 + 2a"), parse("3 + 2a") / parse("4 + 2a"))
    assert f"{ndcg(own).decimal(8)[:8]}... x {coverage.decimal(8)[:8]}... = {ndcg(full).fixed(9)}" in how


def test_incomplete_pool() -> None:
    pool = Judgments({"A": 3, "B": 2}, source="the pool of two systems' top two")
    e = evaluate(Contract(gain=L, k=3), Ranking(["A", "B"]), pool)
    assert ndcg(e).is_one  # the ideal knows only what was judged
    assert ndcg(evaluate(Contract(gain=L, k=3), Ranking(["A", "B"]), Judgments(FOUR))) < 1
    assert e.to_json()["source"] == "the pool of two systems' top two"


def test_unjudged() -> None:
    with pytest.raises(UnjudgedDocument):
        four("EAB")
    zero, removed = four("EAB", unjudged="zero"), four("EAB", unjudged="remove")
    assert zero.dcg == evaluate(Contract(gain=L, k=3), Ranking(["E", "A", "B"]), Judgments({**FOUR, "E": 0})).dcg
    assert (zero.rows[0].grade, zero.rows[0].gain) == (None, 0)  # counted as grade 0, recorded as no grade
    assert removed.dcg == four("AB").dcg != zero.dcg


# Ties.


def test_tie_outcomes() -> None:
    ranking = Ranking.from_scores({"A": 9, "B": 9, "C": 1, "D": 0})
    found: list[Exact] = []
    for gain in (L, E):
        outcomes = evaluate(Contract(gain=gain, k=1, ties="average"), ranking, Judgments(FOUR)).outcomes()
        assert outcomes.probabilities == (Fraction(1, 2), Fraction(1, 2))
        found += [value for value in outcomes.values if not isinstance(value, Undefined)]
    assert hold("tie-outcomes", found)


def test_tie_expectation() -> None:
    ranking = Ranking.from_scores({"A": 9, "B": 9, "C": 1, "D": 0})
    evaluations = [evaluate(Contract(gain=gain, k=1, ties="average"), ranking, Judgments(FOUR)) for gain in (L, E)]
    assert hold("tie-expectation", [ndcg(e) for e in evaluations])
    assert [e.outcomes().mean for e in evaluations] == [e.ndcg for e in evaluations]


# Zero, empty, negative.


def all_zero(**settings: Any) -> Evaluation:
    return evaluate(Contract(gain=L, k=3, **settings), Ranking(["A", "B"]), Judgments(dict.fromkeys("ABCD", 0)))


def test_zero_ideal() -> None:
    assert all_zero().ndcg == all_zero(zero_ideal="exclude").ndcg == Undefined("zero ideal")
    assert all_zero(zero_ideal="zero").ndcg == 0
    assert all_zero(zero_ideal="one").ndcg == 1


def test_empty_result() -> None:
    assert holds("empty-result", ndcg(four("")))
    assert four("").idcg > 0


def test_zero_has_causes() -> None:
    empty, only_d, supplied = four(""), four("D"), all_zero(zero_ideal="zero")
    assert empty.ndcg == only_d.ndcg == supplied.ndcg == 0
    records = [e.to_json() for e in (empty, only_d, supplied)]
    assert [len(record["ranking"]) for record in records] == [0, 1, 2]
    assert [record["idcg"]["exact"] for record in records] == ["4 + 2a", "4 + 2a", "0"]


def test_negative_grades() -> None:
    judgments = Judgments({"A": 1, "B": -1})
    with pytest.raises(NegativeGrade):
        evaluate(Contract(gain=L, k=2), Ranking(["A"]), judgments)
    allowed = Contract(gain=L, k=2, negative="allow")
    short, full = (evaluate(allowed, Ranking(order), judgments) for order in (["A"], ["A", "B"]))
    assert ndcg(short) == 1 / (1 - a)
    assert f"1/(1 - a) = {ndcg(short).decimal(9)[:8]}..., above 1" in CLAIMS["negative-grades"]["how"]
    assert ndcg(short) > ndcg(full)
    assert full.dcg > evaluate(allowed, Ranking(["B", "A"]), judgments).dcg  # sorting is still the best full order
    no_good = Judgments({"A": -1, "B": -1})
    assert evaluate(allowed, Ranking(["A"]), no_good).ndcg == Undefined("negative ideal")


def test_grade_scale() -> None:
    Judgments(FOUR, scale=range(4))
    with pytest.raises(OffScale, match=r"'A' has grade 4"):
        Judgments({**FOUR, "A": 4}, scale=range(4))


# Several queries.


def test_aggregate() -> None:
    qrels = {"q1": FOUR, "q2": {"A": 0}, "q3": {"A": 1}}
    run = {"q1": list(X), "q2": ["A"], "q4": ["A"]}
    contract = Contract(gain=L, k=3, zero_ideal="exclude")
    report = evaluate_run(
        contract, {q: Ranking(r) for q, r in run.items()}, qrels, missing="exclude", weights={"q1": 2}
    )
    assert {result.query: (result.weight, result.ndcg) for result in report} == {"q1": (Fraction(2), four(X).ndcg)}
    reasons = {excluded.query: excluded.reason for excluded in report.excluded}
    assert reasons == {"q2": "zero ideal", "q3": "no results", "q4": "no judgments"}
    assert CLAIMS["aggregate"]["how"] == "zero ideal, no judgments, no results"


def test_mean_hides() -> None:
    qrels = {"q1": {"A": 1, "B": 1}, "q2": {"A": 1, "B": 1}}
    contract = Contract(gain=L, k=2, discount="none")
    one = {"q1": Ranking(["A", "B"]), "q2": Ranking(["A", "Z"])}
    contract = contract.replace(unjudged="zero")
    report = evaluate_run(contract, one, qrels)
    assert [report["q1"].ndcg, report["q2"].ndcg, report.mean.ndcg] == [1, Fraction(1, 2), Fraction(3, 4)]
    thrice = {q: {"A": 1, "B": 1, "C": 1, "D": 1} for q in qrels}
    other = evaluate_run(contract.replace(k=4), dict.fromkeys(qrels, Ranking(["A", "B", "C", "Z"])), thrice)
    assert [other["q1"].ndcg, other["q2"].ndcg, other.mean.ndcg] == [Fraction(3, 4)] * 3


def test_mean_or_ratio_of_sums() -> None:
    qrels = {"four": FOUR, "other": {"P": 1, "Q": 0}}
    runs = [
        {"four": Ranking(list(X)), "other": Ranking(["Q", "P"])},
        {"four": Ranking(list(Y)), "other": Ranking(["P", "Q"])},
    ]
    contract = Contract(gain=L, k=3)
    means = [evaluate_run(contract, run, qrels, aggregate="mean").mean.ndcg for run in runs]
    ratios = [evaluate_run(contract, run, qrels, aggregate="ratio-of-sums").mean.ndcg for run in runs]
    shown = [v.fixed(5) for v in (*means, *ratios) if not isinstance(v, Undefined)]
    assert f"{shown[0]} and {shown[1]} against {shown[2]} and {shown[3]}" in CLAIMS["mean-or-ratio-of-sums"]["how"]
    assert means[0] < means[1]
    assert ratios[0] > ratios[1]


# The family, as far as NDCG goes.


def test_irrelevant_unpunished() -> None:
    assert all(four(X, gain, 4).ndcg == four(X, gain, 3).ndcg for gain in (L, E))
    assert X[3] == "D"


# Heard often.


def test_perfect_score() -> None:
    how = CLAIMS["perfect-score"]["how"]
    judgments = Judgments({**FOUR, "E": 1})
    at_3, at_4 = (ndcg(evaluate(Contract(gain=L, k=k), Ranking(list("ABCDE")), judgments)) for k in (3, 4))
    assert at_3.is_one
    assert f"has 1 at k = 3 and {at_4.fixed(5)} at k = 4" in how
    candidate_only = four("BC", ideal_population="returned")
    assert ndcg(candidate_only).is_one
    assert "A" not in candidate_only.ranking


def test_cross_query() -> None:
    for gain in (1, 7):
        judgments = Judgments({"p": 0, "q": 0, "r": gain})
        e = evaluate(Contract(gain=L, k=3), Ranking(["p", "q", "r"]), judgments)
        assert e.ndcg == Fraction(1, 2)
        assert e.idcg - e.dcg == Fraction(gain, 2)


def test_only_the_best_matters() -> None:
    judgments = Judgments({"b": 4, "p": 3, "q": 3, "r": 3, "s": 3})
    one, three, every = (
        evaluate(Contract(gain=E, k="all"), Ranking(list(order)), judgments).dcg for order in ("b", "pqr", "pqrs")
    )
    difference = one - three
    assert difference == parse("9/2 - 7a")
    assert sentence(certify(difference)).endswith("2^14 < 3^9")
    assert "9/2 - 7a > 0, because 2^14 < 3^9" in CLAIMS["only-the-best-matters"]["how"]
    assert difference > 0
    assert one < every


def test_renamed_tie() -> None:
    contract = Contract(gain=L, k="all", unjudged="zero", ties="docno-descending")
    judgments = Judgments({"m1": 2})
    before, after = (evaluate(contract, Ranking.from_scores({"m1": 1, name: 1}), judgments) for name in ("k9", "z9"))
    assert before.ndcg == 1
    assert after.ndcg == a


def test_graded_against_binary() -> None:
    marginal = Judgments({f"m{i}": 1 for i in range(10)})
    excellent = Judgments({f"e{i}": 3 if i < 3 else 0 for i in range(10)})
    how = CLAIMS["graded-against-binary"]["how"]
    pairs = []
    for gain in (L, E):
        evaluations = [evaluate(Contract(gain=gain, k=10), Ranking(list(pool)), pool) for pool in (marginal, excellent)]
        assert all(ndcg(e).is_one for e in evaluations)
        pairs.append(" against ".join(e.dcg.fixed(4) for e in evaluations))
    assert f"DCG@10 under L {pairs[0]}, under E {pairs[1]}" in how
    precisions = [Fraction(sum(grade > 0 for grade in pool.values()), 10) for pool in (marginal, excellent)]
    assert precisions == [1, Fraction(3, 10)]


# Claims that other rooms test, or that no computation can.
ELSEWHERE = {
    "complete-report",
    "recomputable",
    "cumulative-gain",
    "reciprocal-rank",
    "no-relevant",
    "precision-at-3",
    "recall-at-3",
    "average-precision",
    "precision-at-k-blind",
}


def test_every_claim_is_tested() -> None:
    computed = {name for name, claim in CLAIMS.items() if claim["kind"] not in {"documented", "outside"}}
    tested = {name for name in computed if f"test_{name.replace('-', '_').lower()}" in globals()}
    assert tested == computed - ELSEWHERE
