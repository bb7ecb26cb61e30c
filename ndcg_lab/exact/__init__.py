"""Exact values: linear forms over 1/log2(b), their quotients, enclosures, rounding, printing and parsing."""
