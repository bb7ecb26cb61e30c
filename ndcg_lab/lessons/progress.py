"""What a reader has chosen and answered so far; it can be saved to a file and loaded again."""

import json
from collections.abc import Callable
from pathlib import Path


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

    def of(self, name: str) -> str | None:
        """The answer kept under a name, or None."""
        return self._answers.get(name)

    def record(self, name: str, answer: str) -> None:
        """Keep an answer."""
        if self._answers.get(name) != answer:
            self._answers[name] = answer
            self._tell()

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call back after each change."""
        self._listeners.append(callback)

    def save(self, path: str | Path) -> None:
        """Write all answers to a JSON file."""
        Path(path).write_text(json.dumps(self._answers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    def load(self, path: str | Path) -> None:
        """Take over the answers of a JSON file that `save` wrote."""
        loaded = json.loads(Path(path).read_text(encoding="utf-8"))
        self._answers.update({str(name): str(answer) for name, answer in loaded.items()})
        self._tell()

    def _tell(self) -> None:
        for callback in self._listeners:
            callback()


progress = Progress()
"""The progress of this session, which predictions and exercises use."""
