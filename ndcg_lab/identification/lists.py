"""Lists in the order that a policy brings them into, and their running sums, in floats.

A gain and an order are one `Lists`, whose running sums under a discount (`Sums`) serve every cutoff and every ideal.
What is done to a list is what `ndcg_lab.measure.evaluation` does, for every policy but those that refuse.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from operator import mul

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.values import Number
from ndcg_lab.identification.space import Ideal, Policy, Query, Space
from ndcg_lab.measure.rules import parse_discount, parse_gain

LARGEST = 1 << 900
"""Gains beyond this are held as multiples of the largest: as doubles they would overflow."""

Gains = tuple[Number, ...]
Item = tuple[str, Number | None, bool]
"""A document, its grade, and whether it earns that grade's gain."""

Part = tuple[str, int]
"""A prefix of a sorted population: which one, and its length."""


class Lists:
    """What every query's list earns under one gain and one order, and the populations of its ideals.

    Policies and gains that give the same are one.
    """

    def __init__(
        self,
        gains: tuple[str, ...],
        policies: list[Policy],
        earned: list[Gains],
        entries: list[Gains],
        judged: list[Gains],
    ) -> None:
        self.gains = gains
        self.policies = policies
        self.entries = entries
        self.populations = {"judged": judged, "returned": [falling(gains) for gains in entries]}
        sides: list[Gains] = [*earned, *entries, *judged]
        largest = max((max(gain, -gain) for side in sides for gain in side), default=0)
        self.unit = 1 if largest < LARGEST else int(largest)
        """Gains are held as multiples of this."""
        self.earned = [self._floats(gains) for gains in earned]
        self.same = [a == b for a, b in zip(*self.populations.values(), strict=True)]

    def _floats(self, gains: Sequence[Number]) -> list[float]:
        if self.unit == 1:
            return [float(gain) for gain in gains]
        return [float(Fraction(gain) / self.unit) for gain in gains]

    def options(self, k: int, ideals: Sequence[Ideal]) -> list[tuple[tuple[Part, ...], tuple[Ideal, ...]]]:
        """The ideals at a cutoff, those that are one and the same for every query together."""
        found: dict[tuple[Part, ...], list[Ideal]] = {}
        for ideal in ideals:
            parts = tuple(self._part(q, k, ideal) for q in range(len(self.entries)))
            found.setdefault(parts, []).append(ideal)
        return [(parts, tuple(same)) for parts, same in found.items()]

    def _part(self, q: int, k: int, ideal: Ideal) -> Part:
        entries = self.entries[q]
        population, cut = ideal
        name, size = population, {"k": k, "returned": min(k, len(entries)), "none": len(entries) + 10**9}[cut]
        if population == "returned-at-k":
            gains = falling(entries[:k])
            if gains == self.populations["returned"][q][: len(gains)]:
                name, size = "returned", min(size, len(gains))
            else:
                return f"top {k}", min(size, len(gains))
        if name == "returned" and self.same[q]:
            name = "judged"
        return name, min(size, worth(self.populations[name][q]))

    def part(self, q: int, part: Part) -> list[float]:
        """The gains of a part of a population."""
        name, size = part
        gains = falling(self.entries[q][: int(name[4:])]) if name.startswith("top ") else self.populations[name][q]
        return self._floats(gains[:size])


class Sums:
    """Running sums of `Lists` under one discount."""

    def __init__(self, lists: Lists, discount: str, longest: int) -> None:
        self.lists = lists
        self.weights = weights(discount, longest)
        self._dcg: list[list[float]] = [
            list(accumulate(map(mul, gains, self.weights), initial=0.0)) for gains in lists.earned
        ]
        self._ideal: dict[tuple[int, str], list[float]] = {}

    def dcg(self, q: int, k: int) -> float:
        """A query's DCG at k, in the lists' unit."""
        sums = self._dcg[q]
        return sums[min(k, len(sums) - 1)]

    def idcg(self, q: int, part: Part) -> float:
        """The DCG of a part of a population, in the lists' unit."""
        name, size = part
        if (q, name) not in self._ideal:
            whole = self.lists.part(q, (name, len(self.weights)))
            self._ideal[q, name] = list(accumulate(map(mul, whole, self.weights), initial=0.0))
        return self._ideal[q, name][size]


