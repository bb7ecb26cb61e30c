"""Lesson 02: which changes NDCG can't see, and which it can."""

from fractions import Fraction

from ndcg_lab import Contract, a, evaluate
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import figures, typed, views
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.course import example
from ndcg_lab.lessons.exercises import Verdict, half, right, wrong
from ndcg_lab.lessons.figures import Figure
from ndcg_lab.lessons.panel import Panel
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.state import Preset, State, Target
from ndcg_lab.lessons.text import decimal, escape, shown
from ndcg_lab.measure.evaluation import Evaluation

LESSON = "lesson 02"

TIMES_SEVEN = "0=0,2=14,3=21"
PLUS_ONE = "0=1,2=3,3=4"

prediction = Predict(
    LESSON,
    "Linear gain, k = 3. Now 1 is added to every gain: D earns 1, B and C earn 3, A earns 4. What happens to X − Y in "
    "DCG, and to NDCG of X?",
    {
        "nothing changes": "The difference in DCG does stay; NDCG of X does not.",
        "X − Y stays, NDCG of X changes": "You are right.",
        "X − Y changes, NDCG of X stays": "It is the other way round.",
        "both change": "NDCG of X changes, but the difference in DCG stays.",
    },
    "X − Y stays, NDCG of X changes",
    "Both lists show three documents, so both gain 1 + <i>a</i> + 1/2, and X − Y stays −1/2 + 2<i>a</i>. But the ideal "
    "gains the same amount, and (5 + 3<i>a</i>)/(11/2 + 3<i>a</i>) = 0.93237 is not (7/2 + 2<i>a</i>)/(4 + 2<i>a</i>) "
    "= 0.90498: adding one number above and below moves a fraction toward 1.",
)


def seen(state: State) -> str:
    """Beside linear gain and the log2 discount: which numbers the present settings changed."""
    plain = state.under(gain="linear", discount="log2")
    rows = []
    for name in state.lists:
        before, now = plain.evaluations[name], state.evaluations[name]
        for what, old, new in (("DCG", before.dcg, now.dcg), ("NDCG", before.ndcg, now.ndcg)):
            same = not isinstance(old, Undefined) and not isinstance(new, Undefined) and old == new
            told = "exactly the same" if same else "<strong>changed</strong>"
            rows.append((f"{what} of {escape(name)}", views.value(old), views.value(new), told))
    head = ("value", "linear, log2", "as set", "proved")
    return views.rows_table("What these settings change", head, rows, words=["proved"])


def panel() -> Panel:
    """X and Y under rescaled and shifted gains and other discounts."""
    start = example.both()
    return Panel(
        start,
        controls={
            "gain": {"linear": "linear", "× 7": TIMES_SEVEN, "+ 1": PLUS_ONE, "exponential": "exponential"},
            "discount": {
                "log2": "log2",
                "natural log": "log:e",
                "log10": "log:10",
                "jarvelin": "jarvelin",
                "jarvelin, base 4": "jarvelin:4",
                "1/rank": "reciprocal",
                "none": "none",
            },
            "k": None,
        },
        views=(seen, views.contributions),
        presets=[
            Preset("start", start),
            Preset("gains × 7", start.under(gain=TIMES_SEVEN)),
            Preset("gains + 1", start.under(gain=PLUS_ONE)),
            Preset("log10", start.under(discount="log:10")),
            Preset("exponential, jarvelin", start.under(gain="exponential", discount="jarvelin")),
        ],
        targets=[
            Target("Change DCG of both lists, and neither NDCG.", _only_dcg),
            Target("Let X lead under exponential gain at k = 3, with another discount.", _x_under_exponential),
            Target("Find a gain table under which NDCG of X stays as it was and NDCG of Y does not.", _only_y),
        ],
    )


