"""What a reader has chosen and answered so far.

In a kernel it is kept by itself, in a file beside the notebook, and offered again; it can also be saved and loaded.
"""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ndcg_lab.errors import FormatError

_LARGEST = 1_000_000  # characters of a file; a whole course is a few thousand


class Progress:
    """Answers by name, and whom to tell when one changes.

    >>> progress = Progress()
    >>> progress.record("lesson 00: predict", "from rank 1 to 2")
    >>> progress.of("lesson 00: predict")
    'from rank 1 to 2'
    """

    def __init__(self) -> None:
        self._answers: dict[str, str] = {}
        self._listeners: list[Callable[[], None]] = []
        self._path: Path | None = None

    def keep(self, path: str | Path) -> None:
        """Take over what a file holds, and write every later answer to it; a file that can't be read is left alone.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     first, second = Progress(), Progress()
        ...     first.keep(f"{folder}/kept.json")
        ...     first.record("lesson 00: predict", "both the same")
        ...     second.keep(f"{folder}/kept.json")
        >>> second.of("lesson 00: predict")
        'both the same'
        """
        path = Path(path)
        try:
            if path.exists():
                self.load(path)
        except (FormatError, OSError, UnicodeDecodeError):
            return
        self._path = path

    def of(self, name: str) -> str | None:
        """The answer kept under a name, or None."""
        return self._answers.get(name)

    def record(self, name: str, answer: str) -> None:
        """Keep an answer."""
        if self._answers.get(name) != answer:
            self._answers[name] = answer
            self._write({name: answer})
            self._tell()

    def _write(self, new: dict[str, str]) -> None:
        """Add answers to the file that keeps them; another lesson's kernel may have written to it meanwhile."""
        if self._path is None:
            return
        there = Progress()
        with suppress(FormatError, OSError, UnicodeDecodeError):
            there.load(self._path)
        there._answers |= new
        written = self._path.with_suffix(".new")
        with suppress(OSError):  # a folder that can't be written to keeps nothing
            there.save(written)
            written.replace(self._path)

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call back after each change."""
        self._listeners.append(callback)

    def text(self) -> str:
        """All answers as JSON."""
        return json.dumps(self._answers, indent=1, ensure_ascii=False) + "\n"

    def read(self, text: str) -> int:
        """Take over the answers of a JSON text, as `text` gives it; what is already here stays unless it is named.

        Returns:
            How many answers it held.

        Raises:
            FormatError: it isn't an object of names and answers, or too large for one.

        >>> Progress().read('{"lesson 00: predict": "both the same"}')
        1
        """
        if len(text) > _LARGEST:
            raise FormatError(f"progress: {len(text)} characters, more than {_LARGEST}")
        try:
            loaded = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"progress: not JSON: {error}") from None
        if not isinstance(loaded, dict):
            raise FormatError("progress: not an object of names and answers")
        for name, answer in loaded.items():
            if not isinstance(answer, str):
                raise FormatError(f"progress: the answer of {name!r} is no text")
        self._answers.update(loaded)
        self._write(loaded)
        self._tell()
        return len(loaded)

    def save(self, path: str | Path) -> None:
        """Write all answers to a JSON file."""
        Path(path).write_text(self.text(), encoding="utf-8")

    def load(self, path: str | Path) -> None:
        """Take over the answers of a JSON file that `save` wrote; raises as `read` does."""
        self.read(Path(path).read_text(encoding="utf-8"))

    def kept(self) -> dict[str, str]:
        """All answers by name."""
        return dict(self._answers)

    def _tell(self) -> None:
        for callback in self._listeners:
            callback()


progress = Progress()
"""The progress that predictions and exercises use."""

FILE = "ndcg-lab-progress.json"
"""Where a kernel keeps it: beside the notebook."""


def in_kernel() -> bool:
    """Whether this is a notebook's kernel, and no script or test."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


if in_kernel():
    progress.keep(FILE)
