"""What a reader of a report's numbers should know beside them."""

from collections.abc import Iterable, Iterator

from ndcg_lab.measure.contract import Contract
from ndcg_lab.reports.records import QueryRecord

_NAMED = 10  # queries that one message names


def notes(contract: Contract, records: Iterable[QueryRecord]) -> Iterator[str]:
    """What a reader of the numbers should know beside them."""
    conflicts = {record.query: record.rank_conflict for record in records if record.rank_conflict is not None}
    for query, conflict in list(conflicts.items())[:1]:
        yield (
            f"The rank column contradicts the scores in {counted(len(conflicts), 'query', 'queries')} "
            f"({named(conflicts)}), and is not used. In {query}, {conflict}."
        )
    depth = max((len(record.ranking) for record in records), default=0)
    if contract.k != "all" and 0 < depth < contract.k:
        yield f"No query returns more than {counted(depth, 'document', 'documents')}, and k is {contract.k}."


def counted(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"


def named(queries: Iterable[str]) -> str:
    """The first few names, and how many more there are."""
    names = list(queries)
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
