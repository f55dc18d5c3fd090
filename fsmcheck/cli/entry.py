"""Where the program starts. It imports next to nothing, so that an interrupt is met quietly from the first moment."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

_FAILED = 3
_RARELY = (100_000, 20, 20)
"""When garbage is looked for: what a start makes stays, and looking through all of it takes long."""


class _Interrupt:
    """The handler of SIGINT, which remembers that there was one."""

    def __init__(self) -> None:
        self.came = False

    def __call__(self, _number: int, _frame: FrameType | None) -> NoReturn:
        self.came = True
        # Objects that were being made complain when dropped half-made; a second interrupt ends it all at once.
        sys.unraisablehook = lambda _: None
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        raise KeyboardInterrupt


def run() -> NoReturn:
    """Run the command line on this process's arguments and exit."""
    interrupt = _Interrupt()
    gc.set_threshold(*_RARELY)
    try:
        signal.signal(signal.SIGINT, interrupt)
        from fsmcheck.cli.main import main
        from fsmcheck.cli.output import delivered

        code = main(was_interrupted=lambda: interrupt.came)
        if not delivered():
            code = _FAILED
        if interrupt.came and code != _FAILED:
            # Some callback swallowed it.
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        sys.stderr.write("fsmcheck: interrupted, nothing may be concluded\n")
        code = _FAILED
    if interrupt.came:
        # After an interrupt inside exec() of a text (dataclasses are made so), Python would end by the signal instead.
        sys.stderr.flush()
        os._exit(_FAILED)
    _leave(code)


def _leave(code: int) -> NoReturn:
    """End the process without giving back what it holds, object by object; nothing is skipped that somebody left to be
    done at the end."""
    if "threading" in sys.modules and sys.modules["threading"].active_count() > 1:
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            if stream is not None:
                stream.flush()
    os._exit(code)
