"""The work of a check is bounded before it starts, and making a certificate costs as much as seeing the sign."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from ndcg_lab.certificate import certify, check, sentence
from ndcg_lab.certificates import checker, maker
from ndcg_lab.errors import CertificateError, Undecided
from ndcg_lab.exact.enclosures import y_floor
from ndcg_lab.exact.linear import a, y
from ndcg_lab.measure.comparison import compare_values
from tests.balls import discount, ends
from tests.certificates.test_certificate import Y5, A, claim, form

if TYPE_CHECKING:
    from collections.abc import Callable

    from ndcg_lab.exact.values import Exact

LONG = 10**3_000
BASES = [2**1_000 + 2 * n + 1 for n in range(300)]
LESS = form((3, "1"), (5, "-1"))


def near_zero(bits: int) -> Exact:
    """q a - p for a convergent p/q of a with a denominator of so many bits, by the oracle's digits."""
    x, _ = ends(discount(3, 4 * bits))
    (p, q), (r, s) = (1, 0), (0, 1)
    while q.bit_length() < bits:
        whole = x.numerator // x.denominator
        (p, q), (r, s) = (p * whole + r, q * whole + s), (p, q)
        x = 1 / (x - whole)
    return q * a - p


def not_begun(*_: Any, **__: Any) -> NoReturn:
    raise AssertionError("the work has begun")


SERIES = [{"b": b, "lower": f"{10**995}/{10**1_000 + 1}"} for b in range(100_001, 100_300)]
POWERS = [{"b": b, "lower": "659/9998"} for b in range(8_192, 18_192)]
WIDE = [form(*((b, "1") for b in range(3, 1_500))), form(*((b, "1") for b in range(4, 1_500)))]
SMALL = 10**7  # a smaller budget, for certificates that are quickly read
TOO_MUCH: dict[str, tuple[str, int, Callable[[], Any]]] = {
    "bounds by the series": ("_holds", checker._BUDGET, lambda: claim([LESS], sign=1, bounds=SERIES)),
    "bounds by powers": ("_holds", checker._BUDGET, lambda: claim([LESS], sign=1, bounds=POWERS)),
    "terms": ("_least", SMALL, lambda: claim([form(*((b, "1") for b in range(2, 200)))], [A], sign=1)),
    "factors": ("_least", SMALL, lambda: claim(*[[{**A, "power": 64}]] * 80, sign=1)),
    "terms below the line": (
        "_least",
        SMALL,
        lambda: claim([{**form(*((b, "1") for b in range(2, 200))), "power": -1}]),
    ),
    "products": ("_multiplied_out", checker._BUDGET, lambda: claim(WIDE, WIDE, WIDE)),
    "factors of one denominator": (
        "_multiplied_out",
        checker._BUDGET,
        lambda: claim(*[[form((b, "1"))] for b in range(3, 2_503)]),
    ),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_what_asks_for_too_much_is_refused_before_the_work_begins(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    step, budget, made = TOO_MUCH[what]
    certificate = made()
    monkeypatch.setattr(checker, step, not_begun)
    monkeypatch.setattr(checker, "_BUDGET", budget)
    with pytest.raises(CertificateError, match=f"its {what.split(maxsplit=1)[0]} ask for more work than a check does"):
        check(certificate)


def test_identities_are_counted_before_one_is_raised_to_its_powers(monkeypatch: pytest.MonkeyPatch) -> None:
    b = 2**999 + 1
    chain = [{"b": b, "d": b, "m": b, "powers": [5, 4, 9]}] * 6_000
    monkeypatch.setattr(checker, "_prove_zero", not_begun)
    with pytest.raises(CertificateError, match="its identities ask for more work"):
        check(claim([A, Y5], relations=chain))


def test_a_long_chain_of_true_identities_ends() -> None:
    to_and_fro = [{"b": 6, "d": 3, "m": 2, "powers": [1, -1, 1]}, {"b": 2, "d": 3, "m": 6, "powers": [1, 1, 1]}]
    with pytest.raises(CertificateError, match="something is left"):
        check(claim([form((6, "1"), (3, "7/3")), form((3, "1"), (6, "1/7"))], relations=to_and_fro * 3_000))
    doubling = [{"b": 3, "d": 3, "m": 3, "powers": [LONG, 1 - LONG, 1]}]
    with pytest.raises(CertificateError, match="powers of more than 10,000 bits"):
        check(claim([A, Y5], relations=doubling))


def test_an_identity_of_a_product_that_is_not_there_is_no_step(monkeypatch: pytest.MonkeyPatch) -> None:
    fits, steps = checker._fits, list[Fraction]()

    def counted(q: Fraction, limit: int) -> Fraction:
        steps.append(q)
        return fits(q, limit)

    monkeypatch.setattr(checker, "_fits", counted)
    pairs = [(n, q) for n in range(20) for q in ("1", "-1")]
    total = [{"coefficient": q, "factors": [form((3, "1"), (2, str(n)), power=-1)]} for n, q in pairs]
    assert check({**claim(), "sum": total, "relations": [{"b": 3, "d": 6, "m": 2, "powers": [-1, 1, 1]}] * 100}) == 0
    assert len(steps) < 1_000  # not one for each group and identity


def test_numbers_that_grow_are_stopped() -> None:
    factors = [form((b, "1"), (2, str(LONG + n))) for n, b in enumerate(BASES[:64])]
    many = claim(*[[{**one, "power": -1} for one in factors]] * 60, [LESS], sign=1)
    with pytest.raises(CertificateError, match="grow too long for so many steps"):
        check(many)


def test_numbers_of_many_digits_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CertificateError, match="more than 10,000 digits"):
        check(claim([form((3, "9" * 10_001))], sign=1))
    precise = claim(*[[form((3, f"1/{10**100}"), (5, "1"))]] * 20, sign=1)
    assert check(precise) == 1
    monkeypatch.setattr(checker, "_BUDGET", SMALL)
    with pytest.raises(CertificateError, match="too long for so many factors"):
        check(precise)


def test_three_hundred_long_factors_are_no_work() -> None:
    long = [[form((b, "1"), (2, str(LONG + n)), power=-1)] for n, b in enumerate(BASES)]
    assert check(claim(*long, sign=1)) == 1


@pytest.mark.parametrize("bits", [20, 200, 508, 1_740])
def test_a_certificate_costs_what_the_sign_costs(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(level: int) -> Any:
        asked.append(level)
        return y_floor(level)

    monkeypatch.setattr(maker, "y_floor", counted)
    for value in (near_zero(bits), near_zero(bits) / (1 + y(5))):
        certificate = certify(value)
        assert check(certificate) == value.sign()
        (bound,) = certificate["bounds"]
        assert ("lower_powers" in bound or "upper_powers" in bound) == (bits == 20) or bits == 20
        assert sentence(certificate)
    assert len(asked) < 200
    assert max(asked, default=0) <= max(192, 4 * bits)


def test_a_sign_that_is_too_narrow_for_a_certificate_says_so() -> None:
    value = near_zero(7_000)
    with pytest.raises(Undecided, match="is decided, but not certified: its bounds ask for more work"):
        certify(value)
    compared = compare_values(value, a - a, ())
    assert compared.certificate is None
    assert compared.to_json()["certificate"] is None
    assert compared.reason == "by an enclosure too narrow for a certificate"
    assert compared.sign == value.sign()


def test_a_mean_over_many_ideals_is_certified() -> None:
    total: Exact = a - a
    for n in range(1, 60):
        total += (n * y(5) - a + Fraction(1, n)) / (3 * n + 2 * a + y(5) / n)
    assert check(certify(total)) == total.sign() == 1
