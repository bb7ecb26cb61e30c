"""What `identify` gives, piece by piece: a fit, a match, what is near, and what would tell one from another."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.values import Exact
from ndcg_lab.identification.hits import Double
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation, Contract

NAMES = {"ndcg": "NDCG", "dcg": "DCG", "idcg": "IDCG", "mean": "mean NDCG", "mean dcg": "mean DCG"}

SHOWN_DIGITS = 8


def described(contract: Contract, aggregation: Aggregation | None = None, hidden: Iterable[str] = ()) -> str:
    """A contract in a line: gain, discount, cutoff, and what else isn't at its default; not the fields in `hidden`.

    >>> described(Contract(gain="linear", k=3, ties="average"))
    'linear, log2, k = 3, ties = average'
    """
    stated = {"gain": contract.gain, "discount": contract.discount, "k": f"k = {contract.k}"}
    for settings, fields in ((contract, FIELDS[3:]), (aggregation, AGGREGATION_FIELDS)):
        for one in fields if settings is not None else ():
            value = getattr(settings, one.name)
            if value != one.default:
                stated[one.name] = f"{one.name} = {value}"
    return ", ".join(text for name, text in stated.items() if name not in hidden)


class _Valued(Protocol):
    @property
    def value(self) -> Exact | None: ...


class Telling(Protocol):
    """What looks for further numbers: see `ndcg_lab.identification.probes`."""

    def tell_apart(self, match: "Match") -> "TellApart | None": ...


@dataclass(frozen=True, eq=False)
class Fit:
    """One printed number under one contract: the exact value, as which quantity, and how the number is read."""

    reported: str
    known: Mapping[str, object]
    contract: Contract
    quantity: str
    reading: str
    exact: _Valued = field(repr=False)
    near: Double = field(repr=False)

    @property
    def value(self) -> Exact:
        """The exact value."""
        value = self.exact.value
        assert value is not None
        return value

    @property
    def double(self) -> float:
        """A double near the value."""
        return self.near.value if math.isfinite(self.near.error) else float(self.value)

    @property
    def error(self) -> float:
        """How far that may be off."""
        return self.near.error if math.isfinite(self.near.error) else math.ulp(self.double)

    @property
    def shown(self) -> str:
        """The value to some digits: from the double, where its error can't change them."""
        if math.isfinite(self.near.error):
            low, high = (
                Linear.rational(Fraction(self.double) + sign * Fraction(self.error)).decimal(SHOWN_DIGITS)
                for sign in (-1, 1)
            )
            if low == high:
                return low
        return shown(self.value)

    def to_json(self) -> dict[str, Any]:
        """The number, what was known of it, and what it is under the contract."""
        return {
            "reported": self.reported,
            "at": dict(self.known),
            "contract": self.contract.to_json(),
            "quantity": self.quantity,
            "reading": self.reading,
            "value": self.value.to_json(),
        }


@dataclass(frozen=True, eq=False)
class TellApart:
    """A further number that would tell a match from another: what each predicts, to four decimals."""

    quantity: str
    k: int | str
    query: str
    predicts: str
    other: Contract
    other_predicts: str

    def __str__(self) -> str:
        of = f" of query {printable(self.query)}" if self.query else ""
        return (
            f"{NAMES[self.quantity]}{of} at k = {self.k} would be {self.predicts}; "
            f"under {described(self.other)} it would be {self.other_predicts}"
        )

    def to_json(self) -> dict[str, Any]:
        """The number to look up, and what it would be under this contract and under the other."""
        return {
            "quantity": self.quantity,
            "k": self.k,
            **({"query": self.query} if self.query else {}),
            "predicts": self.predicts,
            "other": self.other.to_json(),
            "other_predicts": self.other_predicts,
        }


