"""The process between us and a reducer: it starts the command, reports its end, and leaves nothing of it behind.

It is run as a script of its own (``python -I warden.py CONTROL STATUS COMMAND…``) and imports nothing of ours. The
command gets its standard streams. ``CONTROL`` is a descriptor that ends when the other side closes it or dies: then
everything that the command ever started is killed. To ``STATUS`` it writes lines: ``failed TEXT`` where the command
cannot be started, ``exit CODE`` when it has ended (negative for a signal), ``left NUMBER`` for the processes that it
left behind, ``gone`` when none of them is left.

On Linux the warden is the subreaper of all descendants: one that leaves its process group and its session becomes the
warden's child when its parent ends, so that "no child left" is the whole truth. Elsewhere only the process group is
killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_GRACE = 0.3
_TICK = 0.02
_PATIENCE = 10.0


def run(control: int, status: int, command: list[str]) -> None:
    """Start the command and stay until it is over and nothing of it is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    _adopt_orphans()
    try:
        child = subprocess.Popen(command, start_new_session=True, preexec_fn=_default_signals)  # noqa: PLW1509, S603
    except (OSError, ValueError) as error:
        _say(status, f"failed {getattr(error, 'strerror', None) or error}")
        return
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    ended = _wait(child, control, status)
    if ended:
        _count_leftovers(status)
    _kill_all(child)
    _say(status, "gone")


def _default_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def _adopt_orphans() -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _wait(child: subprocess.Popen[bytes], control: int, status: int) -> bool:
    """Until the command ends (True) or the other side lets go (False); orphans that end meanwhile are collected."""
    while True:
        ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is None:
            if select.select([control], [], [], _TICK)[0]:
                return False
        elif ended.si_pid == child.pid:
            _say(status, f"exit {child.wait()}")
            return True
        else:
            os.waitpid(ended.si_pid, 0)


def _count_leftovers(status: int) -> None:
    deadline = time.monotonic() + _GRACE
    while True:
        left = sum(1 for pid in _descendants() if not _collected(pid))
        if not left or time.monotonic() > deadline:
            break
        time.sleep(_TICK)
    _say(status, f"left {left}")


def _collected(pid: int) -> bool:
    with contextlib.suppress(ChildProcessError):
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    return False


def _kill_all(child: subprocess.Popen[bytes]) -> None:
    """Kill until there is no descendant; each is stopped first, so that none forks while the others are killed."""
    with contextlib.suppress(OSError):
        os.killpg(child.pid, signal.SIGKILL)
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        living = _descendants()
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in living:
                with contextlib.suppress(OSError):
                    os.kill(pid, number)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(_TICK / 4)


def _descendants() -> list[int]:
    """Every process below this one, from /proc; none where there is no such thing."""
    parents: dict[int, int] = {}
    with contextlib.suppress(OSError):
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                with contextlib.suppress(OSError, ValueError, IndexError):
                    stat = Path(entry.path, "stat").read_bytes()
                    parents[int(entry.name)] = int(stat[stat.rindex(b")") + 2 :].split()[1])
    found: list[int] = []
    pending = [os.getpid()]
    while pending:
        above = pending.pop()
        below = [pid for pid, parent in parents.items() if parent == above]
        found.extend(below)
        pending.extend(below)
    return found


def _say(status: int, text: str) -> None:
    with contextlib.suppress(OSError):
        os.write(status, f"{text}\n".encode("utf-8", "replace"))


if __name__ == "__main__":
    run(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
