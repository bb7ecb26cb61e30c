"""Small widgets that ipywidgets has no accessible form of: one of several options, a spoken change, a download.

Their scripts ship with the package; nothing is loaded from elsewhere.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import anywidget
import traitlets

from ndcg_lab.errors import NdcgLabError

STATIC = Path(__file__).parent / "static"


def static(*names: str) -> str:
    """The text of a widget's scripts or styles, one after the other."""
    return "\n".join((STATIC / name).read_text(encoding="utf-8") for name in names)


class Choice(anywidget.AnyWidget):
    """One of several options, shown as radio buttons in a named group.

    Args:
        label: the group's name, also for a screen reader.
        labels: what the options say, in order.
        index: the option chosen at the start; -1 for none.
        stacked: one option a line, for long ones.

    >>> choice = Choice("Cutoff", ["1", "2", "3"], index=2)
    >>> choice
    Choice('Cutoff', '3')
    """

    _esm = static("radios.js", "choice.js")
    _css = static("choice.css")
    label = traitlets.Unicode().tag(sync=True)
    labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    index = traitlets.Int(-1).tag(sync=True)
    stacked = traitlets.Bool(default_value=False).tag(sync=True)

    def __init__(self, label: str, labels: Iterable[str], *, index: int = -1, stacked: bool = False) -> None:
        super().__init__(label=label, labels=list(labels), index=index, stacked=stacked)

    @property
    def chosen(self) -> str | None:
        """What the chosen option says, or None."""
        return self.labels[self.index] if 0 <= self.index < len(self.labels) else None

    def __repr__(self) -> str:
        return f"Choice({self.label!r}, {self.chosen!r})"


class Announcer(anywidget.AnyWidget):
    """Text that a screen reader speaks when it changes; nothing to see."""

    _esm = static("announcer.js")
    _css = static("hidden.css", "announcer.css")
    text = traitlets.Unicode().tag(sync=True)

    def __repr__(self) -> str:
        return f"Announcer({self.text!r})"


class Download(anywidget.AnyWidget):
    """A button that makes a file when it is pressed, and hands it to the browser.

    Args:
        label: what the button says.
        name: the file's name.
        kind: its media type.
        make: makes its text; an `NdcgLabError` is handed to `failed`.
        failed: told what went wrong.
    """

    _esm = static("download.js")
    label = traitlets.Unicode().tag(sync=True)

    def __init__(
        self, label: str, name: str, kind: str, make: Callable[[], str], failed: Callable[[NdcgLabError], None]
    ) -> None:
        super().__init__(label=label)
        self._name, self._kind, self._make, self._failed = name, kind, make, failed
        self.on_msg(lambda _widget, _message, _buffers: self._send_file())

    def _send_file(self) -> None:
        try:
            text = self._make()
        except NdcgLabError as error:
            self._failed(error)
            return
        self.send({"kind": "file", "name": self._name, "type": self._kind, "text": text})

    def __repr__(self) -> str:
        return f"Download({self.label!r})"
