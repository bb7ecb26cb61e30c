"""What a report file holds, as the models that files are checked by and that the published JSON Schema is made of.

The published schema is `ndcg_lab/schema/report-1.json`; `python -m ndcg_lab.reports.report_file` prints it anew.
"""

import json
import sys
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    Strict,
    StrictInt,
    Tag,
    ValidationError,
    create_model,
)

from ndcg_lab.errors import ContractError, FormatError, NdcgLabError
from ndcg_lab.exact.rationals import rational
from ndcg_lab.json_text import inside, load, repeated, require_shallow
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation, Contract
from ndcg_lab.measure.contract import Field as Setting
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.reports.faults import ABSENT, Faults
from ndcg_lab.reports.records import SCHEMA, Base, QueryRecord

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Rational = Annotated[str, Field(pattern=r"^-?[0-9]+(/[1-9][0-9]*)?$", examples=["2", "-8/5"])]
Weight = Annotated[str, Field(pattern=r"^[0-9]+(/[1-9][0-9]*)?$", examples=["1", "1/2"])]
Decimal = Annotated[str, Field(pattern=r"^-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?$", examples=["0.63092975357145743710"])]
Double = Annotated[float, Strict(), Field(allow_inf_nan=False)]
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
    """Which kind of value a record is, by the key that only that kind has; where that is missing, by what is left."""
    if isinstance(value, dict):
        for key in ("terms", "numerator", "denominator", "enclosure", "obtained", "undefined", "exact", "decimal"):
            if key in value:
                return f"by {_LEFT.get(key, key)}"
    return None


_LEFT = {"denominator": "numerator", "exact": "terms", "decimal": "enclosure"}


