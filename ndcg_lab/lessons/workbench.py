"""The workbench: a reader's own grades, rankings and files, under any contract, on one page.

`Workbench` holds widgets. What it computes lives in `Job`, which knows no widget: texts and settings in, reports,
comparison, explanation and identification out.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import ipywidgets

from ndcg_lab import Contract, Ranking, compare, conventions, evaluate_run, explain, identify
from ndcg_lab.errors import FormatError, NdcgLabError
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.lessons import views
from ndcg_lab.lessons.controls import Announcer, Choice, Download
from ndcg_lab.lessons.display import bundle
from ndcg_lab.lessons.field_control import FieldControl
from ndcg_lab.lessons.given import Data, read_grades, read_trec
from ndcg_lab.lessons.text import both, decimal, escape
from ndcg_lab.limits import WORKBENCH_ROWS, beyond
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS, Aggregation
from ndcg_lab.reports.comparison import ReportComparison
from ndcg_lab.reports.report import Report
from ndcg_lab.reports.report_views import report_rows
from ndcg_lab.reports.significance import RESAMPLES, tests_of
from ndcg_lab.tables import csv_of

GRADES, TREC = "grades in ranked order", "qrels and runs"
OWN = "set every field"
_ROWS = 20  # queries shown
_LONG = 80  # characters of an exact form shown
_TERMS = 12  # terms of an exact form that may be shown
_SEED = 2021  # of the tests of chance


@dataclass(frozen=True)
class Job:
    """Data and settings; everything that the page shows follows from them.

    Args:
        data: judgments by query, and one or two runs by name.
        contract: the contract.
        aggregation: the settings over queries.
        second: a contract to explain the difference to, with its own settings over queries; None for none.
    """

    data: Data
    contract: Contract
    aggregation: Aggregation = field(default_factory=Aggregation)
    second: tuple[Contract, Aggregation] | None = None

    @cached_property
    def reports(self) -> dict[str, Report]:
        """A report for each run."""
        return {name: self._report(run, self.contract, self.aggregation) for name, run in self.data[1].items()}

    def _report(self, run: Mapping[str, Ranking], contract: Contract, aggregation: Aggregation) -> Report:
        return evaluate_run(contract, run, self.data[0], **aggregation.to_json())

    def report_html(self) -> str:
        """The reports side by side: each query's NDCG, the mean, what was left out, what to note."""
        reports = self.reports
        names = list(reports)
        values = {name: {result.query: result.ndcg for result in report} for name, report in reports.items()}
        queries = list(dict.fromkeys(query for report in reports.values() for query in (r.query for r in report)))
        rows = [(escape(q), *(_cell(values[name].get(q)) for name in names)) for q in queries[:_ROWS]]
        if len(queries) > _ROWS:
            rows.append((f"… {len(queries) - _ROWS} more", *("" for _ in names)))
        rows.append((self.aggregation.aggregate, *(_cell(reports[name].mean.ndcg) for name in names)))
        html = views.rows_table(f"NDCG by query, {_counted(len(queries))}", ("query", *map(escape, names)), rows)
        for name, report in reports.items():
            left: dict[str, list[str]] = {}
            for excluded in report.excluded:
                left.setdefault(excluded.reason, []).append(excluded.query)
            for reason, those in left.items():
                more = f" and {len(those) - 5} more" if len(those) > 5 else ""
                html += views.block(f"{escape(name)}: left out for {reason}: {escape(', '.join(those[:5]))}{more}.")
            html += "".join(views.block(f"{escape(name)}: {escape(note)}") for note in report.notes)
        return html

    def comparison_html(self) -> str:
        """Who leads, query by query and on the mean; empty with one run."""
        if len(self.reports) < 2:
            return ""
        (one, first), (other, second) = self.reports.items()
        result = compare(first, second)
        wins, ties, losses = result.counts()
        html = views.block(
            f"<strong>compare:</strong> of {_counted(wins + ties + losses)} {escape(one)} leads in {wins}, "
            f"{escape(other)} in {losses}, exactly equal {ties}."
        )
        if result.mean.sign is None:
            return html + views.block(f"Over queries: {escape(str(result.mean.difference))}.")
        lead = "exactly equal" if result.mean.sign == 0 else f"{escape(one if result.mean.sign > 0 else other)} leads"
        difference = result.mean.difference
        assert isinstance(difference, Exact)
        size = decimal(difference, 6)
        html += self._chance(result)
        if len(result.queries) > _ROWS:  # a certificate of a long mean is for a checker, not for a page
            return html + views.block(
                f"Over queries: {lead}; the difference is {size}, its sign proved by enclosures. "
                "<code>ndcg-lab compare --format json</code> writes its certificate."
            )
        proof = result.mean.certificate
        assert proof is not None
        told = both(difference, 6) if _is_short(difference) else f"the difference is {size}"
        return html + views.block(f"Over queries: {lead}; {told}, {escape(views.proved(proof))}.")

    def _chance(self, result: ReportComparison) -> str:
        """What tests of chance say of the lead, where there are several queries; a proved sign is no evidence."""
        one, other = self.reports.values()
        if sum(compared.sign is not None for compared in result.queries.values()) < 2:
            return ""
        tests = tests_of(result, one, other, seed=_SEED, resamples=RESAMPLES)
        return views.block("Whether a lead is more than chance is another question than its sign. ") + "".join(
            views.block(escape(sentence)) for sentence in tests.words
        )

    def explanation_html(self) -> str:
        """What the second contract does to the first run's numbers; empty without one."""
        if self.second is None:
            return ""
        name, run = next(iter(self.data[1].items()))
        explanation = explain(self.reports[name], self._report(run, *self.second))
        return (
            views.block(f"<strong>explain</strong> ({escape(name)} under the two contracts):")
            + explanation._repr_html_()
        )

    def identification_html(self, reported: str, quantity: str) -> str:
        """Which contracts give a number; empty without one."""
        if not reported.strip():
            return ""
        qrels, runs = self.data
        name, run = next(iter(runs.items()))
        documents = sum(map(len, qrels.values())) + sum(map(len, run.values()))
        if documents > WORKBENCH_ROWS:
            raise NdcgLabError(f"here are {documents:,} rows: those that identify takes are {beyond('WORKBENCH_ROWS')}")
        if len(qrels) == 1 and len(run) == 1:
            ((query, judgments),) = qrels.items()
            found = identify(run[query], judgments, reported=reported, quantity=quantity)
        else:
            found = identify(run, qrels, reported=reported, quantity=quantity)
        return views.block(f"<strong>identify</strong> ({escape(name)}):") + found._repr_html_()


