"""When a sum of products vanishes. Oracle: python-flint's balls at 2,000 bits, and identities derived by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_lab.certificate import certify, check
from ndcg_lab.values import Exact, Linear, a, y

# A plane is what two numbers P and Q span: the whole numbers P^i Q^j. Three of its points, no two on one line through
# the origin, make an identity: from m = b^s d^t follows y_b y_d = s y_m y_d + t y_m y_b.

GENERATORS = [(2, 3), (2, 5), (3, 5), (6, 10), (2, 15), (6, 12), (12, 18), (30, 42)]
Point = tuple[int, int]


def det(one: Point, other: Point) -> int:
    return one[0] * other[1] - one[1] * other[0]


def relation(generators: Point, b: Point, d: Point, m: Point) -> Exact:
    """A sum that is zero, though no two of its terms are alike."""
    yb, yd, ym = (y(int(Fraction(generators[0]) ** i * Fraction(generators[1]) ** j)) for i, j in (b, d, m))
    s, t = Fraction(det(m, d), det(b, d)), Fraction(det(b, m), det(b, d))
    return yb * yd - s * (ym * yd) - t * (ym * yb)


def triples(generators: Point) -> list[tuple[Point, Point, Point]]:
    reach = range(-1, 4)
    points = [(i, j) for i in reach for j in reach if Fraction(generators[0]) ** i * Fraction(generators[1]) ** j > 1]
    whole = [p for p in points if (Fraction(generators[0]) ** p[0] * Fraction(generators[1]) ** p[1]).denominator == 1]
    return [t for t in permutations(whole, 3) if all(det(*pair) for pair in combinations(t, 2))]


TRIPLES = [(generators, *triple) for generators in GENERATORS for triple in triples(generators)]
relations = st.sampled_from(TRIPLES).map(lambda triple: relation(*triple))
fractions = st.fractions(-9, 9, max_denominator=9)
vanishing = st.lists(st.tuples(fractions, relations), min_size=1, max_size=5).map(
    lambda pairs: sum((q * r for q, r in pairs), Linear())
)
small_forms = st.dictionaries(st.integers(2, 30), st.integers(-5, 5), min_size=1, max_size=4).map(Linear)


def test_the_known_identities() -> None:
    assert a * y(6) == a - y(6)
    assert a / (1 + a) == y(6)
    assert y(6) / (1 - y(6)) == a
    assert a * y(6) != a - y(6) + Fraction(1, 10**30)
    assert y(6) * y(10) != y(15)


@settings(max_examples=60)
@given(vanishing)
def test_what_relations_add_up_to_is_zero(value: Exact) -> None:
    assert value == 0
    assert check(certify(value)) == 0


@settings(max_examples=40)
@given(vanishing, small_forms, small_forms, st.integers(1, 9))
def test_an_equal_value_in_other_terms_is_equal_and_hashes_alike(
    value: Exact, above: Linear, below: Linear, n: int
) -> None:
    one = above * below
    other = value * n + one
    assert other == one
    assert hash(other) == hash(one)
    assert other != one + Fraction(1, 10**25)


@settings(max_examples=30)
@given(vanishing, st.integers(-10, 10), st.integers(1, 10))
def test_a_rational_number_in_disguise_equals_and_hashes_as_a_fraction(value: Exact, p: int, q: int) -> None:
    number = Fraction(p, q)
    assert value + number == number
    assert hash(value + number) == hash(number)
    assert len({value + number, number}) == 1


def test_gains_of_grade_61_and_89_are_compared_like_any_other() -> None:
    # 2^61 - 1 is the modulus of Python's hash, and a prime, as is 2^89 - 1.
    for n in (61, 89, 107, 127):
        gain = 2**n - 1
        assert a / (gain * (1 + a)) == y(6) / gain
        assert a / (gain * (1 + a)) != y(6) / (gain + 1)
        hash(a / (gain * (1 + a)))


def test_terms_of_unlike_denominators_vanish_together() -> None:
    # In each group the plane of 3 and 5 holds other bases, and 15 * 75 has another smallest one.
    three, five, fifteen, seventy_five = (1, 0), (0, 1), (1, 1), (1, 2)
    first = relation((3, 5), fifteen, seventy_five, five)
    second = relation((3, 5), fifteen, seventy_five, three) * Fraction(2, 3) + relation(
        (3, 5), five, seventy_five, three
    )
    for value in (first / (1 + y(7)) + second / (1 + y(11)), second / (1 + y(7)) + first / (1 + y(11))):
        assert value == 0
        assert check(certify(value)) == 0
