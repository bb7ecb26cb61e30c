"""From hits to matches: every contract is proved to give the number as it was printed.

A double with a bound of its error proves that, where the bound keeps it away from the ends of what the number stands
for; so it is over queries, whose exact values are computed when they are asked for. Anything else is evaluated exactly.
"""

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from ndcg_lab.errors import NdcgLabError, Undecided
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.identification.hits import UNKNOWN, Double, Hit
from ndcg_lab.identification.inputs import Asked
from ndcg_lab.identification.matches import Fit
from ndcg_lab.identification.named import Naming
from ndcg_lab.identification.printed import Reading
from ndcg_lab.identification.space import PLAIN, Ideal, Over, Policy, Query, depth, size
from ndcg_lab.measure.contract import Aggregation, Contract
from ndcg_lab.measure.evaluation import Evaluation, evaluate
from ndcg_lab.measure.outcomes import Value
from ndcg_lab.reports.report import evaluate_run

MOST_EVALUATED, LEAST_EVALUATED = 3_000_000, 40
"""Confirming stops once so many documents were evaluated over and over, but not before so many contracts were."""

MOST_WRITTEN_OUT = 20
"""Of so many bundles every contract is written out."""

USUAL_BEYOND = (5, 10)
"""Cutoffs that are written whatever the length of the list."""


class Joint(NamedTuple):
    """One hit for each number, of contracts that agree in whatever wasn't known beforehand."""

    hits: tuple[Hit, ...]
    cost: int


class Confirmed(NamedTuple):
    """A contract that was evaluated and gives every number."""

    fits: tuple[Fit, ...]
    over: Over
    name: str | None
    joint: Joint
    bundle: int
    place: int
    """In its bundle: the plainest is 0, others with one setting changed 1, named conventions 2."""

    @property
    def rounded(self) -> bool:
        """Whether it is a convention that rounds each value, which the plainest contract does not."""
        return self.fits[0].contract.round_to != self.joint.hits[0].round_to


