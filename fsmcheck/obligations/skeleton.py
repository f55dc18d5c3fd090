"""Digests of what a whole spec says: of its *meaning*, which is the document without its layout, for answers to
anything; and of its *skeleton*, which is what it says of behaviour but for the texts of its guards.

Two specs with one skeleton differ in nothing but the way guards are written, which fields each mentions included, and
in what is there for people: names and versions of the spec, descriptions, layout. A description counts by the fields
that it mentions, since a value that an agent is shown has been looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from fsmcheck.cel.ast import mentioned_fields
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations.cache_digests import digest, told_of_behaviour
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Guard, Spec, State


@dataclass(frozen=True, slots=True)
class Digests:
    """Those of a spec, with what it is asked under."""

    meaning: str
    skeleton: str


def digests(spec: Spec, profile: str, limits: Limits) -> Digests:
    """The digests of a spec that is asked about under a profile, within limits."""
    parts = [repr(spec.initial.text), *map(told_of_behaviour, (spec.fields, spec.agents, spec.policy))]
    parts += [_state(spec, state) for state in spec.states]
    skeleton = digest("skeleton", *parts, profile, repr(limits))
    return Digests(digest("meaning", json.dumps(spec.document, ensure_ascii=True), skeleton), skeleton)


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
