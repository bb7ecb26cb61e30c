"""What no contract says and gives a number all the same: each cause by a value worked out by hand.

With a = 1/log2(3) the discounts of the first ranks are 1, a and 1/2; `y(b)` is 1/log2(b).
"""

import json

import pytest

from ndcg_lab import y
from ndcg_lab.command.cli import main
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.parsing import parse
from ndcg_lab.exact.values import Exact
from ndcg_lab.identification import causes, identify
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.reports.trec import read_qrels, read_run
from tests.support import require_real

IDEAL_3 = "exponential, of grades one higher"
OTHER_IDEAL = f"another gain in the ideal than in the list: {IDEAL_3}"
OTHER_LIST = "another gain in the list than in the ideal: exponential, of grades one higher"
WITHOUT_ONE = "the gain 2^grade, without the − 1, in list and ideal"

FOREIGN = [
    ("a", {"a": 1}, "0.4693", causes.TOPS, "ndcg", "1/(3/2 + a)"),
    ("a", {"a": 1}, "0.3333", OTHER_IDEAL, "ndcg", "1/3"),
    ("54321", {"1": 0, "2": 1, "3": 0, "4": 0, "5": 2}, "0.0761", causes.LOSS, "ndcg", "(a - 1/log2(5))/(2 + a)"),
    ("xa", {"x": 0, "a": 1}, "2.0", causes.BY_RANK, "dcg", "2"),
]
"""Public reports, remade small: tests/cases/foreign/README.md."""

BY_HAND = [
    *FOREIGN,
    ("a", {"a": 1, "b": 2}, "0.8597", causes.UNRETURNED, "ndcg", "(1 + 2a)/(2 + a)"),
    ("a", {"a": 1, "b": 2}, "2.2619", causes.UNRETURNED, "dcg", "1 + 2a"),
    # b and c share ranks 2 and 3: (2 + 0)/2 times (a + 1/2)
    ("a", {"a": 1, "b": 2, "c": 0}, "0.8099", causes.UNRETURNED_SPREAD, "ndcg", "(3/2 + a)/(2 + a)"),
    ("ba", {"a": 2, "b": 1}, "1.1309", causes.UNCUT, "ndcg", "1/2 + a"),
    ("a", {"a": 1}, "2.1309", causes.TOPS, "idcg", "3/2 + a"),
    ("ba", {"a": 2, "b": 1}, "0.9257", causes.LATE_BOTH, "ndcg", "(1 + a)/(1/2 + 2a)"),
    ("a", {"a": 1}, "0.6309", causes.LATE_LIST, "ndcg", "a"),
    ("a", {"a": 1}, "1.5850", causes.LATE_IDEAL, "ndcg", "1/a"),
    ("BA", {"A": 1, "B": 2}, "1.2552", causes.UNSORTED, "ndcg", "(3 + a)/(1 + 3a)"),  # under exponential gain
    ("abx", {"a": 2, "b": 1, "x": 0}, "0.6199", causes.UPSIDE_DOWN, "ndcg", "(1 + a)/(2 + a)"),
    ("pab", {"p": -1, "a": 1, "b": 2}, "0.8597", causes.PADDED, "ndcg", "(1 + 2a)/(2 + a)"),
    ("xab", {"x": 0, "a": 1, "b": 2}, "0.8597", causes.PADDED_ZERO, "ndcg", "(1 + 2a)/(2 + a)"),
    ("a", {"a": 1}, "3.000", OTHER_LIST, "ndcg", "3"),
    ("xab", {"x": 0, "a": 1, "b": 2}, "0.7397", WITHOUT_ONE, "ndcg", "(3 + 2a)/(9/2 + 2a)"),
    # read as truncated, with four decimals and with fewer: 0.46928 and 0.63093
    ("a", {"a": 1}, "0.4692", causes.TOPS, "ndcg", "1/(3/2 + a)"),
    ("a", {"a": 1}, "0.630", causes.LATE_LIST, "ndcg", "a"),
    ("a", {"a": 1}, "46.93%", causes.TOPS, "ndcg", "1/(3/2 + a)"),
    ("54321", {"1": 0, "2": 1, "3": 0, "4": 0, "5": 2}, "0.076114991", causes.LOSS, "ndcg", None),
]


@pytest.mark.parametrize(("ranking", "grades", "reported", "effect", "quantity", "value"), BY_HAND)
def test_a_number_that_no_contract_gives_is_given_its_cause(
    ranking: str, grades: dict[str, int], reported: str, effect: str, quantity: str, value: str | None
) -> None:
    found = identify(Ranking(list(ranking)), Judgments(grades), reported=reported, quantity=quantity)
    named = [one for one in found.beyond if (one.effect, one.quantity) == (effect, quantity)]
    assert named
    if value is not None:
        assert parse(value) in [one.value for one in named]
    text, page = str(found), found._repr_html_()
    assert "Beyond any contract" in text
    assert effect in text
    assert "Beyond any contract" in page
    record = json.loads(json.dumps(found.to_json()))
    assert effect in [one["effect"] for one in record["beyond"]]
    assert record["beyond_chance"]["numbers"] > 0


