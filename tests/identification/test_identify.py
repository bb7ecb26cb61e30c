"""What `identify` finds: numbers of public worked examples, numbers as tools print them, and the search's promises."""

import json
import pickle
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ndcg_lab.command.cli import main
from ndcg_lab.conventions import conventions
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.parsing import parse
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.identification import Identification, Match, identify
from ndcg_lab.identification.beyond import DRAWN, SHARED, UNSORTED
from ndcg_lab.identification.confirm import grouped
from ndcg_lab.identification.hits import UNKNOWN
from ndcg_lab.identification.matches import Fit
from ndcg_lab.identification.printed import read_printed, readings
from ndcg_lab.identification.space import COSTS, cost, spellings
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Contract
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.measure.evaluation import evaluate
from ndcg_lab.reports.report import evaluate_run
from tests.support import work

CASES = Path(__file__).parent.parent / "cases"
ENTRIES = tomllib.loads((CASES / "identify.toml").read_text(encoding="utf-8"))["entry"]
REPORTS = tomllib.loads((CASES / "reports.toml").read_text(encoding="utf-8"))["case"]
AGGREGATION = {field.name for field in AGGREGATION_FIELDS}

JUDGED = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
X = Ranking(["B", "C", "A", "D"])
CROFT = Judgments({f"d{i}": grade for i, grade in enumerate([3, 2, 3, 0, 0, 1, 2, 2, 3, 0], 1)})
CROFT_ORDER = Ranking(list(CROFT))

# The reporter of this one divided two label lists. The number is also, to the last digit, NDCG at 3 over an ideal that
# is not cut (1 + 1/log2(3) + 1/2, over the same and 1/log2(5)): `identify` can't know which was meant, and says so.
ALSO_A_CONTRACT = {"sk-27726-b": Contract(gain="linear", k=3, ideal_cutoff="none", ties="average")}


def ranking_of(entry: Mapping[str, Any]) -> Ranking:
    return Ranking.from_scores(entry["scores"]) if "scores" in entry else Ranking(entry["ranking"])


def data_of(entry: Mapping[str, Any]) -> tuple[Any, Any]:
    if "queries" not in entry:
        return ranking_of(entry), Judgments(entry["judgments"])
    run = {str(i): ranking_of(query) for i, query in enumerate(entry["queries"])}
    return run, {str(i): Judgments(query["judgments"]) for i, query in enumerate(entry["queries"])}


def value_of(entry: Mapping[str, Any], settings: Mapping[str, Any]) -> Exact | Undefined:
    """What a contract of the file gives for its entry."""
    contract = Contract(**{name: value for name, value in settings.items() if name not in AGGREGATION})
    ranking, judgments = data_of(entry)
    if "queries" in entry:
        over = {name: value for name, value in settings.items() if name in AGGREGATION}
        return evaluate_run(contract, ranking, judgments, **over).mean.ndcg
    e = evaluate(contract, ranking, judgments)
    return {"ndcg": e.ndcg, "dcg": e.dcg, "idcg": e.idcg}[entry["quantity"]]


def identified(entry: Mapping[str, Any]) -> Identification:
    return identify(*data_of(entry), reported=entry["reported"], quantity=entry["quantity"])


def test_the_file_is_whole() -> None:
    stated = [entry for entry in ENTRIES if entry["contracts"]]
    assert (len(ENTRIES), len(stated), sum(entry["rank_by_plainness"] == 1 for entry in stated)) == (92, 74, 72)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry["id"]))
def test_a_number_that_a_worked_example_prints(entry: dict[str, Any]) -> None:
    found = identified(entry)
    for match in found:
        assert match.value == value_of(entry, {**match.contract.to_json(), **over_of(match)})
    if entry["contracts"]:
        meant = [value_of(entry, contract) for contract in entry["contracts"]]
        right = [match for match in found if match.value in meant and match.reading == entry["reading"]]
        assert right
        ranks = [match.group for match in found if not match.contract.round_to]
        assert len({rank for rank in ranks if rank < right[0].group}) == entry["rank_by_plainness"] - 1
    elif "accidental" in entry:
        chance = [value_of(entry, contract) for contract in entry["accidental"]]
        assert found.matches[0].value in chance
        assert all(any(match.value == value for match in found) for value in chance)
    elif entry["id"] in ALSO_A_CONTRACT:
        assert found.matches[0].contract == ALSO_A_CONTRACT[entry["id"]]
        assert found.values == 1
    else:
        assert not found
        assert found.nearest


