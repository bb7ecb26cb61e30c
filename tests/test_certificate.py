"""Certificates: made ones are accepted, false ones are not, hostile ones end in a CertificateError."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ndcg_lab.certificate import SCHEMA, certify, check, sentence
from ndcg_lab.errors import CertificateError
from ndcg_lab.values import Exact, Linear, a, y

JSON = Any

# The oracle: the claimed sum in python-flint's balls.


def ball(text: str) -> arb:
    q = Fraction(text)
    return arb(fmpq(q.numerator, q.denominator))


def claimed_sum(certificate: JSON) -> arb:
    total = arb(0)
    for entry in certificate["sum"]:
        product = ball(entry["coefficient"])
        for factor in entry["factors"]:
            if "log2" in factor:
                one = (arb(1) if factor["log2"] == "e" else ball(factor["log2"]).log()) / arb(2).log()
            else:
                one = sum((ball(q) * arb(2).log() / arb(b).log() for b, q in factor["terms"]), arb(0))
            product *= one ** factor["power"]
        total += product
    return total


def claim_is_true(certificate: JSON) -> bool:
    """Whether the sum's sign is what is claimed; equality only as far as 1,000 bits can tell."""
    before, ctx.prec = ctx.prec, 1000
    try:
        total = claimed_sum(certificate)
        sign = certificate["sign"]
        return total.contains(0) if sign == 0 else bool(total > 0 if sign > 0 else total < 0)
    finally:
        ctx.prec = before


# Values of all kinds.

small = st.fractions(-20, 20, max_denominator=12)
forms = st.dictionaries(st.integers(2, 40), small, min_size=1, max_size=6).map(Linear)
positive_forms = st.dictionaries(st.integers(2, 40), st.integers(1, 9), min_size=1, max_size=5).map(Linear)
ndcgs = st.tuples(forms, positive_forms).map(lambda pair: pair[0] / pair[1])
scaled = st.tuples(forms, st.sampled_from(["e", "10", "3/2", "9"])).map(lambda p: Linear(p[0].terms, scale=p[1]))
differences = st.tuples(ndcgs, ndcgs).map(lambda pair: pair[0] - pair[1])
means = st.lists(ndcgs, min_size=2, max_size=4).map(lambda values: sum(values, Linear()) / len(values))
values = st.one_of(
    forms, ndcgs, scaled, differences, means, st.tuples(scaled, forms).map(lambda pair: pair[0] - pair[1])
)
vanishing = st.sampled_from(
    [
        Linear(),
        a * y(6) + y(6) - a,
        a / (1 + a) - y(6),
        y(6) * y(12) - (y(12) - y(6)) * -1 + y(6) * y(12) * 0 - (y(6) * y(12) - y(6) + y(12)),
        y(6) / (1 + y(5)) / (1 + a) + a * y(6) / (1 + y(5)) / (1 + a) - a / (1 + y(5)) / (1 + a),
        a * a * y(6) - a * a + a * y(6) * 1 - (a * y(6) - a * a * 0) * 1 + a * a * 0 + a * a - a * a * y(6),
    ]
)


@settings(max_examples=150)
@given(values)
@example(Linear({2: -2, 3: 3}))
@example(Linear())
def test_a_made_certificate_is_accepted_and_true(value: Exact) -> None:
    certificate = json.loads(json.dumps(certify(value)))
    assert check(certificate) == value.sign() == certificate["sign"]
    assert claim_is_true(certificate)
    assert sentence(certificate).startswith(("because", "by"))


def test_a_bound_next_to_a_short_fraction_is_found() -> None:
    # 1/log2(2^100 + 1) lies within 2^-113 of 1/100.
    value = 100 * y(2**100 + 1) + a / 10**40 - 1
    assert check(certify(value)) == value.sign() == -1


def test_few_bounds_are_as_simple_as_they_come() -> None:
    assert certify(3 * a - 2)["bounds"] == [{"b": 3, "upper": "2/3", "upper_powers": "2^3 < 3^2"}]
    assert certify(2 * a - Fraction(1, 2))["bounds"] == [{"b": 3, "lower": "1/4", "lower_powers": "3 < 2^4"}]
    assert certify(1 + a)["bounds"] == []


# Soundness.


def sum_of(*factors: JSON, coefficient: str = "1") -> JSON:
    return {"coefficient": coefficient, "factors": list(factors)}


def form(*terms: tuple[int, str], power: int = 1) -> JSON:
    return {"terms": [list(term) for term in terms], "power": power}


A, Y5 = form((3, "1")), form((5, "1"))


def claim(*entries: JSON, sign: JSON = 0, **more: JSON) -> JSON:
    return {"schema": SCHEMA, "sum": list(entries), "sign": sign, **more}


@pytest.mark.parametrize(
    "relation",
    [
        {"b": 3, "d": 5, "m": 3, "powers": [1, 0, 1]},
        {"b": 3, "d": 5, "m": 5, "powers": [0, 1, 1]},
        {"b": 5, "d": 3, "m": 3, "powers": [0, 1, 1]},
    ],
)
def test_an_identity_that_names_one_base_twice_removes_nothing(relation: JSON) -> None:
    with pytest.raises(CertificateError, match="proves nothing"):
        check(claim(sum_of(A, Y5), relations=[relation]))
