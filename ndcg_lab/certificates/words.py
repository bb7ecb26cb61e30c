"""A certificate told in one clause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ndcg_lab.errors import CertificateError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["sentence"]


def sentence(certificate: Mapping[str, Any]) -> str:
    """Why the sign holds, in one clause.

    >>> from fractions import Fraction
    >>> from ndcg_lab import a, y
    >>> from ndcg_lab.certificate import certify
    >>> sentence(certify(2 * a - Fraction(1, 2)))
    'because a > 1/4, because 3 < 2^4'
    >>> sentence(certify(a / (1 + a) - y(6)))
    'because 2 = 3^-1 * 6^1, so both sides are one number'
    """
    if "sign" not in certificate:
        raise CertificateError("this is not a certificate: it has no sign")
    if certificate["sign"] == 0:
        relations = certificate.get("relations", [])
        if certificate.get("expanded"):
            return "because nothing is left when both sides are multiplied out over the logarithms of primes"
        if not relations:
            return "because both sides are the same expression"
        shown = ", ".join(_identity_text(relation) for relation in relations[:3])
        more = f" and {len(relations) - 3} more such identities" if len(relations) > 3 else ""
        return f"because {shown}{more}, so both sides are one number"
    reasons = [text for bound in certificate["bounds"] for text in _bound_texts(bound)]
    if not reasons:
        return "because every term has that sign"
    if len(reasons) == 1 and reasons[0][1]:
        return f"because {reasons[0][0]}, because {reasons[0][1]}"
    if len(reasons) <= 8 and all(why for _, why in reasons):
        return "because " + " and ".join(f"{what} ({why})" for what, why in reasons)
    return f"by {len(reasons)} rational bounds on 1/log2(b), each checked with whole numbers"


def _identity_text(relation: Mapping[str, Any]) -> str:
    u, v, w = relation["powers"]
    left = f"{relation['m']}^{w}" if w != 1 else f"{relation['m']}"
    return f"{left} = {relation['b']}^{u} * {relation['d']}^{v}"


def _bound_texts(bound: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    name = f"log2({bound['log2']})" if "log2" in bound else "a" if bound["b"] == 3 else f"1/log2({bound['b']})"
    return [
        (f"{name} {mark} {bound[side]}", bound.get(f"{side}_powers"))
        for side, mark in (("lower", ">"), ("upper", "<"))
        if side in bound
    ]
