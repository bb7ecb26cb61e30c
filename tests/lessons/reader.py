"""A panel in a reader's hands, without a page: what is set, and what the panel answers to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ndcg_lab.lessons.state import Order

if TYPE_CHECKING:
    from ndcg_lab.lessons.panel import Panel
    from ndcg_lab.lessons.state import State


class Reader:
    """Sets one thing after another, as the page does; `view` is the last answer."""

    def __init__(self, panel: Panel) -> None:
        self.panel = panel
        self.view: dict[str, Any] = panel.respond(panel.held(panel.start))

    @property
    def held(self) -> dict[str, Any]:
        held: dict[str, Any] = self.view["state"]
        return held

    @property
    def state(self) -> State:
        return self.panel.read(self.held)

    @property
    def shown(self) -> str:
        """All HTML that the panel shows now."""
        return "".join(self.view[part] for part in ("verdict", "scores", "targets", "pinned", "more"))

    def ask(self, **changes: object) -> None:
        self.view = self.panel.respond({**self.held, **changes})

    def set(self, **fields: object) -> None:
        self.ask(settings={**self.held["settings"], **{name: str(value) for name, value in fields.items()}})

    def choose(self, **options: str) -> None:
        self.ask(options={**self.held["options"], **options})

    def order(self, name: str, order: str) -> None:
        self.ask(lists={**self.held["lists"], name: Order.parse(order).to_json()})

    def go(self, preset: int) -> None:
        kept = {key: self.held[key] for key in ("pin", "reached")}
        self.ask(**{**self.panel.describe()["presets"][preset]["state"], **kept})

    def reset(self) -> None:
        self.ask(**{**self.panel.held(self.panel.start), "pin": self.held["pin"], "reached": self.held["reached"]})

    def pin(self) -> None:
        self.ask(pin={**self.held, "pin": None})
