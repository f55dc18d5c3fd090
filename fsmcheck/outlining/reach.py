"""Which classes of contexts some run comes to.

A class that no abstract configuration admits is not reached; one that is admitted is reached if a concrete run
shows it. Between the two nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from fsmcheck.cel.values import Value
from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Graph, Limits, explore
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.confirm import Run
from fsmcheck.outlining.classes import Classes
from fsmcheck.outlining.outcomes import Vector, outcome_terms, outcomes
from fsmcheck.records import dataclass
from fsmcheck.reducer.record import Search
from fsmcheck.reducer.record import Step as RunStep
from fsmcheck.reducer.store import Store
from fsmcheck.system.slice import slice_system
from fsmcheck.system.system import Event, Input, Phase, Step, StepKind

RULE = "outline"
LIMITS = Limits(configurations=20_000, seconds=2.0)
MOST_CLASSES = 64
"""Classes of one state that are looked for."""

MOST_SPENT = 100_000
"""Steps and microsteps of runs after which no more are looked for."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Whether a run comes to a class, and the context of one that does."""

    reachable: bool | None
    context: Mapping[str, Value] | None = None


@dataclass(frozen=True)
class Reached:
    """What a search of the machine found. Where it was cut off, everything counts as possibly reached."""

    graph: Graph

    def state(self, name: str) -> bool:
        """Whether a run may come to be in a state."""
        return not self.graph.complete or name in self._entered

    def transition(self, state: str, index: int) -> bool:
        """Whether a run may take a transition."""
        return not self.graph.complete or (state, index) in self._fired

    @cached_property
    def _entered(self) -> frozenset[str]:
        return frozenset(location.state for location in self.graph.reached)

    @cached_property
    def _fired(self) -> frozenset[tuple[str, int | None]]:
        steps = self.graph.system.steps
        used = {number for edges in self.graph.edges for number, _ in edges}
        return frozenset(
            (steps[number].source.state, steps[number].transition)
            for number in used
            if steps[number].kind is StepKind.FIRE
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


def seen_classes(case: Case, reached: Reached, found: Mapping[str, Classes]) -> dict[str, dict[Vector, Seen]]:
    """What is known of the classes of each state.

    Of the classes that are left the one farthest away is looked for; a run that comes to it shows others on its way.
    """
    graph = reached.graph
    hits = {
        (name, vector): graph.hits.get((RULE, Subject(state=name), case_of(vector)), [])
        for name, classes in found.items()
        for vector in list(classes.found)[:MOST_CLASSES]
    }
    shown: dict[tuple[str, Vector], Store] = {}
    looks = _Looks(case)
    for name, vector in sorted(hits, key=lambda key: -min((graph.depths[h.source] for h in hits[key]), default=0)):
        if (name, vector) not in shown and hits[name, vector] and case.stage.spent < MOST_SPENT:
            found_run = case.show_hit(graph, hits[name, vector], partial(_find, looks, name, vector))
            if found_run is not None:
                _note(looks, found_run.run, shown)
    known: dict[str, dict[Vector, Seen]] = {name: {} for name in found}
    for (name, vector), admitted in hits.items():
        store = shown.get((name, vector))
        if store is None:
            known[name][vector] = Seen(False if graph.complete and not admitted else None)
        else:
            known[name][vector] = Seen(True, {field: store[field] for field in found[name].fields})
    return known


class _Looks:
    """The looks for a transition at which guards are evaluated, and the outcomes. Runs begin alike, and so have many of
    their steps in common, each of which is looked at once."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._known: dict[int, tuple[RunStep, tuple[tuple[Search, Vector], ...]]] = {}
        """By the identity of a step, which is kept so that no other one gets it."""

    def of(self, step: RunStep) -> tuple[tuple[Search, Vector], ...]:
        """Those in a step of a run."""
        if id(step) not in self._known:
            self._known[id(step)] = (step, tuple(self._made(step)))
        return self._known[id(step)][1]

    def _made(self, step: RunStep) -> Iterator[tuple[Search, Vector]]:
        case = self._case
        for each in step.advance.searches():
            if not (each.unmet and case.profile == "gated"):
                yield each, outcomes(case.spec.state_by_name[each.state], each.store, case.profile)


def _find(looks: _Looks, name: str, vector: Vector, run: Run) -> tuple[int, Mapping[str, Any]] | None:
    """The step of a run in which guards of a state are first evaluated with these outcomes."""
    for number, step in enumerate(run):
        if any(each.state == name and seen == vector for each, seen in looks.of(step)):
            return number, {}
    return None


def _note(looks: _Looks, run: Run, shown: dict[tuple[str, Vector], Store]) -> None:
    for step in run:
        for each, vector in looks.of(step):
            shown.setdefault((each.state, vector), each.store)
