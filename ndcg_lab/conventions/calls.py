"""From a contract to the call that makes a tool compute it, as text to paste; or why the tool can't.

The Python texts read `judgments` and `run`, mappings of query to document to grade or score, in the order of the
results, and leave `ndcg`, a mapping of query to value.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ndcg_lab.errors import ContractError, require
from ndcg_lab.exact.rationals import rational
from ndcg_lab.measure.contract import Contract

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


HIGHEST_GRADE = 10
"""Where a tool wants its gains listed, they are listed for the grades up to this one."""


@dataclass(frozen=True, slots=True)
class Call:
    """How a tool computes a contract.

    `text` is None where it can't, and `cannot` says why, a field a sentence. `holds_where` are conditions on the data:
    where they are met, the tool's value is the contract's wherever the contract has one.
    """

    tool: str
    text: str | None
    holds_where: tuple[str, ...] = ()
    cannot: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "tool": self.tool,
            "text": self.text,
            "holds_where": list(self.holds_where),
            "cannot": list(self.cannot),
        }

    def __str__(self) -> str:
        if self.text is None:
            return "\n".join([f"{self.tool} can't compute this contract:", *(f"- {reason}" for reason in self.cannot)])
        return self.text


@dataclass
class _Fit:
    """What stands against a contract's fields, collected while a call is written."""

    contract: Contract
    cannot: list[str] = field(default_factory=list)
    holds_where: list[str] = field(default_factory=list)

    def only(self, name: str, *allowed: object, because: str) -> None:
        """A field that the tool takes at these values alone; `error` is met by any answer."""
        value = getattr(self.contract, name)
        if value not in (*allowed, "error"):
            self.cannot.append(f"`{name} = {'none' if value is None else value}`: {because}")

    def where(self, condition: str, *, unless: bool = False) -> None:
        """A condition on the data."""
        if not unless:
            self.holds_where.append(condition)

    def call(self, tool: str, text: Callable[[], str]) -> Call:
        """The call, or the reasons against it."""
        if self.cannot:
            return Call(tool, None, cannot=tuple(self.cannot))
        return Call(tool, text(), tuple(self.holds_where))


def convention_call(contract: Contract, tool: str) -> Call:
    """How a tool is made to compute a contract, or a plain account of why it can't.

    Args:
        contract: what to compute, for each query.
        tool: one of `TOOLS`.

    >>> from ndcg_lab import Contract
    >>> print(convention_call(Contract(gain="linear", k=10), "trec_eval"))
    trec_eval -q -m ndcg_cut.10 qrels.txt run.txt
    >>> print(convention_call(Contract(gain="exponential", k=10), "trec_eval"))
    trec_eval can't compute this contract:
    - `gain = exponential`: a map of gains is for the uncut `ndcg`, and `k = 10` cuts

    Raises:
        ContractError: for a tool that isn't one of `TOOLS`.
    """
    require(Contract, "contract", contract, 'Contract(gain="linear", k=10)')
    if tool not in TOOLS:
        raise ContractError(f"no calls are known for `{tool}`; tools: {', '.join(TOOLS)}")
    return TOOLS[tool](contract)


# What the texts share.


def gain_text(contract: Contract) -> str:
    """The gain of `grade` as a Python expression."""
    kind, _, parameter = contract.gain.partition(":")
    if "=" in contract.gain:
        pairs = (entry.split("=") for entry in contract.gain.split(","))
        return "{" + ", ".join(f"{grade}: {gain}" for grade, gain in pairs) + "}[grade]"
    if kind == "exponential":
        base = parameter or "2"
        return f"({base})**grade - 1" if "/" in base else f"{base}**grade - 1"
    if kind == "power":
        return f"grade**{parameter}"
    if kind == "binary":
        return f"1 if grade >= {parameter} else 0"
    return "grade"


def _gain_function(contract: Contract) -> str:
    clip = "    grade = max(grade, 0)\n" if contract.negative == "zero" else ""
    return f"def gain(grade):\n{clip}    return {gain_text(contract)}\n"


