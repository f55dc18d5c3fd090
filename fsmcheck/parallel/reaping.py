"""How children ended."""

from __future__ import annotations

import os
import signal
from contextlib import suppress


def reaped(child: int) -> int:
    """The status of a child that is dead; 0 where somebody has this process's children reaped by the system."""
    try:
        return os.waitpid(child, 0)[1]
    except ChildProcessError:
        return 0


def ended(status: int) -> str:
    """What a status says of how a child came to its end."""
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGKILL:
        return "the system killed its process, perhaps for want of memory (SIGKILL)"
    if code < 0:
        with suppress(ValueError):
            return f"its process crashed ({signal.Signals(-code).name})"
        return f"its process crashed (signal {-code})"
    return f"its process ended early (code {code})"
