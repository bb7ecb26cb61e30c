"""Making certificates: rational bounds, as simple as they come, under which `checker` sees the sign."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ndcg_lab.certificates.checker import SCHEMA, Bounds, Entry, Form, check, power_text, proves
from ndcg_lab.errors import CertificateError, Undecided, require
from ndcg_lab.exact.algebra import prove_zero
from ndcg_lab.exact.enclosures import LEVELS, decided, y_floor
from ndcg_lab.exact.rationals import written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ndcg_lab.exact.values import Exact
    from ndcg_lab.exact.writing import Monomial

__all__ = ["bounds_for", "certify", "entry_of"]

_FEW = 16  # Up to so many bounds are made as simple as they come; more are cut at one binary place.
_SIMPLE = 12  # Denominators up to 2^12 have short whole powers; longer ones are powers of 2.

Side = tuple[int, str]


def certify(value: Exact) -> dict[str, Any]:
    """A certificate of the value's sign, which `check` accepts.

    Raises:
        Undecided: where the sign itself is not decided, or no certificate of a size that `check` takes was found.

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
    monomials = (value if value.is_rational else value.unscaled()).monomials()
    scale = (
        []
        if value.scale is None or value.is_rational
        else [{"log2": value.scale.removeprefix("log2(").removesuffix(")"), "power": 1}]
    )
    entries = [entry_of(monomial, q) for monomial, q in monomials.items()]
    certificate: dict[str, Any] = {
        "schema": SCHEMA,
        "sum": [_entry_json(monomial, q, scale) for monomial, q in monomials.items()],
        "sign": sign,
    }
    try:
        if sign:
            certificate["bounds"] = bounds_for(entries, sign)
        else:
            proof = prove_zero(monomials)
            assert proof is not None
            below = dict.fromkeys(form for _, factors in entries for form, power in factors if power < 0)
            found = [_shown_by([(Fraction(_sign(form)), ((form, 1),))]) for form in below]
            certificate["bounds"] = list(_by_base(_narrowest(found)))
            certificate["common"] = proof.common
            certificate["relations"] = [
                {"b": r.b, "d": r.d, "m": r.m, "powers": list(r.powers)} for r in proof.relations
            ]
        check(certificate)
    except CertificateError as error:
        raise Undecided(f"the sign {sign} is decided, but not certified: {error}") from error
    return certificate


def bounds_for(entries: list[Entry], sign: int) -> list[dict[str, Any]]:
    """Bounds that show the sign, 1 or -1, of a sum, as a certificate holds them."""
    return list(_by_base(_shown_by([(sign * q, factors) for q, factors in entries])))


def entry_of(monomial: Monomial, q: Fraction) -> Entry:
    """A product of powers, as the checker reads it."""
    return q, tuple((tuple((b, Fraction(c)) for b, c in form), power) for form, power in monomial)


def _entry_json(monomial: Monomial, q: Fraction, scale: list[dict[str, Any]]) -> dict[str, Any]:
    factors = [{"terms": [[b, written(c)] for b, c in form], "power": power} for form, power in monomial]
    return {"coefficient": written(q), "factors": [*factors, *scale]}


def _sign(form: Form) -> int:
    from ndcg_lab.exact.linear import Linear

    return Linear(dict(form)).sign()


def _sides(entries: list[Entry]) -> list[Side]:
    """The bounds that the checker looks at, once each form's sign is seen."""
    sides: dict[Side, None] = {}
    for coefficient, factors in entries:
        if [power for _, power in factors] == [1]:
            for b, q in factors[0][0]:
                if b > 2:
                    sides[b, "lower" if coefficient * q > 0 else "upper"] = None
            continue
        signs = [_sign(form) for form, _ in factors]
        above = coefficient > 0
        for sign, (_, power) in zip(signs, factors, strict=True):
            above ^= sign < 0 and power % 2 == 1
        for sign, (form, power) in zip(signs, factors, strict=True):
            wanted = set()
            if any(sign * q < 0 for _, q in form):
                wanted.add("lower")  # the form's least value, to see its sign
            if len(entries) > 1:
                wanted.add("lower" if above == (power > 0) else "upper")
            for end in sorted(wanted):
                for b, q in form:
                    if b > 2:
                        sides[b, "lower" if (sign * q > 0) == (end == "lower") else "upper"] = None
    return list(sides)


def _shown_by(entries: list[Entry]) -> dict[Side, Fraction]:
    """Bounds that show a positive sum; of few each is as simple as it comes, and none can be left out."""
    sides = _sides(entries)
    if not _decides(entries, {}):
        return _threshold(entries, sides) or _simplest(entries, sides) or _binary(entries, sides)
    return {}


def _decides(entries: list[Entry], bounds: dict[Side, Fraction]) -> bool:
    """Whether these bounds show it with nothing but that discounts are positive."""
    return proves(entries, 1, _ends(bounds), free=(Fraction(0), None))


