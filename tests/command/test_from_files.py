"""Everyday questions in one command each, straight from files; and each form of output."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ndcg_lab.certificate import check
from ndcg_lab.command.cli import main
from tests.support import require_real

if TYPE_CHECKING:
    from collections.abc import Callable

    Lab = Callable[..., str]

QRELS = "q1 0 A 3\nq1 0 B 2\nq1 0 C 2\nq1 0 D 0\nq2 0 E 1\nq2 0 F 0\n"
X = "q1 Q0 B 1 4 x\nq1 Q0 C 2 3 x\nq1 Q0 A 3 2 x\nq1 Q0 D 4 1 x\nq2 Q0 F 1 2 x\nq2 Q0 E 2 1 x\n"
Y = "q1 Q0 A 1 4 y\nq1 Q0 D 2 3 y\nq1 Q0 B 3 2 y\nq1 Q0 C 4 1 y\nq2 Q0 E 1 2 y\nq2 Q0 F 2 1 y\n"


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Lab:
    """The command line in a folder with the files qrels, x and y: what it prints, where nothing goes wrong."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("qrels", QRELS), ("x", X), ("y", Y)):
        Path(name).write_text(text, encoding="utf-8")

    def run(*arguments: str, status: int = 0) -> str:
        assert main(arguments) == status
        out, err = capsys.readouterr()
        if status:
            assert out == ""
            assert err.count("\n") == 1
            return str(err)
        return str(out)

    return run


FILES = ("--qrels", "qrels", "--run", "x", "--run", "y")


def test_several_runs_by_several_measures(lab: Lab) -> None:
    out = lab("evaluate", *FILES, "-m", "AP(rel=3)", "-m", "RR", "-m", "nDCG@3")
    lines = [line.split() for line in out.splitlines() if line.strip()]
    assert lines[0] == ["run", "AP(rel=3)", "RR", "nDCG@3"]
    # x: AP 1/3 and 0, RR 1 and 1/2; y: AP 1 and 0, RR 1 and 1
    assert [line[:3] for line in lines[2:4]] == [["x", "0.166667", "0.75"], ["y", "0.5", "1"]]
    assert "Means over 2 queries." in out
    assert "RR: measure = reciprocal_rank; k = all; relevant_from = 1;" in out
    record = json.loads(lab("evaluate", *FILES, "-m", "RR", "--format", "json"))
    assert record["schema"] == "ndcg-lab/measures/1"
    assert record["runs"][0]["measures"][0]["mean"]["exact"] == "3/4"


def test_several_runs_under_a_contract(lab: Lab) -> None:
    out = lab("evaluate", *FILES, "--gain", "linear", "--k", "3", "-q")
    assert [line.split()[:3] for line in out.splitlines() if line.startswith(" x")] == [
        ["x", "q1", "0.904977"],
        ["x", "q2", "0.630930"],
        ["x", "mean", "of"],
    ]


def test_runs_compared_straight_from_files(lab: Lab) -> None:
    out = lab("compare", *FILES, "--convention", "trec_eval", "--k", "3")
    assert "standard deviation" in out
    assert "A − B" in out
    assert "y leads x by 0.11214, proved" in out  # (1 + 4/(4 + 2a) - a - (7/2 + 2a)/(4 + 2a))/2
    record = json.loads(lab("compare", *FILES, "--convention", "trec_eval", "--k", "3", "--format", "json"))
    assert [(query["query"], query["sign"]) for query in record["queries"]] == [("q1", 1), ("q2", -1)]
    assert check(record["mean"]["certificate"]) == record["mean"]["sign"] == -1
    assert record["pairs"][0]["tests"]["wins"] == 1
    assert [run["queries"] for run in record["runs"]] == [2, 2]


def test_runs_compared_by_a_measure(lab: Lab) -> None:
    out = lab("compare", *FILES, "-m", "RR", "-q", "--exact")
    assert "Query by query" in out
    assert "y leads x by 0.25000, proved" in out


def test_a_proof_for_coq_straight_from_files(lab: Lab) -> None:
    lab("compare", *FILES, "--gain", "linear", "--k", "3", "--format", "coq", "-o", "proof.v")
    text = Path("proof.v").read_text(encoding="utf-8")
    assert "From NdcgLab Require Import Ndcg." in text
    assert text.count("Theorem ") == 3


