"""The reference reducer as an object that answers as the protocol says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.protocol import ProtocolError, Session, respond
from fsmcheck.spec.model import Spec


class ReferenceReducer:
    """One run at a time of one spec; what ``start`` and ``exchange`` return is an advance as the formats write it."""

    def __init__(self, spec: Spec, profile: Profile = "gated") -> None:
        self.spec = spec
        self.profile: Profile = profile
        self._session = Session(spec, profile)

    def load(self, document: JsonValue, profile: Profile = "gated") -> dict[str, JsonValue]:
        """Take another spec, the ``fsm`` mapping."""
        answer = self._ask({"op": "load", "spec": document, "profile": profile})
        if answer.get("ok") is True:
            self.spec, self.profile = cast("Spec", self._session.spec), self._session.profile
        return answer

    def start(self, inputs: Mapping[str, JsonValue] | None = None) -> dict[str, JsonValue]:
        """Begin a run; ``{"ok": false, "error": text}`` where the inputs are refused."""
        return self._ask({"op": "start", "inputs": dict(inputs or {})})

    def exchange(self, agent: str, writes: Mapping[str, JsonValue] | None = None) -> dict[str, JsonValue]:
        """Make an exchange; ``rejected`` is in the answer where it was rejected."""
        return self._ask({"op": "exchange", "agent": agent, "writes": dict(writes or {})})

    def _ask(self, request: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        try:
            self._session, answer = respond(self._session, request)
        except ProtocolError as error:
            return {"ok": False, "error": str(error)}
        return answer
