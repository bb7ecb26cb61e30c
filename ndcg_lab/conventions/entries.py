"""Conventions as values: what `systems.toml` and `departures.toml` hold, read once.

An entry is a contract, what a contract can't say of the system, and what is known about where that was seen.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ndcg_lab.errors import ContractError
from ndcg_lab.measure.contract import Aggregation, Contract
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.measure.evaluation import evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ndcg_lab.measure.evaluation import Evaluation


class UnknownConvention(ContractError, KeyError):
    """A name that no convention has."""

    def __str__(self) -> str:  # KeyError would print the message in quotes
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Variant:
    """A parameter of a system, as its user writes it, and the fields that it changes."""

    name: str
    contract: Mapping[str, object] = field(default_factory=dict)
    aggregation: Mapping[str, object] = field(default_factory=dict)
    quantity: str = "ndcg"
    """What is then reported: `ndcg`, or `dcg` without normalisation."""
    cannot: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Convention:
    """What one system, at one version, means by NDCG.

    `contract` is the nearest contract, at the system's default cutoff; `cannot` says in plain words where the system
    leaves it. `checked` says how that was established: `run` (the project's tests run the system), `record` (held
    against values that it printed), `source` (read, and held against its formula).
    """

    name: str
    title: str
    version: str
    source: str
    checked: str
    precision: str
    """`double`, `single`, or `decimals:N` for a system that prints rounded decimals."""
    cutoff: str
    """How the system's user writes a cutoff K."""
    contract: Contract
    aggregation: Aggregation
    variants: Mapping[str, Variant]
    cannot: tuple[str, ...]
    departures: tuple[Departure, ...] = ()
    comments: str = "error"
    """What a line of its files that begins with `#` is: `skip` where it leaves such lines out, else refused here."""
    aliases: tuple[str, ...] = ()
    """Other names by which it is found; what bundles a system goes by its name too."""

    def at(self, k: int | str | None = None, *variants: str) -> Contract:
        """The contract at a cutoff (None: the default one) and with parameters set; its query settings go along.

        >>> from ndcg_lab import conventions
        >>> conventions["xgboost"].at(3, "ndcg@K-").zero_ideal
        'zero'
        >>> conventions["trec_eval"].at(10).aggregation
        Aggregation(query_set='both')

        Raises:
            ContractError: for a parameter that isn't listed in `variants`.
        """
        changes: dict[str, object] = {} if k is None else {"k": k}
        for name in variants:
            changes |= self.variant(name).contract
        return self.contract.replace(**changes).over(self.over_queries(*variants))

    def over_queries(self, *variants: str) -> Aggregation:
        """The aggregation, with parameters set."""
        changes: dict[str, Any] = {}
        for name in variants:
            changes |= self.variant(name).aggregation
        return self.aggregation.replace(**changes)

    def variant(self, name: str) -> Variant:
        """A parameter by the name under which it is listed."""
        if name not in self.variants:
            listed = ", ".join(f"`{known}`" for known in self.variants) or "none"
            raise ContractError(f"`{self.name}` has no parameter `{name}`; those that change its contract: {listed}")
        return self.variants[name]

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "name": self.name,
            "aliases": list(self.aliases),
            "title": self.title,
            "version": self.version,
            "source": self.source,
            "checked": self.checked,
            "precision": self.precision,
            "cutoff": self.cutoff,
            "comments": self.comments,
            "contract": self.contract.to_json(),
            "aggregation": self.aggregation.to_json(),
            "variants": {
                variant.name: {
                    "contract": dict(variant.contract),
                    "aggregation": dict(variant.aggregation),
                    "quantity": variant.quantity,
                    "cannot": list(variant.cannot),
                }
                for variant in self.variants.values()
            },
            "cannot": list(self.cannot),
            "departures": [departure.to_json() for departure in self.departures],
        }


@dataclass(frozen=True, slots=True)
class Query:
    """One query's data: judgments, the documents as they were handed in, and their scores (none: order decides)."""

    query: str
    judgments: Mapping[str, int | str]
    ranking: tuple[str, ...]
    scores: tuple[str, ...] | None = None
    weight: str = "1"

    def evaluate(self, contract: Contract) -> Evaluation:
        """The query's exact values under a contract."""
        return evaluate(contract, self.as_ranking(), Judgments(self.judgments))

    def as_ranking(self) -> Ranking:
        """The results as a `Ranking`."""
        if self.scores is None:
            return Ranking(self.ranking)
        return Ranking.from_scores(zip(self.ranking, self.scores, strict=True))


