"""What systems printed, line by line, against their contracts: see `cases/README` and `cases/peers.csv`."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from ndcg_lab import conventions, evaluate_run
from ndcg_lab.conventions import agrees, printed_value
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from tests.peers import CASES, TWO_QUERIES, Line, lines

LINES = lines()

# Lines that hold no value of NDCG to compare, and why: what the system does there stands in its entry.
REFUSALS = {
    "only_B@1": "one document",
    "empty_result@3": "no rows to evaluate",
    "empty_result": "no rows to evaluate",
    "duplicate doc in run": "a document twice",
    "X@4 as-is with numpy 2.4.6": "the numpy of that run",
}

# Lines on which a system leaves its own contract: `departures.toml` holds them.
LEAVES: dict[tuple[str, ...], str] = {
    ("scikit-learn", "tie_AB_input_A_first@1", "ignore_ties=True; y_true=grade"): "a sort that isn't stable",
    ("scikit-learn", "tie_AB_input_B_first@1", "ignore_ties=True; y_true=grade"): "a sort that isn't stable",
    ("evidently", "tie_AB_input_A_first@1"): "a tie counts twice at rank 1",
    ("evidently", "tie_AB_input_B_first@1"): "a tie counts twice at rank 1",
    ("llamaindex", "duplicates in expected [A,A], retrieved A"): "an ideal over ids listed twice",
}


def _is_refusal(line: Line) -> bool:
    return "Error" in line.output or "(no output)" in line.output


def _numbers(line: Line) -> list[str]:
    """The values that a line holds, as they were printed."""
    if line.system == "trec_eval-10":
        return re.findall(r"(?:1|all) (\d\.\d{4})", line.output)
    if line.output.startswith("{"):
        return re.findall(r": \[?(\d+(?:\.\d+)?)", line.output)
    if line.system == "recbole":
        return re.findall(r"\d\.", line.output)
    return [line.output.rsplit(":", 1)[-1]]


def _value(line: Line, k: int | str | None) -> Exact | Undefined:
    convention = conventions[line.system]
    contract = convention.at(k, *line.parameters)
    if "caller passes 2**g-1" in line.config:
        contract = contract.replace(gain="exponential")
    evaluation = line.query.evaluate(contract)
    return evaluation.dcg if "DCG" in line.parameters else evaluation.ndcg


VALUES = [
    line
    for line in LINES
    if not _is_refusal(line)
    and not line.case.startswith(("mean of", "default rank weights"))
    and line.peer != "BEIR (src)"
]


def test_every_line_is_read() -> None:
    assert len(LINES) == 358
    assert {line.system for line in LINES} <= set(conventions)


@pytest.mark.parametrize("line", [line for line in VALUES if " or " not in line.output], ids=str)
def test_a_printed_value_is_the_contracts(line: Line) -> None:
    value = _value(line, line.k)
    precision = conventions[line.system].precision
    numbers = _numbers(line)
    assert numbers
    for printed in numbers:
        if any((line.system, line.case, line.config)[: len(key)] == key for key in LEAVES):
            assert isinstance(value, Exact)
            assert not agrees(printed, value, precision)
        elif isinstance(value, Undefined):
            assert printed == "nan"
        else:
            assert agrees(printed, value, precision), f"{printed} is not {value} = {float(value)!r}"


@pytest.mark.parametrize("line", [line for line in LINES if _is_refusal(line)], ids=str)
def test_a_refusal_is_known(line: Line) -> None:
    assert line.case in REFUSALS


@pytest.mark.parametrize("line", [line for line in LINES if line.case.startswith("mean of")], ids=str)
def test_a_printed_mean_is_the_contracts(line: Line) -> None:
    convention = conventions[line.system]
    run = {query.query: query.as_ranking() for query in TWO_QUERIES}
    qrels = {query.query: query.judgments for query in TWO_QUERIES}
    mean = evaluate_run(convention.at(3), run, qrels, **convention.aggregation.to_json()).mean.ndcg
    assert isinstance(mean, Exact)
    assert agrees(_numbers(line)[0], mean, convention.precision)


def test_beir_prints_means_rounded_to_five_decimals() -> None:
    (line,) = (line for line in LINES if line.peer == "BEIR (src)")
    for k, printed in re.findall(r"'NDCG@(\d)': ([\d.]+)", line.output):
        value = _value(line, int(k))
        assert isinstance(value, Exact)
        assert agrees(printed, value, "decimals:5")


def test_lenskit_discounts_by_rank() -> None:
    (line,) = (line for line in LINES if line.case == "default rank weights 1..4")
    discount = conventions["lenskit"].contract.discount_rule
    printed = re.findall(r"\d\.\d+", line.output)
    assert [Fraction(number) for number in printed] == [discount.value(rank).rounded(5) for rank in range(1, 5)]


def test_tensorflow_ranking_draws_the_order_of_a_tie() -> None:
    (line,) = (line for line in LINES if " or " in line.output)
    outcomes = CASES["tie_AB"].evaluate(conventions["tensorflow-ranking"].at(1)).outcomes()
    printed = [printed_value(number) for number in line.output.split(" or ")]
    assert sorted(float(value.rounded(6)) for value in outcomes.values if isinstance(value, Exact)) == printed
