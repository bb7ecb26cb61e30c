"""What `identify` gives: the matches, what is near where there is none, and what would decide between them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from ndcg_lab.exact.values import Exact
from ndcg_lab.identification.inputs import Asked
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation, Contract
from ndcg_lab.tables import Table, coded

SHOWN = 12
"""Rows of a table that is shown; `to_json` holds all."""

SHOWN_WAYS, KEPT_WAYS = 3, 50
"""Hand calculations that are shown, and that `to_json` holds."""

FEW_DIGITS = 3
"""A number of fewer digits than this fits many contracts by chance."""


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


@dataclass(frozen=True)
class Fit:
    """One printed number under one contract: the exact value, as which quantity, and how the number is read."""

    reported: str
    known: Mapping[str, object]
    contract: Contract
    quantity: str
    reading: str
    value: Exact

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
        of = f" of query {_plain(self.query)}" if self.query else ""
        return (
            f"{_NAMES[self.quantity]}{of} at k = {self.k} would be {self.predicts}; "
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


_NAMES = {"ndcg": "NDCG", "dcg": "DCG", "idcg": "IDCG", "mean": "mean NDCG", "mean dcg": "mean DCG"}


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
    _told: Callable[["Match"], TellApart | None] = field(repr=False)

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
        return self._told(self)

    @property
    def description(self) -> str:
        """The contract in a line, but for what is known of each of several numbers."""
        known = {name for fit in self.fits for name in fit.known} if len(self.fits) > 1 else ()
        return described(self.contract, self.aggregation, known)

    def __str__(self) -> str:
        name = f"{self.name}: " if self.name else ""
        values = ", ".join(f"{fit.quantity} {_shown(fit.value)}" for fit in self.fits)
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
    """A contract that comes near to the number: its exact value, and the value less the number."""

    contract: Contract
    aggregation: Aggregation | None
    quantity: str
    value: Exact
    miss: Exact

    def to_json(self) -> dict[str, Any]:
        """The contract, its value, and by how much it misses."""
        record = {
            "contract": self.contract.to_json(),
            "quantity": self.quantity,
            "value": self.value.to_json(),
            "miss": self.miss.decimal(3),
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
        return f"{_NAMES[self.quantity]} under {described(self.contract)} is {self.gives} with {self.procedure}"

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
    """What no contract says, and gives the number: an effect beside a contract, and the exact value."""

    effect: str
    contract: Contract
    quantity: str
    value: Exact

    def __str__(self) -> str:
        name = _NAMES[self.quantity]
        return f"{name} under {described(self.contract)} would be {_shown(self.value)} with {self.effect}"

    def to_json(self) -> dict[str, Any]:
        """Effect, contract, quantity and value."""
        return {
            "effect": self.effect,
            "contract": self.contract.to_json(),
            "quantity": self.quantity,
            "value": self.value.to_json(),
        }


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


_LOGARITHMS = {"log2", "log:e", "log:10"}


class Row(NamedTuple):
    """A match as it is shown, with other bases of its logarithm and the conventions that it may be."""

    match: Match
    bases: list[str]
    names: list[str]

    def cells(self) -> list[str]:
        """Value, quantity and reading, contract, what else gives the same, conventions."""
        match = self.match
        also = {name: list(choices) for name, choices in match.also.items()}
        if self.bases:
            also["discount"] = [*self.bases, *also.get("discount", [])]
        return [
            "; ".join(_shown(fit.value) for fit in match.fits),
            "; ".join(dict.fromkeys(f"{fit.quantity}, {fit.reading}" for fit in match.fits)),
            match.description,
            "; ".join(f"{name} = {_few(list(map(str, choices)))}" for name, choices in also.items()),
            _few(self.names),
        ]


@dataclass(frozen=True, eq=False, repr=False)
class Identification:
    """Which contracts give the reported number, plainest first.

    Attributes:
        asked: the numbers, and what was known of them.
        matches: every contract found; what makes no difference on these data is one match (its `also`).
        nearest: what comes near, nearest first.
        contracts: how many contracts the matches stand for, settings that can't matter counted too.
        values: how many distinct values they have, conventions that round aside.
        left: how many more candidates were not confirmed, being past the most that are.
    """

    asked: tuple[Asked, ...]
    matches: tuple[Match, ...]
    nearest: tuple[Near, ...]
    contracts: int
    values: int
    left: int
    _hand: Callable[[], tuple[ByHand, ...]]
    _decide: Callable[["Identification"], Decider | None]
    _beyond: Callable[[], "tuple[Beyond, ...]"]

    @cached_property
    def by_hand(self) -> tuple[ByHand, ...]:
        """Hand calculations that give the number under a contract that does not: plainest first."""
        return self._hand()

    @cached_property
    def decides(self) -> Decider | None:
        """The further number that would decide between the values that fit; None where one alone does."""
        return self._decide(self)

    @cached_property
    def beyond(self) -> "tuple[Beyond, ...]":
        """Where there is no match: what no contract says, and would give the number."""
        return () if self.matches else self._beyond()

    def __len__(self) -> int:
        return len(self.matches)

    def __iter__(self) -> Iterator[Match]:
        return iter(self.matches)

    def __bool__(self) -> bool:
        return bool(self.matches)

    @property
    def reported(self) -> str:
        """The numbers as they were printed."""
        return "; ".join(_asked(number) for number in self.asked)

    @property
    def summary(self) -> str:
        """How many contracts fit, and what that is worth, in a sentence or two."""
        if not self.matches:
            return f"{self.reported}: no contract that was tried gives it."
        more = f" At least {self.left} more were not looked at." if self.left else ""
        counted = _counted(self.contracts, "contract gives", "contracts give")
        values = _counted(self.values, "value", "different values")
        text = f"{self.reported}: {counted} it, with {values}.{more}"
        digits = max(number.printed.digits for number in self.asked)
        if len(self.asked) == 1 and digits < FEW_DIGITS and self.values > 1:
            text += (
                f" A number of {_counted(digits, 'digit', 'digits')} fits many by chance: a further one would decide."
            )
        return text

    def __repr__(self) -> str:
        first = f"; plainest: {self.matches[0]}" if self.matches else ""
        return f"<Identification of {self.summary}{first}>"

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.tables()), *self.sentences()])

    def _repr_html_(self) -> str:
        tables = [table.to_html() for table in self.tables()]
        return "".join([*tables, *(f"<p>{coded(text)}</p>" for text in self.sentences())])

    def to_json(self) -> dict[str, Any]:
        """The identification as `INTERFACE` describes it, and beside that what else it says."""
        numbers: Any = [{"reported": one.printed.text, "at": dict(one.known)} for one in self.asked]
        return {
            "reported": self.asked[0].printed.text if len(self.asked) == 1 else numbers,
            "contracts": self.contracts,
            "values": self.values,
            "matches": [match.to_json() for match in self.matches],
            "nearest": [near.to_json() for near in self.nearest],
            "beyond": [one.to_json() for one in self.beyond],
            "by_hand": [way.to_json() for way in self.by_hand[:KEPT_WAYS]],
            "decides": None if self.decides is None else self.decides.to_json(),
        }

    def rows(self) -> list["Row"]:
        """The matches for a reader: one of each bundle, and another base of the logarithm with the first it is like."""
        bundles: dict[int, list[Match]] = {}
        for match in self.matches:
            bundles.setdefault(match.bundle, []).append(match)
        rows: dict[object, Row] = {}
        for alike in bundles.values():
            match = alike[0]
            names = [one.name for one in alike if one.name is not None]
            bare = match.contract.replace(discount="log2") if match.contract.discount in _LOGARITHMS else match.contract
            known = rows.setdefault((match.group, match.quantity, bare, match.aggregation), Row(match, [], []))
            known.names.extend(names)
            if known.match is not match:
                known.bases.append(match.contract.discount)
        return list(rows.values())

    def tables(self) -> Iterator[Table]:
        """The matches, or what is nearest; and what would decide."""
        if self.matches:
            rows = self.rows()
            columns = {"value": True, "as": False, "contract": False, "also": False, "named": False}
            cells = [row.cells() for row in rows[:SHOWN]]
            yield Table(_plain(self.summary), columns, cells)
        elif self.nearest:
            columns = {"value": True, "as": False, "contract": False, "misses by": True}
            cells = [
                [_shown(near.value), near.quantity, described(near.contract, near.aggregation), near.miss.decimal(2)]
                for near in self.nearest
            ]
            yield Table(_plain(f"{self.summary} The nearest:"), columns, cells)
        if self.decides is not None:
            of = f" of query {_plain(self.decides.query)}" if self.decides.query else ""
            title = f"{_NAMES[self.decides.quantity]}{of} at k = {self.decides.k} would decide"
            cells = [[predicts, match.description] for match, predicts in self.decides.predictions]
            yield Table(title, {"it would be": True, "under": False}, cells)

    def sentences(self) -> Iterator[str]:
        """What else there is to say."""
        if not self.matches:
            yield from self._untried()
        for one in self.beyond[:SHOWN_WAYS]:
            yield f"Beyond any contract: {one}."
        more = len(self.rows()) - SHOWN if self.matches else 0
        if more > 0:
            yield f"{more} more are in `matches`."
        plainer = [way for way in self.by_hand if not self.matches or way.cost < self.matches[0].cost]
        if plainer:
            yield "By hand: " + "; ".join(str(way) for way in plainer[:SHOWN_WAYS]) + "."
        elif not self.matches:
            yield "No rounding at the steps of a hand calculation, of those tried, gives it either."

    def _untried(self) -> Iterator[str]:
        """What was asked, where there is no match, and what it left out."""
        if not self.nearest:
            yield _plain(self.summary)
        if len(self.asked) > 1 and not any(number.known for number in self.asked):
            yield (
                "One contract was to give all of these numbers. If they are of different cutoffs, say so beside each "
                '(`--at k=3` after a number; `("0.7847", {"k": 3})` in Python).'
            )
        if any(number.over_queries for number in self.asked):
            yield (
                "Over several queries only means were tried. For the number of one query, name it (`--query`), or give "
                "its ranking and judgments alone."
            )


def _asked(number: Asked) -> str:
    known = ", ".join(f"{name} = {value}" for name, value in number.known.items())
    return number.printed.text + (f" at {known}" if known else "")


def _plain(text: str) -> str:
    """Text in which nothing is invisible: what isn't printable is written as an escape."""
    return text if text.isprintable() else ascii(text)[1:-1]


def _few(names: Sequence[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _shown(value: Exact) -> str:
    return value.decimal(8)