def _gains(contract: Contract) -> Mapping[int, int | Fraction]:
    """The gain of each whole grade from 0 that the tool is told of."""
    if "=" in contract.gain:
        listed = (entry.split("=") for entry in contract.gain.split(","))
        table = {rational(grade): rational(gain) for grade, gain in listed}
        return {grade: gain for grade, gain in table.items() if isinstance(grade, int)}
    return {grade: contract.gain_rule(grade) for grade in range(HIGHEST_GRADE + 1)}


def _cuts_alike(contract: Contract) -> bool:
    """Whether the ideal is cut where `ideal_cutoff = k` would cut it."""
    return contract.ideal_cutoff == "k" or (contract.k == "all" and contract.ideal_cutoff == "none")


def _logarithmic(contract: Contract) -> bool:
    """Whether the discount is one of those whose base cancels in NDCG."""
    return contract.discount == "log2" or contract.discount.startswith("log:")


_NO_DUPLICATES = "its results name each document once"
_POSITIVE_IDEAL = "The ideal DCG is above 0."
_FLOAT32 = "No two scores are equal in float32, unless they are equal."


def _like_trec_eval(fit: _Fit) -> None:
    """The fields on which trec_eval and what is built on it agree."""
    contract = fit.contract
    if not _logarithmic(contract):
        fit.cannot.append(f"`discount = {contract.discount}`: 1/log2(rank + 1) is its only discount")
    fit.only("ideal_population", "judged", because="its ideal is over all judgments")
    fit.only("ties", "docno-descending", because="it orders equal scores by document id, descending")
    fit.only("unjudged", "zero", "remove", because="it takes 0, or leaves such documents out")
    fit.only("duplicates", because=_NO_DUPLICATES)
    fit.only("negative", "zero", because="a negative grade earns 0")
    fit.only("zero_ideal", "zero", "undefined", because="it prints 0")
    fit.where(_POSITIVE_IDEAL, unless=contract.zero_ideal == "zero")
    fit.where("Grades are whole numbers.")


# The tools.


def _scikit_learn(contract: Contract) -> Call:
    fit = _Fit(contract)
    if not _logarithmic(contract):
        fit.cannot.append(f"`discount = {contract.discount}`: a logarithm is its only discount")
    fit.only("ties", "average", because="it averages tied documents")
    fit.only("negative", "zero", because="it refuses negative values")
    fit.only("round_to", None, because="it doesn't round")
    fit.only("duplicates", "count", because="its rows have no names: every copy counts")
    plain = contract.ideal_population == "returned" and _cuts_alike(contract)
    if contract.ideal_population == "returned-at-k":
        fit.cannot.append("`ideal_population = returned-at-k`: its ideal is over every row that it is given")
    if plain:
        fit.only("zero_ideal", "zero", "undefined", because="it prints 0")
        fit.where("Every query has at least two results.")
    else:
        fit.where("Every query has at least two results and two judgments.")
    fit.where(_POSITIVE_IDEAL, unless=contract.zero_ideal not in {"undefined", "exclude"})
    fit.where(
        "A query has at most 16 documents: beyond, the sort isn't stable.", unless=contract.ties != "reverse-input"
    )
    return fit.call("scikit-learn", lambda: _scikit_learn_text(contract, plain=plain))


def _scikit_learn_text(contract: Contract, *, plain: bool) -> str:
    k = None if contract.k == "all" else contract.k
    scores = "[list(scores.values())]"
    if contract.score_precision == "float32":
        scores = f'numpy.array({scores}, dtype="float32")'
    lines = ["import numpy\n"] * (contract.score_precision == "float32")
    lines += [f"from sklearn.metrics import {'ndcg_score' if plain else 'dcg_score'}\n\n\n", _gain_function(contract)]
    lines += ["\n\nndcg = {}\n", "for query, scores in run.items():\n", "    judged = judgments[query]\n"]
    if contract.unjudged == "remove":
        lines.append("    scores = {document: score for document, score in scores.items() if document in judged}\n")
    lines.append("    gains = [gain(judged[document]) if document in judged else 0 for document in scores]\n")
    if plain:
        lines.append(f"    ndcg[query] = ndcg_score([gains], {scores}, k={k})")
        return "".join(lines)
    cut = {"k": f"{k}", "none": "None", "returned": "len(gains)" if k is None else f"min({k}, len(gains))"}
    population = "gains" if contract.ideal_population == "returned" else "[gain(grade) for grade in judged.values()]"
    empty = {"one": "1.0", "zero": "0.0"}.get(contract.zero_ideal, "float('nan')")
    lines += [
        f"    best = {population}\n",
        f"    ideal = dcg_score([best], [best], k={cut[contract.ideal_cutoff]})\n",
        f"    dcg = dcg_score([gains], {scores}, k={k})\n",
        f"    ndcg[query] = dcg / ideal if ideal else {empty}",
    ]
    return "".join(lines)


