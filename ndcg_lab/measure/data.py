"""What is evaluated: `Judgments` (grades of documents for one need) and `Ranking` (documents in order, or scored)."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import groupby
from numbers import Rational
from types import MappingProxyType
from typing import Any, NoReturn, Protocol

from ndcg_lab.errors import (
    InvalidDocument,
    InvalidGrade,
    InvalidScore,
    NdcgLabError,
    OffScale,
    WrongKind,
    brief,
    require,
)
from ndcg_lab.exact.rationals import Number, rational, written
from ndcg_lab.limits import EXPONENT, GAIN_BITS

Score = int | float | Decimal | Fraction
"""A score, exact: Python compares these kinds exactly, but for `Fraction` with `Decimal` (see `Ranking`)."""

_LONG = 2_000  # bits of a whole number that any Python reads and prints
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


class HasItems(Protocol):
    """A mapping, or anything that pairs names with values as one does, such as a pandas Series."""

    def items(self) -> Iterable[tuple[Any, Any]]:
        """Pairs of document and value."""


class _Immutable:
    """What hashes by its contents does not change: its class sets them once, past this."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable, and `{name}` can't be set: make another one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable, and `{name}` can't be deleted")

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setstate__(self, state: tuple[None, dict[str, object]]) -> None:  # copies and pickles
        self._set(**state[1])


class Judgments(_Immutable, Mapping[str, Number]):
    """Grades of documents for one need: an immutable mapping, in the order given.

    Args:
        grades: document to grade: an `int`, `Fraction`, `Decimal`, whole `float`, or text such as "27/10" or "2.7".
        need: what was sought.
        scale: the grades that exist, such as `range(4)`.
        source: who judged what.

    Raises:
        InvalidGrade: for a grade that is not rational, or a float that is not whole.
        OffScale: for a grade that is not on the scale.
        InvalidDocument: for a document id that is not text.

    >>> judgments = Judgments({"A": 3, "B": "2.5"}, scale=[0, 2.0, "5/2", 3])
    >>> judgments["B"]
    Fraction(5, 2)
    """

    __slots__ = ("_grades", "need", "scale", "source")

    _grades: dict[str, Number]
    need: str | None
    scale: tuple[Number, ...] | None
    source: str | None

    def __init__(
        self,
        grades: HasItems,
        *,
        need: str | None = None,
        scale: Iterable[object] | None = None,
        source: str | None = None,
    ) -> None:
        if not hasattr(grades, "items"):
            kind = type(grades).__name__
            raise WrongKind(f"`grades` are a mapping of documents to numbers, such as {{'A': 3}}, not {kind}")
        read: dict[str, Number] = {}
        known: dict[object, Number] = {}  # texts repeat: read each once
        for document, grade in grades.items():
            if not isinstance(document, str):
                _refuse_document(document)
            if type(grade) is int:
                read[document] = grade
            else:
                read[document] = known[grade] if type(grade) is str and grade in known else _grade(grade, document)
                if type(grade) is str:
                    known[grade] = read[document]
        grades_that_exist = None if scale is None else tuple(_grade(grade, None) for grade in scale)
        self._set(_grades=read, need=need, source=source, scale=grades_that_exist)
        if self.scale is not None:
            allowed = set(self.scale)
            for document, grade in read.items():
                if grade not in allowed:
                    raise OffScale(
                        f"document {document!r} has grade {written(grade)}, which is not on the declared `scale`: "
                        + ", ".join(map(written, self.scale[:20]))
                    )

    @property
    def grades(self) -> Mapping[str, Number]:
        """The grades as a read-only view of a dict, for quick look-ups."""
        return MappingProxyType(self._grades)

    def __getitem__(self, document: str) -> Number:
        return self._grades[document]

    def __iter__(self) -> Iterator[str]:
        return iter(self._grades)

    def __len__(self) -> int:
        return len(self._grades)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Judgments):
            return NotImplemented
        return self._stated() == other._stated()

    def __hash__(self) -> int:
        return hash((frozenset(self._grades.items()), self.need, self.scale, self.source))

    def __repr__(self) -> str:
        grades = ", ".join(f"{d!r}: {_in_source(g)}" for d, g in self._grades.items())
        scale = "" if self.scale is None else f", scale=[{', '.join(map(_in_source, self.scale))}]"
        need, source = (
            f", {n}={v!r}" if v is not None else "" for n, v in (("need", self.need), ("source", self.source))
        )
        return f"Judgments({{{grades}}}{need}{scale}{source})"

    def _stated(self) -> tuple[object, ...]:
        return self._grades, self.need, self.scale, self.source

    def to_json(self) -> dict[str, Any]:
        """The keys `need`, `scale`, `source` and `judgments` of a record; grades are texts."""
        return {
            "need": self.need,
            "scale": None if self.scale is None else [written(grade) for grade in self.scale],
            "source": self.source,
            "judgments": {document: written(grade) for document, grade in self._grades.items()},
        }