def _changed(state: State) -> dict[str, tuple[bool, bool]]:
    """For each list, whether DCG and NDCG differ from those under linear gain and log2."""
    plain = state.under(gain="linear", discount="log2")
    return {
        name: (plain.evaluations[name].dcg != now.dcg, plain.evaluations[name].ndcg != now.ndcg)
        for name, now in state.evaluations.items()
    }


def _only_dcg(_: State, now: State) -> bool:
    return all(changed == (True, False) for changed in _changed(now).values())


def _x_under_exponential(start: State, now: State) -> bool:
    settings = (now.contract.gain, now.contract.k, now.leader)
    return settings == ("exponential", 3, "X") and now.lists == start.lists and now.contract.discount != "log2"


def _only_y(start: State, now: State) -> bool:
    changed = _changed(now)
    return now.lists == start.lists and not changed["X"][1] and changed["Y"][1]


def discounts() -> Figure:
    """Three discounts, of different shape."""
    return figures.discounts(("log2", "jarvelin", "reciprocal"), 10)


def _shifted(order: str) -> Verdict:
    """Whether adding 1 to every gain changes X minus this list, in DCG at k = 3."""
    documents = typed.order(order, example.judgments)
    plain, shifted = Contract(gain="linear", k=3), Contract(gain=PLUS_ONE, k=3)
    before, after = (
        evaluate(contract, example.X, example.judgments).dcg
        - evaluate(contract, documents.ranking(), example.judgments).dcg
        for contract in (plain, shifted)
    )
    if before == after:
        return wrong(f"For {documents} the difference stays {shown(before)}: this list fills all three ranks.")
    return right(f"Right: X minus this list goes from {shown(before)} to {shown(after)}.")


def _same_for_x(text: str) -> Verdict:
    """Whether a gain table leaves NDCG of X alone without being linear gain rescaled."""
    contract = Contract(gain=_table(text), k=3)
    rule = contract.gain_rule
    plain = evaluate(example.linear, example.X, example.judgments).ndcg
    found = evaluate(contract, example.X, example.judgments)
    if isinstance(found.ndcg, Undefined) or isinstance(plain, Undefined):
        return wrong(f"NDCG of X is {found.ndcg} under this table.")
    if found.ndcg != plain:
        return wrong(f"NDCG of X becomes {shown(found.ndcg)}.")
    if rule(0) == 0 and 2 * rule(3) == 3 * rule(2):
        return half("NDCG of X stays, but this is linear gain times a number. Find one that is not.")
    y = evaluate(contract, example.Y, example.judgments).ndcg
    return right(f"Right: NDCG of X stays {shown(plain)}, for D is in neither top three; NDCG of Y becomes {y}.")


def _value(value: Exact | Undefined) -> Exact:
    assert isinstance(value, Exact)
    return value


def _table(text: str) -> str:
    """A gain table as typed, as the contract spells it."""
    try:
        return ",".join(f"{grade}={gain}" for grade, gain in typed.grades(text).items())
    except NdcgLabError:
        raise NdcgLabError(f"{text!r} is no table; write one like 0=0,2=2,3=3") from None


_DCG, _DCG_E = (
    evaluate(example.linear.replace(discount=rule), example.X, example.judgments).dcg for rule in ("log2", "log:e")
)
_NDCG = decimal(_value(evaluate(example.linear, example.X, example.judgments).ndcg))


def _both(evaluation: Evaluation) -> str:
    return f"NDCG {decimal(_value(evaluation.ndcg))} and DCG {decimal(evaluation.dcg)}"


_SETTINGS = ask.settings(
    example.one(example.linear),
    {"ideal_population": "returned-at-k", "k": 2, "ties": "average", "ideal_cutoff": "none"},
    _both,
) | {"discount": "Right: another base of the logarithm multiplies DCG and IDCG by one number, and NDCG by none."}

