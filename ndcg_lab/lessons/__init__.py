"""The lessons' toolkit (see below)."""
