"""A page per system in the book: contract, formula, what it prints, surprises, the call, and the others."""

from pathlib import Path

import pytest

from ndcg_lab import conventions
from ndcg_lab.conventions.pages import differences
from ndcg_lab.conventions.record import CASES
from tests.support import require_module

HEADS = ["Contract", "Formula", "On the standard cases", "The call that gives your contract", "Against the others"]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require_module("sphinx", "site")
    from tools.site import lay_out

    folder = tmp_path_factory.mktemp("book")
    lay_out(folder)
    return folder


@pytest.mark.parametrize("name", list(conventions))
def test_a_system_has_a_page(book: Path, name: str) -> None:
    text = (book / "systems" / f"{name}.md").read_text(encoding="utf-8")
    convention = conventions[name]
    assert text.startswith(f"# {convention.title}\n")
    for head in HEADS:
        assert f"\n## {head}\n" in text
    for said in (
        convention.version,
        convention.source,
        *convention.cannot,
        *(found.what for found in convention.departures),
    ):
        assert said in text
    for case in CASES.values():
        assert f"| {case.say} |" in text
    assert (f"ndcg-lab conventions {name} --call" in text) == (name in conventions.TOOLS)
    listed = (book / "conventions.md").read_text(encoding="utf-8")
    assert f"| [{name}](systems/{name}.md) |" in listed
    assert f"\nsystems/{name}\n" in listed


@pytest.mark.parametrize("name", list(conventions))
def test_a_page_sets_a_system_apart_from_each_other(name: str) -> None:
    rows = [line.split(" | ") for line in differences(conventions[name], conventions.values()).splitlines()[5:]]
    assert [row[0].removeprefix("| ").strip("`") for row in rows] == [other for other in conventions if other != name]
    for row in rows:
        other = conventions[row[0].removeprefix("| ").strip("`")]
        fields = conventions[name].contract.differences(other.contract)
        fields += conventions[name].aggregation.differences(other.aggregation)
        assert [part.partition(":")[0].strip("` ") for part in row[1].split("; ")] == (fields or ["one contract"])


def test_what_sets_trec_eval_apart_from_scikit_learn() -> None:
    """By hand: their ideals differ where B alone is returned, 2 over 3 and 2 over 2, and where E stands first."""
    lines = differences(conventions["trec_eval"], [conventions["scikit-learn"]]).splitlines()
    row = lines[-1]
    assert "`ideal_population`: judged, returned" in row
    assert "B alone is returned" in row
    assert "X = B C A D at k = 1" not in row
