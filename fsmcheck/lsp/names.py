"""Every place in a spec that names a state, a field or an agent."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cached_property

from fsmcheck.records import dataclass
from fsmcheck.rules.places import expressions_of, mentions_in, writes_of
from fsmcheck.source import Span
from fsmcheck.spec.model import Expression, Name, Spec


class Thing(Enum):
    """What has a name."""

    STATE = "state"
    FIELD = "field"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name at a place. ``in_expression`` tells a bare name in CEL from a YAML scalar, quotes and all.

    ``is_exact`` is False where the layout hides the place: ``span`` is then that of the whole expression.
    """

    thing: Thing
    name: str
    span: Span
    declares: bool = False
    in_expression: bool = False
    is_exact: bool = True


@dataclass(frozen=True)
class Names:
    """The occurrences in one spec, in the order of the text."""

    spec: Spec

    @cached_property
    def all(self) -> tuple[Occurrence, ...]:
        found = (*_declared(self.spec), *_referred(self.spec), *_mentioned(self.spec))
        return tuple(sorted(found, key=lambda each: each.span))

    def at(self, offset: int) -> Occurrence | None:
        """The name that an offset is in, or just behind."""
        touching = [each for each in self.all if each.is_exact and each.span.start <= offset <= each.span.end]
        return touching[-1] if touching else None

    def same(self, occurrence: Occurrence) -> tuple[Occurrence, ...]:
        """All occurrences of what an occurrence names."""
        return tuple(each for each in self.all if (each.thing, each.name) == (occurrence.thing, occurrence.name))


def _declared(spec: Spec) -> Iterator[Occurrence]:
    things: tuple[tuple[Thing, Iterator[Name]], ...] = (
        (Thing.FIELD, (field.name for field in spec.fields)),
        (Thing.AGENT, (agent.name for agent in spec.agents)),
        (Thing.STATE, (state.name for state in spec.states)),
    )
    for thing, names in things:
        for name in names:
            yield Occurrence(thing, name.text, name.span, declares=True)


def _referred(spec: Spec) -> Iterator[Occurrence]:
    initial = spec.initial
    # Where it is left out, the span is that of something else.
    if spec.source.text[initial.span.start : initial.span.end].strip("'\"") == initial.text:
        yield Occurrence(Thing.STATE, initial.text, initial.span)
    for agent in spec.agents:
        for allowed in agent.can_transition:
            yield Occurrence(Thing.STATE, allowed.text, allowed.span)
    for state in spec.states:
        for requirement in state.requires:
            yield Occurrence(Thing.FIELD, requirement.field.text, requirement.field.span)
            yield Occurrence(Thing.AGENT, requirement.agent.text, requirement.agent.span)
        for transition in state.transitions:
            yield Occurrence(Thing.STATE, transition.target.text, transition.target.span)
    # The entries of one put share the name of their map.
    targets = dict.fromkeys(place.write.field for place in writes_of(spec))
    for target in targets:
        yield Occurrence(Thing.FIELD, target.text, target.span)


def _mentioned(spec: Spec) -> Iterator[Occurrence]:
    for place in expressions_of(spec):
        for name, inner in mentions_in(place.expression):
            span = place.expression.place(inner)
            is_exact = _is_exact(spec, place.expression, name, span)
            yield Occurrence(Thing.FIELD, name, span, in_expression=True, is_exact=is_exact)


def _is_exact(spec: Spec, expression: Expression, name: str, span: Span) -> bool:
    return bool(expression.offsets) and spec.source.text[span.start : span.end] == name
