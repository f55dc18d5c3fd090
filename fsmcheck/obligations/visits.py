"""Visits of states in concrete runs, and the exchanges that they took."""

from __future__ import annotations

from fsmcheck.obligations.confirm import Run
from fsmcheck.spec.model import Spec


def left_within_caps(spec: Spec, run: Run) -> frozenset[str]:
    """The states that a run leaves, of some visit, after no more exchanges than the caps on a stage allow."""
    total, each = spec.policy.max_exchanges_per_stage, spec.policy.max_exchanges_per_agent_per_stage
    found: set[str] = set()
    exchanges: list[str] = []
    for step in run:
        if step.agent is not None:
            exchanges.append(step.agent)
        for microstep in step.advance.microsteps:
            fits = total is None or len(exchanges) <= total
            if fits and all(each is None or exchanges.count(agent) <= each for agent in exchanges):
                found.add(microstep.source)
            exchanges = []
    return frozenset(found)
