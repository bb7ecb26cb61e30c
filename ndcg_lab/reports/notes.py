"""What a reader of a report's numbers should know beside them: what would else pass in silence is counted."""

from collections.abc import Iterable, Iterator, Sequence

from ndcg_lab.measure.contract import Contract
from ndcg_lab.reports.records import Excluded, QueryRecord, QueryResult

_NAMED = 10  # queries that one message names
_AVERAGED = "averaged query", "averaged queries"
_OF_THE_RUN = "query of the run", "queries of the run"


def notes(contract: Contract, results: Sequence[QueryResult], excluded: Sequence[Excluded]) -> Iterator[str]:
    """The notes of a report, in the order of its queries: evaluated anew from its records, it gives the same ones."""
    records = [*(result.record for result in results), *(left.record for left in excluded)]
    yield from _rank_columns(records)
    depth = max((len(record.ranking) for record in records), default=0)
    if contract.k != "all" and 0 < depth < contract.k:
        yield f"No query returns more than {counted(depth, 'document', 'documents')}, and k is {contract.k}."
    yield from _matches(records)
    yield from _averaged(contract, results)


def _rank_columns(records: Iterable[QueryRecord]) -> Iterator[str]:
    conflicts = {record.query: record.rank_conflict for record in records if record.rank_conflict is not None}
    for query, conflict in list(conflicts.items())[:1]:
        yield (
            f"The rank column contradicts the scores in {counted(len(conflicts), 'query', 'queries')} "
            f"({named(conflicts)}), and is not used. In {query}, {conflict}."
        )


def _matches(records: Sequence[QueryRecord]) -> Iterator[str]:
    """How the queries of the run and of the judgments match."""
    returned = [record for record in records if record.ranking]
    if not returned:
        yield "The run holds no results."
        return
    unmatched = [record.query for record in returned if not record.judgments]
    if len(unmatched) == len(returned):
        yield (
            f"No query in common: of {counted(len(returned), 'query', 'queries')} of the run and "
            f"{len(records) - len(returned)} with judgments none is the same."
        )
    elif unmatched:
        yield f"{_of(unmatched, len(returned), _OF_THE_RUN)} no judgments: {named(unmatched)}."


def _averaged(contract: Contract, results: Sequence[QueryResult]) -> Iterator[str]:
    """What the averaged queries lack."""
    missing = [result.query for result in results if result.missing]
    if missing:
        yield f"{_of(missing, len(results), _AVERAGED)} no results, and {_counts(missing)} 0: {named(missing)}."
    unjudged = [result.query for result in results if not result.record.judgments]
    if unjudged:
        yield f"{_of(unjudged, len(results), _AVERAGED)} no judgments, and {_counts(unjudged)} 0: {named(unjudged)}."
    both = [result.record for result in results if result.record.judgments and result.record.ranking]
    strange = [r.query for r in both if r.judgments.keys().isdisjoint(r.ranking.documents)]
    if strange:
        which = "any" if len(strange) == len(both) else f"{len(strange)} of {len(both)}"
        queries = f"{which} averaged {'query' if len(both) == 1 else 'queries'} with results"
        yield f"No returned document is judged in {queries}: {named(strange)}."
    lengths = [len(record.ranking) for record in both]
    if contract.k != "all":
        lengths = [min(length, contract.k) for length in lengths]
    without = sum(result.evaluation.unjudged_in_k for result in results)
    if without:
        where = "" if contract.k == "all" else f" at ranks up to {contract.k}"
        documents = counted(sum(lengths), "returned document", "returned documents")
        yield f"Judged@{contract.k}: {sum(lengths) - without} of {documents}{where} have a grade."


def _of(queries: Sequence[str], whole: int, kinds: tuple[str, str]) -> str:
    has = "has" if len(queries) == 1 else "have"
    return f"{len(queries)} of {counted(whole, *kinds)} {has}"


def _counts(queries: Sequence[str]) -> str:
    return "counts" if len(queries) == 1 else "count"


def counted(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"


def named(queries: Iterable[str]) -> str:
    """The first few names, and how many more there are."""
    names = list(queries)
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
