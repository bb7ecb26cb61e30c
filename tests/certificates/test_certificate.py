"""Certificates: made ones are accepted, false ones are not, hostile ones end in a CertificateError."""

from __future__ import annotations

import ast
import copy
import json
import re
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import pytest
from flint import arb
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ndcg_lab.certificate import SCHEMA, certify, check, sentence
from ndcg_lab.certificates import checker
from ndcg_lab.errors import CertificateError, WrongKind
from ndcg_lab.exact.linear import Linear, a, y
from ndcg_lab.exact.parsing import parse
from tests.balls import Pair, differences, form_ball, forms, precision, quotients, scaled
from tests.support import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ndcg_lab.exact.values import Exact

JSON = Any


CLOSE = Fraction(63092975357145743709952711434276085429958564013188, 10**50)  # a little below a
PRIMES = (3, 5, 7, 11, 13, 17, 19, 23, 29)


def claim_is_true(certificate: JSON) -> bool:
    """Whether balls of 1,000 bits agree with the claimed sign; equality only as far as they can tell."""
    with precision(1000):
        total = arb(0)
        for entry in certificate["sum"]:
            product = form_ball({2: Fraction(entry["coefficient"])})
            for factor in entry["factors"]:
                if "log2" in factor:
                    one = form_ball({2: 1}, factor["log2"])
                else:
                    one = form_ball({b: Fraction(q) for b, q in factor["terms"]})
                product *= one ** factor["power"]
            total += product
    sign = certificate["sign"]
    return bool(total.contains(0) if sign == 0 else total > 0 if sign > 0 else total < 0)


def mean(pairs: list[Pair]) -> Exact:
    return reduce(add, (pair.value for pair in pairs)) / len(pairs)


means = st.lists(quotients, min_size=2, max_size=4).map(mean)
values = st.one_of((forms | quotients | scaled | differences).map(lambda pair: pair.value), means)

# Zeros that no plain collecting of terms shows, over one denominator and over several.
RELATION = a * y(6) + y(6) - a
ZEROS = [
    Linear(),
    RELATION,
    a / (1 + a) - y(6),
    y(15) * y(45) + a * y(45) - a * y(15),
    RELATION / (1 + y(5)) + (y(15) * y(45) + a * y(45) - a * y(15)) / (1 + y(7)),
    RELATION / (2 * a - y(5)),
    a * (1 + a) / (1 + y(5)) - a / (1 + y(5)) - a * a / (1 + y(5)),
    y(12) - Linear({2: 1, 3: 1}) * y(12) + (a - 1) * y(12) + y(12),
]


@settings(max_examples=80)
@given(values)
@example(Linear({2: -2, 3: 3}))
def test_a_made_certificate_is_accepted_and_true(value: Exact) -> None:
    certificate = json.loads(json.dumps(certify(value)))
    assert check(certificate) == value.sign() == certificate["sign"]
    assert claim_is_true(certificate)
    assert sentence(certificate).startswith(("because", "by"))


@pytest.mark.parametrize("value", ZEROS, ids=str)
def test_a_made_certificate_of_equality_is_accepted_and_true(value: Exact) -> None:
    certificate = json.loads(json.dumps(certify(value)))
    assert check(certificate) == certificate["sign"] == 0
    assert claim_is_true(certificate)
    assert sentence(certificate).startswith("because")
    if any(len(entry["factors"]) for entry in certificate["sum"]):
        certificate["sum"][-1]["coefficient"] = "99/7"
        with pytest.raises(CertificateError):
            check(certificate)


def test_a_bound_next_to_a_short_fraction_is_found() -> None:
    # 1/log2(2^100 + 1) lies within 2^-113 of 1/100.
    value = 100 * y(2**100 + 1) + a / 10**40 - 1
    assert check(certify(value)) == value.sign() == -1


