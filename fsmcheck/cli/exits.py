"""Exit codes, as docs/formats.md lists them."""

FINE = 0
FOUND = 1
USAGE = 2
FAILED = 3
