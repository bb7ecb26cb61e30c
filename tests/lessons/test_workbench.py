"""The workbench: what it reads, what it refuses and where it says so, what it hands over."""

import gzip
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from ndcg_lab import Contract, parse, verify
from ndcg_lab.errors import FormatError, NdcgLabError
from ndcg_lab.lessons.given import read_grades, read_trec
from ndcg_lab.lessons.workbench import Job, Workbench

QRELS = b"1 0 A 3\n1 0 B 2\n1 0 C 2\n1 0 D 0\n2 0 P 1\n"
RUN = b"1 Q0 B 1 9 x\n1 Q0 C 2 8 x\n1 Q0 A 3 7 x\n2 Q0 P 1 5 x\n"


def uploaded(name: str, content: bytes) -> tuple[dict[str, Any], ...]:
    entry = {"name": name, "type": "", "size": len(content), "content": memoryview(content)}
    return ({**entry, "last_modified": datetime.now(tz=UTC)},)


def test_grades_in_ranked_order_are_two_lists_of_one_need() -> None:
    qrels, runs = read_grades({"list A": "2 2 3 0", "list B": "3, 0, 2, 2"})
    job = Job((qrels, runs), Contract(gain="linear", k=3))
    values = [report["q1"].ndcg for report in job.reports.values()]
    assert values == [parse("(7/2 + 2a)/(4 + 2a)"), parse("4/(4 + 2a)")]


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ({"list A": "", "list B": ""}, "no grades yet"),
        ({"list A": "2 x", "list B": ""}, "list A, line 1"),
        ({"list A": "1\n2 1.x", "list B": ""}, "list A, line 2"),
        ({"list A": "2 1", "list B": "2 2"}, "list B, line 1: grade 2 is not left"),
        ({"list A": "2 1", "list B": "2 1\n1"}, "list B has 2 lines"),
    ],
)
def test_bad_grades_are_named_by_list_and_line(texts: dict[str, str], told: str) -> None:
    with pytest.raises(FormatError, match=told):
        read_grades(texts)


def test_files_may_be_gzip_and_a_missing_one_is_told() -> None:
    qrels, runs = read_trec(gzip.compress(QRELS), {"run A": RUN, "run B": b""})
    assert list(qrels) == ["1", "2"]
    assert list(runs) == ["run A"]
    with pytest.raises(FormatError, match="no run yet"):
        read_trec(QRELS, {"run A": b" \n"})
    with pytest.raises(FormatError, match="no judgments yet"):
        read_trec(b"", {"run A": RUN})
    with pytest.raises(FormatError, match="run A, line 1"):
        read_trec(QRELS, {"run A": b"1 Q0 B\n"})


def test_a_question_of_the_contract_is_put_beside_its_field() -> None:
    bench = Workbench()
    bench.source.index = 1
    bench.files["run A"].text.value = "1 Q0 A 1 9 x\n1 Q0 Z 2 8 x\n"
    asked = [name for name, setting in bench._all_settings().items() if setting.message.value]
    assert asked == ["unjudged"]
    assert "No report" in bench._message.value
    assert bench._report.value == ""
    bench.settings["unjudged"].control.value = "zero"
    assert bench.settings["unjudged"].message.value == ""
    assert "0.7601" in bench._report.value  # run B still leads nowhere: it is complete, run A has A alone


def test_a_bad_line_is_told_beside_the_data() -> None:
    bench = Workbench()
    bench.source.index = 1
    bench.files["qrels"].text.value = "1 0 A <b>\n"
    assert "qrels, line 1" in bench._data_message.value
    assert "<b>" not in bench._data_message.value
    assert bench._message.value == ""


def test_a_convention_sets_every_field_and_a_change_makes_it_ones_own() -> None:
    bench = Workbench()
    bench.convention.value = "tensorflow-ranking"
    assert bench.job().contract.gain == "exponential"
    assert bench.job().contract.k == 3  # the cutoff stays the reader's
    assert "0.81787" in bench._report.value
    bench.settings["k"].control.value = "all"
    assert bench.convention.value == "set every field"
    assert "0.94219" in bench._report.value  # Y down to rank 4


def test_two_runs_are_compared_and_a_second_contract_explained() -> None:
    bench = Workbench()
    assert "list A leads" in bench._compared.value
    assert "3 &lt; 2⁴" in bench._compared.value
    bench.second.value = "tensorflow-ranking"
    assert "<code>gain</code> alone carries the whole disagreement" in bench._explained.value
    bench.reported.value = "0.90498"
    assert "linear" in bench._identified.value
    bench.reported.value = "nine"
    assert "nine" in bench._identified.value
    assert "<table" not in bench._identified.value
    bench._restart()
    assert bench._explained.value == bench._identified.value == ""