def test_long_forms_and_near_ties() -> None:
    first = [36, 32, 18, 6, 35, 36, 0, 3, 36, 27]
    second = [32, 35, 36, 18, 3, 0, 36, 27, 6, 36]
    long = [Linear.weighted([(n * k) % 11 for n in range(300)], range(2, 302)) for k in (3, 4, 5, 7)]
    for value in (
        Linear.weighted(first, range(2, 12)) - Linear.weighted(second, range(2, 12)),
        1 - Linear.weighted([2**60 - 1, 0, 1], [2, 3, 4]) / Linear.weighted([2**60 - 1, 1, 0], [2, 3, 4]),
        long[0] / long[1] - long[2] / long[3],
        Linear.weighted([2**20000, 1, 3], [2, 3, 5]) - 2**20000 - 2 * a,
    ):
        assert check(certify(value)) == value.sign()


def test_few_bounds_are_as_simple_as_they_come() -> None:
    assert certify(3 * a - 2)["bounds"] == [{"b": 3, "upper": "2/3", "upper_powers": "2^3 < 3^2"}]
    assert certify(2 * a - Fraction(1, 2))["bounds"] == [{"b": 3, "lower": "1/4", "lower_powers": "3 < 2^4"}]
    assert certify(1 + a)["bounds"] == []


@pytest.mark.parametrize(
    "text", ["(-3/2 + 2a)/(4 + 2a)", "(5/2 - 3a)/(4 + 2a)", "(13/2 - 9a)/(11 + 4a)", "(3a - 2)/(a + 5)"]
)
def test_the_zero_of_a_denominator_is_no_bound(text: str) -> None:
    value = parse(text)
    assert check(certify(value)) == value.sign()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3 * a - 2, "because a < 2/3, because 2^3 < 3^2"),
        (2 * a - Fraction(1, 2), "because a > 1/4, because 3 < 2^4"),
        (1 + a, "because every term has that sign"),
        (a - a, "because both sides are the same expression"),
        (3 * a - 4, "because a < 1, because 2 < 3"),
        ((1 - a) / (3 + 2 * a), "because a < 1, because 2 < 3, and every discount is positive"),
        (a / (1 + a), "because every discount is positive"),
        (a / (1 + a) + y(5), "because every discount is positive"),
        (
            (Fraction(7, 2) + 2 * a) / (4 + 2 * a) - 4 / (3 + 2 * a),
            "because a > 5/8 (3^5 < 2^8) and a < 2/3 (2^3 < 3^2)",
        ),
        (a - y(5), "because a > 1/2 (3 < 2^2) and 1/log2(5) < 1/2 (2^2 < 5)"),
        (Linear({2: 3}, scale="e"), "because log2(e) > 0, because 1 < e"),
        (Linear({3: 3}, scale="3/2"), "because log2(3/2) > 0, because 1 < 3/2, and every discount is positive"),
        (Linear({2: -1, 3: 1}, scale="e"), "because a < 1 (2 < 3) and log2(e) > 0 (1 < e)"),
        (y(100_003), "because every term has that sign"),
        (y(100_003) - y(100_005), "by 2 rational bounds on 1/log2(b), each checked with whole numbers"),
        (a - CLOSE, "by a rational bound on 1/log2(b), checked with whole numbers"),
        (
            (a - CLOSE) / (1 + y(5)),
            "by a rational bound on 1/log2(b), checked with whole numbers and because every discount is positive",
        ),
        (a / (1 + a) - y(6), "because 2 * 3 = 6 and every discount is positive, so both sides are one number"),
        (RELATION, "because 2 * 3 = 6, so both sides are one number"),
        (RELATION / (1 - a), "because 2 * 3 = 6 and a < 1 (2 < 3), so both sides are one number"),
        (
            sum((y(p) * y(2 * p) + y(2 * p) - y(p) for p in PRIMES), Linear()),
            "by 9 identities of whole powers, each checked with whole numbers, so both sides are one number",
        ),
        (
            a * (1 + a) / (1 + y(5)) - a / (1 + y(5)) - a * a / (1 + y(5)),
            "because every discount is positive and nothing is left when all is multiplied out",
        ),
        (
            Linear.weighted([(-1) ** n for n in range(40)], range(2, 42)),
            "by 31 rational bounds on 1/log2(b), each checked with whole numbers",
        ),
    ],
)
def test_what_a_certificate_says_in_words(value: Exact, text: str) -> None:
    assert sentence(certify(value)) == text


# Changed certificates: refused, or still true.


