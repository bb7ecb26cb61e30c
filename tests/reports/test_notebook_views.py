"""What a notebook shows of a result: one line, a view of a screen, and a data frame."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from ndcg_lab import (
    Contract,
    Judgments,
    Ranking,
    compare,
    compare_runs,
    conventions,
    evaluate,
    evaluate_measures,
    evaluate_run,
    explain,
    identify,
    read_qrels,
    read_run,
    reversal,
)
from ndcg_lab.tables import SCREEN, Table, screen
from tests.support import require_real

LINEAR = Contract(gain="linear", k=10, ties="docno-descending", unjudged="zero")
EXPONENTIAL = LINEAR.replace(gain="exponential")

# 60 queries: far more than a screen holds
QRELS = {f"q{i}": {"a": 2, "b": 1, "c": i % 3} for i in range(60)}
ONE = {query: {"a": 3, "b": 2, "c": 1} for query in QRELS}
OTHER = {query: {"b": 3, "a": 2, "<c>\x1b": 1} for query in QRELS}


def both(contract: Contract) -> tuple[Any, Any]:
    return evaluate_run(contract, ONE, QRELS), evaluate_run(contract, OTHER, QRELS)


RESULTS: dict[str, Callable[[], Any]] = {
    "report": lambda: both(LINEAR)[0],
    "comparison of reports": lambda: compare(*both(LINEAR)),
    "comparison": lambda: compare(
        *(evaluate(LINEAR, Ranking(list(o)), Judgments({"a": 2, "b": 1})) for o in ("ab", "ba"))
    ),
    "measures": lambda: evaluate_measures(["nDCG@10", "AP"], {"one": ONE, "other": OTHER}, QRELS),
    "runs": lambda: compare_runs("nDCG@10", {"one": ONE, "other": OTHER}, QRELS),
    "explanation": lambda: explain(both(LINEAR)[0], both(EXPONENTIAL.replace(k=2))[1]),
    "reversal": lambda: reversal(both(LINEAR), both(EXPONENTIAL)),
    "identification": lambda: identify(Ranking(["a", "c", "b"]), Judgments({"a": 1, "b": 3, "c": 2}), reported="0.8"),
}


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return {name: make() for name, make in RESULTS.items()}


@pytest.mark.parametrize("name", RESULTS)
def test_a_repr_is_one_line(results: dict[str, Any], name: str) -> None:
    text = repr(results[name])
    assert "\n" not in text
    assert len(text) < 1500
    assert text.startswith("<")
    assert type(results[name]).__name__ in text


@pytest.mark.parametrize("name", RESULTS)
def test_a_view_is_about_a_screen_and_shows_ids_as_text(results: dict[str, Any], name: str) -> None:
    page = results[name]._repr_html_()
    assert page.count("<tr>") <= SCREEN + 16  # heads, and the few rows of what comes after a long table
    assert "<c>" not in page
    assert re.sub("<[^>]+>", "", page).strip()


def test_the_rows_left_out_are_counted(results: dict[str, Any]) -> None:
    page = results["report"]._repr_html_()
    assert "… 38 more" in page  # 60 queries, of which 22 are shown beside this row and the mean
    assert page.index("… 38 more") < page.index("mean of 60")


@pytest.mark.parametrize("name", [*RESULTS])
def test_every_result_is_a_frame(results: dict[str, Any], name: str) -> None:
    frame = results[name].to_frame()
    assert len(frame)


def test_frames_hold_the_numbers() -> None:
    """Two queries by hand: a first is 1, a second (a + 2b)/(2 + b) with b = 1/log2(3)."""
    b = 0.6309297535714574
    qrels = {"q1": {"x": 2, "y": 1}, "q2": {"x": 1}}
    one = evaluate_run(LINEAR, {"q1": ["y", "x"], "q2": ["x"]}, qrels)
    other = evaluate_run(LINEAR, {"q1": ["x", "y"], "q2": ["x"]}, qrels)
    frame = compare(one, other).to_frame()
    assert list(frame.index) == ["q1", "q2"]
    assert list(frame.columns) == ["a", "b", "difference", "sign"]
    assert frame.loc["q1", "a"] == pytest.approx((1 + 2 * b) / (2 + b))
    assert list(frame["sign"]) == [-1, 0]
    assert frame.loc["q2", "difference"] == 0
    steps = explain(one, other).to_frame()
    assert list(steps["kind"]) == ["start", "step", "alone"]
    assert steps["ndcg"].iloc[1] == 1
    turned = reversal((one, other), (other, one)).to_frame()
    assert list(turned["leads"])[:2] == ["B", "A"]
    pair = compare(one["q1"].evaluation, other["q1"].evaluation).to_frame()
    assert list(pair["sign"]) == [-1]
    matches = identify(Ranking(["y", "x"]), Judgments({"x": 2, "y": 1}), reported="0.8597").to_frame()
    assert {"gain", "k", "ties", "value", "name"} <= set(matches.columns)
    assert matches["value"].iloc[0] == pytest.approx((1 + 2 * b) / (2 + b))
    assert identify(Ranking(["y"]), Judgments({"y": 1}), reported="0.123").to_frame().empty


def test_qrels_and_runs(tmp_path: Any) -> None:
    (tmp_path / "q").write_text("q1 0 a 2\nq1 0 <b> 1\nq2 0 c 1/2\n", encoding="utf-8")
    (tmp_path / "r").write_text("q1 Q0 <b> 1 0.5 t\nq1 Q0 a 2 0.25 t\n", encoding="utf-8")
    qrels, run = read_qrels(tmp_path / "q"), read_run(tmp_path / "r")
    assert repr(qrels) == "<Qrels of 2 queries, 3 judgments>"
    assert repr(run) == "<Run of 1 queries, 2 results>"
    assert qrels.to_frame().values.tolist() == [["q1", "a", 2], ["q1", "<b>", 1], ["q2", "c", Fraction(1, 2)]]
    assert run.to_frame().values.tolist() == [["q1", "<b>", 0.5], ["q1", "a", 0.25]]
    for page in (qrels._repr_html_(), run._repr_html_()):
        assert "<b>" not in page
        assert "q1" in page
    again = evaluate_run(LINEAR, run.to_frame(), qrels.to_frame(), missing="zero")
    assert again.mean == evaluate_run(LINEAR, run, qrels, missing="zero").mean


def test_real_files_have_views_too() -> None:
    run = read_run(require_real("cast2021-manual-bm25.run.gz"))
    qrels = read_qrels(require_real("cast2021-docs.qrels.gz"))
    assert (len(run), len(qrels)) == (239, 158)
    for result in (run, qrels, evaluate_run(conventions["trec_eval"].at(10), run, qrels)):
        assert "\n" not in repr(result)
        assert result._repr_html_().count("<tr>") <= SCREEN + 2
    assert len(qrels.to_frame()) == sum(map(len, qrels.values()))


def test_a_screen_gives_later_tables_a_few_rows() -> None:
    long = Table("long", {"n": True}, [[str(n)] for n in range(100)])
    page = screen([long, "`k` differs", long])
    assert page.count("… ") == 2
    assert "<code>k</code>" in page
    assert page.count("<tr>") == 2 + SCREEN + 4


def test_an_evaluation_of_a_long_list_is_a_screen_too() -> None:
    names = [f"d{i}" for i in range(100)]
    page = evaluate(LINEAR.replace(k="all"), Ranking(names), Judgments(dict.fromkeys(names, 1)))._repr_html_()
    assert page.count("<tr>") == 1 + SCREEN + 1
    assert f"… {100 - SCREEN} more" in page
