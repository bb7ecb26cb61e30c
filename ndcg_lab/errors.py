"""Every error that ndcg-lab raises on purpose.

The class names the case. The message names what was met, where (document, query, or file and line), the setting that
decides, and its choices; the setting and the choices are data too.
"""

import reprlib
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Self

MESSAGE = 300
"""The most characters of a message."""

_TAIL = 110  # of a longer one: its end names the setting and the choices
_LONG = 2_000  # bits up to which Python writes a whole number at its strictest


def cut(text: str, most: int = MESSAGE, tail: int = _TAIL) -> str:
    """A text of at most so many characters: of a longer one the beginning and the end.

    >>> cut("a" * 9 + "z" * 9, 9, 3)
    'aaa … zzz'
    """
    return text if len(text) <= most else f"{text[: most - tail - 3]} … {text[-tail:]}"


class _Brief(reprlib.Repr):
    """Any value in a few characters."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = 50

    def repr_int(self, x: int, level: int) -> str:  # noqa: ARG002 - as reprlib calls it
        if x.bit_length() > _LONG:
            return f"a whole number of {x.bit_length():,} bits"
        return cut(repr(x), self.maxlong, 20)


_brief = _Brief()


def brief(value: object) -> str:
    """What was met, as a message shows it: its `repr`, cut short; a number of thousands of digits by its length.

    >>> brief("x" * 99), brief(2**5000)
    ("'xxxxxxxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxxxxxxxxxx'", 'a whole number of 5,001 bits')
    """
    try:
        return _brief.repr(value)
    except (ValueError, RecursionError):  # a fraction of thousands of digits; what holds itself
        return f"a {type(value).__name__}"


class NdcgLabError(ValueError):
    """Base of all errors below: `except NdcgLabError` catches each of them.

    Attributes:
        setting: the name of the setting that decides, as `Contract` or `Aggregation` declares it; None where none does.
        choices: the spellings that this setting takes.
    """

    def __init__(self, message: str = "", *, setting: str | None = None, choices: Sequence[str] = ()) -> None:
        super().__init__(cut(message))
        self.setting = setting
        self.choices = tuple(choices)

    def retold(self, message: str) -> Self:
        """The same error in other words, such as with the query named that it was met in."""
        return type(self)(message, setting=self.setting, choices=self.choices)


class WrongKind(NdcgLabError, TypeError):
    """An argument of another kind than is taken, such as a list where a `Ranking` belongs."""


class MissingPackage(NdcgLabError, ImportError):
    """A package that is not installed, and what needs it."""


def require_package(name: str, needs: str) -> None:
    """Raise `MissingPackage` where a package can't be imported; the message says what needs it, and the command."""
    try:
        import_module(name)
    except ImportError:
        raise MissingPackage(f"{needs} needs {name}, which is not installed: pip install {name}") from None


def require(kinds: type | tuple[type, ...], name: str, value: object, write: str) -> None:
    """Raise `WrongKind` where an argument is of no such kind; the message ends with what to write."""
    if not isinstance(value, kinds):
        raise WrongKind(f"`{name}` can't be of the kind {type(value).__name__}: write {write}")


def meant(name: object, known: Iterable[str]) -> str:
    """What a misspelt name may have meant, in brackets for a message; nothing where none is like it.

    >>> meant("averge", ["best", "average"])
    ' (did you mean `average`?)'
    """
    from difflib import get_close_matches

    close = get_close_matches(str(name).lower(), by_lower := {one.lower(): one for one in known}, n=1)
    return f" (did you mean `{by_lower[close[0]]}`?)" if close else ""


# Settings.


class ContractError(NdcgLabError):
    """A field that does not exist, a required one left out, or a value that a field does not take."""


# Judgments, rankings, and what an evaluation refuses to choose.


class InvalidDocument(NdcgLabError):
    """A document id that is not text."""


class InvalidGrade(NdcgLabError):
    """A grade or gain that is not a rational number, or that the gain rule can't turn into one."""


class InvalidScore(NdcgLabError):
    """A score that can't be ordered: nan, an infinity, or no number at all."""


class TiedScores(NdcgLabError):
    """Equal scores whose order could change DCG, under `ties = error`."""


class UnjudgedDocument(NdcgLabError):
    """A returned document without a grade, under `unjudged = error`."""


class DuplicateDocument(NdcgLabError):
    """A document that was returned more than once, under `duplicates = error`."""


class NegativeGrade(NdcgLabError):
    """A negative grade under `negative = error`, or a negative gain from a table without `negative = allow`."""


class OffScale(NdcgLabError):
    """A grade that is not on the declared scale."""


class MissingGain(NdcgLabError):
    """A grade that the gain table has no entry for."""


class TooManyOutcomes(NdcgLabError):
    """More tie outcomes than the stated limit."""


# Exact values.


class Undecided(NdcgLabError):
    """A sign that could not be proved at the precision cap, or within the stated size. Never guessed."""


class UndefinedValue(NdcgLabError):
    """A number was asked of a value that has none, such as 0/0."""


class CertificateError(NdcgLabError):
    """A certificate that proves nothing."""


class NotExported(NdcgLabError):
    """A statement that is not written for Coq: its kind is not told there, or it is past a stated size."""


# Files and many queries.


class FormatError(NdcgLabError):
    """A line or record that can't be read: the message names file, line and cause."""


class MissingResults(NdcgLabError):
    """A judged query without results, under `missing = error`."""


class UnknownQuery(NdcgLabError):
    """A query that was named, or given a weight, and that no file holds."""
