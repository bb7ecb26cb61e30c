"""NDCG of many queries at once, from arrays (numpy): doubles as they come, or correctly rounded ones.

The contract means what it means everywhere; tests hold this path to the exact one over every combination of fields.
Nothing here is exact but `certified` results, which are the exact values' nearest doubles.
"""

from ndcg_lab.batch.measure import ndcg
from ndcg_lab.batch.scores import dcg_score, ndcg_score

__all__ = ["dcg_score", "ndcg", "ndcg_score"]
