"""The cone of influence: the part of a system that a set of questions depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property

from fsmcheck.diagnostics import Subject
from fsmcheck.records import dataclass
from fsmcheck.system import terms as t
from fsmcheck.system.system import Event, System
from fsmcheck.system.terms import Term

Asked = tuple[str, Subject, str]
"""The rule, the subject and the case of an event."""


@dataclass(frozen=True)
class Cones:
    """The cones of influence of the questions about one system, what they share worked out once."""

    system: System

    @cached_property
    def _read_by_updates(self) -> dict[str, frozenset[str]]:
        writers: dict[str, list[Term]] = {variable.name: [] for variable in self.system.variables}
        for step in self.system.steps:
            for name, term in step.updates.items():
                writers[name].append(term)
        return {name: self._named(terms) for name, terms in writers.items()}

    @cached_property
    def _read_by_events(self) -> dict[Asked, frozenset[str]]:
        conditions: dict[Asked, list[Term]] = {}
        for step in self.system.steps:
            for event in step.events:
                conditions.setdefault((event.rule, event.subject, event.case), []).append(event.condition)
        return {asked: self._named(terms) for asked, terms in conditions.items()}

    @cached_property
    def machine(self) -> frozenset[str]:
        """The variables that the guards of the steps read, closed under what updates them."""
        return self._closed(self._named([step.guard for step in self.system.steps]))

    @cached_property
    def by_subject(self) -> dict[tuple[str, Subject], frozenset[str]]:
        """For each rule and subject the variables that its events depend on, those of the machine among them."""
        cases: dict[tuple[str, Subject], list[Asked]] = {}
        for asked in self._read_by_events:
            cases.setdefault(asked[:2], []).append(asked)
        same: dict[frozenset[str], frozenset[str]] = {}
        found = {about: self.of(events) for about, events in cases.items()}
        return {about: same.setdefault(names, names) for about, names in found.items()}

    def of(self, asked: Iterable[Asked]) -> frozenset[str]:
        """The variables that some events depend on, those of the machine among them."""
        read = frozenset().union(*(self._read_by_events[each] for each in asked)) - self.machine
        return self.machine | self._closed(read) if read else self.machine

    def _named(self, terms: list[Term]) -> frozenset[str]:
        return frozenset(name for name in t.variables(terms) if name in self.system.by_name)

    def _closed(self, names: frozenset[str]) -> frozenset[str]:
        found: set[str] = set()
        frontier = list(names)
        while frontier:
            name = frontier.pop()
            if name not in found:
                found.add(name)
                frontier += self._read_by_updates[name] - found
        return frozenset(found)


def cone(system: System, wanted: Callable[[Event], bool]) -> frozenset[str]:
    """The variables that guards and the wanted events read, closed under what updates them."""
    events = (event for step in system.steps for event in step.events if wanted(event))
    return Cones(system).of({(event.rule, event.subject, event.case) for event in events})


def slice_system(system: System, wanted: Callable[[Event], bool]) -> System:
    """The same machine with only the variables that the wanted events depend on, and only those events."""
    return restrict(system, cone(system, wanted), wanted)


def restrict(system: System, keep: frozenset[str], wanted: Callable[[Event], bool]) -> System:
    """The same machine with some of its variables, closed under what their updates and the wanted events read."""
    steps = []
    for step in system.steps:
        updates = {name: term for name, term in step.updates.items() if name in keep}
        events = tuple(event for event in step.events if wanted(event))
        used = t.variables([step.guard, *updates.values(), *(event.condition for event in events)])
        inputs = tuple(choice for choice in step.inputs if choice.name in used)
        steps.append(replace(step, updates=updates, events=events, inputs=inputs))
    variables = tuple(variable for variable in system.variables if variable.name in keep)
    initial = {variable.name: system.initial[variable.name] for variable in variables}
    return replace(system, variables=variables, initial=initial, steps=tuple(steps))
