"""Relatives of NDCG on one ranking, as exact fractions, each with its conventions as keywords.

Every function takes `(ranking, judgments, *, k, ...)`: ``k`` is a whole number or ``"all"``; ``relevant_from`` is the
lowest grade that counts as relevant, for a measure that knows only relevant and not. What a measure leaves open is a
keyword, and where no convention is neutral it has no default.

- ``unjudged``: a returned document without a grade: ``"error"`` (default), ``"zero"`` (not relevant, keeps its rank),
  ``"remove"`` (the list closes up)
- ``negative``: a grade below 0: ``"error"`` (default), ``"zero"`` (taken as 0)
- ``no_relevant``: what a need without any relevant document gives: ``"undefined"`` (default), ``"zero"``, ``"one"``
- ``ties``: documents of equal score: ``"error"`` (default: refused where their order could change the value),
  ``"average"`` (the expectation over all orders), ``"best"``, ``"worst"``, ``"input"``, ``"reverse-input"``,
  ``"docno-ascending"``, ``"docno-descending"``, as in a contract; ``score_precision`` too

A document returned twice is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from math import comb
from numbers import Rational
from typing import TYPE_CHECKING, Unpack

from ndcg_lab.errors import (
    ContractError,
    InvalidGrade,
    UndefinedValue,
    require,
)
from ndcg_lab.exact.rationals import Number, rational, short
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.measure import family_lists as lists

if TYPE_CHECKING:
    from ndcg_lab.measure.data import Judgments, Ranking
    from ndcg_lab.measure.family_lists import Cutoff, Groups, Reading, Value

__all__ = [
    "average_precision",
    "cg",
    "err",
    "judged",
    "mean",
    "precision",
    "r_precision",
    "rbp",
    "recall",
    "reciprocal_rank",
    "success",
]


def cg(ranking: Ranking, judgments: Judgments, *, k: Cutoff, **reading: Unpack[Reading]) -> Fraction:
    """Cumulative gain: the grades of the first k documents, added up (Järvelin & Kekäläinen 2002).

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> cg(Ranking(["B", "C", "A", "D"]), judgments, k=3)
    Fraction(7, 1)
    """
    k = lists.cutoff(k)
    groups = lists.grouped(ranking, judgments, k, reading)
    return lists.additive(groups, k, reading, lambda grades: Fraction(sum(grades)))


def precision(
    ranking: Ranking,
    judgments: Judgments,
    *,
    k: Cutoff,
    relevant_from: object,
    divide_by: str = "k",
    **reading: Unpack[Reading],
) -> Value:
    """P@k: the share of relevant documents among the first k.

    Args:
        divide_by: ``"k"`` (a short list is charged for what it lacks; the list's length under ``k="all"``) or
            ``"returned"`` (the number of documents that stand in the first k).

    Returns:
        A `Fraction`; `Undefined` where nothing was returned and the division is by that.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> precision(Ranking(["A", "D", "B", "C"]), judgments, k=3, relevant_from=1)
    Fraction(2, 3)
    """
    lists.require_choice("divide_by", divide_by, ("k", "returned"))
    k = lists.cutoff(k)
    groups = lists.hits(ranking, judgments, k, relevant_from, reading)
    returned = len(lists.flattened(groups, k))
    size = returned if divide_by == "returned" or k == "all" else k
    return lists.count_found(groups, k, reading) / size if size else Undefined("nothing returned")


def recall(
    ranking: Ranking,
    judgments: Judgments,
    *,
    k: Cutoff,
    relevant_from: object,
    over: str = "judged",
    no_relevant: str = "undefined",
    **reading: Unpack[Reading],
) -> Value:
    """R@k: the share of all relevant documents that stand among the first k.

    Args:
        over: ``"judged"``, all relevant documents; ``"judged-at-k"``, as many of them as fit into k (recall capped at
            k, whose best value is 1 however many are relevant).

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> [recall(Ranking(["A", "D", "B", "C"]), judgments, k=1, relevant_from=1, over=over)
    ...  for over in ("judged", "judged-at-k")]
    [Fraction(1, 3), Fraction(1, 1)]
    """
    lists.require_choice("over", over, ("judged", "judged-at-k"))
    supplied = lists.supplied(no_relevant)
    k = lists.cutoff(k)
    groups = lists.hits(ranking, judgments, k, relevant_from, reading)
    relevant = lists.count_relevant(judgments, relevant_from)
    if not relevant:
        return supplied
    return lists.count_found(groups, k, reading) / (relevant if over == "judged" or k == "all" else min(relevant, k))


def r_precision(
    ranking: Ranking,
    judgments: Judgments,
    *,
    relevant_from: object,
    no_relevant: str = "undefined",
    **reading: Unpack[Reading],
) -> Value:
    """R-precision: the precision at rank R, where R documents are relevant; there it equals the recall.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> r_precision(Ranking(["A", "D", "B", "C"]), judgments, relevant_from=1)
    Fraction(2, 3)
    """
    relevant = lists.count_relevant(judgments, relevant_from)
    # Without relevant documents the list is still read, so that what is refused is refused whatever R is.
    return recall(
        ranking,
        judgments,
        k=relevant or 1,
        relevant_from=relevant_from,
        no_relevant=no_relevant,
        **reading,
    )


def success(
    ranking: Ranking,
    judgments: Judgments,
    *,
    k: Cutoff,
    relevant_from: object,
    no_relevant: str = "zero",
    **reading: Unpack[Reading],
) -> Value:
    """Success@k, or hit rate: 1 where a relevant document stands among the first k, else 0.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> success(Ranking(["D", "A", "B", "C"]), judgments, k=1, relevant_from=1)
    Fraction(0, 1)
    """
    supplied = lists.supplied(no_relevant)
    k = lists.cutoff(k)
    groups = lists.hits(ranking, judgments, k, relevant_from, reading)
    if not lists.count_relevant(judgments, relevant_from):
        return supplied

    def expected(groups: Groups) -> Fraction:
        missed, rank = Fraction(1), 0
        for group in groups:
            inside = len(group) if k == "all" else min(len(group), k - rank)
            missed *= lists.none_among(group, inside)
            rank += len(group)
        return 1 - missed

    return lists.resolved(groups, k, reading, lambda hits: Fraction(any(hits)), expected)


def judged(
    ranking: Ranking, judgments: Judgments, *, k: Cutoff, divide_by: str = "returned", **reading: Unpack[Reading]
) -> Value:
    """Judged@k: the share of the first k documents that have a grade, of whatever size.

    Args:
        divide_by: ``"returned"`` (the number of documents that stand in the first k) or ``"k"``.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judged(Ranking(["A", "Z"]), Judgments({"A": 3}), k=10)
    Fraction(1, 2)
    """
    lists.require_choice("divide_by", divide_by, ("k", "returned"))
    keeping: Reading = {**reading, "unjudged": "zero", "negative": "zero"}
    graded = dict.fromkeys(judgments, 1)
    k = lists.cutoff(k)
    groups = lists.grouped(ranking, judgments, k, keeping, graded)
    returned = len(lists.flattened(groups, k))
    size = returned if divide_by == "returned" or k == "all" else k
    return lists.count_found(groups, k, reading) / size if size else Undefined("nothing returned")


def reciprocal_rank(
    ranking: Ranking,
    judgments: Judgments,
    *,
    k: Cutoff,
    relevant_from: object,
    no_relevant: str = "undefined",
    **reading: Unpack[Reading],
) -> Value:
    """RR: one over the rank of the first relevant document; 0 where none stands among the first k.

    Its `mean` over queries is MRR. Under ``ties = "average"`` a relevant document tied at the top with one that isn't
    is worth 3/4: it stands at rank 1 or 2.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> reciprocal_rank(Ranking(["B", "C", "A", "D"]), judgments, k="all", relevant_from=3)
    Fraction(1, 3)
    >>> tied = Ranking.from_scores({"A": 1, "D": 1})
    >>> reciprocal_rank(tied, judgments, k="all", relevant_from=1, ties="average")
    Fraction(3, 4)
    """
    supplied = lists.supplied(no_relevant)
    k = lists.cutoff(k)
    groups = lists.hits(ranking, judgments, k, relevant_from, reading)
    if not lists.count_relevant(judgments, relevant_from):
        return supplied

    def first(hits: Sequence[Number]) -> Fraction:
        return Fraction(1, list(hits).index(1) + 1) if 1 in hits else Fraction(0)

    def expected(groups: Groups) -> Fraction:
        # The first group with a relevant document decides: its first one stands at place j of m with r relevant in
        # comb(m - j, r - 1) of comb(m, r) cases.
        before = 0
        for group in groups:
            size, relevant = len(group), int(sum(group))
            if relevant:
                places = [place for place in range(1, size - relevant + 2) if k == "all" or before + place <= k]
                cases = sum(
                    (Fraction(comb(size - place, relevant - 1), before + place) for place in places), Fraction(0)
                )
                return cases / comb(size, relevant)
            before += size
        return Fraction(0)

    return lists.resolved(groups, k, reading, first, expected)


def average_precision(
    ranking: Ranking,
    judgments: Judgments,
    *,
    k: Cutoff,
    relevant_from: object,
    over: str = "judged",
    no_relevant: str = "undefined",
    **reading: Unpack[Reading],
) -> Value:
    """AP: the precision at the rank of each relevant document, averaged. Its `mean` over queries is MAP.

    The expectation over ties is McSherry and Najork's (ECIR 2008).

    Args:
        over: what it is averaged over: ``"judged"``, all relevant documents (one that is not found counts 0);
            ``"judged-at-k"``, as many of them as fit into k; ``"retrieved"``, those found among the first k (0 where
            there are none).

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> average_precision(Ranking(["A", "D", "B", "C"]), judgments, k="all", relevant_from=1)
    Fraction(29, 36)
    """
    lists.require_choice("over", over, ("judged", "judged-at-k", "retrieved"))
    supplied = lists.supplied(no_relevant)
    k = lists.cutoff(k)
    groups = lists.hits(ranking, judgments, k, relevant_from, reading)
    relevant = lists.count_relevant(judgments, relevant_from)
    if not relevant:
        return supplied
    fitting = relevant if k == "all" or over == "judged" else min(relevant, k)

    def over_found(total: Fraction, found: int) -> Fraction:
        size = found if over == "retrieved" else fitting
        return total / size if size else Fraction(0)

    def of(hits: Sequence[Number]) -> Fraction:
        found, total = 0, Fraction(0)
        for rank, hit in enumerate(hits, 1):
            if hit:
                found += 1
                total += Fraction(found, rank)
        return over_found(total, found)

    def expected(groups: Groups) -> Fraction:
        found, before, total = 0, 0, Fraction(0)
        for group in groups:
            size, hits = len(group), int(sum(group))
            inside = size if k == "all" else min(size, k - before)
            if inside < size:  # the cut runs through this group: by how many of its hits stand above
                return sum(
                    (
                        Fraction(comb(hits, above) * comb(size - hits, inside - above), comb(size, inside))
                        * over_found(total + _tied_precisions(found, before, inside, above), found + above)
                        for above in range(max(0, inside - size + hits), min(hits, inside) + 1)
                    ),
                    Fraction(0),
                )
            total += _tied_precisions(found, before, size, hits)
            found, before = found + hits, before + size
        return over_found(total, found)

    return lists.resolved(groups, k, reading, of, expected, falls=over == "retrieved")


def _tied_precisions(found: int, before: int, size: int, hits: int) -> Fraction:
    """The expected sum of precisions at the hits of a tie group, after `before` documents with `found` hits.

    A place holds a hit in hits of size cases, and then each of the j - 1 places before it does in hits - 1 of size - 1.
    """
    if not hits:
        return Fraction(0)
    share = Fraction(hits - 1, size - 1) if size > 1 else Fraction(0)
    return sum(
        (Fraction(hits, size) * (found + 1 + (place - 1) * share) / (before + place) for place in range(1, size + 1)),
        Fraction(0),
    )


def err(
    ranking: Ranking, judgments: Judgments, *, k: Cutoff, max_grade: object, **reading: Unpack[Reading]
) -> Fraction:
    """Expected reciprocal rank (Chapelle, Metzler, Zhang & Grinspan, CIKM 2009).

    A reader stops at a document of grade g with probability ``(2^g - 1)/2^max_grade``; ERR is the expectation of one
    over the rank where they stop, and 0 where they never do.

    Args:
        max_grade: the highest grade of the scale, whether or not a document has it.

    Raises:
        InvalidGrade: for a grade that is not whole, or above ``max_grade``.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> err(Ranking(["A", "D", "B", "C"]), judgments, k=3, max_grade=3)
    Fraction(57, 64)
    """
    k = lists.cutoff(k)
    highest = lists.highest_grade(max_grade)
    groups = lists.grouped(ranking, judgments, k, reading)
    for rank, grade in enumerate(lists.flattened(groups, k), 1):
        if not isinstance(grade, int) or grade > highest:
            raise InvalidGrade(
                f"grade {short(grade)} at rank {rank}: ERR needs whole grades up to `max_grade` = {highest}"
            )

    def stops(grades: Iterable[Number]) -> list[Fraction]:
        return [Fraction(2 ** int(grade) - 1, 2**highest) for grade in grades]

    def of(grades: Sequence[Number]) -> Fraction:
        total, left = Fraction(0), Fraction(1)
        for rank, stop in enumerate(stops(grades), 1):
            total += left * stop / rank
            left *= 1 - stop
        return total

    def expected(groups: Groups) -> Fraction:
        # At place j of a group of m: the mean, over the document there and the j - 1 before it, of stop times passing.
        total, left, before = Fraction(0), Fraction(1), 0
        for group in groups:
            chances, size = stops(group), len(group)
            passing = lists.symmetric([1 - stop for stop in chances])
            inside = size if k == "all" else min(size, k - before)
            for place in range(1, inside + 1):
                # The passing of a random j - 1, less that of a random j, is the stopping at place j.
                ahead = passing[place - 1] / comb(size, place - 1) - passing[place] / comb(size, place)
                total += left * ahead / (before + place)
            left, before = left * passing[size], before + size
        return total

    return lists.resolved(groups, k, reading, of, expected)


def rbp(
    ranking: Ranking,
    judgments: Judgments,
    *,
    k: Cutoff,
    persistence: object,
    relevant_from: object | None = None,
    max_grade: object | None = None,
    **reading: Unpack[Reading],
) -> Fraction:
    """Rank-biased precision (Moffat & Zobel, ACM TOIS 27(1), 2008): ``(1 - p) sum p^(i-1) rel_i``.

    Args:
        persistence: p, a rational between 0 and 1 (exclusive): the chance of looking at the next document.
        relevant_from: binary relevance from this grade up; or else
        max_grade: graded relevance, grade over ``max_grade``.

    Raises:
        InvalidGrade: for a grade above ``max_grade``.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> rbp(Ranking(["A", "D", "B", "C"]), judgments, k="all", persistence="1/2", relevant_from=1)
    Fraction(11, 16)
    """
    k = lists.cutoff(k)
    p = Fraction(lists.number(persistence, "persistence"))
    if not 0 < p < 1:
        raise ContractError(f"`persistence` is {p}; it is a rational number above 0 and below 1")
    if (relevant_from is None) == (max_grade is None):
        raise ContractError("RBP needs either `relevant_from` (binary) or `max_grade` (grade over the highest)")
    if max_grade is None:
        groups, highest = lists.hits(ranking, judgments, k, relevant_from, reading), Fraction(1)
    else:
        groups, highest = lists.grouped(ranking, judgments, k, reading), Fraction(lists.highest_grade(max_grade))
        for rank, grade in enumerate(lists.flattened(groups, k), 1):
            if grade > highest:
                raise InvalidGrade(
                    f"grade {short(grade)} at rank {rank}: RBP needs grades up to `max_grade` = {highest}"
                )

    def of(grades: Sequence[Number]) -> Fraction:
        # From the last rank up, so that each step is one product: (1 - p) (g1 + p (g2 + p (...))).
        return (1 - p) * reduce(lambda below, grade: grade + p * below, reversed(grades), Fraction(0)) / highest

    return lists.additive(groups, k, reading, of)


def mean(values: Iterable[Value]) -> Fraction:
    """The plain mean over queries: MRR of reciprocal ranks, MAP of average precisions.

    Raises:
        UndefinedValue: where a value is undefined (choose `no_relevant`, or leave the query out and say so), or
            where there are none.

    >>> mean([Fraction(1), Fraction(1, 3)])
    Fraction(2, 3)
    """
    require(Iterable, "values", values, "a list of values")
    numbers = []
    for place, value in enumerate(values, 1):
        if isinstance(value, Undefined):
            raise UndefinedValue(
                f"value {place} of the mean is undefined: {value.reason}; `no_relevant` decides: undefined, zero, one"
            )
        require(Rational, f"value {place} of the mean", value, "a Fraction or whole number, as the metrics give it")
        numbers.append(Fraction(rational(value)))
    if not numbers:
        raise UndefinedValue("a mean over no queries is undefined")
    return sum(numbers, Fraction(0)) / len(numbers)
