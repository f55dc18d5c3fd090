"""Events of a log, ``fsmcheck.log/1``, and what is said of lines that are none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from fsmcheck.reducer.json_values import JsonValue

SCHEMA = "fsmcheck.log/1"

EventKind = Literal["start", "exchange", "configuration", "end"]
EVENT_KINDS: tuple[EventKind, ...] = ("start", "exchange", "configuration", "end")

ComplaintKind = Literal[
    "not-utf8",
    "too-long",
    "no-json",
    "no-object",
    "truncated",
    "no-run",
    "no-event",
    "unknown-event",
    "malformed",
    "unknown-field",
    "after-end",
    "nothing-read",
]


class Said(NamedTuple):
    """What a log says of the configuration after an event; None where it says nothing.

    ``rejected`` is the code of a refusal, True for one without a code, False where the exchange was accepted.
    """

    state: str | None = None
    status: str | None = None
    store: Mapping[str, JsonValue] | None = None
    cap: str | None = None
    awaits: list[Mapping[str, JsonValue]] | None = None
    microsteps: list[Mapping[str, JsonValue]] | None = None
    rejected: str | bool | None = None

    @property
    def anything(self) -> bool:
        return any(part is not None for part in self[:6])


class Event(NamedTuple):
    """One line of a log. ``given`` are the inputs of a start, the writes of an exchange; ``time`` as it was logged."""

    run: str
    kind: EventKind
    said: Said
    agent: str = ""
    given: Mapping[str, JsonValue] = {}
    time: str = ""


class Place(NamedTuple):
    """A line of a log, 1-based."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class Complaint(Exception):  # noqa: N818 - it is what is said of a line, and raised on the way there
    """Something about a line that keeps it, or a part of it, from being judged; ``run`` where it is known."""

    def __init__(self, kind: ComplaintKind, message: str, run: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.run = run
