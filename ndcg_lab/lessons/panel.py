"""The panel: lists to take hold of, a contract's controls, and what follows from them.

A [Panel][ndcg_lab.lessons.panel.Panel] is a pure function, `respond`, from what a reader has set (JSON) to what is
shown (JSON), with the description of its controls. No widget is here: `ndcg_lab.lessons.live` puts a panel on a page
of Jupyter.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ndcg_lab.errors import FormatError, NdcgLabError
from ndcg_lab.lessons import layout, typed, views
from ndcg_lab.lessons.state import Order, Preset, State, Target
from ndcg_lab.lessons.text import escape
from ndcg_lab.measure.contract import FIELDS, Contract, Field
from ndcg_lab.measure.data import Judgments

QUICK: Mapping[str, Mapping[str, str]] = {
    "gain": {"linear": "linear", "r²": "power:2", "exponential": "exponential"},
    "k": {"1": "1", "2": "2", "3": "3", "4": "4"},
    "discount": {
        "log2": "log2",
        "natural log": "log:e",
        "log10": "log:10",
        "jarvelin": "jarvelin",
        "1/rank": "reciprocal",
        "none": "none",
    },
}
"""For fields that take more than a few words: the settings to offer as buttons, label to spelling."""

OTHER = "other…"
FRONT = 2
"""How many controls stand above the picture, unless a panel names them."""


@dataclass(frozen=True)
class Option:
    """A further choice of a lesson, kept in the state's `options`.

    Args:
        name: its key in the options.
        label: what it decides, in words.
        choices: label to value.
        start: the value at the start; the first unless given.
    """

    name: str
    label: str
    choices: Mapping[str, str]
    start: str | None = None


@dataclass(frozen=True)
class Offer:
    """What a control offers for one field of the contract: label to spelling, and whether others can be typed."""

    field: Field
    choices: Mapping[str, str]
    other: bool

    @classmethod
    def of(cls, field: Field, quick: Mapping[str, str] | None = None) -> "Offer":
        """From the field's declaration; `quick` names settings of one's own."""
        words = {choice.spelling: choice.spelling for choice in field.choices if _takes(field, choice.spelling)}
        return cls(field, quick or QUICK.get(field.name) or words, len(words) < len(field.choices))

    @property
    def label(self) -> str:
        """What the field decides."""
        return f"{self.name} ({self.field.meaning})"

    @property
    def name(self) -> str:
        """The field's name as a word."""
        name = self.field.name.replace("_", " ")
        return name.capitalize() if len(name) > 1 else name

    @property
    def about(self) -> str:
        """What can be typed."""
        return f"{self.field.name.replace('_', ' ')}, one of: {self.field.spellings}"

    def spelled(self, setting: object) -> str:
        """A setting as one of the choices spells it, if one does."""
        for spelling in self.choices.values():
            if self.field.parse(spelling) == setting:
                return spelling
        return "none" if setting is None else str(setting)


def _takes(field: Field, spelling: str) -> bool:
    """Whether a choice's spelling is itself a setting, and no pattern such as `power:P`."""
    if "=" in spelling:
        return False
    try:
        field.parse(spelling)
    except NdcgLabError:
        return False
    return True


Held = dict[str, Any]
"""What a reader has set, as JSON: `from` (the preset last gone to, -1 for the start), `lists`, `settings` (the fields
controlled, as spelled), `options`, `grades` (as typed), `pin` (the same kind of value, or null), `reached`."""


