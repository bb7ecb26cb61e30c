"""What a panel shows: lists of documents, their judgments and the contract, as one immutable state.

Every view is a pure function of a [State][ndcg_lab.lessons.state.State]; widgets only hold one.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from ndcg_lab.errors import NdcgLabError, TiedScores
from ndcg_lab.measure.comparison import compare_evaluations
from ndcg_lab.measure.contract import Contract
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.measure.evaluation import Evaluation, evaluate


@dataclass(frozen=True)
class Order:
    """Documents in order: groups that share a place, and after them what was not returned.

    >>> order = Order.parse("B C=A | D")
    >>> order.groups, order.rest
    ((('B',), ('C', 'A')), ('D',))
    >>> str(order)
    'B C=A | D'
    """

    groups: tuple[tuple[str, ...], ...]
    rest: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        named = [*self.documents, *self.rest]
        for document in named:
            if named.count(document) > 1:
                raise NdcgLabError(f"{document!r} stands twice in the order; name each document once")

    @classmethod
    def parse(cls, text: str) -> "Order":
        """Read an order: blanks or commas between places, `=` between tied documents, `|` before those not returned."""
        listed, _, rest = re.sub(r"\s*=\s*", "=", re.sub(r"[,\[\]()\"'>]", " ", text)).partition("|")
        return cls(tuple(tuple(group.split("=")) for group in listed.split()), tuple(rest.split()))

    @classmethod
    def of(cls, order: "Order | str") -> "Order":
        """An order as it is, or read from text."""
        return cls.parse(order) if isinstance(order, str) else order

    @property
    def documents(self) -> tuple[str, ...]:
        """The returned documents, in order."""
        return tuple(document for group in self.groups for document in group)

    @property
    def has_ties(self) -> bool:
        """Whether some documents share a place."""
        return any(len(group) > 1 for group in self.groups)

    def ranking(self) -> Ranking:
        """The same order as the library's ranking; tied documents get one score."""
        if not self.has_ties:
            return Ranking(list(self.documents))
        places = len(self.groups)
        return Ranking.from_scores(
            {document: places - index for index, group in enumerate(self.groups) for document in group}
        )

    def swapped(self, one: str, other: str) -> "Order":
        """The order with two documents in each other's places.

        >>> str(Order.parse("A B C").swapped("A", "C"))
        'C B A'
        """
        exchange = {one: other, other: one}
        return Order(
            tuple(tuple(exchange.get(document, document) for document in group) for group in self.groups),
            tuple(exchange.get(document, document) for document in self.rest),
        )

    def one_swap_from(self, other: "Order") -> bool:
        """Whether exchanging two documents of one order makes the other."""
        if [len(group) for group in self.groups] != [len(group) for group in other.groups]:
            return False
        pairs = zip((*self.documents, *self.rest), (*other.documents, *other.rest), strict=True)
        moved = [pair for pair in pairs if pair[0] != pair[1]]
        match moved:
            case [(one, two), (three, four)]:
                return (one, two) == (four, three)
        return False

    def to_json(self) -> dict[str, list[Any]]:
        """The order as lists, as the editor keeps it."""
        return {"groups": [list(group) for group in self.groups], "rest": list(self.rest)}

    @classmethod
    def from_json(cls, value: Mapping[str, list[Any]]) -> "Order":
        """The order of what `to_json` gave."""
        return cls(tuple(tuple(group) for group in value["groups"]), tuple(value["rest"]))

    def __str__(self) -> str:
        listed = " ".join("=".join(group) for group in self.groups)
        return f"{listed} | {' '.join(self.rest)}".strip() if self.rest else listed


def _frozen(mapping: Mapping[str, Any] | None) -> Mapping[str, Any]:
    return MappingProxyType(dict(mapping or {}))


@dataclass(frozen=True)
class State:
    """Judgments, named orders, a contract, and what else a lesson lets its reader choose.

    Args:
        judgments: the grades of all judged documents.
        lists: the orders, by name; one, or two to compare.
        contract: every setting of the evaluation.
        options: further choices of a lesson, by name.

    >>> from ndcg_lab import Contract, Judgments
    >>> state = State.of(Judgments({"A": 3, "B": 2}), Contract(gain="linear", k=2), X="A B", Y="B A")
    >>> state.leader
    'X'
    """

    judgments: Judgments
    lists: Mapping[str, Order]
    contract: Contract
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lists", _frozen(self.lists))
        object.__setattr__(self, "options", _frozen(self.options))

    @classmethod
    def of(cls, judgments: Judgments, contract: Contract, **lists: Order | str) -> "State":
        """A state with its lists as keywords, each as an order or as text."""
        return cls(judgments, {name: Order.of(order) for name, order in lists.items()}, contract)

    @cached_property
    def evaluations(self) -> Mapping[str, Evaluation]:
        """Each list, evaluated; raises the library's errors where the contract refuses."""
        try:
            return _frozen(
                {name: evaluate(self.contract, order.ranking(), self.judgments) for name, order in self.lists.items()}
            )
        except TiedScores as error:  # an order has places and no scores: none is to be quoted
            raise TiedScores(re.sub(r"share score \S+(?: in \w+)? at", "are tied at", str(error))) from None

    @cached_property
    def sign(self) -> int | None:
        """The sign of the first list's NDCG minus the second's; None where one is undefined, or with one list."""
        match list(self.evaluations.values()):
            case [first, second]:
                return compare_evaluations(first, second).sign
        return None

    @property
    def leader(self) -> str | None:
        """The name of the list that leads, or None at a tie and where there is no comparison."""
        if not self.sign:
            return None
        return list(self.lists)[0 if self.sign > 0 else 1]

    def under(self, **fields: object) -> "State":
        """The same lists under a contract with some fields changed."""
        return State(self.judgments, self.lists, self.contract.replace(**fields), self.options)

    def with_lists(self, **lists: Order | str) -> "State":
        """The same contract with some lists replaced."""
        replaced = {name: Order.of(order) for name, order in lists.items()}
        return State(self.judgments, {**self.lists, **replaced}, self.contract, self.options)

    def changes_from(self, before: "State") -> tuple[str, ...]:
        """What differs from another state, each named as a reader calls it."""
        changed = before.contract.differences(self.contract)
        changed += [f"order of {name}" for name in self.lists if self.lists[name] != before.lists.get(name)]
        if self.judgments != before.judgments:
            changed.append("grades")
        changed += [name for name in self.options if self.options[name] != before.options.get(name)]
        return tuple(changed)


@dataclass(frozen=True)
class Preset:
    """A named state that a reader can go to."""

    name: str
    state: State


@dataclass(frozen=True)
class Target:
    """Something to reach in a panel.

    Args:
        say: what to do, in words.
        reached: from the state last set by a preset or by reset, and the state as it stands, whether it is done.
    """

    say: str
    reached: Callable[[State, State], bool]