def _ir_measures(contract: Contract) -> Call:
    fit = _Fit(contract)
    _like_trec_eval(fit)
    if not _cuts_alike(contract):
        fit.cannot.append(f"`ideal_cutoff = {contract.ideal_cutoff}`: it cuts the ideal at k")
    gdeval = contract.round_to is not None
    if gdeval and (contract.round_to, contract.gain) != (5, "exponential"):
        fit.cannot.append(
            f"`round_to = {contract.round_to}`: only exp-log2, with exponential gain, rounds, to 5 decimals"
        )
    if gdeval and contract.k == "all":
        fit.cannot.append("`k = all`: exp-log2 needs a cutoff")
    if gdeval and contract.unjudged == "remove":
        fit.cannot.append("`unjudged = remove`: exp-log2 takes 0")
    if not gdeval and any(isinstance(gain, Fraction) or gain < 0 for gain in _gains(contract).values()):
        fit.cannot.append(f"`gain = {contract.gain}`: its gains are whole numbers from 0")
    if gdeval:
        fit.where("No grade is above 4.")
    else:
        fit.where(_FLOAT32, unless=contract.score_precision == "float32")
    return fit.call("ir_measures", lambda: _ir_measures_text(contract))


def _ir_measures_text(contract: Contract) -> str:
    parameters = []
    if contract.round_to is not None:
        parameters.append("dcg='exp-log2'")
    elif contract.gain != "linear":
        listed = ", ".join(f"{grade}: {gain}" for grade, gain in _gains(contract).items())
        parameters.append(f"gains={{{listed}}}")
    if contract.unjudged == "remove":
        parameters.append("judged_only=True")
    measure = f"nDCG({', '.join(parameters)})" if parameters else "nDCG"
    measure += "" if contract.k == "all" else f"@{contract.k}"
    return (
        "import ir_measures\nfrom ir_measures import nDCG\n\n"
        f"results = ir_measures.iter_calc([{measure}], judgments, run)\n"
        "ndcg = {result.query_id: result.value for result in results}"
    )


def _trec_eval(contract: Contract) -> Call:
    fit = _Fit(contract)
    _like_trec_eval(fit)
    fit.only("round_to", None, because="it rounds what it prints, not what it averages")
    uncut = contract.ideal_cutoff == "none" or _cuts_alike(contract)
    if not uncut:
        fit.cannot.append(f"`ideal_cutoff = {contract.ideal_cutoff}`: it cuts the ideal at k, or not at all")
    if contract.gain != "linear":
        if contract.k != "all" and contract.ideal_cutoff != "none":
            fit.cannot.append(
                f"`gain = {contract.gain}`: a map of gains is for the uncut `ndcg`, and `k = {contract.k}` cuts"
            )
        if any(isinstance(gain, Fraction) for gain in _gains(contract).values()):
            fit.cannot.append(f"`gain = {contract.gain}`: gains of a map are compared as whole numbers")
    if contract.unjudged == "remove" and contract.k != "all" and contract.ideal_cutoff == "none":
        fit.cannot.append("`unjudged = remove`: -M, which leaves the ideal uncut, cuts before -J removes")
    return fit.call("trec_eval", lambda: _trec_eval_text(contract))


