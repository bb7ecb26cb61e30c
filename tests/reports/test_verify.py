"""A report is checked against itself: whatever is changed in it is found and named, or can't matter."""

import copy
import gzip
import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from ndcg_lab import (
    Contract,
    FormatError,
    Judgments,
    NdcgLabError,
    Ranking,
    Report,
    conventions,
    evaluate_run,
    parse,
    verify,
)
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS
from ndcg_lab.reports.records import Base
from tests import reference
from tests.support import ROOT

VALIDATOR = jsonschema.Draft202012Validator(
    json.loads((ROOT / "ndcg_lab" / "schema" / "report-1.json").read_text(encoding="utf-8"))
)
Path_ = list[str | int]


def example() -> Any:
    """Three averaged queries, of which one has no results, and one that is left out."""
    report = evaluate_run(
        Contract(gain="linear", k=3, unjudged="zero", zero_ideal="exclude"),
        {"q1": {"B": "0.9", "C": "0.8", "A": "0.7", "D": "0.1"}, "q2": {"E": 2, "F": 1}, "q4": {"Z": 1}},
        {
            "q1": Judgments({"A": 3, "B": 2, "C": 2, "D": 0}, need="cars", scale=range(4), source="us"),
            "q2": {"F": "1/2", "G": 1},
            "q3": {"A": 1},
            "q4": {"Z": 0},
        },
        missing="zero",
        weights={"q2": "3/2"},
    )
    return json.loads(json.dumps(report.to_json()))


def places(record: Any) -> list[str]:
    return [fault.place for fault in verify(record)]


def changed(path: Path_, value: Any) -> Any:
    record = example()
    holder = at(record, path[:-1])
    holder[path[-1]] = value
    return record


def at(record: Any, path: Path_) -> Any:
    for key in path:
        record = record[key]
    return record


def test_a_report_as_written_holds() -> None:
    record = example()
    assert VALIDATOR.is_valid(record)
    assert verify(record) == []
    assert verify(json.dumps(record)) == []
    assert verify(json.dumps(record, sort_keys=True, indent=3)) == []
    assert verify("\ufeff" + json.dumps(record)) == []
    assert verify([record, record]) == []


def test_files_and_reports(tmp_path: Path) -> None:
    plain, packed = tmp_path / "report.json", tmp_path / "report.json.gz"
    plain.write_text(json.dumps(example()), encoding="utf-8")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert verify(plain) == verify(str(plain)) == verify(packed) == []
    assert verify(evaluate_run(Contract(gain="linear", k=2), {"q": ["A"]}, {"q": {"A": 1}})) == []
    with pytest.raises(FileNotFoundError):
        verify(tmp_path / "nothing.json")


@pytest.mark.parametrize("text", ["{", "[1, 2", '{"a": 1} x', "[" * 100_000])
def test_what_is_not_json_is_no_report(text: str) -> None:
    with pytest.raises(FormatError):
        verify(text)


