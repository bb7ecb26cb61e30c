"""What systems and hands do that no contract says: looked for where no plain contract and no named system fits.

Every cause of `ndcg_lab.identification.causes` is tried beside plain contracts, in floats; what comes near is proved
exactly. Tied lists of one query may also have been put in an order of their own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcg_lab.errors import NdcgLabError, Undecided
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.identification.causes import (
    CAUSES,
    IDEAL,
    LATE,
    LIST,
    RANK,
    TOPS_OF_ALL,
    UNSORTED,
    Cause,
    QueryGains,
    Side,
    gathered,
    other_gains,
)
from ndcg_lab.identification.chance import Chance, Seen
from ndcg_lab.identification.confirm import Number, value_of
from ndcg_lab.identification.hits import Target
from ndcg_lab.identification.lists import Floats, scale, weights
from ndcg_lab.identification.printed import Reading, cut_reading
from ndcg_lab.identification.space import MOST_DOCUMENTS, Cutoff, Over, Policy, Space, cost, cutoff_cost, depth, size
from ndcg_lab.measure.contract import Contract
from ndcg_lab.measure.evaluation import Evaluation, evaluate
from ndcg_lab.reports.averaging import weighted_mean

__all__ = ["DRAWN", "SHARED", "UNSORTED", "Effect", "beyond"]

GAINS, DISCOUNTS = ("linear", "exponential"), ("log2", "jarvelin")
MOST_COST_OF_POLICIES = 4
"""Orders that cost more than this are not tried; over many documents the mean over ties and trec_eval's alone."""

MOST_RANKS = 50
"""In longer lists no orders of tied documents are tried."""

