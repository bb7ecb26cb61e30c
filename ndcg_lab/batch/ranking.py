"""Lists and ideals of a batch, as gains over ranks: what stands where, before any discount.

Three ways lead there, and the cheapest is taken. Of few documents with a gain the ranks are counted, and nothing is
sorted. Of a short cutoff what stands above it is cut out first, every tie at the cut with it, and then sorted. Else
whole lists are sorted. Under `average` the order inside a tie does not count, so that no sort needs to be stable.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ndcg_lab.batch.arrays import Array, Batch, Flags, Floats, Grades, Whole

    Counter = Callable[[int], Whole]

__all__ = ["Block", "Gains", "Spans", "ideal", "ranked"]

_CHUNK = 1 << 17
"""About so many documents are worked on at once, which fit a processor's cache."""


@dataclass(frozen=True, eq=False)
class Spans:
    """Gains over neighbouring ranks: each adds `gain / share` times the discounts at ranks `above + 1` to `last`."""

    query: Whole
    above: Whole
    last: Whole
    gain: Floats
    share: Whole | None = None


@dataclass(frozen=True, eq=False)
class Block:
    """Queries by ranks: the gain at each rank."""

    queries: Whole
    gains: Floats


@dataclass(eq=False)
class Gains:
    """What lists earn: spans and blocks, of different queries or of parts of one, that add up.

    Attributes:
        open: queries that are left to the exact path.
        top: places of what stands at ranks down to k, by query; where the ideal is made of it.
    """

    open: Flags
    spans: list[Spans] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    top: list[tuple[Whole, Floats]] = field(default_factory=list)


def ranked(batch: Batch) -> Gains:
    """What each list earns at its ranks, under the contract's tie policy."""
    number, documents = batch.shape
    gains = Gains(np.zeros(number, np.bool_))
    if not documents:
        return gains
    if batch.few is not None and batch.contract.ideal_population != "returned-at-k":
        _counted(batch, gains, *batch.few)
    elif 8 * batch.depth <= documents:
        for rows in _chunks(batch):
            _cut_out(batch, gains, rows)
    else:
        for rows in _chunks(batch):
            _sorted(batch, gains, np.arange(rows.start, rows.stop), None, batch.scores[rows])
    return gains


