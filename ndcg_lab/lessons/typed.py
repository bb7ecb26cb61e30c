"""What people type, read: exact values, orders, grades, inequalities of whole powers, words.

Every notation that the lessons print is read here, and those that people use for it: `3⁵ < 2⁸` and `3^5 < 2^8`,
`1/log₂(6)` and `1/log_2(6)`, `B C A D` and `bcad`, `A=3, B=2` and `A:3 B:2`. Nothing typed is evaluated as code.
"""

import re
from collections.abc import Iterable
from fractions import Fraction

from ndcg_lab import parse
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.rationals import rational
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons.state import Order

_RAISED, _LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("−‐‑‒–—﹣-", "-"),  # minus, and the dashes that stand in for it
        **dict.fromkeys("\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\N{EM SPACE}", " "),
        **dict(zip(_LOWERED, "0123456789", strict=True)),
        "＜": "<",
        "＞": ">",
        "＝": "=",
    }
)
_QUOTES = "\"'`“”„‘’‚«»"


def plain(text: str) -> str:
    """Text with plain signs: minus, blanks, raised and lowered digits; no quotation marks around it.

    >>> plain("“−1/2 + 2a”"), plain("3⁵ < 2⁸")
    ('-1/2 + 2a', '3^5 < 2^8')
    """
    raised = re.sub(f"[{_RAISED}]+", lambda found: "^" + "".join(str(_RAISED.index(c)) for c in found[0]), text)
    return raised.translate(_SIGNS).replace("**", "^").strip().strip(_QUOTES).strip()


def word(text: str) -> str:
    """A word as it is compared: without quotation marks and capitals."""
    return " ".join(plain(text).casefold().split())


_LOG2 = re.compile(r"\blog\s*_?\s*\{?2\}?\s*(?:\((\d+|e)\)|(\d+)\b)")
_LOGS = re.compile(r"\b(?:log|ln)\s*\((\d+)\)\s*/\s*(?:log|ln)\s*\((\d+)\)")


def value(text: str) -> Exact:
    """An exact value as `ndcg_lab.parse` reads it, and in the other notations for logarithms.

    Raises:
        NdcgLabError: where it can't be read.

    >>> value("1/log₂(6)") == value("1/log_2 6") == value("log(2)/log(6)")
    True
    """
    exact = plain(text).partition("≈")[0].rstrip(" .;")
    exact = _LOGS.sub(r"(log2(\1)/log2(\2))", exact)
    exact = _LOG2.sub(lambda found: f"log2({found[1] or found[2]})", exact)
    return parse(re.sub(r"\by_(\d+)\b", r"y(\1)", exact))


def numbers(text: str) -> list[Fraction]:
    """Several fractions: `1/4 1/2`, `1/4, 1/2` or `1/4 and 1/2`.

    Raises:
        NdcgLabError: where one can't be read.
    """
    return [Fraction(rational(part)) for part in re.split(r"[\s,;]+|\band\b", plain(text).strip("[]() ")) if part]


# ---------- orders ----------


def order(text: str, documents: Iterable[str] | None = None, *, whole: bool = False) -> Order:
    """A typed order, with every document known and, if `whole`, none missing.

    Args:
        text: `B C A D`, `B, C, A, D`, `B > C`, `bcad`, `X = B C A D`, with `=` between tied documents.
        documents: those that may be named.
        whole: whether each of them must be.

    Raises:
        NdcgLabError: naming the document.

    >>> str(order("bcad", "ABCD")), str(order("X = B C=A D", "ABCD")), str(order("1. B (2)  2. A (3)", "AB"))
    ('B C A D', 'B C=A D', 'B A')
    """
    listed = re.sub(r"→|->|≻|;", " ", plain(text))
    if documents is None:
        read = Order.parse(listed)
    else:
        known = list(documents)
        if not any(name.isdecimal() for name in known):  # ranks and grades, as a reading without a kernel prints them
            listed = re.sub(r"\(\s*-?\d+\s*\)|\b\d+\.(?=\s)", " ", listed)
        if named := re.match(r"\s*(\w+)\s*[=:]\s*(?=\S)", listed):
            listed = listed if _known(named[1], known) else listed[named.end() :]
        read = Order(
            tuple(group for typed in Order.parse(listed).groups for group in _groups(typed, known)),
            tuple(document for typed in Order.parse(listed).rest for (document,) in _groups((typed,), known)),
        )
        for document in read.documents:
            if document not in known:
                raise NdcgLabError(f"{document!r} is not among the documents {' '.join(known)}")
        missing = [document for document in known if document not in read.documents]
        if whole and missing:
            raise NdcgLabError(f"{' '.join(missing)}: not placed yet; use each of {' '.join(known)} once")
    if not read.documents:
        raise NdcgLabError("name the documents in order, such as B C A D")
    return read


