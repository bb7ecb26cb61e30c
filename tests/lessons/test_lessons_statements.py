"""What a lesson states is so: its numbers, comparisons, orders, conditions and quantifiers.

Numbers in prose are those that the lesson's own cells compute, or stand below with what computes them. Sentences with
a strong quantifier stand below with a check over all cases they speak of, or among those that state no arithmetic.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from typing import TYPE_CHECKING, Any

import pytest

from ndcg_lab import Contract, Judgments, Ranking, Undefined, a, conventions, evaluate, evaluate_run, family, parse, y
from ndcg_lab.conventions.record import record
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.lessons import typed
from ndcg_lab.lessons.course import a_real_case, complete_report, many_tools
from tests.lesson_answers import NOTEBOOKS
from tests.lessons import prose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LESSONS = pytest.mark.parametrize("lesson", NOTEBOOKS)
GRADES = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
X, Y = "BCAD", "ADBC"


def at(order: str, *, grades: Judgments = GRADES, gain: Any = "linear", k: Any = 3, **fields: Any) -> Any:
    return evaluate(Contract(gain=gain, k=k, **fields), Ranking(list(order)), grades)


def whole(lesson: str) -> str:
    return "\n".join([prose.read(lesson), *prose.asked(lesson)])


# ---------- numbers ----------

DECIMAL = re.compile(r"(?<![\d.])\d+\.\d{3,}(?![\d.]*\d)")
TRUNCATED = re.compile(r"(?<![\d.])(\d+\.\d+)(?:…|\.\.\.|\\ldots)")


def _added(grades: list[int]) -> str:
    total = 0.0
    for rank, grade in enumerate(grades, 1):
        total += grade / math.log2(rank + 1)
    return repr(total)


COMPUTED: dict[str, dict[str, Callable[[], object]]] = {
    "00_start_here": {"0.54977": lambda: at("DACB").ndcg, "0.6309": lambda: a},
    "01_gain_reversal": {
        "1.63093": lambda: 1 + a,
        "1.91931": lambda: float(a) + math.sqrt(float(a) ** 2 + 2 * float(a)),
        "2.01296": lambda: math.log(float(1 + 2 * a)) / math.log(1.5),
        "2.333": lambda: Fraction(7, 3),
    },
    "02_what_cancels": {
        "0.67954": lambda: at("DABC", gain={0: 1, 2: 3, 3: 4}).ndcg,
        "6.86991": lambda: at(X, discount="log:e").dcg,
        "1.4427": lambda: math.log2(math.e),
    },
    "03_cutoff": {
        "0.80995": lambda: at("ABDC").dcg / at("ABDC").idcg,
        "0.71346": lambda: at("DACB", k=4).ndcg,
        "0.73981": lambda: at("BA").ndcg,
        "1.22997": lambda: (Fraction(1, 2) + a - y(5)) / (1 - y(5)),
    },
    "04_candidate_only": {
        "0.29608": lambda: at("DC", k=2).ndcg,
        "0.91972": lambda: _coverage("CDBA")[0],
        "0.57014": lambda: _coverage("CDBA")[2],
        "0.47079": lambda: _coverage("CDBA", "exponential")[1],
    },
    "05_zero_ideal": {
        "0.66516": lambda: at("BUA", unjudged="zero").ndcg,
        "18.65485": lambda: at("A", grades=Judgments({"A": 2, "B": -3}), k=2, negative="allow").ndcg,
        "117.11": lambda: at("A", grades=Judgments({"A": 7, "B": -11}), k=2, negative="allow").ndcg,
    },
    "06_ties": {
        "0.63093": lambda: a,
        "0.66638": lambda: _tied("A=B=C=D", "exponential"),
        "0.85671": lambda: _tied("A B=C=D", "linear"),
        "0.95670": lambda: _tied("A=B C D", "linear", 2),
        "0.38685": lambda: y(6),
    },
    "07_metric_family": {"0.3333": lambda: Fraction(1, 3)},
    "08_a_complete_report": {
        "0.145": lambda: at(X).ndcg - at(Y).ndcg,
        "0.369": lambda: 1 - a,
        "0.88120": lambda: (2 * at(X).dcg + a) / (2 * at(X).idcg + 1),
    },
    "09_one_ranking_many_tools": {"0.8571428571428572": lambda: 0.8571428571428572},
    "10_floats_and_proofs": {
        "4.666666666666667": lambda: _added([0, 0, 8, 0, 0, 0, 2]),
        "4.666666666666666": lambda: _added([2, 0, 0, 0, 0, 0, 8]),
    },
    "12_claims": {"0.69361": lambda: at("DABC", gain="exponential", k=4).ndcg},
}


def _tied(text: str, gain: str, k: int = 3) -> Any:
    return evaluate(Contract(gain=gain, k=k, ties="average"), typed.order(text, "ABCD").ranking(), GRADES).ndcg


def is_rounded(digits: str, value: object, *, truncated: bool = False) -> bool:
    """Whether these digits are the value, rounded half to even, or cut off."""
    places = len(digits.partition(".")[2])
    if isinstance(value, str | float):  # a float stands for itself, as printed, or for more digits than are shown
        exact = Fraction(value)
        if str(value) == digits:
            return True
    else:
        exact = sum(parse(str(value)).enclosure(200), Fraction(0)) / 2
    cut = Fraction(math.floor(exact * 10**places), 10**places)
    return Fraction(digits) == (cut if truncated else Fraction(round(exact * 10**places), 10**places))


@LESSONS
def test_decimals_in_prose_are_computed(lesson: str) -> None:
    printed = {Decimal(text) for text in re.findall(r"(?<![\d.])\d+\.\d{3,}", prose.computed(lesson))}
    here = COMPUTED.get(lesson, {})
    text = whole(lesson)
    for digits in set(DECIMAL.findall(text)):
        number = Decimal(digits)
        known = any(other.quantize(number) == number for other in printed if _places(other) >= _places(number))
        assert known or digits in here, f"{digits} is neither computed in the lesson nor here"
    for digits, compute in here.items():
        assert digits in text, digits
        assert is_rounded(digits, compute(), truncated=digits in TRUNCATED.findall(text)), digits


def _places(number: Decimal) -> int:
    return -int(number.as_tuple().exponent)


@LESSONS
def test_digits_before_an_ellipsis_are_the_numbers_own(lesson: str) -> None:
    for digits in TRUNCATED.findall(whole(lesson)):
        assert digits in COMPUTED[lesson], f"{digits}…: cut off, not rounded"


EXACT = r"((?:[\da/().+*^ −-]|log2\(\d+\))+)"
COMPARED = re.compile(rf"(?<![\w^)@]){EXACT}([<>]){EXACT}")


def comparisons(text: str) -> Iterator[tuple[str, bool]]:
    """The comparisons of exact values in a text, and whether they hold."""
    for clause in re.split(r"[,;:]| because | exactly when | says | that is | and |\n", typed.plain(text)):
        for found in COMPARED.finditer(clause):
            try:
                one, other = typed.value(found[1]), typed.value(found[3])
            except NdcgLabError:
                continue
            yield found[0], (one < other) if found[2] == "<" else (one > other)


@LESSONS
def test_comparisons_in_prose_hold(lesson: str) -> None:
    text = whole(lesson)
    for (b, m), (c, n) in typed.inequalities(text):
        assert b**m < c**n, (b, m, c, n)
    for said, holds in comparisons(text):
        assert holds, said


def test_comparisons_are_found_and_can_fail() -> None:
    assert sum(len(list(comparisons(whole(lesson)))) for lesson in NOTEBOOKS) >= 20
    assert list(comparisons("so a > 2/3, because it is")) == [("a > 2/3", False)]


# ---------- sentences ----------

_ZERO = Undefined("zero ideal")
ORDERS = ["".join(order) for order in permutations("ABCD")]
LISTS = ["".join(listed) for size in range(5) for listed in permutations("ABCD", size)]
TABLES = [{0: zero, 2: two, 3: three} for zero, two, three in product(range(5), repeat=3)]


def _difference(table: dict[int, int], k: int = 3) -> Any:
    return at(X, gain=table, k=k).dcg - at(Y, gain=table, k=k).dcg


def _leads_while(threshold: Any, k: int) -> bool:
    """Whether X leads exactly while g(3)/g(2) is below a number, for whole gains with g(0) = 0 and g(2) > 0."""
    tables = [{0: 0, 2: two, 3: three} for two in range(1, 9) for three in range(17)]
    return all((_difference(table, k) > 0) == (threshold > Fraction(table[3], table[2])) for table in tables)


def _coverage(listed: str, gain: str = "linear") -> tuple[Any, Any, Any]:
    own, full = (at(listed, gain=gain, ideal_population=which) for which in ("returned-at-k", "judged"))
    return own.ndcg, own.idcg / full.idcg, full.ndcg


def _printed(case: str, *, linear: bool = True) -> set[str]:
    entries = [entry for entry in record() if entry.case == case]
    contracts = [(entry, many_tools.contract_of(entry)) for entry in entries]
    return {
        part
        for entry, contract in contracts
        if not linear or (contract.gain == "linear" and contract.discount == "log2")
        for part in [many_tools._short(entry.printed)]
    }


SENTENCES: dict[str, list[tuple[str, Callable[[], bool]]]] = {
    "00_start_here": [
        (
            "CG is 2 + 2 + 3 = 7, and it would be 7 for these three documents in any order.",
            lambda: {family.cg(Ranking(list(o)), GRADES, k=3) for o in permutations("BCA")} == {7},
        ),
        (
            "which is never negative, for discounts fall.",
            lambda: all(y(i + 1) > y(i + 2) for i in range(1, 300)),
        ),
        (
            "An ideal order scores 1, and no order of these documents scores more.",
            lambda: max(at(order).ndcg for order in ORDERS) == 1 == at("ABCD").ndcg,
        ),
        (
            "\\quad\\text{exactly when}\\quad b^p < 2^q.",
            lambda: all(
                (y(b) > Fraction(p, q)) == (b**p < 2**q)
                for b in (3, 5, 6, 7)
                for p, q in product(range(1, 30), repeat=2)
            ),
        ),
        (
            "It never changed CG of the same top three, nor IDCG",
            lambda: len({at(order).idcg for order in ORDERS}) == 1,
        ),
    ],
    "01_gain_reversal": [
        (
            "That is positive exactly when a > 1/4, and a > 1/4 because 3 < 2⁴.",
            lambda: at(X).dcg - at(Y).dcg == 2 * (a - Fraction(1, 4)),
        ),
        (
            "That is negative exactly when a < 2/3, and a < 2/3 because 2³ < 3², that is 8 < 9.",
            lambda: at(X, gain="exponential").dcg - at(Y, gain="exponential").dcg == 3 * (a - Fraction(2, 3)),
        ),
        ("Let g be any gain with g(0) = 0 and g(2) > 0.", lambda: _leads_while(1 + 2 * a, 3)),
        ("So X leads exactly while g(2)(1/2 + a) > g(3)/2, which is to say while", lambda: _leads_while(1 + 2 * a, 3)),
        (
            "So with g(0) = 0 no gains that are fractions tie X and Y at k = 3, unless g(2) and g(3) are both 0.",
            lambda: [t for t in TABLES if t[0] == 0 and _difference(t) == 0] == [{0: 0, 2: 0, 3: 0}],
        ),
        (
            "a gain that is the same number for all three grades.)",
            lambda: all((_difference(t) == 0) == (len({*t.values()}) == 1) for t in TABLES if t[0]),
        ),
        (
            "At k = 1 never:",
            lambda: all(
                (at(one, k=1).dcg - at(other, k=1).dcg).sign()
                == (at(one, k=1, gain="exponential").dcg - at(other, k=1, gain="exponential").dcg).sign()
                for one, other in combinations(ORDERS, 2)
            ),
        ),
    ],
    "02_what_cancels": [
        (
            '- "The same" is proved for a common positive factor, whatever the documents.',
            lambda: all(at(o, gain={0: 0, 2: 2 * n, 3: 3 * n}).ndcg == at(o).ndcg for o in LISTS for n in (2, 7)),
        ),
    ],
    "03_cutoff": [
        (
            "let g be any gain with g(0) = 0 and g(2) > 0.",
            lambda: all(
                _leads_while(threshold, k)
                for k, threshold in {1: 1, 2: 1 + a, 3: 1 + 2 * a, 4: 1 + 2 * a - 2 * y(5)}.items()
            ),
        ),
        (
            "X leads exactly while g(3)/g(2) stays below a threshold, and the threshold moves with the cutoff:",
            lambda: len({"1", "1 + a", "1 + 2a", "1 + 2a - 2/log2(5)"}) == 4,
        ),
        (
            "- DCG never falls as k grows, for no gain here is negative.",
            lambda: all(at(o, k=k).dcg <= at(o, k=k + 1).dcg for o in ORDERS for k in (1, 2, 3)),
        ),
        (
            "Quepid's scorer nDCG@10 doesn't cut the ideal at all",
            lambda: [n for n, c in conventions.items() if c.contract.ideal_cutoff == "none"] == ["quepid-ndcg"],
        ),
    ],
    "04_candidate_only": [
        (
            "Full NDCG is candidate-only NDCG times coverage, for every list whose candidates have a positive ideal.",
            lambda: all(own * cover == full for own, cover, full in map(_coverage, LISTS) if own != _ZERO),
        ),
        (
            "equal when A, B and C are all in the top three, as in X = B C A D, and lower when one of them is missing",
            lambda: all(
                full == own if {*"ABC"} <= {*o[:3]} else full < own
                for o in LISTS
                if own_of(o)
                for own, _, full in [_coverage(o)]
            ),
        ),
        (
            "(Of D alone the second score has no value.) Higher it can't be",
            lambda: [o for o in LISTS if _coverage(o)[0] == _ZERO] == ["", "D"],
        ),
        (
            "Against what it returned it is perfect, under any gain by which B is worth something.",
            lambda: all(at("B", k=1, gain=t, ideal_population="returned").ndcg == 1 for t in TABLES if t[2]),
        ),
    ],
    "05_zero_ideal": [
        (
            "The library gives no number for that, whatever the convention for 0/0:",
            lambda: all(
                at("A", grades=Judgments({"A": 1, "B": -2}), k=2, negative="allow", zero_ideal=zero).ndcg
                == Undefined("negative ideal")
                for zero in ("undefined", "zero", "one", "exclude")
            ),
        ),
        (
            "The ideal itself can be negative, as it is for A with grade 1 and B with −2",
            lambda: (
                at("A", grades=Judgments({"A": 1, "B": -2}), k=2, negative="allow").idcg < 0
                and at("A", grades=Judgments({"A": 2, "B": -3}), k=2, negative="allow").idcg > 0
            ),
        ),
    ],
    "06_ties": [
        (
            "With these judgments no full list can score less at k = 3:",
            lambda: is_rounded("0.42986", min(at(order).ndcg for order in ORDERS)),
        ),
        (
            "any order of them earns the same.",
            lambda: all(at(o).dcg == at(o.translate(str.maketrans("BC", "CB"))).dcg for o in ORDERS),
        ),
        (
            "A tie entirely below the cut earns nothing in any order.",
            lambda: all(at(o, k=2).dcg == at(o[:2] + o[:1:-1], k=2).dcg for o in ORDERS),
        ),
        ("any order of equal gains is ideal.", lambda: at("ABCD").ndcg == at("ACBD").ndcg == 1),
    ],
    "07_metric_family": [
        (
            "It would be so for every order of the same top three.",
            lambda: all(
                len({family.cg(Ranking(o), GRADES, k=3) for o in permutations(t)}) == 1 for t in ("BCA", "ADB")
            ),
        ),
        (
            "At k = 3 and threshold 1, P@3 and recall preferred X, ERR preferred Y, and RR couldn't tell.",
            lambda: _family(1) == {"P": 1, "R": 1, "ERR": -1, "RR": 0, "AP": 1},
        ),
        (
            "At threshold 3, RR and AP preferred Y, and P@3 couldn't tell.",
            lambda: _family(3) == {"P": 0, "R": 0, "ERR": -1, "RR": -1, "AP": -1},
        ),
    ],
    "08_a_complete_report": [
        (
            "Any weights with w1/w2 above 2.55 or so: 3 and 1, for instance.",
            lambda: is_rounded("2.55", (1 - a) / (at(X).ndcg - at(Y).ndcg)),
        ),
        (
            "zero_ideal = exclude leaves q3 out and missing = exclude leaves q4 out.",
            lambda: (
                {left.query: left.reason for left in complete_report.whole_report().excluded}
                == {"q3": "zero ideal", "q4": "no results", "q5": "no judgments"}
            ),
        ),
        (
            "Had the system been asked to answer every judged query, q4 would count 0",
            lambda: complete_report.whole_report("zero")["q4"].ndcg == 0,
        ),
    ],
    "14_a_real_case": [
        ("Most of what both runs return was never judged:", lambda: a_real_case.unjudged_share() > Fraction(1, 2)),
        (
            "The lead at k = 100 is within what a coin gives, under each of the four contracts with that cutoff.",
            lambda: all(a_real_case.chance(*s) > Fraction(1, 20) for s in a_real_case.SETTINGS if s[0] == 100),
        ),
        (
            "At k = 10 ConvDR + BERT is ahead under both gains.",
            lambda: all("ConvDR + BERT" in a_real_case.row(*s)[3] for s in a_real_case.SETTINGS if s[0] == 10),
        ),
    ],
    "09_one_ranking_many_tools": [
        (
            "When every grade is 0, there are three answers",
            lambda: _printed("all zero@3", linear=False) == {"0", "1", "nan"},
        ),
        (
            "When A and B tie at the top, tools print 1, 5/6 and 2/3 under linear gain:",
            lambda: (
                {
                    number
                    for text in _printed("tie, A first@1") | _printed("tie, B first@1")
                    for number in text.split(" or ")
                }
                - {"refused"}
                == {"1", "0.83333", "0.66667", "0.6667", "1.66667"}
            ),
        ),
        (
            "One ranking, handed to the tools that people use, is printed in fourteen spellings.",
            lambda: many_tools.spellings().plain == "4 values in 14 spellings",
        ),
        (
            "The table walks through systems in an order",
            lambda: all(one != other for one, other in pairwise(many_tools.WALK)),
        ),
    ],
}


def own_of(listed: str) -> bool:
    return bool(_coverage(listed)[0] != _ZERO)


def _family(threshold: int) -> dict[str, int]:
    binary: dict[str, Any] = {"relevant_from": threshold}
    values = [
        {
            "P": family.precision(order, GRADES, k=3, **binary),
            "R": family.recall(order, GRADES, k=3, **binary),
            "ERR": family.err(order, GRADES, k=3, max_grade=3),
            "RR": family.reciprocal_rank(order, GRADES, k=3, **binary),
            "AP": family.average_precision(order, GRADES, k="all", **binary),
        }
        for order in (Ranking(list(X)), Ranking(list(Y)))
    ]
    return {name: (values[0][name] > values[1][name]) - (values[0][name] < values[1][name]) for name in values[0]}


STATED = [(lesson, said, check) for lesson, listed in SENTENCES.items() for said, check in listed]


@pytest.mark.parametrize(
    ("lesson", "said", "check"), STATED, ids=[f"{lesson}: {said[:40]}" for lesson, said, _ in STATED]
)
def test_a_sentence_is_there_and_holds(lesson: str, said: str, check: Callable[[], bool]) -> None:
    assert said in whole(lesson)
    assert check()


QUANTIFIED = re.compile(
    r"\b(always|never|whichever|whatever|whenever|exactly (?:when|while)|no order|every order|any order|no full list"
    r"|every list|any gain)\b",
    re.IGNORECASE,
)
# What the reader does, what documents and systems are, definitions, and limits
NO_ARITHMETIC = """
06 to 11 and 14 go further and can be read in any order.
## What was never judged
- Nothing here says how many good documents were never judged.
The documents' grades never changed to suit a number.
What was never returned
### Case 4: What was never returned
- In each case one setting changed the number, and the data never did.
- Rounding changed the last digits and never the contract.
every order of tied documents counts as equally likely, and NDCG is the expectation:
A system that breaks ties in a fixed way shows its reader one order, always the same.
The mean of ratios treats all queries alike, whatever is at stake in them; the ratio of sums treats all gain alike.
That there is always one to give is not:
q3 has only documents of grade 0, q4 was judged and got no results, q5 got results and was never judged.
"""


@LESSONS
def test_every_strong_quantifier_is_held(lesson: str) -> None:
    held = [said for said, _ in SENTENCES.get(lesson, [])]
    for sentence in prose.sentences(prose.read(lesson)):
        if QUANTIFIED.search(sentence) and not sentence.startswith(("$$", "whatever you bring")):
            assert f"\n{sentence}\n" in NO_ARITHMETIC or any(said in sentence or sentence in said for said in held), (
                sentence
            )


def test_the_mean_with_and_without_the_missing_query() -> None:
    values = [complete_report.whole_report(missing).mean.ndcg for missing in ("exclude", "zero")]
    assert [value.fixed(5) for value in values if not isinstance(value, Undefined)] == ["0.76795", "0.51197"]
    report = evaluate_run(Contract(gain="linear", k=3), {"q": Ranking(list(X))}, {"q": GRADES})
    assert "missing" in report.aggregation.to_json()


# ---------- what a lesson points at ----------


@LESSONS
def test_tables_are_named_and_not_counted(lesson: str) -> None:
    text = prose.read(lesson)
    assert not re.search(r"\b(first|second|third|last) (table|figure)\b", text)
    sources = ["".join(cell["source"]) for cell in prose.cells(lesson) if cell["cell_type"] == "markdown"]
    for caption in re.findall(r"[Tt]able \*([^*]+)\*", "\n".join(sources)):
        assert caption in prose.computed(lesson), caption
