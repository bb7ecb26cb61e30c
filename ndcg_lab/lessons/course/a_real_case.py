"""Lesson 14: two real runs, one reversal, and what it does and does not show.

The figures are a record of our own: NDCG of two baselines of TREC CAsT 2021, turn by turn, computed with this library
by `python -m tools.record_cast`. No judgments and no runs are here.
"""

import csv
import random
from fractions import Fraction
from functools import cache
from itertools import compress
from pathlib import Path
from typing import Any

import ipywidgets

from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import typed, views
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.controls import Announcer, Choice
from ndcg_lab.lessons.display import Reading, bundle
from ndcg_lab.lessons.exercises import Verdict, right, wrong
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.text import decimal

LESSON = "lesson 14"
FILE = Path(__file__).parent.parent / "data" / "cast2021.csv"
RUNS = ("BM25", "ConvDR + BERT")
SETTINGS = tuple(
    (k, gain, unjudged) for unjudged in ("zero", "remove") for k in (10, 100) for gain in ("linear", "exponential")
)
FLIPS = 10_000
SEED = 2021

prediction = Predict(
    LESSON,
    "Two baselines of TREC CAsT 2021, 158 judged turns. At k = 100 under linear gain BM25 is ahead in mean NDCG, by "
    "0.0010. "
    "Nothing changes but the gain. Who is ahead under exponential gain?",
    {
        "BM25 is ahead, by more": "Exponential gain favours whoever has the best documents on top, and here that is "
        "the other "
        "run.",
        "ConvDR + BERT is ahead": "You are right, in this mean.",
        "neither: they tie": "Two means over 158 turns that come out exactly equal would be a wonder.",
    },
    "ConvDR + BERT is ahead",
    "It leads by 0.0073. Whether that means anything is the rest of the lesson.",
)


# ---------- the record ----------


@cache
def record() -> dict[str, dict[str, Fraction]]:
    """Each column of the record: figures by turn, as recorded, to eight decimals."""
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        column: {row["turn"]: Fraction(row[column]) for row in rows if row[column]}
        for column in rows[0]
        if column != "turn"
    }


def ndcg(run: str, k: int = 100, gain: str = "linear", unjudged: str = "zero") -> dict[str, Fraction]:
    """NDCG of a run by turn, under one contract."""
    return record()[f"{run}, {gain}, k = {k}, {unjudged}"]


def mean(values: dict[str, Fraction]) -> Fraction:
    """The mean over the turns."""
    return sum(values.values(), Fraction(0)) / len(values)


def differences(k: int, gain: str, unjudged: str) -> list[Fraction]:
    """BM25 minus ConvDR + BERT, turn by turn."""
    one, other = (ndcg(run, k, gain, unjudged) for run in RUNS)
    return [one[turn] - other[turn] for turn in one if turn in other]


@cache
def chance(k: int, gain: str, unjudged: str) -> Fraction:
    """How often a mean difference at least as large comes about when each turn's sign is thrown by a coin.

    Paired randomisation, two-sided, over 10,000 throws from one seed; the difference as it is counts as one of them.
    """
    found = [int(value * 10**8) for value in differences(k, gain, unjudged)]
    whole, coins = sum(found), random.Random(SEED)  # noqa: S311 - a lesson's coin, to fall the same way each time
    bits = [f"{coins.getrandbits(len(found)):0{len(found)}b}" for _ in range(FLIPS)]
    sums = (whole - 2 * sum(compress(found, map(int, thrown))) for thrown in bits)
    return Fraction(1 + sum(abs(total) >= abs(whole) for total in sums), 1 + FLIPS)


# ---------- what the lesson shows ----------


def row(k: int, gain: str, unjudged: str) -> tuple[str, ...]:
    """One contract: both means, who is ahead by how much, turns won, and how often chance does as much."""
    found = differences(k, gain, unjudged)
    one, other = (mean(ndcg(run, k, gain, unjudged)) for run in RUNS)
    wins, losses = sum(value > 0 for value in found), sum(value < 0 for value in found)
    lead = RUNS[0] if one > other else RUNS[1]
    return (
        f"{gain}, k = {k}, unjudged = {unjudged}",
        decimal(one),
        decimal(other),
        f"{lead}, by {decimal(abs(one - other), 4)}",
        f"{wins} : {losses}",
        decimal(chance(k, gain, unjudged), 2),
    )


HEAD = ("contract", *RUNS, "ahead", "turns won", "chance")


def table(*settings: tuple[int, str, str]) -> Reading:
    """Several contracts, one below the other."""
    rows = [row(*chosen) for chosen in settings or SETTINGS]
    html = views.rows_table("Mean NDCG over 158 judged turns", HEAD, rows, words=["ahead"])
    return Reading(html, "; ".join(f"{line[0]}: {line[3]}" for line in rows))


def unjudged_share() -> Fraction:
    """Which share of what both runs return in their top 100 nobody judged."""

    def total(what: str) -> Fraction:
        return sum((sum(record()[f"{run}, {what} in 100"].values(), Fraction(0)) for run in RUNS), Fraction(0))

    return total("unjudged") / total("returned")


