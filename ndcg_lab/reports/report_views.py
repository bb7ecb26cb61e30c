"""Reports and measured runs as tables, lines and tidy rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ndcg_lab.exact.rationals import written
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.reports.averaging import short_form
from ndcg_lab.reports.scores import numbers_of
from ndcg_lab.tables import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ndcg_lab.measure.comparison import Comparison
    from ndcg_lab.measure.outcomes import Value
    from ndcg_lab.reports.comparison import ReportComparison
    from ndcg_lab.reports.report import Report
    from ndcg_lab.reports.runs import MeasuredRuns, Pair, RunComparison
    from ndcg_lab.reports.scores import Scores

_SHORT = 24  # characters up to which a cell holds an exact form
_DIGITS = 6
MISSING = "0, no results"
"""What stands in a cell of a query that counts 0 for want of results."""
A_IS = "a is 1/log2(3), the discount at rank 2: 0.630930."


def cell(value: Value, *, exact: bool = False) -> str:
    """A value to six digits; with `exact` its exact form too, where that is short."""
    if isinstance(value, Undefined):
        return f"undefined ({value.reason})"
    decimal = value.decimal(_DIGITS)
    if value.is_rational and "/" not in (plain := format(value, "d")) and len(plain) <= len(decimal):
        return plain
    if exact and (short_form(value, _SHORT) is not None):
        return f"{format(value, 'd')} ({decimal})"
    return f"{decimal}, not 1" if float(decimal) == 1 and not value.is_one else decimal


def report_parts(reports: Sequence[Report], *, queries: bool, exact: bool) -> list[Table | str]:
    """One report, or reports that differ in k alone: a table, and the lines that belong to it."""
    if len(reports) == 1:
        (report,) = reports
        numbers = ["DCG", "ideal DCG", "NDCG"]
        cells = {
            result.query: [
                *(cell(value, exact=exact) for value in (result.dcg, result.idcg)),
                MISSING if result.missing else cell(result.ndcg, exact=exact),
            ]
            for result in report
        }
        mean = [cell(report.mean.dcg, exact=exact), "", cell(report.mean.ndcg, exact=exact)]
    else:
        numbers = [f"NDCG@{report.contract.k}" for report in reports]
        columns = [
            {result.query: MISSING if result.missing else cell(result.ndcg, exact=exact) for result in report}
            for report in reports
        ]
        named = dict.fromkeys(query for column in columns for query in column)
        cells = {query: [column.get(query, "left out") for column in columns] for query in named}
        mean = [cell(report.mean.ndcg, exact=exact) for report in reports]
    weights = {result.query: result.weight for report in reports for result in report}
    weighted = queries and any(weight != 1 for weight in weights.values())
    counts = ", ".join(map(str, dict.fromkeys(map(len, reports))))
    kind = "weighted " if any(weight != 1 for weight in weights.values()) else ""
    label = f"{kind}{reports[0].aggregation.aggregate.replace('-', ' ')} of {counts}"
    heads = {"query": False, **({"weight": True} if weighted else {}), **dict.fromkeys(numbers, True)}
    rows = [[query, *([written(weights[query])] if weighted else []), *row] for query, row in cells.items()]
    summary = [label, *([""] if weighted else []), *mean]
    table = Table("", heads, [*(rows if queries else []), summary], summary=queries)
    return [table, *legend([table]), *_results(reports), *_terms(reports)]


def legend(tables: Iterable[Table]) -> list[str]:
    """What `a` is, where a table shows it."""
    cells = (text for table in tables for row in table.rows for text in row)
    return [A_IS] if any("a" in text.split(" (")[0] and ("a)" in text or "a " in text) for text in cells) else []


def _results(reports: Sequence[Report]) -> Iterable[str]:
    """What is undefined or left out."""
    return _once(reports, _report_lines)


def _once(reports: Sequence[Report], lines_of: Callable[[Report], Iterable[str]]) -> Iterator[str]:
    """Each line of several reports once, with its cutoff where it isn't that of all."""
    lines: dict[str, list[str]] = {}
    for report in reports:
        for line in lines_of(report):
            lines.setdefault(line, []).append(str(report.contract.k))
    for line, cutoffs in lines.items():
        yield line if len(cutoffs) == len(reports) else f"at k = {', '.join(cutoffs)}: {line}"


