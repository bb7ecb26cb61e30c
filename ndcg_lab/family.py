"""Relatives of NDCG on one ranking, as exact fractions (see `ndcg_lab.measure.family`)."""

from ndcg_lab.measure.family import (
    average_precision,
    cg,
    err,
    judged,
    mean,
    precision,
    r_precision,
    rbp,
    recall,
    reciprocal_rank,
    success,
)

__all__ = [
    "average_precision",
    "cg",
    "err",
    "judged",
    "mean",
    "precision",
    "r_precision",
    "rbp",
    "recall",
    "reciprocal_rank",
    "success",
]
