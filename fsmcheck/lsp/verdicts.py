"""Deciding how a spec behaves, in a process of its own that is killed when the text has changed."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import fsmcheck
from fsmcheck.options import Options
from fsmcheck.results import Report
from fsmcheck.source import SourceFile

_ROOT = Path(fsmcheck.__file__).parent.parent
# Not -m: it would look for modules in the folder that the editor was started in.
_START = "import sys; sys.path.append(sys.argv[1]); from fsmcheck.lsp.child import main; main()"


async def decide(source: SourceFile, options: Options) -> Report | str:
    """The report of a check, or one sentence that says why there is none.

    When the task is cancelled the process is killed, with all that it started.
    """
    request = pickle.dumps((source.path, source.text, options))
    # Not asyncio's subprocesses: one whose start is cancelled while the loop ends is waited for without end.
    process = subprocess.Popen(  # noqa: S603 - nothing of the spec is in the command
        [sys.executable, "-P", "-c", _START, str(_ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        answer = await asyncio.to_thread(_answer, process, request)
    finally:
        _kill(process)
        process.wait()
    return _understood(answer) if answer else f"the check ended with exit code {process.returncode}"


def _answer(process: subprocess.Popen[bytes], request: bytes) -> bytes:
    """What the process answers, nothing where it ends before."""
    if process.stdin is None or process.stdout is None:
        return b""
    with process.stdout, suppress(BrokenPipeError):
        process.stdin.write(request)
        process.stdin.flush()
        answer = process.stdout.read()
        # Only now: the process ends when this does.
        process.stdin.close()
        return answer
    return b""


def _understood(answer: bytes) -> Report | str:
    try:
        found = pickle.loads(answer)  # noqa: S301 - between a process and its own child
    except (pickle.UnpicklingError, EOFError):
        return "the check was cut off"
    return found if isinstance(found, Report) else str(found)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
