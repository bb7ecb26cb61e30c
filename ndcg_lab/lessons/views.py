"""What a panel shows, as pure functions from a [State][ndcg_lab.lessons.state.State] to HTML.

The same HTML serves a live panel and its static reading: plain tables, styles inline, document ids escaped, nothing
that JupyterLab's sanitiser takes out and the meaning needs. A lesson may add a view of its own: any function
`State -> str` will do.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from ndcg_lab import certificate
from ndcg_lab.exact.general import General
from ndcg_lab.exact.rationals import Number
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons.state import Order, State, Target
from ndcg_lab.lessons.text import both, decimal, escape, mark, shown, typeset
from ndcg_lab.measure.contract import FIELDS
from ndcg_lab.measure.evaluation import Evaluation, Row

View = Callable[[State], str]

_TABLE = "border-collapse: collapse; margin: 6px 0; line-height: 1.35"
_CELL = "padding: 2px 6px; text-align: right; white-space: nowrap; border-bottom: 1px solid #8a8a8a"
_LEFT = _CELL.replace("right", "left")
_CENTRE = _CELL.replace("right", "center")
_WRAPPED = _LEFT.replace("nowrap", "normal")
_BARS = (
    "background-color: #0072B2; border: 1px solid #0072B2",  # the first list: filled
    "border: 1px solid #D55E00; border-width: 2px; height: 4px",  # the second: hollow
)
_WIDEST = 72  # pixels of the longest bar


def scrolled(name: str, html: str) -> str:
    """HTML that scrolls sideways in itself where it is wider than the page."""
    return f'<div style="overflow-x: auto" tabindex="0" role="group" aria-label="{escape(name)}">{html}</div>'


def block(html: str) -> str:
    """A paragraph with the panel's look."""
    return f'<p style="line-height: 1.5; margin: 6px 0">{html}</p>'


def cell(content: str, tag: str = "td", **attributes: object) -> str:
    """A table cell with the panel's look; `colspan=2`, `scope="row"` and the like as keywords.

    `left=True` sets it to the left, `wrap=True` lets its text run over several lines; heads of several columns are
    centred.
    """
    style = _CENTRE if attributes.get("scope") == "colgroup" else _CELL
    style = _LEFT if attributes.pop("left", False) else style
    style = _WRAPPED if attributes.pop("wrap", False) else style
    written = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f'<{tag}{written} style="{style}">{content}</{tag}>'


def rows_table(
    caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], *, words: Collection[str] = (), wrap: bool = False
) -> str:
    """A table of HTML cells: its caption, its column heads, and rows that their first cell names.

    Numbers stand to the right. The first column and those whose heads are among `words` stand to the left; with `wrap`
    all do, and long texts run over several lines.
    """
    left = [wrap or place == 0 or text in words for place, text in enumerate(head)]
    # A head without words names nothing: it is no heading to a screen reader.
    top = "".join(
        cell(text, "th", scope="col", left=here) if text else cell("") for text, here in zip(head, left, strict=True)
    )
    body = "".join(
        f"<tr>{cell(row[0], 'th', scope='row', left=True, wrap=wrap)}"
        + "".join(cell(text, left=here, wrap=wrap) for text, here in zip(row[1:], left[1:], strict=True))
        + "</tr>"
        for row in rows
    )
    return scrolled(
        caption,
        f'<table style="{_TABLE}"><caption style="text-align: left; font-weight: bold">{escape(caption)}</caption>'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>",
    )


def value(number: Exact | Undefined, *, signed: bool = False) -> str:
    """A value exact, and under it rounded where that says more; `signed` writes a plus too.

    >>> from ndcg_lab import a
    >>> value(2 * a)
    '2a<br><small>≈ 1.26186</small>'
    """
    if isinstance(number, Undefined):
        return f"<em>{escape(str(number))}</em>"
    exact, rounded = _signed(number) if signed else shown(number), decimal(number)
    return exact if shown(number) == rounded else f"{exact}<br><small>{mark(number)} {rounded}</small>"


# ---------- the lists and their contributions ----------


