"""What an exchange may stage, and when the caps of ``policy`` end a run."""

from __future__ import annotations

from collections.abc import Mapping

from fsmcheck.cel.values import Value
from fsmcheck.reducer.configuration import Cap, Configuration, Counters
from fsmcheck.reducer.fitting import UnfitError, staged
from fsmcheck.reducer.record import Rejection
from fsmcheck.spec.model import Spec


class RejectedError(Exception):
    """An exchange is refused; ``code`` says why."""

    def __init__(self, code: Rejection) -> None:
        super().__init__(code)
        self.code = code


def accepted_writes(spec: Spec, state: str, agent: str, writes: Mapping[str, object]) -> dict[str, Value]:
    """The run-time values of an exchange in ``state``, all of them checked in the order of ``writes``.

    An agent that the state lists but requires nothing from may write nothing; an empty exchange of it is
    ``not-authorised``. Raises ``RejectedError`` with the code of the first bad write.
    """
    declared = spec.agent_by_name.get(agent)
    if declared is None:
        raise RejectedError("unknown-agent")
    writable = {req.field.text for req in spec.state_by_name[state].requires if req.agent.text == agent}
    listed = state in {name.text for name in declared.can_transition}
    if not listed or (not writable and not writes):
        raise RejectedError("not-authorised")
    return {field: _accepted(spec, field, value, writable) for field, value in writes.items()}


def _accepted(spec: Spec, field: str, value: object, writable: set[str]) -> Value:
    if field not in spec.field_by_name:
        raise RejectedError("unknown-field")
    if field not in writable:
        raise RejectedError("not-writable")
    try:
        return staged(spec.field_by_name[field].type, value)
    except UnfitError as error:
        raise RejectedError(error.code) from error


def may_act(spec: Spec, state: str) -> tuple[str, ...]:
    """The agents that may make an exchange: the state requires something from them and they list the state."""
    asked = {requirement.agent.text for requirement in spec.state_by_name[state].requires}
    return tuple(
        agent.name.text
        for agent in spec.agents
        if agent.name.text in asked and state in {name.text for name in agent.can_transition}
    )


def reached_cap(spec: Spec, state: str, counters: Counters) -> Cap | None:
    """The cap that every next exchange in a waiting configuration would exceed, None while one is possible.

    The cap per agent counts once all agents that may act have used it up.
    """
    policy = spec.policy
    if policy.max_iterations is not None and counters.total >= policy.max_iterations:
        return "maxIterations"
    if policy.max_exchanges_per_stage is not None and counters.visit >= policy.max_exchanges_per_stage:
        return "maxExchangesPerStage"
    if policy.max_exchanges_per_agent_per_stage is None or not counters.by_agent:
        return None
    agents = may_act(spec, state)
    if agents and all(exhausted(spec, counters, agent) for agent in agents):
        return "maxExchangesPerAgentPerStage"
    return None


def exhausted(spec: Spec, counters: Counters, agent: str) -> bool:
    """Whether one more exchange of this agent in this visit would exceed the cap per agent."""
    cap = spec.policy.max_exchanges_per_agent_per_stage
    return cap is not None and counters.by_agent.get(agent, 0) >= cap


def capped(spec: Spec, configuration: Configuration) -> Configuration:
    """A waiting configuration, or the same one ``capped`` where no further exchange is possible under ``policy``."""
    cap = reached_cap(spec, configuration.state, configuration.counters)
    if configuration.status != "waiting" or cap is None:
        return configuration
    return configuration.with_status("capped", cap)
