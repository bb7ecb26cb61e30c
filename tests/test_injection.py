"""Foreign text is shown as text wherever it goes: it ends no tag, cell, comment or line, and moves no terminal."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from ndcg_lab import Contract, Judgments, Ranking, Report, compare, evaluate, evaluate_run, explain, identify
from ndcg_lab.command.cli import main
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.lessons import figures
from ndcg_lab.lessons.given import read_grades
from ndcg_lab.lessons.state import Order, State
from ndcg_lab.tables import Table, csv_text
from tests.support import work

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = {
    "HTML": "<script>alert(1)</script>",
    "an attribute": '"onmouseover="alert(1)',
    "Markdown": "[a](javascript:x)|`b`*c*",
    "LaTeX": r"\input{/etc/passwd}%$_^&#~",
    "mathtext": r"$\frac{1$",
    "ANSI": "\x1b[31mred\x1b]0;title\x07",
    "a formula": "=cmd|'/C calc'!A0",
    "a minus": "-1+cmd|'/C calc'!A0",
    "a plus": "+1+1",
    "at": "@SUM(1)",
    "right to left": "a\u202eb\u2066c",
    "a Coq comment": '*) Axiom oops : False. (*"',
    "a surrogate": "a\ud800b",
}
LINEAR = Contract(gain="linear", k=3)


def _report(name: str, order: str = "xA") -> Report:
    named = {"x": name, "A": "A"}
    run = {name: Ranking([named[one] for one in order]), "q": Ranking(["A"])}
    return evaluate_run(LINEAR, run, {name: Judgments({name: 2, "A": 1}, need=name, source=name), "q": {"A": 1}})


class _Tags(HTMLParser):
    """The tags and attributes of a page, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.told = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.told += data


def _seen(name: str) -> str:
    """A name as a page shows it: marks that hide or reorder by their code."""
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return "".join(f"\\u{ord(c):04x}" if unicodedata.category(c) in hidden else c for c in name)


def _assert_text(html: str, name: str) -> None:
    page = _Tags()
    page.feed(html)
    assert page.tags.isdisjoint({"script", "img", "a", "iframe"})
    assert page.attributes <= {"style", "scope", "class", "colspan"}
    assert _seen(name) in page.told
    assert not [c for c in html if unicodedata.category(c) in {"Cf", "Cs"} or (c < " " and c not in "\n\t")]


@pytest.mark.parametrize("kind", HOSTILE)
def test_views_show_ids_as_text(kind: str) -> None:
    name = HOSTILE[kind]
    _assert_text(_report(name)._repr_html_(), name)
    _assert_text(evaluate(LINEAR, Ranking([name]), Judgments({name: 1}))._repr_html_(), name)
    _assert_text(compare(_report(name), _report(name, "Ax"))._repr_html_(), name)
    _assert_text(Table(name, {name: False}, [[name]]).to_html(), name)
    changed = evaluate_run(LINEAR, {name: Ranking([name])}, {name: Judgments({name: 3})})
    _assert_text(explain(_report(name), changed)._repr_html_(), name)


@pytest.mark.parametrize("kind", HOSTILE)
def test_plain_tables_move_nothing(kind: str) -> None:
    told = str(Table(HOSTILE[kind], {"x": False}, [[HOSTILE[kind]], ["y"]]))
    assert _seen(HOSTILE[kind]) in told
    assert told.count("\n") == 3
    assert not [c for c in told if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c != "\n"]


@pytest.mark.parametrize("kind", HOSTILE)
def test_csv_holds_no_formula(kind: str) -> None:
    text = _report(HOSTILE[kind]).to_csv("=run()", exact=True, everything=True)
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert {row["run"] for row in rows} == {"'=run()"}
    plain = HOSTILE[kind][0] not in "=+-@"
    assert rows[0]["query"] == ("" if plain else "'") + HOSTILE[kind]


