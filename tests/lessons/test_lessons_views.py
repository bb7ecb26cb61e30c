"""Views: pure functions from a state to HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from ndcg_lab import Contract, Judgments
from ndcg_lab.exact.linear import y
from ndcg_lab.lessons import views
from ndcg_lab.lessons.state import State, Target
from ndcg_lab.lessons.text import decimal, escape, typeset

GRADES = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
LINEAR = State.of(GRADES, Contract(gain="linear", k=3), X="B C A D", Y="A D B C")


class Balance(HTMLParser):
    """Every tag that is opened is closed, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        if tag not in {"br", "img"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip()


def test_contributions_add_up_to_the_verdict() -> None:
    told = text_of(views.contributions(LINEAR))
    assert "1 1 B 2 2 2 A 3 3 3 −1" in told
    assert "2 a ≈ 0.63093 C 2 2 2a D 0 0 0 +2a" in told
    assert "3 1/2 = 0.5 A 3 3 3/2 B 2 2 1 +1/2" in told
    assert "DCG 7/2 + 2a ≈ 4.76186 4 −1/2 + 2a ≈ 0.76186" in told
    assert "IDCG 4 + 2a ≈ 5.26186 4 + 2a ≈ 5.26186 NDCG" in told
    assert "NDCG (7/2 + 2a)/(4 + 2a) ≈ 0.90498 4/(4 + 2a) ≈ 0.76019" in told


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (
            LINEAR,
            "X leads: X − Y = −1/2 + 2a > 0 in DCG, because a > 1/4, because 3 < 2⁴ (3 < 16). One ideal, so in NDCG",
        ),
        (LINEAR.with_lists(Y="C B A D"), "X and Y tie exactly: both have NDCG (7/2 + 2a)/(4 + 2a)."),
        (
            LINEAR.under(ideal_population="returned-at-k"),
            "Y leads: X − Y = (7/2 + 2a)/(4 + 2a) − 4/(3 + 2a) < 0 in NDCG, because a > 5/8 (3⁵ < 2⁸, 243 < 256) and",
        ),
        (LINEAR.under(k=1), "Y leads: X − Y = −1 < 0 in DCG. One ideal, so in NDCG too."),
        (
            State.of(Judgments({"A": 0, "B": 0}), LINEAR.contract, X="A", Y="B"),
            "NDCG of X is undefined (zero ideal): there is no value to compare.",
        ),
        (
            State.of(GRADES, LINEAR.contract, X="B C A D"),
            "NDCG of X is (7/2 + 2a)/(4 + 2a), about 0.90498",
        ),
    ],
)
def test_verdicts(state: State, said: str) -> None:
    assert views.verdict_text(state).startswith(said)


def test_lists_of_different_length_and_tied_ones() -> None:
    short = LINEAR.with_lists(X="B", Y="A C")
    assert "2 a ≈ 0.63093 C 2 2 2a −2a" in text_of(views.contributions(short))
    tied = LINEAR.with_lists(X="B=C=A D", Y="A D B C").under(ties="average")
    told = text_of(views.contributions(tied))
    assert "discount adds" in told  # each list has its own discounts
    assert "tied" in text_of(views.lists(tied))


def test_the_ideal_is_shown_once_for_both() -> None:
    assert text_of(views.ideal(LINEAR)).startswith("The ideal of X and Y rank document gain discount adds 1 A 3 1 3")
    apart = text_of(views.ideal(LINEAR.under(ideal_population="returned-at-k")))
    assert "The ideal of X rank" in apart
    assert "The ideal of Y rank" in apart


def test_pins() -> None:
    assert "Nothing has changed" in views.pinned(LINEAR, LINEAR)
    one = text_of(views.pinned(LINEAR, LINEAR.under(gain="exponential")))
    assert "One setting changed since the pin: gain." in one
    assert "leads X Y" in one
    two = text_of(views.pinned(LINEAR, LINEAR.under(gain="exponential", k=2)))
    assert "2 settings changed since the pin: gain, k. The difference can't be laid to one of them alone." in two


def test_targets() -> None:
    target = Target("Make Y lead.", lambda _, now: now.leader == "Y")
    assert "☐ Make Y lead." in views.targets([target])
    assert "☑ done: Make Y lead." in views.targets([target], {0})


def test_the_contract_stands_whole() -> None:
    told = text_of(views.contract(LINEAR))
    for field in LINEAR.contract.to_json():
        assert field.replace("_", " ") in told


def test_foreign_names_stay_text() -> None:
    evil = "<img src=x onerror=alert(1)>\u202e&"
    state = State(Judgments({evil: 1, "B": 2}), {evil: LINEAR.lists["X"].parse("B")}, LINEAR.contract)
    state = State(state.judgments, {evil: type(LINEAR.lists["X"])(((evil,), ("B",)))}, LINEAR.contract)
    for html in (views.lists(state), views.contributions(state), views.ideal(state), views.verdict(state)):
        assert "<img" not in html
        assert "\u202e" not in html
        Balance(html)


@pytest.mark.parametrize("view", [views.lists, views.contributions, views.ideal, views.verdict, views.contract])
def test_html_is_well_formed(view: views.View) -> None:
    for state in (LINEAR, LINEAR.with_lists(X="B=C A | D"), LINEAR.with_lists(X="| A B C D")):
        Balance(view(state.under(ties="average")))


def test_text() -> None:
    assert escape("a\x1b[31m<b>") == "a\\u001b[31m&lt;b&gt;"
    assert typeset("-1/2 - 2a < 0, 3^12 >= 2^4, docno-ascending") == "−1/2 − 2a < 0, 3¹² ≥ 2⁴, docno-ascending"
    assert decimal(y(6)) == "0.38685"
    assert decimal(-y(6)) == "−0.38685"
    assert decimal(y(2) * 4) == "4"
    assert decimal(100) == "100"
    assert decimal(y(1024), 1) == "0.1"
