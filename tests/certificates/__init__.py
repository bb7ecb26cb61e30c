"""Tests of `ndcg_lab.certificates`."""
