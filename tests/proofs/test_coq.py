"""The theorems of proofs/Ndcg.v, and statements of NDCG that Coq accepts where they are true and refuses where not."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import pytest

from ndcg_lab import Contract, Judgments, Ranking, compare, evaluate
from ndcg_lab.certificates.coq import HEAD, theorem
from ndcg_lab.certificates.maker import certify
from ndcg_lab.errors import NotExported
from tests.measure.test_cases_exact import LEDGER, evaluated
from tests.support import ROOT, missing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ndcg_lab.measure.evaluation import Evaluation

# The axioms of Coq's own real numbers, and no others.
REALS = {
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}


@dataclass(frozen=True)
class Coq:
    """A folder in which proofs/Ndcg.v is compiled."""

    folder: Path

    def run(self, text: str, name: str = "proof") -> subprocess.CompletedProcess[str]:
        """What coqc says to a file."""
        (self.folder / f"{name}.v").write_text(text, encoding="utf-8")
        command = ["coqc", "-q", "-R", "proofs", "NdcgLab", f"{name}.v"]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)

    def accepts(self, text: str, name: str = "proof") -> None:
        """Fail unless coqc compiles the file."""
        result = self.run(text, name)
        assert result.returncode == 0, result.stderr[-2000:]

    def answers(self, questions: Iterable[str], name: str = "questions") -> list[bool]:
        """What the checker answers, each question by itself."""
        asked = [f"Eval vm_compute in ({question})." for question in questions]
        result = self.run("\n".join([HEAD, *asked]), name)
        assert result.returncode == 0, result.stderr[-2000:]
        found = re.findall(r"= (true|false)\s+: bool", result.stdout)
        assert len(found) == len(asked)
        return [answer == "true" for answer in found]


@pytest.fixture(scope="module")
def coq(tmp_path_factory: pytest.TempPathFactory) -> Coq:
    """The theorems, compiled once."""
    if not shutil.which("coqc"):
        missing("Coq", "apt-get install coq")
    folder = tmp_path_factory.mktemp("coq")
    (folder / "proofs").mkdir()
    shutil.copy(ROOT / "proofs" / "Ndcg.v", folder / "proofs")
    command = ["coqc", "-q", "-R", "proofs", "NdcgLab", "proofs/Ndcg.v"]
    subprocess.run(command, cwd=folder, check=True)
    return Coq(folder)


def in_one_file(files: Iterable[str]) -> str:
    """Files that use the same names, as modules of one."""
    parts = [f"Module M{n}.\n{text.replace(HEAD, '')}End M{n}.\n" for n, text in enumerate(files)]
    return "\n".join([HEAD, *parts])


def statements(text: str) -> dict[str, str]:
    """What a file states, by the theorems' names."""
    return {
        name: " ".join(said.split()) for name, said in re.findall(r"Theorem (\w+) :(.*?)\.\nProof\.", text, re.DOTALL)
    }


# What the theorems rest on.


def test_the_theorems_rest_on_the_real_numbers_alone(coq: Coq) -> None:
    source = (ROOT / "proofs" / "Ndcg.v").read_text(encoding="utf-8")
    names = re.findall(r"^Theorem (\w+)", source, re.MULTILINE)
    assert {"falling_sorts", "check_sound", "check_zero_sound", "greater", "less", "equal"} <= set(names)
    assert {"average_greater", "average_less", "average_equal"} <= set(names)
    assert not re.search(r"\b(Axiom|Parameter|Conjecture|Admitted|admit|Variable|Hypothesis)\b", source)
    result = coq.run(f"{HEAD}Definition all := ({', '.join(f'@{name}' for name in names)}).\nPrint Assumptions all.\n")
    assert result.returncode == 0, result.stderr
    head, _, listed = result.stdout.partition("Axioms:\n")
    assert not head
    assert set(re.findall(r"^([\w.]+)\s*:", listed, re.MULTILINE)) == REALS


def test_the_words_mean_what_they_say(coq: Coq) -> None:
    """The definitions, unfolded on small lists."""
    coq.accepts(
        HEAD
        + """
Lemma first (x y : R) : x / y = x * / y. Proof. reflexivity. Qed.
Lemma ranks g h : dcg_at 2 [g; h; 7%Q] =
  Q2R g * (1 / (ln (1 + 1) / ln 2)) + (Q2R h * (1 / (ln (2 + 1) / ln 2)) + 0).
Proof. reflexivity. Qed.
Lemma ideal : idcg_at 2 [1; 5; 3]%Q = dcg_at 2 [5; 3; 1]%Q. Proof. reflexivity. Qed.
Lemma quotient g j : ndcg_at 2 g j = dcg_at 2 g / idcg_at 2 j. Proof. reflexivity. Qed.
Lemma mean x y : average [(1%Q, x); (3%Q, y)] =
  (Q2R 1 * x + (Q2R 3 * y + 0)) / (Q2R 1 * 1 + (Q2R 3 * 1 + 0)).
Proof. reflexivity. Qed.
"""
    )


# The cases with known answers.


def test_every_order_and_equality_of_the_known_cases(coq: Coq) -> None:
    files: list[str] = []
    left: list[tuple[str, str]] = []
    for relation in LEDGER["relations"]:
        one, other = evaluated(relation["a"]), evaluated(relation["b"])
        if relation["metric"] == "dcg":
            files.append(theorem(certify(one.dcg - other.dcg), "comparison"))
        else:
            try:
                files.append(compare(one, other).to_coq())
            except NotExported as error:
                left.append((relation["a"], str(error)))
                continue
        mark = "<=>"[relation["sign"] + 1]
        (said,) = statements(files[-1]).values()
        assert re.findall(r"[<>=]", said) == [mark]
    coq.accepts(in_one_file(files))
    assert left == []


def test_every_verdict_of_lesson_01(coq: Coq) -> None:
    """Every pair of orders of its four documents, every k, under r, 2^r - 1 and r^2: each pair of gains once."""
    judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    files: list[str] = []
    for gain in ("linear", "exponential", "power:2"):
        for k in (1, 2, 3, 4):
            found: dict[tuple[Any, ...], Evaluation] = {}
            for order in permutations("ABCD"):
                e = evaluate(Contract(gain=gain, k=k), Ranking(order), judgments)
                found.setdefault(tuple(e.earned()), e)
            files += [compare(one, other).to_coq() for one, other in combinations(found.values(), 2)]
    assert len(files) > 300
    coq.accepts(in_one_file(files))
