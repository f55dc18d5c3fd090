"""Which transition is enabled."""

from __future__ import annotations

from fsmcheck.cel.errors import EvaluationError, WorkLimit
from fsmcheck.cel.evaluate import evaluate
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.record import GuardFault, GuardResult, Search, Tried
from fsmcheck.reducer.store import Store
from fsmcheck.spec.model import Guard, State, Transition


def search(state: State, store: Store, profile: Profile) -> Search:
    """The first enabled transition in document order, and everything that was evaluated to find it."""
    are_set = store.set_fields
    unmet = tuple(requirement for requirement in state.requires if requirement.field.text not in are_set)
    tried: list[Tried] = []
    enabled: int | None = None
    if not (unmet and profile == "gated"):
        for transition in state.transitions:
            tried.append(_try(transition, store, bool(unmet)))
            if tried[-1].enabled:
                enabled = transition.index
                break
    return Search(state.name.text, store, unmet, tuple(tried), enabled)


def _try(transition: Transition, store: Store, unmet: bool) -> Tried:
    if not transition.guards:
        return Tried(transition.index, (), enabled=not unmet)
    results: list[GuardResult] = []
    for index, guard in enumerate(transition.guards):
        results.append(guard_result(index, guard, store))
        if not results[-1].holds:
            break
    return Tried(transition.index, tuple(results), enabled=results[-1].holds)


def guard_result(index: int, guard: Guard, store: Store) -> GuardResult:
    """Evaluate one guard: a failure, or a value that is no boolean, counts as false and is recorded."""
    if guard.expression is None or guard.expression.ast is None:
        fault = GuardFault(f'backend "{guard.backend.text}" is not evaluated', opaque=True)
        return GuardResult(index, False, fault)
    try:
        value = evaluate(guard.expression.ast, store)
    except EvaluationError as error:
        fault = GuardFault(error.message, error.span, gave_up=isinstance(error, WorkLimit))
        return GuardResult(index, False, fault)
    if not isinstance(value, bool):
        shown = "null" if value is None else "not a boolean"
        return GuardResult(index, False, GuardFault(f"the value of the guard is {shown}"))
    return GuardResult(index, value)
