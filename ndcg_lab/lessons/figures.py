"""Figures: matplotlib through one door, the same bytes each time.

A [Figure][ndcg_lab.lessons.figures.Figure] carries its picture twice (SVG, and PNG for an untrusted notebook, which
shows no SVG), its name, its caption that says what to see, and its data as a table. Colours are Okabe and Ito's, and
never the only cue: lists differ by marker and line style too.
"""

import base64
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ndcg_lab import Contract, a
from ndcg_lab.errors import UndefinedValue
from ndcg_lab.exact.rationals import Number
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons import layout
from ndcg_lab.lessons.state import State
from ndcg_lab.lessons.text import both, decimal, escape, shown
from ndcg_lab.measure.evaluation import Evaluation
from ndcg_lab.tables import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

BLUE, ORANGE, GREEN, PURPLE, SKY, BLACK = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#000000"
STYLES: tuple[dict[str, Any], ...] = (
    {"color": BLUE, "marker": "o", "linestyle": "-"},
    {"color": ORANGE, "marker": "s", "linestyle": "--"},
    {"color": GREEN, "marker": "^", "linestyle": ":"},
    {"color": PURPLE, "marker": "D", "linestyle": "-."},
)
HATCHES = ("", "//", "..", "xx")
# Left, right, bottom and top, in inches: given, since to have matplotlib fit them takes as long as the drawing.
_MARGINS = (0.7, 0.14, 0.52, 0.36)

_LOOK: dict[Any, Any] = {
    "svg.hashsalt": "ndcg-lab",
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "white",
    "text.usetex": False,
    "text.parse_math": False,  # an id may hold dollars
}


@dataclass(frozen=True)
class Figure:
    """A finished figure.

    Args:
        canvas: the picture as matplotlib has it.
        png: the picture as PNG.
        name: what the picture is, for those who don't see it.
        caption: what to see in it.
        table: its data, as an HTML table.
    """

    canvas: "Canvas" = field(repr=False, compare=False)
    png: bytes = field(repr=False)
    name: str
    caption: str = field(repr=False)
    table: str = field(repr=False)

    @cached_property
    def svg(self) -> str:
        """The picture as SVG, its text as text; drawn when asked for, as a panel shows the PNG alone."""
        import matplotlib as mpl

        text = io.StringIO()
        with mpl.rc_context(_LOOK):
            self.canvas.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        return text.getvalue()

    @property
    def html(self) -> str:
        """The figure with its caption and its data, as HTML that a sanitiser leaves whole."""
        data = base64.b64encode(self.png).decode("ascii")
        return (
            '<figure style="margin: 8px 0; max-width: 640px">'
            f'<img src="data:image/png;base64,{data}" alt="{escape(self.name)}" width="640" '
            'style="max-width: 100%; height: auto; background-color: #ffffff; border-radius: 6px">'
            f"<figcaption>{self.caption}</figcaption>"
            f"<details><summary>The figure's data</summary>{self.table}</details></figure>"
        )

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return {"text/plain": f"Figure: {self.name}", "text/html": self.html}


