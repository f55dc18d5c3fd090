"""A digest of what a spec says of behaviour, but for the texts of its guards.

Two specs with one skeleton differ in nothing but the way guards are written, which fields each mentions included, and
in what is there for people: names and versions of the spec, descriptions, layout. A description counts by the fields
that it mentions, since a value that an agent is shown has been looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel.ast import mentioned_fields
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations.cache_digests import digest, told_of_behaviour
from fsmcheck.spec.model import Guard, Spec, State


def skeleton(spec: Spec, profile: str, limits: Limits) -> str:
    """The digest, with what the spec is asked under."""
    parts = [f"{spec.initial.text!r}", *map(told_of_behaviour, (spec.fields, spec.agents, spec.policy))]
    return digest("skeleton", *parts, *(_state(spec, state) for state in spec.states), profile, repr(limits))


def _state(spec: Spec, state: State) -> str:
    name = state.name.text
    parts = [repr(name), repr(sorted(spec.template_fields[name])), repr(state.terminal)]
    parts += map(told_of_behaviour, (state.requires, state.entry, state.exit))
    for transition in state.transitions:
        parts += [repr(transition.target.text), told_of_behaviour(transition.actions)]
        parts += [part for guard in transition.guards for part in _guard(guard)]
        parts.append("")
    return digest(*parts)


def _guard(guard: Guard) -> Iterator[str]:
    yield repr(guard.backend.text)
    if guard.expression is None or guard.expression.ast is None:
        yield f"{guard.text!r}"
    else:
        yield repr(sorted(mentioned_fields(guard.expression.ast)))