@pytest.mark.parametrize("record", [[1], {}, {"schema": "ndcg-lab/report/1"}])
def test_json_that_is_no_report_is_all_faults(record: Any) -> None:
    assert verify(record)


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (["queries", 0, "ndcg", "decimal"], "0.90497657426229123012", "queries[0].ndcg.decimal"),
        (["queries", 0, "dcg", "terms", 1, 1], "3", "queries[0].dcg.terms[1][1]"),
        (["queries", 0, "dcg", "float"], 4.761859507142914, "queries[0].dcg.float"),
        (["queries", 0, "rows", 1, "contribution", "float"], 1.0, "queries[0].rows[1].contribution.float"),
        (["queries", 0, "rows", 1, "rank"], 3, "queries[0].rows[1].rank"),
        (["queries", 0, "rows", 0, "grade"], "3", "queries[0].rows[0].grade"),
        (["queries", 0, "ideal", 0, "document"], "B", "queries[0].ideal[0].document"),
        (["queries", 0, "judgments", "B"], "3", "queries[0].judgments.B"),
        (["queries", 0, "unjudged_in_k"], 1, "queries[0].unjudged_in_k"),
        (["queries", 1, "weight"], "1/2", "mean.ndcg.decimal"),
        (["queries", 1, "ranking", 0, "score"], "1/2", "queries[1].rows[0].document"),
        (["queries", 2, "ndcg", "exact"], "1", "queries[2].ndcg.exact"),
        (["excluded", 0, "reason"], "no results", "excluded[0].reason"),
        (["contract", "gain"], "exponential", "contract.gain"),
        (["contract", "k"], 2, "contract.k"),
        (["contract", "discount"], "jarvelin", "contract.discount"),
        (["contract", "unjudged"], "remove", "contract.unjudged"),
        (["contract", "zero_ideal"], "zero", "excluded[0]"),
        (["aggregation", "missing"], "exclude", "queries[2]"),
        (["aggregation", "missing"], "error", "queries[2]"),
        (["aggregation", "aggregate"], "ratio-of-sums", "mean.ndcg.decimal"),
        (["notes"], ["No query returns more than 2 documents, and k is 3."], "notes[0]"),
        (["mean", "ndcg", "enclosure", 0], "1/2", "mean.ndcg.enclosure[0]"),
        (["schema"], "ndcg-lab/report/2", "schema"),
        (["extra"], 1, "extra"),
        (["queries", 0, "rows", 0, "extra key"], None, 'queries[0].rows[0]["extra key"]'),
        # What another type would let pass.
        (["queries", 0, "rows", 0, "rank"], True, "queries[0].rows[0].rank"),
        (["queries", 0, "unjudged_in_k"], False, "queries[0].unjudged_in_k"),
        (["queries", 0, "judgments", "A"], 3, "queries[0].judgments.A"),
        (["queries", 0, "judgments", "A"], "3.0", "queries[0].judgments.A"),
        (["queries", 1, "weight"], "1.5", "queries[1].weight"),
        (["queries", 1, "weight"], "-1", "queries[1].weight"),
        (["queries", 0, "rows", 0, "gain"], "2.0", "queries[0].rows[0].gain"),
        (["contract", "k"], "3", "contract.k"),
        (["contract", "gain"], "power:1", "contract.gain"),
        (["contract", "gain"], "lineal", "contract.gain"),
        (["contract", "ties"], True, "contract.ties"),
        (["queries", 0, "need"], 5, "queries[0].need"),
        (["queries", 0, "scale"], ["0", "1", "2"], "queries[0].judgments"),
        (["queries", 0, "query"], None, "queries[0].query"),
        (["queries", 0, "query"], "q2", "queries[1].query"),
        (["queries", 0, "ranking", 1, "score"], "nan", "queries[0].ranking[1].score"),
        (["queries", 0, "ndcg", "float"], float("nan"), "queries[0].ndcg.float"),
        (["mean", "ndcg", "float"], float("inf"), "mean.ndcg.float"),
        (["queries"], {}, "queries"),
        (["mean"], None, "mean"),
    ],
)
def test_a_change_is_named_by_its_place(path: Path_, value: Any, place: str) -> None:
    record = changed(path, value)
    assert place in places(record)
    assert place in places(json.dumps(record))
    for fault in verify(record):
        json.dumps(fault.to_json(), allow_nan=False)
        assert str(fault).startswith(fault.place)


def test_a_changed_setting_is_named_first() -> None:
    first = verify(changed(["contract", "gain"], "exponential"))[0]
    assert (first.place, first.found, first.expected) == ("contract.gain", "exponential", "linear")


def test_a_key_given_twice_is_named() -> None:
    text = json.dumps(example()).replace('"weight": "3/2"', '"weight": "3/2", "weight": "3/2"')
    assert places(text) == ["queries[1].weight"]
    (fault,) = verify(text)
    assert fault.cause == "is given more than once"


def test_nan_is_no_number_of_json() -> None:
    text = json.dumps(example()).replace('"unjudged_in_k": 0', '"unjudged_in_k": NaN', 1)
    assert "queries[0].unjudged_in_k" in places(text)


