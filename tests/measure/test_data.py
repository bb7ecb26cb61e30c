"""Judgments and rankings: exact grades and scores, refused where they are not."""

import copy
import decimal
import pickle
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_lab import (
    Contract,
    InvalidDocument,
    InvalidGrade,
    InvalidScore,
    Judgments,
    OffScale,
    Ranking,
    compare,
    conventions,
    evaluate,
    evaluate_run,
    explain,
    family,
    read_run,
    verify,
)
from ndcg_lab.errors import WrongKind
from tests.strangers import HALVES, NO_NUMBERS, WHOLE


def test_grades_are_read_exactly() -> None:
    grades = {"a": 3, "b": Fraction(27, 10), "c": Decimal("2.7"), "d": "27/10", "e": "2.7", "f": 2.0, "g": "-8/5"}
    judgments = Judgments(grades | {"h": np.int64(4), "i": np.float64(1.0)})
    assert dict(judgments) == {
        "a": 3,
        **dict.fromkeys("bcde", Fraction(27, 10)),
        "f": 2,
        "g": Fraction(-8, 5),
        "h": 4,
        "i": 1,
    }
    assert all(type(judgments[document]) is int for document in "afhi")


@pytest.mark.parametrize("grade", [2.7, float("nan"), float("inf"), Decimal("nan"), "two", "", None, True, [1], 1j])
def test_a_grade_that_is_no_rational_is_refused(grade: object) -> None:
    with pytest.raises(InvalidGrade, match="document 'doc-7'"):
        Judgments({"doc-1": 1, "doc-7": grade})


def test_a_grade_off_the_scale_is_refused() -> None:
    assert Judgments({"A": 3, "B": "1/2"}, scale=["0", "0.5", 3]).scale == (0, Fraction(1, 2), 3)
    with pytest.raises(OffScale, match=r"'B' has grade 4.*`scale`: 0, 1, 2, 3"):
        Judgments({"A": 3, "B": 4}, scale=range(4))


@pytest.mark.parametrize("document", [1, None, b"A", ("A",)])
def test_a_document_is_text(document: Any) -> None:
    with pytest.raises(InvalidDocument, match="document id is text"):
        Judgments({document: 1})
    with pytest.raises(InvalidDocument, match="document id is text"):
        Ranking([document])
    with pytest.raises(InvalidDocument, match="document id is text"):
        Ranking.from_scores({document: 1})
    with pytest.raises(InvalidDocument, match="list of document ids"):
        Ranking("ABCD")


def test_judgments_are_a_mapping_in_the_order_given() -> None:
    judgments = Judgments({"z": 1, "a": 2, "m": "1/2"}, need="what", scale=[0, "1/2", 1, 2], source="who")
    assert isinstance(judgments, Mapping)
    assert list(judgments) == ["z", "a", "m"]
    assert (len(judgments), "a" in judgments, judgments.get("q")) == (3, True, None)
    assert (judgments.need, judgments.source) == ("what", "who")
    assert judgments.to_json() == {
        "need": "what",
        "scale": ["0", "1/2", "1", "2"],
        "source": "who",
        "judgments": {"z": "1", "a": "2", "m": "1/2"},
    }


@pytest.mark.parametrize(
    "value",
    [
        Judgments({}),
        Judgments({"A": 3, "é'\"": "-8/5"}, need="x", scale=["-8/5", 3], source="y"),
        Ranking([]),
        Ranking(["B", "A", "B"]),
        Ranking.from_scores({}),
        Ranking.from_scores({"A": 9, "B": "0.10", "C": Fraction(1, 3), "D": 0.1}),
        Ranking.from_scores({"A": 0.1, "B": 1e300}),
        Ranking.from_scores([("A", 2), ("A", Decimal("1.50"))]),
    ],
)
def test_reprs_evaluate_back(value: object) -> None:
    again = eval(repr(value), {"Judgments": Judgments, "Ranking": Ranking})  # noqa: S307 - repr evaluates back
    assert again == value
    assert hash(again) == hash(value)


