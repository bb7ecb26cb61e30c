"""`evaluate`: the order of its steps, when `error` speaks, ties, ideals, and what an evaluation shows."""

import copy
import pickle
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_lab import (
    Contract,
    DuplicateDocument,
    InvalidGrade,
    Judgments,
    MissingGain,
    NdcgLabError,
    NegativeGrade,
    Ranking,
    TiedScores,
    TooManyOutcomes,
    Undefined,
    UnjudgedDocument,
    a,
    evaluate,
    parse,
    y,
)
from ndcg_lab.exact.linear import Linear
from ndcg_lab.measure.contract import FIELDS
from ndcg_lab.measure.evaluation import Evaluation

FOUR = {"A": 3, "B": 2, "C": 2, "D": 0}
Scores = dict[str, Any] | list[tuple[str, object]]


def order(documents: str, grades: dict[str, Any] = FOUR, **settings: Any) -> Evaluation:
    return evaluate(Contract(**{"gain": "linear", "k": 3, **settings}), Ranking(list(documents)), Judgments(grades))


def scored(scores: Scores, grades: dict[str, Any] = FOUR, **settings: Any) -> Evaluation:
    ranking = Ranking.from_scores(scores)
    return evaluate(Contract(**{"gain": "linear", "k": 3, **settings}), ranking, Judgments(grades))


def levels(text: str) -> list[tuple[str, object]]:
    """`"AB C"`: A and B share the top score, C comes after."""
    groups = text.split(" ")
    return [(document, -level) for level, group in enumerate(groups) for document in group]


# When error speaks.


@pytest.mark.parametrize(
    ("listed", "settings", "refused"),
    [
        ("ABCD", {}, None),
        ("ABCE", {}, None),  # below the cut
        ("ABEC", {}, "E"),
        ("ABCE", {"k": "all"}, "E"),
        ("ABCE", {"ideal_population": "returned"}, "E"),  # the whole list counts
        ("ABCE", {"ideal_population": "returned-at-k"}, None),
        ("ABCE", {"unjudged": "zero", "ideal_population": "returned"}, None),
        ("ABCE", {"unjudged": "remove", "ideal_population": "returned"}, None),
        ("E", {}, "E"),
    ],
)
def test_an_unjudged_document_is_refused_where_it_counts(
    listed: str, settings: dict[str, Any], refused: str | None
) -> None:
    if refused is None:
        assert order(listed, **settings).contract.unjudged
        return
    with pytest.raises(UnjudgedDocument, match=rf"{refused}.*`unjudged` decides: error, zero, remove"):
        order(listed, **settings)


def test_what_ties_with_the_first_k_counts_too() -> None:
    assert scored(levels("A BE"), k=1).ndcg == 1
    with pytest.raises(UnjudgedDocument, match="'E'"):
        scored(levels("A BE"), k=2)
    with pytest.raises(DuplicateDocument, match="'A'"):
        scored(levels("A BA"), k=2)
    assert scored(levels("A BA"), k=1).ndcg == 1


@pytest.mark.parametrize(
    ("listed", "settings", "refused"),
    [
        ("ABCA", {}, False),
        ("ABA", {}, True),
        ("ABCA", {"k": "all"}, True),
        ("ABCA", {"ideal_population": "returned"}, True),
        ("EABA", {"unjudged": "remove"}, True),  # the copy comes up to rank 3
        ("EABCA", {"unjudged": "remove"}, False),
    ],
)
def test_a_duplicate_is_refused_where_it_counts(listed: str, settings: dict[str, Any], refused: bool) -> None:
    if not refused:
        assert order(listed, **settings).contract.duplicates == "error"
        return
    with pytest.raises(DuplicateDocument, match=r"'A'.*`duplicates` decides: error, first, count"):
        order(listed, **settings)


