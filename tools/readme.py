"""Write into README.md what is made, the table of systems and what its commands print: `python -m tools.readme`."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import ndcg_lab
from ndcg_lab import conventions
from ndcg_lab.command.cli import main

MOST_LINES = 40
"""So many lines of an output are shown."""

ROOT = Path(__file__).resolve().parent.parent
README, EXAMPLES = ROOT / "README.md", ROOT / "examples"
BEGIN, END = "<!-- conventions: begin -->", "<!-- conventions: end -->"
PRINTED, PRINTED_END = "<!-- printed: begin -->", "<!-- printed: end -->"


def with_table(text: str) -> str:
    """README's text with the table as the conventions are now."""
    return _between(text, BEGIN, END, conventions.table())


def with_outputs(text: str) -> str:
    """README's text with what each answer under "How do I" prints for the files in `examples`."""
    return _between(text, PRINTED, PRINTED_END, "\n\n".join(outputs(text)))


def _between(text: str, begin: str, end: str, made: str) -> str:
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n\n{made}\n\n{end}{after}"


def answers(text: str) -> dict[str, list[str]]:
    """Each question under "How do I" with its answers: commands, or an expression of Python."""
    section = text.partition("## How do I")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (?!question|---)(.*?) \| (.*) \|$", section, re.MULTILINE)
    return {question: re.findall(r"`([^`]+)`", answer) for question, answer in rows}


def outputs(text: str) -> list[str]:
    """A block for each question: the answers, each followed by what it prints."""
    blocks = []
    with TemporaryDirectory() as folder:
        for path in EXAMPLES.iterdir():
            shutil.copy(path, folder)
        with contextlib.chdir(folder):
            for asked in answers(text).values():
                names = {name: getattr(ndcg_lab, name) for name in ndcg_lab.__all__}
                first = [ARRAYS] if any("grades" in answer for answer in asked) else []
                shown = [line for answer in [*first, *asked] for line in _shown(answer, names)]
                blocks.append("\n".join(["```text", *shown, "```"]))
    return blocks


ARRAYS = "import numpy as np; grades, scores = np.array([[2, 2, 3, 0]]), np.array([[4, 3, 2, 1]])"
"""What an answer about arrays is shown for."""


def _shown(answer: str, names: dict[str, object]) -> list[str]:
    if not answer.startswith("ndcg-lab "):
        made = io.StringIO()
        with contextlib.redirect_stdout(made):
            exec(compile(answer, "README.md", "single"), names)  # noqa: S102 - README's own
        return [answer, *(["", *printed] if (printed := made.getvalue().splitlines()) else [])]
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        status = main(_words(answer)[1:])
    assert status == 0, answer
    lines = out.getvalue().strip("\n").splitlines()
    more = [f"… {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    return [f"$ {answer}", *lines[:MOST_LINES], *more]


def _words(command: str) -> list[str]:
    import shlex

    return shlex.split(command)


if __name__ == "__main__":
    README.write_text(with_outputs(with_table(README.read_text(encoding="utf-8"))), encoding="utf-8")
    print("written: README.md")
