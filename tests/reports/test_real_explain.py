"""Two baselines of TREC CAsT 2021: which setting turns the lead, with proved signs (see tests/support.py for the data).

The means that are expected stand in the data's own description, computed elsewhere.
"""

from functools import cache
from typing import Any

import pytest

from ndcg_lab import Contract, Report, evaluate_run, explain, read_qrels, read_run, verify
from ndcg_lab.certificates.checker import check
from ndcg_lab.reports.explanation import Explanation, Lead, Reversal
from ndcg_lab.reports.significance import paired_tests
from tests.support import require_real, work

BM25, CONVDR = "cast2021-manual-bm25.run.gz", "cast2021-convdr-bert.run.gz"


@cache
def data(run: str) -> tuple[Any, Any]:
    return read_run(str(require_real(run))), read_qrels(str(require_real("cast2021-docs.qrels.gz")))


@cache
def report(name: str, gain: Any, k: int = 100, unjudged: Any = "zero") -> Report:
    run, qrels = data(name)
    contract = Contract(gain=gain, k=k, unjudged=unjudged, ties="docno-descending")
    return evaluate_run(contract, run, qrels, missing="zero")


def certified(lead: Lead) -> int:
    assert lead.comparison is not None
    assert lead.comparison.certificate is not None
    return check(lead.comparison.certificate)


def followed(one: Report, other: Report) -> Reversal:
    """The lead from the first report's settings to the second's, with bounded work."""
    found: list[Explanation] = []

    def task() -> None:
        found.append(explain(one, other))
        str(found[0])

    assert 0 < work(task) < 10_000_000
    (explanation,) = found
    assert explanation.lead is not None
    return explanation.lead


def means(lead: Lead) -> tuple[str, str]:
    return f"{lead.a:.5f}", f"{lead.b:.5f}"


def test_the_gain_reversal_at_100() -> None:
    lead = followed(report(BM25, "linear"), report(CONVDR, "exponential"))
    assert [step.change for step in lead.steps] == ["gain"]
    assert means(lead.start) == ("0.39059", "0.38958")
    assert means(lead.end) == ("0.37080", "0.37808")
    assert (certified(lead.start), certified(lead.end)) == (1, -1)
    assert lead.reversed
    assert lead.summary.endswith("`gain` flips the lead.")
    assert lead.end.counts == (83, 2, 73)  # BM25 wins more turns, and trails in the mean


def test_the_cutoff_reversal_between_10_and_100() -> None:
    lead = followed(report(BM25, "linear", k=10), report(CONVDR, "linear", k=100))
    assert [step.change for step in lead.steps] == ["k"]
    assert means(lead.start) == ("0.37635", "0.39110")
    assert means(lead.end) == ("0.39059", "0.38958")
    assert (certified(lead.start), certified(lead.end)) == (-1, 1)
    assert lead.summary.endswith("`k` flips the lead.")


def test_no_gain_reversal_where_unjudged_documents_are_removed() -> None:
    lead = followed(report(BM25, "linear", unjudged="remove"), report(CONVDR, "exponential", unjudged="remove"))
    assert means(lead.start) == ("0.42019", "0.42384")
    assert means(lead.end) == ("0.39813", "0.41011")
    assert (certified(lead.start), certified(lead.end)) == (-1, -1)
    assert not lead.reversed
    assert lead.summary.endswith("No reversal.")


def test_the_chance_of_such_leads() -> None:
    linear = paired_tests(report(BM25, "linear"), report(CONVDR, "linear"), seed=1)
    exponential = paired_tests(report(BM25, "exponential"), report(CONVDR, "exponential"), seed=1)
    assert linear.randomisation_p == pytest.approx(0.96, abs=0.03)
    assert exponential.randomisation_p == pytest.approx(0.72, abs=0.03)
    assert (exponential.wins, exponential.ties, exponential.losses) == (83, 2, 73)


def test_a_large_report_holds() -> None:
    assert verify(report(CONVDR, "exponential", k=10)) == []
