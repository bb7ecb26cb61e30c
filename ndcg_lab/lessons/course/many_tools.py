"""Lesson 09: one ranking, many tools; what each printed, its contract, and the setting behind each difference.

What was printed comes from the record in `ndcg_lab.conventions`, so the lesson runs without the tools.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from itertools import combinations

from ndcg_lab import Contract, Judgments, conventions, evaluate, evaluate_run, parse
from ndcg_lab.conventions import Departure, agrees, live
from ndcg_lab.conventions.record import CASES, Case, Recorded, compare_installed, record
from ndcg_lab.errors import NdcgLabError
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons import exercises as ask
from ndcg_lab.lessons import typed, views
from ndcg_lab.lessons.check import Check
from ndcg_lab.lessons.course import example
from ndcg_lab.lessons.display import Reading
from ndcg_lab.lessons.exercises import Blank, Verdict, half, right, wrong
from ndcg_lab.lessons.panel import Panel
from ndcg_lab.lessons.predict import Predict
from ndcg_lab.lessons.state import Preset, State, Target
from ndcg_lab.lessons.text import escape, shown
from ndcg_lab.tables import coded

LESSON = "lesson 09"

Value = Exact | Undefined

prediction = Predict(
    LESSON,
    "X = B C A D is handed to every tool in the record, and NDCG at 3 is asked for, with linear or exponential gain "
    "where a tool has a choice. How many different numbers, exactly, do the tools mean?",
    {
        "one": "Two gains alone make two.",
        "two, one for each gain": "There are two more: look at what else a contract decides.",
        "four": "You are right.",
        "more than ten": "More than ten spellings; but most differ in their rounding alone.",
    },
    "four",
    "1, (7/2 + 2<i>a</i>)/(4 + 2<i>a</i>), (13/2 + 3<i>a</i>)/(17/2 + 3<i>a</i>) and "
    "(4 + 3<i>a</i>)/(5 + 2<i>a</i>): gain decides between the first three, the discount makes the fourth.",
)

TEXTBOOK = Contract(gain="linear", k=3, ties="average", unjudged="zero")
"""What every cell of the matrix is held against."""


# ---------- a case under a contract ----------


def meant(contract: Contract, case: Case) -> Value:
    """A case's exact value under a contract: one query's, or the mean of several."""
    if len(case.queries) == 1:
        return case.queries[0].evaluate(contract).ndcg
    run = {query.query: query.as_ranking() for query in case.queries}
    return evaluate_run(contract, run, {query.query: query.judgments for query in case.queries}).mean.ndcg


def contract_of(entry: Recorded) -> Contract:
    """The contract of a system, with the parameters it was run with, at the case's cutoff."""
    return conventions[entry.system].at(CASES[entry.case].k, *entry.parameters)


def why(contract: Contract, other: Contract, value: Callable[[Contract], Value]) -> tuple[str, ...] | None:
    """The fewest fields in which a contract must take another's setting to mean the other's value; () where none.

    None where more than three would be needed.
    """
    wanted = value(other)
    fields = contract.differences(other)
    for size in range(min(len(fields), 3) + 1):
        for chosen in combinations(fields, size):
            try:
                found = value(contract.replace(**{name: getattr(other, name) for name in chosen}))
            except NdcgLabError:  # half of a convention may refuse what the whole of it decides
                continue
            if found == wanted:
                return chosen
    return None


def _keeps_its_contract(entry: Recorded) -> bool:
    value = meant(contract_of(entry), CASES[entry.case])
    if isinstance(value, Undefined):
        return entry.printed == "nan"
    return agrees(entry.printed, value, conventions[entry.system].precision)


def _called(system: str, parameters: Iterable[str]) -> str:
    told = ", ".join(f"<code>{escape(parameter)}</code>" for parameter in parameters)
    return f"{escape(system)}<br><small>{told}</small>" if told else escape(system)


def _short(printed: str) -> str:
    """A printed number to five decimals, an error by its name."""
    parts = printed.split(" or ")
    try:
        return " or ".join(f"{float(part):.5f}".rstrip("0").rstrip(".") for part in parts)
    except ValueError:
        return "refused"


# ---------- what the lesson shows ----------


def versions() -> Reading:
    """Every system of the record with its version, and how its values were obtained."""
    found = {(entry.system, entry.version, entry.obtained) for entry in record()}
    rows = []
    for name, convention in conventions.items():
        here = sorted(version for system, version, _ in found if system == name)
        how = {"run": "run", "record": "run elsewhere, recorded", "source": "source read"}[convention.checked]
        rows.append((escape(name), escape(convention.title), escape(here[0] if here else convention.version), how))
    head = ("name", "system", "version", "how")
    return Reading(views.rows_table("The systems", head, rows, wrap=True), f"{len(rows)} systems")