class Values:
    """Evaluates contracts on one number's queries, each contract once."""

    def __init__(self, queries: Sequence[Query]) -> None:
        self.queries = queries
        self.left = max(LEAST_EVALUATED, MOST_EVALUATED // max(1, size(queries)))
        """How many contracts may still be evaluated."""
        self._one: dict[tuple[int, Contract], Evaluation | None] = {}
        self._means: dict[tuple[Contract, Over], tuple[Value, Value] | None] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return Values, (self.queries,)  # what was evaluated can be again

    def one(self, q: int, contract: Contract) -> Evaluation | None:
        """One query's evaluation; None where the contract refuses."""
        key = q, contract
        if key not in self._one:
            self.left -= 1
            try:
                self._one[key] = evaluate(contract, self.queries[q].ranking, self.queries[q].judgments)
            except NdcgLabError:
                self._one[key] = None
        return self._one[key]

    def _mean(self, contract: Contract, over: Over) -> tuple[Value, Value] | None:
        key = contract, over
        if key not in self._means:
            self.left -= 1
            run = {query.name: query.ranking for query in self.queries}
            qrels = {query.name: query.judgments for query in self.queries}
            try:
                mean = evaluate_run(contract, run, qrels, **over._asdict()).mean
                self._means[key] = mean.dcg, mean.ndcg
            except NdcgLabError:
                self._means[key] = None
        return self._means[key]

    def of(self, quantity: str, contract: Contract, over: Over) -> Exact | None:
        """The exact value; None where there is none."""
        value: Value
        if quantity.startswith("mean"):
            mean = self._mean(contract, over)
            if mean is None:
                return None
            value = mean[0] if quantity == "mean dcg" else mean[1]
        else:
            evaluation = self.one(0, contract)
            if evaluation is None:
                return None
            value = value_of(evaluation, quantity)
        return None if isinstance(value, Undefined) else value


def value_of(evaluation: Evaluation, quantity: str) -> Value:
    """The `ndcg`, `dcg` or `idcg` of an evaluation."""
    return {"dcg": evaluation.dcg, "idcg": evaluation.idcg, "ndcg": evaluation.ndcg}[quantity]


class Evaluated:
    """One contract's exact value on one number's queries, computed when it is first asked for."""

    def __init__(self, values: Values, quantity: str, contract: Contract, over: Over) -> None:
        self._values, self._quantity, self._contract, self._over = values, quantity, contract, over

    @cached_property
    def value(self) -> Exact | None:
        """The value; None where there is none."""
        return self._values.of(self._quantity, self._contract, self._over)


@dataclass(frozen=True)
class Number:
    """A printed number with its readings as each quantity, its data, and what evaluates them."""

    asked: Asked
    readings: Mapping[str, Sequence[Reading]]
    naming: Naming
    values: Values
    evaluated: dict[Hashable, Evaluated] = field(default_factory=dict)
    """By what they are made of."""

    def fit(self, quantity: str, contract: Contract, over: Over, near: Double) -> Fit | None:
        """The number under a contract, by the strictest reading; None where the contract doesn't give it."""
        exact = Evaluated(self.values, quantity, contract, over)
        if self.asked.over_queries and near.made is not None:
            exact = self.evaluated.setdefault(near.made, exact)
        try:
            reading = self._surely(quantity, near) if self.asked.over_queries else self._exactly(quantity, exact)
            if reading is None and self.asked.over_queries:
                near = UNKNOWN
                reading = self._exactly(quantity, exact)
        except Undecided:  # not proved, so not claimed
            return None
        if reading is None:
            return None
        return Fit(self.asked.printed.text, self.asked.known, contract, quantity, reading.name, exact, near)

    def _exactly(self, quantity: str, exact: Evaluated) -> Reading | None:
        value = exact.value
        if value is None:
            return None
        return next((reading for reading in self.readings[quantity] if reading.accepts(value)), None)

    def _surely(self, quantity: str, near: Double) -> Reading | None:
        """The reading that a bounded double proves; None where it proves none."""
        for reading in self.readings[quantity]:
            accepted = reading.surely(near.value, near.error)
            if accepted is not False:
                return reading if accepted else None
        return None


def confirmed(numbers: Sequence[Number], joints: Sequence[Joint]) -> Iterator[Confirmed]:
    """What is proved to give the numbers: of each bundle the plainest contract, then the named conventions.

    Of the plainest bundles, each choice that makes no difference is written out as a contract too.
    """
    for bundle, joint in enumerate(joints):
        if numbers[0].values.left <= 0:
            break
        numbers[0].values.left -= numbers[0].asked.over_queries  # so many values may have to be computed when asked for
        over = joint.hits[0].overs[0]
        plain = [hit.plainest().contract() for hit in joint.hits]
        fits = _fits(numbers, joint, plain, over)
        if fits is not None:
            yield Confirmed(fits, over, None, joint, bundle, 0)
        if fits is not None and joint.cost <= PLAIN and bundle < MOST_WRITTEN_OUT and len(numbers) == 1:
            for contract, its_over in _written_out(joint.hits[0], numbers[0], plain[0], over):
                fits = _fits(numbers, joint, [contract], its_over)
                if fits is not None:
                    yield Confirmed(fits, its_over, None, joint, bundle, 1)
        for name, contracts, its_over in _named(numbers, joint):
            fits = _fits(numbers, joint, contracts, its_over)
            if fits is not None:
                yield Confirmed(fits, its_over, name, joint, bundle, 2)


def also(hit: Hit) -> dict[str, list[object]]:
    """Other choices, one field changed at a time, that make no difference to the plainest contract of a hit."""
    found: dict[str, list[object]] = {
        "gain": [gain for gain in hit.gains[1:] if "=" not in gain],
        "k": list(hit.cutoffs[1:]),
        "discount": list(hit.discounts[1:]),
    }
    several: tuple[Sequence[Ideal | Policy | Over], ...] = (hit.ideals, hit.policies, hit.overs)
    for choices in several:
        for other in choices[1:]:
            changed = [name for name in other._fields if getattr(other, name) != getattr(choices[0], name)]
            if len(changed) == 1:
                found.setdefault(changed[0], []).append(getattr(other, changed[0]))
    return {name: listed for name, listed in found.items() if listed}


def _written_out(hit: Hit, number: Number, plain: Contract, over: Over) -> Iterator[tuple[Contract, Over]]:
    """Each of those choices; and where the cutoff is the whole list's, those that people write for a short list too."""
    choices = also(hit)
    whole = depth(number.asked.queries)
    if "k" not in number.asked.known and whole in hit.cutoffs:
        choices["k"] = [*choices.get("k", []), *(k for k in USUAL_BEYOND if k > whole)]
    for name, values in choices.items():
        for value in values:
            if name in Over._fields:
                yield plain, over._replace(**{name: str(value)})
            else:
                yield plain.replace(**{name: value}), over


def _fits(numbers: Sequence[Number], joint: Joint, contracts: Sequence[Contract], over: Over) -> tuple[Fit, ...] | None:
    fits = []
    for number, hit, contract in zip(numbers, joint.hits, contracts, strict=True):
        same = contract.round_to == hit.round_to  # a convention may round, which the hit does not
        near = hit.double if same else UNKNOWN
        fit = number.fit(hit.quantity, contract, over, near)
        if fit is None:
            return None
        fits.append(fit)
    return tuple(fits)


def _named(numbers: Sequence[Number], joint: Joint) -> Iterator[tuple[str, list[Contract], Over]]:
    """The conventions that every hit may be, with the contract for each number."""
    of_each = [
        {convention.name: (convention, contract) for convention, contract in number.naming.of(hit, number.asked.known)}
        for number, hit in zip(numbers, joint.hits, strict=True)
    ]
    for name, (convention, _) in of_each[0].items():
        if all(name in found for found in of_each):
            yield name, [found[name][1] for found in of_each], convention.over


def joined(numbers: Sequence[Number], founds: Sequence[Sequence[Hit]]) -> list[Joint]:
    """Hits of every number that agree in what wasn't known, plainest first."""
    known = {name for number in numbers for name in number.asked.known}
    whole = [depth(number.asked.queries) for number in numbers]
    chains: list[tuple[Hit, ...]] = [(hit,) for hit in founds[0]]
    for hits in founds[1:]:
        longer = []
        for chain in chains:
            for hit in hits:
                common = _common((*chain, hit), known)
                if common is not None:
                    longer.append(common)
        chains = longer
    joints = [
        Joint(chain, max(hit.cost(size) for hit, size in zip(chain, whole, strict=True)) + 5 * _kinds(chain))
        for chain in chains
    ]
    return sorted(joints, key=lambda joint: joint.cost)


def _kinds(chain: Sequence[Hit]) -> int:
    """How many quantities the numbers are, past one."""
    return len({hit.quantity for hit in chain}) - 1


def _common(chain: tuple[Hit, ...], known: set[str]) -> tuple[Hit, ...] | None:
    """The hits, narrowed to the choices that they share; None where they share none."""
    zero = {hit.zero_ideal for hit in chain if hit.zero_ideal != "undefined"}
    if len(zero) > 1 or len({hit.round_to for hit in chain}) > 1:
        return None
    shared: dict[str, list[Any]] = {}
    last = chain[-1]
    for name, setting in (("gains", "gain"), ("discounts", "discount"), ("cutoffs", "k")):
        if setting not in known:
            shared[name] = [one for one in getattr(chain[0], name) if one in getattr(last, name)]
    for name, kind in (("ideals", Ideal), ("policies", Policy), ("overs", Over)):
        if not known.intersection(kind._fields):
            shared[name] = [one for one in getattr(chain[0], name) if one in getattr(last, name)]
    if not all(shared.values()):
        return None
    narrowed: dict[str, Any] = {
        name: tuple(one) if name in {"gains", "ideals", "overs"} else one for name, one in shared.items()
    }
    return tuple(replace(hit, **narrowed, zero_ideal=next(iter(zero), "undefined")) for hit in chain)


def grouped(fits: Sequence[Fit]) -> list[int]:
    """The number of each value's group, from 1: values that are proved equal have one group."""
    groups: dict[int, list[tuple[Fit, int]]] = {}  # by the value in steps that are wider than any error
    numbers: dict[Hashable, int] = {}
    numbered: list[int] = []
    count = 0
    for fit in fits:
        made, place = fit.near.made, math.floor(fit.double / WIDE) if math.isfinite(fit.double) else 0
        number = None if made is None else numbers.get(made)
        if number is None:
            rooms = [one for near in (place - 1, place, place + 1) for one in groups.get(near, ())]
            number = next((number for other, number in rooms if _equal(fit, other)), None)
        if number is None:
            count += 1
            number = count
        if made is not None:
            numbers.setdefault(made, number)
        groups.setdefault(place, []).append((fit, number))
        numbered.append(number)
    return numbered


WIDE = 1e-6


def _equal(fit: Fit, other: Fit) -> bool:
    """Whether two values are proved equal."""
    apart = abs(fit.double - other.double)
    if apart > fit.error + other.error:
        return False
    try:
        return fit.value == other.value
    except Undecided:  # not proved, so not claimed
        return False


def aggregation_of(asked: Asked, over: Over) -> Aggregation | None:
    """How the queries make the number; None for one query."""
    return Aggregation(**over._asdict()) if asked.over_queries else None


def over_of(aggregation: Aggregation | None) -> Over:
    """The same, as the search holds it."""
    return Over() if aggregation is None else Over(**aggregation.to_json())
