"""Record what systems print for the cases of lesson 09: `make peers` runs `python -m tools.record_peers`.

The installed systems are run; what the others printed comes from tests/cases/peers.csv, and so does what the systems
that see rows alone make of no rows, which some of them do not survive. It writes ndcg_lab/conventions/record.json.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ndcg_lab import conventions
from ndcg_lab.conventions import live
from ndcg_lab.conventions.record import CASES, NO_VALUE, ROWS, Recorded, run_case
from tests.peers import Line, lines

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "ndcg_lab" / "conventions" / "record.json"

NAMES = {
    "all_zero(X)": "all zero",
    "only_B": "only B",
    "empty_result": "nothing",
    "tie_AB_input_A_first": "tie, A first",
    "tie_AB_input_B_first": "tie, B first",
    "tie_AB": "tie, A first",
    "score_gap_1e-9(B=1.0,A=1.000000001)": "1e-9 apart",
    "X positives {A,B,C}": "X",
    "X": "X",
    "Y": "Y",
    "all_zero": "all zero",
}
"""A case of peers.csv without its cutoff -> the lesson's case without its cutoff."""


ROWS_ALONE = {"scikit-learn", "lightgbm", "xgboost", "catboost"}
"""Systems that are given rows, and no judgments beside them."""


def run() -> Iterator[Recorded]:
    """The installed systems, run."""
    for system, parameters in ROWS:
        version = live.installed(system)
        if version is None:
            sys.exit(f"{system} is not installed: pip install -c constraints.txt -e '.[peers]'")
        for case in CASES.values():
            if system in ROWS_ALONE and case.name == "nothing@3":
                continue
            printed = run_case(system, parameters, case)
            if printed != NO_VALUE:
                yield Recorded(system, parameters, case.name, version, printed, "run")


def kept() -> Iterator[Recorded]:
    """What systems that don't install here printed, from the tests' record."""
    for line in lines():
        no_rows = line.system in ROWS_ALONE and line.case == "empty_result@3" and "2**g" not in line.config
        if (line.system in live.PACKAGES and not no_rows) or "pads" in line.config or "-m ndcg " in f"{line.config} ":
            continue
        name = NAMES.get(re.sub(r"\s*@\d+(\.\.\d+)?", "", line.case))
        for k, printed in _printed(line):
            if name and f"{name}@{k}" in CASES:
                yield Recorded(line.system, line.parameters, f"{name}@{k}", line.version, printed, "record")


def _printed(line: Line) -> Iterator[tuple[int, str]]:
    """The cutoffs of a line and what was printed at each."""
    output = line.output
    if line.system == "beir":
        yield from ((int(k), text) for k, text in re.findall(r"@(\d)': ([\d.]+)", output))
    elif line.system == "recbole" and output.startswith("[["):
        yield from enumerate(output.strip("[]").split(), 1)
    elif isinstance(line.k, int):
        found = re.search(r"\d_\d 1 (\d\.\d+)|^\{'1': ([\d.]+)\}", output) or re.search(r"\d 1 (\d\.\d+)", output)
        text = next(filter(None, found.groups())) if found else output
        yield line.k, text.rpartition(":")[2] if text.startswith("eval-") else text


def main() -> None:
    """Write the record."""
    order = list(conventions)
    found = sorted([*run(), *kept()], key=lambda entry: (order.index(entry.system), entry.parameters))
    text = ",\n".join(json.dumps(asdict(entry), ensure_ascii=False) for entry in found)
    RECORD.write_text(f"[\n{text}\n]\n", encoding="utf-8")
    print(f"wrote {len(found)} values to {RECORD.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
