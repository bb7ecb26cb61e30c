"""Lesson 09: the record is what the contracts mean, the reasons are right, and a live tool that differs is named."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from ndcg_lab import Undefined, conventions, parse
from ndcg_lab.conventions import agrees, live, record
from ndcg_lab.conventions.record import CASES, Recorded
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons.course import many_tools as lesson
from tests.support import missing

LEAVES = {
    ("evidently", "tie, A first@1"),
    ("evidently", "tie, B first@1"),
}


def _cells(html: str) -> list[list[str]]:
    """The body of a table as plain text; a line break inside a cell is a bar."""
    rows = re.findall(r"<tr>(.*?)</tr>", html.partition("<tbody>")[2], re.DOTALL)
    found = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[unescape(re.sub(r"<[^>]+>", "", cell.replace("<br>", "|"))) for cell in row] for row in found]


@pytest.mark.parametrize("entry", record.record(), ids=lambda entry: f"{entry.system} {entry.parameters} {entry.case}")
def test_what_is_recorded_is_what_the_contract_means(entry: Recorded) -> None:
    if entry.value is None and entry.printed != "nan":
        assert "Error" in entry.printed or "rc=2" in entry.printed or " or " in entry.printed
        return
    case = CASES[entry.case]
    value = lesson.meant(lesson.contract_of(entry), case)
    if isinstance(value, Undefined):
        assert entry.printed == "nan"
        return
    precision = conventions[entry.system].precision
    if len(case.queries) > 1:
        precision = "double"  # a mean of rounded values isn't rounded again
    assert agrees(entry.printed, value, precision) is ((entry.system, entry.case) not in LEAVES)


def test_the_record_is_of_the_versions_in_the_conventions() -> None:
    for entry in record.record():
        assert re.split(r"[@ ]", entry.version)[0].rstrip("3") in conventions[entry.system].version


def test_four_values_in_fourteen_spellings() -> None:
    reading = lesson.spellings()
    assert reading.plain == "4 values in 14 spellings"
    values = [row[1].split("|")[0] for row in _cells(reading.html) if row[1] != "″"]
    assert values == ["1", "(4 + 3a)/(5 + 2a)", "(7/2 + 2a)/(4 + 2a)", "(13/2 + 3a)/(17/2 + 3a)"]
    printed = [row[0] for row in _cells(reading.html)]
    assert len(set(printed)) == 14
    assert {"0.9050", "0.90498", "0.81", "0.9049765467643738"} <= set(printed)


@pytest.mark.parametrize(
    ("system", "parameters", "case", "fields"),
    [
        ("pytrec_eval", (), "X@3", ()),
        ("lightgbm", (), "X@3", ("gain",)),
        ("lenskit", ("gain='rating'",), "X@3", ("discount",)),
        ("catboost", (), "tie, A first@1", ("ties",)),
        ("xgboost", (), "nothing@3", ("ideal_population", "zero_ideal")),
        ("xgboost", (), "1e-9 apart@1", ("gain", "ties", "score_precision")),
        ("scikit-learn", (), "unjudged first@3", ("ideal_population",)),
    ],
)
def test_the_fewest_fields(system: str, parameters: tuple[str, ...], case: str, fields: tuple[str, ...]) -> None:
    data = CASES[case]
    contract = conventions[system].at(data.k, *parameters)
    textbook = lesson.TEXTBOOK.replace(k=data.k)
    assert lesson.why(textbook, contract, lambda changed: lesson.meant(changed, data)) == fields
    settings = {name: getattr(contract, name) for name in fields}
    assert lesson.meant(textbook.replace(**settings), data) == lesson.meant(contract, data)


def test_more_fields_than_are_searched() -> None:
    contract = lesson.TEXTBOOK.replace(gain="exponential", ties="worst", discount="reciprocal", round_to=1)
    case = replace(CASES["tie, A first@1"], k=2)
    assert lesson.why(lesson.TEXTBOOK, contract, lambda changed: lesson.meant(changed, case)) is None


def test_the_matrix_gives_each_cell_its_reason() -> None:
    rows = {row[0]: row[1:] for row in _cells(lesson.matrix().html)}
    assert rows["the textbook's value"][:4] == ["0.90498", "0.76019", "undefined (zero ideal)", "0.66667"]
    assert rows["trec_eval-10"][0] == "0.905|agrees"
    assert rows["scikit-learn"][3] == "refused|one document"
    assert rows["tensorflow-ranking"][5] == "0.42857 or 1|ties: at random"
    assert rows["evidently"][5] == "1.66667|leaves its contract"
    assert rows["catboost|type=Exp"][8] == "0.66532|gain, ideal population"
    assert rows["cornac"][1] == "not run"
    assert len(rows) == 30


def test_the_walk_names_what_differs_and_a_case_that_shows_it() -> None:
    rows = _cells(lesson.one_after_another().html)
    assert rows[0][2:] == ["", ""]
    assert rows[1] == [
        "pytrec_eval",
        "(7/2 + 2a)/(4 + 2a)|≈ 0.90498",
        "score precision = float32",
        "1e-9 apart@1: 1 → 0.66667",
    ]
    assert all(row[2] and "→" in row[3] for row in rows[1:])


def test_every_departure_is_shown() -> None:
    ideal = ("ideal", "cutoff", "weights", "gains")
    rest = ("ties", "duplicates", "ids", "float", "negative", "refusal", "ours", "error")
    assert lesson.departures().plain == f"{len(conventions.departures())} inputs"
    counts = [int(lesson.departures(*kinds).plain.split()[0]) for kinds in (ideal, rest)]
    assert sum(counts) == len(conventions.departures())
    assert "1.3142165237343795" in lesson.departures("ideal").html


def test_a_call_is_shown_with_its_conditions_or_its_reasons() -> None:
    contract = lesson.TEXTBOOK.replace(ties="error")
    assert "Every query has at least two results" in lesson.call(contract, "scikit-learn").html
    refused = lesson.call(contract, "elasticsearch")
    assert "elasticsearch can't" in refused.html
    assert "`gain = linear`" in refused.plain


def test_a_live_tool_that_disagrees_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    if live.installed("pytrec_eval") is None:
        missing("pytrec_eval-terrier", "pip install -c constraints.txt -e '.[peers]'")
    assert lesson.against_the_record("pytrec_eval").plain == "No installed system disagrees with the record."
    entries = tuple(
        replace(entry, printed="0.5") if (entry.system, entry.case) == ("pytrec_eval", "X@3") else entry
        for entry in record.record()
    )
    monkeypatch.setattr(record, "record", lambda: entries)
    reading = lesson.against_the_record("pytrec_eval")
    assert reading.plain == "1 value differs from the record"
    assert [cell for row in _cells(reading.html) for cell in row[2:]] == ["0.5", "0.9049765583210164"]


def test_a_tool_that_is_not_installed_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PACKAGES", dict.fromkeys(live.PACKAGES, "no-such-package"))
    assert lesson.against_the_record().plain == "No installed system disagrees with the record."


def test_the_panel_groups_systems_by_what_they_mean() -> None:
    panel = lesson.panel()
    rows = _cells(lesson.by_system(panel.start))
    assert "LensKit".lower() in rows[1][0]
    assert rows[1][1].startswith("(4 + 3a)/(5 + 2a)")
    tied = next(preset.state for preset in panel.presets if preset.name.startswith("A and B tied"))
    by_value = {row[1].split("|")[0]: row[0] for row in _cells(lesson.by_system(tied))}
    assert "ranx" in by_value["2/3"]  # B stands first in the input
    assert "scikit-learn" in by_value["5/6"]
    zero = next(preset.state for preset in panel.presets if preset.name == "every grade 0")
    assert {"undefined (zero ideal)", "0", "1"} <= {row[1] for row in _cells(lesson.by_system(zero))}


def test_the_targets_can_be_reached() -> None:
    panel = lesson.panel()
    reached = [target.reached for target in panel.targets]
    assert not any(reach(panel.start, panel.start) for reach in reached)
    assert reached[0](panel.start, panel.start.with_lists(X="A=B C D").under(k=1))
    assert reached[1](panel.start, panel.start.with_lists(X="B | A C D"))


def test_catboost_has_a_fifth_value_for_those_who_ask() -> None:
    value = lesson.meant(conventions["catboost"].at(3, "denominator=Position"), CASES["X@3"])
    assert value == parse("6/7")
    (printed,) = (
        entry.printed
        for entry in record.record()
        if entry.parameters == ("denominator=Position",) and entry.case == "X@3"
    )
    assert isinstance(value, Exact)
    assert agrees(printed, value)
