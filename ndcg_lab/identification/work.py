"""From what is asked to what is found: the search, its proof, and what is looked at when it is asked for."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from ndcg_lab.identification.beyond import beyond
from ndcg_lab.identification.chance import Chance, Seen
from ndcg_lab.identification.confirm import Confirmed, Number, Values, aggregation_of, also, confirmed, grouped, joined
from ndcg_lab.identification.hand import CUT, by_hand
from ndcg_lab.identification.hits import Hit, Target
from ndcg_lab.identification.inputs import Asked
from ndcg_lab.identification.matches import Beyond, ByHand, Decider, Match, Near, TellApart
from ndcg_lab.identification.named import Naming, more_gains
from ndcg_lab.identification.printed import STRICTNESS, Printed, cut_reading, readings
from ndcg_lab.identification.probes import Probes
from ndcg_lab.identification.progress import steps
from ndcg_lab.identification.result import Identification
from ndcg_lab.identification.search import Found, search
from ndcg_lab.identification.space import ROUNDED, Space

_ORDER = ("ndcg", "mean", "dcg", "mean dcg", "idcg")


def identified(asked: Sequence[Asked]) -> Identification:
    """What is found for numbers that one contract gives together."""
    numbers = [_number(one) for one in asked]
    with steps() as step:
        found = [_searched(number, step) for number in numbers]
        result = _result(numbers, found, found[0].near)
        if len(numbers) == 1 and not result.matches and _may_be_cut(result.by_hand):
            cut = _as_truncated(numbers[0])
            if cut is not None:
                return _result([cut], [_searched(cut, step)], found[0].near)
    return result


def _may_be_cut(ways: Sequence[ByHand]) -> bool:
    """Whether no hand calculation of one step gives the number under a contract as plain as one whose result is cut."""
    cut = [way.cost for way in ways if way.procedure.startswith(CUT)]
    rounded = [way.cost for way in ways if CUT not in way.procedure and ";" not in way.procedure]
    return all(CUT in way.procedure for way in ways) or (bool(cut) and min(cut) < min(rounded, default=min(cut) + 1))


def _number(one: Asked) -> Number:
    space = _space(one)
    naming = Naming(one.queries, space, _rounding(one), over_queries=one.over_queries)
    of_each = {quantity: readings(one.printed, _ratio(quantity)) for quantity in one.quantities}
    return Number(one, of_each, naming, Values(one.queries))


def _ratio(quantity: str) -> str:
    return "dcg" if quantity == "mean dcg" else quantity


def _space(one: Asked) -> Space:
    return Space.of(one.queries, one.known, more_gains())


def _searched(number: Number, step: Callable[[], None]) -> Found:
    one = number.asked
    targets = {quantity: Target.of(quantity, one.printed, found) for quantity, found in number.readings.items()}
    return search(one.queries, _space(one), targets, _rounding(one), Seen(one.printed, number.readings), step)


def _rounding(one: Asked) -> list[int]:
    """The decimals that queries' values may have been rounded to, as far as the number can show it.

    One value that was rounded and then printed with more decimals ends in zeros. A mean of rounded values shows it two
    decimals further on: before that it could as well be a hand calculation's.
    """
    if "round_to" in one.known:
        known = one.known["round_to"]
        return [known] if isinstance(known, int) else []
    printed = one.printed
    if one.over_queries:
        return [decimals for decimals in (2, 3, 4, 5) if printed.decimals >= decimals + 2]
    number = printed.number / 100 if printed.percent else printed.number
    shown = printed.decimals + (2 if printed.percent else 0)
    return [decimals for decimals in range(1, shown) if (number * 10**decimals).denominator == 1]


def _as_truncated(number: Number) -> Number | None:
    """The same number read as truncated; None where that is one of its readings already, or can't be."""
    printed = number.asked.printed
    read = any("truncated" in reading.name for found in number.readings.values() for reading in found)
    if read or printed.exact or printed.ellipsis or printed.decimals < 1:
        return None
    return Number(
        number.asked,
        {quantity: [cut_reading(printed)] for quantity in number.asked.quantities},
        number.naming,
        number.values,
    )