def test_one_run_as_two_systems_see_it(lab: Lab) -> None:
    out = lab("explain", "--qrels", "qrels", "--run", "y", "--as", "trec_eval", "--as", "scikit-learn", "--k", "3")
    assert "A: y as trec_eval" in out
    assert "B: y as scikit-learn" in out
    assert "What differs" in out
    record = json.loads(
        lab("explain", "--qrels", "qrels", "--run", "y", "--as", "trec_eval", "--as", "gdeval", "--format", "json")
    )
    assert "gain" in [difference["field"] for difference in record["differences"]]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("compare", *FILES[:4], "-m", "RR"), "give two or more"),
        (("compare", *FILES, "-m", "RR", "-m", "AP"), "by one measure at a time"),
        (("compare", *FILES), "no default decides --gain"),
        (("compare", *FILES, "-m", "RR", "--format", "coq"), "give --gain and one --k, and no --measure"),
        (("compare",), "--qrels is missing"),
        (("compare", "a.json"), "give two reports, or --qrels and --run"),
        (("compare", "a.json", "b.json", "--run", "x"), "so --run has nothing to say"),
        (("evaluate", *FILES, "-m", "RR", "--gain", "linear"), "so --gain has nothing to say"),
        (("evaluate", *FILES, "-m", "nDGC@10"), "did you mean nDCG?"),
        (("evaluate", *FILES, "--run", "x", "-m", "RR"), "names one file twice"),
        (("evaluate", "--qrels", "qrels", "-m", "RR"), "--run is missing"),
        (("explain", "--qrels", "qrels", "--run", "x", "--as", "trec_eval"), "takes --as twice"),
        (("identify", *FILES, "--reported", "0.5"), "takes one --run"),
        (("identify", *FILES[:4]), "--reported is missing"),
        (("evaluate", *FILES, "-m", "RR", "--format", "yaml"), "choices: table, json, csv, markdown, latex"),
        (("evaluate", *FILES, "-m", "RR", "--format", "csv", "--format", "json"), "--format is given 2 times"),
        (("evaluate", *FILES, "--qrels", "x", "-m", "RR"), "--qrels is given 2 times"),
    ],
)
def test_what_is_asked_wrongly_is_one_line(lab: Lab, arguments: tuple[str, ...], told: str) -> None:
    assert told in lab(*arguments, status=2)


def test_tables_for_papers(lab: Lab) -> None:
    markdown = lab("evaluate", *FILES, "-m", "RR", "--format", "markdown")
    assert markdown.startswith("| run |")  # no title, and so no empty one
    assert "| run | RR |\n| :-- | ---: |\n| x | 0.75 |\n| y | 1 |\n" in markdown
    latex = lab("evaluate", *FILES, "-m", "RR", "--format", "latex")
    assert "\\begin{tabular}{lr}\n\\toprule\nrun & RR \\\\\n\\midrule\nx & 0.75 \\\\\ny & 1 \\\\\n" in latex


def test_tidy_csv_of_each_command(lab: Lab) -> None:
    def rows(*arguments: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(lab(*arguments, "--format", "csv"))))

    measured = rows("evaluate", *FILES, "-m", "RR")
    assert [(row["run"], row["query"], row["value"]) for row in measured] == [
        ("x", "q1", "1.0000000000000000000"),
        ("x", "q2", "0.50000000000000000000"),
        ("y", "q1", "1.0000000000000000000"),
        ("y", "q2", "1.0000000000000000000"),
    ]
    (pair,) = rows("compare", *FILES, "-m", "RR")
    assert (pair["first"], pair["second"], pair["wins"], pair["ties"], pair["losses"]) == ("x", "y", "0", "1", "1")
    assert float(pair["difference"]) == -0.25
    assert [row["sign"] for row in rows("compare", *FILES, "-m", "RR", "-q")] == ["0", "-1"]
    assert rows("conventions")[0]["name"] == "scikit-learn"
    explain = ("explain", "--qrels", "qrels", "--run", "x", "--as", "trec_eval", "--as", "quepid-ndcg")
    steps = rows(*explain)
    assert [(row["kind"], row["change"]) for row in steps][:2] == [("start", ""), ("step", "gain")]
    assert all(set(row) == {"kind", "change", "value", "moved", "error"} for row in steps)
    assert {row["query"] for row in rows(*explain, "-q")} == {"q1", "q2"}
    found = rows("identify", "--qrels", "qrels", "--run", "x", "--query", "q2", "--reported", "0.6309")
    assert found[0]["kind"] == "match"
    assert found[0]["value"].startswith("0.6309297")
    assert {"gain", "k", "ties", "name", "quantity"} <= set(found[0])
    loss = rows("identify", *FILES[:4], "--query", "q1", "--reported", "0.0950")  # 1 - 0.90498
    kinds = {(row["kind"], row["with"].partition(" printed")[0]) for row in loss}
    assert ("beyond", "1 − NDCG") in kinds


def test_a_file_is_written_whole_or_not_at_all(lab: Lab) -> None:
    assert lab("evaluate", *FILES, "-m", "RR", "-o", "out.txt") == ""
    first = Path("out.txt").read_text(encoding="utf-8")
    assert "0.75" in first
    lab("evaluate", *FILES, "-m", "nothing", "-o", "out.txt", status=2)
    assert Path("out.txt").read_text(encoding="utf-8") == first
    lab("evaluate", *FILES, "-m", "RR", "-o", "no/such/folder.txt", status=2)
    assert sorted(path.name for path in Path().iterdir()) == ["out.txt", "qrels", "x", "y"]


def test_trec_eval_s_own_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    """The sample of trec_eval's distribution, beside what it is expected to print."""
    expected = {
        (line.split()[0], line.split()[1]): float(line.split()[2])
        for line in require_real("trec_eval.expected").read_text(encoding="utf-8").splitlines()
        if len(line.split()) == 3
        and line.split()[0] in ("map", "recip_rank", "P_10", "ndcg", "ndcg_cut_5", "ndcg_cut_10", "ndcg_cut_100")
    }
    names = sorted({name for name, _ in expected})
    assert names
    flags = [part for name in names for part in ("-m", name)]
    files = ("--qrels", str(require_real("trec_eval.qrels")), "--run", str(require_real("trec_eval.run")))
    assert main(["evaluate", *files, *flags, "--format", "csv", "--all"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    ours = {(row["measure"], row["query"] or "all"): float(row["value"]) for row in rows if row["kind"] != "excluded"}
    for key, value in expected.items():
        assert round(ours[key], 4) == pytest.approx(value, abs=1e-9), key