def over_of(match: Match) -> dict[str, Any]:
    return {} if match.aggregation is None else match.aggregation.to_json()


@pytest.mark.parametrize("entry", [e for e in ENTRIES if "by_hand" in e], ids=lambda entry: str(entry["id"]))
def test_hand_rounding_is_recognised(entry: dict[str, Any]) -> None:
    ways = identified(entry).by_hand
    assert entry["by_hand"] in [way.procedure for way in ways]
    assert all(way.contract.discount in {"log2", "jarvelin"} for way in ways)


def test_hand_rounding_that_the_file_leaves_unnamed() -> None:
    entries = {entry["id"]: entry for entry in ENTRIES}
    twice = identified(entries["c3-886-c"]).by_hand[0]
    assert (twice.contract, twice.procedure) == (Contract(gain="linear", k=5), "the result rounded to 4, then to 3")
    procedures = [way.procedure for way in identified(entries["letor3"]).by_hand]
    assert "each query's value rounded to 2 before the mean" in procedures


@pytest.mark.parametrize("quantity", ["ndcg", "any"])
@pytest.mark.parametrize("case", [case for case in REPORTS if "reported" in case], ids=lambda case: str(case["id"]))
def test_the_setting_behind_a_reported_confusion(case: dict[str, Any], quantity: str) -> None:
    textbook = Contract(**{"gain": "linear", "k": "all", **case["contract"]})
    found = identify(ranking_of(case), Judgments(case["judgments"]), reported=case["reported"], quantity=quantity)
    apart = [textbook.differences(match.contract) for match in found]
    assert [case["setting"]] in apart


# Reading printed numbers.


@pytest.mark.parametrize(
    ("text", "quantity", "expected"),
    [
        ("0.8076", "ndcg", {"rounded": ("0.80755", "0.80765"), "truncated": ("0.8076", "0.8077")}),
        ("0.81", "ndcg", {"rounded": ("0.805", "0.815")}),
        ("0,81", "dcg", {"rounded": ("0.805", "0.815")}),
        ("≈ .81", "dcg", {"rounded": ("0.805", "0.815")}),
        ("-0.81", "dcg", {"rounded": ("-0.815", "-0.805")}),
        ("0.48...", "ndcg", {"ellipsis": ("0.48", "0.49")}),
        ("0.48…", "ndcg", {"ellipsis": ("0.48", "0.49")}),
        ("96.08%", "ndcg", {"percent-rounded": ("0.96075", "0.96085"), "percent-truncated": ("0.9608", "0.9609")}),
        ("96 %", "dcg", {"percent-rounded": ("0.955", "0.965")}),
        (
            "96.1",
            "ndcg",
            {"rounded": ("96.05", "96.15"), "percent-rounded": ("0.9605", "0.9615")},
        ),
        ("96.1", "dcg", {"rounded": ("96.05", "96.15")}),
        ("1", "ndcg", {"rounded": ("1", "1")}),
        ("14", "dcg", {"rounded": ("13.5", "14.5")}),
        ("7.6e-1", "ndcg", {"rounded": ("0.755", "0.765")}),
    ],
)
def test_intervals(text: str, quantity: str, expected: dict[str, tuple[str, str]]) -> None:
    found = {reading.name: (reading.low, reading.high) for reading in readings(read_printed(text), quantity)}
    assert found == {name: (Fraction(low), Fraction(high)) for name, (low, high) in expected.items()}


@pytest.mark.parametrize(
    ("text", "value", "name"),
    [
        ("0.5", "11/20", "rounded"),  # either way at a half
        ("0.6", "11/20", "rounded"),
        ("0.6667", "2/3", "rounded"),
        ("0.6666", "2/3", "truncated"),
        ("0.66...", "2/3", "ellipsis"),
        ("0.67...", "2/3", None),
        ("0.6666666666666666", "2/3", "double"),
        ("0.6666666666666667", "2/3", "rounded"),
        ("0.6666666666666672", "2/3", "double"),  # 6 units in the last place of the double
        ("0.6666666666666674", "2/3", None),
        ("0.666666686534881591796875", "2/3", "float32"),  # the double of a float32
        ("0.6666667", "2/3", "rounded"),
        ("0.6666669", "2/3", "float32"),
        ("0.666668", "2/3", None),
        ("-0.6666", "-2/3", "truncated"),
        ("66.67%", "2/3", "percent-rounded"),
        ("66.66%", "2/3", "percent-truncated"),
        ("66.66666666666666%", "2/3", "percent-double"),
    ],
)
def test_the_strictest_reading_that_accepts(text: str, value: str, name: str | None) -> None:
    exact = Linear.rational(Fraction(value))
    found = [reading.name for reading in readings(read_printed(text), "dcg") if reading.accepts(exact)]
    assert (found[0] if found else None) == name


