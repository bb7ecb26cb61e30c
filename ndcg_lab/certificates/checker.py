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
import re
import reprlib
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, NoReturn

from ndcg_lab.errors import CertificateError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


__all__ = ["SCHEMA", "check"]

SCHEMA = "ndcg-lab/certificate/1"
MAX_POWER_BITS = 10_000
_MAX_DEGREE = 64
_MAX_DIGITS = 100_000
_MAX_WORK = 4_000_000  # About so many multiplications of short numbers: a second or two.
_PRECISIONS = tuple(64 << n for n in range(9))  # Of the checker's own series, in bits.
_RATIONAL = re.compile(r"-?\d+(/\d+)?", re.ASCII)

Interval = tuple[Fraction, Fraction]
Form = tuple[tuple[int, Fraction], ...]
Factor = tuple[Form | str, int]
Entry = tuple[Fraction, tuple[Factor, ...]]
Identity = tuple[int, int, int, Fraction, Fraction]
Polynomial = dict[tuple[int, ...], Fraction]


def check(certificate: Mapping[str, Any]) -> int:
    """The sign that a certificate proves: -1, 0 or 1.

    Raises:
        CertificateError: where it is not of the format, claims what is false, proves nothing, or asks for too much
            work.

    >>> check({"schema": SCHEMA, "sign": 1, "bounds": [],
    ...        "sum": [{"coefficient": "1", "factors": [{"terms": [[2, "1"], [3, "2"]], "power": 1}]}]})
    1
    """
    try:
        return _checked(certificate)
    except CertificateError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise CertificateError(f"this is not a certificate: {type(error).__name__} {error}") from error


def _checked(certificate: Mapping[str, Any]) -> int:
    if certificate["schema"] != SCHEMA:
        _fail(f"the schema is {_shown(certificate['schema'])}, not {SCHEMA!r}")
    claimed, common = certificate["sign"], certificate.get("common", False)
    if type(claimed) is not int or claimed not in (-1, 0, 1):
        _fail(f"the sign is {_shown(claimed)}, not -1, 0 or 1")
    if type(common) is not bool or type(certificate.get("expanded", False)) is not bool:
        _fail("`common` and `expanded` are true or false")
    entries = [_entry(entry) for entry in certificate["sum"]]
    checker = _Checker(_MAX_WORK)
    if claimed == 0:
        relations = [checker.identity(relation) for relation in certificate.get("relations", [])]
        proved = checker.zero(entries, relations, common=common)
    else:
        proved = checker.sign(entries, dict(checker.bound(bound) for bound in certificate.get("bounds", [])))
    if proved != claimed:
        _fail(f"it proves {'nothing' if proved is None else f'the sign {proved}'}, not the sign {claimed}")
    return claimed


def sign_of(entries: Iterable[Entry], known: Mapping[int | str, Interval]) -> int | None:
    """The sign that bounds prove, or None. Bounds are strict, so a single form may reach 0 at its end."""
    return _Checker(math.inf).sign(list(entries), known)


def power_text(name: int | str, q: Fraction, side: str) -> str | None:
    """``3 < 2^4``, the inequality of whole powers that proves ``1/4 < 1/log2(3)``; None past 10,000 bits."""
    if isinstance(name, str) or q <= 0 or not _by_powers(name, q):
        return None
    ends = [str(n) if e == 1 else f"{n}^{e}" for n, e in ((name, q.numerator), (2, q.denominator))]
    return " < ".join(ends if side == "lower" else reversed(ends))


# --- reading ------------------------------------------------------------------------------


def _fail(cause: str) -> NoReturn:
    raise CertificateError(cause)


def _shown(thing: object) -> str:
    """What was met, however long or deep."""
    return reprlib.repr(thing)


def _entry(entry: Mapping[str, Any]) -> Entry:
    factors = tuple(_factor(factor) for factor in entry["factors"])
    if sum(abs(power) for _, power in factors) > _MAX_DEGREE:
        _fail(f"a product of more than {_MAX_DEGREE} factors")
    return _rational(entry["coefficient"]), factors


def _factor(factor: Mapping[str, Any]) -> Factor:
    power = factor["power"]
    if type(power) is not int or not power:
        _fail(f"the power {_shown(power)} is not a whole number other than 0")
    if "log2" in factor:
        return _logarithm(factor["log2"]), power
    form = tuple((_base(b), _rational(q)) for b, q in factor["terms"])
    if len({b for b, _ in form}) < len(form) or not form:
        _fail("a form names each b once, and at least one")
    return form, power


def _base(b: object) -> int:
    if type(b) is not int or b < 2 or b.bit_length() > MAX_POWER_BITS:
        _fail(f"b is {_shown(b)}, not a whole number from 2 up, of {MAX_POWER_BITS:,} bits at most")
    return b


