"""Conformance of other reducers: whether a command that speaks ``fsmcheck.reducer/1`` does what a spec means."""