def test_equality() -> None:
    assert Judgments({"A": 1, "B": "2.0"}) == Judgments({"B": 2, "A": "1"})
    assert Judgments({"A": 1}) != Judgments({"A": 1}, need="x")
    assert Judgments({"A": 1}) != {"A": 1}
    assert Ranking(["A"]) == Ranking(("A",)) != Ranking.from_scores({"A": 1})
    assert Ranking.from_scores({"A": "1.0"}) == Ranking.from_scores({"A": 1}) != Ranking.from_scores({"A": 2})
    assert Ranking(["A"]) != ["A"]


def test_a_ranking_is_a_sequence_best_first() -> None:
    ranking = Ranking.from_scores({"C": 1, "A": 9, "D": 0, "B": 9})
    assert list(ranking) == ["A", "B", "C", "D"]
    assert (ranking[0], ranking[-1], len(ranking), "C" in ranking, ranking.index("C")) == ("A", "D", 4, True, 2)
    assert ranking.documents == ("C", "A", "D", "B")
    assert list(Ranking(["B", "C", "B"])) == ["B", "C", "B"]


def test_scores_order_exactly() -> None:
    near = {"A": "0.1", "B": "0.10000000000000000001", "C": "1/10", "D": Decimal("0.1"), "E": Fraction(1, 10)}
    assert Ranking.from_scores(near).tie_groups() == [["B"], ["A", "C", "D", "E"]]
    # A float stands for its binary value: 0.1 is a little more than 1/10.
    assert Ranking.from_scores({"A": "0.1", "B": 0.1}).tie_groups() == [["B"], ["A"]]
    assert Ranking.from_scores({"A": 2**53, "B": 2**53 + 1, "C": float(2**53)}).tie_groups() == [["B"], ["A", "C"]]
    assert Ranking.from_scores({"A": "1e400", "B": "2e400", "C": 10**400}).tie_groups() == [["B"], ["A", "C"]]
    assert Ranking.from_scores({"A": "-0", "B": 0.0, "C": "0e7"}).tie_groups() == [["A", "B", "C"]]


def test_scores_that_tie_in_float32() -> None:
    scores = Ranking.from_scores({"A": "0.8", "B": "0.80000001", "C": "1e50", "D": "2e50", "E": "-1e50", "F": 1})
    assert scores.tie_groups() == [["D"], ["C"], ["F"], ["B"], ["A"], ["E"]]
    assert scores.tie_groups("float32") == [["C", "D"], ["F"], ["A", "B"], ["E"]]


@pytest.mark.parametrize(
    "score",
    [
        float("nan"),
        float("inf"),
        "nan",
        "inf",
        "1_000",
        "0x1p3",
        "",
        "1/0",
        "--1",
        None,
        True,
        "1e99999999999999999999",
    ],
)
def test_a_score_that_has_no_order_is_refused(score: object) -> None:
    with pytest.raises(InvalidScore, match=r"document 'doc-7'"):
        Ranking.from_scores({"doc-1": 1, "doc-7": score})


@pytest.mark.parametrize("number", NO_NUMBERS, ids=lambda number: repr(number)[:40])
def test_what_is_no_number_is_no_score_and_no_grade(number: Any) -> None:
    with pytest.raises(InvalidScore, match="document 'doc-7'"):
        Ranking.from_scores({"doc-7": number})
    with pytest.raises(InvalidGrade, match="document 'doc-7'"):
        Judgments({"doc-7": number})
    with pytest.raises(InvalidGrade, match="grade of the scale"):
        Judgments({}, scale=[number])


@pytest.mark.parametrize("number", WHOLE, ids=repr)
def test_whole_numbers_of_other_libraries_are_scores_and_grades(number: Any) -> None:
    ranking = Ranking.from_scores({"A": 2, "B": number, "C": "3.0"})
    assert ranking.tie_groups() == [["B", "C"], ["A"]]
    assert ranking.to_json()[1] == {"document": "B", "score": "3"}
    assert repr(Judgments({"A": number})) == "Judgments({'A': 3})"


