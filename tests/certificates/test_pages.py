"""The checkers on a page, proofs/check.py and proofs/check.js, say of every certificate what the library's says."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from ndcg_lab.certificate import certify, check
from ndcg_lab.errors import CertificateError
from ndcg_lab.exact.linear import Linear, a, y
from tests.certificates.test_certificate import CLOSE, HOSTILE, POSITIVE, ZEROS, A, changed, claim, form, places
from tests.certificates.test_words import random_value
from tests.certificates.test_work import near_zero
from tests.support import ROOT, cases, missing

if TYPE_CHECKING:
    from pathlib import Path

    from ndcg_lab.exact.values import Exact

PYTHON = """
import json, sys
sys.path.insert(0, "proofs")
from check import check
sys.set_int_max_str_digits(20_000)
for line in open(sys.argv[1], encoding="utf-8"):
    try:
        print(check(json.loads(line)))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        print("refused")
"""
NODE = """
import {readFileSync} from "node:fs";
const {check} = await import(process.argv[2]);
const said = readFileSync(process.argv[1], "utf8").trimEnd().split("\\n").map(line => {
  try { return check(line) } catch { return "refused" }
});
console.log(said.join("\\n"));
"""


def said_by(page: str, certificates: list[Any], folder: Path) -> list[str]:
    """What a page says of each, run once over all."""
    batch = folder / "certificates"
    batch.write_text("".join(json.dumps(one) + "\n" for one in certificates), encoding="utf-8")
    if page == "python":
        command = [sys.executable, "-c", PYTHON, str(batch)]
    else:
        if not shutil.which("node"):
            missing("Node", "apt-get install nodejs")
        command = ["node", "--input-type=module", "-e", NODE, str(batch), (ROOT / "proofs" / "check.js").as_uri()]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


def library(certificate: Any) -> str:
    try:
        return str(check(certificate))
    except CertificateError:
        return "refused"


@cache
def made() -> tuple[Any, ...]:
    """Certificates of every kind that is made."""
    draw = random.Random(14)  # noqa: S311 - test data
    long = [Linear.weighted([(n * k) % 11 for n in range(60)], range(2, 62)) for k in (3, 4, 5, 7)]
    values: list[Exact] = [
        *ZEROS,
        3 * a - 2,
        long[0] - long[1],
        long[0] / long[1] - long[2] / long[3],
        1 - Linear.weighted([2**60 - 1, 0, 1], [2, 3, 4]) / Linear.weighted([2**60 - 1, 1, 0], [2, 3, 4]),
        Linear.weighted([2**20000, 1, 3], [2, 3, 5]) - 2**20000 - 2 * a,
        100 * y(2**100 + 1) + a / 10**40 - 1,
        a - CLOSE,
        near_zero(60),
        near_zero(700),
        y(100_003) - y(100_005),
        sum_of(20),
        *(random_value(draw) for _ in range(200)),
    ]
    return tuple(json.loads(json.dumps(certify(value))) for value in values)


def sum_of(queries: int) -> Exact:
    """A difference of means over so many queries, each with an ideal of its own."""
    total: Exact = Linear()
    for n in range(1, queries + 1):
        total += Linear({2: n, 3: 1, 5: -2}) / Linear({2: 3 * n, 3: 2, 5: 1})
    return total / queries


def mutated(many: int) -> list[Any]:
    """Made certificates with one number, text or flag changed, a bound left out, doubled, or turned round."""
    draw = random.Random(15)  # noqa: S311 - test data
    found: list[Any] = []
    while len(found) < many:
        certificate = json.loads(json.dumps(draw.choice(made())))
        kind = draw.randrange(8)
        if kind < 5:
            where = sorted(places(certificate), key=repr)
            found.append(changed(certificate, draw.choice(where), draw.choice([-3, -2, -1, 1, 2, 3])))
            continue
        if kind == 5:
            certificate["sign"] = draw.choice([n for n in (-1, 0, 1) if n != certificate["sign"]])
        elif kind == 6:
            for part in ("bounds", "relations", "sum"):
                if certificate.get(part):
                    certificate[part].pop(draw.randrange(len(certificate[part])))
                    break
        elif certificate["bounds"]:
            certificate["bounds"].append(draw.choice(certificate["bounds"]))
        found.append(certificate)
    return found


ZERO_TERM = form((3, "0"), (2, "1"), power=3)  # 1, of no y_b
CHAIN = {"b": 2**999 + 1, "d": 2**999 + 1, "m": 2**999 + 1, "powers": [5, 4, 9]}


def nothing(one: Any, other: Any) -> Any:
    """The claim that one factor less another is 0."""
    sum_ = [{"coefficient": q, "factors": [factor]} for q, factor in (("1", one), ("-1", other))]
    return {**claim(), "sum": sum_}


def many_groups(bits: int) -> Any:
    """A sum that is 0 in each of many groups, with numbers of so many bits."""
    certificate = claim(
        *(
            [
                form((3, "1"), (2, str(n + 1)), power=-1),
                *(form(*((b, str(2**bits + b + side)) for b in range(2, 22))) for side in (0, 1)),
            ]
            for n in range(60)
        )
    )
    turned = [{**entry, "coefficient": "-1"} for entry in certificate["sum"]]
    return {**certificate, "sum": [*certificate["sum"], *turned]}


HAND = [
    nothing(ZERO_TERM, form((2, "1"), power=3)),
    {**nothing(A, A), "relations": [CHAIN] * 800},
    *(many_groups(bits) for bits in (100, 1_000)),
    POSITIVE,
    claim([form((3, "1"), (5, "-1"))], sign=1),
    claim([form((3, "0"))], sign=1),
    claim([form((2, "1"), (5, "-1"))], sign=1),
    {**POSITIVE, "bounds": {}},
    {**POSITIVE, "bounds": None},
    {**POSITIVE, "sum": ""},
    {**POSITIVE, "bounds": [{"b": 3, "lower": "1/2", "lower_powers": None}]},
    {**POSITIVE, "bounds": [{"b": 3, "lower": "1/2"}, {"b": 3, "upper": "2/3"}]},
    claim([{"log2": "10", "power": 2}, form((3, "1"))], [{"log2": "10", "power": 2}, form((5, "1"))], sign=1),
    claim([{"log2": "10", "power": 2}, form((3, "1"))], [{"log2": "10", "power": 1}, form((5, "1"))], sign=1),
]


def plain_json(thing: Any) -> bool:
    try:
        return len(json.dumps(thing)) < 100_000
    except (RecursionError, ValueError):
        return False


@pytest.mark.parametrize("page", ["python", "node"])
def test_a_page_accepts_every_certificate_that_is_made(page: str, tmp_path: Path) -> None:
    assert said_by(page, list(made()), tmp_path) == [str(certificate["sign"]) for certificate in made()]


@pytest.mark.parametrize("page", ["python", "node"])
def test_a_page_agrees_on_changed_certificates(page: str, tmp_path: Path) -> None:
    certificates = mutated(cases(ci=2000, long=10_000))
    mine = list(map(library, certificates))
    assert said_by(page, certificates, tmp_path) == mine
    assert len(mine) / 4 < mine.count("refused") < len(mine)


@pytest.mark.parametrize("page", ["python", "node"])
def test_a_page_agrees_on_certificates_written_by_hand(page: str, tmp_path: Path) -> None:
    certificates = [*HAND, *filter(plain_json, HOSTILE)]
    assert said_by(page, certificates, tmp_path) == list(map(library, certificates))


@pytest.mark.parametrize("command", [[sys.executable, "proofs/check.py"], ["node", "proofs/check.js"]])
def test_a_page_runs_on_files(command: list[str], tmp_path: Path) -> None:
    if not shutil.which(command[0]):
        missing("Node", "apt-get install nodejs")
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(certify(3 * a - 2)), encoding="utf-8")
    bad.write_text(json.dumps({**certify(3 * a - 2), "sign": 1}), encoding="utf-8")
    result = subprocess.run([*command, str(good)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, f"{good} -1\n")
    result = subprocess.run([*command, str(bad)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (1, "")
    assert "bad.json is refused: the sign is not shown" in result.stderr
