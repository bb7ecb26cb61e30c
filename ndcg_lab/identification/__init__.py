"""Which contract gives a reported number? A search over contracts, simplest first, every match confirmed exactly.

The parts: `printed` reads the number, `space` holds what is varied and how plain each choice is, `search` proposes in
floats, `confirm` evaluates exactly, `named` finds the conventions, `hand` tries hand calculations, `beyond` what no
contract says, `probes` looks for further numbers that would decide, `result` shows it.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from ndcg_lab.identification.beyond import beyond
from ndcg_lab.identification.confirm import (
    Confirmed,
    Number,
    Values,
    aggregation_of,
    also,
    confirmed,
    grouped,
    joined,
)
from ndcg_lab.identification.hand import CUT, by_hand
from ndcg_lab.identification.inputs import Asked, asked
from ndcg_lab.identification.named import Naming, more_gains
from ndcg_lab.identification.printed import STRICTNESS, Printed, cut_reading, readings
from ndcg_lab.identification.probes import Probes
from ndcg_lab.identification.result import Beyond, ByHand, Identification, Match, Near
from ndcg_lab.identification.search import Found, Hit, Target, search
from ndcg_lab.identification.space import ROUNDED, Space

__all__ = ["Beyond", "ByHand", "Identification", "Match", "Near", "identify"]

_ORDER = ("ndcg", "mean", "dcg", "mean dcg", "idcg")


def identify(
    ranking: object, judgments: object = None, reported: object = None, quantity: str = "any"
) -> Identification:
    """Every contract that gives a reported number as it was printed, plainest first.

    Args:
        ranking: a `Ranking` (or a list of documents, or a mapping of documents to scores); for several queries a run,
            as `evaluate_run` takes it, or, without judgments, a mapping of queries to (ranking, judgments).
        judgments: `Judgments`, or a mapping of documents to grades; for several queries, of queries to those.
        reported: the number as it was printed (`"0.8076"`, `"0.48..."`, `"96.08%"`), or several, which the contract
            must give together: a list of `(number, {"k": 4})`, or of one number for each of a list of rankings.
            Beside a number may stand whatever settings are known of it, and its `quantity`.
        quantity: what the number is: `ndcg`, `dcg`, `idcg`, `mean` (of NDCG, over queries) or `any` of them.

    Raises:
        NdcgLabError: where a number, a setting or the shape of the data can't be read.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> found = identify(Ranking(["B", "C", "A", "D"]), judgments, reported="0.80756", quantity="ndcg")
    >>> print(found.matches[0])
    exponential, log2, k = 4: ndcg 0.80755888
    """
    numbers = [_number(one) for one in asked(ranking, judgments, reported, quantity)]
    found = [_searched(number) for number in numbers]
    result = _result(numbers, [each.hits for each in found], found)
    if len(numbers) == 1 and not result.matches and all(CUT in way.procedure for way in result.by_hand):
        cut = _as_truncated(numbers[0])
        if cut is not None:
            return _result([cut], [_searched(cut).hits], found)
    return result


def _number(one: Asked) -> Number:
    space = _space(one)
    naming = Naming(one.queries, space, _rounding(one), over_queries=one.over_queries)
    of_each = {quantity: readings(one.printed, _ratio(quantity)) for quantity in one.quantities}
    return Number(one, of_each, naming, Values(one.queries))


def _ratio(quantity: str) -> str:
    return "dcg" if quantity == "mean dcg" else quantity


def _space(one: Asked) -> Space:
    return Space.of(one.queries, one.known, more_gains())


def _searched(number: Number) -> Found:
    one = number.asked
    targets = {quantity: Target.of(quantity, one.printed, found) for quantity, found in number.readings.items()}
    return search(one.queries, _space(one), targets, _rounding(one))


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


def _result(numbers: Sequence[Number], hits: Sequence[Sequence[Hit]], found: Sequence[Found]) -> Identification:
    joints = joined(numbers, hits)
    first = numbers[0]
    one = first.asked
    sure = sorted(confirmed(numbers, joints), key=partial(_place, one.printed))
    last = max((each.bundle for each in sure), default=-1)
    left = len(joints) - 1 - last if first.values.left <= 0 else 0
    groups = grouped([each.fits[0].value for each in sure])
    probes = Probes(first)
    matches: list[Match] = []
    for each, group in zip(sure, groups, strict=True):
        matches.append(
            Match(
                fits=each.fits,
                aggregation=aggregation_of(one, each.over),
                name=each.name,
                also={} if each.place else also(each.joint.hits[0]),
                group=group,
                bundle=each.bundle,
                alike=0 if each.place else min(hit.count() for hit in each.joint.hits),
                cost=each.joint.cost + (ROUNDED if each.rounded else 0),
                _told=lambda match: probes.tell_apart(match, matches),
            )
        )
    return Identification(
        asked=tuple(number.asked for number in numbers),
        matches=tuple(matches),
        nearest=() if matches or len(numbers) > 1 else tuple(_near(first, found[0].near)),
        contracts=sum(match.alike for match in matches),
        values=len({match.group for match in matches if match.alike}),
        left=left,
        _hand=lambda: _by_hand(first) if len(numbers) == 1 else (),
        _decide=probes.decides,
        _beyond=lambda: tuple(Beyond(*effect) for effect in beyond(first)) if len(numbers) == 1 else (),
    )


def _place(printed: Printed, one: Confirmed) -> tuple[object, ...]:
    """What orders matches: the reading; an exact 0 or 1, where that was printed; how plain; names last."""
    strictness = max(STRICTNESS.index(fit.reading.removeprefix("percent-")) for fit in one.fits)
    value = one.fits[0].value
    number = printed.number / 100 if printed.percent else printed.number
    exact = number in {0, 1} and value.is_rational and value.as_fraction() == number
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
            yield Near(contract, aggregation_of(number.asked, candidate.over), hit.quantity, value, value - target)


def _by_hand(number: Number) -> tuple[ByHand, ...]:
    one = number.asked
    ways = by_hand(one.queries, _space(one), one.printed, one.quantities)
    return tuple(ByHand(way.candidate.contract(), way.quantity, way.procedure, way.gives, way.cost) for way in ways)
