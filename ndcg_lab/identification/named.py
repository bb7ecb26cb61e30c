"""The named conventions among the contracts that were found."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ndcg_lab.identification.hits import Hit
from ndcg_lab.identification.space import Ideal, Over, Policy, Query, Space, depth
from ndcg_lab.measure.contract import Aggregation, Contract


class Named(NamedTuple):
    """A convention, or one with a parameter set: its name, what it means, and what it reports."""

    name: str
    contract: Contract
    over: Over
    quantity: str
    cut: bool
    """Whether its user may choose a cutoff."""


@cache
def named() -> tuple[Named, ...]:
    """Every named convention, alone and with each parameter that changes its contract."""
    from ndcg_lab.conventions import conventions

    found = []
    for name, convention in conventions.items():
        cut = convention.cutoff != "none"
        found.append(Named(name, convention.contract, _over(convention.aggregation), "ndcg", cut))
        for text, variant in convention.variants.items():
            if variant.contract or variant.aggregation or variant.quantity != "ndcg":
                contract, over = convention.at(None, text), _over(convention.over_queries(text))
                found.append(Named(f"{name} ({text})", contract, over, variant.quantity, cut))
    return tuple(found)


def _over(aggregation: Aggregation) -> Over:
    return Over(**aggregation.to_json())


def more_gains() -> list[str]:
    """The gains that only a named convention has."""
    return list(dict.fromkeys(convention.contract.gain for convention in named()))


class Naming:
    """Finds the conventions among hits on given data."""

    def __init__(self, queries: Sequence[Query], space: Space, rounding: Sequence[int], *, over_queries: bool) -> None:
        self.whole = depth(queries)
        self.rounding = rounding
        self.over_queries = over_queries
        columns = zip(*space.policies, strict=True)
        self.varied = [len(set(column)) > 1 for column in columns]
        self.missing = any(len(query.judgments) and not len(query.ranking) for query in queries)
        self.unjudged = any(len(query.ranking) and not len(query.judgments) for query in queries)

    def of(self, hit: Hit, known: Mapping[str, object]) -> Iterator[tuple[Named, Contract]]:
        """The conventions that a hit may be, each with its contract at that cutoff."""
        for convention in named():
            contract = self._contract(convention, hit)
            if contract is not None and all(
                getattr(contract, name, getattr(convention.over, name, None)) == value for name, value in known.items()
            ):
                yield convention, contract

    def _contract(self, convention: Named, hit: Hit) -> Contract | None:
        contract = convention.contract
        dcg = hit.quantity in {"dcg", "mean dcg"}
        fits = (
            dcg == (convention.quantity == "dcg")
            and hit.quantity != "idcg"
            and contract.gain in hit.gains
            and contract.discount in hit.discounts
            and (dcg or Ideal(contract.ideal_population, contract.ideal_cutoff) in hit.ideals)
            and any(self._agrees(policy, contract) for policy in hit.policies)
            and hit.zero_ideal in {"undefined", contract.zero_ideal}
            and hit.round_to in {None, contract.round_to}
            and (not self.over_queries or self._same_over(convention.over) in hit.overs)
        )
        if not fits or (self.over_queries and contract.round_to not in {None, *self.rounding}):
            return None
        if contract.k in hit.cutoffs:
            return contract
        beyond = "all" in hit.cutoffs or self.whole in hit.cutoffs
        if beyond and contract.k != "all" and contract.k >= self.whole:
            return contract
        if not convention.cut:
            return None
        return contract.replace(k=hit.cutoffs[0])

    def _agrees(self, policy: Policy, contract: Contract) -> bool:
        """Whether a policy is the contract's, where it can matter."""
        return all(
            not varied or value == getattr(contract, name)
            for varied, (name, value) in zip(self.varied, policy._asdict().items(), strict=True)
        )

    def _same_over(self, over: Over) -> Over:
        """The aggregation with what can't matter at its default."""
        if not self.unjudged:
            over = over._replace(unjudged_queries="exclude")
        if not self.missing:
            over = over._replace(missing="error")
        if over.query_set != "judged":
            over = over._replace(missing="error")
        if over.query_set != "run":
            over = over._replace(unjudged_queries="exclude")
        return over if self.missing or self.unjudged else Over(aggregate=over.aggregate)