def test_negative_grades_and_missing_gains_are_refused_anywhere() -> None:
    with pytest.raises(NegativeGrade, match=r"'N'.*-1.*`negative` decides: error, zero, allow"):
        order("A", {**FOUR, "N": -1})
    with pytest.raises(MissingGain, match=r"'A'.*grade 3"):
        order("B", gain="0=0,2=1")
    with pytest.raises(InvalidGrade, match=r"'H'.*whole grades"):
        order("A", {**FOUR, "H": "1/2"}, gain="exponential")
    with pytest.raises(NegativeGrade, match=r"'D'.*negative gain -1.*`negative = allow`"):
        order("A", gain="0=-1,2=2,3=3")
    assert order("AD", gain="0=-1,2=2,3=3", negative="allow").dcg == 3 - a


def test_errors_speak_in_the_order_of_the_steps() -> None:
    bad = {"A": 2, "B": -1, "C": 1}
    steps: list[tuple[dict[str, Any], type[NdcgLabError]]] = [
        ({}, DuplicateDocument),
        ({"duplicates": "first"}, UnjudgedDocument),
        ({"duplicates": "first", "unjudged": "zero"}, NegativeGrade),
        ({"duplicates": "first", "unjudged": "zero", "negative": "zero"}, TiedScores),
    ]
    for settings, error in steps:
        with pytest.raises(error):
            scored(levels("E AC B A"), bad, k="all", **settings)


@pytest.mark.parametrize(
    ("groups", "settings", "refused"),
    [
        ("AB C D", {}, True),
        ("A BC D", {}, False),  # equal gains
        ("A B CD", {}, True),  # across the cut
        ("A B CD", {"k": 2}, False),  # below the cut
        ("AB C D", {"discount": "none"}, False),  # equal discounts
        ("A B CD", {"discount": "none"}, True),
        ("AB C D", {"discount": "jarvelin"}, False),  # ranks 1 and 2 are worth 1 each
        ("A BD C", {"discount": "jarvelin"}, True),
        ("A BD C", {"discount": "jarvelin:4"}, False),
        ("AB C D", {"gain": "binary:1"}, False),
        ("AB C D", {"gain": "binary:3"}, True),
        ("AB C D", {"discount": "geometric:1/2"}, True),
    ],
)
def test_ties_are_refused_only_where_they_could_change_dcg(
    groups: str, settings: dict[str, Any], refused: bool
) -> None:
    if not refused:
        assert len(scored(levels(groups), **settings).outcomes()) == 1
        return
    with pytest.raises(TiedScores, match=r"share score .* `ties` decides: error, average, best, worst, input"):
        scored(levels(groups), **settings)


# Duplicates, unjudged documents, ties.


def test_a_later_copy_earns_nothing_and_keeps_its_rank() -> None:
    e = order("AAB", duplicates="first")
    assert [(row.rank, row.document, row.grade, row.gain) for row in e.rows] == [
        (1, "A", 3, 3),
        (2, "A", 3, 0),
        (3, "B", 2, 2),
    ]
    assert e.dcg == 4
    assert order("AAB", duplicates="count").dcg == 4 + 3 * a


def test_the_first_copy_is_the_higher_one_whatever_its_place_in_the_input() -> None:
    e = scored([("A", 1), ("B", 2), ("A", 3)], duplicates="first")
    assert [(row.document, row.gain) for row in e.rows] == [("A", 3), ("B", 2), ("A", 0)]


@pytest.mark.parametrize(
    ("ties", "gains"),
    [
        ("input", [3, 2, 0]),
        ("reverse-input", [0, 2, 3]),  # the first copy is the earlier in the file, though it now stands last
        ("docno-ascending", [3, 0, 2]),
        ("docno-descending", [2, 3, 0]),
        ("best", [3, 2, 0]),
        ("worst", [0, 2, 3]),
    ],
)
def test_copies_within_one_tie(ties: str, gains: list[int]) -> None:
    e = scored([("A", 1), ("B", 1), ("A", 1)], duplicates="first", ties=ties)
    assert [row.gain for row in e.rows] == gains


