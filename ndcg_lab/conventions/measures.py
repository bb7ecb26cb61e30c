"""Measures by the names that people write: ir_measures' spelling and trec_eval's, each with every convention behind it.

A name stands for what that tool computes: nDCG for a `Contract`, the others for a function of the family with all its
keywords. On data without ties each value is the tool's own, exactly where the tool rounds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ndcg_lab.conventions.entries import load
from ndcg_lab.errors import NdcgLabError, require
from ndcg_lab.exact.linear import Linear
from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.limits import MEASURE, MEASURE_CUTOFF, beyond
from ndcg_lab.measure import family
from ndcg_lab.measure.contract import Aggregation, Contract
from ndcg_lab.measure.evaluation import evaluate

if TYPE_CHECKING:
    from ndcg_lab.measure.data import Judgments, Ranking

__all__ = ["Measure", "UnknownMeasure", "parse_measure", "parse_measures"]


class UnknownMeasure(NdcgLabError):
    """A measure's name, parameter or cutoff that isn't covered; the message says which are."""


@dataclass(frozen=True)
class Measure:
    """A measure of one ranking, with every convention behind its name.

    Attributes:
        name: as ir_measures, or trec_eval, writes it.
        settings: the contract's fields, or the function of the family and its keywords, as plain data.
        aggregation: which queries the tool averages.
        contract: of an nDCG; None for the others.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> measure = parse_measure("AP(rel=3)")
    >>> print(measure, measure(Ranking(["B", "C", "A", "D"]), judgments))
    AP(rel=3) 1/3
    """

    name: str
    settings: Mapping[str, object]
    aggregation: Aggregation
    contract: Contract | None = None
    _of: Callable[[Ranking, Judgments], Exact | Undefined] = field(repr=False, compare=False, kw_only=True)

    def __call__(self, ranking: Ranking, judgments: Judgments) -> Exact | Undefined:
        """The exact value for one ranking."""
        return self._of(ranking, judgments)

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


# --- what the names stand for -------------------------------------------------------------

# ir_measures takes its values from pytrec_eval (ties by id, descending, of scores as float32; unjudged and negative
# grades are not relevant; a query without relevant documents counts 0), but for the measures below that say otherwise.
_TREC: dict[str, Any] = {
    "unjudged": "zero",
    "negative": "zero",
    "ties": "docno-descending",
    "score_precision": "float32",
}
# ir_measures' own Python code sorts ids the other way, and scores as they are.
_BY_ID: dict[str, Any] = {
    **_TREC,
    "ties": "docno-ascending",
    "score_precision": "exact",
}
_HIGHEST = 4  # gdeval's highest grade
_PLACES = 5  # gdeval prints so many decimals

Made = tuple[Mapping[str, object], Contract | None, Callable[..., Exact | Undefined]]


@dataclass(frozen=True)
class _Kind:
    """One measure: its parameters with their defaults, whether it takes a cutoff, and what it computes."""

    name: str
    meaning: str
    make: Callable[[int | None, Mapping[str, Any]], Made]
    parameters: Mapping[str, object]
    cutoff: str = "may"
    """Whether a cutoff `must`, `may` or `never` stand behind the name."""
    aliases: tuple[str, ...] = ()


def _of_family(function: Callable[..., Fraction | Undefined], round_to: int | None = None, **keywords: Any) -> Made:
    def of(ranking: Ranking, judgments: Judgments) -> Exact | Undefined:
        value = function(ranking, judgments, **keywords)
        if isinstance(value, Undefined):
            return value
        exact = Linear.rational(value)
        return exact if round_to is None else Linear.rational(exact.rounded(round_to))

    told = {"measure": function.__name__, **keywords, **({} if round_to is None else {"round_to": round_to})}
    return told, None, of


def _read_as(parameters: Mapping[str, Any], reading: Mapping[str, str] = _TREC) -> dict[str, Any]:
    return {**reading, "unjudged": "remove"} if parameters.get("judged_only") else dict(reading)


def _k(cutoff: int | None) -> int | str:
    return "all" if cutoff is None else cutoff


def _ndcg(cutoff: int | None, parameters: Mapping[str, Any]) -> Made:
    known = load()
    if parameters["dcg"] == "exp-log2":
        if cutoff is None or parameters["judged_only"] or parameters["gains"]:
            raise UnknownMeasure("nDCG(dcg='exp-log2') needs a cutoff, such as @20, and takes no further parameter")
        contract = known["gdeval"].at(cutoff).replace(zero_ideal="zero")  # ir_measures counts a query left out as 0
    else:
        variants = ["judged_only=True"] if parameters["judged_only"] else []
        contract = known["ir_measures"].at(_k(cutoff), *variants)
        if parameters["gains"]:
            contract = contract.replace(gain=parameters["gains"])
    return contract.to_json(), contract, lambda ranking, judgments: evaluate(contract, ranking, judgments).ndcg


def _rr(cutoff: int | None, parameters: Mapping[str, Any]) -> Made:
    reading = _read_as(parameters, _TREC if cutoff is None else _BY_ID)
    return _of_family(
        family.reciprocal_rank, k=_k(cutoff), relevant_from=parameters["rel"], no_relevant="zero", **reading
    )


_BINARY: Mapping[str, object] = {"rel": 1, "judged_only": False}

_KINDS = (
    _Kind("nDCG", "NDCG", _ndcg, {"dcg": "log2", "gains": None, "judged_only": False}, aliases=("NDCG",)),
    _Kind(
        "AP",
        "average precision over all relevant documents; its mean is MAP",
        lambda cutoff, given: _of_family(
            family.average_precision,
            k=_k(cutoff),
            relevant_from=given["rel"],
            over="judged",
            no_relevant="zero",
            **_read_as(given),
        ),
        _BINARY,
        aliases=("MAP",),
    ),
    _Kind(
        "P",
        "precision",
        lambda cutoff, given: _of_family(
            family.precision, k=_k(cutoff), relevant_from=given["rel"], divide_by="k", **_read_as(given)
        ),
        _BINARY,
        cutoff="must",
        aliases=("Precision",),
    ),
    _Kind(
        "R",
        "recall",
        lambda cutoff, given: _of_family(
            family.recall,
            k=_k(cutoff),
            relevant_from=given["rel"],
            over="judged",
            no_relevant="zero",
            **_read_as(given),
        ),
        _BINARY,
        cutoff="must",
        aliases=("Recall",),
    ),
    _Kind("RR", "reciprocal rank; its mean is MRR", _rr, _BINARY, aliases=("MRR",)),
    _Kind(
        "Rprec",
        "precision at rank R, for R relevant documents",
        lambda _, given: _of_family(
            family.r_precision, relevant_from=given["rel"], no_relevant="zero", **_read_as(given)
        ),
        _BINARY,
        cutoff="never",
        aliases=("RPrec",),
    ),
    _Kind(
        "Success",
        "1 where a relevant document stands among the first k, else 0: the hit rate",
        lambda cutoff, given: _of_family(
            family.success, k=_k(cutoff), relevant_from=given["rel"], no_relevant="zero", **_read_as(given)
        ),
        _BINARY,
        cutoff="must",
    ),
    _Kind(
        "Judged",
        "the share of the first k that has a grade",
        lambda cutoff, _: _of_family(
            family.judged, k=_k(cutoff), divide_by="returned", ties="docno-ascending", score_precision="exact"
        ),
        {},
    ),
    _Kind(
        "ERR",
        "expected reciprocal rank, highest grade 4, to 5 decimals, as gdeval",
        lambda cutoff, _: _of_family(
            family.err,
            _PLACES,
            k=_k(cutoff),
            max_grade=_HIGHEST,
            **{**_TREC, "score_precision": "exact"},
        ),
        {},
        cutoff="must",
    ),
    _Kind(
        "RBP",
        "rank-biased precision",
        lambda cutoff, given: _of_family(
            family.rbp, k=_k(cutoff), persistence=given["p"], relevant_from=given["rel"], **{**_BY_ID, "ties": "input"}
        ),
        {"p": Fraction(4, 5), "rel": 1},
    ),
)
_BY_NAME = {name: kind for kind in _KINDS for name in (kind.name, *kind.aliases)}

# trec_eval's names, each with the name above and its parameters; those in the second table take a cutoff.
_TREC_EVAL = {"ndcg": "nDCG", "map": "AP", "recip_rank": "RR", "Rprec": "Rprec"}
_TREC_EVAL_CUT = {"ndcg_cut": "nDCG", "map_cut": "AP", "P": "P", "recall": "R", "success": "Success"}


# --- reading a name -----------------------------------------------------------------------

_SPELLING = re.compile(r"(?P<name>[A-Za-z]+)\s*(?:\((?P<parameters>[^()]*)\))?\s*(?:@\s*(?P<cutoff>[0-9]+))?", re.ASCII)
_TREC_SPELLING = re.compile(r"(?P<name>[A-Za-z_]+?)[._](?P<cutoffs>[0-9]+(?:,[0-9]+)*)", re.ASCII)
_PARAMETER = re.compile(r"\s*(?P<key>[A-Za-z_]+)\s*=\s*(?P<value>\{[^{}]*\}|'[^']*'|\"[^\"]*\"|[^,{}'\"]*?)\s*(?:,|$)")


def parse_measure(text: str) -> Measure:
    """A measure by its name, in ir_measures' spelling or trec_eval's.

    Raises:
        UnknownMeasure: for a name, parameter or cutoff that isn't covered; the message says what is.

    >>> parse_measure("nDCG@10").settings["ties"], parse_measure("P@5").settings["divide_by"]
    ('docno-descending', 'k')
    >>> [str(parse_measure(name)) for name in ("MAP@100", "P(rel=2)@5", "ndcg_cut.10", "recip_rank")]
    ['AP@100', 'P(rel=2)@5', 'ndcg_cut_10', 'recip_rank']
    """
    found = parse_measures(text)
    if len(found) > 1:
        raise UnknownMeasure(f"{text} names {len(found)} measures; name one, or use `parse_measures`")
    return found[0]


def parse_measures(text: str) -> list[Measure]:
    """The measures that a name stands for: trec_eval's may list several cutoffs.

    >>> [measure.name for measure in parse_measures("P.5,10")]
    ['P_5', 'P_10']
    """
    require(str, "text", text, 'a name such as "nDCG@10"')
    text = text.strip()
    if len(text) > MEASURE:
        raise UnknownMeasure(f"a measure is a name such as nDCG@10; its characters are {beyond('MEASURE')}")
    if text in _TREC_EVAL:
        return [_made(text, _BY_NAME[_TREC_EVAL[text]], None, {}, _trec_queries())]
    if (match := _TREC_SPELLING.fullmatch(text)) and match["name"] in _TREC_EVAL_CUT:
        kind = _BY_NAME[_TREC_EVAL_CUT[match["name"]]]
        cutoffs = [_cutoff(text, digits) for digits in match["cutoffs"].split(",")]
        return [_made(f"{match['name']}_{k}", kind, k, {}, _trec_queries()) for k in cutoffs]
    match = _SPELLING.fullmatch(text)
    if match is None or match["name"] not in _BY_NAME:
        raise UnknownMeasure(f"{text!r} is not covered{_meant(text)}; covered are {covered()}")
    kind = _BY_NAME[match["name"]]
    given = _parameters(kind, match["parameters"] or "")
    cutoff = None if match["cutoff"] is None else _cutoff(text, match["cutoff"])
    if (cutoff is None) == (kind.cutoff == "must") and kind.cutoff != "may":
        needs = "needs a cutoff, such as @10" if kind.cutoff == "must" else "takes no cutoff"
        raise UnknownMeasure(f"{text}: {kind.name} {needs}")
    name = kind.name + _written(kind, given) + ("" if cutoff is None else f"@{cutoff}")
    return [_made(name, kind, cutoff, given, load()["ir_measures"].aggregation)]


def covered() -> str:
    """The names that are covered, in a line."""
    marks = {"must": "@k", "may": "", "never": ""}
    ours = ", ".join(kind.name + marks[kind.cutoff] for kind in _KINDS)
    theirs = ", ".join([*_TREC_EVAL, *(f"{name}.k" for name in _TREC_EVAL_CUT)])
    return f"{ours} (ir_measures) and {theirs} (trec_eval)"


def _trec_queries() -> Aggregation:
    return load()["trec_eval"].aggregation


def _made(name: str, kind: _Kind, cutoff: int | None, given: Mapping[str, object], aggregation: Aggregation) -> Measure:
    settings, contract, of = kind.make(cutoff, {**kind.parameters, **given})
    told = {key: str(value) if isinstance(value, Fraction) else value for key, value in settings.items()}
    return Measure(name, MappingProxyType(told), aggregation, contract, _of=of)


def _cutoff(text: str, digits: str) -> int:
    cutoff = int(digits) if len(digits) <= 20 else 0
    if not 1 <= cutoff <= MEASURE_CUTOFF:
        raise UnknownMeasure(f"{text}: a cutoff is a whole number from 1, {beyond('MEASURE_CUTOFF')}")
    return cutoff


def _meant(text: str) -> str:
    name = re.split(r"[@(.]", text)[0].strip()
    alike = {known.casefold(): known for known in [*_TREC_EVAL_CUT, *_TREC_EVAL, *reversed(_BY_NAME)]}
    close = get_close_matches(name.casefold(), alike, n=1, cutoff=0.7)
    return f" (did you mean {alike[close[0]]}?)" if close else ""


def _parameters(kind: _Kind, text: str) -> dict[str, object]:
    given: dict[str, object] = {}
    place = 0
    while text[place:].strip():
        match = _PARAMETER.match(text, place)
        if match is None:
            raise UnknownMeasure(
                f"{kind.name}({text}): parameters are written as rel=2, dcg='exp-log2', gains={{0:0,1:1}}"
            )
        key, place = match["key"], match.end()
        if key not in kind.parameters:
            taken = ", ".join(kind.parameters) or "none"
            raise UnknownMeasure(f"{kind.name} takes no parameter {key!r}; it takes {taken}")
        given[key] = _PARAMETERS[key](f"{kind.name}({text})", match["value"])
    return given


def _relevant(where: str, text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text, re.ASCII):
        raise UnknownMeasure(f"{where}: `rel` is the lowest relevant grade, a whole number from 1 up")
    return int(text)


def _flag(where: str, text: str) -> bool:
    if text not in ("True", "False"):
        raise UnknownMeasure(f"{where}: `judged_only` is True or False")
    return text == "True"


def _gain(where: str, text: str) -> str:
    choices = ("log2", "exp-log2")
    if text.strip("'\"") not in choices:
        raise UnknownMeasure(f"{where}: `dcg` is one of {', '.join(map(repr, choices))}")
    return text.strip("'\"")


def _persistence(where: str, text: str) -> Fraction:
    if not re.fullmatch(r"0?\.[0-9]{1,20}", text, re.ASCII) or Fraction(text) == 0:
        raise UnknownMeasure(f"{where}: `p` is a decimal above 0 and below 1, such as 0.8")
    return Fraction(text)


def _gains(where: str, text: str) -> str:
    entries = text.strip("{} ").split(",")
    pairs = [re.fullmatch(r"\s*(-?[0-9]{1,9})\s*:\s*([0-9]{1,9})\s*", entry, re.ASCII) for entry in entries]
    if not text.startswith("{") or not all(pairs):
        raise UnknownMeasure(f"{where}: `gains` maps whole grades to whole gains, such as gains={{0:0,1:1,2:3}}")
    return ",".join(f"{pair[1]}={pair[2]}" for pair in pairs if pair)


_PARAMETERS: Mapping[str, Callable[[str, str], object]] = {
    "rel": _relevant,
    "judged_only": _flag,
    "dcg": _gain,
    "gains": _gains,
    "p": _persistence,
}


def _written(kind: _Kind, given: Mapping[str, object]) -> str:
    """The parameters that are not the defaults, in ir_measures' way."""

    def shown(key: str, value: object) -> str:
        if key == "gains":
            return "{" + str(value).replace("=", ":").replace(",", ", ") + "}"
        if isinstance(value, Fraction):
            return Linear.rational(value).decimal(20).rstrip("0")
        return f"'{value}'" if isinstance(value, str) else str(value)

    told = sorted((key, value) for key, value in given.items() if value != kind.parameters[key])
    return f"({','.join(f'{key}={shown(key, value)}' for key, value in told)})" if told else ""
