"""The command line: `ndcg-lab evaluate`, `compare`, `explain`, `verify`, `conventions`.

A command is one function below, registered on `app`: it reads, computes, and hands what it has to `_print`. An error is
one line on standard error and status 2. The flags of the contract and the aggregation follow from their declaration.
"""

import inspect
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ndcg_lab import __version__
from ndcg_lab.command.lessons import FOLDER
from ndcg_lab.command.parsing import OneValue
from ndcg_lab.command.terminal import line, printable, rendered, report_parts, settings_of, shown, table, told_notes
from ndcg_lab.errors import ContractError, FormatError, NdcgLabError
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation, Contract, Field
from ndcg_lab.tables import csv_text

if TYPE_CHECKING:
    from ndcg_lab.reports.records import Base
    from ndcg_lab.reports.report import Report

DONE, FAULTY, BAD_USAGE, INTERRUPTED = 0, 1, 2, 130
MOST_FAULTS = 20  # shown, of a report that does not hold

# What Typer raises for an unknown option, a missing value and the like has no public name of its own.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Format(StrEnum):
    """How a result is printed: for people, or for machines."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise ContractError(f"`--format {value}` is not a choice; choices: {', '.join(cls)}")


FormatOption = Annotated[str, typer.Option("--format", help=f"One of {', '.join(Format)}.", metavar="FORMAT")]
TableOrJsonOption = Annotated[str, typer.Option("--format", help="One of table, json.", metavar="FORMAT")]
CommentsOption = Annotated[
    str | None,
    typer.Option(
        help="A line that begins with #: an error, skip (as trec_eval 10 does) or data [default: the convention's, "
        "else error].",
        metavar="VALUE",
    ),
]
ProofOption = Annotated[str, typer.Option("--format", help="One of table, json, coq.", metavar="FORMAT")]
FileOption = Annotated[
    str | None, typer.Option("--output", "-o", help="A file to write, whole or not at all.", metavar="FILE")
]
_REPORT = "A report: what `evaluate --format json` prints; - is standard input."
ReportArgument = Annotated[str, typer.Argument(help=_REPORT, metavar="REPORT")]
FirstReport = Annotated[str, typer.Argument(help=_REPORT, metavar="REPORT_A")]
SecondReport = Annotated[str, typer.Argument(help="Another such report.", metavar="REPORT_B")]


def with_settings(*fields: Field) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command a flag for each field; the command gets all of them as keywords, None where not given."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command)
        own = [parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
        flags = [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[str | None, typer.Option(field.flag, help=_help(field), metavar="VALUE")],
            )
            for field in fields
        ]
        flagged: Any = command
        flagged.__signature__ = signature.replace(parameters=[*own, *flags])
        return command

    return decorate


def _help(field: Field) -> str:
    default = "" if field.required else f" [default: {'none' if field.default is None else field.default}]"
    return f"{field.meaning}: {field.spellings}{default}"


@app.callback(invoke_without_command=True)
def common(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Exact DCG and NDCG under a stated contract."""
    if version:
        _print(f"ndcg-lab {__version__}\n")
        raise typer.Exit
    if context.invoked_subcommand is None:
        raise ContractError("no command given; `ndcg-lab --help` lists them")


@app.command()
@with_settings(*FIELDS, *AGGREGATION_FIELDS)
def evaluate(
    qrels: Annotated[str, typer.Option(help="Judgments: a TREC file, plain or gzip; - is standard input.")],
    run: Annotated[str, typer.Option(help="Results: a TREC file, plain or gzip; - is standard input.")],
    convention: Annotated[str | None, typer.Option(help="Start from what a named system means by NDCG.")] = None,
    contract: Annotated[str | None, typer.Option(help="Start from a contract in a JSON file.")] = None,
    weights: Annotated[str | None, typer.Option(help="Weights: lines `query weight`; 1 where absent.")] = None,
    query: Annotated[list[str] | None, typer.Option(help="Only this query; may be repeated.")] = None,
    comments: CommentsOption = None,
    output: FormatOption = Format.TABLE.value,
    **settings: str | None,
) -> None:
    """DCG and NDCG of a run, per query and over queries.

    What NDCG means is a contract: give --gain and --k, or a --convention, or a --contract; further flags override.
    Several cutoffs (--k 5,10,20) make a column each, and a list of reports in JSON.
    """
    from ndcg_lab.reports.report import evaluate_run, to_csv
    from ndcg_lab.reports.trec import read_qrels, read_run, read_weights

    form = Format(output)
    _refuse_shared_input({"--qrels": qrels, "--run": run, "--weights": weights, "--contract": contract})
    origin, start = _start(convention, contract)
    given = {name: value for name, value in settings.items() if value is not None}
    cutoffs = [{"k": k.strip()} for k in given.pop("k").split(",")] if "k" in given else [{}]
    # Settings that can't be read are told before long files are read; a cutoff given twice is one.
    kind: Literal["file"] | None = None if contract is None else "file"
    readings = (_stated(origin, kind, start, {**given, **k}) for k in cutoffs)
    stated = {terms: (over, base) for terms, over, base in readings}
    comments = comments or _comments(convention)
    judged, results = read_qrels(qrels, comments=comments), read_run(run, comments=comments)
    weighted = None if weights is None else read_weights(weights)
    reports = []
    for terms, (over, base) in stated.items():
        report = evaluate_run(terms, results, judged, **over.to_json(), weights=weighted, queries=query or None)
        reports.append(replace(report, base=base))
    if form is not Format.TABLE:
        _tell(told_notes(reports))
    if form is Format.JSON:
        records = [report.to_json() for report in reports]
        _print_json(records[0] if len(records) == 1 else records)
    elif form is Format.CSV:
        _print_plain(to_csv(reports))
    else:
        _print(rendered(report_parts(reports)))