class Panel:
    """A panel over a state, with its static reading.

    Args:
        start: the state at the start, to which reset returns.
        controls: contract fields to control; or label-to-spelling mappings per field, for settings of one's own.
        views: what to show besides the picture, the verdict and the scores, in order: functions from a state to HTML.
        options: further choices.
        presets: states to go to, each by a button.
        targets: what to reach.
        can_tie: whether documents may be tied.
        can_leave: whether documents may be left out of a list.
        grades: whether the grades may be edited.
        front: the controls, by name, that stand above the picture; the first two unless given. "grades" is one too.
        verdict: the sentence that says who leads.
        plane: the plane of gains beside the picture, a further control: see `plane`.

    >>> from ndcg_lab import Contract, Judgments
    >>> start = State.of(Judgments({"A": 3, "B": 2}), Contract(gain="linear", k=1), X="A B", Y="B A")
    >>> panel = Panel(start)
    >>> panel
    Panel: X = A B; Y = B A; gain='linear', k=1. X leads: X − Y = 1 > 0 in DCG. One ideal, so in NDCG too.
    >>> panel.respond({**panel.held(start), "settings": {"gain": "exponential", "k": "1"}})["said"]
    'X leads: X − Y = 4 > 0 in DCG. One ideal, so in NDCG too.'
    """

    def __init__(
        self,
        start: State,
        *,
        controls: Sequence[str] | Mapping[str, Mapping[str, str] | None] = ("gain", "k"),
        views: Sequence[views.View] = (views.contributions,),
        options: Sequence[Option] = (),
        presets: Sequence[Preset] = (),
        targets: Sequence[Target] = (),
        can_tie: bool = False,
        can_leave: bool = False,
        grades: bool = False,
        front: Sequence[str] = (),
        verdict: views.View = views.verdict_text,
        plane: Callable[[State], dict[str, Any]] | None = None,
    ) -> None:
        quick = controls if isinstance(controls, Mapping) else dict.fromkeys(controls)
        declared = {field.name: field for field in FIELDS}
        self.start = start
        self.offers = {name: Offer.of(declared[name], offered) for name, offered in quick.items()}
        self.options = {option.name: option for option in options}
        self.presets, self.targets, self.views = tuple(presets), tuple(targets), tuple(views)
        self.can_tie, self.can_leave, self.grades, self.verdict = can_tie, can_leave, grades, verdict
        self.plane = plane
        self.front = tuple(front) or (*self.offers, *self.options)[:FRONT]

    # ---------- what the reader sets ----------

    def describe(self) -> dict[str, Any]:
        """What a page needs once: controls, presets, the start, what may be done to a list."""
        fields = [
            {
                "kind": "settings",
                "name": name,
                "label": offer.name,
                "meaning": offer.field.meaning,
                "choices": [list(pair) for pair in offer.choices.items()],
                "about": offer.about if offer.other else "",
            }
            for name, offer in self.offers.items()
        ]
        options = [
            {
                "kind": "options",
                "name": option.name,
                "label": option.label,
                "meaning": "",
                "choices": [list(pair) for pair in option.choices.items()],
                "about": "",
            }
            for option in self.options.values()
        ]
        return {
            "controls": fields + options,
            "front": list(self.front),
            "grades": self.grades,
            "presets": [
                {"name": preset.name, "state": self.held(preset.state, index)}
                for index, preset in enumerate(self.presets)
            ],
            "start": self.held(self.start),
            "can_tie": self.can_tie,
            "can_leave": self.can_leave,
        }

    def held(self, state: State, given: int = -1) -> Held:
        """A state as a reader would have set it, after going to preset `given` (-1: after reset)."""
        return {
            "from": given,
            "lists": {name: order.to_json() for name, order in state.lists.items()},
            "settings": {name: offer.spelled(getattr(state.contract, name)) for name, offer in self.offers.items()},
            "options": {
                name: state.options.get(name, option.start or next(iter(option.choices.values())))
                for name, option in self.options.items()
            },
            "grades": _written_grades(state.judgments),
            "pin": None,
            "reached": [],
        }

    def read(self, held: Held) -> State:
        """The state of what is set; raises the library's errors for a setting that can't be read."""
        given = self._given(held)
        if set(held["lists"]) != set(given.lists):
            raise FormatError(f"a panel over the lists {', '.join(given.lists)} can't show others")
        settings = {name: value for name, value in held["settings"].items() if name in self.offers}
        return State(
            _read_grades(held["grades"], given.judgments) if self.grades else given.judgments,
            {name: Order.from_json(held["lists"][name]) for name in given.lists},
            Contract(**{**given.contract.to_json(), **settings}),
            {name: held["options"][name] for name in self.options},
        )

    def _given(self, held: Held) -> State:
        """The state that the reader last went to, by a preset or by reset."""
        index = held["from"]
        return self.presets[index].state if 0 <= index < len(self.presets) else self.start

    # ---------- what is shown ----------

    def respond(self, held: Held, more: bool = True) -> dict[str, Any]:
        """What a page shows of what a reader has set: one state's numbers, or the message of what refuses it.

        Args:
            held: see `Held`.
            more: whether to make what stands folded below too; where it isn't seen it needn't be.

        The result is JSON: `state` (with the targets reached), `picture` (see `layout`), `plane`, `said`, `refused`,
        `preset` (the one whose state is shown, or -1), and HTML: `verdict`, `scores`, `targets`, `pinned`, `more`.
        """
        state: State | None = None
        try:
            state = self.read(held)
            shown = self._numbers(state, held, more)
        except Exception as error:
            if not isinstance(error, NdcgLabError):
                logging.getLogger(__name__).exception("a view of the panel failed")
            shown = self._refusal(state, held, error)
        reached = sorted({*held["reached"], *self._newly(None if shown["refused"] else state, self._given(held))})
        found = [index for index, preset in enumerate(self.presets) if preset.state == state]
        return {
            **shown,
            "state": {**held, "reached": reached},
            "preset": found[0] if found else -1,
            "targets": views.targets(self.targets, reached) if self.targets else "",
        }

    def _numbers(self, state: State, held: Held, more: bool) -> dict[str, Any]:
        picture = layout.of(state).to_json()
        said = self.verdict(state)
        pin = held["pin"]
        return {
            "picture": picture,
            "plane": self.plane(state) if self.plane is not None else None,
            "said": said,
            "refused": False,
            "verdict": views.block(f"<strong>{escape(said)}</strong>"),
            "scores": views.scores(state),
            "pinned": views.pinned(self.read(pin), state) if pin is not None else "",
            "more": "".join(view(state) for view in self.views) + views.contract(state) if more else "",
        }

    def _refusal(self, state: State | None, held: Held, error: Exception) -> dict[str, Any]:
        said = f"No numbers: {error}"
        given = self._given(held)
        try:
            orders = {name: Order.from_json(order) for name, order in held["lists"].items()}
        except (NdcgLabError, KeyError, TypeError, AttributeError):  # what can't be read as lists
            orders = dict(given.lists)
        judgments = given.judgments if state is None else state.judgments
        grades = {document: str(grade) for document, grade in judgments.items()}
        return {
            "picture": layout.bare(orders, grades).to_json(),
            "plane": None,
            "said": said,
            "refused": True,
            "verdict": views.block(f"<strong>{escape(said)}</strong>"),
            "scores": "",
            "pinned": "",
            "more": views.contract(state) if state is not None else "",
        }

    def _newly(self, now: State | None, given: State) -> set[int]:
        """The targets that the reader has reached; what a preset or the start meets is no find."""
        return {
            index
            for index, target in enumerate(self.targets)
            if _meets(target, given, now) and not _meets(target, given, given)
        }

    @cached_property
    def first(self) -> dict[str, Any]:
        """What is shown at the start."""
        return self.respond(self.held(self.start))

    def reading(self) -> str:
        """The panel at its start, without a kernel: the same numbers from the same views, and the picture as drawn."""
        from ndcg_lab.lessons import figures

        shown = self.first
        drawn = views.lists(self.start) if shown["refused"] else figures.picture(self.start).html
        folded = (
            f'<details class="ndcg-more"><summary>Rank by rank, and the contract</summary>{shown["more"]}</details>'
        )
        told = f"{drawn}{shown['verdict']}{shown['scores']}{shown['targets']}{folded}"
        return f'<div class="ndcg-static">{told}</div>'

    @cached_property
    def widget(self) -> Any:
        """The panel as a widget of Jupyter."""
        from ndcg_lab.lessons.live import LivePanel

        return LivePanel(self)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        from ndcg_lab.lessons.display import bundle

        return bundle(self.widget, self.reading(), repr(self))

    def __repr__(self) -> str:
        state = self.start
        orders = "; ".join(f"{name} = {order}" for name, order in state.lists.items())
        settings = repr(state.contract).removeprefix("Contract(").removesuffix(")")
        return f"Panel: {orders}; {settings}. {self.first['said']}"


def _meets(target: Target, start: State, now: State | None) -> bool:
    try:
        return now is not None and target.reached(start, now)
    except NdcgLabError:  # what is refused reaches nothing
        return False


def _written_grades(judgments: Judgments) -> str:
    return ", ".join(f"{document}={grade}" for document, grade in judgments.items())


def _read_grades(text: str, judgments: Judgments) -> Judgments:
    """Grades typed as A=3, B=2; whatever else the judgments state stays."""
    if text == _written_grades(judgments):
        return judgments
    return Judgments(typed.grades(text), need=judgments.need, scale=judgments.scale, source=judgments.source)
