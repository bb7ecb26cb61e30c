"""Every limit on what is taken in and worked out: its size, and why it is there.

All of them can be changed before Python starts, by the environment's variable `NDCG_LAB_LIMITS`, such as
`NDCG_LAB_LIMITS=DIGITS=1000000,FACTORS=5000`. `docs/limits.md` lists them; `describe` writes its table.
"""

import os
from typing import NamedTuple

from ndcg_lab.errors import ContractError

__all__ = ["LIMITS", "Limit", "beyond", "describe"]

VARIABLE = "NDCG_LAB_LIMITS"


class Limit(NamedTuple):
    """A limit: its size as it ships, of what it is the most, and why."""

    value: int
    of: str
    reason: str


def _read(text: str) -> dict[str, int]:
    """The sizes that the environment asks for."""
    found: dict[str, int] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        name, _, size = entry.partition("=")
        if not (size.isascii() and size.isdecimal() and 0 < len(size) <= 12 and int(size)):
            raise ContractError(f"{VARIABLE} holds {entry!r}; write it like DIGITS=1000000")
        found[name] = int(size)
    return found


LIMITS: dict[str, Limit] = {}
"""Every limit by its name."""

_asked = _read(os.environ.get(VARIABLE, ""))


def _limit(name: str, value: int, of: str, reason: str) -> int:
    """Declare a limit; its size is what the environment asks for, else as it ships."""
    LIMITS[name] = Limit(value, of, reason)
    return _asked.get(name, value)


# Numbers.
DIGITS = _limit(
    "DIGITS",
    100_000,
    "digits of a number that is read, or written by `decimal` and `fixed`",
    "the work of writing digits grows with their square: this many take about half a second",
)
EXPONENT = _limit(
    "EXPONENT",
    5_000,
    "size of a power of ten, as in 1e5000",
    "a few characters would else stand for a number that fills memory",
)
JSON_DIGITS = _limit(
    "JSON_DIGITS",
    600,
    "digits of a whole number in JSON that stands without quotation marks",
    "no rank, cutoff or base has as many, and Python reads no more at its strictest; a long grade stands as text",
)
BASE_BITS = _limit(
    "BASE_BITS",
    1_024,
    "bits of b in 1/log2(b), and of the base of a logarithm",
    "its root and its logarithm are sought: more bits cost more than their number",
)
PRECISION = _limit(
    "PRECISION",
    1 << 15,
    "bits to which a value is enclosed before its sign or its rounding is `Undecided`",
    "this is far beyond what values of files need, and takes about a second",
)
GAIN_BITS = _limit(
    "GAIN_BITS",
    1 << 18,
    "bits of one gain, or of the last rank's discount under `geometric`",
    "one gain alone would take minutes or fill memory",
)
ROW_BITS = _limit(
    "ROW_BITS",
    1 << 14,
    "bits of a `geometric` discount in a row: 4,096 ranks of geometric:9/10",
    "each rank has more digits than the one before, and the work of all rows grows with their cube",
)

# What is typed or written in a contract.
CHARACTERS = _limit("CHARACTERS", 1_000_000, "characters that an exact value is read from", "they take seconds")
FACTORS = _limit(
    "FACTORS",
    1_000,
    "factors of one product that is read",
    "each multiplies all before it, and the work grows with the square",
)
BRACKETS = _limit("BRACKETS", 50, "brackets inside one another in an exact value", "Python's own stack is short")
PRODUCTS = _limit(
    "PRODUCTS",
    200_000,
    "products of coefficients in a proof of equality of degree 2",
    "past it the answer is `Undecided`",
)
TERMS = _limit(
    "TERMS",
    5_000,
    "products of terms where two sums of quotients are multiplied",
    "they multiply: ten factors of four terms have a million products",
)
ALGEBRA_BASES = _limit(
    "ALGEBRA_BASES",
    320,
    "different logarithms in a proof of equality of degree 2",
    "the search for their relations grows fast: 5 s at 300; past it the answer is `Undecided`",
)
TABLE = _limit(
    "TABLE",
    10_000,
    "entries of a gain table",
    "a table names grades one by one, and stands whole in each report",
)
DECIMALS = _limit("DECIMALS", 1_000, "decimals of `round_to`", "no system rounds to more")
CUTOFF = _limit("CUTOFF", 1 << 64, "size of a cutoff k", "no list is longer, and `all` says that every rank counts")
MEASURE = _limit("MEASURE", 200, "characters of a measure's name", "no name is longer")
MEASURE_CUTOFF = _limit("MEASURE_CUTOFF", 10**9, "size of a cutoff in a measure's name", "no list is longer")

# Work.
OUTCOMES = _limit(
    "OUTCOMES",
    10_000,
    "outcomes of ties that are listed",
    "they multiply: ten documents on ten ranks have 3,628,800 orders; `average`, `best` and `worst` need no list",
)
ROWS_WORK = _limit(
    "ROWS_WORK",
    10**12,
    "squares of bits of the gains and discounts in the rows that are written",
    "writing a number's digits costs as their square",
)
ERR_GRADE = _limit("ERR_GRADE", 10_000, "size of `max_grade` in ERR and RBP", "2^max_grade stands below each step")
IDENTIFY_DIGITS = _limit("IDENTIFY_DIGITS", 150, "digits of a number that is identified", "nothing prints more")
WORKBENCH_ROWS = _limit(
    "WORKBENCH_ROWS",
    2_000,
    "rows of files in which the workbench identifies a number",
    "it answers at each key; the command line takes any number of rows",
)

# What is written for others to check.
COQ_BITS = _limit("COQ_BITS", 10_000, "bits of a number in a file for Coq", "Coq reads longer ones for minutes")
COQ_RANKS = _limit("COQ_RANKS", 1_000, "ranks in a statement for Coq", "Coq checks longer lists for minutes")
COQ_DOCUMENTS = _limit("COQ_DOCUMENTS", 20_000, "judged documents in a file for Coq", "Coq reads more for minutes")
JSON_DEPTH = _limit("JSON_DEPTH", 100, "brackets inside one another in JSON", "no file here has more than ten")

unknown = sorted(set(_asked) - set(LIMITS))
if unknown:
    raise ContractError(f"{VARIABLE} names {unknown[0]!r}, which is no limit; docs/limits.md lists them")


def beyond(name: str) -> str:
    """How a message ends that tells of a limit: its size, and how to change it.

    >>> beyond("FACTORS")
    'at most 1,000 (NDCG_LAB_LIMITS=FACTORS=N changes this)'
    """
    return f"at most {_asked.get(name, LIMITS[name].value):,} ({VARIABLE}={name}=N changes this)"


def describe() -> str:
    """The table of `docs/limits.md`."""
    rows = [f"| `{name}` | {limit.value:,} | {limit.of} | {limit.reason} |" for name, limit in LIMITS.items()]
    return "\n".join(["| name | at most | of what | why |", "| --- | --: | --- | --- |", *rows]) + "\n"
