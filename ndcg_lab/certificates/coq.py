"""Certificates in the language of `proofs/Ndcg.v`: bounds, identities, and the theorem that a certificate proves."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ndcg_lab.errors import NotExported
from ndcg_lab.limits import COQ_BITS, beyond

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["HEAD", "PROVED", "bounds", "comment", "identities", "listed", "question", "ratio", "theorem"]

HEAD = "From NdcgLab Require Import Ndcg.\n"
PROVED = "vm_cast_no_check (eq_refl true).\nQed.\n"
"""The end of each proof: Coq computes the checker's answer, and accepts nothing but `true`."""


def comment(text: str) -> str:
    r"""A Coq comment. Foreign text could end it by a star, or hide what follows by a quote: both are escaped.

    >>> print(comment('*) Axiom "é'))
    (* \u{2a}) Axiom \u{22}\u{e9} *)
    """
    safe = re.sub(r"[^ !#-)+-\[\]-~]", lambda one: f"\\u{{{ord(one[0]):x}}}", text)
    return f"(* {safe} *)"


def ratio(q: Fraction | int) -> str:
    """A rational number, to be read as one of type Q.

    >>> ratio(Fraction(-7, 2)), ratio(3)
    ('(-7 # 2)', '3')
    """
    if max(abs(q.numerator), q.denominator).bit_length() > COQ_BITS:
        raise NotExported(f"the bits of a number for Coq are {beyond('COQ_BITS')}")
    if q.denominator > 1:
        return f"({q.numerator} # {q.denominator})"
    return str(q.numerator) if q >= 0 else f"({q.numerator})"


def listed(items: Iterable[str]) -> str:
    """A list in square brackets."""
    return f"[{'; '.join(items)}]"


def bounds(entries: Iterable[Mapping[str, Any]]) -> str:
    """The bounds of a certificate, each side by itself."""
    return listed(
        f"{word} {one['b']} {ratio(Fraction(one[side]))}"
        for one in entries
        for side, word in (("lower", "Above"), ("upper", "Below"))
        if side in one
    )


def identities(relations: Iterable[Mapping[str, Any]]) -> str:
    """The identities of degree 2 of a certificate."""
    return listed(
        f"Identity {one['b']} {one['d']} {one['m']} {' '.join(f'({e})' for e in one['powers'])}" for one in relations
    )


def question(certificate: Mapping[str, Any]) -> str:
    """What the checker in `proofs/Ndcg.v` is asked about a certificate; it answers true or false.

    Raises:
        NotExported: for a sum over several bases of the logarithm.
    """
    return " ".join(_asked(certificate))


def theorem(certificate: Mapping[str, Any], name: str) -> str:
    """What a certificate claims of the sum that it writes out, and its proof.

    >>> from ndcg_lab import a
    >>> from ndcg_lab.certificate import certify
    >>> print(theorem(certify(3 * a - 2), "lead"))
    Theorem lead : sum_val [((-1)%Q, [(false, [(2%positive, 2%Q); (3%positive, (-3)%Q)])])] < 0.
    Proof.
      apply (check_sound [Below 3 (2 # 3)] [((-1)%Q, [(false, [(2%positive, 2%Q); (3%positive, (-3)%Q)])])] false).
      vm_cast_no_check (eq_refl true).
    Qed.
    <BLANKLINE>
    """
    function, *given = _asked(certificate)
    value = f"sum_val {_total(certificate)}"
    bases = _bases(certificate)
    if bases:
        value = f"scale {listed(bases)} * {value}"
    if bases and function == "check_zero":
        function, given = "check_zero_scaled", [listed(bases), *given]
    claim = f"{value} {'<=>'[certificate['sign'] + 1]} 0"
    return f"Theorem {name} : {claim}.\nProof.\n  apply ({function}_sound {' '.join(given)}).\n  {PROVED}"


def _asked(certificate: Mapping[str, Any]) -> list[str]:
    """The checker's name, and what it is given."""
    found, total = bounds(certificate["bounds"]), _total(certificate)
    if certificate["sign"]:
        bases, way = _bases(certificate), "true" if certificate["sign"] > 0 else "false"
        return ["check_scaled", listed(bases), found, total, way] if bases else ["check", found, total, way]
    common = "true" if certificate.get("common") else "false"
    return ["check_zero", found, identities(certificate["relations"]), common, total]


def _bases(certificate: Mapping[str, Any]) -> list[str]:
    """The factors log2(base), which all entries share."""
    found = [
        [(factor["log2"], factor["power"]) for factor in entry["factors"] if "log2" in factor]
        for entry in certificate["sum"]
    ]
    shared = found[0] if found else []
    if any(one != shared for one in found):
        raise NotExported("a sum over several bases of the logarithm is not told to Coq")
    return [f"({_below(power)}, {_base(text)})" for text, power in shared for _ in range(abs(power))]


def _base(text: str) -> str:
    if text == "e":
        return "E"
    number = Fraction(text)
    return f"Frac {number.numerator} {number.denominator}"


def _below(power: int) -> str:
    return "true" if power < 0 else "false"


def _total(certificate: Mapping[str, Any]) -> str:
    return listed(_entry(entry) for entry in certificate["sum"])


def _entry(entry: Mapping[str, Any]) -> str:
    factors = (
        f"({_below(factor['power'])}, {_form(factor)})"
        for factor in entry["factors"]
        if "terms" in factor
        for _ in range(abs(factor["power"]))
    )
    return f"({_q(entry['coefficient'])}, {listed(factors)})"


def _form(factor: Mapping[str, Any]) -> str:
    return listed(f"({b}%positive, {_q(q)})" for b, q in factor["terms"])


def _q(text: str) -> str:
    return f"{ratio(Fraction(text))}%Q"