def _in_source(number: object) -> str:
    """A number as source code that gives it: text where it is not whole, or has more digits than Python reads."""
    if isinstance(number, Fraction) or (type(number) is int and number.bit_length() > _LONG):
        return repr(written(number))
    return repr(number)


def _as_text(score: Score) -> str:
    return written(score) if isinstance(score, int | Fraction) else str(score)


def _refuse_set(name: str, value: object) -> None:
    """Refuse a set, whose order is another one in each run of the program."""
    if isinstance(value, set | frozenset):
        raise WrongKind(f"`{name}` can't be a set, which has no order: write a list")


def _score_pairs(scores: Any) -> Iterator[tuple[str, object]]:
    """Document and score, from a mapping or from pairs."""
    require(Iterable, "scores", scores, "a mapping of documents to scores, or pairs")
    _refuse_set("scores", scores)
    for pair in scores.items() if hasattr(scores, "items") else scores:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise WrongKind(f"`scores` are pairs of document and score, and {brief(pair)} is none: write ('A', 0.9)")
        yield pair[0], pair[1]


class Ranking(_Immutable, Sequence[str]):
    """Documents in order, best first. As a sequence it holds the ids; a document may occur more than once.

    `Ranking(["B", "C"])` is an order. `Ranking.from_scores` orders by score and may hold ties; in `documents` and
    `scores` it keeps the order given, in which equal scores stand until a contract says how they are resolved.

    Raises:
        InvalidDocument: for a document id that is not text.

    >>> list(Ranking(["B", "C", "A", "D"]))
    ['B', 'C', 'A', 'D']
    """

    __slots__ = ("_ranked", "documents", "scores", "texts")

    documents: tuple[str, ...]
    """In the order given."""
    scores: tuple[Score, ...] | None
    """One for each of `documents`; None for an order without scores."""
    texts: tuple[str, ...] | None
    """The scores as they were written."""
    _ranked: tuple[str, ...] | None
    """The documents in order, once that was asked for."""

    def __init__(self, documents: Iterable[str]) -> None:
        if isinstance(documents, str):
            raise InvalidDocument(f"a ranking is a list of document ids, not the text {brief(documents)}")
        if isinstance(documents, Mapping):
            raise WrongKind(
                "`documents` can't be a mapping, which is no order: write Ranking.from_scores({...}), or a list"
            )
        require(Iterable, "documents", documents, "the document ids in order, such as ['B', 'C']")
        _refuse_set("documents", documents)
        self._fill(documents, None, None)

    @classmethod
    def from_scores(cls, scores: HasItems | Iterable[tuple[str, object]]) -> Ranking:
        """A ranking by score, higher is better: from a mapping, or from pairs of document and score.

        A score is an `int`, `Fraction`, `Decimal`, text such as "0.9", "1e-3" or "1/2", or a `float`, which stands
        for its binary value. Scores are compared exactly.

        Raises:
            InvalidScore: for nan, an infinity, or anything that is no number.

        >>> Ranking.from_scores({"A": 1, "B": 9, "C": "9.0"}).tie_groups()
        [['B', 'C'], ['A']]
        """
        given = list(_score_pairs(scores))
        read = [_score(score, document) for document, score in given]
        # A float is written as it is printed, which keeps its order among floats; beside other kinds, digit by digit.
        kinds = set(map(type, read))
        exact = kinds > {float}
        texts = [
            score if isinstance(score, str) else _exactly(value) if exact and type(value) is float else _as_text(value)
            for (_, score), value in zip(given, read, strict=True)
        ]
        if Decimal in kinds and kinds & {
            Fraction,
            float,
        }:  # Python compares them not at all, or where a context lets it
            read = [Fraction(score) for score in read]
        ranking = cls.__new__(cls)
        ranking._fill((document for document, _ in given), read, texts)
        return ranking

    def _fill(self, documents: Iterable[str], scores: list[Score] | None, texts: list[str] | None) -> None:
        given = tuple(documents)
        for document in given:
            if not isinstance(document, str):
                _refuse_document(document)
        self._set(
            documents=given,
            scores=None if scores is None else tuple(scores),
            texts=None if texts is None else tuple(texts),
            _ranked=given if scores is None else None,
        )

    def tie_groups(self, precision: str = "exact") -> list[list[str]]:
        """Documents of equal score together, highest first, in the order given within a group.

        Args:
            precision: `exact`, or `float32`: decimal to double to float32, and equal ones tie.
        """
        if self.scores is None:
            return [[document] for document in self.documents]
        scores = self.scores
        keys = [_double(score) for score in scores]  # rounding keeps order, so only equal doubles need the exact scores
        if precision == "float32":
            keys = array("f", keys).tolist()
        groups: list[list[int]] = []
        order = sorted(range(len(keys)), key=keys.__getitem__, reverse=True)  # stable: the order given stays
        for _, tied in groupby(order, key=keys.__getitem__):
            group = list(tied)
            if len(group) == 1 or precision == "float32":
                groups.append(group)
            else:
                group.sort(key=scores.__getitem__, reverse=True)
                groups.extend(list(equal) for _, equal in groupby(group, key=scores.__getitem__))
        return [[self.documents[i] for i in group] for group in groups]

    def _in_order(self) -> tuple[str, ...]:
        if self._ranked is not None:
            return self._ranked
        ranked = tuple(document for group in self.tie_groups() for document in group)
        self._set(_ranked=ranked)
        return ranked

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, position: Any) -> Any:
        return self._in_order()[position]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ranking):
            return NotImplemented
        return (self.documents, self.scores) == (other.documents, other.scores)

    def __hash__(self) -> int:
        return hash((self.documents, self.scores))

    def __repr__(self) -> str:
        if self.scores is None or self.texts is None:
            return f"Ranking({list(self.documents)!r})"
        written = [
            _in_source(score) if isinstance(score, int | float) else repr(text)
            for score, text in zip(self.scores, self.texts, strict=True)
        ]
        if len(set(self.documents)) == len(self.documents):
            pairs = ", ".join(f"{d!r}: {s}" for d, s in zip(self.documents, written, strict=True))
            return f"Ranking.from_scores({{{pairs}}})"
        pairs = ", ".join(f"({d!r}, {s})" for d, s in zip(self.documents, written, strict=True))
        return f"Ranking.from_scores([{pairs}])"

    def to_json(self) -> list[dict[str, str]]:
        """The entries in the order given: `document`, and `score` as it was written, where there are scores."""
        if self.texts is None:
            return [{"document": document} for document in self.documents]
        return [{"document": d, "score": text} for d, text in zip(self.documents, self.texts, strict=True)]


