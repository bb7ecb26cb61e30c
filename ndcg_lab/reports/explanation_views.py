"""An explanation in words and in tables."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ndcg_lab.errors import Undecided
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.measure.evaluation import Evaluation
from ndcg_lab.measure.outcomes import Value
from ndcg_lab.reports.averaging import short_form
from ndcg_lab.reports.changes import ORDER, RUN, SCORES, THE_QUERY
from ndcg_lab.reports.comparison_views import number, plain, proof, signed
from ndcg_lab.reports.notes import counted
from ndcg_lab.reports.steps import Lead, LeadPath, Path, Step, minus, same
from ndcg_lab.tables import Table

_MOST_QUERIES = 10  # shown one by one
_MOST_NAMES = 3  # of documents, or of queries, in one cell


# In words.


def summary(explanation: Path) -> Iterator[str]:
    """What the disagreement comes from, sentence by sentence."""
    start, end, steps, alone = explanation.start, explanation.end, explanation.steps, explanation.alone
    what = "NDCG" if isinstance(start.result, Evaluation) else "the mean NDCG"
    names = [step.change for step in steps]
    if not names:
        told = [difference.field for difference in explanation.differences]
        also = f" ({_named(told)} {_s('differ', told)}, and {_s('enter', told)} no number)" if told else ""
        yield f"Nothing differs that enters a number{also}: {what} is {number(start.mean)} in both."
        return
    disagree = not same(start.mean, end.mean)
    if disagree:
        less = _less(start.mean, end.mean)
        yield f"{_capital(what)} is {number(start.mean)} in A and {number(end.mean)} in B{less}."
    else:
        changed = sum(not same(value, end.queries.get(query)) for query, value in start.queries.items())
        though = f", though the value of {counted(changed, 'query', 'queries')} differs" if changed else ""
        yield f"{_capital(what)} is {number(start.mean)} in both, exactly{though}."
    if explanation.lead is not None:
        yield " ".join(lead_summary(explanation.lead))
    idle = [step.change for step, single in zip(steps, alone, strict=True) if step.idle and single.idle]
    if set(names) <= set(RUN):
        yield f"The runs differ ({_named(names)}), and nothing else."
    elif len(names) == 1:
        yield f"Only {_named(names)} differs{'' if disagree else ', and does not move it'}."
    elif disagree:
        yield from _carriers(explanation)
    if len(names) > 1 and idle:
        yield f"{_named(idle)} {_s('change', idle)} no number here."
    yield from _order_effects(explanation)
    for step in alone:
        if step.error is not None:
            yield f"With {_named([step.change])} alone changed the contract refuses: {step.error}."


def _carriers(explanation: Path) -> Iterator[str]:
    """Which changes alone make the first number the second; else which alone moves it most."""
    carriers = [step.change for step in explanation.alone if same(step.mean, explanation.end.mean)]
    moves = {step.change: step.moved for step in explanation.alone if step.moved is not None}
    if len(carriers) == 1:
        yield f"{_named(carriers)} alone carries the whole disagreement."
    elif carriers:
        yield f"Each of {_named(carriers)} alone carries the whole disagreement."
    elif moves:
        most = _most(moves, whole=len(moves) == len(explanation.alone))
        yield f"No change alone carries the whole disagreement{most}."


def _most(moves: Mapping[str, Exact], *, whole: bool) -> str:
    """Which changes move most, all of them that do; nothing where that can't be decided."""
    try:
        most = [change for change in moves if not any(abs(moves[change]) < abs(other) for other in moves.values())]
        if not moves[most[0]].sign():
            return ", and none moves it" if whole else ", and none that gives a number moves it"
    except Undecided:
        return ""
    if len(most) == 1:
        return f"; {_named(most)} moves most ({signed(moves[most[0]])})"
    return f"; {_joined([f'`{change}` ({signed(moves[change])})' for change in most])} move most, and equally"


