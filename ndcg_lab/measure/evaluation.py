"""One ranking evaluated against one need's judgments, under a contract.

In this order: sort by score; duplicates; unjudged documents; tie groups; gains; the cut at k. Each step is a function
below, and `evaluate` is their sequence.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from ndcg_lab.errors import (
    DuplicateDocument,
    NdcgLabError,
    NegativeGrade,
    TiedScores,
    UnjudgedDocument,
    cut,
    require,
    require_package,
)
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.rationals import Number, short, written
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.limits import ROWS_WORK, beyond
from ndcg_lab.measure.contract import ZERO_IDEAL, Contract, decided
from ndcg_lab.measure.data import Judgments, Ranking, require_data
from ndcg_lab.measure.outcomes import Outcomes, Value, convolve, tie_distribution
from ndcg_lab.tables import SCREEN, escape

if TYPE_CHECKING:
    import pandas as pd

Entry = tuple[str, Number | None, Number]
"""A document, its grade (None where it has none), and the gain it earns."""

_document, _gain = itemgetter(0), itemgetter(2)
_SHORT = 60
_LONG = 2_000  # bits of a whole number that any Python prints

# How a policy orders the entries of one tie group, which stand in file order. Sorting is stable.
_ORDERS: dict[str, Callable[[list[Entry]], list[Entry]]] = {
    "error": list,  # nothing that could change DCG is left to order
    "average": list,  # every order counts: see `_dcg`
    "best": lambda group: sorted(group, key=_gain, reverse=True),
    "worst": lambda group: sorted(group, key=_gain),
    "input": list,
    "reverse-input": lambda group: group[::-1],
    "docno-ascending": lambda group: sorted(group, key=_document),  # by code points, which is by UTF-8 bytes
    "docno-descending": lambda group: sorted(group, key=_document, reverse=True),
}


class Row(NamedTuple):
    """One rank: what stands there and what it adds to DCG."""

    rank: int
    document: str
    grade: Number | None
    gain: Number
    discount: Linear
    contribution: Exact

    def to_json(self) -> dict[str, Any]:
        """The row as a report holds it; a missing grade is null."""
        return {
            "rank": self.rank,
            "document": self.document,
            "grade": None if self.grade is None else written(self.grade),
            "gain": written(self.gain),
            "discount": self.discount.to_json(),
            "contribution": self.contribution.to_json(),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """What `evaluate` found. `dcg`, `idcg` and `ndcg` are exact; `ndcg` may be an `Undefined` that says why.

    Rows and outcomes are computed when they are first asked for.
    """

    contract: Contract
    ranking: Ranking
    judgments: Judgments
    dcg: Linear
    idcg: Linear
    ndcg: Value
    unjudged_in_k: int
    """How many returned documents at ranks up to k have no grade (counted before any are removed)."""
    _groups: list[list[Entry]]
    _ideal: list[Entry]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The ranks whose discount is not 0: rank, document, grade, gain, discount, contribution.

        Under `ties = average` the discount is the mean over the tie group's positions, of which those past k count 0.
        """
        k, ties, discount = _depth(self.contract), self.contract.ties, self.contract.discount_rule
        rows: list[Row] = []
        discount.require_rows(min(k, sum(map(len, self._groups))))
        for group in self._groups:
            above = len(rows)
            if above >= k:
                break
            if ties == "average" and len(group) > 1:
                inside = min(len(group), k - above)
                shared = discount.total([0] * above + [Fraction(1, len(group))] * inside)
                rows += [_row(rank, entry, shared) for rank, entry in enumerate(group, above + 1)]
            else:
                ordered = resolved(ties, group)[: k - above]
                rows += [_row(rank, entry, discount.value(rank)) for rank, entry in enumerate(ordered, above + 1)]
        return tuple(rows)

    @cached_property
    def ideal_rows(self) -> tuple[Row, ...]:
        """The ranks of the ideal ranking, as `rows`."""
        discount = self.contract.discount_rule
        discount.require_rows(len(self._ideal))
        return tuple(_row(rank, entry, discount.value(rank)) for rank, entry in enumerate(self._ideal, 1))

    def earned(self) -> list[Number]:
        """The gain at each rank down to k; under `ties = average` the mean gain of the rank's tie group."""
        ties = self.contract.ties
        gains: list[Number] = []
        for group in self._groups:
            own = [gain for _, _, gain in resolved(ties, group)]
            gains += [Fraction(sum(own), len(own))] * len(own) if ties == "average" else own
        return gains[: _depth(self.contract)]

    def population(self) -> list[Number]:
        """The gains of all documents that the ideal ranking is made of, before it is cut."""
        if self.contract.ideal_population == "judged":
            gains = gains_of(self.contract, self.judgments)
            return [gains[grade] for grade in self.judgments.grades.values()]
        entries = [gain for group in self._groups for _, _, gain in resolved(self.contract.ties, group)]
        return entries if self.contract.ideal_population == "returned" else entries[: _depth(self.contract)]

    def outcomes(self) -> Outcomes:
        """Every distinct NDCG that an order of the tied documents gives, all orders being equally likely.

        This does not depend on the contract's `ties`.

        Raises:
            TooManyOutcomes: for more than `ndcg_lab.limits.OUTCOMES`.
            TiedScores: where ties decide which documents the ideal is made of (`ideal_population = returned-at-k`).
        """
        contract, discount, k = self.contract, self.contract.discount_rule, _depth(self.contract)
        _refuse_open_ideal(contract, self._groups)
        open_ties = dict(_open_ties(contract, self._groups))
        least: list[Number] = []
        expected: list[Number] = []
        for group in self._groups:
            gains = [gain for _, _, gain in group]
            tied = len(least) + 1 in open_ties
            least += [min(gains)] * len(gains) if tied else gains
            expected += [Fraction(sum(gains), len(gains))] * len(gains) if tied else gains

        def ndcg(dcg: Exact) -> Value:
            return _ndcg(contract, dcg, self.idcg, self._ideal)

        distributions = [
            tie_distribution(discount, range(first, min(first + len(group) - 1, k) + 1), [gain for _, _, gain in group])
            for first, group in open_ties.items()
        ]
        spread = convolve(discount.total(least[:k]), distributions)
        found: dict[Value, list[Fraction]] = {}
        for dcg, share in spread:
            found.setdefault(ndcg(dcg), []).append(share)
        if len(found) == 1:
            (only,) = found
            return Outcomes((only,), (Fraction(1),), only)
        ordered = sorted(found.items(), key=lambda item: (float(item[0]), item[0]), reverse=True)
        values = tuple(value for value, _ in ordered)
        probabilities = tuple(Fraction(sum(shares)) for _, shares in ordered)
        if contract.round_to is None:
            mean = ndcg(discount.total(expected[:k]))
        else:  # the mean of rounded values
            mean = sum((v * p for v, p in zip(values, probabilities, strict=True)), Linear())
        return Outcomes(values, probabilities, mean)

    def to_frame(self) -> "pd.DataFrame":
        """The rows as a pandas table of exact values."""
        require_package("pandas", "`to_frame`")
        import pandas as pd

        rows = [tuple(map(_in_frame, row)) for row in self.rows]
        return pd.DataFrame(rows, columns=list(Row._fields))

    def to_json(self) -> dict[str, Any]:
        """The record of this query in a report: all that was given, and all that was computed.

        Raises:
            NdcgLabError: where the rows' numbers have too many digits to be written.
        """
        self._require_writable()
        return {
            **self.judgments.to_json(),
            "ranking": self.ranking.to_json(),
            "rows": [row.to_json() for row in self.rows],
            "ideal": [row.to_json() for row in self.ideal_rows],
            "dcg": self.dcg.to_json(),
            "idcg": self.idcg.to_json(),
            "ndcg": self.ndcg.to_json(),
            "unjudged_in_k": self.unjudged_in_k,
        }

    def _require_writable(self) -> None:
        work = sum(_bits(row) ** 2 for rows in (self.rows, self.ideal_rows) for row in rows)
        if work > ROWS_WORK:
            raise decided(
                NdcgLabError,
                f"the rows hold numbers of too many digits to write: squares of their bits are {beyond('ROWS_WORK')}; "
                "a lower cutoff has fewer",
                "k",
            )

    def __repr__(self) -> str:
        return f"<Evaluation: {self._told}>"

    @property
    def _told(self) -> str:
        dcg, idcg, ndcg = map(_shown, (self.dcg, self.idcg, self.ndcg))
        return f"NDCG {ndcg}; DCG {dcg}; ideal DCG {idcg}; {self.contract}"

    def _repr_html_(self) -> str:
        self._require_writable()
        head = "".join(f'<th scope="col">{name}</th>' for name in Row._fields)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_cell(cell))}</td>" for cell in row) + "</tr>" for row in self.rows[:SCREEN]
        )
        more = len(self.rows) - SCREEN
        body += f'<tr><td colspan="{len(Row._fields)}">… {more} more</td></tr>' if more > 0 else ""
        caption = f'<caption style="text-align: left">{escape(self._told)}</caption>'
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _bits(row: Row) -> int:
    """About the bits of a row's numbers."""
    parts = [row.gain, *(row.discount.terms.values() if row.discount.is_rational else ())]
    return sum(part.numerator.bit_length() + part.denominator.bit_length() for part in parts)


