"""The picture of a state: each list as a row of blocks whose areas add up to its DCG.

A block is as wide as its rank's discount and as high as its document's gain, so that its area is what it adds. Behind
the blocks stand the outlines of the ideal list, whose areas add up to IDCG. All lists of a picture share one scale.
Lengths and areas are exact; `Picture.to_json` gives them as shares of the picture's width and height besides, for
whoever draws them: the browser, or `figures.picture`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.rationals import Number
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons.state import Order, State
from ndcg_lab.lessons.text import shown
from ndcg_lab.measure.contract import Contract
from ndcg_lab.measure.evaluation import Evaluation, Row

_ZERO = Linear()


@dataclass(frozen=True)
class Block:
    """A document's rectangle.

    Args:
        document: its name.
        place: where it stands in its list, from 1.
        grade: its grade, None where it was not judged.
        gain: its height.
        discount: its width.
        adds: its area, what it adds to DCG; None where the contract gives no numbers.
        left: where it begins: the discounts before it.
        kind: "counted"; "behind" the cutoff; or "removed" from the list before it is ranked.
        told: its name for whoever doesn't see it.
    """

    document: str
    place: int
    grade: Number | None
    gain: Number
    discount: Exact
    adds: Exact | None
    left: Exact
    kind: str
    told: str

    @property
    def pattern(self) -> str:
        """How it looks: "unjudged" is hatched, "flat" has no height, "negative" hangs below the line."""
        if self.grade is None:
            return "unjudged"
        return "flat" if self.gain == 0 else "negative" if self.gain < 0 else "plain"


@dataclass(frozen=True)
class Bracket:
    """Tied documents that share what their ranks are worth: from where to where, and at which ranks."""

    left: Exact
    width: Exact
    label: str


@dataclass(frozen=True)
class Line:
    """One list: its blocks, the outlines of its ideal, its ties, and the documents that it did not return."""

    name: str
    blocks: tuple[Block, ...]
    outlines: tuple[Block, ...]
    brackets: tuple[Bracket, ...]
    rest: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """All lists of a state on one scale.

    Args:
        lines: a list each.
        cut: the cutoff as a number of ranks; None where the whole list counts or there are no numbers.
        edges: where each rank ends, rank by rank, after a 0.
        grades: how each document's grade is written.

    >>> from ndcg_lab import Contract, Judgments
    >>> from ndcg_lab.lessons.state import State
    >>> picture = of(State.of(Judgments({"A": 3, "B": 2}), Contract(gain="linear", k=2), X="B A"))
    >>> [(block.document, str(block.adds)) for block in picture.lines[0].blocks]
    [('B', '2'), ('A', '3a')]
    >>> picture.lines[0].blocks[0].told
    'B, grade 2, rank 1 of X, adds 2'
    """

    lines: tuple[Line, ...]
    cut: int | None
    edges: tuple[Exact, ...]
    grades: Mapping[str, str]

    @cached_property
    def width(self) -> float:
        """What the picture's width stands for, in discounts."""
        return float(self.edges[-1]) or 1.0

    @cached_property
    def heights(self) -> tuple[float, float]:
        """What stands above the line and below it, in gains."""
        gains = [float(block.gain) for line in self.lines for block in (*line.blocks, *line.outlines)]
        up, down = max([0.0, *gains]), -min([0.0, *gains])
        return (up, down) if up or down else (1.0, 0.0)

    def to_json(self) -> dict[str, Any]:
        """All that is to be drawn: exact text, and shares of the width and of the height above and below the line."""
        up, down = self.heights
        return {
            "cut": self.cut,
            "edges": [self._share(edge) for edge in self.edges],
            "widths": [shown(after - before) for before, after in zip(self.edges, self.edges[1:], strict=False)],
            "up": up / (up + down),
            "lines": [self._line(line) for line in self.lines],
        }

    def _share(self, length: Exact) -> float:
        return round(float(length) / self.width, 6)

    def _line(self, line: Line) -> dict[str, Any]:
        return {
            "name": line.name,
            "blocks": [self._block(block) for block in line.blocks],
            "outlines": [self._block(block) for block in line.outlines],
            "brackets": [
                {"left": self._share(b.left), "width": self._share(b.width), "label": b.label} for b in line.brackets
            ],
            "rest": [
                {"document": document, "grade": self.grades.get(document, "?"), "told": _not_returned(self, document)}
                for document in line.rest
            ],
        }

    def _block(self, block: Block) -> dict[str, Any]:
        up, down = self.heights
        return {
            "document": block.document,
            "place": block.place,
            "grade": self.grades.get(block.document, "?"),
            "adds": "" if block.adds is None else shown(block.adds),
            "left": self._share(block.left),
            "width": self._share(block.discount),
            "height": round(float(block.gain) / (up + down), 6),
            "kind": block.kind,
            "pattern": block.pattern,
            "told": block.told,
        }


def _not_returned(picture: Picture, document: str) -> str:
    grade = picture.grades.get(document)
    return f"{document}, {'not judged' if grade is None else f'grade {grade}'}, not returned"


# ---------- from a state ----------


