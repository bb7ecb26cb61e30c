"""A reader of proof sentences, who knows nothing but what stands in the sentence.

It imports nothing of the library. It parses the claim, checks each inequality of whole powers and that it proves the
bound beside it, and decides the claim from these facts alone, by arithmetic with intervals of fractions. That
discounts are positive it takes for granted only where the sentence says so. A sentence that says more than the claim
needs is refused too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import NamedTuple

__all__ = ["Claim", "Counted", "Refused", "decide", "linear", "read"]


class Refused(Exception):
    """The sentence does not prove its claim, or says more than it needs."""


class Counted(Exception):
    """The sentence counts its facts instead of telling them, so it can't be decided when read alone."""

    def __init__(self, counted: list[tuple[int, str]]) -> None:
        super().__init__(str(counted))
        self.counted = counted


# --- text ---------------------------------------------------------------------------------

_PLAIN = str.maketrans("−·", "-*") | {ord(raised): f"^{n}" for n, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}


def plain(text: str) -> str:
    """Signs and raised digits as they are typed: `2⁸⁴` to `2^84`."""
    return re.sub(r"(\^\d)((?:\^\d)+)", lambda run: run[1] + run[2].replace("^", ""), text.translate(_PLAIN))


@dataclass
class Claim:
    """`leads: expression relation 0, why`."""

    expression: str
    relation: str
    why: str
    leader: str = ""


def read(text: str) -> Claim:
    """A sentence taken apart; refused where who leads isn't who the relation says."""
    found = re.fullmatch(
        r"(?:(?P<who>the first|the second|\w+) leads: |(?P<equal>exactly equal): )?"
        r"(?:(?P<one>\w+) - (?P<other>\w+) = )?"
        r"(?P<expression>[-\d(a].*?|log2.*?) (?P<relation>[<=>]) 0"
        r"(?: in N?DCG)?(?:, (?P<why>(?:because|by) .*?))?(?:\.(?: One ideal, so in NDCG too\.)?)?",
        plain(text),
    )
    if not found:
        raise Refused(f"no claim: {text}")
    who, relation = found["who"], found["relation"]
    names = (found["one"], found["other"]) if found["one"] else ("the first", "the second")
    if who and (relation == "=" or who != names[relation == "<"]):
        raise Refused(f"{who} leads, but {relation} 0")
    if found["equal"] and relation != "=":
        raise Refused(f"equal, but {relation} 0")
    return Claim(found["expression"], relation, found["why"] or "", who or "")


# --- expressions --------------------------------------------------------------------------

Monomial = tuple[str, ...]
Polynomial = dict[Monomial, Fraction]


@dataclass
class Node:
    """`+`, `*`, `/`, `number` or a `name`: `y3` for 1/log2(3), `log2(e)` for itself."""

    kind: str
    parts: list[Node] = field(default_factory=list)
    number: Fraction = Fraction(0)
    name: str = ""


_TOKEN = re.compile(r"\s*(?:(?P<number>\d+)|(?P<log>log2\((?P<base>e|\d+(?:/\d+)?)\))|(?P<mark>[-+*/()a]))")


class _Parser:
    def __init__(self, text: str, named: frozenset[str]) -> None:
        self.named = named
        self.tokens: list[tuple[str, str]] = []
        place = 0
        while place < len(text.rstrip()):
            match = _TOKEN.match(text, place)
            if not match:
                raise Refused(f"not an expression: {text}")
            if match["log"]:
                self.tokens.append(("log", match["base"]))
            else:
                self.tokens.append(("number", match["number"]) if match["number"] else ("mark", match["mark"]))
            place = match.end()
        self.at = 0

    def next(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self, mark: str) -> bool:
        if self.next() == ("mark", mark):
            self.at += 1
            return True
        return False

    def whole(self) -> Node:
        node = self.sum()
        if self.next()[0] != "end":
            raise Refused(f"left over: {self.tokens[self.at :]}")
        return node

    def sum(self) -> Node:
        terms, negative = [], self.take("-")
        while True:
            term = self.product()
            terms.append(Node("*", [Node("number", number=Fraction(-1)), term]) if negative else term)
            if self.take("+"):
                negative = False
            elif self.take("-"):
                negative = True
            else:
                return Node("+", terms) if len(terms) > 1 else terms[0]

    def product(self) -> Node:
        node = self.factor()
        while True:
            if self.take("/"):
                kind, text = self.next()
                if kind == "log" and text.isdigit():  # over log2(5): times the discount
                    self.at += 1
                    node = Node("*", [node, Node("name", name=f"y{text}")])
                else:
                    node = Node("/", [node, self.factor()])
            elif self.take("*") or self.next() in {("mark", "a"), ("mark", "(")} or self.next()[0] == "log":
                node = Node("*", [node, self.factor()])
            else:
                return node

    def factor(self) -> Node:
        kind, text = self.next()
        self.at += 1
        if kind == "number":
            return Node("number", number=Fraction(text))
        if kind == "log" and text.isdigit() and text not in self.named:
            return Node("/", [Node("number", number=Fraction(1)), Node("name", name=f"y{text}")])
        if kind == "log":
            return Node("name", name=f"log2({text})")
        if text == "a":
            return Node("name", name="y3")
        if text == "(":
            node = self.sum()
            if self.take(")"):
                return node
        raise Refused(f"not an expression at {text!r}")


