"""Two reports compared, as one file of statements and proofs for Coq."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ndcg_lab.certificates.coq import comment
from ndcg_lab.errors import NotExported
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.measure.coq import Side, average_theorem, definitions, file, pair_theorem, side, sides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ndcg_lab.exact.values import Exact
    from ndcg_lab.reports.comparison import ReportComparison
    from ndcg_lab.reports.records import QueryResult
    from ndcg_lab.reports.report import Report

__all__ = ["report_file"]


def report_file(comparison: ReportComparison, one: Report, other: Report) -> str:
    """A theorem for each query, in the first report's order, and `mean`.

    Raises:
        NotExported: for what is not told to Coq, naming the query.
    """
    for report in (one, other):
        if report.aggregation.aggregate != "mean":
            raise NotExported(f"`aggregate = {report.aggregation.aggregate}` is not told to Coq; choices: mean")
    about = [f"first: {one.contract!r}, {one.aggregation!r}", f"second: {other.contract!r}, {other.aggregation!r}"]
    if any(report.contract.ties == "average" for report in (one, other)):
        about.append("under ties='average' a rank earns the mean gain of its tie group")
    return file(about, _parts(comparison, one, other))


def _parts(comparison: ReportComparison, one: Report, other: Report) -> Iterator[str]:
    theirs = {result.query: result for result in other.queries}
    common = [(result, theirs.pop(result.query)) for result in one.queries if result.query in theirs]
    ones: list[tuple[QueryResult, Side]] = []
    others: list[tuple[QueryResult, Side]] = []
    for number, (first, second) in enumerate(common, 1):
        compared, told = comparison.queries[first.query], f"query {first.query}"
        if compared.sign is None:
            yield f"{comment(f'{told}: no order: {compared.difference}')}\n"
            continue
        with_name = f"_{number}"
        values = _exact(first), _exact(second)
        try:
            pair = sides(with_name, (first.evaluation, values[0]), (second.evaluation, values[1]))
            yield pair_theorem(f"query{with_name}", told, compared.sign, *pair)
        except NotExported as error:
            raise NotExported(f"query {first.query!r}: {error}") from error
        ones.append((first, pair[0]))
        others.append((second, pair[1]))
    if comparison.mean.sign is None:
        yield f"{comment(f'mean: no order: {comparison.mean.difference}')}\n"
        return
    alone = [
        (ones, "first", [result for result in one.queries if result.query in comparison.only[0]]),
        (others, "second", list(theirs.values())),
    ]
    for group, which, results in alone:
        for number, result in enumerate(results, 1):
            described = side(
                result.evaluation, _exact(result), f"{which}_only_{number}", f"judged_only_{which}_{number}"
            )
            group.append((result, described))
            yield f"{comment(f'query {result.query}: in the {which} report alone')}\n{definitions(described)}"
    weighted = [[(result.weight, described) for result, described in group] for group in (ones, others)]
    yield average_theorem("mean", comparison.mean.sign, *weighted)


def _exact(result: QueryResult) -> Exact:
    assert not isinstance(result.ndcg, Undefined)
    return result.ndcg
