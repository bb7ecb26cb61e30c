"""The command line on reports: compare, explain, verify."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ndcg_lab.certificates.checker import check
from ndcg_lab.command.cli import main

QRELS = "q1 0 A 3\nq1 0 B 2\nq1 0 C 2\nq1 0 D 0\nq2 0 E 0\nq2 0 F 1\n"
X = "q1 Q0 B 1 4 x\nq1 Q0 C 2 3 x\nq1 Q0 A 3 2 x\nq1 Q0 D 4 1 x\nq2 Q0 E 1 2 x\nq2 Q0 F 2 1 x\n"
Y = "q1 Q0 A 1 4 y\nq1 Q0 D 2 3 y\nq1 Q0 B 3 2 y\nq1 Q0 C 4 1 y\nq2 Q0 E 1 2 y\nq2 Q0 F 2 1 y\n"

Lab = Callable[..., tuple[int, str, str]]


@pytest.fixture
def lab(capsys: pytest.CaptureFixture[str]) -> Lab:
    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(arguments)
        return (status, *capsys.readouterr())

    return run


@pytest.fixture(autouse=True)
def reports(lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reports x-linear.json, x-exponential.json, y-linear.json, y-exponential.json."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("qrels", QRELS), ("x", X), ("y", Y)):
        Path(name).write_text(text, encoding="utf-8")
    for run in ("x", "y"):
        for gain in ("linear", "exponential"):
            arguments = ("--qrels", "qrels", "--run", run, "--gain", gain, "--k", "3", "--format", "json")
            status, out, _ = lab("evaluate", *arguments)
            assert status == 0
            Path(f"{run}-{gain}.json").write_text(out, encoding="utf-8")


def from_json(result: tuple[int, str, str]) -> Any:
    status, out, err = result
    assert (status, err) == (0, "")
    return json.loads(out)


def refused(result: tuple[int, str, str]) -> str:
    status, out, err = result
    assert (status, out) == (2, "")
    assert err.startswith("ndcg-lab: ")
    assert err.count("\n") == 1
    return err


def test_compare_for_people(lab: Lab) -> None:
    status, out, err = lab("compare", "x-linear.json", "y-linear.json", "-q")
    assert (status, err) == (0, "")
    assert "A: x-linear.json\nB: y-linear.json\n" in out
    # (7/2 + 2a) - (3 + 2/2) over 4 + 2a, for X's 2 + 2a + 3/2 and Y's 3 + 0 + 2/2.
    assert "because a > 1/4, because 3 < 2^4" in out
    assert "because both sides are the same expression" in out
    assert "A leads by 0.07239, proved." in out
    assert "A is higher on 1 of 2 queries, B on 0, 1 exactly tied." in out
    assert "Sign test" in out
    assert "every swap counted" in out
    assert "A and B: gain = linear; k = 3; " in out
    assert "note:" not in out


def test_compare_says_that_questions_are_mixed(lab: Lab) -> None:
    _, out, _ = lab("compare", "x-linear.json", "x-exponential.json")
    assert "note: two questions are mixed: the contracts differ in gain" in out
    assert "A: gain = linear\nB: gain = exponential\n" in out


def test_compare_in_json(lab: Lab) -> None:
    record = from_json(lab("compare", "x-linear.json", "y-linear.json", "--format", "json"))
    assert set(record) == {"queries", "mean", "notes", "tests"}
    assert [(query["query"], query["sign"]) for query in record["queries"]] == [("q1", 1), ("q2", 0)]
    assert [check(query["certificate"]) for query in record["queries"]] == [1, 0]
    assert check(record["mean"]["certificate"]) == record["mean"]["sign"] == 1
    assert record["queries"][0]["difference"]["exact"] == "(-1/2 + 2a)/(4 + 2a)"


def test_a_seed_for_compare(lab: Lab) -> None:
    record = from_json(lab("compare", "x-linear.json", "y-linear.json", "--seed", "7", "--format", "json"))
    assert record["tests"]["seed"] == 7


def test_explain_for_people(lab: Lab) -> None:
    status, out, err = lab("explain", "x-linear.json", "y-exponential.json")
    assert (status, err) == (0, "")
    for part in (
        "`gain` flips the lead.",
        "What differs",
        "One change at a time, from A to B",
        "Each change alone, made to A",
        "Who leads, as the question changes",
        "because a < 2/3, because 2^3 < 3^2",
    ):
        assert part in out


def test_explain_in_json(lab: Lab) -> None:
    record = from_json(lab("explain", "x-linear.json", "y-exponential.json", "--format", "json"))
    assert [step["change"] for step in record["steps"]] == ["gain", "order"]
    assert [check(lead["certificate"]) for lead in (record["lead"]["start"], *record["lead"]["steps"])] == [1, -1]


def test_standard_input(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("x-linear.json").open(encoding="utf-8") as file:
        monkeypatch.setattr("sys.stdin", file)
        assert lab("explain", "-", "x-exponential.json")[0] == 0
    with Path("x-linear.json").open(encoding="utf-8") as file:
        monkeypatch.setattr("sys.stdin", file)
        assert lab("verify", "-")[0] == 0
    assert "can't both be standard input" in refused(lab("compare", "-", "-"))


def test_verify_holds(lab: Lab) -> None:
    assert lab("verify", "x-linear.json") == (0, "Every number follows from the report's own records.\n", "")
    assert from_json(lab("verify", "x-linear.json", "--format", "json")) == {"holds": True, "faults": []}


def test_verify_finds_a_fault_and_exits_with_1(lab: Lab) -> None:
    path = Path("x-linear.json")
    path.write_text(path.read_text(encoding="utf-8").replace('"1 + a"', '"1 + 2a"').replace("0.6309", "0.6308"))
    status, out, err = lab("verify", str(path))
    assert (status, err) == (1, "")
    assert "queries[0].rows[1].discount.float: does not follow from the records" in out
    status, out, _ = lab("verify", str(path), "--format", "json")
    record = json.loads(out)
    assert status == 1
    assert not record["holds"]
    assert {"place", "cause", "found", "expected"} == set(record["faults"][0])


def test_many_faults_are_told_in_few_lines(lab: Lab) -> None:
    path = Path("x-linear.json")
    path.write_text(path.read_text(encoding="utf-8").replace('"gain": "linear"', '"gain": "exponential"'))
    status, out, _ = lab("verify", str(path))
    assert status == 1
    assert out.startswith("contract.gain: ")
    assert sum(not line.startswith("  ") for line in out.splitlines()) == 21  # a long line is folded
    assert "more (all in --format json)" in out


def test_what_can_not_be_read_is_one_line(lab: Lab) -> None:
    Path("bad.json").write_text("{", encoding="utf-8")
    assert "nothing.json: No such file" in refused(lab("verify", "nothing.json"))
    assert "bad.json, line 1, column 2: not JSON" in refused(lab("verify", "bad.json"))
    assert "bad.json: line 1" in refused(lab("compare", "bad.json", "x-linear.json"))
    assert "qrels: " in refused(lab("explain", "x-linear.json", "qrels"))
    assert "choices: table, json, csv, markdown, latex" in refused(lab("verify", "x-linear.json", "--format", "xml"))


def test_a_report_whose_mean_is_not_its_records_is_not_compared(lab: Lab) -> None:
    record = json.loads(Path("x-linear.json").read_text(encoding="utf-8"))
    record["mean"]["ndcg"]["float"] = 0.5
    Path("wrong.json").write_text(json.dumps(record), encoding="utf-8")
    for command in ("compare", "explain"):
        message = refused(lab(command, "wrong.json", "y-linear.json"))
        assert "wrong.json: the mean that it states does not follow from its records; `verify` names" in message


def test_a_report_that_leaves_a_setting_out_is_not_compared(lab: Lab) -> None:
    record = json.loads(Path("x-linear.json").read_text(encoding="utf-8"))
    del record["contract"]["ties"]
    Path("partial.json").write_text(json.dumps(record), encoding="utf-8")
    assert "contract.ties" in refused(lab("compare", "partial.json", "y-linear.json"))


def test_a_list_of_reports_is_not_one(lab: Lab) -> None:
    Path("list.json").write_text(f"[{Path('x-linear.json').read_text(encoding='utf-8')}]", encoding="utf-8")
    assert "list.json: a list of 1 reports; give one" in refused(lab("explain", "list.json", "y-linear.json"))
    assert lab("verify", "list.json")[0] == 0


def test_foreign_names_do_not_reach_the_terminal(lab: Lab) -> None:
    Path("run").write_text("q1 Q0 \x1b[31mA 1 2 t\n", encoding="utf-8")
    settings = ("--gain", "linear", "--k", "3", "--missing", "zero", "--unjudged", "zero", "--format", "json")
    _, out, _ = lab("evaluate", "--qrels", "qrels", "--run", "run", *settings)
    Path("run.json").write_text(out, encoding="utf-8")
    _, out, _ = lab("explain", "x-linear.json", "run.json")
    assert "\x1b" not in out
    assert "\\x1b[31mA" in out
