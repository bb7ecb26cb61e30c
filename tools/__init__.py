"""Scripts that build and check what the repository holds."""
