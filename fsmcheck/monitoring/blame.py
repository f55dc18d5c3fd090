"""Which clause a departure breaks, where more can be said than from the first difference alone."""

from __future__ import annotations

from fsmcheck.conformance.answers import Answer
from fsmcheck.conformance.compare import Difference
from fsmcheck.reducer.fitting import LARGEST_STAGED_INTEGER
from fsmcheck.reducer.record import Step
from fsmcheck.spec.model import Spec

_ENDLESS = ("no-progress", "runaway")


def refined(spec: Spec, step: Step, answer: Answer, difference: Difference, clause: str) -> str:
    """The clause, or a closer one."""
    if difference.path == "rejected":
        return _refusal(spec, step, answer, clause)
    expected, logged = step.configuration.status, str(answer["status"])
    if logged != expected:
        endless = [status for status in (expected, logged) if status in _ENDLESS]
        if endless:
            return endless[0]
        if logged == "failed" and expected != "failed" and _had_guard_errors(step):
            return "guard-errors"
        if logged == "capped" and expected == "waiting" and answer.get("cap") == "maxExchangesPerStage":
            return "visit-counters"
    if expected == logged == "failed":
        return "failed-store"
    if clause == "actions-in-sequence" and _is_shuffled(difference):
        return "append"
    return clause


def _is_shuffled(difference: Difference) -> bool:
    """Whether a list has the elements that it should have, in another order."""
    expected, logged = difference.expected, difference.actual
    if not isinstance(expected, list) or not isinstance(logged, list):
        return False
    return sorted(map(repr, expected)) == sorted(map(repr, logged))


def _refusal(spec: Spec, step: Step, answer: Answer, clause: str) -> str:
    if step.rejected == "type-mismatch" and any(_is_large(value) for value in step.given.values()):
        return "integer-bound"
    if step.rejected is not None or step.before is None or step.agent is None:
        return clause
    asked = [req.field.text for req in spec.state_by_name[step.before.state].requires if req.agent.text == step.agent]
    if answer.get("rejected") == "not-authorised" and all(step.before.store.is_set(name) for name in asked):
        return "who-may-act"
    if answer.get("rejected") == "not-writable" and any(step.before.store.is_set(name) for name in step.given):
        return "overwriting"
    return clause


def _is_large(value: object) -> bool:
    if isinstance(value, list):
        return any(_is_large(item) for item in value)
    if isinstance(value, dict):
        return any(_is_large(item) for item in value.values())
    return isinstance(value, int) and abs(value) > LARGEST_STAGED_INTEGER


def _had_guard_errors(step: Step) -> bool:
    return any(
        result.fault is not None
        for search in step.advance.searches()
        for tried in search.tried
        for result in tried.guards
    )
