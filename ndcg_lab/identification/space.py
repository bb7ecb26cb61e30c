"""What is searched, and how plain each setting is.

Every setting has a cost, and a contract's is their sum; the textbook's settings cost nothing. A setting is varied only
where it can matter: ties where scores tie, `unjudged` where a returned document has no grade, and so on.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple, TypeVar

from ndcg_lab.exact.rationals import Number, written
from ndcg_lab.measure import rules
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation, Contract
from ndcg_lab.measure.data import Judgments, Ranking

T = TypeVar("T")

Cutoff = int | str
"""A number of ranks, or `all`."""

MOST_THRESHOLDS = 10
"""Where there are more grades than this, `binary:T` is tried from the lowest and the highest ones on."""

HIGHEST_GRADE = 300
"""With higher grades no exponential of a base above 2 and no power is tried."""

USUAL_CUTOFFS = (1, 3, 5, 10, 20, 50, 100, 200, 500, 1000)

MOST_CUTOFFS = 1000
"""Where lists times queries are longer than this, cutoffs past 10 are the usual ones alone."""

MOST_DOCUMENTS, MOST_COST_OF_POLICIES = 2000, 9
"""Over more documents than this the orders that cost more than this are not tried."""

# How far from plain each choice is; what a gain or a discount costs stands in its entry in `ndcg_lab.measure.rules`.
COSTS: Mapping[str, Mapping[object, int]] = {
    "ideal_population": {"judged": 0, "returned": 5, "returned-at-k": 15},
    "ideal_cutoff": {"k": 0, "returned": 6, "none": 8},
    "ties": {
        "error": 0,
        "average": 0,
        "input": 4,
        "docno-descending": 4,
        "best": 6,
        "worst": 6,
        "reverse-input": 6,
        "docno-ascending": 6,
    },
    "score_precision": {"exact": 0, "float32": 5},
    "unjudged": {"error": 0, "zero": 0, "remove": 4},
    "duplicates": {"error": 0, "first": 0, "count": 4},
    "negative": {"error": 0, "zero": 0, "allow": 4},
    "zero_ideal": {"undefined": 0, "zero": 1, "one": 3, "exclude": 2},
    "query_set": {"judged": 0, "run": 4, "both": 3},
    "missing": {"error": 0, "zero": 0, "exclude": 3},
    "unjudged_queries": {"exclude": 0, "zero": 3},
    "aggregate": {"mean": 0, "ratio-of-sums": 10},
}
WHOLE_LIST, OTHERWISE, USUAL, UNUSUAL = 0, 1, 8, 10
"""What a cutoff costs: the whole list, written as people would or otherwise; a usual cutoff above that; another one."""

SHORT = 20
"""Up to this length a whole list's cutoff is written as a number."""
PLAIN = 40
"""Up to this cost a contract is plain: named as near though others may be nearer, and shown before the rest."""

ROUNDED = 15
"""What rounding each query's value costs."""

REFUSING: Mapping[str, object] = {field.name: field.default for field in (*FIELDS, *AGGREGATION_FIELDS)}
"""Each field's default: what stands where a setting can't matter."""


def spellings(field: str) -> list[str]:
    """The gains, or the discounts, that their entries want tried, plainest first; `binary:T` depends on the grades.

    >>> spellings("discount")[:3]
    ['log2', 'jarvelin', 'log:e']
    """
    entries: Sequence[rules.Entry[Any]] = rules.GAINS if field == "gain" else rules.DISCOUNTS
    found = [spelling for entry in entries for spelling in entry.tried]
    return sorted(found, key=lambda spelling: cost(field, spelling))


@cache
def cost(field: str, value: object) -> int:
    """How far from plain one setting is.

    >>> cost("gain", "linear"), cost("discount", "geometric:4/5")
    (0, 70)
    """
    if field == "round_to":
        return 0 if value is None else ROUNDED
    if field in {"gain", "discount"}:
        return rules.cost_of(rules.GAINS if field == "gain" else rules.DISCOUNTS, str(value))
    return COSTS[field][value]


