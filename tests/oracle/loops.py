"""Loops: which cycles of the transition graph some run goes round, and which can be turned without end."""

from __future__ import annotations

from dataclasses import dataclass

from fsmcheck.spec import model
from tests.oracle.graph import RestGraph
from tests.oracle.machine import Advance


@dataclass(frozen=True, slots=True)
class Loop:
    """An elementary cycle of states, first state in document order first, and what runs make of it.

    ``endless``: it is turned, contiguously, without bound. ``perhaps``: it is only without bound if excursions
    from it and back do not end a turn (the page leaves that open).
    """

    states: tuple[int, ...]
    turned: bool
    endless: bool
    perhaps: bool


def elementary_cycles(spec: model.Spec) -> list[tuple[int, ...]]:
    """All elementary cycles of states; each begins with its first state in document order."""
    numbers = {state.name.text: number for number, state in enumerate(spec.states)}
    after = [
        sorted({numbers[move.target.text] for move in state.transitions}) if not state.terminal else []
        for state in spec.states
    ]
    found: list[tuple[int, ...]] = []

    def extend(path: list[int]) -> None:
        for target in after[path[-1]]:
            if target == path[0]:
                found.append(tuple(path))
            elif target > path[0] and target not in path:
                extend([*path, target])

    for first in range(len(after)):
        extend([first])
    return found


class Movement:
    """Rest nodes and microsteps as one graph: vertices carry a state, edges say whether they move."""

    def __init__(self, graph: RestGraph) -> None:
        self.states: list[int] = [node.state for node in graph.nodes]
        self.after: list[list[tuple[int, bool]]] = [[] for _ in graph.nodes]
        begins: dict[int, int] = {}
        for advance, target in graph.starts:
            self._path(advance, target)
        for number, node in enumerate(graph.nodes):
            for edge in node.edges:
                key = id(edge.advance)
                if key not in begins:
                    begins[key] = self._path(edge.advance, edge.target)
                self.after[number].append((begins[key], False))

    def _path(self, advance: Advance, target: int) -> int:
        first = self._vertex(advance.state)
        current = first
        for position, _ in enumerate(advance.steps):
            last = position + 1 == len(advance.steps)
            following = self._vertex(advance.end_state if last else advance.steps[position + 1].source)
            self.after[current].append((following, True))
            current = following
        self.after[current].append((target, False))
        return first

    def _vertex(self, state: int) -> int:
        self.states.append(state)
        self.after.append([])
        return len(self.states) - 1

    def components(self) -> list[int]:
        """The number of each vertex's strongly connected component (Tarjan, without recursion)."""
        count = len(self.states)
        order = [-1] * count
        low = [0] * count
        component = [-1] * count
        stack: list[int] = []
        clock = found = 0
        for root in range(count):
            if order[root] >= 0:
                continue
            work = [(root, 0)]
            while work:
                vertex, position = work.pop()
                if position == 0:
                    order[vertex] = low[vertex] = clock
                    clock += 1
                    stack.append(vertex)
                for place in range(position, len(self.after[vertex])):
                    target = self.after[vertex][place][0]
                    if order[target] < 0:
                        work.append((vertex, place + 1))
                        work.append((target, 0))
                        break
                    if component[target] < 0:
                        low[vertex] = min(low[vertex], order[target])
                else:
                    if low[vertex] == order[vertex]:
                        while True:
                            member = stack.pop()
                            component[member] = found
                            if member == vertex:
                                break
                        found += 1
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[vertex])
        return component


def _turns(movement: Movement, cycle: tuple[int, ...], component: list[int] | None) -> bool:
    """Whether the cycle is gone round once, contiguously; inside one component if given."""
    length = len(cycle)
    seen = {(vertex, 0) for vertex, state in enumerate(movement.states) if state == cycle[0]}
    agenda = list(seen)
    while agenda:
        vertex, position = agenda.pop()
        for target, moves in movement.after[vertex]:
            if component is not None and component[target] != component[vertex]:
                continue
            following = position + moves
            if moves and movement.states[target] != cycle[following % length]:
                continue
            if following == length:
                return True
            if (target, following) not in seen:
                seen.add((target, following))
                agenda.append((target, following))
    return False


def _edges_within(movement: Movement, component: list[int]) -> dict[int, set[tuple[int, int]]]:
    """For each component the moves between states that happen inside it."""
    found: dict[int, set[tuple[int, int]]] = {}
    for vertex, targets in enumerate(movement.after):
        for target, moves in targets:
            if moves and component[target] == component[vertex]:
                pair = (movement.states[vertex], movement.states[target])
                found.setdefault(component[vertex], set()).add(pair)
    return found


def loops(graph: RestGraph) -> list[Loop]:
    """Every elementary cycle with its verdict on the explored graph."""
    cycles = elementary_cycles(graph.program.spec)
    if not cycles:
        return []
    movement = Movement(graph)
    component = movement.components()
    within = _edges_within(movement, component)
    found = []
    for cycle in cycles:
        pairs = {(state, cycle[(place + 1) % len(cycle)]) for place, state in enumerate(cycle)}
        perhaps = any(pairs <= edges for edges in within.values())
        endless = perhaps and _turns(movement, cycle, component)
        turned = endless or _turns(movement, cycle, None)
        found.append(Loop(cycle, turned, endless, perhaps and not endless))
    return found
