"""Lists in the order that a policy brings them into, as matrices: a row for each query, a column for each rank.

The steps are those of `ndcg_lab.measure.evaluation`, which arranges, resolves and finds the gains. Here stands only
what is many times over in a search: gains as classes (the places of distinct gains, rising), held in whole numbers, so
that two lists are the same where their classes are.
"""

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.rationals import Number
from ndcg_lab.identification.space import Ideal, Policy, Query, Space
from ndcg_lab.measure.contract import Contract
from ndcg_lab.measure.data import Judgments
from ndcg_lab.measure.evaluation import Entry, arranged, gains_of, resolved
from ndcg_lab.measure.rules import parse_discount

LARGEST = 1 << 900
"""Gains beyond this are held as multiples of the largest: as doubles they would overflow."""

NOTHING, PAD = 0, -1
"""The codes of a document that earns nothing, and of no document; grades are counted from 1. As an index, `PAD` is the
last place of a table."""

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]


@dataclass(frozen=True)
class _Arranged:
    """Every query's list in file order as codes, their lengths, and the tie groups whose order may matter."""

    codes: Codes
    lengths: Codes
    tied: list[tuple[int, int, list[tuple[str, int]]]]
    """The row, the ranks above, and each document with its code."""


@dataclass(frozen=True)
class Gains:
    """Gains that are the same for every grade of the data: their names, and the gain of each class."""

    names: tuple[str, ...]
    worths: tuple[Number, ...]
    """The distinct gains, rising; 0 is among them."""
    classes: Codes
    """The class of each code."""
    negative: str
    tokens: dict[tuple[int, ...], int] = field(default_factory=dict)
    """The classes of a tie group that shares its gains -> a class of its own, past the others."""

    @property
    def zero(self) -> int:
        """The class of the gain 0."""
        return int(self.classes[NOTHING])

    @property
    def unit(self) -> int:
        """Gains are held as multiples of this."""
        largest = max(max(gain, -gain) for gain in self.worths)
        return 1 if largest < LARGEST else int(largest)

    def floats(self) -> Floats:
        """The gain of each class as a double, and 0 for `PAD`."""
        return np.array([float(Fraction(gain) / self.unit) for gain in self.worths] + [0.0])


@dataclass(frozen=True)
class Population:
    """Gains by falling class, which ideals are cut from, and how many there are down to the last that isn't 0."""

    classes: Codes
    worth: Codes

    @classmethod
    def of(cls, classes: Codes, zero: int) -> "Population":
        """The classes of each row, in any order."""
        falling = -np.sort(-classes, axis=1)
        return cls(falling, worth(falling, zero))


def worth(falling: Codes, zero: int) -> Codes:
    """How many of each row, by falling class, down to the last that isn't 0: the rest add nothing."""
    above = (falling > zero).sum(axis=1)
    there = (falling != PAD).sum(axis=1)
    below = ((falling < zero) & (falling != PAD)).any(axis=1)
    return np.asarray(np.where(below, there, above), dtype=np.int32)


JUDGED, RETURNED, TOP = 0, 1, 2
"""Where an ideal is cut from: the two populations, and the top k alone."""


@dataclass(frozen=True)
class Parts:
    """An ideal at every cutoff: for each query and cutoff, where it is cut from and its length."""

    tables: Codes
    sizes: Codes
    refused: NDArray[np.bool_]
    """The cutoffs at which the data are refused."""


