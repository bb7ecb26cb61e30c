"""Lesson 12 holds every statement of the ledger and no other, and computes what the ledger says."""

import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ndcg_lab.certificate import certify
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons.course import claims

CLAIMS: dict[str, dict[str, Any]] = {
    claim["id"]: claim
    for claim in tomllib.loads((Path(__file__).parent.parent / "claims.toml").read_text("utf-8"))["claim"]
}


def exact(value: object) -> Exact:
    if isinstance(value, int | Fraction):
        return Linear.rational(value)
    assert isinstance(value, Exact)
    return value


def linear(terms: list[list[Any]]) -> Linear:
    return Linear({b: Fraction(q) for b, q in terms})


def test_every_statement_has_a_row_and_every_row_a_statement() -> None:
    assert {name: claim.kind for name, claim in claims.LEDGER.items()} == {
        name: claim["kind"] for name, claim in CLAIMS.items()
    }


@pytest.mark.parametrize("name", [name for name, claim in CLAIMS.items() if claim["kind"] in {"exact", "ratio", "set"}])
def test_values_are_those_of_the_ledger(name: str) -> None:
    claim = CLAIMS[name]
    if claim["kind"] == "set":
        expected: list[Exact] = [linear(terms) for terms in claim["values"]]
        shown = claim["shown"]
    else:
        value = linear(claim["terms"]) if claim["kind"] == "exact" else linear(claim["num"]) / linear(claim["den"])
        expected, shown = [value], [claim["shown"]]
    found = [exact(value) for _, value in claims.found(name).values]
    assert found == expected
    for value, text in zip(found, shown, strict=True):
        assert value.fixed(9).rstrip("0").rstrip(".") == text


@pytest.mark.parametrize("name", [name for name, claim in CLAIMS.items() if claim["kind"] == "sign"])
def test_signs_are_those_of_the_ledger(name: str) -> None:
    ((_, difference),) = claims.found(name).values
    assert exact(difference) == linear(CLAIMS[name]["terms"])
    assert certify(exact(difference))["sign"] == CLAIMS[name]["sign"]


@pytest.mark.parametrize("name", [name for name, claim in CLAIMS.items() if claim["kind"] == "holds"])
def test_properties_hold(name: str) -> None:
    found = claims.found(name)
    assert found.holds is True, found.verdict
    assert found.verdict.startswith("holds: ")


@pytest.mark.parametrize("name", [name for name, claim in CLAIMS.items() if claim["kind"] == "policy"])
def test_a_policy_refuses_by_default_or_says_that_no_setting_helps(name: str) -> None:
    verdict = claims.found(name).verdict
    assert any(word in verdict for word in ("refused", "undefined by default", "no setting"))


def test_what_is_not_quite_true_comes_with_numbers() -> None:
    loose = {
        name: [exact(v).fixed(4) for _, v in claims.found(name).values]
        for name in CLAIMS
        if CLAIMS[name]["kind"] == "loose"
    }
    assert loose["rank-10"] == ["0.2891", "0.0443"]
    assert loose["graded-against-binary"] == ["1.0000", "4.5436", "4.5436", "0.3000", "6.3928", "14.9165"]
    assert loose["perfect-score"] == ["1.0000", "0.9243", "1.0000"]
    assert loose["cross-query"] == ["0.5000", "0.5000", "0.5000", "3.5000"]
    assert claims.found("only-the-best-matters").values[0][1] == linear([[2, "9/2"], [3, "-7"]])
    assert loose["renamed-tie"] == ["1.0000", "0.6309"]


def test_a_failing_property_is_shown_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = claims.LEDGER["gain-ratio"]
    failing = replace(claim, compute=lambda: claims.Found("does not hold", holds=False))
    monkeypatch.setitem(claims.LEDGER, "gain-ratio", failing)
    claims.found.cache_clear()
    assert "not confirmed: gain-ratio" in claims.table("Gain").plain
    claims.found.cache_clear()


def test_the_look_up_finds_by_words_and_kind() -> None:
    look_up = claims.LookUp()
    assert look_up.matching() == []
    look_up.words.value = "TIE outcomes"
    assert [claim.id for claim in look_up.matching()] == ["tie-outcomes"]
    look_up.words.value = ""
    look_up.kind.index = look_up.kind.labels.index("not quite true")
    assert {claim.id for claim in look_up.matching()} == {n for n, c in CLAIMS.items() if c["kind"] == "loose"}
