"""Errors that come of a want of memory, whatever others made of it."""

from __future__ import annotations

import errno

SAYS = "the system gave no more memory"
LITTLE = ", which is all that --memory leaves"
"""What is added to a limit that follows from the memory that a process may take, and is less than the usual one."""

_SOLVER = ("out of memory", "b'out of memory'")
_LOADER = (
    "failed to map segment from shared object",
    "cannot allocate memory",
    "cannot map zero-fill pages",
    "cannot create shared object descriptor",
    "cannot apply additional memory protection",
    "cannot allocate symbol data",
)
"""What loading a library fails with."""
_INTERPRETER = ("error return without exception set", "returned NULL without setting an exception")
"""What Python says where parts of it are refused memory and do not tell."""


def is_shortage(error: BaseException | None) -> bool:
    """Whether an error, or one that it follows from, says that memory was refused."""
    while error is not None:
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
            return True
        said = str(error)
        if said in _SOLVER or (isinstance(error, ImportError | OSError) and is_loader_shortage(said)):
            return True
        if isinstance(error, SystemError) and any(each in said for each in _INTERPRETER):
            return True
        error = error.__cause__ or error.__context__
    return False


def was_short(reason: str) -> bool:
    """Whether the reason why a search gave up is that there was less memory than usual."""
    return SAYS in reason or LITTLE in reason


def is_loader_shortage(text: str) -> bool:
    """Whether what the system says of a library that it cannot load is that there is no memory for it."""
    return any(each in text.lower() for each in _LOADER)