CUTOFFS_BEYOND = (2, 3, 4, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Tried past the longest list, where that can make a difference."""

MOST_PROVED = 60
"""So many of the plainest that come near are proved."""

DRAWN = "one order of the tied documents, drawn at random"
SHARED = "tied documents all standing at their mean rank, cut to a whole number"
DIGITS = 12
"""Values that agree to so many decimals are shown once."""

_EVERY = 10**9
Lengths = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Effect(NamedTuple):
    """Something that no contract says, and the value that it gives beside a contract."""

    effect: str
    contract: Contract
    quantity: str
    value: Exact
    reading: str
    over: Over | None


class _Near(NamedTuple):
    """A value that comes near, and what it is made of."""

    cost: int
    order: int
    cause: Cause
    quantity: str
    value: float
    contract: Contract
    over: Over | None
    zero_ideal: str
    lists: Sequence[QueryGains]


@dataclass(frozen=True)
class _Averaged:
    """The queries that a mean is of: their places, and how it was said."""

    over: Over | None
    chosen: Lengths


def beyond(number: Number, space: Space) -> tuple[list[Effect], Chance | None]:
    """Every effect tried that gives the number, plainest first, and what other numbers of so many digits would find."""
    readings = {quantity: _readings(number, quantity) for quantity in number.asked.quantities}
    seen = Seen(number.asked.printed, readings)
    looking = _Looking(number, space, readings, seen)
    near = sorted(looking.near(), key=lambda one: one[:2])
    found = list(looking.proved(near))
    found += _of_ties(number, readings, seen)
    return found, seen.chance(-1, -1)


def _readings(number: Number, quantity: str) -> list[Reading]:
    """The readings of a number; as truncated too, however few decimals it has."""
    printed, found = number.asked.printed, list(number.readings[quantity])
    if printed.exact or printed.ellipsis or printed.decimals < 1 or any("truncated" in one.name for one in found):
        return found
    return [*found, cut_reading(printed)]


class _Looking:
    """The causes, each beside each plain contract."""

    def __init__(self, number: Number, space: Space, readings: Mapping[str, Sequence[Reading]], seen: Seen) -> None:
        self.number, self.readings, self.seen = number, readings, seen
        asked = number.asked
        self.targets = {name: Target.of(name, asked.printed, found) for name, found in readings.items()}
        self.over_queries = asked.over_queries
        self.judged = [query for query in asked.queries if len(query.judgments)]
        self.whole = depth(asked.queries)
        known = asked.known.get("k")
        further = [k for k in CUTOFFS_BEYOND if k > self.whole] if known is None else []
        self.cutoffs: list[Cutoff] = space.cutoffs
        self.cutoffs_further: list[Cutoff] = [*(k for k in space.cutoffs if k != "all"), *further]
        self.reach = max(self.whole, *(k for k in self.cutoffs_further if isinstance(k, int)), 1)
        self.gains = [gain for gain in space.gains if gain in GAINS] or space.gains[:1]
        self.discounts = [name for name in space.discounts if name in DISCOUNTS] or space.discounts[:1]
        few = [one for one in space.policies if one.cost <= MOST_COST_OF_POLICIES]
        if size(asked.queries) > MOST_DOCUMENTS:
            few = [one for one in few if one.cost == cost("ties", one.ties) and one.ties != "input"]
        self.policies = few or space.policies[:1]
        self.averaged = self._averages()

    def _averages(self) -> list[_Averaged]:
        every = np.arange(len(self.judged))
        if not self.over_queries:
            return [_Averaged(None, every)]
        there = np.array([at for at, query in enumerate(self.judged) if len(query.ranking)], dtype=np.int64)
        if len(there) == len(every):
            return [_Averaged(Over(), every)]
        return [_Averaged(Over(missing="zero"), every), _Averaged(Over(missing="exclude"), there)]

    def near(self) -> Iterator[_Near]:
        """What comes near the number, in floats; of cutoffs that give the same the plainest."""
        if not self.judged:
            return
        order = 0
        for gain in self.gains:
            causes = [cause for cause in (*CAUSES, *other_gains(gain)) if self._applies(cause)]
            for policy in self.policies:
                lists = gathered(self.judged, self._contract(gain, "log2", policy), self.reach)
                if lists is None:
                    continue
                tables = _Tables(lists)
                for discount in self.discounts:
                    sums = _Sums(tables, discount)
                    settled = cost("gain", gain) + cost("discount", discount) + policy.cost
                    contract = self._contract(gain, discount, policy)
                    for cause in causes:
                        order += 1
                        if cause.late and discount != "log2":  # the later discounts of the other one are log2's
                            continue
                        yield from self._of(cause, contract, lists, sums, settled, order)

    @staticmethod
    def _contract(gain: str, discount: str, policy: Policy) -> Contract:
        return Contract(gain=gain, k="all", discount=discount, **policy._asdict())

    def _applies(self, cause: Cause) -> bool:
        of_all = cause.effect == TOPS_OF_ALL and not self.over_queries
        return self._quantity(cause) in self.readings and not of_all

    def _quantity(self, cause: Cause) -> str:
        return {"ndcg": "mean", "dcg": "mean dcg"}.get(cause.quantity, "") if self.over_queries else cause.quantity

    def _of(
        self, cause: Cause, contract: Contract, lists: Sequence[QueryGains], sums: "_Sums", settled: int, order: int
    ) -> Iterator[_Near]:
        quantity = self._quantity(cause)
        cutoffs = self.cutoffs_further if cause.beyond_the_list else self.cutoffs
        lengths = np.array([_EVERY if k == "all" else int(k) for k in cutoffs], dtype=np.int64)
        try:
            above = sums(cause.above, lengths)
            below = None if cause.below is None else sums(cause.below, lengths)
            idle = self._idle(cause, above, below, sums, lengths)
        except (NdcgLabError, OverflowError):  # a grade that a gain has no value for, or none among the doubles
            return
        costs = np.array([cutoff_cost(k, self.whole) for k in cutoffs]) + settled
        for zero_ideal, over, values in self._values(cause, above, below):
            its = costs + cost("zero_ideal", zero_ideal) + (0 if over is None else over.cost)
            there = np.isfinite(values) & ~idle
            self.seen.add(quantity, values[there], its[there], np.ones(int(there.sum()), dtype=np.int64))
            met: set[float] = set()
            for at in np.argsort(its, kind="stable").tolist():
                value = float(values[at])
                if there[at] and any(low <= value <= high for low, high in self.targets[quantity].intervals):
                    if round(value, DIGITS) in met:
                        continue
                    met.add(round(value, DIGITS))
                    stated = contract.replace(k=cutoffs[at], zero_ideal=zero_ideal, **cause.settings)
                    yield _Near(int(its[at]), order, cause, quantity, value, stated, over, zero_ideal, lists)

    @staticmethod
    def _idle(cause: Cause, above: Floats, below: Floats | None, sums: "_Sums", lengths: Lengths) -> Mask:
        """The cutoffs at which the cause changes nothing for any query."""
        if cause.loss:
            return np.zeros(len(lengths), dtype=bool)
        own = Side(IDEAL if cause.quantity == "idcg" else LIST)
        same = np.isclose(above, sums(own, lengths), rtol=1e-12, atol=0).all(axis=0)
        if below is not None:
            same &= np.isclose(below, sums(Side(IDEAL), lengths), rtol=1e-12, atol=0).all(axis=0)
        return np.asarray(same)

    def _values(self, cause: Cause, above: Floats, below: Floats | None) -> Iterator[tuple[str, Over | None, Floats]]:
        """The values at every cutoff; where some ideal is 0, that query as 0 and left out."""
        for averaged in self.averaged:
            top = above[averaged.chosen]
            if not len(top):
                continue
            if below is None:
                yield "undefined", averaged.over, top.mean(axis=0)
                continue
            bottom = below[averaged.chosen]
            some = bottom > 0
            ratio = np.divide(top, bottom, out=np.zeros_like(top), where=some)
            if cause.loss:
                ratio = 1 - ratio
            if some.all() or not self.over_queries:
                yield "undefined", averaged.over, np.where(some.all(axis=0), ratio.mean(axis=0), np.nan)
                continue
            yield "zero", averaged.over, ratio.mean(axis=0)
            counts = some.sum(axis=0)
            without = np.where(some, ratio, 0).sum(axis=0) / np.maximum(counts, 1)
            yield "exclude", averaged.over, np.where(counts > 0, without, np.nan)

    def proved(self, near: Sequence[_Near]) -> Iterator[Effect]:
        """What is proved to give the number; each cause once for each value."""
        met: set[tuple[str, str, float]] = set()
        for one in near:
            key = one.cause.effect, one.quantity, round(one.value, DIGITS)
            if len(met) < MOST_PROVED and key not in met:
                met.add(key)
                value = self._exactly(one)
                reading = None if value is None else _reading(self.readings[one.quantity], value)
                if value is not None and reading is not None:
                    yield Effect(one.cause.effect, one.contract, one.quantity, value, reading, one.over)

    def _exactly(self, one: _Near) -> Exact | None:
        k = _EVERY if one.contract.k == "all" else int(one.contract.k)
        discount, cause = one.contract.discount_rule, one.cause
        places = next(averaged.chosen for averaged in self.averaged if averaged.over == one.over)
        values: dict[str, Exact] = {}
        for at in places.tolist():
            value: Exact = one.lists[at].sum(cause.above, k, discount)
            if cause.below is not None:
                ideal = one.lists[at].sum(cause.below, k, discount)
                if ideal.sign() > 0:
                    value = value / ideal
                elif one.zero_ideal == "exclude":
                    continue
                else:
                    value = Linear()
                value = 1 - value if cause.loss else value
            values[str(at)] = value
        if not self.over_queries:
            return values.get("0")
        mean = weighted_mean(dict.fromkeys(values, Fraction(1)), values)
        return None if isinstance(mean, Undefined) else mean


def _reading(readings: Sequence[Reading], value: Exact) -> str | None:
    try:
        return next((reading.name for reading in readings if reading.accepts(value)), None)
    except Undecided:  # not proved, so not claimed
        return None


class _Tables:
    """Gains in floats, by the names of their lists: a row a query, a column a rank."""

    def __init__(self, lists: Sequence[QueryGains]) -> None:
        self.lists = lists
        self._made: dict[str, Floats] = {}

    def __getitem__(self, name: str) -> Floats:
        """The gains; past the end of a list 0."""
        if name not in self._made:
            rows = [one[name] for one in self.lists]
            table = np.zeros((len(rows), max(map(len, rows))))
            for place, row in enumerate(rows):
                table[place, : len(row)] = row
            self._made[name] = table
        return self._made[name]


class _Sums:
    """Sums in floats: a row a query, a column a cutoff."""

    def __init__(self, tables: _Tables, discount: str) -> None:
        self.tables, self.discount, self.scale = tables, discount, scale(discount)
        self._running: dict[tuple[str, str], Floats] = {}

    def __call__(self, side: Side, lengths: Lengths) -> Floats:
        """A side's sum at each cutoff."""
        key = side.gains, side.worth
        if key not in self._running:
            table = self.tables[side.gains]
            sums = np.zeros((len(table), table.shape[1] + 1))
            np.cumsum(table * self._worth(side.worth, table.shape[1]), axis=1, out=sums[:, 1:])
            self._running[key] = sums
        sums = self._running[key]
        last = sums.shape[1] - 1
        return np.asarray(sums[:, np.minimum(lengths if side.cut else np.full_like(lengths, _EVERY), last)])

    def _worth(self, worth: str, width: int) -> Floats:
        if worth == RANK:
            return np.arange(1.0, width + 1)
        late = worth == LATE
        return np.array(weights(self.discount, width + late)[late:]) * self.scale


# Orders of tied documents.


def _of_ties(number: Number, readings: Mapping[str, Sequence[Reading]], seen: Seen) -> Iterator[Effect]:
    """What one query's tied documents give in an order of their own."""
    asked = number.asked
    if asked.over_queries or depth(asked.queries) > MOST_RANKS:
        return
    (query,) = asked.queries
    if all(len(group) == 1 for group in query.ranking.tie_groups()):
        return
    known = {name: value for name, value in asked.known.items() if name in {"gain", "k", "discount"}}
    tried: list[dict[str, Any]] = [
        {"gain": gain, "discount": discount, "k": k, **known}
        for gain in GAINS
        for discount in DISCOUNTS
        for k in range(depth(asked.queries), 0, -1)
    ]
    contracts = dict.fromkeys(
        Contract(**settings, ties="average", unjudged="zero", duplicates="count", negative="zero") for settings in tried
    )
    for contract in contracts:
        try:
            e = evaluate(contract, query.ranking, query.judgments)
            for effect, quantity, value in _orders(e):
                if quantity not in readings:
                    continue
                seen.add(quantity, np.array([float(value)]), np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64))
                reading = _reading(readings[quantity], value)
                if reading is not None:
                    yield Effect(effect, contract, quantity, value, reading, None)
        except NdcgLabError:  # a grade without a gain, or more orders of ties than are listed
            continue


def _orders(e: Evaluation) -> Iterator[tuple[str, str, Exact]]:
    """Each effect with a quantity and its value."""
    contract, discount, k = e.contract, e.contract.discount_rule, e.contract.k
    assert isinstance(k, int)
    earned = {document: contract.gain_rule(max(e.judgments.get(document, 0), 0)) for document in e.ranking}
    at_rank: dict[int, Fraction] = {}
    first = 1
    for group in e.ranking.tie_groups():
        rank = first + (len(group) - 1) // 2
        at_rank[rank] = Fraction(sum(earned[document] for document in group))
        first += len(group)
    shared = discount.total([at_rank.get(rank, 0) for rank in range(1, min(k, first) + 1)])
    yield SHARED, "dcg", shared
    if e.idcg.sign() > 0:
        yield SHARED, "ndcg", shared / e.idcg
    for value in e.outcomes().values:
        if not isinstance(value, Undefined) and value != value_of(e, "ndcg"):
            yield DRAWN, "ndcg", value