@pytest.mark.parametrize("reported", [0.8076, Decimal("0.8076"), "0.8076"])
def test_numbers_that_python_holds(reported: object) -> None:
    assert identify(X, JUDGED, reported=reported).matches[0].contract == Contract(gain="exponential", k=4)


def test_a_fraction_stands_for_itself() -> None:
    found = identify(X, JUDGED, reported=Fraction(2, 3), quantity="ndcg")
    assert {match.value for match in found} == {parse("2/3")}
    assert found.matches[0].contract == Contract(gain="linear", k=1)


@pytest.mark.parametrize("reported", ["", "abc", "1.2.3", True, None, [], "0x1p-1", "nan", "--1", "."])
def test_what_is_no_number_is_refused(reported: object) -> None:
    with pytest.raises(NdcgLabError, match="number is"):
        identify(X, JUDGED, reported=reported)


# What is said of the matches.


def test_a_match_says_all_that_it_means() -> None:
    found = identify(X, JUDGED, reported="0.80756", quantity="ndcg")
    match = found.matches[0]
    assert match.contract == Contract(gain="exponential", k=4)
    assert (match.quantity, match.reading, match.name) == ("ndcg", "rounded", None)
    assert match.value == parse("(13/2 + 3a)/(17/2 + 3a)")
    assert match.also["k"] == ["all", 3]
    assert match.also["ideal_cutoff"] == ["returned", "none"]
    by_name = {match.name: match.contract for match in found if match.name}
    assert by_name["elasticsearch"] == conventions["elasticsearch"].contract
    assert by_name["gdeval"] == conventions["gdeval"].contract
    assert "scikit-learn" not in by_name


def test_two_digits_fit_many_and_a_further_number_decides() -> None:
    found = identify(CROFT_ORDER, CROFT, reported="0.83", quantity="ndcg")
    assert found.contracts > 24
    assert found.values > 10
    assert not found.identified
    assert "may be chance" in str(found)
    decider = found.decides
    assert decider is not None
    assert len({predicts for _, predicts in decider.predictions}) > 4
    for match, predicts in decider.predictions:
        e = evaluate(match.contract.replace(k=decider.k), CROFT_ORDER, CROFT)
        value = {"ndcg": e.ndcg, "dcg": e.dcg, "idcg": e.idcg}[decider.quantity]
        assert predicts == f"{float(value):.4f}"


def test_each_match_names_a_number_that_tells_it_apart() -> None:
    found = identify(CROFT_ORDER, CROFT, reported="0.76", quantity="ndcg")
    for match in found:
        told = match.tell_apart
        assert told is not None
        assert told.predicts != told.other_predicts
        for contract, predicts in ((match.contract, told.predicts), (told.other, told.other_predicts)):
            e = evaluate(contract.replace(k=told.k), CROFT_ORDER, CROFT)
            value = {"ndcg": e.ndcg, "dcg": e.dcg, "idcg": e.idcg}[told.quantity]
            assert predicts == f"{float(value):.4f}"


def test_several_numbers_settle_what_one_does_not() -> None:
    one = identify(CROFT_ORDER, CROFT, reported="0.83", quantity="ndcg")
    both = identify(CROFT_ORDER, CROFT, reported=[("0.83", {"k": 2}), ("0.78", {"k": 4})], quantity="ndcg")
    all_three = identify(
        CROFT_ORDER, CROFT, reported=[("0.83", {"k": 2}), ("0.78", {"k": 4}), ("9.61", {"k": 10, "quantity": "dcg"})]
    )
    assert one.values > both.values == all_three.values == 1
    assert {match.contract.discount for match in all_three} == {"jarvelin"}
    assert [fit.contract.k for fit in all_three.matches[0].fits] == [2, 4, 10]
    for fit in all_three.matches[0].fits:
        e = evaluate(fit.contract, CROFT_ORDER, CROFT)
        assert fit.value == (e.dcg if fit.quantity == "dcg" else e.ndcg)


