"""What existing systems mean by NDCG: a mapping from a system's name to its convention.

The module is itself the mapping (its class is set below, as Python's data model allows for modules), so that the
conventions and what can be done with them have one name:

>>> from ndcg_lab import conventions
>>> conventions["scikit-learn"].at(10).ties
'average'
>>> conventions["ranx"].version
'0.3.21'
>>> conventions["sklearn"].name, conventions["pyserini"].name
('scikit-learn', 'trec_eval')

The entries are data, read on first use: `systems.toml`, and `departures.toml` for what goes against expectation.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, Literal, cast

from ndcg_lab.conventions import pages, tables
from ndcg_lab.conventions.agreement import agrees, printed_value
from ndcg_lab.conventions.calls import TOOLS, Call, convention_call
from ndcg_lab.conventions.entries import Convention, Departure, Query, UnknownConvention, Variant, aliases, load
from ndcg_lab.errors import meant, require
from ndcg_lab.measure.contract import Contract

__all__ = [
    "TOOLS",
    "Call",
    "Convention",
    "Conventions",
    "Departure",
    "Query",
    "UnknownConvention",
    "Variant",
    "agrees",
    "convention_call",
    "conventions",
    "printed_value",
]


class Conventions(ModuleType, Mapping[str, Convention]):
    """The class of this module: name -> `Convention`, in the order of the table; an alias is found, not listed."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def __getitem__(self, name: str) -> Convention:
        known = load()
        name = aliases().get(name, name)
        if name not in known:
            guess = meant(name, [*known, *aliases()])
            first = ", ".join(list(known)[:6])
            raise UnknownConvention(
                f"no convention is named `{name}`{guess}; there are {first} and {len(known) - 6} more, which "
                "`ndcg-lab conventions` lists, and `list(conventions)` in Python"
            )
        return known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(load())

    def __len__(self) -> int:
        return len(load())

    def table(self, name: str | None = None) -> str:
        """The conventions as a Markdown table; with a name, everything about that one."""
        return tables.markdown(self.values()) if name is None else pages.page(self[name])

    def difference(self, name: str, other: str) -> str:
        """What sets two systems apart, in Markdown: fields, and standard cases in which they mean different numbers."""
        return pages.difference(self[name], self[other])

    def rows(self, name: str | None = None) -> list[dict[str, str]]:
        """The table's rows as plain text by column, of one system or all."""
        return tables.rows(self.values() if name is None else [self[name]])

    def to_json(self, name: str | None = None) -> dict[str, Any]:
        """Every convention as plain data by name; with a name, that one."""
        if name is not None:
            return self[name].to_json()
        return {name: convention.to_json() for name, convention in self.items()}

    def departures(self, kind: str | None = None) -> Sequence[Departure]:
        """What goes against expectation, of every system; of one kind where it is named."""
        return [found for each in self.values() for found in each.departures if kind in (None, found.kind)]

    def call(self, contract: Contract, tool: str) -> Call:
        """How a tool is made to compute a contract, or why it can't: see `convention_call`."""
        return convention_call(contract, tool)

    def matching(self, contract: Contract, *, k: Literal["any", "same"] = "any") -> list[str]:
        """The systems, with parameters in brackets, whose contract this is; at any cutoff, or at their default.

        >>> from ndcg_lab import Contract, conventions
        >>> conventions.matching(Contract(gain="exponential", k=10, ties="input", unjudged="zero", zero_ideal="zero"))
        ['quepid-ndcg_cut', 'azure-ai-evaluation']
        """
        require(Contract, "contract", contract, 'Contract(gain="linear", k=10)')
        found = []
        for name, convention in self.items():
            for variant in (None, *convention.variants):
                chosen = () if variant is None else (variant,)
                cutoff = contract.k if k == "any" else None
                if (variant is None or convention.variants[variant].contract) and convention.at(
                    cutoff, *chosen
                ) == contract:
                    found.append(name if variant is None else f"{name} ({variant})")
        return found


sys.modules[__name__].__class__ = Conventions
conventions = cast("Conventions", sys.modules[__name__])
