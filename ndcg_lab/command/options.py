"""The options that commands share: files, contract, output; and how a contract is stated by them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ndcg_lab.command.output import Format, Output, read_format
from ndcg_lab.errors import ContractError, FormatError, NdcgLabError
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation, Contract, Field

if TYPE_CHECKING:
    from fractions import Fraction

    from ndcg_lab.conventions.measures import Measure
    from ndcg_lab.measure.data import Judgments
    from ndcg_lab.reports.records import Base
    from ndcg_lab.reports.trec import Run

TABLES = (Format.TABLE, Format.JSON, Format.CSV, Format.MARKDOWN, Format.LATEX)


def completing(words: Callable[[], Sequence[str]]) -> Callable[[str], list[str]]:
    """What a shell completes a word with: those of these that begin so, without what needs a value filled in."""

    def complete(incomplete: str) -> list[str]:
        whole = [word for word in words() if not any(character in word for character in " ,=")]
        return [word for word in whole if word.startswith(incomplete) and not word.partition(":")[2].isupper()]

    return complete


def _conventions() -> Sequence[str]:
    from ndcg_lab.conventions.entries import aliases, load

    return [*load(), *aliases()]


systems = completing(_conventions)
"""What a shell completes a system's name with."""

SystemArgument = Annotated[
    str | None, typer.Argument(help="A system; without one, all are listed.", autocompletion=systems)
]
OtherArgument = Annotated[str | None, typer.Argument(help="Another: what sets the two apart.", autocompletion=systems)]
SystemsOption = Annotated[
    list[str] | None,
    typer.Option("--as", help="A system by name; give two.", metavar="NAME", autocompletion=systems),
]
QrelsOption = Annotated[
    str | None, typer.Option(help="Judgments: a TREC file, plain or compressed; - is standard input.", metavar="FILE")
]
RunsOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Results: a TREC file, plain or compressed; - is standard input; may be repeated.", metavar="FILE"
    ),
]
MeasuresOption = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="A measure by name, such as nDCG@10, AP, ndcg_cut.10; may be repeated."),
]
ConventionOption = Annotated[
    str | None,
    typer.Option(help="Start from what a named system means by NDCG.", autocompletion=systems),
]
ContractOption = Annotated[str | None, typer.Option(help="Start from a contract in a JSON file.", metavar="FILE")]
WeightsOption = Annotated[
    str | None, typer.Option(help="Weights: lines `query weight`; 1 where absent.", metavar="FILE")
]
QueryOption = Annotated[list[str] | None, typer.Option(help="Only this query; may be repeated.")]
CommentsOption = Annotated[
    str | None,
    typer.Option(
        help="A line that begins with #: an error, skip (as trec_eval 10 does) or data [default: the convention's, "
        "else error].",
        metavar="VALUE",
    ),
]
ColumnsOption = Annotated[
    list[str] | None,
    typer.Option(
        help='What lines hold where they are not TREC\'s: "query document score" for runs, "query document grade" for '
        "judgments; other names are passed over; may be repeated.",
        metavar="NAMES",
    ),
]
SeedOption = Annotated[int, typer.Option(help="Of the random swaps of the tests.")]


def with_settings(*fields: Field) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command a flag for each field; the command gets all of them as keywords, None where not given."""
    return _with(
        (
            field.name,
            str | None,
            None,
            typer.Option(field.flag, help=_help(field), metavar="VALUE", autocompletion=_words(field)),
        )
        for field in fields
    )


def _words(field: Field) -> Callable[[str], list[str]]:
    """What a shell completes the field's flag with."""
    return completing(lambda: [choice.spelling for choice in field.choices])


def _help(field: Field) -> str:
    default = "" if field.required else f" [default: {'none' if field.default is None else field.default}]"
    return f"{field.meaning}: {field.spellings}{default}"


def with_output(*formats: Format) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the flags of its output; the command gets them as one `out`."""
    options = _with(
        [
            (
                "format",
                str,
                formats[0].value,
                typer.Option(
                    help=f"One of {', '.join(formats)}.",
                    metavar="FORMAT",
                    autocompletion=completing(lambda: [form.value for form in formats]),
                ),
            ),
            ("output", str | None, None, typer.Option("--output", "-o", help="A file to write.", metavar="FILE")),
            ("queries", bool, False, typer.Option("--queries", "-q", help="Show a row for each query.")),
            ("exact", bool, False, typer.Option("--exact", help="Show exact forms beside decimals.")),
        ]
    )

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        def run(*, format: str, output: str | None, queries: bool, exact: bool, **rest: Any) -> Any:  # noqa: A002 - the flag's name
            return command(out=Output(read_format(format, formats), output, queries, exact), **rest)

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        signature = inspect.signature(command)
        own = [parameter for name, parameter in signature.parameters.items() if name != "out"]
        shaped: Any = run
        shaped.__signature__ = signature.replace(parameters=own)
        return options(shaped)

    return decorate


def _with(options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add keyword options to a command's signature, from which Typer makes its flags."""
    listed = list(options)

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(command)
        own = [parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
        flags = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])
            for name, kind, default, option in listed
        ]
        shaped: Any = command
        shaped.__signature__ = signature.replace(parameters=[*own, *flags])
        return command

    return decorate


def given(settings: Mapping[str, str | None]) -> dict[str, str]:
    """The settings whose flags were given."""
    return {name: value for name, value in settings.items() if value is not None}


