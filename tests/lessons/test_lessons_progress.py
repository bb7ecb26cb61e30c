"""Progress: what is saved is loaded again, and a file that is something else changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ndcg_lab.errors import FormatError
from ndcg_lab.lessons.keeping import Keeping
from ndcg_lab.lessons.progress import Progress

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    here, there = Progress(), Progress()
    here.record("lesson 01: predict", "X leads under r²")
    here.record("lesson 01: exercise 1", "right | 4a - 5/2")
    here.save(tmp_path / "kept.json")
    there.record("lesson 00: predict", "both the same")
    there.load(tmp_path / "kept.json")
    assert there.kept() == {**here.kept(), "lesson 00: predict": "both the same"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1]", "not an object"),
        ('{"good": "yes", "bad": 3}', "the answer of 'bad' is no text"),
        (f'{{"a": "{"x" * 1_000_000}"}}', "more than 1000000"),
    ],
)
def test_another_file_is_refused_whole(text: str, says: str) -> None:
    store = Progress()
    store.record("kept", "as it was")
    with pytest.raises(FormatError, match=says):
        store.read(text)
    assert store.kept() == {"kept": "as it was"}


def upload(panel: Keeping, content: bytes) -> None:
    panel._take(({"name": "kept.json", "content": memoryview(content)},))


def test_the_panel_loads_and_escapes() -> None:
    store = Progress()
    panel = Keeping(store)
    assert repr(panel) == "Progress: nothing kept yet"
    upload(panel, b'{"<img>": "<script>alert(1)</script>"}')
    assert store.of("<img>") == "<script>alert(1)</script>"
    assert "<script" not in panel._shown.value
    assert "<img" not in panel._shown.value
    assert "&lt;script&gt;" in panel._shown.value
    assert "Loaded: 1 answers." in panel._message.value


def test_the_panel_tells_what_it_can_not_load() -> None:
    panel = Keeping(Progress())
    upload(panel, b"\xff\xfe")
    assert "not UTF-8" in panel._message.value
    upload(panel, b"[]")
    assert "not an object" in panel._message.value