exercises = (
    ask.choose(
        "All gains are multiplied by 7. What changes?",
        {
            "DCG alone": "IDCG is made of the same gains.",
            "DCG and IDCG": "Right: both become 7 times as large, and their quotient stays.",
            "DCG, IDCG and NDCG": "7 times DCG over 7 times IDCG: what is left of the 7?",
            "nothing": "DCG is a sum of gains; it becomes 7 times as large.",
        },
        "DCG and IDCG",
        hint="Take the 7 out of both sums.",
        solution="DCG and IDCG become 7 times as large, and NDCG stays.",
    ),
    ask.exact(
        "Linear gain plus 1, that is gains 1, 3, 4 for grades 0, 2, 3; k = 3. What is NDCG of the list D A B C?",
        (Fraction(5, 2) + 4 * a) / (Fraction(11, 2) + 3 * a),
        near={
            "(1 + 3a)/(4 + 2a)": "Half right: that is its NDCG without the added 1.",
            "(5/2 + 4a)/(4 + 2a)": "Half right: the numerator is right. The ideal has its gains shifted too.",
        },
        example="(5 + 3a)/(9/2 + 3a)",
        hint="The list has gains 1, 4, 3; the ideal A B C has 4, 3, 3.",
        solution="(1 + 4<i>a</i> + 3/2)/(4 + 3<i>a</i> + 3/2) = (5/2 + 4<i>a</i>)/(11/2 + 3<i>a</i>), about 0.67954.",
    ),
    ask.choose(
        f"Two reports on one list agree in NDCG, {_NDCG}, and differ in DCG: {decimal(_DCG)} in one, "
        f"{decimal(_DCG_E)} in the other. "
        "Grades and gain are the same. Which setting differs?",
        _SETTINGS,
        "discount",
        label="Setting",
        hint=f"{decimal(_DCG_E)}/{decimal(_DCG)} is about "
        f"{decimal(Fraction(_DCG_E.fixed(5)) / Fraction(_DCG.fixed(5)), 4)}, and so is log<sub>2</sub>(e).",
        solution="<code>discount</code>: one report divides by the natural logarithm. The factor log<sub>2</sub>(e) "
        "cancels in NDCG.",
    ),
    ask.power_bound(
        "Gains 0, 5, 13 for grades 0, 2, 3, discount <code>jarvelin</code> (1 at ranks 1 and 2, then "
        "1/log<sub>2</sub>(rank)), k = 3: X − Y = −3 + 8<i>a</i>. Prove that X leads: give the fraction that <i>a</i> "
        "must "
        "exceed, and the inequality.",
        3,
        below=Fraction(3, 8),
        hint="−3 + 8<i>a</i> &gt; 0 says <i>a</i> &gt; 3/8.",
        solution="<i>a</i> &gt; 3/8, because 3<sup>3</sup> &lt; 2<sup>8</sup>: 27 &lt; 256.",
    ),
    ask.claim(
        "Linear gain, k = 3. “Adding 1 to every gain leaves the difference in DCG between two full orders of A, B, C, "
        "D as "
        "it was.” Always, sometimes or never? If not always, show an order whose difference to X changes.",
        "always",
        witness="Such an order, if any",
        example="A D B C",
        check=_shifted,
        because="Both lists fill three ranks, and both gain 1 + a + 1/2.",
        hint="What does each of the two lists gain?",
        solution="Always: every full order fills the three ranks and gains 1 + <i>a</i> + 1/2. (A list of two "
        "documents "
        "would gain only 1 + <i>a</i>.)",
    ),
    ask.construct(
        "Find a gain table for the grades 0, 2 and 3 under which NDCG@3 of X (B C A D) is exactly what it is under "
        "linear gain, although the table is not linear gain times a number.",
        _same_for_x,
        [ask.Blank("Gain table", example="0=0,2=2,3=3")],
        hint="Which grades occur in the top three of X, and in the top three of the ideal?",
        solution="0=1,2=2,3=3 is one: D stands in neither top three. So is any table with g(3)/g(2) = 3/2 and g(0) "
        "between 0 and g(2).",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
