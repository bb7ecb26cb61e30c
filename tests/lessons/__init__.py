"""Tests of `ndcg_lab.lessons`."""
