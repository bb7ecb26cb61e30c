"""Discounts applied to a batch: doubles as they come, or correctly rounded ones, proved.

**Certified doubles.** A query's NDCG is N/D, sums of gains times discounts. Let w m >= 120, for whole w and m.

1. Each discount d, in units of the first rank's, is cut into m whole numbers of w bits. With p_j the j-th of them,
   sum p_j 2^(-w (j+1)) <= d, and d is
   less than 2 units of 2^(-w m) larger (`y_floor` is 2 units wide at a precision 64 bits finer, and cutting takes 1).
2. Gains are made whole numbers, of one denominator for all queries, and times the least common multiple of the sizes of
   a query's ties, for a tie earns its mean gain at each rank. All that cancels in N/D. Let G be the sum of their
   absolute values over the ranks, N's or D's. Where G and the number of ranks are below 2^(53 - w), every product and
   every sum with the p_j is a whole number below 2^53: doubles hold it exactly, in whatever order it is added.
3. The m sums are added up as a pair of doubles. Each addition is off by at most 2^-104 of what is there, which is at
   most 2 G; with the cut discounts N is off by at most (m 2^-103 + 2^(1 - w m)) G < 2^-98 G, for m <= 10. So is D.
4. The pair q0 + q1 of N/D: q0 is a double's quotient; the remainder N - q0 D is found with an exact product, and q1 is
   the remainder over D. That is off by at most 2^-100 |N/D|, and by what 3. leaves: (2^-98 G_N + |N/D| 2^-98 G_D) / D.
5. With s + e = q0 + q1, s the nearest double, and E twice the sum of 4.: where s + (e + E) and s + (e - E) both round
   to s, the exact value, which lies strictly between the two, rounds to s too.

Where 5. does not hold, or sizes are beyond 2., the exact path decides: for a value in the middle between two doubles,
and for sums that cancel.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from ndcg_lab.batch.ranking import Block, Gains, Spans
from ndcg_lab.exact.enclosures import LEVELS, y_floor
from ndcg_lab.measure.rules import parse_discount

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ndcg_lab.batch.arrays import Flags, Floats
    from ndcg_lab.exact.rationals import Number

__all__ = ["certified", "doubles", "total"]

_BITS = 120
_MOST_PIECES = 10
_PART = 134_217_729.0  # 2^27 + 1, which splits a double in two halves of 26 bits


def total(gains: Gains, weights: Floats, queries: int) -> Floats:
    """The sum of gains times weights, a query each; `weights` holds those of ranks 1, 2, 3 and so on."""
    sums = np.zeros(queries)
    for block in gains.blocks:
        sums[block.queries] += block.gains @ weights[: block.gains.shape[1]]
    reach = np.concatenate([[0.0], np.cumsum(weights)])
    for spans in gains.spans:
        last, above = (np.minimum(end, len(weights)) for end in (spans.last, spans.above))
        each = spans.gain * (reach[last] - reach[above])
        sums += np.bincount(spans.query, each if spans.share is None else each / spans.share, queries)
    return sums


@lru_cache(maxsize=16)
def doubles(discount: str, depth: int) -> Floats:
    """The discounts down to a depth, as doubles."""
    rule = parse_discount(discount)
    terms = [rule.term(rank) for rank in range(1, depth + 1)]
    scale = 1.0 if rule.scale is None else float(rule.value(1)) / float(terms[0][1])
    return scale * np.array([float(q) for _, q in terms]) / np.log2([float(b) for b, _ in terms])


def certified(
    discount: str, lists: Gains, ideals: Gains, table: Iterable[Number] | None, depths: tuple[int, int], queries: int
) -> tuple[Floats, Flags]:
    """NDCG, correctly rounded, and where that is proved.

    Args:
        discount: the contract's.
        lists: what the lists earn.
        ideals: what the ideals earn.
        table: the different gains, exact; None where they are not known.
        depths: down to which rank the lists and the ideals count.
        queries: how many there are.
    """
    nothing = np.zeros(queries), np.zeros(queries, np.bool_)
    if table is None:
        return nothing
    denominator = lcm(*(gain.denominator for gain in table))
    common, fits = _multiples(lists, queries)
    if denominator >= 1 << 40:
        return nothing
    sides = [_scaled(lists, denominator, common), _scaled(ideals, denominator, common)]
    sizes = [_size(side, depth, queries) for side, depth in zip(sides, depths, strict=True)]
    largest = max(float(np.max(size, initial=1.0, where=fits)) for size in sizes)
    width = 53 - int(min(max(largest, *depths), 2.0**52)).bit_length()
    if width * _MOST_PIECES < _BITS:
        width = -(-_BITS // _MOST_PIECES)
        fits &= (sizes[0] < 2.0 ** (53 - width)) & (sizes[1] < 2.0 ** (53 - width))
        if max(depths) >= 2 ** (53 - width):
            return nothing
    pieces = _pieces(discount, max(depths), width)
    pairs: list[tuple[Floats, Floats]] = []
    for side, depth in zip(sides, depths, strict=True):
        high = low = np.zeros(queries)
        for place, piece in enumerate(pieces):
            high, low = _plus(high, low, total(side, piece[:depth], queries) * 2.0 ** (-width * (place + 1)))
        pairs.append((high, low))
    return _quotient(pairs[0], pairs[1], sizes[0], sizes[1], fits)


def _multiples(lists: Gains, queries: int) -> tuple[Floats, Flags]:
    """A multiple of the sizes of each query's ties, and where that is short enough to work with."""
    common = np.ones(queries, np.int64)
    for spans in lists.spans:
        if spans.share is not None:
            ties = spans.share > 1
            for query, share in zip(spans.query[ties].tolist(), spans.share[ties].tolist(), strict=True):
                if common[query] < 1 << 30:
                    common[query] = lcm(int(common[query]), share)
    return common.astype(np.float64), common < 1 << 30


