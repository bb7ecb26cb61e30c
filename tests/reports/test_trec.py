import gzip
import io
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_lab.errors import FormatError, NdcgLabError
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.reports.trec import as_qrels, as_run, read_qrels, read_run, read_weights

QRELS = "q1 0 A 3\nq1 0 B 2\nq2 0 A 0\n"
RUN = "q1 Q0 A 1 0.9 tag\nq1 Q0 B 2 0.8 tag\nq2 Q0 A 1 7 tag\n"


def qrels_of(text: str | bytes) -> dict[str, Judgments]:
    return read_qrels(io.BytesIO(text) if isinstance(text, bytes) else io.StringIO(text))


def refused_qrels(text: str | bytes) -> str:
    with pytest.raises(FormatError) as error:
        qrels_of(text)
    return str(error.value)


def refused_run(text: str) -> str:
    with pytest.raises(FormatError) as error:
        read_run(io.StringIO(text))
    return str(error.value)


def scores(ranking: Ranking) -> list[tuple[str, str]]:
    return [(row["document"], row["score"]) for row in ranking.to_json()]


# Where text comes from.


@pytest.mark.parametrize("packed", [False, True])
def test_a_path_is_read_plain_or_gzip_by_its_content(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "qrels.txt"
    path.write_bytes(gzip.compress(QRELS.encode()) if packed else QRELS.encode())
    expected = {"q1": Judgments({"A": 3, "B": 2}), "q2": Judgments({"A": 0})}
    assert read_qrels(path) == read_qrels(str(path)) == expected
    with path.open("rb") as file:
        assert read_qrels(file) == expected


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(QRELS.encode())))
    assert list(read_qrels("-")) == ["q1", "q2"]


@pytest.mark.parametrize(
    "text",
    [
        "q1\t0\tA\t3\nq1 0  B   2\nq2 0 A 0",
        QRELS.replace("\n", "\r\n"),
        "\ufeff" + QRELS,
        "\n\n" + QRELS.replace("\n", "\n \t\n"),
    ],
    ids=["tabs and blanks", "CRLF", "byte order mark", "blank lines"],
)
def test_spacing_is_free(text: str) -> None:
    assert qrels_of(text.encode()) == qrels_of(QRELS)


def test_an_id_may_hold_anything_but_ascii_blanks() -> None:
    names = ["naïve", "文書", "a\u00a0b", "a\u3000b", "[red]x", "\u202e", "0", "-", '"', "<b>", "a\x1cb", "\x85"]
    text = "".join(f"q 0 {name} 1\n" for name in names)
    assert list(qrels_of(text)["q"]) == names


COMMENTED = b"#q2 0 b 1\nq1 0 a 1\n# a note\nq4 0 d 1\n"


def test_a_line_that_begins_with_a_hash_is_what_comments_says() -> None:
    assert list(read_qrels(io.BytesIO(COMMENTED), comments="skip")) == ["q1", "q4"]
    assert list(read_qrels(io.BytesIO(b"#q2 0 b 1\nq1 0 #a 1\n"), comments="data")) == ["#q2", "q1"]
    run = b"# made by hand\nq1 Q0 a 1 1 t\n#q1 Q0 b 2 2 t\n"
    assert list(read_run(io.BytesIO(run), comments="skip")["q1"]) == ["a"]
    with pytest.raises(FormatError, match=r"line 1: the line begins with `#`; `comments` decides .* `skip` .* `data`"):
        read_qrels(io.BytesIO(COMMENTED))
    with pytest.raises(FormatError, match="line 1: the line begins with `#`"):
        read_run(io.BytesIO(run))
    with pytest.raises(NdcgLabError, match="`comments = maybe` is not a choice; choices: error, skip, data"):
        read_run(io.BytesIO(run), comments="maybe")


# What can't be read.


def test_a_bad_byte_is_named_with_its_line() -> None:
    assert "line 2: byte 0xe9 at position 6 is not UTF-8" in refused_qrels(QRELS.encode().replace(b"B", b"\xe9"))


def test_utf_16_is_recognised() -> None:
    assert "UTF-16" in refused_qrels(QRELS.encode("utf-16"))


