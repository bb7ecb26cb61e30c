"""Certificates of a sign, and a checker that needs whole numbers and fractions alone.

A certificate is a JSON object::

    {"schema": "ndcg-lab/certificate/1",
     "sum": [{"coefficient": "1", "factors": [{"terms": [[2, "-2"], [3, "3"]], "power": 1}, ...]}, ...],
     "sign": -1,
     "bounds": [{"b": 3, "upper": "2/3", "upper_powers": "2^3 < 3^2"}]}

It claims that the sum, over its entries, of coefficient times the powers of its factors has that sign. A factor
is a linear form, ``terms = [[b, "p/q"], ...]`` for ``sum p/q * y_b`` with ``y_b = 1/log2(b)``, so ``y_2 = 1``. A
factor ``{"log2": "10", "power": 1}``, of another base of the logarithm (``"e"``, or a rational above 1), is positive:
it is the same in every entry, and left out.

**The bounds** are strict: ``p/q < y_b`` because ``b^p < 2^q``, or ``y_b < p/q`` because ``2^q < b^p``. Where such
powers pass 10,000 bits only the bound stands, and the checker proves it from the series
``log((1 + x)/(1 - x)) = 2 (x + x^3/3 + x^5/5 + ...)``. Each b stands once. Without a bound ``0 < y_b < 1`` is used,
which needs no proof; a certificate made here states an upper bound of 1 where the sign rests on it.

**The sign** is checked turned positive: coefficients times the sign. Each form's least value follows from the bounds.
An entry of one form, to the power 1, is least where that is. In another entry each form must be shown to be positive
or negative; it is least where its positive factors are least above the line and greatest below it, a negative entry
the other way. The sum of what is least (of more than 16 entries each rounded down to a binary place) is above 0; or
it is 0 and some entry other than 0 holds a y_b, for then that entry is above its least.

**Equality** (``"sign": 0``): all denominators are shown to differ from 0 as above. Entries of the same denominators
(with ``"common": true`` all entries) are brought over one and multiplied out to products of at most two y_b. Identities
``{"b": 3, "d": 6, "m": 2, "powers": [-1, 1, 1]}`` replace one such product after the other: from ``m^w = b^u d^v``
follows ``y_b y_d = (u/w) y_m y_d + (v/w) y_m y_b``. Then nothing is left.

**The work** is bounded by sizes before it starts: by the digits, the counts of terms and factors, the precision of
each series; and the more steps a check takes, the shorter the numbers must stay. `check` imports nothing of this
library but its error, uses `int` and `Fraction`, and trusts nothing that it did not compute.
"""

from __future__ import annotations

import math
import re
import reprlib
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from ndcg_lab.errors import CertificateError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["SCHEMA", "check"]

SCHEMA = "ndcg-lab/certificate/1"
MAX_POWER_BITS = 10_000
_MAX_BASE_BITS = 1_024
_MAX_DIGITS = 10_000  # Of one number.
_MAX_FACTORS = 64  # Of one entry.
_BUDGET = 2 * 10**11  # Squares of bits, for each part of the work: a second or two.
_EXACT = 16  # Up to so many entries are added up as they are.
_STEP_BITS = 200  # A step with short numbers costs as one with so many bits.
_RATIONAL = re.compile(r"-?[0-9]+(/[0-9]+)?")

Form = tuple[tuple[int, Fraction], ...]
Factors = tuple[tuple[Form, int], ...]
Entry = tuple[Fraction, Factors]
Ends = tuple[Fraction | None, Fraction | None]
Bounds = dict[int, Ends]
Identity = tuple[int, int, int, int, int, int]
Polynomial = dict[tuple[int, ...], Fraction]


class Claim(NamedTuple):
    """What a certificate that was checked says."""

    sign: int
    entries: list[Entry]
    bounds: Bounds
    logarithms: tuple[tuple[str, int], ...]


def check(certificate: Mapping[str, Any]) -> int:
    """The sign that a certificate proves: -1, 0 or 1.

    Raises:
        CertificateError: where it is not of the format, claims what is false, proves nothing, or asks for too much
            work.

    >>> check({"schema": SCHEMA, "sign": 1, "bounds": [],
    ...        "sum": [{"coefficient": "1", "factors": [{"terms": [[2, "1"], [3, "2"]], "power": 1}]}]})
    1
    """
    return checked(certificate).sign