@dataclass(frozen=True, eq=False)
class Match:
    """A contract that gives every reported number as printed. Compare `value`, `contract` and the like.

    Attributes:
        fits: each number under it. `contract`, `quantity`, `reading` and `value` are those of the first one.
        aggregation: how the queries make the number; None for one query.
        name: the named convention whose contract this is, or None.
        also: field -> other choices that make no difference here.
        group: counts the distinct values, from 1: matches of one group give exactly the same number.
        bundle: matches of one bundle can't be told apart by any number on these data.
        alike: how many contracts the bundle stands for: what can't matter on these data, varied; 0 past its first.
        cost: how far from plain it is; see `ndcg_lab.identification.space.COSTS`.
    """

    fits: tuple[Fit, ...]
    aggregation: Aggregation | None
    name: str | None
    also: Mapping[str, list[object]]
    group: int
    bundle: int
    alike: int
    cost: int
    _telling: Telling = field(repr=False)

    @property
    def contract(self) -> Contract:
        """The contract, with what is known of the first number."""
        return self.fits[0].contract

    @property
    def quantity(self) -> str:
        """What the first number is: ndcg, dcg, idcg, mean or mean dcg."""
        return self.fits[0].quantity

    @property
    def reading(self) -> str:
        """How the first number is read."""
        return self.fits[0].reading

    @property
    def value(self) -> Exact:
        """The exact value that the first number stands for."""
        return self.fits[0].value

    @cached_property
    def tell_apart(self) -> TellApart | None:
        """A further number that would tell this match from the plainest other; None where none of these data does."""
        return self._telling.tell_apart(self)

    @property
    def description(self) -> str:
        """The contract in a line, but for what is known of each of several numbers."""
        known = {name for fit in self.fits for name in fit.known} if len(self.fits) > 1 else ()
        return described(self.contract, self.aggregation, known)

    def __str__(self) -> str:
        name = f"{self.name}: " if self.name else ""
        values = ", ".join(f"{fit.quantity} {fit.shown}" for fit in self.fits)
        return f"{name}{self.description}: {values}"

    def to_json(self) -> dict[str, Any]:
        """The match as `INTERFACE` describes it, and beside that what else it says."""
        record: dict[str, Any] = {
            "contract": self.contract.to_json(),
            "name": self.name,
            "quantity": self.quantity,
            "reading": self.reading,
            "value": self.value.to_json(),
            "tell_apart": None if self.tell_apart is None else self.tell_apart.to_json(),
            "also": {name: list(choices) for name, choices in self.also.items()},
            "group": self.group,
        }
        if self.aggregation is not None:
            record["aggregation"] = self.aggregation.to_json()
        if len(self.fits) > 1:
            record["numbers"] = [fit.to_json() for fit in self.fits]
        return record


@dataclass(frozen=True, eq=False)
class Near:
    """A contract that comes near to the number: its exact value, and the number that it misses."""

    contract: Contract
    aggregation: Aggregation | None
    quantity: str
    value: Exact
    number: Fraction

    def miss(self, digits: int) -> str:
        """The value less the number, as a decimal of so many significant digits."""
        if self.value.scale != "log2(e)":
            return (self.value - self.number).decimal(digits)
        bits = 64  # no fraction is subtracted from it: enclosures are
        while True:
            low, high = (Linear({2: end - self.number}).decimal(digits) for end in self.value.enclosure(bits))
            if low == high:
                return low
            bits *= 2

    def to_json(self) -> dict[str, Any]:
        """The contract, its value, and by how much it misses."""
        record = {
            "contract": self.contract.to_json(),
            "quantity": self.quantity,
            "value": self.value.to_json(),
            "miss": self.miss(3),
        }
        if self.aggregation is not None:
            record["aggregation"] = self.aggregation.to_json()
        return record


@dataclass(frozen=True, eq=False)
class ByHand:
    """A hand calculation that gives the number: the contract, what is rounded, and the result before its last step."""

    contract: Contract
    quantity: str
    procedure: str
    gives: str
    cost: int

    def __str__(self) -> str:
        return f"{NAMES[self.quantity]} under {described(self.contract)} is {self.gives} with {self.procedure}"

    def to_json(self) -> dict[str, Any]:
        """Contract, quantity, procedure and result."""
        return {
            "contract": self.contract.to_json(),
            "quantity": self.quantity,
            "procedure": self.procedure,
            "gives": self.gives,
        }


@dataclass(frozen=True, eq=False)
class Beyond:
    """What no contract says, and gives the number: an effect beside a contract, the exact value, and how it is read."""

    effect: str
    contract: Contract
    quantity: str
    value: Exact
    reading: str = "rounded"
    aggregation: Aggregation | None = None

    def __str__(self) -> str:
        name, under = NAMES[self.quantity], described(self.contract, self.aggregation)
        return f"{name} under {under} would be {shown(self.value)} with {self.effect}"

    def to_json(self) -> dict[str, Any]:
        """Effect, contract, quantity, value and reading."""
        record = {
            "effect": self.effect,
            "contract": self.contract.to_json(),
            "quantity": self.quantity,
            "reading": self.reading,
            "value": self.value.to_json(),
        }
        if self.aggregation is not None:
            record["aggregation"] = self.aggregation.to_json()
        return record


@dataclass(frozen=True, eq=False)
class Decider:
    """The further number that would split the candidates into most parts: what each predicts, plainest first."""

    quantity: str
    k: int | str
    query: str
    predictions: tuple[tuple[Match, str], ...]

    def to_json(self) -> dict[str, Any]:
        """The number to look up, and what it would be under each candidate."""
        return {
            "quantity": self.quantity,
            "k": self.k,
            **({"query": self.query} if self.query else {}),
            "predictions": [
                {"group": match.group, "contract": match.contract.to_json(), "predicts": predicts}
                for match, predicts in self.predictions
            ],
        }


def printable(text: str) -> str:
    """Text in which nothing is invisible: what isn't printable is written as an escape."""
    return text if text.isprintable() else ascii(text)[1:-1]


def shown(value: Exact) -> str:
    """A value to some digits."""
    return value.decimal(SHOWN_DIGITS)
