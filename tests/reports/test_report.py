import csv
import io
import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import jsonschema
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_lab.conventions import conventions
from ndcg_lab.errors import (
    ContractError,
    FormatError,
    MissingResults,
    NdcgLabError,
    TiedScores,
    UnjudgedDocument,
    UnknownQuery,
)
from ndcg_lab.exact.linear import Linear, a, y
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.json_text import load
from ndcg_lab.measure.contract import Contract
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.reports.averaging import short_form
from ndcg_lab.reports.records import Base
from ndcg_lab.reports.report import Report, evaluate_run
from ndcg_lab.reports.report_file import json_schema
from ndcg_lab.reports.trec import Run, read_qrels, read_run
from tests.support import ROOT

CONTRACT = Contract(gain="linear", k=3)
SCHEMA = json.loads((ROOT / "ndcg_lab" / "schema" / "report-1.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
# q1 is perfect, q2 gives a, q3 has no results, q4 no judgments, q5 a zero ideal
QRELS = {"q2": {"A": 1, "B": 0}, "q1": {"A": 2, "B": 1}, "q3": {"A": 1}, "q5": {"A": 0}}
RUN = {"q4": ["A"], "q1": ["A", "B"], "q2": ["B", "A"], "q5": ["A"]}


def report(run: Any = RUN, qrels: Any = QRELS, contract: Contract = CONTRACT, **settings: Any) -> Report:
    return evaluate_run(contract, run, qrels, **settings)


def averaged(found: Report) -> list[str]:
    return [result.query for result in found]


def left_out(found: Report) -> dict[str, str]:
    return {left.query: left.reason for left in found.excluded}


def exact(value: Exact | Undefined) -> Exact:
    assert isinstance(value, Exact)
    return value


def checked(found: Report) -> Any:
    """The report as a file holds it, which fits the published schema."""
    record = json.loads(json.dumps(found.to_json()))
    VALIDATOR.validate(record)
    return record


# Which queries are averaged.


def test_judged_queries_are_averaged_and_the_others_listed() -> None:
    found = report(missing="zero")
    assert averaged(found) == ["q2", "q1", "q3", "q5"]  # as the judgments come
    assert left_out(found) == {"q4": "no judgments"}


def test_a_missing_query_is_refused_unless_a_setting_decides() -> None:
    with pytest.raises(MissingResults, match=r"1 judged query has no results: q3; `missing` decides: error, zero, ex"):
        report()
    found = report(missing="exclude")
    assert averaged(found) == ["q2", "q1", "q5"]
    assert left_out(found) == {"q3": "no results", "q4": "no judgments"}


def test_an_empty_list_of_results_is_no_results() -> None:
    with pytest.raises(MissingResults, match="q3"):
        report(run={**RUN, "q3": []})


@pytest.mark.parametrize("zero_ideal", ["undefined", "one", "exclude"])
def test_a_missing_query_counts_exactly_0_whatever_its_ideal(zero_ideal: str) -> None:
    found = report(
        {"q1": ["A"]}, {"q1": {"A": 1}, "q5": {"A": 0}}, CONTRACT.replace(zero_ideal=zero_ideal), missing="zero"
    )
    assert found.mean.ndcg == Fraction(1, 2)


def test_a_list_emptied_by_remove_is_empty_and_not_missing() -> None:
    contract = CONTRACT.replace(unjudged="remove")
    found = report({"q1": ["X", "Y"]}, {"q1": {"A": 1}}, contract)
    assert averaged(found) == ["q1"]
    assert found["q1"].ndcg == 0
    assert found["q1"].evaluation.unjudged_in_k == 2


def test_the_queries_of_the_run() -> None:
    found = report(query_set="run")
    assert averaged(found) == ["q2", "q1", "q5"]
    assert left_out(found) == {"q3": "no results", "q4": "no judgments"}
    found = report(query_set="run", unjudged_queries="zero", contract=CONTRACT.replace(zero_ideal="one"))
    assert averaged(found) == ["q2", "q1", "q5", "q4"]
    assert found["q4"].ndcg == 0
    assert found.mean.ndcg == (a + 2) / 4


def test_the_queries_of_both() -> None:
    found = report(query_set="both", missing="error", unjudged_queries="zero")
    assert averaged(found) == ["q2", "q1", "q5"]
    assert left_out(found) == {"q3": "no results", "q4": "no judgments"}


def test_only_the_queries_asked_for() -> None:
    found = report(queries=["q1"])
    assert averaged(found) == ["q1"]
    assert not found.excluded
    with pytest.raises(UnknownQuery, match="'q9'"):
        report(queries=["q9"])


def test_a_query_is_looked_up_by_its_id() -> None:
    found = report(missing="exclude")
    assert found["q2"].ndcg == a
    with pytest.raises(UnknownQuery, match=r"'q3' .*left out: no results"):
        found["q3"]


# The mean.


def test_an_undefined_query_makes_the_mean_undefined_and_is_named() -> None:
    found = report(missing="exclude")
    assert found.mean.ndcg == Undefined("zero ideal", ["q5"])
    assert exact(found.mean.dcg) == (2 + 2 * a) / 3  # q2 gives a, q1 2 + a, q5 0
    assert checked(found)["mean"]["ndcg"] == {"undefined": "zero ideal", "queries": ["q5"]}


def test_a_zero_ideal_is_left_out_with_its_records() -> None:
    found = report(missing="exclude", contract=CONTRACT.replace(zero_ideal="exclude"))
    assert left_out(found) == {"q3": "no results", "q4": "no judgments", "q5": "zero ideal"}
    assert found.mean.ndcg == (1 + a) / 2
    assert checked(found)["excluded"][1] == {
        "query": "q5",
        "reason": "zero ideal",
        "weight": "1",
        "need": None,
        "scale": None,
        "source": None,
        "judgments": {"A": "0"},
        "ranking": [{"document": "A"}],
    }


def test_a_negative_ideal_is_not_left_out_as_a_zero_one() -> None:
    contract = Contract(gain="linear", k=3, negative="allow", zero_ideal="exclude")
    found = report({"q1": ["A"], "q2": ["A"]}, {"q1": {"A": 1}, "q2": {"A": -1}}, contract)
    assert found.mean.ndcg == Undefined("negative ideal", ["q2"])


def test_no_queries_left() -> None:
    found = report({"q5": ["A"]}, {"q5": {"A": 0}}, CONTRACT.replace(zero_ideal="exclude"))
    assert checked(found)["mean"] == {"dcg": {"undefined": "no queries"}, "ndcg": {"undefined": "no queries"}}
    assert report({}, {"q": {"A": 1}}, missing="exclude").mean.ndcg == Undefined("no queries")


def test_weights() -> None:
    found = report(queries=["q1", "q2"], weights={"q1": "1/2", "q2": 2})
    assert found.mean.ndcg == (Fraction(1, 2) + 2 * a) / Fraction(5, 2)
    assert exact(found.mean.dcg) == ((2 + a) / 2 + 2 * a) / Fraction(5, 2)
    found = report(queries=["q1", "q2"], weights={"q1": 0})
    assert found.mean.ndcg == a
    assert [entry["weight"] for entry in checked(found)["queries"]] == ["1", "0"]


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ({"q9": 1}, UnknownQuery, "'q9' has a weight"),
        ({"q1": -1}, NdcgLabError, "query 'q1': the weight -1 is negative"),
        ({"q1": 0.1}, NdcgLabError, "query 'q1': the float 0.1"),
        ({"q1": 0, "q2": "0"}, NdcgLabError, "sum to 0"),
    ],
)
def test_bad_weights_are_refused(weights: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        report(queries=["q1", "q2"], weights=weights)


def test_a_mean_of_different_ideals_is_enclosed() -> None:
    run, qrels = {"x": ["B", "A"], "y": ["C", "A", "B"]}, {"x": {"A": 2, "B": 1}, "y": {"A": 1, "B": 1, "C": 0}}
    found = report(run, qrels)
    value = ((1 + 2 * a) / (2 + a) + (a + Fraction(1, 2)) / (1 + a)) / 2
    assert found.mean.ndcg == value
    record = checked(found)["mean"]["ndcg"]
    low, high = map(Fraction, record["enclosure"])
    assert low < value < high
    assert (high - low) * 2**80 <= low
    assert record["decimal"] == exact(value).decimal(20)


def test_a_long_mean_has_no_exact_form() -> None:
    judged = {f"d{i}": 1 for i in range(40)}
    record = checked(report({"q": list(judged)}, {"q": judged}, Contract(gain="linear", k="all")))["mean"]
    assert set(record["dcg"]) == {"float", "decimal", "enclosure"}
    assert record["ndcg"]["exact"] == "1"


def test_ratio_of_sums() -> None:
    found = report(aggregate="ratio-of-sums", missing="zero", weights={"q2": 3})
    # DCG 3a + (2 + a) + 0 + 0 over ideal 3 + (2 + a) + 1 + 0; the zero ideal of one query adds nothing to either
    assert found.mean.ndcg == (2 + 4 * a) / (6 + a)
    assert exact(found.mean.dcg) == (2 + 4 * a) / 6
    with pytest.raises(ContractError, match="round_to"):
        report(aggregate="ratio-of-sums", contract=CONTRACT.replace(round_to=2), missing="zero")


@pytest.mark.parametrize(
    ("zero_ideal", "value"),
    [("undefined", Undefined("zero ideal")), ("zero", Linear()), ("one", Linear.rational(1))],
)
def test_ratio_of_sums_that_are_0(zero_ideal: str, value: Exact | Undefined) -> None:
    contract = CONTRACT.replace(zero_ideal=zero_ideal)
    assert report({"q5": ["A"]}, {"q5": {"A": 0}}, contract, aggregate="ratio-of-sums").mean.ndcg == value


def test_ratio_of_sums_with_a_negative_ideal() -> None:
    contract = Contract(gain="linear", k=3, negative="allow", zero_ideal="zero")
    found = report({"q": ["A"]}, {"q": {"A": -1}}, contract, aggregate="ratio-of-sums")
    assert found.mean.ndcg == Undefined("negative ideal")


def test_values_are_rounded_before_they_are_averaged() -> None:
    found = report(queries=["q1", "q2"], contract=CONTRACT.replace(round_to=2))
    assert found.mean.ndcg == (Fraction(63, 100) + 1) / 2


# Errors name the query.


def test_what_evaluate_refuses_names_the_query() -> None:
    with pytest.raises(TiedScores, match="query 'q1': documents 'A', 'B'"):
        report({"q1": {"A": 1, "B": 1}}, {"q1": {"A": 1, "B": 0}})
    with pytest.raises(UnjudgedDocument, match="query 'q1': document 'X'"):
        report({"q1": ["X"]}, {"q1": {"A": 1}})


@pytest.mark.parametrize("settings", [{"query_set": "all"}, {"missing": "skip"}, {"aggregate": "median"}])
def test_an_unknown_setting_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ContractError, match=next(iter(settings))):
        report(**settings)


