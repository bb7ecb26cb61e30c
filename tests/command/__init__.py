"""Tests of `ndcg_lab.command`."""
