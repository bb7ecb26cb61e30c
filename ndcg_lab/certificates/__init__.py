"""Certificates of a sign: the checker, the maker, the words."""
