"""Checks a report against itself: every number is computed anew from the report's own records.

What a report states is its settings and records (judgments, rankings, weights) and what follows from them. `verify`
evaluates the records and compares everything that stands in the report with what follows, place by place.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any

from ndcg_lab.conventions import conventions
from ndcg_lab.errors import FormatError, NdcgLabError, require
from ndcg_lab.exact.rationals import rational
from ndcg_lab.json_text import inside, load
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation, Contract, Field
from ndcg_lab.measure.data import Judgments
from ndcg_lab.reports.bounds import Bounds, bounds, exactly, weighted, wrong
from ndcg_lab.reports.faults import ABSENT, Fault, Faults, same
from ndcg_lab.reports.records import Base, QueryRecord
from ndcg_lab.reports.report import Report, evaluate_records
from ndcg_lab.reports.report_file import Checked, check
from ndcg_lab.reports.sources import read_source
from ndcg_lab.reports.trec import conflict_follows

__all__ = ["verify"]

_TRIED = 5  # queries that another setting is tried on


def verify(report: Report | Mapping[str, Any] | list[Any] | str | Path) -> list[Fault]:
    """Everything in a report that does not follow from its own records; empty where all holds.

    The order of keys is no fault, nor is another spelling of the same JSON number; another spelling of a rational in a
    text ("1.0" for "1") is one, for no report is written so. Printed digits are also checked against bounds that share
    no code with their printing.

    Not checked, because nothing in a report tells it: `need`, `source`, how a score is spelled; of a contract's file
    (`base` with `"kind": "file"`) its name and the values that were replaced, but that they are values of their
    settings; the rank column that a `rank_conflict` quotes, but that its documents and scores are the ranking's.

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
        return [fault for index, one in enumerate(record) for fault in _verified(one, f"[{index}]")]
    return _verified(record, "")


def _read(report: Mapping[str, Any] | list[Any] | str | Path) -> Any:
    if isinstance(report, Mapping | list):
        return report
    require((str, PathLike), "report", report, "a Report, its JSON, or the path of a file")
    name, text = "the text", str(report)
    if isinstance(report, Path) or not text.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        name, data = read_source(report)
        text = data.decode()
    return load(text, name)


def _verified(record: Any, place: str) -> list[Fault]:
    """The faults of one report, at a place."""
    checked, faults = check(record, place)
    if checked is not None:
        _Check(checked, record, place, faults).run()
    return list(faults)


