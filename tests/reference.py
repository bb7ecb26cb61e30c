"""A slow, independent NDCG for small inputs: it imports nothing from the package and takes no closed form.

Every order of tied documents is written out, and the ideal is the best of all permutations. A DCG is a plain mapping
{b: coefficient of 1/log2(b)}, without perfect powers; another base's factor log2(base) is left off, for it cancels.
"""

import itertools
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import prod

Form = dict[int, Fraction]
Entry = tuple[str, str | None]  # document, score as text (None: an order without scores)

DIGITS = 60


class Refused(Exception):
    """The name of the error that the contract asks for."""


@dataclass
class Expected:
    """What a contract makes of a small input."""

    dcg: Form
    idcg: Form
    undefined: str | None  # the reason, where NDCG is undefined
    supplied: Fraction | None  # NDCG where a setting supplies it
    unjudged_in_k: int
    outcomes: dict[tuple[tuple[int, Fraction], ...], Fraction]  # DCG over all tie orders, with probabilities


# Forms.


def y(b: int) -> Form:
    """1/log2(b), by the root of b."""
    for root in range(2, b + 1):
        power, exponent = root, 1
        while power < b:
            power, exponent = power * root, exponent + 1
        if power == b:
            return {root: Fraction(1, exponent)}
    raise AssertionError(b)


def add(*forms: Form) -> Form:
    total: Form = {}
    for form in forms:
        for b, q in form.items():
            total[b] = total.get(b, Fraction(0)) + q
    return {b: q for b, q in sorted(total.items()) if q}


def times(form: Form, factor: Fraction) -> Form:
    return {b: q * factor for b, q in form.items() if q * factor}


def number(form: Form) -> Decimal:
    """The value to 60 digits: far beyond the differences of small forms."""
    with localcontext(prec=DIGITS):
        return sum(
            (q.numerator * Decimal(2).ln() / q.denominator / Decimal(b).ln() for b, q in form.items()), Decimal(0)
        )


def key(form: Form) -> tuple[tuple[int, Fraction], ...]:
    return tuple(sorted(form.items()))


def ratio(form: Form, other: Form) -> Decimal | Fraction:
    """The quotient of two forms: a Fraction where they are proportional, else to 60 digits."""
    b = next(iter(other))
    q = form.get(b, Fraction(0)) / other[b]
    if key(times(other, q)) == key(form):
        return q
    with localcontext(prec=DIGITS):
        return number(form) / number(other)


# Rules.


def gain(rule: str, grade: Fraction) -> Fraction:
    name, _, parameter = rule.partition(":")
    if "=" in rule:
        table = {Fraction(g): Fraction(v) for g, v in (pair.split("=") for pair in rule.split(","))}
        if grade not in table:
            raise Refused("MissingGain")
        return table[grade]
    if name == "linear":
        return grade
    if name == "power":
        return prod([grade] * int(parameter), start=Fraction(1))
    if name == "binary":
        return Fraction(1 if grade >= Fraction(parameter) else 0)
    if name == "exponential":
        if grade.denominator != 1:
            raise Refused("InvalidGrade")
        return Fraction(parameter or 2) ** grade.numerator - 1
    raise AssertionError(rule)


def discount(rule: str, rank: int) -> Form:
    name, _, parameter = rule.partition(":")
    if rule == "log:4":
        return times(y(rank + 1), Fraction(2))
    if name in {"log2", "log"}:
        return y(rank + 1)
    if name == "jarvelin":
        base = int(parameter or 2)
        if rank < base:
            return {2: Fraction(1)}
        exponent = next(e for e in range(1, 64) if 2**e == base)
        return times(y(rank), Fraction(exponent))
    if name == "reciprocal":
        return {2: Fraction(1, rank)}
    if name == "geometric":
        return {2: Fraction(parameter) ** (rank - 1)}
    if name == "none":
        return {2: Fraction(1)}
    raise AssertionError(rule)


def dcg(rule: str, gains: Sequence[Fraction]) -> Form:
    return add(*(times(discount(rule, rank), g) for rank, g in enumerate(gains, 1)))


# Evaluation.


def score(text: str, precision: str) -> Fraction:
    exact = Fraction(text)
    if precision == "exact":
        return exact
    (single,) = struct.unpack("f", struct.pack("f", float(exact)))
    return Fraction(single)


def expected(contract: dict[str, str], given: Sequence[Entry], grades: dict[str, Fraction]) -> Expected | str:
    """What the contract, every field a text, makes of the input; or the name of the error with which it refuses."""
    try:
        return _expected(contract, given, grades)
    except Refused as refused:
        return str(refused)