@pytest.mark.parametrize(("ranking", "grades", "reported", "effect", "quantity", "value"), FOREIGN)
def test_it_is_named_whatever_quantity_was_asked_for(
    ranking: str, grades: dict[str, int], reported: str, effect: str, quantity: str, value: str
) -> None:
    found = identify(Ranking(list(ranking)), Judgments(grades), reported=reported)
    assert (effect, quantity, parse(value)) in [(one.effect, one.quantity, one.value) for one in found.beyond]
    assert not any(row.names for row in found.rows())


def test_truncated_digits_are_said_to_be() -> None:
    found = identify(Ranking(["a"]), Judgments({"a": 1}), reported="0.630", quantity="ndcg")
    assert {one.reading for one in found.beyond if one.effect == causes.LATE_LIST} == {"truncated"}
    assert "ndcg, truncated" in str(found)


@pytest.mark.parametrize("quantity", ["any", "ndcg"])
@pytest.mark.parametrize(("reported", "gain"), [("0.807", "exponential"), ("0.904", "linear")])
def test_three_digits_cut_off_are_found_for_either_gain(reported: str, gain: str, quantity: str) -> None:
    """0.80755888 and 0.90497656: rounded they would be 0.808 and 0.905."""
    judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    found = identify(Ranking(["B", "C", "A", "D"]), judgments, reported=reported, quantity=quantity)
    assert (found.matches[0].contract.gain, found.matches[0].reading) == (gain, "truncated")
    assert not found.beyond


def test_what_changes_nothing_is_no_cause() -> None:
    """All judged documents are returned, none has a negative grade, and the list is as long as the judgments."""
    judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 1})
    found = identify(Ranking(["B", "C", "A", "D"]), judgments, reported="0.0878", quantity="ndcg")
    effects = {one.effect for one in found.beyond}
    assert causes.LOSS in effects  # 1 - (7/2 + 2a + y_5)/(4 + 2a + y_5)
    assert not effects & {causes.UNRETURNED, causes.UNRETURNED_SPREAD, causes.PADDED, causes.PADDED_ZERO}


def test_a_plain_contract_is_enough() -> None:
    found = identify(Ranking(["B", "A"]), Judgments({"A": 2, "B": 1}), reported="0.8597", quantity="ndcg")
    assert found.matches
    assert found.beyond == ()
    assert found.beyond_chance is None
    assert "Beyond any contract" not in str(found)


def test_a_cutoff_is_the_plainest_that_gives_the_same() -> None:
    """Past the list's end 1 - NDCG is one and the same: `all` for a long list, as nobody means 21."""
    grades = {f"d{i}": int(i in {3, 7}) for i in range(21)}
    found = identify(Ranking(list(grades)), Judgments(grades), reported="0.5425", quantity="ndcg")
    # y_5 + y_9 over 1 + a
    (loss,) = [one for one in found.beyond if one.effect == causes.LOSS and one.contract.discount == "log2"][:1]
    assert loss.value == 1 - (y(5) + y(9)) / parse("1 + a")
    assert loss.contract.k == "all"


def mean_of(*values: Exact) -> Exact:
    return sum(values[1:], values[0]) / len(values)


RUN = {"q1": ["b", "a"], "q2": ["a", "x"], "q3": ["c"]}
QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"a": 1, "x": 0}, "q3": {"c": 2, "d": 1}}


@pytest.mark.parametrize(
    ("effect", "k", "expected"),
    [
        (causes.LOSS, 2, 1 - mean_of(parse("(1 + 2a)/(2 + a)"), parse("1"), parse("2/(2 + a)"))),
        (causes.TOPS_OF_ALL, 3, mean_of(*(parse(f"({top})/(3 + 2a)") for top in ("1 + 2a", "1", "2")))),
        (causes.TOPS, 3, mean_of(parse("(1 + 2a)/(3 + 2a)"), parse("1/(3/2 + a)"), parse("2/(3 + 2a)"))),
        (causes.LATE_LIST, 2, mean_of(parse("(1 + a)/(2 + a)"), parse("a"), parse("2a/(2 + a)"))),
    ],
)
def test_over_queries_too(effect: str, k: int, expected: Exact) -> None:
    found = identify(RUN, QRELS, reported=expected.decimal(7), quantity="mean")
    named = [one for one in found.beyond if one.effect == effect and one.contract.gain == "linear"]
    assert (expected, "mean") in [(one.value, one.quantity) for one in named]
    assert k in [one.contract.k for one in named] or "all" in [one.contract.k for one in named]


def test_a_query_without_results_counts_0_or_is_left_out() -> None:
    qrels = {**QRELS, "q4": {"a": 1}}
    kept = [parse("(1 + 2a)/(2 + a)"), parse("1"), parse("2/(2 + a)")]
    zero, without = 1 - mean_of(*kept, parse("0")), 1 - mean_of(*kept)
    for value, missing in ((zero, "zero"), (without, "exclude")):
        found = identify(RUN, qrels, reported=value.decimal(7), quantity="mean")
        named = [one for one in found.beyond if one.effect == causes.LOSS and one.value == value]
        assert missing in [one.aggregation.missing for one in named if one.aggregation is not None]


