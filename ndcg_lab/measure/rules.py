"""Gains and discounts: what a grade is worth, and what a rank is worth.

Each rule is one short entry of `GAINS` or `DISCOUNTS`; the contract's choices, error texts and documentation follow
from these tables.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Generic, TypeVar

from ndcg_lab.errors import ContractError, InvalidGrade, MissingGain, NdcgLabError, brief, cut
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.rationals import Number, rational, short, written
from ndcg_lab.limits import GAIN_BITS, ROW_BITS, TABLE, beyond


@dataclass(frozen=True, slots=True)
class Gain:
    """A gain rule: call it with a grade.

    >>> parse_gain("exponential")(3)
    7
    """

    text: str
    of: Callable[[Number], Number]

    def __call__(self, grade: Number) -> Number:
        """The gain of a grade; raises `InvalidGrade` or `MissingGain` where there is none."""
        gain = self.of(grade)
        return int(gain) if gain == int(gain) else gain


@dataclass(frozen=True, slots=True)
class Discount:
    """A discount rule: `term(rank)` is a pair (b, q) that stands for q/log2(b); every value carries the factor `scale`.

    No rule rises with the rank, and b is 2 wherever the discount is rational.

    >>> parse_discount("log2").term(2)
    (3, 1)
    """

    text: str
    term: Callable[[int], tuple[int, Number]]
    scale: str | None = None
    sums: Callable[[Sequence[Number]], Number] | None = None
    """Of a rational rule: the sum of gains times discounts, worked out in one go."""

    def value(self, rank: int) -> Linear:
        """The exact discount at a rank, from 1 on."""
        return _value(self, rank)

    def require_rows(self, depth: int) -> None:
        """Raise `ContractError` where a row at such a rank would have a discount of too many digits."""
        name, _, factor = self.text.partition(":")
        if name == "geometric" and depth > 1:
            _require_short(self.text, depth * rational(factor).denominator.bit_length(), "ROW_BITS", ROW_BITS)

    def total(self, gains: Sequence[Number], denominator: int = 1) -> Linear:
        """The sum of `gains[i]` times the discount at rank i + 1, over a denominator: a DCG."""
        if self.sums is not None:
            return Linear.rational(Fraction(self.sums(gains)) / denominator)
        factors, bases, common = _schedule(self, 1 << len(gains).bit_length())
        if factors is not None:
            gains = [gain * factor for gain, factor in zip(gains, factors, strict=False)]
        return Linear.weighted(gains, bases[: len(gains)], denominator=common * denominator, scale=self.scale)


@lru_cache(maxsize=4096)
def _value(discount: Discount, rank: int) -> Linear:
    base, factor = discount.term(rank)
    return Linear.weighted([factor], [base], scale=discount.scale)


@lru_cache(maxsize=64)
def _schedule(discount: Discount, depth: int) -> tuple[list[int] | None, list[int], int]:
    """Terms down to a depth, over one denominator: whole factors (None where all are 1), bases, denominator."""
    terms = [discount.term(rank) for rank in range(1, depth + 1)]
    common = math.lcm(*(factor.denominator for _, factor in terms))
    factors = [factor.numerator * (common // factor.denominator) for _, factor in terms]
    return (None if set(factors) == {1} else factors), [base for base, _ in terms], common


Rule = TypeVar("Rule", Gain, Discount)


@dataclass(frozen=True, slots=True)
class Entry(Generic[Rule]):
    """One way to write a rule. A name after the colon is a rational parameter, which `allowed` admits."""

    spelling: str
    meaning: str
    make: Callable[[str, Number], Rule] | None = None
    allowed: Callable[[Number], bool] = lambda _: True
    stands_for: str = ""
    """The full spelling that this one is short for."""
    cost: int = 100
    """How far from plain the rule is: 0 for the textbook's own. `identify` names the plainest contract first."""
    usual: Mapping[str, int] = field(default_factory=dict)
    """Of a rule with a parameter: the spellings that `identify` tries, each with its own cost."""

    @property
    def tried(self) -> dict[str, int]:
        """The spellings that `identify` tries, each with its cost; none of a table, which it is given."""
        _, _, parameter = self.spelling.partition(":")
        fixed = self.make is not None or bool(self.stands_for)
        return dict(self.usual) if parameter.isupper() else {self.spelling: self.cost} if fixed else {}

    def writes(self, text: str) -> bool:
        """Whether a canonical spelling is one of this rule's."""
        name, _, parameter = self.spelling.partition(":")
        if "=" in self.spelling:
            return "=" in text
        return text.partition(":")[0] == name and ":" in text if parameter.isupper() else text == self.spelling


def cost_of(entries: Iterable[Entry[Any]], text: str) -> int:
    """How far from plain a gain or a discount is, by its canonical spelling.

    >>> cost_of(GAINS, "linear"), cost_of(DISCOUNTS, "log:10"), cost_of(DISCOUNTS, "log:7")
    (0, 31, 60)
    """
    written = [entry for entry in entries if entry.writes(text)]
    return min(entry.usual.get(text, entry.cost) for entry in written)


