"""The contract: every setting that NDCG depends on, each declared once.

The constructors, JSON, error texts, the documentation's table, the command line's flags and the lessons' controls
all follow from `FIELDS` and `AGGREGATION_FIELDS`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from dataclasses import field as dataclass_field
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self, SupportsIndex, TypeVar

from ndcg_lab.errors import ContractError, FormatError, NdcgLabError, brief, cut, meant, require
from ndcg_lab.exact.rationals import rational
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.json_text import load_strictly
from ndcg_lab.limits import CUTOFF, DECIMALS, beyond
from ndcg_lab.measure.rules import DISCOUNTS, GAINS, Discount, Entry, Gain, parse_discount, parse_gain


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that a field takes, as it is spelled, and what it means."""

    spelling: str
    meaning: str


Error = TypeVar("Error", bound=NdcgLabError)

# The words of the fields that take words alone, for editors and type checkers: a test holds them to the declarations.
IdealPopulation = Literal["judged", "returned", "returned-at-k"]
IdealCutoff = Literal["k", "returned", "none"]
Ties = Literal["error", "average", "best", "worst", "input", "reverse-input", "docno-ascending", "docno-descending"]
ScorePrecision = Literal["exact", "float32"]
Unjudged = Literal["error", "zero", "remove"]
Duplicates = Literal["error", "first", "count"]
Negative = Literal["error", "zero", "allow"]
ZeroIdeal = Literal["undefined", "zero", "one", "exclude"]
QuerySet = Literal["judged", "run", "both"]
Missing = Literal["error", "zero", "exclude"]
UnjudgedQueries = Literal["exclude", "zero"]
Aggregate = Literal["mean", "ratio-of-sums"]
GainSpelling = str | Mapping[Any, Any]

REQUIRED = "required"
"""The default of a field that has none."""


@dataclass(frozen=True, slots=True)
class Field:
    """One setting: its name, what it decides, its choices, its default, and how a value is read."""

    name: str
    meaning: str
    choices: tuple[Choice, ...]
    default: object
    read: Callable[[object], object]
    """From any spelling to the canonical value; raises `NdcgLabError` for anything else."""

    @property
    def required(self) -> bool:
        """Whether a contract must name this field."""
        return self.default is REQUIRED

    @property
    def flag(self) -> str:
        """The field as a command line's flag: `--ideal-population`."""
        return "--" + self.name.replace("_", "-")

    @property
    def spellings(self) -> str:
        """Every choice, for a message: `judged, returned, returned-at-k`."""
        return ", ".join(choice.spelling for choice in self.choices)

    def parse(self, value: object) -> object:
        """The canonical value; a `ContractError` names the field and its choices."""
        try:
            return self.read(value)
        except NdcgLabError as error:
            detail = f" ({error})" if str(error) else ""
            guess = meant(value, (choice.spelling for choice in self.choices)) if isinstance(value, str) else ""
            shown = cut(value, 60, 20) if isinstance(value, str) else brief(value)
            message = f"`{self.name} = {shown}` is not a choice{detail or guess}; choices: {self.spellings}"
            raise self.error(ContractError, message) from None

    def error(self, kind: type[Error], message: str) -> Error:
        """An error of which this setting is the cause, or that it decides."""
        return kind(message, setting=self.name, choices=[choice.spelling for choice in self.choices])


def _setting(
    meaning: str,
    choices: Mapping[str, str] | Sequence[Entry[Any]],
    default: object = REQUIRED,
    read: Callable[[object], object] | None = None,
) -> Any:
    """Declare a field of `Contract` or `Aggregation`; without `read` it takes the words in `choices`."""
    listed = (
        [Choice(*pair) for pair in choices.items()]
        if isinstance(choices, Mapping)
        else [Choice(entry.spelling, entry.meaning) for entry in choices]
    )
    words = {choice.spelling for choice in listed}

    def word(value: object) -> object:
        if not isinstance(value, str) or value not in words:
            raise ContractError
        return value

    declared = {"meaning": meaning, "choices": tuple(listed), "default": default, "read": read or word}
    return dataclass_field(metadata=declared)


def _whole(least: int, other: str, stands_for: str | None, limit: str) -> Callable[[object], object]:
    """A reader of whole numbers from `least` on, or the word `other`, kept as `stands_for`."""
    most = {"CUTOFF": CUTOFF, "DECIMALS": DECIMALS}[limit]

    def read(value: object) -> object:
        if value is stands_for or (isinstance(value, str) and value in (other, stands_for)):
            return stands_for
        if value is None:
            raise ContractError
        number = rational(value)
        if not isinstance(number, int) or number < least:
            raise ContractError
        if number > most:
            raise ContractError(beyond(limit))
        return number

    return read