def test_the_order_of_keys_is_no_fault() -> None:
    def reversed_keys(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: reversed_keys(value[key]) for key in reversed(value)}
        return [reversed_keys(part) for part in value] if isinstance(value, list) else value

    assert verify(reversed_keys(example())) == []


def test_the_ideal_may_hold_any_documents_of_equal_gain_once_each() -> None:
    record = example()
    ideal = record["queries"][0]["ideal"]
    assert [row["document"] for row in ideal] == ["A", "B", "C"]
    ideal[1]["document"], ideal[2]["document"] = "C", "B"
    assert verify(record) == []
    ideal[2]["document"] = "C"
    assert verify(record)


def test_a_number_of_json_may_be_spelled_otherwise() -> None:
    record = changed(["queries", 2, "dcg", "float"], 0)
    assert verify(record) == []


def test_a_query_in_the_wrong_list_is_named() -> None:
    record = example()
    moved = record["queries"].pop(0)
    record["excluded"].append(
        {key: moved[key] for key in ("query", "weight", "need", "scale", "source", "judgments", "ranking")}
        | {"reason": "zero ideal"}
    )
    assert "excluded[1]" in places(record)
    dropped = example()
    del dropped["queries"][2]
    assert "mean.ndcg.decimal" in places(dropped)


def test_every_field_that_is_taken_away_is_named() -> None:
    """But for what stands where it may: an unscored list, and what a compact report leaves out."""
    record = example()
    kinds: dict[tuple[object, ...], Path_] = {}
    for path in paths(record):
        kinds.setdefault(tuple(int if isinstance(key, int) else key for key in path), path)
    for path in (path for path in kinds.values() if isinstance(path[-1], str)):
        without = copy.deepcopy(record)
        del at(without, path[:-1])[path[-1]]
        if path[-1] == "score" and len(at(without, path[:-2])) == 1:
            continue  # of a single document: an order of one
        if path[-2:-1] == ["judgments"]:
            continue  # a document, not a field
        found = places(without)
        assert any(place == dotted(path) for place in found), (path, found[:5])


def dotted(path: Path_) -> str:
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}"
    return text[1:]


def paths(record: Any, path: Path_ | None = None) -> Iterator[Path_]:
    """The place of every value inside a record."""
    path = path or []
    keys: Any = record if isinstance(record, dict) else range(len(record)) if isinstance(record, list) else ()
    for key in keys:
        yield [*path, key]
        yield from paths(record[key], [*path, key])


def test_a_compact_report_holds() -> None:
    record = example()
    for query in record["queries"]:
        del query["rows"], query["ideal"]
        for name in ("dcg", "idcg", "ndcg"):
            query[name] = {"float": query[name]["float"], "obtained": "certified"}
    record["mean"] = {
        name: {"float": value["float"], "obtained": "certified"} for name, value in record["mean"].items()
    }
    assert VALIDATOR.is_valid(record)
    assert verify(record) == []
    record["queries"][0]["ndcg"]["float"] += 1e-16
    assert places(record) == ["queries[0].ndcg.float"]


def test_what_the_contract_was_taken_from_a_file() -> None:
    record = example()
    record["base"] = {"name": "contract.json", "kind": "file", "overridden": {"k": 10}}
    assert verify(record) == []
    for wrong in ({"k": 3}, {"k": "10"}, {"cutoff": 10}, {"ties": "never"}):
        assert verify(record | {"base": {**record["base"], "overridden": wrong}})
    assert places(record | {"base": {"name": 1, "overridden": {}}}) == ["base.name"]