# Notes.


def test_a_rank_column_against_the_scores_is_noted() -> None:
    run = read_run(io.StringIO("q1 Q0 A 2 0.9 t\nq1 Q0 B 1 0.5 t\n"))
    found = report(run, {"q1": {"A": 1, "B": 0}}, CONTRACT.replace(k=2))
    (note,) = found.notes
    assert note == (
        "The rank column contradicts the scores in 1 query (q1), and is not used. "
        "In q1, 'B' has rank 1 and score 0.5, 'A' has rank 2 and score 0.9."
    )
    assert Report.from_json(found.to_json()).notes == found.notes
    checked(found)


def test_a_run_less_deep_than_k_is_noted() -> None:
    assert report(queries=["q1", "q2"]).notes == ("No query returns more than 2 documents, and k is 3.",)
    assert not report(queries=["q1", "q2"], contract=CONTRACT.replace(k=2)).notes
    assert not report(queries=["q1", "q2"], contract=CONTRACT.replace(k="all")).notes


# JSON, CSV, frames.


def test_a_report_in_json_holds_what_the_interface_says() -> None:
    judged = Judgments({"A": 3, "B": 2, "C": 2, "D": 0}, need="n", scale=range(4), source="s")
    found = report({"q1": {"B": "0.9", "C": "0.80", "A": 0.5}}, {"q1": judged})
    record = checked(found)
    assert record["schema"] == "ndcg-lab/report/1"
    assert record["contract"] == CONTRACT.to_json()
    assert record["aggregation"] == {
        "query_set": "judged",
        "missing": "error",
        "unjudged_queries": "exclude",
        "aggregate": "mean",
    }
    (query,) = record["queries"]
    assert (query["query"], query["weight"], query["need"], query["source"]) == ("q1", "1", "n", "s")
    assert query["scale"] == ["0", "1", "2", "3"]
    assert query["judgments"] == {"A": "3", "B": "2", "C": "2", "D": "0"}
    assert query["ranking"][:2] == [{"document": "B", "score": "0.9"}, {"document": "C", "score": "0.80"}]
    assert query["rows"][1] == {
        "rank": 2,
        "document": "C",
        "grade": "2",
        "gain": "2",
        "discount": {
            "exact": "a",
            "terms": [[3, "1"]],
            "float": 0.6309297535714574,
            "decimal": "0.63092975357145743710",
        },
        "contribution": {
            "exact": "2a",
            "terms": [[3, "2"]],
            "float": 1.2618595071429148,
            "decimal": "1.2618595071429148742",
        },
    }
    assert [row["document"] for row in query["ideal"]] == ["A", "B", "C"]
    assert query["dcg"]["terms"] == [[2, "7/2"], [3, "2"]]
    assert query["ndcg"]["numerator"] == [[2, "7/2"], [3, "2"]]
    assert query["ndcg"]["denominator"] == [[2, "4"], [3, "2"]]
    assert query["unjudged_in_k"] == 0
    assert record["excluded"] == []
    assert record["mean"]["ndcg"]["exact"] == "(7/2 + 2a)/(4 + 2a)"