@dataclass(frozen=True, init=False, repr=False)
class Settings:
    """What `Contract` and `Aggregation` share: immutable, hashable, equal where every setting is."""

    kind: ClassVar[str]
    FIELDS: ClassVar[tuple[Field, ...]]
    __signature__: ClassVar[Signature]

    def __init__(self, **settings: object) -> None:
        names = [field.name for field in self.FIELDS]
        for name in settings:
            if name not in names:
                guess = meant(name, names) if len(name) < 60 else ""
                raise ContractError(
                    f"{self.kind} has no field `{cut(name, 60, 20)}`{guess}; its fields: {', '.join(names)}"
                )
        for field in self.FIELDS:
            if field.required and field.name not in settings:
                message = f"`{field.name}` is required ({field.meaning}): it has no default; choices: {field.spellings}"
                raise field.error(ContractError, message)
            value = settings.get(field.name, field.default)
            object.__setattr__(self, field.name, field.parse(value))

    def __repr__(self) -> str:
        stated = (f for f in self.FIELDS if f.required or getattr(self, f.name) != f.default)
        return f"{type(self).__name__}({', '.join(f'{f.name}={getattr(self, f.name)!r}' for f in stated)})"

    def to_json(self) -> dict[str, Any]:
        """Every field, defaults included, as JSON holds it."""
        return {field.name: getattr(self, field.name) for field in self.FIELDS}

    @classmethod
    def from_json(cls, record: Mapping[str, object] | str) -> Self:
        """The settings from a mapping or from JSON text; what is left out has its default."""
        return cls(**cls._settings(record))

    @classmethod
    def _settings(cls, record: Mapping[str, object] | str) -> dict[str, Any]:
        """The fields as they were given."""
        try:
            settings = load_strictly(record) if isinstance(record, str) else record
        except FormatError as error:
            raise ContractError(f"{cls.kind}: {error}") from None
        if not isinstance(settings, Mapping):
            raise ContractError(f"{cls.kind} is a JSON object of fields, not {type(settings).__name__}")
        return dict(settings)

    def replace(self, **changes: object) -> Self:
        """The same settings but for those named.

        >>> Contract(gain="linear", k=3).replace(k="all", ties="average")
        Contract(gain='linear', k='all', ties='average')
        """
        return type(self)(**{**self.to_json(), **changes})

    def differences(self, other: Self) -> list[str]:
        """The names of the fields that differ, in the order of declaration.

        >>> Contract(gain="linear", k=3).differences(Contract(gain="exponential", k="3"))
        ['gain']
        """
        require(type(self), "other", other, f"a {type(self).__name__}")
        return [field.name for field in self.FIELDS if getattr(self, field.name) != getattr(other, field.name)]


_CARRIED = "_aggregation"


class Stated(Protocol):
    """What has a contract to evaluate under, as a named convention has."""

    def at(self) -> Contract:
        """The contract, with the query settings that it carries."""


