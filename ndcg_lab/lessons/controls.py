"""Two small widgets that ipywidgets has no accessible form of: one of several options, and a spoken change.

Their scripts ship with the package; nothing is loaded from elsewhere.
"""

from collections.abc import Iterable
from pathlib import Path

import anywidget
import traitlets

STATIC = Path(__file__).parent / "static"


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

    _esm = (STATIC / "choice.js").read_text(encoding="utf-8")
    _css = (STATIC / "choice.css").read_text(encoding="utf-8")
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

    _esm = (STATIC / "announcer.js").read_text(encoding="utf-8")
    _css = (STATIC / "announcer.css").read_text(encoding="utf-8")
    text = traitlets.Unicode().tag(sync=True)

    def __repr__(self) -> str:
        return f"Announcer({self.text!r})"