def _asked(case: str) -> list[Recorded]:
    """What was printed for a case; a discount that a user chose is left out, for the lesson shows it apart."""
    return [entry for entry in record() if entry.case == case and entry.parameters != ("denominator=Position",)]


def spellings(case: str = "X@3") -> Reading:
    """Each exact value that the systems mean for a case, with every spelling in which it was printed."""
    groups: dict[Value, dict[str, list[str]]] = {}
    for entry in _asked(case):
        value = meant(contract_of(entry).replace(round_to=None), CASES[case])
        groups.setdefault(value, {}).setdefault(entry.printed, []).append(_called(entry.system, entry.parameters))
    rows = []
    for value, printed in sorted(groups.items(), key=lambda group: -float(group[0])):
        for index, (text, systems) in enumerate(printed.items()):
            rows.append((escape(text), views.value(value) if index == 0 else "″", "; ".join(systems)))
    count = len(rows)
    told = f"{len(groups)} values in {count} spellings"
    return Reading(views.rows_table(f"{CASES[case].say}: {told}", ("printed", "exactly", "by"), rows, wrap=True), told)


WALK: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("trec_eval-10", ()),
    ("pytrec_eval", ()),
    ("ranx", ()),
    ("scikit-learn", ()),
    ("catboost", ()),
    ("catboost", ("type=Exp",)),
    ("lightgbm", ()),
    ("xgboost", ()),
    ("quepid-ndcg_cut", ()),
    ("quepid-ndcg", ()),
    ("elasticsearch", ()),
    ("opensearch", ()),
    ("recommenders", ("score_type='exp'",)),
    ("lenskit", ("gain='rating'",)),
    ("cornac", ()),
)
"""Systems in an order in which each differs little from the one before."""


def one_after_another() -> Reading:
    """From one system to the next: the fields that differ, and a case in which the two mean different numbers."""
    rows = []
    before: Contract | None = None
    for system, parameters in WALK:
        contract = conventions[system].at(3, *parameters)
        changes, seen = "", ""
        if before is not None:
            fields = before.differences(contract)
            changes = "; ".join(f"{_words(name)} = {_setting(contract, name)}" for name in fields)
            seen = _told_apart(before, contract)
        value = views.value(meant(contract, CASES["X@3"]))
        rows.append((_called(system, parameters), value, escape(changes), seen))
        before = contract
    head = ("system", "X at 3, exactly", "what differs from the one before", "seen in")
    told = f"{len(rows)} systems, each with what differs from the one before"
    return Reading(views.rows_table("From one system to the next", head, rows, wrap=True), told)


def _told_apart(before: Contract, contract: Contract) -> str:
    for case in CASES.values():
        one, other = (meant(which.replace(k=case.k), case) for which in (before, contract))
        if one != other:
            return f"{escape(case.name)}: {_rounded(one)} → {_rounded(other)}"
    return "no case here"


def _rounded(value: Value) -> str:
    return escape(str(value)) if isinstance(value, Undefined) else _short(str(float(value)))


def _words(name: str) -> str:
    return name.replace("_", " ")


def _setting(contract: Contract, name: str) -> str:
    value = getattr(contract, name)
    return "none" if value is None else str(value)


COLUMNS = (
    "X@3",
    "Y@3",
    "all zero@3",
    "only B@1",
    "nothing@3",
    "tie, A first@1",
    "tie, B first@1",
    "1e-9 apart@1",
    "unjudged first@3",
)
"""The cases of the matrix."""


def matrix() -> Reading:
    """Systems against cases: what was printed, and the fields that make it differ from the textbook's value."""
    by_row: dict[tuple[str, tuple[str, ...]], dict[str, Recorded]] = {}
    for entry in record():
        by_row.setdefault((entry.system, entry.parameters), {})[entry.case] = entry
    cells = [[found.get(case) for case in COLUMNS] for found in by_row.values()]
    rows = [("<em>the textbook's value</em>", *(_rounded(_textbook(case)) for case in COLUMNS))]
    rows += [(_called(*row), *map(_cell, found)) for row, found in zip(by_row, cells, strict=True)]
    reasons = [_reason(entry) for found in cells for entry in found if entry is not None]
    agreeing = reasons.count("agrees")
    caption = "What was printed, and which fields make it differ from the textbook's value"
    told = f"{len(cells)} rows: {agreeing} cells agree with the textbook's value, {len(reasons) - agreeing} don't"
    html = views.rows_table(caption, ("system", *map(escape, COLUMNS)), rows)
    return Reading(html + views.block(f"Not in this table, for none of these values was recorded: {_absent()}."), told)