@dataclass(frozen=True, init=False, repr=False)
class Contract(Settings):
    """What NDCG means for one query. `gain` and `k` are required; other defaults are the textbook's, or refuse.

    The fields and their choices are `FIELDS`. An attribute holds the canonical spelling of its setting, so that two
    spellings of one setting make equal contracts.

    Raises:
        ContractError: for a field that does not exist, one left out, or a value that it does not take.

    >>> Contract(gain="linear", k=3)
    Contract(gain='linear', k=3)
    >>> Contract(gain="exponential:2", k="all") == Contract(gain="exponential", k="all", discount="log:2")
    True
    """

    kind: ClassVar[str] = "the contract"

    gain: str = _setting("what a grade is worth", GAINS, read=lambda value: parse_gain(value).text)
    k: int | Literal["all"] = _setting(
        "the cutoff: how many ranks count",
        {"1, 2, 3, ...": "that many ranks", "all": "every rank"},
        read=_whole(1, "all", "all", "CUTOFF"),
    )
    discount: str = _setting("what a rank is worth", DISCOUNTS, "log2", lambda value: parse_discount(value).text)
    ideal_population: IdealPopulation = _setting(
        "the documents that the ideal ranking is made of",
        {
            "judged": "every judged document of the need",
            "returned": "the whole returned list (candidate-only)",
            "returned-at-k": "the top k of the returned list alone",
        },
        "judged",
    )
    ideal_cutoff: IdealCutoff = _setting(
        "how many ranks of the ideal ranking count",
        {"k": "as many as of the list", "returned": "as many as were returned, at most k", "none": "all of them"},
        "k",
    )
    ties: Ties = _setting(
        "the order of documents of equal score",
        {
            "error": "refused where it could change DCG",
            "average": "all orders equally likely: the expected DCG",
            "best": "the order of highest DCG",
            "worst": "the order of lowest DCG",
            "input": "as they were given",
            "reverse-input": "the last given first",
            "docno-ascending": "by document id, by UTF-8 bytes",
            "docno-descending": "by document id, by UTF-8 bytes, last first",
        },
        "error",
    )
    score_precision: ScorePrecision = _setting(
        "the precision in which scores are compared",
        {"exact": "as written", "float32": "decimal to double to float32; equal ones tie"},
        "exact",
    )
    unjudged: Unjudged = _setting(
        "a returned document without a grade",
        {
            "error": "refused within the first k ranks",
            "zero": "gain 0, and it keeps its rank",
            "remove": "taken out of the list (condensed list)",
        },
        "error",
    )
    duplicates: Duplicates = _setting(
        "a document returned more than once",
        {
            "error": "refused within the first k ranks",
            "first": "a later copy earns nothing and keeps its rank",
            "count": "every copy earns its gain",
        },
        "error",
    )
    negative: Negative = _setting(
        "grades below 0",
        {"error": "refused", "zero": "taken as grade 0, before the gain rule", "allow": "used as they are"},
        "error",
    )
    zero_ideal: ZeroIdeal = _setting(
        "NDCG where the ideal DCG is 0",
        {
            "undefined": "no value, which makes a mean undefined",
            "zero": "0",
            "one": "1",
            "exclude": "no value, and left out of the mean",
        },
        "undefined",
    )
    round_to: int | None = _setting(
        "decimals that each query's value is rounded to, half away from zero",
        {"none": "not rounded", "0, 1, 2, ...": "that many decimals"},
        None,
        _whole(0, "none", None, "DECIMALS"),
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            gain: GainSpelling,
            k: int | SupportsIndex | Literal["all"],
            discount: str = ...,
            ideal_population: IdealPopulation = ...,
            ideal_cutoff: IdealCutoff = ...,
            ties: Ties = ...,
            score_precision: ScorePrecision = ...,
            unjudged: Unjudged = ...,
            duplicates: Duplicates = ...,
            negative: Negative = ...,
            zero_ideal: ZeroIdeal = ...,
            round_to: int | None = ...,
        ) -> None: ...

    @property
    def aggregation(self) -> Aggregation | None:
        """How queries make one number, where that was said with the contract: see `over`."""
        return getattr(self, _CARRIED, None)

    def over(
        self,
        aggregation: Aggregation | None = None,
        *,
        query_set: QuerySet | None = None,
        missing: Missing | None = None,
        unjudged_queries: UnjudgedQueries | None = None,
        aggregate: Aggregate | None = None,
    ) -> Contract:
        """The same contract, carrying how queries make one number; `evaluate_run` goes by it.

        It is no field of the contract: contracts are equal where their fields are.

        >>> contract = Contract(gain="linear", k=10).over(missing="zero")
        >>> contract
        Contract(gain='linear', k=10).over(missing='zero')
        >>> contract.replace(k=5).aggregation
        Aggregation(missing='zero')
        """
        settings: dict[str, Any] = {
            "query_set": query_set,
            "missing": missing,
            "unjudged_queries": unjudged_queries,
            "aggregate": aggregate,
        }
        given = {name: value for name, value in settings.items() if value is not None}
        carried = (aggregation or self.aggregation or Aggregation()).replace(**given)
        contract = super().replace()
        object.__setattr__(contract, _CARRIED, carried)
        return contract

    def replace(self, **changes: object) -> Self:
        """The same settings but for those named; what it carries goes along.

        >>> Contract(gain="linear", k=3).replace(k="all", ties="average")
        Contract(gain='linear', k='all', ties='average')
        """
        contract = super().replace(**changes)
        if self.aggregation is not None:
            object.__setattr__(contract, _CARRIED, self.aggregation)
        return contract

    @classmethod
    def from_json(cls, record: Mapping[str, object] | str) -> Self:
        """The contract from a mapping or from JSON text; query settings among its fields go `over` it.

        >>> Contract.from_json('{"gain": "linear", "k": 10, "missing": "zero"}')
        Contract(gain='linear', k=10).over(missing='zero')
        """
        settings = cls._settings(record)
        carried = {field.name: settings.pop(field.name) for field in AGGREGATION_FIELDS if field.name in settings}
        contract = cls(**settings)
        if carried:
            object.__setattr__(contract, _CARRIED, Aggregation(**carried))
        return contract

    def __repr__(self) -> str:
        over = "" if self.aggregation is None else repr(self.aggregation).replace("Aggregation", ".over", 1)
        return super().__repr__() + over

    @property
    def gain_rule(self) -> Gain:
        """The gain as a rule: call it with a grade."""
        return parse_gain(self.gain)

    @property
    def discount_rule(self) -> Discount:
        """The discount as a rule: exact terms and values by rank."""
        return parse_discount(self.discount)


