"""The cone of influence: the part of a system that a set of questions depends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fsmcheck.system import terms as t
from fsmcheck.system.system import Event, System
from fsmcheck.system.terms import Term


def cone(system: System, wanted: Callable[[Event], bool]) -> frozenset[str]:
    """The variables that guards and the wanted events read, closed under what updates them."""
    roots: list[Term] = []
    writers: dict[str, list[Term]] = {}
    for step in system.steps:
        roots.append(step.guard)
        roots += [event.condition for event in step.events if wanted(event)]
        for name, term in step.updates.items():
            writers.setdefault(name, []).append(term)
    names = {variable.name for variable in system.variables}
    found: set[str] = set()
    frontier = [name for name in t.variables(roots) if name in names]
    while frontier:
        name = frontier.pop()
        if name in found:
            continue
        found.add(name)
        frontier += [read for read in t.variables(writers.get(name, [])) if read in names and read not in found]
    return frozenset(found)


def slice_system(system: System, wanted: Callable[[Event], bool]) -> System:
    """The same machine with only the variables that the wanted events depend on, and only those events."""
    keep = cone(system, wanted)
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