def _in_frame(cell: object) -> object:
    """A cell that pandas can print: of a number of thousands of digits the exact value, whose text is its own."""
    if isinstance(cell, int | Fraction) and max(cell.numerator.bit_length(), cell.denominator.bit_length()) > _LONG:
        return Linear.rational(cell)
    return cell


def _cell(cell: object) -> str:
    return "" if cell is None else written(cell) if isinstance(cell, int | Fraction) else str(cell)


def evaluate(contract: Contract, ranking: Ranking, judgments: Judgments) -> Evaluation:
    """DCG, ideal DCG and NDCG of one ranking, exact, under a contract.

    NDCG is defined by Järvelin and Kekäläinen, ACM TOIS 20(4), 2002; the expectation over ties, a sum of each tie
    group's mean gain times its discounts, by McSherry and Najork, ECIR 2008.

    Raises:
        WrongKind: for a plain list or mapping, which does not say how it is meant.
        TiedScores, UnjudgedDocument, DuplicateDocument, NegativeGrade: where the contract refuses (`error`).
        MissingGain, InvalidGrade: for a grade that the gain rule gives no gain.

    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> e = evaluate(Contract(gain="linear", k=3), Ranking(["B", "C", "A", "D"]), judgments)
    >>> print(e.dcg, "|", e.idcg, "|", e.ndcg)
    7/2 + 2a | 4 + 2a | (7/2 + 2a)/(4 + 2a)
    >>> [str(row.contribution) for row in e.rows]
    ['2', '2a', '3/2']
    """
    require(Contract, "contract", contract, 'Contract(gain="linear", k=10)')
    require_data(ranking, judgments)
    k, discount = _depth(contract), contract.discount_rule
    listed, removed = arranged(contract, ranking, judgments)
    gains = gains_of(contract, judgments)
    groups = [[(name, grade, gains[grade] if earns else 0) for name, grade, earns in group] for group in listed]
    if contract.ties == "error":
        _refuse_ties(contract, ranking, groups)
    ties = contract.ties
    entries = [entry for group in groups for entry in (resolved(ties, group) if len(group) > 1 else group)]
    ideal = _ideal(contract, groups, entries, [(name, grade, gains[grade]) for name, grade in judgments.grades.items()])

    dcg = _dcg(contract, groups, entries)
    idcg = discount.total([gain for _, _, gain in ideal])
    unjudged = removed + sum(grade is None for _, grade, _ in entries[:k])
    ndcg = _ndcg(contract, dcg, idcg, ideal)
    return Evaluation(contract, ranking, judgments, dcg, idcg, ndcg, unjudged, groups, ideal)


