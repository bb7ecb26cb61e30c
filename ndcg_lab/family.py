"""Relatives of NDCG on one ranking, as exact fractions (see `ndcg_lab.measure.family`)."""

from ndcg_lab.measure.family import average_precision, cg, err, mean, precision, rbp, recall, reciprocal_rank

__all__ = ["average_precision", "cg", "err", "mean", "precision", "rbp", "recall", "reciprocal_rank"]