def parse(expression: str, named: frozenset[str] = frozenset()) -> Node:
    """What stands in a claim, before its relation to 0; log2(10) is 1 over a discount, unless facts name it itself."""
    return _Parser(expression, named).whole()


def linear(expression: str) -> dict[int, Fraction]:
    """`{b: coefficient}` of a sum of discounts; {2: q} for the constant."""
    top, bottom = _ratio(parse(expression))
    if list(bottom) != [()] or any(len(key) > 1 for key in top):
        raise Refused(f"not a linear form: {expression}")
    return {int(key[0][1:]) if key else 2: q / bottom[()] for key, q in top.items()}


# --- intervals ----------------------------------------------------------------------------


class Interval(NamedTuple):
    """Numbers between two ends; None for no end. An end that is open is not reached."""

    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = True
    high_open: bool = True

    def positive(self) -> bool:
        return self.low is not None and (self.low > 0 or (self.low == 0 and self.low_open))

    def turned(self) -> Interval:
        low, high = (None if end is None else -end for end in (self.high, self.low))
        return Interval(low, high, self.high_open, self.low_open)


def _plus(one: Interval, other: Interval) -> Interval:
    low = None if one.low is None or other.low is None else one.low + other.low
    high = None if one.high is None or other.high is None else one.high + other.high
    return Interval(low, high, one.low_open or other.low_open, one.high_open or other.high_open)


def _times(one: Interval, other: Interval) -> Interval:
    for first, second in ((one, other), (other, one)):
        if first.low == first.high == 0 and first.low is not None:
            return first
        if first.turned().positive():
            return _times(first.turned(), second).turned()
    for first, second in ((one, other), (other, one)):
        if first.low is not None and first.low == first.high:
            low, high = (None if end is None else first.low * end for end in (second.low, second.high))
            return Interval(low, high, second.low_open, second.high_open)
    if not (one.positive() and other.positive()):
        return Interval()  # two that vary, one of unknown sign: nothing is known of their product
    assert one.low is not None
    assert other.low is not None
    high = None if one.high is None or other.high is None else one.high * other.high
    return Interval(one.low * other.low, high, one.low_open or other.low_open, one.high_open or other.high_open)


def _inverse(one: Interval) -> Interval:
    if one.turned().positive():
        return _inverse(one.turned()).turned()
    if not one.positive():
        raise Refused("nothing that was said keeps a denominator from 0")
    low = (Fraction(0), True) if one.high is None else (1 / one.high, one.high_open)
    high = (1 / one.low, one.low_open) if one.low else (None, True)
    return Interval(low[0], high[0], low[1], high[1])


def _interval(node: Node, known: dict[str, Interval]) -> Interval:
    if node.kind == "number":
        return Interval(node.number, node.number, low_open=False, high_open=False)
    if node.kind == "name":
        return known.get(node.name, Interval())
    parts = [_interval(part, known) for part in node.parts]
    total = parts[0]
    for part in parts[1:]:
        other = _inverse(part) if node.kind == "/" else part
        total = _plus(total, other) if node.kind == "+" else _times(total, other)
    return total


# --- equality -----------------------------------------------------------------------------


def _ratio(node: Node) -> tuple[Polynomial, Polynomial]:
    one: Polynomial = {(): Fraction(1)}
    if node.kind == "number":
        return ({(): node.number} if node.number else {}), one
    if node.kind == "name":
        return {(node.name,): Fraction(1)}, one
    top, bottom = _ratio(node.parts[0])
    for part in node.parts[1:]:
        above, below = _ratio(part)
        if node.kind == "+":
            top = _collected([_multiplied(top, below), _multiplied(above, bottom)])
            bottom = _multiplied(bottom, below)
        elif node.kind == "*":
            top, bottom = _multiplied(top, above), _multiplied(bottom, below)
        else:
            top, bottom = _multiplied(top, below), _multiplied(bottom, above)
    return top, bottom


