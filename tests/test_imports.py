"""Modules of a room know each other in one direction only; an import inside a function counts too."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import ROOT


def imported(path: Path) -> Iterator[str]:
    """What a module loads, at once or later, but for what only a type checker reads."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        waiting += ast.iter_child_nodes(node)


@pytest.mark.parametrize("room", ["measure", "reports"])
def test_no_circle_within_a_room(room: str) -> None:
    modules = {f"ndcg_lab.{room}.{path.stem}": path for path in (ROOT / "ndcg_lab" / room).glob("*.py")}
    left = {name: {other for other in imported(path) if other in modules} for name, path in modules.items()}
    assert sum(map(len, left.values())) > 5  # imports were found
    while left:
        free = [name for name, needs in left.items() if not needs & left.keys()]
        assert free, f"a circle among {sorted(left)}"
        for name in free:
            del left[name]
