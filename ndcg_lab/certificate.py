"""Certificates of a sign: `certify` makes one, `check` checks it with whole numbers alone, `sentence` tells it."""

from ndcg_lab.certificates.checker import SCHEMA, check
from ndcg_lab.certificates.maker import certify
from ndcg_lab.certificates.words import sentence

__all__ = ["SCHEMA", "certify", "check", "sentence"]