def lists(state: State) -> str:
    """The lists as they stand, rank by rank, with the cut; for a reading without the editor."""
    cut = state.contract.k
    told = "".join(
        f'<p style="margin: 2px 0"><strong>{escape(name)}</strong>: {_listed(order, state, cut)}</p>'
        for name, order in state.lists.items()
    )
    return f"<div>{told}</div>"


def _listed(order: Order, state: State, cut: object) -> str:
    parts, rank = [], 1
    for group in order.groups:
        if rank - 1 == cut:
            parts.append(f"┊ <small>cut at k = {cut}</small> ┊")
        last = rank + len(group) - 1
        place = str(rank) if last == rank else f"{rank}–{last} tied"
        parts.append(f"{place}. {' = '.join(_graded(document, state) for document in group)}")
        rank = last + 1
    if rank - 1 == cut:
        parts.append(f"┊ <small>cut at k = {cut}</small>")
    told = " &nbsp; ".join(parts) or "<em>nothing returned</em>"
    if order.rest:
        told += f" &nbsp; not returned: {', '.join(_graded(document, state) for document in order.rest)}"
    return told


def _graded(document: str, state: State) -> str:
    grade = state.judgments.get(document)
    return f"<strong>{escape(document)}</strong> ({'not judged' if grade is None else shown(grade)})"


def contributions(state: State) -> str:
    """Rank, discount, and for each list document, grade, gain and contribution; sums below; differences at the side."""
    evaluations = dict(state.evaluations)
    tables = {name: list(evaluation.rows) for name, evaluation in evaluations.items()}
    depth = max((len(rows) for rows in tables.values()), default=0)
    shared = _share_discounts(list(tables.values()))
    pair = len(tables) == len(_BARS)
    largest = max((abs(float(row.contribution)) for rows in tables.values() for row in rows), default=0.0) or 1.0
    own = ("document", "grade", "gain", *(() if shared else ("discount",)), "adds")

    first = "".join(cell(label, "th", scope="col", rowspan=2) for label in ("rank", "discount")[: 1 + shared])
    first += "".join(cell(escape(name), "th", scope="colgroup", colspan=len(own)) for name in tables)
    second = "".join(cell(label, "th", scope="col", left=label == "document") for _ in tables for label in own)
    if pair:
        first += cell(" − ".join(map(escape, tables)), "th", scope="col", rowspan=2)

    body = ""
    for index in range(depth):
        here = [rows[index] if index < len(rows) else None for rows in tables.values()]
        line = cell(str(index + 1), "th", scope="row")
        if shared:
            line += cell(value(next(row for row in here if row is not None).discount))
        for row, bar in zip(here, _BARS, strict=False):
            line += _row_cells(row, bar, largest, own)
        if pair:
            line += cell(_signed(_adds(here[0]) - _adds(here[1])))
        body += f"<tr>{line}</tr>"

    lead = 2 if shared else 1
    foot = ""
    for label, of in (("DCG", "dcg"), ("IDCG", "idcg"), ("NDCG", "ndcg")):
        values = [getattr(evaluation, of) for evaluation in evaluations.values()]
        line = cell(label, "th", scope="row", colspan=lead, left=True)
        line += "".join(cell(value(number), colspan=len(own)) for number in values)
        if pair:
            line += cell(_difference(*values) if of != "idcg" or values[0] != values[1] else "")
        foot += f"<tr>{line}</tr>"
    caption = f"Contributions of {' and '.join(tables)}, rank by rank"
    return scrolled(
        caption,
        f'<table style="{_TABLE}"><caption style="text-align: left">{escape(caption)}</caption>'
        f"<thead><tr>{first}</tr><tr>{second}</tr></thead><tbody>{body}</tbody><tfoot>{foot}</tfoot></table>",
    )


def _share_discounts(tables: Sequence[Sequence[Row]]) -> bool:
    """Whether every list has the same discount at each rank, as all have without tie groups."""
    return all(len({row.discount for row in here}) == 1 for here in zip(*tables, strict=False))


