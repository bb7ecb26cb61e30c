"""A page about one system, and what sets two systems apart, in Markdown: made from the entries and the record."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ndcg_lab.conventions.calls import TOOLS, convention_call, gain_text
from ndcg_lab.conventions.entries import load
from ndcg_lab.conventions.record import CASES, Case, Recorded, record
from ndcg_lab.conventions.tables import CHECKED, pairs, setting
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.measure.contract import Contract

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ndcg_lab.conventions.entries import Convention, Departure
    from ndcg_lab.exact.undefined import Undefined
    from ndcg_lab.exact.values import Exact

THEIRS, OURS = "refusal", "ours"
"""The kinds of departure that are refusals: of the system, and of its contract where the system takes the input."""

DISCOUNTS = {
    "log2": "1/log2(rank + 1)",
    "log": "1/log_{0}(rank + 1)",
    "jarvelin": "1 up to rank {0}, from there on 1/log_{0}(rank)",
    "reciprocal": "1/rank",
    "geometric": "({0})**(rank - 1)",
    "none": "1",
}
POPULATIONS = {
    "judged": "every judged document",
    "returned": "every returned document",
    "returned-at-k": "the first k returned documents",
}
CUTS = {"k": "the first k", "returned": "as many as were returned, at most k", "none": "all of them"}
ZERO = {"zero": "0", "one": "1", "undefined": "no value", "exclude": "no value, and left out of the mean"}


def page(convention: Convention) -> str:
    """Everything about one convention."""
    lines = [
        f"# {convention.title}",
        "",
        f"`{convention.name}`, version {convention.version}: {CHECKED[convention.checked]}.",
        *([f"Also found as {', '.join(f'`{alias}`' for alias in convention.aliases)}."] * bool(convention.aliases)),
        f"Source: {convention.source}.",
        f"Cutoff: `{convention.cutoff}`. Numbers: {convention.precision.replace(':', ' ')}.",
        *_section("Contract", _contract(convention)),
        *_section("Formula", _formula(convention.contract)),
        *_section("Parameters that change it", _parameters(convention)),
        *_section("What a contract can't say of it", (f"- {sentence}" for sentence in convention.cannot)),
        *_section("What it refuses", (_told(found) for found in _of(convention, THEIRS))),
        *_section("What its contract refuses and it takes", (_told(found) for found in _of(convention, OURS))),
        *_section("Against expectation", (_told(found) for found in _of(convention))),
        *_section("On the standard cases", _cases(convention)),
        *_section("The call that gives your contract", _calls(convention)),
    ]
    return "\n".join(lines)


def difference(one: Convention, other: Convention) -> str:
    """The settings in which two conventions differ, and the standard cases in which they mean different numbers."""
    lines = [f"# {one.title}, {other.title}", ""]
    rows = [
        (name, setting(getattr(mine, name)), setting(getattr(theirs, name)))
        for mine, theirs in ((one.contract, other.contract), (one.aggregation, other.aggregation))
        for name in mine.differences(theirs)  # type: ignore[arg-type]  # pairs of one type each
    ]
    if not rows:
        return "\n".join([*lines, f"`{one.name}` and `{other.name}` have one contract."])
    lines += _grid(("field", one.name, other.name), ((f"`{row[0]}`", *row[1:]) for row in rows))
    apart = []
    for case in CASES.values():
        values = [_meant(each, each.at(case.k), case) for each in (one, other)]
        if values[0] != values[1]:
            apart.append((case.say, *(f"`{value}`" for value in values)))
    if apart:
        lines += ["", "Standard cases that they make different numbers of:", ""]
        lines += _grid(("case", one.name, other.name), apart)
    else:
        lines += ["", "No standard case tells them apart."]
    return "\n".join(lines)


def differences(convention: Convention, others: Iterable[Convention]) -> str:
    """What sets a convention apart from each of others: fields, and standard cases of different numbers; a section."""
    rows = []
    for other in others:
        if other.name == convention.name:
            continue
        fields = [
            f"`{name}`: {setting(getattr(mine, name))}, {setting(getattr(theirs, name))}"
            for mine, theirs in ((convention.contract, other.contract), (convention.aggregation, other.aggregation))
            for name in mine.differences(theirs)  # type: ignore[arg-type]  # pairs of one type each
        ]
        here, there = _numbers(convention.name), _numbers(other.name)
        apart = [case.say for case in CASES.values() if here[case.name] != there[case.name]]
        rows.append((f"`{other.name}`", "; ".join(fields) or "one contract", "; ".join(apart) or "none"))
    heads = ("other system", "fields that differ: here, there", "standard cases of different numbers")
    return "\n".join(_section("Against the others", _grid(heads, rows)))


@cache
def _numbers(name: str) -> dict[str, str]:
    """What a system's contract makes of each standard case."""
    convention = load()[name]
    return {case.name: _meant(convention, convention.at(case.k), case) for case in CASES.values()}


def _section(head: str, lines: Iterable[str]) -> list[str]:
    listed = list(lines)
    return ["", f"## {head}", "", *listed] if listed else []


