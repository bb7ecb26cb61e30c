"""A certificate told in one clause, which proves the claim that it follows when read alone.

What is told is what the check uses: bounds with the whole powers that prove them, that every discount is positive
where a form's sign rests on it, identities of whole powers, and the sign of a logarithm's base.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ndcg_lab.certificates.checker import Claim, checked, power_text, shows

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["sentence"]

_LISTED = 8  # So many bounds, and so many identities, are written out.
_SIDES = ("lower", "upper")
_POSITIVE = (Fraction(0), None)
_WEIGHED = 16  # Of so many bounds those are left out that the check doesn't need.

Fact = tuple[int, str, Fraction]


def sentence(certificate: Mapping[str, Any]) -> str:
    """Why the sign holds, in one clause.

    Raises:
        CertificateError: where the certificate proves nothing.

    >>> from fractions import Fraction
    >>> from ndcg_lab import a, y
    >>> from ndcg_lab.certificate import certify
    >>> sentence(certify(2 * a - Fraction(1, 2)))
    'because a > 1/4, because 3 < 2^4'
    >>> sentence(certify((1 - a) / (3 + 2 * a)))
    'because a < 1, because 2 < 3, and every discount is positive'
    >>> sentence(certify(a / (1 + a) - y(6)))
    'because 2 * 3 = 6 and every discount is positive, so both sides are one number'
    """
    claim = checked(certificate)
    bounds = _used(claim)
    positive = not shows(claim, _ends(bounds), free=(None, None))
    if claim.sign and not bounds and _each_term(claim):
        return "because every term has that sign"
    if not claim.sign and not claim.entries:
        return "because both sides are the same expression"
    facts = [(f"{_name(b)} {'>' if side == 'lower' else '<'} {q}", power_text(b, q, side)) for b, side, q in bounds]
    told = [f"{what} ({why})" for what, why in facts]
    counted = []
    if len(facts) > _LISTED or not all(why for _, why in facts):
        told, counted = [], [_counted(len(facts), "rational bound", " on 1/log2(b)")]
    if claim.sign:
        facts += [(f"log2({base}) > 0", f"1 < {base}") for base, _ in claim.logarithms]
        told += [f"log2({base}) > 0 (1 < {base})" for base, _ in claim.logarithms]
        if len(facts) == 1 and not counted:
            also = ", and every discount is positive" if positive else ""
            return f"because {facts[0][0]}, because {facts[0][1]}{also}"
    identities = [_identity(relation) for relation in certificate.get("relations", [])]
    if len(identities) > _LISTED:
        counted.append(_counted(len(identities), "identity", " of whole powers"))
    else:
        told = identities + told
    told += ["every discount is positive"] if positive else []
    told += [] if claim.sign or identities else ["nothing is left when all is multiplied out"]
    ways = [f"by {' and '.join(counted)}"] if counted else []
    ways += [f"because {' and '.join(told)}"] if told else []
    return " and ".join(ways) + (", so both sides are one number" if identities else "")


def _counted(n: int, one: str, what: str) -> str:
    if n == 1:
        return f"a {one}{what}, checked with whole numbers"
    return f"{n} {one.removesuffix('y') + 'ie' if one.endswith('y') else one}s{what}, each checked with whole numbers"


def _used(claim: Claim) -> list[Fact]:
    """The bounds without which the check fails, y_b < 1 among them; all that stand, where they are many."""
    sides = [(b, side, q) for b, ends in claim.bounds.items() for side, q in zip(_SIDES, ends, strict=True) if q]
    if not shows(claim, _ends(sides), free=_POSITIVE):
        names = sorted({b for _, factors in claim.entries for form, _ in factors for b, _ in form if b > 2})
        sides += [(b, "upper", Fraction(1)) for b in names if (b, "upper") not in {side[:2] for side in sides}]
    for one in sides if len(sides) <= _WEIGHED else []:
        fewer = [side for side in sides if side != one]
        if shows(claim, _ends(fewer), free=_POSITIVE):
            sides = fewer
    return sides


def _ends(sides: list[Fact]) -> dict[int, tuple[Fraction | None, Fraction | None]]:
    known = {(b, side): q for b, side, q in sides}
    return {b: (known.get((b, "lower")), known.get((b, "upper"))) for b, _, _ in sides}


def _each_term(claim: Claim) -> bool:
    """Whether the claim is a sum of terms q/log2(b), each of that sign."""
    return not claim.logarithms and all(
        len(factors) <= 1 and all(power == 1 for _, power in factors) and coefficient * q * claim.sign > 0
        for coefficient, factors in claim.entries
        for q in [q for form, _ in factors for _, q in form] or [Fraction(1)]
    )


def _identity(relation: Mapping[str, Any]) -> str:
    """``2 * 3 = 6``, from ``2 = 3^-1 * 6``."""
    u, v, w = relation["powers"]
    sides: tuple[list[str], list[str]] = ([], [])
    for n, e in ((relation["m"], w), (relation["b"], -u), (relation["d"], -v)):
        if e:
            sides[e < 0].append(str(n) if abs(e) == 1 else f"{n}^{abs(e)}")
    return " = ".join(" * ".join(side) or "1" for side in sides)


def _name(b: int) -> str:
    return "a" if b == 3 else f"1/log2({b})"
