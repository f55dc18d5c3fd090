"""Rules about the verdicts themselves."""
