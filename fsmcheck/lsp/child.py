"""The process that decides what takes long. It can be killed at any time, and ends by itself when its parent does.

It gets a path, a text and the options on standard input, pickled, and answers with a report, or with one sentence
where there is none. What gets lost on standard output goes to standard error, so that it cannot be taken for an answer.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import threading
from dataclasses import replace

from fsmcheck.options import Options
from fsmcheck.results import Report
from fsmcheck.shortage import SAYS, is_shortage
from fsmcheck.source import SourceFile

_OWN_SHARE = 10
"""How far the process stands back behind the editor, as ``nice`` counts."""


def main() -> None:
    """Answer one request."""
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(_OWN_SHARE)
    path, text, options = pickle.load(sys.stdin.buffer)  # noqa: S301 - between a process and its own child
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with answer:
        pickle.dump(_checked(path, text, options), answer)
    # The thread still reads: an orderly end would wait for it.
    os._exit(0)


def _checked(path: str, text: str, options: Options) -> Report | str:
    from fsmcheck.remembered import check

    try:
        return replace(check([SourceFile(path, text)], options), rules=())
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent says so
        return SAYS if is_shortage(error) else f"{type(error).__name__}: {' '.join(str(error).split())}"


def _end_with_parent() -> None:
    """Wait until the parent closes its end, then end with all that was started here."""
    while os.read(0, 1):
        pass
    if hasattr(os, "killpg") and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)
