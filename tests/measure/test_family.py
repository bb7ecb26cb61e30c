"""The relatives of NDCG: values worked out by hand, conventions told apart, bad input refused."""

from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
import sympy

from ndcg_lab import Judgments, Ranking, family
from ndcg_lab.errors import (
    ContractError,
    DuplicateDocument,
    InvalidGrade,
    NdcgLabError,
    NegativeGrade,
    TiedScores,
    UndefinedValue,
    UnjudgedDocument,
    WrongKind,
)
from ndcg_lab.exact.undefined import Undefined
from tests.strangers import NO_NUMBERS

FOUR = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
X, Y = Ranking(["B", "C", "A", "D"]), Ranking(["A", "D", "B", "C"])
NONE = Judgments({"D": 0, "E": 0})


KEYWORDS: list[tuple[Any, dict[str, Any]]] = [
    (family.cg, {"k": 3}),
    (family.precision, {"k": 3, "relevant_from": 2}),
    (family.recall, {"k": 3, "relevant_from": 2, "over": "judged-at-k"}),
    (family.r_precision, {"relevant_from": 2}),
    (family.success, {"k": 3, "relevant_from": 3}),
    (family.judged, {"k": 3, "divide_by": "k"}),
    (family.reciprocal_rank, {"k": 3, "relevant_from": 3}),
    (family.average_precision, {"k": 3, "relevant_from": 2}),
    (family.err, {"k": 3, "max_grade": 4}),
    (family.rbp, {"k": 3, "persistence": "4/5", "relevant_from": 2}),
    (family.rbp, {"k": 3, "persistence": "4/5", "max_grade": 4}),
]


@pytest.mark.parametrize(("measure", "keywords"), KEYWORDS)
def test_whole_numbers_of_other_libraries_are_whole_numbers(measure: Any, keywords: dict[str, Any]) -> None:
    plain = measure(X, FOUR, **keywords)
    for name in keywords.keys() & {"k", "relevant_from", "max_grade"}:
        for kind in (np.int8, np.uint64, np.int64, sympy.Integer):
            found = measure(X, FOUR, **{**keywords, name: kind(keywords[name])})
            assert found == plain
            assert type(found.numerator) is int


@pytest.mark.parametrize("number", NO_NUMBERS, ids=lambda number: repr(number)[:40])
def test_what_is_no_number_is_refused_by_the_keyword(number: Any) -> None:
    for measure, keywords in KEYWORDS:
        names = keywords.keys() & {"k", "max_grade", "persistence", "relevant_from"}
        for name in names:
            with pytest.raises(NdcgLabError):
                measure(X, FOUR, **{**keywords, name: number})


def test_an_err_of_numpy_grades_and_highest_is_exact() -> None:
    grades = [1, 2, 3, 4] * 3 + [1, 2]
    names = [f"d{n}" for n in range(14)]
    plain = family.err(Ranking(names), Judgments(dict(zip(names, grades, strict=True))), k="all", max_grade=4)
    assert 0.3656 < plain < 0.3658
    for kind in (np.int8, np.int64, np.uint8, np.uint64):
        judgments = Judgments(dict(zip(names, map(kind, grades), strict=True)))
        assert family.err(Ranking(names), judgments, k="all", max_grade=kind(4)) == plain


def test_means_of_numpy_numbers_do_not_overflow() -> None:
    large: list[Any] = [np.int64(2**62)] * 4
    assert family.mean(large) == 2**62
    small: list[Any] = [np.uint8(200), np.uint8(100)]
    assert family.mean(small) == 150
    strangers: list[Any] = [True, 0.5, np.timedelta64(3, "D"), np.array([3]), None]
    for number in strangers:
        with pytest.raises(NdcgLabError):
            family.mean([Fraction(1), number])


def test_cumulative_gain_is_blind_to_order() -> None:
    assert {family.cg(Ranking([*order, "D"]), FOUR, k=3) for order in permutations("BCA")} == {7}
    assert {family.cg(Ranking([*order, "C"]), FOUR, k=3) for order in permutations("ADB")} == {5}


@pytest.mark.parametrize(
    ("measure", "arguments", "x", "y"),
    [
        (family.precision, {"k": 3, "relevant_from": 1}, Fraction(1), Fraction(2, 3)),
        (family.recall, {"k": 3, "relevant_from": 1}, Fraction(1), Fraction(2, 3)),
        (family.precision, {"k": 3, "relevant_from": 3}, Fraction(1, 3), Fraction(1, 3)),
        (family.reciprocal_rank, {"k": "all", "relevant_from": 3}, Fraction(1, 3), Fraction(1)),
        (family.reciprocal_rank, {"k": 2, "relevant_from": 3}, Fraction(0), Fraction(1)),
        (family.average_precision, {"k": "all", "relevant_from": 1}, Fraction(1), Fraction(29, 36)),
        (family.average_precision, {"k": "all", "relevant_from": 3}, Fraction(1, 3), Fraction(1)),
        # Y at k = 2 finds A alone, of three: 1/3; of the two that fit: 1/2; of the one found: 1.
        (family.average_precision, {"k": 2, "relevant_from": 1}, Fraction(2, 3), Fraction(1, 3)),
        (family.average_precision, {"k": 2, "relevant_from": 1, "over": "judged-at-k"}, Fraction(1), Fraction(1, 2)),
        (family.average_precision, {"k": 2, "relevant_from": 1, "over": "retrieved"}, Fraction(1), Fraction(1)),
        # B and C stop a reader with 3 chances in 8, A with 7 in 8
        (
            family.err,
            {"k": 3, "max_grade": 3},
            Fraction(3, 8) + Fraction(15, 128) + Fraction(175, 1536),
            Fraction(7, 8) + Fraction(1, 64),
        ),
        (
            family.rbp,
            {"k": "all", "persistence": "1/2", "relevant_from": 1},
            Fraction(7, 8),
            Fraction(1, 2) + Fraction(1, 8) + Fraction(1, 16),
        ),
        (
            family.rbp,
            {"k": 2, "persistence": "0.8", "max_grade": 3},
            Fraction(1, 5) * (Fraction(2, 3) + Fraction(8, 15)),
            Fraction(1, 5),
        ),
    ],
)
def test_values_by_hand(measure: Any, arguments: dict[str, Any], x: Fraction, y: Fraction) -> None:
    assert measure(X, FOUR, **arguments) == x
    assert measure(Y, FOUR, **arguments) == y


