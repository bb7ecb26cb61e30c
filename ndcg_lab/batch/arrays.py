"""What a batch is made of: grades and scores read from arrays, and each different grade's gain looked up once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ndcg_lab.errors import ContractError, InvalidScore, NdcgLabError, WrongKind
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.measure.contract import FIELDS
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.measure.evaluation import evaluate, gains_of

if TYPE_CHECKING:
    from ndcg_lab.exact.rationals import Number
    from ndcg_lab.measure.contract import Contract

__all__ = ["Array", "Batch", "Flags", "Floats", "Grades", "Whole", "read", "real"]

Array = np.ndarray[Any, np.dtype[Any]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]

_FEW = 64
"""Up to so many neighbouring whole grades each have a level, found or not."""

_MOST_LEVELS = 1 << 12
"""Up to so many different grades are looked up; more are gains as they stand, or go to the exact path."""


@dataclass(frozen=True, eq=False)
class Grades:
    """Grades as gains: a level for each document, and a table of levels.

    Attributes:
        levels: for each document the place of its gain in `gains`; a document without a grade has the last one.
        gains: the gain of each level, exact; the last one is the 0 of a document without a grade.
        values: instead of both, the gains as doubles: too many differ for a table.
        refused: queries with a grade that the contract refuses.
    """

    levels: Array | None
    gains: tuple[Number, ...]
    values: Floats | None
    refused: Flags

    @cached_property
    def table(self) -> Floats:
        """The gains as doubles."""
        return np.array([float(gain) for gain in self.gains])

    def at(self, places: Whole) -> Floats:
        """The gains at places of the flattened array."""
        if self.values is not None:
            return self.values.ravel()[places]
        assert self.levels is not None
        return self.table[self.levels.ravel()[places]]


@dataclass(frozen=True, eq=False)
class Batch:
    """Queries by documents, as the kernels take them.

    Attributes:
        contract: what NDCG means.
        given: grades and scores as they came.
        exists: where a document is; None where everywhere.
        returned: where it was returned; None where everywhere.
        listed: where it stands in the list that is evaluated, unjudged ones removed if they are to be.
        scores: what the list is sorted by; minus infinity where nothing is listed.
        known: where a document has a grade; None where everywhere.
    """

    contract: Contract
    given: tuple[Array, Array]
    exists: Flags | None
    returned: Flags | None
    listed: Flags | None
    scores: Array
    known: Flags | None

    @property
    def shape(self) -> tuple[int, int]:
        """Queries, documents."""
        queries, documents = self.scores.shape
        return queries, documents

    @property
    def depth(self) -> int:
        """How many ranks count, at most."""
        k = self.contract.k
        return self.shape[1] if k == "all" else min(k, self.shape[1])

    @cached_property
    def lengths(self) -> Whole:
        """How many documents stand in each list."""
        queries, documents = self.shape
        return np.full(queries, documents) if self.listed is None else np.count_nonzero(self.listed, axis=1)

    @cached_property
    def few(self) -> tuple[Whole, Grades] | None:
        """The places of all documents whose grade is not 0 and their gains, where they are few and 0 earns nothing."""
        grades = _bare(self.given[0], self.exists)
        queries, _ = self.shape
        some = grades != 0
        if np.count_nonzero(some) > 4 * queries or _gain(self.contract, 0) != 0:
            return None
        places = np.flatnonzero(some)
        found = _looked_up(self.contract, grades.ravel()[places][None])
        if found.values is not None:
            return None
        return places, found

    @cached_property
    def grades(self) -> Grades:
        """Every document's gain."""
        return _looked_up(self.contract, _bare(self.given[0], self.exists))

    def exact(self, query: int) -> float:
        """The exact path for one query; a document's id is its column. NaN where the value is undefined."""
        grades, scores = (array[query] for array in self.given)
        columns = [c for c in range(len(grades)) if self.exists is None or self.exists[query, c]]
        listed = [c for c in columns if self.returned is None or self.returned[query, c]]
        try:
            ranking = Ranking.from_scores([(str(c), scores[c].item()) for c in listed])
            judgments = Judgments({str(c): _written(grades[c]) for c in columns if grades[c] == grades[c]})
            value = evaluate(self.contract, ranking, judgments).ndcg
        except NdcgLabError as error:
            raise error.retold(f"query {query}: {error}") from None
        return float("nan") if isinstance(value, Undefined) else float(value)


def read(contract: Contract, grades: object, scores: object, mask: object, returned: object) -> Batch:
    """Arrays as a batch.

    Raises:
        WrongKind: for arrays of other kinds or shapes.
        InvalidScore: for a returned document's score that is not finite.
        ContractError: for settings that arrays can't have.
    """
    if contract.ties.startswith("docno"):
        (ties,) = (field for field in FIELDS if field.name == "ties")
        names = [choice.spelling for choice in ties.choices if not choice.spelling.startswith("docno")]
        message = f"`ties = {contract.ties}` needs document ids, which arrays don't have; choices: {', '.join(names)}"
        raise ContractError(message, setting=ties.name, choices=names)
    given = real("grades", grades), real("scores", scores)
    shape = given[0].shape
    if given[1].shape != shape:
        raise WrongKind(f"`grades` has the shape {shape} and `scores` {given[1].shape}; both are (queries, documents)")
    exists, back = _flags("mask", mask, shape), _flags("returned", returned, shape)
    stand = back if exists is None else exists if back is None else exists & back
    known = None
    if given[0].dtype.kind == "f":
        missing = np.isnan(given[0])
        known = ~missing if missing.any() else None
    listed = stand
    if known is not None and contract.unjudged == "remove":
        listed = known if stand is None else stand & known
    return Batch(contract, given, exists, stand, listed, _sortable(contract, given[1], stand, listed), known)


