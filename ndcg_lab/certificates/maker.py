"""Making certificates: the simplest rational bounds under which interval arithmetic shows the sign."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ndcg_lab.certificates.checker import MAX_POWER_BITS, SCHEMA, Entry, Factor, Interval, power_text, sign_of
from ndcg_lab.errors import Undecided, require
from ndcg_lab.exact.algebra import prove_zero
from ndcg_lab.exact.enclosures import LEVELS, decided, log2_bounds, y_floor
from ndcg_lab.exact.rationals import written

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ndcg_lab.exact.values import Exact
    from ndcg_lab.exact.writing import Form, Monomial

__all__ = ["bounds_for", "certify", "entry_of"]

_FEW = 16  # Up to so many bounds are made as simple as they come; more share a power of 2 below the line.


def certify(value: Exact) -> dict[str, Any]:
    """A certificate of the value's sign.

    Raises:
        Undecided: where the sign itself is not decided.

    >>> from ndcg_lab import a
    >>> from ndcg_lab.certificate import check
    >>> c = certify(3 * a - 2)
    >>> c["sign"], c["bounds"]
    (-1, [{'b': 3, 'upper': '2/3', 'upper_powers': '2^3 < 3^2'}])
    >>> check(c)
    -1
    """
    from ndcg_lab.exact.values import Exact

    require(Exact, "value", value, 'an exact value, such as parse("7/2 + 2a")')
    sign = value.sign()
    monomials = value.monomials()
    whole = {
        "schema": SCHEMA,
        "sum": [_entry_json(monomial, q) for monomial, q in monomials.items()],
        "sign": sign,
        "bounds": [],
    }
    if sign == 0:
        proof = prove_zero(monomials)
        assert proof is not None
        relations = [{"b": r.b, "d": r.d, "m": r.m, "powers": list(r.powers)} for r in proof.relations]
        return {**whole, "common": proof.common, "relations": relations, "expanded": proof.expanded}
    return {**whole, "bounds": bounds_for([entry_of(monomial, q) for monomial, q in monomials.items()])}


def bounds_for(entries: list[Entry]) -> list[dict[str, Any]]:
    """Bounds under which interval arithmetic shows the sign of a sum that is not 0, as a certificate holds them."""
    return _bounds_json(_simplest(entries, _sides(entries)))


def entry_of(monomial: Monomial, q: Fraction) -> Entry:
    """A product of powers, as the checker reads it."""
    factors: list[Factor] = [
        (form if isinstance(form, str) else tuple((b, Fraction(c)) for b, c in form), power) for form, power in monomial
    ]
    return q, tuple(factors)


def _entry_json(monomial: Monomial, q: Fraction) -> dict[str, Any]:
    return {"coefficient": written(q), "factors": [_factor_json(form, power) for form, power in monomial]}


def _factor_json(form: Form | str, power: int) -> dict[str, Any]:
    if isinstance(form, str):
        return {"log2": form, "power": power}
    return {"terms": [[b, written(c)] for b, c in form], "power": power}


Side = tuple[int | str, str]


def _sides(entries: list[Entry]) -> list[Side]:
    """The bounds that can matter: in a single form one side of each y_b, else both."""
    if sign_of(entries, {}) is not None:
        return []
    sides: list[Side] = []
    for _, factors in entries:
        for form, _ in factors:
            if isinstance(form, str):
                if len(entries) > 1:
                    sides += [(form, "lower"), (form, "upper")]
            elif len(entries) == 1:
                if sign_of([(Fraction(1), ((form, 1),))], {}) is None:
                    up = _form_sign(form) > 0
                    sides += [(b, "lower" if (q > 0) == up else "upper") for b, q in form if b > 2]
            else:
                sides += [(b, side) for b, _ in form if b > 2 for side in ("lower", "upper")]
    return list(dict.fromkeys(sides))


def _form_sign(form: tuple[tuple[int, Fraction], ...]) -> int:
    from ndcg_lab.exact.values import Linear

    return Linear(dict(form)).sign()


def _simplest(entries: list[Entry], sides: list[Side]) -> dict[Side, Fraction]:
    """Bounds of denominators as small as they come, found by doubling, then one by one."""
    if not sides:
        return {}
    if threshold := _threshold(entries, sides):
        return threshold

    def decides(bounds: dict[Side, Fraction]) -> bool:
        return sign_of(entries, _intervals(bounds)) is not None

    few = len(sides) <= _FEW
    size = 1
    while True:
        bounds = {side: _bound(side, size) if few else _binary_bound(side, size) for side in sides}
        if decides(bounds):
            break
        size *= 2 if few else 256
        if size.bit_length() > LEVELS[-1] // 4:
            raise Undecided("no bounds of a reasonable size show this sign")
    if few:
        for side in sides:
            simpler = [{**bounds, side: _bound(side, 1 << n)} for n in range(size.bit_length() - 1)]
            bounds = [*simpler, bounds][bisect_left(simpler, True, key=decides)]
    return {side: q for side, q in bounds.items() if q not in (0, 1) or isinstance(side[0], str)}


def _threshold(entries: list[Entry], sides: list[Side]) -> dict[Side, Fraction] | None:
    """With one y_b in the way the form's own zero is the bound: 3a - 2 < 0, for a < 2/3.

    It is a bound only where the form's sign is open without one; the zero of another form may be anywhere.
    """
    if len(sides) != 1 or len(entries) != 1:
        return None
    (side,) = sides
    for form, _ in entries[0][1]:
        if isinstance(form, str) or sign_of([(Fraction(1), ((form, 1),))], {}) is not None:
            continue
        if side[0] in dict(form) and len(form) == 2:
            terms = dict(form)
            b = side[0]
            assert isinstance(b, int)
            zero = -terms.get(2, Fraction(0)) / terms[b]
            if zero.denominator <= MAX_POWER_BITS and sign_of(entries, _intervals({side: zero})) is not None:
                return {side: zero}
    return None


def _intervals(bounds: dict[Side, Fraction]) -> dict[int | str, Interval]:
    names = {name for name, _ in bounds}
    return {
        name: (bounds.get((name, "lower"), Fraction(0)), bounds.get((name, "upper"), Fraction(1))) for name in names
    }


def _bound(side: Side, size: int) -> Fraction:
    """The best bound from that side with a denominator up to the size."""
    name, which = side
    bits = 2 * size.bit_length() + 64
    while (neighbours := _neighbours(*_enclosure(name, bits), size)) is None:
        bits *= 2  # a fraction of that size lies closer to the number than the enclosure is wide
    return neighbours[0] if which == "lower" else neighbours[1]


def _neighbours(low: Fraction, high: Fraction, size: int) -> Interval | None:
    """The fractions next to a number between low and high, of denominators up to the size (Stern-Brocot)."""
    whole = low.numerator // low.denominator
    (p, q), (r, s) = (whole, 1), (whole + 1, 1)
    if r < high:
        return None
    while q + s <= size:
        # As many steps at once as stay on one side: (p + n r)/(q + n s) <= low, then (r + n p)/(s + n q) >= high.
        right = min(int((low * q - p) / (r - low * s)), (size - q) // s)
        p, q = p + right * r, q + right * s
        left = min(int((r - high * s) / (high * q - p)), (size - s) // q)
        r, s = r + left * p, s + left * q
        if not right and not left:
            return None
    return Fraction(p, q), Fraction(r, s)


def _binary_bound(side: Side, size: int) -> Fraction:
    """The best bound from that side over a power of 2; sums of such keep short denominators."""
    name, which = side
    low, high = _enclosure(name, size.bit_length() + 64)
    if which == "lower":
        return Fraction(low.numerator * size // low.denominator, size)
    return Fraction(-(-high.numerator * size // high.denominator), size)


def _enclosure(name: int | str, bits: int) -> Interval:
    level = decided(lambda level: level, lambda: f"a bound on 1/log2({name})", least=bits)
    if isinstance(name, str):
        low, high = log2_bounds(name, level)
    else:
        low = y_floor(level)[name]
        high = low + 2
    return Fraction(low, 1 << level), Fraction(high, 1 << level)


def _bounds_json(bounds: dict[Side, Fraction]) -> list[dict[str, Any]]:
    found: dict[int | str, dict[str, Any]] = {}
    for (name, which), q in bounds.items():
        entry = found.setdefault(name, {"log2": name} if isinstance(name, str) else {"b": name})
        entry[which] = written(q)
        if (text := power_text(name, q, which)) is not None:
            entry[f"{which}_powers"] = text
    return list(_ordered(found))


def _ordered(found: dict[int | str, dict[str, Any]]) -> Iterable[dict[str, Any]]:
    return (found[name] for name in sorted(found, key=lambda name: (isinstance(name, str), str(name).rjust(12))))
