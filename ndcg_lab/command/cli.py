"""The command line `ndcg-lab`: its commands, and how it ends.

A command is a function in a module of this folder, registered on `app`: it reads, computes, and hands what it has to
its `Output`. An error is one line on standard error and status 2.
"""

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ndcg_lab import __version__
from ndcg_lab.command.compare import compare, explain, verify
from ndcg_lab.command.evaluate import evaluate
from ndcg_lab.command.lessons import FOLDER, copied, opened
from ndcg_lab.command.parsing import OneValue
from ndcg_lab.command.systems import conventions, identify
from ndcg_lab.command.terminal import printable, rendered_parts
from ndcg_lab.errors import ContractError, NdcgLabError

DONE, BAD_USAGE, INTERRUPTED = 0, 2, 130

# What Typer raises for an unknown option, a missing value and the like has no public name of its own.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def common(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Exact DCG and NDCG under a stated contract."""
    if version:
        sys.stdout.write(f"ndcg-lab {__version__}\n")
        raise typer.Exit
    if context.invoked_subcommand is None:
        raise ContractError("no command given; `ndcg-lab --help` lists them")


for command in (evaluate, compare, explain, identify, verify, conventions):
    app.command(cls=OneValue)(command)


@app.command(cls=OneValue)
def lessons(folder: Annotated[str, typer.Argument(help="Where to; it is made.", metavar="DIR")]) -> None:
    """Copy the lessons into a folder."""
    new, kept = copied(Path(folder))
    there = f" {len(kept)} stood there already and were left alone." if kept else ""
    noun = "lesson" if len(new) == 1 else "lessons"
    sys.stdout.write(rendered_parts([f"{len(new)} {noun} copied into {folder}.{there}"]))


@app.command(cls=OneValue)
def lab(
    folder: Annotated[str, typer.Argument(help="The lessons' folder; it is made.", metavar="DIR")] = FOLDER,
    port: Annotated[int | None, typer.Option(help="The port to serve on.")] = None,
    browser: Annotated[bool, typer.Option(help="Open a window.")] = True,
) -> int:
    """Open the lessons in JupyterLab; they are copied into a folder first."""
    arguments = [] if port is None else [f"--ServerApp.port={port}"]
    return opened(Path(folder), *arguments, *([] if browser else ["--no-browser"]))


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
