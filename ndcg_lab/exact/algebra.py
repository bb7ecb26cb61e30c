"""When is a sum of products of `y_b` zero? Structure alone decides; no number is looked at.

The only relations between the ``y_b = 1/log2(b)`` come from ``log m = s log b + t log d``::

    y_b y_d = s y_m y_d + t y_m y_b                                                    (*)

In degree 1 there is none (distinct b that are not perfect powers have logarithms that are not
proportional). In degree 2 the relations (*) generate all: the ``y_b`` span the Orlik-Terao algebra of
the arrangement of the linear forms ``log b`` in the logarithms of the primes, and the products that
hold no broken circuit are a basis of it (Proudfoot & Speyer 2006, "A broken circuit ring"). So a form of
degree 2 is brought to normal form by replacing each ``y_b y_d`` with the smallest base m of the plane
that b and d span, and it vanishes exactly when nothing is left. Of higher degrees only what is equal term by term is
seen to be equal: no NDCG, no difference of two and no mean needs more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations
from typing import TYPE_CHECKING

from ndcg_lab.exact.enclosures import primitive
from ndcg_lab.limits import ALGEBRA_BASES, PRODUCTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ndcg_lab.exact.writing import Form, Monomial

__all__ = ["Relation", "ZeroProof", "prove_zero", "residue", "vanishes"]

_MAX_DEGREE = 2  # Of the common numerator.
# Two primes, none of the form 2^n - 1 that exponential gains take. A residue that isn't 0 proves "not zero".
_FILTER = ((1 << 61) - 31, (1 << 89) - 21)
_LARGEST_FACTOR = 1 << 16  # What is left of a number without factors up to here is taken as it stands.

Polynomial = dict[tuple[int, ...], Fraction]
"""``{(b, d): coefficient}`` of products ``y_b y_d`` with b <= d; ``()`` is the constant."""


@dataclass(frozen=True, slots=True)
class Relation:
    """``y_b y_d = s y_m y_d + t y_m y_b``, because ``m**w == b**u * d**v`` with s = u/w, t = v/w."""

    b: int
    d: int
    m: int
    powers: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ZeroProof:
    """How a sum vanishes: each group of like denominators by itself, or all over one denominator.

    Attributes:
        common: whether all terms were brought over one denominator.
        relations: the identities of degree 2 that were used; none where plain collection is enough.
    """

    common: bool
    relations: tuple[Relation, ...]


def vanishes(terms: Mapping[Monomial, Fraction]) -> bool:
    """Whether the sum is zero by structure; False also where that was not settled in the size allowed."""
    return prove_zero(terms) is not None


def prove_zero(terms: Mapping[Monomial, Fraction]) -> ZeroProof | None:
    """A proof that the sum is zero, or None where it is not, or where none was found.

    >>> from ndcg_lab import a, y
    >>> prove_zero((a * y(6) + y(6) - a).monomials()).relations
    (Relation(b=3, d=6, m=2, powers=(-1, 1, 1)),)
    """
    if not terms:
        return ZeroProof(common=False, relations=())
    if any(residue(terms, modulus, seed=1) != 0 for modulus in _FILTER):
        return None
    groups: dict[Monomial, dict[Monomial, Fraction]] = {}
    for monomial, q in terms.items():
        below = tuple((form, e) for form, e in monomial if e < 0)
        groups.setdefault(below, {})[tuple((form, e) for form, e in monomial if e > 0)] = q
    attempts = [(False, [multiplied_out(group) for group in groups.values()])]
    if len(groups) > 1 and (numerator := _common_numerator(terms)) is not None:
        attempts.append((True, [multiplied_out(numerator)]))
    for common, polynomials in attempts:
        relations = _relations_to_zero(polynomials)
        if relations is not None:
            return ZeroProof(common, tuple(relations))
    return None


# --- the cheap filter and the hash --------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def factors(n: int) -> tuple[tuple[int, int], ...]:
    """Prime factorisation: ``((p, e), ...)`` by rising p.

    Past 2^32 the last factor may be a product of large primes. Where it stands for its own logarithm, a relation
    may be missed, and a question stay undecided; none is made up.

    >>> factors(360)
    ((2, 3), (3, 2), (5, 1))
    """
    found = []
    p = 2
    while p * p <= n and p <= _LARGEST_FACTOR:
        exponent = 0
        while n % p == 0:
            n, exponent = n // p, exponent + 1
        if exponent:
            found.append((p, exponent))
        p += 1
    if n > 1:
        found.append(primitive(n))
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def _log(n: int, modulus: int, digits: int, seed: int) -> int:
    """What stands for log n: for a prime so many random digits to the base of the modulus, for a product the sum."""
    if factors(n) == ((n, 1),):
        number = 0
        for place in reversed(range(digits)):
            digit = blake2b(f"{seed}/{n}/{place}".encode(), digest_size=16).digest()
            number = number * modulus + int.from_bytes(digit, "big") % modulus
        return number
    return sum(e * _log(p, modulus, digits, seed) for p, e in factors(n))


@lru_cache(maxsize=1 << 16)
def _y(b: int, modulus: int, digits: int, seed: int) -> tuple[int, int]:
    """What stands for y_b, as a fraction: over 1 wherever the modulus allows."""
    above, below = (1, 1) if b == 2 else (_log(n, modulus, digits, seed) for n in (2, b))
    return (above, below) if below % modulus == 0 else (above * pow(below, -1, modulus**digits), 1)


def residue(terms: Mapping[Monomial, Fraction], modulus: int, *, seed: int) -> int | None:
    """The sum modulo a prime, with fixed numbers, drawn from a seed, in place of the logarithms of primes.

    Equal sums have equal residues, whatever their terms; a rational number has its own. None where the sum has no
    residue, as 1 over the prime has none.
    """
    # The numbers are p-adic: they have as many digits to the base p as are asked for. One is enough unless something
    # below the line is 0 in it; then a longer one tells by which power of p to shorten.
    digits = 1
    while True:
        power: int = modulus**digits
        above, below = _fraction(terms, modulus, digits, seed)
        if below:
            shared = math.gcd(below, power)
            if above % shared:
                return None
            return above // shared * pow(below // shared, -1, modulus) % modulus
        digits *= 2


def _fraction(terms: Mapping[Monomial, Fraction], modulus: int, digits: int, seed: int) -> tuple[int, int]:
    """The sum as one fraction, its two sides modulo a power of the prime."""
    power: int = modulus**digits
    above, below = 0, 1
    for monomial, q in terms.items():
        up, down = q.numerator, q.denominator % power
        for form, exponent in monomial:
            over, under = 0, 1
            for b, c in form:
                y_over, y_under = _y(b, modulus, digits, seed)
                over, under = (over * y_under + c * y_over * under) % power, under * y_under % power
            sides = (over, under) if exponent > 0 else (under, over)
            up, down = (
                side * pow(part, abs(exponent), power) % power for side, part in zip((up, down), sides, strict=True)
            )
        above, below = (above * down + up * below) % power, below * down % power
    return above, below


# --- polynomials in the y_b ---------------------------------------------------------------


def multiplied_out(terms: Mapping[Monomial, Fraction]) -> Polynomial:
    """Products of forms as a polynomial in the y_b, without zeros."""
    total: Polynomial = {}
    for monomial, q in terms.items():
        product: Polynomial = {(): q}
        for form, exponent in monomial:
            for _ in range(exponent):
                product = _times(product, form)
        for key, value in product.items():
            total[key] = total.get(key, Fraction(0)) + value
    return {key: value for key, value in total.items() if value}


def _times(polynomial: Polynomial, form: Form) -> Polynomial:
    product: Polynomial = {}
    for key, value in polynomial.items():
        for b, c in form:
            bases = key if b == 2 else tuple(sorted((*key, b)))
            product[bases] = product.get(bases, Fraction(0)) + value * c
    return product


def _common_numerator(terms: Mapping[Monomial, Fraction]) -> dict[Monomial, Fraction] | None:
    """All terms times the least common denominator; None where its degree is past the size allowed."""
    lowest: dict[Form, int] = {}
    for monomial in terms:
        for form, exponent in monomial:
            lowest[form] = min(lowest.get(form, 0), exponent)
    numerator: dict[Monomial, Fraction] = {}
    size = 0
    for monomial, q in terms.items():
        powers: dict[Form, int] = {form: -low for form, low in lowest.items() if low}
        for form, exponent in monomial:
            powers[form] = powers.get(form, 0) + exponent
        if sum(powers.values()) > _MAX_DEGREE:
            return None
        size += math.prod(len(form) ** e for form, e in powers.items())
        key = tuple(sorted((form, e) for form, e in powers.items() if e))
        numerator[key] = numerator.get(key, Fraction(0)) + q
    return numerator if size <= PRODUCTS else None


# --- degree 2 -----------------------------------------------------------------------------


def _relations_to_zero(polynomials: list[Polynomial]) -> list[Relation] | None:
    """The relations that bring each polynomial to 0; None where a normal form is not 0, or is not looked for."""
    left = [polynomial for polynomial in polynomials if polynomial]
    if any(len(key) > 2 for polynomial in left for key in polynomial):
        return None
    # One set of bases for all, so that a product is replaced by the same identity wherever it stands.
    bases = {b for polynomial in left for key in polynomial for b in key} | {2}
    used: dict[Relation, None] = {}
    for polynomial in left:
        found = _to_zero(polynomial, bases)
        if found is None:
            return None
        used |= dict.fromkeys(found)
    return list(used)


def _to_zero(polynomial: Polynomial, bases: set[int]) -> list[Relation] | None:
    left: dict[tuple[int, int], Fraction] = {}
    for key, q in polynomial.items():
        b, d = ((2, 2), (2, *key), key)[len(key)]
        left[b, d] = q
    products = [
        (b, d) for b, d in left if 2 < b < d and math.gcd(b, d) > 1
    ]  # Of coprime b and d the smaller is already the smallest base of their plane.
    if not products or len(bases) > ALGEBRA_BASES:
        return None
    smallest: dict[tuple[tuple[tuple[int, int], int], ...], int] = {}
    for b, d in combinations(sorted(bases), 2):
        smallest.setdefault(_plane(b, d), b)
    used = []
    for b, d in products:
        m = smallest[_plane(b, d)]
        if m == b:
            continue
        q = left.pop((b, d))
        relation = _relation(b, d, m)
        u, v, w = relation.powers
        for pair, share in (((m, d), Fraction(u, w)), ((m, b), Fraction(v, w))):
            left[pair] = left.get(pair, Fraction(0)) + q * share
        used.append(relation)
    return None if any(left.values()) else used


def _minor(b: int, d: int, p: int, q: int) -> int:
    left, right = dict(factors(b)), dict(factors(d))
    return left.get(p, 0) * right.get(q, 0) - left.get(q, 0) * right.get(p, 0)


def _plane(b: int, d: int) -> tuple[tuple[tuple[int, int], int], ...]:
    """What names the plane that two exponent vectors span: their 2 x 2 minors up to a factor."""
    left, right = dict(factors(b)), dict(factors(d))
    minors = []
    for p, q in combinations(sorted({*left, *right}), 2):
        minor = left.get(p, 0) * right.get(q, 0) - left.get(q, 0) * right.get(p, 0)
        if minor:
            minors.append(((p, q), minor))
    shared = math.gcd(*(minor for _, minor in minors))
    if minors[0][1] < 0:
        shared = -shared
    return tuple((pair, minor // shared) for pair, minor in minors)


def _relation(b: int, d: int, m: int) -> Relation:
    """``m**w == b**u * d**v`` for three bases of one plane (Cramer's rule on one nonzero minor)."""
    p, q = next(
        (p, q) for p, q in combinations(sorted({p for n in (b, d) for p, _ in factors(n)}), 2) if _minor(b, d, p, q)
    )
    w, u, v = _minor(b, d, p, q), _minor(m, d, p, q), _minor(b, m, p, q)
    shared = math.gcd(u, v, w) * (1 if w > 0 else -1)
    return Relation(b, d, m, (u // shared, v // shared, w // shared))
