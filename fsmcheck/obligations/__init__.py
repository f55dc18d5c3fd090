"""Obligations: what has to hold, and the verdicts on it."""
