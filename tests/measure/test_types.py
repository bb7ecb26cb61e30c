"""What an editor and a type checker see: the words of a contract's fields, and the order of arguments.

The lines marked for mypy stand for typos: were one accepted, `make lint` would call its mark unused.
"""

import inspect
import pydoc
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

import ndcg_lab
from ndcg_lab import Contract, Judgments, Ranking, conventions, evaluate_run, family
from ndcg_lab.errors import ContractError, NdcgLabError
from ndcg_lab.measure import contract as declared
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation, Field
from tests.support import ROOT

OPEN = {"gain", "k", "discount", "round_to"}
"""Fields that take more than words."""


@pytest.mark.parametrize("field", [*FIELDS, *AGGREGATION_FIELDS], ids=lambda field: field.name)
def test_the_words_that_a_type_checker_knows_are_the_choices(field: Field) -> None:
    if field.name in OPEN:
        return
    name = "".join(part.capitalize() for part in field.name.split("_"))
    assert get_args(getattr(declared, name)) == tuple(choice.spelling for choice in field.choices)
    settings = Contract if field in FIELDS else Aggregation
    assert settings.__annotations__[field.name] == name


@pytest.mark.parametrize("settings", [Contract, Aggregation])
def test_the_signature_for_type_checkers_is_the_declared_one(settings: Any) -> None:
    """It stands in the source for type checkers alone: read from there."""
    source = inspect.getsource(settings)
    body = re.search(r"def __init__\(\s+self,\s+\*,(.*?)\) -> None", source, re.DOTALL)
    assert body is not None
    names = re.findall(r"(\w+): [^\n]*?( = \.\.\.)?,\n", body[1])
    assert [(name, bool(default)) for name, default in names] == [(f.name, not f.required) for f in settings.FIELDS]


def test_typos_are_errors_for_the_type_checker_and_at_run_time() -> None:
    with pytest.raises(ContractError, match="ties"):
        Contract(gain="linear", k=3, ties="averge")  # type: ignore[arg-type]
    with pytest.raises(ContractError, match="tie"):
        Contract(gain="linear", k=3, tie="average")  # type: ignore[call-arg]
    with pytest.raises(ContractError, match="zero_ideal"):
        Contract(gain="linear", k=3, zero_ideal="none")  # type: ignore[arg-type]
    with pytest.raises(ContractError, match="k"):
        Contract(gain="linear", k="al")  # type: ignore[arg-type]
    with pytest.raises(ContractError, match="gain"):
        Contract(k=3)  # type: ignore[call-arg]
    with pytest.raises(ContractError, match="missing"):
        Aggregation(missing="nil")  # type: ignore[arg-type]
    with pytest.raises(ContractError, match="query_set"):
        Contract(gain="linear", k=3).over(query_set="jugded")  # type: ignore[arg-type]
    with pytest.raises(NdcgLabError, match="missing"):
        evaluate_run(Contract(gain="linear", k=3), {}, {}, missing="nil")  # type: ignore[arg-type]


def test_what_is_right_is_right() -> None:
    typed: list[Contract] = [
        Contract(gain="linear", k="all"),
        Contract(gain={0: 0, 1: 3}, k=10, ties="docno-descending", round_to=4),
        Contract(gain="exponential:3", k=1, discount="log:e").over(missing="zero"),
        conventions["trec_eval"].at(10),
    ]
    assert typed[0].ties == "error"


@pytest.mark.parametrize("settings", [Contract, Aggregation])
def test_help_lists_every_field_and_its_choices(settings: Any) -> None:
    text = pydoc.plain(pydoc.render_doc(settings))
    for field in settings.FIELDS:
        assert field.meaning in text
        for choice in field.choices:
            assert f"{choice.spelling} - {choice.meaning}" in text


# One order of arguments.

OVER_QUERIES = {field.name for field in AGGREGATION_FIELDS} | {"weights", "queries"}
RESULTS = {"ranking", "run", "runs", "one", "x"}
JUDGED = {"judgments", "qrels"}


def public_functions() -> dict[str, Any]:
    named = {name: getattr(ndcg_lab, name) for name in ndcg_lab.__all__}
    named |= {f"family.{name}": getattr(family, name) for name in family.__all__}
    return {name: value for name, value in named.items() if inspect.isfunction(value)}


@pytest.mark.parametrize("name", sorted(public_functions()))
def test_settings_over_queries_are_keywords_and_results_come_before_judgments(name: str) -> None:
    parameters = inspect.signature(public_functions()[name]).parameters
    for parameter in parameters.values():
        if parameter.name in OVER_QUERIES and len(parameters) > 2:
            assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
    places = [place for place, one in enumerate(parameters) if one in RESULTS]
    judged = [place for place, one in enumerate(parameters) if one in JUDGED]
    if places and judged:
        assert judged[0] == places[0] + 1


def test_the_examples_of_readme_pass_mypy_strict(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    lines = [line[4:] for block in blocks for line in block.splitlines() if line.startswith((">>> ", "... "))]
    assert len(lines) > 10
    example = tmp_path / "example.py"
    example.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), str(example)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_evaluations_still_take_plain_settings() -> None:
    settings = {"gain": "linear", "k": "3"}
    assert Contract.from_json(settings) == Contract(gain="linear", k=3)
    assert Judgments({"a": 1})
    assert Ranking(["a"])