def test_foreign_ids_are_not_in_the_way() -> None:
    found = identify(Ranking(["<b>\x1b"]), Judgments({"<b>\x1b": 1}), reported="0.4693")
    assert "\x1b" not in str(found)
    assert "<b>" not in found._repr_html_()


# What chance gives.


def test_chance_is_what_the_other_numbers_find_one_by_one() -> None:
    """Every other number of two decimals, asked for alone."""
    judgments, ranking = Judgments({"A": 3, "B": 2, "C": 2, "D": 0}), Ranking(["B", "C", "A", "D"])
    found = identify(ranking, judgments, reported="0.87", quantity="ndcg")
    chance = found.chance
    assert chance is not None
    assert (chance.low, chance.high) == ("0.43", "1.00")  # half of it is 0.435
    others = [f"{number / 100:.2f}" for number in range(44, 101) if number != 87]
    assert chance.numbers == len(others)
    each = [identify(ranking, judgments, reported=number, quantity="ndcg") for number in others]
    # a number that ends in 0 may also be a value that was rounded to one decimal: others are not asked that
    costs = [[m.cost for m in one if m.reading == "rounded" and m.contract.round_to is None] for one in each]
    assert chance.fitted == sum(map(bool, costs))
    plain = [one for one in costs if one and min(one) <= found.matches[0].cost]
    assert chance.as_plain == len(plain)
    assert chance.rare == (100 * (len(plain) + 1) <= len(others) + 1)


INVENTED = ["0.2718", "0.3141", "0.4669", "0.5772", "0.6931", "0.7071"]
"""Digits of well-known constants: no system printed them of this run."""


@pytest.mark.parametrize("number", INVENTED)
def test_an_invented_number_of_a_real_run_is_not_identified(number: str) -> None:
    run, qrels = real()
    found = identify(run, qrels, reported=number)
    chance = found.chance
    assert chance is not None
    assert found.matches
    assert not found.identified
    assert 20 < found.contracts < 2000
    assert chance.tried > 500_000
    assert chance.fitted > chance.numbers // 3
    text, page = str(found), found._repr_html_()
    for sentence in (
        f"{found.contracts} contracts give it, of {chance.tried:,} tried",
        f"Of {chance.numbers:,} other numbers of so many digits",
        f"{chance.fitted:,} are given by some contract too",
        "So this may be chance: the number is not identified.",
    ):
        assert sentence in text
        assert sentence in page
    record = found.to_json()
    assert record["identified"] is False
    assert record["chance"] == chance.to_json()
    for row in found._parted()[1]:  # what is far from plain stands apart, and no system is among it
        assert not row.names


def real() -> tuple[object, object]:
    paths = require_real("cast2021-manual-bm25.run.gz"), require_real("cast2021-docs.qrels.gz")
    return read_run(str(paths[0])), read_qrels(str(paths[1]))


def test_a_loss_of_a_real_run() -> None:
    """trec_eval's order gives NDCG@10 0.37635 (linear gain): a loss is 0.62365."""
    run, qrels = real()
    found = identify(run, qrels, reported="0.62365")
    assert found.beyond
    first = found.beyond[0]
    assert (first.effect, first.quantity, first.contract.gain, first.contract.k) == (causes.LOSS, "mean", "linear", 10)
    assert first.value.decimal(5) == "0.62365"


def test_six_digits_of_a_real_run_are_identified() -> None:
    """Six digits of what trec_eval's order gives at k = 10: the plain contract and the systems stand first."""
    run, qrels = real()
    found = identify(run, qrels, reported="0.376352", quantity="mean")
    assert found.identified
    assert "hardly chance" in str(found)
    assert any("trec_eval" in row.names for row in found.rows())


def test_the_command_tells_chance(capsys: pytest.CaptureFixture[str]) -> None:
    run, qrels = require_real("cast2021-manual-bm25.run.gz"), require_real("cast2021-docs.qrels.gz")
    files = ["identify", "--qrels", str(qrels), "--run", str(run)]
    assert main([*files, "--reported", "0.5772"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "So this may be chance: the number is not identified." in told


@pytest.mark.parametrize("quantity", ["any", "ndcg", "dcg", "idcg"])
def test_gains_beyond_the_doubles_are_passed_over(quantity: str) -> None:
    """Under exponential gain 2^2000 - 1 is no double: other gains and causes are tried all the same."""
    judgments = Judgments({"a": 2000, "b": 2, "c": 1})  # a is not returned: the list alone has doubles
    found = identify(Ranking(["c", "b"]), judgments, reported="0.4816", quantity=quantity)
    assert str(found)
    assert found.to_json()["beyond_chance"] is None or found.beyond_chance is not None


def test_data_without_queries_are_refused() -> None:
    with pytest.raises(NdcgLabError, match="no query in the run"):
        identify({}, {}, reported="0.5", quantity="mean")