def test_several_numbers_that_no_contract_gives_together() -> None:
    assert not identify(CROFT_ORDER, CROFT, reported=[("0.83", {"k": 2}), ("0.2", {"k": 4})], quantity="ndcg")


def test_what_is_known_narrows_the_search() -> None:
    found = identify(CROFT_ORDER, CROFT, reported=("0.83", {"gain": "exponential:2", "k": "3"}), quantity="ndcg")
    assert {(match.contract.gain, match.contract.k) for match in found} == {("exponential", 3)}
    with pytest.raises(NdcgLabError, match="`kay` is no setting"):
        identify(X, JUDGED, reported=("0.83", {"kay": 3}))


def test_one_number_for_each_ranking() -> None:
    rankings = [X, Ranking(["A", "D", "B", "C"])]
    contract = Contract(gain="exponential", k=3, discount="reciprocal")
    numbers = [f"{float(parse(str(evaluate(contract, one, JUDGED).ndcg))):.3f}" for one in rankings]
    found = identify(rankings, JUDGED, reported=numbers, quantity="ndcg")
    assert any((m.contract.gain, m.contract.discount) == ("exponential", "reciprocal") for m in found)
    assert all(
        match.fits[i].value == evaluate(match.fits[i].contract, one, JUDGED).ndcg
        for match in found
        for i, one in enumerate(rankings)
    )
    with pytest.raises(NdcgLabError, match="3 reported numbers for 2 rankings"):
        identify(rankings, JUDGED, reported=["0.1", "0.2", "0.3"])


def test_no_match_names_the_nearest() -> None:
    found = identify(X, JUDGED, reported="0.9137", quantity="ndcg")
    assert not found
    misses = [abs(float(near.value) - 0.9137) for near in found.nearest]
    assert misses == sorted(misses)
    assert Contract(gain="linear", k=4) in [near.contract for near in found.nearest]
    for near in found.nearest:
        assert near.miss(4) == (near.value - Fraction("0.9137")).decimal(4)
        assert near.value == evaluate(near.contract, X, JUDGED).ndcg
    assert "No rounding at the steps of a hand calculation" in str(found)


@pytest.mark.parametrize(
    ("order", "reported", "contract"),
    [
        (["b", "a"], "0.66", Contract(gain="linear", k=1)),  # 2/3
        (["b", "a"], "0.913", Contract(gain="linear", k=2)),  # (2 + 3a)/(3 + 2a) = 0.91339...: this one is rounded
        (["b", "a"], "3.89", Contract(gain="linear", k=2)),  # 2 + 3a = 3.8927...
    ],
)
def test_short_numbers_are_read_as_truncated_last(order: list[str], reported: str, contract: Contract) -> None:
    found = identify(Ranking(order), {"a": 3, "b": 2}, reported=reported)
    assert found.matches[0].contract == contract
    assert found.matches[0].reading == ("truncated" if reported == "0.66" else "rounded")
    assert not any(way.contract == contract and way.quantity == "ndcg" for way in found.by_hand if reported != "0.66")


@pytest.mark.parametrize(
    ("ranking", "judgments", "reported", "effect", "quantity", "value"),
    [
        # what Spark computes where the truth comes in rising order, and Evidently where two documents tie at the top
        (Ranking(["B", "A"]), {"A": 1, "B": 2}, "1.2552", UNSORTED, "ndcg", "(3 + a)/(1 + 3a)"),
        (Ranking.from_scores({"A": 4, "B": 4, "C": 2, "D": 1}), dict(JUDGED), "1.6667", SHARED, "ndcg", "5/3"),
        # three tied documents, in an order that is neither the best nor the worst: 1, 3, 2
        (Ranking.from_scores({"p": 1, "q": 1, "r": 1}), {"p": 1, "q": 2, "r": 3}, "0.8175", DRAWN, "ndcg", None),
    ],
)
def test_what_no_contract_says(
    ranking: Ranking, judgments: dict[str, int], reported: str, effect: str, quantity: str, value: str | None
) -> None:
    found = identify(ranking, judgments, reported=reported, quantity=quantity)
    assert not found.matches
    assert effect in [one.effect for one in found.beyond]
    assert "Beyond any contract" in str(found)
    if value is not None:
        assert parse(value) in [one.value for one in found.beyond]