@pytest.mark.parametrize("name", ["trec_eval ", "Trec_eval", "trec_\u0435val", "trec_eval 9", "contract.json", ""])
def test_no_report_claims_a_convention_that_does_not_exist(name: str) -> None:
    system = conventions["trec_eval"]
    report = evaluate_run(system.contract, {"q": {"A": 1}}, {"q": {"A": 1}}, **system.aggregation.to_json())
    record = replace(report, base=Base("trec_eval", {})).to_json()
    assert verify(record) == []
    assert places(record | {"base": {"name": name, "overridden": {}}}) == ["base.name"]
    assert places(record | {"base": {"name": "trec_eval", "overridden": {"k": 7}}}) == ["base.overridden.k"]


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (["contract", "k"], "contract.k"),
        (["queries", 0, "rows", 0, "rank"], "queries[0].rows[0].rank"),
        (["queries", 0, "unjudged_in_k"], "queries[0].unjudged_in_k"),
        (["queries", 0, "dcg", "terms", 1, 0], "queries[0].dcg.terms[1][0]"),
    ],
)
def test_a_count_that_is_written_as_another_kind_of_number_is_refused_by_all_commands(path: Path_, place: str) -> None:
    whole = at(example(), path)
    for other in (float(whole), True):
        record = changed(path, other)
        assert places(record) == places(json.dumps(record)) == [place]
        with pytest.raises(FormatError, match=re.escape(place)):
            Report.from_json(json.dumps(record))


def test_a_list_of_reports_is_named_by_its_index() -> None:
    assert places([example(), changed(["schema"], "x")]) == ["[1].schema"]


def test_ties_that_the_contract_refuses_are_named_by_their_query() -> None:
    record = changed(["queries", 1, "ranking", 1, "score"], "2")
    first, second = verify(record)  # and nothing follows for the mean
    assert first.place == "contract.ties"
    assert second.place == "queries[1]"
    assert "`ties` decides" in second.cause


def test_a_report_with_conflicting_ranks_holds() -> None:
    """The note names queries in the report's order, averaged ones first."""
    from io import StringIO

    from ndcg_lab import read_run

    run = read_run(StringIO("p Q0 A 2 9 t\np Q0 B 1 8 t\nq Q0 A 2 9 t\nq Q0 B 1 8 t\n"))
    report = evaluate_run(Contract(gain="linear", k=1), run, {"q": {"A": 1, "B": 0}, "r": {"A": 1}}, missing="zero")
    unjudged = evaluate_run(Contract(gain="linear", k=1, unjudged="zero"), run, {"p": {}, "q": {"A": 1}})
    assert verify(report) == verify(unjudged) == []


# Any change in any report. What follows is computed by the slow reference, which imports nothing from the package.

DOCUMENTS = ["A", "B", "C", "D"]
SETTINGS: dict[str, list[Any]] = {
    "gain": ["linear", "exponential", "power:2"],
    "k": [1, 2, 3, "all"],
    "discount": ["log2", "jarvelin", "reciprocal", "none"],
    "ideal_cutoff": ["k", "returned", "none"],
    "unjudged": ["zero", "remove"],
    "duplicates": ["first", "count"],
    "ties": ["input", "docno-ascending", "error"],
    "zero_ideal": ["undefined", "zero", "one", "exclude"],
}
AGGREGATIONS = {
    "query_set": ["judged", "run", "both"],
    "missing": ["zero", "exclude"],
    "unjudged_queries": ["exclude", "zero"],
    "aggregate": ["mean", "ratio-of-sums"],
}
CHOICES = {field.name: [choice.spelling for choice in field.choices] for field in (*FIELDS, *AGGREGATION_FIELDS)}


@st.composite
def reports(draw: st.DrawFn) -> Any:
    queries = st.sampled_from(["q1", "q2", "q3"])
    scores = st.sampled_from(["3", "2", "0.50", "1/3"])
    qrels = draw(
        st.dictionaries(queries, st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1), min_size=1)
    )
    run = draw(
        st.dictionaries(
            queries, st.lists(st.tuples(st.sampled_from(DOCUMENTS), scores), min_size=1, max_size=4), min_size=1
        )
    )
    contract = Contract(**{name: draw(st.sampled_from(values)) for name, values in SETTINGS.items()})
    weights = {query: draw(st.sampled_from(["1", "2", "1/3"])) for query in qrels}
    aggregation: dict[str, Any] = {name: draw(st.sampled_from(values)) for name, values in AGGREGATIONS.items()}
    rankings = {query: Ranking.from_scores(pairs) for query, pairs in run.items()}
    try:
        report = evaluate_run(contract, rankings, qrels, weights=weights, **aggregation)
    except NdcgLabError:
        report = evaluate_run(contract.replace(ties="input"), rankings, qrels, weights=weights, **aggregation)
    return json.loads(json.dumps(report.to_json()))


