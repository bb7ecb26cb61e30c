"""What lies between two inputs: each change taken from the second, all else from the first."""

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_lab import Contract, Judgments, Ranking, Report, evaluate, evaluate_run
from ndcg_lab.reports.changes import DATA, GRADES, JUDGED, ORDER, QUERIES, RETURNED, RUN, SCORES, WEIGHTS, Inputs, Way

CONTRACT = Contract(gain="linear", k="all", unjudged="zero", ties="input", duplicates="first")


def inputs(run: Any, qrels: Any, contract: Contract = CONTRACT, **settings_: Any) -> Inputs:
    return Inputs.of(evaluate_run(contract, run, qrels, missing="zero", **settings_))


def rankings(one: Ranking, other: Ranking) -> Way:
    return Way(inputs({"q": one}, {"q": {"A": 1}}), inputs({"q": other}, {"q": {"A": 1}}))


def at(way: Way, *names: str) -> Ranking:
    return way.at(names).records["q"].ranking


def test_nothing_differs() -> None:
    one = inputs({"q": {"A": 1}}, {"q": {"A": 1}})
    assert Way(one, inputs({"q": {"A": "1.0"}}, {"q": {"A": "1"}})).differences == ()


def test_settings_stand_in_the_order_of_their_declaration() -> None:
    one = inputs({"q": ["A"]}, {"q": {"A": 1}})
    other = inputs(
        {"q": ["A"]}, {"q": {"A": 1}}, CONTRACT.replace(zero_ideal="one", gain="exponential"), query_set="run"
    )
    way = Way(one, other)
    assert way.changes == ["gain", "zero_ideal", "query_set"]
    assert [(d.a, d.b) for d in way.differences] == [("linear", "exponential"), ("undefined", "one"), ("judged", "run")]
    assert way.at({"gain"}).contract == CONTRACT.replace(gain="exponential")
    mixed = way.at({"query_set"})
    assert mixed.contract == CONTRACT
    assert mixed.aggregation == other.aggregation


def test_grades_and_judged_documents() -> None:
    one = inputs({"q": ["A"]}, {"q": {"A": 3, "B": 2, "C": 1}})
    other = inputs({"q": ["A"]}, {"q": {"B": 1, "C": 1, "D": 4}})
    way = Way(one, other)
    assert [(d.field, d.a, d.b) for d in way.differences] == [
        (GRADES, {"q": {"B": "2"}}, {"q": {"B": "1"}}),
        (JUDGED, {"q": ["A"]}, {"q": ["D"]}),
    ]
    judgments = [dict(way.at(names).records["q"].judgments) for names in ({GRADES}, {JUDGED}, {GRADES, JUDGED})]
    assert judgments == [{"A": 3, "B": 1, "C": 1}, {"B": 2, "C": 1, "D": 4}, {"B": 1, "C": 1, "D": 4}]


def test_weights_and_queries() -> None:
    one = inputs({}, {"q": {"A": 1}, "p": {"A": 1}}, weights={"q": 2})
    other = inputs({}, {"q": {"A": 1}, "r": {"B": 1}}, weights={"q": "1/3"})
    way = Way(one, other)
    assert [(d.field, d.a, d.b) for d in way.differences] == [
        (WEIGHTS, {"q": "2"}, {"q": "1/3"}),
        (QUERIES, ["p"], ["r"]),
    ]
    assert way.at({WEIGHTS}).records["q"].weight == Fraction(1, 3)
    assert list(way.at({QUERIES}).records) == ["q", "r"]
    assert list(way.at({WEIGHTS}).records) == ["q", "p"]


def test_what_is_told_of_judgments_is_a_difference_and_no_change() -> None:
    one = inputs({}, {"q": Judgments({"A": 1}, need="cars", scale=range(3))})
    other = inputs({}, {"q": Judgments({"A": 1}, need="jaguars", source="me")})
    way = Way(one, other)
    assert [(d.field, d.a, d.b) for d in way.differences] == [
        ("need", {"q": "cars"}, {"q": "jaguars"}),
        ("scale", {"q": ["0", "1", "2"]}, {"q": None}),
        ("source", {"q": None}, {"q": "me"}),
    ]
    assert way.changes == []


def test_returned_documents_take_their_positions_and_the_rest_keep_their_order() -> None:
    way = rankings(Ranking(["A", "B", "C", "D"]), Ranking(["C", "X", "A", "Y", "B"]))
    assert way.changes == [RETURNED, ORDER]
    assert list(at(way, RETURNED)) == ["A", "X", "B", "Y", "C"]
    assert list(at(way, ORDER)) == ["C", "A", "B", "D"]
    assert list(at(way, RETURNED, ORDER)) == ["C", "X", "A", "Y", "B"]


def test_scores_stand_at_positions() -> None:
    one = Ranking.from_scores({"A": 9, "B": 8, "C": 7})
    other = Ranking.from_scores({"C": 3, "A": 2, "B": 2})
    way = rankings(one, other)
    assert way.changes == [ORDER, SCORES]
    assert at(way, ORDER) == Ranking.from_scores({"C": 9, "A": 8, "B": 7})
    assert at(way, SCORES) == Ranking.from_scores({"A": 3, "B": 2, "C": 2})
    assert way.differences[1].a == {"q": {"position": 1, "score": "9"}}


def test_the_same_run_less_deep_differs_in_returned_documents_alone() -> None:
    deep = Ranking.from_scores({"A": 5, "B": 4, "C": 3, "D": 3, "E": 1})
    shallow = Ranking.from_scores({"A": 5, "B": 4, "C": 3})
    assert rankings(deep, shallow).changes == [RETURNED]
    assert rankings(shallow, deep).changes == [RETURNED]


