"""How the relatives of NDCG read a list, and what they make of ties: groups of numbers, highest score first."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from math import comb
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from ndcg_lab.errors import (
    ContractError,
    DuplicateDocument,
    NdcgLabError,
    NegativeGrade,
    TiedScores,
    UnjudgedDocument,
    brief,
)
from ndcg_lab.exact.rationals import Number, rational, short, whole
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.limits import ERR_GRADE, beyond
from ndcg_lab.measure.data import require_data

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ndcg_lab.measure.data import Judgments, Ranking


Cutoff: TypeAlias = int | Literal["all"]
Value: TypeAlias = Fraction | Undefined
Groups: TypeAlias = list[list[Number]]
"""Tie groups, highest score first, each with what its documents are worth: grades, or 1 and 0."""


class Reading(TypedDict, total=False):
    """How a list is read: the keywords that all measures share."""

    unjudged: str
    negative: str
    ties: str
    score_precision: str


_CHOICES = {
    "unjudged": ("error", "zero", "remove"),
    "negative": ("error", "zero"),
    "ties": (
        *("error", "average", "best", "worst", "input", "reverse-input"),
        *("docno-ascending", "docno-descending"),
    ),
    "score_precision": ("exact", "float32"),
}
_NO_RELEVANT: dict[str, Value] = {
    "undefined": Undefined("no relevant document"),
    "zero": Fraction(0),
    "one": Fraction(1),
}


# --- reading a list -----------------------------------------------------------------------


def require_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse what is no choice of a keyword."""
    if value not in choices:
        message = f"`{name}` is {value!r}; its choices: {', '.join(choices)}"
        raise ContractError(message, setting=name, choices=choices)


def _decided(kind: type[NdcgLabError], cause: str, name: str) -> NdcgLabError:
    """An error that ends with the keyword that decides, and its choices."""
    return kind(f"{cause}; `{name}` decides: {', '.join(_CHOICES[name])}", setting=name, choices=_CHOICES[name])


def supplied(no_relevant: str) -> Value:
    """What a need without any relevant document gives."""
    require_choice("no_relevant", no_relevant, tuple(_NO_RELEVANT))
    return _NO_RELEVANT[no_relevant]


def cutoff(k: object) -> Cutoff:
    """A cutoff, read."""
    if isinstance(k, str) and k == "all":
        return "all"
    try:
        return whole(k, "k", 1)
    except NdcgLabError as error:
        raise ContractError(f"{error}, or 'all'") from None


def number(value: object, name: str) -> Number:
    """An argument that is a rational number; an error names the argument."""
    try:
        return rational(value)
    except NdcgLabError as error:
        raise error.retold(f"`{name}`: {error}") from None


def highest_grade(max_grade: object) -> int:
    """The highest grade of a scale, read."""
    highest = number(max_grade, "max_grade")
    if not isinstance(highest, int) or not 1 <= highest <= ERR_GRADE:
        raise ContractError(f"`max_grade` is {brief(highest)}; it is a whole number from 1, {beyond('ERR_GRADE')}")
    return highest


def grouped(
    ranking: Ranking, judgments: Judgments, k: Cutoff, reading: Reading, worth: dict[str, int] | None = None
) -> Groups:
    """The tie groups of the list through the one that holds rank k, each with its documents' grades, or their worth.

    All but the policies `error` and `average` order the documents of a group: then each stands in a group of its own.
    """
    require_data(ranking, judgments)
    for name, value in reading.items():
        if name not in _CHOICES:
            raise TypeError(f"{name!r} is no keyword of these measures; they take {', '.join(_CHOICES)}")
        require_choice(name, str(value), _CHOICES[name])
    unjudged, negative = reading.get("unjudged", "error"), reading.get("negative", "error")
    order = _ORDERS.get(reading.get("ties", "error"))
    groups: Groups = []
    seen: set[str] = set()
    depth = 0
    for documents in ranking.tie_groups(reading.get("score_precision", "exact")):
        if k != "all" and depth >= k:
            break
        tied: list[tuple[str, Number]] = []
        for document in documents:
            if document in seen:
                raise DuplicateDocument(
                    f"document {document!r} was returned more than once; these measures refuse that"
                )
            seen.add(document)
            grade = judgments.get(document)
            if grade is None and unjudged == "error":
                raise _decided(UnjudgedDocument, f"document {document!r} was returned and has no grade", "unjudged")
            if grade is None and unjudged == "remove":
                continue
            if grade is not None and grade < 0 and negative == "error":
                raise _decided(
                    NegativeGrade,
                    f"document {document!r} has the negative grade {short(grade)}",
                    "negative",
                )
            tied.append((document, max(grade or 0, 0) if worth is None else worth.get(document, 0)))
        if order is not None and len(tied) > 1:
            groups += [[grade] for _, grade in order(tied)]
        elif tied:
            groups.append([grade for _, grade in tied])
        depth += len(tied)
    return groups