@settings(max_examples=50)
@given(reports())
def test_every_report_holds_and_fits_the_schema(record: Any) -> None:
    assert VALIDATOR.is_valid(record)
    assert verify(record) == []
    assert follows(record)


@settings(max_examples=200)
@given(reports(), st.data())
def test_any_one_change_is_found_or_can_not_matter(record: Any, data: st.DataObject) -> None:
    before = copy.deepcopy(record)
    path = data.draw(st.sampled_from(sorted(paths(record), key=str)))
    change = data.draw(st.sampled_from(CHANGES))
    change(record, path, data.draw)
    if record == before and json.dumps(record, sort_keys=True) == json.dumps(before, sort_keys=True):
        return
    found = bool(verify(record))
    event(f"{change.__name__}: {'found' if found else 'not found'}")
    assert found or follows(record), path


Draw = Callable[[st.SearchStrategy[Any]], Any]


def another_value(record: Any, path: Path_, draw: Draw) -> None:
    """A leaf with another value of its kind, or of another kind."""
    value = at(record, path)
    choices: list[Any] = [None, True, 0, "", "x", float("nan")]
    if isinstance(value, str):
        digits = [i for i, c in enumerate(value) if c.isdigit()]
        choices += [f"{value}0", f"-{value}", "1/2", "2", *DOCUMENTS, *CHOICES.get(str(path[-1]), [])]
        choices += [f"{value[:i]}{(int(value[i]) + 1) % 10}{value[i + 1 :]}" for i in digits]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        choices += [value + 1, value - 1, -value, str(value), value * (1 + 2**-52)]
    set_at(record, path, draw(st.sampled_from(choices)))


def taken_away(record: Any, path: Path_, _: Draw) -> None:
    del at(record, path[:-1])[path[-1]]


def doubled(record: Any, path: Path_, _: Draw) -> None:
    """An item that stands twice, or a key beside another of the same value."""
    holder, key = at(record, path[:-1]), path[-1]
    if isinstance(holder, list):
        holder.insert(int(key), copy.deepcopy(holder[int(key)]))
    else:
        holder[f"{key}2"] = copy.deepcopy(holder[key])


def swapped(record: Any, path: Path_, draw: Draw) -> None:
    """Two values of one holder in each other's place."""
    holder = at(record, path[:-1])
    keys = list(range(len(holder))) if isinstance(holder, list) else list(holder)
    other = draw(st.sampled_from(keys))
    holder[path[-1]], holder[other] = holder[other], holder[path[-1]]


def moved(record: Any, path: Path_, _: Draw) -> None:
    """A query from one list to the other."""
    if path[0] in ("queries", "excluded") and len(path) > 1:
        other = "excluded" if path[0] == "queries" else "queries"
        record[other].append(record[path[0]].pop(int(path[1])))


CHANGES = [another_value, another_value, another_value, taken_away, doubled, swapped, moved]


def set_at(record: Any, path: Path_, value: Any) -> None:
    at(record, path[:-1])[path[-1]] = value


# What a report must say, by the reference alone.


def follows(record: Any) -> bool:
    """Whether everything in a report follows from its records, or enters nothing."""
    if not VALIDATOR.is_valid(record) or has_nan(record):
        return False
    settings_ = {**record["contract"], **record["aggregation"]}
    if settings_["k"] != "all" and not isinstance(settings_["k"], int):
        return False
    if settings_["round_to"] is not None:
        return False
    for name, value in settings_.items():
        if name not in ("k", "round_to") and value not in CHOICES[name] and value != "power:2":
            return False
    entries = [*record["queries"], *record["excluded"]]
    if len({entry["query"] for entry in entries}) < len(entries):
        return False
    texts = {name: "none" if value is None else str(value) for name, value in settings_.items()}
    try:
        return (
            all(canonical(entry) for entry in entries)
            and all(averaged_rightly(entry, texts) for entry in record["queries"])
            and all(left_out_rightly(entry, texts) for entry in record["excluded"])
            and mean_follows(record, texts)
            and record["notes"] == [*depth_note(entries, settings_["k"]), *silence(record, settings_["k"])]
        )
    except reference.Refused:
        return False


