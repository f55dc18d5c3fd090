"""Renderers, one format each."""
