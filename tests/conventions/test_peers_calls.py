"""From a contract to a call: every text that can be run here is run, and gives the contract's value."""

from __future__ import annotations

import json
import runpy
import warnings
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ndcg_lab import Contract, Judgments, NdcgLabError, Ranking, conventions, evaluate
from ndcg_lab.conventions import TOOLS, agrees, live
from ndcg_lab.exact.values import Exact
from tests.support import missing

if TYPE_CHECKING:
    from pathlib import Path

Judged = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def _data(*, ties: bool) -> tuple[Judged, Run]:
    """Queries that meet every condition a call names: grades 0 to 4, an ideal above 0, some unjudged documents."""
    draw = np.random.default_rng(11)
    judgments: Judged = {}
    run: Run = {}
    for query in map(str, range(1, 7)):
        size = int(draw.integers(3, 9))
        names = [f"d{i:02}" for i in draw.choice(90, size + 3, replace=False)]
        judgments[query] = {name: int(draw.integers(0, 5)) for name in names[1:]}
        judgments[query][names[3]] = 3
        scores = draw.integers(0, 3, size) if ties else draw.permutation(size)
        run[query] = {name: float(score) / 8 for name, score in zip(names[:size], scores, strict=True)}
    return judgments, run


# Contracts of every kind, most of which some tool can't compute.
CONTRACTS = [
    Contract.from_json(
        {
            "gain": gain,
            "k": k,
            "ideal_population": population,
            "ideal_cutoff": cutoff,
            "ties": ties,
            "unjudged": unjudged,
            "discount": discount,
            "score_precision": precision,
            "round_to": round_to,
            "zero_ideal": "zero",
            "negative": "zero",
        }
    )
    for (gain, k), (population, cutoff), (ties, precision, discount, round_to), unjudged in product(
        [("linear", 3), ("exponential", 2), ("exponential", "all"), ("binary:2", 4), ("0=0,1=2,2=3,3=7,4=8", "all")],
        [("judged", "k"), ("judged", "none"), ("judged", "returned"), ("returned", "k"), ("returned", "none")],
        [
            ("error", "exact", "log2", None),
            ("average", "float32", "log:10", None),
            ("docno-descending", "float32", "log2", None),
            ("docno-descending", "exact", "log:e", 5),
            ("input", "exact", "log2", None),
            ("reverse-input", "exact", "log2", None),
            ("worst", "exact", "jarvelin", None),
        ],
        ["zero", "remove"],
    )
]
RUN_HERE = ("scikit-learn", "ir_measures", "ranx")
MORE = [
    Contract(gain="power:2", k=3, unjudged="zero", zero_ideal="one", ideal_population="returned"),
    Contract(gain="exponential:3/2", k=3, unjudged="zero", ideal_population="returned"),
    Contract(gain="0=0,1=1/2,2=1,3=2,4=9/4", k=3, unjudged="zero", ideal_population="returned", duplicates="count"),
    Contract(gain="power:3", k=3, unjudged="zero", zero_ideal="zero", ties="input"),
]


@pytest.mark.parametrize("tool", RUN_HERE)
def test_a_text_gives_the_contracts_values(tool: str, tmp_path: Path) -> None:
    if live.installed(tool) is None:
        missing(live.PACKAGES[tool], "pip install -c constraints.txt -e '.[peers]'")
    ran = 0
    for contract in [*CONTRACTS, *MORE]:
        call = conventions.call(contract, tool)
        if call.text is None:
            continue
        ran += 1
        judgments, run = _data(ties=contract.ties != "error")
        script = tmp_path / "call.py"
        script.write_text(call.text, encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other packages' deprecations
            printed: dict[str, Any] = runpy.run_path(str(script), {"judgments": judgments, "run": run})["ndcg"]
        assert set(printed) == set(run)
        for query, scores in run.items():
            value = evaluate(contract, Ranking.from_scores(scores), Judgments(judgments[query])).ndcg
            assert isinstance(value, Exact)
            precision = "double" if contract.round_to is None else f"decimals:{contract.round_to}"
            assert agrees(float(printed[query]), value, precision), f"{contract}\n{call}"
    assert ran >= 15


def test_what_a_tool_cannot_names_a_field_and_its_setting() -> None:
    for contract, tool in product(CONTRACTS, TOOLS):
        call = conventions.call(contract, tool)
        assert (call.text is None) == bool(call.cannot)
        for reason in call.cannot:
            name, setting = reason.split("`")[1].split(" = ")
            assert str(getattr(contract, name)) == setting
            assert f"- {reason}" in str(call)


@pytest.mark.parametrize(
    ("contract", "text"),
    [
        (Contract(gain="linear", k="all"), "trec_eval -q -m ndcg qrels.txt run.txt"),
        (Contract(gain="linear", k=10, unjudged="remove"), "trec_eval -q -J -m ndcg_cut.10 qrels.txt run.txt"),
        (
            Contract(gain={0: 0, 1: 1, 2: 3, 3: 7}, k="all", ties="docno-descending"),
            "trec_eval -q -m ndcg.0=0,1=1,2=3,3=7 qrels.txt run.txt",
        ),
        (
            Contract(gain={0: 0, 1: 1}, k=5, ideal_cutoff="none"),
            "trec_eval -q -M 5 -m ndcg.0=0,1=1 qrels.txt run.txt",
        ),
    ],
)
def test_the_command_of_trec_eval(contract: Contract, text: str) -> None:
    assert conventions.call(contract, "trec_eval").text == text


def test_trec_eval_compares_gains_as_whole_numbers() -> None:
    call = conventions.call(Contract(gain={0: 0, 1: "9/10", 2: "1/2"}, k="all"), "trec_eval")
    assert call.cannot == ("`gain = 0=0,1=9/10,2=1/2`: gains of a map are compared as whole numbers",)


def test_the_body_of_a_request_to_elasticsearch() -> None:
    convention = conventions["elasticsearch"]
    call = conventions.call(convention.at(7), "elasticsearch")
    assert json.loads(call.text or "") == {"metric": {"dcg": {"k": 7, "normalize": True}}}
    assert not call.holds_where
    textbook = conventions.call(Contract(gain="exponential", k=7), "elasticsearch")
    assert textbook.text is None
    assert "`ideal_cutoff = k`" in str(textbook)


@pytest.mark.parametrize("name", ["scikit-learn", "ir_measures", "trec_eval", "ranx", "elasticsearch"])
def test_a_tool_computes_its_own_convention(name: str) -> None:
    """`tensorflow-ranking` is left out: the order of a tie is random, and its contract says the mean."""
    assert conventions.call(conventions[name].at(3), name).text
    assert conventions.call(conventions["tensorflow-ranking"].at(3), "tensorflow-ranking").cannot == (
        "`ties = average`: it draws the order of equal scores at random",
    )


def test_a_tool_that_no_call_is_known_for() -> None:
    with pytest.raises(
        NdcgLabError, match="no calls are known for `excel`; tools: scikit-learn, ir_measures, trec_eval"
    ):
        conventions.call(Contract(gain="linear", k=3), "excel")
