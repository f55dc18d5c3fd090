"""Sizes beyond which an expression is refused rather than analysed."""

MAX_TEXT = 4096
"""Code points in the text of one expression."""

MAX_NESTING = 64
"""Levels of brackets in the text, and of operators in the syntax tree."""

MAX_NODES = 1500
"""Nodes in the syntax tree."""

DEFAULT_WORK = 500_000
"""Units of work for one evaluation: one for each node visited, and one for each 64 characters or 8 elements
that an operation builds or reads."""
