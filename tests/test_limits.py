"""Absurd sizes: each works, or is refused at once by one short message that names the limit and how to change it."""

from __future__ import annotations

import itertools
import json
import os
import pickle
import subprocess
import sys
from decimal import Decimal, FloatOperation, localcontext
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import ndcg_lab
from ndcg_lab import (
    Contract,
    Evaluation,
    Judgments,
    Ranking,
    Report,
    compare,
    evaluate,
    evaluate_run,
    explain,
    family,
    identify,
    parse,
    parse_measure,
    verify,
    y,
)
from ndcg_lab.errors import MESSAGE, ContractError, NdcgLabError, TooManyOutcomes
from ndcg_lab.json_text import load
from ndcg_lab.limits import LIMITS, describe
from ndcg_lab.measure.outcomes import tie_distribution
from ndcg_lab.measure.rules import parse_discount
from tests.support import ROOT, work

if TYPE_CHECKING:
    from collections.abc import Callable

HUGE = 10**4_500  # more digits than Python prints unasked
LINEAR = Contract(gain="linear", k=3)


def test_the_page_lists_the_limits() -> None:
    assert describe() in (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")


def test_a_limit_is_changed_by_the_environment() -> None:
    code = "from ndcg_lab import parse; print(parse('7*7*7'))"
    refused, done = (
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "NDCG_LAB_LIMITS": f"FACTORS={most}"},
            capture_output=True,
            text=True,
            check=False,
        )
        for most in (2, 3)
    )
    assert "at most 2 (NDCG_LAB_LIMITS=FACTORS=N changes this)" in refused.stderr
    assert done.stdout == "343\n"


@pytest.mark.parametrize("text", ["FACTOR=2", "FACTORS", "FACTORS=-1", "FACTORS=1e9"])
def test_a_limit_that_is_none_is_one_line(text: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "ndcg_lab", "conventions"],
        env={**os.environ, "NDCG_LAB_LIMITS": text},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("ndcg-lab: NDCG_LAB_LIMITS ")
    assert ended.stderr.count("\n") == 1


# --- numbers of thousands of digits work --------------------------------------------------


def _evaluation(grade: object = HUGE) -> Evaluation:
    return evaluate(LINEAR, Ranking(["B", "A"]), Judgments({"A": grade, "B": 1}))


def _report(grade: object = HUGE, **settings: Any) -> Report:
    qrels = {"q": Judgments({"A": grade, "B": 1})}
    return evaluate_run(LINEAR, {"q": Ranking.from_scores({"B": 2 * HUGE, "A": "1e4500"})}, qrels, **settings)


WORKING: dict[str, Callable[[], object]] = {
    "exponential gain": lambda: evaluate(
        Contract(gain="exponential", k=3), Ranking(["B", "A"]), Judgments({"A": 130_000, "B": 1})
    ).to_json(),
    "JSON of an evaluation": lambda: json.dumps(_evaluation().to_json()),
    "an evaluation's HTML": lambda: _evaluation()._repr_html_(),
    "an evaluation's frame": lambda: str(_evaluation().to_frame()),
    "the text of a value": lambda: str(_evaluation().ndcg),
    "judgments' repr": lambda: repr(Judgments({"A": HUGE, "B": Fraction(HUGE, 7)}, scale=[HUGE, Fraction(HUGE, 7)])),
    "scores": lambda: repr(Ranking.from_scores({"A": HUGE, "B": "1e4500", "C": Fraction(1, HUGE), "D": Decimal(1)})),
    "a threshold": lambda: repr(Contract(gain="binary:1e4500", k=3)),
    "a table": lambda: repr(Contract(gain={0: 0, HUGE: HUGE}, k=3)),
    "JSON of a report": lambda: json.dumps(_report().to_json()),
    "a report's CSV": lambda: _report(weights={"q": HUGE}).to_csv(everything=True, settings=True),
    "a report's frame": lambda: str(_report(weights={"q": HUGE}).to_frame()),
    "a report's HTML": lambda: _report(weights={"q": HUGE})._repr_html_(),
    "explain": lambda: json.dumps(explain(_report(), _report(3)).to_json()),
    "explain's HTML": lambda: explain(_report(), _report(3))._repr_html_(),
    "compare": lambda: json.dumps(compare(_report(), _report()).to_json()),
    "compare's text": lambda: str(compare(_evaluation(), _evaluation())),
    "identify": lambda: identify(Ranking(["B", "A"]), Judgments({"A": HUGE, "B": 1}), reported="0.5").to_json(),
}


@pytest.mark.parametrize("name", WORKING)
def test_long_numbers_work_at_pythons_strictest(name: str) -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert WORKING[name]()
    finally:
        sys.set_int_max_str_digits(before)


