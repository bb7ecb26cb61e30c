"""Measures by name: the spellings, and each value beside ir_measures' own on random data without ties."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from ndcg_lab import Judgments, Ranking
from ndcg_lab.conventions.measures import UnknownMeasure, parse_measure, parse_measures
from ndcg_lab.errors import NdcgLabError, WrongKind
from ndcg_lab.exact.values import Exact
from tests.support import cases, require_module

NAMES = [
    *("nDCG", "nDCG@10", "nDCG@3", "nDCG(gains={0:0,1:1,2:3,3:7,4:15})@5", "nDCG(judged_only=True)@5"),
    *(
        "nDCG(dcg='exp-log2')@5",
        "AP",
        "AP@3",
        "AP(rel=2)",
        "AP(rel=2)@100",
        "AP(judged_only=True)",
        "P@5",
        "P(rel=2)@3",
    ),
    *("P(judged_only=True)@5", "R@3", "R@1000", "RR", "RR@2", "RR(rel=3)", "RR(rel=2)@5"),
    *("Rprec", "Rprec(rel=2)"),
    *("Success@1", "Success(rel=2)@5", "Judged@3", "Judged@10", "ERR@3", "ERR@20"),
]
JUDGMENTS = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
X = Ranking(["B", "C", "A", "D"])


@pytest.mark.parametrize("name", NAMES)
def test_the_value_is_that_of_ir_measures(name: str) -> None:
    theirs_all = require_module("ir_measures")
    drawn = random.Random(name)  # noqa: S311 - test data
    theirs = theirs_all.parse_measure(name)
    for _ in range(cases(ci=4, long=100)):
        qrels: dict[str, dict[str, int]] = {}
        run: dict[str, dict[str, float]] = {}
        for query in ("1", "2", "3"):
            documents = [f"d{at}" for at in range(drawn.randint(1, 12))]
            qrels[query] = {document: drawn.randint(0, 4) for document in documents if drawn.random() < 0.7} or {"e": 1}
            listed = drawn.sample([*documents, "x", "y", "z"], drawn.randint(1, len(documents) + 3))
            run[query] = {document: float(100 - rank) for rank, document in enumerate(listed)}
        printed = {metric.query_id: metric.value for metric in theirs_all.iter_calc([theirs], qrels, run)}
        assert printed
        for query, value in printed.items():
            ours = parse_measure(name)(Ranking.from_scores(run[query]), Judgments(qrels[query]))
            assert isinstance(ours, Exact)
            assert float(ours) == pytest.approx(value, rel=1e-12, abs=1e-12), (qrels, run, query)


def test_names_are_written_as_ir_measures_writes_them() -> None:
    theirs = require_module("ir_measures")
    for name in NAMES:
        if "gains" not in name:  # written with blanks there
            assert str(parse_measure(name)) == str(theirs.parse_measure(name))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("map", Fraction(1)),
        ("map_cut.1", Fraction(1, 3)),
        ("P.4", Fraction(3, 4)),
        ("P_4", Fraction(3, 4)),
        ("recall.1", Fraction(1, 3)),
        ("success.1", Fraction(1)),
        ("recip_rank", Fraction(1)),
        ("Rprec", Fraction(1)),
        ("RBP(p=0.5)", Fraction(7, 8)),
        ("RBP(p=.5, rel=3)", Fraction(1, 8)),
        ("MRR(rel=3)", Fraction(1, 3)),
        ("Judged@2", Fraction(1)),
    ],
)
def test_trec_eval_s_names_and_others_by_hand(name: str, expected: Fraction) -> None:
    assert parse_measure(name)(X, JUDGMENTS) == expected


def test_ndcg_has_a_contract_and_the_others_their_keywords() -> None:
    assert str(parse_measure("ndcg_cut.3")(X, JUDGMENTS)) == "(7/2 + 2a)/(4 + 2a)"
    measure = parse_measure("nDCG@3")
    assert measure.contract is not None
    assert measure.settings == measure.contract.to_json()
    assert measure.aggregation.missing == "zero"
    assert parse_measure("ndcg_cut.3").aggregation.query_set == "both"
    assert dict(parse_measure("P@5").settings) == {
        "measure": "precision",
        "k": 5,
        "relevant_from": 1,
        "divide_by": "k",
        "unjudged": "zero",
        "negative": "zero",
        "ties": "docno-descending",
        "score_precision": "float32",
    }
    assert parse_measure("P@5") == parse_measure("Precision@5")
    assert hash(parse_measure("P@5")) == hash(parse_measure("Precision@5"))


def test_several_cutoffs_in_one_name() -> None:
    assert [str(measure) for measure in parse_measures("ndcg_cut.5,10")] == ["ndcg_cut_5", "ndcg_cut_10"]
    with pytest.raises(UnknownMeasure, match="names 2 measures"):
        parse_measure("P.5,10")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("ndgc@10", r"did you mean nDCG\?"),
        ("bpref", "not covered; covered are nDCG, AP, P@k"),
        ("infAP", r"covered are .* recip_rank.* ndcg_cut\.k"),
        ("P", "P needs a cutoff, such as @10"),
        ("Rprec@3", "Rprec takes no cutoff"),
        ("nDCG@0", "a cutoff is a whole number from 1"),
        ("nDCG@" + "9" * 60, "a cutoff is a whole number from 1"),
        ("P(rel=0)@3", "`rel` is the lowest relevant grade"),
        ("P(relevance=2)@3", "P takes no parameter 'relevance'; it takes rel, judged_only"),
        ("AP(judged_only=yes)", "`judged_only` is True or False"),
        ("nDCG(dcg='exp')@3", "`dcg` is one of 'log2', 'exp-log2'"),
        ("nDCG(dcg='exp-log2')", "needs a cutoff"),
        ("RBP(p=1.5)", "`p` is a decimal above 0 and below 1"),
        ("nDCG(gains={0:__import__})@3", "`gains` maps whole grades"),
        ("nDCG(rel)@3", "parameters are written as"),
        ("x" * 300, "at most 200"),
    ],
)
def test_what_is_not_covered_is_refused_with_what_is(name: str, told: str) -> None:
    with pytest.raises(NdcgLabError, match=told):
        parse_measure(name)


def test_another_kind_is_refused() -> None:
    text: Any = 10
    with pytest.raises(WrongKind, match="`text` can't be of the kind int"):
        parse_measure(text)
