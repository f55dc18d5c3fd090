"""The expression language: syntax, types, evaluation."""