def _trec_eval_text(contract: Contract) -> str:
    flags = ["-q"]
    if contract.unjudged == "remove":
        flags.append("-J")
    if contract.k != "all" and contract.ideal_cutoff == "none":
        flags.append(f"-M {contract.k}")
    measure = "ndcg" if contract.k == "all" or contract.ideal_cutoff == "none" else f"ndcg_cut.{contract.k}"
    if contract.gain != "linear":
        measure += "." + ",".join(f"{grade}={gain}" for grade, gain in _gains(contract).items())
    return f"trec_eval {' '.join(flags)} -m {measure} qrels.txt run.txt"


def _ranx(contract: Contract) -> Call:
    fit = _Fit(contract)
    if not _logarithmic(contract):
        fit.cannot.append(f"`discount = {contract.discount}`: 1/log2(rank + 1) is its only discount")
    fit.only("ideal_population", "judged", because="its ideal is over all judgments")
    if not _cuts_alike(contract):
        fit.cannot.append(f"`ideal_cutoff = {contract.ideal_cutoff}`: it cuts the ideal at k")
    fit.only(
        "ties", "input", "reverse-input", because="equal scores keep the order of a Run, or reverse that of a dict"
    )
    fit.only("score_precision", "exact", because="it compares doubles")
    fit.only("unjudged", "zero", because="it takes 0")
    fit.only("duplicates", because=_NO_DUPLICATES)
    fit.only("negative", "zero", because="grades below 1 are dropped")
    fit.only("zero_ideal", "zero", "undefined", because="it prints 0")
    fit.only("round_to", None, because="it doesn't round")
    if contract.gain not in {"linear", "exponential"} and any(
        isinstance(gain, Fraction) or gain < 0 for gain in _gains(contract).values()
    ):
        fit.cannot.append(f"`gain = {contract.gain}`: it takes whole numbers from 0")
    fit.where(_POSITIVE_IDEAL, unless=contract.zero_ideal == "zero")
    fit.where(
        "A query with ties has at most 15 documents: beyond, the sort isn't stable.", unless=contract.ties == "error"
    )
    fit.where("Grades are whole numbers, and the run has the queries of the judgments.")
    return fit.call("ranx", lambda: _ranx_text(contract))


def _ranx_text(contract: Contract) -> str:
    measure = "ndcg_burges" if contract.gain == "exponential" else "ndcg"
    measure += "" if contract.k == "all" else f"@{contract.k}"
    dicts = contract.ties == "reverse-input"
    lines = [f"from ranx import {'evaluate' if dicts else 'Qrels, Run, evaluate'}\n\n"]
    judgments = "judgments"
    if contract.gain not in {"linear", "exponential"}:
        lines += ["\n", _gain_function(contract), "\n\n"]
        lines += ["gains = {}\n", "for query, judged in judgments.items():\n"]
        lines += ["    gains[query] = {document: gain(grade) for document, grade in judged.items()}\n"]
        judgments = "gains"
    if dicts:
        lines += ["ndcg = {}\n", "for query, scores in run.items():\n"]
        lines += [f'    ndcg[query] = evaluate({{query: {judgments}[query]}}, {{query: scores}}, "{measure}")']
    else:
        lines += [f'values = evaluate(Qrels({judgments}), Run(run), "{measure}", return_mean=False)\n']
        lines += ["ndcg = dict(zip(sorted(judgments), values))"]
    return "".join(lines)


def _tensorflow_ranking(contract: Contract) -> Call:
    fit = _Fit(contract)
    fit.only("ideal_population", "returned", because="its ideal is over the rows that it is given")
    if not _cuts_alike(contract):
        fit.cannot.append(f"`ideal_cutoff = {contract.ideal_cutoff}`: it cuts the ideal at topn")
    fit.only("ties", because="it draws the order of equal scores at random")
    fit.only("duplicates", "count", because="its rows have no names: every copy counts")
    fit.only("negative", "zero", because="a negative label marks padding")
    fit.only("zero_ideal", "zero", "undefined", because="it gives 0")
    fit.only("round_to", None, because="it doesn't round")
    if "=" in contract.gain:
        fit.cannot.append(
            f"`gain = {contract.gain}`: its gain is a function of a tensor; a table would have to be written as one"
        )
    fit.where("No two scores are equal in float32.")
    fit.where(_POSITIVE_IDEAL, unless=contract.zero_ideal == "zero")
    return fit.call("tensorflow-ranking", lambda: _tensorflow_ranking_text(contract))