def start(convention: str | None, contract: str | None) -> tuple[str | None, dict[str, Any]]:
    """Where the settings start from: its name, and its settings."""
    if convention is not None and contract is not None:
        raise ContractError("--convention and --contract exclude each other: give one, and flags that override it")
    if convention is not None:
        from ndcg_lab.conventions import conventions as known

        system = known[convention]
        return convention, {**system.contract.to_json(), **system.aggregation.to_json()}
    if contract is None:
        return None, {}
    from ndcg_lab.json_text import load_strictly
    from ndcg_lab.reports.sources import read_source

    name, data = read_source(contract)
    try:
        record = load_strictly(data.decode())
        if not isinstance(record, Mapping):
            raise FormatError("a contract is a JSON object of fields")
        if isinstance(record.get("contract"), Mapping):  # of a report, or of `conventions NAME --format json`
            record = {**record["contract"], **record.get("aggregation", {})}
        partial = {"gain": "linear", "k": "all", **record}  # either may be left to a flag
        terms = Contract.from_json(partial)
        over = {} if terms.aggregation is None else terms.aggregation.to_json()
        read = {**terms.to_json(), **over}
    except NdcgLabError as error:
        raise error.retold(f"{name}: {error}") from error
    return name, {field: read[field] for field in read if field in record or field not in {"gain", "k"}}


def stated(
    origin: str | None, begun: Mapping[str, Any], flags: Mapping[str, str], *, file: bool
) -> tuple[Contract, Aggregation, Base | None]:
    """The contract and the aggregation that the flags and their start make, and what was overridden."""
    from ndcg_lab.reports.records import Base

    merged = {**begun, **flags}
    missing = [field for field in FIELDS if field.required and field.name not in merged]
    if missing:
        choices = "; ".join(f"{field.flag} ({field.meaning}: {field.spellings})" for field in missing)
        raise ContractError(f"no default decides {choices}; give it, or start from --convention or --contract")
    contract = Contract(**_only(FIELDS, merged))
    aggregation = Aggregation(**_only(AGGREGATION_FIELDS, merged))
    if origin is None:
        return contract, aggregation, None
    final = {**contract.to_json(), **aggregation.to_json()}
    overridden = {name: begun[name] for name in begun if begun[name] != final[name]}
    return contract, aggregation, Base(origin, overridden, "file" if file else None)


def _only(fields: Sequence[Field], settings: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: settings[field.name] for field in fields if field.name in settings}


def comments_of(comments: str | None, convention: str | None = None) -> str:
    """What a line that begins with # is: as told, else as the convention's system reads it."""
    if comments is not None:
        return comments
    if convention is None:
        return "error"
    from ndcg_lab.conventions import conventions as known

    return known[convention].comments


@dataclass(frozen=True)
class Files:
    """The files that a command reads, as they were named."""

    qrels: str | None
    runs: Sequence[str] | None
    weights: str | None = None
    contract: str | None = None
    columns: Sequence[str] | None = None

    def __post_init__(self) -> None:
        for flag, value in (("--qrels", self.qrels), ("--run", self.runs)):
            if not value:
                raise ContractError(f"{flag} is missing: give {flag} FILE")
        runs = list(self.runs or ())
        if len(set(runs)) < len(runs):
            raise ContractError("--run names one file twice; runs are told apart by their names")
        sources = [("--qrels", self.qrels), *(("--run", run) for run in runs)]
        sources += [("--weights", self.weights), ("--contract", self.contract)]
        standard = [flag for flag, source in sources if source == "-"]
        if len(standard) > 1:
            raise ContractError(f"{' and '.join(standard)} can't both be standard input")

    def read(self, comments: str) -> tuple[dict[str, Judgments], dict[str, Run], dict[str, Fraction] | None]:
        """The judgments, each run under its name, and the weights."""
        from ndcg_lab.reports.trec import read_qrels, read_run, read_weights

        judging = {"grade" in columns.split(): columns for columns in self.columns or ()}
        if len(judging) < len(self.columns or ()):
            raise ContractError("--columns says what lines of judgments hold, and what lines of runs: once each")
        judged = read_qrels(str(self.qrels), comments=comments, columns=judging.get(True))
        runs = {run: read_run(run, comments=comments, columns=judging.get(False)) for run in self.runs or ()}
        return judged, runs, None if self.weights is None else read_weights(self.weights)


@dataclass(frozen=True)
class Asked:
    """What is measured: contracts (that differ in k alone) with what they start from, or measures by name."""

    contracts: Sequence[tuple[Contract, Aggregation, Base | None]]
    named: Sequence[Measure]
    over_queries: Mapping[str, Any]

    @classmethod
    def of(
        cls, names: Sequence[str] | None, convention: str | None, contract: str | None, flags: dict[str, str]
    ) -> Asked:
        """Read the flags; settings that can't be read are told before long files are."""
        if names:
            from ndcg_lab.conventions.measures import parse_measures

            own = {field.name for field in FIELDS} & flags.keys()
            if convention or contract or own:
                what = "--convention" if convention else "--contract" if contract else f"--{min(own).replace('_', '-')}"
                raise ContractError(f"--measure names whole measures, so {what} has nothing to say; give one")
            over = Aggregation.from_json(flags)
            return cls((), [m for name in names for m in parse_measures(name)], {n: over.to_json()[n] for n in flags})
        origin, begun = start(convention, contract)
        cutoffs = [{"k": k.strip()} for k in flags.pop("k").split(",")] if "k" in flags else [{}]
        read = [stated(origin, begun, {**flags, **k}, file=contract is not None) for k in cutoffs]
        once = {terms: (terms, over, base) for terms, over, base in read}  # a cutoff given twice is one
        contracts = list(once.values())
        return cls(contracts, (), contracts[0][1].to_json())

    @property
    def measures(self) -> list[Measure | Contract]:
        """All that is asked for, in order."""
        return [*self.named, *(terms for terms, _, _ in self.contracts)]
