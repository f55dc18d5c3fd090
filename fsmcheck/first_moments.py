"""An interrupt in the command's first moments, before there is anything to clean up: it is met quietly. This is loaded
before everything else, and loads nothing that Python had not loaded to get here."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself takes as long to load as all of this
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

FAILED = 3
INTERRUPTED = "fsmcheck: interrupted, nothing may be concluded\n"


def tell(text: str) -> None:
    """Write to standard error, if there is any."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
            os.write(2, text.encode())
    except (OSError, ValueError):
        pass


def end(_number: int, _frame: FrameType | None) -> NoReturn:
    """A handler of SIGINT that ends the process at once."""
    tell(INTERRUPTED)
    os._exit(FAILED)


def _is_command() -> bool:
    """Whether it is the command that starts, and not another program that imports the package."""
    started = sys.argv[0] if getattr(sys, "argv", None) else ""
    if started == "-m" and "-m" in sys.orig_argv[:-1]:  # Python is still looking for the module
        started = sys.orig_argv[sys.orig_argv.index("-m") + 1]
    path = started.replace("\\", "/")
    return path.rpartition("/")[2] in ("fsmcheck", "fsmcheck.exe") or path.endswith("/fsmcheck/__main__.py")


if _is_command() and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, end)
