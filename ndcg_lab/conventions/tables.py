"""The conventions as text: a Markdown table of all, everything about one."""

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


def details(convention: Convention) -> str:
    """Everything about one convention, in Markdown."""
    lines = [
        f"# {convention.title}",
        "",
        f"`{convention.name}`, version {convention.version}: {CHECKED[convention.checked]}.",
        *([f"Also found as {', '.join(f'`{alias}`' for alias in convention.aliases)}."] * bool(convention.aliases)),
        f"Source: {convention.source}.",
        f"Cutoff: `{convention.cutoff}`. Numbers: {convention.precision.replace(':', ' ')}.",
        "",
        "| field | value |",
        "| --- | --- |",
        *(f"| `{name}` | {_text(value)} |" for name, value in convention.contract.to_json().items()),
        *(f"| `{name}` | {value} |" for name, value in convention.aggregation.to_json().items()),
    ]
    if convention.variants:
        lines += ["", "Parameters that change it:", ""]
        for variant in convention.variants.values():
            parts = [*_pairs(variant.contract), *_pairs(variant.aggregation)]
            parts += ["reports DCG"] * (variant.quantity == "dcg")
            lines.append(f"- `{variant.name}`: {'; '.join([*parts, *variant.cannot])}")
    if convention.cannot:
        lines += ["", "What a contract can't say of it:", "", *(f"- {sentence}" for sentence in convention.cannot)]
    if convention.departures:
        lines += ["", "Against expectation:", ""]
        lines += [
            f"- {found.what} Printed: `{found.printed}`; its contract gives {found.own}."
            + (f" With {', '.join(_pairs(found.instead))}: {found.gives}." if found.gives else "")
            for found in convention.departures
        ]
    return "\n".join(lines)


def _row(convention: Convention) -> dict[str, str]:
    contract = convention.contract
    population = {"judged": "judged", "returned": "returned", "returned-at-k": "returned, top k"}
    cut = {"k": "k", "returned": "number returned, at most k", "none": "not cut"}
    other = [
        *(f"{name} = {_text(getattr(contract, name))}" for name in _stated(contract, OTHER)),
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


def _pairs(changes: Mapping[str, object]) -> list[str]:
    return [f"{name} = {_text(value)}" for name, value in changes.items()]


def _text(value: object) -> str:
    return "none" if value is None else str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
