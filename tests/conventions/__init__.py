"""Tests of `ndcg_lab.conventions`."""
