"""The search: which contracts of the space come near enough to a number, in floats.

For one order of the lists (`ndcg_lab.identification.lists`) the values at every cutoff under every discount are one
array. What makes no difference on these data is kept together in one `Hit`. Floats only propose: the caller proves
every hit.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcg_lab.identification.chance import Seen
from ndcg_lab.identification.hits import MARGIN, Double, Hit, Target
from ndcg_lab.identification.lists import JUDGED, RETURNED, TOP, Codes, Floats, Lists, Parts, all_lists, scale, weights
from ndcg_lab.identification.space import PLAIN, Cutoff, Ideal, Over, Query, Space, cost, cutoff_cost, depth, size

MOST_COST_OF_MEANS, MOST_COST_OF_LARGE, LARGE = 100, 50, 5000
"""Over queries, where there is much more to vary, contracts further from plain than this are not tried; nor are those
past the second cost over more documents than the third."""

NEAREST = 3
"""How many of the nearest are kept: of the plain ones, and of all."""

MOST_HITS = 3000
"""So many of the plainest hits are kept."""

MOST_CELLS = 4_000_000
"""So many products of gain and discount are held at a time."""

_SUPPLIED = {"zero": 0.0, "one": 1.0}
Mask = NDArray[np.bool_]


class Found(NamedTuple):
    """What a search gives: the hits, what comes nearest otherwise, and all that was looked at."""

    hits: list[Hit]
    near: list[Hit]
    seen: Seen
    dropped: int
    """Hits that were not kept, being past the most that are."""


class _Variant(NamedTuple):
    """What is done with the values of the queries."""

    quantity: str
    zero_ideal: str = "undefined"
    round_to: int | None = None
    overs: tuple[Over, ...] = (Over(),)

    @property
    def cost(self) -> int:
        """How far from plain it is."""
        supplied = cost("zero_ideal", self.zero_ideal) if self.zero_ideal != "undefined" else 0
        return supplied + cost("round_to", self.round_to) + self.overs[0].cost


class _Place(NamedTuple):
    """Where the search is: lists and an ideal, and under each discount and cutoff the cost and whether it is tried."""

    lists: Lists
    discounts: range
    costs: NDArray[np.int64]
    tried: Mask
    ideals: Sequence[Sequence[Ideal]]
    """At each cutoff, those that are this one; none where it is another one."""
    parts: Parts | None


class _Raw(NamedTuple):
    """A value that hits, and where it was met."""

    cost: int
    order: int
    value: float
    variant: _Variant
    place: _Place
    discount: int
    k: int


class _Nearest:
    """The nearest of distinct values."""

    def __init__(self) -> None:
        self.bound = math.inf
        """A value that misses by this much or more isn't among them."""
        self._pairs: dict[tuple[str, float], tuple[float, Hit]] = {}

    def add(self, miss: float, hit: Hit) -> None:
        """Take a value that may be among them; of equal ones the first stays."""
        self._pairs.setdefault((hit.quantity, float(f"{hit.value:.12g}")), (miss, hit))
        if len(self._pairs) > 2 * NEAREST:
            self._pairs = self.kept()
            self.bound = max(miss for miss, _ in self._pairs.values())

    def kept(self) -> dict[tuple[str, float], tuple[float, Hit]]:
        """Them, by quantity and value."""
        return dict(nsmallest(NEAREST, self._pairs.items(), key=lambda pair: pair[1][0]))


def search(
    queries: Sequence[Query],
    space: Space,
    targets: Mapping[str, Target],
    rounding: Sequence[int],
    seen: Seen,
    step: Callable[[], None] = lambda: None,
) -> Found:
    """Every contract of the space whose value comes near enough to the number, and the nearest others.

    Args:
        queries: one, whose `ndcg`, `dcg` and `idcg` are looked at; or several, with their `mean` and `mean dcg`.
        space: what is varied.
        targets: the quantities looked at, and what the number stands for as each.
        rounding: decimals to which each query's value may have been rounded.
        seen: where the values are counted.
        step: called after each list.
    """
    return _Search(queries, space, targets, rounding, seen).run(step)


