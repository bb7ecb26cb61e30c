"""`ndcg-lab evaluate`: DCG and NDCG of a run under a contract, or several runs by several measures."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from ndcg_lab.command import options as ask
from ndcg_lab.command.output import Output, Shown
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS


@ask.with_output(*ask.TABLES)
@ask.with_settings(*FIELDS, *AGGREGATION_FIELDS)
def evaluate(
    qrels: ask.QrelsOption = None,
    run: ask.RunsOption = None,
    measure: ask.MeasuresOption = None,
    convention: ask.ConventionOption = None,
    contract: ask.ContractOption = None,
    weights: ask.WeightsOption = None,
    query: ask.QueryOption = None,
    comments: ask.CommentsOption = None,
    columns: ask.ColumnsOption = None,
    everything: Annotated[bool, typer.Option("--all", help="CSV: rows for means and for what was left out.")] = False,
    contract_columns: Annotated[bool, typer.Option("--contract-columns", help="CSV: a column a setting.")] = False,
    *,
    out: Output,
    **settings: str | None,
) -> None:
    """DCG and NDCG of runs, over queries and, with -q, for each query.

    What NDCG means is a contract: give --gain and --k, or a --convention, or a --contract; further flags override.
    Or name measures: -m nDCG@10 -m AP. Several cutoffs (--k 5,10,20) make a column each, and a list of reports in JSON.
    """
    from ndcg_lab.reports import report_views as views
    from ndcg_lab.reports.runs import evaluate_measures

    files = ask.Files(qrels, run, weights, contract, columns=columns)
    asked = ask.Asked.of(measure, convention, contract, ask.given(settings))
    judged, results, weighted = files.read(ask.comments_of(comments, convention))
    chosen: dict[str, Any] = {"weights": weighted, "queries": query or None}
    tidy: dict[str, Any] = {"exact": out.exact, "everything": everything, "settings": contract_columns}
    if len(results) == 1 and asked.contracts:
        from ndcg_lab.reports.report import evaluate_run

        ((name, only),) = results.items()
        reports = [
            replace(evaluate_run(terms, only, judged, **over.to_json(), **chosen), base=base)
            for terms, over, base in asked.contracts
        ]
        records = [report.to_json() for report in reports]
        shown = Shown(
            views.report_parts(reports, queries=out.queries, exact=out.exact),
            lambda: records[0] if len(records) == 1 else records,
            lambda: views.report_rows(name, reports, **tidy),
            views.report_notes(reports),
        )
    else:
        measured = evaluate_measures(asked.measures, results, judged, **chosen, **asked.over_queries)
        shown = Shown(
            views.measured_parts(measured, queries=out.queries, exact=out.exact),
            measured.to_json,
            lambda: views.tidy_rows(measured.scores, **tidy),
            measured.notes,
        )
    out.show(shown)
