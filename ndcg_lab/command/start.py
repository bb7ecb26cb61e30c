"""Where `ndcg-lab` starts: help stands ready as text in `help/`, and all else loads the command line.

`python -m tools.help` writes those texts; a test holds them to the command line's own.
"""

import os
import sys

__all__ = ["main"]

COLUMNS = 80  # what the texts are folded to
_FOLDER = os.path.join(os.path.dirname(__file__), "help")  # noqa: PTH118, PTH120 -- pathlib alone takes as long again


def main() -> int:
    """Run the command line and return its exit status."""
    try:
        text = _help(sys.argv[1:])
        if text is None:
            from ndcg_lab.command.cli import main

            return main()
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has what it wanted; Python would complain when it flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    except ValueError as error:  # from the environment's variable of limits, which is read when they are loaded
        from ndcg_lab.errors import NdcgLabError

        if not isinstance(error, NdcgLabError):
            raise
        sys.stderr.write(f"ndcg-lab: {error}\n")
        return 2
    return 0


def _help(arguments: list[str]) -> str | None:
    """The help of the whole or of one command, where that is all that is asked; None where it would be folded anew."""
    if not 1 <= len(arguments) <= 2 or arguments[-1] not in {"-h", "--help"} or _narrow():
        return None
    name = arguments[0] if len(arguments) == 2 else "ndcg-lab"
    if not name.isalpha() and name != "ndcg-lab":
        return None
    try:
        with open(os.path.join(_FOLDER, f"{name}.txt"), encoding="utf-8") as file:  # noqa: PTH118, PTH123
            return file.read()
    except FileNotFoundError:
        return None


def _narrow() -> bool:
    if "COLUMNS" in os.environ:
        return True
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns < COLUMNS
    except (OSError, ValueError):
        return False
