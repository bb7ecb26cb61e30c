"""What is measured: contract, rules, judgments and rankings, evaluation, ties, comparison, the family."""
