"""Reducers that hang, crash, lie or flood: each is a failure with a name, and nothing of them is left."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from fsmcheck.conformance.client import Client
from fsmcheck.conformance.failure import Failure, ReducerFailure
from fsmcheck.conformance.process import Bounds
from fsmcheck.spec.model import Spec
from tests.reducer.machines import spec_of

HOSTILE = Path(__file__).with_name("hostile.py")
ROOT = Path(__file__).parents[2]
BOUNDS = Bounds(seconds=2.0, answer=4 * 1024 * 1024, stderr=4 * 1024 * 1024)


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def machine() -> Spec:
    return spec_of("""
        initialState: ask
        context: { a: { type: string } }
        agents: { hand: { canTransition: [ask] } }
        states:
          ask: { requires: [{ name: a, from: { agent: hand } }], transitions: [{ toState: rest }] }
          rest: { terminal: true }
    """)


def converse(*arguments: str, bounds: Bounds = BOUNDS, command: list[str] | None = None) -> Failure | None:
    spec = machine()
    try:
        with Client(command or [sys.executable, str(HOSTILE), *arguments], bounds) as client:
            assert client.load(spec.document, "gated") == {"ok": True}  # type: ignore[arg-type]
            assert client.start({})["status"] == "waiting"
            assert client.exchange("hand", {"a": "text"})["status"] == "done"
            client.close()
    except ReducerFailure as failure:
        return failure.failure
    return None


def alive(marker: Path) -> bool:
    try:
        os.kill(int(marker.read_text()), 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("kind", ["honest", "noisy"])
def test_an_honest_reducer(kind: str) -> None:
    assert converse(kind) is None


@pytest.mark.parametrize(
    ("kind", "name", "request_"),
    [
        ("hang", "hang", "exchange"),
        ("no-reading", "hang", "load"),
        ("crash", "crash", "exchange"),
        ("exit-code", "crash", "exchange"),
        ("early-exit", "early-exit", "exchange"),
        ("closed-output", "closed-output", "exchange"),
        ("garbage", "garbage", "exchange"),
        ("duplicate-key", "garbage", "exchange"),
        ("nan", "garbage", "exchange"),
        ("surrogate", "garbage", "exchange"),
        ("not-utf8", "garbage", "exchange"),
        ("list", "malformed", "exchange"),
        ("shape", "malformed", "exchange"),
        ("true-transition", "malformed", "exchange"),
        ("unasked", "unasked", "exchange"),
        ("flood", "flood", "exchange"),
        ("flood-of-answers", "flood", "exchange"),
        ("stderr-flood", "stderr-flood", "exchange"),
        ("no-close", "no-close", "close"),
        ("bad-close", "crash", "close"),
    ],
)
def test_failures_have_names(kind: str, name: str, request_: str) -> None:
    began = time.monotonic()
    failure = converse(kind, bounds=Bounds(1.0, BOUNDS.answer, BOUNDS.stderr))
    assert failure is not None
    assert failure.name == name
    assert f'"op": "{request_}"' in failure.request
    assert time.monotonic() - began < 5


def test_what_is_known_of_a_failure() -> None:
    failure = converse("exit-code")
    assert failure is not None
    assert failure.detail == "exit code 7"
    assert "out of paper" in failure.stderr
    assert str(failure).startswith("crash: the process died")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has subreapers")
@pytest.mark.parametrize(("kind", "name"), [("leave", "left-behind"), ("deaf", "hang")])
def test_nothing_is_left_of_children_that_escape(tmp_path: Path, kind: str, name: str) -> None:
    marker = tmp_path / "pid"
    failure = converse(kind, str(marker), bounds=Bounds(1.0))
    assert failure is not None
    assert failure.name == name
    assert not alive(marker)


def test_nothing_is_left_when_the_conversation_is_broken_off(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    with Client(
        [sys.executable, "-c", f"import os,time;open({str(marker)!r},'w').write(str(os.getpid()));time.sleep(99)"]
    ):
        while not (marker.exists() and marker.read_text()):
            time.sleep(0.01)
    assert not alive(marker)


@pytest.mark.parametrize("command", [["no such command"], ["/"], ["a\0b"]])
def test_a_command_that_cannot_be_started(command: list[str]) -> None:
    failure = converse(command=command)
    assert failure is not None
    assert failure.name == "not-started"


def test_a_request_that_is_not_read_does_not_block() -> None:
    sleeper = [sys.executable, "-c", "import time; time.sleep(99)"]
    with pytest.raises(ReducerFailure) as caught, Client(sleeper, Bounds(0.5)) as client:
        client.exchange("hand", {"a": "x" * 3_000_000})
    assert caught.value.failure.name == "hang"
