"""Rules, fields and contracts: one declaration, canonical spellings, clear refusals."""

import dataclasses
import inspect
import json
import pickle
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_lab import Contract, ContractError, InvalidGrade, MissingGain, NdcgLabError, a, y
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.rationals import rational
from ndcg_lab.exact.values import Exact
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation, fields_table
from ndcg_lab.measure.rules import parse_discount, parse_gain

# The interface, written out.
DEFAULTS = {
    "gain": None,
    "k": None,
    "discount": "log2",
    "ideal_population": "judged",
    "ideal_cutoff": "k",
    "ties": "error",
    "score_precision": "exact",
    "unjudged": "error",
    "duplicates": "error",
    "negative": "error",
    "zero_ideal": "undefined",
    "round_to": None,
}
WORDS = {
    "ideal_population": "judged returned returned-at-k",
    "ideal_cutoff": "k returned none",
    "ties": "error average best worst input reverse-input docno-ascending docno-descending",
    "score_precision": "exact float32",
    "unjudged": "error zero remove",
    "duplicates": "error first count",
    "negative": "error zero allow",
    "zero_ideal": "undefined zero one exclude",
    "query_set": "judged run both",
    "missing": "error zero exclude",
    "unjudged_queries": "exclude zero",
    "aggregate": "mean ratio-of-sums",
}
SPELLINGS = [
    ("gain", "exponential", ["exponential:2", " exponential ", "exponential:2.0"]),
    ("gain", "linear", ["power:1"]),
    ("gain", "exponential:3/2", ["exponential:1.5", "exponential:6/4"]),
    ("gain", "binary:1/2", ["binary:0.5"]),
    (
        "gain",
        "-1=-1/2,0=0,2=3",
        ["2=3,0=0,-1=-0.5", {2: 3, 0: 0, -1: Fraction(-1, 2)}, {"0": "0", "2.0": "3", "-1": "-1/2"}],
    ),
    ("k", 2, ["2", 2.0, Fraction(2)]),
    ("k", "all", ["all"]),
    ("discount", "log2", ["log:2", "log:2.0"]),
    ("discount", "log:5/2", ["log:2.5"]),
    ("discount", "log:e", ["log:e"]),
    ("discount", "jarvelin", ["jarvelin:2"]),
    ("discount", "none", ["geometric:1"]),
    ("discount", "geometric:9/10", ["geometric:0.9"]),
    ("round_to", None, [None, "none"]),
    ("round_to", 2, ["2", 2]),
]


def test_the_fields_are_those_of_the_interface() -> None:
    assert {field.name: None if field.required else field.default for field in FIELDS} == DEFAULTS
    assert [field.name for field in FIELDS if field.required] == ["gain", "k"]
    declared = {field.name: field for field in (*FIELDS, *AGGREGATION_FIELDS)}
    for name, words in WORDS.items():
        assert [choice.spelling for choice in declared[name].choices] == words.split()
    assert {field.name: field.default for field in AGGREGATION_FIELDS} == {
        "query_set": "judged",
        "missing": "error",
        "unjudged_queries": "exclude",
        "aggregate": "mean",
    }


@pytest.mark.parametrize(("field", "canonical", "spellings"), SPELLINGS)
def test_spellings_of_one_setting_are_equal(field: str, canonical: object, spellings: list[object]) -> None:
    fields: dict[str, Any] = {"gain": "linear", "k": 10, field: canonical}
    wanted = Contract(**fields)
    assert getattr(wanted, field) == canonical
    for spelling in spellings:
        contract = Contract(**{**fields, field: spelling})
        assert contract == wanted
        assert hash(contract) == hash(wanted)
        assert getattr(contract, field) == canonical


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("gain", "cubic", "exponential:B"),
        ("gain", "power:1/2", "whole P"),
        ("gain", "power:0", "whole P"),
        ("gain", "exponential:1", "B > 1"),
        ("gain", "binary", "binary:T"),
        ("gain", "binary:x", "'x'"),
        ("gain", "0=0,1", "gain table"),
        ("gain", "0=1,0=2", "two gains"),
        ("gain", {}, "empty"),
        ("gain", None, "linear"),
        ("gain", 2, "linear"),
        ("k", 0, "all"),
        ("k", -1, "all"),
        ("k", "1/2", "all"),
        ("k", 2.5, "all"),
        ("k", True, "all"),
        ("k", None, "all"),
        ("discount", "log", "log2"),
        ("discount", "log:1", "B > 1"),
        ("discount", "log:E", "'E'"),
        ("discount", "jarvelin:3", "2, 4, 8"),
        ("discount", "geometric:0", "0 < P <= 1"),
        ("discount", "geometric:3/2", "0 < P <= 1"),
        ("ties", "random", "average, best, worst"),
        ("ties", None, "average, best, worst"),
        ("unjudged", ["zero"], "remove"),
        ("round_to", -1, "none"),
        ("round_to", 1.5, "none"),
    ],
)
def test_a_value_that_a_field_does_not_take_is_refused_by_name(field: str, value: Any, says: str) -> None:
    with pytest.raises(ContractError) as raised:
        Contract(**{"gain": "linear", "k": 10, field: value})
    assert f"`{field} = {value}`" in str(raised.value)
    assert says in str(raised.value)