def real(name: str, values: object) -> Array:
    """Two dimensions of real numbers."""
    array = np.asarray(values)
    if array.ndim != 2 or array.dtype.kind not in "iufb" or array.dtype.itemsize > 8 or array.dtype == np.bool_:
        raise WrongKind(
            f"`{name}` is an array of {array.ndim} dimensions of {array.dtype}; write whole numbers or floats as "
            "(queries, documents)"
        )
    return array


def _flags(name: str, flags: object, shape: tuple[int, ...]) -> Flags | None:
    if flags is None:
        return None
    array = np.asarray(flags)
    if array.shape != shape or array.dtype != np.bool_:
        raise WrongKind(
            f"`{name}` is an array of {array.dtype} of the shape {array.shape}; write bools of the shape {shape}"
        )
    return None if array.all() else array


def _sortable(contract: Contract, scores: Array, returned: Flags | None, listed: Flags | None) -> Array:
    """Scores by which a float sort gives the contract's order."""
    if scores.dtype.kind == "f" and not np.isfinite(scores.sum()):  # else a look at each
        finite = np.isfinite(scores)
        if not (finite if returned is None else finite | ~returned).all():
            where = ~finite if returned is None else ~finite & returned
            query, column = np.argwhere(where)[0].tolist()
            raise InvalidScore(
                f"query {query}: document {column} has the score {scores[query, column]}; scores are finite"
            )
    if contract.score_precision == "float32":
        scores = scores.astype(np.float64).astype(np.float32)
    elif scores.dtype.kind != "f" or scores.dtype.itemsize < 4:
        scores = _as_floats(scores)
    return scores if listed is None else np.where(listed, scores, scores.dtype.type(-np.inf))


def _as_floats(scores: Array) -> Floats:
    """Whole numbers as doubles of the same order: past 2^53, by their places among the different ones."""
    if scores.size and max(int(scores.max()), -int(scores.min())) > 2**53:
        _, scores = np.unique(scores, return_inverse=True)
    return scores.astype(np.float64).reshape(scores.shape)


def _bare(grades: Array, exists: Flags | None) -> Array:
    return grades if exists is None else np.where(exists, grades, 0)


def _looked_up(contract: Contract, grades: Array) -> Grades:
    missing = np.isnan(grades) if grades.dtype.kind == "f" else None
    if missing is not None and missing.any():
        grades = np.where(missing, 0, grades)
    else:
        missing = None
    found = _levels(grades)
    if found is None:
        return _as_they_stand(contract, grades, missing)
    different, levels = found
    gains: list[Number] = []
    refused = []
    for level, grade in enumerate(different):
        gain = _gain(contract, grade)
        gains.append(gain or 0)
        if gain is None:
            refused.append(level)
    if missing is not None:
        levels = np.where(missing, len(gains), levels)
    return Grades(levels, (*gains, 0), None, _any(np.isin(levels, refused)) if refused else _none(levels))


def _as_they_stand(contract: Contract, grades: Array, missing: Flags | None) -> Grades:
    """Linear gains of more different grades than a table takes; of another gain every query goes to the exact path."""
    values = grades.astype(np.float64)
    if contract.gain != "linear":
        return Grades(None, (), values, ~_none(values))
    negative: Flags = values < 0
    bad = ~np.isfinite(values)
    refused = _any(bad | negative) if contract.negative == "error" else _any(bad)
    if contract.negative == "zero":
        values[negative] = 0.0
    if missing is not None:
        values[missing] = 0.0
    return Grades(None, (), values, refused)


def _any(flags: Array) -> Flags:
    """The rows in which one is true."""
    found: Flags = np.count_nonzero(flags, axis=1) > 0
    return found


def _none(rows: Array) -> Flags:
    return np.zeros(len(rows), np.bool_)


def _levels(grades: Array) -> tuple[list[Number], Array] | None:
    """The different grades and each document's place among them; None where there are too many."""
    if not grades.size:
        return [], grades.astype(np.int8)
    whole: Array | None = grades
    low, high = grades.min(), grades.max()
    if grades.dtype.kind == "f":
        whole = None
        if abs(low) < 2**15 and abs(high) < 2**15:
            cast = grades.astype(np.int16)
            whole = cast if (cast == grades).all() else None
    if whole is not None and int(high) - int(low) < _FEW:
        return list(range(int(low), int(high) + 1)), (whole if low == 0 else whole - int(low)).astype(np.int8)
    different, places = np.unique(grades, return_inverse=True)
    if len(different) > _MOST_LEVELS:
        return None
    return [_written(grade) for grade in different], places.reshape(grades.shape).astype(np.int16)


def _written(grade: Any) -> Number:
    """A grade of an array as the number that is meant: a float as it is written, 0.1 as 1/10."""
    number = Fraction(str(grade))
    return number.numerator if number.denominator == 1 else number


def _gain(contract: Contract, grade: Number) -> Number | None:
    """A grade's gain; None where the contract refuses it."""
    try:
        return gains_of(contract, Judgments({"d": grade}))[grade]
    except NdcgLabError:
        return None