def with_missing(run: str, turns: int) -> dict[str, Fraction]:
    """The run's mean had it not answered its worst turns: over the turns answered, and with the others counted 0."""
    values = sorted(ndcg(run).values(), reverse=True)
    answered = sum(values[: len(values) - turns], Fraction(0))
    return {"exclude": answered / (len(values) - turns), "zero": answered / len(values)}


def missing() -> Reading:
    """What leaving turns unanswered does to a mean, under either setting."""
    whole = mean(ndcg(RUNS[1]))
    rows = [("0", decimal(whole), decimal(whole))]
    for turns in (10, 30, 60):
        found = with_missing(RUNS[1], turns)
        rows.append((str(turns), decimal(found["exclude"]), decimal(found["zero"])))
    caption = f"Mean NDCG@100 of {RUNS[1]}, had it not answered its worst turns"
    head = ("turns not answered", "missing = exclude", "missing = zero")
    return Reading(views.rows_table(caption, head, rows), caption)


# ---------- the panel ----------


class Reversal:
    """A panel: choose cutoff, gain and what an unjudged document counts; see who is ahead, and whether by chance."""

    def __init__(self) -> None:
        self.k = Choice("Cutoff", ["10", "100"], index=1)
        self.gain = Choice("Gain", ["linear", "exponential"], index=0)
        self.unjudged = Choice("A document without a grade", ["zero", "remove"], index=0)
        self._shown, self._announcer = ipywidgets.HTML(), Announcer()
        choices = [self.k, self.gain, self.unjudged]
        for choice in choices:
            choice.observe(lambda _: self._refresh(), names="index")
        self.widget = ipywidgets.VBox([*choices, self._shown, self._announcer])
        self._refresh()

    def _refresh(self) -> None:
        chosen = (int(self.k.chosen or 100), self.gain.chosen or "linear", self.unjudged.chosen or "zero")
        reading = table(chosen)
        self._shown.value, self._announcer.text = reading.html, reading.plain

    def reading(self) -> str:
        """All contracts, one below the other."""
        return table().html

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return bundle(self.widget, self.reading(), repr(self))

    def __repr__(self) -> str:
        return f"Reversal: {len(SETTINGS)} contracts"


# ---------- exercises ----------


def _exclude_is_higher(text: str) -> Verdict:
    values = typed.numbers(text)
    if not values:
        return Verdict("unread", "Write the values of the turns that were answered, like 1/4 1/2.")
    over_answered = sum(values, Fraction(0)) / len(values)
    over_all = sum(values, Fraction(0)) / (len(values) + 1)
    told = f"with one more turn unanswered: {over_answered} under exclude, {over_all} under zero"
    return right(f"It is lower, {told}.") if over_answered < over_all else wrong(f"It is not lower, {told}.")


exercises = (
    ask.exact(
        "On five turns run A leads by 1/10 on four, and run B by 1/2 on one. What is the mean difference A minus B, "
        "exactly?",
        Fraction(-1, 50),
        near={
            "-1/10": "Half right: that is the sum. Divide it by the five turns.",
            "1/50": "Half right: the size is right. Who is ahead?",
        },
        example="2/3",
        hint="Add the five differences, each with its sign.",
        solution="(4 · 1/10 − 1/2)/5 = −1/50: A wins four turns of five, and B is ahead in the mean.",
    ),
    ask.choose(
        "In this record, under one of the gains, a run wins more turns than the other and is behind in the mean. What "
        "follows?",
        {
            "a figure is wrong": "A mean also asks by how much: a few large differences outweigh many small ones.",
            "many small leads against fewer large ones": "Right: a mean asks by how much, a count of turns does not.",
            "the other run is better": "Wins and mean disagree, and neither is more than chance here.",
        },
        "many small leads against fewer large ones",
        hint="Exercise 1 is such a case.",
        solution="Many small leads against fewer large ones. A report shows both.",
    ),
    ask.choose(
        "Two thirds of what both runs return was never judged. Which setting says what such a document counts?",
        {
            "ideal_population": "That says whose gains make the ideal; a document without a grade is in none.",
            "missing": "That is for a turn without results.",
            "zero_ideal": "That is for a turn without anything worthwhile.",
            "unjudged": "Right, and here it decides who is ahead under linear gain.",
        },
        "unjudged",
        label="Setting",
        hint="Lesson 05, its second part.",
        solution="<code>unjudged</code>. With <code>remove</code> the reversal is gone.",
    ),
    ask.exact(
        "A run answers 150 of 158 judged turns, with mean NDCG 2/5 over those. Its mean with <code>missing = "
        "zero</code>, "
        "exactly?",
        Fraction(30, 79),
        near={"2/5": "Half right: that is the mean under missing = exclude."},
        example="2/3",
        hint="The sum stays; it is divided by more turns.",
        solution="150 · (2/5)/158 = 60/158 = 30/79.",
    ),
    ask.claim(
        "“Leaving out the turns that a system did not answer gives a mean at least as high as counting them 0.” "
        "Always, "
        "sometimes or never? If not always, give values of answered turns for which it is lower.",
        "always",
        witness="Such values, if any",
        example="1/4 1/2",
        check=_exclude_is_higher,
        because="The same sum is divided by fewer turns, and no NDCG here is below 0.",
        hint="What happens to the sum, and what to the number of turns?",
        solution="Always, where no value is negative: the same sum over fewer turns. So a run gains by not answering "
        "what is "
        "hard, if nobody counts it.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