def _logarithm(base: object) -> str:
    if base == "e" and isinstance(base, str):
        return base
    if _rational(base) <= 1:
        _fail(f"log2({_shown(base)}) is not positive")
    return str(base)


def _rational(text: object) -> Fraction:
    if not isinstance(text, str) or not _RATIONAL.fullmatch(text):
        _fail(f"{_shown(text)} is not a rational number as text, such as -7/2")
    above, _, below = text.partition("/")
    return Fraction(_whole(above), _whole(below or "1"))


def _whole(digits: str) -> int:
    """A whole number in parts, for `int` reads no more than 4,300 digits at once."""
    if len(digits) > _MAX_DIGITS:
        _fail(f"{_shown(digits)} has more than {_MAX_DIGITS:,} digits")
    number = 0
    for start in range(0, len(digits.lstrip("-")), 4_000):
        part = digits.lstrip("-")[start : start + 4_000]
        number = number * 10 ** len(part) + int(part)
    return -number if digits.startswith("-") else number


# --- the checker --------------------------------------------------------------------------


class _Checker:
    """One check, and the work that it may still do: about so many multiplications of short numbers."""

    def __init__(self, work: float) -> None:
        self.work = work
        self.enclosures: dict[tuple[int | str, int], Interval] = {}
        self.logs: dict[tuple[Fraction, int], Interval] = {}

    def spend(self, work: int) -> None:
        self.work -= work
        if self.work < 0:
            _fail("it asks for more work than a check does")

    # Bounds, proved by whole powers or by the series.

    def bound(self, bound: Mapping[str, Any]) -> tuple[int | str, Interval]:
        name: int | str
        if "log2" in bound:
            name = _logarithm(bound["log2"])
            ends: dict[str, Fraction] = {"lower": Fraction(0)}
        else:
            name = _base(bound["b"])
            ends = {"lower": Fraction(0), "upper": Fraction(1)}
        for side, mark, outside in (("lower", "below", -1), ("upper", "above", 1)):
            if side not in bound:
                continue
            q = ends[side] = _rational(bound[side])
            if self.against(q, name) != outside:
                _fail(f"{_shown(bound[side])} is not {mark} {_named(name)}")
            text = bound.get(f"{side}_powers")
            if text is not None and text != power_text(name, q, side):
                _fail(f"{_shown(text)} does not say that {_shown(bound[side])} is {mark} {_named(name)}")
        if "upper" not in ends:
            _fail(f"{_named(name)} has no upper bound")
        return name, (ends["lower"], ends["upper"])

    def against(self, q: Fraction, name: int | str) -> int:
        """-1 where ``q < y_b`` (or ``q < log2(base)``) is proved, 1 where ``q >`` it is, else 0."""
        if q <= 0:
            return -1
        if isinstance(name, int) and _by_powers(name, q):
            self.spend(10)
            left: int = name**q.numerator
            right: int = 2**q.denominator  # p/n < 1/log2(b) exactly when b^p < 2^n
            return (left > right) - (left < right)
        for bits in _PRECISIONS:
            if bits > q.denominator.bit_length():
                low, high = self.enclosure(name, bits)
                if q < low or q > high:
                    return -1 if q < low else 1
        return 0

    def enclosure(self, name: int | str, bits: int) -> Interval:
        """Bounds on ``1/log2(b)``, or on ``log2(base)``."""
        if (name, bits) not in self.enclosures:
            low2, high2 = self.log(Fraction(2), bits)
            if name == "e":
                pair = 1 / high2, 1 / low2
            elif isinstance(name, str):
                low, high = self.log(_rational(name), bits)
                pair = low / high2, high / low2
            else:
                low, high = self.log(Fraction(name), bits)
                pair = low2 / high, high2 / low
            self.enclosures[name, bits] = pair
        return self.enclosures[name, bits]

    def log(self, n: Fraction, bits: int) -> Interval:
        """The natural logarithm of a rational number above 1, from the series alone."""
        if (n, bits) not in self.logs:
            halvings = max(0, n.numerator.bit_length() - n.denominator.bit_length() - 1)
            rest = n / (1 << halvings)
            while rest > 2:
                rest, halvings = rest / 2, halvings + 1
            low, high = self.atanh((rest - 1) / (rest + 1), bits)
            low, high = 2 * low, 2 * high
            if halvings:
                low2, high2 = self.log(Fraction(2), bits)
                low, high = low + halvings * low2, high + halvings * high2
            self.logs[n, bits] = low, high
        return self.logs[n, bits]

    def atanh(self, x: Fraction, bits: int) -> Interval:
        """``x + x^3/3 + ...`` for 0 <= x <= 1/3, terms cut to 2^-bits; what is cut is added above.

        A cut power lies less than 2 units below the true one, each term less than 3; the rest of the series after a
        power below one unit adds less than 3 more.
        """
        up, down = x.numerator**2, x.denominator**2
        self.spend((1 + (bits + 512) * (down.bit_length() + 512) // 1_000_000) * bits // 3)
        power = (x.numerator << bits) // x.denominator
        total, odd = 0, 1
        while power:
            total += power // odd
            power = power * up // down
            odd += 2
        return Fraction(total, 1 << bits), Fraction(total + 3 * (odd // 2) + 3, 1 << bits)

    # The sign, by interval arithmetic.

    def sign(self, entries: list[Entry], known: Mapping[int | str, Interval]) -> int | None:
        if len(entries) == 1:
            coefficient, factors = entries[0]
            sign = (coefficient > 0) - (coefficient < 0)
            for form, power in factors:
                one = 1 if isinstance(form, str) else self.form_sign(form, known)
                if one is None:
                    return None
                sign *= one ** abs(power)
            return sign
        low = high = Fraction(0)
        for coefficient, factors in entries:
            below = above = coefficient
            for form, power in factors:
                ends = self.ends(form, known)
                if ends is None or (power < 0 and ends[0] <= 0 <= ends[1]):
                    return None
                if power < 0:
                    ends = 1 / ends[1], 1 / ends[0]
                for _ in range(abs(power)):
                    corners = [one * other for one, other in product((below, above), ends)]
                    below, above = min(corners), max(corners)
                    self.spend_on(below, above)
            low, high = low + below, high + above
            self.spend_on(low, high)
        return 1 if low > 0 else -1 if high < 0 else None

    def spend_on(self, *numbers: Fraction, places: int = 0) -> None:
        """Arithmetic with fractions costs as the square of their length; a key of many places costs too."""
        self.spend(places)
        for q in numbers:
            self.spend(10 + (q.numerator.bit_length() + q.denominator.bit_length()) ** 2 // 1_000_000)

    def ends(self, form: Form | str, known: Mapping[int | str, Interval]) -> Interval | None:
        if isinstance(form, str):
            return known.get(form)
        low = high = Fraction(0)
        for b, q in form:
            least, most = (Fraction(1), Fraction(1)) if b == 2 else known.get(b, (Fraction(0), Fraction(1)))
            if q < 0:
                least, most = most, least
            low, high = low + q * least, high + q * most
            self.spend_on(low, high)
        return low, high

    def form_sign(self, form: Form, known: Mapping[int | str, Interval]) -> int | None:
        ends = self.ends(form, known)
        assert ends is not None
        low, high = ends
        strict = any(b > 2 and q for b, q in form)
        if low > 0 or (low == 0 and strict):
            return 1
        if high < 0 or (high == 0 and strict):
            return -1
        return 0 if low == high == 0 else None

    # Equality.

    def zero(self, entries: list[Entry], relations: list[Identity], *, common: bool) -> int | None:
        for _, factors in entries:
            for form, power in factors:
                if power < 0 and not isinstance(form, str) and not self.not_zero(form):
                    _fail("a denominator is not proved to differ from 0")
        groups: dict[tuple[Factor, ...], list[Entry]] = {}
        if common:
            groups[()] = self.over_one_denominator(entries)
        else:
            for coefficient, factors in entries:
                below = tuple(sorted((f for f in factors if f[1] < 0 or isinstance(f[0], str)), key=repr))
                above = tuple(f for f in factors if f[1] > 0 and not isinstance(f[0], str))
                groups.setdefault(below, []).append((coefficient, above))
        for group in groups.values():
            left = self.multiplied_out(group)
            if left and max(map(len, left)) > 2:
                left = self.expanded(left)
            else:
                self.spend(len(relations))
                for b, d, m, s, t in relations:
                    q = left.pop(_pair(b, d), Fraction(0))
                    for pair, share in ((_pair(m, d), s), (_pair(m, b), t)):
                        left[pair] = left.get(pair, Fraction(0)) + share * q
            if any(left.values()):
                return None
        return 0

    def not_zero(self, form: Form) -> bool:
        if self.form_sign(form, {}):
            return True
        return any(self.form_sign(form, {b: self.enclosure(b, bits) for b, _ in form if b > 2}) for bits in _PRECISIONS)

    def identity(self, relation: Mapping[str, Any]) -> Identity:
        """``y_b y_d = s y_m y_d + t y_m y_b``, where the powers hold."""
        b, d, m = (_base(relation[name]) for name in "bdm")
        powers = relation["powers"]
        if len(powers) != 3 or any(type(e) is not int for e in powers) or not powers[2]:
            _fail(f"{_shown(powers)} are no three whole exponents, the third other than 0")
        u, v, w = powers
        sides = [1, 1]
        for n, e in ((b, u), (d, v), (m, -w)):
            if abs(e) * n.bit_length() > MAX_POWER_BITS:
                _fail(f"{_shown(n)}^{_shown(e)} has more than {MAX_POWER_BITS:,} bits")
            sides[e < 0] *= n ** abs(e)
        self.spend(10)
        if sides[0] != sides[1]:
            _fail(f"{m}^{w} is not {b}^{u} {d}^{v}")
        return b, d, m, Fraction(u, w), Fraction(v, w)

    def over_one_denominator(self, entries: list[Entry]) -> list[Entry]:
        lowest: dict[Form | str, int] = {}
        all_powers = []
        for _, factors in entries:
            powers: dict[Form | str, int] = {}
            for form, power in factors:
                powers[form] = powers.get(form, 0) + power
                lowest.setdefault(form, 0)
            all_powers.append(powers)
        for powers in all_powers:
            for form, power in powers.items():
                lowest[form] = min(lowest[form], power)
        self.spend(len(entries) * len(lowest))
        return [
            (coefficient, tuple((form, e) for form, low in lowest.items() if (e := powers.get(form, 0) - low)))
            for (coefficient, _), powers in zip(entries, all_powers, strict=True)
        ]

    def multiplied_out(self, entries: list[Entry]) -> Polynomial:
        """``{(b, d, ...): coefficient}`` of products ``y_b y_d ...``, without zeros."""
        total: Polynomial = {}
        for coefficient, factors in entries:
            products: Polynomial = {(): coefficient}
            for form, power in factors:
                if isinstance(form, str):
                    _fail(f"log2({_shown(form)}) is not multiplied out")
                for _ in range(power):
                    longer: Polynomial = {}
                    for key, value in products.items():
                        for b, q in form:
                            bases = tuple(sorted((*key, b))) if b > 2 else key
                            longer[bases] = longer.get(bases, Fraction(0)) + value * q
                            self.spend_on(value, q, places=len(key))
                    products = longer
            for key, value in products.items():
                total[key] = total.get(key, Fraction(0)) + value
        return {key: value for key, value in total.items() if value}

    def expanded(self, polynomial: Polynomial) -> Polynomial:
        """Multiplied by the logarithms of all b, and collected over logarithms of numbers without common factors."""
        highest: dict[int, int] = {}
        for key in polynomial:
            for b in key:
                highest[b] = max(highest.get(b, 0), key.count(b))
        atoms = self.atoms([2, *highest])
        logs = {b: [(atom, e) for atom in atoms if (e := _exponent(b, atom))] for b in highest}
        self.spend(len(atoms) * len(highest))
        total: Polynomial = {}
        for key, value in polynomial.items():
            products: Polynomial = {(2,) * len(key): value}
            for b, most in highest.items():
                for _ in range(most - key.count(b)):
                    longer: Polynomial = {}
                    for bases, q in products.items():
                        for atom, e in logs[b]:
                            longer_key = tuple(sorted((*bases, atom)))
                            longer[longer_key] = longer.get(longer_key, Fraction(0)) + q * e
                            self.spend_on(q, places=len(bases))
                    products = longer
            for bases, q in products.items():
                total[bases] = total.get(bases, Fraction(0)) + q
        return total

    def atoms(self, numbers: Iterable[int]) -> list[int]:
        """Numbers above 1, no two with a common factor, of which all the given ones are products."""
        found: list[int] = []
        left = list(numbers)
        while left:
            n = left.pop()
            self.spend(1 + len(found))
            for place, atom in enumerate(found):
                shared = math.gcd(n, atom)
                if shared > 1:
                    del found[place]
                    left += [part for part in (shared, n // shared, atom // shared) if part > 1]
                    break
            else:
                found.append(n)
        return found


def _by_powers(b: int, q: Fraction) -> bool:
    """Whether the two powers stay within 10,000 bits."""
    return max(q.denominator, q.numerator * b.bit_length()) <= MAX_POWER_BITS


def _named(name: int | str) -> str:
    return f"log2({_shown(name)})" if isinstance(name, str) else f"1/log2({_shown(name)})"


def _pair(b: int, d: int) -> tuple[int, ...]:
    return tuple(sorted(n for n in (b, d) if n > 2))


def _exponent(n: int, atom: int) -> int:
    exponent = 0
    while n % atom == 0:
        n, exponent = n // atom, exponent + 1
    return exponent
