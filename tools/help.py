"""Write the help texts that `ndcg-lab` prints: `python -m tools.help`."""

import io
import os
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

from typer.main import get_command

from ndcg_lab.command import start
from ndcg_lab.command.cli import app, main

FOLDER = Path(start.__file__).with_name("help")


def texts() -> dict[str, str]:
    """What the command line itself says, by the names of the files."""
    names = list(get_command(app).commands)  # type: ignore[attr-defined]
    with patch.dict(os.environ, COLUMNS=str(start.COLUMNS)):
        return {"ndcg-lab": _printed("--help"), **{name: _printed(name, "--help") for name in names}}


def _printed(*arguments: str) -> str:
    with redirect_stdout(io.StringIO()) as out:
        main(arguments)
    return out.getvalue()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in texts().items():
        FOLDER.joinpath(f"{name}.txt").write_text(text, encoding="utf-8")
