import csv
import gzip
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import ndcg_lab
from ndcg_lab.command import start
from ndcg_lab.command.cli import main
from ndcg_lab.command.terminal import printable
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS
from tests.support import ROOT
from tools.help import FOLDER, texts

QRELS = "q1 0 A 3\nq1 0 B 2\nq1 0 C 2\nq1 0 D 0\nq2 0 A 0\n"
RUN = "q1 Q0 B 1 4 t\nq1 Q0 C 2 3 t\nq1 Q0 A 3 2 t\nq1 Q0 D 4 1 t\nq3 Q0 A 1 1 t\n"
CONTRACT = ["--gain", "linear", "--k", "3"]
ZERO = ["--missing", "zero", "--zero-ideal", "zero"]


class Result(NamedTuple):
    status: int
    out: str
    err: str


Command = Callable[..., Result]


@pytest.fixture
def lab(capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line: its status, and what it printed."""

    def run(*arguments: str) -> Result:
        status = main(arguments)
        return Result(status, *capsys.readouterr())

    return run


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS, encoding="utf-8")
    Path("run").write_text(RUN, encoding="utf-8")
    return ["--qrels", "qrels", "--run", "run"]


def refused(result: Result) -> str:
    """The one line that says why nothing was done."""
    assert result.status == 2
    assert result.out == ""
    assert result.err.startswith("ndcg-lab: ")
    assert result.err.count("\n") == 1
    assert result.err.endswith("\n")
    assert "Traceback" not in result.err
    assert "Usage" not in result.err
    return result.err


# What is printed.


def test_a_table(lab: Command, files: list[str]) -> None:
    result = lab("evaluate", *files, *CONTRACT, *ZERO, "-q", "--exact")
    assert (result.status, result.err) == (0, "")
    lines = [line.strip() for line in result.out.splitlines() if line.strip()]
    assert [line.split() for line in lines[:1]] == [["query", "DCG", "ideal", "DCG", "NDCG"]]
    assert lines[2].split("  ")[0] == "q1"
    assert "3.5 + 2a (4.76186)" in lines[2]
    assert "4 + 2a (5.26186)" in lines[2]
    assert "(3.5 + 2a)/(4 + 2a) (0.904977)" in lines[2]
    assert lines[3].split() == ["q2", "0", "0", "0,", "no", "results"]
    assert lines[4].startswith("mean of 2")
    assert "left out, no judgments (1): q3" in lines
    assert "a is 1/log2(3), the discount at rank 2: 0.630930." in lines
    stated = result.out[result.out.index("contract: ") :]
    assert all(f"{field.name} = " in stated for field in (*FIELDS, *AGGREGATION_FIELDS))
    assert "over queries: " in stated
    assert max(map(len, result.out.splitlines())) <= 100


def test_a_summary_without_query_rows(lab: Command, files: list[str]) -> None:
    result = lab("evaluate", *files, *CONTRACT, *ZERO)
    lines = [line.split() for line in result.out.splitlines() if line.strip()]
    assert lines[2] == ["mean", "of", "2", "2.38093", "0.452488"]
    assert "q1" not in result.out


def test_json(lab: Command, files: list[str]) -> None:
    record = json.loads(lab("evaluate", *files, *CONTRACT, *ZERO, "--format", "json").out)
    assert record["schema"] == "ndcg-lab/report/1"
    assert record["contract"]["k"] == 3
    assert record["queries"][0]["ndcg"]["exact"] == "(7/2 + 2a)/(4 + 2a)"
    assert [left["query"] for left in record["excluded"]] == ["q3"]
    assert "base" not in record


def test_csv_is_tidy(lab: Command, files: list[str]) -> None:
    def rows(*flags: str) -> list[dict[str, str]]:
        return list(
            csv.DictReader(io.StringIO(lab("evaluate", *files, *CONTRACT, *ZERO, "--format", "csv", *flags).out))
        )

    plain = rows()
    assert list(plain[0]) == ["run", "query", "measure", "value", "missing"]
    assert [(row["query"], row["measure"]) for row in plain] == [
        (query, measure) for measure in ("NDCG@3", "DCG@3", "IDCG@3") for query in ("q1", "q2")
    ]
    assert plain[0]["value"].startswith("0.904976558")  # as the claims ledger has it
    assert [row["missing"] for row in plain[:2]] == ["", "true"]
    assert rows("--exact")[0]["exact"] == "(7/2 + 2a)/(4 + 2a)"
    everything = rows("--all", "--exact")
    assert [(row["kind"], row["query"], row["exact"], row["reason"]) for row in everything[:4]] == [
        ("query", "q1", "(7/2 + 2a)/(4 + 2a)", ""),
        ("query", "q2", "0", ""),
        ("excluded", "q3", "", "no judgments"),
        ("mean", "", "(7/4 + a)/(4 + 2a)", ""),
    ]
    stated = rows("--contract-columns")[0]
    assert {field.name for field in (*FIELDS, *AGGREGATION_FIELDS)} <= stated.keys()
    assert (stated["gain"], stated["round_to"]) == ("linear", "none")


def test_several_cutoffs(lab: Command, files: list[str]) -> None:
    arguments = ["evaluate", *files, "--gain", "linear", "--k", "1, 2,all", *ZERO]
    lines = [line.split() for line in lab(*arguments, "-q").out.splitlines() if line.strip()]
    assert lines[0] == ["query", "NDCG@1", "NDCG@2", "NDCG@all"]
    assert lines[2][:2] == ["q1", "0.666667"]
    reports = json.loads(lab(*arguments, "--format", "json").out)
    assert [report["contract"]["k"] for report in reports] == [1, 2, "all"]
    rows = csv.DictReader(io.StringIO(lab(*arguments, "--format", "csv", "--all").out))
    assert [row["measure"] for row in rows if row["kind"] == "mean"][::3] == ["NDCG@1", "NDCG@2", "NDCG"]


def test_cutoffs_that_leave_out_different_queries(lab: Command, files: list[str]) -> None:
    Path("qrels").write_text("q1 0 A 1\nq1 0 B 0\n", encoding="utf-8")
    Path("run").write_text("q1 Q0 B 1 2 t\nq1 Q0 A 2 1 t\n", encoding="utf-8")
    settings = ["--gain", "linear", "--k", "1,2", "--ideal-population", "returned-at-k", "--zero-ideal", "exclude"]
    out = lab("evaluate", *files, *settings, "-q", "--exact").out
    assert "left out   a (0.630930)" in out
    assert "at k = 1: left out, zero ideal (1): q1" in out


def test_one_query(lab: Command, files: list[str]) -> None:
    record = json.loads(lab("evaluate", *files, *CONTRACT, "--query", "q1", "--format", "json").out)
    assert [entry["query"] for entry in record["queries"]] == ["q1"]
    assert record["excluded"] == []
    assert "'q9'" in refused(lab("evaluate", *files, *CONTRACT, "--query", "q9"))


def test_weights(lab: Command, files: list[str]) -> None:
    Path("weights").write_text("q1 3\n", encoding="utf-8")
    out = lab("evaluate", *files, *CONTRACT, *ZERO, "--weights", "weights").out
    assert "weighted mean of 2" in out
    record = json.loads(lab("evaluate", *files, *CONTRACT, *ZERO, "--weights", "weights", "--format", "json").out)
    assert [entry["weight"] for entry in record["queries"]] == ["3", "1"]
    Path("weights").write_text("q9 3\n", encoding="utf-8")
    assert "'q9'" in refused(lab("evaluate", *files, *CONTRACT, *ZERO, "--weights", "weights"))


def test_an_undefined_mean_says_why(lab: Command, files: list[str]) -> None:
    out = lab("evaluate", *files, *CONTRACT, "--missing", "exclude", "--query", "q1").out
    assert "undefined (" not in out
    Path("run").write_text(RUN + "q2 Q0 A 1 1 t\n", encoding="utf-8")
    out = lab("evaluate", *files, *CONTRACT).out
    assert "undefined (zero ideal)" in out
    assert "undefined, zero ideal (1): q2" in out


def test_a_value_just_below_1_is_not_shown_as_1(lab: Command, files: list[str]) -> None:
    Path("qrels").write_text("q 0 A 60\nq 0 B 0\nq 0 C 1\n", encoding="utf-8")
    Path("run").write_text("q Q0 A 1 3 t\nq Q0 B 2 2 t\nq Q0 C 3 1 t\n", encoding="utf-8")
    out = lab("evaluate", *files, "--gain", "exponential", "--k", "3").out
    assert "1.00000, not 1" in out


def test_standard_input(lab: Command, files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    packed = io.TextIOWrapper(io.BytesIO(gzip.compress(RUN.encode())))
    monkeypatch.setattr("sys.stdin", packed)
    assert "0.904977" in lab("evaluate", *files[:2], "--run", "-", *CONTRACT, *ZERO, "-q").out
    assert "--qrels and --run" in refused(lab("evaluate", "--qrels", "-", "--run", "-", *CONTRACT))


def test_every_setting_is_a_flag(lab: Command, files: list[str]) -> None:
    values = {
        "gain": "exponential",
        "k": "2",
        "discount": "log:10",
        "ideal_population": "returned",
        "ideal_cutoff": "returned",
        "ties": "worst",
        "score_precision": "float32",
        "unjudged": "zero",
        "duplicates": "first",
        "negative": "zero",
        "zero_ideal": "one",
        "round_to": "4",
        "query_set": "run",
        "missing": "exclude",
        "unjudged_queries": "zero",
        "aggregate": "mean",
    }
    assert list(values) == [field.name for field in (*FIELDS, *AGGREGATION_FIELDS)]
    flags = [part for name, value in values.items() for part in (f"--{name.replace('_', '-')}", value)]
    record = json.loads(lab("evaluate", *files, *flags, "--format", "json").out)
    found = {**record["contract"], **record["aggregation"]}
    assert found == {**values, "k": 2, "round_to": 4}


# Where a contract comes from.


def test_a_contract_from_a_file(lab: Command, files: list[str]) -> None:
    Path("contract.json").write_text('{"gain": "linear", "k": 2, "zero_ideal": "zero"}', encoding="utf-8")
    arguments = ["evaluate", *files, "--contract", "contract.json", "--missing", "zero"]
    record = json.loads(lab(*arguments, "--format", "json").out)
    assert (record["contract"]["k"], record["contract"]["zero_ideal"]) == (2, "zero")
    assert record["base"] == {"name": "contract.json", "kind": "file", "overridden": {}}
    record = json.loads(lab(*arguments, "--k", "3", "--gain", "linear", "--format", "json").out)
    assert record["contract"]["k"] == 3
    assert record["base"] == {"name": "contract.json", "kind": "file", "overridden": {"k": 2}}
    assert "from: the file contract.json, overriding its k = 2" in lab(*arguments, "--k", "3").out


def test_a_contract_file_may_leave_what_flags_say(lab: Command, files: list[str]) -> None:
    Path("contract.json").write_text('{"gain": "linear"}', encoding="utf-8")
    arguments = ["evaluate", *files, "--contract", "contract.json", *ZERO]
    assert json.loads(lab(*arguments, "--k", "3", "--format", "json").out)["base"]["overridden"] == {
        "zero_ideal": "undefined"
    }
    assert "--k (" in refused(lab(*arguments))


@pytest.mark.parametrize("whole", [False, True], ids=["flat", "as `conventions` prints it"])
def test_a_contract_file_may_hold_query_settings(lab: Command, files: list[str], whole: bool) -> None:
    record = json.loads(lab("conventions", "ir_measures", "--format", "json").out)
    flat = {**record["contract"], **record["aggregation"]}
    Path("contract.json").write_text(json.dumps(record if whole else flat), encoding="utf-8")
    found = json.loads(lab("evaluate", *files, "--contract", "contract.json", "--format", "json").out)
    assert (found["contract"], found["aggregation"]) == (record["contract"], record["aggregation"])
    assert found["aggregation"]["missing"] == "zero"
    found = json.loads(
        lab("evaluate", *files, "--contract", "contract.json", "--missing", "exclude", "--format", "json").out
    )
    assert found["base"]["overridden"] == {"missing": "zero"}


def test_a_convention(lab: Command, files: list[str]) -> None:
    record = json.loads(lab("evaluate", *files, "--convention", "trec_eval", "--k", "2", "--format", "json").out)
    assert record["contract"]["ties"] == "docno-descending"
    assert record["aggregation"]["query_set"] == "both"
    assert record["base"] == {"name": "trec_eval", "overridden": {"k": "all"}}


def test_the_call_that_gives_a_contract(lab: Command) -> None:
    """Words that follow are trec_eval's own: its manual page's `-m ndcg_cut.k`."""
    found = lab("conventions", "pyserini", "--call", "--gain", "linear", "--k", "5", "--unjudged", "remove")
    assert found.out.splitlines()[0] == "trec_eval -q -J -m ndcg_cut.5 qrels.txt run.txt"
    assert "# where: Grades are whole numbers." in found.out
    record = json.loads(
        lab("conventions", "trec_eval", "--call", "--gain", "exponential", "--k", "5", "--format", "json").out
    )
    assert record["text"] is None
    assert "`k = 5` cuts" in record["cannot"][0]
    assert "`sklearn`" not in lab("conventions", "sklearn", "--call", "--convention", "sklearn").out
    for arguments, message in (
        (["--call", "--gain", "linear", "--k", "5"], "--call takes one system"),
        (["ranx", "--gain", "linear"], "a contract is for `conventions NAME --call`"),
        (["ranx", "--call"], "--gain ("),
        (["haystack", "--call", "--gain", "linear", "--k", "5"], "no calls are known for `haystack`"),
    ):
        assert message in refused(lab("conventions", *arguments))


def test_what_sets_two_systems_apart(lab: Command) -> None:
    page = lab("conventions", "trec_eval", "ranx", "--format", "markdown").out
    assert "| `ties` | docno-descending | input |" in page
    assert "| A and B tie; A stands first in the input | `2/3` | `1` |" in page
    assert "`mteb` and `pytrec_eval`" not in page
    assert "`trec_eval` and `pytrec_eval` have one contract." in lab("conventions", "trec_eval", "pytrec_eval").out
    assert list(json.loads(lab("conventions", "sklearn", "ranx", "--format", "json").out)) == ["scikit-learn", "ranx"]


def test_comments_are_skipped_where_the_conventions_system_skips_them(lab: Command, files: list[str]) -> None:
    """The input on which trec_eval 10.0-rc3 prints 0.5000 and 9.0.8 prints 0.2500, both with -c."""
    Path("qrels").write_text("#q2 0 b 1\nq1 0 a 1\n#q3 0 c 1\nq4 0 d 1\n", encoding="utf-8")
    Path("run").write_text("q1 Q0 a 1 1 x\nq1 Q0 b 2 0.5 x\n", encoding="utf-8")
    arguments = ["evaluate", *files, "--k", "3", "--query-set", "judged", "--missing", "zero", "--format", "json"]

    def mean(*more: str) -> float:
        return float(json.loads(lab(*arguments, *more).out)["mean"]["ndcg"]["float"])

    assert mean("--convention", "trec_eval-10") == 0.5
    assert mean("--convention", "trec_eval", "--comments", "data") == 0.25
    assert "qrels, line 1: the line begins with `#`" in refused(lab(*arguments, "--convention", "trec_eval"))
    assert "qrels, line 1: " in refused(lab("identify", *files, "--reported", "0.5"))
    assert lab("identify", *files, "--reported", "0.5", "--comments", "skip").status == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "contract.json: line 1"),
        ("[]", "contract.json: a contract is a JSON object"),
        ('{"gian": "linear"}', "contract.json: the contract has no field `gian`"),
        ('{"gain": "linear", "k": 0}', "contract.json: `k = 0`"),
        ('{"gain": {}, "k": 1}', "contract.json: "),
        ('{"gain": "linear", "k": [1]}', "contract.json: "),
        ("\xff", "contract.json"),
    ],
)
def test_a_bad_contract_file_is_named(lab: Command, files: list[str], text: str, message: str) -> None:
    Path("contract.json").write_bytes(text.encode("latin-1"))
    assert message in refused(lab("evaluate", *files, "--contract", "contract.json"))


# What is refused, in one line, with status 2.


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ([], ["no command given", "--help"]),
        (["evalute"], ["evalute"]),
        (["evaluate"], ["--qrels"]),
        (["evaluate", "--qrels", "qrels"], ["--run"]),
        (["evaluate", "--qrels"], ["--qrels"]),
        (["evaluate", "--qrels", "qrels", "--run", "run", "extra", *CONTRACT], ["extra"]),
        (["evaluate", "--qrels", "qrels", "--run", "run"], ["--gain", "--k", "--convention", "--contract"]),
        (["evaluate", "--qrels", "qrels", "--run", "run", "--gain", "linear"], ["--k"]),
        (["evaluate", "--qrels", "qrels", "--run", "run", *CONTRACT, "--gian", "x"], ["--gian"]),
        (
            ["evaluate", "--qrels", "qrels", "--run", "run", *CONTRACT, "--ties", "random"],
            ["`ties = random`", "average"],
        ),
        (
            ["evaluate", "--qrels", "qrels", "--run", "run", *CONTRACT, "--missing", "skip"],
            ["`missing = skip`", "zero"],
        ),
        (["evaluate", "--qrels", "qrels", "--run", "run", *CONTRACT, "--format", "xml"], ["xml", "json"]),
        (["evaluate", "--qrels", "qrels", "--run", "run", "--gain", "linear", "--k", "5,x"], ["`k = x`"]),
        (["evaluate", "--qrels", "qrels", "--run", "run", "--gain", "linear", "--k", ""], ["`k = `"]),
        (["evaluate", "--qrels", "nowhere", "--run", "run", *CONTRACT], ["nowhere: No such file or directory"]),
        (["evaluate", "--qrels", ".", "--run", "run", *CONTRACT], [".: Is a directory"]),
        (["evaluate", "--qrels", "run", "--run", "run", *CONTRACT], ["run, line 1: 6 columns (a run?)"]),
        (["evaluate", "--qrels", "qrels", "--run", "qrels", *CONTRACT], ["qrels, line 1: 4 columns"]),
        (["evaluate", "--qrels", "qrels", "--run", "run", *CONTRACT], ["q2", "`missing` decides"]),
        (["evaluate", "--qrels", "qrels", "--run", "run", "--convention", "nobody"], ["`nobody`", "trec_eval"]),
        (
            ["evaluate", "--qrels", "qrels", "--run", "run", "--convention", "trec_eval", "--contract", "x"],
            ["--convention and --contract"],
        ),
        (
            [
                "evaluate",
                "--qrels",
                "qrels",
                "--run",
                "run",
                *CONTRACT,
                "--aggregate",
                "ratio-of-sums",
                "--round-to",
                "2",
            ],
            ["round_to"],
        ),
        (["conventions", "nobody"], ["`nobody`"]),
    ],
    ids=lambda value: " ".join(value[-3:]) if isinstance(value, list) else "",
)
def test_bad_usage(lab: Command, files: list[str], arguments: list[str], parts: list[str]) -> None:
    assert files
    message = refused(lab(*arguments))
    assert all(part in message for part in parts), message


@pytest.mark.parametrize(
    ("qrels", "run", "part"),
    [
        ("q 0 A 1\nq 0 B 0\n", "q Q0 A 1 1 t\nq Q0 B 2 1 t\n", "query 'q': documents 'A', 'B' share score 1"),
        ("q 0 A 1\n", "q Q0 X 1 1 t\n", "query 'q': document 'X' was returned and has no grade"),
        ("q 0 A 1\n", "q Q0 A 1 1 t\nq Q0 A 2 0 t\n", "query 'q': document 'A' was returned more than once"),
        ("q 0 A -1\n", "q Q0 A 1 1 t\n", "query 'q': document 'A' has the negative grade -1"),
        ("q 0 A 1\n", "q Q0 A 1 nan t\n", "run, line 1: document 'A' has score 'nan'"),
        ("q 0 A 1e999999999\n", "q Q0 A 1 1 t\n", "qrels, line 1: grade '1e999999999'"),
        ("q 0 A 1\n", "q Q0 A 1 1e999999999 t\n", "run, line 1: document 'A' has score '1e999999999'"),
        ("q 0 A 1\n", "q Q0 A 1 1\n", "run, line 1: 5 columns"),
        ("", "q Q0 A 1 1 t\n", "qrels holds no judgments"),
    ],
)
def test_bad_input(lab: Command, files: list[str], qrels: str, run: str, part: str) -> None:
    Path("qrels").write_text(qrels, encoding="utf-8")
    Path("run").write_text(run, encoding="utf-8")
    assert part in refused(lab("evaluate", *files, *CONTRACT))


def test_a_missing_gain(lab: Command, files: list[str]) -> None:
    message = refused(lab("evaluate", *files, "--gain", "0=0,3=5", "--k", "2", *ZERO))
    assert "query 'q1'" in message
    assert "grade 2" in message


def test_a_grade_past_exponential_gain(lab: Command, files: list[str]) -> None:
    Path("qrels").write_text("q 0 A 1000000000\n", encoding="utf-8")
    Path("run").write_text("q Q0 A 1 1 t\n", encoding="utf-8")
    assert "query 'q'" in refused(lab("evaluate", *files, "--gain", "exponential", "--k", "1"))


@pytest.mark.parametrize("output", ["table", "json", "csv"])
def test_a_large_grade_is_printed(lab: Command, files: list[str], output: str) -> None:
    Path("qrels").write_text("q 0 A 20000\nq 0 B 1\n", encoding="utf-8")
    Path("run").write_text("q Q0 B 1 2 t\nq Q0 A 2 1 t\n", encoding="utf-8")
    result = lab("evaluate", *files, "--gain", "exponential", "--k", "2", "--format", output)
    assert (result.status, result.err) == (0, "")


def test_an_unreadable_file(lab: Command, files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)  # no mode of a file keeps root from reading it
    assert "qrels: Permission denied" in refused(lab("evaluate", *files, *CONTRACT))


# Foreign text.


def test_a_name_moves_no_terminal(lab: Command, files: list[str]) -> None:
    name = "[red]x\x1b[31m\u202e:smile:"
    Path("qrels").write_text(f"{name} 0 A 1\nq2 0 {name} 1\n", encoding="utf-8")
    Path("run").write_text(f"{name} Q0 A 1 1 t\nq2 Q0 X 1 2 t\n", encoding="utf-8")
    out = lab("evaluate", *files, *CONTRACT, "--unjudged", "zero", "-q").out
    assert r"[red]x\x1b[31m\u202e:smile:" in out
    assert "\x1b" not in out
    message = refused(lab("evaluate", "--qrels", "qrels", "--run", "run\x1b[31m", *CONTRACT))
    assert r"run\x1b[31m: No such file" in message
    record = json.loads(lab("evaluate", *files, *CONTRACT, "--unjudged", "zero", "--format", "json").out)
    assert record["queries"][0]["query"] == name


def test_a_newline_in_an_argument_stays_in_the_line(lab: Command, files: list[str]) -> None:
    assert files
    refused(lab("evaluate", "--qrels", "a\nb", "--run", "run", *CONTRACT))


@pytest.mark.parametrize("text", ["plain", "naïve 文書", "a b"])
def test_what_can_be_printed_stays(text: str) -> None:
    assert printable(text) == text


# The other commands.


def test_the_version(lab: Command) -> None:
    assert lab("--version") == Result(0, f"ndcg-lab {ndcg_lab.__version__}\n", "")


def test_help_names_every_flag(lab: Command) -> None:
    result = lab("evaluate", "--help")
    assert result.status == 0
    assert all(field.flag in result.out for field in (*FIELDS, *AGGREGATION_FIELDS))


def test_help_stands_ready() -> None:
    """What is printed at once is what the command line says, and nothing is loaded for it."""
    assert {file.stem: file.read_text("utf-8") for file in FOLDER.glob("*.txt")} == texts(), "python -m tools.help"


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["evaluate", "--help"]])
def test_help_loads_nothing(arguments: list[str]) -> None:
    code = (
        "import sys; from ndcg_lab.command.start import main; status = main();"
        "print(status, sorted(sys.modules.keys() & {'typer', 'typing', 're', 'ndcg_lab.errors'}))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}", *arguments]
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    name = "ndcg-lab" if len(arguments) == 1 else arguments[0]
    assert out == f"{texts()[name]}0 []\n"


def test_help_of_a_narrow_screen_is_folded(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["ndcg-lab", "evaluate", "--help"])
    monkeypatch.setenv("COLUMNS", "50")
    assert start.main() == 0
    out = capsys.readouterr().out
    assert "--qrels" in out
    assert max(map(len, out.splitlines())) <= 50


def test_conventions(lab: Command) -> None:
    from ndcg_lab import conventions

    out = lab("conventions").out
    assert all(name in out for name in conventions)
    assert json.loads(lab("conventions", "--format", "json").out) == conventions.to_json()
    rows = list(csv.DictReader(io.StringIO(lab("conventions", "--format", "csv").out)))
    assert [row["name"] for row in rows] == list(conventions)
    assert json.loads(lab("conventions", "trec_eval", "--format", "json").out)["name"] == "trec_eval"
    assert "docno-descending" in lab("conventions", "trec_eval").out


# As a program.


def program(*arguments: str, **changes: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **changes}
    return subprocess.run(
        [sys.executable, "-m", "ndcg_lab", *arguments], capture_output=True, check=False, env=environment
    )


def test_the_program_has_its_status(files: list[str]) -> None:
    done = program("evaluate", *files, *CONTRACT, *ZERO)
    assert (done.returncode, done.stderr) == (0, b"")
    bad = program("evaluate", *files, *CONTRACT, "--ties", "random")
    assert (bad.returncode, bad.stdout) == (2, b"")
    assert bad.stderr.count(b"\n") == 1


def test_nothing_is_cut_where_there_is_no_terminal(files: list[str]) -> None:
    name = "q" * 300
    Path("qrels").write_text(f"{name} 0 A 1\n", encoding="utf-8")
    Path("run").write_text(f"{name} Q0 A 1 1 t\n", encoding="utf-8")
    done = program("evaluate", *files, *CONTRACT, "-q", COLUMNS="40", FORCE_COLOR="")
    assert name.encode() in done.stdout
    assert b"\x1b" not in done.stdout


def test_an_encoding_that_lacks_a_character_is_no_error(files: list[str]) -> None:
    Path("qrels").write_text("naïve 0 A 1\n", encoding="utf-8")
    Path("run").write_text("naïve Q0 A 1 1 t\n", encoding="utf-8")
    done = program("evaluate", *files, *CONTRACT, "-q", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"na\xefve" in done.stdout


@pytest.mark.parametrize("output", ["table", "json", "csv"])
def test_a_reader_that_leaves_is_no_error(files: list[str], output: str) -> None:
    lines = [f"q{i} 0 A 1\n" for i in range(2000)]
    Path("qrels").write_text("".join(lines), encoding="utf-8")
    Path("run").write_text("".join(line.replace(" 0 A 1", " Q0 A 1 1 t") for line in lines), encoding="utf-8")
    command = [sys.executable, "-m", "ndcg_lab", "evaluate", *files, "--gain", "linear", "--k", "1", "--format", output]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_full_disk_is_an_error(files: list[str]) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with full.open("wb") as disk:
        command = [sys.executable, "-m", "ndcg_lab", "evaluate", *files, *CONTRACT, *ZERO]
        environment: Any = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, stdout=disk, stderr=subprocess.PIPE, check=False, env=environment)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"No space left on device" in done.stderr