@lru_cache(maxsize=256)
def weights(discount: str, longest: int) -> tuple[float, ...]:
    """The discounts from rank 1 on, as floats."""
    rule = parse_discount(discount)
    scale = 1.0
    if rule.scale is not None:
        of = rule.scale.removeprefix("log2(").removesuffix(")")
        scale = math.log2(math.e if of == "e" else Fraction(of))
    terms = (rule.term(rank) for rank in range(1, longest + 1))
    return tuple(scale * float(factor) / math.log2(base) for base, factor in terms)


def falling(gains: Sequence[Number]) -> Gains:
    """The gains from the highest to the lowest."""
    return tuple(sorted(gains, reverse=True))


def worth(gains: Sequence[Number] | Sequence[float]) -> int:
    """How many there are down to the last that isn't 0: the rest add nothing."""
    size = len(gains)
    while size and gains[size - 1] == 0:
        size -= 1
    return size


def all_lists(queries: Sequence[Query], space: Space) -> Iterator[Lists]:
    """Each gain under each policy, what gives the same together; plainest first."""
    grades = sorted({grade for query in queries for grade in query.judgments.values()})
    for negative in dict.fromkeys(policy.negative for policy in space.policies):
        chosen = [policy for policy in space.policies if policy.negative == negative]
        arranged = [(policy, [_arranged(query, policy) for query in queries]) for policy in chosen]
        alike: dict[Gains, list[str]] = {}
        for gain in space.gains:
            its = _gains_of(gain, grades, negative)
            if its is not None:
                alike.setdefault(its, []).append(gain)
        for its, names in alike.items():
            gain_of = dict(zip(grades, its, strict=True))
            judged = [falling([gain_of[grade] for grade in query.judgments.values()]) for query in queries]
            found: dict[tuple[tuple[Gains, Gains], ...], list[Policy]] = {}
            for policy, queries_groups in arranged:
                ordered = tuple(_earned(groups, policy.ties, gain_of) for groups in queries_groups)
                found.setdefault(ordered, []).append(policy)
            for ordered, policies in found.items():
                yield Lists(tuple(names), policies, [one for one, _ in ordered], [one for _, one in ordered], judged)


def _gains_of(gain: str, grades: Sequence[Number], negative: str) -> Gains | None:
    """The gain of each grade; None where the rule or the policy refuses one."""
    rule = parse_gain(gain)
    try:
        gains = tuple(rule(0 if grade < 0 and negative == "zero" else grade) for grade in grades)
    except NdcgLabError:
        return None
    return None if negative != "allow" and any(gain < 0 for gain in gains) else gains


def _arranged(query: Query, policy: Policy) -> list[list[Item]]:
    if not query.evaluable:
        return []
    grades, seen = query.judgments.grades, set[str]()
    groups = []
    for documents in query.ranking.tie_groups(policy.score_precision):
        group: list[Item] = []
        for document in documents:
            later = document in seen
            seen.add(document)
            grade = grades.get(document)
            if grade is not None or policy.unjudged != "remove":
                group.append((document, grade, not (later and policy.duplicates == "first")))
        if group:
            groups.append(group)
    return groups


def _earned(groups: list[list[Item]], ties: str, gain_of: Mapping[Number, Number]) -> tuple[Gains, Gains]:
    """What each rank earns, and the gain of what stands there (which differ where ties are averaged)."""
    earned: list[Number] = []
    entries: list[Number] = []
    for group in groups:
        ordered = group[::-1] if ties == "reverse-input" else group
        if ties.startswith("docno"):
            ordered = sorted(group, key=lambda item: item[0], reverse=ties == "docno-descending")
        gains: list[Number] = [gain_of[grade] if earns and grade is not None else 0 for _, grade, earns in ordered]
        if ties in {"best", "worst"}:
            gains.sort(reverse=ties == "best")
        entries += gains
        if ties == "average" and len(gains) > 1:
            gains = [Fraction(sum(gains), len(gains))] * len(gains)
        earned += gains
    return tuple(earned), tuple(entries)