def test_a_cut_gzip_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(QRELS.encode() * 100)[:-9])
    with pytest.raises(FormatError, match=r"cut\.gz: damaged gzip data"):
        read_qrels(path)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("q2 0 A", ["line 4", "3 columns", "4 columns: query iteration document grade"]),
        ("word", ["line 4", "1 column;"]),
        ("q1 Q0 A 1 0.9 tag", ["line 4", "6 columns", "run"]),
        ("q2 0 C many", ["line 4", "grade 'many'"]),
        ("q2 0 C nan", ["line 4", "grade 'nan'"]),
        ("q2 0 C inf", ["line 4", "grade 'inf'"]),
        ("q2 0 C 1/0", ["line 4", "grade '1/0'"]),
        ("q2 0 C 1_0", ["line 4", "grade '1_0'"]),
        ("q2 0 C ٣", ["line 4", "grade '٣'"]),
        ("q2 0 C 1e999999999", ["line 4", "grade '1e999999999'"]),
        ("q2 0 C " + "9" * 2_000_000, ["line 4", "grade '99"]),
        ("q1 0 B 1", ["line 4", "document 'B'", "query 'q1'", "grade 1", "2 on line 2"]),
    ],
)
def test_a_bad_judgment_is_named(line: str, parts: list[str]) -> None:
    message = refused_qrels(QRELS + line + "\n")
    assert all(part in message for part in parts), message
    assert len(message) < 400


def test_a_judgment_repeated_as_it_was_is_accepted() -> None:
    assert qrels_of(QRELS + "q1 0 B 2.0\n") == qrels_of(QRELS)


def test_a_file_without_judgments_is_refused_and_one_without_results_is_a_run() -> None:
    assert "holds no judgments" in refused_qrels("\n")
    assert read_run(io.StringIO("")) == {}


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("q1 0 A 3", ["line 4", "4 columns", "judgments"]),
        ("q1 Q0 C 3 nan tag", ["line 4", "score 'nan'"]),
        ("q1 Q0 C 3 -inf tag", ["line 4", "score '-inf'"]),
        ("q1 Q0 C 3 high tag", ["line 4", "score 'high'"]),
        ("q1 Q0 C 3 1e999999999 tag", ["line 4", "score '1e999999999'"]),
        ("q1 Q0 C 3 1e-999999999 tag", ["line 4", "score '1e-999999999'"]),
        ("q1 Q0 C 3 0.1", ["line 4", "5 columns"]),
    ],
)
def test_a_bad_result_is_named(line: str, parts: list[str]) -> None:
    message = refused_run(RUN + line + "\n")
    assert all(part in message for part in parts), message


def test_a_message_escapes_what_a_terminal_would_obey() -> None:
    assert "\x1b" not in refused_qrels("q 0 A \x1b[31m\n")


# Numbers, exactly.


def test_grades_are_exact() -> None:
    grades = qrels_of("q 0 a -8/5\nq 0 b 2\nq 0 c 1.9\nq 0 d +1e-3\nq 0 e 4/2\n")["q"]
    assert dict(grades) == {"a": Fraction(-8, 5), "b": 2, "c": Fraction(19, 10), "d": Fraction(1, 1000), "e": 2}


def test_scores_are_kept_as_written_and_ordered_exactly() -> None:
    lines = ["q Q0 a 1 0.10 t", "q Q0 b 2 1e-3 t", "q Q0 c 3 0.1000000000000000000001 t", "q Q0 d 4 -0 t"]
    ranking = read_run(io.StringIO("\n".join(lines)))["q"]
    assert scores(ranking) == [("a", "0.10"), ("b", "1e-3"), ("c", "0.1000000000000000000001"), ("d", "-0")]
    assert list(ranking) == ["c", "a", "b", "d"]


def test_a_document_returned_twice_is_kept_twice() -> None:
    assert list(read_run(io.StringIO("q Q0 a 1 2 t\nq Q0 a 2 1 t"))["q"]) == ["a", "a"]


# The rank column.


def test_a_rank_column_that_contradicts_the_scores_is_reported() -> None:
    run = read_run(io.StringIO("q1 Q0 A 1 0.2 t\nq1 Q0 B 2 0.9 t\nq2 Q0 A 1 1 t\n"))
    assert run.rank_conflicts == {"q1": "'A' has rank 1 and score 0.2, 'B' has rank 2 and score 0.9"}
    assert list(run["q1"]) == ["B", "A"]


@pytest.mark.parametrize(
    "ranks", [["1", "2", "3"], ["0", "0", "0"], ["1", "3", "2"], ["-", "x", "?"], ["7", "90", "1000"]]
)
def test_a_rank_column_that_says_nothing_else_is_not(ranks: list[str]) -> None:
    rows = zip("abc", ranks, ["0.9", "0.5", "0.5"], strict=True)
    assert not read_run(io.StringIO("".join(f"q Q0 {d} {r} {s} t\n" for d, r, s in rows))).rank_conflicts


# Weights.


def test_weights_are_exact() -> None:
    assert read_weights(io.StringIO("q1 2\nq2 0.1\nq3 1/3\nq4 0\n")) == {
        "q1": 2,
        "q2": Fraction(1, 10),
        "q3": Fraction(1, 3),
        "q4": 0,
    }