def _known(typed: str, known: list[str]) -> str | None:
    """The document that is meant: as typed, or the one that differs in capitals alone."""
    if typed in known:
        return typed
    alike = [name for name in known if name.casefold() == typed.casefold()]
    return alike[0] if len(alike) == 1 else None


def _groups(typed: tuple[str, ...], known: list[str]) -> list[tuple[str, ...]]:
    """A place of the order as typed, as documents: a word of known letters, such as ABCD, is several places."""
    if len(typed) == 1 and _known(typed[0], known) is None:
        letters = [_known(letter, known) for letter in typed[0]]
        if None not in letters:
            return [(letter,) for letter in letters if letter is not None]
    return [tuple(_known(document, known) or document for document in typed)]


# ---------- grades ----------

_GRADE = re.compile(r"""(?:g\()?([^\s=:,;(){}]+?)\)?\s*(?:=|:|→|->)\s*([^\s,;={}:]+)""")


def grades(text: str) -> dict[str, str]:
    """Grades by document, not yet numbers: `A=3, B=2`, `A:3 B:2`, `A = 3; B = 2`.

    Raises:
        NdcgLabError: an entry that is none, or a document graded twice.

    >>> grades("A=3, B=−1"), grades("A:2 B:1")
    ({'A': '3', 'B': '-1'}, {'A': '2', 'B': '1'})
    """
    cleaned = re.sub(f"[{_QUOTES}]", "", plain(text)).strip("{} ")
    found: dict[str, str] = {}
    place = 0
    for entry in _GRADE.finditer(cleaned):
        _refuse_rest(cleaned[place : entry.start()])
        document, grade = entry[1], entry[2]
        if document in found:
            raise NdcgLabError(f"{document} is graded twice, {found[document]} and {grade}; write each document once")
        found[document] = grade
        place = entry.end()
    _refuse_rest(cleaned[place:])
    if not found:
        raise NdcgLabError(f"grades are written like A=3, B=2; {text.strip()!r} is not")
    return found


def _refuse_rest(text: str) -> None:
    if rest := text.strip(" ,;\n\t"):
        raise NdcgLabError(f"grades are written like A=3, B=2; {rest!r} is not")


# ---------- bounds and powers ----------

_POWER = r"(\d+)(?:\s*\^\s*(\d+))?"
_INEQUALITY = re.compile(rf"(?<![\w^/.)@-])(?<![-+*/] ){_POWER}\s*([<>])\s*{_POWER}(?![\d/.^]|\s*(?:[*·]|a\b|log|y\())")
_LARGEST = 4000  # digits of a power


def inequalities(text: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The inequalities of whole powers in a text, each as its smaller and larger side, as (base, exponent).

    `3^5 < 2^8`, `3⁵ < 2⁸ (243 < 256)` and `3 < 2^4` are read; a side without an exponent has 1.

    >>> inequalities("2⁸ > 3⁵")
    [((3, 5), (2, 8))]
    """
    found = []
    for match in _INEQUALITY.finditer(plain(text)):
        sides = [(int(match[1]), int(match[2] or 1)), (int(match[4]), int(match[5] or 1))]
        if any(len(str(base)) * exponent > _LARGEST for base, exponent in sides):
            raise NdcgLabError("these powers are too large to compare here")
        found.append((sides[0], sides[1]) if match[3] == "<" else (sides[1], sides[0]))
    return found


def bound(text: str) -> tuple[str, Exact]:
    """A bound as it is asked for, and the side that it was said to be on: `5/8`, `a > 5/8`, `5/8 < 1/log2(3)`.

    The side is ">" where the logarithm was said to be above the bound, "<" below it, "" where only the bound was given.

    >>> bound("a > 5/8")[0], bound("2/3 > a")[0], bound("5/8")[0]
    ('>', '<', '')
    """
    match [part for part in re.split(r"([<>])=?", plain(text)) if part.strip()]:
        case [one, sign, other]:
            values = value(one), value(other)
            if values[0].is_rational and not values[1].is_rational:
                return {"<": ">", ">": "<"}[sign], values[0]
            return sign, values[1]
    return "", value(text)