# The steps.


def _depth(contract: Contract) -> int:
    """The cutoff as a number to compare and to slice with."""
    return sys.maxsize if contract.k == "all" else contract.k


Arranged = list[list[tuple[str, Number | None, bool]]]
"""Tie groups of documents, each with its grade and whether it earns that grade's gain."""


def arranged(contract: Contract, ranking: Ranking, judgments: Judgments) -> tuple[Arranged, int]:
    """Tie groups after duplicates and removals, and how many of the first k were removed.

    What `error` refuses is looked for as far down as the list counts: through the tie group in which rank k of the
    remaining list lies, or to the end where the ideal is made of the whole list. A copy that is to be removed counts
    through the tie group of rank k of the list as it was returned.
    """
    k = _depth(contract)
    whole = contract.ideal_population == "returned"
    grades = judgments.grades
    seen: set[str] = set()
    unjudged: str | None = None
    groups, kept, passed, removed = [], 0, 0, 0
    for documents in ranking.tie_groups(contract.score_precision):
        counts = whole or kept < k
        stands = whole or passed < k
        group = []
        for document in documents:
            passed += 1
            later = document in seen
            seen.add(document)
            grade = grades.get(document)
            leaves = grade is None and contract.unjudged == "remove"
            if later and (stands if leaves else counts) and contract.duplicates == "error":
                raise decided(DuplicateDocument, f"document {document!r} was returned more than once", "duplicates")
            if grade is None and counts and unjudged is None:
                unjudged = document
            if leaves:
                removed += passed <= k
            else:
                group.append((document, grade, grade is not None and not (later and contract.duplicates == "first")))
        if group:
            groups.append(group)
            kept += len(group)
    if unjudged is not None and contract.unjudged == "error":
        raise decided(UnjudgedDocument, f"document {unjudged!r} was returned and has no grade", "unjudged")
    return groups, removed