def _absent() -> str:
    """The systems of the versions' table of which no value is in the record."""
    seen = {entry.system for entry in record()}
    return ", ".join(escape(name) for name in conventions if name not in seen)


def _textbook(case: str) -> Value:
    return meant(TEXTBOOK.replace(k=CASES[case].k), CASES[case])


def _cell(entry: Recorded | None) -> str:
    if entry is None:
        return "<small>not run</small>"
    return f"{_short(entry.printed)}<br><small>{_reason(entry)}</small>"


@lru_cache(maxsize=1024)
def _reason(entry: Recorded) -> str:
    """Why a printed number is what it is: the matrix's second line."""
    case = CASES[entry.case]
    if entry.value is None and _short(entry.printed) == "refused":
        return "nothing to evaluate" if entry.case == "nothing@3" else "one document"
    if " or " in entry.printed:
        return "ties: at random"
    if not _keeps_its_contract(entry):
        return "leaves its contract"
    fields = why(TEXTBOOK.replace(k=case.k), contract_of(entry), lambda contract: meant(contract, case))
    if fields is None:
        return "more than three fields"
    rounding = [name for name in fields if name != "round_to"]
    return ", ".join(map(_words, rounding)) or "agrees"


def cases() -> Reading:
    """The cases of the matrix, in words."""
    rows = [(escape(name), escape(CASES[name].say), str(CASES[name].k)) for name in COLUMNS]
    head = ("case", "what it is", "k")
    return Reading(views.rows_table("The cases", head, rows, wrap=True), f"{len(rows)} cases")


def departures(*kinds: str) -> Reading:
    """Where a system leaves its own contract, or its contract leaves what a reader expects."""
    chosen = [found for found in conventions.departures() if not kinds or found.kind in kinds]
    rows = [(escape(f"{found.system} {conventions[found.system].version}"), *_told(found)) for found in chosen]
    head = ("system", "what was seen", "printed", "its contract gives", "otherwise")
    return Reading(views.rows_table("Against expectation", head, rows, wrap=True), f"{len(rows)} inputs")


def _told(found: Departure) -> tuple[str, str, str, str]:
    what = escape(found.what)
    if found.documentation:
        what += f"<br><small>Its documentation: {escape(found.documentation)}</small>"
    own = f"it refuses: {found.refused}" if found.refused else _own(found.own)
    settings = ", ".join(f"{_words(name)} = {value}" for name, value in found.instead.items())
    otherwise = f"{escape(settings)}: {_brief(parse(found.gives))}" if found.instead else ""
    return what, escape(found.printed), own, otherwise


def _own(text: str) -> str:
    return escape(text) if text.startswith("undefined") else _brief(parse(text))


_LONGEST = 40


def _brief(value: Value) -> str:
    return shown(value) if len(str(value)) <= _LONGEST else _rounded(value)


def call(contract: Contract, tool: str) -> Reading:
    """How a tool is made to compute a contract, as text to paste, or why it can't."""
    found = conventions.call(contract, tool)
    if found.text is None:
        reasons = "".join(f"<li>{coded(reason)}</li>" for reason in found.cannot)
        return Reading(f"<p><strong>{escape(tool)} can't:</strong></p><ul>{reasons}</ul>", str(found))
    html = f'<pre style="overflow-x: auto" tabindex="0">{escape_lines(found.text)}</pre>'
    if found.holds_where:
        conditions = "".join(f"<li>{coded(condition)}</li>" for condition in found.holds_where)
        html += f"<p>It gives the contract's value where:</p><ul>{conditions}</ul>"
    return Reading(html, str(found))


def escape_lines(text: str) -> str:
    """Text of several lines, safe inside HTML."""
    return "\n".join(map(escape, text.split("\n")))


def against_the_record(*systems: str) -> Reading:
    """Run the installed systems, or those named, and say where they leave the record."""
    found = list(compare_installed(systems or live.PACKAGES))
    if not found:
        told = "No installed system disagrees with the record."
        return Reading(f"<p>{told}</p>", told)
    rows = [
        (
            _called(entry.system, entry.parameters),
            escape(f"{entry.case}, recorded at {entry.version}, here {live.installed(entry.system)}"),
            escape(entry.printed),
            escape(printed),
        )
        for entry, printed in found
    ]
    head = ("system", "case", "recorded", "here")
    told = "1 value differs from the record" if len(rows) == 1 else f"{len(rows)} values differ from the record"
    return Reading(views.rows_table(told, head, rows, wrap=True), told)


