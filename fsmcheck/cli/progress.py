"""A progress line on standard error, for work that takes a while in front of a person."""

from __future__ import annotations

import sys
import time

from fsmcheck.report import sanitise

_PATIENCE = 2.0
_INTERVAL = 0.1
_WIDEST = 76
_BAR = 12


class Progress:
    """Shows how far the work is once it took two seconds, on a terminal only; erased at the end."""

    def __init__(self) -> None:
        self._stream = sys.stderr if sys.stderr is not None and sys.stderr.isatty() else None
        self._began = self._last = time.monotonic()
        self._shown = False

    def __call__(self, done: int, total: int, label: str = "") -> None:
        now = time.monotonic()
        if self._stream is None or now - self._began < _PATIENCE or now - self._last < _INTERVAL:
            return
        self._last = now
        self._shown = True
        full = _BAR * min(done, total) // max(total, 1)
        bar = f"[{'#' * full}{'.' * (_BAR - full)}]"
        text = f"{bar} {done} of {total} {label}".rstrip()[:_WIDEST]
        self._stream.write(f"\r\x1b[K{sanitise.encodable(sanitise.line(text), self._stream.encoding or 'ascii')}")
        self._stream.flush()

    def close(self) -> None:
        """Erase the line."""
        if self._shown and self._stream is not None:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
