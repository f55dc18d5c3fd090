"""How many configurations there are when only some variables count."""

from __future__ import annotations

from collections.abc import Collection

from fsmcheck.engines.diagram.mdd import EMPTY
from fsmcheck.engines.diagram.search import Diagram, deep_recursion
from fsmcheck.system.system import Location


def counts_of(diagram: Diagram, names: Collection[str]) -> dict[Location, int]:
    """How many of the reachable configurations at each location differ in some variables (locations without any left
    out). Raises ``BudgetError`` where a limit is reached."""
    machine = diagram.ready
    sets = machine.sets
    alike = [
        _alike(level, values, names) for level, values in zip(machine.order.levels, machine.levels.values, strict=True)
    ]
    known = {node: node for node in (0, 1)}

    def projected(node: int) -> int:
        """A set in which the first value at each level stands for all that are like it."""
        found = known.get(node)
        if found is None:
            level = sets.level[node]
            children = [EMPTY] * len(alike[level])
            for value, child in enumerate(sets.children[node]):
                if child:
                    like = alike[level][value]
                    children[like] = sets.union(children[like], projected(child))
            found = known[node] = sets.node(level, children)
        return found

    with deep_recursion():
        places = zip(machine.system.locations, diagram.reached, strict=True)
        counted = {location: sets.count(projected(node)) for location, node in places}
    return {location: count for location, count in counted.items() if count}


def _alike(level: tuple[str, ...], values: list[tuple[int, ...]], names: Collection[str]) -> list[int]:
    """For each value of a level the first that gives the same to the variables that count."""
    kept = [place for place, name in enumerate(level) if name in names]
    first: dict[tuple[int, ...], int] = {}
    return [first.setdefault(tuple(value[place] for place in kept), number) for number, value in enumerate(values)]