def test_removed_documents_leave_their_ranks() -> None:
    e = order("EAFB", unjudged="remove", k=2)
    assert [(row.rank, row.document) for row in e.rows] == [(1, "A"), (2, "B")]
    assert e.unjudged_in_k == 1
    assert order("AEFB", unjudged="remove", k=2).unjudged_in_k == 1
    assert order("EAFB", unjudged="zero", k=2).unjudged_in_k == 1
    assert order("EAFB", unjudged="zero", k="all").unjudged_in_k == 2


def test_an_unjudged_document_earns_0_even_where_grade_0_earns_more() -> None:
    gain = {0: 5, 2: 2, 3: 3}
    e = order("ED", gain=gain, unjudged="zero")
    assert [(row.grade, row.gain) for row in e.rows] == [(None, 0), (0, 5)]


def test_docno_order_is_that_of_utf_8_bytes() -> None:
    names = ["é", "z", "Z", "\U0001f600", "\uffff", "a10", "a9"]
    ascending = scored(dict.fromkeys(names, 1), dict.fromkeys(names, 1), k="all", ties="docno-ascending")
    descending = scored(dict.fromkeys(names, 1), dict.fromkeys(names, 1), k="all", ties="docno-descending")
    by_bytes = sorted(names, key=str.encode)
    assert [row.document for row in ascending.rows] == by_bytes
    assert [row.document for row in descending.rows] == by_bytes[::-1]


def test_average_shares_the_discounts_of_the_group() -> None:
    e = scored(levels("AB CD"), ties="average")
    half = (1 + a) / 2
    assert [(row.rank, row.gain, row.discount) for row in e.rows] == [
        (1, 3, half),
        (2, 2, half),
        (3, 2, Fraction(1, 4)),  # one of its two positions lies past k
        (4, 0, Fraction(1, 4)),
    ]
    assert e.dcg == 5 * half + Fraction(1, 2)
    assert sum((row.contribution for row in e.rows), Linear()) == e.dcg


def test_float32_ties() -> None:
    scores: Scores = {"D": "0.8", "A": "0.80000001"}
    assert scored(scores, k=1).ndcg == 1
    with pytest.raises(TiedScores, match=r"share score 0.8 in float32"):
        scored(scores, k=1, score_precision="float32")
    assert scored(scores, k=1, score_precision="float32", ties="input").ndcg == 0


# The ideal.


@pytest.mark.parametrize(
    ("settings", "ideal"),
    [
        ({}, "4 + 2a"),
        ({"ideal_population": "returned"}, "5/2 + 2a"),  # C 2, B 2, A 3 of CDBA... by gain: 3, 2, 2
        ({"ideal_population": "returned-at-k"}, "2 + 2a"),
        ({"ideal_cutoff": "returned"}, "4 + 2a"),
        ({"ideal_cutoff": "none"}, "4 + 2a"),
        ({"k": 1}, "3"),
        ({"k": 1, "ideal_cutoff": "none"}, "4 + 2a"),
        ({"k": 1, "ideal_cutoff": "returned"}, "3"),
        ({"k": 1, "ideal_population": "returned", "ideal_cutoff": "none"}, "4 + 2a"),
        ({"k": 1, "ideal_population": "returned-at-k", "ideal_cutoff": "none"}, "2"),
    ],
)
def test_ideals(settings: dict[str, Any], ideal: str) -> None:
    if settings == {"ideal_population": "returned"}:
        ideal = "4 + 2a"  # the whole list holds A
    assert order("CDBA", **settings).idcg == parse(ideal)


def test_the_returned_ideal_takes_the_gains_that_rows_earned() -> None:
    e = order("AAEB", duplicates="first", unjudged="zero", ideal_population="returned", k="all")
    assert [(row.document, row.gain) for row in e.ideal_rows] == [("A", 3), ("B", 2), ("A", 0), ("E", 0)]
    counted = order("AAEB", duplicates="count", unjudged="remove", ideal_population="returned", k="all")
    assert [(row.document, row.gain) for row in counted.ideal_rows] == [("A", 3), ("A", 3), ("B", 2)]


