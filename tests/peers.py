"""The cases of `cases/peers.csv` as data: which query a case names, and which convention a configuration means."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, replace
from pathlib import Path

from ndcg_lab.conventions import Query

RECORD = Path(__file__).parent / "cases" / "peers.csv"

GRADES = {"A": 3, "B": 2, "C": 2, "D": 0}
X = Query("1", GRADES, ("B", "C", "A", "D"), ("4", "3", "2", "1"))
Y = Query("1", GRADES, ("A", "D", "B", "C"), ("4", "3", "2", "1"))
ALL_ZERO = replace(X, judgments=dict.fromkeys(GRADES, 0))
EMPTY = Query("1", GRADES, (), ())
ONLY_B = Query("1", GRADES, ("B",), ("4",))
TWELVE = {f"d{i:02}": 1 for i in range(1, 13)}

CASES: dict[str, Query] = {
    "X": X,
    "X full depth": X,
    "X full depth exp gains": X,
    "X denominator=Position": X,
    "X positives {A,B,C}": X,
    "default NDCG X": X,
    "default DCG X": X,
    "Y": Y,
    "Y gains map": Y,
    "all_zero": ALL_ZERO,
    "all_zero(X)": ALL_ZERO,
    "only_B": ONLY_B,
    "empty_result": EMPTY,
    "tie_AB": Query("1", GRADES, ("A", "B", "C", "D"), ("4", "4", "2", "1")),
    "tie_AB_input_A_first": Query("1", GRADES, ("A", "B", "C", "D"), ("4", "4", "2", "1")),
    "tie_AB_input_B_first": Query("1", GRADES, ("B", "A", "C", "D"), ("4", "4", "2", "1")),
    "tie_AB plain dict input A first": Query("1", GRADES, ("A", "B", "C", "D"), ("4", "4", "2", "1")),
    "tie_AB plain dict input B first": Query("1", GRADES, ("B", "A", "C", "D"), ("4", "4", "2", "1")),
    "score_gap_1e-9(B=1.0,A=1.000000001)": Query(
        "1", GRADES, ("B", "A", "C", "D"), ("1.0", "1.000000001", "0.5", "0.25")
    ),
    "duplicates A,A,B": Query("1", GRADES, ("A", "A", "B")),
    "duplicates: expected {A}, retrieved A,A": Query("1", {"A": 1}, ("A", "A")),
    "duplicates in expected [A,A], retrieved A": Query("1", {"A": 1}, ("A",)),
    "perfect order, 12 docs all rated 1,": Query("1", TWELVE, tuple(TWELVE)),
}
"""A case's name, without its cutoff -> its data. Scores fall with the rank where a record doesn't name them."""

TWO_QUERIES = (X, Query("2", {"E": 0, "F": 0}, ("E", "F"), ("2", "1")))
"""The case `mean of X and all-zero query`."""

SYSTEMS = {
    "scikit-learn": "scikit-learn",
    "trec_eval": "trec_eval-10",  # the record was made with the release candidate; `trec_eval` now names 9.0.8
    "pytrec_eval-terrier": "pytrec_eval",
    "ir_measures": "ir_measures",
    "ranx": "ranx",
    "LightGBM": "lightgbm",
    "XGBoost": "xgboost",
    "CatBoost": "catboost",
    "Haystack (src)": "haystack",
    "LlamaIndex (src)": "llamaindex",
    "recommenders (src)": "recommenders",
    "Evidently (src)": "evidently",
    "Cornac (src)": "cornac",
    "LensKit (src weight)": "lenskit",
    "RecBole (src)": "recbole",
    "trectools (src)": "trectools",
    "BEIR (src)": "beir",
    "OpenSearch search-relevance (src, java)": "opensearch",
    "TF-Ranking": "tensorflow-ranking",
    "MLflow (src)": "mlflow",
    "Azure AI Evaluation (src)": "azure-ai-evaluation",
}
"""A peer's name in the record -> its convention; Quepid's two scorers are told apart by the configuration."""

PARAMETERS = [
    ("scikit-learn", r"ignore_ties=True", "ignore_ties=True"),
    ("trec_eval-10", r"ndcg\.1=1,2=3,3=7", "-m ndcg.1=1,2=3,3=7"),
    ("ir_measures", r"exp-log2", "dcg='exp-log2'"),
    ("ir_measures", r"gains=", "gains={1: 1, 2: 3, 3: 7}"),
    ("ranx", r"ndcg_burges", "ndcg_burges@K"),
    ("ranx", r"plain dicts", "plain dict"),
    ("lightgbm", r"\(linear\)", "label_gain=0,1,2,3,..."),
    ("xgboost", r"ndcg_exp_gain=False", "ndcg_exp_gain=False"),
    ("xgboost", r"k- ", "ndcg@K-"),
    ("catboost", r"type=Exp", "type=Exp"),
    ("catboost", r"denominator=Position", "denominator=Position"),
    ("catboost", r"^DCG$", "DCG"),
    ("recommenders", r"score_type=raw", "score_type='raw'"),
    ("recommenders", r"score_type=exp", "score_type='exp'"),
    ("lenskit", r"gain='rating'", "gain='rating'"),
    ("trectools", r"trec_eval=False", "trec_eval=False"),
    ("tensorflow-ranking", r"gain_fn=identity", "gain_fn=lambda label: label"),
]
"""System, what its configuration says, and the parameter that this is."""


@dataclass(frozen=True)
class Line:
    """One line of the record."""

    number: int
    peer: str
    version: str
    case: str
    config: str
    output: str

    def __str__(self) -> str:
        return f"{self.number}: {self.peer}, {self.case}, {self.config}"

    @property
    def system(self) -> str:
        """The convention that the line is a record of."""
        if self.peer.startswith("Quepid"):
            return "quepid-ndcg_cut" if self.config.startswith("ndcg_cut") else "quepid-ndcg"
        if "exp-log2" in self.config:
            return "gdeval"
        return SYSTEMS[self.peer]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of that convention that the configuration sets."""
        if self.system == "gdeval":
            return ("nDCG(dcg='exp-log2')@K",)
        return tuple(
            name for system, pattern, name in PARAMETERS if system == self.system and re.search(pattern, self.config)
        )

    @property
    def k(self) -> int | str | None:
        """The cutoff; None where the case names none and the system's default or no cutoff counts."""
        found = re.search(r"@(\d+)", f"{self.case} {self.config}")
        return int(found[1]) if found else "all"

    @property
    def query(self) -> Query:
        """The data, with gains and padding as the configuration says."""
        name = re.sub(r"\s*@\d+(\.\.\d+)?", "", self.case)
        query = CASES[name]
        if "pads unreturned" in self.config:
            rest = [document for document in GRADES if document not in query.ranking]
            scores = (*(query.scores or ()), *["0"] * len(rest))
            return replace(query, ranking=(*query.ranking, *rest), scores=scores)
        return query


def lines() -> list[Line]:
    """Every line of the record."""
    with RECORD.open(encoding="utf-8", newline="") as file:
        return [Line(number, *row.values()) for number, row in enumerate(csv.DictReader(file), 2)]
