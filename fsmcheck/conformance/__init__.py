"""Conformance of other reducers."""