def _row_cells(row: Row | None, bar: str, largest: float, own: Sequence[str]) -> str:
    if row is None:
        return cell("", colspan=len(own))
    width = round(_WIDEST * abs(float(row.contribution)) / largest)
    drawn = (
        f'<div style="display: block; height: 8px; margin-left: auto; width: {width}px; {bar}"></div>' if width else ""
    )
    cells = {
        "document": _named(row.document),
        "grade": "not judged" if row.grade is None else shown(row.grade),
        "gain": shown(row.gain),
        "discount": shown(row.discount),
        "adds": f"{shown(row.contribution)}{drawn}",
    }
    return "".join(cell(cells[label], left=label == "document") for label in own)


def _named(document: str) -> str:
    return f"<strong>{escape(document)}</strong>"


def _adds(row: Row | None) -> Exact | Number:
    return 0 if row is None else row.contribution


def _signed(difference: Exact | Number) -> str:
    text = shown(difference)
    return text if text == "0" or text.startswith(("−", "(")) else f"+{text}"


def _difference(one: Exact | Undefined, other: Exact | Undefined) -> str:
    if isinstance(one, Undefined) or isinstance(other, Undefined):
        return "—"
    return value(one - other, signed=True)


def scores(state: State) -> str:
    """DCG, IDCG and NDCG, exact and rounded: one line a list."""
    told = "".join(
        f"<div><strong>{escape(name)}</strong> &nbsp;DCG {escape(both(found.dcg))} · IDCG {escape(both(found.idcg))} · "
        f"<strong>NDCG {escape(both(found.ndcg))}</strong></div>"
        for name, found in state.evaluations.items()
    )
    return f'<div style="line-height: 1.5; margin: 6px 0">{told}</div>'


def ideal(state: State) -> str:
    """The ideal ranking, rank by rank: whose gains, at which discounts, make the denominator."""
    told = ""
    for name, evaluation in _distinct_ideals(state).items():
        rows = [
            (
                str(row.rank),
                f"<strong>{escape(row.document)}</strong>",
                shown(row.gain),
                shown(row.discount),
                shown(row.contribution),
            )
            for row in evaluation.ideal_rows
        ]
        rows.append(("IDCG", "", "", "", value(evaluation.idcg)))
        head = ("rank", "document", "gain", "discount", "adds")
        told += rows_table(f"The ideal of {name}", head, rows, words=["document"])
    return told


def _distinct_ideals(state: State) -> dict[str, Evaluation]:
    """Each ideal once, under the names of the lists that share it."""
    groups: list[tuple[list[str], Evaluation]] = []
    for name, evaluation in state.evaluations.items():
        for names, known in groups:
            if list(known.ideal_rows) == list(evaluation.ideal_rows):
                names.append(name)
                break
        else:
            groups.append(([name], evaluation))
    return {" and ".join(names): evaluation for names, evaluation in groups}


# ---------- the verdict ----------


def verdict(state: State) -> str:
    """Who leads, by which exact difference, and the whole numbers that prove it, as HTML."""
    return block(f"<strong>{escape(verdict_text(state))}</strong>")


def verdict_text(state: State) -> str:
    """The verdict as plain text.

    >>> from ndcg_lab import Contract, Judgments
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> state = State.of(judgments, Contract(gain="exponential", k=3), X="B C A D", Y="A D B C")
    >>> verdict_text(state)
    'Y leads: X − Y = −2 + 3a < 0 in DCG, because a < 2/3, because 2³ < 3² (8 < 9). One ideal, so in NDCG too.'
    """
    evaluations = state.evaluations
    for name, evaluation in evaluations.items():
        if isinstance(evaluation.ndcg, Undefined):
            return f"NDCG of {name} is {evaluation.ndcg}: there is no value to compare."
    match list(evaluations.items()):
        case [(one, first), (other, second)]:
            return _compared(one, first, other, second)
    return "; ".join(
        typeset(f"NDCG of {name} is {evaluation.ndcg}") + _rounded(evaluation.ndcg)
        for name, evaluation in evaluations.items()
    )


def _rounded(number: Exact | Undefined) -> str:
    if isinstance(number, Undefined) or decimal(number) == shown(number):
        return ""
    return f", about {decimal(number)}"