def _collected(polynomials: list[Polynomial]) -> Polynomial:
    total: Polynomial = {}
    for polynomial in polynomials:
        for key, q in polynomial.items():
            total[key] = total.get(key, Fraction(0)) + q
    return {key: q for key, q in total.items() if q}


def _multiplied(one: Polynomial, other: Polynomial) -> Polynomial:
    products = [{tuple(sorted(key + more)): q * r} for key, q in one.items() for more, r in other.items()]
    return _collected(products)


def _in_span(polynomial: Polynomial, spanning: list[Polynomial]) -> bool:
    rows: list[tuple[Monomial, Polynomial]] = []  # each with a monomial that no later row holds

    def reduced(one: Polynomial) -> Polynomial:
        for pivot, row in rows:
            if pivot in one:
                share = -one[pivot] / row[pivot]
                one = _collected([one, {key: share * q for key, q in row.items()}])
        return one

    for one in spanning:
        left = reduced(one)
        if left:
            rows.append((min(left), left))
    return not reduced(polynomial)


def _relation(identity: list[tuple[int, int]]) -> Polynomial:
    """From 2^u 3^v 6^w = 1: u/(y3 y6) + v/(y2 y6) + w/(y2 y3) = 0, times all three."""
    total = []
    for at, (_, exponent) in enumerate(identity):
        others = tuple(sorted(f"y{n}" for place, (n, _) in enumerate(identity) if place != at and n != 2))
        total.append({others: Fraction(exponent)})
    return _collected(total)


# --- the sentence -------------------------------------------------------------------------

_POWERS = r"(\d+)(?:\^(\d+))? < (\d+)(?:\^(\d+))?"
_FACT = re.compile(r"(a|1/log2\((\d+)\)|log2\((e|\d+(?:/\d+)?)\)) ([<>]) (\d+(?:/\d+)?)")
_WORKED = re.compile(rf"({_POWERS})(?:, | \()(\d+) < (\d+)\)?")
POSITIVE = "every discount is positive"


@dataclass
class _Facts:
    bounds: list[tuple[str, str, Fraction]] = field(default_factory=list)
    identities: list[list[tuple[int, int]]] = field(default_factory=list)
    positive: bool = False
    nothing_left: bool = False

    def known(self, names: set[str]) -> dict[str, Interval]:
        zero = Fraction(0) if self.positive else None
        known = {name: Interval(low=zero) for name in names if name[0] == "y"}
        for name, mark, q in self.bounds:
            old = known.get(name, Interval())
            known[name] = old._replace(low=q) if mark == ">" else old._replace(high=q)
        return known


def _sides(why: str) -> list[tuple[int, int]]:
    """Both powers of `2^3 < 3^2`, which must be true, worked out or not."""
    if worked := _WORKED.fullmatch(why):
        why = worked[1]
        n, e, m, f = worked.group(2, 3, 4, 5)
        if (int(n) ** int(e or 1), int(m) ** int(f or 1)) != (int(worked[6]), int(worked[7])):
            raise Refused(f"worked out wrongly: {worked[0]}")
    powers = re.fullmatch(_POWERS, why)
    if not powers:
        raise Refused(f"no inequality of whole powers: {why}")
    n, e, m, f = (int(text or 1) for text in powers.groups())
    if not n**e < m**f:
        raise Refused(f"false: {why}")
    return [(n, e), (m, f)]


def _bound(what: str, why: str) -> tuple[str, str, Fraction]:
    fact = _FACT.fullmatch(what)
    if not fact:
        raise Refused(f"no fact: {what}")
    mark, q = fact[4], Fraction(fact[5])
    if fact[3]:
        if mark != ">" or q or why != f"1 < {fact[3]}" or (fact[3] != "e" and Fraction(fact[3]) <= 1):
            raise Refused(f"{why} does not show {what}")
        return f"log2({fact[3]})", mark, q
    b = int(fact[2] or 3)
    sides = _sides(why)
    (base, p), (two, n) = sides if mark == ">" else reversed(sides)  # b^p < 2^n shows y > p/n
    if (base, two) != (b, 2) or Fraction(p, n) != q:
        raise Refused(f"{why} does not show {what}")
    return f"y{b}", mark, q


def _identity(text: str) -> list[tuple[int, int]] | None:
    power = r"\d+(?:\^\d+)?"
    if not re.fullmatch(rf"{power}(?: \* {power})* = {power}(?: \* {power})*", text):
        return None
    left, right = (
        [(int(n), int(e or 1)) for n, e in re.findall(r"(\d+)(?:\^(\d+))?", side)] for side in text.split(" = ")
    )
    values = []
    for side in (left, right):
        value = 1
        for n, e in side:
            value *= n**e
        values.append(value)
    powers = [(n, e) for n, e in left + [(n, -e) for n, e in right] if n != 1]
    if values[0] != values[1] or len({n for n, _ in powers}) != len(powers) or len(powers) > 3:
        raise Refused(f"false, or no identity: {text}")
    return powers