def _report_lines(report: Report) -> Iterable[str]:
    mean = report.mean.ndcg
    if isinstance(mean, Undefined) and mean.queries:
        yield f"undefined, {mean.reason} ({len(mean.queries)}): {', '.join(mean.queries)}"
    for reason in dict.fromkeys(left.reason for left in report.excluded):
        names = [left.query for left in report.excluded if left.reason == reason]
        yield f"left out, {reason} ({len(names)}): {', '.join(names)}"


def settings_of(a: Report, b: Report) -> Iterable[str]:
    """Every setting of two reports, those that they share first."""
    mine, theirs = ({**report.contract.to_json(), **report.aggregation.to_json()} for report in (a, b))
    shared = {name: value for name, value in mine.items() if theirs[name] == value}
    parts = {"A and B": shared}
    if len(shared) < len(mine):
        parts |= {which: {n: v for n, v in s.items() if n not in shared} for which, s in (("A", mine), ("B", theirs))}
    for which, settings in parts.items():
        yield f"{which}: {told(settings)}"


def _terms(reports: Sequence[Report]) -> Iterable[str]:
    """Every setting, and where the settings come from."""
    first = reports[0]
    if first.base is not None:
        replaced = told(first.base.overridden)
        name = f"the file {first.base.name}" if first.base.kind == "file" else first.base.name
        yield f"from: {name}" + (f", overriding its {replaced}" if replaced else "")
    cutoffs = ", ".join(str(report.contract.k) for report in reports)
    yield f"contract: {told({**first.contract.to_json(), 'k': cutoffs})}"
    yield f"over queries: {told(first.aggregation.to_json())}"


def told(settings: Mapping[str, object]) -> str:
    """Settings in a line: `name = value; …`."""
    return "; ".join(f"{name} = {'none' if value is None else value}" for name, value in settings.items())


def report_notes(reports: Sequence[Report]) -> list[str]:
    """The notes of reports, each once."""
    return list(_once(reports, lambda report: report.notes))


def report_rows(run: str, reports: Iterable[Report], **columns: bool) -> Iterator[dict[str, str]]:
    """The tidy rows of a run's reports: NDCG, DCG and ideal DCG of each query; `columns` as for `tidy_rows`."""
    for report in reports:
        yield from tidy_rows(numbers_of(run, report), **columns)


# --- several runs and measures ------------------------------------------------------------


def measured_parts(measured: MeasuredRuns, *, queries: bool, exact: bool) -> list[Table | str]:
    """A row a run, a column a measure; with `queries` a row for each query of each run too."""
    heads = {"run": False, **({"query": False} if queries else {}), **dict.fromkeys(measured.measures, True)}
    rows = []
    for run in measured.runs:
        scores = measured.of(run)
        if queries:
            named = dict.fromkeys(query for score in scores for query in score.by_query)
            rows += [[run, query, *(_query_cell(score, query, exact=exact) for score in scores)] for query in named]
        counts = ", ".join(map(str, dict.fromkeys(len(score.by_query) for score in scores)))
        means = [cell(score.mean, exact=exact) for score in scores]
        rows.append([run, *([f"mean of {counts}"] if queries else []), *means])
    table = Table("", heads, rows)
    return [table, *legend([table]), *_averaged(measured.scores), *_conventions(measured.scores)]


def _query_cell(score: Scores, query: str, *, exact: bool) -> str:
    if query in score.missing:
        return MISSING
    return cell(score.by_query[query], exact=exact) if query in score.by_query else "left out"


def _averaged(scores: Sequence[Scores]) -> Iterator[str]:
    """How many queries each mean is over, where that is not one number."""
    counts = {(score.run, score.measure): len(score.by_query) for score in scores}
    if len(set(counts.values())) == 1:
        yield f"Means over {next(iter(counts.values()))} queries."
    else:
        yield "Means over: " + "; ".join(f"{run}, {measure}: {n} queries" for (run, measure), n in counts.items()) + "."


def _conventions(scores: Sequence[Scores]) -> Iterator[str]:
    """Every convention behind each measure, once."""
    for measure, score in {score.measure: score for score in scores}.items():
        yield f"{measure}: {told({**score.settings, **score.aggregation.to_json()})}"