def _order_effects(explanation: Path) -> Iterator[str]:
    """Changes whose effect depends on what was changed before."""
    depends = [
        f"{_named([step.change])} ({signed(alone.moved)} alone, {signed(step.moved)} in its turn)"
        for step, alone in zip(explanation.steps, explanation.alone, strict=True)
        if step.moved is not None
        and alone.moved is not None
        and not same(step.moved, alone.moved)
        and not (step.change in RUN and explanation.lead is not None)  # two systems: of little interest
    ]
    if depends:
        yield f"The effect depends on what was changed before: {_joined(depends)}."


def lead_summary(path: LeadPath) -> Iterator[str]:
    """Whether the lead turns, and by which change, sentence by sentence."""
    start, end = path.start, path.end
    yield f"Under {path.names[0]} {_who(start)}; under {path.names[1]} {_who(end)}."
    if start.sign is None or end.sign is None:
        return
    changes = [lead.change for lead in path.alone]
    if start.sign == end.sign:
        away = [lead.change for lead in path.alone if lead.sign not in (start.sign, None)]
        yield f"No reversal{f', though {_each(away)} would turn the lead' if away else ''}."
        return
    flips = [lead.change for lead in path.alone if lead.sign == end.sign]
    verb = "flip" if path.reversed else "change"
    if len(changes) == 1:
        yield f"{_named(changes)} {verb}s the lead."
    elif flips:
        yield f"{_each(flips)} {_s(verb, flips)} the lead."
    else:
        turning = [
            lead.change
            for before, lead in zip([path.start, *path.steps], path.steps, strict=False)
            if lead.sign not in (before.sign, None)
        ]
        turns = f" It turns with {_named(turning)}, in their order." if turning else ""
        yield f"No change alone {verb}s the lead, but {_named(changes)} together do.{turns}"


def _who(lead: Lead) -> str:
    if lead.comparison is None:
        return f"the contract refuses ({lead.error})"
    if isinstance(lead.comparison.difference, Undefined):
        return f"no one leads, for a mean is {lead.comparison.difference}"
    if lead.sign == 0:
        return "A and B are exactly equal"
    return f"{'A' if lead.sign == 1 else 'B'}'s run leads by {plain(abs(lead.comparison.difference))}"


def _less(one: Value | None, other: Value | None) -> str:
    move = minus(other, one)
    return "" if move is None else f", {plain(abs(move))} {'more' if move.sign() > 0 else 'less'}"


# Names.


def _named(names: Sequence[str]) -> str:
    return _joined([f"`{name}`" for name in names])


def _each(names: Sequence[str]) -> str:
    return _joined([f"`{name}` alone" for name in names])


def _joined(texts: Sequence[str]) -> str:
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _s(verb: str, subjects: Sequence[str]) -> str:
    return verb if len(subjects) > 1 else f"{verb}s"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


# In tables.


def tables(explanation: Path) -> Iterator[Table]:
    """What differs; one change at a time; each change alone; the queries, where they are few; the lead."""
    start, steps = explanation.start, explanation.steps
    if explanation.differences:
        rows = [[d.field, _side(d.field, d.a), _side(d.field, d.b)] for d in explanation.differences]
        yield Table("What differs", {"": False, "A": False, "B": False}, rows)
    if steps:
        what = "NDCG" if isinstance(start.result, Evaluation) else "mean NDCG"
        columns = {"change": False, what: True, "moved by": True, "queries up": True, "down": True}
        rows = [["A", number(start.mean), "", "", ""], *(_step_row(f"+ {step.change}", step) for step in steps)]
        yield Table("One change at a time, from A to B", columns, rows)
    if len(steps) > 1:
        yield Table("Each change alone, made to A", columns, [_step_row(s.change, s) for s in explanation.alone])
    if steps and 1 < len(start.queries) <= _MOST_QUERIES:
        yield _queries_table(explanation)
    if explanation.lead is not None:
        yield lead_table(explanation.lead)


