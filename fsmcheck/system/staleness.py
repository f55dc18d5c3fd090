"""Where an answer of an earlier visit may still stand, by what the actions of the transitions assign.

A value is stale for a state from when the state is left with it until it is assigned or staged anew. Along which
transitions it can come back to the state is a question of reaching definitions (Kildall, 1973): guards are not looked
at, so every pair that some run makes stale is found, and perhaps more. A pair that is not found needs no bookkeeping.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from fsmcheck.spec.model import Action, Operator, Spec, State, Transition

Facts = dict[str, int]
"""For a field the set of states, as the bits of a number by their place in the spec, for which it may be stale."""


def returning_stale(spec: Spec) -> frozenset[tuple[str, str]]:
    """The pairs of a state and a field that it requires which may be stale when the state is entered again."""
    place = {state.name.text: number for number, state in enumerate(spec.states)}
    at = _facts(spec, place)
    return frozenset(
        (state.name.text, req.field.text)
        for state in spec.states
        for req in state.requires
        if at.get(state.name.text, {}).get(req.field.text, 0) >> place[state.name.text] & 1
    )


def _facts(spec: Spec, place: dict[str, int]) -> dict[str, Facts]:
    """What may be stale in each state once its ``entry`` is done."""
    at: dict[str, Facts] = {spec.initial.text: {}}
    pending = deque(at)
    while pending:
        state = spec.state_by_name[pending.popleft()]
        if state.terminal:
            continue
        for transition in state.transitions:
            target = spec.state_by_name.get(transition.target.text)
            if target is None:
                continue
            came = _along(at[state.name.text], state, transition, target, 1 << place[state.name.text])
            known = at.get(target.name.text)
            if known is None or any(known.get(name, 0) | mask != known.get(name, 0) for name, mask in came.items()):
                merged = dict(known or {})
                for name, mask in came.items():
                    merged[name] = merged.get(name, 0) | mask
                at[target.name.text] = merged
                pending.append(target.name.text)
    return at


def _along(before: Facts, state: State, transition: Transition, target: State, bit: int) -> Facts:
    """What may be stale after a transition, in terms of what may be when it is taken."""
    written = _assigned([*state.exit, *transition.actions])
    after = {name: mask for name, mask in before.items() if name not in written}
    for req in state.requires:
        name = req.field.text
        if name not in written:
            after[name] = after.get(name, 0) | bit
    for name in _assigned(target.entry) & after.keys():
        del after[name]
    return after


def _assigned(actions: Iterable[Action]) -> frozenset[str]:
    return frozenset(
        write.field.text for action in actions if action.operator is Operator.ASSIGN for write in action.writes
    )
