"""The protocol ``fsmcheck.reducer/1`` from the other side: requests to a reducer, answers read strictly."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import NoReturn, Self

from fsmcheck.conformance.answers import Answer, MalformedAnswerError, require_advance, require_loaded
from fsmcheck.conformance.failure import Failure, FailureName, ReducerFailure
from fsmcheck.conformance.process import Bounds, ReducerProcess, shown
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.strict_json import StrictJsonError, parse_json


class Client:
    """A conversation with a command. Every method raises ``ReducerFailure``, after which the command is gone."""

    def __init__(self, command: Sequence[str], bounds: Bounds | None = None) -> None:
        self._process = ReducerProcess(command, bounds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self._process.kill()

    def load(self, document: JsonValue, profile: Profile) -> Answer:
        """Whether the reducer takes a spec: ``ok`` is true, or there is an ``error``."""
        return self._ask({"op": "load", "spec": document, "profile": profile}, require_loaded)

    def start(self, inputs: Mapping[str, JsonValue]) -> Answer:
        """An advance, or a refusal of the inputs."""
        return self._ask({"op": "start", "inputs": dict(inputs)}, require_advance)

    def exchange(self, agent: str, writes: Mapping[str, JsonValue]) -> Answer:
        """An advance, with ``rejected`` where the exchange was."""
        return self._ask({"op": "exchange", "agent": agent, "writes": dict(writes)}, require_advance)

    def close(self) -> None:
        """End the conversation and see that the command ends, too."""
        self._process.close(b'{"op": "close"}')

    def _ask(self, request: dict[str, JsonValue], require: Callable[[Answer], None]) -> Answer:
        line = json.dumps(request, allow_nan=False).encode()
        raw = self._process.ask(line)
        try:
            answer = parse_json(raw.decode("utf-8"))
        except UnicodeDecodeError:
            self._fail("garbage", line, "the line is not UTF-8", raw)
        except StrictJsonError as error:
            self._fail("garbage", line, str(error), raw)
        if not isinstance(answer, dict):
            self._fail("malformed", line, "the answer is no object", raw)
        try:
            require(answer)
        except MalformedAnswerError as error:
            self._fail("malformed", line, str(error), raw)
        return answer

    def _fail(self, name: FailureName, request: bytes, detail: str, answer: bytes) -> NoReturn:
        self._process.kill()
        told = f"{detail}: {shown(answer)}"
        raise ReducerFailure(Failure(name, shown(request), told))
