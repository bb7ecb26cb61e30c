"""What ties leave open: every distinct NDCG that an order of the tied documents gives, with its probability."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, groupby
from math import comb, prod
from typing import Any, NoReturn

from ndcg_lab.errors import TooManyOutcomes
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.rationals import Number, written
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.limits import OUTCOMES, beyond
from ndcg_lab.measure.rules import Discount

Value = Exact | Undefined
"""An NDCG."""

Distribution = list[tuple[Exact, Fraction]]
"""Values with their probabilities; a value may stand there more than once."""


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
            "outcomes": [{"ndcg": value.to_json(), "probability": written(share)} for value, share in self],
            "best": self.best.to_json(),
            "mean": self.mean.to_json(),
            "worst": self.worst.to_json(),
        }


def convolve(start: Exact, distributions: Sequence[Distribution]) -> Distribution:
    """What `start` and one value of each distribution add up to, all independent."""
    if prod(map(len, distributions)) > OUTCOMES:
        _refuse()
    sums = [(start, Fraction(1))]
    for distribution in distributions:
        sums = [(value + more, share * chance) for value, share in sums for more, chance in distribution]
    return sums


def tie_distribution(discount: Discount, ranks: range, gains: Sequence[Number]) -> Distribution:
    """What one tie group adds to DCG beyond its lowest gain, over all its orders.

    Ranks of equal discount are places of one kind. How many of each gain fall on each kind follows the multivariate
    hypergeometric distribution, so no order is written out.

    Args:
        discount: the discount rule.
        ranks: those of the group's ranks that count; documents beyond them earn nothing.
        gains: of all the group's documents.

    >>> from ndcg_lab.measure.rules import parse_discount
    >>> log2 = parse_discount("log2")
    >>> for value, probability in tie_distribution(log2, range(1, 3), [5, 2, 2]):
    ...     print(value, probability)
    3 1/3
    3a 1/3
    0 1/3
    """
    found = Counter(gains)
    levels = sorted(found)
    counts = tuple(map(found.__getitem__, levels))
    above = [level - levels[0] for level in levels]
    kinds = [(base, factor, len(list(same))) for (base, factor), same in groupby(map(discount.term, ranks))]
    rooms = [room for *_, room in kinds] + [len(gains) - len(ranks)]
    if len(kinds) == 1 and 1 in rooms:  # one place, or all but one: each gain once
        ((base, factor, room),) = kinds
        whole = 0 if room == 1 else sum(gain * n for gain, n in zip(above, counts, strict=True))
        return [
            (
                Linear.weighted([(gain if room == 1 else whole - gain) * factor], [base], scale=discount.scale),
                Fraction(n, len(gains)),
            )
            for gain, n in zip(above, counts, strict=True)
        ]
    if len(levels) * (len(levels) - 1) > 2 * OUTCOMES and sum(map(bool, rooms)) > 1:
        _refuse()  # there are as many at least: each two gains that share the first places
    # A path: how many documents of each gain are left, what each kind of place has earned so far, and how likely.
    paths = [(counts, list[Number](), Fraction(1))]
    done: list[tuple[list[Number], Fraction]] = []
    for position, room in enumerate(rooms):
        following = []
        for left, earned, chance in paths:
            for taken in _shares(left, room):
                odds = chance * Fraction(prod(map(comb, left, taken)), comb(sum(left), room))
                now = [*earned, sum(n * gain for n, gain in zip(taken, above, strict=True))]
                rest = tuple(n - used for n, used in zip(left, taken, strict=True))
                if sum(map(bool, rest)) > 1:
                    following.append((rest, now, odds))
                else:  # one gain alone is left, if any: it fills all other places
                    gain = next((gain for n, gain in zip(rest, above, strict=True) if n), 0)
                    done.append((now + [gain * size for size in rooms[position + 1 :]], odds))
                if len(following) + len(done) > OUTCOMES:
                    _refuse()
        paths = following
    outcomes: Distribution = []
    for earned, odds in done:
        worth = [amount * factor for amount, (_, factor, _) in zip(earned, kinds, strict=False)]
        bases = [base for _, (base, _, _) in zip(worth, kinds, strict=False)]
        outcomes.append((Linear.weighted(worth, bases, scale=discount.scale), odds))
    return outcomes


def _shares(counts: Sequence[int], room: int) -> Iterator[tuple[int, ...]]:
    """Every way to take `room` in all, at most `counts[i]` of kind i."""
    last = len(counts) - 1
    after = [*accumulate(reversed(counts), initial=0)][-2::-1]  # how many there are of the kinds after each
    taken, left, place = [0] * len(counts), room, 0
    taken[0] = max(0, room - after[0])
    while place >= 0:
        if taken[place] > min(counts[place], left):  # this kind is through: the one before it takes one more
            place -= 1
            if place >= 0:
                left += taken[place]
                taken[place] += 1
        elif place == last:
            yield tuple(taken)
            taken[place] += 1
        else:
            left -= taken[place]
            place += 1
            taken[place] = max(0, left - after[place])


def _refuse() -> NoReturn:
    raise TooManyOutcomes(
        f"outcomes of ties are {beyond('OUTCOMES')}; `ties = average`, `best` and `worst` give the mean and the range "
        "without listing them"
    )
