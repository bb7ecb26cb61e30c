"""Ids as they come: whole numbers beside texts, and characters that would break a row."""

import csv
import io
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ndcg_lab import Contract, FormatError, Judgments, Ranking, Report, evaluate_run, read_run, verify

LINEAR = Contract(gain="linear", k=2)


def evaluated(run: Any, qrels: Any, **settings: Any) -> Report:
    return evaluate_run(LINEAR, run, qrels, **settings)


def frame(value: str, *rows: tuple[Any, Any, Any]) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=["query", "document", value], dtype="object")


@pytest.mark.parametrize("one", [1, np.int64(1), np.uint8(1)])
def test_whole_numbers_are_read_alike_in_mappings_frames_and_files(one: Any) -> None:
    file = read_run(io.StringIO("1 Q0 7 1 0.9 t\n1 Q0 8 2 0.5 t\n"))
    qrels = {"1": {"7": 1, "8": 2}}
    seven, eight = 6 * one + one, 7 * one + one
    expected = evaluated(file, qrels).to_json()
    for run in (
        {one: {seven: "0.9", eight: "0.5"}},
        {one: pd.Series({seven: "0.9", eight: "0.5"})},
        frame("score", (one, seven, "0.9"), (one, eight, "0.5")),
    ):
        for grades in (qrels, {one: {seven: 1, eight: 2}}, frame("grade", (one, seven, 1), (one, eight, 2))):
            assert evaluated(run, grades, weights={one: 1}, queries=[one]).to_json() == expected
    assert evaluated({one: [seven, eight]}, qrels).mean.ndcg == evaluated(file, qrels).mean.ndcg


TWICE = r"{} 1 and {} '1' are two spellings of one id|{} '1' and {} 1 are two spellings of one id"


def refused(what: str) -> str:
    return TWICE.format(*[what] * 4)


@pytest.mark.parametrize("pair", [[1, "1"], ["1", 1]])
def test_two_spellings_of_one_id_are_an_error_that_names_both(pair: list[Any]) -> None:
    fine_run, fine_qrels = {"1": {"1": 1}}, {"1": {"1": 1}}
    queries: list[tuple[Any, Any]] = [
        ({key: {"1": 1} for key in pair}, fine_qrels),
        (fine_run, {key: {"1": 1} for key in pair}),
        ({key: Ranking(["1"]) for key in pair}, fine_qrels),
        (fine_run, {key: Judgments({"1": 1}) for key in pair}),
        (frame("score", *((key, f"d{i}", 1) for i, key in enumerate(pair))), fine_qrels),
        (fine_run, frame("grade", *((key, f"d{i}", 1) for i, key in enumerate(pair)))),
    ]
    documents: list[tuple[Any, Any]] = [
        ({"1": dict.fromkeys(pair, 1)}, fine_qrels),
        ({"1": pair}, fine_qrels),
        (fine_run, {"1": dict.fromkeys(pair, 1)}),
        (fine_run, {"1": pd.Series([1, 1], index=pd.Index(pair, dtype="object"))}),
        (frame("score", *(("1", key, 1) for key in pair)), fine_qrels),
        (fine_run, frame("grade", *(("1", key, 1) for key in pair))),
    ]
    for what, cases in (("query", queries), ("document", documents)):
        for run, qrels in cases:
            with pytest.raises(FormatError, match=refused(what)):
                evaluated(run, qrels)
    with pytest.raises(FormatError, match=f"^the weights, query 2: ({refused('query')})"):
        evaluated(fine_run, fine_qrels, weights=dict.fromkeys(pair, 1))


def test_what_is_no_id_is_still_refused_by_name() -> None:
    for key in (1.0, True, None, ""):
        with pytest.raises(FormatError, match="is not an id"):
            evaluated({key: {"a": 1}}, {"q": {"a": 1}})
    with pytest.raises(FormatError, match="not an id"):
        evaluated({"q": {"a": 1}}, frame("grade", ("q", 1.5, 1)))


STRANGE = [
    "a\rb",
    "a\nb",
    "a\r\nb",
    'a"b',
    "a,b",
    "a\x0bb",
    "a\x0cb",
    "a\x1cb",
    "a\x85b",
    "a\u2028b",
    "a\x00b",
    "a\tb",
    '"',
]


@pytest.mark.parametrize("query", STRANGE)
def test_a_strange_query_stays_in_its_row_of_csv(query: str) -> None:
    report = evaluated({query: {"d": 1}, "q": {"d": 1}}, {query: {"d": 1}, "q": {"d": 1}})
    text = report.to_csv()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["query"] for row in rows] == 3 * [query, "q"]
    assert all(row["run"] == "run" for row in rows)
    assert f'run,"{query.replace(chr(34), chr(34) * 2)}",NDCG@2,' in text
    if "\x00" not in query:  # which pandas takes for the end of a text
        kept = pd.read_csv(io.StringIO(text, newline=""), dtype=str, keep_default_na=False)
        assert list(kept["query"]) == 3 * [query, "q"]


def test_plain_cells_are_not_quoted() -> None:
    assert '"' not in evaluated({"q é": {"d": 1}}, {"q é": {"d": 1}}).to_csv()


# Rank columns that contradict the scores: what a report says of them.

RUN = """p Q0 A 2 9 t
p Q0 B 1 8 t
q Q0 A 2 9 t
q Q0 x, 3 7.5 t
q Q0 B 1 8 t
"""


def test_every_rank_conflict_is_checked() -> None:
    run = read_run(io.StringIO(RUN))
    report = evaluate_run(Contract(gain="linear", k=1, unjudged="zero"), run, {"p": {"A": 1}, "q": {"A": 1, "B": 0}})
    record = report.to_json()
    assert [query["rank_conflict"] for query in record["queries"]] == [
        "'B' has rank 1 and score 8, 'A' has rank 2 and score 9"
    ] * 2
    assert verify(record) == []
    for told in (
        "anything",
        "'B' has rank 1 and score 8",
        "'B' has rank 1 and score 8, 'B' has rank 2 and score 8",
        "'A' has rank 1 and score 9, 'B' has rank 2 and score 8",
        "'B' has rank 3 and score 8, 'A' has rank 2 and score 9",
        "'C' has rank 1 and score 8, 'A' has rank 2 and score 9",
        "'B' has rank 1 and score 8.0, 'A' has rank 2 and score 9",
        "'B' has rank one and score 8, 'A' has rank 2 and score 9",
        "'B' has rank 1 and score 8, 'A' has rank 2 and score 9 and more",
    ):
        changed = {**record, "queries": [record["queries"][0], {**record["queries"][1], "rank_conflict": told}]}
        assert "queries[1].rank_conflict" in [fault.place for fault in verify(changed)], told


def test_a_rank_conflict_of_strange_ids_holds() -> None:
    for name in ("B has rank 1 and score 8, C", "it's", "x" * 200, "a\x1bb"):
        text = f"q Q0 A 2 9 t\nq Q0 {re.sub(r' ', chr(160), name)} 1 8 t\n"
        run = read_run(io.StringIO(text))
        report = evaluate_run(Contract(gain="linear", k=1, unjudged="zero"), run, {"q": {"A": 1}})
        assert report.queries[0].record.rank_conflict
        assert verify(report) == []
