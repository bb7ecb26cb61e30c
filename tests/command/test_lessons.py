"""The lessons from the installed package: copied, kept, opened; and the wheel holds them."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

from ndcg_lab.command import lessons as shipped
from ndcg_lab.command.cli import main
from tests.support import ROOT
from tools.notebooks import lessons

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

NAMES = [path.name for path in lessons()]


def test_the_lessons_are_copied_and_what_is_there_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "course"
    assert main(["lessons", str(folder)]) == 0
    assert "lessons copied" in capsys.readouterr().out
    assert sorted(path.name for path in folder.iterdir()) == NAMES
    assert (folder / NAMES[1]).read_bytes() == (ROOT / "notebooks" / NAMES[1]).read_bytes()

    (folder / NAMES[0]).write_text("my answers", encoding="utf-8")
    (folder / NAMES[1]).unlink()
    assert main(["lessons", str(folder)]) == 0
    assert "1 lesson copied" in capsys.readouterr().out
    assert (folder / NAMES[0]).read_text(encoding="utf-8") == "my answers"
    assert (folder / NAMES[1]).exists()


def test_a_folder_that_is_a_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["lessons", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_lab_starts_jupyterlab_on_the_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    def run(command: list[str], *, check: bool) -> subprocess.CompletedProcess[str]:
        assert not check
        started.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    assert main(["lab", str(tmp_path / "course"), "--port", "8899", "--no-browser"]) == 0
    (command,) = started
    assert command[:3] == [sys.executable, "-m", "jupyterlab"]
    assert f"--ServerApp.root_dir={tmp_path / 'course'}" in command
    assert command[-2:] == ["--ServerApp.port=8899", "--no-browser"]
    assert (tmp_path / "course" / NAMES[0]).exists()


def test_without_jupyterlab_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shipped, "find_spec", lambda _name: None)
    assert main(["lab", str(tmp_path / "course")]) == 2
    assert "pip install jupyterlab ipywidgets" in capsys.readouterr().err


def test_the_wheel_holds_the_lessons(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "uv", "build", "--quiet", "--wheel", "--out-dir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = {name.rpartition("/")[2] for name in archive.namelist() if name.startswith("ndcg_lab/notebooks/")}
    assert held == set(NAMES)