def checked(certificate: Mapping[str, Any]) -> Claim:
    """The claim, once it is proved; raises as `check` does."""
    try:
        claim = _read(certificate)
        if not shows(claim, claim.bounds):
            what = f"the sign {claim.sign}" if claim.sign else "that a denominator differs from 0"
            _fail(f"its bounds do not show {what}")
        if not claim.sign:
            identities = _identities(_listed(certificate.get("relations", [])))
            _prove_zero(claim.entries, identities, common=certificate.get("common", False))
    except CertificateError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise CertificateError(f"this is not a certificate: {type(error).__name__} {error}") from error
    return claim


# --- reading ------------------------------------------------------------------------------


def _read(certificate: Mapping[str, Any]) -> Claim:
    if certificate["schema"] != SCHEMA:
        _fail(f"the schema is {_shown(certificate['schema'])}, not {SCHEMA!r}")
    sign = certificate["sign"]
    if type(sign) is not int or sign not in (-1, 0, 1):
        _fail(f"the sign is {_shown(sign)}, not -1, 0 or 1")
    if type(certificate.get("common", False)) is not bool:
        _fail("`common` is true or false")
    entries, logarithms = [], []
    for entry in _listed(certificate["sum"]):
        coefficient, factors, scale = _entry(entry)
        entries.append((coefficient, factors))
        logarithms.append(scale)
    if len(set(logarithms)) > 1:
        _fail("a logarithm stands in one entry and not in another")
    return Claim(sign, entries, _bounds(_listed(certificate.get("bounds", []))), logarithms[0] if logarithms else ())


def _entry(entry: Mapping[str, Any]) -> tuple[Fraction, Factors, tuple[tuple[str, int], ...]]:
    forms: list[tuple[Form, int]] = []
    scale: list[tuple[str, int]] = []
    for factor in _listed(entry["factors"]):
        power = factor["power"]
        if type(power) is not int or not power:
            _fail(f"the power {_shown(power)} is not a whole number other than 0")
        if "log2" in factor:
            scale.append((_logarithm(factor["log2"]), power))
            continue
        form = tuple((_base(b), _rational(q)) for b, q in _listed(factor["terms"]))
        if len({b for b, _ in form}) < len(form) or not form:
            _fail("a form names each b once, and at least one")
        forms.append((form, power))
    if len({form for form, _ in forms}) < len(forms):
        _fail("a form stands twice in one product")
    if sum(abs(power) for _, power in [*forms, *scale]) > _MAX_FACTORS:
        _fail(f"a product of more than {_MAX_FACTORS} factors")
    return _rational(entry["coefficient"]), tuple(forms), tuple(sorted(scale))


def _bounds(stated: Iterable[Mapping[str, Any]]) -> Bounds:
    bounds: Bounds = {}
    texts: list[tuple[int, str, Fraction, object]] = []
    for bound in stated:
        b = _base(bound["b"])
        if b == 2 or b in bounds:
            _fail(f"two bounds stand on {_named(b)}" if b > 2 else "1/log2(2) is 1 and needs no bound")
        lower, upper = (_rational(bound[side]) if side in bound else None for side in ("lower", "upper"))
        bounds[b] = lower, upper
        for side, q in (("lower", lower), ("upper", upper)):
            if q is not None:
                texts.append((b, side, q, bound.get(f"{side}_powers")))
    _afford("bounds", sum(_cost_of_bound(b, q) for b, _, q, _ in texts))
    logs: dict[tuple[int, int], tuple[int, int]] = {}
    for b, side, q, text in texts:
        if not _holds(b, side, q, logs):
            _fail(f"{_shown(str(q))} is not {'below' if side == 'lower' else 'above'} {_named(b)}")
        if text is not None and text != power_text(b, q, side):
            _fail(f"{_shown(text)} is not why {_shown(str(q))} bounds {_named(b)}")
    return bounds