Pairs: TypeAlias = list[tuple[str, Number]]


def _by_grade(pair: tuple[str, Number]) -> Number:
    return pair[1]


def _by_id(pair: tuple[str, Number]) -> bytes:
    return pair[0].encode("utf-8", "surrogatepass")


_ORDERS: dict[str, Callable[[Pairs], Pairs]] = {
    "best": lambda tied: sorted(tied, key=_by_grade, reverse=True),
    "worst": lambda tied: sorted(tied, key=_by_grade),
    "input": lambda tied: tied,
    "reverse-input": lambda tied: tied[::-1],
    "docno-ascending": lambda tied: sorted(tied, key=_by_id),
    "docno-descending": lambda tied: sorted(tied, key=_by_id, reverse=True),
}


def hits(ranking: Ranking, judgments: Judgments, k: Cutoff, relevant_from: object, reading: Reading) -> Groups:
    """The groups with 1 for each relevant document, and 0 for each other."""
    threshold = _threshold(relevant_from)
    return [[int(grade >= threshold) for grade in group] for group in grouped(ranking, judgments, k, reading)]


def count_relevant(judgments: Judgments, relevant_from: object) -> int:
    """How many judged documents are relevant."""
    threshold = _threshold(relevant_from)
    return sum(grade >= threshold for grade in judgments.values())


def _threshold(relevant_from: object) -> Number:
    threshold = number(relevant_from, "relevant_from")
    if threshold <= 0:
        raise ContractError(f"`relevant_from` is {threshold}; an unjudged or grade-0 document would be relevant")
    return threshold


# --- resolving ties -----------------------------------------------------------------------


def flattened(groups: Groups, k: Cutoff) -> list[Number]:
    """The groups as one list, cut at k."""
    flat = list(chain.from_iterable(groups))
    return flat if k == "all" else flat[:k]


def resolved(
    groups: Groups,
    k: Cutoff,
    reading: Reading,
    of: Callable[[Sequence[Number]], Fraction],
    expected: Callable[[Groups], Fraction],
    *,
    falls: bool = False,
) -> Fraction:
    """The value where no order is open, the expectation under `average`, and a refusal where an open order matters.

    These measures never fall when a document of more worth moves up: so an order matters exactly where the best and
    the worst give two values. A measure that may fall (`falls`) is refused for every tie across the cut.
    """
    mixed = [place for place, group in enumerate(groups) if len(set(group)) > 1]
    if not mixed:
        return of(flattened(groups, k))
    if reading.get("ties") == "average":
        return expected(groups)
    best, worst = (of(flattened([sorted(group, reverse=reverse) for group in groups], k)) for reverse in (True, False))
    cut = k != "all" and sum(map(len, groups)) > k and mixed[-1] == len(groups) - 1
    if best != worst or (falls and cut):
        first = sum(map(len, groups[: mixed[0]])) + 1
        last = first + len(groups[mixed[0]]) - 1
        raise _decided(
            TiedScores,
            f"documents of equal score at ranks {first} to {last} differ in grade, and their order is open",
            "ties",
        )
    return best


def additive(groups: Groups, k: Cutoff, reading: Reading, of: Callable[[Sequence[Number]], Fraction]) -> Fraction:
    """As `resolved`, for a sum over ranks: its expectation gives each document of a group the mean of their worth."""

    def expected(groups: Groups) -> Fraction:
        return of(flattened([[Fraction(sum(group), 1) / len(group)] * len(group) for group in groups], k))

    return resolved(groups, k, reading, of, expected)


def count_found(groups: Groups, k: Cutoff, reading: Reading) -> Fraction:
    """How many hits stand at ranks up to k."""
    return additive(groups, k, reading, lambda hits: Fraction(sum(hits)))


def none_among(group: Sequence[Number], inside: int) -> Fraction:
    """The chance that none of a group's hits stands in its first places."""
    misses = len(group) - int(sum(group))
    return Fraction(comb(misses, inside), comb(len(group), inside))


def symmetric(numbers: Sequence[Fraction]) -> list[Fraction]:
    """The elementary symmetric polynomials e_0 to e_n."""
    sums = [Fraction(1)]
    for number in numbers:
        sums = [one + number * other for one, other in zip([*sums, Fraction(0)], [Fraction(0), *sums], strict=True)]
    return sums
