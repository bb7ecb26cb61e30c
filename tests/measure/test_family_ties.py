"""Ties in the family: expectations against all orders, one by one, and refusals only where an order matters."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import chain, permutations, product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_lab import Judgments, Ranking, family
from ndcg_lab.errors import ContractError, NegativeGrade, TiedScores
from ndcg_lab.exact.undefined import Undefined
from tests.support import cases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Measure = Callable[..., Fraction | Undefined]

MEASURES: list[tuple[Measure, dict[str, Any]]] = [
    (family.cg, {}),
    (family.precision, {"relevant_from": 1}),
    (family.precision, {"relevant_from": 2, "divide_by": "returned"}),
    (family.recall, {"relevant_from": 1}),
    (family.recall, {"relevant_from": 1, "over": "judged-at-k"}),
    (family.success, {"relevant_from": 2}),
    (family.reciprocal_rank, {"relevant_from": 1}),
    (family.reciprocal_rank, {"relevant_from": 2}),
    (family.average_precision, {"relevant_from": 1}),
    (family.average_precision, {"relevant_from": 1, "over": "judged-at-k"}),
    (family.average_precision, {"relevant_from": 1, "over": "retrieved"}),
    (family.err, {"max_grade": 3}),
    (family.rbp, {"persistence": "4/5", "relevant_from": 1}),
    (family.rbp, {"persistence": "1/2", "max_grade": 3}),
    (family.judged, {}),
]
IDS = [f"{measure.__name__}-{'-'.join(map(str, chosen.values()))}" for measure, chosen in MEASURES]

tied_lists = st.lists(st.lists(st.sampled_from([0, 0, 1, 2, 3, None]), min_size=1, max_size=3), min_size=1, max_size=3)


def named(groups: list[list[int | None]]) -> tuple[list[list[str]], Judgments]:
    """Ids for the documents of each group, and the judgments of those that have a grade; one more is not returned."""
    names = [[f"{place}{chr(97 + at)}" for at in range(len(group))] for place, group in enumerate(groups)]
    pairs = zip(chain(*names), chain(*groups), strict=True)
    return names, Judgments({name: grade for name, grade in pairs if grade is not None} | {"z": 2})


def tied(names: list[list[str]]) -> Ranking:
    return Ranking.from_scores({name: -place for place, group in enumerate(names) for name in group})


def all_orders(names: list[list[str]]) -> Iterator[list[str]]:
    for parts in product(*(permutations(group) for group in names)):
        yield list(chain(*parts))


@pytest.mark.parametrize(("measure", "chosen"), MEASURES, ids=IDS)
@settings(max_examples=cases(ci=30, long=500))
@given(groups=tied_lists, k=st.sampled_from([1, 2, 3, 5, "all"]))
def test_average_is_the_mean_over_all_orders(
    measure: Measure, chosen: dict[str, Any], groups: list[list[int | None]], k: int | str
) -> None:
    names, judgments = named(groups)
    values = [measure(Ranking(order), judgments, k=k, unjudged="zero", **chosen) for order in all_orders(names)]
    numbers = [value for value in values if not isinstance(value, Undefined)]
    got = measure(tied(names), judgments, k=k, unjudged="zero", ties="average", **chosen)
    if len(numbers) < len(values):
        assert got == values[0]
        return
    assert got == sum(numbers, Fraction(0)) / len(numbers)


@pytest.mark.parametrize(("measure", "chosen"), MEASURES, ids=IDS)
@settings(max_examples=cases(ci=30, long=500))
@given(groups=tied_lists, k=st.sampled_from([1, 2, 3, 5, "all"]))
def test_a_tie_is_refused_where_its_order_matters_and_only_there(
    measure: Measure, chosen: dict[str, Any], groups: list[list[int | None]], k: int | str
) -> None:
    names, judgments = named(groups)
    values = {measure(Ranking(order), judgments, k=k, unjudged="zero", **chosen) for order in all_orders(names)}
    got = None
    with suppress(TiedScores):
        got = measure(tied(names), judgments, k=k, unjudged="zero", **chosen)
    if got is not None:
        assert values == {got}
    else:  # an average over what was found may fall as a hit moves up: it is refused at every tie across the cut
        assert len(values) > 1 or chosen.get("over") == "retrieved"


@given(groups=tied_lists)
def test_best_and_worst_are_the_ends_of_all_orders(groups: list[list[int | None]]) -> None:
    names, judgments = named(groups)
    values = [
        family.average_precision(Ranking(order), judgments, k="all", relevant_from=1, unjudged="zero")
        for order in all_orders(names)
    ]
    numbers = [value for value in values if not isinstance(value, Undefined)]
    ends = [
        family.average_precision(tied(names), judgments, k="all", relevant_from=1, unjudged="zero", ties=ties)
        for ties in ("worst", "best")
    ]
    assert ends == [min(numbers), max(numbers)]


@pytest.mark.parametrize(
    ("ties", "value"), [("docno-ascending", 1), ("docno-descending", 0), ("input", 0), ("reverse-input", 1)]
)
def test_an_order_by_id_or_by_input(ties: str, value: int) -> None:
    ranking = Ranking.from_scores({"b": 1, "a": 1})
    assert family.precision(ranking, Judgments({"a": 1, "b": 0}), k=1, relevant_from=1, ties=ties) == value


def test_scores_that_are_equal_as_float32_tie() -> None:
    ranking = Ranking.from_scores({"a": "0.1", "b": "0.100000001"})
    chosen: dict[str, Any] = {"k": "all", "relevant_from": 1, "ties": "average"}
    judgments = Judgments({"a": 1, "b": 0})
    assert family.reciprocal_rank(ranking, judgments, **chosen) == Fraction(1, 2)
    assert family.reciprocal_rank(ranking, judgments, score_precision="float32", **chosen) == Fraction(3, 4)


def test_a_negative_grade_by_choice() -> None:
    ranking, judgments = Ranking(["a", "b"]), Judgments({"a": -1, "b": 1})
    with pytest.raises(NegativeGrade, match="`negative` decides: error, zero"):
        family.reciprocal_rank(ranking, judgments, k="all", relevant_from=1)
    assert family.reciprocal_rank(ranking, judgments, k="all", relevant_from=1, negative="zero") == Fraction(1, 2)
    assert family.judged(ranking, judgments, k="all") == 1


def test_a_misspelt_keyword_and_choice_are_refused() -> None:
    with pytest.raises(ContractError, match="`ties` is 'first'; its choices: error, average, best"):
        family.cg(Ranking(["a"]), Judgments({"a": 1}), k=1, ties="first")
    with pytest.raises(TypeError, match="'tie' is no keyword"):
        family.cg(Ranking(["a"]), Judgments({"a": 1}), k=1, tie="best")  # type: ignore[call-arg]  # what is tested


def test_r_precision_and_its_kin_by_hand() -> None:
    judgments = Judgments({"a": 1, "b": 1, "c": 1, "d": 0})
    ranking = Ranking(["a", "d", "b", "x", "c"])
    assert family.r_precision(ranking, judgments, relevant_from=1, unjudged="zero") == Fraction(2, 3)
    assert family.recall(ranking, judgments, k=2, relevant_from=1) == Fraction(1, 3)
    assert family.recall(ranking, judgments, k=2, relevant_from=1, over="judged-at-k") == Fraction(1, 2)
    assert family.success(ranking, judgments, k=1, relevant_from=1) == 1
    assert family.judged(ranking, judgments, k=4) == Fraction(3, 4)
    assert family.judged(ranking, judgments, k=10, divide_by="k") == Fraction(4, 10)
    none = Judgments({"d": 0})
    assert family.r_precision(ranking, none, relevant_from=1, unjudged="zero", no_relevant="zero") == 0
    assert family.success(ranking, none, k=1, relevant_from=1, unjudged="zero") == 0
