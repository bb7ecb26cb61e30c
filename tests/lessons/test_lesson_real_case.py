"""Lesson 14: its record is what the track's files give, and what it says follows from the record."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ndcg_lab.lessons.course import a_real_case as lesson
from tests.support import require_real
from tools import record_cast

# Means over the 158 judged turns, as trec_eval's ordering gives them: (k, gain, unjudged) -> (BM25, ConvDR + BERT)
MEANS = {
    (10, "linear", "zero"): ("0.37635", "0.39110"),
    (10, "exponential", "zero"): ("0.32084", "0.34201"),
    (100, "linear", "zero"): ("0.39059", "0.38958"),
    (100, "exponential", "zero"): ("0.37080", "0.37808"),
    (100, "linear", "remove"): ("0.42019", "0.42384"),
    (100, "exponential", "remove"): ("0.39813", "0.41011"),
}


@pytest.mark.long
def test_the_record_is_what_the_files_give() -> None:
    folder = require_real(record_cast.QRELS).parent
    for name in record_cast.FILES.values():
        require_real(name)
    assert record_cast.text(folder) == lesson.FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize("setting", MEANS)
def test_means_are_those_that_were_found_before(setting: tuple[int, str, str]) -> None:
    found = [lesson.mean(lesson.ndcg(run, *setting)) for run in lesson.RUNS]
    assert [f"{float(value):.5f}" for value in found] == list(MEANS[setting])
    assert {len(lesson.ndcg(run, *setting)) for run in lesson.RUNS} == {158}


def test_what_the_lesson_says_of_its_leads() -> None:
    leads = {setting: lesson.row(*setting)[3] for setting in lesson.SETTINGS}
    assert leads[100, "linear", "zero"] == "BM25, by 0.0010"
    assert leads[100, "exponential", "zero"] == "ConvDR + BERT, by 0.0073"
    others = [lead for setting, lead in leads.items() if setting != (100, "linear", "zero")]
    assert all(lead.startswith("ConvDR + BERT") for lead in others)
    assert lesson.row(100, "exponential", "zero")[4] == "83 : 73"


def test_chance_is_that_of_a_randomisation_test() -> None:
    found = {setting: float(lesson.chance(*setting)) for setting in lesson.SETTINGS}
    assert found[100, "linear", "zero"] == pytest.approx(0.96, abs=0.01)
    assert found[100, "exponential", "zero"] == pytest.approx(0.72, abs=0.015)
    assert all(p > 0.5 for (k, *_), p in found.items() if k == 100)
    assert min(found.values()) == pytest.approx(0.01, abs=0.005)
    assert all((p < 0.05) == (k == 10 and unjudged == "remove") for (k, _, unjudged), p in found.items())


def test_most_of_what_is_returned_was_never_judged() -> None:
    assert Fraction(66, 100) < lesson.unjudged_share() < Fraction(70, 100)


def test_leaving_turns_out_helps_under_exclude_alone() -> None:
    whole = lesson.mean(lesson.ndcg(lesson.RUNS[1]))
    for turns in (10, 30, 60):
        found = lesson.with_missing(lesson.RUNS[1], turns)
        assert found["zero"] <= whole <= found["exclude"]


def test_the_panel_follows_its_choices() -> None:
    panel = lesson.Reversal()
    assert "BM25, by 0.0010" in panel._shown.value
    panel.gain.index = 1
    assert "ConvDR + BERT, by 0.0073" in panel._shown.value
    panel.unjudged.index = 1
    assert "ConvDR + BERT, by 0.0120" in panel._shown.value