def _counted(queries: int) -> str:
    return f"{queries} {'query' if queries == 1 else 'queries'}"


def _cell(value: Exact | Undefined | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, Undefined):
        return escape(str(value))
    return both(value) if _is_short(value) else decimal(value)


def _spoken(value: Exact | Undefined) -> str:
    return str(value) if isinstance(value, Undefined) else f"mean NDCG {decimal(value)}"


def _is_short(value: Exact) -> bool:
    """Whether the exact form is worth showing; long ones are not even written."""
    forms = [form for monomial in value.monomials() for form, _ in monomial]
    return sum(map(len, forms)) <= _TERMS and len(str(value)) <= _LONG


# ---------- widgets ----------


class _Setting:
    """A field's control, and under it what the data need of this field."""

    def __init__(self, control: FieldControl) -> None:
        self.control = control
        self.message = ipywidgets.HTML()
        self.widget = ipywidgets.VBox([control.widget, self.message])


class _File:
    """A text to paste, and beside it a file to upload, which then counts."""

    def __init__(self, label: str, text: str, example: str) -> None:
        self.text = ipywidgets.Textarea(value=text, description=label, placeholder=example, continuous_update=False)
        self.text.layout.width, self.text.layout.height = "min(100%, 48em)", "7em"
        self.text.style.description_width = "8em"
        self.upload = ipywidgets.FileUpload(description=f"upload {label}", multiple=False)
        self.upload.layout.width = "14em"
        self.told = ipywidgets.HTML()
        self.clear = ipywidgets.Button(description="use the text again")
        self.clear.layout.display = "none"
        self.clear.on_click(lambda _: self._forget())
        self.upload.observe(lambda _: self._show(), names="value")
        self.widget = ipywidgets.VBox([self.text, ipywidgets.HBox([self.upload, self.clear]), self.told])

    @property
    def data(self) -> bytes:
        """The upload, or else the text."""
        uploaded = self.upload.value
        return bytes(uploaded[0]["content"]) if uploaded else self.text.value.encode()

    def _forget(self) -> None:
        self.upload.value = ()

    def _show(self) -> None:
        uploaded = self.upload.value
        self.told.value = f"<p>{escape(uploaded[0]['name'])}: {len(self.data)} bytes</p>" if uploaded else ""
        self.clear.layout.display = None if uploaded else "none"

    def observe(self, callback: Callable[[], None]) -> None:
        """Call back after each change."""
        self.text.observe(lambda _: callback(), names="value")
        self.upload.observe(lambda _: callback(), names="value")