def test_long_numbers_come_back() -> None:
    judgments = Judgments({"A": HUGE + 1, "B": Fraction(HUGE + 1, 3)}, scale=[HUGE + 1, Fraction(HUGE + 1, 3)])
    assert eval(repr(judgments), {"Judgments": Judgments}) == judgments  # noqa: S307 - its own repr
    assert Judgments(judgments.to_json()["judgments"], scale=judgments.to_json()["scale"]) == judgments
    ranking = Ranking.from_scores({"A": HUGE + 1, "B": Fraction(1, HUGE + 1)})
    assert eval(repr(ranking), {"Ranking": Ranking}) == ranking  # noqa: S307


def test_a_report_of_long_numbers_verifies() -> None:
    report = _report(weights={"q": Fraction(HUGE, 7)})
    assert verify(json.dumps(report.to_json())) == []


PLACES: tuple[tuple[object, ...], ...] = (
    ("queries", 0, "judgments", "A"),
    ("queries", 0, "weight"),
    ("queries", 0, "scale"),
    ("queries", 0, "ranking", 0, "score"),
    ("queries", 0, "dcg", "terms", 0, 1),
    ("queries", 0, "dcg", "terms", 0, 0),
    ("queries", 0, "rows", 0, "rank"),
    ("queries", 0, "mean"),
    ("contract", "k"),
    ("contract", "gain"),
    ("contract", "round_to"),
    ("mean", "ndcg", "float"),
    ("mean", "ndcg", "decimal"),
    ("base",),
)


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("place", PLACES, ids=lambda place: ".".join(map(str, place)))
@pytest.mark.parametrize(
    "value",
    [
        "1e4500",
        "1" * 5_000,
        "1" * 200_000,
        [HUGE],
        HUGE,
        _nested(450),
        _nested(5_000),
        {"x": _nested(90)},
        "binary:1e4500",
    ],
    ids=[
        "1e4500",
        "5,000 digits",
        "200,000 digits",
        "a list",
        "a number",
        "450 deep",
        "5,000 deep",
        "90 deep",
        "binary",
    ],
)
def test_verify_tells_what_it_finds(place: tuple[Any, ...], value: object) -> None:
    record = json.loads(json.dumps(_report(3).to_json()))
    inner = record
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    told = [str(fault) for fault in verify(record)]
    # The weight of a query alone, and a score that keeps the order, may be any number: the report has no other.
    assert told or (place[-1] in {"weight", "score"} and value == "1" * 5_000)
    assert max(map(len, told), default=0) <= MESSAGE


@pytest.mark.parametrize("depth", [101, 450, 1_000, 100_000])
@pytest.mark.parametrize("brackets", ["[]", ('{"a":', "}")])
def test_nested_json_is_refused(depth: int, brackets: tuple[str, str]) -> None:
    opened, closed = brackets
    with pytest.raises(NdcgLabError, match=r"nested too deeply.*at most 100"):
        load(opened * depth + "1" + closed * depth)


# --- absurd sizes are refused --------------------------------------------------------------

