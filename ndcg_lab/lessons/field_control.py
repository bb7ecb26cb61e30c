"""The control of one contract field among plain widgets, as the workbench has them."""

from collections.abc import Callable, Mapping

import ipywidgets

from ndcg_lab.lessons.controls import Choice
from ndcg_lab.lessons.panel import OTHER, Offer
from ndcg_lab.measure.contract import Field


class FieldControl:
    """The control of one contract field, made from its declaration: radio buttons, and a line for other spellings."""

    def __init__(self, field: Field, quick: Mapping[str, str] | None = None) -> None:
        offer = Offer.of(field, quick)
        self.field = field
        self._offer = offer
        self._spellings = list(offer.choices.values())
        labels = [*offer.choices, OTHER] if offer.other else list(offer.choices)
        self.choice = Choice(offer.label, labels, index=0)
        self.text = ipywidgets.Text(description=offer.about, continuous_update=False)
        self.text.style.description_width = "initial"
        self.text.layout.width = "min(100%, 48em)"
        self.widget = ipywidgets.VBox([self.choice, self.text] if offer.other else [self.choice])
        self._show_text()
        self.choice.observe(lambda _: self._show_text(), names="index")

    @property
    def value(self) -> str:
        """The setting as spelled, not yet read."""
        index = self.choice.index
        return self._spellings[index] if index < len(self._spellings) else str(self.text.value)

    @value.setter
    def value(self, setting: object) -> None:
        spelled = self._offer.spelled(self.field.parse("none" if setting is None else str(setting)))
        self.text.value = "none" if setting is None else str(setting)
        known = spelled in self._spellings
        self.choice.index = self._spellings.index(spelled) if known else len(self._spellings)

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call back after each change."""
        self.choice.observe(lambda _: callback(), names="index")
        self.text.observe(lambda _: callback(), names="value")

    def _show_text(self) -> None:
        self.text.layout.display = None if self.choice.index == len(self._spellings) else "none"
