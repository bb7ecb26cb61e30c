"""`ndcg-lab compare`, `explain` and `verify`: on reports, or straight from files."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ndcg_lab.command import options as ask
from ndcg_lab.command.output import Format, Output, Shown
from ndcg_lab.errors import ContractError, NdcgLabError
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS
from ndcg_lab.tables import Table

if TYPE_CHECKING:
    from ndcg_lab.reports.report import Report

FAULTY = 1
MOST_FAULTS = 20  # shown, of a report that does not hold

_REPORT = "A report: what `evaluate --format json` prints; - is standard input."
FirstReport = Annotated[str | None, typer.Argument(help=_REPORT, metavar="[REPORT_A]", show_default=False)]
SecondReport = Annotated[str | None, typer.Argument(help="Another.", metavar="[REPORT_B]", show_default=False)]


@ask.with_output(*ask.TABLES, Format.COQ)
@ask.with_settings(*FIELDS, *AGGREGATION_FIELDS)
def compare(
    report_a: FirstReport = None,
    report_b: SecondReport = None,
    qrels: ask.QrelsOption = None,
    run: ask.RunsOption = None,
    measure: ask.MeasuresOption = None,
    convention: ask.ConventionOption = None,
    contract: ask.ContractOption = None,
    weights: ask.WeightsOption = None,
    query: ask.QueryOption = None,
    comments: ask.CommentsOption = None,
    columns: ask.ColumnsOption = None,
    seed: ask.SeedOption = 0,
    *,
    out: Output,
    **settings: str | None,
) -> None:
    """Who leads: two reports, or runs straight from files (--qrels, --run, --run and a contract or a measure).

    The exact difference, its proof, and what chance alone would give; with -q for each query. Equal means exactly
    equal. The sign is that of the first minus the second. With --format coq: statements and proofs that
    `coqc -R proofs NdcgLab FILE` checks.
    """
    if report_a is not None or report_b is not None:
        _refuse_files({"--qrels": qrels, "--run": run, "--measure": measure, **settings})
        _compare_reports(report_a, report_b, seed, out)
        return
    from ndcg_lab.reports.report_views import comparison_parts, pair_rows
    from ndcg_lab.reports.runs import compare_scores, evaluate_measures

    files = ask.Files(qrels, run, weights, contract, columns=columns)
    asked = ask.Asked.of(measure, convention, contract, ask.given(settings))
    if len(files.runs or ()) == 1:
        raise ContractError("one --run can't be compared: give two or more")
    if len(asked.measures) > 1:
        raise ContractError("runs are compared by one measure at a time: give one cutoff, or one --measure")
    judged, results, weighted = files.read(ask.comments_of(comments, convention))
    if out.format is Format.COQ:
        _prove(judged, results, weighted, asked, query, out)
        return
    measured = evaluate_measures(
        asked.measures, results, judged, weights=weighted, queries=query or None, **asked.over_queries
    )
    compared = compare_scores(measured.scores, seed=seed)
    out.show(
        Shown(
            comparison_parts(compared, queries=out.queries, exact=out.exact),
            compared.to_json,
            lambda: pair_rows(compared, exact=out.exact, queries=out.queries),
            compared.notes,
        )
    )


def _refuse_files(options: dict[str, Any]) -> None:
    for name, value in options.items():
        if value:
            flag = name if name.startswith("--") else f"--{name.replace('_', '-')}"
            raise ContractError(f"reports carry their own settings, so {flag} has nothing to say; leave it out")


def _prove(judged: Any, results: Any, weighted: Any, asked: ask.Asked, query: list[str] | None, out: Output) -> None:
    from ndcg_lab.reports.comparison import compare as compared
    from ndcg_lab.reports.report import evaluate_run

    if len(results) > 2:
        raise ContractError(f"--format coq states which of two runs leads, and {len(results)} were given")
    if len(asked.contracts) != 1:
        raise ContractError("--format coq states NDCG under one contract: give --gain and one --k, and no --measure")
    ((terms, over, _),) = asked.contracts
    one, other = (
        evaluate_run(terms, run, judged, **over.to_json(), weights=weighted, queries=query or None)
        for run in results.values()
    )
    out.deliver(compared(one, other).to_coq())


def _compare_reports(report_a: str | None, report_b: str | None, seed: int, out: Output) -> None:
    from ndcg_lab.reports.comparison import compare as compared
    from ndcg_lab.reports.comparison_views import comparison_table, headline
    from ndcg_lab.reports.report_views import difference_rows, settings_of
    from ndcg_lab.reports.significance import RESAMPLES, tests_of

    a, b = two_reports(report_a, report_b)
    comparison = compared(a, b)
    if out.format is Format.COQ:
        out.deliver(comparison.to_coq())
        return
    try:
        tests = tests_of(comparison, a, b, seed=seed, resamples=RESAMPLES)
        words, tested = tests.words, tests.to_json()
    except NdcgLabError as error:  # without scipy, or without a query in common
        words, tested = (f"Not tested: {error}.",), {"error": str(error)}
    table = comparison_table(comparison, a, b)
    if not out.queries:
        table = table._replace(rows=table.rows[-1:])
    proofs = "Every sign is proved; --format json holds each certificate, -q shows every query."
    out.show(
        Shown(
            [f"A: {report_a}", f"B: {report_b}", table, headline(comparison, a, b), *words, proofs, *settings_of(a, b)],
            lambda: {**comparison.to_json(), "tests": tested},
            lambda: difference_rows(comparison, exact=out.exact),
            comparison.notes,
        )
    )


def two_reports(report_a: str | None, report_b: str | None) -> "tuple[Report, Report]":
    """Two reports from their files."""
    from ndcg_lab.reports.reading import read_report

    if report_a is None or report_b is None:
        raise ContractError("give two reports, or --qrels and --run")
    if report_a == report_b == "-":
        raise ContractError("REPORT_A and REPORT_B can't both be standard input")
    return read_report(report_a), read_report(report_b)


@ask.with_output(*ask.TABLES)
def explain(
    report_a: FirstReport = None,
    report_b: SecondReport = None,
    qrels: ask.QrelsOption = None,
    run: ask.RunsOption = None,
    as_: Annotated[
        list[str] | None,
        typer.Option("--as", help="A system by name; give two.", metavar="NAME", autocompletion=ask.systems),
    ] = None,
    k: Annotated[str | None, typer.Option("--k", help="The cutoff for both, in place of their own.")] = None,
    query: ask.QueryOption = None,
    comments: ask.CommentsOption = None,
    columns: ask.ColumnsOption = None,
    *,
    out: Output,
) -> None:
    """Why two numbers disagree: what differs, and what each difference does, one change at a time and alone.

    Two reports, or one run as two systems see it: --qrels, --run, --as trec_eval --as scikit-learn. Where both the runs
    and the settings differ, who leads is followed from A's settings to B's.
    """
    from ndcg_lab.reports.explanation import explain as explained
    from ndcg_lab.reports.explanation_views import step_rows
    from ndcg_lab.reports.report_views import settings_of

    if report_a is not None or report_b is not None:
        _refuse_files({"--qrels": qrels, "--run": run, "--as": as_, "--k": k, "--query": query})
        a, b = two_reports(report_a, report_b)
        names = [f"A: {report_a}", f"B: {report_b}"]
    else:
        names, (a, b) = _as_systems(ask.Files(qrels, run, columns=columns), as_, k, query, comments)
    explanation = explained(a, b)
    out.show(
        Shown(
            [*names, explanation.summary, *explanation.tables(), *settings_of(a, b)],
            explanation.to_json,
            lambda: step_rows(explanation, queries=out.queries, exact=out.exact),
        )
    )


def _as_systems(
    files: ask.Files,
    systems: list[str] | None,
    k: str | None,
    query: list[str] | None,
    comments: str | None,
) -> "tuple[list[str], tuple[Report, Report]]":
    """One run (or one each) as two systems see it."""
    from ndcg_lab.conventions import conventions as known
    from ndcg_lab.reports.report import evaluate_run

    if len(systems or ()) != 2 or len(files.runs or ()) > 2:
        raise ContractError("explain takes --as twice, for two systems, and one --run or two")
    named = [known[name] for name in systems or ()]
    judged, results, _ = files.read(ask.comments_of(comments))
    runs = list(results.items())
    sides = list(zip(named, (runs[0], runs[-1]), strict=True))
    a, b = (
        evaluate_run(system.at(k), one, judged, **system.aggregation.to_json(), queries=query or None)
        for system, (_, one) in sides
    )
    return [f"{side}: {name} as {system.name}" for side, (system, (name, _)) in zip("AB", sides, strict=True)], (a, b)


@ask.with_output(*ask.TABLES)
def verify(report: Annotated[str, typer.Argument(help=_REPORT, metavar="REPORT")], *, out: Output) -> int:
    """Whether every number of a report follows from the records that it holds; status 1 and what fails, if not."""
    from pathlib import Path

    from ndcg_lab.reports.verification import verify as verified

    faults = verified(report if report == "-" else Path(report))
    more = [f"... and {len(faults) - MOST_FAULTS} more (all in --format json)"] if len(faults) > MOST_FAULTS else []
    lines = [*map(str, faults[:MOST_FAULTS]), *more] or ["Every number follows from the report's own records."]
    records = [fault.to_json() for fault in faults]
    heads = dict.fromkeys(records[0] if records else ("place",), False)
    table = Table("Faults", heads, [list(map(str, record.values())) for record in records])
    parts: list[Table | str] = [*lines] if out.format is Format.TABLE else [table]
    out.show(
        Shown(
            parts,
            lambda: {"holds": not faults, "faults": records},
            lambda: [{name: str(value) for name, value in record.items()} for record in records],
        )
    )
    return FAULTY if faults else 0