@contextmanager
def _drawn(width: float = 6.4, height: float = 3.4) -> Iterator[tuple["Axes", dict[str, Any]]]:
    """Axes to draw on; the dictionary holds canvas and png afterwards."""
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas
    from matplotlib.text import Text

    made: dict[str, Any] = {}
    with mpl.rc_context(_LOOK):
        canvas = Canvas(figsize=(width, height))
        left, right, bottom, top = _MARGINS
        canvas.subplots_adjust(left / width, bottom / height, 1 - right / width, 1 - top / height)
        yield canvas.add_subplot(), made
        for text in canvas.findobj(Text):  # ids among them: what hides or reorders is shown by its code
            text.set_text("\n".join(map(visible, text.get_text().split("\n"))))
        binary = io.BytesIO()
        canvas.savefig(binary, format="png", dpi=150, metadata={"Software": None})
    made.update(canvas=canvas, png=binary.getvalue())


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A plain HTML table of escaped text; the first cell of a row names it."""
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


# ---------- the figures ----------


def discounts(rules: Sequence[str] = ("log2",), depth: int = 15) -> Figure:
    """What a rank is worth under one or more discount rules."""
    ranks = range(1, depth + 1)
    contracts = [Contract(gain="linear", k=depth, discount=rule) for rule in rules]
    values = [[contract.discount_rule.value(rank) for rank in ranks] for contract in contracts]
    with _drawn() as (axes, made):
        for rule, row, style in zip(rules, values, STYLES, strict=False):
            axes.plot(ranks, [float(value) for value in row], label=rule, markersize=5, **style)
        axes.set(xlabel="rank", ylabel="discount", ylim=(0, 1.05), xticks=list(ranks))
        axes.grid(axis="y", alpha=0.3)
        if len(rules) > 1:
            axes.legend(frameon=False)
    rows = [[str(rank), *(both(row[rank - 1]) for row in values)] for rank in ranks]
    return Figure(
        **made,
        name=f"Discount by rank, from 1 to {depth}, under {', '.join(rules)}",
        caption=_falling(values),
        table=table(["rank", *rules], rows),
    )


def _falling(values: Sequence[Sequence[Exact]]) -> str:
    """What the drawn discounts do, as far as they are drawn."""
    steps = [[one - other for one, other in pairwise(row)] for row in values]
    if all(one > other > 0 for row in steps for one, other in pairwise(row)):
        return "What a rank is worth: less at each further rank, by ever smaller steps."
    if all(step.sign() >= 0 for row in steps for step in row):
        return (
            "What a rank is worth. No discount rises with the rank; where one is level, two ranks are worth the same."
        )
    return "What a rank is worth."


def over_k(state: State, cutoffs: Sequence[int]) -> Figure:
    """NDCG of each list over the cutoff."""
    states = [state.under(k=k) for k in cutoffs]
    with _drawn() as (axes, made):
        for name, style in zip(state.lists, STYLES, strict=False):
            points = [
                (k, float(at.evaluations[name].ndcg))
                for k, at in zip(cutoffs, states, strict=True)
                if isinstance(at.evaluations[name].ndcg, Exact)
            ]
            axes.plot([k for k, _ in points], [ndcg for _, ndcg in points], label=name, **style)
        axes.set(xlabel="cutoff k", ylabel="NDCG@k", xticks=list(cutoffs))
        axes.grid(axis="y", alpha=0.3)
        axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=len(state.lists))
    rows = [
        [str(k), *(both(at.evaluations[name].ndcg) for name in state.lists), at.leader or "neither"]
        for k, at in zip(cutoffs, states, strict=True)
    ]
    leads = ", ".join(row[-1] for row in rows)
    return Figure(
        **made,
        name=f"NDCG at each cutoff from {cutoffs[0]} to {cutoffs[-1]}, of {' and '.join(state.lists)}",
        caption=f"NDCG of {' and '.join(state.lists)} over the cutoff, {escape(state.contract.gain)} gain. "
        f"The lead, cutoff by cutoff: {leads}.",
        table=table(["k", *(f"NDCG of {name}" for name in state.lists), "leads"], rows),
    )


def gain_plane(gains: Mapping[str, tuple[Number, Number]], threshold: Exact | None = None) -> Figure:
    """The plane of g(2) and g(3), with the line on which the two lists of the worked example tie at k = 3.

    Args:
        gains: named gains, each as (g(2), g(3)).
        threshold: the slope of the line; 1 + 2a unless given.
    """
    slope = 1 + 2 * a if threshold is None else threshold
    widest = float(max(x for x, _ in gains.values())) * 1.25
    tallest = float(max(y for _, y in gains.values())) * 1.15
    with _drawn(height=3.8) as (axes, made):
        edge = [0.0, widest]
        line = [0.0, widest * float(slope)]
        axes.plot(edge, line, color=BLACK, label=f"g(3) = ({shown(slope)}) g(2)")
        axes.fill_between(edge, line, 10 * tallest, color=ORANGE, alpha=0.12, hatch="//", linewidth=0)
        axes.fill_between(edge, 0, line, color=BLUE, alpha=0.10, linewidth=0)
        axes.text(widest * 0.04, tallest * 0.92, "Y leads", color=BLACK, weight="bold")
        axes.text(widest * 0.72, tallest * 0.08, "X leads", color=BLACK, weight="bold")
        for (name, (x, y)), style in zip(gains.items(), STYLES * len(gains), strict=False):
            axes.plot([float(x)], [float(y)], style["marker"], color=BLACK, markersize=7)
            axes.annotate(name, (float(x), float(y)), xytext=(9, -12), textcoords="offset points")
        axes.set(xlabel="g(2)", ylabel="g(3)", xlim=(0, widest), ylim=(0, tallest))
        axes.legend(frameon=True, loc="lower right", bbox_to_anchor=(1.0, 0.16))
    rows = [
        [name, str(x), str(y), str(Fraction(y) / Fraction(x)), "X" if slope > Fraction(y) / Fraction(x) else "Y"]
        for name, (x, y) in gains.items()
    ]
    return Figure(
        **made,
        name=f"The plane of gains g(2) and g(3), divided by the line of slope {shown(slope)}; "
        f"points: {', '.join(gains)}",
        caption=f"Below the line, where g(3)/g(2) is less than {both(slope)}, X leads at k = 3; "
        "above it Y leads. Scaling a gain moves its point along a ray from the origin, so only the ratio counts.",
        table=table(["gain", "g(2)", "g(3)", "g(3)/g(2)", "leads"], rows),
    )


def coverage(parts: Mapping[str, tuple[Exact, Exact]]) -> Figure:
    """NDCG as an area: ordering (candidate-only NDCG) times coverage, one rectangle a list."""
    with _drawn(height=3.6) as (axes, made):
        for index, (name, (ordering, cover)) in enumerate(parts.items()):
            style, left = STYLES[index % len(STYLES)], index * 1.25
            axes.bar(left, 1, 1, align="edge", facecolor="none", edgecolor="#767676", linestyle=":")
            axes.bar(
                left,
                float(ordering),
                float(cover),
                align="edge",
                color=style["color"],
                alpha=0.35,
                hatch=HATCHES[index % len(HATCHES)],
                edgecolor=style["color"],
            )
            axes.text(left + 0.5, 1.03, name, ha="center", weight="bold")
            axes.text(left + float(cover) / 2, float(ordering) / 2, decimal(ordering * cover), ha="center")
        axes.set(ylabel="ordering", xticks=[], ylim=(0, 1.12), yticks=[0, 0.5, 1])
        axes.set_xlabel("coverage (width 1 is all of the ideal)")
    rows = [[name, both(ordering), both(cover), both(ordering * cover)] for name, (ordering, cover) in parts.items()]
    return Figure(
        **made,
        name=f"Ordering times coverage of {' and '.join(parts)}: each NDCG as the area of a rectangle",
        caption="A rectangle's height is the NDCG against the list's own candidates, its width the share of the full "
        "ideal that these candidates could reach; its area is the full NDCG.",
        table=table(["list", "ordering", "coverage", "NDCG"], rows),
    )


def tie_outcomes(evaluation: Evaluation, name: str = "the list") -> Figure:
    """The distinct values that a tied list can have, with their probabilities; best, expectation and worst."""
    outcomes = evaluation.outcomes()
    known = [(value, share) for value, share in outcomes if isinstance(value, Exact)]
    if not known or isinstance(outcomes.mean, Undefined):
        raise UndefinedValue(f"{name} has no NDCG to draw: {outcomes.mean}")
    with _drawn() as (axes, made):
        for value, share in known:
            axes.plot([float(value)] * 2, [0, float(share)], color=BLUE, linewidth=3)
            axes.plot([float(value)], [float(share)], "o", color=BLUE)
        axes.axvline(float(outcomes.mean), color=ORANGE, linestyle="--", label=f"expectation {decimal(outcomes.mean)}")
        axes.set(xlabel="NDCG", ylabel="probability", ylim=(0, None))
        axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1))
    best, worst = decimal(known[0][0]), decimal(known[-1][0])
    return Figure(
        **made,
        name=f"The {len(known)} values that ties allow for {name}, with their probabilities",
        caption=f"Each distinct NDCG of {escape(name)} and its probability when all orders of tied documents are "
        f"equally likely. Best {best}, expectation {decimal(outcomes.mean)}, worst {worst}.",
        table=table(["NDCG", "rounded", "probability"], [[shown(v), decimal(v), str(share)] for v, share in known]),
    )


_GAP = 0.55
"""Between two lists, as a share of the height of the tallest block."""


def picture(state: State) -> Figure:
    """Each list as a row of blocks before the outlines of its ideal: width discount, height gain, area what it adds."""
    drawn = layout.of(state)
    up, down = drawn.heights
    pitch = (up + down) * (1 + _GAP)
    with _drawn(height=0.9 + 1.15 * len(drawn.lines)) as (axes, made):
        for index, line in enumerate(drawn.lines):
            _draw_line(axes, line, index, -index * pitch, up + down)
        if drawn.cut is not None:
            cut = float(drawn.edges[min(drawn.cut, len(drawn.edges) - 1)])
            axes.axvspan(cut, drawn.width * 1.01, color="white", alpha=0.6, linewidth=0, zorder=4)
            axes.axvline(cut, color=BLACK, linestyle="--", zorder=5)
            axes.text(cut - 0.02, up * 1.08, f"k = {drawn.cut}", ha="right", zorder=5)
        bottom = -(len(drawn.lines) - 1) * pitch - down - (up + down) * 0.42
        axes.set(xlim=(-0.02, drawn.width * 1.01), ylim=(bottom, up * 1.3), yticks=[], xlabel="discount, rank by rank")
        axes.set_xticks([float(edge) for edge in drawn.edges[:_TICKS]], [""] * len(drawn.edges[:_TICKS]))
        axes.spines["left"].set_visible(False)
    rows = [
        [line.name, str(block.place), document, *map(shown, (block.discount, block.gain, block.adds or 0))]
        for line in drawn.lines
        for block in (*line.blocks, *line.outlines)
        if (document := _in_table(block)) is not None
    ]
    names = " and ".join(line.name for line in drawn.lines)
    return Figure(
        **made,
        name=f"{names} as blocks: each document as wide as its discount and as high as its gain",
        caption="A block's area is what the document adds, so the blocks of a list fill its DCG; the dashed outlines "
        "behind them are the ideal list, and fill IDCG.",
        table=table(["list", "rank", "document", "width: discount", "height: gain", "area: adds"], rows),
    )


_TICKS = 12


def _in_table(block: layout.Block) -> str | None:
    """How the data name a block; those that add nothing by the contract are left out."""
    return {"counted": block.document, "ideal": f"ideal: {block.document}"}.get(block.kind)


def _draw_line(axes: "Axes", line: layout.Line, index: int, base: float, tall: float) -> None:
    """One list above and below its base line, its outlines first."""
    colour = STYLES[index % len(STYLES)]["color"]
    axes.text(-0.03, base, line.name, ha="right", weight="bold")
    axes.axhline(base, color=BLACK, linewidth=0.8)
    for block in line.outlines:
        _box(axes, block, base, facecolor="none", edgecolor="#595959", linestyle="--", linewidth=1.4, zorder=3)
    for tie in line.brackets:
        ends = [float(tie.left) + 0.005, float(tie.left + tie.width) - 0.005]
        axes.plot(ends, [base - tall * 0.3] * 2, color=BLACK, linewidth=1, marker="|", zorder=6)
    for block in line.blocks:
        if block.kind == "removed":
            continue
        hatch = HATCHES[index % len(HATCHES)] if block.kind == "counted" else ""
        _box(axes, block, base, facecolor=f"{colour}40", edgecolor=colour, hatch=hatch, linewidth=1.2)
        middle = float(block.left) + float(block.discount) / 2
        if block.adds and block.kind == "counted":
            height = base + float(block.gain) / 2
            behind = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
            axes.text(middle, height, shown(block.adds), ha="center", va="center", bbox=behind, fontsize=9, zorder=6)
        under = base + min(0.0, float(block.gain)) - tall * 0.07
        grade = "not judged" if block.grade is None else shown(block.grade)
        axes.text(middle, under, f"{block.document} ({grade})", ha="center", va="top", fontsize=9, zorder=6)


def _box(axes: "Axes", block: layout.Block, base: float, **look: Any) -> None:
    axes.bar(float(block.left), float(block.gain), float(block.discount), bottom=base, align="edge", **look)