def cutoff_cost(k: Cutoff, whole: int) -> int:
    """How far from plain a cutoff is, where the whole list (or the judgments, if more) has that many documents.

    The length of a short list is a cutoff that people write; of a long one, and an unusual one, they mean `all`.

    >>> cutoff_cost(6, 6), cutoff_cost("all", 6), cutoff_cost(261, 261), cutoff_cost("all", 261)
    (0, 1, 1, 0)
    """
    written = whole <= SHORT or whole in USUAL_CUTOFFS
    if k in {"all", whole}:
        return WHOLE_LIST if (k == whole) == written else OTHERWISE
    return USUAL if k in USUAL_CUTOFFS else UNUSUAL


class Query(NamedTuple):
    """One query's data. A query without results, or without judgments, has an empty side."""

    name: str
    ranking: Ranking
    judgments: Judgments

    @property
    def evaluable(self) -> bool:
        """Whether it has both judgments and results."""
        return bool(len(self.ranking) and len(self.judgments))


class Policy(NamedTuple):
    """How a list is brought into order: five fields of the contract."""

    ties: str
    score_precision: str
    unjudged: str
    duplicates: str
    negative: str

    @property
    def cost(self) -> int:
        """How far from plain they are together."""
        return _together(self)


class Ideal(NamedTuple):
    """What the ideal is made of: two fields of the contract."""

    ideal_population: str
    ideal_cutoff: str

    @property
    def cost(self) -> int:
        """How far from plain they are together."""
        return _together(self)


class Over(NamedTuple):
    """How queries make one number: the aggregation's fields."""

    query_set: str = "judged"
    missing: str = "error"
    unjudged_queries: str = "exclude"
    aggregate: str = "mean"

    @property
    def cost(self) -> int:
        """How far from plain they are together."""
        return _together(self)


@cache
def _together(settings: "Policy | Ideal | Over") -> int:
    return sum(cost(name, value) for name, value in settings._asdict().items())


class Candidate(NamedTuple):
    """One contract, and how queries make one number, in the parts that the search varies."""

    gain: str
    k: Cutoff
    discount: str
    ideal: Ideal
    policy: Policy
    zero_ideal: str = "undefined"
    round_to: int | None = None
    over: Over = Over()

    def settings(self) -> dict[str, Any]:
        """Every field of the contract."""
        return {
            "gain": self.gain,
            "k": self.k,
            "discount": self.discount,
            **self.ideal._asdict(),
            **self.policy._asdict(),
            "zero_ideal": self.zero_ideal,
            "round_to": self.round_to,
        }

    def contract(self) -> Contract:
        """The contract."""
        return Contract(**self.settings())

    def aggregation(self) -> Aggregation:
        """The aggregation."""
        return Aggregation(**self.over._asdict())


def gains(grades: Iterable[Number]) -> list[str]:
    """The gains worth trying for these grades, plainest first."""
    positive = sorted({grade for grade in grades if grade > 0})
    highest = positive[-1] if positive else 0
    named = [
        gain
        for gain in spellings("gain")
        if highest <= HIGHEST_GRADE or cost("gain", gain) <= cost("gain", "exponential")
    ]
    if len(positive) > MOST_THRESHOLDS:
        half = MOST_THRESHOLDS // 2
        positive = positive[:half] + positive[-half:]
    return sorted([*named, *(f"binary:{written(grade)}" for grade in positive)], key=lambda gain: cost("gain", gain))


def cutoffs(queries: Sequence[Query]) -> list[Cutoff]:
    """1 to the length of the longest list or judgments, and `all`, plainest first."""
    whole = depth(queries)
    numbers = list(range(1, whole + 1))
    if whole * len(queries) > MOST_CUTOFFS:
        numbers = sorted({*range(1, 11), *(k for k in (15, 25, 30, *USUAL_CUTOFFS) if k <= whole), whole})
    return sorted([*numbers, "all"], key=lambda k: (cutoff_cost(k, whole), 0 if k == "all" else -int(k)))


def depth(queries: Sequence[Query]) -> int:
    """The length of the longest list, or of the judgments if those are more."""
    return max((len(side) for query in queries for side in (query.ranking, query.judgments)), default=0) or 1


def size(queries: Sequence[Query]) -> int:
    """How many documents the lists and the judgments hold together."""
    return sum(len(query.ranking) + len(query.judgments) for query in queries)