def test_the_published_schema_is_that_of_the_models() -> None:
    assert json_schema() == SCHEMA
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_refuses_what_is_no_report() -> None:
    record = checked(report(missing="zero"))
    record["contract"].pop("ties")
    with pytest.raises(jsonschema.ValidationError, match="'ties' is a required property"):
        VALIDATOR.validate(record)


def test_csv_is_tidy_as_the_command_writes_it() -> None:
    rows = list(csv.DictReader(io.StringIO(report(missing="zero").to_csv())))
    assert list(rows[0]) == ["run", "query", "measure", "value", "missing"]
    ndcg = [row for row in rows if row["measure"] == "NDCG@3"]
    assert [(row["query"], row["value"], row["missing"]) for row in ndcg] == [
        ("q2", "0.63092975357145743710", ""),
        ("q1", "1.0000000000000000000", ""),
        ("q3", "0", "true"),
        ("q5", "", ""),
    ]
    assert {row["measure"] for row in rows} == {"NDCG@3", "DCG@3", "IDCG@3"}
    assert {row["run"] for row in rows} == {"run"}


def test_csv_holds_every_query_and_every_setting_where_asked() -> None:
    text = report(missing="zero").to_csv("mine", exact=True, everything=True, settings=True)
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["measure"] == "NDCG@3"]
    assert [(row["kind"], row["query"], row["reason"]) for row in rows] == [
        ("query", "q2", ""),
        ("query", "q1", ""),
        ("query", "q3", ""),
        ("query", "q5", "zero ideal"),
        ("excluded", "q4", "no judgments"),
        ("mean", "", "zero ideal"),
    ]
    assert rows[0]["exact"] == "a"
    assert {(row["run"], row["gain"], row["k"], row["round_to"], row["missing_setting"]) for row in rows} == {
        ("mine", "linear", "3", "none", "zero")
    }
    assert [row["missing"] for row in rows] == ["", "", "true", "", "", ""]


