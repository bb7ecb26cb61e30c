"""Which contract gives a reported number? A search over contracts, simplest first, every match confirmed exactly.

The parts: `inputs` and `printed` read what is asked, `space` holds what is varied and how plain each choice is,
`lists` brings the lists into order, `search` proposes `hits` in floats, `confirm` proves them, `chance` counts what
other numbers would find, `named` finds the conventions, `hand` tries hand calculations, `beyond` what no contract says
(`causes` lists it), `probes` looks for further numbers that would decide, `work` puts these together, `matches` and
`result` show it.
"""

from ndcg_lab.errors import require_package
from ndcg_lab.identification.inputs import asked
from ndcg_lab.identification.matches import Beyond, ByHand, Match, Near
from ndcg_lab.identification.result import Identification

__all__ = ["Beyond", "ByHand", "Identification", "Match", "Near", "identify"]


def identify(
    ranking: object, judgments: object = None, reported: object = None, quantity: str = "any"
) -> Identification:
    """Every contract that gives a reported number as it was printed, plainest first.

    Args:
        ranking: a `Ranking` (or a list of documents, or a mapping of documents to scores); for several queries a run,
            as `evaluate_run` takes it, or, without judgments, a mapping of queries to (ranking, judgments).
        judgments: `Judgments`, or a mapping of documents to grades; for several queries, of queries to those.
        reported: the number as it was printed (`"0.8076"`, `"0.48..."`, `"96.08%"`), or several, which the contract
            must give together: a list of `(number, {"k": 4})`, or of one number for each of a list of rankings.
            Beside a number may stand whatever settings are known of it, and its `quantity`.
        quantity: what the number is: `ndcg`, `dcg`, `idcg`, `mean` (of NDCG, over queries) or `any` of them.

    Raises:
        NdcgLabError: where a number, a setting or the shape of the data can't be read.

    >>> from ndcg_lab import Judgments, Ranking
    >>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
    >>> found = identify(Ranking(["B", "C", "A", "D"]), judgments, reported="0.80756", quantity="ndcg")
    >>> print(found.matches[0])
    exponential, log2, k = 4: ndcg 0.80755888
    """
    require_package("numpy", "`identify`")
    from ndcg_lab.identification.work import identified

    return identified(asked(ranking, judgments, reported, quantity))