@pytest.mark.parametrize("number", HALVES, ids=repr)
def test_a_float_that_is_not_whole_is_a_score_and_no_grade(number: Any) -> None:
    assert Ranking.from_scores({"A": number}).scores == (0.5,)
    with pytest.raises(InvalidGrade, match="does not say which exact number is meant"):
        Judgments({"A": number})


def test_scores_of_long_doubles_are_not_rounded() -> None:
    third = np.longdouble(1) / 3
    if Fraction(*third.as_integer_ratio()) == Fraction(1 / 3):
        pytest.skip("a long double is a double on this machine")
    assert Ranking.from_scores({"A": float(third), "B": third}).tie_groups() in ([["A"], ["B"]], [["B"], ["A"]])
    assert Ranking.from_scores({"A": np.float32(0.25)}).scores == (0.25,)


def test_scores_compare_whatever_the_decimal_context() -> None:
    def groups() -> list[list[str]]:
        return Ranking.from_scores({"A": "0.1", "B": 0.1, "C": Fraction(1, 10), "D": Decimal("0.1")}).tie_groups()

    expected = [["B"], ["A", "C", "D"]]  # the double 0.1 is a little more than a tenth
    assert groups() == expected
    with decimal.localcontext() as context:
        context.traps[decimal.FloatOperation] = True
        assert groups() == expected
        assert Ranking.from_scores({"A": "0.1", "B": 0.1}).tie_groups() == [["B"], ["A"]]
        assert Ranking.from_scores({"A": 1, "B": 0.1}).to_json()[1]["score"].startswith("0.1000000000000000055511")


def test_scores_are_kept_as_written() -> None:
    scores = {"A": "0.50", "B": " 1e-3", "C": Fraction(1, 3), "D": 2, "E": Decimal("7.10")}
    written = Ranking.from_scores(scores).to_json()
    assert written == [
        {"document": "A", "score": "0.50"},
        {"document": "B", "score": " 1e-3"},
        {"document": "C", "score": "1/3"},
        {"document": "D", "score": "2"},
        {"document": "E", "score": "7.10"},
    ]
    assert Ranking(["A"]).to_json() == [{"document": "A"}]


@given(st.dictionaries(st.text(max_size=3), st.floats(allow_nan=False, allow_infinity=False) | st.integers()))
def test_a_ranking_comes_back_from_its_record(scores: dict[str, float | int]) -> None:
    ranking = Ranking.from_scores(scores)
    again = Ranking.from_scores([(entry["document"], entry["score"]) for entry in ranking.to_json()])
    assert again.tie_groups() == ranking.tie_groups()
    assert again.tie_groups("float32") == ranking.tie_groups("float32")


@given(st.lists(st.sampled_from(["1", "1.0", "1/2", "0.5", "1e0", "-3", "0.50000000000000000001"])))
def test_tie_groups_are_the_equal_fractions_in_the_order_given(texts: list[str]) -> None:
    pairs = [(f"d{i}", text) for i, text in enumerate(texts)]
    by_value: dict[Fraction, list[str]] = {}
    for document, text in pairs:
        by_value.setdefault(Fraction(text), []).append(document)
    assert Ranking.from_scores(pairs).tie_groups() == [by_value[value] for value in sorted(by_value, reverse=True)]


def test_series_and_arrays_of_scores() -> None:
    series = pd.Series({"A": 0.5, "B": 2.0})
    assert list(Ranking.from_scores(series)) == ["B", "A"]
    assert dict(Judgments(series * 2)) == {"A": 1, "B": 4}
    assert Ranking.from_scores({"A": np.float32(0.1), "B": 0.1}).tie_groups() == [["A"], ["B"]]


ORDER, GRADED, CONTRACT = Ranking(["A"]), Judgments({"A": 1}), Contract(gain="linear", k=1)


