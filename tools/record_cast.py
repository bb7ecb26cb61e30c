"""Compute lesson 14's record: NDCG of two TREC CAsT 2021 baselines, turn by turn, under eight contracts.

`python -m tools.record_cast` reads the track's judgments and the two runs from the folder that `NDCG_LAB_REAL` names
(they are no part of the repository), and writes `ndcg_lab/lessons/data/cast2021.csv`: figures of our own alone.
"""

from __future__ import annotations

import csv
import io
import sys
from typing import TYPE_CHECKING

from ndcg_lab import Contract, Undefined, evaluate_run, read_qrels, read_run
from ndcg_lab.lessons.course.a_real_case import FILE, RUNS, SETTINGS
from tests.support import REAL

if TYPE_CHECKING:
    from pathlib import Path

FILES = {"BM25": "cast2021-manual-bm25.run.gz", "ConvDR + BERT": "cast2021-convdr-bert.run.gz"}
QRELS = "cast2021-docs.qrels.gz"
PLACES = 8


def text(folder: Path) -> str:
    """The record as CSV: a row a judged turn; NDCG under each setting, and how many of the top 100 nobody judged."""
    qrels = read_qrels(folder / QRELS)
    runs = {name: read_run(folder / FILES[name]) for name in RUNS}
    columns: dict[str, dict[str, str]] = {}
    for run in RUNS:
        for k, gain, unjudged in SETTINGS:
            contract = Contract(gain=gain, k=k, ties="docno-descending", negative="zero", zero_ideal="zero")
            contract = contract.replace(unjudged=unjudged)
            report = evaluate_run(contract, runs[run], qrels, query_set="both")
            values = {result.query: result.ndcg for result in report}
            columns[f"{run}, {gain}, k = {k}, {unjudged}"] = {
                query: "" if isinstance(value, Undefined) else value.fixed(PLACES) for query, value in values.items()
            }
            if (k, gain, unjudged) == (100, "linear", "zero"):
                columns[f"{run}, unjudged in 100"] = {
                    turn: str(sum(document not in qrels[turn] for document in runs[run][turn][:k])) for turn in values
                }
                columns[f"{run}, returned in 100"] = {turn: str(len(runs[run][turn][:k])) for turn in values}
    turns = sorted(qrels, key=lambda turn: [int(part) for part in turn.split("_")])
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["turn", *columns])
    for turn in turns:
        writer.writerow([turn, *(column.get(turn, "") for column in columns.values())])
    return out.getvalue()


if __name__ == "__main__":
    FILE.write_text(text(REAL), encoding="utf-8")
    sys.stdout.write(f"written: {FILE.name}\n")