def test_an_unknown_field_and_a_missing_one_are_named() -> None:
    with pytest.raises(ContractError, match=r"no field `tie`.* ties,"):
        Contract(gain="linear", k=3, tie="average")  # type: ignore[call-arg]
    with pytest.raises(ContractError, match=r"`gain` is required.*linear"):
        Contract(k=3)  # type: ignore[call-arg]
    with pytest.raises(ContractError, match=r"`k` is required.*all"):
        Contract(gain="linear")  # type: ignore[call-arg]
    with pytest.raises(ContractError, match=r"no field `weights`.*query_set"):
        Aggregation(weights="w")  # type: ignore[call-arg]


def test_a_contract_does_not_change() -> None:
    contract: Any = Contract(gain="linear", k=3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        contract.k = 4


contracts = st.builds(
    Contract,
    gain=st.sampled_from(["linear", "exponential", "exponential:7/3", "power:3", "binary:1", "0=0,1=1/3"]),
    k=st.integers(1, 2000) | st.just("all"),
    discount=st.sampled_from(["log2", "log:e", "log:10", "jarvelin:8", "reciprocal", "geometric:4/5", "none"]),
    round_to=st.none() | st.integers(0, 9),
    **{name: st.sampled_from(words.split()) for name, words in WORDS.items() if name in DEFAULTS},
)


@given(contracts, contracts)
def test_a_contract_comes_back_from_its_repr_and_from_json(contract: Contract, other: Contract) -> None:
    assert eval(repr(contract), {"Contract": Contract}) == contract  # noqa: S307 - repr evaluates back
    record = contract.to_json()
    assert list(record) == list(DEFAULTS)
    assert Contract.from_json(json.dumps(record)) == Contract.from_json(record) == contract
    differing = contract.differences(other)
    assert differing == [name for name in DEFAULTS if record[name] != other.to_json()[name]]
    assert contract.replace(**{name: other.to_json()[name] for name in differing}) == other
    assert (contract == other) == (not differing)


def test_json_that_is_no_contract_is_refused() -> None:
    for text in ("{", "[]", '"linear"', '{"gain": "linear", "k": 3, "cut": 2}', '{"gain": "linear"}'):
        with pytest.raises(ContractError):
            Contract.from_json(text)


def test_a_setting_given_twice_is_refused() -> None:
    with pytest.raises(ContractError, match="the key `k` is given more than once"):
        Contract.from_json('{"gain": "linear", "k": 3, "k": 10}')


def test_the_signature_offers_the_fields_to_help_and_completion() -> None:
    parameters = inspect.signature(Contract).parameters
    assert {name: None if p.default is p.empty else p.default for name, p in parameters.items()} == DEFAULTS
    assert [name for name, p in parameters.items() if p.default is p.empty] == ["gain", "k"]
    assert list(inspect.signature(Aggregation).parameters) == [field.name for field in AGGREGATION_FIELDS]


def test_a_flag_is_the_name_with_dashes() -> None:
    assert [field.flag for field in FIELDS][3:5] == ["--ideal-population", "--ideal-cutoff"]


def test_the_table_names_every_field_and_choice() -> None:
    table = fields_table()
    for field in FIELDS:
        row = next(line for line in table.splitlines() if line.startswith(f"| `{field.name}` |"))
        assert all(f"`{choice.spelling}`" in row for choice in field.choices)
        assert row.endswith("| required |" if field.required else f"| `{field.default or 'none'}` |")


@pytest.mark.parametrize(
    ("rule", "gains"),
    [
        ("linear", {0: 0, 3: 3, Fraction(19, 10): Fraction(19, 10), -2: -2}),
        ("exponential", {0: 0, 1: 1, 4: 15, 40: 1099511627775, -1: Fraction(-1, 2)}),
        ("exponential:3/2", {0: 0, 1: Fraction(1, 2), 2: Fraction(5, 4)}),
        ("power:2", {0: 0, 3: 9, Fraction(1, 2): Fraction(1, 4), -2: 4}),
        ("binary:2", {0: 0, 1: 0, 2: 1, Fraction(3, 2): 0, 5: 1}),
        ("0=0,3/2=1,3=1/2", {0: 0, Fraction(3, 2): 1, 3: Fraction(1, 2)}),
    ],
)
def test_gains(rule: str, gains: dict[int | Fraction, int | Fraction]) -> None:
    parsed = parse_gain(rule)
    for grade, gain in gains.items():
        assert parsed(grade) == gain
        assert isinstance(parsed(grade), int) == (gain == int(gain))


def test_a_number_of_decimals_has_a_bound() -> None:
    assert Contract(gain="linear", k=1, round_to=1000).round_to == 1000
    with pytest.raises(ContractError, match="at most 1,000"):
        Contract(gain="linear", k=1, round_to=10**9)


def test_gains_that_do_not_exist() -> None:
    with pytest.raises(InvalidGrade, match="whole grades"):
        parse_gain("exponential")(Fraction(1, 2))
    for rule, grade in [("exponential", 10**9), ("exponential:1e3000", 1000), ("power:1000000", 7)]:
        with pytest.raises(InvalidGrade, match="the bits of a gain are"):
            parse_gain(rule)(grade)
    with pytest.raises(MissingGain, match="grade 2"):
        parse_gain("0=0,3=5")(2)


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        ("log2", [Fraction(1), a, Fraction(1, 2), y(5)]),
        ("log:4", [Fraction(2), 2 * a, Fraction(1), 2 * y(5)]),
        ("jarvelin", [Fraction(1), Fraction(1), a, Fraction(1, 2)]),
        ("jarvelin:4", [Fraction(1)] * 4 + [2 * y(5), 2 * y(6), 2 * y(7), Fraction(2, 3)]),
        ("reciprocal", [Fraction(1), Fraction(1, 2), Fraction(1, 3)]),
        ("geometric:4/5", [Fraction(1), Fraction(4, 5), Fraction(16, 25)]),
        ("none", [Fraction(1)] * 5),
    ],
)
def test_discounts(rule: str, values: list[Exact | Fraction]) -> None:
    discount = parse_discount(rule)
    assert discount.scale is None
    assert [discount.value(rank) for rank in range(1, len(values) + 1)] == values
    weights = [rational(text) for text in ["7/3", "0", "2", "5", "1", "1", "0", "9"]][: len(values)]
    wanted = sum((value * weight for value, weight in zip(values, weights, strict=True)), Linear())
    assert discount.total(weights) == wanted
    assert discount.total(weights, denominator=6) == wanted / 6
    assert discount.total([]) == 0