# Gains.


def _refused(kind: type[NdcgLabError], message: str) -> NdcgLabError:
    """An error that the setting `gain` decides."""
    return kind(message, setting="gain", choices=[entry.spelling for entry in GAINS])


def _power(base: Number, exponent: int) -> Number:
    """A power, refused before it is computed where it would be too large to work with."""
    if abs(exponent) * max(abs(base.numerator), base.denominator).bit_length() > GAIN_BITS:
        raise _refused(
            InvalidGrade,
            f"the bits of a gain are {beyond('GAIN_BITS')}; `gain` may be a table or another rule",
        )
    return Fraction(base) ** exponent


def _exponential(base: Number) -> Callable[[Number], Number]:
    def of(grade: Number) -> Number:
        if isinstance(grade, Fraction):
            raise _refused(
                InvalidGrade,
                f"exponential gain takes whole grades, not {short(grade)}; "
                "`gain` may be linear, power:P, binary:T or a table instead",
            )
        return _power(base, grade) - 1

    return of


GAINS: tuple[Entry[Gain], ...] = (
    Entry("linear", "the grade itself", stands_for="power:1", cost=0),
    Entry("exponential", "2^grade - 1; whole grades", stands_for="exponential:2", cost=10),
    Entry(
        "exponential:B",
        "B^grade - 1, for a rational B > 1; whole grades",
        lambda text, base: Gain(text, _exponential(base)),
        lambda base: base > 1,
        cost=60,
        usual={"exponential:3": 60, "exponential:10": 60},
    ),
    Entry(
        "power:P",
        "grade^P, for a whole P from 1 on",
        lambda text, power: Gain(text, lambda grade: _power(grade, int(power))),
        lambda power: isinstance(power, int) and power >= 1,
        cost=50,
        usual={"power:2": 40, "power:3": 50},
    ),
    Entry(
        "binary:T",
        "1 where the grade is at least T, else 0",
        lambda text, threshold: Gain(text, lambda grade: int(grade >= threshold)),
        cost=30,  # tried from each grade of the judgments on
    ),
    Entry("0=0,1=1,2=3", "a table: the gain of each grade", cost=60),
)


def _table(value: str | Mapping[object, object]) -> Gain:
    entries = (entry.split("=", 1) for entry in value.split(",")) if isinstance(value, str) else value.items()
    table: dict[Number, Number] = {}
    for grade, *gains in entries:
        gain = gains[0] if gains else ""
        if len(table) >= TABLE:
            raise ContractError(f"the entries of a gain table are {beyond('TABLE')}; a rule says it for all grades")
        try:
            key, worth = rational(grade), rational(gain)
        except NdcgLabError as error:
            raise ContractError(f"gain table entry {cut(f'{grade}={gain}', 60, 20)}: {error}") from None
        if table.setdefault(key, worth) != worth:
            raise ContractError(f"gain table gives grade {brief(grade)} two gains, {brief(gain)} the second")
    if not table:
        raise ContractError("gain table is empty; write it as 0=0,1=1,2=3 or as a mapping")
    text = ",".join(f"{written(grade)}={written(table[grade])}" for grade in sorted(table))

    def of(grade: Number) -> Number:
        if grade not in table:
            raise _refused(
                MissingGain,
                f"the table `gain = {cut(text, 80, 20)}` has no entry for grade {short(grade)}; "
                "add one, or choose a rule",
            )
        return table[grade]

    return Gain(text, of)


def parse_gain(value: object) -> Gain:
    """A gain rule from its text, or from a mapping of grades to gains.

    >>> parse_gain({0: 0, 2: 3, 1: 1}).text
    '0=0,1=1,2=3'
    """
    if isinstance(value, Mapping) or (isinstance(value, str) and "=" in value):
        return _table(value)
    return _parse_gain_text(value) if isinstance(value, str) else _parse(GAINS, value)


# Discounts.


def _log(text: str, base: Number) -> Discount:
    power = _power_of_two(base)
    if power:
        return Discount(text, lambda rank: (rank + 1, power))
    return Discount(text, lambda rank: (rank + 1, 1), scale=f"log2({written(base)})")


def _jarvelin(text: str, base: Number) -> Discount:
    power = _power_of_two(base)
    return Discount(text, lambda rank: (2, 1) if rank <= base else (rank, power))


def _power_of_two(number: Number) -> int:
    """The whole e > 0 with number = 2^e, or 0 where there is none."""
    whole = isinstance(number, int) and number > 1 and number & (number - 1) == 0
    return int(number).bit_length() - 1 if whole else 0


