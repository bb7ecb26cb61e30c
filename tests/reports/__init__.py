"""Tests of `ndcg_lab.reports`."""