def test_ideal_cutoff_returned_counts_rows_after_removal() -> None:
    assert order("EAF", unjudged="remove", ideal_cutoff="returned").idcg == 3
    assert order("EAF", unjudged="zero", ideal_cutoff="returned").idcg == parse("4 + 2a")
    assert order("", ideal_cutoff="returned").ndcg == Undefined("zero ideal")


def test_a_tie_across_the_cut_leaves_the_ideal_open() -> None:
    settings: dict[str, Any] = {"ideal_population": "returned-at-k", "k": 1}
    with pytest.raises(TiedScores, match=r"`ideal_population` decides: judged, returned, returned-at-k"):
        scored(levels("AB"), ties="average", **settings)
    assert scored(levels("BC A"), ties="average", **settings).ndcg == 1  # equal gains: nothing is open
    assert [scored(levels("AB"), ties=ties, **settings).idcg for ties in ("best", "worst")] == [3, 2]
    with pytest.raises(TiedScores):
        scored(levels("AB"), ties="best", **settings).outcomes()


def test_a_negative_ideal_has_no_ndcg_whatever_zero_ideal_says() -> None:
    for choice in ("undefined", "zero", "one", "exclude"):
        e = order("A", {"A": -1, "B": -2}, negative="allow", zero_ideal=choice)
        assert e.ndcg == Undefined("negative ideal")


def test_an_ideal_may_cancel_to_0() -> None:
    e = order("A", {"A": 1, "B": -1}, negative="allow", discount="none")
    assert e.idcg == 0
    assert e.ndcg == Undefined("zero ideal")


def test_negative_grades_taken_as_0_come_before_the_gain_rule() -> None:
    e = order("NA", {"A": 3, "N": -7}, gain={0: 1, 3: 3}, negative="zero")
    assert [(row.grade, row.gain) for row in e.rows] == [(-7, 1), (3, 3)]


def test_rounding_is_half_away_from_zero() -> None:
    assert order("B", {"A": 8, "B": 1}, k=1, round_to=2).ndcg == Fraction(13, 100)  # 0.125
    assert order("N", {"A": 8, "N": -1}, k=1, round_to=2, negative="allow").ndcg == Fraction(-13, 100)
    assert order("BCAD", round_to=4).ndcg == Fraction("0.9050")
    assert order("BCAD", round_to=0).ndcg == 1


def test_another_base_cancels() -> None:
    for base in ("e", "10", "4", "5/2"):
        e = order("BCAD", discount=f"log:{base}")
        assert e.ndcg == order("BCAD").ndcg
        assert e.dcg != order("BCAD").dcg


# Outcomes.


def test_outcomes_are_those_of_every_order() -> None:
    outcomes = scored(levels("AB CD"), ties="average").outcomes()
    ideal = parse("4 + 2a")
    assert dict(outcomes) == {parse(dcg) / ideal: Fraction(1, 4) for dcg in ("4 + 2a", "3 + 2a", "3 + 3a", "2 + 3a")}
    assert outcomes.best == 1
    assert outcomes.worst == parse("2 + 3a") / ideal
    assert outcomes.mean == scored(levels("AB CD"), ties="average").ndcg
    for left, right in pairwise(outcomes.values):
        assert not isinstance(left, Undefined)
        assert not isinstance(right, Undefined)
        assert left > right
    assert outcomes.to_json()["outcomes"][0] == {"ndcg": parse("1").to_json(), "probability": "1/4"}


def test_outcomes_do_not_depend_on_the_tie_policy() -> None:
    wanted = scored(levels("AB C"), ties="average").outcomes()
    for ties in ("best", "worst", "input", "reverse-input", "docno-ascending", "docno-descending"):
        assert scored(levels("AB C"), ties=ties).outcomes() == wanted


def test_one_relevant_document_in_a_large_tie() -> None:
    names = [f"d{i}" for i in range(300)]
    e = scored(dict.fromkeys(names, 1), {name: int(name == "d7") for name in names}, k=200, ties="average")
    outcomes = e.outcomes()
    assert len(outcomes) == 201
    assert dict(outcomes)[Linear()] == Fraction(100, 300)
    assert dict(outcomes)[y(6)] == Fraction(1, 300)
    assert outcomes.mean == e.ndcg