def _refuse_document(document: object) -> NoReturn:
    if isinstance(document, tuple | list):
        raise InvalidDocument(
            f"a document id is text, not {type(document).__name__}: for pairs of document and score write "
            "Ranking.from_scores(...)"
        )
    raise InvalidDocument(f"a document id is text, not {type(document).__name__}: write {brief(document)} as text")


def _grade(grade: object, document: str | None) -> Number:
    try:
        return rational(grade)
    except NdcgLabError as error:
        of = "the scale" if document is None else f"document {document!r}"
        raise InvalidGrade(f"grade of {of}: {error}") from None


def _score(score: object, document: object) -> Score:
    """The score as a number that compares exactly; quickest for the common kinds."""
    number = _from_text(score.strip()) if isinstance(score, str) else score
    if isinstance(number, Decimal):
        if number.is_finite() and abs(number.adjusted()) <= EXPONENT:
            return number
    elif type(number) is int:
        if number.bit_length() <= GAIN_BITS:
            return number
    elif type(number) is float:
        if math.isfinite(number):
            return number
    elif number is not None:
        try:
            return _binary(number)
        except NdcgLabError:
            pass
    raise InvalidScore(
        f"document {document!r} has score {brief(score)}, which can't be ordered; "
        "a score is a finite number: int, Fraction, Decimal, float or text such as 0.9 or 1/2"
    )


def _exactly(number: float) -> str:
    return str(Decimal.from_float(number))  # noqa: FURB164 - Decimal(number) raises where a context traps FloatOperation


def _binary(number: object) -> Score:
    """A number of another kind or library, a float for its binary value: as a double where that is the same."""
    value = rational(number, binary=True)
    if isinstance(number, Rational):
        return value
    double = _double(value)
    return double if double == value else value


def _from_text(text: str) -> Decimal | Fraction | None:
    """The number that is written, or None."""
    try:
        if _DECIMAL.fullmatch(text):
            return Decimal(text)
        return Fraction(rational(text)) if "/" in text else None
    except (InvalidOperation, NdcgLabError):
        return None


def _double(score: Score) -> float:
    """The nearest double; beyond their range an infinity."""
    try:
        return float(score)
    except OverflowError:
        return math.inf if score > 0 else -math.inf


def require_data(ranking: object, judgments: object) -> None:
    """Refuse a plain list or mapping where an evaluation wants what says how it is meant.

    Raises:
        WrongKind: naming the argument and what to write.
    """
    require(Ranking, "ranking", ranking, "Ranking([...]), or Ranking.from_scores({...})")
    require(Judgments, "judgments", judgments, "Judgments({...})")