def _identities(relations: Iterable[Mapping[str, Any]]) -> list[Identity]:
    found: list[Identity] = []
    for relation in relations:
        b, d, m = (_base(relation[name]) for name in "bdm")
        u, v, w = powers = relation["powers"]
        if any(type(e) is not int for e in powers) or not w:
            _fail(f"{_shown(powers)} are no three whole exponents, the third other than 0")
        if max(abs(u) * b.bit_length(), abs(v) * d.bit_length(), abs(w) * m.bit_length()) > MAX_POWER_BITS:
            _fail(f"the identity of {_shown([b, d, m])} has powers of more than {MAX_POWER_BITS:,} bits")
        found.append((b, d, m, u, v, w))
    _afford("identities", sum((abs(u) * b.bit_length() + abs(v) * d.bit_length()) ** 2 for b, d, _, u, v, _ in found))
    for b, d, m, u, v, w in found:
        sides = [1, 1]
        for n, e in ((b, u), (d, v), (m, -w)):
            sides[e < 0] *= n ** abs(e)
        if sides[0] != sides[1]:
            _fail(f"{m}^{w} is not {b}^{u} {d}^{v}")
    return found


def _fail(cause: str) -> NoReturn:
    raise CertificateError(cause)


def _shown(thing: object) -> str:
    """What was met, however long or deep."""
    return reprlib.repr(thing)


def _listed(things: object) -> list[Any]:
    if not isinstance(things, list):
        _fail(f"{_shown(things)} is not a list")
    return things


def _named(b: int) -> str:
    return f"1/log2({_shown(b)})"


def _base(b: object) -> int:
    if type(b) is not int or b < 2 or b.bit_length() > _MAX_BASE_BITS:
        _fail(f"b is {_shown(b)}, not a whole number from 2 up, of {_MAX_BASE_BITS:,} bits at most")
    return b


def _logarithm(base: object) -> str:
    if base != "e" and _rational(base) <= 1:
        _fail(f"log2({_shown(base)}) is not positive")
    return str(base)


def _rational(text: object) -> Fraction:
    if not isinstance(text, str) or not _RATIONAL.fullmatch(text):
        _fail(f"{_shown(text)} is not a rational number as text, such as -7/2")
    above, _, below = text.partition("/")
    return Fraction(_whole(above), _whole(below or "1"))


def _whole(digits: str) -> int:
    """A whole number in parts, for `int` reads no more than 4,300 digits at once."""
    size = digits.removeprefix("-")
    if len(size) > _MAX_DIGITS:
        _fail(f"{_shown(digits)} has more than {_MAX_DIGITS:,} digits")
    number = 0
    for start in range(0, len(size), 4_000):
        part = size[start : start + 4_000]
        number = number * 10 ** len(part) + int(part)
    return -number if size != digits else number


# --- work, bounded before it starts -------------------------------------------------------


def _afford(what: str, work: int) -> None:
    if work > _BUDGET:
        _fail(f"its {what} ask for more work than a check does")


