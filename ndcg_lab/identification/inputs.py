"""What is asked: printed numbers, what is known about each, and the data that they were computed from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ndcg_lab.errors import NdcgLabError
from ndcg_lab.identification.printed import Printed, read_printed
from ndcg_lab.identification.space import Query
from ndcg_lab.measure.contract import AGGREGATION_FIELDS, FIELDS
from ndcg_lab.measure.data import Judgments, Ranking
from ndcg_lab.reports.trec import as_qrels, as_run

QUANTITIES = ("ndcg", "dcg", "idcg", "mean")
"""What a number may be. `mean` is of NDCG, over queries."""

_OVER_QUERIES = {"mean": ("mean",), "ndcg": ("mean",), "dcg": ("mean dcg",), "any": ("mean", "mean dcg")}
_OTHER_NAMES = {"mean ndcg": "mean", "mean dcg": "dcg"}


@dataclass(frozen=True)
class Asked:
    """One printed number: the quantities that it may be, the settings known of it, and its data."""

    printed: Printed
    quantities: tuple[str, ...]
    known: Mapping[str, object]
    queries: tuple[Query, ...]

    @property
    def over_queries(self) -> bool:
        """Whether it is a mean."""
        return self.quantities[0].startswith("mean")


def asked(ranking: object, judgments: object, reported: object, quantity: str) -> list[Asked]:
    """Everything that `identify` takes, as numbers with their data; see there.

    Raises:
        NdcgLabError: where the number, the quantity, a known setting or the shape of the data can't be read.
    """
    numbers = _numbers(reported)
    data = _data(ranking, judgments, per_number=isinstance(reported, list) and quantity not in {"mean", *_OTHER_NAMES})
    if len(data) == 1:
        data *= len(numbers)
    if len(data) != len(numbers):
        raise NdcgLabError(f"{len(numbers)} reported numbers for {len(data)} rankings; give one for each")
    return [_asked(number, known, quantity, queries) for (number, known), queries in zip(numbers, data, strict=True)]


def _asked(number: object, known: Mapping[str, object], quantity: str, queries: tuple[Query, ...]) -> Asked:
    chosen = str(known.get("quantity", quantity))
    chosen = _OTHER_NAMES.get(chosen, chosen)
    if chosen != "any" and chosen not in QUANTITIES:
        raise NdcgLabError(f"the quantity is {chosen!r}; it is one of {', '.join(QUANTITIES)} or any")
    if len(queries) > 1 or chosen == "mean":
        if chosen not in _OVER_QUERIES:
            raise NdcgLabError(f"{chosen} is of one query, and there are {len(queries)}; choose one, or ask for mean")
        quantities = _OVER_QUERIES[chosen]
    else:
        quantities = QUANTITIES[:3] if chosen == "any" else (chosen,)
    fields = {field.name: field for field in (*FIELDS, *AGGREGATION_FIELDS)}
    settings = {}
    for name, value in known.items():
        if name == "quantity":
            continue
        if name not in fields:
            raise NdcgLabError(f"`{name}` is no setting; known beside a number may be {', '.join(fields)}, quantity")
        settings[name] = fields[name].parse(value)
    return Asked(read_printed(number), quantities, settings, queries)


def _numbers(reported: object) -> list[tuple[object, Mapping[str, object]]]:
    """Each number with what is known of it."""
    if isinstance(reported, tuple) and len(reported) == 2 and isinstance(reported[1], Mapping):
        reported = [reported]
    if not isinstance(reported, list | tuple):
        return [(reported, {})]
    if not reported:
        raise NdcgLabError("no number is reported")
    return [
        (one[0], one[1])
        if isinstance(one, list | tuple) and len(one) == 2 and isinstance(one[1], Mapping)
        else (one, {})
        for one in reported
    ]


def _data(ranking: object, judgments: object, *, per_number: bool) -> list[tuple[Query, ...]]:
    """The queries of each number, or of all of them."""
    if isinstance(ranking, Mapping) and judgments is None:
        pairs = list(ranking.items())
        if not all(isinstance(pair, tuple | list) and len(pair) == 2 for _, pair in pairs):
            raise NdcgLabError("without judgments, the data are a mapping of queries to (ranking, judgments)")
        return [tuple(Query(str(name), _ranking(one), _judgments(other)) for name, (one, other) in pairs)]
    if isinstance(ranking, Sequence) and not isinstance(ranking, str | Ranking) and not _holds_ids(ranking):
        rankings = [_ranking(one) for one in ranking]
        alone = isinstance(judgments, Mapping)
        judged = [_judgments(judgments)] * len(rankings) if alone else [_judgments(one) for one in _iterable(judgments)]
        if len(judged) != len(rankings):
            raise NdcgLabError(
                f"{len(judged)} judgments for {len(rankings)} rankings; give one for each, or one for all"
            )
        queries = [Query(str(i), *sides) for i, sides in enumerate(zip(rankings, judged, strict=True), 1)]
        return [(query,) for query in queries] if per_number else [tuple(queries)]
    if isinstance(judgments, Mapping) and not _by_query(judgments):
        return [(Query("", _ranking(ranking), _judgments(judgments)),)]
    run, qrels = as_run(ranking), as_qrels(judgments)
    nothing, unjudged = Ranking([]), Judgments({})
    names = dict.fromkeys([*qrels, *run])
    if not names:
        raise NdcgLabError("there is no query in the run, and none in the judgments: nothing gives a number")
    return [tuple(Query(name, run.get(name, nothing), qrels.get(name, unjudged)) for name in names)]


def _by_query(judgments: Mapping[object, object]) -> bool:
    """Whether the values are judgments themselves."""
    return not isinstance(judgments, Judgments) and all(isinstance(value, Mapping) for value in judgments.values())


def _holds_ids(ranking: Sequence[object]) -> bool:
    return all(isinstance(document, str) for document in ranking)


def _iterable(judgments: object) -> Iterable[object]:
    if not isinstance(judgments, Iterable):
        raise NdcgLabError(f"judgments are a mapping of documents to grades, not {type(judgments).__name__}")
    return judgments


def _ranking(given: object) -> Ranking:
    if isinstance(given, Ranking):
        return given
    if isinstance(given, Mapping):
        return Ranking.from_scores(given)
    if isinstance(given, Iterable) and not isinstance(given, str):
        return Ranking(given)
    raise NdcgLabError(f"a ranking is a Ranking, a list of document ids or a mapping to scores, not {given!r}")


def _judgments(given: object) -> Judgments:
    if isinstance(given, Judgments):
        return given
    if isinstance(given, Mapping):
        return Judgments(given)
    raise NdcgLabError(f"judgments are a mapping of documents to grades, not {type(given).__name__}")