def _harmonic(gains: Sequence[Number]) -> Fraction:
    """The sum of gains over their ranks, by halves: added one by one, each addition would read all before it."""
    parts = [Fraction(gain, rank) for rank, gain in enumerate(gains, 1) if gain]
    while len(parts) > 1:
        parts = [sum(parts[place : place + 2], Fraction(0)) for place in range(0, len(parts), 2)]
    return parts[0] if parts else Fraction(0)


def _geometric(text: str, factor: Number) -> Discount:
    p, q = factor.numerator, factor.denominator

    def sums(gains: Sequence[Number]) -> Number:
        _require_short(text, len(gains) * q.bit_length(), "GAIN_BITS", GAIN_BITS)
        # Of the first n gains, times q**(n - 1): a part, then p**len(part) times what follows it, by halves.
        common = math.lcm(*(gain.denominator for gain in gains))
        parts = [(gain.numerator * (common // gain.denominator), p, q) for gain in gains]
        while len(parts) > 1:
            pairs = zip(parts[::2], parts[1::2], strict=False)
            halved = [(one * d2 + u1 * two, u1 * u2, d1 * d2) for (one, u1, d1), (two, u2, d2) in pairs]
            parts = halved + parts[len(halved) * 2 :]
        return Fraction(parts[0][0] * q, common * parts[0][2]) if parts else 0

    return Discount(text, lambda rank: (2, Fraction(factor) ** (rank - 1)), sums=None if q == 1 else sums)


def _require_short(text: str, bits: int, limit: str, most: int) -> None:
    """Refuse discounts that grow with the rank, where the last one's bits are too many."""
    if bits > most:
        raise ContractError(
            f"`discount = {cut(text, 60, 20)}` has {bits:,} bits at the last rank that counts, {beyond(limit)}; "
            "a lower `k` needs fewer",
            setting="discount",
            choices=[entry.spelling for entry in DISCOUNTS],
        )


DISCOUNTS: tuple[Entry[Discount], ...] = (
    Entry("log2", "1/log2(rank + 1)", stands_for="log:2", cost=0),
    Entry(
        "log:e",
        "1/ln(rank + 1)",
        lambda text, _: Discount(text, lambda rank: (rank + 1, 1), scale="log2(e)"),
        cost=30,
    ),
    Entry(
        "log:B",
        "1/logB(rank + 1), for a rational B > 1, such as log:10",
        _log,
        lambda base: base > 1,
        cost=60,
        usual={"log:10": 31},
    ),
    Entry("jarvelin", "1 at ranks 1 and 2, from there on 1/log2(rank)", stands_for="jarvelin:2", cost=20),
    Entry(
        "jarvelin:B",
        "1 above rank B, from there on 1/logB(rank), for B = 2, 4, 8, ...",
        _jarvelin,
        lambda base: _power_of_two(base) > 0,
        cost=60,
        usual={"jarvelin:4": 60, "jarvelin:8": 60},
    ),
    Entry(
        "reciprocal",
        "1/rank",
        lambda text, _: Discount(text, lambda rank: (2, Fraction(1, rank)), sums=_harmonic),
        cost=40,
    ),
    Entry(
        "geometric:P",
        "P^(rank - 1), for 0 < P <= 1",
        _geometric,
        lambda factor: 0 < factor <= 1,
        cost=70,
        usual={"geometric:1/2": 70, "geometric:4/5": 70, "geometric:9/10": 70},
    ),
    Entry("none", "1 at every rank", stands_for="geometric:1", cost=45),
)


def parse_discount(value: object) -> Discount:
    """A discount rule from its text.

    >>> parse_discount("log:2").text
    'log2'
    """
    return _parse_discount_text(value) if isinstance(value, str) else _parse(DISCOUNTS, value)


# Reading a rule: the short spelling and the full one are the same rule, and keep the short text.


def _parse(entries: Sequence[Entry[Rule]], value: object) -> Rule:
    full = {entry.spelling: entry.stands_for for entry in entries if entry.stands_for}
    short = {full: short for short, full in full.items()}
    text = value.strip() if isinstance(value, str) else ""
    text = full.get(text, text)
    name, colon, parameter = text.partition(":")
    for entry in entries:
        entry_name, _, wanted = entry.spelling.partition(":")
        if entry.make is None:
            continue
        if not wanted.isupper():  # no parameter to fill in: `reciprocal`, `log:e`
            if text == entry.spelling:
                return entry.make(text, 0)
        elif colon and name == entry_name:
            number = rational(parameter)
            if not entry.allowed(number):
                raise ContractError(f"{entry.spelling} is {entry.meaning}")
            spelled = f"{name}:{written(number)}"
            return entry.make(short.get(spelled, spelled), number)
    raise ContractError


@lru_cache(maxsize=256)
def _parse_gain_text(text: str) -> Gain:
    return _parse(GAINS, text)


@lru_cache(maxsize=256)
def _parse_discount_text(text: str) -> Discount:
    return _parse(DISCOUNTS, text)
