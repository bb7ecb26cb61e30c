"""Nothing passes in silence on the command line: what was counted as 0, and what was given twice."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from ndcg_lab.command.cli import app, main

# "Counted in silence" of tests/cases/foreign/README.md.
QRELS = "q1 0 a 1\nq2 0 b 1\nq3 0 c 1\n"
RUN = "q1 Q0 a 1 1 s\nq2 Q0 x 1 1 s\n"
FLAGS = ["--gain", "linear", "--k", "10", "--unjudged", "zero", "--missing", "zero"]
NOTE = "note: 1 of 3 averaged queries has no results, and counts 0: q3."
Lab = Callable[..., tuple[int, str, str]]


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Lab:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS, encoding="utf-8")
    Path("run").write_text(RUN, encoding="utf-8")

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(arguments)
        return (status, *capsys.readouterr())

    return run


def evaluate(lab: Lab, *more: str) -> tuple[str, str]:
    status, out, err = lab("evaluate", "--qrels", "qrels", "--run", "run", *FLAGS, *more)
    assert status == 0
    return out, err


def test_a_query_without_results_is_told_in_every_format(lab: Lab) -> None:
    out, err = evaluate(lab, "-q")
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.strip().startswith("q")}
    assert rows["q2"] == ["0", "1", "0"]
    assert rows["q3"] == ["0", "1", "0,", "no", "results"]
    assert NOTE in out
    assert err == ""

    out, err = evaluate(lab, "--format", "json")
    record = json.loads(out)
    assert NOTE.removeprefix("note: ") in record["notes"]
    assert [query.get("missing", False) for query in record["queries"]] == [False, False, True]
    assert f"ndcg-lab: {NOTE}\n" in err
    assert err.count("\n") == len(record["notes"]) == 4

    out, err = evaluate(lab, "--format", "csv")
    assert [line.split(",")[4] for line in out.splitlines()[2:4]] == ["", "true"]
    assert f"ndcg-lab: {NOTE}\n" in err


def test_a_note_of_some_cutoffs_names_them(lab: Lab) -> None:
    status, out, err = lab(
        "evaluate", "--qrels", "qrels", "--run", "run", *FLAGS[:2], *FLAGS[4:], "--k", "1,10", "--format", "json"
    )
    assert status == 0
    assert len(json.loads(out)) == 2
    assert "ndcg-lab: note: at k = 10: No query returns more than 1 document, and k is 10.\n" in err
    assert err.count(NOTE) == 1


def test_compare_tells_both_reports_notes(lab: Lab) -> None:
    out, _ = evaluate(lab, "--format", "json")
    for name in ("a.json", "b.json"):
        Path(name).write_text(out, encoding="utf-8")
    status, out, err = lab("compare", "a.json", "b.json", "--format", "json")
    assert status == 0
    assert f"both reports: {NOTE.removeprefix('note: ')}" in json.loads(out)["notes"]
    assert f"ndcg-lab: note: both reports: {NOTE.removeprefix('note: ')}\n" in err
    assert NOTE.removeprefix("note: ") in lab("compare", "a.json", "b.json")[1]


# An option that takes one value refuses a second.

COMMANDS: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]  # of a group, which the type hides
SINGLE = [
    (name, spelling)
    for name, command in COMMANDS.items()
    for option in command.params
    if option.param_type_name == "option" and not option.is_flag and not option.multiple
    for spelling in option.opts
]


def test_the_options_that_take_one_value_are_found() -> None:
    assert {("evaluate", "--qrels"), ("evaluate", "--gain"), ("evaluate", "--format"), ("compare", "--seed")} <= set(
        SINGLE
    )
    assert not {("evaluate", "--query"), ("evaluate", "--run")} & set(SINGLE)
    assert len(SINGLE) > 20


@pytest.mark.parametrize(("command", "option"), SINGLE)
def test_a_second_value_is_refused(lab: Lab, command: str, option: str) -> None:
    status, out, err = lab(command, option, "1", option, "2")
    assert (status, out) == (2, "")
    assert err.startswith("ndcg-lab: ")
    assert err.endswith("is given 2 times; it takes one value\n")
    assert option in err or option.startswith("-")
    assert err.count("\n") == 1


def test_two_runs_do_not_become_the_second(lab: Lab) -> None:
    status, out, err = lab("evaluate", "--qrels", "qrels", "--run", "run", "--run=run", *FLAGS)
    assert (status, out) == (2, "")
    assert "--run names one file twice" in err
    status, out, err = lab("identify", "--qrels", "qrels", "--run", "run", "--run", "other", "--reported", "1")
    assert (status, out) == (2, "")
    assert "takes one --run" in err
