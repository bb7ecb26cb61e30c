"""Faults of a JSON record, each named by its place."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ndcg_lab.errors import brief, cut
from ndcg_lab.json_text import inside

__all__ = ["ABSENT", "Fault", "Faults", "same"]

_LONGEST = 100  # characters of a JSON value in a message


class _Absent:
    """What is not there."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = _Absent()


@dataclass(frozen=True)
class Fault:
    """One thing in a report that does not hold.

    Attributes:
        place: where, as a path: `queries[3].rows[1].contribution.float`.
        cause: what is wrong there, in words.
        found: what stands there, as JSON; `ABSENT` where nothing does.
        expected: what should; `ABSENT` where nothing should, or where no single thing should.
    """

    place: str
    cause: str
    found: Any = ABSENT
    expected: Any = ABSENT

    def to_json(self) -> dict[str, Any]:
        """The place, the cause, and what was found and expected, where that is something."""
        sides = {"found": self.found, "expected": self.expected}
        stated = {name: _as_json(side) for name, side in sides.items() if side is not ABSENT}
        return {"place": self.place, "cause": self.cause, **stated}

    def __str__(self) -> str:
        sides = [("found", self.found), ("expected", self.expected)]
        stated = [f"{name} {shown(side)}" for name, side in sides if side is not ABSENT]
        return cut(f"{self.place}: {self.cause}" + (f" ({', '.join(stated)})" if stated else ""))


class Faults:
    """Faults as they are found, the first at each place."""

    def __init__(self) -> None:
        self._by_place: dict[str, Fault] = {}

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._by_place.values())

    def __len__(self) -> int:
        return len(self._by_place)

    def add(self, place: str, cause: str, found: Any = ABSENT, expected: Any = ABSENT) -> None:
        """Note a fault."""
        place = place or "the report"
        self._by_place.setdefault(place, Fault(place, cause, found, expected))

    def compare(self, found: Any, expected: Any, place: str) -> None:
        """Note every place where a value parts from the one that is expected."""
        if isinstance(expected, Mapping) and isinstance(found, Mapping):
            if "obtained" in found and "float" in expected:  # a number of the batch path
                expected = {"float": expected["float"], "obtained": "certified"}
            for key, value in expected.items():
                if key in found:
                    self.compare(found[key], value, inside(place, key))
                else:
                    self.add(inside(place, key), "is missing", ABSENT, value)
            for key in found:
                if key not in expected:
                    self.add(inside(place, key), "is not expected", found[key])
        elif isinstance(expected, list) and isinstance(found, list):
            for index, (one, other) in enumerate(zip(found, expected, strict=False)):
                self.compare(one, other, inside(place, index))
            for index in range(len(found), len(expected)):
                self.add(inside(place, index), "is missing", ABSENT, expected[index])
            for index in range(len(expected), len(found)):
                self.add(inside(place, index), "is not expected", found[index])
        elif not same(found, expected):
            self.add(place, "does not follow from the records", found, expected)


def same(found: Any, expected: Any) -> bool:
    """Whether two plain JSON values are one: true is not 1, but 1.0 is."""
    kinds = {
        bool if isinstance(value, bool) else float if isinstance(value, int | float) else type(value)
        for value in (found, expected)
    }
    return len(kinds) == 1 and bool(found == expected)


def shown(value: Any) -> str:
    """A JSON value in a message: in ASCII, of bounded length."""
    try:
        text = json.dumps(_as_json(value))
    except (TypeError, ValueError, RecursionError):  # no JSON, or a whole number that Python doesn't print
        text = brief(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _as_json(value: Any) -> Any:
    """As JSON can hold it: nan and infinities as texts."""
    if isinstance(value, Mapping):
        return {str(key): _as_json(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(part) for part in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