def test_a_frame_holds_doubles() -> None:
    frame = report(missing="exclude").to_frame()
    assert list(frame.index) == ["q2", "q1", "q5"]
    assert frame.loc["q2", "ndcg"] == 0.6309297535714574
    assert frame["ndcg"].isna().tolist() == [False, False, True]


def test_frames_are_evaluated_as_files_are() -> None:
    qrels = pd.DataFrame({"query": ["1", "1"], "document": ["A", "B"], "grade": [2, 1]})
    run = pd.DataFrame({"query": [1, 1], "document": ["A", "B"], "score": [0.25, 0.5]})
    files = report(
        read_run(io.StringIO("1 Q0 A 1 0.25 t\n1 Q0 B 2 0.5 t")), read_qrels(io.StringIO("1 0 A 2\n1 0 B 1"))
    )
    assert report(run, qrels).mean == files.mean


def test_a_repr_says_the_number_and_its_contract() -> None:
    assert repr(report(queries=["q1", "q2"])) == (
        "<Report of 2 queries: mean NDCG 0.815465, Contract(gain='linear', k=3)>"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(7 * a + 2, "2 + 7a"), (sum((y(b) for b in range(5, 60)), Linear()), None), ((1 + a) / y(6), None)],
)
def test_a_short_form_is_short(value: Exact, text: str | None) -> None:
    assert short_form(value, 12) == text


