"""Reading exact values as people type them: a small grammar, and nothing is evaluated as code.

::

    sum     = [sign] product { sign product }
    product = factor { ("*" | "/" | nothing) factor }         2a, (1/2)a, 4/(4 + 2a)
    factor  = [sign] factor | number | "a" | "y(b)" | "1/log2(b)" | "Rational(p, q)" | "(" sum ")"
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.linear import Linear, a, y
from ndcg_lab.exact.rationals import rational
from ndcg_lab.limits import BRACKETS, CHARACTERS, FACTORS, beyond

if TYPE_CHECKING:
    from ndcg_lab.exact.values import Exact

__all__ = ["parse"]

_TOKEN = re.compile(r"\s*(?:(?P<number>\d+\.?\d*|\.\d+)|(?P<name>[A-Za-z_]\w*)|(?P<mark>[-+*/(),^]))", re.ASCII)
_SIGNS = str.maketrans({"−": "-", "·": "*", "×": "*", "÷": "/", "\N{NO-BREAK SPACE}": " "})


def parse(text: str) -> Exact:
    """Read an exact value: what `str` prints of one, and what a reader would type for it.

    Args:
        text: ``"7/2 + 2a"``, ``"3.5 + 2*a"``, ``"Rational(7, 2) + 2*a"``, ``"4/(4 + 2a)"``, ``"1/log2(6)"``.

    Raises:
        NdcgLabError: where the text is not of this grammar, with the place.

    >>> parse("Rational(7,2) + 2*a") == parse("3.5 + 2a")
    True
    >>> parse("a/(1 + a)") == parse("1/log2(6)")
    True
    """
    if not isinstance(text, str):
        raise NdcgLabError(f"an exact value is read from text, not from {type(text).__name__}")
    if len(text) > CHARACTERS:
        raise NdcgLabError(f"{len(text):,} characters are too many for an exact value: {beyond('CHARACTERS')}")
    return _Reader(text).whole()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, int]] = []
        clean, place = text.translate(_SIGNS).rstrip(), 0
        while place < len(clean):
            match = _TOKEN.match(clean, place)
            if match is None or match.lastgroup is None:
                at = len(clean) - len(clean[place:].lstrip())
                raise self.error(f"{text[at]!r} is not part of an exact value", at)
            self.tokens.append((match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
            place = match.end()
        self.tokens.append(("end", "", len(text)))
        self.next = 0
        self.depth = 0

    def error(self, cause: str, at: int | None = None) -> NdcgLabError:
        place = self.tokens[self.next][2] if at is None else at
        shown = self.text if len(self.text) <= 60 else self.text[:59] + "…"
        return NdcgLabError(
            f"{shown!r}, character {place + 1}: {cause}; write it like 7/2 + 2a, with a = 1/log2(3), or 1/log2(5)"
        )

    def take(self, *marks: str) -> str | None:
        kind, text, _ = self.tokens[self.next]
        if kind == "mark" and text in marks:
            self.next += 1
            return text
        return None

    def need(self, mark: str) -> None:
        if self.take(mark) is None:
            raise self.error(f"{mark!r} is missing")

    def whole(self) -> Exact:
        value = self.sum()
        if self.tokens[self.next][0] != "end":
            raise self.error(f"{self.tokens[self.next][1]!r} can't stand here")
        return value

    def sum(self) -> Exact:
        self.depth += 1
        if self.depth > BRACKETS:
            raise self.error(f"brackets inside one another are {beyond('BRACKETS')}")
        terms = [self.product()]
        while (sign := self.take("+", "-")) is not None:
            terms.append(self.product() if sign == "+" else -self.product())
        while len(terms) > 1:  # by halves, for each addition reads all that was added
            terms = [sum(terms[place : place + 2], Linear()) for place in range(0, len(terms), 2)]
        self.depth -= 1
        return terms[0]

    def product(self) -> Exact:
        start = self.next
        value = self.factor()
        words = [text for _, text, _ in self.tokens[start : self.next]]
        scale = "".join(words[2:-1]) if words[0] == "log2" else None  # log2(10)*(3 + 2a) as a scaled sum is written
        divided, factors = False, 0
        while True:
            kind, text, place = self.tokens[self.next]
            factors += 1
            if factors > FACTORS:
                raise self.error(f"the factors of one product are {beyond('FACTORS')}", place)
            if (mark := self.take("*", "/")) is not None:
                divisor_at = self.tokens[self.next][2]
                factor = self.factor()
                if mark == "*":
                    scaled = None if scale is None else _scaled(scale, factor)
                    value, divided = value * factor if scaled is None else scaled, False
                elif factor:
                    value, divided = value / factor, True
                else:
                    raise self.error("division by 0", divisor_at)
                scale = None
            elif kind == "name" or (kind == "mark" and text == "("):
                if divided:  # 7/2a: is the a above the line or below it?
                    raise self.error("is this above or below the line? Write (7/2)a or 7/(2a)", place)
                value = value * self.factor()
            elif kind == "number":
                raise self.error("a sign is missing between two numbers", place)
            elif text == "^":
                raise self.error("powers are not part of the grammar", place)
            else:
                return value

    def factor(self) -> Exact:
        negative = False
        while (sign := self.take("+", "-")) is not None:
            negative ^= sign == "-"
        value = self.atom()
        return -value if negative else value

    def atom(self) -> Exact:
        kind, text, place = self.tokens[self.next]
        if kind == "end":
            raise self.error("a value is missing")
        self.next += 1
        if kind == "number":
            return Linear.rational(rational(text))
        if kind == "mark":
            if text != "(":
                raise self.error(f"{text!r} can't stand here", place)
            value = self.sum()
            self.need(")")
            return value
        if text == "a":
            return a
        arguments = self.arguments() if self.tokens[self.next][1] == "(" else []
        return self.named(text, arguments, place)

    def arguments(self) -> list[str]:
        self.need("(")
        found = []
        while True:
            sign = self.take("-") or ""
            kind, text, _ = self.tokens[self.next]
            if kind != "number" and text != "e":
                raise self.error("a number is needed here")
            self.next += 1
            found.append(sign + text)
            if self.take("/"):
                kind, below, _ = self.tokens[self.next]
                if kind != "number":
                    raise self.error("a number is needed here")
                self.next += 1
                found[-1] += "/" + below
            if not self.take(","):
                break
        self.need(")")
        return found

    def named(self, name: str, arguments: list[str], place: int) -> Exact:
        numbers = [rational(text) if text != "e" else None for text in arguments]
        if name in ("Rational", "Fraction", "Integer") and len(numbers) in (1, 2):
            above, below = numbers[0], 1 if len(numbers) == 1 else numbers[1]
            if above is not None and below:
                return Linear.rational(above) / below
        elif name in ("y", "log2") and len(numbers) == 1:
            (b,) = numbers
            if name == "y" and isinstance(b, int) and b >= 2:
                return y(b)
            if name == "log2" and b == 1:
                return Linear()
            if name == "log2" and isinstance(b, int) and b >= 2:
                return 1 / y(b)
            if name == "log2" and (b is None or b > 1):
                return Linear({2: 1}, scale=arguments[0])
        raise self.error(f"{name!r} is not known here", place)


def _scaled(scale: str, terms: Exact) -> Linear | None:
    """A sum times the logarithm before it, where it is a sum that can carry one."""
    if not isinstance(terms, Linear) or terms.scale is not None or len(terms.terms) < 2:
        return None
    return Linear(terms.terms, scale=scale)
