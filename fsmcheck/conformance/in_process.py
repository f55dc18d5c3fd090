"""A reducer that is an object in this process, held to the protocol as strictly as one behind a pipe."""

from __future__ import annotations

import copy
import inspect
import json
import math
import traceback
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import NoReturn, Self, cast

from fsmcheck.conformance.answers import Answer, MalformedAnswerError, require_advance, require_loaded
from fsmcheck.conformance.calling import Caller, OverdueError
from fsmcheck.conformance.failure import Failure, FailureName, ReducerFailure
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue

_LONGEST = 300
_DEEPEST = 200


class CandidateError(Exception):
    """An object cannot be a reducer; the message is one sentence."""


class InProcess:
    """A conversation with a candidate. Every method raises ``ReducerFailure``.

    A candidate is one of: a class, of which an object is made without arguments; an object with ``start(inputs)``,
    ``exchange(agent, writes)`` and perhaps ``load(spec, profile)`` (one without has the spec built in); a function
    from a request of the protocol to its answer. All take and give what JSON has: dictionaries, lists, texts, numbers,
    booleans and None. Each call may take ``deadline`` seconds, in a thread of its own; with None there is no limit
    and no thread.
    """

    def __init__(self, candidate: object, deadline: float | None = 10.0) -> None:
        self._caller = Caller(deadline)
        self._made: list[str] = []
        self._candidate = self._built(candidate) if inspect.isclass(candidate) else candidate
        if not callable(self._candidate) and not all(map(self._has, ("start", "exchange"))):
            kind = type(self._candidate).__name__
            raise CandidateError(
                f'the candidate, of type "{kind}", has no methods start and exchange and is no function'
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self._caller.stop()

    def load(self, document: JsonValue, profile: Profile) -> Answer:
        """As ``Client.load``. A ``load`` that gives None has taken the spec; so has a candidate without one."""
        self._made.clear()
        request: dict[str, JsonValue] = {"op": "load", "spec": document, "profile": profile}
        if self._has("start") and not self._has("load"):
            return {"ok": True}
        answer = self._ask(request, "load", ("spec", "profile"), lax=True)
        return self._required(answer, request, require_loaded)

    def start(self, inputs: Mapping[str, JsonValue]) -> Answer:
        """As ``Client.start``."""
        self._made.clear()
        request: dict[str, JsonValue] = {"op": "start", "inputs": dict(inputs)}
        return self._required(self._ask(request, "start", ("inputs",)), request, require_advance)

    def exchange(self, agent: str, writes: Mapping[str, JsonValue]) -> Answer:
        """As ``Client.exchange``."""
        request: dict[str, JsonValue] = {"op": "exchange", "agent": agent, "writes": dict(writes)}
        return self._required(self._ask(request, "exchange", ("agent", "writes")), request, require_advance)

    def close(self) -> None:
        """End the conversation."""
        self._caller.stop()

    def _has(self, method: str) -> bool:
        return callable(getattr(self._candidate, method, None))

    def _built(self, candidate: object) -> object:
        return self._call(cast("Callable[[], object]", candidate), {"op": "load"})

    def _ask(
        self, request: dict[str, JsonValue], method: str, keys: tuple[str, ...], *, lax: bool = False
    ) -> JsonValue:
        handed = copy.deepcopy(request)
        if self._has(method):
            bound = cast("Callable[..., object]", getattr(self._candidate, method))
            given = self._call(lambda: bound(*(handed[key] for key in keys)), request)
        else:
            function = cast("Callable[..., object]", self._candidate)
            given = self._call(lambda: function(handed), request)
        if not _same(handed, request):
            self._fail("mutates", request, f"it made {_shown(handed)} of it")
        if lax and given is None:
            given = {"ok": True}
        fault = _fault(given, "the answer")
        if fault is not None:
            self._fail("garbage", request, fault)
        self._made.append(_shown(request))
        return copy.deepcopy(cast("JsonValue", given))

    def _call(self, call: Callable[[], object], request: dict[str, JsonValue]) -> object:
        try:
            return self._caller.call(call)
        except OverdueError as late:
            self._fail("hang", request, str(late))
        except ReducerFailure:
            raise
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 whatever the candidate raises is its failure
            self._fail("raises", request, _raised(error))

    def _required(self, answer: JsonValue, request: dict[str, JsonValue], require: Callable[[Answer], None]) -> Answer:
        if not isinstance(answer, dict):
            self._fail("malformed", request, f"the answer is no dictionary: {_shown(answer)}")
        try:
            require(answer)
        except MalformedAnswerError as error:
            self._fail("malformed", request, f"{error}: {_shown(answer)}")
        return answer

    def _fail(self, name: FailureName, request: dict[str, JsonValue], detail: str) -> NoReturn:
        raise ReducerFailure(Failure(name, _shown(request), detail, before=tuple(self._made)))


def _same(left: object, right: object) -> bool:
    """Equality that tells True from 1 and 1 from 1.0."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(_same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    return left == right


def _fault(value: object, where: str, depth: int = 0) -> str | None:
    """What is no JSON in a value, None where all of it is."""
    if depth > _DEEPEST:
        return f"{where} is nested too deeply"
    if isinstance(value, dict):
        wrong = next((key for key in value if type(key) is not str), None)
        if wrong is not None:
            return f"{where} has the key {_repr(wrong)}, which is no text"
        return next((f for key, each in value.items() if (f := _fault(each, f'"{key}" of {where}', depth + 1))), None)
    if type(value) is list:
        return next((f for at, each in enumerate(value) if (f := _fault(each, f"[{at}] of {where}", depth + 1))), None)
    if isinstance(value, float) and not math.isfinite(value):
        return f"{where} is {value}"
    if isinstance(value, str) and any(0xD800 <= ord(mark) <= 0xDFFF for mark in value):
        return f"{where} has a lone surrogate"
    if value is None or type(value) in (bool, int, float, str):
        return None
    return f'{where} is of the type "{type(value).__name__}", which JSON does not have'


def _raised(error: BaseException) -> str:
    """The exception, and the innermost line of it."""
    said = "".join(traceback.format_exception_only(error)).strip().replace("\n", " ")
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{_cut(said)}{place}"


def _shown(value: object) -> str:
    try:
        return _cut(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return _repr(value)


def _repr(value: object) -> str:
    try:
        return _cut(repr(value))
    except Exception:  # noqa: BLE001 a candidate's own __repr__ may do anything
        return f'something of the type "{type(value).__name__}"'


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