MANY = [f"d{place}" for place in range(10_000)]

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a base": (lambda: y(10**5_000), "BASE_BITS"),
    "digits": (lambda: y(3).decimal(10**7), "DIGITS"),
    "digits beyond the precision": (lambda: y(3).decimal(10**5), "PRECISION"),
    "places": (lambda: y(3).fixed(10**9), "DIGITS"),
    "bits": (lambda: y(3).enclosure(10**9), "PRECISION"),
    "rounding": (lambda: round(y(3), 10**9), "DIGITS"),
    "a table": (lambda: Contract(gain={grade: grade for grade in range(10**6)}, k=3), "TABLE"),
    "a table as text": (lambda: Contract(gain=",".join(f"{g}={g}" for g in range(10_001)), k=3), "TABLE"),
    "a cutoff": (lambda: Contract(gain="linear", k=10**4_999), "CUTOFF"),
    "a cutoff as text": (lambda: Contract(gain="linear", k=_text("1" + "0" * 4_999)), "CUTOFF"),
    "decimals": (lambda: Contract(gain="linear", k=3, round_to=10**9), "DECIMALS"),
    "characters": (lambda: parse(" + ".join(f"{b}/log2({b})" for b in range(2, 500_002))), "CHARACTERS"),
    "factors": (lambda: parse("*".join(["7"] * 150_000)), "FACTORS"),
    "sums multiplied": (lambda: parse("*".join(f"(1/(1+{i}a)+1/({i}+a))" for i in range(2, 40))), "TERMS"),
    "brackets": (lambda: parse("(" * 100_000), "BRACKETS"),
    "a number's digits": (lambda: parse("1" * 1_000_000), "DIGITS"),
    "an exponent": (lambda: Judgments({"A": "1e999999999"}), "EXPONENT"),
    "a gain": (lambda: _evaluation("9" * 90_000), "GAIN_BITS"),
    "a power": (
        lambda: evaluate(Contract(gain="exponential", k=3), Ranking(["A"]), Judgments({"A": 10**9})),
        "GAIN_BITS",
    ),
    "a geometric sum": (
        lambda: parse_discount("geometric:9/10").total([1] * 100_000),
        "GAIN_BITS",
    ),
    "geometric rows": (
        lambda: (
            evaluate(
                Contract(gain="linear", k="all", discount="geometric:9/10"),
                Ranking(MANY),
                Judgments(dict.fromkeys(MANY, 1)),
            ).rows
        ),
        "ROW_BITS",
    ),
    "long rows": (
        lambda: evaluate(
            Contract(gain="linear", k="all", discount="geometric:9/10"),
            Ranking(MANY[:4_000]),
            Judgments(dict.fromkeys(MANY[:4_000], 10**900)),
        ).to_json(),
        "ROWS_WORK",
    ),
    "a measure": (lambda: parse_measure("nDCG@" + "1" * 5_000), "MEASURE"),
    "a measure's cutoff": (lambda: parse_measure("nDCG@99999999999"), "MEASURE_CUTOFF"),
    "ERR": (lambda: family.err(Ranking(["A"]), Judgments({"A": 1}), k=1, max_grade=HUGE), "ERR_GRADE"),
    "a number to identify": (
        lambda: identify(Ranking(["A"]), Judgments({"A": 1}), reported="0." + "5" * 5_000),
        "IDENTIFY_DIGITS",
    ),
    "JSON's numbers": (lambda: Contract.from_json('{"gain": "linear", "k": ' + "1" * 5_000 + "}"), "JSON_DIGITS"),
    "outcomes": (lambda: _tied(range(10_000), k=10).outcomes(), "OUTCOMES"),
    "a proof for Coq": (lambda: compare(_evaluation(), _evaluation()).to_coq(), "COQ_BITS"),
}


def _text(digits: str) -> Any:
    return digits


def _tied(grades: Any, k: int) -> Evaluation:
    documents = [f"d{place}" for place in range(len(grades))]
    contract = Contract(gain="linear", k=k, ties="average")
    judgments = Judgments(dict(zip(documents, grades, strict=True)))
    return evaluate(contract, Ranking.from_scores(dict.fromkeys(documents, 1)), judgments)


@pytest.mark.parametrize("name", REFUSED)
def test_an_absurd_size_is_refused_by_its_limit(name: str) -> None:
    task, limit = REFUSED[name]
    with pytest.raises(NdcgLabError) as raised:
        task()
    assert len(str(raised.value)) <= MESSAGE
    assert f"(NDCG_LAB_LIMITS={limit}=N changes this)" in str(raised.value)


def test_every_limit_on_input_is_met_by_a_test() -> None:
    elsewhere = {"ALGEBRA_BASES", "PRODUCTS", "COQ_RANKS", "COQ_DOCUMENTS", "JSON_DEPTH", "WORKBENCH_ROWS"}
    assert set(LIMITS) - elsewhere == {limit for _, limit in REFUSED.values()}


LONG = "x" * 100_000