def _tensorflow_ranking_text(contract: Contract) -> str:
    kind, _, parameter = contract.gain.partition(":")
    gain = {
        "linear": "label",
        "exponential": f"tf.pow({parameter or '2'}.0, label) - 1.0"
        if "/" not in parameter
        else f"tf.pow({parameter}, label) - 1.0",
        "power": f"tf.pow(label, {parameter}.0)",
        "binary": f"tf.cast(label >= {parameter}, tf.float32)",
    }[kind]
    kind, _, parameter = contract.discount.partition(":")
    base = parameter or "2"
    discount = {
        "log2": "",
        "log": "",
        "jarvelin": f"tf.math.minimum(1.0, tf.math.log({base}.0) / tf.math.log(tf.maximum(rank, 2.0)))",
        "reciprocal": "1.0 / rank",
        "geometric": f"tf.pow({parameter}, rank - 1.0)",
        "none": "tf.ones_like(rank)",
    }[kind]
    arguments = [] if contract.k == "all" else [f"topn={contract.k}"]
    arguments.append(f"gain_fn=lambda label: {gain}")
    if discount:
        arguments.append(f"rank_discount_fn=lambda rank: {discount}")
    keep = " if document in judged" if contract.unjudged == "remove" else ""
    clip = "max({}, 0)" if contract.negative == "zero" else "{}"
    label = clip.format("judged.get(document, 0)" if not keep else "judged[document]")
    return (
        "import tensorflow as tf\nimport tensorflow_ranking as tfr\n\n"
        f"ndcg = {{}}\nfor query, scores in run.items():\n    judged = judgments[query]\n"
        f"    rows = [(float({label}), score) for document, score in scores.items(){keep}]\n"
        "    labels, scores = zip(*rows)\n"
        f"    metric = tfr.keras.metrics.NDCGMetric({', '.join(arguments)})\n"
        "    ndcg[query] = float(metric(tf.constant([labels]), tf.constant([scores])))"
    )


def _elasticsearch(contract: Contract) -> Call:
    fit = _Fit(contract)
    fit.only("gain", "exponential", because="exponential is its only gain")
    if contract.k == "all":
        fit.cannot.append("`k = all`: it needs a number")
    if not _logarithmic(contract):
        fit.cannot.append(f"`discount = {contract.discount}`: 1/log2(rank + 1) is its only discount")
    fit.only("ideal_population", "judged", because="its ideal is over all rated documents")
    fit.only(
        "ideal_cutoff",
        "returned",
        because="it cuts the ideal at the number of hits, which is k only where that many are found",
    )
    fit.only("ties", "input", because="hits stand in the engine's order")
    fit.only("unjudged", "zero", because="a hit without a rating adds nothing and keeps its rank")
    fit.only("duplicates", because=_NO_DUPLICATES)
    fit.only("negative", because="ratings are whole numbers from 0")
    fit.only("zero_ideal", "zero", "undefined", because="it gives 0")
    fit.only("round_to", None, because="it doesn't round")
    fit.where(_POSITIVE_IDEAL, unless=contract.zero_ideal == "zero")
    return fit.call(
        "elasticsearch", lambda: json.dumps({"metric": {"dcg": {"k": contract.k, "normalize": True}}}, indent=2)
    )


TOOLS: Mapping[str, Callable[[Contract], Call]] = {
    "scikit-learn": _scikit_learn,
    "ir_measures": _ir_measures,
    "trec_eval": _trec_eval,
    "ranx": _ranx,
    "tensorflow-ranking": _tensorflow_ranking,
    "elasticsearch": _elasticsearch,
}
"""Tools for which a call can be written, each a function from a contract to a `Call`."""