@pytest.mark.parametrize("cell", ["-1", "-0.5", "-1.5e-07", "-a", "-1/2 + 2a", "-(1/2)a", "-3/log2(5) - a", "-inf"])
def test_numbers_below_zero_stay_numbers_in_csv(cell: str) -> None:
    assert csv_text(["x"], [{"x": cell}]) == f"x\n{cell}\n"


@pytest.mark.parametrize("cell", ["-1+1", "-cmd", "-1|x", "-", "--1", "=1", "+1", "@x", "\tx"])
def test_formulas_are_marked_as_text_in_csv(cell: str) -> None:
    assert list(csv.reader(io.StringIO(csv_text(["x"], [{"x": cell}]))))[1] == [f"'{cell}"]


@pytest.mark.parametrize("kind", HOSTILE)
def test_coq_reads_ids_as_comments(kind: str) -> None:
    source = compare(_report(HOSTILE[kind]), _report(HOSTILE[kind], "Ax")).to_coq()
    assert source.isascii()
    inside = re.sub(r"\(\*[^*]*\*\)", "", source)
    assert "*)" not in inside
    assert "Axiom" not in inside
    assert "<script>" not in inside


@pytest.mark.parametrize("kind", sorted(set(HOSTILE) - {"a surrogate"}))
@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "latex"])
def test_the_command_line_shows_ids_as_text(
    kind: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = HOSTILE[kind].replace(" ", "\u00a0")
    qrels, run = tmp_path / "q", tmp_path / "r"
    qrels.write_text(f"{name} 0 {name} 1\nq 0 A 1\n", encoding="utf-8")
    run.write_text(f"{name} Q0 {name} 1 9 t\nq Q0 A 1 9 t\n", encoding="utf-8")
    arguments = ["evaluate", "--qrels", str(qrels), "--run", str(run), "--gain", "linear", "--k", "3", "-q"]
    status = main([*arguments, "--format", form])
    captured = capsys.readouterr()
    assert status == 0, captured.err
    allowed = {"\n"}
    for text in (captured.out, captured.err) if form != "csv" else (captured.err,):
        assert not [c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c not in allowed]
    if form == "json":
        assert name in {query["query"] for query in json.loads(captured.out)["queries"]}
    if form == "markdown":
        assert re.search(r"(?<!\\)[<\[`*]", captured.out.replace("**Mean**", "")) is None or kind not in {
            "HTML",
            "Markdown",
        }
    if form == "latex":
        assert r"\input" not in captured.out
        assert "$\\frac" not in captured.out


@pytest.mark.parametrize("kind", sorted(set(HOSTILE) - {"a surrogate"}))
def test_figures_take_ids_as_they_are(kind: str) -> None:
    name = HOSTILE[kind]
    judgments = Judgments({name: 3, "B": 1})
    state = State(judgments, {name: Order(((name,), ("B",))), "Y": Order((("B",), (name,)))}, LINEAR)
    for figure in (figures.picture(state), figures.over_k(state, [1, 2])):
        assert figure.png
        drawn = "".join(ET.fromstring(figure.svg).itertext())  # noqa: S314 - drawn here
        assert _seen(name) in drawn
        _assert_text(figure.table, name)


def test_lists_of_two_thousand_grades_are_read_in_proportion() -> None:
    grades = " ".join(str(place % 5) for place in range(2_000))
    read = read_grades({"list A": grades, "list B": " ".join(reversed(grades.split()))})
    assert len(read[1]["list B"]["q1"]) == 2_000
    assert work(lambda: read_grades({"list A": grades, "list B": grades})) < 100_000


def test_a_grade_that_is_not_left_is_named() -> None:
    for wrong in ("3", "x"):
        with pytest.raises(NdcgLabError, match=f"list B, line 1: grade {wrong} is not left"):
            read_grades({"list A": "2 1", "list B": f"1 {wrong}"})


def test_identify_shows_ids_as_text() -> None:
    name = HOSTILE["HTML"]
    found = identify({name: Ranking([name, "A"])}, {name: Judgments({name: 2, "A": 1})}, reported="0.5")
    assert "<script>" not in found._repr_html_()