def ideals() -> list[Ideal]:
    """Every ideal, plainest first."""
    pairs = (Ideal(str(one), str(other)) for one, other in product(COSTS["ideal_population"], COSTS["ideal_cutoff"]))
    return sorted(pairs, key=lambda ideal: ideal.cost)


def policies(queries: Sequence[Query]) -> list[Policy]:
    """Every way to bring these lists into order, plainest first: what can't matter stands at its default."""
    used = [query for query in queries if query.evaluable]

    def varied(name: str, occurs: bool) -> list[str]:
        choices = [str(choice) for choice in COSTS[name] if choice != "error"]
        return choices if occurs else [str(REFUSING[name])]

    exact = [query.ranking.tie_groups() for query in used]
    single = [query.ranking.tie_groups("float32") for query in used]
    found = product(
        varied("ties", any(len(group) > 1 for groups in single for group in groups)),
        varied("score_precision", exact != single),
        varied("unjudged", any(document not in query.judgments for query in used for document in query.ranking)),
        varied("duplicates", any(len(set(query.ranking)) < len(query.ranking) for query in used)),
        varied("negative", any(grade < 0 for query in used for grade in query.judgments.values())),
    )
    most = MOST_COST_OF_POLICIES if size(queries) > MOST_DOCUMENTS else math.inf
    every = (Policy(*choices) for choices in found)
    return sorted((policy for policy in every if policy.cost <= most), key=lambda policy: policy.cost)


def overs(queries: Sequence[Query]) -> Iterator[list[Over]]:
    """Every way to choose and join the queries; those that choose the same queries together, plainest first."""
    missing = any(len(query.judgments) and not len(query.ranking) for query in queries)
    unjudged = any(len(query.ranking) and not len(query.judgments) for query in queries)
    for aggregate in COSTS["aggregate"]:
        joined = str(aggregate)
        if missing:
            yield [Over(missing="zero", aggregate=joined)]
            both = [Over(missing="exclude", aggregate=joined)]
        else:
            both = [Over(aggregate=joined)]
        if missing or unjudged:
            both += [Over(query_set="both", aggregate=joined), Over(query_set="run", aggregate=joined)]
        yield sorted(both, key=lambda over: over.cost)
        if unjudged:
            yield [Over(query_set="run", unjudged_queries="zero", aggregate=joined)]


class Space(NamedTuple):
    """All that is searched for one set of queries; each list is plainest first."""

    gains: list[str]
    discounts: list[str]
    cutoffs: list[Cutoff]
    ideals: list[Ideal]
    policies: list[Policy]
    overs: list[list[Over]]
    zero_ideals: list[str]

    @classmethod
    def of(cls, queries: Sequence[Query], known: Mapping[str, object], more_gains: Iterable[str] = ()) -> "Space":
        """The space for these queries, narrowed to the settings that are known.

        Args:
            queries: the data.
            known: fields of the contract or the aggregation, with values in their canonical spelling.
            more_gains: gains to try beside the usual ones.
        """
        grades = {grade for query in queries for grade in query.judgments.values()}
        usual = gains(grades)
        return cls(
            _narrowed(known.get("gain"), [*usual, *(gain for gain in more_gains if gain not in usual)]),
            _narrowed(known.get("discount"), spellings("discount")),
            _narrowed(known.get("k"), cutoffs(queries)),
            [ideal for ideal in ideals() if _agrees(ideal._asdict(), known)],
            _known_policies(policies(queries), known),
            [kept for group in overs(queries) if (kept := [over for over in group if _agrees(over._asdict(), known)])],
            _narrowed(known.get("zero_ideal"), ["zero", "one", "exclude"]),
        )


def _narrowed(known: Any, choices: list[T]) -> list[T]:
    return choices if known is None else [known]


def _agrees(settings: Mapping[str, object], known: Mapping[str, object]) -> bool:
    return all(known.get(name, value) == value for name, value in settings.items())


def _known_policies(found: list[Policy], known: Mapping[str, object]) -> list[Policy]:
    """The policies with the known settings; one that can't matter takes what is known of it."""
    kept = []
    for policy in found:
        stated = {
            name: str(known.get(name, value)) if value == REFUSING[name] else value
            for name, value in policy._asdict().items()
        }
        if _agrees(stated, known):
            kept.append(Policy(**stated))
    return list(dict.fromkeys(kept))
