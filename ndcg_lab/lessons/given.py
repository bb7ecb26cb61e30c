"""What a reader brings to the workbench: grades in ranked order, or TREC files."""

import io
from collections.abc import Mapping

from ndcg_lab import Judgments, Ranking
from ndcg_lab.errors import FormatError, NdcgLabError
from ndcg_lab.exact.rationals import Number, rational
from ndcg_lab.lessons import typed
from ndcg_lab.reports.trec import read_qrels, read_run

Data = tuple[dict[str, Judgments], dict[str, Mapping[str, Ranking]]]


def read_grades(texts: Mapping[str, str]) -> Data:
    """Grades in ranked order, a query a line, for one or two lists of the same documents.

    After `|` stand the grades of documents that were judged and not returned. A grade's document is named by its place
    among the sorted grades, so that a second list of the same grades orders the same documents. Lines are queries q1,
    q2, ….

    Raises:
        FormatError: naming the list, the line and the cause.
    """
    lists: dict[str, list[list[str]]] = {}
    returned: dict[str, list[int]] = {}
    for name, text in texts.items():
        lines = [line.replace(",", " ").partition("|") for line in typed.plain(text).splitlines() if line.strip()]
        if lines:
            lists[name] = [before.split() + after.split() for before, _, after in lines]
            returned[name] = [len(before.split()) for before, _, _ in lines]
    if not lists:
        raise FormatError(
            "no grades yet: type the grades of the returned documents in ranked order, and after | those of documents "
            "that were judged and not returned, like 2 2 3 0 | 3 1"
        )
    first, *others = lists
    qrels: dict[str, Judgments] = {}
    runs: dict[str, dict[str, Ranking]] = {name: {} for name in lists}
    for index, line in enumerate(lists[first]):
        query = f"q{index + 1}"
        try:
            grades = Judgments({f"{place}": grade for place, grade in enumerate(line)})
        except NdcgLabError as error:
            raise FormatError(f"{first}, line {index + 1}: {error}") from None
        ordered = sorted(grades, key=lambda place: (-grades[place], int(place)))
        names = {place: f"d{rank}" for rank, place in enumerate(ordered, 1)}
        qrels[query] = Judgments({names[place]: grades[place] for place in ordered})
        runs[first][query] = Ranking([names[place] for place in grades][: returned[first][index]])
        for name in others:
            if index >= len(lists[name]):
                continue
            left: dict[Number | None, list[str]] = {}
            for document, number in reversed(list(qrels[query].items())):
                left.setdefault(number, []).append(document)
            order = []
            for grade in lists[name][index]:
                same = left.get(_number(grade))
                if not same:
                    raise FormatError(f"{name}, line {index + 1}: grade {grade} is not left among those of {first}")
                order.append(same.pop())
            runs[name][query] = Ranking(order[: returned[name][index]])
    for name in others:
        if len(lists[name]) > len(lists[first]):
            raise FormatError(
                f"{name} has {len(lists[name])} lines and {first} has {len(lists[first])}: a line is a query"
            )
    return qrels, dict(runs)


def _number(grade: str) -> Number | None:
    try:
        return rational(grade)
    except NdcgLabError:
        return None


def read_trec(qrels: bytes, runs: Mapping[str, bytes]) -> Data:
    """TREC files, plain or gzip; a run without a line is left out.

    Raises:
        FormatError: naming file, line and cause.
    """
    if not qrels.strip():
        raise FormatError("no judgments yet: paste or upload lines like `q1 0 documentA 3`")
    given = {name: data for name, data in runs.items() if data.strip()}
    if not given:
        raise FormatError("no run yet: paste or upload lines like `q1 Q0 documentA 1 9.5 tag`")
    return read_qrels(_named("qrels", qrels)), {name: read_run(_named(name, data)) for name, data in given.items()}


def _named(name: str, data: bytes) -> io.BytesIO:
    source = io.BytesIO(data)
    source.name = name
    return source
