"""Specs made to mislead the checker, one file a kind. What must hold is worked out by hand in each."""