def test_precision_over_k_or_over_what_was_returned() -> None:
    short = Ranking(["B"])
    assert family.precision(short, FOUR, k=3, relevant_from=1) == Fraction(1, 3)
    assert family.precision(short, FOUR, k=3, relevant_from=1, divide_by="returned") == 1
    assert family.precision(Ranking([]), FOUR, k=3, relevant_from=1, divide_by="returned") == Undefined(
        "nothing returned"
    )


@pytest.mark.parametrize("measure", [family.recall, family.reciprocal_rank, family.average_precision])
def test_a_need_without_relevant_documents_needs_a_declared_value(measure: Any) -> None:
    ranking = Ranking(["D", "E"])
    assert measure(ranking, NONE, k=2, relevant_from=1) == Undefined("no relevant document")
    assert measure(ranking, NONE, k=2, relevant_from=1, no_relevant="zero") == 0
    assert measure(ranking, NONE, k=2, relevant_from=1, no_relevant="one") == 1
    with pytest.raises(ContractError, match="undefined, zero, one"):
        measure(ranking, NONE, k=2, relevant_from=1, no_relevant="nan")


def test_unjudged_documents() -> None:
    ranking = Ranking(["Z", "A"])
    with pytest.raises(UnjudgedDocument, match="'Z'"):
        family.precision(ranking, FOUR, k=2, relevant_from=1)
    assert family.precision(ranking, FOUR, k=2, relevant_from=1, unjudged="zero") == Fraction(1, 2)
    assert family.reciprocal_rank(ranking, FOUR, k=2, relevant_from=1, unjudged="remove") == 1
    assert family.cg(ranking, FOUR, k=1, unjudged="zero") == 0


def test_open_orders_and_copies_are_refused() -> None:
    with pytest.raises(TiedScores):
        family.cg(Ranking.from_scores({"A": 1, "B": 1}), FOUR, k=1)
    assert family.cg(Ranking.from_scores({"B": 1, "C": 1}), FOUR, k=1) == 2  # equal grades: nothing is open
    with pytest.raises(DuplicateDocument):
        family.cg(Ranking(["A", "A"]), FOUR, k=2)
    with pytest.raises(NegativeGrade):
        family.cg(Ranking(["A"]), Judgments({"A": -1}), k=1)
    with pytest.raises(InvalidGrade, match="max_grade"):
        family.err(X, FOUR, k=3, max_grade=2)
    with pytest.raises(ContractError):
        family.rbp(X, FOUR, k=3, persistence=1, relevant_from=1)
    with pytest.raises(ContractError):
        family.rbp(X, FOUR, k=3, persistence="1/2")
    with pytest.raises(ContractError, match="`k`"):
        family.cg(X, FOUR, k=0)
    with pytest.raises(ContractError, match="relevant_from"):
        family.precision(X, FOUR, k=1, relevant_from=0)


def test_the_mean_hides_nothing_undefined() -> None:
    assert family.mean([Fraction(1), Fraction(1, 2)]) == family.mean([Fraction(3, 4), Fraction(3, 4)]) == Fraction(3, 4)
    with pytest.raises(UndefinedValue, match="value 2"):
        family.mean([Fraction(1), Undefined("no relevant document")])
    with pytest.raises(UndefinedValue):
        family.mean([])


@pytest.mark.parametrize("values", [None, 3, ["x"], [0.5]])
def test_a_mean_is_of_exact_values(values: Any) -> None:
    with pytest.raises(WrongKind):
        family.mean(values)


def test_a_tied_list_without_a_relevant_document_earns_nothing() -> None:
    tied = Ranking.from_scores({"B": 1, "C": 1})
    judgments = Judgments({"A": 1, "B": 0, "C": 0})
    assert family.reciprocal_rank(tied, judgments, k="all", relevant_from=1, ties="average") == 0


def test_a_highest_grade_is_a_whole_number_from_1_on_and_no_grade_is_above_it() -> None:
    ranking, judgments = Ranking(["A", "B"]), Judgments({"A": 2, "B": 1})
    for wrong in (0, -1, "1/2", 10**6):
        with pytest.raises(ContractError, match="`max_grade`"):
            family.rbp(ranking, judgments, k=2, persistence="1/2", max_grade=wrong)
    with pytest.raises(InvalidGrade, match=r"grade 2 at rank 1: RBP needs grades up to `max_grade` = 1"):
        family.rbp(ranking, judgments, k=2, persistence="1/2", max_grade=1)