def _compared(one: str, first: Evaluation, other: str, second: Evaluation) -> str:
    difference = first.dcg - second.dcg
    common = first.idcg == second.idcg and first.contract.round_to is None
    if not common:
        assert isinstance(first.ndcg, Exact)
        assert isinstance(second.ndcg, Exact)
        difference = first.ndcg - second.ndcg
    where = "in DCG" if common else "in NDCG"
    sign = difference.sign()
    if sign == 0:
        value_text = shown(first.ndcg) if isinstance(first.ndcg, Exact) else ""
        return f"{one} and {other} tie exactly: both have NDCG {value_text}."
    ahead = one if sign > 0 else other
    apart = isinstance(difference, General)  # two different denominators
    written = f"{shown(first.ndcg)} − {shown(second.ndcg)}" if apart else shown(difference)
    told = f"{ahead} leads: {one} − {other} = {written} {'>' if sign > 0 else '<'} 0 {where}"
    told += "." if difference.is_rational else f", {proved(certificate.certify(difference))}."
    return f"{told} One ideal, so in NDCG too." if common else told


def proved(proof: dict[str, object]) -> str:
    """A certificate's sentence, its powers raised and, where short, worked out: `because 2³ < 3² (8 < 9)`."""
    sentence = certificate.sentence(proof)

    def worked(match: re.Match[str]) -> str:
        sides = [int(match[1]) ** int(match[2] or 1), int(match[4]) ** int(match[5] or 1)]
        if max(sides) >= _READABLE or not (match[2] or match[5]):
            return match[0]
        inside = sentence[: match.start()].endswith("(")
        numbers = f"{sides[0]} {match[3]} {sides[1]}"
        return f"{match[0]}, {numbers}" if inside else f"{match[0]} ({numbers})"

    return typeset(re.sub(r"\b(\d+)(?:\^(\d+))? (<|>) (\d+)(?:\^(\d+))?(?![\d/])", worked, sentence))


_READABLE = 10**12


# ---------- settings, pins, targets ----------


def contract(state: State) -> str:
    """Every setting, in one line."""
    fields = " · ".join(
        f"{field.name.replace('_', ' ')} <strong>{escape(_spelled(getattr(state.contract, field.name)))}</strong>"
        for field in FIELDS
    )
    return block(f"<small>Contract: {fields}. <em>a</em> = 1/log<sub>2</sub>(3).</small>")


def _spelled(setting: object) -> str:
    return "none" if setting is None else str(setting)


def pinned(before: State, now: State) -> str:
    """Before and now, side by side, and which settings changed in between."""
    changed = now.changes_from(before)
    if not changed:
        told = "Nothing has changed since the pin."
    elif len(changed) == 1:
        told = f"One setting changed since the pin: {escape(changed[0])}. The difference is its doing."
    else:
        told = (
            f"{len(changed)} settings changed since the pin: {escape(', '.join(changed))}. "
            "The difference can't be laid to one of them alone."
        )
    rows = []
    for name in now.lists:
        if name in before.lists:
            old, new = before.evaluations[name], now.evaluations[name]
            rows += [
                (f"DCG of {escape(name)}", value(old.dcg), value(new.dcg)),
                (f"NDCG of {escape(name)}", value(old.ndcg), value(new.ndcg)),
            ]
    if len(now.lists) > 1:
        rows.append(("leads", escape(before.leader or "neither"), escape(now.leader or "neither")))
    return block(f"<strong>{told}</strong>") + rows_table("Pinned and now", ("value", "pinned", "now"), rows)


def targets(listed: Sequence[Target], reached: Collection[int] = ()) -> str:
    """What there is to reach, each marked done or open; `reached` counts from 0."""
    items = "".join(
        f"<li>{'☑ done: ' if index in reached else '☐ '}{target.say}</li>" for index, target in enumerate(listed)
    )
    return (
        '<div style="line-height: 1.5; margin: 6px 0"><strong>Targets</strong>'
        f'<ul style="list-style-type: none; padding-left: 4px; margin: 2px 0">{items}</ul></div>'
    )