def of(state: State) -> Picture:
    """The picture of a state; raises the library's errors where its contract refuses."""
    depth = max((len(order.documents) for order in state.lists.values()), default=0)
    ideal = max((len(evaluation.ideal_rows) for evaluation in state.evaluations.values()), default=0)
    rule = state.contract.discount_rule
    widths: list[Exact] = [rule.value(rank) for rank in range(1, max(depth, ideal, 1) + 1)]
    edges = (_ZERO, *accumulate(widths))
    lines = tuple(
        Line(
            name,
            tuple(_blocks(name, order, state, state.evaluations[name], edges)),
            tuple(_outline(row, edges) for row in state.evaluations[name].ideal_rows),
            tuple(_brackets(order, state, edges)),
            order.rest,
        )
        for name, order in state.lists.items()
    )
    k = state.contract.k
    return Picture(lines, None if k == "all" else k, edges, _grades(state))


def bare(lists: Mapping[str, Order], grades: Mapping[str, str]) -> Picture:
    """The lists alone, where there are no numbers: documents side by side, without height."""
    depth = max([1, *(len(order.documents) for order in lists.values())])
    one = Linear.rational(1)
    edges = tuple(one * place for place in range(depth + 1))

    def block(name: str, place: int, document: str) -> Block:
        told = f"{document}, {_graded(grades.get(document))}, rank {place} of {name}"
        return Block(document, place, 0, 0, one, None, edges[place - 1], "counted", told)

    lines = []
    for name, order in lists.items():
        blocks = tuple(block(name, place, document) for place, document in enumerate(order.documents, 1))
        brackets = tuple(
            Bracket(edges[first - 1], one * size, f"{first}–{first + size - 1}") for first, size in _tied(order)
        )
        lines.append(Line(name, blocks, (), brackets, order.rest))
    return Picture(tuple(lines), None, edges, grades)


def _grades(state: State) -> dict[str, str]:
    return {document: shown(grade) for document, grade in state.judgments.items()}


def _graded(grade: str | None) -> str:
    return "not judged" if grade is None else f"grade {grade}"


def _blocks(name: str, order: Order, state: State, evaluation: Evaluation, edges: Sequence[Exact]) -> Iterator[Block]:
    """Each returned document: within the cutoff as it was evaluated, behind it as it would stand."""
    rows = {row.document: row for row in evaluation.rows}
    places = {document: place for place, document in enumerate(order.documents, 1)}
    rank = 0
    for group in order.groups:
        kept = [document for document in group if not _removed(document, state)]
        kept.sort(key=lambda document: rows[document].rank if document in rows else len(rows) + places[document])
        first, left = rank + 1, edges[rank]
        where = f"tied at ranks {first} to {rank + len(kept)}" if len(kept) > 1 else f"rank {first}"
        for document in kept:
            rank += 1
            row = rows.get(document)
            block = (
                _counted(row, name, where, places[document], left)
                if row is not None
                else _behind(document, name, where, places[document], state, edges, rank)
            )
            left = block.left + block.discount
            yield block
        for document in group:
            if document not in kept:
                told = f"{document}, not judged, removed from {name}"
                yield Block(document, places[document], None, 0, _ZERO, _ZERO, edges[rank], "removed", told)


def _removed(document: str, state: State) -> bool:
    return state.contract.unjudged == "remove" and document not in state.judgments


def _counted(row: Row, name: str, where: str, place: int, left: Exact) -> Block:
    grade = None if row.grade is None else shown(row.grade)
    told = f"{row.document}, {_graded(grade)}, {where} of {name}, adds {shown(row.contribution)}"
    return Block(row.document, place, row.grade, row.gain, row.discount, row.contribution, left, "counted", told)


def _behind(document: str, name: str, where: str, place: int, state: State, edges: Sequence[Exact], rank: int) -> Block:
    grade = state.judgments.get(document)
    told = f"{document}, {_graded(None if grade is None else shown(grade))}, {where} of {name}, behind the cutoff"
    width = edges[rank] - edges[rank - 1]
    gain = _gain(state.contract, grade)
    return Block(document, place, grade, gain, width, _ZERO, edges[rank - 1], "behind", told)


def _gain(contract: Contract, grade: Number | None) -> Number:
    """The gain of a document that does not count; 0 where it has none."""
    if grade is None:
        return 0
    try:
        return contract.gain_rule(0 if grade < 0 and contract.negative == "zero" else grade)
    except NdcgLabError:
        return 0


def _outline(row: Row, edges: Sequence[Exact]) -> Block:
    told = f"ideal, rank {row.rank}: {row.document}"
    left = edges[row.rank - 1]
    return Block(row.document, row.rank, row.grade, row.gain, row.discount, row.contribution, left, "ideal", told)


def _tied(order: Order) -> Iterator[tuple[int, int]]:
    """The first rank and the size of each group of tied documents."""
    first = 1
    for group in order.groups:
        if len(group) > 1:
            yield first, len(group)
        first += len(group)


def _brackets(order: Order, state: State, edges: Sequence[Exact]) -> Iterator[Bracket]:
    listed = Order(
        tuple(
            kept
            for group in order.groups
            if (kept := tuple(document for document in group if not _removed(document, state)))
        )
    )
    k = state.contract.k
    for first, size in _tied(listed):
        last = first + size - 1
        shares = state.contract.ties == "average" and k != "all" and first <= k < last
        end = k if shares and k != "all" else last
        label = f"{first}–{last}" + (f", cut at {k}" if k != "all" and first <= k < last else "")
        yield Bracket(edges[first - 1], edges[end] - edges[first - 1], label)