@app.command()
def compare(
    report_a: FirstReport,
    report_b: SecondReport,
    seed: Annotated[int, typer.Option(help="Of the random swaps of the randomisation test.")] = 0,
    output: ProofOption = Format.TABLE.value,
    file: FileOption = None,
) -> None:
    """Who leads, per query and on the mean: the exact difference, its proof, and what chance alone would give.

    Equal means exactly equal. The sign is that of A minus B. With --format coq: statements and proofs that
    `coqc -R proofs NdcgLab FILE` checks.
    """
    from ndcg_lab.reports.comparison import compare as compared
    from ndcg_lab.reports.comparison_views import comparison_table, headline
    from ndcg_lab.reports.significance import RESAMPLES, tests_of

    form = None if output == "coq" else _table_or_json(output)
    a, b = _two_reports(report_a, report_b)
    comparison = compared(a, b)
    if form is not Format.TABLE:
        _tell(f"note: {note}" for note in comparison.notes)
    if form is None:
        _deliver(comparison.to_coq(), file)
        return
    try:
        tests = tests_of(comparison, a, b, seed=seed, resamples=RESAMPLES)
        words, tested = tests.words, tests.to_json()
    except NdcgLabError as error:  # without scipy, or without a query in common
        words, tested = (f"Not tested: {error}.",), {"error": str(error)}
    if form is Format.JSON:
        _deliver(_json({**comparison.to_json(), "tests": tested}), file)
    else:
        names = (f"A: {report_a}", f"B: {report_b}")
        proofs = "Every sign is proved; --format json holds each certificate."
        notes = [f"note: {note}" for note in comparison.notes]
        lines = [headline(comparison, a, b), *words, proofs, *notes, *settings_of(a, b)]
        parts = [*map(line, names), *shown([comparison_table(comparison, a, b)]), *map(line, lines)]
        _deliver(rendered(parts), file)


@app.command()
def explain(report_a: FirstReport, report_b: SecondReport, output: TableOrJsonOption = Format.TABLE.value) -> None:
    """Why two numbers disagree: what differs, and what each difference does, one change at a time and alone.

    Where both the runs and the settings differ, who leads is followed from A's settings to B's.
    """
    from ndcg_lab.reports.explanation import explain as explained

    form = _table_or_json(output)
    a, b = _two_reports(report_a, report_b)
    explanation = explained(a, b)
    if form is Format.JSON:
        _print_json(explanation.to_json())
    else:
        lines = [f"A: {report_a}", f"B: {report_b}", explanation.summary]
        _print(rendered([*map(line, lines), *shown(explanation.tables()), *map(line, settings_of(a, b))]))


@app.command()
def identify(
    qrels: Annotated[str, typer.Option(help="Judgments: a TREC file, plain or gzip; - is standard input.")],
    run: Annotated[str, typer.Option(help="Results: a TREC file, plain or gzip; - is standard input.")],
    reported: Annotated[list[str], typer.Option(help="A number as it was printed; several are looked for together.")],
    at: Annotated[list[str] | None, typer.Option(help="What is known of each number, such as k=4.")] = None,
    query: Annotated[list[str] | None, typer.Option(help="Only this query; may be repeated.")] = None,
    quantity: Annotated[str, typer.Option(help="What is reported: ndcg, dcg, idcg, mean or any.")] = "any",
    comments: CommentsOption = None,
    output: TableOrJsonOption = Format.TABLE.value,
) -> None:
    """Which contracts give a printed number: plainest first, and what further number would decide between them."""
    from ndcg_lab.command.identify import chosen, numbers
    from ndcg_lab.identification import identify as identified
    from ndcg_lab.reports.trec import read_qrels, read_run

    form = _table_or_json(output)
    _refuse_shared_input({"--qrels": qrels, "--run": run})
    stated = numbers(reported, at or [])
    comments = comments or _comments()
    judged = read_qrels(qrels, comments=comments)
    found = identified(*chosen(read_run(run, comments=comments), judged, query), reported=stated, quantity=quantity)
    if form is Format.JSON:
        _print_json(found.to_json())
    else:
        _print(rendered([*shown(found.tables()), *map(line, found.sentences())]))