@pytest.mark.parametrize(
    ("text", "part"), [("q1 -1", "negative"), ("q1 x", "'x'"), ("q1", "1 column"), ("q1 1\nq1 2", "on line 1")]
)
def test_a_bad_weight_is_refused(text: str, part: str) -> None:
    with pytest.raises(FormatError, match=part):
        read_weights(io.StringIO(text))


# Mappings and data frames.


def test_mappings_are_judgments_and_runs() -> None:
    assert as_qrels({"q": {"A": "1.9"}, 7: Judgments({"B": 1})}) == {
        "q": Judgments({"A": "19/10"}),
        "7": Judgments({"B": 1}),
    }
    run = as_run({"x": {"A": 1, "B": 2}, "y": ["B", "A"], "z": Ranking(["C"])})
    assert {query: list(ranking) for query, ranking in run.items()} == {
        "x": ["B", "A"],
        "y": ["B", "A"],
        "z": ["C"],
    }


def test_frames_are_judgments_and_runs() -> None:
    qrels = pd.DataFrame({"query": [1, 1, 2], "document": ["A", "B", "A"], "grade": [3, 2, 0]})
    assert as_qrels(qrels) == {"1": Judgments({"A": 3, "B": 2}), "2": Judgments({"A": 0})}
    grades = pd.DataFrame({"query": ["1"], "document": ["A"], "grade": [Decimal("1.9")]})
    assert as_qrels(grades)["1"]["A"] == Fraction(19, 10)
    run = pd.DataFrame({"query": ["q", "q"], "document": ["A", "B"], "score": [0.1, 0.5]})
    assert list(as_run(run)["q"]) == ["B", "A"]


@pytest.mark.parametrize(
    ("rows", "part"),
    [
        ({"query": ["q"], "document": ["A"], "grade": [0.1 + 0.2]}, "row 1: grade 0.30000000000000004"),
        ({"query": ["q"], "document": [None], "grade": [1]}, "row 1: document"),
        ({"query": [1.0], "document": ["A"], "grade": [1]}, "row 1: query 1.0"),
        ({"query": ["q", "q"], "document": ["A", "A"], "grade": [1, 2]}, "row 2: document 'A'"),
        ({"need": ["q"], "document": ["A"], "grade": [1]}, "no column 'query'"),
    ],
)
def test_a_bad_row_of_judgments_is_named(rows: dict[str, list[object]], part: str) -> None:
    with pytest.raises(FormatError, match=part):
        as_qrels(pd.DataFrame(rows))


@pytest.mark.parametrize("score", [float("nan"), float("inf"), None, "high"])
def test_a_bad_score_in_a_frame_is_named(score: object) -> None:
    rows = pd.DataFrame({"query": ["q", "q"], "document": ["A", "B"], "score": pd.Series([1, score], dtype=object)})
    with pytest.raises(FormatError, match="row 2: document 'B' has score"):
        as_run(rows)


def test_neither_a_mapping_nor_a_frame_is_a_type_error() -> None:
    for nothing in ([], 3, [1], ["A"], b"q1 Q0 A 1 1 t"):
        with pytest.raises(TypeError, match="the run: "):
            as_run(nothing)


def test_a_bad_grade_in_a_mapping_names_its_query() -> None:
    with pytest.raises(NdcgLabError, match="query 'q7'"):
        as_qrels({"q7": {"A": 0.1 + 0.2}})


# Round trips.

blank = st.characters(blacklist_categories=["Cs"], blacklist_characters=" \t\n\r\x0b\x0c\0")
ids = st.text(blank, min_size=1, max_size=5).filter(lambda text: not text.startswith(("\ufeff", "#")))
fractions = st.fractions(min_value=-100, max_value=100, max_denominator=50)


@given(st.dictionaries(ids, st.dictionaries(ids, fractions, min_size=1, max_size=4), min_size=1, max_size=3))
@settings(deadline=None)
def test_judgments_survive_a_file(qrels: dict[str, dict[str, Fraction]]) -> None:
    lines = [f"{query} 0 {name} {grade}" for query, grades in qrels.items() for name, grade in grades.items()]
    assert qrels_of("\n".join(lines).encode()) == {query: Judgments(grades) for query, grades in qrels.items()}


@given(st.dictionaries(ids, st.decimals(allow_nan=False, allow_infinity=False, places=5), min_size=1, max_size=6))
@settings(deadline=None)
def test_scores_survive_a_file(scored: dict[str, Decimal]) -> None:
    lines = [f"q Q0 {name} 0 {score} t" for name, score in scored.items()]
    ranking = read_run(io.BytesIO("\n".join(lines).encode()))["q"]
    assert scores(ranking) == [(name, str(score)) for name, score in scored.items()]
    assert list(ranking) == sorted(scored, key=lambda name: scored[name], reverse=True)


def test_weights_that_are_none_are_no_weights() -> None:
    with pytest.raises(FormatError, match="holds no weights"):
        read_weights(io.StringIO(""))