def gains_of(contract: Contract, judgments: Judgments) -> dict[Number | None, Number]:
    """The gain of every grade among the judgments; a refused one names the first document that has it."""
    rule = contract.gain_rule
    gains: dict[Number | None, Number] = {}
    for document, grade in judgments.grades.items():
        if grade in gains:
            continue
        if grade < 0 and contract.negative == "error":
            raise decided(NegativeGrade, f"document {document!r} has the negative grade {short(grade)}", "negative")
        try:
            gain = rule(0 if grade < 0 and contract.negative == "zero" else grade)
        except NdcgLabError as error:
            raise error.retold(f"document {document!r}: {error}") from None
        if gain < 0 and contract.negative != "allow":
            raise decided(
                NegativeGrade,
                f"document {document!r} has grade {short(grade)} and by `gain = {cut(contract.gain, 60, 20)}` the "
                f"negative gain {short(gain)}; "
                "that needs `negative = allow`",
                "negative",
            )
        gains[grade] = gain
    return gains


def resolved(ties: str, group: list[Entry]) -> list[Entry]:
    """A tie group, which stands in file order, as the policy orders it."""
    return _ORDERS[ties](group) if len(group) > 1 else group


def _open_ties(contract: Contract, groups: Sequence[list[Entry]]) -> Iterator[tuple[int, list[Entry]]]:
    """The tie groups whose order could change DCG, each with its first rank.

    Their gains differ, and so do the discounts at their ranks, past k 0. No discount rises: the first and last tell.
    """
    k, term = _depth(contract), contract.discount_rule.term
    first = 1
    for group in groups:
        if first > k:
            return
        last = first + len(group) - 1
        if last > first and len(set(map(_gain, group))) > 1 and (last > k or term(first) != term(last)):
            yield first, group
        first = last + 1