def _expected(contract: dict[str, str], given: Sequence[Entry], grades: dict[str, Fraction]) -> Expected:
    # Sort, highest first, file order within equal scores; `level` numbers the tie groups from 0.
    values = [
        Fraction(-position) if text is None else score(text, contract["score_precision"])
        for position, (_, text) in enumerate(given)
    ]
    order = sorted(range(len(given)), key=lambda i: (-values[i], i))
    levels = {value: level for level, value in enumerate(sorted(set(values), reverse=True))}
    returned = [(given[i][0], levels[values[i]]) for i in order]
    k = 10**6 if contract["k"] == "all" else int(contract["k"])

    # Which entries `error` looks at: down to the tie group that holds rank k of what is left.
    stays = [d in grades or contract["unjudged"] != "remove" for d, _ in returned]
    left = [level for (_, level), stay in zip(returned, stays, strict=True) if stay]
    reach = left[k - 1] if len(left) >= k and contract["ideal_population"] != "returned" else 10**6
    looked_at = [document for document, level in returned if level <= reach]
    # A copy that `remove` takes away can matter only in the list as it was returned.
    whole = len(returned) < k or contract["ideal_population"] == "returned"
    reach_returned = 10**6 if whole else returned[k - 1][1]
    for position, ((document, level), stay) in enumerate(zip(returned, stays, strict=True)):
        copied = document in [earlier for earlier, _ in returned[:position]]
        if copied and level <= (reach if stay else reach_returned) and contract["duplicates"] == "error":
            raise Refused("DuplicateDocument")
    if contract["unjudged"] == "error" and not set(looked_at) <= set(grades):
        raise Refused("UnjudgedDocument")

    judged: dict[str, Fraction] = {}
    for document, grade in grades.items():
        if grade < 0 and contract["negative"] == "error":
            raise Refused("NegativeGrade")
        judged[document] = gain(
            contract["gain"], Fraction(0) if contract["negative"] == "zero" and grade < 0 else grade
        )
        if judged[document] < 0 and contract["negative"] != "allow":
            raise Refused("NegativeGrade")

    rows: list[tuple[str, int, Fraction]] = []  # document, tie group, gain
    for position, ((document, level), stay) in enumerate(zip(returned, stays, strict=True)):
        later = document in [earlier for earlier, _ in returned[:position]]
        earns = document in judged and not (later and contract["duplicates"] == "first")
        if stay:
            rows.append((document, level, judged[document] if earns else Fraction(0)))

    resolutions = _resolutions(rows)
    totals = [dcg(contract["discount"], [g for _, _, g in resolution[:k]]) for resolution in resolutions]
    chosen, resolution = _resolve(contract, rows, resolutions, totals, k)

    population = {
        "judged": list(judged.values()),
        "returned": [g for _, _, g in rows],
        "returned-at-k": [g for _, _, g in resolution[:k]],
    }[contract["ideal_population"]]
    cut = {"k": k, "returned": min(k, len(rows)), "none": 10**6}[contract["ideal_cutoff"]]
    ideals = [dcg(contract["discount"], gains[:cut]) for gains in itertools.permutations(population)]
    ideal = max(ideals, key=number)

    undefined = supplied = None
    if ideal and number(ideal) < 0:
        undefined = "negative ideal"
    elif not ideal:
        supplied = {"zero": Fraction(0), "one": Fraction(1)}.get(contract["zero_ideal"])
        undefined = "zero ideal" if supplied is None else None
    elif contract["round_to"] != "none":
        supplied = _rounded(ratio(chosen, ideal), int(contract["round_to"]))

    shown = returned if contract["unjudged"] == "remove" else resolution
    unjudged = sum(entry[0] not in grades for entry in shown[:k])
    outcomes: dict[tuple[tuple[int, Fraction], ...], Fraction] = {}
    for total in totals:
        outcomes[key(total)] = outcomes.get(key(total), Fraction(0)) + Fraction(1, len(totals))
    return Expected(chosen, ideal, undefined, supplied, unjudged, outcomes)


Rows = list[tuple[str, int, Fraction]]


def _resolutions(rows: Rows) -> list[Rows]:
    """Every order that the scores allow; the first is the order given."""
    groups = [list(group) for _, group in itertools.groupby(rows, key=lambda row: row[1])]
    orders = itertools.product(*(itertools.permutations(group) for group in groups))
    return [[row for group in order for row in group] for order in orders]


def _resolve(
    contract: dict[str, str], rows: Rows, resolutions: list[Rows], totals: list[Form], k: int
) -> tuple[Form, Rows]:
    """DCG by the contract's tie policy, and an order that has it (the order given, for `average`)."""
    ties = contract["ties"]
    tops = {tuple(sorted(g for _, _, g in resolution[:k])) for resolution in resolutions}
    if ties == "average":
        if contract["ideal_population"] == "returned-at-k" and len(tops) > 1:
            raise Refused("TiedScores")
        return times(add(*totals), Fraction(1, len(totals))), rows
    if ties == "error" and len({key(total) for total in totals}) > 1:
        raise Refused("TiedScores")
    if ties in {"error", "input"}:
        return totals[0], rows
    if ties in {"best", "worst"}:
        pick = max if ties == "best" else min
        chosen = pick(range(len(totals)), key=lambda i: number(totals[i]))
        return totals[chosen], resolutions[chosen]
    groups = [list(group) for _, group in itertools.groupby(rows, key=lambda row: row[1])]
    if ties == "reverse-input":
        ordered = [row for group in groups for row in reversed(group)]
    else:  # by UTF-8 bytes; copies of one document stay in the order given
        falling = ties == "docno-descending"
        ordered = [row for group in groups for row in sorted(group, key=lambda row: row[0].encode(), reverse=falling)]
    return dcg(contract["discount"], [g for _, _, g in ordered[:k]]), ordered


def _rounded(value: Decimal | Fraction, places: int) -> Fraction:
    """Half away from zero."""
    if isinstance(value, Fraction):
        size = abs(value) * 10**places
        whole = (2 * size.numerator + size.denominator) // (2 * size.denominator)
        return Fraction(whole if value >= 0 else -whole, 10**places)
    with localcontext(prec=DIGITS):
        return Fraction(int((value * 10**places).to_integral_value()), 10**places)
