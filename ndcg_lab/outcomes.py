"""What ties leave open: every distinct NDCG that an order of the tied documents gives, with its probability."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import comb, prod
from typing import Any, NoReturn

from ndcg_lab.errors import TooManyOutcomes
from ndcg_lab.values import Exact, Linear, Number, Undefined

MOST_OUTCOMES = 10_000
"""More outcomes than this are not listed."""

Value = Exact | Undefined
Place = tuple[Linear, int]
"""A discount and the number of tied ranks that have it."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The distinct NDCG values that resolving the ties can give, best first, with their exact probabilities."""

    values: tuple[Value, ...]
    probabilities: tuple[Fraction, ...]
    mean: Value

    @property
    def best(self) -> Value:
        """The highest value."""
        return self.values[0]

    @property
    def worst(self) -> Value:
        """The lowest value."""
        return self.values[-1]

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[tuple[Value, Fraction]]:
        return zip(self.values, self.probabilities, strict=True)

    def to_json(self) -> dict[str, Any]:
        """Every outcome with its probability, and best, mean and worst."""
        return {
            "outcomes": [{"ndcg": value.to_json(), "probability": str(share)} for value, share in self],
            "best": self.best.to_json(),
            "mean": self.mean.to_json(),
            "worst": self.worst.to_json(),
        }


def convolve(one: Mapping[Exact, Fraction], other: Mapping[Exact, Fraction]) -> dict[Exact, Fraction]:
    """The distribution of the sum of two independent values."""
    if len(one) * len(other) > MOST_OUTCOMES:
        _refuse()
    sums: dict[Exact, Fraction] = {}
    for value, share in one.items():
        for more, chance in other.items():
            total = value + more
            sums[total] = sums.get(total, Fraction(0)) + share * chance
    return sums


def tie_distribution(discounts: Sequence[Linear], gains: Sequence[Number]) -> dict[Exact, Fraction]:
    """The sum of gain times discount beyond that of the lowest gain, over all orders of one tie group.

    Ranks of equal discount are places of one kind. How many of each gain fall on each kind follows the multivariate
    hypergeometric distribution, so no order is written out.

    Args:
        discounts: at the group's ranks, equal ones side by side; 0 past the cut.
        gains: of the group's documents, as many.

    >>> for value, probability in tie_distribution([Linear({2: 1}), Linear({3: 1})], [5, 2]).items():
    ...     print(value, probability)
    3 1/2
    3a 1/2
    """
    levels = sorted(set(gains))
    above = [level - levels[0] for level in levels]
    places = [(discount, len(list(same))) for discount, same in groupby(discounts)]
    done: dict[Exact, Fraction] = {}
    # A state: how many documents of each gain are left, and what the places filled so far have earned.
    states: dict[tuple[tuple[int, ...], Exact], Fraction]
    states = {(tuple(gains.count(level) for level in levels), Linear()): Fraction(1)}
    for position, (discount, room) in enumerate(places):
        left = sum((value * size for value, size in places[position + 1 :]), Linear())
        following: dict[tuple[tuple[int, ...], Exact], Fraction] = {}
        for (counts, earned), chance in states.items():
            for taken in _shares(counts, room):
                odds = chance * Fraction(prod(map(comb, counts, taken)), comb(sum(counts), room))
                total = earned + discount * sum(n * gain for n, gain in zip(taken, above, strict=True))
                rest = tuple(n - used for n, used in zip(counts, taken, strict=True))
                remaining = [gain for n, gain in zip(rest, above, strict=True) if n]
                if len(remaining) > 1:
                    following[rest, total] = following.get((rest, total), Fraction(0)) + odds
                else:  # one gain alone is left, if any: it fills all other places
                    total += left * sum(remaining)
                    done[total] = done.get(total, Fraction(0)) + odds
                if len(following) + len(done) > MOST_OUTCOMES:
                    _refuse()
        states = following
    return done


def _shares(counts: Sequence[int], room: int) -> Iterator[tuple[int, ...]]:
    """Every way to take `room` in all, at most `counts[i]` of kind i."""
    if len(counts) == 1:
        yield (room,)
        return
    rest = sum(counts[1:])
    for taken in range(max(0, room - rest), min(counts[0], room) + 1):
        for others in _shares(counts[1:], room - taken):
            yield taken, *others


def _refuse() -> NoReturn:
    raise TooManyOutcomes(
        f"the ties have more than {MOST_OUTCOMES} outcomes; `ties = average`, `best` and `worst` give the mean and the "
        "range without listing them"
    )
