"""A panel on a page of Jupyter: one widget, its state and view JSON, its numbers Python's."""

from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from ndcg_lab.lessons.controls import static

if TYPE_CHECKING:
    from ndcg_lab.lessons.panel import Panel


class LivePanel(anywidget.AnyWidget):
    """The shell of a panel: hands what the page asks to `Panel.respond`, and the answer back.

    Args:
        panel: the panel.

    `asked` is `{"number": how many were asked before, "state": what is set, "more": whether the folded part is open}`;
    `view` is the answer with that number.
    """

    _esm = static("order.js", "radios.js", "picture.js", "plane.js", "panel.js")
    _css = static("hidden.css", "choice.css", "panel.css")
    described = traitlets.Dict().tag(sync=True)
    asked = traitlets.Dict().tag(sync=True)
    view = traitlets.Dict().tag(sync=True)

    def __init__(self, panel: "Panel") -> None:
        self._panel = panel
        asked = {"number": 0, "state": panel.held(panel.start), "more": False}
        super().__init__(described=panel.describe(), asked=asked, view=self._answer(asked))
        self.observe(self._respond, names="asked")

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        return {**self._panel.respond(asked["state"], asked["more"]), "number": asked["number"]}

    def _respond(self, change: dict[str, Any]) -> None:
        self.view = self._answer(change["new"])

    def __repr__(self) -> str:
        return repr(self._panel)
