"""What `identify` gives: the matches, what is near where there is none, and what would decide between them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ndcg_lab.errors import require_package
from ndcg_lab.exact.values import Exact
from ndcg_lab.identification.chance import Chance
from ndcg_lab.identification.inputs import Asked
from ndcg_lab.identification.matches import NAMES, Beyond, ByHand, Decider, Match, Near, described, printable, shown
from ndcg_lab.identification.space import PLAIN
from ndcg_lab.measure.contract import Aggregation, Contract
from ndcg_lab.reports.averaging import short_form
from ndcg_lab.tables import Table, screen

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 12
"""Rows of a table that is shown; `to_json` holds all."""

FEW = 4
"""Rows of contracts far from plain, where there are plain ones."""

SHOWN_WAYS, KEPT_WAYS = 3, 50
"""Hand calculations that are shown, and that `to_json` holds."""

_LOGARITHMS = {"log2", "log:e", "log:10"}


class Row(NamedTuple):
    """A match as it is shown, with other bases of its logarithm and the conventions that it may be."""

    match: Match
    bases: list[str]
    names: list[str]

    def cells(self) -> list[str]:
        """Value, quantity and reading, contract, what else gives the same, conventions."""
        match = self.match
        also = {name: list(choices) for name, choices in match.also.items()}
        if self.bases:
            also["discount"] = [*self.bases, *also.get("discount", [])]
        return [
            "; ".join(fit.shown for fit in match.fits),
            "; ".join(dict.fromkeys(f"{fit.quantity}, {fit.reading}" for fit in match.fits)),
            match.description,
            "; ".join(f"{name} = {_few(list(map(str, choices)))}" for name, choices in also.items()),
            _few(self.names),
        ]


class Asking(Protocol):
    """What finds out more when it is asked: see `ndcg_lab.identification.work`."""

    def by_hand(self) -> tuple[ByHand, ...]: ...

    def beyond(self) -> tuple[tuple[Beyond, ...], Chance | None]: ...

    def decides(self, candidates: Sequence[Match]) -> Decider | None: ...


@dataclass(frozen=True, eq=False, repr=False)
class Identification:
    """Which contracts give the reported number, plainest first.

    Attributes:
        asked: the numbers, and what was known of them.
        matches: every contract found; what makes no difference on these data is one match (its `also`).
        nearest: what comes near, nearest first.
        contracts: how many contracts the matches stand for, settings that can't matter counted too.
        values: how many distinct values they have, conventions that round aside.
        left: how many more candidates were not confirmed, being past the most that are.
        chance: how many other numbers of so many digits would find contracts; None for one given as a fraction.
    """

    asked: tuple[Asked, ...]
    matches: tuple[Match, ...]
    nearest: tuple[Near, ...]
    contracts: int
    values: int
    left: int
    chance: Chance | None
    _asking: Asking = field(repr=False)

    @cached_property
    def by_hand(self) -> tuple[ByHand, ...]:
        """Hand calculations that give the number under a contract that does not: plainest first."""
        return self._asking.by_hand()

    @cached_property
    def decides(self) -> Decider | None:
        """The further number that would decide between the values that fit; None where none would."""
        return self._asking.decides([row.match for row in self.rows()])

    @property
    def beyond(self) -> tuple[Beyond, ...]:
        """Where no plain contract and no named system gives the number: what no contract says, and would give it."""
        return self._beyond[0]

    @property
    def beyond_chance(self) -> Chance | None:
        """How many other numbers of so many digits would find something of that kind."""
        return self._beyond[1]

    @cached_property
    def _beyond(self) -> tuple[tuple[Beyond, ...], Chance | None]:
        return ((), None) if self._parted()[0] else self._asking.beyond()

    @property
    def identified(self) -> bool:
        """Whether there is a match, and hardly another number of so many digits would find one as plain."""
        return bool(self.matches) and (self.chance is None or self.chance.rare)

    def __len__(self) -> int:
        return len(self.matches)

    def __iter__(self) -> Iterator[Match]:
        return iter(self.matches)

    def __bool__(self) -> bool:
        return bool(self.matches)

    @property
    def reported(self) -> str:
        """The numbers as they were printed."""
        return "; ".join(_asked(number) for number in self.asked)

    @property
    def summary(self) -> str:
        """How many contracts fit, and what that is worth, in a sentence or two."""
        if not self.matches:
            return f"{self.reported}: no contract that was tried gives it."
        more = f" At least {self.left} more were not looked at." if self.left else ""
        counted = _counted(self.contracts, "contract gives", "contracts give")
        tried = "" if self.chance is None else f" of {self.chance.tried:,} tried"
        values = _counted(self.values, "value", "different values")
        return f"{self.reported}: {counted} it,{tried and f'{tried},'} with {values}.{more}"

    @property
    def by_chance(self) -> str:
        """What other numbers would find, in two sentences."""
        chance = self.chance
        if chance is None:
            return ""
        first = (
            f"Of {chance.numbers:,} other numbers of so many digits, from {chance.low} to {chance.high}, "
            f"{chance.fitted:,} are given by some contract too"
        )
        if not self.matches:
            return f"{first}."
        first += f" (by {_counted(chance.contracts, 'contract', 'contracts')} in the middle case), "
        first += f"{chance.as_plain:,} by one as plain as the plainest here."
        if self.identified:
            return f"{first} So it is hardly chance."
        return f"{first} So this may be chance: the number is not identified."

    def __repr__(self) -> str:
        first = f"; plainest: {self.matches[0]}" if self.matches else ""
        return f"<Identification of {self.summary}{first}>"

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.tables()), *self.sentences()])

    def _repr_html_(self) -> str:
        return screen([*self.tables(), *self.sentences()])

    def to_frame(self) -> "pd.DataFrame":
        """A row a match, plainest first: value (a double), quantity, reading, name, cost, and every setting."""
        require_package("pandas", "`to_frame`")
        import pandas as pd

        rows = [
            {
                "value": float(match.value),
                "quantity": match.quantity,
                "reading": match.reading,
                "name": match.name,
                "cost": match.cost,
                "group": match.group,
                **match.contract.to_json(),
                **({} if match.aggregation is None else match.aggregation.to_json()),
            }
            for match in self.matches
        ]
        columns = ["value", "quantity", "reading", "name", "cost", "group"]
        return pd.DataFrame(rows, columns=None if rows else columns)

    def to_json(self) -> dict[str, Any]:
        """The identification as `INTERFACE` describes it, and beside that what else it says."""
        numbers: Any = [{"reported": one.printed.text, "at": dict(one.known)} for one in self.asked]
        return {
            "reported": self.asked[0].printed.text if len(self.asked) == 1 else numbers,
            "identified": self.identified,
            "contracts": self.contracts,
            "values": self.values,
            "chance": None if self.chance is None else self.chance.to_json(),
            "matches": [match.to_json() for match in self.matches],
            "nearest": [near.to_json() for near in self.nearest],
            "beyond": [one.to_json() for one in self.beyond],
            "beyond_chance": None if self.beyond_chance is None else self.beyond_chance.to_json(),
            "by_hand": [way.to_json() for way in self.by_hand[:KEPT_WAYS]],
            "decides": None if self.decides is None else self.decides.to_json(),
        }

    def csv_rows(self, *, exact: bool = False) -> Iterator[dict[str, str]]:
        """Tidy rows, told apart by `kind`: a `match`, what is `beyond` any contract, what is `nearest`, `by hand`."""

        def row(
            kind: str, contract: Contract, aggregation: Aggregation | None, value: Exact | None, **more: object
        ) -> dict[str, str]:
            told = {
                "reported": self.reported,
                "kind": kind,
                "value": "" if value is None else value.decimal(20),
                **({"exact": "" if value is None else short_form(value) or ""} if exact else {}),
                **dict.fromkeys(("quantity", "reading", "name", "with"), ""),
                **{name: "" if one is None else str(one) for name, one in more.items()},
            }
            stated = {**contract.to_json(), **({} if aggregation is None else aggregation.to_json())}
            return told | {name: "none" if setting is None else str(setting) for name, setting in stated.items()}

        for match in self.matches:
            fits = {"quantity": match.quantity, "reading": match.reading, "name": match.name}
            yield row("match", match.contract, match.aggregation, match.value, **fits)
        for one in self.beyond:
            told = {"quantity": one.quantity, "reading": one.reading, "with": one.effect}
            yield row("beyond", one.contract, one.aggregation, one.value, **told)
        for near in self.nearest:
            yield row("nearest", near.contract, near.aggregation, near.value, quantity=near.quantity)
        for way in self.by_hand[:KEPT_WAYS]:
            made = row("by hand", way.contract, None, None, quantity=way.quantity, **{"with": way.procedure})
            yield made | {"value": way.gives}

    def rows(self) -> list["Row"]:
        """The matches for a reader: one of each bundle, and another base of the logarithm with the first it is like."""
        bundles: dict[int, list[Match]] = {}
        for match in self.matches:
            bundles.setdefault(match.bundle, []).append(match)
        rows: dict[object, Row] = {}
        for alike in bundles.values():
            match = alike[0]
            names = [one.name for one in alike if one.name is not None]
            bare = match.contract.replace(discount="log2") if match.contract.discount in _LOGARITHMS else match.contract
            known = rows.setdefault((match.group, match.quantity, bare, match.aggregation), Row(match, [], []))
            known.names.extend(names)
            if known.match is not match:
                known.bases.append(match.contract.discount)
        return list(rows.values())

    def _parted(self) -> tuple[list[Row], list[Row]]:
        """Plain contracts and named systems, and the rest."""
        rows = self.rows()
        plain = [row for row in rows if row.names or row.match.cost <= PLAIN]
        return plain, [row for row in rows if row not in plain]

    def tables(self) -> Iterator[Table]:
        """The matches, or what is nearest; and what would decide."""
        columns = {"value": True, "as": False, "contract": False, "also": False, "named": False}
        plain, exotic = self._parted()
        if self.matches:
            if plain:
                yield Table(printable(self.summary), columns, [row.cells() for row in plain[:SHOWN]])
            if exotic:
                title = "Further from plain, of no system that is known here:"
                if not plain:
                    title = f"{printable(self.summary)} None of them is plain, or of a system known here:"
                yield Table(title, columns, [row.cells() for row in exotic[: max(FEW, SHOWN - len(plain))]])
        elif self.nearest:
            columns = {"value": True, "as": False, "contract": False, "misses by": True}
            cells = [
                [shown(near.value), near.quantity, described(near.contract, near.aggregation), near.miss(2)]
                for near in self.nearest
            ]
            yield Table(printable(f"{self.summary} The nearest:"), columns, cells)
        if self.beyond:
            yield self._beyond_table()
        if self.decides is not None:
            of = f" of query {printable(self.decides.query)}" if self.decides.query else ""
            title = f"{NAMES[self.decides.quantity]}{of} at k = {self.decides.k} would decide"
            cells = [[predicts, match.description] for match, predicts in self.decides.predictions]
            yield Table(title, {"it would be": True, "under": False}, cells)

    def sentences(self) -> Iterator[str]:
        """What else there is to say."""
        if not self.matches:
            yield from self._untried()
        shown_rows = sum(len(table.rows) for table in self.tables() if "named" in table.columns)
        if self.matches and len(self.rows()) > shown_rows:
            yield f"{len(self.rows()) - shown_rows} more are in `matches`."
        if self.by_chance:
            yield self.by_chance
        if self.beyond and self.beyond_chance is not None:
            yield self._beyond_by_chance()
        if self.matches and self.decides is None:
            yield self._undecided()
        plainer = [way for way in self.by_hand if not self.matches or way.cost < self.matches[0].cost]
        if plainer:
            yield "By hand: " + "; ".join(str(way) for way in plainer[:SHOWN_WAYS]) + "."
        elif not self.matches:
            yield "No rounding at the steps of a hand calculation, of those tried, gives it either."

    def _beyond_table(self) -> Table:
        """What no contract says: of each cause the plainest."""
        causes: dict[tuple[str, str], Beyond] = {}
        for one in self.beyond:
            causes.setdefault((one.effect, one.quantity), one)
        cells = [
            [shown(one.value), f"{one.quantity}, {one.reading}", one.effect, described(one.contract, one.aggregation)]
            for one in list(causes.values())[:SHOWN]
        ]
        columns = {"value": True, "as": False, "with": False, "beside the contract": False}
        return Table("Beyond any contract, this would give it:", columns, cells)

    def _beyond_by_chance(self) -> str:
        """What other numbers would find beyond any contract."""
        chance = self.beyond_chance
        assert chance is not None
        return (
            f"Beyond any contract {chance.tried:,} values were looked at; of {chance.numbers:,} other numbers of so "
            f"many digits {chance.fitted:,} are among them too."
        )

    def _undecided(self) -> str:
        """Why no further number is named."""
        if len(self.rows()) == 1:
            return "Whatever else gives it makes no difference on these data: a further number would not decide."
        return "None of the further numbers that were looked at, on these data, would decide between them."

    def _untried(self) -> Iterator[str]:
        """What was asked, where there is no match, and what it left out."""
        if not self.nearest:
            yield printable(self.summary)
        if len(self.asked) > 1 and not any(number.known for number in self.asked):
            yield (
                "One contract was to give all of these numbers. If they are of different cutoffs, say so beside each "
                '(`--at k=3` after a number; `("0.7847", {"k": 3})` in Python).'
            )
        if any(number.over_queries for number in self.asked):
            yield (
                "Over several queries only means were tried. For the number of one query, name it (`--query`), or give "
                "its ranking and judgments alone."
            )


def _asked(number: Asked) -> str:
    known = ", ".join(f"{name} = {value}" for name, value in number.known.items())
    return number.printed.text + (f" at {known}" if known else "")


def _few(names: Sequence[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