@dataclass(frozen=True, slots=True)
class Departure:
    """A small input on which a system prints what its own contract, or a reader, would not expect.

    `own` is the exact value under the system's contract: where it isn't what was printed, the system leaves its own
    convention. A refusal of the system is of kind `refusal`; an input that its contract refuses and the system takes
    is of kind `ours`. `instead` are other settings, and `gives` is the value under them.
    """

    system: str
    kind: str
    what: str
    obtained: str
    contract: Contract
    queries: tuple[Query, ...]
    printed: str
    own: str = ""
    refused: str = ""
    """The name of the error by which the contract refuses the input; `own` is then empty."""
    where: str = ""
    """The inputs on which this happens."""
    parameters: tuple[str, ...] = ()
    documentation: str = ""
    instead: Mapping[str, object] = field(default_factory=dict)
    gives: str = ""

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "system": self.system,
            "kind": self.kind,
            "what": self.what,
            "documentation": self.documentation,
            "obtained": self.obtained,
            "parameters": list(self.parameters),
            "contract": self.contract.to_json(),
            "queries": [
                {
                    "query": query.query,
                    "weight": query.weight,
                    "judgments": dict(query.judgments),
                    "ranking": list(query.ranking),
                    "scores": None if query.scores is None else list(query.scores),
                }
                for query in self.queries
            ],
            "where": self.where,
            "printed": self.printed,
            "own": self.own,
            "refused": self.refused,
            "instead": {"contract": dict(self.instead), "gives": self.gives} if self.instead else None,
        }


@cache
def load() -> Mapping[str, Convention]:
    """Every convention by name, in the order of the file."""
    bare = {name: _convention(name, entry) for name, entry in _data("systems.toml").items()}
    departures: dict[str, list[Departure]] = {name: [] for name in bare}
    for entry in _data("departures.toml")["departure"]:
        departures[entry["system"]].append(_departure(bare[entry["system"]], entry))
    return MappingProxyType({name: _with(bare[name], found) for name, found in departures.items()})


@cache
def aliases() -> Mapping[str, str]:
    """Every other name of a convention -> its name."""
    return {alias: name for name, convention in load().items() for alias in convention.aliases}


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


def _convention(name: str, entry: dict[str, Any]) -> Convention:
    variants = {
        text: Variant(text, **{**changes, "cannot": tuple(changes.get("cannot", ()))})
        for text, changes in entry.pop("variants", {}).items()
    }
    contract, aggregation = Contract(**entry.pop("contract")), Aggregation(**entry.pop("aggregation", {}))
    cannot, aliases = tuple(entry.pop("cannot")), tuple(entry.pop("aliases", ()))
    return Convention(
        name,
        **entry,
        contract=contract,
        aggregation=aggregation,
        variants=MappingProxyType(variants),
        cannot=cannot,
        aliases=aliases,
    )


def _with(convention: Convention, departures: Sequence[Departure]) -> Convention:
    values = {name: getattr(convention, name) for name in Convention.__slots__}
    return Convention(**{**values, "departures": tuple(departures)})


def _departure(convention: Convention, entry: dict[str, Any]) -> Departure:
    instead = entry.get("instead", {})
    return Departure(
        system=entry["system"],
        kind=entry["kind"],
        what=entry["what"],
        obtained=entry["obtained"],
        contract=convention.at(entry["k"]).replace(**entry.get("contract", {})),
        queries=tuple(_query(query) for query in entry.get("queries", [entry])),
        printed=entry["printed"],
        own=entry.get("own", ""),
        refused=entry.get("refused", ""),
        where=entry.get("where", ""),
        parameters=tuple(entry.get("parameters", ())),
        documentation=entry.get("documentation", ""),
        instead=instead.get("contract", {}),
        gives=instead.get("gives", ""),
    )


def _query(entry: dict[str, Any]) -> Query:
    scores = entry.get("scores")
    return Query(
        query=entry.get("query", "1"),
        judgments=entry["judgments"],
        ranking=tuple(entry["ranking"]),
        scores=None if scores is None else tuple(scores),
        weight=entry.get("weight", "1"),
    )