def _ends(bounds: dict[Side, Fraction]) -> Bounds:
    return {b: (bounds.get((b, "lower")), bounds.get((b, "upper"))) for b, _ in bounds}


def _threshold(entries: list[Entry], sides: list[Side]) -> dict[Side, Fraction] | None:
    """With one y_b in the way the form's own zero is the bound, or 1: 3a - 2 < 0, for a < 2/3.

    It is a bound only where the form's sign is open without one; the zero of another form may be anywhere.
    """
    if len(sides) != 1 or len(entries) != 1:
        return None
    (side,) = sides
    for form, _ in entries[0][1]:
        terms = dict(form)
        if side[0] in terms and len(terms) == 2 and not _decides([(Fraction(_sign(form)), ((form, 1),))], {}):
            bound = {side: min(Fraction(1), -terms.get(2, Fraction(0)) / terms[side[0]])}
            if bound[side] > 0 and power_text(side[0], bound[side], side[1]) and _decides(entries, bound):
                return bound
    return None


def _simplest(entries: list[Entry], sides: list[Side]) -> dict[Side, Fraction] | None:
    """Denominators found by doubling for all at once, then for one after the other; None where they grow long."""
    if len(sides) > _FEW:
        return None
    for power in range(_SIMPLE + 1):
        bounds = {side: q for side in sides if (q := _closest(side, 1 << power)) is not None}
        if _decides(entries, bounds):
            break
    else:
        return None
    for side in sides:
        others = {other: q for other, q in bounds.items() if other != side}
        simpler = [others] if side in bounds else []
        simpler += [{**others, side: q} for n in range(power) if (q := _closest(side, 1 << n)) is not None]
        bounds = [*simpler, bounds][bisect_left(simpler, True, key=lambda some: _decides(entries, some))]
    return bounds


def _closest(side: Side, size: int) -> Fraction | None:
    """The best bound from that side with a denominator up to the size; None where it is 0, which is known."""
    bits = 2 * size.bit_length() + 64
    while (neighbours := _neighbours(*_enclosure(side[0], bits), size)) is None:
        bits *= 2  # a fraction of that size lies closer to the number than the enclosure is wide
    return neighbours[side[1] == "upper"] or None


def _neighbours(low: Fraction, high: Fraction, size: int) -> tuple[Fraction, Fraction] | None:
    """The fractions next to a number between low and high, of denominators up to the size (Stern-Brocot)."""
    (p, q), (r, s) = (0, 1), (1, 1)
    while q + s <= size:
        # As many steps at once as stay on one side: (p + n r)/(q + n s) <= low, then (r + n p)/(s + n q) >= high.
        right = min(int((low * q - p) / (r - low * s)), (size - q) // s)
        p, q = p + right * r, q + right * s
        left = min(int((r - high * s) / (high * q - p)), (size - s) // q)
        r, s = r + left * p, s + left * q
        if not right and not left:
            return None
    return Fraction(p, q), Fraction(r, s)


def _binary(entries: list[Entry], sides: list[Side]) -> dict[Side, Fraction]:
    """All bounds cut at one binary place, so that sums keep short denominators."""
    for bits in LEVELS:
        for places in (bits // 3, bits // 2, bits - 64):
            bounds = {side: q for side in sides if (q := _cut(side, places, bits))}
            if _decides(entries, bounds):
                return bounds
    raise Undecided("no bounds of a reasonable size show this sign")


def _cut(side: Side, places: int, bits: int) -> Fraction:
    low, high = (end * (1 << places) for end in _enclosure(side[0], bits))
    if side[1] == "lower":
        return Fraction(low.numerator // low.denominator, 1 << places)
    return Fraction(-(-high.numerator // high.denominator), 1 << places)


def _enclosure(b: int, bits: int) -> tuple[Fraction, Fraction]:
    level = decided(lambda level: level, lambda: f"a bound on 1/log2({b})", least=bits)
    low = y_floor(level)[b]
    return Fraction(low, 1 << level), Fraction(low + 2, 1 << level)


def _narrowest(found: Iterable[dict[Side, Fraction]]) -> dict[Side, Fraction]:
    bounds: dict[Side, Fraction] = {}
    for side, q in (bound for one in found for bound in one.items()):
        better = max if side[1] == "lower" else min
        bounds[side] = better(q, bounds.get(side, q))
    return bounds


def _by_base(bounds: dict[Side, Fraction]) -> Iterator[dict[str, Any]]:
    for b in sorted({b for b, _ in bounds}):
        entry: dict[str, Any] = {"b": b}
        for side in ("lower", "upper"):
            if (q := bounds.get((b, side))) is not None:
                entry[side] = written(q)
                if (text := power_text(b, q, side)) is not None:
                    entry[f"{side}_powers"] = text
        yield entry