def _refuse_ties(contract: Contract, ranking: Ranking, groups: Sequence[list[Entry]]) -> None:
    for first, group in _open_ties(contract, groups):
        names = ", ".join(repr(name) for name, _, _ in group[:5]) + (", ..." if len(group) > 5 else "")
        score = dict(zip(ranking.documents, ranking.texts or (), strict=False)).get(group[0][0])
        shown = cut(str(score), 40, 10)
        precision = "" if contract.score_precision == "exact" else f" in {contract.score_precision}"
        raise decided(
            TiedScores,
            f"documents {names} share score {shown}{precision} at ranks {first} to {first + len(group) - 1}, and their "
            "order changes DCG",
            "ties",
        )


def _dcg(contract: Contract, groups: Sequence[list[Entry]], entries: Sequence[Entry]) -> Linear:
    """Gains times discounts down to rank k; under `average` each rank earns the mean gain of its tie group."""
    k, discount = _depth(contract), contract.discount_rule
    if contract.ties != "average":
        return discount.total([gain for _, _, gain in entries[:k]])
    # Whole multiples of one fraction add up several times faster than fractions.
    common = lcm(*map(len, groups))
    earned: list[Number] = []
    for group in groups:
        earned += [sum(map(_gain, group)) * (common // len(group))] * len(group)
        if len(earned) >= k:
            break
    return discount.total(earned[:k], denominator=common)


def _ideal(contract: Contract, groups: Sequence[list[Entry]], entries: list[Entry], judged: list[Entry]) -> list[Entry]:
    """The population by falling gain, cut."""
    k = _depth(contract)
    population = {"judged": judged, "returned": entries, "returned-at-k": entries[:k]}[contract.ideal_population]
    if contract.ties == "average":
        _refuse_open_ideal(contract, groups)
    cut = {"k": k, "returned": min(k, len(entries)), "none": sys.maxsize}[contract.ideal_cutoff]
    return sorted(population, key=_gain, reverse=True)[:cut]


def _refuse_open_ideal(contract: Contract, groups: Sequence[list[Entry]]) -> None:
    """Refuse a tie across the cut at k where its order decides what the ideal is made of."""
    if contract.ideal_population == "returned-at-k":
        for first, group in _open_ties(contract, groups):
            if first + len(group) - 1 > _depth(contract):
                raise decided(
                    TiedScores,
                    f"documents of equal score at ranks {first} to {first + len(group) - 1}, across the cut at k = "
                    f"{contract.k}, differ in gain: under `ties = {contract.ties}` it is open which of them the ideal "
                    "is made of",
                    "ideal_population",
                )


def _ndcg(contract: Contract, dcg: Exact, idcg: Linear, ideal: Sequence[Entry]) -> Value:
    # The ideal's gains fall: where none is below 0, the first one tells.
    sign = idcg.sign() if ideal and ideal[-1][2] < 0 else int(bool(ideal) and ideal[0][2] > 0)
    if sign < 0:
        return Undefined("negative ideal")
    if sign == 0:
        supplied: dict[str, Value] = {"zero": Linear(), "one": Linear.rational(1)}
        return supplied.get(contract.zero_ideal, ZERO_IDEAL)
    value = dcg / idcg
    return value if contract.round_to is None else Linear.rational(value.rounded(contract.round_to))


def _row(rank: int, entry: Entry, discount: Linear) -> Row:
    document, grade, gain = entry
    return Row(rank, document, grade, gain, discount, discount * gain)


def _shown(value: Value) -> str:
    """The value in a line: its exact form where that is short, and six digits where it is not rational."""
    if isinstance(value, Undefined) or value.is_rational:
        return str(value)
    exact = str(value)
    return f"{exact} ≈ {value.decimal(6)}" if len(exact) <= _SHORT else f"≈ {value.decimal(6)}"
