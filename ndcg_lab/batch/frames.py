"""Queries in a data frame, each evaluated by itself: partitions of whole queries can go to any machine.

The values are correctly rounded and their sum too, so that a mean does not depend on how queries were divided.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ndcg_lab.batch.measure import ndcg
from ndcg_lab.errors import DuplicateDocument, WrongKind, require, require_package

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import pandas as pd

    from ndcg_lab.batch.arrays import Whole
    from ndcg_lab.measure.contract import Contract

__all__ = ["COLUMNS", "mean_ndcg", "query_ndcg"]

COLUMNS: Mapping[str, str] = {"query": "object", "ndcg": "float64"}
"""The columns of `query_ndcg`'s result and their types, as Dask wants them for `meta`."""

_CELLS = 1 << 22
"""About so many documents, padding among them, are held as arrays at once."""


def query_ndcg(frame: pd.DataFrame, contract: Contract) -> pd.DataFrame:
    """NDCG of each query of a data frame, correctly rounded.

    Args:
        frame: a row for each document of a query, in the columns query, document, score and grade. A document without
            a score was judged and not returned; one without a grade was returned and not judged.
        contract: what NDCG means; `ties` can't go by document id here.

    Returns:
        The columns query and ndcg, by rising query; NaN where the contract leaves NDCG undefined, or excludes a query.

    Raises:
        WrongKind: for a frame without these columns.
        DuplicateDocument: for a document that a query holds twice, whatever the contract says of such.
        NdcgLabError: what `ndcg_lab.batch.ndcg` raises; it counts queries from 0, in the result's order.

    >>> import pandas as pd
    >>> from ndcg_lab import Contract
    >>> four = {"query": "q1", "document": list("ABCD"), "score": [2, 4, 3, 1], "grade": [3, 2, 2, 0]}
    >>> query_ndcg(pd.DataFrame(four), Contract(gain="linear", k=3))
      query      ndcg
    0    q1  0.904977
    """
    require_package("pandas", "`query_ndcg`")
    import pandas as pd

    require(pd.DataFrame, "frame", frame, "a data frame with the columns query, document, score and grade")
    lacking = [name for name in ("query", "document", "score", "grade") if name not in frame.columns]
    if lacking:
        raise WrongKind(f"the frame lacks the columns {', '.join(lacking)}; it needs query, document, score and grade")
    twice = frame.duplicated(["query", "document"])
    if twice.any():
        one = frame[twice].iloc[0]
        raise DuplicateDocument(f"query {one['query']!r}: document {one['document']!r} stands there more than once")
    places, names = pd.factorize(frame["query"], sort=True)
    numbers = np.asarray(places)
    order = np.argsort(numbers, kind="stable")
    sizes = np.bincount(numbers, minlength=len(names))
    grades, scores = (frame[name].to_numpy(np.float64, na_value=np.nan)[order] for name in ("grade", "score"))
    values = np.empty(len(names))
    for first, last, start in _parts(sizes):
        widths = sizes[first:last]
        exists = np.arange(widths.max()) < widths[:, None]
        arrays = np.full((2, *exists.shape), np.nan)
        for array, column in zip(arrays, (grades, scores), strict=True):
            array[exists] = column[start : start + widths.sum()]
        returned = exists & ~np.isnan(arrays[1])
        values[first:last] = ndcg(arrays[0], arrays[1], contract, mask=exists, returned=returned, certified=True)
    return pd.DataFrame({"query": np.asarray(names, object), "ndcg": values})


def _parts(sizes: Whole) -> Iterator[tuple[int, int, int]]:
    """The first and the last query of each part that is taken at once, and how many rows stand before it."""
    first = start = 0
    while first < len(sizes):
        last, widest = first, 0
        while last < len(sizes):
            widest = max(widest, int(sizes[last]))
            if last > first and widest * (last + 1 - first) > _CELLS:
                break
            last += 1
        yield first, last, start
        start += int(sizes[first:last].sum())
        first = last


def mean_ndcg(values: Iterable[float], contract: Contract) -> float:
    """The mean of queries' NDCG, the same whatever their order: the sum is correctly rounded, then divided.

    Under `zero_ideal = exclude` queries without a value are left out; else one of them leaves the mean undefined, NaN.

    >>> from ndcg_lab import Contract
    >>> sum([0.1, 0.2, 0.3]) == sum([0.3, 0.2, 0.1])
    False
    >>> contract = Contract(gain="linear", k=3)
    >>> mean_ndcg([0.1, 0.2, 0.3], contract) == mean_ndcg([0.3, 0.2, 0.1], contract)
    True
    """
    counted = [float(value) for value in values]
    if contract.zero_ideal == "exclude":
        counted = [value for value in counted if not math.isnan(value)]
    return math.fsum(counted) / len(counted) if counted else math.nan
