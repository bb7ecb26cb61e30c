"""Numbers of other libraries, and what looks like a number and is none."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction

import mpmath
import numpy as np
import pandas as pd
import sympy
from flint import fmpz

__all__ = ["FRACTIONS", "HALVES", "NO_NUMBERS", "NO_WHOLE", "WHOLE"]


class Level(IntEnum):
    """A whole number with a name."""

    THREE = 3


WHOLE: list[object] = [
    3,
    Level.THREE,
    *(kind(3) for kind in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)),
    pd.Series([3])[0],
    pd.array([3], dtype="Int64")[0],
    sympy.Integer(3),
    fmpz(3),
]
"""3, wherever a whole number is asked for."""

FRACTIONS: list[tuple[object, Fraction]] = [
    *((three, Fraction(3)) for three in WHOLE),
    *((kind(3), Fraction(3)) for kind in (float, np.float16, np.float32, np.float64, np.longdouble)),
    (np.longdouble(2) ** 63 + 1, Fraction(2**63 + 1)),
    (np.uint64(2**64 - 1), Fraction(2**64 - 1)),
    (-0.0, Fraction(0)),
    (1e300, Fraction(int(1e300))),
    (sympy.Float(3), Fraction(3)),
    (sympy.Float(2) ** 80 + 1, Fraction(2**80)),
    (sympy.Rational(27, 10), Fraction(27, 10)),
    (mpmath.mpf(3), Fraction(3)),
    (mpmath.mpf(2) ** 90, Fraction(2**90)),
    (Decimal("2.7"), Fraction(27, 10)),
    (Decimal("3e3"), Fraction(3000)),
    (Fraction(27, 10), Fraction(27, 10)),
    ("27/10", Fraction(27, 10)),
    (np.str_(" 2.7 "), Fraction(27, 10)),
]
"""Rational numbers, however they come."""


class Stranger:
    """Something that nobody expects; named, for an address in a test's name differs from worker to worker."""

    def __repr__(self) -> str:
        return "Stranger()"


NO_NUMBERS: list[object] = [
    True,
    np.bool_(1),
    np.True_,
    None,
    pd.NA,
    pd.NaT,
    1j,
    np.complex64(1),
    np.complex128(1),
    mpmath.mpc(1),
    sympy.I,
    sympy.pi,
    sympy.sqrt(4, evaluate=False),
    sympy.oo,
    sympy.nan,
    sympy.true,
    np.array(3),
    np.array([3]),
    np.array([[1.0, 2.0]]),
    np.ma.masked,
    pd.Series([3]),
    [3],
    (3,),
    {3},
    b"3",
    date(2026, 1, 1),
    timedelta(3),
    np.datetime64("2026-01-01"),
    np.timedelta64(3, "D"),
    pd.Timestamp("2026-01-01"),
    Stranger(),
    int,
    "three",
    "",
    "1e99999",
    "1/0",
    *(kind(text) for kind in (float, np.float16, np.float32, np.longdouble, mpmath.mpf) for text in ("nan", "inf")),
    Decimal("NaN"),
    Decimal("sNaN"),
    Decimal("-Infinity"),
    Decimal("1e9999"),
    mpmath.mpf(0.5),
    sympy.Float(0.5),
]
"""Refused as a rational number, each by an error that names it."""

HALVES: list[object] = [kind(0.5) for kind in (float, np.float16, np.float32, np.float64, np.longdouble)]
"""Floats that are not whole: refused as a rational number, taken as a score."""

NO_WHOLE: list[object] = [
    *NO_NUMBERS,
    3.0,
    np.float64(3),
    Decimal(3),
    Fraction(1, 2),
    "3",
    sympy.Float(3),
    mpmath.mpf(3),
]
"""Refused where a whole number is asked for."""
