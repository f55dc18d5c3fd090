"""The reducer protocol, ``fsmcheck.reducer/1``: one JSON object a line in, one answer a line out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import IO, cast

from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Configuration, Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.reducer import InputError, UnrunnableSpecError, exchange, start
from fsmcheck.reducer.runnable import require_runnable
from fsmcheck.reducer.strict_json import StrictJsonError, parse_json
from fsmcheck.reducer.trace import advance_json
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from fsmcheck.spec.model import Spec

LONGEST_LINE = 16 * 1024 * 1024

# YAML folds or refuses these inside a quoted scalar, though JSON allows them as they are.
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


class ProtocolError(Exception):
    """A request cannot be answered; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Session:
    """What a conversation has come to: the spec loaded, the run under way."""

    spec: Spec | None = None
    profile: Profile = "gated"
    configuration: Configuration | None = None


def serve(stdin: IO[str] | IO[bytes], stdout: IO[str] | IO[bytes]) -> int:
    """Answer requests until ``close`` or the end of the input; the exit status is 0.

    Every other line is answered, in order: a malformed or untimely request with ``{"ok": false, "error": text}``.
    Lines are UTF-8 and at most 16 MiB long. Of text streams over bytes, as ``sys.stdin`` is, the bytes are used.
    """
    requests, answers = _bytes_of(stdin), _bytes_of(stdout)
    session = Session()
    while line := requests.readline(LONGEST_LINE + 1):
        if not line.strip():
            continue
        try:
            request = _request(line, requests)
            if request.get("op") == "close":
                break
            session, answer = respond(session, request)
        except ProtocolError as error:
            answer = {"ok": False, "error": str(error)}
        answers.write(json.dumps(answer, allow_nan=False).encode() + b"\n")
        answers.flush()
    return 0


def _bytes_of(stream: IO[str] | IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", getattr(stream, "buffer", stream))


def _request(line: bytes, requests: IO[bytes]) -> Mapping[str, JsonValue]:
    if len(line) > LONGEST_LINE:
        while line and not line.endswith(b"\n"):
            line = requests.readline(LONGEST_LINE)
        raise ProtocolError("the line is too long")
    try:
        request = parse_json(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ProtocolError("the line is not UTF-8") from error
    except StrictJsonError as error:
        raise ProtocolError(str(error)) from error
    if not isinstance(request, dict):
        raise ProtocolError("the request is no object")
    return request


def respond(session: Session, request: Mapping[str, JsonValue]) -> tuple[Session, dict[str, JsonValue]]:
    """The session after a request other than ``close``, and the answer. Raises ``ProtocolError``."""
    match request.get("op"):
        case "load":
            return _load(request), {"ok": True}
        case "start":
            return _start(session, request)
        case "exchange":
            return _exchange(session, request)
        case str() as operation:
            raise ProtocolError(f'unknown operation "{operation}", expected load, start, exchange or close')
    raise ProtocolError('the request has no "op"')


def _load(request: Mapping[str, JsonValue]) -> Session:
    match request.get("profile", "gated"):
        case ("gated" | "eager") as profile:
            pass
        case _:
            raise ProtocolError('the profile is neither "gated" nor "eager"')
    document = request.get("spec")
    if not isinstance(document, dict):
        raise ProtocolError('"spec" is no object')
    return Session(_read(document), profile)


def _read(document: dict[str, JsonValue]) -> Spec:
    """The spec of an ``fsm`` mapping, with or without the key ``fsm`` above it."""
    whole = document if set(document) <= {"fsm", "properties"} else {"fsm": document}
    text = json.dumps(whole, ensure_ascii=False, allow_nan=False)
    text = _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    loaded = load(SourceFile("<spec>", text))
    faults = [fault for document in loaded for fault in document.faults if fault.rule != "FSM005"]
    if faults:
        raise ProtocolError("; ".join(fault.message for fault in faults))
    spec = loaded[0].spec if len(loaded) == 1 else None
    if spec is None:
        raise ProtocolError("the document is no spec")
    try:
        require_runnable(spec)
    except UnrunnableSpecError as error:
        raise ProtocolError(str(error)) from error
    return spec


def _start(session: Session, request: Mapping[str, JsonValue]) -> tuple[Session, dict[str, JsonValue]]:
    if session.spec is None:
        raise ProtocolError("no spec is loaded")
    inputs = request.get("inputs", {})
    if not isinstance(inputs, dict):
        raise ProtocolError('"inputs" is no object')
    try:
        step = start(session.spec, inputs, session.profile)
    except InputError as error:
        raise ProtocolError(str(error)) from error
    return _answered(session, step)


def _exchange(session: Session, request: Mapping[str, JsonValue]) -> tuple[Session, dict[str, JsonValue]]:
    if session.spec is None or session.configuration is None:
        raise ProtocolError("no run is started")
    agent, writes = request.get("agent"), request.get("writes", {})
    if not isinstance(agent, str):
        raise ProtocolError('"agent" is no text')
    if not isinstance(writes, dict):
        raise ProtocolError('"writes" is no object')
    return _answered(session, exchange(session.spec, session.configuration, agent, writes, session.profile))


def _answered(session: Session, step: Step) -> tuple[Session, dict[str, JsonValue]]:
    answer = advance_json(step)
    if step.rejected is not None:
        answer["rejected"] = step.rejected
    return replace(session, configuration=step.configuration), answer
