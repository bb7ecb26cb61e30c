"""Orders and states: what a panel holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_lab import Contract, Judgments
from ndcg_lab.errors import NdcgLabError, UnjudgedDocument
from ndcg_lab.lessons.state import Order, State

GRADES = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})


@st.composite
def orders(draw: st.DrawFn) -> Order:
    documents = draw(st.permutations("ABCDEF"))
    cuts = sorted(draw(st.sets(st.integers(1, 5))))
    listed = draw(st.integers(0, 6))
    groups = [documents[i:j] for i, j in zip([0, *cuts], [*cuts, 6], strict=True)]
    kept = [tuple(d for d in group if documents.index(d) < listed) for group in groups]
    return Order(tuple(group for group in kept if group), tuple(documents[listed:]))


@given(orders())
def test_an_order_reads_back(order: Order) -> None:
    assert Order.parse(str(order)) == order
    assert Order.from_json(order.to_json()) == order


@pytest.mark.parametrize("text", ["B C A D", "B, C, A, D", "[B, C, A, D]", "B > C > A > D", "'B' 'C' 'A' 'D'"])
def test_an_order_is_read_as_people_write_it(text: str) -> None:
    assert Order.parse(text).documents == ("B", "C", "A", "D")


def test_ties_become_equal_scores() -> None:
    assert Order.parse("B C=A D | E").ranking().tie_groups() == [["B"], ["C", "A"], ["D"]]
    assert Order.parse("B C").ranking().scores is None


def test_a_document_twice_is_refused() -> None:
    with pytest.raises(NdcgLabError, match="'B' stands twice"):
        Order.parse("B C | B")


@given(orders(), st.permutations("ABCDEF"))
def test_one_swap(order: Order, names: list[str]) -> None:
    one, other = names[:2]
    assert order.swapped(one, other).one_swap_from(order)
    assert not order.one_swap_from(order)
    assert order.swapped(one, other).swapped(one, other) == order


def test_a_rotation_is_no_swap() -> None:
    assert not Order.parse("B C A").one_swap_from(Order.parse("A B C"))
    assert not Order.parse("A B=C").one_swap_from(Order.parse("A=B C"))


def test_who_leads() -> None:
    state = State.of(GRADES, Contract(gain="linear", k=3), X="B C A D", Y="A D B C")
    assert (state.leader, state.sign) == ("X", 1)
    assert state.under(gain="exponential").leader == "Y"
    assert state.with_lists(Y="C B A D").leader is None
    assert state.with_lists(Y="C B A D").sign == 0
    assert State.of(GRADES, state.contract, X="B C A D").sign is None
    assert State.of(Judgments({"A": 0}), state.contract, X="A", Y="A").sign is None


def test_what_changed() -> None:
    state = State.of(GRADES, Contract(gain="linear", k=3), X="B C A D", Y="A D B C")
    other = State.of(Judgments({"A": 1}), Contract(gain="linear", k=2), X="A", Y="A D B C")
    assert state.changes_from(state) == ()
    assert other.changes_from(state) == ("k", "order of X", "grades")


def test_a_state_is_refused_when_it_is_evaluated() -> None:
    state = State.of(GRADES, Contract(gain="linear", k=3), X="B Z")
    with pytest.raises(UnjudgedDocument, match="'Z'"):
        _ = state.evaluations
