"""Forgery: every change of a report at one place is found by `verify`, or is one of those that rightly pass.

All changes of each kind are made at every place; what passes, and why, is listed here and in docs/testing.md.
"""

from __future__ import annotations

import copy
import json
import random
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from ndcg_lab import Contract, Judgments, evaluate_run, verify
from tests.support import cases

if TYPE_CHECKING:
    from collections.abc import Iterator

Place = tuple[str | int, ...]


def _reports() -> dict[str, Any]:
    qrels: dict[str, Any] = {
        "q1": Judgments({"A": 3, "B": 2, "C": 2, "D": 0}, need="cars", scale=range(4), source="us"),
        "q2": {"F": "1/2", "G": 1},
        "q3": {"A": 1},
        "q4": {"Z": 0},
    }
    run: dict[str, Any] = {"q1": {"B": "0.9", "C": "0.8", "A": "0.7"}, "q2": {"E": 2, "F": 1}, "q4": {"Z": 1}}
    plain = Contract(gain="linear", k=3, unjudged="zero", zero_ideal="exclude")
    ties = Contract(gain="exponential", k=2, ties="average", discount="log:10")
    made = {
        "queries, weights and exclusions": evaluate_run(plain, run, qrels, missing="zero", weights={"q2": "3/2"}),
        "ties and another logarithm": evaluate_run(
            ties, {"q": {"A": 1, "B": 1, "C": 0}}, {"q": {"A": 2, "B": 1, "C": 0}}
        ),
        "an undefined mean": evaluate_run(ties, {"q": {"A": 1}}, {"q": {"A": 0}}),
        "ratio of sums": evaluate_run(plain, run, qrels, missing="zero", aggregate="ratio-of-sums"),
    }
    return {name: json.loads(json.dumps(report.to_json())) for name, report in made.items()}


REPORTS = _reports()


def _places(value: Any, place: Place = ()) -> Iterator[Place]:
    yield place
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from _places(part, (*place, key))


def _at(record: Any, place: Place) -> Any:
    for step in place:
        record = record[step]
    return record


def _others(value: Any) -> Iterator[tuple[str, Any]]:
    """Values that could stand there instead, each with what was done."""
    yield from ((f"becomes {kind}", other) for kind, other in (("null", None), ("a list", []), ("an object", {})))
    yield "becomes a truth value", True
    if isinstance(value, bool) or value is None:
        yield "becomes a text", "x"
    elif isinstance(value, int | float):
        yield from (
            ("one more", value + 1),
            ("negative", -value - 1),
            ("a text", str(value)),
            ("half of it", value / 2),
        )
        if isinstance(value, float) and value:
            yield "its last bit", value * (1 + 2**-52)
    elif isinstance(value, str):
        yield from (("a letter more", value + "x"), ("a blank more", value + " "), ("nothing", ""), ("another", "zzz"))
        for found in re.finditer(r"\d", value):
            yield (
                f"digit {found.start()}",
                value[: found.start()] + str((int(found[0]) + 1) % 10) + value[found.end() :],
            )
        if re.fullmatch(r"-?\d+(/\d+)?", value):
            yield from (("one more", str(Fraction(value) + 1)), ("the other sign", str(-Fraction(value))))


def _forged(record: Any) -> Iterator[tuple[Place, str, Any]]:
    """Every change at one place: the place, what was done, and the record."""

    def made(place: Place, value: Any, put: Any) -> Any:
        changed = copy.deepcopy(record)
        put(_at(changed, place[:-1]), place[-1], value)
        return changed

    def put(holder: Any, key: Any, value: Any) -> None:
        holder[key] = value

    def take(holder: Any, key: Any, _: Any) -> None:
        del holder[key]

    for place in _places(record):
        value = _at(record, place)
        if place:
            for done, other in _others(value):
                if json.dumps(other) != json.dumps(value):
                    yield place, done, made(place, other, put)
            yield place, "taken away", made(place, None, take)
        if isinstance(value, dict):
            changed = copy.deepcopy(record)
            _at(changed, place)["more"] = 1
            yield place, "a field more", changed
        if isinstance(value, list):
            changed = copy.deepcopy(record)
            inner = _at(changed, place)
            inner.append(copy.deepcopy(inner[-1]) if inner else "x")
            yield place, "the last twice", changed
            for index in range(len(value) - 1):
                if value[index] != value[index + 1]:
                    changed = copy.deepcopy(record)
                    inner = _at(changed, place)
                    inner[index], inner[index + 1] = inner[index + 1], inner[index]
                    yield (*place, index), "swapped with the next", changed


def _rightly(record: Any, place: Place, done: str) -> str | None:
    """Why a change may pass; None for one that may not."""
    part, field = (place[0], place[-1]) if place else ("", "")
    inside = set(place[2:])
    if part == "contract" and isinstance(_at(record, place), int) and done == "a text":
        return "a setting spelled otherwise: 3 and '3' are one"
    if part not in {"queries", "excluded"}:
        return None
    if len(place) == 2 and done == "swapped with the next":
        return "queries in another order"
    if field == "query":
        return "the query's name, where nothing else in the report names it"
    if inside & {"need", "source", "scale"}:
        return "what was sought, who judged, and on which scale: no number follows from it"
    if field == "weight" and (part == "excluded" or len(record["queries"]) == 1):
        return "a weight beside which there is none, or of a query that is not averaged"
    if field == "score":
        return "a score that leaves the order, and the ties, as they are"
    if part == "excluded" and inside & {"judgments", "ranking"}:
        return "records of a query that is left out, and still is for the same reason"
    if "judgments" in inside:  # of a query that is averaged
        query = record["queries"][place[1]]
        shown = {row["document"] for row in [*query["rows"], *query["ideal"]]}
        return "the grade of a document that counts in neither list" if field not in shown else None
    if "ranking" in inside:
        return "returned documents that count for nothing, or scored ones in another order of lines"
    if "ideal" in inside and (field == "document" or done == "swapped with the next"):
        return "another document of equal gain in the ideal"
    if field in {"rows", "ideal"} and done in {"taken away", "becomes null"}:
        return "a compact report leaves out rows"
    return None


@pytest.mark.parametrize("name", REPORTS)
def test_every_change_of_a_report_is_found_or_rightly_passes(name: str) -> None:
    record = REPORTS[name]
    assert verify(record) == []
    draw = random.Random(name)  # noqa: S311 - a sample, the same each time
    share = cases(ci=4, long=100)
    for place, done, changed in _forged(record):
        if draw.randrange(100) < share and not verify(changed):
            assert _rightly(record, place, done), (place, done)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("queries", 0, "dcg", "enclosure"), None),
        (("mean", "ndcg", "enclosure"), None),
        (("mean", "ndcg", "decimal"), "1e999999999"),
    ],
)
def test_a_change_that_once_stopped_verify_is_found(place: Place, value: Any) -> None:
    changed = copy.deepcopy(REPORTS["ratio of sums"])
    _at(changed, place[:-1])[place[-1]] = value
    assert [fault.place for fault in verify(changed)]


@pytest.mark.parametrize("name", REPORTS)
def test_a_key_that_is_given_twice_is_found(name: str) -> None:
    text = json.dumps(REPORTS[name])
    keys = [found.start() for found in re.finditer(r'"[a-z_]+": ', text)]
    for start in keys[:: max(1, len(keys) // 40)]:
        key = text[start : text.index(": ", start) + 2]
        assert verify(f"{text[:start]}{key}0, {text[start:]}"), key
