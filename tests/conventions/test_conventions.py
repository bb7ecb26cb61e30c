"""The mapping of conventions: its entries, its departures, its table, and the calls made from a contract."""

from __future__ import annotations

import json

import pytest

from ndcg_lab import Contract, Judgments, NdcgLabError, conventions, evaluate_run, parse
from ndcg_lab.conventions import Departure, UnknownConvention, agrees, printed_value
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS
from tools.readme import README, with_table

# What the project's own table of systems says, written out once more: gain, ideal's population and cut, ties, a
# document without a judgment, an ideal of 0.
TABLE = """
scikit-learn        linear       returned  k         average           zero  zero
tensorflow-ranking  exponential  returned  k         average           zero  zero
elasticsearch       exponential  judged    returned  input             zero  zero
trec_eval           linear       judged    k         docno-descending  zero  zero
trec_eval-10        linear       judged    k         docno-descending  zero  zero
pytrec_eval         linear       judged    k         docno-descending  zero  zero
ir_measures         linear       judged    k         docno-descending  zero  zero
gdeval              exponential  judged    k         docno-descending  zero  exclude
ranx                linear       judged    k         input             zero  zero
torchmetrics        linear       returned  k         average           zero  zero
lightgbm            exponential  returned  k         input             zero  one
xgboost             exponential  returned  k         input             zero  one
catboost            linear       returned  k         worst             zero  one
opensearch          exponential  judged    k         input             zero  zero
quepid-ndcg         exponential  judged    none      input             zero  zero
quepid-ndcg_cut     exponential  judged    k         input             zero  zero
spark-mllib         binary:1     judged    k         input             zero  zero
beir                linear       judged    k         docno-descending  zero  zero
mteb                linear       judged    k         docno-descending  zero  zero
haystack            linear       judged    k         input             zero  zero
llamaindex          binary:1     judged    k         input             zero  undefined
lenskit             binary:0     judged    k         input             zero  undefined
recommenders        binary:0     judged    k         input             zero  undefined
allrank             exponential  returned  k         input             zero  one
evidently           linear       returned  k         best              zero  zero
trectools           linear       judged    k         input             zero  undefined
cornac              binary:1     judged    k         input             zero  undefined
recbole             binary:1     judged    k         input             zero  zero
vespa               binary:1     judged    k         input             zero  zero
mlflow              binary:1     judged    returned  input             zero  zero
sentence-transformers binary:1   judged    k         docno-ascending   zero  exclude
pyg                 binary:1     judged    k         input             zero  exclude
torchrec            linear       returned  k         input             zero  zero
azure-ai-evaluation exponential  judged    k         input             zero  zero
implicit            binary:0     judged    k         input             zero  exclude
ranklib             exponential  returned  k         input             zero  zero
keras-rs            exponential  returned  k         average           zero  zero
rre                 linear       judged    k         input             zero  zero
"""
SHOWN = ("gain", "ideal_population", "ideal_cutoff", "ties", "unjudged", "zero_ideal")


def test_every_system_is_there_with_its_contract() -> None:
    expected = {name: tuple(settings) for name, *settings in map(str.split, TABLE.strip().splitlines())}
    found = {name: tuple(getattr(each.contract, field) for field in SHOWN) for name, each in conventions.items()}
    assert found == expected


def test_other_discounts_and_roundings() -> None:
    discounts = {name: each.contract.discount for name, each in conventions.items()}
    assert {name for name, discount in discounts.items() if discount == "log:e"} == {
        "gdeval",
        "spark-mllib",
        "recommenders",
    }
    assert {name for name, discount in discounts.items() if discount == "jarvelin"} == {"lenskit"}
    assert {name: each.contract.round_to for name, each in conventions.items() if each.contract.round_to} == {
        "gdeval": 5,
        "opensearch": 2,
    }


def test_it_is_a_mapping() -> None:
    assert len(conventions) == len(list(conventions)) == 38
    assert conventions.get("no such system") is None
    assert dict(conventions)["ranx"] is conventions["ranx"]
    with pytest.raises(UnknownConvention, match=r"no convention is named `nobody`; there are scikit-learn, .* more"):
        conventions["nobody"]
    for wrong, right in (("ranks", "ranx"), ("scikit_learn", "scikit-learn"), ("Trec_Eval", "trec_eval")):
        with pytest.raises(UnknownConvention, match=f"did you mean `{right}`"):
            conventions[wrong]
    assert issubclass(UnknownConvention, KeyError)
    assert issubclass(UnknownConvention, NdcgLabError)