def _limit(what: str, steps: int) -> int:
    """How many bits a number may have in each of so many steps."""
    bits = math.isqrt(_BUDGET // max(1, steps)) - _STEP_BITS
    if bits <= 0:
        _fail(f"its {what} ask for more work than a check does")
    return bits


def _fits(q: Fraction, limit: int) -> Fraction:
    if q.numerator.bit_length() + q.denominator.bit_length() > limit:
        _fail("its numbers grow too long for so many steps")
    return q


def _cost_of_bound(b: int, q: Fraction) -> int:
    if _by_powers(b, q):
        return (q.denominator + q.numerator * b.bit_length()) ** 2 // 16
    return _precisions(b, q)[-1] ** 3 // 30


# --- bounds, proved by whole powers or by the series --------------------------------------


def _by_powers(b: int, q: Fraction) -> bool:
    """Whether the two powers stay within 10,000 bits."""
    return max(q.denominator, abs(q.numerator) * b.bit_length()) <= MAX_POWER_BITS


def power_text(b: int, q: Fraction, side: str) -> str | None:
    """``3 < 2^4``, the inequality of whole powers that proves ``1/4 < 1/log2(3)``; None past 10,000 bits."""
    if q <= 0 or not _by_powers(b, q):
        return None
    ends = [str(n) if e == 1 else f"{n}^{e}" for n, e in ((b, q.numerator), (2, q.denominator))]
    return " < ".join(ends if side == "lower" else reversed(ends))


def _holds(b: int, side: str, q: Fraction, logs: dict[tuple[int, int], tuple[int, int]]) -> bool:
    if q <= 0:
        _fail(f"the bound {_shown(str(q))} is not positive")
    if _by_powers(b, q):
        left: int = b**q.numerator
        right: int = 2**q.denominator  # p/n < 1/log2(b) exactly when b^p < 2^n
        return left < right if side == "lower" else right < left
    for bits in _precisions(b, q):
        (low, high), (low2, high2) = _log(b, bits, logs), _log(2, bits, logs)
        if q.numerator * high < q.denominator * low2:
            return side == "lower"
        if q.numerator * low > q.denominator * high2:
            return side == "upper"
    return False


def _precisions(b: int, q: Fraction) -> tuple[int, ...]:
    """Bits that a series takes: those of a bound cut at some place, then those of the closest of fractions."""
    bits = q.denominator.bit_length()
    return tuple(-(-n // 64) * 64 for n in (bits + 64, 2 * bits + b.bit_length() + 64))


def _log(n: int, bits: int, logs: dict[tuple[int, int], tuple[int, int]]) -> tuple[int, int]:
    """Whole numbers around 2^bits times the natural logarithm of n."""
    if (n, bits) not in logs:
        if n == 2:
            logs[n, bits] = _twice_atanh(1, 3, bits)
        else:
            doublings = n.bit_length() - 1
            low, high = _twice_atanh(n - (1 << doublings), n + (1 << doublings), bits)
            low2, high2 = _log(2, bits, logs)
            logs[n, bits] = low + doublings * low2, high + doublings * high2
    return logs[n, bits]


def _twice_atanh(up: int, down: int, bits: int) -> tuple[int, int]:
    """Around 2^bits times ``2 (x + x^3/3 + x^5/5 + ...)`` for x = up/down from 0 to 1/3.

    A power that is kept lies less than 2 units below the true one, each term then less than 3; what is left after a
    power of 0 adds less than 3 more.
    """
    power = (up << bits) // down
    square = power * power >> bits
    total, odd = 0, 1
    while power:
        total += power // odd
        power = power * square >> bits
        odd += 2
    return 2 * total, 2 * (total + 3 * (odd // 2) + 3)


# --- the sign -----------------------------------------------------------------------------


_FREE: Ends = Fraction(0), Fraction(1)  # Around each y_b with b > 2.


def shows(claim: Claim, bounds: Bounds, *, free: Ends = _FREE) -> bool:
    """Whether bounds show the sign, or for equality that no denominator is 0; `free` is known without a bound."""
    if claim.sign:
        return proves(claim.entries, claim.sign, bounds, free=free)
    below = [form for _, factors in claim.entries for form, power in factors if power < 0]
    limit = _limit("terms", 2 * sum(map(len, below)))
    return all(_way(form, bounds, free, limit) for form in below)


def proves(entries: list[Entry], sign: int, bounds: Bounds, *, free: Ends = _FREE) -> bool:
    """Whether bounds, taken as true, show the sign 1 or -1; `free` is known of each y_b without a bound."""
    terms = sum(len(form) for _, factors in entries for form, _ in factors)
    of_forms = _limit("terms", 3 * terms)
    of_entries = _limit("factors", sum(abs(power) + 1 for _, factors in entries for _, power in factors))
    places = _places(entries, bounds)
    if 2 * places > of_entries:
        _fail("its numbers are too long for so many factors")

    def cut(end: Fraction) -> Fraction:
        """Rounded down where there are many, so that their sum stays short."""
        if len(entries) <= _EXACT:
            return end
        return Fraction((_fits(end, of_entries).numerator << places) // end.denominator, 1 << places)

    total, strict = Fraction(0), False
    for coefficient, factors in entries:
        end = sign * coefficient
        strict = strict or (end != 0 and any(_varies(form) for form, _ in factors))
        if [power for _, power in factors] == [1]:  # of one form the least value is known whatever its sign
            least = _least(factors[0][0], 1 if end > 0 else -1, bounds, free, of_forms)
            if least is None:
                return False
            total = _fits(total + cut(abs(end) * least), of_entries)
            continue
        ways = [_way(form, bounds, free, of_forms) for form, _ in factors]
        for way, (_, power) in zip(ways, factors, strict=True):
            if not way:
                return False
            end = -end if way < 0 and power % 2 else end
        above = end > 0
        for way, (form, power) in zip(ways, factors, strict=True):
            if above == (power > 0):
                one = _least(form, way, bounds, free, of_forms)
            else:
                least = _least(form, -way, bounds, free, of_forms)
                one = None if least is None else -least
            if not one:  # It is 0, or has no end above: the product may come as near to 0, or grow, as it likes.
                if not above and end:
                    return False
                end = Fraction(0)
            for _ in range(abs(power) if end else 0):
                assert one is not None
                end = _fits(end * one if power > 0 else end / one, of_entries)
        total = _fits(total + cut(end), of_entries)
    return total > 0 or (total == 0 and strict)


def _places(entries: list[Entry], bounds: Bounds) -> int:
    """Binary places that are kept of an entry: twice those of the numbers it is made of, and some."""
    numbers = [q for ends in bounds.values() for q in ends if q is not None]
    for coefficient, factors in entries:
        numbers += [coefficient, *(q for form, _ in factors for _, q in form)]
    return 64 + 2 * max((q.denominator.bit_length() for q in numbers), default=0)


def _varies(form: Form) -> bool:
    return any(b > 2 and q for b, q in form)


def _way(form: Form, bounds: Bounds, free: Ends, limit: int) -> int:
    """1 where the form is shown to be positive, -1 where negative, else 0. A form without a y_b must not be 0."""
    for way in (1, -1):
        least = _least(form, way, bounds, free, limit)
        if least is not None and (least > 0 or (least == 0 and _varies(form))):
            return way
    return 0


def _least(form: Form, way: int, bounds: Bounds, free: Ends, limit: int) -> Fraction | None:
    """What the form times 1 or -1 is not below, and above where it holds a y_b; None where no bound says so."""
    total = Fraction(0)
    for b, q in form:
        side = 0 if way * q > 0 else 1
        end = Fraction(1) if b == 2 else bounds.get(b, free)[side]
        if end is None:
            end = free[side]
        if not q:
            continue
        if end is None:
            return None
        total = _fits(total + way * q * end, limit)
    return total


# --- equality -----------------------------------------------------------------------------


def _prove_zero(entries: list[Entry], identities: list[Identity], *, common: bool) -> None:
    groups: dict[tuple[tuple[Form, int], ...], list[Entry]] = {}
    for coefficient, factors in entries:
        below = tuple(sorted((form, power) for form, power in factors if power < 0))
        groups.setdefault(() if common else below, []).append((coefficient, factors))
    numerators = [_over_one_denominator(group) for group in groups.values()]
    products = sum(math.prod(len(form) ** e for form, e in forms) for group in numerators for _, forms in group)
    limit = _limit("products", 3 * products + 3 * len(identities) * len(groups))
    for group in numerators:
        left = _multiplied_out(group, limit)
        for b, d, m, u, v, w in identities:
            if q := left.pop(_product(b, d), 0):
                for key, share in ((_product(m, d), Fraction(u, w)), (_product(m, b), Fraction(v, w))):
                    left[key] = _fits(left.get(key, Fraction(0)) + share * q, limit)
        if any(left.values()):
            _fail("it does not prove the sign 0: something is left")


def _over_one_denominator(entries: list[Entry]) -> list[Entry]:
    """The entries times their common denominator: each form to a power above 0, in products of degree 2 at most."""
    lowest: dict[Form, int] = {}
    for _, factors in entries:
        for form, power in factors:
            lowest[form] = min(lowest.get(form, 0), power)
    _limit("factors", len(entries) * len(lowest))
    numerators: list[Entry] = []
    for coefficient, factors in entries:
        powers = dict(factors)
        forms = tuple((form, e) for form, low in lowest.items() if (e := powers.get(form, 0) - low))
        if sum(e for form, e in forms if _varies(form)) > 2:
            _fail("products of more than two y_b are not multiplied out")
        numerators.append((coefficient, forms))
    return numerators


def _multiplied_out(entries: list[Entry], limit: int) -> Polynomial:
    """``{(b, d): coefficient}`` of the products ``y_b y_d``; ``(b,)`` and ``()`` for those of fewer."""
    total: Polynomial = {}
    for coefficient, factors in entries:
        products: Polynomial = {(): coefficient}
        for form, power in factors:
            for _ in range(power):
                longer: Polynomial = {}
                for key, value in products.items():
                    for b, q in form:
                        product = _product(*key, b)
                        longer[product] = _fits(longer.get(product, Fraction(0)) + value * q, limit)
                products = longer
        for key, value in products.items():
            total[key] = _fits(total.get(key, Fraction(0)) + value, limit)
    return total


def _product(*bases: int) -> tuple[int, ...]:
    return tuple(sorted(b for b in bases if b > 2))
