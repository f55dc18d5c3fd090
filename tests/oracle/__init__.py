"""The independent oracle: brute force over concrete runs, written from the semantics page alone."""