def has_nan(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(has_nan, value.values() if isinstance(value, dict) else value))
    return isinstance(value, float) and math.isnan(value)


def depth_note(entries: list[Any], k: Any) -> list[str]:
    depth = max((len(entry["ranking"]) for entry in entries), default=0)
    if k == "all" or not 0 < depth < k:
        return []
    return [f"No query returns more than {depth} document{'s' * (depth != 1)}, and k is {k}."]


def silence(record: Any, k: Any) -> list[str]:
    """What would pass in silence, counted from the records alone."""
    queries, entries = record["queries"], [*record["queries"], *record["excluded"]]
    if any(entry.get("missing", False) is not (not entry["ranking"]) for entry in queries):
        return ["a query without results is not marked"]
    returned = [e["query"] for e in entries if e["ranking"]]
    strange = [e["query"] for e in entries if e["ranking"] and not e["judgments"]]
    told = []
    if not returned:
        told.append("The run holds no results.")
    elif returned == strange:
        n = len(returned)
        told.append(
            f"No query in common: of {n} {'query' if n == 1 else 'queries'} of the run and "
            f"{len(entries) - n} with judgments none is the same."
        )
    elif strange:
        told.append(f"{share(strange, returned, ' of the run')} no judgments: {', '.join(strange)}.")
    for part, nothing in (("ranking", "results"), ("judgments", "judgments")):
        names = [e["query"] for e in queries if not e[part]]
        if names:
            counts = "counts" if len(names) == 1 else "count"
            told.append(f"{share(names, queries)} no {nothing}, and {counts} 0: {', '.join(names)}.")
    both = [e for e in queries if e["ranking"] and e["judgments"]]
    none = [e["query"] for e in both if not {d["document"] for d in e["ranking"]} & set(e["judgments"])]
    if none:
        which = "any" if len(none) == len(both) else f"{len(none)} of {len(both)}"
        noun = "query" if len(both) == 1 else "queries"
        told.append(f"No returned document is judged in {which} averaged {noun} with results: {', '.join(none)}.")
    documents = without = 0
    for e in both:
        documents += len(e["ranking"]) if k == "all" else min(len(e["ranking"]), k)
        without += e["unjudged_in_k"]
    if without:
        noun = "returned document" if documents == 1 else "returned documents"
        where = "" if k == "all" else f" at ranks up to {k}"
        told.append(f"Judged@{k}: {documents - without} of {documents} {noun}{where} have a grade.")
    return told


def share(some: list[Any], whole: list[Any], where: str = "") -> str:
    kind, has = "" if where else "averaged ", "has" if len(some) == 1 else "have"
    return f"{len(some)} of {len(whole)} {kind}{'query' if len(whole) == 1 else 'queries'}{where} {has}"


def canonical(entry: Any) -> bool:
    numbers = [entry["weight"], *entry["judgments"].values(), *(entry["scale"] or [])]
    if any(str(Fraction(text)) != text for text in numbers):
        return False
    if entry["scale"] is not None and not set(entry["judgments"].values()) <= set(entry["scale"]):
        return False
    try:
        [Fraction(item["score"]) for item in entry["ranking"] if "score" in item]
    except (ValueError, ZeroDivisionError):
        return False
    return (
        sum("score" in item for item in entry["ranking"]) in (0, len(entry["ranking"])) and "rank_conflict" not in entry
    )


def state(entry: Any, texts: dict[str, str]) -> tuple[bool, bool, bool]:
    """Whether the query is judged, has results, and is averaged by those."""
    judged, ranked = bool(entry["judgments"]), bool(entry["ranking"])
    averaged = {
        "judged": judged and (ranked or texts["missing"] == "zero"),
        "run": ranked and (judged or texts["unjudged_queries"] == "zero"),
        "both": judged and ranked,
    }[texts["query_set"]]
    if texts["query_set"] == "judged" and judged and not ranked and texts["missing"] == "error":
        raise reference.Refused("MissingResults")
    return judged, ranked, averaged


