"""One output that carries a live view and a static reading.

Without a kernel, or in a notebook that isn't trusted, a reader sees the static one.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ipywidgets

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def bundle(widget: "ipywidgets.Widget | None", html: str, plain: str) -> dict[str, Any]:
    """The MIME bundle of a widget with its static reading; without a widget the reading alone."""
    view = {}
    if widget is not None:
        view[WIDGET_VIEW] = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    return {"text/plain": plain, "text/html": html, **view}


class Reading:
    """HTML to show, with a short text beside it; nothing live.

    >>> Reading("<p>3 &lt; 4</p>", "3 < 4")
    3 < 4
    """

    def __init__(self, html: str, plain: str) -> None:
        self.html, self.plain = html, plain

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return bundle(None, self.html, self.plain)

    def __repr__(self) -> str:
        return self.plain
