"""The longest advances: from which configurations so many microsteps can follow each other, and which they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsmcheck.engines.diagram.backward import at
from fsmcheck.engines.diagram.mdd import EMPTY
from fsmcheck.engines.diagram.search import Diagram, deep_recursion
from fsmcheck.engines.diagram.traces import Point, Taken
from fsmcheck.system.system import Phase, StepKind

Sets = dict[int, int]
"""The nodes of sets, by location."""


def ahead(diagram: Diagram, most: int) -> list[Sets]:
    """For each number of microsteps, up to ``most``, the reachable configurations from which so many can follow each
    other; the last set is empty where so many never do."""
    machine = diagram.ready
    running = at(diagram, lambda location: location.phase is Phase.RUNNING)
    found = [{place: node for place, node in enumerate(running) if node}]
    with deep_recursion():
        for _ in range(most):
            sets: Sets = {}
            for number, source, target in _fires(diagram):
                onward = found[-1].get(target, EMPTY)
                if onward and running[source]:
                    before = machine.relation(number).before(running[source], onward)
                    sets[source] = machine.sets.union(sets.get(source, EMPTY), before)
            found.append({place: node for place, node in sets.items() if node})
            machine.budget.check_time()
    return found


def advance_from(diagram: Diagram, point: Point, sets: Sequence[Mapping[int, int]]) -> list[Taken]:
    """Microsteps from a configuration of the last of some sets that ``ahead`` gave, as many as there are before it."""
    machine = diagram.ready
    place = machine.location_numbers[point.location]
    before = machine.encoded(point.values)
    taken: list[Taken] = []
    with deep_recursion():
        for left in sets[-2::-1]:
            here = machine.sets.single(before)
            number, place, after = next(
                (number, target, machine.sets.first(both))
                for number, source, target in _fires(diagram)
                if source == place
                and (both := machine.sets.meet(machine.relation(number).image(here), left.get(target, EMPTY)))
            )
            inputs = machine.inputs_for(number, before, after)
            if inputs is None:
                raise AssertionError("a step without inputs")
            taken.append((machine.packed(before), number, inputs))
            before = after
    return taken


def _fires(diagram: Diagram) -> list[tuple[int, int, int]]:
    """The steps that are microsteps, with the locations that they lead from and to."""
    return [
        (number, *diagram.ready.ends[number])
        for number, step in enumerate(diagram.system.steps)
        if step.kind is StepKind.FIRE
    ]
