"""Record what TensorFlow Ranking prints, in an environment of its own, for the tests to read.

TensorFlow Ranking 0.5.5 needs TensorFlow 2.15 with its Keras 2, and numpy 1, so it can't stand beside this project:

    uv venv --python 3.11 ../tfranking
    uv pip install --python ../tfranking/bin/python tensorflow-cpu==2.15.1 tensorflow-ranking==0.5.5 "numpy<2" "keras<3"
    PYTHONPATH=. ../tfranking/bin/python tools/record_tfranking.py

It writes tests/cases/tfranking.json. Of this project it uses the standard-library core alone.
"""

from __future__ import annotations

import json
import runpy
import tempfile
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ndcg_lab.conventions import convention_call
from ndcg_lab.measure.contract import Contract

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Loaded by name: a type checker runs where they can't be installed.
tf: Any = import_module("tensorflow")
tfr: Any = import_module("tensorflow_ranking")

RECORD = Path(__file__).resolve().parent.parent / "tests" / "cases" / "tfranking.json"

GRADES = {"A": 3, "B": 2, "C": 2, "D": 0}
DRAWS = 60
"""How often a ranking with ties is evaluated: each call draws an order."""

GAINS = {"": None, "gain_fn=lambda label: label": lambda label: label}
"""A parameter as the conventions list it -> the argument."""

CALLS = [
    Contract(gain="linear", k=3, ideal_population="returned", unjudged="zero"),
    Contract(gain="exponential", k="all", ideal_population="returned", unjudged="zero"),
    Contract(gain="exponential:3", k=2, ideal_population="returned", unjudged="zero"),
    Contract(gain="exponential:3/2", k=2, ideal_population="returned", unjudged="zero"),
    Contract(gain="power:2", k=4, ideal_population="returned", unjudged="remove"),
    Contract(gain="binary:2", k=4, ideal_population="returned", unjudged="zero", discount="log:10"),
    Contract(gain="linear", k=5, ideal_population="returned", unjudged="zero", discount="reciprocal"),
    Contract(gain="linear", k=5, ideal_population="returned", unjudged="zero", discount="jarvelin"),
    Contract(gain="linear", k=5, ideal_population="returned", unjudged="zero", discount="jarvelin:4"),
    Contract(gain="linear", k=5, ideal_population="returned", unjudged="zero", discount="geometric:1/2"),
    Contract(gain="exponential", k=5, ideal_population="returned", unjudged="zero", discount="none"),
]


def ndcg(labels: Sequence[float], scores: Sequence[float], k: int | None, gain: str = "") -> float:
    """What the metric returns for one list."""
    arguments = {} if GAINS[gain] is None else {"gain_fn": GAINS[gain]}
    metric = tfr.keras.metrics.NDCGMetric(topn=k, **arguments)
    return float(metric(tf.constant([labels], tf.float32), tf.constant([scores], tf.float32)))


def lists() -> Iterator[tuple[list[int], list[float], bool]]:
    """Labels, scores and whether scores tie: the worked example, edge cases, random lists."""
    yield [2, 2, 3, 0], [4.0, 3.0, 2.0, 1.0], False
    yield [3, 0, 2, 2], [4.0, 3.0, 2.0, 1.0], False
    yield [0, 0, 0, 0], [4.0, 3.0, 2.0, 1.0], False
    yield [2], [1.0], False
    yield [3, 2, 2, 0], [4.0, 4.0, 2.0, 1.0], True
    yield [2, 3, 2, 0], [4.0, 4.0, 2.0, 1.0], True
    yield [2, 3, 2, 0], [1.0, 1.000000001, 0.5, 0.25], True  # which float32 can't tell apart
    draw = np.random.default_rng(5)
    for _ in range(25):
        size = int(draw.integers(2, 12))
        labels = [int(label) for label in draw.integers(0, draw.integers(1, 5), size)]
        yield labels, [float(score) / 8 for score in draw.permutation(size)], False


def record() -> dict[str, Any]:
    """Everything that is recorded, as plain data."""
    values, ties = [], []
    for labels, scores, tied in lists():
        for gain in GAINS:
            for k in (1, 2, 3, 5, 10, None):
                case = {"labels": labels, "scores": scores, "k": "all" if k is None else k, "parameter": gain}
                if tied:
                    drawn = sorted({ndcg(labels, scores, k, gain) for _ in range(DRAWS)})
                    ties.append({**case, "printed": drawn})
                else:
                    values.append({**case, "printed": ndcg(labels, scores, k, gain)})
    padded = tfr.keras.metrics.NDCGMetric(topn=3)
    mean = tfr.keras.metrics.NDCGMetric(topn=3)
    both = tf.constant([[2.0, 2.0, 3.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    falling = tf.constant([[4.0, 3.0, 2.0, 1.0], [4.0, 3.0, 2.0, 1.0]])
    return {
        "versions": {name: version(name) for name in ("tensorflow-ranking", "tensorflow-cpu", "keras", "numpy")},
        "values": values,
        "ties": ties,
        "padding": float(padded(tf.constant([[2.0, -1.0, 2.0, 3.0]]), tf.constant([[4.0, 3.5, 3.0, 2.0]]))),
        "mean_with_an_all_zero_list": float(mean(both, falling)),
        "calls": [call(contract) for contract in CALLS],
    }


def call(contract: Contract) -> dict[str, Any]:
    """The text that `convention_call` gives, run on the worked example with an unjudged document in it."""
    text = convention_call(contract, "tensorflow-ranking").text
    judgments = {"x": GRADES, "y": GRADES}
    run = {
        "x": {"B": 5.0, "E": 4.0, "C": 3.0, "A": 2.0, "D": 1.0},
        "y": {"A": 5.0, "D": 4.0, "B": 3.0, "E": 2.0, "C": 1.0},
    }
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "call.py"
        script.write_text(text or "", encoding="utf-8")
        printed = runpy.run_path(str(script), {"judgments": judgments, "run": run})["ndcg"]
    return {
        "contract": contract.to_json(),
        "text": text,
        "judgments": judgments,
        "run": run,
        "printed": printed,
    }


def written(data: dict[str, Any]) -> str:
    """JSON with one case a line."""
    parts = []
    for name, value in data.items():
        text = json.dumps(value)
        if isinstance(value, list):
            text = "[\n" + ",\n".join(json.dumps(entry) for entry in value) + "\n]"
        parts.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    RECORD.write_text(written(record()), encoding="utf-8")
    print(f"wrote {RECORD}")