@pytest.mark.parametrize(
    ("alias", "name", "version"),
    [
        ("sklearn", "scikit-learn", "1.9.1"),
        ("pyserini", "trec_eval", "9.0.8"),
        ("anserini", "trec_eval", "9.0.8"),
        ("trec_eval-9", "trec_eval", "9.0.8"),
        ("trec_eval", "trec_eval", "9.0.8"),
        ("trec_eval-10", "trec_eval-10", "10.0-rc3, f425365"),
    ],
)
def test_an_alias_finds_its_system_and_is_not_listed(alias: str, name: str, version: str) -> None:
    assert alias in conventions
    assert conventions[alias] is conventions[name]
    assert (conventions[alias].name, conventions[alias].version) == (name, version)
    assert alias == name or alias not in list(conventions)


def test_each_parameter_changes_something_or_says_what_it_cannot() -> None:
    contract_fields = {field.name for field in FIELDS}
    aggregation_fields = {field.name for field in AGGREGATION_FIELDS}
    for convention in conventions.values():
        for variant in convention.variants.values():
            assert variant.contract.keys() <= contract_fields
            assert variant.aggregation.keys() <= aggregation_fields
            changed = (convention.at(None, variant.name), convention.over_queries(variant.name), variant.quantity)
            assert variant.cannot or changed != (convention.contract, convention.aggregation, "ndcg")


def test_a_cutoff_and_parameters() -> None:
    xgboost = conventions["xgboost"]
    assert xgboost.at(7).k == 7
    assert xgboost.at().k == 32
    changed = xgboost.at(7, "ndcg@K-", "ndcg_exp_gain=False")
    assert changed.differences(xgboost.at(7)) == ["gain", "negative", "zero_ideal"]
    assert conventions["trec_eval"].over_queries("-c").to_json()["missing"] == "zero"
    with pytest.raises(
        NdcgLabError, match="`xgboost` has no parameter `ndcg-`; those that change its contract: `ndcg@K-`"
    ):
        xgboost.at(7, "ndcg-")


def test_the_table_and_the_plain_data_hold_every_system() -> None:
    lines = conventions.table().splitlines()
    assert len(lines) == 2 + len(conventions)
    assert all(line.count("|") == lines[0].count("|") for line in lines)
    assert [line.split(" | ")[0].removeprefix("| ") for line in lines[2:]] == list(conventions)
    data = json.loads(json.dumps(conventions.to_json()))
    assert list(data) == list(conventions)
    assert all(Contract.from_json(entry["contract"]) == conventions[name].contract for name, entry in data.items())
    assert conventions.to_json("ranx") == data["ranx"]
    assert [row["name"] for row in conventions.rows()] == list(conventions)


def test_the_readme_holds_the_table_as_it_is_now() -> None:
    text = README.read_text(encoding="utf-8")
    assert conventions.table() in text
    assert with_table(text) == text


def test_a_page_names_parameters_limits_and_departures() -> None:
    page = conventions.table("lightgbm")
    assert page.startswith("# LightGBM ndcg\n")
    assert "- `label_gain=0,1,2,3,...`: gain = linear" in page
    assert "- The ideal is ordered by label" in page
    assert "Printed: `1.3142165237343795`; its contract gives 1." in page


def test_a_page_tells_a_refusal_of_the_system_from_one_of_the_contract() -> None:
    sections = dict(
        section.split("\n", 1) for section in conventions.table("lightgbm").split("\n## ") if "\n" in section
    )
    theirs, ours = sections["What it refuses"], sections["What its contract refuses and it takes"]
    assert (
        "A label below 0 is refused. Input: judged A = -1, B = 2, returned A (2), B (1). It says: `LightGBM" in theirs
    )
    assert "is never seen" not in theirs
    assert "- A grade below 0 on a document that isn't returned is never seen" in ours
    assert "Printed: `1.0`; its contract refuses it (`NegativeGrade`)." in ours
    assert "LightGBMError" not in ours


