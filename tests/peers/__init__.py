"""Other model checkers as witnesses: the same verdicts and the same number of configurations."""