def _grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return [*lines, *("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)]


def _contract(convention: Convention) -> list[str]:
    stated = {**convention.contract.to_json(), **convention.aggregation.to_json()}
    return _grid(("field", "value"), ((f"`{name}`", setting(value)) for name, value in stated.items()))


def _formula(contract: Contract) -> Iterator[str]:
    kind, _, parameter = contract.discount.partition(":")
    ranks = "every rank" if contract.k == "all" else "the first k ranks"
    population, cut = POPULATIONS[contract.ideal_population], CUTS[contract.ideal_cutoff]
    if contract.k == "all":
        cut = {"k": CUTS["none"], "returned": "as many as were returned"}.get(contract.ideal_cutoff, cut)
    rounded = "" if contract.round_to is None else f", rounded to {contract.round_to} decimals"
    yield "```text"
    yield f"gain(grade)    = {gain_text(contract)}"
    yield f"discount(rank) = {DISCOUNTS[kind].format(parameter or 2)}"
    yield f"DCG            = the sum of gain(grade) * discount(rank) over {ranks}"
    yield f"ideal DCG      = the same sum over {population}, the largest gain first: {cut}"
    yield f"NDCG           = DCG / ideal DCG{rounded}; where the ideal DCG is 0: {ZERO[contract.zero_ideal]}"
    yield "```"


def _parameters(convention: Convention) -> Iterator[str]:
    for variant in convention.variants.values():
        parts = [*pairs(variant.contract), *pairs(variant.aggregation)]
        parts += ["reports DCG"] * (variant.quantity == "dcg")
        yield f"- `{variant.name}`: {'; '.join([*parts, *variant.cannot])}"


def _of(convention: Convention, kind: str | None = None) -> list[Departure]:
    """The departures of a kind; without one, those that are no refusal."""
    return [
        found for found in convention.departures if (found.kind == kind if kind else found.kind not in {THEIRS, OURS})
    ]


def _told(found: Departure) -> str:
    data = "; ".join(
        f"judged {', '.join(f'{name} = {grade}' for name, grade in query.judgments.items()) or 'nothing'}, "
        f"returned {_returned(query.ranking, query.scores)}"
        for query in found.queries
    )
    says = "It says" if found.kind == THEIRS else "Printed"
    own = f"its contract refuses it (`{found.refused}`)" if found.refused else f"its contract gives {found.own}"
    otherwise = f" With {', '.join(pairs(found.instead))}: {found.gives}." if found.gives else ""
    return f"- {found.what} Input: {data}. {says}: `{found.printed}`; {own}.{otherwise}"


_MOST = 8


def _returned(ranking: Sequence[str], scores: Sequence[str] | None) -> str:
    if not ranking:
        return "nothing"
    shown = ranking if scores is None else [f"{name} ({score})" for name, score in zip(ranking, scores, strict=True)]
    more = f" and {len(shown) - _MOST} more" if len(shown) > _MOST else ""
    return ", ".join(shown[:_MOST]) + more


def _meant(convention: Convention, contract: Contract, case: Case) -> str:
    """What a contract makes of a case, as text."""
    try:
        if len(case.queries) == 1:
            value: Exact | Undefined = case.queries[0].evaluate(contract).ndcg
        else:
            from ndcg_lab.reports.report import evaluate_run  # a page is written when everything is there

            run = {query.query: query.as_ranking() for query in case.queries}
            qrels = {query.query: query.judgments for query in case.queries}
            value = evaluate_run(contract, run, qrels, **convention.aggregation.to_json()).mean.ndcg
    except NdcgLabError as error:
        return type(error).__name__
    return str(value)


def _cases(convention: Convention) -> Iterator[str]:
    """The standard cases: what was printed, where it was recorded, and what the contract gives, exactly."""
    printed: dict[tuple[str, ...], dict[str, Recorded]] = {(): {}}
    for entry in record():
        if entry.system == convention.name:
            printed.setdefault(entry.parameters, {})[entry.case] = entry
    for parameters, found in printed.items():
        rows = [
            (
                case.say,
                f"`{found[case.name].printed}`" if case.name in found else "not recorded",
                f"`{_meant(convention, convention.at(case.k, *parameters), case)}`",
            )
            for case in CASES.values()
        ]
        if parameters:
            yield from ("", f"With {', '.join(f'`{parameter}`' for parameter in parameters)}:", "")
        yield from _grid(("case", "printed", "its contract, exactly"), rows)
    yield ""
    yield "The worked example: A has grade 3, B and C have 2, D has 0."


def _calls(convention: Convention) -> Iterator[str]:
    """How this system is made to compute other contracts, where that is known."""
    if convention.name not in TOOLS:
        yield "No call is written out for this system: the parameters above are what it offers."
        return
    for gain in ("linear", "exponential"):
        contract = Contract(gain=gain, k=10)
        found = convention_call(contract, convention.name)
        yield f"The textbook's, with {gain} gain and k = 10:"
        yield ""
        yield from ["```text", *str(found).splitlines(), "```", ""]
        yield from (f"- {condition}" for condition in found.holds_where)
        yield from [""] * bool(found.holds_where)
    flags = "--call --gain exponential --k 10 --ties average"
    yield f"Any other: `ndcg-lab conventions {convention.name} {flags}`; in Python,"
    yield f'`conventions.call(contract, "{convention.name}")`.'