def expected(entry: Any, texts: dict[str, str]) -> reference.Expected:
    judged, ranked, _ = state(entry, texts)
    given_ = [(item["document"], item.get("score")) for item in entry["ranking"]] if judged and ranked else []
    grades = {document: Fraction(grade) for document, grade in entry["judgments"].items()}
    result = reference.expected(texts, given_, grades)
    if isinstance(result, str):
        raise reference.Refused(result)
    return result


def left_out_rightly(entry: Any, texts: dict[str, str]) -> bool:
    judged, ranked, averaged = state(entry, texts)
    if averaged:
        zero = judged and ranked and texts["zero_ideal"] == "exclude" and not expected(entry, texts).idcg
        return zero and entry["reason"] == "zero ideal"
    return bool(entry["reason"] == ("no results" if judged else "no judgments"))


def ndcg(entry: Any, texts: dict[str, str]) -> Any:
    """The query's value: a Fraction, a Decimal of 60 digits, or the reason why it has none."""
    judged, ranked, _ = state(entry, texts)
    if not (judged and ranked):
        return Fraction(0)
    result = expected(entry, texts)
    if result.undefined:
        return result.undefined
    return result.supplied if result.supplied is not None else reference.ratio(result.dcg, result.idcg)


def averaged_rightly(entry: Any, texts: dict[str, str]) -> bool:
    if not state(entry, texts)[2]:
        return False
    value, result = ndcg(entry, texts), expected(entry, texts)
    if value == "zero ideal" and texts["zero_ideal"] == "exclude":
        return False
    return (
        says(entry["dcg"], result.dcg)
        and says(entry["idcg"], result.idcg)
        and says_number(entry["ndcg"], value)
        and entry["unjudged_in_k"] == result.unjudged_in_k
        and rows_follow(entry["rows"], entry, texts, result.dcg, ideal=False)
        and rows_follow(entry["ideal"], entry, texts, result.idcg, ideal=True)
    )


def rows_follow(rows: Any, entry: Any, texts: dict[str, str], total: reference.Form, *, ideal: bool) -> bool:
    """Ranks, grades, gains, discounts and contributions; contributions that sum to the DCG; documents once each."""
    forms = []
    for rank, row in enumerate(rows, 1):
        form = reference.discount(texts["discount"], rank)
        gain = Fraction(row["gain"])
        grade = entry["judgments"].get(row["document"])
        later = row["document"] in [earlier["document"] for earlier in rows[: rank - 1]]
        earns = grade is not None and not (later and texts["duplicates"] == "first")
        right = reference.gain(texts["gain"], Fraction(grade)) if earns and grade is not None else Fraction(0)
        forms.append(reference.times(form, gain))
        if row["rank"] != rank or row["grade"] != grade or row["gain"] != str(right):
            return False
        if not says(row["discount"], form) or not says(row["contribution"], forms[-1]):
            return False
        if ideal and later:
            return False
    if not ideal and [row["document"] for row in rows] not in orders(entry, texts):
        return False
    return reference.add(*forms) == total


def orders(entry: Any, texts: dict[str, str]) -> list[list[str]]:
    """The lists that the scores allow, cut at k; the one that the tie policy names where it names one."""
    items = entry["ranking"] if entry["judgments"] else []
    values = [Fraction(item.get("score", -i)) for i, item in enumerate(items)]
    order = sorted(range(len(items)), key=lambda i: -values[i])
    if texts["ties"] == "docno-ascending":
        order = sorted(range(len(items)), key=lambda i: (-values[i], items[i]["document"]))
    names = [items[i]["document"] for i in order]
    if texts["unjudged"] == "remove":
        names = [name for name in names if name in entry["judgments"]]
    return [names if texts["k"] == "all" else names[: int(texts["k"])]]