class Lists:
    """What every query's list earns under one gain and one order, and the populations of its ideals.

    Policies and gains that give the same are one.
    """

    def __init__(self, gains: Gains, arrangement: _Arranged, codes: Codes, ties: str, judged: Population) -> None:
        self.gains = gains
        self.policies: list[Policy] = []
        self.judged = judged
        self.lengths = arrangement.lengths
        self.entries: Codes = gains.classes[codes]
        """The class of what stands at each rank."""
        self.earned_classes: Codes = self.entries
        """The class of what is earned there, which differs where ties are averaged."""
        self.open = np.zeros(codes.shape[1] + 1, dtype=bool)
        """At which cutoffs averaged ties leave open what the top k is made of."""
        self.returned = Population.of(self.entries, gains.zero)
        self.tops: dict[int, Population] = {}
        """The top k by falling gain, by the place of the cutoff: where an ideal is made of it."""
        table = gains.floats()
        self.earned: Floats = table[self.entries]
        if ties == "average":
            self._share(arrangement)

    def _share(self, arrangement: _Arranged) -> None:
        """Let tied documents of different gains earn their mean."""
        gains = self.gains
        self.earned_classes = self.entries.copy()
        for row, above, group in arrangement.tied:
            classes = sorted(int(gains.classes[code]) for _, code in group)
            if classes[0] == classes[-1]:
                continue
            end = above + len(group)
            token = gains.tokens.setdefault(tuple(classes), len(gains.worths) + len(gains.tokens))
            self.earned_classes[row, above:end] = token
            total = sum(Fraction(gains.worths[one]) for one in classes)
            self.earned[row, above:end] = float(total / (len(group) * gains.unit))
            self.open[above + 1 : end] = True

    @property
    def key(self) -> object:
        """What tells these lists from others of the same gains."""
        return self.earned_classes.tobytes(), self.entries.tobytes(), self.lengths.tobytes()

    def parts(self, ideals: Sequence[Ideal], cutoffs: Codes) -> dict[Ideal, Parts]:
        """Each ideal at each cutoff."""
        same = _same_rows(self.judged.classes, self.returned.classes)
        within = np.minimum(cutoffs, self.lengths[:, None])
        lengths = {"k": np.broadcast_to(cutoffs, within.shape), "returned": within, "none": np.full_like(within, 2**30)}
        of_list = np.broadcast_to(np.where(same, JUDGED, RETURNED)[:, None], within.shape)
        nowhere = np.zeros(len(cutoffs), dtype=bool)
        found: dict[Ideal, Parts] = {}
        for ideal in ideals:
            population, cut = ideal
            if population == "judged":
                sizes = np.minimum(lengths[cut], self.judged.worth[:, None])
                found[ideal] = Parts(np.zeros_like(sizes), sizes, nowhere)
            elif population == "returned":
                found[ideal] = Parts(of_list, np.minimum(lengths[cut], self.returned.worth[:, None]), nowhere)
            else:  # the top k, however it is cut then
                known = next((one for other, one in found.items() if other.ideal_population == population), None)
                found[ideal] = known or self._top(cutoffs, within, of_list)
        return found

    def _top(self, cutoffs: Codes, within: Codes, of_list: Codes) -> Parts:
        tables, sizes = of_list.copy(), np.minimum(within, self.returned.worth[:, None])
        for place, k in enumerate(cutoffs):
            top = Population.of(self.entries[:, :k], self.gains.zero)
            agree = ((top.classes == self.returned.classes[:, :k]) | (top.classes == PAD)).all(axis=1)
            if not agree.all():
                self.tops[place] = top
                tables[:, place] = np.where(agree, tables[:, place], TOP)
                sizes[:, place] = np.where(agree, sizes[:, place], top.worth)
        return Parts(tables, sizes, self.open[np.minimum(cutoffs, len(self.open) - 1)])

    def made(self, place: int, k: int, parts: Parts | None, weights: Floats, *, dcg: bool) -> Hashable:
        """What a value is made of: where this is the same, so is the value, whatever the settings' names.

        Ranks below the last that earns anything aren't among it. `place` is the place of the cutoff k.
        """
        earned = trimmed(self.earned_classes[:, :k], self.gains.zero) if dcg else np.zeros((0, 0), dtype=np.int32)
        rows = np.zeros((0, 0), dtype=np.int32)
        if parts is not None:
            tables, sizes, top = parts.tables[:, place], parts.sizes[:, place], self.tops.get(place)
            reach = int(sizes.max(initial=0))
            rows = np.full((len(sizes), reach), PAD, dtype=np.int32)
            for table, population in ((JUDGED, self.judged), (RETURNED, self.returned), (TOP, top)):
                if population is not None:
                    chosen = np.flatnonzero(tables == table)
                    width = min(reach, population.classes.shape[1])
                    rows[chosen, :width] = population.classes[chosen, :width]
            rows[np.arange(reach) >= sizes[:, None]] = PAD
        reach = max(earned.shape[1], rows.shape[1])
        return self.gains.worths, earned.shape, earned.tobytes(), rows.shape, rows.tobytes(), weights[:reach].tobytes()


def _same_rows(one: Codes, other: Codes) -> NDArray[np.bool_]:
    """Which rows are the same, but for padding."""
    width = min(one.shape[1], other.shape[1])
    rest = (one[:, width:] == PAD).all(axis=1) & (other[:, width:] == PAD).all(axis=1)
    return np.asarray((one[:, :width] == other[:, :width]).all(axis=1) & rest)


def trimmed(classes: Codes, zero: int) -> Codes:
    """Rows without what stands past the last that isn't 0, and no wider than the longest."""
    live = (classes != zero) & (classes != PAD)
    width = classes.shape[1]
    last = np.where(live.any(axis=1), width - np.argmax(live[:, ::-1], axis=1), 0) if width else np.zeros(len(classes))
    kept = classes.copy()
    kept[np.arange(width) >= last[:, None]] = PAD
    return kept[:, : int(last.max(initial=0))].copy()


