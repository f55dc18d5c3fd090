"""Where the program starts."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself takes longer to load than all of this
import os
import sys

from fsmcheck.first_moments import FAILED, INTERRUPTED, end, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

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
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        raise KeyboardInterrupt


def run() -> NoReturn:
    """Run the command line on this process's arguments and exit."""
    _signal.signal(_signal.SIGINT, end)
    interrupt = _Interrupt()
    code = FAILED
    try:
        _take_up()
        import gc

        gc.set_threshold(*_RARELY)
        from fsmcheck.cli.own_modules import install

        install()
        from fsmcheck.cli.main import main
        from fsmcheck.cli.output import delivered

        _signal.signal(_signal.SIGINT, interrupt)
        code = main(was_interrupted=lambda: interrupt.came)
        if not delivered():
            code = FAILED
        if interrupt.came and code != FAILED:
            # Some callback swallowed it.
            raise KeyboardInterrupt
        # All is said.
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    except KeyboardInterrupt:
        tell(INTERRUPTED)
        code = FAILED
    except Exception as error:  # noqa: BLE001 - no traceback reaches a user
        said = f"internal error: {type(error).__name__}: {error}"
        if isinstance(error, MemoryError) or "failed to map segment" in said:
            said = "the system gave no more memory"
        tell(f"fsmcheck: {said}; nothing may be concluded\n")
        code = FAILED
    if interrupt.came:
        # After an interrupt inside exec() of a text (dataclasses are made so), Python would end by the signal instead.
        os._exit(FAILED)
    _leave(code)


def _take_up() -> None:
    """Let no file that is opened get the number of a standard stream that is closed: libraries write to those."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest number that is free


def _leave(code: int) -> NoReturn:
    """End the process without giving back what it holds, object by object; nothing is skipped that somebody left to be
    done at the end."""
    if "threading" in sys.modules and sys.modules["threading"].active_count() > 1:
        sys.exit(code)
    import atexit

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            pass
    os._exit(code)