class _Search:
    def __init__(
        self,
        queries: Sequence[Query],
        space: Space,
        targets: Mapping[str, Target],
        rounding: Sequence[int],
        seen: Seen,
    ) -> None:
        self.space, self.targets, self.rounding, self.seen = space, targets, rounding, seen
        self.over_queries = any(quantity.startswith("mean") for quantity in targets)
        self.whole = depth(queries)
        self.rows = [query for query in queries if len(query.judgments)] or list(queries[:1])
        """The others have no DCG and no ideal: they are only counted."""
        self.evaluable = np.array([query.evaluable for query in self.rows])
        self.spelled: dict[int, list[Cutoff]] = {}
        for k in space.cutoffs:  # `all` is the length of the whole list
            self.spelled.setdefault(self.whole if k == "all" else int(k), []).append(k)
        self.cutoffs = np.array(list(self.spelled), dtype=np.int32)
        self.k_costs = np.array([cutoff_cost(spellings[0], self.whole) for spellings in self.spelled.values()])
        self.discount_costs = np.array([cost("discount", name) for name in space.discounts])
        longest = max((len(side) for query in self.rows for side in (query.ranking, query.judgments)), default=0) or 1
        self.weights = np.array([weights(name, longest) for name in space.discounts])
        self.scales = np.array([scale(name) for name in space.discounts])
        self.noise = 5e-16 * (2 * longest + len(queries) + 50)
        """How far a value may be off, relatively, where nothing cancels and logarithms are good to 2 units."""
        self.most: float = math.inf
        if self.over_queries:
            self.most = MOST_COST_OF_LARGE if size(queries) > LARGE else MOST_COST_OF_MEANS
        self.supplied = {choice: value for choice, value in _SUPPLIED.items() if choice in space.zero_ideals}
        self._chosen(queries)
        self.plain, self.far = _Nearest(), _Nearest()
        self.raw: list[_Raw] = []
        self.most_raw: float = math.inf
        self.dropped = 0

    def _chosen(self, queries: Sequence[Query]) -> None:
        """Which queries each aggregation averages: a row for each, and how many."""
        places = {query.name: place for place, query in enumerate(self.rows)}
        found = []
        for overs in self.space.overs:
            chosen = [query for query in queries if _averaged(query, overs[0])]
            if chosen:
                row = np.zeros(len(self.rows))
                row[[places[query.name] for query in chosen if query.name in places]] = 1.0
                found.append((tuple(overs), row, len(chosen)))
        self.overs = [overs for overs, _, _ in found]
        self.members = np.array([row for _, row, _ in found]).reshape(len(found), len(self.rows))
        self.counts = np.array([float(count) for _, _, count in found])

    def run(self, step: Callable[[], None]) -> Found:
        """All of it."""
        for lists in all_lists(self.rows, self.space):
            base = cost("gain", lists.gains.names[0]) + lists.policies[0].cost
            if base <= self.most:
                self._under(lists, base)
            step()
        near = {**self.far.kept(), **self.plain.kept()}  # of equal values the plain one
        nearest = [hit for _, hit in sorted(near.values(), key=lambda pair: pair[0])]
        return Found(self._hits(), nearest, self.seen, self.dropped)

    def _under(self, lists: Lists, base: int) -> None:
        """Every value under one order."""
        options = self._options(lists)
        step = max(1, MOST_CELLS // (len(self.rows) * self.weights.shape[1]))
        for first in range(0, len(self.weights), step):
            discounts = range(first, min(first + step, len(self.weights)))
            sums = _Sums(lists, self.weights[discounts], self.scales[discounts])
            dcg = sums.dcg(self.cutoffs)
            room = np.broadcast_to(base + self.discount_costs[discounts, None], (len(discounts), len(self.cutoffs)))
            costs = room + self.k_costs
            if "dcg" in self.targets:
                place = _Place(
                    lists, discounts, costs, room <= self.most, [self.space.ideals[:1]] * len(costs[0]), None
                )
                self._take(place, sums.scaled(dcg[:, 0])[None], [_Variant("dcg")], place.tried[None])
            for parts, ideals in options:
                ideal_costs = np.array([group[0].cost if group else math.inf for group in ideals])
                tried = room + ideal_costs <= self.most
                if tried.any():
                    its = costs + np.array([group[0].cost if group else 0 for group in ideals])
                    place = _Place(lists, discounts, its, tried & np.isfinite(ideal_costs), ideals, parts)
                    look = self._several if self.over_queries else self._one
                    look(place, sums, dcg, sums.idcg(parts))

    def _options(self, lists: Lists) -> list[tuple[Parts, list[list[Ideal]]]]:
        """The ideals; at each cutoff those that are one and the same for every query stand with the plainest."""
        found: list[tuple[Parts, list[list[Ideal]]]] = []
        leading: list[dict[bytes, list[Ideal]]] = [{} for _ in self.cutoffs]
        for ideal, parts in lists.parts(self.space.ideals, self.cutoffs).items():
            leads: list[list[Ideal]] = [[] for _ in self.cutoffs]
            for k in np.flatnonzero(~parts.refused):
                key = parts.tables[:, k].tobytes() + parts.sizes[:, k].tobytes()
                if key in leading[k]:
                    leading[k][key].append(ideal)
                else:
                    leads[k] = leading[k][key] = [ideal]
            if any(leads):
                found.append((parts, leads))
        return found

    def _one(self, place: _Place, sums: "_Sums", dcgs: Floats, idcgs: Floats) -> None:
        """The values of one query."""
        dcg, idcg = dcgs[:, 0], idcgs[:, 0]
        if "idcg" in self.targets:
            self._take(place, sums.scaled(idcg)[None], [_Variant("idcg")], place.tried[None])
        if "ndcg" not in self.targets:
            return
        positive, zero = place.tried & (idcg > 0), place.tried & (idcg == 0)
        value = np.divide(dcg, idcg, out=np.zeros_like(dcg), where=idcg > 0)
        found = [(_Variant("ndcg"), value, positive)]
        found += [
            (_Variant("ndcg", round_to=decimals), _rounded(value, decimals), positive) for decimals in self.rounding
        ]
        if zero.any():
            found += [
                (_Variant("ndcg", zero_ideal), np.full_like(dcg, supplied), zero)
                for zero_ideal, supplied in self.supplied.items()
            ]
        variants, values, masks = zip(*found, strict=True)
        self._take(place, np.array(values), variants, np.array(masks))

    def _several(self, place: _Place, sums: "_Sums", dcgs: Floats, idcgs: Floats) -> None:
        """The values over queries."""
        plain = [at for at, overs in enumerate(self.overs) if overs[0].aggregate == "mean"]
        ratio = [at for at, overs in enumerate(self.overs) if overs[0].aggregate != "mean"]
        if "mean dcg" in self.targets and plain:
            values = sums.scaled(self._summed(plain, dcgs) / self.counts[plain, None, None])
            variants = [_Variant("mean dcg", overs=self.overs[at]) for at in plain]
            self._take(place, values, variants, np.broadcast_to(place.tried, values.shape))
        if "mean" in self.targets and ratio:
            above, below = self._summed(ratio, dcgs), self._summed(ratio, idcgs)
            values = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
            found = [("undefined", values, place.tried & (below > 0))]
            found += [
                (zero_ideal, np.full_like(above, supplied), place.tried & (below == 0))
                for zero_ideal, supplied in self.supplied.items()
            ]
            variants = [
                _Variant("mean", zero_ideal, overs=self.overs[at]) for zero_ideal, _, _ in found for at in ratio
            ]
            self._take(
                place, np.concatenate([one[1] for one in found]), variants, np.concatenate([one[2] for one in found])
            )
        if "mean" in self.targets and plain:
            self._means(place, dcgs, idcgs, plain)

    def _means(self, place: _Place, dcgs: Floats, idcgs: Floats, plain: list[int]) -> None:
        """The means of the queries' NDCG, for every value that a zero ideal may have."""
        evaluable = self.evaluable[None, :, None]
        of_each = np.divide(dcgs, idcgs, out=np.zeros_like(dcgs), where=evaluable & (idcgs != 0))
        zeros = self._summed(plain, (evaluable & (idcgs == 0)).astype(float))
        tried = np.broadcast_to(place.tried, zeros.shape)
        if (idcgs < 0).any():
            tried = tried & (self._summed(plain, (idcgs < 0).astype(float)) == 0)
        counts = self.counts[plain, None, None]
        without, left = tried & (zeros == 0), counts - zeros
        some = tried & ~without
        found: list[tuple[str, int | None, Floats, Mask]] = []
        for decimals in (None, *self.rounding):
            total = self._summed(plain, of_each if decimals is None else _rounded(of_each, decimals))
            found.append(("undefined", decimals, total / counts, without))
            if some.any():
                found.append(("zero", decimals, total / counts, some))
                found.append(("one", decimals, (total + zeros) / counts, some))
                found.append(("exclude", decimals, total / np.maximum(left, 1), some & (left > 0)))
        found = [one for one in found if one[0] in {"undefined", *self.space.zero_ideals}]
        variants = [_Variant("mean", zero, decimals, self.overs[at]) for zero, decimals, _, _ in found for at in plain]
        self._take(
            place, np.concatenate([one[2] for one in found]), variants, np.concatenate([one[3] for one in found])
        )

    def _summed(self, chosen: list[int], values: Floats) -> Floats:
        """The sums over each aggregation's queries: aggregations, discounts, cutoffs."""
        return np.asarray(np.matmul(self.members[chosen], values).swapaxes(0, 1))

    def _take(self, place: _Place, values: Floats, variants: Sequence[_Variant], tried: Mask) -> None:
        """Count the values, and keep those that hit or that are among the nearest."""
        target = self.targets[variants[0].quantity]
        costs = np.array([variant.cost for variant in variants])[:, None, None] + place.costs
        alike = len(place.lists.gains.names) * len(place.lists.policies) * np.array([len(one) for one in place.ideals])
        counts = alike * np.array([len(variant.overs) for variant in variants])[:, None, None]
        self.seen.add(target.quantity, values[tried], costs[tried], np.broadcast_to(counts, values.shape)[tried])
        inside = np.zeros(values.shape, dtype=bool)
        for low, high in target.intervals:
            inside |= (values >= low) & (values <= high)
        for v, d, k in np.argwhere(inside & tried & (costs <= self.most_raw)).tolist():
            order = len(self.raw)
            self.raw.append(_Raw(int(costs[v, d, k]), order, float(values[v, d, k]), variants[v], place, d, k))
            if order > 2 * MOST_HITS:
                self._prune()
        miss = np.where(tried & ~inside & np.isfinite(values), np.abs(values - target.centre), math.inf)
        plain = self.discount_costs[place.discounts] <= cost("discount", "jarvelin")
        for nearest, misses in (
            (self.far, miss),
            (self.plain, np.where(plain[None, :, None] & (costs <= PLAIN), miss, math.inf)),
        ):
            for v, d, k in _least(misses, values, nearest.bound):
                raw = _Raw(0, 0, float(values[v, d, k]), variants[v], place, d, k)
                nearest.add(float(misses[v, d, k]), self._hit(raw))

    def _prune(self) -> None:
        self.raw.sort(key=lambda raw: raw[:2])
        self.dropped += len(self.raw) - MOST_HITS
        del self.raw[MOST_HITS:]
        self.most_raw = self.raw[-1].cost

    def _hit(self, raw: _Raw) -> Hit:
        """One value's contracts."""
        place, lists = raw.place, raw.place.lists
        quantity, zero_ideal, round_to, overs = raw.variant
        return Hit(
            raw.value,
            quantity,
            lists.gains.names,
            list(self.spelled[int(self.cutoffs[raw.k])]),
            [self.space.discounts[place.discounts[raw.discount]]],
            tuple(place.ideals[raw.k]),
            list(lists.policies),
            zero_ideal,
            round_to,
            overs,
        )

    def _hits(self) -> list[Hit]:
        """The hits; those that are made of the same, and differ in one setting alone, as one."""
        found: dict[object, Hit] = {}
        for raw in sorted(self.raw, key=lambda raw: raw.order):
            hit = self._hit(raw)
            place, discount = raw.place, raw.place.discounts[raw.discount]
            k = int(self.cutoffs[raw.k])
            parts, weights = place.parts if hit.quantity in {"ndcg", "idcg", "mean"} else None, self.weights[discount]
            made = place.lists.made(raw.k, k, parts, weights, dcg=hit.quantity != "idcg")
            ratio = hit.quantity in {"ndcg", "mean"}
            rest = hit.quantity, hit.zero_ideal, hit.round_to, hit.overs
            sure = place.lists.gains.worths[0] >= 0 and place.lists.gains.unit == 1 and self._clearly_rounded(raw)
            error = self.noise * abs(hit.value) if sure else math.inf
            alike = (made, *rest[:3], self._joined(raw.variant.overs[0]), 1.0 if ratio else self.scales[discount])
            hit = replace(hit, double=Double(hit.value, error, alike))
            key = made, self.scales[discount], k, hit.gains, hit.ideals, rest
            known = found.setdefault(key, hit)
            known.discounts.extend(name for name in hit.discounts if name not in known.discounts)
            known.policies.extend(policy for policy in hit.policies if policy not in known.policies)
        return self._without_idle_cutoffs(found)

    def _joined(self, over: Over) -> Hashable:
        """Which queries make the number, and how; those without judgments add nothing to a ratio of sums."""
        if not self.over_queries:
            return None
        at = next(at for at, overs in enumerate(self.overs) if over in overs)
        count = self.counts[at] if over.aggregate == "mean" else 0
        return over.aggregate, self.members[at].tobytes(), count

    def _clearly_rounded(self, raw: _Raw) -> bool:
        """Whether no query's value is so near to a half that a double may round it the other way; over queries."""
        decimals, place = raw.variant.round_to, raw.place
        if decimals is None or place.parts is None or not self.over_queries:
            return decimals is None
        at = [place.discounts[raw.discount]]
        sums, one = _Sums(place.lists, self.weights[at], self.scales[at]), slice(raw.k, raw.k + 1)
        parts = Parts(place.parts.tables[:, one], place.parts.sizes[:, one], place.parts.refused[one])
        dcg, idcg = sums.dcg(self.cutoffs[one]), sums.idcg(parts, raw.k)
        shown = np.divide(dcg, idcg, out=np.zeros_like(dcg), where=idcg > 0) * 10.0**decimals
        return bool((np.abs(shown % 1 - 0.5) > MARGIN * 10.0**decimals).all())

    def _without_idle_cutoffs(self, hits: Mapping[object, Hit]) -> list[Hit]:
        """The hits; those that differ in nothing but their cutoff, being made of the same, as one."""
        found: dict[object, Hit] = {}
        for hit in hits.values():
            key = (
                hit.double.made,
                self.scales[self.space.discounts.index(hit.discounts[0])],
                hit.gains,
                hit.ideals,
                tuple(hit.discounts),
                tuple(hit.policies),
            )
            known = found.setdefault(key, hit)
            if known is not hit:
                known.cutoffs[:] = [k for k in self.space.cutoffs if k in known.cutoffs or k in hit.cutoffs]
        return list(found.values())


class _Sums:
    """Running sums of `Lists` under several discounts: arrays of discounts, queries, ranks."""

    def __init__(self, lists: Lists, weights: Floats, scales: Floats) -> None:
        self.lists, self.weights, self.scales = lists, weights, scales
        self.table = lists.gains.floats()
        self._running: dict[int, Floats] = {}

    def _cumulated(self, gains: Floats) -> Floats:
        """The running sums, from that of no rank on."""
        sums = np.zeros((len(self.weights), gains.shape[0], gains.shape[1] + 1))
        np.cumsum(gains * self.weights[:, None, : gains.shape[1]], axis=2, out=sums[:, :, 1:])
        return sums

    def dcg(self, cutoffs: Codes) -> Floats:
        """Each query's DCG at each cutoff, in the lists' unit and without the discounts' scale."""
        sums = self._cumulated(self.lists.earned)
        return np.asarray(sums[:, :, np.minimum(cutoffs, sums.shape[2] - 1)])

    def idcg(self, parts: Parts, first: int = 0) -> Floats:
        """The DCG of an ideal, so too; `first` is the place of the first cutoff."""
        sums = np.zeros((len(self.weights), *parts.tables.shape))
        for table, population in ((JUDGED, self.lists.judged), (RETURNED, self.lists.returned)):
            chosen = parts.tables == table
            if chosen.any():
                if table not in self._running:
                    self._running[table] = self._cumulated(self.table[population.classes])
                its = np.take_along_axis(self._running[table], np.where(chosen, parts.sizes, 0)[None], axis=2)
                sums += its
        for k in np.flatnonzero((parts.tables == TOP).any(axis=0)):
            top = self.lists.tops[first + int(k)].classes
            its = self.table[top] @ self.weights[:, : top.shape[1]].T
            sums[:, :, k] = np.where(parts.tables[:, k] == TOP, its.T, sums[:, :, k])
        return sums

    def scaled(self, values: Floats) -> Floats:
        """DCGs with the scale of their discounts, in ones; past the doubles an infinity."""
        unit = float(min(self.lists.gains.unit, 1 << 1000))
        with np.errstate(over="ignore"):
            return np.asarray(values * self.scales[:, None] * unit)


def _averaged(query: Query, over: Over) -> bool:
    """Whether a query is averaged, before its ideal is looked at."""
    if not len(query.judgments):
        return bool(len(query.ranking)) and over.query_set == "run" and over.unjudged_queries == "zero"
    return bool(len(query.ranking)) or (over.query_set == "judged" and over.missing == "zero")


def _rounded(values: Floats, decimals: int) -> Floats:
    """Half away from zero; what a float's noise leaves just below a half goes up too."""
    unit = 10.0**decimals
    return np.asarray(np.copysign(np.floor(np.abs(values) * unit + 0.5 + 1e-9) / unit, values))


def _least(misses: Floats, values: Floats, bound: float) -> Iterator[tuple[int, int, int]]:
    """The places of the least misses below a bound, of distinct values, least first."""
    near = np.flatnonzero(misses < bound)
    order = near[np.argsort(misses.ravel()[near], kind="stable")]
    met: set[float] = set()
    for at in order.tolist():
        value = float(values.ravel()[at])
        if len(met) == NEAREST and value not in met:
            return
        if value not in met:
            met.add(value)
            v, d, k = np.unravel_index(at, misses.shape)
            yield int(v), int(d), int(k)