_QRELS = "1 0 A 3\n1 0 B 2\n1 0 C 2\n1 0 D 0\n"
_RUNS = {
    "run A": "".join(f"1 Q0 {d} {rank} {10 - rank} X\n" for rank, d in enumerate("BCAD", 1)),
    "run B": "".join(f"1 Q0 {d} {rank} {10 - rank} Y\n" for rank, d in enumerate("ADBC", 1)),
}


_EXAMPLE = {"list A": "2 2 3 0", "list B": "3 0 2 2"}


class Workbench:
    """Bring your own: grades or files in; report, comparison, explanation and identification out.

    >>> Workbench()
    Workbench: one query, lists A and B; gain='linear', k=3
    """

    def __init__(self) -> None:
        self._quiet = False
        self.source = Choice("Data", [GRADES, TREC], index=0)
        self.grades = {
            name: ipywidgets.Textarea(value=text, description=name, continuous_update=False)
            for name, text in _EXAMPLE.items()
        }
        self.files = {
            "qrels": _File("qrels", _QRELS, "q1 0 documentA 3"),
            **{name: _File(name, text, "q1 Q0 documentA 1 9.5 tag") for name, text in _RUNS.items()},
        }
        self._typed = ipywidgets.VBox(list(self.grades.values()))
        self._trec = ipywidgets.VBox([file.widget for file in self.files.values()])
        self._data_message = ipywidgets.HTML()

        names = [OWN, *conventions]
        self.convention = ipywidgets.Dropdown(options=names, value=OWN, description="Contract of")
        self.settings = {f.name: _Setting(FieldControl(f)) for f in FIELDS}
        self.over = {f.name: _Setting(FieldControl(f)) for f in AGGREGATION_FIELDS}
        self.second = ipywidgets.Dropdown(options=["nothing", *conventions], value="nothing", description="Explain to")
        self.reported = ipywidgets.Text(description="Reported", placeholder="0.8076", continuous_update=False)
        self.quantity = Choice("The reported number is", ["any", "ndcg", "dcg", "idcg", "mean"], index=0)
        self.reset = ipywidgets.Button(description="reset")
        self._message, self._report, self._compared = (ipywidgets.HTML() for _ in range(3))
        self._explained, self._identified, self._contract = (ipywidgets.HTML() for _ in range(3))
        self._announcer = Announcer()
        self.downloads = [
            Download("report A as JSON", "report-a.json", "application/json", lambda: self._json(0), self._tell),
            Download("report B as JSON", "report-b.json", "application/json", lambda: self._json(1), self._tell),
            Download("both as CSV", "reports.csv", "text/csv", self._csv, self._tell),
        ]
        self._restart()

        self.source.observe(lambda _: self._changed(), names="index")
        for text in self.grades.values():
            text.observe(lambda _: self._grades_changed(), names="value")
        for file in self.files.values():
            file.observe(self._changed)
        for setting in self._all_settings().values():
            setting.control.on_change(self._field_changed)
        self.convention.observe(lambda _: self._take_convention(), names="value")
        self.second.observe(lambda _: self._changed(), names="value")
        self.reported.observe(lambda _: self._changed(), names="value")
        self.quantity.observe(lambda _: self._changed(), names="index")
        self.reset.on_click(lambda _: self._restart())

        downloads = ipywidgets.HBox(self.downloads, layout={"flex_flow": "row wrap"})
        fields = ipywidgets.VBox([s.widget for s in (*self.settings.values(), *self.over.values())])
        self.widget = ipywidgets.VBox(
            [
                _heading("1. Data"),
                *(self.source, self._typed, self._trec, self._data_message),
                _heading("2. Contract"),
                *(self.convention, fields, self._contract),
                _heading("3. Report"),
                *(self._message, self._report, downloads, self._compared),
                _heading("4. Explain and identify"),
                *(self.second, self._explained, self.reported, self.quantity, self._identified),
                *(self.reset, self._announcer),
            ]
        )

    # ---------- state ----------

    def _all_settings(self) -> dict[str, _Setting]:
        return {**self.settings, **self.over}

    def _restart(self) -> None:
        self._quiet = True
        self.source.index = 0
        for name, text in self.grades.items():
            text.value = _EXAMPLE[name]
        self._own_b = False
        self.convention.value, self.second.value, self.reported.value = OWN, "nothing", ""
        self.quantity.index = 0
        for file in self.files.values():
            file.upload.value = ()
        self._put(Contract(gain="linear", k=3), Aggregation())
        self._quiet = False
        self._refresh()

    def _put(self, contract: Contract, aggregation: Aggregation) -> None:
        for settings, controls in ((contract, self.settings), (aggregation, self.over)):
            for name, setting in controls.items():
                setting.control.value = getattr(settings, name)

    def _take_convention(self) -> None:
        if self._quiet or self.convention.value == OWN:
            return
        self._quiet = True
        convention = conventions[self.convention.value]
        try:
            contract = convention.at(self.settings["k"].control.value)
        except NdcgLabError:  # no cutoff that can be read
            contract = convention.contract
        self._put(contract, convention.aggregation)
        self._quiet = False
        self._refresh()

    def _field_changed(self) -> None:
        if self._quiet:
            return
        self._quiet = True
        self.convention.value = OWN
        self._quiet = False
        self._refresh()

    def _grades_changed(self) -> None:
        """Grades of one's own in list A push the example out of list B, which orders other documents."""
        if not self._quiet and self.grades["list A"].value != _EXAMPLE["list A"] and not self._own_b:
            self._quiet = True
            if self.grades["list B"].value == _EXAMPLE["list B"]:
                self.grades["list B"].value = ""
            self._own_b = True
            self._quiet = False
        self._changed()

    def _changed(self) -> None:
        if not self._quiet:
            self._refresh()

    def job(self) -> Job:
        """What the widgets hold, read."""
        if self.source.chosen == GRADES:
            data = read_grades({name: text.value for name, text in self.grades.items()})
        else:
            data = read_trec(self.files["qrels"].data, {name: self.files[name].data for name in _RUNS})
        contract = Contract.from_json({name: setting.control.value for name, setting in self.settings.items()})
        aggregation = Aggregation.from_json({name: setting.control.value for name, setting in self.over.items()})
        second = None
        if self.second.value != "nothing":
            convention = conventions[self.second.value]
            second = (convention.at(contract.k), convention.aggregation)
        return Job(data, contract, aggregation, second)

    def _json(self, which: int) -> str:
        """One report, as `ndcg-lab verify` and `ndcg-lab compare` read it."""
        reports = list(self.job().reports.values())
        if which >= len(reports):
            raise FormatError("there is one list here, and no second report")
        return json.dumps(reports[which].to_json(), ensure_ascii=False, indent=1)

    def _csv(self) -> str:
        """All reports as one table, its first column the run's name."""
        reports = self.job().reports.items()
        rows = (report_rows(name, [report], exact=True, everything=True, settings=True) for name, report in reports)
        return csv_of(row for each in rows for row in each)

    # ---------- showing ----------

    def _refresh(self) -> None:
        self._typed.layout.display = None if self.source.chosen == GRADES else "none"
        self._trec.layout.display = None if self.source.chosen == TREC else "none"
        for setting in self._all_settings().values():
            setting.message.value = ""
        self._data_message.value = self._message.value = ""
        places = (self._report, self._compared, self._explained, self._identified, self._contract)
        try:
            job = self.job()
            shown_now = [job.report_html(), job.comparison_html()]
            said = "; ".join(f"{name}: {_spoken(report.mean.ndcg)}" for name, report in job.reports.items())
        except NdcgLabError as error:
            for place in places:
                place.value = ""
            self._tell(error)
            return
        self._report.value, self._compared.value = shown_now
        self._contract.value = views.block(f"Contract: {escape(repr(job.contract))}, {escape(repr(job.aggregation))}")
        self._announcer.text = said
        for place, make in (
            (self._explained, job.explanation_html),
            (self._identified, lambda: job.identification_html(self.reported.value, self.quantity.chosen or "any")),
        ):
            try:
                place.value = make()
            except NdcgLabError as error:
                place.value = views.block(f"<strong>{escape(str(error))}</strong>")

    def _tell(self, error: NdcgLabError) -> None:
        """The message beside the control that settles it."""
        html = views.block(f"<strong>No report: {escape(str(error))}</strong>")
        self._announcer.text = f"No report: {error}"
        if isinstance(error, FormatError):
            self._data_message.value = html
            return
        self._message.value = html
        if error.setting is not None:
            self._all_settings()[error.setting].message.value = html

    def reading(self) -> str:
        """The page at its start."""
        job = self.job()
        other = conventions["tensorflow-ranking"]
        start = Job(job.data, job.contract, job.aggregation, (other.at(job.contract.k), other.aggregation))
        told = "With a kernel this is a form. This is what it shows for two lists of grades, 2 2 3 0 and 3 0 2 2."
        parts = [
            views.block(told),
            start.report_html(),
            start.comparison_html(),
            start.explanation_html(),
            start.identification_html("0.80756", "ndcg"),
        ]
        return "".join(parts)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return bundle(self.widget, self.reading(), repr(self))

    def __repr__(self) -> str:
        return "Workbench: one query, lists A and B; gain='linear', k=3"


def _heading(text: str) -> ipywidgets.HTML:
    return ipywidgets.HTML(f"<p><strong>{text}</strong></p>")
