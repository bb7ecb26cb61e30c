"""Checks a report against itself: every number is computed anew from the report's own records.

What a report states is its settings and records (judgments, rankings, weights) and what follows from them. `verify`
evaluates the records and compares everything that stands in the report with what follows, place by place.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any

from ndcg_lab.errors import FormatError, NdcgLabError, require
from ndcg_lab.exact.rationals import Number, rational
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation, Contract, Field
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.reports.faults import ABSENT, Fault, Faults, Repeating, inside, same
from ndcg_lab.reports.report import SCHEMA, Report, evaluate_run
from ndcg_lab.reports.trec import Run, read_source

__all__ = ["verify"]

_TRIED = 5  # queries that another setting is tried on
_KEYS = ("schema", "contract", "aggregation", "notes", "queries", "excluded", "mean")


def verify(report: Report | Mapping[str, Any] | list[Any] | str | Path) -> list[Fault]:
    """Everything in a report that does not follow from its own records; empty where all holds.

    The order of keys is no fault, nor is another spelling of the same JSON number; another spelling of a rational in a
    text ("1.0" for "1") is one, for no report is written so. What enters no number and follows from none (`need`,
    `source`, how a score is spelled) can't be told.

    Args:
        report: a `Report`, the object or the text of its JSON, or the path of such a file, plain or gzip. A list of
            reports is one report after the other.

    Raises:
        FormatError: for what is not JSON at all, and for a list without reports.

    >>> from ndcg_lab import Contract, evaluate_run
    >>> report = evaluate_run(Contract(gain="linear", k=2), {"q1": ["B", "A"]}, {"q1": {"A": 3, "B": 2}}).to_json()
    >>> verify(report)
    []
    >>> report["queries"][0]["dcg"]["terms"][1][1] = "4"
    >>> print(*verify(report))
    queries[0].dcg.terms[1][1]: does not follow from the records (found "4", expected "3")
    """
    record = report.to_json() if isinstance(report, Report) else _read(report)
    if isinstance(record, list):
        if not record:
            raise FormatError("a list of 0 reports: there is nothing to verify")
        return [fault for index, one in enumerate(record) for fault in _Check(one, f"[{index}]").run()]
    return _Check(record, "").run()


def _read(report: Mapping[str, Any] | list[Any] | str | Path) -> Any:
    if isinstance(report, Mapping | list):
        return report
    require((str, PathLike), "report", report, "a Report, its JSON, or the path of a file")
    name, text = "the text", str(report)
    if isinstance(report, Path) or not text.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        name, data = read_source(report)
        text = data.decode()
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=Repeating)
    except json.JSONDecodeError as error:
        raise FormatError(f"{name}, line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:  # nested too deeply; a whole number of too many digits
        raise FormatError(f"{name}: not a report: {error}") from None


class _Check:
    """One report, at a place, and its faults."""

    def __init__(self, record: Any, place: str) -> None:
        self.record, self.place = record, place
        self.faults = Faults()

    def run(self) -> list[Fault]:
        if not isinstance(self.record, Mapping):
            self.faults.add(self.place, f"is no object of schema {SCHEMA}", self.record)
            return list(self.faults)
        self.shape()
        settings = [self.settings("contract", FIELDS), self.settings("aggregation", AGGREGATION_FIELDS)]
        entries = self.entries()
        if None in settings or entries is None:
            return list(self.faults)  # nothing follows from what can't be read
        contract, aggregation = Contract(**settings[0] or {}), Aggregation(**settings[1] or {})
        self.base({**contract.to_json(), **aggregation.to_json()})
        try:
            expected = _evaluated(contract, aggregation, entries.values())
        except NdcgLabError as error:
            self.refused(contract, aggregation, entries, error)
        else:
            self.queries(entries, expected)
            for key in ("notes", "mean"):
                self.faults.compare(self.record.get(key), expected[key], inside(self.place, key))
        # A changed setting makes faults of most numbers: it is named first.
        return [*self.likely(contract, aggregation, entries), *self.faults]

    def shape(self) -> None:
        """The keys of the report."""
        self.faults.spelling(self.record, self.place)
        for key in _KEYS:
            if key not in self.record:
                self.faults.add(inside(self.place, key), "is missing")
        for key, value in self.record.items():
            if key not in (*_KEYS, "base"):
                self.faults.add(inside(self.place, key), "is not expected", value)
        self.faults.compare(self.record.get("schema"), SCHEMA, inside(self.place, "schema"))

    def likely(self, contract: Contract, aggregation: Aggregation, entries: "Mapping[str, _Entry]") -> Iterator[Fault]:
        """Settings with another value of which the numbers of the queries would follow."""
        places = {fault.place[: fault.place.find("]", len(self.place)) + 1] for fault in self.faults}
        suspects = [entry for entry in entries.values() if entry.place in places][:_TRIED]
        faulty = [entry for entry in suspects if not entry.holds(contract, aggregation)]
        if not faulty:
            return
        others = [entry for entry in entries.values() if entry.place not in places]
        tried = [*faulty, *others[:_TRIED]]
        for field in FIELDS:
            for choice in _choices(field, faulty):
                changed = contract.replace(**{field.name: choice})
                if all(entry.holds(changed, aggregation) for entry in tried):
                    place = inside(inside(self.place, "contract"), field.name)
                    cause = "does not give the queries' numbers, and another value does"
                    yield Fault(place, cause, getattr(contract, field.name), getattr(changed, field.name))
                    break

    def settings(self, name: str, fields: tuple[Field, ...]) -> dict[str, Any] | None:
        """The contract or the aggregation; None where it can't be used."""
        place, stated = inside(self.place, name), self.record.get(name)
        if not isinstance(stated, Mapping):
            self.faults.add(place, "is no object", stated)
            return None
        for key in stated:
            if key not in {field.name for field in fields}:
                self.faults.add(inside(place, key), "is no such field", stated[key])
        read: dict[str, Any] = {}
        for field in fields:
            here, value = inside(place, field.name), stated.get(field.name, ABSENT)
            if value is ABSENT:
                self.faults.add(here, f"is missing; choices: {field.spellings}")
                continue
            try:
                read[field.name] = field.parse(value)
            except NdcgLabError as error:
                self.faults.add(here, str(error), value)
                continue
            if not same(value, read[field.name]):
                self.faults.add(here, "is not written so", value, read[field.name])
        return read if len(read) == len(fields) else None

    def entries(self) -> "dict[str, _Entry] | None":
        """The records by query; None where one can't be used."""
        entries: dict[str, _Entry] = {}
        usable = True
        for part in ("queries", "excluded"):
            listed = self.record.get(part)
            if not isinstance(listed, list):
                self.faults.add(inside(self.place, part), "is no list", listed)
                usable = False
                continue
            for index, record in enumerate(listed):
                entry = _Entry(self.faults, record, inside(inside(self.place, part), index), part)
                if entry.usable and entry.query in entries:
                    self.faults.add(inside(entry.place, "query"), "stands in the report twice", entry.query)
                    usable = False
                usable = usable and entry.usable
                entries[entry.query] = entry
        return entries if usable else None

    def base(self, final: Mapping[str, Any]) -> None:
        """What the contract was taken from: a convention of this version, or a file that is not at hand."""
        base, place = self.record.get("base", ABSENT), inside(self.place, "base")
        if base is ABSENT:
            return
        if not isinstance(base, Mapping) or not isinstance(base.get("name"), str):
            self.faults.add(place, "does not name what the contract was taken from", base)
            return
        from ndcg_lab.conventions import conventions

        replaced: dict[str, Any] = {}
        if base["name"] in conventions:
            system = conventions[base["name"]]
            start = {**system.contract.to_json(), **system.aggregation.to_json()}
            replaced = {name: start[name] for name in start if start[name] != final[name]}
        elif isinstance(base.get("overridden"), Mapping):
            for field in (*FIELDS, *AGGREGATION_FIELDS):
                value = base["overridden"].get(field.name, ABSENT)
                if value is not ABSENT and _was(field, value, final[field.name]):
                    replaced[field.name] = value
        self.faults.compare(base, {"name": base["name"], "overridden": replaced}, place)

    def queries(self, entries: "Mapping[str, _Entry]", expected: Mapping[str, Any]) -> None:
        """Each query's part; a query that stands in the wrong list."""
        for part, cause in (("queries", "is averaged"), ("excluded", "is left out")):
            for record in expected[part]:
                entry = entries[record["query"]]
                if entry.part == part:
                    entry.compare(record, self.faults)
                else:
                    self.faults.add(entry.place, f"under these settings and records this query {cause}", entry.query)

    def refused(
        self, contract: Contract, aggregation: Aggregation, entries: "Mapping[str, _Entry]", error: NdcgLabError
    ) -> None:
        """The settings refuse the records: name which, and what else is wrong with the others."""
        refused = False
        for entry in entries.values():
            try:
                self.queries(entries, _evaluated(contract, aggregation, [entry]))
            except NdcgLabError as cause:
                if entry.weight:  # a query alone of weight 0 has no mean
                    self.faults.add(entry.place, f"the settings refuse these records: {cause}", entry.query)
                    refused = True
        if not refused:
            self.faults.add(self.place, f"the settings refuse the records: {error}")


