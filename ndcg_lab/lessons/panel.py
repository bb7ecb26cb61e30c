"""The panel: a contract's controls, the lists to reorder, and what follows from them.

A [Panel][ndcg_lab.lessons.panel.Panel] holds widgets and nothing else: at each change it makes one
[State][ndcg_lab.lessons.state.State] of them and shows what its views make of that.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

import ipywidgets

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.lessons import typed, views
from ndcg_lab.lessons.controls import Announcer, Choice
from ndcg_lab.lessons.display import bundle
from ndcg_lab.lessons.editor import RankingEditor
from ndcg_lab.lessons.state import Preset, State, Target
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


class FieldControl:
    """The control of one contract field, made from its declaration: radio buttons, and a line for other spellings."""

    def __init__(self, field: Field, quick: Mapping[str, str] | None = None) -> None:
        self.field = field
        self._open = any(not _takes(field, choice.spelling) for choice in field.choices)
        offered = (
            quick
            or QUICK.get(field.name)
            or {choice.spelling: choice.spelling for choice in field.choices if _takes(field, choice.spelling)}
        )
        self._spellings = list(offered.values())
        labels = [*offered, OTHER] if self._open else list(offered)
        self.choice = Choice(_label(field), labels, index=0)
        self.text = ipywidgets.Text(
            description=f"{field.name.replace('_', ' ')}, one of: {field.spellings}", continuous_update=False
        )
        self.text.style.description_width = "initial"
        self.text.layout.width = "min(100%, 48em)"
        self.widget = ipywidgets.VBox([self.choice, self.text] if self._open else [self.choice])
        self._show_text()
        self.choice.observe(lambda _: self._show_text(), names="index")

    @property
    def value(self) -> str:
        """The setting as spelled, not yet read."""
        index = self.choice.index
        return self._spellings[index] if index < len(self._spellings) else str(self.text.value)

    @value.setter
    def value(self, setting: object) -> None:
        spelled = "none" if setting is None else str(setting)
        canonical = [str(self.field.parse(spelling)) for spelling in self._spellings]
        self.text.value = spelled
        if str(setting) in canonical:
            self.choice.index = canonical.index(str(setting))
        else:
            self.choice.index = len(self._spellings)

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call back after each change."""
        self.choice.observe(lambda _: callback(), names="index")
        self.text.observe(lambda _: callback(), names="value")

    def _show_text(self) -> None:
        self.text.layout.display = None if self.choice.index == len(self._spellings) else "none"


def _label(field: Field) -> str:
    name = field.name.replace("_", " ")
    return f"{name.capitalize() if len(name) > 1 else name} ({field.meaning})"


def _takes(field: Field, spelling: str) -> bool:
    """Whether a choice's spelling is itself a setting, and no pattern such as `power:P`."""
    if "=" in spelling:
        return False
    try:
        field.parse(spelling)
    except NdcgLabError:
        return False
    return True