@app.command()
def verify(report: ReportArgument, output: TableOrJsonOption = Format.TABLE.value) -> int:
    """Compute every number of a report anew from its own records; exit with 1 and what fails, if one does not hold."""
    from ndcg_lab.reports.verification import verify as verified

    form = _table_or_json(output)
    faults = verified(report if report == "-" else Path(report))
    if form is Format.JSON:
        _print_json({"holds": not faults, "faults": [fault.to_json() for fault in faults]})
    elif not faults:
        _print("Every number follows from the report's own records.\n")
    else:
        more = [f"... and {len(faults) - MOST_FAULTS} more (all in --format json)"] if len(faults) > MOST_FAULTS else []
        _print(rendered(map(line, [*map(str, faults[:MOST_FAULTS]), *more])))
    return FAULTY if faults else DONE


@app.command()
@with_settings(*FIELDS)
def conventions(
    name: Annotated[str | None, typer.Argument(help="A system; without one, all are listed.")] = None,
    other: Annotated[str | None, typer.Argument(help="Another: what sets the two apart.")] = None,
    call: Annotated[bool, typer.Option("--call", help="The call that makes NAME compute the contract given.")] = False,
    convention: Annotated[str | None, typer.Option(help="With --call: start from what a named system means.")] = None,
    contract: Annotated[str | None, typer.Option(help="With --call: start from a contract in a JSON file.")] = None,
    output: FormatOption = Format.TABLE.value,
    **settings: str | None,
) -> None:
    """What existing systems mean by NDCG: all, one, what sets two apart, or the call that gives your contract."""
    from ndcg_lab.conventions import conventions as known

    form = Format(output)
    given = {field: value for field, value in settings.items() if value is not None}
    if not call and (given or convention or contract):
        raise ContractError("a contract is for `conventions NAME --call`: the call that makes NAME compute it")
    if call:
        if name is None or other is not None:
            raise ContractError("--call takes one system: `conventions NAME --call --gain linear --k 10`")
        terms, _, _ = _stated(None, None, _start(convention, contract)[1], given)
        found = known.call(terms, known[name].name)
        if form is Format.JSON:
            _print_json(found.to_json())
        else:
            _print_plain("\n".join([str(found), *(f"# where: {each}" for each in found.holds_where)]) + "\n")
    elif name is not None and other is not None:
        if form is Format.JSON:
            _print_json({known[each].name: known.to_json(each) for each in (name, other)})
        else:
            _print_plain(known.difference(name, other) + "\n")
    elif form is Format.JSON:
        _print_json(known.to_json(name))
    elif form is Format.CSV:
        listed = known.rows(name)
        text = csv_text(listed[0], listed)
        _print_plain(text)
    elif name is not None:
        _print_plain(known.table(name) + "\n")
    else:
        listed = known.rows()
        _print(rendered([table(dict.fromkeys(listed[0], False), [list(row.values()) for row in listed])]))


@app.command()
def lessons(
    folder: Annotated[str, typer.Argument(help="Where to; it is made.", metavar="DIR")],
) -> None:
    """Copy the lessons into a folder."""
    from ndcg_lab.command.lessons import copied

    new, kept = copied(Path(folder))
    there = f" {len(kept)} stood there already and were left alone." if kept else ""
    _print(rendered([line(f"{len(new)} {'lesson' if len(new) == 1 else 'lessons'} copied into {folder}.{there}")]))


@app.command()
def lab(
    folder: Annotated[str, typer.Argument(help="The lessons' folder; it is made.", metavar="DIR")] = FOLDER,
    port: Annotated[int | None, typer.Option(help="The port to serve on.")] = None,
    browser: Annotated[bool, typer.Option(help="Open a window.")] = True,
) -> int:
    """Open the lessons in JupyterLab; they are copied into a folder first."""
    from ndcg_lab.command.lessons import opened

    arguments = [] if port is None else [f"--ServerApp.port={port}"]
    return opened(Path(folder), *arguments, *([] if browser else ["--no-browser"]))


for _registered in app.registered_commands:
    _registered.cls = OneValue


def _table_or_json(output: str) -> Format:
    form = Format(output)
    if form is Format.CSV:
        raise ContractError("--format csv is not for this command; choices: table, json")
    return form


