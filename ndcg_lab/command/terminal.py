"""Prints reports for people. A terminal shows what a foreign name holds, and obeys nothing in it."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.reports.averaging import short_form

if TYPE_CHECKING:
    from ndcg_lab.measure.contract import Settings
    from ndcg_lab.measure.outcomes import Value
    from ndcg_lab.reports.records import QueryResult
    from ndcg_lab.reports.report import Report
    from ndcg_lab.tables import Table as TextTable

_WIDE = 100_000  # columns where there is no terminal: nothing is folded there
_SHORT = 24  # characters up to which a cell holds an exact form
_DIGITS = 6


def printable(text: str) -> str:
    r"""Text whose control, format and other invisible characters are written as escapes.

    >>> print(printable("red\x1b[31m"), printable("a\u202eb"))
    red\x1b[31m a\u202eb
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )


def rendered(parts: Iterable[RenderableType]) -> str:
    """What standard output gets: on a terminal styled (but for NO_COLOR) and folded; elsewhere plain and whole."""
    plain = bool(os.environ.get("NO_COLOR"))
    console = Console(highlight=False, markup=False, emoji=False, color_system=None if plain else "auto")
    if not console.is_terminal:
        console.width = _WIDE
    with console.capture() as capture:
        for part in parts:
            console.print(part, soft_wrap=isinstance(part, Text))
    if console.is_terminal:
        return capture.get()
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def table(columns: Mapping[str, bool], rows: Iterable[Sequence[str]], footer: Sequence[str] | None = None) -> Table:
    """A table of foreign text.

    Args:
        columns: heading to whether the column holds numbers, which stand to the right.
        rows: the cells, as they are.
        footer: a last row, set apart.
    """
    grid = Table(box=box.SIMPLE, pad_edge=False)
    for heading, numeric in columns.items():
        grid.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        grid.add_row(*map(line, row))
    if footer is not None:
        grid.add_section()
        grid.add_row(*map(line, footer), style="bold")
    return grid


def shown(tables: "Iterable[TextTable]") -> Iterator[RenderableType]:
    """Tables of a comparison or an explanation, each under its title."""
    for one in tables:
        yield Text(printable(one.title), style="bold")
        yield table(one.columns, one.rows)


def line(text: str) -> Text:
    """A line of foreign text."""
    return Text(printable(text))


def report_parts(reports: Sequence["Report"]) -> list[RenderableType]:
    """One report, or reports that differ in k alone, as a table and the lines that belong to it."""
    if len(reports) == 1:
        (report,) = reports
        numbers = ["DCG", "ideal DCG", "NDCG"]
        cells = {result.query: [_cell(result.dcg), _cell(result.idcg), _query_cell(result)] for result in report}
        footer = [_cell(report.mean.dcg), "", _cell(report.mean.ndcg)]
    else:
        numbers = [f"NDCG@{report.contract.k}" for report in reports]
        values = [{result.query: _query_cell(result) for result in report} for report in reports]
        queries = dict.fromkeys(query for column in values for query in column)
        cells = {query: [column.get(query, "left out") for column in values] for query in queries}
        footer = [_cell(report.mean.ndcg) for report in reports]
    weights = {result.query: result.weight for report in reports for result in report}
    weighted = any(weight != 1 for weight in weights.values())
    counts = ", ".join(map(str, dict.fromkeys(map(len, reports))))
    label = f"{'weighted ' if weighted else ''}{reports[0].aggregation.aggregate.replace('-', ' ')} of {counts}"
    columns = {"query": False, **({"weight": True} if weighted else {}), **dict.fromkeys(numbers, True)}
    rows = [[query, *([str(weights[query])] if weighted else []), *row] for query, row in cells.items()]
    return [
        table(columns, rows, [label, *([""] if weighted else []), *footer]),
        *map(line, _results(reports)),
        *map(line, _terms(reports)),
    ]


def told_notes(reports: Sequence["Report"]) -> Iterator[str]:
    """The notes of reports that differ in k alone, each once, with its cutoffs where it isn't that of all."""
    yield from _once(reports, lambda report: [f"note: {note}" for note in report.notes])


def _results(reports: Sequence["Report"]) -> Iterable[str]:
    """What is undefined or left out, and notes; each line once, with its cutoff where it isn't that of all."""
    return _once(reports, _report_lines)


def _once(reports: Sequence["Report"], told: "Callable[[Report], Iterable[str]]") -> Iterator[str]:
    lines: dict[str, list[str]] = {}
    for report in reports:
        for line in told(report):
            lines.setdefault(line, []).append(str(report.contract.k))
    for line, cutoffs in lines.items():
        yield line if len(cutoffs) == len(reports) else f"at k = {', '.join(cutoffs)}: {line}"


def _report_lines(report: "Report") -> Iterable[str]:
    mean = report.mean.ndcg
    if isinstance(mean, Undefined) and mean.queries:
        yield f"undefined, {mean.reason} ({len(mean.queries)}): {', '.join(mean.queries)}"
    for reason in dict.fromkeys(left.reason for left in report.excluded):
        names = [left.query for left in report.excluded if left.reason == reason]
        yield f"left out, {reason} ({len(names)}): {', '.join(names)}"
    for note in report.notes:
        yield f"note: {note}"


def settings_of(a: "Report", b: "Report") -> Iterable[str]:
    """Every setting of two reports, those that they share first."""
    mine, theirs = ({**report.contract.to_json(), **report.aggregation.to_json()} for report in (a, b))
    shared = {name: value for name, value in mine.items() if theirs[name] == value}
    parts = {"A and B": shared}
    if len(shared) < len(mine):
        parts |= {which: {n: v for n, v in s.items() if n not in shared} for which, s in (("A", mine), ("B", theirs))}
    for which, settings in parts.items():
        yield f"{which}: {'; '.join(f'{name} = {_setting(value)}' for name, value in settings.items())}"


def _terms(reports: Sequence["Report"]) -> Iterable[str]:
    """Every setting, and where the settings come from."""
    first = reports[0]
    if first.base is not None:
        replaced = "; ".join(f"{name} = {_setting(value)}" for name, value in first.base.overridden.items())
        name = f"the file {first.base.name}" if first.base.kind == "file" else first.base.name
        yield f"from: {name}" + (f", overriding its {replaced}" if replaced else "")
    yield f"contract: {_settings(first.contract, k=', '.join(str(report.contract.k) for report in reports))}"
    yield f"over queries: {_settings(first.aggregation)}"


def _settings(settings: "Settings", **shown: str) -> str:
    return "; ".join(f"{name} = {_setting(value)}" for name, value in {**settings.to_json(), **shown}.items())


def _setting(value: object) -> str:
    return "none" if value is None else str(value)


def _query_cell(result: "QueryResult") -> str:
    """The NDCG of a query; a 0 that stands for no results looks like no other."""
    return "0, no results" if result.missing else _cell(result.ndcg)


def _cell(value: "Value") -> str:
    """A value to six digits, with its exact form where that is short."""
    if isinstance(value, Undefined):
        return str(value)
    decimal, exact = value.decimal(_DIGITS), short_form(value, _SHORT)
    if exact is None:
        return f"{decimal}, not 1" if float(decimal) == 1 and not value.is_one else decimal
    exact = format(value, "d")
    return exact if value.is_rational and "/" not in exact else f"{exact} ({decimal})"