# ---------- the panel: one ranking through every contract ----------

_GAINS: Mapping[str, str] = {
    "tensorflow-ranking": "gain_fn=lambda label: label",
    "ranx": "ndcg_burges@K",
    "lightgbm": "label_gain=0,1,2,3,...",
    "xgboost": "ndcg_exp_gain=False",
    "catboost": "type=Exp",
    "recommenders": "score_type='raw'",
    "lenskit": "gain='rating'",
    "trectools": "trec_eval=False",
}
"""Systems that are shown with their other gain too."""


def _contracts(k: int | str) -> dict[Contract, list[str]]:
    """Every convention's contract at a cutoff, before rounding, with the systems that share it."""
    found: dict[Contract, list[str]] = {}
    for name, convention in conventions.items():
        for parameters in ((), (_GAINS[name],)) if name in _GAINS else ((),):
            told = f" (<code>{escape(parameters[0])}</code>)" if parameters else ""
            contract = convention.at(k, *parameters).replace(round_to=None)  # rounding is no other number
            found.setdefault(contract, []).append(escape(name) + told)
    return found


def by_system(state: State) -> str:
    """What every convention makes of the list, by value, and which fields set it apart from the panel's contract."""
    groups: dict[Value | str, dict[str, list[str]]] = {}
    for contract, systems in _contracts(state.contract.k).items():
        try:
            value: Value | str = _value(state, contract)
            reason = _apart(why(state.contract, contract, partial(_value, state)))
        except NdcgLabError as error:
            value, reason = f"refused: {type(error).__name__}", ""
        groups.setdefault(value, {}).setdefault(reason, []).extend(systems)
    rows = []
    for value, found in sorted(groups.items(), key=lambda group: _place(group[0])):
        text = f"<em>{escape(value)}</em>" if isinstance(value, str) else views.value(value)
        for index, (reason, systems) in enumerate(found.items()):
            rows.append((", ".join(systems), text if index == 0 else "″", reason))
    told = f"By their contracts, the systems mean {len(groups)} different values"
    table = views.rows_table(told, ("systems", "NDCG", "set apart from the contract below by"), rows, wrap=True)
    return table + views.block(f"<small>{_not_what_is_printed()}</small>")


def _not_what_is_printed() -> str:
    """Which systems were seen to print another number than their contract's."""
    left = sorted({entry.system for entry in record() if _is_number(entry) and not _keeps_its_contract(entry)})
    return (
        f"Before rounding, and by contract: recorded to leave its contract on a case above: {escape(', '.join(left))}; "
        "on other inputs those listed under <em>Against expectation</em>."
    )


def _is_number(entry: Recorded) -> bool:
    return _short(entry.printed) != "refused" and " or " not in entry.printed


def _value(state: State, contract: Contract) -> Value:
    (order,) = state.lists.values()
    return evaluate(contract, order.ranking(), state.judgments).ndcg


def _apart(fields: tuple[str, ...] | None) -> str:
    if fields is None:
        return "more than three fields"
    return ", ".join(map(_words, fields)) or "nothing: the same value"


def _place(value: Value | str) -> float:
    """Highest first; undefined ones and refusals last."""
    return -float(value) if isinstance(value, Exact) else 1.0


def _values(state: State, *systems: str) -> list[Value]:
    return [_value(state, conventions[name].at(state.contract.k)) for name in systems]


def panel() -> Panel:
    """One list through the contracts of all systems."""
    start = example.one(TEXTBOOK)
    zero = Judgments(dict.fromkeys("ABCD", 0), need="an imaginary need", scale=range(4), source="stipulated")
    return Panel(
        start,
        controls=("k", "gain", "ties"),
        views=(by_system,),
        presets=[
            Preset("X", start),
            Preset("Y", start.with_lists(X="A D B C")),
            Preset("A and B tied, k = 1", start.with_lists(X="B=A C D").under(k=1)),
            Preset("only B returned", start.with_lists(X="B | A C D")),
            Preset("every grade 0", State(zero, start.lists, start.contract)),
        ],
        targets=[
            Target(
                "Make pytrec_eval and ranx mean different numbers.",
                lambda _, now: len(set(_values(now, "pytrec_eval", "ranx"))) > 1,
            ),
            Target(
                "Give scikit-learn's contract exactly 1, and trec_eval's less.",
                lambda _, now: _is_one_and_less(*_values(now, "scikit-learn", "trec_eval")),
            ),
        ],
        can_tie=True,
        can_leave=True,
        grades=True,
    )


def _is_one_and_less(one: Value, other: Value) -> bool:
    return isinstance(one, Exact) and isinstance(other, Exact) and one.is_one and other < 1


