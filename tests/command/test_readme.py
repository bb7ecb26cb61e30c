"""README's everyday questions: what each answer prints is what stands there, and on real files it is right."""

import csv
import io
import json
import shlex
from pathlib import Path

import pytest

from ndcg_lab import conventions, evaluate_measures, read_qrels, read_run
from ndcg_lab.command.cli import main
from tests.support import require_real
from tools.readme import README, answers, with_outputs

TEXT = README.read_text(encoding="utf-8")
CAST = ("cast2021-docs.qrels.gz", "cast2021-manual-bm25.run.gz", "cast2021-convdr-bert.run.gz")


def test_the_outputs_are_those_of_the_commands() -> None:
    assert with_outputs(TEXT) == TEXT


def test_the_questions_of_an_evaluator_are_all_there() -> None:
    asked = " ".join(answers(TEXT))
    for words in ("as trec_eval prints it", "is it chance", "scikit-learn", "0.807", "LaTeX", "pandas", "proof"):
        assert words in asked
    for found in answers(TEXT).values():
        assert found
        for answer in found:  # one command, or up to three lines of Python
            assert "\n" not in answer


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of README's questions, of TREC CAsT 2021; the third run is the first again."""
    monkeypatch.chdir(tmp_path)
    for name, file in zip(("qrels.txt", "a.run", "b.run", "c.run"), (*CAST, CAST[1]), strict=True):
        Path(name).symlink_to(require_real(file))
    return tmp_path


def printed(question: str, capsys: pytest.CaptureFixture[str], place: int = 0, *more: str) -> str:
    (answer,) = [found[place] for asked, found in answers(TEXT).items() if question in asked]
    words = [*shlex.split(answer)[1:], *more]
    assert main(words) == 0
    return capsys.readouterr().out


# Expected numbers: the record of these runs, computed with trec_eval's order, and trec_eval's own output of its sample.


@pytest.mark.usefixtures("real")
def test_ndcg_as_trec_eval_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert "0.376352" in printed("as trec_eval prints it", capsys)
    sample = ["--qrels", str(require_real("trec_eval.qrels")), "--run", str(require_real("trec_eval.run"))]
    assert (
        main(["evaluate", *sample, "-m", "ndcg_cut.10", "-m", "map", "-m", "recip_rank", "-q", "--format", "csv"]) == 0
    )
    found = {
        (row["query"], row["measure"]): row["value"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))
    }
    names = {"ndcg_cut_10": "ndcg_cut_10", "map": "map", "recip_rank": "recip_rank"}
    lines = [line.split() for line in require_real("trec_eval.expected").read_text(encoding="utf-8").splitlines()]
    compared = 0
    for measure, query, value in lines:
        if measure in names and query != "all":
            assert f"{float(found[query, names[measure]]):.4f}" == value
            compared += 1
    assert compared == 9


@pytest.mark.usefixtures("real")
def test_which_is_better_and_is_it_chance(capsys: pytest.CaptureFixture[str]) -> None:
    told = " ".join(printed("is it chance", capsys).split())
    assert "b.run leads a.run by 0.0147" in told  # 0.39110 less 0.37635
    assert "no more than chance gives" in told


@pytest.mark.usefixtures("real")
def test_why_scikit_learn_differs(capsys: pytest.CaptureFixture[str]) -> None:
    told = " ".join(printed("scikit-learn", capsys).split())
    assert "`ideal_population` moves most" in told


@pytest.mark.usefixtures("real")
def test_what_a_number_was(capsys: pytest.CaptureFixture[str]) -> None:
    (answer,) = [found[0] for asked, found in answers(TEXT).items() if "0.807" in asked]
    words = shlex.split(answer)[1:]
    place = words.index("--query")
    mean = [*words[:place], *words[place + 2 : -1], "0.376352"]  # without --query: of the mean
    assert main([*mean, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["identified"] is True
    assert "trec_eval" in {match["name"] for match in record["matches"]}


@pytest.mark.usefixtures("real")
def test_a_table_for_latex(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed("LaTeX", capsys).splitlines()
    assert "run & AP & P@10 & nDCG@10 \\\\" in lines
    rows = {line.split(" & ")[0]: line.split(" & ")[3] for line in lines if line.startswith(("a.", "b.", "c."))}
    assert rows["a.run"].startswith("0.376352")
    assert rows["b.run"].startswith("0.39109")
    assert len(rows) == 3


@pytest.mark.usefixtures("real")
def test_values_by_query_in_pandas() -> None:
    (answer,) = [found[0] for asked, found in answers(TEXT).items() if "pandas" in asked]
    frame = eval(answer, {"evaluate_measures": evaluate_measures, "read_run": read_run, "read_qrels": read_qrels})  # noqa: S307
    assert len(frame) == 158
    assert round(frame["value"].mean(), 5) == 0.37635


@pytest.mark.usefixtures("real")
def test_a_report_and_a_proof(capsys: pytest.CaptureFixture[str]) -> None:
    printed("a report that states everything", capsys)
    assert Path("a.json").stat().st_size > 10**6
    sample = [("qrels.txt", "trec_eval.qrels"), ("a.run", "trec_eval.run"), ("b.run", "trec_eval.run")]
    for name, file in sample:  # a proof of 158 turns takes long: three suffice
        Path(name).unlink()
        Path(name).symlink_to(require_real(file))
    printed("proof", capsys)
    assert "Theorem" in Path("proof.v").read_text(encoding="utf-8")


def test_what_a_system_means(capsys: pytest.CaptureFixture[str]) -> None:
    assert conventions["ranx"].version in printed("what a system means", capsys)
    assert "ndcg@10" in printed("what a system means", capsys, 1)
