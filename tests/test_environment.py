"""What surrounds the library changes nothing: hash seeds, locale, time zone, optimised bytecode, contexts, warnings."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from ndcg_lab import Contract, Judgments, Ranking, evaluate
from ndcg_lab.command.cli import main
from ndcg_lab.command.output import Format, Output

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import decimal, json, hashlib
import mpmath, numpy
{setting}
from ndcg_lab import Contract, Judgments, Ranking, compare, conventions, evaluate_run, explain, identify, verify
from ndcg_lab.batch import ndcg
grades = {{"A": 3, "B": "27/10", "C": 2, "D": 0, "\\u00e9": 1}}
qrels = {{"q1": Judgments(grades, scale=["27/10", 0, 1, 2, 3]), "q2": {{"A": 1, "B": 0}}}}
one = {{"q1": {{"B": 0.9, "C": "0.8", "A": 0.7, "\\u00e9": 0.7}}, "q2": {{"B": 2, "A": 1}}}}
other = {{"q1": ["A", "B", "C"], "q2": ["A", "B"]}}
contract = Contract(gain="linear", k=3, ties="average", discount="log:10")
a, b = evaluate_run(contract, one, qrels), evaluate_run(contract.replace(round_to=4), other, qrels)
found = identify(Ranking(["B", "C", "A", "D"]), Judgments({{"A": 3, "B": 2, "C": 2, "D": 0}}), reported="0.80756")
arrays = numpy.array([[3.0, 2.0, 0.0], [1.0, 1.0, 5.0]]), numpy.array([[0.1, 0.2, 0.3], [3.0, 2.0, 1.0]])
told = [
    a.to_json(), compare(a, b).to_json(), explain(a, b).to_json(), found.to_json(), [str(f) for f in verify(a)],
    a.to_csv(exact=True, everything=True, settings=True), a._repr_html_(), sorted(conventions),
    ndcg(*arrays, Contract(gain="exponential", k=2), certified=True).tolist(),
    a.mean.ndcg.decimal(50), hash(a.queries[0].dcg),
]
print(hashlib.sha256(json.dumps(told).encode()).hexdigest())
"""

SETTINGS: dict[str, tuple[list[str], dict[str, str], str]] = {
    "hash seed 1": ([], {"PYTHONHASHSEED": "1"}, ""),
    "hash seed 4242": ([], {"PYTHONHASHSEED": "4242"}, ""),
    "C locale": ([], {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, ""),
    "another locale": ([], {"LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE.UTF-8"}, ""),
    "time zone": ([], {"TZ": "Pacific/Chatham"}, ""),
    "optimised": (["-O"], {}, ""),
    "without docstrings": (["-OO"], {}, ""),
    "a decimal context": (
        [],
        {},
        (
            "c = decimal.getcontext(); c.prec = 3; c.rounding = decimal.ROUND_CEILING; c.Emax, c.Emin = 9, -9\n"
            "c.traps.update(dict.fromkeys([decimal.FloatOperation, decimal.Inexact, decimal.Rounded], True))"
        ),
    ),
    "mpmath's digits": ([], {}, "mpmath.mp.dps = 3; mpmath.iv.dps = 3"),
    "numpy's errors": ([], {}, "numpy.seterr(all='raise')"),
    "warnings as errors": (["-W", "error"], {}, ""),
    "digits at the strictest": (["-X", "int_max_str_digits=640"], {}, ""),
    "developer mode": (["-X", "dev"], {}, ""),
}


def _told(flags: list[str], environment: dict[str, str], setting: str) -> str:
    command = [sys.executable, *flags, "-c", PROGRAM.format(setting=setting)]
    ended = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def plain() -> str:
    return _told([], {"PYTHONHASHSEED": "0"}, "")


@pytest.mark.parametrize("name", SETTINGS)
def test_what_surrounds_it_changes_nothing(name: str, plain: str) -> None:
    assert _told(*SETTINGS[name]) == plain


# --- threads --------------------------------------------------------------------------------


def test_threads_share_caches_without_harm() -> None:
    def task(found: list[str]) -> None:
        for k in range(1, 30):
            contract = Contract(gain="linear", k=k, discount="log:10")
            documents = [f"d{place}" for place in range(40)]
            judgments = Judgments({document: place % 5 for place, document in enumerate(documents)})
            found.append(str(evaluate(contract, Ranking(documents), judgments).ndcg.to_json()))

    alone: list[str] = []
    task(alone)
    together: list[list[str]] = [[] for _ in range(8)]
    threads = [threading.Thread(target=task, args=(found,)) for found in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == [alone] * 8


# --- files that are written whole or not at all -----------------------------------------------


def _output(file: Path) -> Output:
    return Output(Format.JSON, str(file), queries=False, exact=False)


def test_two_writers_leave_one_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    texts = [letter * 1_000_000 for letter in "ab"]

    def write(text: str) -> None:
        for _ in range(20):
            _output(file).deliver(text)

    writers = [threading.Thread(target=write, args=(text,)) for text in texts]
    for writer in writers:
        writer.start()
    seen = set()
    while any(writer.is_alive() for writer in writers):
        if file.exists():
            seen.add(file.read_text(encoding="utf-8"))
    for writer in writers:
        writer.join()
    assert seen | {file.read_text(encoding="utf-8")} <= set(texts)
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def _files(folder: Path) -> list[str]:
    (folder / "q").write_text("q 0 A 1\n", encoding="utf-8")
    (folder / "r").write_text("q Q0 A 1 9 t\n", encoding="utf-8")
    return ["evaluate", "--qrels", str(folder / "q"), "--run", str(folder / "r"), "--gain", "linear", "--k", "3"]


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ndcg_lab", *_files(tmp_path)]
    with open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123 - a device
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (2, "ndcg-lab: [Errno 28] No space left on device\n")


@pytest.mark.parametrize("place", ["missing/report.json", "a file/report.json", "folder", "/proc/report.json"])
def test_a_place_that_can_not_be_written_is_one_line(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "a file").write_text("kept", encoding="utf-8")
    before = sorted(path.name for path in tmp_path.iterdir())
    arguments = _files(tmp_path)
    assert main([*arguments, "-o", str(tmp_path / place)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("ndcg-lab: ")
    assert told.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "q", "r"])


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "report.json"
    file.write_text("before", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(OSError, match="No space"):
        _output(file).deliver("after")
    assert file.read_text(encoding="utf-8") == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