# Means over queries.

RUN = {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"a": 2, "b": 1}, "q4": {"z": 1}}
QRELS = {"q1": {"a": 1, "b": 3, "c": 2}, "q2": {"a": 1, "b": 2}, "q3": {"a": 1}}


@pytest.mark.parametrize(
    ("over", "changed"),
    [
        ({"missing": "zero"}, {"missing": "zero"}),
        ({"missing": "exclude"}, {"missing": "exclude"}),
        ({"query_set": "run", "unjudged_queries": "zero"}, {"query_set": "run", "unjudged_queries": "zero"}),
        ({"missing": "exclude", "aggregate": "ratio-of-sums"}, {"aggregate": "ratio-of-sums"}),
    ],
)
def test_a_mean_and_which_queries_it_is_of(over: dict[str, Any], changed: dict[str, str]) -> None:
    mean = evaluate_run(Contract(gain="exponential", k=2, discount="jarvelin"), RUN, QRELS, **over).mean.ndcg
    assert isinstance(mean, Exact)
    found = identify(RUN, QRELS, reported=mean.decimal(9), quantity="mean")
    right = [match for match in found if changed.items() <= over_of(match).items() and match.value == mean]
    assert right
    for match in found.matches[:20]:
        assert evaluate_run(match.contract, RUN, QRELS, **over_of(match)).mean.ndcg == match.value


def test_a_mean_with_a_zero_ideal() -> None:
    run = {"Q1": ["p", "q"], "Q2": ["r", "s"]}
    qrels = {"Q1": {"p": 2, "q": 1}, "Q2": {"r": 0, "s": 0}}
    found = identify(run, qrels, reported="0.5", quantity="mean")
    assert found.matches[0].contract.zero_ideal == "zero"
    found = identify(run, qrels, reported="1.0", quantity="mean")
    linear = [match for match in found if match.contract.gain == "linear" and over_of(match)["aggregate"] == "mean"]
    assert {match.contract.zero_ideal for match in linear} == {"one", "exclude"}


def test_a_mean_of_rounded_values() -> None:
    run = {"1": ["a", "b"], "2": ["b", "a"], "3": ["b", "a"]}
    qrels = {"1": {"a": 2, "b": 3}, "2": {"a": 5, "b": 1}, "3": {"a": 3, "b": 1}}
    mean = evaluate_run(Contract(gain="exponential", k=2, round_to=2), run, qrels).mean.ndcg
    assert isinstance(mean, Exact)
    found = identify(run, qrels, reported=mean.decimal(8), quantity="mean")
    assert found.matches[0].contract == Contract(gain="exponential", k=2, round_to=2)
    assert "opensearch" in {match.name for match in found}


def test_queries_as_pairs_or_lists() -> None:
    pairs = {name: (list(RUN[name]), QRELS[name]) for name in ("q1", "q2")}
    lists = [ranking for ranking, _ in pairs.values()], [judged for _, judged in pairs.values()]
    by_pairs = identify(pairs, reported="0.8386", quantity="mean")
    by_lists = identify(*lists, reported="0.8386", quantity="mean")
    assert by_pairs.matches
    assert [match.contract for match in by_pairs] == [match.contract for match in by_lists]
    with pytest.raises(NdcgLabError, match="idcg is of one query"):
        identify(pairs, reported="0.8386", quantity="idcg")
    with pytest.raises(NdcgLabError, match="one of ndcg, dcg, idcg, mean or any"):
        identify(pairs, reported="0.8386", quantity="map")


# The search misses nothing of its space: any contract's value is found again from its digits.

GRADES = st.sampled_from(["0", "1", "2", "3", "1/2", "-1"])
ENTRY = st.tuples(st.sampled_from("abcdxy"), st.sampled_from(["1", "2", "1.00000000001"]))