_MISSING = {"missing": "missing_setting"}
"""The setting `missing` beside the column that tells which query has no results."""


def tidy_rows(
    measured: Iterable[Scores], *, exact: bool = False, everything: bool = False, settings: bool = False
) -> Iterator[dict[str, str]]:
    """One row a run, query and measure: `run`, `query`, `measure`, `value`, and `missing` where there are no results.

    Args:
        measured: the scores.
        exact: a column with the exact form, where it is short.
        everything: the means and what was left out as rows too, told apart by `kind`.
        settings: a column for every setting.
    """

    def row(score: Scores, query: str, value: Value | None, kind: str, reason: str = "") -> dict[str, str]:
        number = None if isinstance(value, Undefined) else value
        written: dict[str, str] = {
            "run": score.run,
            "query": query,
            "measure": score.measure,
            "value": "" if number is None else number.decimal(20),
        }
        if exact:
            written["exact"] = "" if number is None else short_form(number) or ""
        written["missing"] = "true" if query in score.missing else ""
        if everything:
            written |= {"kind": kind, "reason": value.reason if isinstance(value, Undefined) else reason}
        if settings:
            every: dict[str, Any] = {**score.settings, **score.aggregation.to_json()}
            written |= {
                _MISSING.get(name, name): "none" if setting is None else str(setting) for name, setting in every.items()
            }
        return written

    for score in measured:
        for query, value in score.by_query.items():
            yield row(score, query, value, "query")
        if everything:
            for query, reason in score.excluded.items():
                yield row(score, query, None, "excluded", reason)
            yield row(score, "", score.mean, "mean")


# --- runs against each other --------------------------------------------------------------


def comparison_parts(compared: RunComparison, *, queries: bool, exact: bool) -> list[Table | str]:
    """The runs, each pair, and in words what was proved and what chance gives."""
    scores = compared.scores
    measure = scores[0].measure
    runs = Table(
        f"{measure} of each run",
        {
            "": False,
            "run": False,
            "mean": True,
            "standard deviation": True,
            "queries": True,
            "no results": True,
            "judged@k": True,
        },
        [
            [
                letter(place),
                score.run,
                cell(score.mean, exact=exact),
                "" if score.deviation is None else f"{score.deviation:.6f}",
                str(len(score.by_query)),
                str(len(score.missing)),
                cell(score.judged_at_k),
            ]
            for place, score in enumerate(scores)
        ],
    )
    letters = {score.run: letter(place) for place, score in enumerate(scores)}
    pairs = Table(
        "Each pair: wins, exact ties and losses of the first, and the difference of the means",
        {
            "pair": False,
            **dict.fromkeys(("wins", "ties", "losses", "difference"), True),
            "leads": False,
            **dict.fromkeys(("p, randomisation", "p, Holm", "p, t", "p, sign"), True),
            "95% interval": True,
        },
        [_pair_row(pair, letters, exact=exact) for pair in compared.pairs],
    )
    parts: list[Table | str] = [runs, pairs]
    if queries:
        parts.append(_query_table(compared, exact=exact))
    parts += legend([part for part in parts if isinstance(part, Table)])
    parts += [_words(pair) for pair in compared.pairs]
    return [*parts, *_conventions(scores)]