# Reading a report.


def test_a_report_is_evaluated_anew_from_its_records() -> None:
    judged = {"q1": Judgments({"A": "19/10", "B": 1}, need="n", scale=["0", "1", "1.9"]), "q5": Judgments({"A": 0})}
    found = report(
        {"q1": [("A", "1e-3"), ("B", "0.50"), ("A", "0.1")], "q4": {"Z": 1}, "q5": ["A"]} | {"q1": DOUBLED},
        judged,
        CONTRACT.replace(duplicates="first", zero_ideal="exclude"),
        weights={"q1": "1/3", "q5": 2},
    )
    record = checked(found)
    again = Report.from_json(json.dumps(record))
    assert json.loads(json.dumps(again.to_json())) == record
    assert again["q1"].evaluation.judgments == judged["q1"]


def test_a_report_keeps_what_its_contract_was_taken_from() -> None:
    found = replace(report(missing="zero"), base=Base("trec_eval", {"k": "all", "round_to": None}))
    record = checked(found)
    assert record["base"] == {"name": "trec_eval", "overridden": {"k": "all", "round_to": None}}
    assert Report.from_json(record).base == found.base


DOUBLED = Ranking.from_scores([("A", "1e-3"), ("B", "0.50"), ("A", "0.1")])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1, column 2: not JSON"),
        ("[]", "the report"),
        ("{}", "schema"),
        ('{"schema": "ndcg-lab/report/2"}', "schema"),
        ('{"a": 1, "a": 2}', "a: is given more than once"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_report_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Report.from_json(text)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (["queries", 0, "judgments", "A"], "1.5", r"queries\[0\]\.judgments\.A"),
        (["queries", 0, "weight"], "-1", r"queries\[0\]\.weight"),
        (
            ["queries", 0, "ranking", 0],
            {"document": "B", "score": "1"},
            r"ranking\[1\]\.score: is missing, and others",
        ),
        (["queries", 0, "rows", 0, "rank"], "1", r"queries\[0\]\.rows\[0\]\.rank"),
        (["queries", 0, "extra"], 1, r"queries\[0\]\.extra: is not expected"),
        (["queries", 1, "query"], "q2", r"queries\[1\]\.query: stands in the report twice"),
        (["excluded", 0, "reason"], "dull", r"excluded\[0\]\.reason"),
    ],
)
def test_a_record_of_the_wrong_shape_is_named(place: list[str | int], value: object, message: str) -> None:
    record = checked(report(missing="zero"))
    target: Any = record
    for key in place[:-1]:
        target = target[key]
    target[place[-1]] = value
    with pytest.raises(FormatError, match=message):
        Report.from_json(record)


def test_json_is_loaded_as_it_stands() -> None:
    assert load('{"a": [1, "2", null]}') == {"a": [1, "2", None]}


# Random reports.

documents = st.sampled_from("ABCDE")
queries = st.sampled_from(["q1", "q2", "q3", "q4", "q\x1b5"])
grades = st.fractions(min_value=0, max_value=3, max_denominator=3)
judgments = st.dictionaries(documents, grades, max_size=4)
rankings = st.one_of(
    st.lists(documents, unique=True, max_size=4).map(Ranking),
    st.dictionaries(documents, st.decimals(0, 2, places=1), max_size=4).map(Ranking.from_scores),
)
contracts = st.builds(
    Contract,
    gain=st.sampled_from(["linear", "power:2", "binary:1"]),
    k=st.sampled_from([1, 2, 3, "all"]),
    discount=st.sampled_from(["log2", "log:10", "jarvelin", "reciprocal"]),
    ideal_population=st.sampled_from(["judged", "returned"]),
    ideal_cutoff=st.sampled_from(["k", "returned", "none"]),
    ties=st.sampled_from(["average", "best", "input", "docno-descending"]),
    unjudged=st.sampled_from(["zero", "remove"]),
    zero_ideal=st.sampled_from(["undefined", "zero", "one", "exclude"]),
)
aggregations = st.fixed_dictionaries(
    {
        "query_set": st.sampled_from(["judged", "run", "both"]),
        "missing": st.sampled_from(["zero", "exclude"]),
        "unjudged_queries": st.sampled_from(["zero", "exclude"]),
        "aggregate": st.sampled_from(["mean", "ratio-of-sums"]),
    }
)


