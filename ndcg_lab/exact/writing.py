"""How exact values are written, as text and in LaTeX.

A term is handed over as ``(negative, text of its size)``, so that signs join in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from ndcg_lab.exact.rationals import positional, written

__all__ = [
    "Form",
    "Monomial",
    "joined",
    "latex_base",
    "latex_form",
    "latex_monomial",
    "monomial",
    "plain",
    "terminating",
    "written_form",
    "written_monomial",
]

Form: TypeAlias = tuple[tuple[int, int], ...]
"""A primitive linear form: ``(b, coefficient)`` by rising b, gcd 1, first coefficient positive."""

Monomial: TypeAlias = tuple[tuple[Form, int], ...]
"""Powers of forms, ``(form, exponent)`` in order."""

Writer: TypeAlias = Callable[[Fraction], str]
Term: TypeAlias = tuple[bool, str]


def monomial(powers: Mapping[Form, int]) -> Monomial:
    """A product of powers of forms, without powers of 1.

    >>> monomial({((2, 1),): 5, ((3, 1),): -1, ((5, 1),): 0})
    ((((3, 1),), -1),)
    """
    return tuple(sorted((form, e) for form, e in powers.items() if e and form != ((2, 1),)))


def plain(q: Fraction) -> str:
    """``7/2``."""
    return written(q)


def terminating(q: Fraction) -> str:
    """``3.5`` where the decimals end, else ``2/3``.

    >>> terminating(Fraction(7, 2)), terminating(Fraction(2, 3)), terminating(Fraction(5))
    ('3.5', '2/3', '5')
    """
    rest, places = q.denominator, 0
    for prime in (2, 5):
        exponent = 0
        while rest % prime == 0:
            rest, exponent = rest // prime, exponent + 1
        places = max(places, exponent)
    return positional(q.numerator * 10**places // q.denominator, places) if rest == 1 else written(q)


def joined(terms: Iterable[Term]) -> str:
    """``7/2 + 2a - 3/log2(5)`` from its terms; ``0`` from none."""
    text = ""
    for negative, size in terms:
        if text:
            text += " - " if negative else " + "
        elif negative:
            text = "-"
        text += size
    return text or "0"


def written_form(terms: Iterable[tuple[int, Fraction | int]], number: Writer = plain) -> str:
    """A linear form from ``(b, coefficient)``.

    >>> written_form([(2, Fraction(7, 2)), (3, 2), (5, -1)])
    '7/2 + 2a - 1/log2(5)'
    """
    return joined(_term(b, Fraction(q), number) for b, q in terms)


def _term(b: int, q: Fraction, number: Writer) -> Term:
    size = abs(q)
    if b == 2:
        return q < 0, number(size)
    if b == 3:
        return q < 0, "a" if size == 1 else f"{_factor(size, number)}a"
    return q < 0, f"{_factor(size, number)}/log2({b})"


def _factor(size: Fraction, number: Writer) -> str:
    text = number(size)
    return f"({text})" if "/" in text else text


def _sides(monomial: Monomial, log: str, form: Callable[[Form], str]) -> tuple[list[str], list[str]]:
    """The factors above and below the line; ``log2(b)`` above stands for ``y_b`` below."""
    above: list[str] = []
    below: list[str] = []
    for factor, exponent in monomial:
        if exponent < 0 and len(factor) == 1:
            above += [log.format(factor[0][0])] * -exponent
        else:
            (above if exponent > 0 else below).extend([form(factor)] * abs(exponent))
    return above, below


def written_monomial(monomial: Monomial, q: Fraction, number: Writer = plain) -> Term:
    """``(1/2)*(7 + 4a)/(4 + 2a)``, in size and sign."""
    if len(monomial) == 1 and monomial[0][1] == 1 and len(monomial[0][0]) == 1:
        return _term(monomial[0][0][0][0], q, number)

    def form(factor: Form) -> str:
        text = written_form(factor, number)
        return text if text == "a" else f"({text})"

    above, below = _sides(monomial, "log2({})", form)
    size = abs(q)
    if size != 1 or not above:
        above.insert(0, _factor(size, number))
    return q < 0, "*".join(above) + "".join(f"/{factor}" for factor in below)


def latex_base(base: str) -> str:
    """``10``, ``e`` or a fraction."""
    above, _, below = base.partition("/")
    return rf"\frac{{{above}}}{{{below}}}" if below else base


def latex_form(terms: Iterable[tuple[int, Fraction | int]]) -> str:
    r"""A linear form in LaTeX.

    >>> latex_form([(2, Fraction(7, 2)), (3, 2), (5, Fraction(1, 2))])
    '\\frac{7}{2} + 2 a + \\frac{1}{2 \\log_2 5}'
    """
    return joined(_latex_term(b, Fraction(q)) for b, q in terms)


def _latex_term(b: int, q: Fraction) -> Term:
    size = abs(q)
    if b == 2:
        return q < 0, latex_base(written(size))
    if b == 3:
        return q < 0, "a" if size == 1 else f"{latex_base(written(size))} a"
    below = rf"\log_2 {b}" if size.denominator == 1 else rf"{written(size.denominator)} \log_2 {b}"
    return q < 0, rf"\frac{{{written(size.numerator)}}}{{{below}}}"


def latex_monomial(monomial: Monomial, q: Fraction) -> Term:
    """A product of powers of forms in LaTeX, in size and sign."""
    above, below = _sides(monomial, r"\log_2 {}", lambda form: rf"\left({latex_form(form)}\right)")
    size = abs(q)
    if size.numerator != 1 or not above:
        above.insert(0, written(size.numerator))
    if size.denominator != 1:
        below.insert(0, written(size.denominator))
    over, under = (r" \, ".join(side) for side in (above, below))
    return q < 0, rf"\frac{{{over}}}{{{under}}}" if under else over
