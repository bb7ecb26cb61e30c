"""JupyterLab for the tests: start one, open a lesson, run it, look at it."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import IO, TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

from tests.support import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Locator, Page

SCREENSHOTS = ROOT / "tests" / "browser" / "screenshots"
END_SECONDS = 20
START_SECONDS = 180
SERVER_CONFIG = ROOT / "ndcg_lab" / "lessons" / "jupyter_server_config.json"

# How Chromium runs without a screen, as root too, and asks nothing of the network by itself.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# The notebook in front: its session started, its kernel connected and idle, nothing left to run.
IDLE = """() => {
    const panel = window.jupyterapp?.shell.currentWidget;
    const session = panel?.context?.sessionContext;
    return Boolean(panel?.context.isReady && session?.isReady && !session.hasPendingDispatch
        && session.session?.kernel?.connectionStatus === 'connected' && session.session.kernel.status === 'idle');
}"""
LEAVE = """async () => {
    const panel = window.jupyterapp?.shell.currentWidget;
    if (!panel?.context) return;
    await panel.context.sessionContext.shutdown();
    panel.dispose();
}"""
# Run All, as in the menu: ends when the last cell did, or the first that raised.
RUN_ALL = """(timeout) => Promise.race([
    window.jupyterapp.commands.execute('notebook:run-all-cells'),
    new Promise((_, fail) => setTimeout(() => fail(new Error(`cells still run after ${timeout} ms`)), timeout)),
])"""
ERRORS = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code')
    .flatMap(cell => cell.model.outputs.toJSON())
    .filter(output => output.output_type === 'error')
    .map(output => `${output.ename}: ${output.evalue}`)"""


@contextmanager
def serve(
    notebooks: Path,
    scratch: Path,
    *,
    python: str | Path = sys.executable,
    app: str = "jupyterlab",
    base_url: str = "/",
    settings: Path | None = ROOT / "binder",
) -> Iterator[str]:
    """Serve a copy of a folder of notebooks on a free port of this machine; yields the address with its token.

    The server has its own configuration, data and runtime folders under `scratch`: nothing of the user's is read
    or written. `app` is JupyterLab's module or Notebook's. `settings` is a folder with an `overrides.json` to use in
    place of the installed one; with it comes the server's configuration that the package installs.

    Raises:
        RuntimeError: it ended, or did not answer in time; the message holds its log.
    """
    root = scratch / "root"
    if settings:
        config = Path(own_folders(scratch)["JUPYTER_CONFIG_DIR"])
        config.mkdir(parents=True, exist_ok=True)
        shutil.copy(SERVER_CONFIG, config / "jupyter_server_config.json")
    shutil.copytree(notebooks, root, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token = secrets.token_hex(16)
    command = [
        *(str(python), "-m", app, "--no-browser", "--allow-root", "--expose-app-in-browser"),
        f"--ServerApp.root_dir={root}",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.base_url={base_url}",
        f"--IdentityProvider.token={token}",
        *([f"--LabServerApp.app_settings_dir={settings}"] if settings else []),
    ]
    with subprocess.Popen(
        command, env=os.environ | own_folders(scratch), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        log: list[str] = []
        told = Event()  # set once the log says that the server runs, or ends
        reader = Thread(target=_follow, args=(server.stdout, log, told))
        reader.start()
        try:
            if not told.wait(START_SECONDS) or server.poll() is not None:
                raise RuntimeError(f"JupyterLab did not start:\n{''.join(log)}")
            yield f"http://127.0.0.1:{port}{base_url}?token={token}"
        finally:
            server.terminate()
            try:
                server.wait(END_SECONDS)
            except subprocess.TimeoutExpired:  # a thread of the server's own can keep it from ending
                server.kill()
            reader.join()


def own_folders(scratch: Path) -> dict[str, str]:
    """Where Jupyter keeps its files, as environment variables: all under one folder."""
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    return {name: str(scratch / name.lower()) for name in names}


def _follow(output: IO[str] | None, log: list[str], told: Event) -> None:
    """Keep what the server writes, to its end."""
    for line in output or ():
        log.append(line)
        if "is running at" in line:
            told.set()
    told.set()


# What depends on the theme; the other rules of axe-core find the same in light and dark.
COLOURS = ["color-contrast", "link-in-text-block"]


class Lab:
    """A page that shows JupyterLab, with what a reader does in it."""

    def __init__(self, page: Page, url: str, path: str = "lab/tree") -> None:
        self.page, self.path = page, path
        self.address, self.query = url.split("?")

    def open(self, name: str) -> None:
        """Open a lesson and wait until its kernel is idle."""
        self.page.goto(f"{self.address}{self.path}/{name}.ipynb?reset&{self.query}")
        self.page.wait_for_function(IDLE, timeout=180_000)

    def turn_to(self, name: str) -> None:
        """Leave the lesson before, if any, its kernel with it, and open another; the browser's cache is kept."""
        self.leave()
        self.open(name)

    def leave(self) -> None:
        """Close the lesson in front, and end its kernel."""
        self.page.evaluate(LEAVE)

    def run_all(self) -> None:
        """Run all cells; returns after the last one, or the first that raised."""
        self.page.evaluate(RUN_ALL, 120_000)
        self.page.wait_for_function(IDLE)

    @property
    def outputs(self) -> Locator:
        """Every cell's output area."""
        return self.page.locator(".jp-Cell-outputArea")

    def errors(self) -> list[str]:
        """The message of each cell that raised."""
        messages: list[str] = self.page.evaluate(ERRORS)
        return messages

    def screenshot(self, name: str, target: Locator | None = None) -> Path:
        """Save a picture of the page, or of one element, to the git-ignored folder `screenshots`."""
        SCREENSHOTS.mkdir(exist_ok=True)
        path = SCREENSHOTS / f"{name}.png"
        (target or self.page).screenshot(path=path)
        return path

    def accessibility_faults(self, rules: list[str] | None = None) -> list[str]:
        """What axe-core finds in the lesson's outputs (JupyterLab's own frame has faults of its own)."""
        return axe_faults(self.page, ".jp-Cell-outputArea", rules)


def axe_faults(page: Page, scope: str | None = None, rules: list[str] | None = None) -> list[str]:
    """What axe-core finds wrong, by all its rules or those named: one line per violation and element."""
    # Without its preloading, by which axe-core would ask for the page's style sheets again.
    options: dict[str, object] = {"preload": False}
    if rules is not None:
        options["runOnly"] = rules
    response = Axe().run(page, context=scope, options=options).response
    return [
        f"{violation['id']}: {violation['help']}: {node['html']}"
        for violation in response["violations"]
        for node in violation["nodes"]
    ]
