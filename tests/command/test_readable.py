"""What a terminal of 80 columns and a pipe show: whole words, lines of a length, and what was perhaps meant."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ndcg_lab import Contract, conventions
from ndcg_lab.command.cli import main
from ndcg_lab.errors import ContractError
from tests.support import ROOT
from tools.readme import EXAMPLES, README, answers

COMMANDS = [
    answer.removeprefix("ndcg-lab ").split()
    for found in answers(README.read_text(encoding="utf-8")).values()
    for answer in found
    if answer.startswith("ndcg-lab ") and " -o " not in answer and "verify" not in answer
]
FILES = ["--qrels", "qrels.txt", "--run", "a.run"]
MORE = [
    ["evaluate", *FILES, "--convention", "trec_eval", "--k", "1,2,3", "-q"],
    ["evaluate", *FILES, "--run", "b.run", "-m", "AP", "-m", "RR", "-m", "P@5", "-m", "nDCG@3", "-q", "--exact"],
    ["compare", *FILES, "--run", "b.run", "--run", "c.run", "-m", "nDCG@10", "-q"],
    ["identify", *FILES, "--query", "q1", "--reported", "0.81"],
    ["identify", *FILES, "--reported", "0.5772"],
    ["conventions"],
    *(["conventions", name] for name in ("trec_eval", "lightgbm", "tensorflow-ranking")),
    ["conventions", "trec_eval", "recommenders"],
]


def output(command: list[str], **changes: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", **changes}
    run = [sys.executable, "-m", "ndcg_lab", *command]
    return subprocess.run(run, cwd=EXAMPLES, env=environment, capture_output=True, check=True, text=True).stdout


@pytest.mark.parametrize("command", [*COMMANDS, *MORE], ids=" ".join)
def test_no_line_of_a_pipe_is_long_and_no_word_of_a_terminal_is_broken(command: list[str]) -> None:
    piped = output(command)
    assert max(map(len, piped.splitlines())) <= 160
    terminal = output(command, FORCE_COLOR="1", TTY_COMPATIBLE="1", COLUMNS="80")
    terminal = re.sub(r"\x1b\[[0-9;]*m", "", terminal)
    words = set(piped.split()) - {word for word in piped.split() if set(word) == {"─"}}
    assert words <= set(terminal.split())


def test_the_call_can_be_copied() -> None:
    call = ["conventions", "ranx", "--call", "--gain", "linear", "--k", "10", "--ties", "input", "--unjudged", "zero"]
    code = output(call)
    assert "\\n" not in code
    compile(code, "call", "exec")


def test_systems_are_cards_and_a_page_is_rendered() -> None:
    cards = output(["conventions"])
    for name, convention in conventions.items():
        assert f"\n{name} {convention.version} (" in f"\n{cards}"
    page = output(["conventions", "trec_eval"])
    assert "##" not in page
    assert "| ---" not in page
    assert "docno-descending" in page
    markdown = output(["conventions", "trec_eval", "--format", "markdown"])
    assert "## Contract" in markdown


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["conventions", "ranks"], "`ranx`"),
        (["evaluate", *FILES, "--convention", "trec-eval"], "`trec_eval`"),
        (["evaluate", *FILES, "--gain", "linear", "--k", "3", "--ties", "averge"], "`average`"),
        (["evaluate", *FILES, "--gain", "linaer", "--k", "3"], "`linear`"),
        (["evaluate", *FILES, "--tie", "average"], "--ties"),
        (["evaluat"], "evaluate"),
        (["evaluate", *FILES, "-m", "nDGC@10"], "nDCG"),
    ],
)
def test_what_was_perhaps_meant(
    arguments: list[str], meant: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES)
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert meant in error
    assert error.count("\n") == 1
    assert len(error) < 400


def test_a_field_that_was_perhaps_meant() -> None:
    with pytest.raises(ContractError, match="did you mean `ideal_population`"):
        Contract.from_json({"gain": "linear", "k": 3, "ideal_poplation": "judged"})
    with pytest.raises(ContractError) as raised:
        Contract.from_json({"gain": "linear", "k": 3, "zzz": 1})
    assert "did you mean" not in str(raised.value)


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("eval", {"evaluate"}),
        ("evaluate --tie", {"--ties"}),
        ("evaluate --ties ", {"average", "docno-descending", "error"}),
        ("evaluate --gain ", {"linear", "exponential"}),
        ("evaluate --convention trec", {"trec_eval", "trec_eval-10", "trectools"}),
        ("conventions sk", {"sklearn"}),
        ("explain --as torch", {"torchmetrics"}),
        ("compare --format mark", {"markdown"}),
    ],
)
def test_a_shell_completes(typed: str, completed: set[str], tmp_path: Path) -> None:
    count = len(typed.split()) + typed.endswith(" ")
    words = {"COMP_WORDS": f"ndcg-lab {typed}", "COMP_CWORD": str(count), "_NDCG_LAB_COMPLETE": "complete_bash"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **words}
    done = subprocess.run(
        [sys.executable, "-m", "ndcg_lab"], cwd=tmp_path, env=environment, capture_output=True, check=False, text=True
    )
    assert completed <= set(done.stdout.split())
    assert not any(":B" in word or "," in word for word in done.stdout.split())