@lru_cache(maxsize=256)
def weights(discount: str, longest: int) -> tuple[float, ...]:
    """The discounts from rank 1 on, as floats; see `scale`."""
    terms = (parse_discount(discount).term(rank) for rank in range(1, longest + 1))
    return tuple(float(factor) / math.log2(base) for base, factor in terms)


def scale(discount: str) -> float:
    """The factor of every discount: the logarithm of its base."""
    text = parse_discount(discount).scale
    if text is None:
        return 1.0
    base = text.removeprefix("log2(").removesuffix(")")
    return math.log2(math.e if base == "e" else Fraction(base))


def all_lists(queries: Sequence[Query], space: Space) -> Iterator[Lists]:
    """Each gain under each policy, what gives the same together; plainest first. Each query has judgments."""
    grades = sorted({grade for query in queries for grade in query.judgments.values()})
    code_of: dict[Number | None, int] = {grade: code for code, grade in enumerate(grades, 1)}
    judged = _matrix([[code_of[grade] for grade in query.judgments.values()] for query in queries])
    arrangements: dict[tuple[str, ...], _Arranged] = {}
    orders: dict[object, Codes] = {}
    for gains in _all_gains(grades, space):
        population = Population.of(gains.classes[judged], gains.zero)
        found: dict[object, Lists] = {}
        for policy in space.policies:
            if policy.negative != gains.negative:
                continue
            how = policy.score_precision, policy.unjudged, policy.duplicates
            if how not in arrangements:
                arrangements[how] = _arranged(queries, policy, code_of)
            arrangement = arrangements[how]
            by_gain = tuple(gains.classes.tolist()) if policy.ties in {"best", "worst"} else ()
            if (how, policy.ties, by_gain) not in orders:
                orders[how, policy.ties, by_gain] = _ordered(arrangement, policy.ties, gains)
            lists = Lists(gains, arrangement, orders[how, policy.ties, by_gain], policy.ties, population)
            found.setdefault(lists.key, lists).policies.append(policy)
        yield from found.values()


def _all_gains(grades: Sequence[Number], space: Space) -> Iterator[Gains]:
    """The gains, those together that are the same for every grade; not those that a rule or a policy refuses."""
    data = Judgments({str(place): grade for place, grade in enumerate(grades)})
    for negative in dict.fromkeys(policy.negative for policy in space.policies):
        alike: dict[tuple[Number, ...], list[str]] = {}
        for gain in space.gains:
            try:
                of = gains_of(Contract.from_json({"gain": gain, "k": "all", "negative": negative}), data)
            except NdcgLabError:
                continue
            alike.setdefault(tuple(of[grade] for grade in grades), []).append(gain)
        for worths, names in alike.items():
            distinct = sorted({0, *worths})
            classes = [distinct.index(worth) for worth in (0, *worths)] + [PAD]
            yield Gains(tuple(names), tuple(distinct), np.array(classes, dtype=np.int32), negative)


def _arranged(queries: Sequence[Query], policy: Policy, code_of: dict[Number | None, int]) -> _Arranged:
    settings: dict[str, Any] = {**policy._asdict(), "ties": "error", "negative": "error"}
    contract = Contract(gain="linear", k="all", **settings)
    rows: list[list[int]] = []
    tied = []
    for row, query in enumerate(queries):
        codes: list[int] = []
        for group in arranged(contract, query.ranking, query.judgments)[0] if query.evaluable else ():
            documents = [(name, code_of[grade] if earns else NOTHING) for name, grade, earns in group]
            if len(documents) > 1 and len({code for _, code in documents}) > 1:
                tied.append((row, len(codes), documents))
            codes += [code for _, code in documents]
        rows.append(codes)
    longest = max((len(query.ranking) for query in queries), default=0)
    return _Arranged(_matrix(rows, longest), np.array([len(row) for row in rows], dtype=np.int32), tied)


def _ordered(arrangement: _Arranged, ties: str, gains: Gains) -> Codes:
    """The codes with each tie group in the policy's order."""
    codes = arrangement.codes.copy()
    for row, above, group in arrangement.tied:
        entries: list[Entry] = [(name, code, int(gains.classes[code])) for name, code in group]
        codes[row, above : above + len(group)] = [int(code or 0) for _, code, _ in resolved(ties, entries)]
    return codes


def _matrix(rows: Sequence[Sequence[int]], width: int = 0) -> Codes:
    width = max(width, *(len(row) for row in rows), 1)
    return np.array([[*row, *([PAD] * (width - len(row)))] for row in rows], dtype=np.int32).reshape(len(rows), width)