def step_rows(explanation: Path, *, queries: bool = False, exact: bool = False) -> Iterator[dict[str, str]]:
    """Tidy rows of the mean NDCG, one a state: the `start`, each `step`, each change `alone`; or of each query's."""

    def told(value: Value | None) -> dict[str, str]:
        number = value if isinstance(value, Exact) else None
        form = {"exact": "" if number is None else short_form(number) or ""} if exact else {}
        return {"value": "" if number is None else number.decimal(20), **form}

    states = [("start", explanation.start)]
    states += [("step", step) for step in explanation.steps] + [("alone", step) for step in explanation.alone]
    for kind, step in states:
        if queries:
            for query, value in step.queries.items():
                yield {"kind": kind, "change": step.change, "query": query, **told(value)}
        else:
            moved = "" if step.moved is None else step.moved.decimal(20)
            yield {"kind": kind, "change": step.change, **told(step.mean), "moved": moved, "error": step.error or ""}


def _step_row(name: str, step: Step) -> list[str]:
    if step.error is not None:
        return [name, f"refused: {step.error}", "", "", ""]
    old = {} if step.before is None else step.before.queries
    moves = [minus(value, old.get(query)) for query, value in step.queries.items()]
    signs = [move.sign() for move in moves if move is not None]
    moved = "" if step.moved is None else signed(step.moved)
    return [name, number(step.mean), moved, str(signs.count(1)), str(signs.count(-1))]


def _queries_table(explanation: Path) -> Table:
    """The NDCG of each query after each step."""
    states = [explanation.start, *explanation.steps]
    queries = dict.fromkeys(query for state in states for query in state.queries)
    rows = [
        [query, *(number(state.queries[query]) if query in state.queries else "-" for state in states)]
        for query in queries
    ]
    headings = {"query": False, "A": True, **{f"+ {step.change}": True for step in explanation.steps}}
    return Table("NDCG by query", headings, rows)


def lead_table(path: LeadPath) -> Table:
    """The lead, one change at a time and after each alone, with its proof."""
    counted = path.start.counts is not None
    columns = {
        "change": False,
        "A": True,
        "B": True,
        "A - B": True,
        "leads": False,
        **({"queries A : tied : B": True} if counted else {}),
        "proof": False,
    }
    leads = [(path.names[0], path.start), *((f"+ {lead.change}", lead) for lead in path.steps)]
    if len(path.steps) > 1:
        leads += [(f"{lead.change} alone", lead) for lead in path.alone]
    return Table(
        "Who leads, as the question changes", columns, [_lead_row(name, lead, counted) for name, lead in leads]
    )


def _lead_row(name: str, lead: Lead, counted: bool) -> list[str]:
    if lead.comparison is None:
        return [name, "", "", "", "refused", *([""] if counted else []), lead.error or ""]
    difference = lead.comparison.difference
    return [
        name,
        number(lead.a),
        number(lead.b),
        "" if isinstance(difference, Undefined) else signed(difference),
        {1: "A", -1: "B", 0: "equal", None: "no one"}[lead.sign],
        *([" : ".join(map(str, lead.counts or ()))] if counted else []),
        proof(lead.comparison),
    ]


def _side(name: str, side: Any) -> str:
    """One side of a difference, in a cell."""
    if isinstance(side, list):
        return _some(side) or "-"
    if not isinstance(side, dict):
        return "none" if side is None else str(side)
    told = [_told(name, value) for value in side.values()]
    if list(side) == [THE_QUERY]:
        return told[0]
    named = [f"{query}: {text}" for query, text in zip(side, told, strict=True)]
    return "; ".join(named) if len(named) <= _MOST_NAMES else f"{len(named)} queries; {named[0]}; ..."


def _told(name: str, value: Any) -> str:
    if not isinstance(value, dict):
        return (_some(value) or "-") if isinstance(value, list) else str(value)
    if name == ORDER:
        return f"{value['document']} at {value['position']}"
    if name == SCORES:
        return f"{'no score' if value['score'] is None else value['score']} at {value['position']}"
    return _some([f"{document} {grade}" for document, grade in value.items()])


def _some(texts: Sequence[object]) -> str:
    more = len(texts) - _MOST_NAMES
    return ", ".join(map(str, texts[:_MOST_NAMES])) + (f" and {more} more" if more > 0 else "")
