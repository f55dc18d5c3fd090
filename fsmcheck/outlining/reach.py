"""Which classes of contexts some run comes to.

A class that no abstract configuration admits is not reached; one that is admitted is reached if a concrete run
shows it. Between the two nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from fsmcheck.cel.values import Value
from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Graph, Limits, explore
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.confirm import Run
from fsmcheck.outlining.classes import Classes
from fsmcheck.outlining.outcomes import Vector, outcome_terms, outcomes
from fsmcheck.spec.model import State
from fsmcheck.system.slice import slice_system
from fsmcheck.system.system import Event, Input, Phase, Step, StepKind

RULE = "outline"
LIMITS = Limits(configurations=20_000, seconds=2.0)
MOST_CLASSES = 64
"""Classes of one state that are looked for."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Whether a run comes to a class, and the context of one that does."""

    reachable: bool | None
    context: Mapping[str, Value] | None = None


@dataclass(frozen=True, slots=True)
class Reached:
    """What a search of the machine found. Where it was cut off, everything counts as possibly reached."""

    graph: Graph

    def state(self, name: str) -> bool:
        """Whether a run may come to be in a state."""
        return not self.graph.complete or any(location.state == name for location in self.graph.reached)

    def transition(self, state: str, index: int) -> bool:
        """Whether a run may take a transition, or try to."""
        return not self.graph.complete or (state, index) in self._fired()

    def _fired(self) -> frozenset[tuple[str, int]]:
        steps = self.graph.system.steps
        used = {number for edges in self.graph.edges for number, _ in edges}
        return frozenset(
            (steps[number].source.state, index)
            for number in used
            if (index := steps[number].transition) is not None and steps[number].kind is StepKind.FIRE
        )


def search(case: Case, found: Mapping[str, Classes]) -> Reached:
    """A search of the machine that watches for the classes of every state."""
    events = {name: _events(case, name, classes) for name, classes in found.items()}
    steps = tuple(_watched(step, events) for step in case.system.steps)
    system = slice_system(replace(case.system, steps=steps), lambda event: event.rule == RULE)
    return Reached(explore(system, LIMITS))


def _events(case: Case, name: str, classes: Classes) -> tuple[Event, ...]:
    terms = outcome_terms(case.layout, case.spec.state_by_name[name], case.profile)
    found: list[Event] = []
    for vector in list(classes.found)[:MOST_CLASSES]:
        condition = terms.admits(vector)
        found.append(Event(RULE, Subject(state=name), condition, terms.choices.used_in([condition]), case_of(vector)))
    return tuple(found)


def case_of(vector: Vector) -> str:
    """A class as the case of an event."""
    return ",".join(vector)


def _watched(step: Step, events: Mapping[str, tuple[Event, ...]]) -> Step:
    if step.source.phase is not Phase.RUNNING or step.source.state not in events:
        return replace(step, events=())
    mine = events[step.source.state]
    return replace(step, events=mine, inputs=(*step.inputs, *_inner(step, mine)))


def _inner(step: Step, events: Sequence[Event]) -> tuple[Input, ...]:
    known = {choice.name for choice in step.inputs}
    more = {choice.name: choice for event in events for choice in event.inputs if choice.name not in known}
    return tuple(more.values())


def seen_classes(case: Case, reached: Reached, state: State, classes: Classes) -> dict[Vector, Seen]:
    """What is known of each class of a state."""
    graph = reached.graph
    found: dict[Vector, Seen] = {}
    for vector in list(classes.found)[:MOST_CLASSES]:
        hits = graph.hits.get((RULE, Subject(state=state.name.text), case_of(vector)), [])
        if not hits:
            found[vector] = Seen(False if graph.complete else None)
            continue
        shown = case.show_hit(graph, hits, partial(_find, case, state, vector))
        context = None if shown is None else {name: shown.detail["store"][name] for name in classes.fields}
        found[vector] = Seen(None if context is None else True, context)
    return found


def _find(case: Case, state: State, vector: Vector, run: Run) -> tuple[int, Mapping[str, Any]] | None:
    """The first time in a run that guards of the state are evaluated with these outcomes."""
    for number, step in enumerate(run):
        for each in step.advance.searches():
            if each.state != state.name.text or (each.unmet and case.profile == "gated"):
                continue
            if outcomes(state, each.store, case.profile) == vector:
                return number, {"store": each.store}
    return None