def test_downloads_hold_a_report_that_verifies() -> None:
    bench = Workbench()
    bench.source.index = 1
    bench.files["qrels"].upload.value = uploaded("my.qrels.gz", gzip.compress(QRELS))
    bench.files["run A"].upload.value = uploaded("my.run", RUN)
    bench.files["run B"].text.value = ""
    sent: list[dict[str, Any]] = []
    for download in bench.downloads:
        download.send = sent.append
        download._send_file()
    whole, lines = (message["text"] for message in sent)  # the second report, of no run, sends nothing
    record = json.loads(whole)
    assert verify(record) == []
    assert [query["query"] for query in record["queries"]] == ["1", "2"]
    assert "no second report" in bench._data_message.value
    assert [line.split(",")[0] for line in lines.splitlines()][:3] == ["run", "run A", "run A"]
    assert "my.qrels.gz" in bench.files["qrels"].told.value


def test_a_download_of_nothing_says_why() -> None:
    bench = Workbench()
    bench.grades["list A"].value = ""
    bench.grades["list B"].value = ""
    bench.downloads[0]._send_file()
    assert "no grades yet" in bench._data_message.value


def test_identify_refuses_large_data() -> None:
    qrels, runs = read_grades({"list A": " ".join(["1"] * 1500)})
    with pytest.raises(NdcgLabError, match="at most 2,000"):
        Job((qrels, runs), Contract(gain="linear", k=3)).identification_html("0.5", "any")


def test_an_explanation_takes_each_systems_own_settings_over_queries() -> None:
    """Two judged queries, one answered: pytrec_eval averages the one, ir_measures both."""
    bench = Workbench()
    bench.source.index = 1
    bench.files["qrels"].text.value = "1 0 A 1\n2 0 B 1\n"
    bench.files["run A"].text.value = "1 Q0 A 1 9 x\n"
    bench.files["run B"].text.value = ""
    bench.convention.value = "pytrec_eval"
    bench.second.value = "ir_measures"
    assert "Nothing differs" not in bench._explained.value
    assert "query_set" in bench._explained.value
    explained = bench.job()
    assert explained.second is not None
    assert explained.second[1].query_set == "judged"


def test_two_runs_are_exported_each_by_name() -> None:
    bench = Workbench()
    first, second = (json.loads(bench._json(which)) for which in (0, 1))
    assert verify(first) == verify(second) == []
    assert first["queries"][0]["dcg"]["exact"] == "7/2 + 2a"
    assert second["queries"][0]["dcg"]["exact"] == "4"
    names = [line.split(",")[0] for line in bench._csv().splitlines()]
    assert names.count("run") == 1
    assert {"list A", "list B"} == set(names) - {"run"}


def test_judged_documents_that_were_not_returned_stand_after_a_stroke() -> None:
    qrels, runs = read_grades({"list A": "2 2 3 0 | 3 1", "list B": "3 0 2 2"})
    job = Job((qrels, runs), Contract(gain="linear", k=3))
    assert sorted(map(str, qrels["q1"].values())) == ["0", "1", "2", "2", "3", "3"]
    assert [len(run["q1"]) for run in runs.values()] == [4, 4]
    assert job.reports["list A"]["q1"].ndcg == parse("(7/2 + 2a)/(4 + 3a)")
    assert job.reports["list B"]["q1"].ndcg == parse("4/(4 + 3a)")


def test_the_first_grades_of_ones_own_are_not_held_against_the_example() -> None:
    bench = Workbench()
    bench.grades["list A"].value = "1 0 1"
    assert bench.grades["list B"].value == ""
    assert "No report" not in bench._data_message.value
    bench.grades["list B"].value = "0 1 1"
    bench.grades["list A"].value = "0 1 1"
    assert bench.grades["list B"].value == "0 1 1"
    bench._restart()
    assert bench.grades["list B"].value == "3 0 2 2"


def test_a_lead_comes_with_what_chance_says_of_it() -> None:
    bench = Workbench()
    assert "chance" not in bench._compared.value  # one query: nothing to test
    bench.grades["list A"].value = "2 2 3 0\n1 0\n0 1 1"
    bench.grades["list B"].value = "3 0 2 2\n0 1\n1 0 1"
    assert "more than chance is another question" in bench._compared.value
    assert "p" in bench._compared.value