def test_which_systems_a_contract_is() -> None:
    exponential = Contract(gain="exponential", k=7, ideal_population="returned", ties="worst", unjudged="zero")
    catboost = exponential.replace(duplicates="count", negative="allow", zero_ideal="one")
    assert conventions.matching(catboost) == ["catboost (type=Exp)"]
    assert conventions.matching(catboost, k="same") == []
    assert conventions.matching(exponential) == []


DEPARTURES = conventions.departures()


def _value(departure: Departure, contract: Contract) -> Exact | Undefined:
    if len(departure.queries) == 1:
        return departure.queries[0].evaluate(contract).ndcg
    run = {query.query: query.as_ranking() for query in departure.queries}
    qrels = {query.query: Judgments(query.judgments) for query in departure.queries}
    weights = {query.query: query.weight for query in departure.queries}
    return evaluate_run(contract, run, qrels, weights=weights).mean.ndcg


@pytest.mark.parametrize("departure", DEPARTURES, ids=lambda found: f"{found.system} {found.what}")
def test_the_values_beside_a_departure_are_exact(departure: Departure) -> None:
    if departure.refused:
        with pytest.raises(NdcgLabError) as refusal:
            _value(departure, departure.contract)
        assert type(refusal.value).__name__ == departure.refused
        assert not departure.own
    else:
        value = _value(departure, departure.contract)
        assert value == parse(departure.own) if isinstance(value, Exact) else str(value) == departure.own
    if departure.instead:
        assert _value(departure, departure.contract.replace(**departure.instead)) == parse(departure.gives)


@pytest.mark.parametrize("departure", DEPARTURES, ids=lambda found: f"{found.system} {found.what}")
def test_a_departure_leaves_its_contract_or_another_reading(departure: Departure) -> None:
    printed = printed_value(departure.printed)
    assert (departure.kind == "ours") <= bool(departure.refused)
    if departure.refused:
        assert departure.kind == "refusal" or printed is not None
        return
    value = _value(departure, departure.contract)
    if isinstance(value, Undefined):
        assert printed is not None
        return
    reproduced = printed is not None and agrees(printed, value, conventions[departure.system].precision)
    if departure.kind == "float":
        assert printed != float(value)
    else:
        assert not reproduced or departure.gives


def test_an_unsorted_ideal_is_what_spark_divides_by() -> None:
    """DCG of B, A over the ground truth as it was given, A, B: 2^grade - 1 over ln(rank + 1), whose base cancels."""
    (departure,) = conventions["spark-mllib"].departures
    assert agrees(departure.printed, parse("(3 + a)/(1 + 3a)"), "decimals:4")


def test_every_known_kind_of_departure_is_recorded() -> None:
    kinds = {departure.kind for departure in DEPARTURES}
    assert kinds == {
        *("float", "refusal", "ours", "ties", "gains", "ideal", "cutoff", "weights", "duplicates", "ids", "negative"),
        "error",
    }
    above_one = [found for found in DEPARTURES if (printed_value(found.printed) or 0) > 1.1]
    assert {found.system for found in above_one} == {
        *("lightgbm", "opensearch", "llamaindex", "evidently", "spark-mllib", "trec_eval", "trec_eval-10", "ranklib")
    }
    assert {found.system for found in conventions.departures("weights")} == {"lightgbm", "xgboost"}


@pytest.mark.parametrize(
    ("printed", "precision", "same"),
    [
        ("0.9049765583210164", "double", True),
        (0.9049765583210173, "double", True),
        (0.9049765583210184, "double", False),
        ("0.9050", "double", False),
        (0.9049765467643738, "single", True),
        (0.90497, "single", False),
        ("0.9050", "decimals:4", True),
        ("0.9049", "decimals:4", False),
        ("nan", "double", False),
        ("ValueError: no", "decimals:4", False),
    ],
)
def test_agreement(printed: str | float, precision: str, *, same: bool) -> None:
    assert agrees(printed, parse("(7/2 + 2a)/(4 + 2a)"), precision) is same


def test_zero_agrees_with_zero_alone() -> None:
    zero = parse("0")
    assert agrees(0.0, zero)
    assert not agrees(5e-324, zero)
    assert agrees(-0.0, zero, "single")
