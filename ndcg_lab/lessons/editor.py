"""A ranking editor: documents in order, moved by mouse, touch or keyboard.

The editor's state is an [Order][ndcg_lab.lessons.state.Order]: groups of documents that share a place, and the
documents that were not returned. Keys, on a focused document:

| key | does |
| --- | --- |
| ← → (↑ ↓), Home, End | move the focus |
| Space or Enter | lift the document; again: drop it |
| ← →, Home, End while lifted | move the document; Escape puts it back |
| Alt or Ctrl with ← → | move it without lifting |
| = and - | tie it with the one before; untie it (where ties are allowed) |
| Delete | take it out of the list (where documents may be left out) |
| Ctrl+Z | undo |
"""

from collections.abc import Callable, Mapping
from typing import Any

import anywidget
import traitlets

from ndcg_lab.lessons.controls import static
from ndcg_lab.lessons.state import Order


class RankingEditor(anywidget.AnyWidget):
    """One ranking that a reader reorders.

    Args:
        name: the list's name, such as "X".
        start: its order at the start.
        grades: what to print beside each document; one that is missing shows as not judged.
        cut: rank after which to draw the line, 0 for none.
        can_tie: whether a document may be dropped onto another to tie with it.
        can_leave: whether documents may be taken out of the list.

    >>> editor = RankingEditor("X", Order.parse("B C A D"))
    >>> editor.value = editor.value.swapped("B", "A")
    >>> editor
    RankingEditor('X', 'A C B D')
    """

    _esm = static("editor.js")
    _css = static("hidden.css", "editor.css")
    name = traitlets.Unicode().tag(sync=True)
    order = traitlets.Dict().tag(sync=True)
    grades = traitlets.Dict(value_trait=traitlets.Unicode(), key_trait=traitlets.Unicode()).tag(sync=True)
    cut = traitlets.Int(0).tag(sync=True)
    can_tie = traitlets.Bool(default_value=False).tag(sync=True)
    can_leave = traitlets.Bool(default_value=False).tag(sync=True)

    def __init__(
        self,
        name: str,
        start: Order,
        *,
        grades: Mapping[str, str] | None = None,
        cut: int = 0,
        can_tie: bool = False,
        can_leave: bool = False,
    ) -> None:
        super().__init__(
            name=name, order=start.to_json(), grades=dict(grades or {}), cut=cut, can_tie=can_tie, can_leave=can_leave
        )

    @property
    def value(self) -> Order:
        """The order as it stands."""
        return Order.from_json(self.order)

    @value.setter
    def value(self, order: Order) -> None:
        self.order = order.to_json()

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call back, without arguments, after each new order."""

        def changed(_change: dict[str, Any]) -> None:
            callback()

        self.observe(changed, names="order")

    def __repr__(self) -> str:
        return f"RankingEditor({self.name!r}, {str(self.value)!r})"
