"""What stands where no convention supplies a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ndcg_lab.errors import UndefinedValue
from ndcg_lab.exact.formats import placed

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Undefined"]


class Undefined:
    """A value that no convention supplies, with its reason; for a mean, with the queries behind it.

    The error that its use as a number raises names the setting that would supply one, where there is such a setting.
    Equal to another of the same reason; `float`, arithmetic and order raise `UndefinedValue`. It is formatted, and
    rounded to decimals, as a value is: a table of values takes it.

    >>> Undefined("zero ideal") == Undefined("zero ideal")
    True
    """

    __slots__ = ("_choices", "_queries", "_reason", "_setting")

    def __init__(
        self, reason: str, queries: Iterable[str] = (), *, setting: str | None = None, choices: Iterable[str] = ()
    ) -> None:
        self._reason = reason
        self._queries = tuple(queries)
        self._setting = setting
        self._choices = tuple(choices)

    @property
    def reason(self) -> str:
        """Why there is no value."""
        return self._reason

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries that leave a mean undefined."""
        return self._queries

    def over(self, queries: Iterable[str]) -> Undefined:
        """The same for a mean, which these queries leave undefined."""
        return Undefined(self.reason, queries, setting=self._setting, choices=self._choices)

    def __eq__(self, other: object) -> bool:
        return self.reason == other.reason if isinstance(other, Undefined) else NotImplemented

    def __hash__(self) -> int:
        return hash((Undefined, self.reason))

    def __repr__(self) -> str:
        queries = f", {list(self.queries)!r}" if self.queries else ""
        return f"Undefined({self.reason!r}{queries})"

    def __str__(self) -> str:
        return f"undefined ({self.reason})"

    def __format__(self, spec: str) -> str:
        """The text, at the width and side that a format for numbers names.

        >>> f"{Undefined('zero ideal'):.4f}|{Undefined('no queries'):>24.3f}"
        'undefined (zero ideal)|  undefined (no queries)'
        """
        return placed(str(self), spec) if spec else str(self)

    def __round__(self, places: object = None) -> Undefined:
        """Itself, where places are named; to a whole number it can't be rounded."""
        return self if places is not None else self._refuse()

    def to_json(self) -> dict[str, Any]:
        """``{"undefined": reason}``, with ``queries`` where there are any."""
        return {
            "undefined": self.reason,
            **({"queries": list(self.queries)} if self.queries else {}),
        }

    def _refuse(self, *_: object) -> Any:
        queries = f" (queries {', '.join(self.queries)})" if self.queries else ""
        decides = f"; `{self._setting}` decides: {', '.join(self._choices)}" if self._setting else ""
        message = f"this value is undefined: {self.reason}{queries}{decides}"
        raise UndefinedValue(message, setting=self._setting, choices=self._choices)

    __float__ = __int__ = __neg__ = __pos__ = __abs__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
