"""What the command line hands to `identify`: numbers beside what is known of them, and the queries chosen."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from ndcg_lab.errors import NdcgLabError, UnknownQuery
from ndcg_lab.measure.data import Judgments, Ranking

Side = TypeVar("Side", Ranking, Judgments)


def numbers(reported: Sequence[str], known: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """Each number with what is known of it: `k=4`, or several settings, `k=4,quantity=dcg`; one text for each number.

    >>> numbers(["0.83", "6.89"], ["k=2", "k=4,quantity=dcg"])
    [('0.83', {'k': '2'}), ('6.89', {'k': '4', 'quantity': 'dcg'})]
    """
    if known and len(known) != len(reported):
        raise NdcgLabError(f"{len(reported)} --reported and {len(known)} --at: give one --at for each number, or none")
    return [(number, _settings(text)) for number, text in zip(reported, known or [""] * len(reported), strict=True)]


def _settings(text: str) -> dict[str, str]:
    settings = {}
    for part in re.split(r",(?=[a-z_]+=)", text) if text else []:  # a gain table has commas and signs of its own
        name, equals, value = part.partition("=")
        if not equals:
            raise NdcgLabError(f"--at {text}: write it as setting=value, such as k=4")
        settings[name.strip().replace("-", "_")] = value.strip()
    return settings


def chosen(
    run: Mapping[str, Ranking], qrels: Mapping[str, Judgments], queries: Iterable[str] | None
) -> tuple[dict[str, Ranking], dict[str, Judgments]]:
    """Run and judgments, of these queries alone where some are named.

    Raises:
        UnknownQuery: a query that neither holds.
    """
    names = list(queries or [*qrels, *run])
    for name in names:
        if name not in run and name not in qrels:
            raise UnknownQuery(f"query {name!r} is in neither the judgments nor the run")
    return _of(run, names), _of(qrels, names)


def _of(sides: Mapping[str, Side], names: Iterable[str]) -> dict[str, Side]:
    return {name: sides[name] for name in names if name in sides}
