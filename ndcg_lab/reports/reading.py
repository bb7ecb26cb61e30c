"""Reads a report from its file."""

from ndcg_lab.errors import FormatError, NdcgLabError
from ndcg_lab.json_text import load
from ndcg_lab.reports.report import Report
from ndcg_lab.reports.sources import Source, read_source

__all__ = ["read_report"]


def read_report(source: Source) -> Report:
    """A report from its file, evaluated anew from its records.

    Args:
        source: the JSON of one report: a path, plain or gzip; `-` for standard input; or an open file.

    Raises:
        FormatError: naming the file, the place in it and the cause; also where the mean that the file states is not
            the one that follows from its records.
        NdcgLabError: where the report's contract refuses its records.
    """
    name, data = read_source(source)
    try:
        record = load(data.decode())
        if isinstance(record, list):
            raise FormatError(f"a list of {len(record)} reports; give one: a file written with one cutoff, --k 10")
        report = Report.from_json(record)
        stated, follows = record["mean"]["ndcg"], report.mean.ndcg.to_json()
        if any(stated.get(key) != follows.get(key) for key in ("float", "undefined")):
            raise FormatError("the mean that it states does not follow from its records; `verify` names what is wrong")
    except NdcgLabError as error:
        raise error.retold(f"{name}: {error}") from error
    return report