Value = Annotated[
    Annotated[LinearValue, Tag("by terms")]
    | Annotated[QuotientValue, Tag("by numerator")]
    | Annotated[EnclosedValue, Tag("by enclosure")]
    | Annotated[BatchValue, Tag("by obtained")]
    | Annotated[UndefinedValue, Tag("by undefined")],
    Discriminator(_kind, custom_error_type="value", custom_error_message="is no value of a report"),
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

    def record(self, faults: Faults, place: str) -> QueryRecord | None:
        """The records that the query is evaluated by; None where they can't be, which the faults then tell."""
        try:
            judgments = Judgments(self.judgments, need=self.need, scale=self.scale, source=self.source)
        except NdcgLabError as error:
            faults.add(inside(place, "judgments"), str(error), self.judgments)
            return None
        ranking = self._ranking(faults, inside(place, "ranking"))
        try:
            weight = Fraction(rational(self.weight))
        except NdcgLabError as error:
            faults.add(inside(place, "weight"), str(error), self.weight)
            return None
        if ranking is None:
            return None
        return QueryRecord(self.query, weight, judgments, ranking, self.rank_conflict)

    def _ranking(self, faults: Faults, place: str) -> Ranking | None:
        """The ranking, by its scores where it has them: all of its entries have one, or none."""
        scored = [(entry.document, entry.score) for entry in self.ranking if entry.score is not None]
        if not scored:
            return Ranking([entry.document for entry in self.ranking])
        if len(scored) == len(self.ranking):
            try:
                return Ranking.from_scores(scored)
            except NdcgLabError:
                pass  # whose it is follows
        for index, entry in enumerate(self.ranking):
            here = inside(inside(place, index), "score")
            if entry.score is None:
                faults.add(here, "is missing, and others have one")
                continue
            try:
                Ranking.from_scores([(entry.document, entry.score)])
            except NdcgLabError as error:
                faults.add(here, str(error), entry.score)
        return None


class AveragedQuery(QueryRecords):
    """A query that is averaged. A compact report leaves out `rows` and `ideal`."""

    rows: list[RowRecord] | None = None
    ideal: list[RowRecord] | None = None
    dcg: Value
    idcg: Value
    ndcg: Value
    unjudged_in_k: Annotated[StrictInt, Field(ge=0)]
    missing: Annotated[Literal[True] | None, Field(description="The query counts 0 for want of results.")] = None


class ExcludedQuery(QueryRecords):
    """A query that is not averaged, and why."""

    reason: Literal["zero ideal", "no results", "no judgments"]


class MeanRecord(_Record):
    """The weighted means over the averaged queries."""

    dcg: Value
    ndcg: Value


def _declared(name: str, settings: tuple[Setting, ...]) -> type[_Record]:
    """A model of the contract, or of the aggregation: every field, each read as its declaration says."""

    def reader(setting: Setting) -> PlainValidator:
        def read(value: Any) -> Any:
            if isinstance(value, bool) or not isinstance(value, str | int | None):
                raise ContractError(f"is no text, whole number or null; choices: {setting.spellings}")
            return setting.parse(value)

        return PlainValidator(read, json_schema_input_type=str | int | None)

    fields: dict[str, Any] = {
        setting.name: Annotated[Any, reader(setting), Field(description=f"{setting.meaning}: {setting.spellings}")]
        for setting in settings
    }
    return create_model(name, __base__=_Record, **fields)


if TYPE_CHECKING:  # a type checker can't see models that are made
    ContractRecord: TypeAlias = BaseModel
    AggregationRecord: TypeAlias = BaseModel
else:
    ContractRecord = _declared("ContractRecord", FIELDS)
    AggregationRecord = _declared("AggregationRecord", AGGREGATION_FIELDS)


class BaseRecord(_Record):
    """What the contract was taken from (a convention, or a file), and the settings there that were replaced."""

    name: str
    kind: Literal["file"] | None = None
    overridden: dict[str, str | StrictInt | None]

    def as_base(self) -> Base:
        """The base as a report holds it."""
        return Base(self.name, self.overridden, self.kind)


class ReportFile(_Record):
    """A report of ndcg-lab: the contract, the records of every query, and every number that follows from them."""

    schema_: Annotated[Literal["ndcg-lab/report/1"], Field(alias="schema")]
    contract: ContractRecord
    aggregation: AggregationRecord
    base: BaseRecord | None = None
    notes: list[str]
    queries: list[AveragedQuery]
    excluded: list[ExcludedQuery]
    mean: MeanRecord


class Checked(NamedTuple):
    """A report file that can be evaluated: its settings, and the records of its queries by their places."""

    file: ReportFile
    contract: Contract
    aggregation: Aggregation
    records: dict[str, QueryRecord]


def parse(report: Mapping[str, Any] | str) -> Checked:
    """Check a report, given as JSON text or as the object in it.

    Raises:
        FormatError: naming the place in the report and what is wrong there.
    """
    checked, faults = check(load(report) if isinstance(report, str) else report)
    for fault in faults:
        raise FormatError(f"not a report of schema {SCHEMA}: {fault}")
    assert checked is not None
    return checked


def check(record: Any, place: str = "") -> tuple[Checked | None, Faults]:
    """Check the form of a report: what it holds, where it can be evaluated, and every fault of form, by its place."""
    faults = Faults()
    try:
        require_shallow(record)
    except FormatError as error:
        faults.add(place, str(error))
        return None, faults
    for repeat in repeated(record, place):
        faults.add(repeat, "is given more than once")
    try:
        file = ReportFile.model_validate(dict(record) if isinstance(record, Mapping) else record)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            _note(faults, record, place, detail)
        return None, faults
    records: dict[str, QueryRecord] = {}
    unusable = False
    seen: set[str] = set()
    for part, entries in (("queries", file.queries), ("excluded", file.excluded)):
        for index, entry in enumerate(entries):
            here = inside(inside(place, part), index)
            read = entry.record(faults, here)
            if entry.query in seen:
                faults.add(inside(here, "query"), "stands in the report twice", entry.query)
            elif read is not None:
                records[here] = read
            seen.add(entry.query)
            unusable = unusable or here not in records
    if unusable:
        return None, faults
    return Checked(file, Contract(**dict(file.contract)), Aggregation(**dict(file.aggregation)), records), faults


def _note(faults: Faults, record: Any, place: str, detail: "ErrorDetails") -> None:
    """A fault of the validator's, at its place in the record."""
    value = record
    for step in detail["loc"]:
        if isinstance(value, Mapping) and (step in value or not str(step).startswith("by ")):
            place, value = inside(place, str(step)), value.get(str(step), ABSENT)
        elif isinstance(value, list) and isinstance(step, int):
            place, value = inside(place, step), value[step] if step < len(value) else ABSENT
    cause = str(detail.get("ctx", {}).get("error", detail["msg"]))
    faults.add(place, _CAUSES.get(detail["type"], cause), value)


_CAUSES = {"missing": "is missing", "extra_forbidden": "is not expected"}


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a report, as published."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **ReportFile.model_json_schema()}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(json_schema(), indent=2) + "\n")