def _facts(why: str) -> _Facts:
    facts = _Facts()
    body = re.sub(r", so both sides are one number$", "", why)
    ends = body != why
    counted = re.findall(r"(?:by|and) (a|\d+) (rational bound|identity|identities)\w*", body)
    if body.startswith("by "):
        raise Counted([(1 if n == "a" else int(n), what) for n, what in counted])
    if not body.startswith("because "):
        raise Refused(f"no reason: {why}")
    body = body.removeprefix("because ")
    if body == "both sides are the same expression":
        facts.nothing_left = True
        return facts
    single = re.fullmatch(rf"([^,()]*(?:\(.*?\))?[^,()]*), because (.*?)(, and {POSITIVE})?", body)
    if single:
        facts.bounds.append(_bound(single[1], single[2]))
        facts.positive = bool(single[3])
        return facts
    for item in body.split(" and "):
        listed = re.fullmatch(r"(.*?) \(([^()]*(?:\([^()]*\))?)\)", item)
        if item == POSITIVE and not facts.positive:
            facts.positive = True
        elif item == "nothing is left when all is multiplied out":
            facts.nothing_left = True
        elif identity := _identity(item):
            facts.identities.append(identity)
        elif listed:
            facts.bounds.append(_bound(listed[1], listed[2]))
        else:
            raise Refused(f"no fact: {item}")
    if ends != bool(facts.identities):
        raise Refused("one number by identities, and by nothing else")
    return facts


def _names(node: Node) -> set[str]:
    return {node.name} if node.kind == "name" else {name for part in node.parts for name in _names(part)}


def _shows(node: Node, relation: str, facts: _Facts) -> bool:
    known = facts.known(_names(node))
    try:
        interval = _interval(node, known)
    except Refused:
        return False
    if relation != "=":
        return (interval if relation == ">" else interval.turned()).positive()
    top, _ = _ratio(node)
    relations = [_relation(identity) for identity in facts.identities]
    degree = max((len(key) for key in top), default=0)
    names = sorted(_names(node) | {name for one in relations for key in one for name in key})
    factors = [key for n in range(max(0, degree - 1)) for key in combinations_with_replacement(names, n)]
    return _in_span(top, [_multiplied(one, {key: Fraction(1)}) for one in relations for key in factors])


def _each_term(node: Node, relation: str) -> bool:
    """Whether each term q or q/log2(b) of a sum has that sign, discounts being positive."""
    known = {name: Interval(low=Fraction(0)) for name in _names(node) if name[0] == "y"}
    for term in node.parts if node.kind == "+" else [node]:
        top, bottom = _ratio(term)
        if list(bottom) != [()] or len(top) != 1 or max(map(len, top)) > 1:
            return False
        interval = _interval(term, known)
        if not (interval if relation == ">" else interval.turned()).positive():
            return False
    return True


def decide(text: str) -> Claim:
    """The claim, which follows from what stands in the sentence, and from nothing less.

    Raises:
        Refused: where it doesn't, or where a part of the sentence could be left out.
        Counted: where facts are counted, not told.
    """
    claim = read(text)
    node = parse(claim.expression, frozenset(re.findall(r"(?<!/)log2\((\d+)\) > 0", claim.why)))
    if not claim.why:
        if _names(node):
            raise Refused("no reason")
        if not _shows(node, claim.relation, _Facts()):
            raise Refused(f"{claim.expression} {claim.relation} 0 is false")
        return claim
    if claim.why == "because every term has that sign":
        if claim.relation == "=" or not _each_term(node, claim.relation):
            raise Refused("a term has another sign")
        return claim
    facts = _facts(claim.why)
    if facts.nothing_left and claim.relation != "=":
        raise Refused("nothing is left of what is not 0")
    if not _shows(node, claim.relation, facts):
        raise Refused(f"{claim.why} does not show {claim.expression} {claim.relation} 0")
    fewer = [_Facts([b for b in facts.bounds if b != one], facts.identities, facts.positive) for one in facts.bounds]
    fewer += [_Facts(facts.bounds, [i for i in facts.identities if i != o], facts.positive) for o in facts.identities]
    fewer += [_Facts(facts.bounds, facts.identities)] if facts.positive else []
    if any(_shows(node, claim.relation, some) for some in fewer):
        raise Refused(f"more than is needed: {claim.why}")
    return claim
