"""What a report file holds, as the models that files are checked by and that the published JSON Schema is made of.

The published schema is `ndcg_lab/schema/report-1.json`; `python -m ndcg_lab.reports.report_file` prints it anew.
"""

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StrictInt, Tag, ValidationError

from ndcg_lab.errors import FormatError, NdcgLabError
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS
from ndcg_lab.measure.contract import Field as Setting
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.reports.trec import Source, read_source

if TYPE_CHECKING:
    from ndcg_lab.reports.report import Report

Rational = Annotated[str, Field(pattern=r"^-?[0-9]+(/[1-9][0-9]*)?$", examples=["2", "-8/5"])]
Weight = Annotated[str, Field(pattern=r"^[0-9]+(/[1-9][0-9]*)?$", examples=["1", "1/2"])]
Decimal = Annotated[str, Field(pattern=r"^-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?$", examples=["0.63092975357145743710"])]
Double = Annotated[float, Field(allow_inf_nan=False)]
Term = tuple[Annotated[StrictInt, Field(ge=2)], Rational]
"""`[b, q]` stands for q/log2(b)."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LinearValue(_Record):
    """A sum of terms q/log2(b), times `scale` where that stands; [] is 0. `float` is null beyond the doubles."""

    exact: str
    terms: list[Term]
    scale: str | None = None
    float: Double | None
    decimal: Decimal
    enclosure: tuple[Rational, Rational] | None = None


class QuotientValue(_Record):
    """One sum of terms over another."""

    exact: str
    numerator: list[Term]
    denominator: list[Term]
    float: Double | None
    decimal: Decimal
    enclosure: tuple[Rational, Rational] | None = None


class EnclosedValue(_Record):
    """A number between two rational ones; `exact` where it has a short exact form."""

    exact: str | None = None
    float: Double | None
    decimal: Decimal
    enclosure: tuple[Rational, Rational]


class BatchValue(_Record):
    """A double from the batch path, and how it was obtained."""

    float: Double | None
    obtained: str


class UndefinedValue(_Record):
    """No number, and why; for a mean, because of which queries."""

    undefined: str
    queries: tuple[str, ...] = ()


def _kind(value: Any) -> str | None:
    """Which kind of value a record is, by the key that only that kind has."""
    if isinstance(value, dict):
        for key in ("terms", "numerator", "enclosure", "obtained", "undefined"):
            if key in value:
                return key
    return None


Value = Annotated[
    Annotated[LinearValue, Tag("terms")]
    | Annotated[QuotientValue, Tag("numerator")]
    | Annotated[EnclosedValue, Tag("enclosure")]
    | Annotated[BatchValue, Tag("obtained")]
    | Annotated[UndefinedValue, Tag("undefined")],
    Discriminator(_kind),
]


class RankedDocument(_Record):
    """A returned document, in the order given; `score` as it was written, where the ranking has scores."""

    document: str
    score: str | None = None


class RowRecord(_Record):
    """One rank of the list or of the ideal. `grade` is null for an unjudged document."""

    rank: Annotated[StrictInt, Field(ge=1)]
    document: str
    grade: Rational | None
    gain: Rational
    discount: Value
    contribution: Value


class QueryRecords(_Record):
    """What a query brings."""

    query: str
    weight: Weight
    need: str | None = None
    scale: list[Rational] | None = None
    source: str | None = None
    judgments: dict[str, Rational]
    ranking: list[RankedDocument]
    rank_conflict: str | None = None

    def as_judgments(self) -> Judgments:
        """The judgments, with what is said about them."""
        return Judgments(self.judgments, need=self.need, scale=self.scale, source=self.source)

    def as_ranking(self) -> Ranking:
        """The ranking, by its scores where it has them."""
        scored = [(entry.document, entry.score) for entry in self.ranking if entry.score is not None]
        if len(scored) not in (0, len(self.ranking)):
            raise FormatError(f"query {self.query!r}: some entries of its ranking have a score and others have none")
        return Ranking.from_scores(scored) if scored else Ranking([entry.document for entry in self.ranking])


class AveragedQuery(QueryRecords):
    """A query that is averaged. A compact report leaves out `rows` and `ideal`."""

    rows: list[RowRecord] | None = None
    ideal: list[RowRecord] | None = None
    dcg: Value
    idcg: Value
    ndcg: Value
    unjudged_in_k: Annotated[StrictInt, Field(ge=0)]


class ExcludedQuery(QueryRecords):
    """A query that is not averaged, and why."""

    reason: Literal["zero ideal", "no results", "no judgments"]


class MeanRecord(_Record):
    """The weighted means over the averaged queries."""

    dcg: Value
    ndcg: Value


Settings = dict[str, str | StrictInt | None]


class BaseRecord(_Record):
    """What the contract was taken from, and the values there of the settings that were replaced."""

    name: str
    overridden: Settings


def _declared(settings: tuple[Setting, ...]) -> dict[str, Any]:
    """What the published schema says of the contract, or of the aggregation: its fields, all of them present."""
    return {
        "required": [setting.name for setting in settings],
        "additionalProperties": False,
        "properties": {
            setting.name: {
                "description": f"{setting.meaning}: {setting.spellings}",
                "type": ["string", "integer", "null"],
            }
            for setting in settings
        },
    }


class ReportFile(_Record):
    """A report of ndcg-lab: the contract, the records of every query, and every number that follows from them."""

    schema_: Annotated[Literal["ndcg-lab/report/1"], Field(alias="schema")]
    contract: Annotated[Settings, Field(json_schema_extra=_declared(FIELDS))]
    aggregation: Annotated[Settings, Field(json_schema_extra=_declared(AGGREGATION_FIELDS))]
    base: BaseRecord | None = None
    notes: list[str]
    queries: list[AveragedQuery]
    excluded: list[ExcludedQuery]
    mean: MeanRecord


def read_report(source: Source) -> "Report":
    """A report from its file, evaluated anew from its records.

    Args:
        source: the JSON of one report: a path, plain or gzip; `-` for standard input; or an open file.

    Raises:
        FormatError: naming the file, the place in it and the cause; also where the mean that the file states is not
            the one that follows from its records.
        NdcgLabError: where the report's contract refuses its records.
    """
    from ndcg_lab.reports.report import Report

    name, data = read_source(source)
    try:
        record = load(data.decode())
        if isinstance(record, list):
            raise FormatError(f"a list of {len(record)} reports; give one: a file written with one cutoff, --k 10")
        report = Report.from_json(record)
        stated, follows = record["mean"]["ndcg"], report.mean.ndcg.to_json()
        if any(stated.get(key) != follows.get(key) for key in ("float", "undefined")):
            raise FormatError("the mean that it states does not follow from its records; `verify` names what is wrong")
    except NdcgLabError as error:
        raise type(error)(f"{name}: {error}") from error
    return report


def parse(report: Mapping[str, Any] | str) -> ReportFile:
    """Check a report, given as JSON text or as the object in it.

    Raises:
        FormatError: naming the place in the report and what is wrong there.
    """
    record = load(report) if isinstance(report, str) else report
    try:
        file = ReportFile.model_validate(record)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the report"
        raise FormatError(f"not a report of schema ndcg-lab/report/1: {place}: {first['msg']}") from error
    for part, fields in (("contract", FIELDS), ("aggregation", AGGREGATION_FIELDS)):
        for field in fields:
            if field.name not in getattr(file, part):  # a report states its defaults too
                raise FormatError(f"not a report of schema ndcg-lab/report/1: {part}.{field.name}: Field required")
    seen: set[str] = set()
    for entry in (*file.queries, *file.excluded):
        if entry.query in seen:
            raise FormatError(f"query {entry.query!r} stands in the report twice")
        seen.add(entry.query)
    return file


def load(text: str) -> Any:
    """JSON text as Python objects; a key that is given twice, nan and infinities are refused.

    Raises:
        FormatError: naming line and cause.
    """
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise FormatError(f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from error
    except ValueError as error:  # a whole number of thousands of digits
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"not a report: {error}") from error
    except RecursionError as error:
        raise FormatError("not a report: nested too deeply") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise FormatError(f"the key {key!r} is given twice in one object")
            seen.add(key)
    return record


def _refuse_constant(name: str) -> None:
    raise FormatError(f"{name} is not a number in JSON")


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a report, as published."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **ReportFile.model_json_schema()}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(json_schema(), indent=2) + "\n")
