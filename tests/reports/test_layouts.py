"""Judgments and runs as people have them: other tools' files, frames and records; and what is not read, by name."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from ndcg_lab import Contract, Judgments, evaluate_run
from ndcg_lab.command.cli import main
from ndcg_lab.errors import ContractError, FormatError, WrongKind
from ndcg_lab.reports import sources
from ndcg_lab.reports.trec import as_qrels, as_run, read_qrels, read_run

FILES = Path(__file__).parent.parent / "cases" / "foreign" / "files"
TWO = {"q1": Judgments({"a": 2, "b": 1})}


def refused(call: Any, *arguments: Any, **settings: Any) -> str:
    with pytest.raises(FormatError) as raised:
        call(*arguments, **settings)
    assert len(str(raised.value)) < 420
    return str(raised.value)


# tests/cases/foreign/README.md, "Files".


def test_beir_has_a_head_and_three_columns() -> None:
    assert read_qrels(FILES / "beir.qrels") == {"q1": Judgments({"a": 2})}


def test_three_columns_are_read_when_asked_for() -> None:
    message = refused(read_run, FILES / "three.run")
    assert "three.run, line 1: 3 columns; if they are query, document and score, say `columns`" in message
    assert '(--columns) "query document score"' in message
    run = read_run(FILES / "three.run", columns="query document score")
    assert {query: ranking.scores for query, ranking in run.items()} == {"0": (5.25,), "1": (4.75,)}


def test_statap_is_named() -> None:
    assert "five.qrels, line 1: 5 columns, as judgments of statAP have" in refused(read_qrels, FILES / "five.qrels")


def test_json_bz2_and_lone_carriage_returns_are_read() -> None:
    assert read_qrels(FILES / "q.json") == {"q1": Judgments({"a": 2})}
    assert "q.bz2, line 1: 5 columns, as judgments of statAP have" in refused(read_qrels, FILES / "q.bz2")
    assert read_qrels(FILES / "cr.qrels") == TWO
    assert "utf16le.run: the text is UTF-16 without a mark" in refused(read_run, FILES / "utf16le.run")


def test_an_id_that_ends_in_nul_is_refused_at_its_place() -> None:
    assert "nul.run, line 2: column 3 holds a NUL byte" in refused(read_run, FILES / "nul.run")


# Their kinds.


@pytest.mark.parametrize(
    "text",
    [
        "query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t1\n",
        "query_id,doc_id,relevance\nq1,a,2\nq1,b,1.0\n",
        'qid,docno,label\r\n"q1","a",2\r\n"q1",b,1\r\n',
        "q_id doc_id rel\nq1 a 2\nq1 b 1\n",
        "iteration,grade,document,query\n0,2,a,q1\n0,1,b,q1\n\n",
        "query_id,doc_id,relevance,score\nq1,a,2,0.3\nq1,b,1,0.9\n",
        '{"q1": {"a": 2, "b": 1}}',
        '{"q1":\n {"a": "2",\n "b": 1.0}}',
        "q1 0 a 2\rq1 0 b 1",
        "\ufeffq1 0 a 2\r\n\r\nq1 0 b 1",
    ],
)
def test_judgments_of_others(text: str) -> None:
    assert read_qrels(io.BytesIO(text.encode())) == TWO


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_files(compress: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    data = compress(b"q1 0 a 2\nq1 0 b 1\n")
    assert read_qrels(io.BytesIO(data)) == TWO
    assert "damaged" in refused(read_qrels, io.BytesIO(data[:-4]))
    monkeypatch.setattr(sources, "MOST_BYTES", 17)
    assert "more than 17 bytes when decompressed" in refused(read_qrels, io.BytesIO(data))


@pytest.mark.parametrize(
    ("text", "ranked"),
    [
        ("q1 Q0 a 1 2 tag of three words\nq1 Q0 b 2 1 t\n", {"q1": ["a", "b"]}),
        ("query_id,doc_id,score\nq1,b,1\nq1,a,2e0\n", {"q1": ["a", "b"]}),
        ("qid\tdocno\trank\tscore\tname\nq1\tb\t2\t1\tx\nq1\ta\t1\t2\tx\n", {"q1": ["a", "b"]}),
        ('{"q1": {"b": 0.5, "a": 0.75}, "q2": ["c", "a"]}', {"q1": ["a", "b"], "q2": ["c", "a"]}),
    ],
)
def test_runs_of_others(text: str, ranked: dict[str, list[str]]) -> None:
    run = read_run(io.BytesIO(text.encode()))
    assert {query: list(ranking) for query, ranking in run.items()} == ranked


def test_scores_of_json_are_kept_as_written() -> None:
    run = read_run(io.BytesIO(b'{"q": {"a": 0.10, "b": 1e2}}'))
    assert dict(zip(run["q"].documents, run["q"].texts or (), strict=True)) == {"a": "0.10", "b": "1e2"}


def test_a_rank_column_is_held_to_the_scores() -> None:
    run = read_run(io.BytesIO(b"qid,docno,rank,score\nq,a,1,1\nq,b,2,2\n"))
    assert "has rank 1 and score 1" in run.rank_conflicts["q"]
    asked = read_run(io.BytesIO(b"q a 1 1 x\nq b 2 2 x\n"), columns="query document rank score tag")
    assert asked.rank_conflicts == run.rank_conflicts


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("q1 1 a 1\nq1 2 a 1\n", "line 2: document 'a' of query 'q1' stands here under '2' in the second column"),
        ("query_id,doc_id,relevance\nq1,a\n", "line 2: 2 columns under a head of 3"),
        ('query_id,doc_id,relevance\nq1,"a"b,1\n', "line 2: not CSV"),
        ("query_id,qid,doc_id,relevance\n1,1,a,1\n", "the columns 'query_id' and 'qid' may each be the query"),
        ("[1, 2]", "this is JSON of a list; expected an object query -> document -> grade"),
        ('{"schema": "ndcg-lab/report/1"}', "this is JSON of the schema 'ndcg-lab/report/1'"),
        ('{"q": {"a": 1, "a": 2}}', "the key `q.a` is given more than once"),
        ('{"q": {"a": true}}', "query 'q'"),
        ('{"q": 3}', "query 'q'"),
        ('{"q": {"a": 1}', "not JSON"),
        ("PK\x03\x04 zip", "this is zip data, which is not read here"),
        ("a\tb\tc\n1\t2\t3\n", "line 1: 3 columns"),
    ],
)
def test_what_is_not_read_says_what_it_is(text: str, part: str) -> None:
    assert part in refused(read_qrels, io.BytesIO(text.encode()))


@pytest.mark.parametrize(("columns", "part"), [("query document", "lacks grade"), ("", "lacks query, document, grade")])
def test_columns_that_lack_something(columns: str, part: str) -> None:
    with pytest.raises(ContractError, match=part):
        read_qrels(io.BytesIO(b"q a 1\n"), columns=columns)


def test_the_command_is_asked_for_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, qrels = tmp_path / "r", tmp_path / "q"
    run.write_text("q1 a 2\nq1 b 1\n", encoding="utf-8")
    qrels.write_text("q1 0 b 1\n", encoding="utf-8")
    command = ["evaluate", "--qrels", str(qrels), "--run", str(run), "--convention", "trec_eval", "--k", "2"]
    assert main(command) == 2
    assert '--columns) "query document score"' in capsys.readouterr().err
    assert main([*command, "--columns", "query document score", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["mean"]["ndcg"]["terms"] == [[3, "1"]]


# Frames and records.


@pytest.mark.parametrize(
    "names",
    [
        ("query_id", "doc_id", "relevance", "score"),  # ir_measures, ir_datasets
        ("q_id", "doc_id", "score", "score"),  # ranx
        ("qid", "docno", "label", "score"),  # PyTerrier
        ("Query", "Document", "Grade", "Score"),
    ],
)
def test_frames_under_other_names(names: tuple[str, str, str, str]) -> None:
    query, document, grade, score = names
    judged = pd.DataFrame({query: ["q1", "q1"], document: ["a", "b"], grade: [2.0, 1.0], "iteration": [0, 0]})
    assert as_qrels(judged) == TWO
    run = as_run(pd.DataFrame({query: ["q1", "q1"], document: ["a", "b"], score: [1.5, 2.5], "rank": [2, 1]}))
    assert list(run["q1"]) == ["b", "a"]


def test_a_frame_with_two_columns_of_one_name_is_refused() -> None:
    frame = pd.DataFrame([["q", "a", 1, 2]], columns=["query", "document", "grade", "grade"])
    assert "the columns 'grade' and 'grade' may each be the grade" in refused(as_qrels, frame)


class Qrel(NamedTuple):
    query_id: Any
    doc_id: str
    relevance: Any
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    query_id: str
    doc_id: str
    score: float


def test_records_as_ir_datasets_gives_them() -> None:
    assert as_qrels(iter([Qrel("q1", "a", 2), Qrel("q1", "b", 1)])) == TWO
    assert as_qrels([Qrel(1, "a", np.int64(2))]) == {"1": Judgments({"a": 2})}
    run = as_run(ScoredDoc("q1", document, score) for document, score in (("a", 0.5), ("b", 0.75)))
    assert list(run["q1"]) == ["b", "a"]
    assert "row 1: query None is not an id" in refused(as_qrels, [Qrel(None, "a", 2)])
    for nothing in ([], ["q1"], [3], (one for one in [object()])):
        with pytest.raises(WrongKind, match="the judgments: "):
            as_qrels(nothing)


def test_paths_stand_for_files(tmp_path: Path) -> None:
    run, qrels = tmp_path / "r", tmp_path / "q"
    run.write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n", encoding="utf-8")
    qrels.write_text("q1 0 a 2\nq1 0 b 1\n", encoding="utf-8")
    for one, other in ((str(run), str(qrels)), (run, qrels)):
        assert evaluate_run(Contract(gain="linear", k=2), one, other).mean.ndcg == 1


def test_a_short_decimal_is_the_grade_that_was_written() -> None:
    """A table's reader makes doubles of 0.5 and 0.1; what was written there was 1/2 and 1/10."""
    for grades in ([0.5, 0.1], np.array([0.5, 0.1]), np.array([0.5, 0.1], np.float32)):
        assert as_qrels({"q": dict(zip("ab", grades, strict=True))})["q"]["b"] == Fraction(1, 10)
        frame = pd.DataFrame({"query": "q", "document": ["a", "b"], "grade": grades})
        assert list(as_qrels(frame)["q"].values()) == [Fraction(1, 2), Fraction(1, 10)]
    assert "does not say which exact number is meant" in refused(
        as_qrels, pd.DataFrame({"query": ["q"], "document": ["a"], "grade": [0.1 + 0.2]})
    )
