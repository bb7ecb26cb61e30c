"""Lesson 10: what was recorded is what systems print, what is proved is what the checker accepts, exercises judge."""

import pytest

from ndcg_lab import parse
from ndcg_lab.conventions import Query, live
from ndcg_lab.lessons.course import floats_and_proofs as lesson
from tests.support import missing

SYSTEMS = {"scikit-learn": "scikit-learn 1.9.1", "pytrec_eval": "pytrec_eval 0.5.11", "ranx": "ranx 0.3.21"}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", lesson.PAIRS)
def test_what_was_recorded_is_what_the_system_prints(system: str, name: str) -> None:
    found = live.installed(system)
    if found is None:
        missing(system, "pip install -c constraints.txt -e '.[peers]'")
    pair = lesson.PAIRS[name]
    printed = []
    for grades in (pair.first, pair.second):
        documents = tuple(f"d{rank:02}" for rank in range(1, len(grades) + 1))
        query = Query("1", dict(zip(documents, grades, strict=True)), documents)
        printed.append(live.run(system, [query], "all").queries["1"])
    # Another machine may add up in another order: the record is of the last digits, and so are its differences.
    assert printed == pytest.approx(list(pair.printed[SYSTEMS[system]]), rel=4e-16)


@pytest.mark.parametrize("name", ["seven documents", "eight documents"])
def test_exact_ties_are_ties(name: str) -> None:
    pair = lesson.PAIRS[name]
    assert lesson.ranked(pair.first).ndcg == lesson.ranked(pair.second).ndcg
    first, second = map(lesson.plain_sum, map(lesson.float_terms, (pair.first, pair.second)))
    assert first != second
    assert "equal" in lesson.printed(name).html


def test_the_near_tie_has_the_sign_that_floats_miss() -> None:
    pair = lesson.PAIRS["ten documents"]
    assert (lesson.ranked(pair.first).dcg - lesson.ranked(pair.second).dcg).sign() == -1
    assert lesson.plain_sum(lesson.float_terms(pair.first)) > lesson.plain_sum(lesson.float_terms(pair.second))


def test_a_plain_sum_rounds_after_each_term() -> None:
    """Where `sum` compensates, as it does from Python 3.12 on, these three come to 1.0."""
    assert lesson.plain_sum([1.0, 1e100, -1e100]) == 0.0


@pytest.mark.parametrize(
    ("text", "double"), [("log2(2.5)", "1.321928094"), ("log2(10)*(3 + 2a)", "14.157590"), ("log2(e)", "1.44269504")]
)
def test_the_provers_doubles_know_other_logarithms(text: str, double: str) -> None:
    assert repr(lesson.float_value(parse(text))).startswith(double)


def test_is_it_one() -> None:
    assert lesson.nearly_one().plain == "perfect: 2 2 1 1 1 1: yes; not perfect: 60 0 1: no: 1 − NDCG is 1.14e-19"


def test_the_prover_shows_sign_bounds_and_checker() -> None:
    shown = lesson.proof("3a - 2")
    for text in ("&lt; 0", "2³ &lt; 3²", "a &lt; 2/3", "sign −1", "−0.10721073928562768870"):
        assert text in shown
    assert "sign 0" in lesson.proof("a/(1 + a) - 1/log2(6)")


def test_the_prover_follows_its_widgets_and_says_what_it_cannot_read() -> None:
    prover = lesson.Prover()
    prover.example.index = 1
    assert "−2 + 3a" in prover._shown.value
    prover.text.value = "<b>"
    assert "No verdict" in prover._shown.value
    assert "<b>" not in prover._shown.value
    assert prover.example.chosen is None
    prover._restart()
    assert "−1/2 + 2a" in prover._shown.value
