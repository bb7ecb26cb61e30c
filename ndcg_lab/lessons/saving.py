"""What JupyterLab saves of a lesson: without widget views, so that it opens again with its static readings.

A live view belongs to a kernel; opened without it the saved view says "model not found" and hides the reading beside
it. The package installs this as the Jupyter server's `pre_save_hook` (`etc/jupyter/jupyter_server_config.d`), and
`without_views` touches notebooks of this course alone: those whose code imports `ndcg_lab.lessons`.
"""

from collections.abc import MutableMapping
from typing import Any

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def without_views(model: MutableMapping[str, Any], **_: object) -> None:
    """Take widget views and widget state out of a lesson about to be saved; outputs with nothing else stay.

    Args:
        model: the contents model that Jupyter's server is about to write.
    """
    notebook = model.get("content")
    if model.get("type") != "notebook" or not isinstance(notebook, MutableMapping):
        return
    cells = [cell for cell in notebook.get("cells", []) if cell.get("cell_type") == "code"]
    if not any("ndcg_lab.lessons" in "".join(cell.get("source", "")) for cell in cells):
        return
    notebook.get("metadata", {}).pop("widgets", None)
    for output in (output for cell in cells for output in cell.get("outputs", [])):
        data = output.get("data", {})
        if WIDGET_VIEW in data and "text/html" in data:
            del data[WIDGET_VIEW]
            output.get("metadata", {}).pop(WIDGET_VIEW, None)
