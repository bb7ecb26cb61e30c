"""A panel that saves what a reader has predicted and answered to a JSON file, and loads it again."""

from typing import Any

import ipywidgets

from ndcg_lab.errors import FormatError, NdcgLabError
from ndcg_lab.lessons import views
from ndcg_lab.lessons.controls import Announcer, Download
from ndcg_lab.lessons.display import bundle
from ndcg_lab.lessons.progress import Progress, progress
from ndcg_lab.lessons.text import escape


class Keeping:
    """Download and upload of the progress, with a table of what it holds.

    A lesson runs in a kernel of its own: load the file in the next lesson before you save there, and it holds both.

    >>> Keeping(Progress())
    Progress: nothing kept yet
    """

    def __init__(self, store: Progress = progress) -> None:
        self._store = store
        self._upload = ipywidgets.FileUpload(description="load progress", accept=".json", multiple=False)
        self._upload.layout.width = "14em"
        self._message, self._shown, self._announcer = ipywidgets.HTML(), ipywidgets.HTML(), Announcer()
        download = Download("save progress", "ndcg-lab-progress.json", "application/json", store.text, self._failed)
        self._upload.observe(lambda change: self._take(change["new"]), names="value")
        store.on_change(self._refresh)
        self._refresh()
        self.widget = ipywidgets.VBox([download, self._upload, self._message, self._shown, self._announcer])

    def _take(self, uploaded: tuple[dict[str, Any], ...]) -> None:
        if not uploaded:
            return
        try:
            held = self._store.read(bytes(uploaded[0]["content"]).decode("utf-8"))
        except UnicodeDecodeError:
            self._failed(FormatError("progress: the file is not UTF-8 text"))
        except NdcgLabError as error:
            self._failed(error)
        else:
            self._message.value = views.block(f"Loaded: {held} answers.")
            self._announcer.text = f"Loaded: {held} answers."
        self._upload.value = ()

    def _failed(self, error: NdcgLabError) -> None:
        self._message.value = views.block(f"<strong>Nothing loaded: {escape(str(error))}</strong>")
        self._announcer.text = f"Nothing loaded: {error}"

    def _refresh(self) -> None:
        self._shown.value = self.reading()

    def reading(self) -> str:
        """What is kept, as a table; names and answers come from the reader's file and are escaped."""
        kept = self._store.kept()
        if not kept:
            return views.block("Nothing kept yet.")
        rows = [(escape(name), escape(answer)) for name, answer in sorted(kept.items())]
        return views.rows_table("What you chose and answered", ("where", "answer"), rows, wrap=True)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return bundle(self.widget, self.reading(), repr(self))

    def __repr__(self) -> str:
        kept = len(self._store.kept())
        return f"Progress: {f'{kept} answers' if kept else 'nothing kept yet'}"
