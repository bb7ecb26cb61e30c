"""Certificates of a sign, and a checker that needs whole numbers alone.

A certificate is a JSON object::

    {"schema": "ndcg-lab/certificate/1",
     "sum": [{"coefficient": "1", "factors": [{"terms": [[2, "-2"], [3, "3"]], "power": 1}, ...]}, ...],
     "sign": -1,
     "bounds": [{"b": 3, "upper": "2/3", "upper_powers": "2^3 < 3^2"}]}

It claims that the sum, over its entries, of coefficient times the powers of its factors has that sign. A factor
is a linear form, ``terms = [[b, "p/q"], ...]`` for ``sum p/q * y_b`` with ``y_b = 1/log2(b)``, or
``{"log2": "10", "power": 1}``. Each bound is a strict inequality on one ``y_b`` (or on ``log2(base)``):

- ``p/q < y_b`` exactly when ``b^p < 2^q``, and ``y_b < p/q`` exactly when ``2^q < b^p``;
- where these powers would pass 10,000 bits only the bound stands, and the checker proves it anew from the
  series ``log(f) = 2 (x + x^3/3 + x^5/5 + ...)`` with ``x = (f - 1)/(f + 1)``;
- without a bound, ``0 < y_b < 1`` for b > 2 is used, which needs no proof.

With these bounds rational interval arithmetic decides the sign. A certificate of equality (``"sign": 0``) names
the identities of degree 2 that it needs, ``{"b": 3, "d": 6, "m": 2, "powers": [-1, 1, 1]}``: from
``m^w = b^u d^v`` follows ``y_b y_d = (u/w) y_m y_d + (v/w) y_m y_b``; once they are applied, nothing is left.

`check` imports nothing of this library: it uses `int` and `Fraction`, and trusts nothing that it did not compute.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from ndcg_lab.errors import CertificateError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ndcg_lab.values import Exact

__all__ = ["SCHEMA", "certify", "check", "sentence"]

SCHEMA = "ndcg-lab/certificate/1"
MAX_POWER_BITS = 10_000
_MAX_BITS = 1 << 16  # The highest precision of the checker's own series.
_MAX_SIZE = 100_000  # Products in one expansion.

Interval = tuple[Fraction, Fraction]
Form = tuple[tuple[int, Fraction], ...]
Factor = tuple[Form | str, int]
Entry = tuple[Fraction, tuple[Factor, ...]]
Polynomial = dict[tuple[int, ...], Fraction]


def certify(value: Exact) -> dict[str, Any]:
    """A certificate of the value's sign.

    Raises:
        Undecided: where the sign itself is not decided.

    >>> from ndcg_lab import a
    >>> c = certify(3 * a - 2)
    >>> c["sign"], c["bounds"]
    (-1, [{'b': 3, 'upper': '2/3', 'upper_powers': '2^3 < 3^2'}])
    >>> check(c)
    -1
    """
    from ndcg_lab.proving import certificate

    return certificate(value)


def check(certificate: Mapping[str, Any]) -> int:
    """The sign that a certificate proves: -1, 0 or 1.

    Raises:
        CertificateError: where it is not of the format, claims what is false, or proves nothing.

    >>> check({"schema": SCHEMA, "sign": 1, "bounds": [],
    ...        "sum": [{"coefficient": "1", "factors": [{"terms": [[2, "1"], [3, "2"]], "power": 1}]}]})
    1
    """
    try:
        if certificate["schema"] != SCHEMA:
            _fail(f"the schema is {certificate['schema']!r}, not {SCHEMA!r}")
        claimed = certificate["sign"]
        entries = [_entry(entry) for entry in certificate["sum"]]
        known = dict(_proved_bound(bound) for bound in certificate.get("bounds", []))
        relations = list(certificate.get("relations", []))
        common = certificate.get("common", False)
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
        if isinstance(error, CertificateError):
            raise
        raise CertificateError(f"this is not a certificate: {type(error).__name__} {error}") from error
    if not isinstance(claimed, int) or claimed not in (-1, 0, 1):
        raise CertificateError(f"the sign is {claimed!r}, not -1, 0 or 1")
    proved = _zero(entries, relations, common=common) if claimed == 0 else sign_of(entries, known)
    if proved != claimed:
        _fail(f"the bounds prove {'nothing' if proved is None else f'the sign {proved}'}, not the sign {claimed}")
    return claimed


def _fail(cause: str) -> None:
    raise CertificateError(cause)


# --- reading ------------------------------------------------------------------------------


def _entry(entry: Mapping[str, Any]) -> Entry:
    return _rational(entry["coefficient"]), tuple(_factor(factor) for factor in entry["factors"])


def _factor(factor: Mapping[str, Any]) -> Factor:
    power = factor["power"]
    if type(power) is not int or not 1 <= abs(power) <= 64:
        _fail(f"the power {power!r} is not a whole number between -64 and 64 other than 0")
    if "log2" in factor:
        base = factor["log2"]
        if base != "e" and _rational(base) <= 1:
            _fail(f"log2({base}) is not positive")
        return base, power
    form = tuple((_base(b), _rational(q)) for b, q in factor["terms"])
    if len({b for b, _ in form}) < len(form) or not form:
        _fail("a form names each b once, and at least one")
    return form, power


def _base(b: object) -> int:
    if type(b) is not int or b < 2:
        raise CertificateError(f"b is {b!r}, not a whole number from 2 up")
    return b


def _rational(text: object) -> Fraction:
    if not isinstance(text, str):
        raise CertificateError(f"{text!r} is not a rational number as text")
    above, _, below = text.partition("/")
    return Fraction(int(above), int(below) if below else 1)


# --- bounds, proved by whole powers or by the series --------------------------------------


def _proved_bound(bound: Mapping[str, Any]) -> tuple[int | str, Interval]:
    name: int | str
    if "log2" in bound:
        name = bound["log2"]
        low, high = Fraction(0), None
    else:
        name = _base(bound["b"])
        low, high = Fraction(0), Fraction(1)
    if "lower" in bound:
        low = _rational(bound["lower"])
        if _against(low, name) >= 0:
            _fail(f"{low} is not below {_named(name)}")
    if "upper" in bound:
        high = _rational(bound["upper"])
        if _against(high, name) <= 0:
            _fail(f"{high} is not above {_named(name)}")
    if high is None:
        raise CertificateError(f"{_named(name)} has no upper bound")
    return name, (low, high)


def _named(name: int | str) -> str:
    return f"log2({name})" if isinstance(name, str) else f"1/log2({name})"


def _against(q: Fraction, name: int | str) -> int:
    """-1 where ``q < y_b`` (or ``q < log2(base)``) is proved, 1 where ``q >`` it is, else 0."""
    if q <= 0:
        return -1
    p, n = q.numerator, q.denominator
    if isinstance(name, int) and max(n, p * name.bit_length()) <= MAX_POWER_BITS:
        left: int = name**p
        right: int = 2**n  # p/n < 1/log2(b) exactly when b^p < 2^n
        return (left > right) - (left < right)
    bits = 64
    while bits <= _MAX_BITS:
        low, high = _enclosure(name, bits)
        if q < low or q > high:
            return -1 if q < low else 1
        bits *= 2
    return 0


def _enclosure(name: int | str, bits: int) -> Interval:
    low2, high2 = _log(Fraction(2), bits)
    if isinstance(name, str):
        low, high = (Fraction(1), Fraction(1)) if name == "e" else _log(_rational(name), bits)
        return low / high2, high / low2
    low, high = _log(Fraction(name), bits)
    return low2 / high, high2 / low


def _log(n: Fraction, bits: int) -> Interval:
    """The natural logarithm of a rational number above 1, from the series alone."""
    halvings = 0
    while n > 2:
        n, halvings = n / 2, halvings + 1
    low, high = _atanh((n - 1) / (n + 1), bits)
    if halvings:
        low2, high2 = _atanh(Fraction(1, 3), bits)
        low, high = low + halvings * low2, high + halvings * high2
    return 2 * low, 2 * high


def _atanh(x: Fraction, bits: int) -> Interval:
    """``x + x^3/3 + ...`` for 0 < x <= 1/3, terms cut to 2^-bits; what is cut is added above.

    A cut power lies less than 2 units below the true one, each term less than 3; the rest of the series after a
    power below one unit adds less than 3 more.
    """
    power = (x.numerator << bits) // x.denominator
    total, odd = 0, 1
    while power:
        total += power // odd
        power = power * x.numerator**2 // x.denominator**2
        odd += 2
    return Fraction(total, 1 << bits), Fraction(total + 3 * (odd // 2) + 3, 1 << bits)


# --- the sign, by interval arithmetic -----------------------------------------------------


def sign_of(entries: Iterable[Entry], known: Mapping[int | str, Interval]) -> int | None:
    """The sign that bounds prove, or None. Bounds are strict, so a single form may reach 0 at its end."""
    entries = list(entries)
    if len(entries) == 1:
        coefficient, factors = entries[0]
        sign = (coefficient > 0) - (coefficient < 0)
        for form, power in factors:
            one = 1 if isinstance(form, str) else _form_sign(form, known)
            if one is None:
                return None
            sign *= one ** abs(power)
        return sign
    low = high = Fraction(0)
    for coefficient, factors in entries:
        below = above = coefficient
        for form, power in factors:
            ends = _ends(form, known)
            if ends is None or (power < 0 and ends[0] <= 0 <= ends[1]):
                return None
            if power < 0:
                ends = 1 / ends[1], 1 / ends[0]
            for _ in range(abs(power)):
                corners = [one * other for one, other in product((below, above), ends)]
                below, above = min(corners), max(corners)
        low, high = low + below, high + above
    return 1 if low > 0 else -1 if high < 0 else None


def _ends(form: Form | str, known: Mapping[int | str, Interval]) -> Interval | None:
    if isinstance(form, str):
        return known.get(form)
    low = high = Fraction(0)
    for b, q in form:
        least, most = (Fraction(1), Fraction(1)) if b == 2 else known.get(b, (Fraction(0), Fraction(1)))
        low, high = low + min(q * least, q * most), high + max(q * least, q * most)
    return low, high


def _form_sign(form: Form, known: Mapping[int | str, Interval]) -> int | None:
    ends = _ends(form, known)
    assert ends is not None
    low, high = ends
    strict = any(b > 2 and q for b, q in form)
    if low > 0 or (low == 0 and strict):
        return 1
    if high < 0 or (high == 0 and strict):
        return -1
    return 0 if low == high == 0 else None


# --- equality -----------------------------------------------------------------------------


def _zero(entries: list[Entry], relations: list[Mapping[str, Any]], *, common: bool) -> int | None:
    for _, factors in entries:
        for form, power in factors:
            if power < 0 and not isinstance(form, str) and not _not_zero(form):
                _fail("a denominator is not proved to differ from 0")
    groups: dict[tuple[Factor, ...], list[Entry]] = {}
    if common:
        groups[()] = _over_one_denominator(entries)
    else:
        for coefficient, factors in entries:
            below = tuple(sorted((f for f in factors if f[1] < 0 or isinstance(f[0], str)), key=repr))
            above = tuple(f for f in factors if f[1] > 0 and not isinstance(f[0], str))
            groups.setdefault(below, []).append((coefficient, above))
    used = [_identity(relation) for relation in relations]
    for group in groups.values():
        left = _multiplied_out(group)
        if left and max(map(len, left)) > 2:
            if not _expands_to_zero(left):
                return None
            continue
        for b, d, m, s, t in used:
            for pair, share in ((_pair(m, d), s), (_pair(m, b), t)):
                left[pair] = left.get(pair, Fraction(0)) + share * left.get(_pair(b, d), Fraction(0))
            left.pop(_pair(b, d), None)
        if any(left.values()):
            return None
    return 0


def _not_zero(form: Form) -> bool:
    bits = 0
    while bits <= _MAX_BITS:
        known: dict[int | str, Interval] = {b: _enclosure(b, bits) for b, _ in form if b > 2} if bits else {}
        if _form_sign(form, known):
            return True
        bits = 2 * bits or 64
    return False


def _pair(b: int, d: int) -> tuple[int, ...]:
    return tuple(sorted(n for n in (b, d) if n > 2))


def _identity(relation: Mapping[str, Any]) -> tuple[int, int, int, Fraction, Fraction]:
    b, d, m = (_base(relation[name]) for name in "bdm")
    powers = relation["powers"]
    if len(powers) != 3 or any(type(n) is not int or abs(n) > MAX_POWER_BITS for n in powers) or not powers[2]:
        _fail(f"{powers!r} are no three whole exponents")
    u, v, w = powers
    if math.prod(n ** max(0, e) for n, e in ((b, u), (d, v), (m, -w))) != math.prod(
        n ** max(0, -e) for n, e in ((b, u), (d, v), (m, -w))
    ):
        _fail(f"{m}^{w} is not {b}^{u} {d}^{v}")
    return b, d, m, Fraction(u, w), Fraction(v, w)


def _over_one_denominator(entries: list[Entry]) -> list[Entry]:
    lowest: dict[Form | str, int] = {}
    for _, factors in entries:
        powers = _powers(factors)
        for form in {*powers, *lowest}:
            lowest[form] = min(lowest.get(form, 0), powers.get(form, 0))
    whole = []
    for coefficient, factors in entries:
        powers = _powers(factors)
        raised = tuple((form, powers.get(form, 0) - lowest[form]) for form in lowest)
        whole.append((coefficient, tuple((form, e) for form, e in raised if e)))
    return whole


def _powers(factors: tuple[Factor, ...]) -> dict[Form | str, int]:
    powers: dict[Form | str, int] = {}
    for form, power in factors:
        powers[form] = powers.get(form, 0) + power
    return powers


def _multiplied_out(entries: list[Entry]) -> Polynomial:
    total: Polynomial = {}
    for coefficient, factors in entries:
        products: Polynomial = {(): coefficient}
        for form, power in factors:
            if isinstance(form, str):
                raise CertificateError(f"log2({form}) is not multiplied out")
            for _ in range(power):
                if len(products) * len(form) > _MAX_SIZE:
                    _fail("too large to multiply out")
                longer: Polynomial = {}
                for key, value in products.items():
                    for b, q in form:
                        bases = tuple(sorted((*key, b))) if b > 2 else key
                        longer[bases] = longer.get(bases, Fraction(0)) + value * q
                products = longer
        for key, value in products.items():
            total[key] = total.get(key, Fraction(0)) + value
    return {key: value for key, value in total.items() if value}


def _expands_to_zero(polynomial: Polynomial) -> bool:
    """Multiply by the logarithms of all b, and collect over the logarithms of primes."""
    highest = {b: max(key.count(b) for key in polynomial) for key in polynomial for b in key}
    total: dict[tuple[int, ...], Fraction] = {}
    for key, value in polynomial.items():
        products = {(2,) * len(key): value}
        for b, most in highest.items():
            for _ in range(most - key.count(b)):
                longer: dict[tuple[int, ...], Fraction] = {}
                for primes, q in products.items():
                    for p in _prime_factors(b):
                        bases = tuple(sorted((*primes, p)))
                        longer[bases] = longer.get(bases, Fraction(0)) + q
                products = longer
                if len(products) > _MAX_SIZE:
                    _fail("too large to expand")
        for primes, q in products.items():
            total[primes] = total.get(primes, Fraction(0)) + q
    return not any(total.values())


def _prime_factors(n: int) -> list[int]:
    found, p = [], 2
    while n > 1:
        if p * p > n:
            p = n
        while n % p == 0:
            n //= p
            found.append(p)
        p += 1
    return found


# --- words --------------------------------------------------------------------------------


def sentence(certificate: Mapping[str, Any]) -> str:
    """Why the sign holds, in one clause.

    >>> from ndcg_lab import a, y
    >>> sentence(certify(2 * a - Fraction(1, 2)))
    'because a > 1/4, because 3 < 2^4'
    >>> sentence(certify(a / (1 + a) - y(6)))
    'because 2 = 3^-1 * 6^1, so both sides are one number'
    """
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
