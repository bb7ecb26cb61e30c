"""Who leads, by exactly how much, and the proof: two evaluations of one ranking each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ndcg_lab.certificates.maker import certify
from ndcg_lab.certificates.words import sentence
from ndcg_lab.errors import NotExported, Undecided, require_package
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.tables import screen

if TYPE_CHECKING:
    import pandas as pd

    from ndcg_lab.measure.evaluation import Evaluation

__all__ = ["Comparison", "compare_evaluations", "compare_values", "mixed"]

_LONG = 400  # characters of a comparison that a view shows whole
_WORDS = {1: "the first leads", 0: "exactly equal", -1: "the second leads"}


@dataclass(frozen=True, repr=False)
class Comparison:
    """The sign of one value minus another.

    Attributes:
        sign: +1 where the first is larger, -1 where the second is, 0 where they are exactly equal; None where a value
            is undefined.
        difference: the first minus the second, exact; or the `Undefined` that stands in the way.
        notes: what makes this a comparison of two different questions, if anything does.
    """

    sign: int | None
    difference: Exact | Undefined
    notes: tuple[str, ...] = ()
    evaluations: tuple[Evaluation, ...] = field(default=(), repr=False, compare=False)
    """The two that are compared; none where the values are means."""

    @cached_property
    def certificate(self) -> dict[str, Any] | None:
        """What proves the sign, for `ndcg_lab.certificate.check`; None without a sign, or where it grows too long."""
        if isinstance(self.difference, Undefined):
            return None
        try:
            return certify(self.difference)
        except Undecided:
            return None

    @property
    def reason(self) -> str:
        """The certificate in one clause."""
        if isinstance(self.difference, Undefined):
            return str(self.difference)
        return sentence(self.certificate) if self.certificate else "by an enclosure too narrow for a certificate"

    def to_json(self) -> dict[str, Any]:
        """The sign, the difference and the certificate, as a report of a comparison holds them."""
        return {"sign": self.sign, "difference": self.difference.to_json(), "certificate": self.certificate}

    def __repr__(self) -> str:
        return f"<Comparison: {self._told}>"

    @property
    def _told(self) -> str:
        if self.sign is None or isinstance(self.difference, Undefined):
            return str(self)
        return f"{_WORDS[self.sign]} by {abs(self.difference).decimal(6)}, proved" if self.sign else _WORDS[0]

    def _repr_html_(self) -> str:
        text = str(self) if len(str(self)) <= _LONG else self._told
        return screen([text, *(f"note: {note}" for note in self.notes)])

    def to_frame(self) -> pd.DataFrame:
        """One row: both NDCGs where there are two evaluations, the difference as a double, and the proved sign."""
        require_package("pandas", "`to_frame`")
        import pandas as pd

        values = dict(zip(("a", "b"), (e.ndcg for e in self.evaluations), strict=False))
        numbers = {
            name: float("nan") if isinstance(value, Undefined) else float(value)
            for name, value in {**values, "difference": self.difference}.items()
        }
        return pd.DataFrame([{**numbers, "sign": self.sign}]).astype({"sign": "Int64"})

    def to_coq(self) -> str:
        """The order of the two NDCGs as a theorem, for `coqc -R proofs NdcgLab`; docs/proofs.md tells more.

        Raises:
            NotExported: where there is no order, and for what is not told to Coq.
        """
        from ndcg_lab.measure.coq import file, pair_theorem, sides

        if self.sign is None or not self.evaluations:
            raise NotExported(
                f"no order: {self.difference}"
                if self.sign is None
                else "a mean alone holds no rankings; the comparison of the reports does"
            )
        one, other = self.evaluations
        assert isinstance(one.ndcg, Exact)
        assert isinstance(other.ndcg, Exact)
        pair = sides("", (one, one.ndcg), (other, other.ndcg))
        about = [f"first: {one.contract!r}", f"second: {other.contract!r}"]
        return file(about, [pair_theorem("comparison", "NDCG", self.sign, *pair)])

    def __str__(self) -> str:
        if self.sign is None:
            return f"no order: {self.difference}"
        mark = "<=>"[self.sign + 1]
        return f"{_WORDS[self.sign]}: {self.difference} {mark} 0, {self.reason}"


def compare_evaluations(one: Evaluation, other: Evaluation) -> Comparison:
    """Compare the NDCG of two evaluations; notes say where two questions are mixed."""
    compared = compare_values(one.ndcg, other.ndcg, mixed(one, other))
    return replace(compared, evaluations=(one, other))


def compare_values(one: Exact | Undefined, other: Exact | Undefined, notes: tuple[str, ...]) -> Comparison:
    """Compare two values; there is no order where one is undefined."""
    for value in (one, other):
        if isinstance(value, Undefined):
            return Comparison(None, value, notes)
    assert isinstance(one, Exact)
    assert isinstance(other, Exact)
    difference = one - other
    return Comparison(difference.sign(), difference, notes)


def mixed(one: Evaluation, other: Evaluation) -> tuple[str, ...]:
    """Notes on what makes a comparison of two evaluations one of two different questions."""
    notes = []
    if differences := one.contract.differences(other.contract):
        notes.append(f"two questions are mixed: the contracts differ in {', '.join(differences)}")
    if one.judgments.grades != other.judgments.grades:
        notes.append("two questions are mixed: the judgments differ")
    return tuple(notes)