def places(thing: JSON, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each number, text and flag."""
    if isinstance(thing, dict | list):
        for key, inner in thing.items() if isinstance(thing, dict) else enumerate(thing):
            yield from places(inner, (*path, key))
    else:
        yield path


def changed(certificate: JSON, path: tuple[Any, ...], n: int) -> JSON:
    twin = copy.deepcopy(certificate)
    holder = reduce(lambda inner, key: inner[key], path[:-1], twin)
    old = holder[path[-1]]
    if isinstance(old, bool):
        new: JSON = not old
    elif isinstance(old, int):
        new = old + n
    elif re.search(r"\d", old) and path[-1] != "schema":
        new = re.sub(r"\d+", lambda digits: str(abs(int(digits[0]) + n)), old, count=1 + n % 2)
    else:
        new = old + "x"
    holder[path[-1]] = new
    return twin


@settings(max_examples=100)
@given(st.one_of(values, st.sampled_from(ZEROS)), st.data(), st.integers(-3, 3).filter(bool))
def test_a_changed_certificate_is_refused_or_still_true(value: Exact, data: st.DataObject, n: int) -> None:
    certificate = json.loads(json.dumps(certify(value)))
    twin = changed(certificate, data.draw(st.sampled_from(sorted(places(certificate), key=repr))), n)
    try:
        sign = check(twin)
    except CertificateError:
        return
    assert sign == twin["sign"]
    assert claim_is_true(twin)
    for bound in twin["bounds"]:
        for side in {"lower", "upper"} & set(bound):
            with precision(1000):
                number = form_ball({bound["b"]: 1})
                margin = (number - form_ball({2: Fraction(bound[side])})) * (1 if side == "lower" else -1)
                assert margin > 0
            if powers := bound.get(f"{side}_powers"):
                left, right = (int(b) ** int(e or 1) for b, e in re.findall(r"(\d+)\^?(\d*)", powers))
                assert left < right


def test_the_opposite_sign_is_refused() -> None:
    for value in (3 * a - 2, a, a / (1 + a) - y(6), a / (1 + a) - y(5)):
        certificate = certify(value)
        for sign in {-1, 0, 1} - {certificate["sign"]}:
            with pytest.raises(CertificateError):
                check({**certificate, "sign": sign})


# Certificates written by hand.


def form(*terms: tuple[int, str], power: int = 1) -> JSON:
    return {"terms": [list(term) for term in terms], "power": power}


def claim(*products: list[JSON], sign: JSON = 0, **more: JSON) -> JSON:
    """A sum of products of factors, each with coefficient 1."""
    entries = [{"coefficient": "1", "factors": factors} for factors in products]
    return {"schema": SCHEMA, "sum": entries, "sign": sign, **more}


A, Y5 = form((3, "1")), form((5, "1"))


@pytest.mark.parametrize(
    "relation",
    [
        {"b": 3, "d": 5, "m": 3, "powers": [1, 0, 1]},
        {"b": 3, "d": 5, "m": 5, "powers": [0, 1, 1]},
        {"b": 5, "d": 3, "m": 3, "powers": [0, 1, 1]},
    ],
)
def test_an_identity_that_names_one_base_twice_removes_nothing(relation: JSON) -> None:
    with pytest.raises(CertificateError, match="something is left"):
        check(claim([A, Y5], relations=[relation]))


def test_a_false_identity_is_refused() -> None:
    with pytest.raises(CertificateError, match=r"2\^1 is not 3\^1 5\^1"):
        check(claim([A, Y5], relations=[{"b": 3, "d": 5, "m": 2, "powers": [1, 1, 1]}]))


def test_a_denominator_that_may_be_zero_is_refused() -> None:
    zero = form((3, "1"), (9, "-2"), power=-1)  # y_9 is a/2
    with pytest.raises(CertificateError, match="denominator differs from 0"):
        check(claim([form((3, "0")), zero]))
    with pytest.raises(CertificateError, match="do not show"):
        check(claim([A, zero], sign=1))


def test_a_series_proves_what_powers_do_not() -> None:
    bound = {"b": 3, "lower": str(CLOSE)}
    assert check(claim([form((2, str(-CLOSE)), (3, "1"))], sign=1, bounds=[bound])) == 1
    for wrong in each({"b": 3, "lower": str(CLOSE + Fraction(1, 10**49))}, {"b": 3, "upper": str(CLOSE)}):
        with pytest.raises(CertificateError, match=r"is not (below|above)"):
            check(claim([form((2, str(-CLOSE)), (3, "1"))], sign=1, bounds=[wrong]))


def test_a_discount_is_known_to_lie_between_0_and_1_and_the_sentence_says_so() -> None:
    one_less = claim([form((2, "1"), (5, "-1"))], sign=1)
    assert check(claim([Y5, form((3, "1"), power=-3)], sign=1)) == 1
    assert check(claim([{"log2": "10", "power": 1}, A], sign=1)) == 1
    for bounds in ([], [{"b": 5, "upper": "1", "upper_powers": "2 < 5"}]):
        assert check({**one_less, "bounds": bounds}) == 1
        assert sentence({**one_less, "bounds": bounds}) == "because 1/log2(5) < 1, because 2 < 5"
    assert certify(1 - y(5))["bounds"] == [{"b": 5, "upper": "1", "upper_powers": "2 < 5"}]
    with pytest.raises(CertificateError, match="do not show the sign 1"):
        check(claim([form((3, "1"), (5, "-1"))], sign=1))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "sums",
    [
        [[form((3, "0"))]],
        [[form((2, "0"))]],
        [[form((3, "0"), (5, "0"))], [form((3, "0"))]],
        [[form((3, "0"), power=-1)]],
        [[A, form((5, "0"))]],
        [],
    ],
)
def test_zero_is_neither_above_nor_below_zero(sums: list[list[JSON]], sign: int) -> None:
    with pytest.raises(CertificateError, match="do not show"):
        check(claim(*sums, sign=sign))


def test_an_entry_times_zero_shows_no_sign() -> None:
    nothing: JSON = {"schema": SCHEMA, "sum": [{"coefficient": "0", "factors": [A]}], "sign": 1}
    with pytest.raises(CertificateError, match="do not show"):
        check(nothing)
    with pytest.raises(CertificateError, match="do not show"):
        check({**nothing, "sum": [*nothing["sum"], {"coefficient": "0", "factors": []}]})


@pytest.mark.parametrize(
    ("bounds", "cause"),
    [
        ([{"b": 3, "upper": "2/3"}, {"b": 3, "upper": "7/10"}], r"two bounds stand on 1/log2\(3\)"),
        ([{"b": 3, "upper": "2/3"}, {"b": 3, "lower": "1/2"}], r"two bounds stand on 1/log2\(3\)"),
        ([{"b": 3, "upper": "2/3"}, {"b": 3}], r"two bounds stand on 1/log2\(3\)"),
        ([{"b": 2, "upper": "2/3"}], "needs no bound"),
        ([{"b": 3, "lower": "0"}], "is not positive"),
        ([{"b": 3, "lower": "-1/2"}], "is not positive"),
        ([{"b": 3, "upper": "2/3", "upper_powers": "2^3 < 3^3"}], "is not why"),
    ],
)
def test_bounds_that_are_refused(bounds: JSON, cause: str) -> None:
    with pytest.raises(CertificateError, match=cause):
        check(claim([form((2, "-2"), (3, "3"))], sign=-1, bounds=bounds))


def test_a_scale_stands_in_every_entry_or_in_none() -> None:
    with pytest.raises(CertificateError, match="in one entry and not in another"):
        check(claim([{"log2": "e", "power": 1}], [A], sign=1))


def each(*things: JSON) -> list[JSON]:
    return list(things)


POSITIVE = claim([A], sign=1)
NESTED: JSON = []
for _ in range(100_000):
    NESTED = [NESTED]
LONG = "9" * 4_000
PRIME = 2**61 - 1
HOSTILE: list[JSON] = [
    None,
    [],
    "certificate",
    7,
    {},
    NESTED,
    {**POSITIVE, "schema": "ndcg-lab/certificate/2"},
    {**POSITIVE, "schema": NESTED},
    *({**POSITIVE, "sign": sign} for sign in each(True, 1.0, "1", None, 2, NESTED)),
    *({key: value for key, value in POSITIVE.items() if key != missing} for missing in POSITIVE),
    *({**POSITIVE, "sum": wrong} for wrong in each(None, 3, "sum", {"a": 1}, [None], [[]], [{}], NESTED, [NESTED])),
    *(
        {**POSITIVE, "sum": [{"coefficient": wrong, "factors": [A]}]}
        for wrong in each(
            "1/0",
            "1/-2",
            "-1/-2",
            "",
            "/",
            "1/",
            "1e9",
            "1.5",
            "0x1",
            " 1",
            "1_0",
            "١",
            "nan",
            1,
            True,
            NESTED,
        )
    ),
    *(
        claim([wrong], sign=1)
        for wrong in each(
            None,
            {},
            {"power": 1},
            {"terms": []},
            {"terms": [], "power": 1},
            {"terms": [[3]], "power": 1},
            {"terms": [[3, "1", "2"]], "power": 1},
            {"terms": [[3, "1"], [3, "1"]], "power": 1},
            {"terms": [[True, "1"]], "power": 1},
            {"terms": [[3.0, "1"]], "power": 1},
            {"terms": [["3", "1"]], "power": 1},
            {"terms": [[1, "1"]], "power": 1},
            {"terms": [[0, "1"]], "power": 1},
            {"terms": [[-3, "1"]], "power": 1},
            {"terms": [[3, 1]], "power": 1},
            {"terms": NESTED, "power": 1},
            {"terms": [[2**20_000, "1"]], "power": 1},
            *(
                {"terms": [[3, "1"]], "power": power}
                for power in each(0, True, 1.0, "1", None, 10**9, -(10**9), 10**5000)
            ),
            *({"log2": base, "power": 1} for base in each("1", "1/2", "0", "-2", "E", "", 10, None, True, [], NESTED)),
        )
    ),
    claim([form((3, "1"), (5, "-1"), power=64)] * 2, sign=1),
    claim([form((3, "1"), (5, "-1"))] * 100, sign=1),
    *(
        claim([form((3, "1"), (5, "-1"))], sign=1, bounds=wrong)
        for wrong in each(
            None,
            3,
            [None],
            [{}],
            {"b": 3},
            NESTED,
            [{"b": True, "lower": "1/2"}],
            [{"b": 3.0, "lower": "1/2"}],
            [{"b": NESTED, "lower": "1/2"}],
            [{"b": 3, "lower": NESTED}],
            [{"b": 3, "lower": 0.5}],
            [{"b": 3, "lower": "1/2", "lower_powers": "1 < 2"}],
            [{"b": 3, "lower": "1/2", "lower_powers": NESTED}],
            [{"b": 3, "lower": f"{LONG}/{LONG}1"}],
            [{"b": 3, "lower": f"1/{LONG}"}] * 1000,
            [{"b": 2**9_999 + 1, "upper": f"1/{LONG}"}] * 1000,
            [{"b": n, "lower": f"63{LONG}/100{LONG}"} for n in range(3, 1000)],
            [{"log2": "1/2", "upper": "5"}],
            [{"log2": "1", "upper": "5"}],
            [{"log2": 3, "upper": "5"}],
            [{"log2": "10"}],
            [{"log2": f"{LONG}/{LONG[1:]}8", "upper": "5"}] * 1000,
            [{"log2": f"{LONG}1/{LONG}0", "upper": "5", "lower": f"1/{LONG}"}],
        )
    ),
    *({**claim([A, Y5]), "common": common} for common in each(1, None, "true", NESTED)),
    {**claim([A, Y5]), "expanded": 1},
    *(
        claim([A, Y5], relations=wrong)
        for wrong in each(
            None,
            5,
            [5],
            [{}],
            [{"b": 3, "d": 5, "m": 15}],
            NESTED,
            *(
                [{"b": 3, "d": 5, "m": 15, "powers": powers}]
                for powers in each(
                    None,
                    1,
                    [],
                    [1, 1],
                    [1, 1, 0],
                    [1, 1, True],
                    [1.0, 1, 1],
                    "111",
                    NESTED,
                    [10**9, 10**9, 1],
                )
            ),
            [{"b": 2**9_000, "d": 3, "m": 2, "powers": [1_000, 0, 9_000_000]}],
            [{"b": 3, "d": 5, "m": 15, "powers": [1, 1, 1]}] * 100_000,
        )
    ),
    # Large to multiply out, and to expand over logarithms without common factors.
    claim(*[[form(*((b, "1") for b in range(3, 60)), power=8)]]),
    claim([form((PRIME * 3, "1"), (PRIME * 5, "1"), (15, "-1"), power=3), form((7, "1"))]),
    claim(*([form((3, "1"), (b, "1"), power=-1)] for b in range(5, 400)), common=True),
    claim([form((3, "1"), (9, "-2"), power=-1)] * 50),
]


@pytest.mark.parametrize("certificate", HOSTILE, ids=[str(n) for n in range(len(HOSTILE))])
def test_a_hostile_certificate_ends_in_a_certificate_error(certificate: JSON) -> None:
    with pytest.raises(CertificateError):
        check(certificate)


def test_a_bound_that_is_the_number_itself_is_none() -> None:
    for side in ("lower", "upper"):  # 1/log2(4) is 1/2
        with pytest.raises(CertificateError, match=r"is not (below|above) 1/log2\(4\)"):
            check(claim([form((2, "1"), (4, "1"))], sign=1, bounds=[{"b": 4, side: "1/2"}]))


def entries(*products: tuple[str, list[JSON]]) -> JSON:
    return [{"coefficient": q, "factors": factors} for q, factors in products]


@pytest.mark.parametrize(
    ("products", "proved"),
    [
        # a > 1/2 and a < 2/3, so each sum is what it is, and no share of it counts twice or not at all
        ([("1", [A]), ("-1/2", [])], True),
        ([("1", [A]), ("-51/100", [])], False),
        ([("1/3", [A]), ("-1/6", [])], True),
        ([("1/3", [A]), ("-17/100", [])], False),
        ([("-1", [A]), ("2/3", [])], True),
        ([("-1", [A]), ("66/100", [])], False),
        ([("-1/3", [A]), ("2/9", [])], True),
        ([("-1/3", [A]), ("22/100", [])], False),
        ([("1", [form((3, "1"), power=2)]), ("-1/4", [])], True),
        ([("1", [form((3, "1"), power=2)]), ("-26/100", [])], False),
        ([("-1", [form((3, "1"), power=2)]), ("4/9", [])], True),
        ([("-1", [form((3, "1"), power=2)]), ("44/100", [])], False),
        ([("1", [form((3, "1"), power=-1)]), ("-3/2", [])], True),
        ([("1", [form((3, "1"), power=-1)]), ("-151/100", [])], False),
        ([("-1", [form((3, "1"), power=-1)]), ("2", [])], True),
        ([("-1", [form((3, "1"), power=-1)]), ("199/100", [])], False),
        ([("-1", [form((3, "-1"), power=-3)]), ("-27/8", [])], True),
        ([("-1", [form((3, "-1"), power=-3)]), ("-34/10", [])], False),
        ([("1", [form((3, "-1"), power=-3)]), ("8", [])], True),
        ([("1", [form((3, "-1"), power=-3)]), ("79/10", [])], False),
        ([("1", [form((3, "-2"), (2, "1")), A]), ("2/9", [])], True),
        ([("1", [form((3, "-2"), (2, "1")), A]), ("22/100", [])], False),
        ([("1", [form((3, "1"), (2, "-1/2"), power=-1)]), ("-6", [])], True),
        ([("1", [form((3, "1"), (2, "-1/2"), power=-1)]), ("-601/100", [])], False),
        ([("-1", [form((3, "1"), (2, "-1/2"), power=-1)]), ("1000", [])], False),
        ([("0", [A]), ("1", [])], True),
        ([("0", [A, form((5, "1"), power=-1)]), ("1", [])], True),
    ],
)
@pytest.mark.parametrize("more", [0, 20])
def test_what_an_entry_is_at_least(products: list[tuple[str, list[JSON]]], proved: bool, more: int) -> None:
    bounds = [{"b": 3, "lower": "1/2", "upper": "2/3"}]
    # Past 16 entries each is rounded down, so that what just holds no longer shows.
    some: list[tuple[str, list[JSON]]] = [("1/1000000000", [])] * more
    certificate = {"schema": SCHEMA, "sum": entries(*products, *some), "sign": 1, "bounds": bounds}
    turned = {**certificate, "sum": entries(*((_minus(q), f) for q, f in [*products, *some])), "sign": -1}
    for one in (certificate, turned):
        if proved:
            assert check(one) == one["sign"]
        else:
            with pytest.raises(CertificateError, match="do not show the sign"):
                check(one)


def _minus(q: str) -> str:
    return q[1:] if q.startswith("-") else f"-{q}"


def test_limits_are_where_they_are_said_to_be() -> None:
    assert check(claim([form((2**1_024 - 1, "1"))], sign=1)) == 1
    with pytest.raises(CertificateError, match="1,024 bits at most"):
        check(claim([form((2**1_024, "1"))], sign=1))
    for exponent, cause in ((5_000, "something is left"), (5_001, "more than 10,000 bits")):
        powers = [0, exponent, exponent]
        for places in ((0, 1, 2), (1, 0, 2)):
            relation = {"b": 2, "d": 2, "m": 2, "powers": [powers[place] for place in places]}
            with pytest.raises(CertificateError, match=cause):
                check(claim([A], relations=[relation]))


def test_long_numbers_are_read_digit_by_digit() -> None:
    long, root = "1" + "0" * 9_000, "1" + "0" * 4_500
    entries = [{"coefficient": f"-{long}", "factors": []}, {"coefficient": "1", "factors": [form((2, root), power=2)]}]
    assert check({"schema": SCHEMA, "sum": entries, "sign": 0}) == 0
    with pytest.raises(CertificateError, match="something is left"):
        check({"schema": SCHEMA, "sum": [{**entries[0], "coefficient": f"-{long[:-1]}1"}, entries[1]], "sign": 0})


@pytest.mark.parametrize("bits", [64, 128, 320, 1_024])
def test_the_series_encloses_the_logarithm(bits: int) -> None:
    for n in (2, 3, 5, 6, 7, 31, 33, 1_000_003, 2**64 - 1, 2**64 + 1, 3**600):
        low, high = checker._log(n, bits, {})
        with precision(4 * bits):
            number = form_ball({2: 1}, str(n)) * arb(2).log() * arb(2) ** bits
            assert low < number < high
        assert high - low < 8 * bits * n.bit_length()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["1", "2/3", 3, 2]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=100)
@given(st.one_of(values, st.sampled_from(ZEROS)), st.data(), json_values)
def test_anything_in_the_place_of_anything_ends_in_a_certificate_error_or_in_the_truth(
    value: Exact, data: st.DataObject, thing: JSON
) -> None:
    twin = json.loads(json.dumps(certify(value)))
    path = data.draw(st.sampled_from(sorted(places(twin), key=repr)))
    path = path[: data.draw(st.integers(1, len(path)))]
    reduce(lambda inner, key: inner[key], path[:-1], twin)[path[-1]] = thing
    try:
        check(twin)
    except CertificateError:
        return
    assert claim_is_true(twin)


# What the checker rests on.


def test_the_checker_imports_nothing_of_this_library_but_its_error() -> None:
    tree = ast.parse((ROOT / "ndcg_lab" / "certificates" / "checker.py").read_text(encoding="utf-8"))
    typing_only = {
        node
        for block in tree.body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    imported = {
        name
        for node in set(ast.walk(tree)) - typing_only
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }
    assert imported == {
        "__future__",
        "fractions",
        "math",
        "ndcg_lab.errors",
        "re",
        "reprlib",
        "typing",
    }


def test_the_checker_uses_no_float() -> None:
    tree = ast.parse((ROOT / "ndcg_lab" / "certificates" / "checker.py").read_text(encoding="utf-8"))
    constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert not any(isinstance(constant, float) for constant in constants)
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert not {call for call in calls if call == "float" or call.startswith("math.")} - {"math.isqrt", "math.prod"}


@pytest.mark.parametrize("value", [0.5, "a", None, Fraction(1, 2)])
def test_only_exact_values_are_certified(value: Any) -> None:
    with pytest.raises(WrongKind, match="`value` can't be"):
        certify(value)
    with pytest.raises(CertificateError, match="KeyError 'sign'"):
        sentence({"schema": SCHEMA})
