"""Configurations: all that decides how a run goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Literal

from fsmcheck.records import dataclass
from fsmcheck.reducer.store import Store

Profile = Literal["gated", "eager"]
"""When a transition is enabled. ``gated``: every requirement of the state is met and all guards hold.
``eager``: all guards hold; one without guards also needs every requirement met."""

Status = Literal["waiting", "done", "stuck", "no-progress", "runaway", "capped", "failed"]

Cap = Literal["maxIterations", "maxExchangesPerStage", "maxExchangesPerAgentPerStage"]


@dataclass(frozen=True, slots=True)
class Counters:
    """Exchanges made, rejected and empty ones too: in all, in this visit of the state, in it by each agent."""

    total: int = 0
    visit: int = 0
    by_agent: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    def counted(self, agent: str) -> Counters:
        """After one more exchange by ``agent``."""
        by_agent = MappingProxyType({**self.by_agent, agent: self.by_agent.get(agent, 0) + 1})
        return Counters(self.total + 1, self.visit + 1, by_agent)

    def left(self) -> Counters:
        """After leaving the state: a new visit has begun."""
        return Counters(self.total)


@dataclass(frozen=True, slots=True)
class Configuration:
    """A run at rest: where it is, what it holds, why it stopped, how many exchanges were made.

    ``cap`` names the cap of ``policy`` where the status is ``capped``.
    """

    state: str
    store: Store
    status: Status
    counters: Counters = Counters()
    cap: Cap | None = None

    def with_status(self, status: Status, cap: Cap | None = None) -> Configuration:
        return replace(self, status=status, cap=cap)