def _scaled(gains: Gains, denominator: int, common: Floats) -> Gains:
    """The same with whole gains and no shares."""
    scaled = Gains(gains.open)
    for block in gains.blocks:
        one = denominator == 1 and (common[block.queries] == 1).all()
        values = block.gains if one else np.rint(block.gains * denominator) * common[block.queries, None]
        scaled.blocks.append(Block(block.queries, values))
    for spans in gains.spans:
        factor = common[spans.query]
        if spans.share is not None:
            factor = factor / spans.share
        whole = spans.gain if denominator == 1 else np.rint(spans.gain * denominator)
        scaled.spans.append(Spans(spans.query, spans.above, spans.last, whole * factor))
    return scaled


def _size(gains: Gains, depth: int, queries: int) -> Floats:
    """The sum of absolute gains over the ranks."""
    size = np.zeros(queries)
    for block in gains.blocks:
        size[block.queries] += np.abs(block.gains).sum(axis=1)
    for spans in gains.spans:
        ranks = np.minimum(spans.last, depth) - np.minimum(spans.above, depth)
        size += np.bincount(spans.query, np.where(ranks > 0, np.abs(spans.gain), 0.0) * ranks, queries)
    return size


@lru_cache(maxsize=16)
def _pieces(discount: str, depth: int, width: int) -> tuple[Floats, ...]:
    """The discounts down to a depth, each cut into whole numbers of so many bits, first ones first.

    They are taken in units of the first rank's, which is the largest and rational, so that none is above 1.
    """
    number = -(-_BITS // width)
    bits = number * width
    level = next(level for level in LEVELS if level >= bits + 64)
    rule, floor = parse_discount(discount), y_floor(level)
    _, unit = rule.term(1)
    cut = []
    for rank in range(1, depth + 1):
        b, q = rule.term(rank)
        q = Fraction(q) / unit
        cut.append(q.numerator * floor[b] // (q.denominator << (level - bits)))
    mask = (1 << width) - 1
    shifts = range(bits - width, -1, -width)
    first, *rest = shifts
    pieces = [np.array([float(number >> first) for number in cut])]  # of a discount of 1 it is 2^width
    return (*pieces, *(np.array([float(number >> shift & mask) for number in cut]) for shift in rest))


# Pairs of doubles (Dekker, Numerische Mathematik 18, 1971).


def _plus(high: Floats, low: Floats, other: Floats) -> tuple[Floats, Floats]:
    """A pair and a double, as a pair."""
    total = high + other
    there = total - high
    error = (high - (total - there)) + (other - there)
    low = low + error
    high = total + low
    return high, low - (high - total)


def _product(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """The exact product of two doubles."""
    product = one * other
    parts = []
    for value in (one, other):
        big = value * _PART
        upper = big - (big - value)
        parts.append((upper, value - upper))
    (a, b), (c, d) = parts
    return product, ((a * c - product) + a * d + b * c) + b * d


def _quotient(
    numerator: tuple[Floats, Floats],
    denominator: tuple[Floats, Floats],
    most: Floats,
    most_below: Floats,
    fits: Flags,
) -> tuple[Floats, Flags]:
    """N/D as the nearest double, and where that is shown."""
    (high, low), (below, rest) = numerator, denominator
    with np.errstate(all="ignore"):
        first = high / below
        product, error = _product(first, below)
        second = ((high - product) - error + low - first * rest) / below
        value = first + second
        left = second - (value - first)
        size = np.abs(value)
        off = 2 * (2.0**-98 * (most + size * most_below) / below + 2.0**-100 * size)
        shown = fits & (below > 2.0**-90 * most_below) & np.isfinite(value)
        shown &= (value + (left + off) == value) & (value + (left - off) == value)
    return np.where(shown, value, 0.0), shown