def letter(place: int) -> str:
    """A, B, … for a run's place.

    >>> letter(0), letter(27)
    ('A', 'B2')
    """
    return chr(ord("A") + place % 26) + (str(place // 26 + 1) if place >= 26 else "")


def _pair_row(pair: Pair, letters: Mapping[str, str], *, exact: bool) -> list[str]:
    difference = pair.mean.difference
    one, other = letters[pair.one.run], letters[pair.other.run]
    lead = {1: one, -1: other, 0: "equal", None: "no one"}[pair.mean.sign]
    tests = pair.tests
    numbers = ["", "", "", "", ""]
    if tests is not None:
        interval = "" if tests.interval is None else f"{tests.interval[0]:+.5f} to {tests.interval[1]:+.5f}"
        known = (tests.randomisation_p, pair.holm_p, tests.t_p, tests.sign_p)
        numbers = [*("" if p is None else f"{p:.4f}" if p >= _SMALL else f"{p:.1g}" for p in known), interval]
    told = "" if isinstance(difference, Undefined) else cell(difference, exact=exact)
    return [f"{one} − {other}", *map(str, pair.counts), told, lead, *numbers]


_SMALL = 0.0001  # below it a p is written by its first digit


def _words(pair: Pair) -> str:
    if isinstance(pair.mean.difference, Undefined):
        return f"{pair.one.run} and {pair.other.run}: {pair.mean.difference}; no one leads."
    if pair.mean.sign == 0:
        return f"{pair.one.run} and {pair.other.run}: the means are exactly equal, proved."
    lead, other = (pair.one.run, pair.other.run) if pair.mean.sign == 1 else (pair.other.run, pair.one.run)
    words = f"{lead} leads {other} by {abs(pair.mean.difference).decimal(5)}, proved"
    tests = pair.tests
    if tests is None:
        return f"{words}; not tested."
    chance = (
        "no more than chance gives on these queries" if tests.randomisation_p >= _RARE else "more than chance gives"
    )
    return f"{words}; by the randomisation test that is {chance} (p = {tests.randomisation_p:.4f}, seed {tests.seed})."


_RARE = 0.05


def _query_table(compared: RunComparison, *, exact: bool) -> Table:
    scores = compared.scores
    named = dict.fromkeys(query for score in scores for query in score.by_query)
    heads = {"query": False, **{score.run: True for score in scores}}
    rows = [[query, *(_query_cell(score, query, exact=exact) for score in scores)] for query in named]
    if len(compared.pairs) == 1:
        (pair,) = compared.pairs
        heads |= {"difference": True, "leads": False, "proof": False}
        rows = [[*row, *_pair_cells(pair, row[0], exact=exact)] for row in rows]
    return Table("Query by query", heads, rows)


def _pair_cells(pair: Pair, query: str, *, exact: bool) -> list[str]:
    from ndcg_lab.reports.comparison_views import proof

    comparison = pair.queries.get(query)
    if comparison is None or isinstance(comparison.difference, Undefined):
        return ["", "no one", ""]
    lead = {1: pair.one.run, -1: pair.other.run, 0: "equal", None: "no one"}[comparison.sign]
    return [cell(comparison.difference, exact=exact), lead, proof(comparison)]


def pair_rows(compared: RunComparison, *, exact: bool = False, queries: bool = False) -> Iterator[dict[str, str]]:
    """Tidy rows of a comparison: one a pair, with its counts and p values; with `queries` one a pair and query."""
    for pair in compared.pairs:
        names = {"first": pair.one.run, "second": pair.other.run, "measure": pair.one.measure}
        if queries:
            for query, comparison in pair.queries.items():
                yield {**names, "query": query, **_difference(comparison, exact=exact)}
            continue
        wins, ties, losses = map(str, pair.counts)
        tests = pair.tests
        numbers = (
            {}
            if tests is None
            else {
                "randomisation_p": repr(tests.randomisation_p),
                "holm_p": "" if pair.holm_p is None else repr(pair.holm_p),
                "t_p": "" if tests.t_p is None else repr(tests.t_p),
                "sign_p": repr(tests.sign_p),
                "interval_low": "" if tests.interval is None else repr(tests.interval[0]),
                "interval_high": "" if tests.interval is None else repr(tests.interval[1]),
            }
        )
        counts = {"wins": wins, "ties": ties, "losses": losses}
        yield {**names, **_difference(pair.mean, exact=exact), **counts, **numbers}


def difference_rows(comparison: ReportComparison, *, exact: bool = False) -> Iterator[dict[str, str]]:
    """Tidy rows of two compared reports, one a query."""
    for query, compared in comparison.queries.items():
        yield {"query": query, **_difference(compared, exact=exact)}


def _difference(comparison: Comparison, *, exact: bool) -> dict[str, str]:
    value = comparison.difference
    if isinstance(value, Undefined):
        return {"difference": "", **({"exact": ""} if exact else {}), "sign": ""}
    form = {"exact": short_form(value) or ""} if exact else {}
    return {"difference": value.decimal(20), **form, "sign": str(comparison.sign)}