@given(st.dictionaries(queries, judgments), st.dictionaries(queries, rankings), contracts, aggregations)
@settings(max_examples=40, deadline=None)  # the schema's validator is slow
def test_every_report_fits_the_schema_and_is_computed_anew_from_itself(
    qrels: dict[str, dict[str, Fraction]], run: dict[str, Ranking], contract: Contract, over: dict[str, Any]
) -> None:
    found = evaluate_run(contract, run, qrels, **over)
    record = checked(found)
    assert {*averaged(found), *left_out(found)} == {*qrels, *run}
    assert len(found) + len(found.excluded) == len({*qrels, *run})
    assert json.loads(json.dumps(Report.from_json(record).to_json())) == record


@given(
    st.dictionaries(queries, st.tuples(judgments, st.lists(documents, unique=True)), min_size=1),
    st.dictionaries(queries, st.fractions(1, 3, max_denominator=4)),
)
@settings(deadline=None)
def test_the_weighted_mean_of_rational_values(
    needs: dict[str, tuple[dict[str, Fraction], list[str]]], weights: dict[str, Fraction]
) -> None:
    """With a discount of 1 for each rank NDCG is a quotient of sums: an oracle of one line."""
    total, weight_sum = Fraction(0), Fraction(0)
    for query, (judged, returned) in needs.items():
        if not judged:
            continue
        weight = weights.get(query, Fraction(1))
        ideal = sum(judged.values())
        gained = sum((judged.get(document, Fraction(0)) for document in returned), Fraction(0))
        total += weight * (gained / ideal if ideal else 0)
        weight_sum += weight
    contract = Contract(gain="linear", k="all", discount="none", unjudged="zero", zero_ideal="zero")
    found = evaluate_run(
        contract,
        {query: returned for query, (_, returned) in needs.items()},
        {query: judged for query, (judged, _) in needs.items()},
        missing="zero",
        weights={query: weight for query, weight in weights.items() if query in needs},
    )
    if weight_sum:
        assert found.mean.ndcg == total / weight_sum
    else:
        assert found.mean.ndcg == Undefined("no queries")


def test_a_run_keeps_what_its_rank_column_said() -> None:
    run = Run({"q1": Ranking(["A"])}, {"q1": "a sentence"})
    assert report(run, {"q1": {"A": 1}}).queries[0].record.rank_conflict == "a sentence"


def test_a_contracts_query_settings_are_gone_by() -> None:
    qrels, run = {"q1": {"A": 1}, "q2": {"B": 1}}, {"q1": {"A": 1.0}}
    contract = Contract(gain="linear", k=10)
    assert evaluate_run(contract.over(missing="zero"), run, qrels).mean.ndcg == Fraction(1, 2)
    assert evaluate_run(contract.over(query_set="both"), run, qrels).mean.ndcg == 1
    assert evaluate_run(contract.over(missing="zero"), run, qrels, missing="exclude").mean.ndcg == 1
    with pytest.raises(MissingResults):
        evaluate_run(contract, run, qrels)


def test_a_named_convention_is_a_contract_with_its_query_settings() -> None:
    """Judged q2 has no results: trec_eval averages over q1 alone, `-c` and ir_measures count q2 as 0."""
    qrels, run = {"q1": {"A": 1}, "q2": {"B": 1}}, {"q1": {"A": 1.0}}
    assert evaluate_run(conventions["trec_eval"], run, qrels).mean.ndcg == 1
    assert evaluate_run(conventions["trec_eval"].at(10), run, qrels).mean.ndcg == 1
    assert evaluate_run(conventions["trec_eval"].at(10, "-c"), run, qrels).mean.ndcg == Fraction(1, 2)
    assert evaluate_run(conventions["ir_measures"].at(10), run, qrels).aggregation.missing == "zero"
    assert evaluate_run(conventions["trec_eval"].at(10), run, qrels).contract.k == 10