class Panel:
    """A panel over a state, with its static reading.

    Args:
        start: the state at the start, to which reset returns.
        controls: contract fields to control; or label-to-spelling mappings per field, for settings of one's own.
        views: what to show, in order: functions from a state to HTML.
        options: further choices.
        presets: states to go to, each by a button.
        targets: what to reach.
        can_tie: whether documents may be tied.
        can_leave: whether documents may be left out of a list.
        grades: whether the grades may be edited.

    >>> from ndcg_lab import Contract, Judgments
    >>> start = State.of(Judgments({"A": 3, "B": 2}), Contract(gain="linear", k=1), X="A B", Y="B A")
    >>> Panel(start)
    Panel: X = A B; Y = B A; gain='linear', k=1. X leads: X − Y = 1 > 0 in DCG. One ideal, so in NDCG too.
    """

    def __init__(
        self,
        start: State,
        *,
        controls: Sequence[str] | Mapping[str, Mapping[str, str] | None] = ("gain", "k"),
        views: Sequence[views.View] = (views.verdict, views.contributions),
        options: Sequence[Option] = (),
        presets: Sequence[Preset] = (),
        targets: Sequence[Target] = (),
        can_tie: bool = False,
        can_leave: bool = False,
        grades: bool = False,
    ) -> None:
        self.start = self._from = start
        self.pin: State | None = None
        self._reached: set[int] = set()
        self._met: set[int] = set()
        self._views, self._presets, self._targets = views, presets, targets
        self._quiet = False

        quick = controls if isinstance(controls, Mapping) else dict.fromkeys(controls)
        declared = {field.name: field for field in FIELDS}
        self.fields = {name: FieldControl(declared[name], offered) for name, offered in quick.items()}
        self.options = {option.name: _OptionControl(option) for option in options}
        self.editors = {
            name: RankingEditor(name, order, can_tie=can_tie, can_leave=can_leave)
            for name, order in start.lists.items()
        }
        self.grades = ipywidgets.Text(description="Grades", continuous_update=False)
        self.grades.layout.width = "min(100%, 32em)"
        self.presets = Choice("Go to", [preset.name for preset in presets])
        reset = ipywidgets.Button(description="reset")
        pin = ipywidgets.Button(description="pin as before", tooltip="keep these numbers beside those to come")
        self._shown = [ipywidgets.HTML() for _ in views]
        self._targets_shown, self._pin_shown, self._contract_shown = (ipywidgets.HTML() for _ in range(3))
        self._message = ipywidgets.HTML()
        self._announcer = Announcer()

        self._set(start)
        controls_there: list[_Control] = [*self.fields.values(), *self.options.values(), *self.editors.values()]
        for control in controls_there:
            control.on_change(self._changed)
        self.grades.observe(lambda _: self._changed(), names="value")
        self.presets.observe(self._go, names="index")
        reset.on_click(lambda _: self._set(self.start))
        pin.on_click(lambda _: self._pin_now())

        buttons = ipywidgets.HBox([reset, pin], layout={"flex_flow": "row wrap"})
        self.widget = ipywidgets.VBox(
            [
                *([self.presets] if presets else []),
                *(control.widget for control in self.fields.values()),
                *(control.widget for control in self.options.values()),
                *([self.grades] if grades else []),
                *self.editors.values(),
                buttons,
                self._message,
                *self._shown,
                self._contract_shown,
                self._pin_shown,
                *([self._targets_shown] if targets else []),
                self._announcer,
            ]
        )

    # ---------- state ----------

    @property
    def state(self) -> State:
        """The state that the widgets hold; raises the library's errors for a setting that can't be read."""
        settings = {**self._from.contract.to_json(), **{name: control.value for name, control in self.fields.items()}}
        return State(
            _read_grades(self.grades.value, self._from.judgments),
            {name: editor.value for name, editor in self.editors.items()},
            Contract(**settings),
            {name: control.value for name, control in self.options.items()},
        )

    def _set(self, state: State) -> None:
        """Put a state into the widgets, and show it once."""
        with self._held():
            self._from = state
            for name, control in self.fields.items():
                control.value = getattr(state.contract, name)
            for name, option in self.options.items():
                option.value = state.options.get(name, option.value)
            self.grades.value = _written_grades(state.judgments)
            for name, editor in self.editors.items():
                editor.value = state.lists[name]
        self._refresh(by_reader=False)

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Without showing what lies between."""
        self._quiet = True
        try:
            yield
        finally:
            self._quiet = False

    def _changed(self) -> None:
        if not self._quiet:
            self._refresh()

    def _go(self, change: dict[str, Any]) -> None:
        if change["new"] >= 0 and not self._quiet:
            self._set(self._presets[change["new"]].state)

    def _pin_now(self) -> None:
        with suppress(NdcgLabError):  # a state that can't be read can't be kept; its message stands there already
            self.pin = self.state
        self._refresh()

    # ---------- showing ----------

    def _refresh(self, *, by_reader: bool = True) -> None:
        """Show one state: its numbers, or the message of what refuses it; never those of another beside it."""
        state: State | None = None
        problem: Exception | None = None
        shown, contract, pinned, said = [""] * len(self._views), "", "", ""
        try:
            state = self.state
            for editor in self.editors.values():
                editor.grades = {document: str(grade) for document, grade in state.judgments.items()}
                editor.cut = state.contract.k if isinstance(state.contract.k, int) else 0
            contract = views.contract(state)
            shown = [view(state) for view in self._views]
            pinned = views.pinned(self.pin, state) if self.pin is not None else ""
            said = views.verdict_text(state)
        except NdcgLabError as error:
            problem = error
        except Exception as error:
            logging.getLogger(__name__).exception("a view of the panel failed")
            problem = error
        if problem is not None:
            shown, pinned, said = [""] * len(self._views), "", f"No numbers: {problem}"
        self._reach(None if problem is not None else state, by_reader=by_reader)
        for place, text in zip(self._shown, shown, strict=True):
            place.value = text
        self._message.value = f"<p><strong>{escape(said)}</strong></p>" if problem is not None else ""
        self._contract_shown.value, self._pin_shown.value = contract, pinned
        self._targets_shown.value = views.targets(self._targets, self._reached)
        self._announcer.text = said
        self._mark_preset(state)

    def _reach(self, now: State | None, *, by_reader: bool) -> None:
        """Note what a change of the reader's own has reached, and no preset's; it stays reached."""
        met = {index for index, target in enumerate(self._targets) if _meets(target, self._from, now)}
        if by_reader:
            self._reached |= met - self._met
        self._met = met

    def _mark_preset(self, state: State | None) -> None:
        """Mark the preset whose state is shown, if it is one's."""
        found = [index for index, preset in enumerate(self._presets) if preset.state == state]
        with self._held():
            self.presets.index = found[0] if found else -1

    def reading(self) -> str:
        """The panel at its start, without a kernel: the same numbers from the same views."""
        state = self.start
        try:
            shown = "".join(view(state) for view in self._views)
        except NdcgLabError as error:
            shown = f"<p><strong>No numbers: {escape(str(error))}</strong></p>"
        told = views.targets(self._targets) if self._targets else ""
        return f"<div>{views.lists(state)}{shown}{views.contract(state)}{told}</div>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return bundle(self.widget, self.reading(), repr(self))

    def __repr__(self) -> str:
        state = self.start
        orders = "; ".join(f"{name} = {order}" for name, order in state.lists.items())
        try:
            said = views.verdict_text(state)
        except NdcgLabError as error:
            said = f"No numbers: {error}"
        settings = repr(state.contract).removeprefix("Contract(").removesuffix(")")
        return f"Panel: {orders}; {settings}. {said}"


def _meets(target: Target, start: State, now: State | None) -> bool:
    try:
        return now is not None and target.reached(start, now)
    except NdcgLabError:  # what is refused reaches nothing
        return False


class _Control(Protocol):
    def on_change(self, callback: Callable[[], None]) -> None: ...


class _OptionControl:
    def __init__(self, option: Option) -> None:
        self._values = list(option.choices.values())
        start = self._values[0] if option.start is None else option.start
        self.widget = Choice(option.label, list(option.choices), index=self._values.index(start))

    @property
    def value(self) -> str:
        return self._values[self.widget.index]

    @value.setter
    def value(self, value: str) -> None:
        self.widget.index = self._values.index(value)

    def on_change(self, callback: Callable[[], None]) -> None:
        self.widget.observe(lambda _: callback(), names="index")


def _written_grades(judgments: Judgments) -> str:
    return ", ".join(f"{document}={grade}" for document, grade in judgments.items())


def _read_grades(text: str, judgments: Judgments) -> Judgments:
    """Grades typed as A=3, B=2; whatever else the judgments state stays."""
    if text == _written_grades(judgments):
        return judgments
    return Judgments(typed.grades(text), need=judgments.need, scale=judgments.scale, source=judgments.source)