@dataclass(frozen=True, init=False, repr=False)
class Aggregation(Settings):
    """How queries make one number, beside the contract.

    >>> Aggregation(missing="zero")
    Aggregation(missing='zero')
    """

    kind: ClassVar[str] = "the aggregation"

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            query_set: QuerySet = ...,
            missing: Missing = ...,
            unjudged_queries: UnjudgedQueries = ...,
            aggregate: Aggregate = ...,
        ) -> None: ...

    query_set: QuerySet = _setting(
        "the queries that are averaged",
        {"judged": "those with judgments", "run": "those with results", "both": "those with judgments and results"},
        "judged",
    )
    missing: Missing = _setting(
        "a judged query without results",
        {"error": "refused", "zero": "exactly 0", "exclude": "left out, and listed"},
        "error",
    )
    unjudged_queries: UnjudgedQueries = _setting(
        "a query of the run without judgments, under `query_set = run`",
        {"exclude": "left out, and listed", "zero": "exactly 0"},
        "exclude",
    )
    aggregate: Aggregate = _setting(
        "what the mean is taken of",
        {
            "mean": "the queries' NDCG",
            "ratio-of-sums": "weighted DCG over weighted ideal DCG; not with `round_to`",
        },
        "mean",
    )


def _declared(settings: type[Settings]) -> tuple[Field, ...]:
    """The fields that a class declares; as its signature they also serve help and completion."""
    declared = tuple(Field(field.name, **field.metadata) for field in fields(settings))
    settings.__signature__ = Signature(
        [
            Parameter(
                field.name,
                Parameter.KEYWORD_ONLY,
                default=Parameter.empty if field.required else field.default,
                annotation=settings.__annotations__[field.name],
            )
            for field in declared
        ]
    )
    settings.__doc__ = f"{inspect.cleandoc(settings.__doc__ or '')}\n\n{_choices(declared)}"
    return declared


def _choices(declared: Sequence[Field]) -> str:
    """Each field with its choices, for `help`."""
    lines = ["Fields:", ""]
    for field in declared:
        default = "" if field.required else f" (default: {'none' if field.default is None else field.default})"
        lines.append(f"{field.name}: {field.meaning}{default}")
        lines += [f"    {choice.spelling} - {choice.meaning}" for choice in field.choices]
    return "\n".join(lines)


Contract.FIELDS = FIELDS = _declared(Contract)
Aggregation.FIELDS = AGGREGATION_FIELDS = _declared(Aggregation)


def decided(kind: type[Error], cause: str, name: str) -> Error:
    """An error that ends with the setting that decides, and its choices.

    >>> print(decided(NdcgLabError, "query 'q1' has no results", "missing"))
    query 'q1' has no results; `missing` decides: error, zero, exclude
    """
    (field,) = (field for field in (*FIELDS, *AGGREGATION_FIELDS) if field.name == name)
    return field.error(kind, f"{cause}; `{name}` decides: {field.spellings}")


ZERO_IDEAL = Undefined(
    "zero ideal",
    setting="zero_ideal",
    choices=[choice.spelling for field in FIELDS if field.name == "zero_ideal" for choice in field.choices],
)
"""NDCG where the ideal DCG is 0 and the contract supplies no value."""


def fields_table(declared: Sequence[Field] = FIELDS) -> str:
    """The fields as a Markdown table: name, meaning, choices, default.

    >>> print(fields_table(AGGREGATION_FIELDS[2:3]))
    | field | decides | choices | default |
    | --- | --- | --- | --- |
    | `unjudged_queries` | a query of the run without judgments, under `query_set = run` |
    `exclude`: left out, and listed; `zero`: exactly 0 | `exclude` |
    """
    lines = ["| field | decides | choices | default |", "| --- | --- | --- | --- |"]
    for field in declared:
        choices = "; ".join(f"`{choice.spelling}`: {choice.meaning}" for choice in field.choices)
        default = REQUIRED if field.required else f"`{'none' if field.default is None else field.default}`"
        lines.append(f"| `{field.name}` | {field.meaning} | {choices} | {default} |")
    return "\n".join(lines)
