"""Who leads, as statements and proofs for Coq: of NDCG itself, from the gains, with real logarithms.

What is written is checked by `coqc -R proofs NdcgLab proof.v`; `proofs/Ndcg.v` says what the words mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any

from ndcg_lab.certificates.coq import HEAD, PROVED, bounds, comment, identities, listed, ratio
from ndcg_lab.certificates.maker import bounds_for, entry_of
from ndcg_lab.errors import NotExported
from ndcg_lab.exact.algebra import prove_zero
from ndcg_lab.exact.linear import Linear
from ndcg_lab.limits import COQ_DOCUMENTS, COQ_RANKS, beyond

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ndcg_lab.certificates.checker import Entry
    from ndcg_lab.exact.rationals import Number
    from ndcg_lab.exact.values import Exact
    from ndcg_lab.exact.writing import Monomial
    from ndcg_lab.measure.evaluation import Evaluation

__all__ = ["Side", "average_theorem", "file", "pair_theorem", "sides"]

_LEADS = {1: "the first leads", 0: "exactly equal", -1: "the second leads"}


@dataclass(frozen=True)
class Side:
    """A query's value for one of two that are compared.

    Attributes:
        lists: the lists of gains that it is made of, by name.
        said: the value in the statement.
        read: the same as a `value` of `Ndcg.v`.
        value: the number.
        ideal: its denominator; None for a number that is given.
    """

    lists: Mapping[str, str]
    said: str
    read: str
    value: Exact
    ideal: Linear | None


def definitions(*described: Side) -> str:
    """The lists of gains, each once."""
    lists = {name: text for one in described for name, text in one.lists.items()}
    return "".join(f"Definition {name} : list Q := {text}.\n" for name, text in lists.items())


def file(about: Iterable[str], parts: Iterable[str]) -> str:
    """A whole file.

    Raises:
        NotExported: where there is nothing to state.
    """
    stated = list(parts)
    if not any("\nTheorem " in part for part in stated):
        raise NotExported("no two values have an order, so there is nothing to state")
    return "\n".join(["\n".join(map(comment, about)), HEAD, *stated])


def sides(number: str, one: tuple[Evaluation, Exact], other: tuple[Evaluation, Exact]) -> tuple[Side, Side]:
    """Both values of a query; judgments that give the same gains are defined once."""
    judged = f"judged{number}"
    first, second = side(*one, f"first{number}", judged), side(*other, f"second{number}", judged)
    if first.lists.get(judged, "") == second.lists.get(judged, ""):
        return first, second
    return side(*one, f"first{number}", f"{judged}_first"), side(*other, f"second{number}", f"{judged}_second")


def side(evaluation: Evaluation, value: Exact, gains: str, judged: str) -> Side:
    """A query's NDCG, as it counts; its lists get these names.

    Raises:
        NotExported: for what `Ndcg.v` has no word for, and past the stated sizes.
    """
    contract = evaluation.contract
    if contract.round_to is not None:
        raise NotExported(f"`round_to = {contract.round_to}` is not told to Coq; choices: none")
    if contract.discount != "log2" and not contract.discount.startswith("log:"):
        raise NotExported(
            f"`discount = {contract.discount}` is not told to Coq, where rank i is worth 1/log2(i + 1); choices: log2, "
            "and log:e or log:B, which leave NDCG as it is"
        )
    if evaluation.idcg == 0 or value != evaluation.ndcg:  # a number that a convention puts in NDCG's place
        given = ratio(value.as_fraction())
        return Side({}, f"Q2R {given}", f"Given {given}", value, None)
    earned, population = evaluation.earned(), sorted(evaluation.population(), reverse=True)
    k = max(len(earned), len(population)) if contract.k == "all" else contract.k
    cut = {"k": k, "returned": min(k, len(earned)), "none": len(population)}[contract.ideal_cutoff]
    if max(k, cut) > COQ_RANKS:
        raise NotExported(f"{max(k, cut):,} ranks are not told to Coq: {beyond('COQ_RANKS')}; `k` decides")
    if len(population) > COQ_DOCUMENTS:
        raise NotExported(f"an ideal of {len(population):,} documents is not told to Coq: {beyond('COQ_DOCUMENTS')}")
    said = f"ndcg_at {k} {gains} {judged}" if cut == k else f"dcg_at {k} {gains} / idcg_at {cut} {judged}"
    return Side(
        {gains: _written(earned), judged: _written(population)},
        said,
        f"Quotient {k} {gains} {cut} {judged}",
        value,
        Linear(evaluation.idcg.terms),  # without the factor of another base, which NDCG doesn't have
    )


def _written(gains: Iterable[Number]) -> str:
    return f"{listed(map(ratio, gains))}%Q"


def pair_theorem(name: str, about: str, sign: int, one: Side, other: Side) -> str:
    """Two values and which is larger, with what they are made of."""
    lemma, found = _proof(sign, [(one.value, other.value)], [one, other])
    return (
        f"{comment(f'{about}: {_LEADS[sign]}')}\n{definitions(one, other)}"
        f"Theorem {name} : {one.said} {'<=>'[sign + 1]} {other.said}.\n"
        f"Proof.\n  apply ({lemma} {found} ({one.read}) ({other.read})).\n  {PROVED}"
    )


Weighted = tuple[Fraction, Side]


def average_theorem(about: str, sign: int, ones: Sequence[Weighted], others: Sequence[Weighted]) -> str:
    """The theorem `mean`: weighted means of values that are defined above. What stands at one place is compared."""
    shares = []
    for group in (ones, others):
        whole = sum((weight for weight, _ in group), Fraction(0))
        shares.append([one.value * (weight / whole) for weight, one in group])
    longest = max(map(len, shares))
    first, second = ([*group, *[Linear()] * (longest - len(group))] for group in shares)
    lemma, found = _proof(sign, list(zip(first, second, strict=True)), [one for _, one in chain(ones, others)])
    said = [_each(f"({ratio(w)}%Q, {one.said})" for w, one in group) for group in (ones, others)]
    read = [_each(f"({ratio(w)}%Q, {one.read})" for w, one in group) for group in (ones, others)]
    return (
        f"{comment(f'{about}: {_LEADS[sign]}')}\n"
        f"Theorem mean :\n  average {said[0]}\n  {'<=>'[sign + 1]} average {said[1]}.\n"
        f"Proof.\n  apply (average_{lemma} {found}\n    {read[0]}\n    {read[1]}).\n  {PROVED}"
    )


def _each(items: Iterable[str]) -> str:
    lines = ";\n    ".join(items)
    return f"[\n    {lines}]"


def _proof(sign: int, pairs: Sequence[tuple[Exact, Exact]], described: Iterable[Side]) -> tuple[str, str]:
    """The lemma, and the bounds or identities with which it shows the sign of the sum of differences.

    The sum is taken pair by pair, as `differences` in `Ndcg.v` takes it: bounds that suffice for one way to write a
    sum may not suffice for another.
    """
    products = [product for one, other in pairs for product in (one - other).monomials().items()]
    ideals = [
        (one.ideal.sign(), one.ideal.unscaled().monomials().items()) for one in described if one.ideal is not None
    ]
    wanted = [*([(sign, products)] if sign else []), *ideals]  # of the ideals it is shown that they aren't 0
    found = bounds(_joined(bounds_for([_quotient(*product) for product in total], one) for one, total in wanted))
    if sign:
        return "greater" if sign > 0 else "less", found
    total: dict[Monomial, Fraction] = {}
    for monomial, q in products:
        total[monomial] = total.get(monomial, Fraction(0)) + q
    proof = prove_zero({monomial: q for monomial, q in total.items() if q})
    if proof is None:
        raise NotExported("an equality of degree above 2 is not told to Coq")
    relations = [{"b": r.b, "d": r.d, "m": r.m, "powers": r.powers} for r in proof.relations]
    return "equal", f"{identities(relations)} {'true' if proof.common else 'false'} {found}"


def _quotient(monomial: Monomial, q: Fraction) -> Entry:
    """A product of powers as `term` in `Ndcg.v` writes it: a form alone stands over 1, and its own sign is asked."""
    coefficient, factors = entry_of(monomial, q)
    alone = [power for _, power in factors] == [1]
    return coefficient, (*factors, (((2, Fraction(1)),), -1)) if alone else factors


def _joined(groups: Iterable[Sequence[Mapping[str, Any]]]) -> Iterable[Mapping[str, Any]]:
    """Bounds of several sums, the narrowest on each number."""
    found: dict[int, dict[str, Any]] = {}
    for bound in chain.from_iterable(groups):
        one = found.setdefault(bound["b"], {"b": bound["b"]})
        for side, narrower in (("lower", max), ("upper", min)):
            if side in bound:
                q = Fraction(bound[side])
                one[side] = narrower(one.get(side, q), q)
    return found.values()
