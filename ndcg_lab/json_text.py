"""Reads JSON text as every command does: once, and a key that is given twice is not lost."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import reduce
from typing import Any

from ndcg_lab.errors import FormatError
from ndcg_lab.limits import JSON_DEPTH, JSON_DIGITS, beyond

__all__ = ["Repeating", "inside", "load", "load_strictly", "repeated", "require_shallow"]


class Repeating(dict[str, Any]):
    """A JSON object that knows which of its keys were given more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        keys = [key for key, _ in pairs]
        self.repeated = sorted({key for key in keys if keys.count(key) > 1}) if len(self) < len(keys) else []


def load(text: str, name: str = "", *, as_written: bool = False) -> Any:
    """JSON text, from a source of that name, as Python objects, each object a `Repeating`.

    With `as_written` numbers stay the texts that they are.

    Raises:
        FormatError: naming the source, line and cause.

    >>> load('{"k": 1, "k": 2}').repeated
    ['k']
    """
    try:
        kept: dict[str, Any] = {"parse_int": str, "parse_float": str} if as_written else {"parse_int": _whole}
        record = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=Repeating, **kept)
    except json.JSONDecodeError as error:
        place = f"{name}, " if name else ""
        raise FormatError(f"{place}line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from error
    except (FormatError, RecursionError) as error:
        cause = str(error) if isinstance(error, FormatError) else _TOO_DEEP
        raise FormatError(f"{name}: {cause}" if name else cause) from error
    if _depth(record) > JSON_DEPTH:
        raise FormatError(f"{name}: {_TOO_DEEP}" if name else _TOO_DEEP)
    return record


_TOO_DEEP = f"nested too deeply: brackets inside one another are {beyond('JSON_DEPTH')}"


def _whole(digits: str) -> int:
    if len(digits) > JSON_DIGITS:
        raise FormatError(f"a whole number of {len(digits):,} digits: without quotation marks {beyond('JSON_DIGITS')}")
    return int(digits) if len(digits) < 600 else int(Decimal(digits))  # `int` may refuse longer ones


def _depth(value: Any) -> int:
    """How many lists and objects stand inside one another, as far as one beyond the limit."""
    level, depth = [value], 0
    while level and depth <= JSON_DEPTH:
        level = [
            part
            for one in level
            if isinstance(one, Mapping | list)
            for part in (one.values() if isinstance(one, Mapping) else one)
            if isinstance(part, Mapping | list)
        ]
        depth += 1
    return depth


def require_shallow(record: Any) -> None:
    """Raise `FormatError` where a record, given as objects, is nested deeper than one that is read."""
    if _depth(record) > JSON_DEPTH:
        raise FormatError(_TOO_DEEP)


def load_strictly(text: str) -> Any:
    """JSON text as Python objects.

    Raises:
        FormatError: naming line and cause, or the place of a key that is given twice.
    """
    record = load(text)
    for place in repeated(record):
        raise FormatError(f"the key `{place}` is given more than once")
    return record


def repeated(value: Any, place: str = "") -> Iterator[str]:
    """The places of keys that were given more than once, inside a place."""
    for path in _paths(value):
        yield reduce(inside, path, place)


def _paths(value: Any) -> Iterator[list[str | int]]:
    """The ways to those keys. Places are written for these alone: a report holds hundreds of thousands."""
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        yield from ([key] for key in getattr(value, "repeated", ()))
        parts = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    for key, part in parts:
        if isinstance(part, dict | list):
            yield from ([key, *path] for path in _paths(part))


def inside(place: str, key: str | int) -> str:
    """The place of a key, or of an item, inside a place.

    >>> inside(inside("queries", 3), "ndcg"), inside("judgments", "a b")
    ('queries[3].ndcg', 'judgments["a b"]')
    """
    if isinstance(key, int):
        return f"{place}[{key}]"
    if re.fullmatch(r"\w+", key, re.ASCII):
        return f"{place}.{key}" if place else key
    return f"{place}[{json.dumps(key)}]"