@pytest.mark.parametrize(("rule", "scale"), [("log:e", "log2(e)"), ("log:10", "log2(10)"), ("log:5/2", "log2(5/2)")])
def test_another_base_is_a_scale(rule: str, scale: str) -> None:
    total = parse_discount(rule).total([3, 2, 2])
    assert total.terms == {2: Fraction(4), 3: Fraction(2)}
    assert total.scale == scale


def test_query_settings_travel_with_a_contract() -> None:
    contract = Contract(gain="linear", k=10).over(missing="zero")
    assert contract.aggregation == Aggregation(missing="zero")
    assert Contract(gain="linear", k=10).aggregation is None
    assert contract == Contract(gain="linear", k=10)
    assert hash(contract) == hash(Contract(gain="linear", k=10))
    assert eval(repr(contract)).aggregation == contract.aggregation  # noqa: S307 - a repr evaluates back
    assert contract.replace(k=5).over(query_set="both").aggregation == Aggregation(missing="zero", query_set="both")
    assert pickle.loads(pickle.dumps(contract)).aggregation == contract.aggregation  # noqa: S301 - our own
    read = Contract.from_json(json.dumps({**contract.to_json(), **Aggregation(query_set="run").to_json()}))
    assert (read, read.aggregation) == (contract, Aggregation(query_set="run"))
    with pytest.raises(NdcgLabError, match="`missing = never` is not a choice"):
        Contract.from_json({"gain": "linear", "k": 1, "missing": "never"})
    with pytest.raises(NdcgLabError, match="the contract has no field `mising`"):
        Contract.from_json({"gain": "linear", "k": 1, "mising": "zero"})