@st.composite
def contracts(draw: st.DrawFn) -> Contract:
    names = [name for name in COSTS if name in fields_of_contract()]
    chosen = {name: draw(st.sampled_from([one for one in COSTS[name] if one != "error"])) for name in names}
    thresholds = [f"binary:{grade}" for grade in ("1", "2", "3", "1/2")]
    return Contract.from_json(
        {
            **chosen,
            "gain": draw(st.sampled_from([*spellings("gain"), *thresholds])),
            "discount": draw(st.sampled_from(spellings("discount"))),
            "k": draw(st.sampled_from([1, 2, 3, 4, "all"])),
            "zero_ideal": draw(st.sampled_from(["undefined", "zero", "one"])),
        }
    )


def fields_of_contract() -> set[str]:
    return {field.name for field in FIELDS}


@settings(max_examples=40, deadline=None)
@given(
    contract=contracts(),
    grades=st.dictionaries(st.sampled_from("abcd"), GRADES, min_size=1),
    entries=st.lists(ENTRY, min_size=1, max_size=5),
    quantity=st.sampled_from(["ndcg", "dcg", "idcg"]),
    digits=st.sampled_from([6, 16]),
)
def test_every_contract_of_the_space_is_found_by_its_value(
    contract: Contract, grades: dict[str, str], entries: list[tuple[str, str]], quantity: str, digits: int
) -> None:
    judgments, ranking = Judgments(grades), Ranking.from_scores(entries)
    threshold = contract.gain.removeprefix("binary:")
    assume(not contract.gain.startswith("binary") or threshold in grades.values())
    try:
        e = evaluate(contract, ranking, judgments)
    except NdcgLabError:
        assume(False)
    value = {"ndcg": e.ndcg, "dcg": e.dcg, "idcg": e.idcg}[quantity]
    assume(not isinstance(value, Undefined))
    assert isinstance(value, Exact)
    found = identify(ranking, judgments, reported=value.decimal(digits), quantity=quantity)
    assert any(match.value == value for match in found)


@pytest.mark.parametrize(
    "thirds", [("1", "1", "1/10"), ("1", "1/3", "1/5"), ("1/7", "1/10", "1/3"), ("1/3", "2/3", "1/6")]
)
def test_a_number_given_exactly_is_found_beside_the_noise_of_doubles(thirds: tuple[str, ...]) -> None:
    """In doubles (1 + 1 + 0.1)/3 is 0.7000000000000001: a search without a margin misses 7/10."""
    shares = list(map(Fraction, thirds))
    run = {str(q): ["a"] for q in range(3)}
    qrels = {str(q): {"a": share.numerator, "b": share.denominator} for q, share in enumerate(shares)}
    found = identify(run, qrels, reported=sum(shares) / 3, quantity="mean")
    assert Contract(gain="linear", k=1) in [match.contract for match in found]


def test_groups_are_of_values_proved_equal() -> None:
    mean = (Linear({2: 1}) / parse("1 + a") + Linear({2: 1}) / parse("2 + a")) / 2
    again = (Linear({2: 2}) / parse("4 + 2a") + Linear({2: 1}) / parse("1 + a")) / 2
    # It differs by so little that double and residue are the same.
    other = mean + Fraction(2**61 - 1, 2**200)
    assert float(mean) == float(other)
    assert grouped([fit_of(value) for value in (mean, again, other, Linear.rational(1))]) == [1, 1, 2, 3]


class Valued(NamedTuple):
    value: Exact


def fit_of(value: Exact) -> Fit:
    return Fit("0.5", {}, Contract(gain="linear", k=1), "mean", "rounded", Valued(value), UNKNOWN)


def test_huge_gains() -> None:
    judgments, ranking = Judgments({"a": 2000, "b": 1999}), Ranking(["b", "a"])
    found = identify(ranking, judgments, reported="0.860", quantity="ndcg")
    assert Contract(gain="exponential", k=2) in [match.contract for match in found]


def test_the_work_for_ten_documents_is_bounded() -> None:
    identify(X, JUDGED, reported="0.5")  # what is read and cached once
    assert 0 < work(lambda: str(identify(CROFT_ORDER, CROFT, reported="0.76"))) < 400_000


# How it is shown.


def test_json_has_the_keys_of_the_interface() -> None:
    record = json.loads(json.dumps(identify(CROFT_ORDER, CROFT, reported="0.76", quantity="ndcg").to_json()))
    assert record["reported"] == "0.76"
    assert record["nearest"] == []
    first = record["matches"][0]
    assert first["contract"] == Contract(gain="exponential", k=4).to_json()
    assert (first["name"], first["quantity"], first["reading"]) == (None, "ndcg", "rounded")
    assert first["value"]["decimal"].startswith("0.764584029697")
    assert first["tell_apart"]["predicts"] != first["tell_apart"]["other_predicts"]


