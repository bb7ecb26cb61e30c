"""Tests of `ndcg_lab.measure`."""
