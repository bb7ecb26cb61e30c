"""Progress on a terminal, after a second; nothing where the output is piped."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

AFTER = 1.0
"""Seconds before anything is shown."""


@contextmanager
def steps() -> Iterator[Callable[[], None]]:
    """Something to call after each step; on a terminal it shows, from a second on, that and how far work goes on."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("trying contracts: {task.completed} orders and gains"), TimeElapsedColumn()
    shown = Progress(*columns, console=Console(stderr=True), transient=True)
    task = shown.add_task("trying", total=None)
    start = time.monotonic()

    def step() -> None:
        if not shown.live.is_started and time.monotonic() - start >= AFTER:
            shown.start()
        shown.advance(task)

    try:
        yield step
    finally:
        if shown.live.is_started:
            shown.stop()