MESSAGES: dict[str, Callable[[], object]] = {
    "a document": lambda: evaluate(LINEAR, Ranking([LONG]), Judgments({"B": 1})),
    "tied documents": lambda: evaluate(
        LINEAR, Ranking.from_scores({LONG + d: 1 for d in "AB"}), Judgments({LONG + d: ord(d) for d in "AB"})
    ),
    "a missing gain": lambda: evaluate(
        Contract(gain=",".join(f"{grade}={grade}" for grade in range(9_999)), k=3),
        Ranking(["A"]),
        Judgments({"A": 10_000}),
    ),
    "a gain": lambda: Contract(gain=LONG, k=3),
    "a field": lambda: Contract(gain="linear", k=3, **{LONG: 1}),  # type: ignore[arg-type]
    "a scale": lambda: Judgments({"A": HUGE}, scale=range(100_000)),
    "a negative grade": lambda: evaluate(LINEAR, Ranking(["A"]), Judgments({"A": -HUGE})),
    "a negative gain": lambda: evaluate(Contract(gain={0: -HUGE}, k=3), Ranking(["A"]), Judgments({"A": 0})),
    "a convention": lambda: ndcg_lab.conventions[LONG],
    "a measure": lambda: parse_measure(LONG),
    "a value": lambda: parse(LONG),
    "a list of values": lambda: Judgments({"A": [HUGE] * 1_000}),
    "ERR's grade": lambda: family.err(Ranking(["A"]), Judgments({"A": HUGE}), k=1, max_grade=3),
    "a format": lambda: format(y(3), f".{LONG}f"),
    "a query": lambda: evaluate_run(LINEAR, {LONG: Ranking(["A"])}, {LONG: Judgments({"B": 1})}),
    "a weight": lambda: evaluate_run(LINEAR, {}, {}, weights={LONG: 1}),
    "a negative weight": lambda: evaluate_run(
        LINEAR, {"q": Ranking(["A"])}, {"q": Judgments({"A": 1})}, weights={"q": -HUGE}
    ),
    "a score": lambda: Ranking.from_scores({LONG: LONG}),
    "no document": lambda: Ranking([HUGE]),  # type: ignore[list-item]
    "two columns": lambda: evaluate_run(
        LINEAR,
        pd.DataFrame([["q", "A", 1, 2]], columns=["query", "document", "score", "score"]),
        pd.DataFrame([["q", "A", 1]], columns=["query", "document", "grade"]),
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_has_at_most_300_characters(name: str) -> None:
    with pytest.raises(NdcgLabError) as raised:
        MESSAGES[name]()
    assert 0 < len(str(raised.value)) <= MESSAGE


# --- in proportion --------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["reciprocal", "geometric:9/10", "geometric:1/2", "geometric:2/7", "none"])
def test_rational_discounts_add_up_to_what_they_do_one_by_one(rule: str) -> None:
    discount = parse_discount(rule)
    kinds: list[Any] = [0, 1, -2, Fraction(3, 7), 5]
    for length in range(20):
        gains = [kinds[(7 * place + length) % 5] for place in range(length)]
        base = Fraction(rule.partition(":")[2] or 1)
        worth = [Fraction(1, i) if rule == "reciprocal" else base ** (i - 1) for i in range(1, length + 1)]
        total = sum((gain * by_hand for gain, by_hand in zip(gains, worth, strict=True)), Fraction(0))
        assert discount.total(gains, 3) == total / 3


@pytest.mark.parametrize("rule", ["reciprocal", "geometric:9/10"])
def test_ten_thousand_documents_under_a_rational_discount(rule: str) -> None:
    contract = Contract(gain="linear", k="all", discount=rule)
    judgments = Judgments({document: place % 4 for place, document in enumerate(MANY)})
    assert work(lambda: evaluate(contract, Ranking(MANY), judgments)) < 200 * len(MANY)


def test_outcomes_of_all_that_tied() -> None:
    assert len(_tied(range(2_000), k=1).outcomes()) == 2_000
    assert len(_tied([1] * 10_000, k=10_000).outcomes()) == 1
    with pytest.raises(TooManyOutcomes):
        _tied(range(3_000), k=3_000).outcomes()


@pytest.mark.parametrize("gains", list(itertools.product([0, 1, 3], repeat=4)))
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_the_outcomes_of_a_group_against_every_order(gains: tuple[int, ...], ranks: int) -> None:
    for rule in ("none", "reciprocal"):
        discount = parse_discount(rule)
        worth = [Fraction(1, i) if rule == "reciprocal" else Fraction(1) for i in range(1, ranks + 1)]
        expected: dict[Fraction, Fraction] = {}
        orders = list(itertools.permutations(gains))
        for order in orders:
            total = sum(((g - min(gains)) * w for g, w in zip(order, worth, strict=False)), Fraction(0))
            expected[total] = expected.get(total, Fraction(0)) + Fraction(1, len(orders))
        found: dict[Fraction, Fraction] = {}
        for value, chance in tie_distribution(discount, range(1, ranks + 1), gains):
            found[value.as_fraction()] = found.get(value.as_fraction(), Fraction(0)) + chance
        assert found == expected


def test_many_outcomes_are_counted_without_a_list() -> None:
    assert comb(20, 10) > LIMITS["OUTCOMES"].value
    with pytest.raises(TooManyOutcomes):
        _tied([0, 1] * 10, k=20).outcomes()


# --- the rest of what was seen --------------------------------------------------------------


def test_identifications_pickle() -> None:
    judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    found = identify(Ranking(["B", "C", "A", "D"]), judgments, reported="0.80756")
    assert pickle.loads(pickle.dumps(found)).to_json() == found.to_json()  # noqa: S301 - made here


def test_a_decimal_context_that_traps_floats_changes_nothing() -> None:
    def ndcg() -> object:
        ranking = Ranking.from_scores({"A": 0.5, "B": Decimal("0.25"), "C": "0.1"})
        return evaluate(LINEAR, ranking, Judgments({"A": 1, "B": 2, "C": "2.7"})).ndcg

    expected = ndcg()
    with localcontext(prec=2) as context:
        context.traps[FloatOperation] = True
        assert ndcg() == expected


def test_a_setting_that_is_refused_for_its_size_is_named() -> None:
    with pytest.raises(ContractError) as raised:
        Contract(gain="linear", k=HUGE)
    assert raised.value.setting == "k"