def test_equal_discounts_make_equal_outcomes() -> None:
    names = [f"d{i}" for i in range(40)]
    grades = {name: int(i < 20) for i, name in enumerate(names)}
    outcomes = scored(dict.fromkeys(names, 1), grades, k=20, discount="none", ties="average").outcomes()
    assert outcomes.values == tuple(Fraction(hits, 20) for hits in range(20, -1, -1))
    assert outcomes.probabilities[0] == Fraction(1, 137846528820)  # 1 / binomial(40, 20)
    assert sum(outcomes.probabilities) == 1


def test_too_many_outcomes_are_refused() -> None:
    names = [f"d{i}" for i in range(12)]
    grades = {name: i for i, name in enumerate(names)}
    with pytest.raises(TooManyOutcomes, match="10,000"):
        scored(dict.fromkeys(names, 1), grades, k="all", ties="average").outcomes()
    pairs = {name: i // 2 for i, name in enumerate([f"d{i}" for i in range(40)])}
    with pytest.raises(TooManyOutcomes, match="`ties = average`"):
        scored(dict(pairs), {name: int(name[1:]) for name in pairs}, k="all", ties="average").outcomes()


def test_outcomes_of_rounded_and_of_undefined_values() -> None:
    rounded = scored(levels("AB"), {"A": 3, "B": 1}, k=1, ties="average", round_to=1).outcomes()
    assert dict(rounded) == {Fraction(1): Fraction(1, 2), Fraction(3, 10): Fraction(1, 2)}
    assert rounded.mean == Fraction(13, 20)
    undefined = scored(levels("AB"), {"A": 0, "B": 0}, ties="average").outcomes()
    assert dict(undefined) == {Undefined("zero ideal"): 1}
    assert undefined.best == undefined.mean == undefined.worst == Undefined("zero ideal")


# What it shows.


def test_the_record() -> None:
    judgments = Judgments(FOUR, need="a need", scale=range(4), source="us")
    e = evaluate(
        Contract(gain="linear", k=2, unjudged="zero"),
        Ranking.from_scores({"B": "0.9", "E": 1, "A": Fraction(1, 3)}),
        judgments,
    )
    record = e.to_json()
    assert list(record) == [
        *("need", "scale", "source", "judgments", "ranking"),
        *("rows", "ideal", "dcg", "idcg", "ndcg", "unjudged_in_k"),
    ]
    assert record["judgments"] == {"A": "3", "B": "2", "C": "2", "D": "0"}
    assert record["ranking"][2] == {"document": "A", "score": "1/3"}
    assert record["rows"] == [
        {
            "rank": 1,
            "document": "E",
            "grade": None,
            "gain": "0",
            "discount": Linear({2: 1}).to_json(),
            "contribution": Linear().to_json(),
        },
        {
            "rank": 2,
            "document": "B",
            "grade": "2",
            "gain": "2",
            "discount": a.to_json(),
            "contribution": (2 * a).to_json(),
        },
    ]
    assert [row["document"] for row in record["ideal"]] == ["A", "B"]
    assert record["ndcg"]["exact"] == "2a/(3 + 2a)"
    assert record["unjudged_in_k"] == 1


def test_the_frame() -> None:
    frame = order("BCAD").to_frame()
    assert list(frame.columns) == ["rank", "document", "grade", "gain", "discount", "contribution"]
    assert list(frame["contribution"]) == [2, 2 * a, Fraction(3, 2)]
    assert order("").to_frame().empty


def test_foreign_text_is_escaped() -> None:
    shown = order("", {"A": 1})._repr_html_()
    assert "<table>" in shown
    name = "<b onclick='x'>&"
    html = evaluate(Contract(gain="linear", k=1), Ranking([name]), Judgments({name: 1}))._repr_html_()
    assert "<b " not in html
    assert "&lt;b onclick=&#x27;x&#x27;&gt;&amp;" in html


def test_the_repr_says_what_was_found_under_which_contract() -> None:
    text = repr(order("BCAD"))
    assert "NDCG (7/2 + 2a)/(4 + 2a) ≈ 0.904977;" in text
    assert "Contract(gain='linear', k=3)" in text
    assert "undefined (zero ideal)" in repr(order("", {}))


def test_every_tie_policy_has_an_order() -> None:
    (field,) = (field for field in FIELDS if field.name == "ties")
    for choice in field.choices:
        assert scored(levels("A B C D"), ties=choice.spelling).dcg == parse("4 + 2a")


def test_an_evaluation_is_copied_and_pickled() -> None:
    e = scored({"A": "0.5", "B": "0.25"})
    again = pickle.loads(pickle.dumps(copy.deepcopy(e)))  # noqa: S301 - our own bytes
    assert (again.contract, again.ranking, again.judgments) == (e.contract, e.ranking, e.judgments)
    assert (again.dcg, again.ndcg, again.rows) == (e.dcg, e.ndcg, e.rows)


def test_a_thousand_documents() -> None:
    names = [f"d{i}" for i in range(1000)]
    grades = {name: i % 5 for i, name in enumerate(names)}
    e = scored({name: i // 3 for i, name in enumerate(names)}, grades, k="all", ties="average")
    assert not isinstance(e.ndcg, Undefined)
    assert 0 < e.ndcg < 1
    assert len(repr(e)) < 300
    assert len(e.rows) == len(e.ideal_rows) == 1000


def test_a_copy_that_is_removed_counts_where_it_was_returned() -> None:
    contract = Contract(gain="linear", k=2, unjudged="remove")
    judgments = Judgments({"a": 1, "b": 2})
    assert evaluate(contract, Ranking(["a", "z", "z"]), judgments).dcg == 1
    for refused in (["z", "z", "a"], ["z", "a", "a"]):  # among the first two; pulled up into them
        with pytest.raises(DuplicateDocument):
            evaluate(contract, Ranking(refused), judgments)


# What a rank earned, and what the ideal is made of.

GAINS_BY_RANK = st.lists(st.tuples(st.sampled_from("ABCDEU"), st.integers(0, 3)), max_size=6, unique_by=lambda p: p[0])


@given(
    GAINS_BY_RANK,
    st.sampled_from(["average", "best", "worst", "input", "reverse-input", "docno-ascending"]),
    st.sampled_from([1, 2, 4, "all"]),
    st.sampled_from(["judged", "returned", "returned-at-k"]),
    st.sampled_from(["zero", "remove"]),
)
def test_what_was_earned_gives_dcg_and_the_population_the_ideal(
    scored: list[tuple[str, int]], ties: Any, k: Any, population: Any, unjudged: Any
) -> None:
    contract = Contract(gain="exponential", k=k, ties=ties, ideal_population=population, unjudged=unjudged)
    judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0, "E": 1})
    try:
        e = evaluate(contract, Ranking.from_scores(scored), judgments)
    except TiedScores:  # under `average` it may be open what a cut population is
        assert (ties, population) == ("average", "returned-at-k")
        return
    discounts = [contract.discount_rule.value(rank) for rank in range(1, 7)]
    earned, gains = e.earned(), sorted(e.population(), reverse=True)
    assert sum((d * gain for d, gain in zip(discounts, earned, strict=False)), Linear()) == e.dcg
    cut = gains if k == "all" else gains[:k]
    assert sum((d * gain for d, gain in zip(discounts, cut, strict=False)), Linear()) == e.idcg
    assert len(earned) == (len(e.rows) if k == "all" else min(k, len(e.rows)))  # a tie may stand across the cut
    assert (
        len(gains)
        == {
            "judged": 5,
            "returned": len([d for d, _ in scored if unjudged == "zero" or d in judgments]),
            "returned-at-k": len(earned),
        }[population]
    )
