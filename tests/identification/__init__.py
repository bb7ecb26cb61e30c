"""Tests of `ndcg_lab.identification`."""
