"""A reducer that misbehaves as its first argument says; what is not about the misbehaviour is the reference."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

KIND = sys.argv[1]


def fork_away(marker: str) -> None:
    """A daemon: its own session, a parent that is gone, deaf to SIGTERM."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            Path(marker).write_text(str(os.getpid()), encoding="utf-8")
            os.environ.clear()
            time.sleep(600)
        os._exit(0)
    os.wait()


ASLEEP = {"state": "ask", "status": "asleep", "store": {}, "microsteps": [], "awaits": []}
TRUE_STEP = {"from": "ask", "transition": True, "to": "rest", "store": {}}
TRUE_TRANSITION = {**ASLEEP, "status": "done", "microsteps": [TRUE_STEP]}

ANSWERS = {
    "garbage": b"Traceback (most recent call last)",
    "duplicate-key": b'{"state": "ask", "state": "ask"}',
    "nan": b'{"state": NaN}',
    "surrogate": b'{"state": "\\ud800"}',
    "not-utf8": b'{"state": "\xff"}',
    "list": b"[]",
    "shape": json.dumps(ASLEEP).encode(),
    "true-transition": json.dumps(TRUE_TRANSITION).encode(),
}


def deaf() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    fork_away(sys.argv[2])
    time.sleep(600)


def fail_loudly() -> None:
    sys.stderr.write("out of paper\n")
    sys.exit(7)


def close_output() -> None:
    sys.stdout.flush()
    os.close(1)
    time.sleep(600)


def flood(descriptor: int) -> None:
    while True:
        os.write(descriptor, b"x" * 65536)


DEEDS: dict[str, Callable[[], None]] = {
    "hang": lambda: time.sleep(600),
    "deaf": deaf,
    "crash": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "exit-code": fail_loudly,
    "early-exit": lambda: sys.exit(0),
    "closed-output": close_output,
    "flood": lambda: flood(1),
    "stderr-flood": lambda: flood(2),
    "leave": lambda: fork_away(sys.argv[2]),
}


def misbehave() -> None:
    if KIND in ANSWERS:
        sys.stdout.buffer.write(ANSWERS[KIND] + b"\n")
        sys.stdout.buffer.flush()
    elif KIND in DEEDS:
        DEEDS[KIND]()


def main() -> None:
    from fsmcheck.reducer.protocol import Session, respond

    session = Session()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["op"] == "close":
            if KIND == "no-close":
                time.sleep(600)
            if KIND == "bad-close":
                sys.exit(3)
            break
        if request["op"] == "exchange":
            misbehave()
        session, answer = respond(session, request)
        text = json.dumps(answer) + "\n"
        if KIND == "unasked" and request["op"] == "start":
            text *= 2
        if KIND == "flood-of-answers" and request["op"] == "start":
            text *= 5000
        if KIND == "noisy":
            os.write(2, b"loading\n" * 20_000)
        sys.stdout.write(text)
        sys.stdout.flush()


if __name__ == "__main__":
    if KIND == "no-reading":
        time.sleep(600)
    assert isinstance(sys.stdout, io.TextIOWrapper)
    main()
