"""The conventions as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ndcg_lab.conventions.entries import Convention
    from ndcg_lab.measure.contract import Settings

CHECKED = {"run": "run", "record": "held against a record", "source": "read in its source"}
"""What `checked` means, in words."""

COLUMNS = ("name", "version", "gain", "ideal", "ties", "unjudged", "zero ideal", "other", "checked")


def rows(conventions: Iterable[Convention]) -> list[dict[str, str]]:
    """One row a system, by column: what its contract says, in the contract's words."""
    return [_row(convention) for convention in conventions]


def markdown(conventions: Iterable[Convention]) -> str:
    """The table of conventions in Markdown."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + " --- |" * len(COLUMNS)]
    lines += ["| " + " | ".join(_cell(row[column]) for column in COLUMNS) + " |" for row in rows(conventions)]
    return "\n".join(lines)


def _row(convention: Convention) -> dict[str, str]:
    contract = convention.contract
    population = {"judged": "judged", "returned": "returned", "returned-at-k": "returned, top k"}
    cut = {"k": "k", "returned": "number returned, at most k", "none": "not cut"}
    other = [
        *(f"{name} = {setting(getattr(contract, name))}" for name in _stated(contract, OTHER)),
        *(f"{name} = {getattr(convention.aggregation, name)}" for name in _stated(convention.aggregation)),
        *(f"`{variant.name}`" for variant in convention.variants.values()),
    ]
    return {
        "name": convention.name,
        "version": convention.version,
        "gain": contract.gain,
        "ideal": f"{population[contract.ideal_population]}, {cut[contract.ideal_cutoff]}",
        "ties": contract.ties + (", float32" if contract.score_precision == "float32" else ""),
        "unjudged": contract.unjudged,
        "zero ideal": contract.zero_ideal,
        "other": "; ".join(other),
        "checked": convention.checked,
    }


OTHER = ("k", "discount", "duplicates", "negative", "round_to")
"""The fields of a contract that have no column of their own."""


def _stated(settings: Settings, among: Iterable[str] | None = None) -> list[str]:
    defaults = {field.name: field.default for field in settings.FIELDS}
    return [name for name in among or defaults if getattr(settings, name) != defaults[name]]


def pairs(changes: Mapping[str, object]) -> list[str]:
    """Settings as text, one by one."""
    return [f"{name} = {setting(value)}" for name, value in changes.items()]


def setting(value: object) -> str:
    """A setting as text."""
    return "none" if value is None else str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
