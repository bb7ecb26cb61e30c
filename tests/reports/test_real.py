"""Real judgments and runs: what trec_eval prints for its own sample, and two runs of TREC CAsT 2021."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ndcg_lab.command.cli import main
from tests.support import require_real

TREC_EVAL = {
    "ties": "docno-descending",
    "unjudged": "zero",
    "negative": "zero",
    "zero-ideal": "zero",
    "query-set": "both",
}
# mean over the 158 judged turns: (k, gain) -> (BM25, ConvDR + BERT)
CAST = {
    (100, "linear"): ("0.39059", "0.38958"),
    (100, "exponential"): ("0.37080", "0.37808"),
    (1000, "linear"): ("0.39007", "0.38927"),
    (1000, "exponential"): ("0.37050", "0.37792"),
    (10, "linear"): ("0.37635", "0.39110"),
    (10, "exponential"): ("0.32084", "0.34201"),
}
RUNS = ("cast2021-manual-bm25.run.gz", "cast2021-convdr-bert.run.gz")


def evaluated(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["evaluate", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def flags(settings: dict[str, str]) -> list[str]:
    return [part for name, value in settings.items() for part in (f"--{name}", value)]


def printed(path: Path) -> dict[tuple[str, str], str]:
    """What trec_eval printed: (measure, query or all) -> text."""
    rows = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {(measure, query): value for measure, query, value in rows if measure.startswith("ndcg")}


def rounded(decimal: str, places: int) -> str:
    return f"{float(Fraction(decimal)):.{places}f}"


def test_trec_eval_s_sample(capsys: pytest.CaptureFixture[str]) -> None:
    expected = printed(require_real("trec_eval.expected"))
    files = ["--qrels", str(require_real("trec_eval.qrels")), "--run", str(require_real("trec_eval.run"))]
    reports = evaluated(capsys, *files, "--gain", "linear", "--k", "all,5,10,100", *flags(TREC_EVAL))
    found: dict[tuple[str, str], str] = {}
    for measure, report in zip(["ndcg", "ndcg_cut_5", "ndcg_cut_10", "ndcg_cut_100"], reports, strict=True):
        found |= {(measure, entry["query"]): rounded(entry["ndcg"]["decimal"], 4) for entry in report["queries"]}
        found[measure, "all"] = rounded(report["mean"]["ndcg"]["decimal"], 4)
    assert len(expected) == 16
    assert found == expected


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("which", [0, 1], ids=["BM25", "ConvDR + BERT"])
def test_cast_means(capsys: pytest.CaptureFixture[str], gain: str, which: int) -> None:
    files = ["--qrels", str(require_real("cast2021-docs.qrels.gz")), "--run", str(require_real(RUNS[which]))]
    settings = {**TREC_EVAL, "query-set": "judged", "gain": gain, "k": "10,100,1000"}
    reports = evaluated(capsys, *files, *flags(settings))
    means = {report["contract"]["k"]: rounded(report["mean"]["ndcg"]["decimal"], 5) for report in reports}
    assert means == {k: CAST[k, gain][which] for k in (10, 100, 1000)}
    for report in reports:
        assert len(report["queries"]) == 158
        assert {entry["reason"] for entry in report["excluded"]} == {"no judgments"}


def test_cast_s_queries_as_csv(capsys: pytest.CaptureFixture[str]) -> None:
    files = ["--qrels", str(require_real("cast2021-docs.qrels.gz")), "--run", str(require_real(RUNS[0]))]
    settings = {**TREC_EVAL, "query-set": "judged", "gain": "linear", "k": "10,100,1000"}
    assert main(["evaluate", *files, *flags(settings), "--format", "csv"]) == 0
    head, *rows = (line.split(",") for line in capsys.readouterr().out.splitlines())
    assert head == ["run", "query", "measure", "value", "missing"]
    for k in (10, 100, 1000):
        values = [row[3] for row in rows if row[2] == f"NDCG@{k}"]
        assert len(values) == 158
        assert rounded(str(sum(map(Fraction, values)) / 158), 5) == CAST[k, "linear"][0]


def test_cast_runs_are_no_deeper_than_100(capsys: pytest.CaptureFixture[str]) -> None:
    files = ["--qrels", str(require_real("cast2021-docs.qrels.gz")), "--run", str(require_real(RUNS[0]))]
    assert main(["evaluate", *files, "--gain", "linear", "--k", "100,1000", *flags(TREC_EVAL)]) == 0
    assert "note: at k = 1000: No query returns more than 100 documents, and k is 1000." in capsys.readouterr().out