class Work:
    """What is looked at when it is asked for: hand calculations, what no contract says, further numbers."""

    def __init__(self, numbers: Sequence[Number]) -> None:
        self.number, self.alone = numbers[0], len(numbers) == 1
        self.probes = Probes(numbers[0])
        self.matches: list[Match] = []

    def by_hand(self) -> tuple[ByHand, ...]:
        """Hand calculations that give the number."""
        if not self.alone:
            return ()
        one = self.number.asked
        ways = by_hand(one.queries, _space(one), one.printed, one.quantities)
        return tuple(ByHand(way.candidate.contract(), way.quantity, way.procedure, way.gives, way.cost) for way in ways)

    def beyond(self) -> tuple[tuple[Beyond, ...], Chance | None]:
        """What no contract says, and gives the number; and what other numbers would find of that."""
        if not self.alone:
            return (), None
        one = self.number.asked
        effects, chance = beyond(self.number, _space(one))
        found = [(*each[:-1], None if each.over is None else aggregation_of(one, each.over)) for each in effects]
        return tuple(Beyond(*each) for each in found), chance

    def decides(self, candidates: Sequence[Match]) -> Decider | None:
        """The further number that splits the candidates into most parts."""
        return self.probes.decides(candidates)

    def tell_apart(self, match: Match) -> TellApart | None:
        """A further number that tells a match from the plainest other."""
        return self.probes.tell_apart(match, self.matches)


def _result(numbers: Sequence[Number], found: Sequence[Found], near: Sequence[Hit]) -> Identification:
    joints = joined(numbers, [each.hits for each in found])
    first = numbers[0]
    one = first.asked
    sure = sorted(confirmed(numbers, joints), key=partial(_place, one.printed))
    last = max((each.bundle for each in sure), default=-1)
    left = len(joints) - 1 - last if first.values.left <= 0 else 0
    groups = grouped([each.fits[0] for each in sure])
    work = Work(numbers)
    for each, group in zip(sure, groups, strict=True):
        match = Match(
            fits=each.fits,
            aggregation=aggregation_of(one, each.over),
            name=each.name,
            also={} if each.place else also(each.joint.hits[0]),
            group=group,
            bundle=each.bundle,
            alike=0 if each.place else min(hit.count() for hit in each.joint.hits),
            cost=each.joint.cost + (ROUNDED if each.rounded else 0),
            _telling=work,
        )
        work.matches.append(match)
    matches = tuple(work.matches)
    return Identification(
        asked=tuple(number.asked for number in numbers),
        matches=matches,
        nearest=() if matches or len(numbers) > 1 else tuple(_near(first, near)),
        contracts=sum(match.alike for match in matches),
        values=len({match.group for match in matches if match.alike}),
        left=left + max(each.dropped for each in found),
        chance=_chance(matches, found),
        _asking=work,
    )


def _chance(matches: Sequence[Match], found: Sequence[Found]) -> Chance | None:
    """What other numbers would find; of several numbers, in place of the one that would find least."""
    cost, strictness = -1, -1
    if matches:
        cost = matches[0].cost
        strictness = max(STRICTNESS.index(fit.reading.removeprefix("percent-")) for fit in matches[0].fits)
    chances = [each.seen.chance(cost, strictness) for each in found]
    counted = [chance for chance in chances if chance is not None]
    return min(counted, key=lambda chance: (chance.as_plain + 1) / (chance.numbers + 1), default=None)


def _place(printed: Printed, one: Confirmed) -> tuple[object, ...]:
    """What orders matches: the reading; an exact 0 or 1, where that was printed; how plain; names last."""
    strictness = max(STRICTNESS.index(fit.reading.removeprefix("percent-")) for fit in one.fits)
    number = printed.number / 100 if printed.percent else printed.number
    exact = number in {0, 1} and one.fits[0].value == number
    plain = one.joint.cost + (ROUNDED if one.rounded else 0)
    return strictness, not exact, plain, _ORDER.index(one.fits[0].quantity), one.bundle, one.place


def _near(number: Number, hits: Sequence[Hit]) -> Iterator[Near]:
    printed = number.asked.printed
    target = printed.number / 100 if printed.percent else printed.number
    for hit in hits:
        candidate = hit.plainest()
        contract = candidate.contract()
        value = number.values.of(hit.quantity, contract, candidate.over)
        if value is not None:
            yield Near(contract, aggregation_of(number.asked, candidate.over), hit.quantity, value, target)