class _Check:
    """One report whose form holds, at a place: what follows from it is compared with what it states."""

    def __init__(self, checked: Checked, record: Any, place: str, faults: Faults) -> None:
        self.contract, self.aggregation = checked.contract, checked.aggregation
        self.record, self.place, self.faults = record, place, faults
        stated = [*self.record["queries"], *self.record["excluded"]]
        self.entries = {
            read.query: _Entry(read, written, here)
            for (here, read), written in zip(checked.records.items(), stated, strict=True)
        }

    def run(self) -> None:
        follows = Faults()
        for part, settings in (("contract", self.contract), ("aggregation", self.aggregation)):
            follows.compare(self.record[part], settings.to_json(), inside(self.place, part))
        self.base(follows)
        try:
            expected = _evaluated(self.contract, self.aggregation, self.entries.values())
        except NdcgLabError as error:
            self.refused(error, follows)
        else:
            self.queries(expected, follows)
            for key in ("notes", "mean"):
                follows.compare(self.record[key], expected[key], inside(self.place, key))
            self.numbers(expected, follows)
        # A changed setting makes faults of most numbers: it is named first.
        for fault in (*self.likely(follows), *follows):
            self.faults.add(fault.place, fault.cause, fault.found, fault.expected)

    def likely(self, faults: Faults) -> Iterator[Fault]:
        """Settings with another value of which the numbers of the queries would follow."""
        places = {fault.place[: fault.place.find("]", len(self.place)) + 1] for fault in faults}
        suspects = [entry for entry in self.entries.values() if entry.place in places][:_TRIED]
        faulty = [entry for entry in suspects if not entry.holds(self.contract, self.aggregation)]
        if not faulty:
            return
        others = [entry for entry in self.entries.values() if entry.place not in places]
        tried = [*faulty, *others[:_TRIED]]
        for field in FIELDS:
            for choice in _choices(field, faulty):
                changed = self.contract.replace(**{field.name: choice})
                if all(entry.holds(changed, self.aggregation) for entry in tried):
                    place = inside(inside(self.place, "contract"), field.name)
                    cause = "does not give the queries' numbers, and another value does"
                    yield Fault(place, cause, getattr(self.contract, field.name), getattr(changed, field.name))
                    break

    def base(self, faults: Faults) -> None:
        """What the contract was taken from: a convention of this version, or a file, which is not at hand.

        Of a file its name and the values that it had are not checked, but that they can have been replaced.
        """
        base, place = self.record.get("base"), inside(self.place, "base")
        if base is None:
            return
        final = {**self.contract.to_json(), **self.aggregation.to_json()}
        if base.get("kind") == "file":
            replaced = {
                field.name: base["overridden"][field.name]
                for field in (*FIELDS, *AGGREGATION_FIELDS)
                if field.name in base["overridden"] and _was(field, base["overridden"][field.name], final[field.name])
            }
        elif base["name"] in conventions:
            system = conventions[base["name"]]
            start = {**system.contract.to_json(), **system.aggregation.to_json()}
            replaced = {name: start[name] for name in start if start[name] != final[name]}
        else:
            faults.add(
                inside(place, "name"), "is no convention of this version, and not marked as a file", base["name"]
            )
            return
        faults.compare(base, Base(base["name"], replaced, base.get("kind")).to_json(), place)

    def queries(self, expected: Mapping[str, Any], faults: Faults) -> None:
        """Each query's part; a query that stands in the wrong list."""
        for part, cause in (("queries", "is averaged"), ("excluded", "is left out")):
            for record in expected[part]:
                entry = self.entries[record["query"]]
                if entry.part == part:
                    entry.compare(record, faults)
                else:
                    faults.add(entry.place, f"under these settings and records this query {cause}", entry.read.query)

    def numbers(self, expected: Mapping[str, Any], faults: Faults) -> None:
        """Every printed number, against bounds that share nothing with what prints it."""
        known: dict[str, Any] = {}
        for follows in expected["queries"]:
            entry = self.entries[follows["query"]]
            if entry.part != "queries":
                continue
            for name in ("dcg", "idcg", "ndcg"):
                _holds(entry.written[name], follows[name], inside(entry.place, name), faults)
            for part in ("rows", "ideal"):
                pairs = zip(entry.written.get(part) or (), follows[part], strict=False)
                for index, (row, right) in enumerate(pairs):
                    place = inside(inside(entry.place, part), index)
                    for name in ("discount", "contribution"):
                        exact = right[name]["exact"]  # ranks and gains repeat, and so do their numbers
                        if known.get(exact) != row[name] and _holds(
                            row[name], right[name], inside(place, name), faults
                        ):
                            known[exact] = row[name]
        values = {name: self.over_queries(name, expected) for name in ("dcg", "ndcg")}
        for name, value in values.items():
            stated, place = self.record["mean"][name], inside(inside(self.place, "mean"), name)
            if value is not None:
                _are_of(value, stated, place, faults)

    def over_queries(self, name: str, expected: Mapping[str, Any]) -> Bounds | None:
        """Bounds on the mean, from those on the queries' values; None where it is no number, or supplied."""
        records = expected["queries"]
        if "undefined" in expected["mean"][name]:
            return None
        weights = [Fraction(rational(record["weight"])) for record in records]

        def values(part: str) -> list[tuple[Fraction, Bounds]]:
            return [(weight, bounds(record[part])) for weight, record in zip(weights, records, strict=True)]

        if name == "ndcg" and self.aggregation.aggregate == "ratio-of-sums":
            return weighted(values("dcg"), values("idcg")) if any(r["idcg"]["terms"] for r in records) else None
        return weighted(values(name), [(weight, exactly(Fraction(1))) for weight in weights])

    def refused(self, error: NdcgLabError, faults: Faults) -> None:
        """The settings refuse the records: name which, and what else is wrong with the others."""
        refused = False
        for entry in self.entries.values():
            try:
                self.queries(_evaluated(self.contract, self.aggregation, [entry]), faults)
            except NdcgLabError as cause:
                if entry.read.weight:  # a query alone of weight 0 has no mean
                    faults.add(entry.place, f"the settings refuse these records: {cause}", entry.read.query)
                    refused = True
        if not refused:
            faults.add(self.place, f"the settings refuse the records: {error}")


