"""Relatives of NDCG on one ranking, as exact fractions, each with its conventions as keywords.

Every function takes `(ranking, judgments, *, k, ...)`: ``k`` is a whole number or ``"all"``; ``relevant_from`` is the
lowest grade that counts as relevant, for a measure that knows only relevant and not. What a measure leaves open is a
keyword, and where no convention is neutral it has no default.

- ``unjudged``: a returned document without a grade: ``"error"`` (default), ``"zero"`` (not relevant, keeps its rank),
  ``"remove"`` (the list closes up)
- ``no_relevant``: what a need without any relevant document gives: ``"undefined"`` (default), ``"zero"``, ``"one"``

Ties are not resolved here: a ranking with equal scores is refused where their order is open, and so is a document
returned twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Literal, TypeAlias

from ndcg_lab.errors import (
    ContractError,
    DuplicateDocument,
    InvalidGrade,
    NegativeGrade,
    TiedScores,
    UndefinedValue,
    UnjudgedDocument,
    require,
)
from ndcg_lab.exact.values import Number, Undefined, rational
from ndcg_lab.measure.data import require_data

if TYPE_CHECKING:
    from ndcg_lab.measure.data import Judgments, Ranking

__all__ = ["average_precision", "cg", "err", "mean", "precision", "rbp", "recall", "reciprocal_rank"]

Cutoff: TypeAlias = int | Literal["all"]
Value: TypeAlias = Fraction | Undefined

_NO_RELEVANT: dict[str, Value] = {
    "undefined": Undefined("no relevant document"),
    "zero": Fraction(0),
    "one": Fraction(1),
}


def cg(ranking: Ranking, judgments: Judgments, *, k: Cutoff, unjudged: str = "error") -> Fraction:
    """Cumulative gain: the grades of the first k documents, added up (Järvelin & Kekäläinen 2002).

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> cg(Ranking(["B", "C", "A", "D"]), judgments, k=3)
    Fraction(7, 1)
    """
    return Fraction(sum(_grades(ranking, judgments, k, unjudged)))


def precision(
    ranking: Ranking,
    judgments: Judgments,
    *,
    k: Cutoff,
    relevant_from: object,
    divide_by: str = "k",
    unjudged: str = "error",
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
    _choice("divide_by", divide_by, ("k", "returned"))
    hits = _hits(ranking, judgments, k, relevant_from, unjudged)
    size = len(hits) if divide_by == "returned" or k == "all" else k
    return Fraction(sum(hits), size) if size else Undefined("nothing returned")


def recall(
    ranking: Ranking,
    judgments: Judgments,
    *,
    k: Cutoff,
    relevant_from: object,
    no_relevant: str = "undefined",
    unjudged: str = "error",
) -> Value:
    """R@k: the share of all relevant documents that stand among the first k.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> recall(Ranking(["A", "D", "B", "C"]), judgments, k=3, relevant_from=1)
    Fraction(2, 3)
    """
    supplied = _supplied(no_relevant)
    hits = _hits(ranking, judgments, k, relevant_from, unjudged)
    relevant = _relevant(judgments, relevant_from)
    return Fraction(sum(hits), relevant) if relevant else supplied


def reciprocal_rank(
    ranking: Ranking,
    judgments: Judgments,
    *,
    k: Cutoff,
    relevant_from: object,
    no_relevant: str = "undefined",
    unjudged: str = "error",
) -> Value:
    """RR: one over the rank of the first relevant document; 0 where none stands among the first k.

    Its `mean` over queries is MRR.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> reciprocal_rank(Ranking(["B", "C", "A", "D"]), judgments, k="all", relevant_from=3)
    Fraction(1, 3)
    """
    supplied = _supplied(no_relevant)
    hits = _hits(ranking, judgments, k, relevant_from, unjudged)
    if not _relevant(judgments, relevant_from):
        return supplied
    return Fraction(1, hits.index(True) + 1) if True in hits else Fraction(0)


def average_precision(
    ranking: Ranking,
    judgments: Judgments,
    *,
    k: Cutoff,
    relevant_from: object,
    over: str = "judged",
    no_relevant: str = "undefined",
    unjudged: str = "error",
) -> Value:
    """AP: the precision at the rank of each relevant document, averaged. Its `mean` over queries is MAP.

    Args:
        over: what it is averaged over: ``"judged"``, all relevant documents (one that is not found counts 0);
            ``"judged-at-k"``, as many of them as fit into k; ``"retrieved"``, those found among the first k (0 where
            there are none).

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> average_precision(Ranking(["A", "D", "B", "C"]), judgments, k="all", relevant_from=1)
    Fraction(29, 36)
    """
    _choice("over", over, ("judged", "judged-at-k", "retrieved"))
    supplied = _supplied(no_relevant)
    hits = _hits(ranking, judgments, k, relevant_from, unjudged)
    relevant = _relevant(judgments, relevant_from)
    if not relevant:
        return supplied
    found, total = 0, Fraction(0)
    for rank, hit in enumerate(hits, 1):
        found += hit
        total += Fraction(found, rank) if hit else 0
    size = {
        "judged": relevant,
        "judged-at-k": relevant if k == "all" else min(relevant, k),
        "retrieved": found,
    }[over]
    return total / size if size else Fraction(0)


def err(ranking: Ranking, judgments: Judgments, *, k: Cutoff, max_grade: int, unjudged: str = "error") -> Fraction:
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
    total, left = Fraction(0), Fraction(1)
    for rank, grade in enumerate(_grades(ranking, judgments, k, unjudged), 1):
        if not isinstance(grade, int) or grade > max_grade:
            raise InvalidGrade(f"grade {grade} at rank {rank}: ERR needs whole grades up to `max_grade` = {max_grade}")
        stop = Fraction(2**grade - 1, 2**max_grade)
        total += left * stop / rank
        left *= 1 - stop
    return total


def rbp(
    ranking: Ranking,
    judgments: Judgments,
    *,
    k: Cutoff,
    persistence: object,
    relevant_from: object | None = None,
    max_grade: object | None = None,
    unjudged: str = "error",
) -> Fraction:
    """Rank-biased precision (Moffat & Zobel, ACM TOIS 27(1), 2008): ``(1 - p) sum p^(i-1) rel_i``.

    Args:
        persistence: p, a rational between 0 and 1 (exclusive): the chance of looking at the next document.
        relevant_from: binary relevance from this grade up; or else
        max_grade: graded relevance, grade over ``max_grade``.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> rbp(Ranking(["A", "D", "B", "C"]), judgments, k="all", persistence="1/2", relevant_from=1)
    Fraction(11, 16)
    """
    p = Fraction(rational(persistence))
    if not 0 < p < 1:
        raise ContractError(f"`persistence` is {p}; it is a rational number above 0 and below 1")
    if (relevant_from is None) == (max_grade is None):
        raise ContractError("RBP needs either `relevant_from` (binary) or `max_grade` (grade over the highest)")
    if max_grade is None:
        shares = [Fraction(hit) for hit in _hits(ranking, judgments, k, relevant_from, unjudged)]
    else:
        highest = Fraction(rational(max_grade))
        shares = [Fraction(grade) / highest for grade in _grades(ranking, judgments, k, unjudged)]
    return (1 - p) * sum((share * p**i for i, share in enumerate(shares)), Fraction(0))


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
        numbers.append(Fraction(value))
    if not numbers:
        raise UndefinedValue("a mean over no queries is undefined")
    return sum(numbers, Fraction(0)) / len(numbers)


# --- what they share ----------------------------------------------------------------------


def _choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ContractError(f"`{name}` is {value!r}; its choices: {', '.join(choices)}")


def _supplied(no_relevant: str) -> Value:
    _choice("no_relevant", no_relevant, tuple(_NO_RELEVANT))
    return _NO_RELEVANT[no_relevant]


def _grades(ranking: Ranking, judgments: Judgments, k: Cutoff, unjudged: str) -> list[Number]:
    """The grades of the first k documents of the list, once its open questions are settled."""
    require_data(ranking, judgments)
    _choice("unjudged", unjudged, ("error", "zero", "remove"))
    if k != "all" and (type(k) is not int or k < 1):
        raise ContractError(f"`k` is {k!r}; it is a whole number from 1 up, or 'all'")
    grades: list[Number] = []
    seen: set[str] = set()
    for group in ranking.tie_groups():
        if k != "all" and len(grades) >= k:
            break
        tied: list[tuple[str, Number]] = []
        for document in group:
            if document in seen:
                raise DuplicateDocument(
                    f"document {document!r} was returned more than once; these measures refuse that"
                )
            seen.add(document)
            if document not in judgments:
                if unjudged == "error":
                    raise UnjudgedDocument(
                        f"document {document!r} was returned and has no grade; `unjudged` decides: error, zero, remove"
                    )
                if unjudged == "zero":
                    tied.append((document, 0))
                continue
            grade = judgments[document]
            if grade < 0:
                raise NegativeGrade(f"document {document!r} has the negative grade {grade}; these measures refuse that")
            tied.append((document, grade))
        if len({grade for _, grade in tied}) > 1:
            names = ", ".join(repr(document) for document, _ in tied[:5])
            raise TiedScores(f"documents {names} share a score, and their order is open; hand over an order")
        grades += [grade for _, grade in tied]
    return grades if k == "all" else grades[:k]


def _hits(ranking: Ranking, judgments: Judgments, k: Cutoff, relevant_from: object, unjudged: str) -> list[bool]:
    threshold = _threshold(relevant_from)
    return [grade >= threshold for grade in _grades(ranking, judgments, k, unjudged)]


def _relevant(judgments: Judgments, relevant_from: object) -> int:
    threshold = _threshold(relevant_from)
    return sum(grade >= threshold for grade in judgments.values())


def _threshold(relevant_from: object) -> Number:
    threshold = rational(relevant_from)
    if threshold <= 0:
        raise ContractError(f"`relevant_from` is {threshold}; an unjudged or grade-0 document would be relevant")
    return threshold
