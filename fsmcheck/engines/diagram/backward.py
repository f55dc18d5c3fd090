"""Questions about what can still happen, by inverse images inside the reachable sets.

All sets are lists of nodes, one for each location.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fsmcheck.engines.coverage import MICROSTEP_LIMIT
from fsmcheck.engines.diagram.mdd import EMPTY
from fsmcheck.engines.diagram.search import Diagram, deep_recursion
from fsmcheck.system.system import Location, Phase, StepKind


def at(diagram: Diagram, wanted: Callable[[Location], bool]) -> list[int]:
    """The reachable configurations at some locations."""
    return [
        node if wanted(location) else EMPTY
        for node, location in zip(diagram.reached, diagram.system.locations, strict=True)
    ]


def done(diagram: Diagram) -> list[int]:
    """The reachable configurations in a terminal state."""
    return at(diagram, lambda location: location.phase is Phase.DONE)


def can_reach(diagram: Diagram, targets: list[int]) -> list[int]:
    """The reachable configurations with some run into ``targets``, these included (EF)."""
    return _backwards(diagram, targets, certain=False)


def surely_reaches(diagram: Diagram, targets: list[int]) -> list[int]:
    """Those from which the agents can bring the run into ``targets`` whatever the abstraction chooses."""
    return _backwards(diagram, targets, certain=True)


def others(diagram: Diagram, nodes: list[int]) -> list[int]:
    """The reachable configurations that are not in some sets."""
    machine = diagram.ready
    with deep_recursion():
        return [machine.sets.minus(node, other) for node, other in zip(diagram.reached, nodes, strict=True)]


def _backwards(diagram: Diagram, targets: list[int], *, certain: bool) -> list[int]:
    machine = diagram.ready
    sets = machine.sets
    good = list(targets)
    steps_from: list[list[tuple[int, int]]] = [[] for _ in good]
    before: list[set[int]] = [set() for _ in good]
    for number, (source, target) in enumerate(machine.ends):
        steps_from[source].append((number, target))
        before[target].add(source)
    pending = dict.fromkeys(place for target, node in enumerate(good) if node for place in sorted(before[target]))
    with deep_recursion():
        while pending:
            place = next(iter(pending))
            del pending[place]
            rest = sets.minus(diagram.reached[place], good[place])
            if not rest:
                continue
            leading = EMPTY
            for number, target in steps_from[place]:
                leading = sets.union(leading, machine.relation(number).before(rest, good[target]))
            if certain and machine.system.locations[place].phase is not Phase.WAITING:
                for number, target in steps_from[place]:
                    if not leading:
                        break
                    bad = sets.minus(diagram.reached[target], good[target])
                    leading = sets.minus(leading, machine.relation(number).before(leading, bad))
            if leading:
                good[place] = sets.union(good[place], leading)
                pending.update(dict.fromkeys(sorted(before[place])))
            machine.budget.check_time()
    return good


def turning(diagram: Diagram) -> tuple[list[int], int]:
    """The configurations on (or between) cycles of microsteps; and the most microsteps of one advance where there are
    none such.

    More than ``MICROSTEP_LIMIT`` are not counted.
    """
    machine = diagram.ready
    sets = machine.sets
    fires = [
        (number, *machine.ends[number])
        for number, step in enumerate(machine.system.steps)
        if step.kind is StepKind.FIRE
    ]
    left = at(diagram, lambda place: place.phase is Phase.RUNNING)
    longest = 0
    with deep_recursion():
        for backwards in (False, True):
            while any(left):
                found = [EMPTY] * len(left)
                for number, source, target in fires:
                    relation = machine.relation(number)
                    if backwards:
                        found[source] = sets.union(found[source], relation.before(left[source], left[target]))
                    else:
                        found[target] = sets.union(found[target], relation.image(left[source]))
                if not backwards:
                    found = [sets.meet(new, old) for new, old in zip(found, left, strict=True)]
                if found == left:
                    break
                left = found
                longest += not backwards
                if longest > MICROSTEP_LIMIT + 1:
                    return left, longest - 1
                machine.budget.check_time()
    return left, max(0, longest - 1)


def turns(diagram: Diagram, cycle: Sequence[str]) -> bool:
    """Whether some run goes once round a cycle of states without a detour."""
    machine = diagram.ready
    here = Location(cycle[0], Phase.RUNNING)
    left = diagram.reached[machine.location_numbers[here]] if here in machine.location_numbers else EMPTY
    with deep_recursion():
        for state, following in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
            if not left:
                break
            running = machine.location_numbers[Location(state, Phase.RUNNING)]
            left = _entered(diagram, following, _reached_from(diagram, running, left, inside=True))
    return left != EMPTY


def _entered(diagram: Diagram, state: str, sources: Sequence[int]) -> int:
    """What transitions to a state lead to from some sets."""
    machine = diagram.ready
    found = EMPTY
    for number, step in enumerate(machine.system.steps):
        if step.kind is StepKind.FIRE and step.target.state == state:
            source = sources[machine.location_numbers[step.source]]
            found = machine.sets.union(found, machine.relation(number).image(source)) if source else found
    return found


def returns(diagram: Diagram, state: str) -> bool:
    """Whether some run may enter a state without end.

    What is entered is narrowed to what some run enters after having entered what was left before. Where nothing
    remains in the end, no run enters the state without end.
    """
    machine = diagram.ready
    sets = machine.sets
    place = machine.location_numbers.get(Location(state, Phase.RUNNING))
    if place is None:
        return False
    with deep_recursion():
        left = diagram.reached[place]
        while left:
            again = sets.meet(left, _entered(diagram, state, _reached_from(diagram, place, left)))
            if again == left:
                break
            left = again
    return left != EMPTY


def _reached_from(diagram: Diagram, place: int, start: int, *, inside: bool = False) -> list[int]:
    """What some configurations of a location lead to, these included; ``inside``: without any transition."""
    machine = diagram.ready
    sets, numbers = machine.sets, machine.location_numbers
    steps_from: dict[int, list[tuple[int, int]]] = {}
    for number, step in enumerate(machine.system.steps):
        if not inside or step.kind is not StepKind.FIRE:
            steps_from.setdefault(numbers[step.source], []).append((number, numbers[step.target]))
    reached = [EMPTY] * len(diagram.reached)
    reached[place] = start
    pending = {place: start}
    while pending:
        source = next(iter(pending))
        new = pending.pop(source)
        for number, target in steps_from.get(source, ()):
            found = sets.minus(machine.relation(number).image(new), reached[target])
            if found:
                reached[target] = sets.union(reached[target], found)
                pending[target] = sets.union(pending.get(target, EMPTY), found)
        machine.budget.check_time()
    return reached
