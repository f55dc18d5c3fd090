"""The finite graph of configurations at rest, explored breadth first (fewest exchanges first)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import product

from tests.oracle.domains import Domains
from tests.oracle.expressions import Store
from tests.oracle.machine import Advance, Machine, Status
from tests.oracle.program import Program, bits


@dataclass(slots=True)
class Edge:
    """An exchange: who staged which fields, the advance it began, and the node it ended in."""

    agent: str
    staged: int
    advance: Advance
    target: int


@dataclass(slots=True)
class Node:
    """A configuration at rest, folded; ``depth`` is the fewest exchanges to it."""

    state: int
    store: Store
    status: Status
    depth: int
    edges: list[Edge] = field(default_factory=list)
    expanded: bool = True


class RestGraph:
    """All reachable configurations at rest. ``complete`` is False where a limit cut the exploration."""

    def __init__(self, machine: Machine, domains: Domains, limit: int) -> None:
        self.machine = machine
        self.domains = domains
        self.program: Program = machine.program
        self.nodes: list[Node] = []
        self.advances: list[Advance] = []
        self.depths: dict[tuple[int, Store], int] = {}
        self.starts: list[tuple[Advance, int]] = []
        self.complete = True
        self.edge_count = 0
        self._numbers: dict[tuple[int, Store, Status], int] = {}
        self._known: dict[tuple[int, Store], tuple[Advance, int]] = {}
        self._agenda: deque[int] = deque()
        self._choices: dict[tuple[int, str], list[tuple[int, tuple[tuple[int, object], ...]]]] = {}
        self._explore(limit)

    def _explore(self, limit: int) -> None:
        for store in dict.fromkeys(self.domains.canonical(store) for store in self.domains.initial_stores()):
            if self.edge_count > limit:
                self.complete = False
                break
            advance = self.machine.start(store)
            self.starts.append((advance, self._finish(advance, 0)))
        while self._agenda:
            number = self._agenda.popleft()
            node = self.nodes[number]
            if self.edge_count > limit:
                node.expanded = False
                self.complete = False
                continue
            self._expand(node)

    def _finish(self, advance: Advance, depth: int) -> int:
        """Record a new advance and the node it ends in."""
        self.advances.append(advance)
        # An advance that runs away costs a thousand configurations.
        self.edge_count += 1 + len(advance.steps) // 2
        for state, store in configurations(advance):
            self.depths.setdefault((state, self.domains.abstract(store)), depth)
        key = (advance.end_state, self.domains.canonical(advance.end_store), advance.status)
        if key not in self._numbers:
            self._numbers[key] = len(self.nodes)
            self.nodes.append(Node(*key, depth))
            if advance.status is Status.WAITING:
                self._agenda.append(self._numbers[key])
        return self._numbers[key]

    def writable(self, state: int, agent: str) -> int:
        """The fields that an agent may stage in a state, as a mask; none without authority."""
        place = self.program.places[state]
        if place.name not in self.program.authority.get(agent, ()):
            return 0
        return place.owed.get(agent, 0)

    def _stagings(self, state: int, agent: str) -> list[tuple[int, tuple[tuple[int, object], ...]]]:
        """Every non-empty set of writes. An empty one or a rejected one changes nothing but counters."""
        key = (state, agent)
        if key not in self._choices:
            slots = list(bits(self.writable(state, agent)))
            found = []
            for choice in product(*((None, *self.domains.values[slot]) for slot in slots)):
                writes = tuple((slot, value) for slot, value in zip(slots, choice, strict=True) if value is not None)
                if writes:
                    found.append((self.program.mask(slot for slot, _ in writes), writes))
            self._choices[key] = found
        return self._choices[key]

    def _expand(self, node: Node) -> None:
        seen: set[tuple[str, int, int]] = set()
        for agent in self.program.places[node.state].owed:
            for mask, writes in self._stagings(node.state, agent):
                store = list(node.store)
                for slot, value in writes:
                    store[slot] = value
                key = (node.state, tuple(store))
                if key not in self._known:
                    advance = self.machine.advance(*key)
                    self._known[key] = (advance, self._finish(advance, node.depth + 1))
                advance, target = self._known[key]
                if (mark := (agent, mask, id(advance))) not in seen:
                    seen.add(mark)
                    node.edges.append(Edge(agent, mask, advance, target))
                    self.edge_count += 1

    def finishing(self) -> list[bool]:
        """For each node whether a terminal state can still be reached (an unexpanded one is given the benefit)."""
        good = [node.status is Status.DONE or not node.expanded for node in self.nodes]
        before: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes):
            for edge in node.edges:
                before[edge.target].append(number)
        agenda = [number for number, fine in enumerate(good) if fine]
        while agenda:
            for number in before[agenda.pop()]:
                if not good[number]:
                    good[number] = True
                    agenda.append(number)
        return good


def configurations(advance: Advance) -> list[tuple[int, Store]]:
    """Every configuration of an advance: where it began, after each microstep, and where it rests."""
    found = [(advance.state, advance.store)]
    for position, step in enumerate(advance.steps):
        following = advance.steps[position + 1].source if position + 1 < len(advance.steps) else advance.end_state
        found.append((following, step.after))
    return found
