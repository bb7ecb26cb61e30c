"""The worked example that the lessons share: four imaginary documents, two lists of them."""

from ndcg_lab import Contract, Judgments, Ranking
from ndcg_lab.lessons.state import State

judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0}, need="an imaginary need", scale=range(4), source="stipulated")
X = Ranking(["B", "C", "A", "D"])
Y = Ranking(["A", "D", "B", "C"])

linear = Contract(gain="linear", k=3)
exponential = Contract(gain="exponential", k=3)


def both(contract: Contract = linear) -> State:
    """X and Y under a contract."""
    return State.of(judgments, contract, X="B C A D", Y="A D B C")


def one(contract: Contract = linear) -> State:
    """X alone."""
    return State.of(judgments, contract, X="B C A D")