WRONG: list[tuple[Callable[..., object], tuple[Any, ...], str]] = [
    (evaluate, (CONTRACT, ["A"], GRADED), r"`ranking` .* list: write Ranking\("),
    (evaluate, (CONTRACT, ORDER, {"A": 1}), r"`judgments` .* dict: write Judgments\("),
    (evaluate, (CONTRACT, GRADED, ORDER), "`ranking` .* Judgments"),
    (evaluate, ({"gain": "linear"}, ORDER, GRADED), "`contract` .* dict"),
    (evaluate_run, ("linear", {"q": ["A"]}, {"q": {"A": 1}}), "`contract` .* str"),
    (evaluate_run, (CONTRACT, {"q": ["A"]}, {"q": ["A"]}), "query 'q': `grades` .* not list"),
    (evaluate_run, (CONTRACT, {"q": 1}, {"q": {"A": 1}}), "query 'q': `documents` .* int"),
    (evaluate_run, (CONTRACT, ["A"], {"q": {"A": 1}}), "the run: entry 1 is a str"),
    (compare, (1, 2), "`one` .* int"),
    (explain, (1, 2), "`result` .* int"),
    (verify, (5,), "`report` .* int"),
    (read_run, (5,), "not as int"),
    (Ranking, (None,), "`documents` .* NoneType"),
    (Ranking, ({"A": 1},), r"mapping.*from_scores"),
    (Ranking.from_scores, (["A"],), "'A' is none"),
    (Ranking.from_scores, (None,), "`scores` .* NoneType"),
    (Judgments, ([("A", 1)],), "not list"),
    (partial(family.cg, k=1), (["A"], GRADED), "`ranking` .* list"),
    (conventions.call, (None, "ranx"), "`contract` .* NoneType"),
]


@pytest.mark.parametrize(("function", "arguments", "says"), WRONG)
def test_an_argument_of_another_kind_is_named(
    function: Callable[..., object], arguments: tuple[Any, ...], says: str
) -> None:
    with pytest.raises(WrongKind, match=says):
        function(*arguments)


def test_a_set_is_no_ranking() -> None:
    for of in (Ranking, Ranking.from_scores):
        with pytest.raises(WrongKind, match="can't be a set"):
            of({"A", "B"})  # type: ignore[arg-type]  # the wrong kind is the point
    assert Ranking({"B": 1, "A": 2}.keys()).documents == ("B", "A")


def test_pairs_of_document_and_score_are_shown_the_way() -> None:
    with pytest.raises(InvalidDocument, match=r"Ranking\.from_scores"):
        Ranking([("A", 0.5)])  # type: ignore[list-item]  # the wrong kind is the point


RANKINGS = [Ranking(["A", "B"]), Ranking.from_scores({"A": "0.5", "B": 2})]


@pytest.mark.parametrize(
    ("thing", "names"),
    [
        (Judgments({"A": 1}, need="n", scale=[0, 1], source="s"), ["need", "scale", "source", "grades", "_grades"]),
        *((ranking, ["documents", "scores", "texts", "_ranked"]) for ranking in RANKINGS),
    ],
)
def test_what_hashes_can_not_be_changed(thing: Any, names: list[str]) -> None:
    before, written = hash(thing), repr(thing)
    for name in [*names, "another"]:
        with pytest.raises(AttributeError, match=f"immutable, and `{name}` can't be set"):
            setattr(thing, name, None)
        with pytest.raises(AttributeError, match=f"immutable, and `{name}` can't be deleted"):
            delattr(thing, name)
    if isinstance(thing, Judgments):
        with pytest.raises(TypeError):
            thing.grades["A"] = 2  # type: ignore[index]  # what is tried here is what the type forbids
    assert (hash(thing), repr(thing)) == (before, written)


@pytest.mark.parametrize("thing", [Judgments({"A": "1/2"}, need="n", scale=["1/2"]), *RANKINGS])
def test_copies_and_pickles_are_equal(thing: Any) -> None:
    for other in (copy.copy(thing), copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))):  # noqa: S301  # our own
        assert other == thing
        assert hash(other) == hash(thing)
        assert list(other) == list(thing)
