"""Run the lessons, each in a fresh kernel, and write them back: the same bytes each time.

`python tools/notebooks.py` runs and writes every lesson, or those named after it; with `--check` it writes nothing
and exits with 1 where a lesson would change.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def own_profile(folder: Path) -> dict[str, str]:
    """Environment variables for kernels that use nothing of the user's IPython profile and print nothing of their own.

    Args:
        folder: an existing folder, where the kernels keep their profile.
    """
    profile = folder / "profile_default"
    profile.mkdir()
    settings = {"IPKernelApp": {"log_level": "ERROR"}, "HistoryManager": {"enabled": False}}
    (profile / "ipython_kernel_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return {"IPYTHONDIR": str(folder), "PYDEVD_DISABLE_FILE_VALIDATION": "1", "PYTHONHASHSEED": "0"}


async def execute(path: Path) -> str:
    """The text of a lesson after all its cells ran, top to bottom.

    Raises:
        CellExecutionError: a cell raised; the message holds its code and traceback.
    """
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=60,
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
        resources={"metadata": {"path": str(path.parent)}},
    )
    with TemporaryDirectory() as folder:
        await client.async_execute(env=os.environ | own_profile(Path(folder)))
    return normalised(notebook, path.stem)


async def execute_all(paths: Iterable[Path], at_once: int = 2) -> list[str]:
    """The texts of several lessons, a few run side by side."""
    free = asyncio.Semaphore(at_once)

    async def execute_in_turn(path: Path) -> str:
        async with free:
            return await execute(path)

    return await asyncio.gather(*map(execute_in_turn, paths))


def normalised(notebook: NotebookNode, name: str) -> str:
    """The notebook's text without what differs from one run, machine or editor to the next.

    Widget views are taken out too: without a saved state they show nothing, and they would hide the static
    reading beside them.
    """
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    number = name.partition("_")[0]
    for index, cell in enumerate(notebook.cells):
        cell.id = f"{number}-{index:02}"
        cell.metadata = {key: cell.metadata[key] for key in ("jupyter", "tags") if cell.metadata.get(key)}
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)
            output.get("metadata", {}).pop(WIDGET_VIEW, None)
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook)) + "\n"


def lessons(names: Iterable[str] = ()) -> list[Path]:
    """The named notebooks, or all of them in order."""
    return [Path(name).resolve() for name in names] or sorted(NOTEBOOKS.glob("*.ipynb"))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description="Run the lessons and write them back.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a lesson would change")
    parser.add_argument("notebooks", nargs="*", help="notebooks to run (default: all)")
    options = parser.parse_args(arguments)

    paths = lessons(options.notebooks)
    stale = []
    for path, text in zip(paths, asyncio.run(execute_all(paths)), strict=True):
        if path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path)
        if not options.check:
            path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{'would change' if options.check else 'written'}: {path.name}")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
