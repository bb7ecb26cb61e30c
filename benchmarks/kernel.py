"""A kernel with a lesson open: the memory that it holds and the processor time that it took, lesson by lesson.

`python -m benchmarks.kernel` prints one table. Memory is what the kernel's process has to itself at the end of the
lesson (its resident set), and the time is the processor's, starting included.
"""

from __future__ import annotations

import argparse
from typing import Any

import nbformat
import psutil
from nbclient import NotebookClient
from rich.console import Console
from rich.table import Table

from tools.notebooks import lessons


def main() -> None:
    """Run each lesson in a kernel of its own, and print what it took."""
    parser = argparse.ArgumentParser(description="Memory and processor time of a kernel with a lesson open.")
    parser.add_argument("lessons", nargs="*", help="beginnings of their names; all of them, if left out")
    chosen = parser.parse_args().lessons
    table = Table("lesson", "memory, MB", "processor, s")
    for path in lessons():
        if chosen and not path.name.startswith(tuple(chosen)):
            continue
        client = NotebookClient(nbformat.read(path, as_version=4), resources={"metadata": {"path": str(path.parent)}})
        with client.setup_kernel():
            for index, cell in enumerate(client.nb.cells):
                client.execute_cell(cell, index)
            manager: Any = client.km
            kernel = psutil.Process(manager.provisioner.process.pid)
            times = kernel.cpu_times()
            table.add_row(path.stem, f"{kernel.memory_info().rss / 1e6:.0f}", f"{times.user + times.system:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
