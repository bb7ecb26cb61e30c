"""The benchmarks run: a small size of each, its results compared, no time asserted."""

import subprocess
import sys

from tests.support import ROOT


def test_exact_against_sympy() -> None:
    command = [sys.executable, "-m", "benchmarks.exact", "--documents", "20", "--repeats", "1"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert "20 documents" in printed
    assert printed.count("│") == 5 * 6  # six rows of four columns