def _chunks(batch: Batch) -> Iterator[slice]:
    queries, documents = batch.shape
    step = max(1, _CHUNK // documents)
    return (slice(start, min(start + step, queries)) for start in range(0, queries, step))


# Few documents: their ranks are counted.


def _counted(batch: Batch, gains: Gains, places: Whole, grades: Grades) -> None:
    _, documents = batch.shape
    assert grades.levels is not None
    own, earned = batch.scores.ravel()[places], grades.table[grades.levels[0]]
    counts = (earned != 0) & (own > -np.inf)
    places, own, earned = places[counts], own[counts], earned[counts]
    query = places // documents
    above, through = np.empty(len(places), np.int64), np.empty(len(places), np.int64)
    step = max(1, _CHUNK // documents)
    for start in range(0, len(places), step):
        part = slice(start, start + step)
        rows = query[part]
        whole = len(rows) and rows[-1] - rows[0] + 1 == len(rows) and (np.diff(rows) == 1).all()
        scores = batch.scores[rows[0] : rows[-1] + 1] if whole else batch.scores[rows]
        above[part] = _count(scores > own[part, None])
        through[part] = _count(scores >= own[part, None])
    ties = batch.contract.ties
    if ties == "average":
        gains.spans.append(Spans(query, above, through, earned, through - above))
        return
    tied = np.zeros(batch.shape[0], np.bool_)
    tied[query[(through - above > 1) & (above < batch.depth)]] = True
    alone = ~tied[query]
    gains.spans.append(Spans(query[alone], above[alone], above[alone] + 1, earned[alone]))
    if ties == "error":
        gains.open |= tied
    elif tied.any():
        rows = np.flatnonzero(tied)
        listed = batch.scores[rows] > -np.inf
        _sorted_places(batch, gains, (rows[:, None] * documents + np.arange(documents))[listed])


def _count(flags: Flags) -> Whole:
    """How many are true in each row."""
    counts: Whole = np.bitwise_count(np.packbits(flags, axis=1)).sum(axis=1, dtype=np.int64)  # twice as fast as a sum
    return counts


# A short cutoff: what stands above it is cut out.


def _cut_out(batch: Batch, gains: Gains, rows: slice) -> None:
    """The documents down to rank k, and all that tie with the last of them."""
    _, documents = batch.shape
    scores, last = batch.scores[rows], documents - batch.depth
    least = np.partition(scores, last, axis=1)[:, last]
    above = scores >= least[:, None]
    if batch.listed is not None:
        above &= scores > -np.inf
    places = np.flatnonzero(above) + int(rows.start) * documents
    queries = np.arange(rows.start, rows.stop)
    if len(places) > len(queries) * batch.depth or batch.listed is not None:
        query = places // documents
        clear = np.bincount(query - rows.start, minlength=len(queries)) == batch.depth
        apart = clear[query - rows.start]
        _sorted_places(batch, gains, places[~apart])
        queries, places = queries[clear], places[apart]
    if len(queries):
        square = places.reshape(len(queries), batch.depth)
        _sorted(batch, gains, queries, square, batch.scores.ravel()[square])


def _sorted_places(batch: Batch, gains: Gains, places: Whole) -> None:
    """Places of several queries, sorted by query, score and tie policy."""
    query, scores = places // batch.shape[1], batch.scores.ravel()[places]
    earned = batch.grades.at(places)
    ties = batch.contract.ties
    within = {"best": -earned, "worst": earned, "reverse-input": -places}.get(ties)
    order = np.lexsort((-scores, query) if within is None else (within, -scores, query))
    _spans(batch, gains, query[order], scores[order], earned[order])


# Whole lists.


def _sorted(batch: Batch, gains: Gains, queries: Whole, places: Whole | None, scores: Array) -> None:
    """As many documents of each query, with their scores; all of them, where no places are given."""
    ties = batch.contract.ties
    if ties == "reverse-input":
        order = scores.shape[1] - 1 - np.argsort(-scores[:, ::-1], axis=1, kind="stable")
    else:
        order = np.argsort(-scores, axis=1, kind="stable" if ties == "input" else None)
    ordered = np.take_along_axis(scores, order, axis=1)
    columns = order if places is None else np.take_along_axis(places, order, axis=1)
    places = columns + queries[:, None] * scores.shape[1] if places is None else columns
    listed = None if batch.listed is None else ordered > -np.inf
    earned = batch.grades.at(places)
    if listed is not None:
        earned = np.where(listed, earned, 0.0)
    tied = np.zeros(len(queries), np.bool_)
    if ties not in ("input", "reverse-input"):
        equal = ordered[:, 1:] == ordered[:, :-1]
        tied = (equal if listed is None else equal & listed[:, 1:]).any(axis=1)
    alone = ~tied if tied.any() else slice(None)
    _block(batch, gains, queries[alone], earned[alone], None if listed is None else listed[alone])
    if not tied.any():
        return
    stand = np.ones(ordered[tied].shape, np.bool_) if listed is None else listed[tied]
    if ties in ("best", "worst"):
        _sorted_places(batch, gains, places[tied][stand])
    else:
        query = np.broadcast_to(queries[tied][:, None], stand.shape)
        _spans(batch, gains, query[stand], ordered[tied][stand], earned[tied][stand])


def _block(batch: Batch, gains: Gains, queries: Whole, earned: Floats, listed: Flags | None) -> None:
    """Lists whose order is decided."""
    inside = earned[:, : batch.depth]
    gains.blocks.append(Block(queries, inside))
    if batch.contract.ideal_population == "returned-at-k":
        stand = np.ones(inside.shape, np.bool_) if listed is None else listed[:, : batch.depth]
        gains.top.append((np.broadcast_to(queries[:, None], inside.shape)[stand], inside[stand]))


def _spans(batch: Batch, gains: Gains, query: Whole, scores: Array, earned: Floats) -> None:
    """Documents in the order of their lists, as spans; under `average` a tie is one."""
    if not len(query):
        return
    contract, depth = batch.contract, batch.depth
    begins = np.concatenate([[True], query[1:] != query[:-1]])
    starts = np.flatnonzero(begins)
    rank = np.arange(len(query)) - np.repeat(starts, np.diff(starts, append=len(query)))
    if contract.ideal_population == "returned-at-k":
        inside = rank < depth
        gains.top.append((query[inside], earned[inside]))
    if contract.ties not in ("average", "error"):
        gains.spans.append(Spans(query, rank, rank + 1, earned))
        return
    begins[1:] |= scores[1:] != scores[:-1]
    heads = np.flatnonzero(begins)
    share = np.diff(heads, append=len(query))
    above = rank[heads]
    unlike = np.maximum.reduceat(earned, heads) != np.minimum.reduceat(earned, heads)
    if contract.ties == "error":
        gains.open[query[heads[unlike & (above < depth)]]] = True
    elif contract.ideal_population == "returned-at-k":  # a tie across the cut leaves the ideal open
        gains.open[query[heads[unlike & (above < depth) & (above + share > depth)]]] = True
    gains.spans.append(Spans(query[heads], above, above + share, np.add.reduceat(earned, heads), share))


# The ideal.


def ideal(batch: Batch, lists: Gains) -> Gains:
    """What each ideal list earns at its ranks."""
    queries, documents = batch.shape
    gains = Gains(np.zeros(queries, np.bool_))
    contract = batch.contract
    most = documents if contract.ideal_cutoff == "none" else batch.depth
    cut = np.full(queries, most)
    if contract.ideal_cutoff == "returned":
        cut = np.minimum(batch.lengths, batch.depth)
    if contract.ideal_population == "returned-at-k":
        if lists.top:
            query, earned = (np.concatenate(part) for part in zip(*lists.top, strict=True))
            order = np.lexsort((-earned, query))
            _places_of(gains, query[order], earned[order], cut)
        return gains
    of_list = contract.ideal_population == "returned"
    if batch.few is not None:
        _few_levels(batch, gains, cut, of_list=of_list)
    elif batch.grades.levels is not None:
        _levels(batch, gains, cut, of_list=of_list)
    else:
        _values(batch, gains, cut, int(most), of_list=of_list)
    return gains


def _places_of(gains: Gains, query: Whole, earned: Floats, cut: Whole) -> None:
    """Gains by query, falling, as spans of one rank down to the cut."""
    starts = np.flatnonzero(np.concatenate([[True], query[1:] != query[:-1]])) if len(query) else np.array([], np.int64)
    rank = np.arange(len(query)) - np.repeat(starts, np.diff(starts, append=len(query)))
    inside = rank < cut[query]
    gains.spans.append(Spans(query[inside], rank[inside], rank[inside] + 1, earned[inside]))


def _sizes(batch: Batch, *, of_list: bool) -> Whole:
    """How many documents each ideal is made of."""
    population = _population(batch, of_list=of_list)
    queries, documents = batch.shape
    return np.full(queries, documents) if population is None else np.count_nonzero(population, axis=1)


def _population(batch: Batch, *, of_list: bool) -> Flags | None:
    if of_list:
        return batch.listed
    if batch.exists is None or batch.known is None:
        return batch.known if batch.exists is None else batch.exists
    return batch.exists & batch.known


def _few_levels(batch: Batch, gains: Gains, cut: Whole, *, of_list: bool) -> None:
    assert batch.few is not None
    places, grades = batch.few
    assert grades.levels is not None
    queries, documents = batch.shape
    levels = grades.levels[0].astype(np.int64)
    population = _population(batch, of_list=of_list)
    if population is not None:
        inside = population.ravel()[places]
        places, levels = places[inside], levels[inside]
    size = len(grades.gains)
    counts = np.bincount(places // documents * size + levels, minlength=queries * size).reshape(queries, size)
    _stacked(batch, gains, cut, grades, lambda level: counts[:, level], of_list=of_list)


def _levels(batch: Batch, gains: Gains, cut: Whole, *, of_list: bool) -> None:
    grades = batch.grades
    levels = grades.levels
    assert levels is not None
    population = _population(batch, of_list=of_list)
    if population is not None:
        levels = np.where(population, levels, levels.dtype.type(len(grades.gains) - 1))
    _stacked(batch, gains, cut, grades, lambda level: _count(levels == level), of_list=of_list)


def _stacked(batch: Batch, gains: Gains, cut: Whole, grades: Grades, count: Counter, *, of_list: bool) -> None:
    """One span a level, the highest gain first; documents that earn 0 only take ranks."""
    by_gain = sorted(range(len(grades.gains)), key=lambda level: grades.gains[level], reverse=True)
    above = np.zeros(len(cut), np.int64)
    query = np.arange(len(cut))

    def add(level: int, number: Whole) -> None:
        nonlocal above
        last = np.minimum(above + number, cut)
        gains.spans.append(Spans(query, np.minimum(above, cut), last, np.full(len(cut), grades.table[level])))
        above = above + number

    for level in by_gain:
        if grades.gains[level] > 0 and (above < cut).any():
            add(level, count(level))
    below = [level for level in by_gain if grades.gains[level] < 0]
    numbers = [count(level) for level in below]
    if below:
        above = _sizes(batch, of_list=of_list) - np.sum(numbers, axis=0)
        for level, number in zip(below, numbers, strict=True):
            add(level, number)


def _values(batch: Batch, gains: Gains, cut: Whole, most: int, *, of_list: bool) -> None:
    """Gains that no table holds, sorted."""
    values, population = batch.grades.values, _population(batch, of_list=of_list)
    assert values is not None
    queries, documents = batch.shape
    for rows in _chunks(batch):
        falling = -values[rows] if population is None else np.where(population[rows], -values[rows], np.inf)
        if 8 * most <= documents:
            falling = np.partition(falling, most - 1, axis=1)[:, :most]
        falling = np.sort(falling, axis=1)[:, :most]
        stand = (falling < np.inf) & (np.arange(falling.shape[1]) < cut[rows, None])
        gains.blocks.append(Block(np.arange(queries)[rows], np.where(stand, -falling, 0.0)))