def _two_reports(report_a: str, report_b: str) -> tuple["Report", "Report"]:
    from ndcg_lab.reports.reading import read_report

    _refuse_shared_input({"REPORT_A": report_a, "REPORT_B": report_b})
    return read_report(report_a), read_report(report_b)


def _start(convention: str | None, contract: str | None) -> tuple[str | None, dict[str, Any]]:
    """Where the settings start from: its name, and its settings."""
    if convention is not None and contract is not None:
        raise ContractError("--convention and --contract exclude each other: give one, and flags that override it")
    if convention is not None:
        from ndcg_lab.conventions import conventions as known

        system = known[convention]
        return system.name, {**system.contract.to_json(), **system.aggregation.to_json()}
    if contract is not None:
        from ndcg_lab.json_text import load_strictly
        from ndcg_lab.reports.trec import read_source

        name, data = read_source(contract)
        try:
            record = load_strictly(data.decode())
            if not isinstance(record, Mapping):
                raise FormatError("a contract is a JSON object of fields")
            partial = {"gain": "linear", "k": "all", **record}  # either may be left to a flag
            read = Contract.from_json(partial).to_json()
        except NdcgLabError as error:
            raise error.retold(f"{name}: {error}") from error
        return name, {field: read[field] for field in read if field in record or field not in {"gain", "k"}}
    return None, {}


def _comments(convention: str | None = None) -> str:
    """What a line that begins with `#` is, where no flag says it: as the convention's system has it, else an error."""
    if convention is None:
        return "error"
    from ndcg_lab.conventions import conventions as known

    return known[convention].comments


def _stated(
    origin: str | None, kind: Literal["file"] | None, start: Mapping[str, Any], given: Mapping[str, str]
) -> tuple[Contract, Aggregation, "Base | None"]:
    """The contract and the aggregation that the flags and their start make, and what was overridden."""
    from ndcg_lab.reports.records import Base

    stated = {**start, **given}
    missing = [field for field in FIELDS if field.required and field.name not in stated]
    if missing:
        choices = "; ".join(f"{field.flag} ({field.meaning}: {field.spellings})" for field in missing)
        raise ContractError(f"no default decides {choices}; give it, or start from --convention or --contract")
    contract = Contract(**_only(FIELDS, stated))
    aggregation = Aggregation(**_only(AGGREGATION_FIELDS, stated))
    if origin is None:
        return contract, aggregation, None
    final = {**contract.to_json(), **aggregation.to_json()}
    replaced = {name: start[name] for name in start if start[name] != final[name]}
    return contract, aggregation, Base(origin, replaced, kind)


def _only(fields: Sequence[Field], stated: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: stated[field.name] for field in fields if field.name in stated}


def _refuse_shared_input(sources: Mapping[str, str | None]) -> None:
    standard = [flag for flag, source in sources.items() if source == "-"]
    if len(standard) > 1:
        raise ContractError(f"{' and '.join(standard)} can't both be standard input")


def _print(text: str) -> None:
    sys.stdout.write(text)


def _tell(notes: Iterable[str]) -> None:
    """Say on standard error what a table says below."""
    sys.stderr.writelines(f"ndcg-lab: {printable(note)}\n" for note in notes)


def _print_plain(text: str) -> None:
    """Print foreign text: as it is, but on a terminal without anything that the terminal would obey."""
    if sys.stdout.isatty():
        text = "".join(f"{printable(line)}\n" for line in text.removesuffix("\n").split("\n"))
    _print(text)


def _deliver(text: str, file: str | None) -> None:
    """Print, or write a file: beside its place first, so that it is there whole or as it was."""
    if file is None:
        _print(text)
        return
    place = Path(file)
    beside = place.with_name(f"{place.name}.part")
    try:
        beside.write_text(text, encoding="utf-8", errors="backslashreplace")
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def _print_json(record: object) -> None:
    _print(_json(record))


def _json(record: object) -> str:
    """JSON, in ASCII: it passes through any encoding, and no name in it moves a terminal."""
    return json.dumps(record, indent=2 if sys.stdout.isatty() else None) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0 done, 1 `verify` found a fault, 2 bad usage or input."""
    sys.set_int_max_str_digits(0)  # a gain may have more digits than Python's guard lets print
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = app(arguments, prog_name="ndcg-lab", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has what it wanted. Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except UsageError as error:
        return _refuse(getattr(error, "format_message", error.__str__)())
    except NdcgLabError as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except MemoryError:
        return _refuse("out of memory")
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    return status if isinstance(status, int) else DONE


def _refuse(message: str) -> int:
    """Say in one line why nothing was done."""
    sys.stderr.write(f"ndcg-lab: {printable(' '.join(message.split()))}\n")
    return BAD_USAGE


if __name__ == "__main__":
    sys.exit(main())
