"""Certificates in the language of `proofs/Ndcg.v`: bounds, identities, and the theorem that a certificate proves."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ndcg_lab.errors import NotExported

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["HEAD", "PROVED", "bounds", "comment", "identities", "listed", "question", "ratio", "theorem"]

HEAD = "From NdcgLab Require Import Ndcg.\n"
PROVED = "vm_cast_no_check (eq_refl true).\nQed.\n"
"""The end of each proof: Coq computes the checker's answer, and accepts nothing but `true`."""

_MOST_BITS = 10_000  # Of a number in the file.


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
    if max(abs(q.numerator), q.denominator).bit_length() > _MOST_BITS:
        raise NotExported(f"a number of more than {_MOST_BITS:,} bits is not written for Coq")
    if q.denominator > 1:
        return f"({q.numerator} # {q.denominator})"
    return str(q.numerator) if q >= 0 else f"({q.numerator})"


def listed(items: Iterable[str]) -> str:
    """A list in square brackets."""
    return f"[{'; '.join(items)}]"


def bounds(entries: Iterable[Mapping[str, Any]]) -> str:
    """The bounds of a certificate; a side that it leaves out is that of 0 < 1/log2(b) < 1."""
    return listed(
        f"Bound ({_name(one)}) {ratio(Fraction(one.get('lower', 0)))} {ratio(Fraction(one.get('upper', 1)))}"
        for one in entries
    )


def identities(relations: Iterable[Mapping[str, Any]]) -> str:
    """The identities of degree 2 of a certificate."""
    return listed(
        f"Identity {one['b']} {one['d']} {one['m']} {' '.join(f'({e})' for e in one['powers'])}" for one in relations
    )


def question(certificate: Mapping[str, Any]) -> str:
    """What the checker in `proofs/Ndcg.v` is asked about a certificate; it answers true or false.

    Raises:
        NotExported: for equality that needs more than identities of degree 2.
    """
    total = _total(certificate)
    if certificate["sign"]:
        return f"check {bounds(certificate['bounds'])} {total} {'true' if certificate['sign'] > 0 else 'false'}"
    if certificate.get("expanded"):
        raise NotExported("an equality of degree above 2, multiplied out over logarithms, is not told to Coq")
    common = "true" if certificate.get("common") else "false"
    return f"check_zero {bounds(certificate['bounds'])} {identities(certificate['relations'])} {common} {total}"


def theorem(certificate: Mapping[str, Any], name: str) -> str:
    """What a certificate claims of the sum that it writes out, and its proof.

    Raises:
        NotExported: as `question`.

    >>> from ndcg_lab import a
    >>> from ndcg_lab.certificate import certify
    >>> print(theorem(certify(3 * a - 2), "lead"))
    Theorem lead : sum_val [(1%Q, [(false, [(Y 2, (-2)%Q); (Y 3, 3%Q)])])] < 0.
    Proof.
      apply (check_sound [Bound (Y 3) 0 (2 # 3)] [(1%Q, [(false, [(Y 2, (-2)%Q); (Y 3, 3%Q)])])] false).
      vm_cast_no_check (eq_refl true).
    Qed.
    <BLANKLINE>
    """
    function, _, given = question(certificate).partition(" ")
    claim = f"sum_val {_total(certificate)} {'<=>'[certificate['sign'] + 1]} 0"
    return f"Theorem {name} : {claim}.\nProof.\n  apply ({function}_sound {given}).\n  {PROVED}"


def _total(certificate: Mapping[str, Any]) -> str:
    return listed(_entry(entry) for entry in certificate["sum"])


def _entry(entry: Mapping[str, Any]) -> str:
    factors = (
        f"({'true' if factor['power'] < 0 else 'false'}, {_form(factor)})"
        for factor in entry["factors"]
        for _ in range(abs(factor["power"]))
    )
    return f"({_q(entry['coefficient'])}, {listed(factors)})"


def _form(factor: Mapping[str, Any]) -> str:
    if "log2" in factor:
        return f"[({_name(factor)}, 1%Q)]"
    return listed(f"(Y {b}, {_q(q)})" for b, q in factor["terms"])


def _q(text: str) -> str:
    return f"{ratio(Fraction(text))}%Q"


def _name(one: Mapping[str, Any]) -> str:
    if "b" in one:
        return f"Y {one['b']}"
    if one["log2"] == "e":
        return "LE"
    base = Fraction(one["log2"])
    return f"L {base.numerator} {base.denominator}"
