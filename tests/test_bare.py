"""The exact core, the command line and files, where Jupyter, numpy, pandas, matplotlib, scipy and sympy are missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import distribution, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support import ROOT

NAMED = ("typer", "rich", "pydantic")
"""The packages that README names for such an environment."""

PROGRAM = """
import sys
sys.path[:0] = {paths}
import ndcg_lab as lab
judgments = lab.Judgments({{"A": 3, "B": 2, "C": 2, "D": 0}})
x = lab.Ranking(["B", "C", "A", "D"])
e = lab.evaluate(lab.Contract(gain="linear", k=3), x, judgments)
print(e.ndcg, float(e.ndcg))
def batch():
    import ndcg_lab.batch
for call in (e.to_frame, e.ndcg.to_sympy, lambda: lab.identify(x, judgments, reported="0.9"), batch):
    try:
        call()
    except lab.NdcgLabError as error:
        assert isinstance(error, ImportError)
        print(error)
"""


def needed(name: str) -> set[str]:
    """A package and all that it needs here, its extras left out."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            wanted = [Requirement(line) for line in requires(one) or ()]
            waiting += [each.name for each in wanted if each.marker is None or each.marker.evaluate({"extra": ""})]
    return found


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the named packages alone."""
    folder = tmp_path_factory.mktemp("bare")
    for name in {one for package in NAMED for one in needed(package)}:
        for file in distribution(name).files or ():
            top = Path(file.parts[0])
            if ".." not in top.parts and top.suffix != ".pth" and not (folder / top).exists():
                (folder / top).symlink_to(Path(str(distribution(name).locate_file(top))))
    assert not (folder / "numpy").exists()
    return folder


def run(bare: Path, code: str, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"]}
    command = [sys.executable, "-I", "-S", "-c", code.format(paths=[str(ROOT), str(bare)]), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=cwd)


def test_readme_names_the_packages() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"pip install {' '.join(NAMED)}" in text


def test_the_core_runs_and_each_absence_is_one_error(bare: Path) -> None:
    result = run(bare, PROGRAM)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == [
        "(7/2 + 2a)/(4 + 2a) 0.9049765583210164",
        "`to_frame` needs pandas, which is not installed: pip install pandas",
        "`to_sympy` needs sympy, which is not installed: pip install sympy",
        "`identify` needs numpy, which is not installed: pip install numpy",
        "`ndcg_lab.batch` needs numpy, which is not installed: pip install numpy",
    ]


def test_the_command_line_runs(bare: Path, tmp_path: Path) -> None:
    code = "import sys; sys.path[:0] = {paths}; from ndcg_lab.command.start import main; sys.exit(main())"
    examples = ROOT / "examples"
    files = ["--qrels", str(examples / "qrels.txt"), "--run", str(examples / "a.run")]
    report = str(tmp_path / "a.json")
    asked: list[tuple[list[str], int, str]] = [
        (["evaluate", *files, "-m", "ndcg_cut.10"], 0, ""),
        (["evaluate", *files, "--convention", "trec_eval", "--k", "10", "--format", "json", "-o", report], 0, ""),
        (["verify", report], 0, ""),
        (["compare", *files, "--run", str(examples / "b.run"), "-m", "nDCG@10"], 0, ""),
        (["explain", *files, "--as", "trec_eval", "--as", "scikit-learn"], 0, ""),
        (["conventions", "ranx"], 0, ""),
        (["identify", *files, "--query", "q1", "--reported", "0.807"], 2, "`identify` needs numpy, which is not"),
        (["lab", str(tmp_path / "lessons")], 2, "opens JupyterLab, which is not installed"),
    ]
    for arguments, status, message in asked:
        result = run(bare, code, *arguments, cwd=tmp_path)
        assert result.returncode == status, (arguments, result.stderr)
        assert message in result.stderr
        assert "Traceback" not in result.stderr
    assert json.loads(Path(report).read_text(encoding="utf-8"))["mean"]["ndcg"]
