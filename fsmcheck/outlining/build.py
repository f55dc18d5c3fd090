"""The outline of a spec whose names all resolve and whose expressions all check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fsmcheck.diagnostics import Finding
from fsmcheck.obligations.case import make_case
from fsmcheck.outline import Outline, StateOutline, TransitionOutline
from fsmcheck.outlining.classes import classes, store_variables
from fsmcheck.outlining.fields import field_outlines
from fsmcheck.outlining.matrix import matrix
from fsmcheck.outlining.reach import LIMITS, Reached, search, seen_classes
from fsmcheck.outlining.words import in_words
from fsmcheck.reducer.configuration import Profile
from fsmcheck.spec.model import Spec, State, Template, Transition
from fsmcheck.system.system import System

_DEAD_STATE = frozenset({"FSM201", "FSM203"})
_DEAD_TRANSITION = frozenset({"FSM303"})


def build(spec: Spec, profile: Profile, findings: Iterable[Finding] = (), system: System | None = None) -> Outline:
    """The outline of a spec under a profile, whose translation may be there already. What ``findings`` show to be dead
    is marked so, whatever the search for the outline says."""
    case = make_case(spec, profile, LIMITS, system)
    named = [state for state in spec.states if state.transitions and not state.terminal]
    variables = store_variables(case.layout)
    found = {state.name.text: classes(case.layout, state, profile, variables) for state in named}
    reached = search(case, found)
    told = list(findings)
    dead: _Dead = {(f.subject.state, None) for f in told if f.rule in _DEAD_STATE}
    dead |= {(f.subject.state, f.subject.transition) for f in told if f.rule in _DEAD_TRANSITION}
    seen = seen_classes(case, reached, found)
    matrices = tuple(matrix(name, each, seen[name]) for name, each in found.items())
    return Outline(
        tuple(_state(spec, state, reached, dead) for state in spec.states),
        tuple(
            _transition(state, transition, reached, dead) for state in spec.states for transition in state.transitions
        ),
        field_outlines(spec),
        _policy(spec),
        matrices,
    )


_Dead = set[tuple[str | None, int | None]]


def _state(spec: Spec, state: State, reached: Reached, dead: _Dead) -> StateOutline:
    name = state.name.text
    return StateOutline(
        name,
        initial=name == spec.initial.text,
        terminal=state.terminal,
        reachable=(name, None) not in dead and reached.state(name),
        description=text_of(state.description),
        requires=tuple((each.field.text, each.agent.text) for each in state.requires),
        entry=in_words(state.entry),
        exit=in_words(state.exit),
    )


def _transition(state: State, transition: Transition, reached: Reached, dead: _Dead) -> TransitionOutline:
    name, index = state.name.text, transition.index
    alive = not dead & {(name, None), (name, index)} and reached.transition(name, index)
    return TransitionOutline(
        name,
        transition.target.text,
        index,
        tuple(guard.text for guard in transition.guards),
        in_words(transition.actions),
        reachable=alive and not state.terminal,
    )


def text_of(description: Template | None) -> str:
    """A description as written."""
    parts = description.parts if description is not None else ()
    return "".join(part if isinstance(part, str) else f"{{{{ {part.text.strip()} }}}}" for part in parts)


def _policy(spec: Spec) -> Mapping[str, Any]:
    policy = spec.policy
    caps = {
        "maxIterations": policy.max_iterations,
        "maxExchangesPerStage": policy.max_exchanges_per_stage,
        "maxExchangesPerAgentPerStage": policy.max_exchanges_per_agent_per_stage,
        "checkpointEvery": policy.checkpoint_every,
    }
    return {name: cap for name, cap in caps.items() if cap is not None}
