"""Tests of `ndcg_lab.exact`."""
