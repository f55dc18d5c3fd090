"""--watch: check again whenever a spec changes, until Ctrl-C."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

from fsmcheck.cli import exits
from fsmcheck.cli.discover import STDIN
from fsmcheck.cli.lost import LostSpecsError
from fsmcheck.cli.output import ReaderGoneError, complain, emit
from fsmcheck.cli.watched import Watched, configuration_files

_INTERVAL = 0.3
_SETTLED = 0.1
_PATIENCE = 3.0
_SHARE = 10
_MOST_NAMED = 3
_CLEAR = "\x1b[H\x1b[2J"


class _Stop:
    """The handler of SIGINT while watching: Ctrl-C is how it ends, no failure."""

    def __init__(self) -> None:
        self.came = False

    def __call__(self, _number: int, _frame: FrameType | None) -> NoReturn:
        self.came = True
        raise KeyboardInterrupt


def repeated(ctx: click.Context) -> int:
    """Run a context's "check" again and again, watching the files that it depends on. Raises as ``watch``."""
    asked = {**ctx.params, "watch": False}
    more = [] if asked["baseline"] is None or asked["write_baseline"] else [str(asked["baseline"])]
    if asked["config_path"] is not None:
        more.append(str(asked["config_path"]))
    elif not asked["isolated"]:
        more.extend(configuration_files(Path.cwd()))
    return watch(asked["paths"], more, lambda: int(ctx.invoke(ctx.command, **asked)))


def watch(paths: Sequence[str], more: Sequence[str], check: Callable[[], int]) -> int:
    """Run ``check``, and again whenever a spec in ``paths`` or a file of ``more`` changes.

    The exit code is that of the last check that was not interrupted.

    What is wrong with the command line at the start is raised; what goes wrong later (a file is gone, a configuration
    is half-written) is told, and the next change is waited for.

    Raises:
        click.UsageError: a path is standard input, or the first check says so.
    """
    if STDIN in paths:
        raise click.UsageError("--watch waits for files to change, and standard input is none")
    watched = Watched(paths, more)
    stop = _Stop()
    code: int | None = None
    before = signal.signal(signal.SIGINT, stop)
    try:
        state = watched.state()
        code = _again(check, stop, None)
        while not stop.came:
            complain(f"{_now()} watching {_count(state)}, Ctrl-C ends", prefix=False)
            state, changes = _changed(watched, state)
            _clear()
            complain(f"{_now()} {_listed(changes)}", prefix=False)
            code = _again(check, stop, code)
    except KeyboardInterrupt:
        if sys.stderr is not None and sys.stderr.isatty():
            # Behind the ^C that the terminal shows.
            complain("", prefix=False)
    finally:
        signal.signal(signal.SIGINT, before)
    if code is None:
        complain("interrupted, nothing may be concluded")
        return exits.FAILED
    return code


def _again(check: Callable[[], int], stop: _Stop, last: int | None) -> int | None:
    """The exit code of another check; that of the ``last`` (None: this is the first) where it was interrupted.

    Raises:
        click.ClickException: the first check says so.
    """
    try:
        code = check()
        if code == exits.FAILED:
            # It answers so only where it was interrupted itself; all other failures are raised.
            stop.came = True
            return code if last is None else last
    except click.ClickException as error:
        if last is None and not stop.came and not isinstance(error, LostSpecsError):
            raise
        complain(error.format_message())
        code = error.exit_code
    except ReaderGoneError:
        raise
    except Exception as error:  # noqa: BLE001 - the next change may mend what made it fail
        if stop.came:
            return last
        complain(f"internal error: {type(error).__name__}: {error}; nothing may be concluded")
        code = exits.FAILED
    return last if stop.came else code


def _changed(watched: Watched, state: Mapping[str, str]) -> tuple[Mapping[str, str], Sequence[str]]:
    """Wait until something changed and stays as it is for a moment; the new state and what is new about it."""
    interval = _INTERVAL
    while True:
        time.sleep(interval)
        began = time.monotonic()
        new = watched.state()
        # However large the folders are, looking through them takes a tenth of one core.
        interval = max(_INTERVAL, _SHARE * (time.monotonic() - began))
        if new != state:
            settled = _settled(watched, new)
            if settled != state:
                return settled, _differences(state, settled)


def _settled(watched: Watched, state: Mapping[str, str]) -> Mapping[str, str]:
    patience = time.monotonic() + _PATIENCE
    while time.monotonic() < patience:
        time.sleep(_SETTLED)
        new = watched.state()
        if new == state:
            break
        state = new
    return state


def _differences(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    gone = [f"{path} is gone" for path in old if path not in new]
    here = [f"{path} is new" if path not in old else f"{path} changed" for path in new if old.get(path) != new[path]]
    return sorted(here) + sorted(gone)


def _listed(changes: Sequence[str]) -> str:
    more = len(changes) - _MOST_NAMED
    return ", ".join(changes[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _count(state: Mapping[str, str]) -> str:
    return "1 file" if len(state) == 1 else f"{len(state)} files"


def _now() -> str:
    return time.strftime("%H:%M:%S")


def _clear() -> None:
    if sys.stdout is not None and sys.stdout.isatty():
        emit(_CLEAR)
