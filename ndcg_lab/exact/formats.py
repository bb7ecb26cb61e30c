"""Format specifications: those of Python's floats, with digits that are rounded from the exact value."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from ndcg_lab.errors import NdcgLabError, brief

if TYPE_CHECKING:
    from ndcg_lab.exact.values import Exact

__all__ = ["formatted", "placed"]

_SPEC = re.compile(
    r"(?P<place>(?:.?[<>=^])?)(?P<sign>[-+ ]?)(?P<fill>0?)(?P<width>\d{0,4})(?P<group>[,_]?)"
    r"(?:\.(?P<places>\d{1,4}))?(?P<kind>[dsfFeEgG%]?)",
    re.DOTALL,
)
_MOST_OF_A_DOUBLE, _LARGEST = 15, 300  # significant digits that a double keeps, up to such an exponent


class _Spec(NamedTuple):
    """A format specification in its parts."""

    place: str
    sign: str
    fill: str
    width: str
    group: str
    places: int | None
    kind: str

    @classmethod
    def read(cls, spec: str) -> _Spec:
        found = _SPEC.fullmatch(spec)
        if found is None:
            raise NdcgLabError(
                f"unknown format {brief(spec)} for an exact value; use '' or 'd' for its exact form, or a float's: "
                "'.3f', '.3g', '.2e', '.1%', '>10.4f'"
            )
        parts = found.groupdict()
        places = None if parts.pop("places") is None else int(found["places"])
        return cls(**parts, places=places)

    @property
    def exact(self) -> bool:
        """Whether the exact form is asked for."""
        return self.kind in {"d", "s"} or (not self.kind and self.places is None)

    @property
    def as_text(self) -> str:
        """The part of it that places a text."""
        place = self.place if not self.place.endswith("=") else f"{self.place[:-1]}>"
        return f"{place or '>'}{self.width}"


def formatted(value: Exact, spec: str, plain: str, terminating: str) -> str:
    """A value by a specification; `plain` and `terminating` are its exact forms.

    Raises:
        NdcgLabError: for a specification that is none.
    """
    read = _Spec.read(spec)
    if read.exact:
        return format(terminating if read.kind == "d" else plain, read.as_text)
    places = 6 if read.places is None else read.places
    kind = read.kind.lower() or "g"
    if kind in {"f", "%"}:
        number = Decimal(value.fixed(places + 2 * (kind == "%")))
    else:
        number = Decimal(value.decimal(max(places, 1) if kind == "g" else places + 1))
    if len(number.as_tuple().digits) <= _MOST_OF_A_DOUBLE and abs(number.adjusted()) < _LARGEST:
        return format(float(number), spec)  # which prints those digits
    return _long(number, read, places)


def _long(number: Decimal, read: _Spec, places: int) -> str:
    """More digits than a double keeps, written as a double's are."""
    body = format(number, f"{read.sign}{read.group.replace('_', ',')}.{places}{read.kind or 'g'}")
    mantissa, mark, exponent = body.replace("E", "e").partition("e")
    if read.kind in {"g", "G", ""} and "." in mantissa:
        mantissa = mantissa.rstrip("0").removesuffix(".")
    body = f"{mantissa}{mark}{exponent[:1]}{exponent[1:].zfill(2)}" if mark else mantissa
    body = (body.upper() if read.kind.isupper() else body).replace(",", read.group or ",")
    return body.zfill(int(read.width or 0)) if read.fill and not read.place else format(body, read.as_text)


def placed(text: str, spec: str) -> str:
    """A text where a number would stand: of its format the width and the side are taken.

    >>> placed("undefined", ">12.4f")
    '   undefined'
    """
    return format(text, _Spec.read(spec).as_text)
