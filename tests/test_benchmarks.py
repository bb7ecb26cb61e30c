"""The benchmarks run: a small size of each, its results compared, no time asserted."""

import subprocess
import sys

import pytest

from tests.support import ROOT, require_chromium, require_module


def test_exact_against_sympy() -> None:
    command = [sys.executable, "-m", "benchmarks.exact", "--documents", "20", "--repeats", "1"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert "20 documents" in printed
    assert printed.count("│") == 5 * 7  # seven rows of four columns


def test_batches_against_a_peer() -> None:
    require_module("sklearn", "peers")
    command = [sys.executable, "-m", "benchmarks.batch", "--small", "--repeats", "1", "--peers", "none"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert printed.count("│") == 7 * 4  # four rows of six columns


@pytest.mark.long
def test_key_to_changed_page() -> None:
    require_chromium()
    command = [sys.executable, "-m", "benchmarks.ui", "--repeats", "2"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert run.stdout.count("│") == 5 * 3, run.stderr  # three rows; its status tells whether the goals were met