def test_plain_settings_cost_less() -> None:
    assert cost("gain", "linear") < cost("gain", "exponential") < cost("gain", "power:2") < cost("gain", "power:7")
    assert cost("discount", "log2") < cost("discount", "jarvelin") < cost("discount", "jarvelin:16")
    assert cost("discount", "geometric:2/3") == cost("discount", "geometric:1/2") > cost("discount", "reciprocal")
    assert all(cost(field.name, field.default) == 0 for field in FIELDS if not field.required)


def test_foreign_text_is_shown_as_text() -> None:
    run = {"<b>": ["a", "b"], "q\x1b[31m": ["b", "a"]}
    qrels = {name: {"a": 2, "b": 1} for name in run}
    found = identify(run, qrels, reported="0.9298", quantity="mean")
    assert "<b>" not in found._repr_html_()
    assert "\x1b" not in str(found)
    assert "<table>" in found._repr_html_()


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    judged = [("q1", document, grade) for document, grade in JUDGED.items()]
    Path("qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in judged), encoding="utf-8")
    Path("run").write_text("".join(f"q1 Q0 {d} 1 {9 - i} t\n" for i, d in enumerate(X)), encoding="utf-8")
    return ["identify", "--qrels", "qrels", "--run", "run"]


def test_the_command(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files, "--reported", "0.8076", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["matches"][0]["contract"] == Contract(gain="exponential", k=4).to_json()
    assert main([*files, "--reported", "0.55", "--at", "k=2", "--reported", "8.39", "--at", "k=3,quantity=dcg"]) == 0
    assert "exponential, log2" in capsys.readouterr().out
    assert main([*files, "--reported", "0.9137", "--query", "q1"]) == 0
    assert "no contract that was tried gives it" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--reported", "x"], "'x'"),
        (["--reported", "1", "--at", "k"], "setting=value"),
        (["--reported", "1", "--reported", "2", "--at", "k=1"], "one --at for each number"),
        (["--reported", "1", "--query", "q9"], "'q9'"),
        (["--reported", "1", "--quantity", "map"], "one of ndcg"),
    ],
)
def test_bad_usage_is_one_line(
    files: list[str], capsys: pytest.CaptureFixture[str], flags: list[str], message: str
) -> None:
    assert main([*files, *flags]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


TWO_JUDGED = {"1": Judgments({"d1": 3, "d2": 0, "d3": 2}), "2": Judgments({"d1": 1, "d4": 0})}
TWO_RETURNED = {"1": Ranking(["d1", "d2", "d3"]), "2": Ranking(["d4", "d1"])}


def test_what_was_not_tried_is_said() -> None:
    over = str(identify(TWO_RETURNED, TWO_JUDGED, reported="0.9386"))
    assert "Over several queries only means were tried" in over
    assert identify(TWO_RETURNED["1"], TWO_JUDGED["1"], reported="0.9386")
    joint = str(identify(TWO_RETURNED, TWO_JUDGED, reported=["0.7847", "0.6674"], quantity="mean"))
    assert "say so beside each" in joint
    assert "The nearest" not in joint


@pytest.mark.parametrize("number", ["1e400", "-1e999", "1e-400", "0." + 400 * "1", 200 * "9"])
def test_a_number_beyond_all_doubles_is_refused(number: str) -> None:
    with pytest.raises(NdcgLabError, match="at most 150"):
        identify(TWO_RETURNED["1"], TWO_JUDGED["1"], reported=number)


@pytest.mark.parametrize("reported", ["0.83", "0.12345"])
def test_what_is_found_can_be_pickled(reported: str) -> None:
    found = identify(CROFT_ORDER, CROFT, reported=reported)
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 -- our own bytes
    assert again.to_json() == found.to_json()
    assert str(again) == str(found)
    assert [match.value for match in again] == [match.value for match in found]


def test_a_mean_that_is_found_can_be_pickled() -> None:
    pairs = {name: (list(RUN[name]), QRELS[name]) for name in ("q1", "q2")}
    found = identify(pairs, reported="0.8386", quantity="mean")
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 -- our own bytes
    assert again.matches
    assert again.to_json() == found.to_json()