class _Entry:
    """What the report states of one query."""

    def __init__(self, faults: Faults, record: Any, place: str, part: str) -> None:
        self.faults, self.record, self.place, self.part = faults, record, place, part
        self.query, self.weight = "", Fraction(1)
        self.judgments, self.ranking = Judgments({}), Ranking([])
        self.usable = True
        if not isinstance(record, Mapping):
            self.unusable(place, "is no object", record)
            return
        query = record.get("query", ABSENT)
        if isinstance(query, str):
            self.query = query
        else:
            self.unusable(inside(place, "query"), "is no text", query)
        for name in ("need", "source", "rank_conflict"):
            if not isinstance(record.get(name), str | None):
                self.unusable(inside(place, name), "is no text", record[name])
        self.weight = Fraction(self.number(record.get("weight", ABSENT), "weight") or 0)
        if self.weight < 0:
            self.unusable(inside(place, "weight"), "is negative", record["weight"])
        self.read_judgments()
        self.read_ranking()

    def unusable(self, place: str, cause: str, found: Any) -> None:
        self.usable = False
        self.faults.add(place, cause if found is not ABSENT else "is missing", found)

    def number(self, value: Any, *keys: str | int) -> Number | None:
        """A rational number, as a report writes it: a text in lowest terms."""
        place = self.place
        for key in keys:
            place = inside(place, key)
        try:
            number = rational(value) if isinstance(value, str) else None
        except NdcgLabError:
            number = None
        if number is None:
            self.unusable(place, "is no rational number as text", value)
        elif value != str(number):
            self.faults.add(place, "is not written so", value, str(number))
        return number

    def read_judgments(self) -> None:
        place, stated = inside(self.place, "judgments"), self.record.get("judgments", ABSENT)
        if not isinstance(stated, Mapping):
            self.unusable(place, "is no object", stated)
            return
        grades = {document: self.number(grade, "judgments", document) for document, grade in stated.items()}
        scale = self.record.get("scale")
        if not isinstance(scale, list | None):
            self.unusable(inside(self.place, "scale"), "is no list", scale)
            return
        steps = None if scale is None else [self.number(step, "scale", index) for index, step in enumerate(scale)]
        if not self.usable:
            return
        # The order of keys means nothing, and the ideal may hold any of the documents of equal gain: those that it
        # does hold are put first, for it is a stable sort.
        rows = self.record.get("ideal")
        held = [row.get("document") for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
        order = dict.fromkeys([*(name for name in held if isinstance(name, str) and name in grades), *grades])
        told = {name: self.record.get(name) for name in ("need", "source")}
        try:
            self.judgments = Judgments({name: grades[name] for name in order}, scale=steps, **told)
        except NdcgLabError as error:
            self.unusable(place, str(error), stated)

    def read_ranking(self) -> None:
        place, stated = inside(self.place, "ranking"), self.record.get("ranking", ABSENT)
        if not isinstance(stated, list):
            self.unusable(place, "is no list", stated)
            return
        scored = any(isinstance(entry, Mapping) and "score" in entry for entry in stated)
        pairs: list[tuple[str, str]] = []
        for index, entry in enumerate(stated):
            here = inside(place, index)
            if not isinstance(entry, Mapping):
                self.unusable(here, "is no object", entry)
                continue
            document, score = entry.get("document", ABSENT), entry.get("score", ABSENT if scored else "0")
            for key, value in (("document", document), ("score", score)):
                if not isinstance(value, str):
                    self.unusable(inside(here, key), "is no text", value)
            if isinstance(document, str) and isinstance(score, str):
                try:
                    Ranking.from_scores([(document, score)])
                except NdcgLabError as error:
                    self.unusable(inside(here, "score"), str(error), score)
                pairs.append((document, score))
        if self.usable:
            self.ranking = Ranking.from_scores(pairs) if scored else Ranking([document for document, _ in pairs])

    def holds(self, contract: Contract, aggregation: Aggregation) -> bool:
        """Whether what is stated of this query follows under other settings."""
        faults = Faults()
        try:
            expected = _evaluated(contract, aggregation, [self])
        except NdcgLabError:
            return False
        for record in expected[self.part]:
            self.compare(record, faults)
        return bool(expected[self.part]) and not faults

    def compare(self, expected: Mapping[str, Any], faults: Faults) -> None:
        """Note what does not follow. A compact report leaves out rows and ideal, both together."""
        if self.part == "queries" and not {"rows", "ideal"} & set(self.record):
            expected = {key: value for key, value in expected.items() if key not in ("rows", "ideal")}
        # Where a row and the judgments disagree, either may have been changed: both places are named.
        rows = self.record.get("rows")
        for row in rows if isinstance(rows, list) else []:
            grade, document = (row.get("grade"), row.get("document")) if isinstance(row, Mapping) else (None, None)
            if isinstance(grade, str) and isinstance(document, str):
                judged = self.record["judgments"].get(document, ABSENT)
                if not same(judged, grade):
                    place = inside(inside(self.place, "judgments"), document)
                    faults.add(place, "is not the grade that a row has", judged, grade)
        faults.compare(self.record, expected, self.place)


def _evaluated(contract: Contract, aggregation: Aggregation, entries: Iterable[_Entry]) -> dict[str, Any]:
    """The report that follows from records, as JSON."""
    listed = list(entries)
    told = {entry.query: entry.record.get("rank_conflict") for entry in listed}
    run = Run(
        {entry.query: entry.ranking for entry in listed if entry.ranking},
        {query: conflict for query, conflict in told.items() if conflict is not None},
    )
    return evaluate_run(
        contract,
        run,
        {entry.query: entry.judgments for entry in listed},
        weights={entry.query: entry.weight for entry in listed},
        **aggregation.to_json(),
    ).to_json()


def _was(field: Field, value: Any, final: Any) -> bool:
    """Whether a value is one that a field can have had before it was replaced."""
    try:
        return same(field.parse(value), value) and not same(value, final)
    except NdcgLabError:
        return False


def _choices(field: Field, entries: Iterable[_Entry]) -> Iterator[object]:
    """The values of a field that can be tried: those without a parameter, and for k as many as there are rows."""
    if field.name == "k":
        parts = [entry.record.get(part) for entry in entries for part in ("rows", "ideal")]
        yield from sorted({len(rows) for rows in parts if isinstance(rows, list) and rows})
    for choice in field.choices:
        try:
            yield field.parse(choice.spelling)
        except NdcgLabError:  # a pattern, such as power:P
            continue