def says(value: Any, form: reference.Form) -> bool:
    """Whether a value is written as this form, in every one of its spellings."""
    if value.get("terms") != [[b, str(q)] for b, q in form.items()] or "scale" in value:
        return False
    number = form.get(2, Fraction(0)) if set(form) <= {2} else reference.number(form)
    return says_number(value, number)


def says_number(value: Any, number: Any) -> bool:
    if isinstance(number, str) or "undefined" in value:
        return bool(value == {"undefined": number})
    with localcontext(prec=reference.DIGITS):
        exact = Decimal(number.numerator) / number.denominator if isinstance(number, Fraction) else number
    if isinstance(value["float"], bool) or value["float"] != float(exact):
        return False
    with localcontext(prec=20):
        if Decimal(value["decimal"]) != +exact or len(value["decimal"].replace(".", "").lstrip("-0")) not in (0, 20):
            return False
    if "exact" in value:
        try:
            text = parse(value["exact"])
        except NdcgLabError:
            return False
        if str(text) != value["exact"] or abs(Decimal(text.decimal(50)) - exact) > Decimal("1e-40"):
            return False
    if "enclosure" in value:
        low, high = map(Fraction, value["enclosure"])
        if not low - Fraction(1, 10**50) <= Fraction(exact) <= high + Fraction(1, 10**50):
            return False
    return all(parts_follow(value[part], value) for part in ("numerator", "denominator") if part in value)


def parts_follow(terms: Any, value: Any) -> bool:
    """The parts of a quotient are those of its printed form."""
    over, under = value["exact"].rsplit("/(", 1) if "/(" in value["exact"] else (value["exact"], "")
    text = over.removeprefix("(").removesuffix(")") if terms is value["numerator"] else under.removesuffix(")")
    return not text or [[b, str(q)] for b, q in getattr(parse(text), "terms", {}).items()] == terms


def mean_follows(record: Any, texts: dict[str, str]) -> bool:
    entries = record["queries"]
    mean = record["mean"]
    if not entries:
        return bool(mean == {"dcg": {"undefined": "no queries"}, "ndcg": {"undefined": "no queries"}})
    weights = [Fraction(entry["weight"]) for entry in entries]
    whole = sum(weights, Fraction(0))
    if not whole:
        raise reference.Refused("weights")
    results = [expected(entry, texts) for entry in entries]
    dcg = reference.add(*(reference.times(r.dcg, w) for r, w in zip(results, weights, strict=True)))
    if not says_number(mean["dcg"], exactly(reference.times(dcg, 1 / whole))):
        return False
    if texts["aggregate"] == "ratio-of-sums":
        idcg = reference.add(*(reference.times(r.idcg, w) for r, w in zip(results, weights, strict=True)))
        supplied = {"zero": Fraction(0), "one": Fraction(1)}.get(texts["zero_ideal"], "zero ideal")
        return says_number(mean["ndcg"], reference.ratio(dcg, idcg) if idcg else supplied)
    values = [ndcg(entry, texts) for entry in entries]
    undefined = [entry["query"] for entry, value in zip(entries, values, strict=True) if isinstance(value, str)]
    if undefined:
        return bool(mean["ndcg"] == {"undefined": "zero ideal", "queries": undefined})
    if all(isinstance(value, Fraction) for value in values):
        return says_number(mean["ndcg"], sum(w * v for w, v in zip(weights, values, strict=True)) / whole)
    with localcontext(prec=reference.DIGITS):
        total = sum(decimal(w) * decimal(v) for w, v in zip(weights, values, strict=True))
        return says_number(mean["ndcg"], total / decimal(whole))


def exactly(form: reference.Form) -> Fraction | Decimal:
    return form.get(2, Fraction(0)) if set(form) <= {2} else reference.number(form)


def decimal(value: Any) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(value.numerator) / value.denominator


@pytest.mark.parametrize("nothing", ["[]", []])
def test_a_list_without_reports_is_no_report(nothing: Any) -> None:
    with pytest.raises(FormatError, match="0 reports"):
        verify(nothing)
