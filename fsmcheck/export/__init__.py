"""Transition systems as models for other model checkers."""
