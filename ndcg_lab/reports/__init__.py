"""Many queries: files in, report, verification, explanation, comparison of reports, significance."""
