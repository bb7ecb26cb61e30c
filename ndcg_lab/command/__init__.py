"""The command line and its tables."""