class _Entry:
    """One query of a report: the records that were read, and all that is stated of it."""

    def __init__(self, read: QueryRecord, written: Mapping[str, Any], place: str) -> None:
        # The order of keys means nothing, and the ideal may hold any of the documents of equal gain: those that it
        # does hold are put first, for it is a stable sort.
        judgments = read.judgments
        held = [row["document"] for row in written.get("ideal") or () if row["document"] in judgments]
        grades = {name: judgments[name] for name in dict.fromkeys([*held, *judgments])}
        ordered = Judgments(grades, need=judgments.need, scale=judgments.scale, source=judgments.source)
        self.read = replace(read, judgments=ordered)
        self.written, self.place = written, place
        self.part = "excluded" if "reason" in written else "queries"

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
        if self.part == "queries" and not {"rows", "ideal"} & set(self.written):
            expected = {key: value for key, value in expected.items() if key not in ("rows", "ideal")}
        # Where a row and the judgments disagree, either may have been changed: both places are named.
        for row in self.written.get("rows") or ():
            judged = self.written["judgments"].get(row["document"], ABSENT)
            if row["grade"] is not None and not same(judged, row["grade"]):
                place = inside(inside(self.place, "judgments"), row["document"])
                faults.add(place, "is not the grade that a row has", judged, row["grade"])
        faults.compare(self.written, expected, self.place)
        told = self.read.rank_conflict
        if told is not None and not conflict_follows(self.read.ranking, told):
            faults.add(inside(self.place, "rank_conflict"), "does not contradict the scores of these documents", told)


def _holds(stated: Mapping[str, Any], follows: Mapping[str, Any], place: str, faults: Faults) -> bool:
    """Whether the printed numbers of a value are right; notes those that are not."""
    return "undefined" in follows or _are_of(bounds(follows), stated, place, faults)


def _are_of(value: Bounds, stated: Mapping[str, Any], place: str, faults: Faults) -> bool:
    names = wrong(stated, value)
    for name in names:
        faults.add(inside(place, name), "is not the value's, by bounds computed apart", stated[name])
    return not names


def _evaluated(contract: Contract, aggregation: Aggregation, entries: Iterable[_Entry]) -> dict[str, Any]:
    """The report that follows from records, as JSON."""
    return evaluate_records(contract, aggregation, [entry.read for entry in entries]).to_json()


def _was(field: Field, value: Any, final: Any) -> bool:
    """Whether a value is one that a field can have had before it was replaced."""
    try:
        return same(field.parse(value), value) and not same(value, final)
    except NdcgLabError:
        return False


def _choices(field: Field, entries: Iterable[_Entry]) -> Iterator[object]:
    """The values of a field that can be tried: those without a parameter, and for k as many as there are rows."""
    if field.name == "k":
        parts = [entry.written.get(part) for entry in entries for part in ("rows", "ideal")]
        yield from sorted({len(rows) for rows in parts if rows})
    for choice in field.choices:
        try:
            yield field.parse(choice.spelling)
        except NdcgLabError:  # a pattern, such as power:P
            continue
