"""One more entry among the discounts, walked through all that knows discounts. Run in a process of its own:

the table is read once, so the entry is there before anything else is loaded, as if it were written in it.
"""

import json
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from ndcg_lab.measure import rules


def main() -> None:
    """Each step asserts; what nothing was told of but by the entry must work everywhere."""
    assert "ndcg_lab.measure.contract" not in sys.modules
    entry = rules.Entry(
        "shifted:P",
        "1/log2(rank + P), for a whole P from 1 on",
        lambda text, shift: rules.Discount(text, lambda rank: (rank + int(shift), 1)),
        lambda shift: isinstance(shift, int) and shift >= 1,
        cost=25,
        usual={"shifted:3": 25},
    )
    rules.DISCOUNTS = (*rules.DISCOUNTS, entry)

    from ndcg_lab import Contract, Judgments, Ranking, Report, evaluate, evaluate_run, explain, identify, verify, y
    from ndcg_lab.command.cli import main as command
    from ndcg_lab.lessons.field_control import FieldControl
    from ndcg_lab.lessons.workbench import Workbench
    from ndcg_lab.measure.contract import FIELDS, fields_table
    from ndcg_lab.reports.report_file import json_schema

    contract = Contract(gain="linear", k=2, discount="shifted:3")
    ranking, judgments = Ranking(["B", "A"]), Judgments({"A": 2, "B": 1, "C": 0})
    (field,) = (field for field in FIELDS if field.name == "discount")

    e = evaluate(contract, ranking, judgments)
    assert e.dcg == 2 * y(5) + y(4)  # grade 1 at rank 1, which is divided by log2(4) = 2
    assert e.idcg == 1 + y(5)
    assert "`shifted:P`: 1/log2(rank + P)" in fields_table()

    report = evaluate_run(contract, {"q": ranking}, {"q": judgments})
    record = json.loads(json.dumps(report.to_json()))
    assert verify(record) == []
    assert Report.from_json(record).mean.ndcg == e.ndcg
    assert "shifted:P" in json.dumps(json_schema())

    with TemporaryDirectory() as folder:
        qrels, run = Path(folder) / "qrels", Path(folder) / "run"
        qrels.write_text("q 0 A 2\nq 0 B 1\nq 0 C 0\n", encoding="utf-8")
        run.write_text("q Q0 B 1 9 t\nq Q0 A 2 8 t\n", encoding="utf-8")
        flags = ["--gain", "linear", "--k", "2", "--discount", "shifted:3", "--format", "json"]
        printed = StringIO()
        with redirect_stdout(printed):
            assert command(["evaluate", "--qrels", str(qrels), "--run", str(run), *flags]) == 0
        assert json.loads(printed.getvalue())["mean"]["ndcg"] == record["mean"]["ndcg"]

    reported = e.ndcg.decimal(12)  # type: ignore[union-attr]  # it is no Undefined: the ideal is above 0
    found = identify(ranking, judgments, reported=reported, quantity="ndcg")
    assert "shifted:3" in {match.contract.discount for match in found.matches}

    explanation = explain(evaluate(contract.replace(discount="log2"), ranking, judgments), e)
    assert [(d.field, d.a, d.b) for d in explanation.differences] == [("discount", "log2", "shifted:3")]

    control = FieldControl(field)
    control.value = "shifted:3"
    assert field.parse(control.value) == "shifted:3"
    bench = Workbench()
    bench.settings["discount"].control.value = "shifted:3"
    assert "discount=&#x27;shifted:3&#x27;" in bench._contract.value
    assert "No report" not in bench._message.value


if __name__ == "__main__":
    main()
