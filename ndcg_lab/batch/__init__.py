"""NDCG of many queries at once, from arrays (numpy): doubles as they come, or correctly rounded ones.

The contract means what it means everywhere; tests hold this path to the exact one over every combination of fields.
Nothing here is exact but `certified` results, which are the exact values' nearest doubles.
"""

from ndcg_lab.errors import require_package

require_package("numpy", "`ndcg_lab.batch`")
from ndcg_lab.batch.measure import ndcg  # noqa: E402
from ndcg_lab.batch.scores import dcg_score, ndcg_score  # noqa: E402

__all__ = ["dcg_score", "ndcg", "ndcg_score"]