def test_a_longer_list_is_tied_past_the_first_one_as_in_the_second() -> None:
    """Scores of another scale: those that would not fall go below, and their ties stay."""
    way = rankings(Ranking.from_scores({"A": "0.2", "B": "0.1"}), Ranking.from_scores({"B": 9, "A": 8, "X": 7, "Y": 7}))
    assert at(way, RETURNED).tie_groups() == [["A"], ["B"], ["X", "Y"]]
    assert at(way, RETURNED).tie_groups("float32") == [["A"], ["B"], ["X", "Y"]]


def test_an_order_that_only_float32_shows_is_a_difference() -> None:
    """Under float32 these scores tie, and the file's order decides; exactly they don't, and it means nothing."""
    contract = CONTRACT.replace(score_precision="float32")
    one, other = (
        Ranking.from_scores(scores) for scores in ({"A": "0.8", "B": "0.80000001"}, {"B": "0.80000001", "A": "0.8"})
    )
    way = Way(*(inputs({"q": ranking}, {"q": {"A": 1}}, contract) for ranking in (one, other)))
    assert way.changes == [ORDER]
    assert way.at({ORDER}).records["q"].ranking is way.other.records["q"].ranking
    assert rankings(one, other).changes == []


def test_an_order_beside_scores() -> None:
    way = rankings(Ranking(["A", "B"]), Ranking.from_scores({"A": 1, "B": 1}))
    assert way.changes == [SCORES]
    assert at(way, SCORES).tie_groups() == [["A", "B"]]


def test_the_run_of_another_is_judged_by_the_judgments_of_the_first() -> None:
    one = inputs({"p": ["A"], "q": ["A"]}, {"p": {"A": 1}, "q": {"A": 2}}, weights={"q": 3})
    other = inputs({"q": ["B", "A"], "r": ["C"]}, {"q": {"A": 1}, "r": {"C": 1}})
    mixed = one.with_rankings_of(other).records
    assert {query: list(record.ranking) for query, record in mixed.items()} == {"p": [], "q": ["B", "A"], "r": ["C"]}
    assert {query: dict(record.judgments) for query, record in mixed.items()} == {"p": {"A": 1}, "q": {"A": 2}, "r": {}}
    assert mixed["q"].weight == 3


# Any two inputs.

documents = st.sampled_from("ABCDEF")
scores = st.sampled_from(["3", "2", "2.0", "1/3", "0.80000001", "0.8", "-1"])
ranked = st.one_of(
    st.lists(documents, max_size=6).map(Ranking),
    st.lists(st.tuples(documents, scores), max_size=6).map(Ranking.from_scores),
)
qrels = st.dictionaries(
    st.sampled_from(["p", "q", "r"]), st.dictionaries(documents, st.integers(0, 3), min_size=1), min_size=1, max_size=3
)
precision = st.sampled_from(["exact", "float32"])


@st.composite
def some_inputs(draw: st.DrawFn) -> Inputs:
    judged = draw(qrels)
    run = {query: draw(ranked) for query in draw(st.sets(st.sampled_from(["p", "q", "r"])))}
    contract = CONTRACT.replace(score_precision=draw(precision), gain=draw(st.sampled_from(["linear", "exponential"])))
    return inputs(run, judged, contract, weights={query: draw(st.integers(1, 3)) for query in judged})


def common(mine: Ranking, theirs: Ranking) -> list[str]:
    """The documents of the first that the second has too; for lists without copies."""
    return [document for document in mine if document in set(theirs)]


@settings(max_examples=300)
@given(some_inputs(), some_inputs())
def test_no_change_is_the_first_and_all_are_the_second(one: Inputs, other: Inputs) -> None:
    way = Way(one, other)
    assert way.at(()) == one
    whole = way.at(way.changes)
    assert (whole.contract, whole.aggregation) == (other.contract, other.aggregation)
    assert whole.records.keys() == other.records.keys()
    for query, record in whole.records.items():
        assert dict(record.judgments) == dict(other.records[query].judgments)
        assert record.weight == other.records[query].weight
        assert record.ranking.tie_groups(other.contract.score_precision) == other.records[query].ranking.tie_groups(
            other.contract.score_precision
        )
    mine, theirs = whole.evaluate(), other.evaluate()
    assert isinstance(mine, Report)
    assert isinstance(theirs, Report)
    assert {result.query: result.ndcg for result in mine} == {result.query: result.ndcg for result in theirs}


@settings(max_examples=300)
@given(some_inputs(), some_inputs(), st.sets(st.sampled_from(DATA)))
def test_a_mixed_ranking_takes_what_was_named_alone(one: Inputs, other: Inputs, names: set[str]) -> None:
    mixed = Way(one, other).at(names).records
    for query in one.records.keys() & other.records.keys():
        mine, theirs, made = (inputs_[query].ranking for inputs_ in (one.records, other.records, mixed))
        from_other = theirs if RETURNED in names else mine
        assert sorted(made) == sorted(from_other)
        assert not names & set(RUN) or made.scores is None or len(made.scores) == len(made.documents)
        if len({*mine}) == len(mine) and len({*theirs}) == len(theirs):
            ordered = theirs if ORDER in names else mine
            assert common(made, Ranking(common(mine, theirs))) == common(ordered, Ranking(common(mine, theirs)))
            if RETURNED in names:
                added = set(theirs) - set(mine)
                assert [(i, d) for i, d in enumerate(made) if d in added] == [
                    (i, d) for i, d in enumerate(theirs) if d in added
                ]


def test_an_evaluation_has_one_query_and_no_aggregation() -> None:
    judgments = Judgments({"A": 1})
    found = Inputs.of(evaluate(CONTRACT, Ranking([]), judgments))
    assert found.aggregation is None
    again = found.evaluate()
    assert not isinstance(again, Report)
    assert again.ndcg == 0