# ---------- exercises ----------


def _three_systems(text: str) -> Verdict:
    order = typed.order(text, "ABCD")
    state = example.one(TEXTBOOK.replace(k=2)).with_lists(X=order)
    names = ("trec_eval", "ranx", "scikit-learn")
    values = _values(state, *names)
    told = ", ".join(f"{name} {_rounded(value)}" for name, value in zip(names, values, strict=True))
    distinct = len(set(values))
    if distinct == len(names):
        return right(f"Right: {told}.")
    if distinct > 1:
        return half(f"Two of them differ: {told}.")
    return wrong(f"All three mean the same: {told}.")


exercises = (
    ask.exact(
        "LensKit discounts by <code>jarvelin</code>: ranks 1 and 2 count 1, rank 3 counts 1/log<sub>2</sub>(3). With "
        "<code>gain='rating'</code>, what is NDCG of Y = A D B C at 3, exactly?",
        parse("(3 + 2a)/(5 + 2a)"),
        near={
            "4/(4 + 2a)": "That is under log2(rank + 1).",
            "3 + 2a": "Half right: that is DCG.",
            "5 + 2a": "Half right: that is the ideal DCG.",
        },
        example="(7/2 + 2a)/(4 + 2a)",
        hint="DCG is 3 + 0 + 2<i>a</i>; the ideal starts 3 + 2.",
        solution="(3 + 2<i>a</i>)/(5 + 2<i>a</i>), about 0.68061.",
    ),
    ask.choose(
        "Every grade is 0. pytrec_eval prints 0.0, CatBoost prints 1.0, recommenders (raw) prints nan. "
        "Which field is it?",
        {
            "gain": "Every gain is 0 under each of them.",
            "ideal_population": "All four documents are judged and returned: the two populations are one.",
            "zero_ideal": "Right: zero, one and undefined.",
            "unjudged": "Every document is judged.",
        },
        "zero_ideal",
        hint="What is the ideal DCG?",
        solution="<code>zero_ideal</code>: the quotient is 0/0, and each system has another answer to that.",
    ),
    ask.choose(
        "B alone is returned, of grade 2, and A of grade 3 stays out. trec_eval prints 0.6667 at 1, XGBoost (linear "
        "gain) prints 1.0. Which field is it?",
        {
            "ideal_population": "Right: XGBoost sees the rows it is given, and B is the best of those.",
            "ideal_cutoff": "Both cut the ideal at 1.",
            "ties": "One document has nothing to tie with.",
            "zero_ideal": "Neither ideal is 0.",
        },
        "ideal_population",
        hint="Which documents does each tool know of?",
        solution="<code>ideal_population</code>: judged for trec_eval, returned for XGBoost.",
    ),
    ask.exact(
        "Evidently 0.7.23 lets two documents that tie at the top both stand at rank 1. With B and C (grade 2) tied "
        "there and A "
        "(grade 3), D (grade 0) below, what does NDCG at 1 come to that way, exactly?",
        parse("4/3"),
        near={"2/3": "That is NDCG with either of the two on top, alone at rank 1."},
        example="5/6",
        hint="Both gains count in full; the ideal at 1 is A alone.",
        solution="(2 + 2)/3 = 4/3, above 1.",
    ),
    ask.wrong_line(
        "Why CatBoost's 0.90498 and scikit-learn's 0.90498 for X at 3 needn't agree on another list. Which line is "
        "wrong?",
        [
            "Both take linear gain, and both make the ideal of the rows they are given.",
            "Where scores tie, scikit-learn averages over the orders.",
            "Where every grade is 0, scikit-learn prints 0 and CatBoost prints 1.",
            "Where scores tie, CatBoost takes the best order.",
        ],
        4,
        "Right: CatBoost takes the worst order.",
        hint="In the matrix, read what CatBoost prints for A and B tied at 1.",
        solution="Line 4: it takes the worst order, and prints 0.66667 where A and B tie at the top.",
    ),
    ask.construct(
        "Write an order of A, B, C, D, with <code>=</code> between tied documents, for which trec_eval, ranx and "
        "scikit-learn mean three different numbers at k = 2.",
        _three_systems,
        [Blank("Order", example="B C=A D")],
        hint="trec_eval puts tied documents in descending order of their names, ranx leaves them in the order of the "
        "input, scikit-learn averages over the orders.",
        solution="A=B C D: trec_eval means B, A; ranx A, B; scikit-learn the mean of the two.",
    ),
)


def check(number: int) -> Check:
    """Exercise `number`, from 1 on."""
    return Check(f"Exercise {number}", exercises[number - 1], key=f"{LESSON}: exercise {number}")
