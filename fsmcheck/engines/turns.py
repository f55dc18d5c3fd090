"""How often a cycle of the transition graph can be turned.

A *turn* goes once round the cycle without a detour: from a visit of its first state, by its transitions in order,
back to that state. The explored graph is multiplied with the place in the cycle; a turn is an edge of the product.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from fsmcheck.engines.coverage import cyclic
from fsmcheck.engines.explicit import Graph
from fsmcheck.records import dataclass
from fsmcheck.system.system import Phase, StepKind

OUTSIDE = -1
"""The place of a run that is not on its way round the cycle."""

Edge = tuple[int, int, int, bool]
"""Source and target node, the step, and whether it completes a turn."""


@dataclass(frozen=True)
class Product:
    """The reachable product of a graph and the places in one cycle (its states, first to last).

    ``nodes`` are pairs of configuration and place; node 0 is the start. With ``starts``, configurations in which a
    visit of the first state begins, it holds only what follows from these until the cycle is left: all turns, since
    they take no detour, but not the ways from one to another.
    """

    graph: Graph
    cycle: tuple[str, ...]
    starts: tuple[int, ...] | None = None

    @cached_property
    def _built(self) -> tuple[list[tuple[int, int]], list[list[Edge]]]:
        graph = self.graph
        place = 0 if graph.location(0).state == self.cycle[0] else OUTSIDE
        nodes = [(0, place)] if self.starts is None else [(number, 0) for number in self.starts]
        numbers = {node: number for number, node in enumerate(nodes)}
        edges: list[list[Edge]] = [[] for _ in nodes]
        queue = deque(range(len(nodes)))
        while queue:
            source = queue.popleft()
            configuration, place = nodes[source]
            for step, target in graph.edges[configuration]:
                following, turned = self._follow(place, step, target)
                if following == OUTSIDE and self.starts is not None:
                    continue
                key = (target, following)
                number = numbers.get(key)
                if number is None:
                    number = numbers[key] = len(nodes)
                    nodes.append(key)
                    edges.append([])
                    queue.append(number)
                edges[source].append((source, number, step, turned))
        return nodes, edges

    def _follow(self, place: int, step: int, target: int) -> tuple[int, bool]:
        if self.graph.system.steps[step].kind is not StepKind.FIRE:
            return place, False
        state = self.graph.location(target).state
        if place != OUTSIDE and state == self.cycle[(place + 1) % len(self.cycle)]:
            return (place + 1) % len(self.cycle), place + 1 == len(self.cycle)
        return (0 if state == self.cycle[0] else OUTSIDE), False

    @property
    def nodes(self) -> list[tuple[int, int]]:
        return self._built[0]

    @property
    def edges(self) -> list[list[Edge]]:
        return self._built[1]

    @cached_property
    def entered(self) -> frozenset[int]:
        """The nodes in which a visit has just begun."""
        kinds = (StepKind.FIRE, StepKind.START)
        steps = self.graph.system.steps
        return frozenset(edge[1] for edges in self.edges for edge in edges if steps[edge[2]].kind in kinds)

    def is_done(self, node: int) -> bool:
        return self.graph.location(self.nodes[node][0]).phase is Phase.DONE

    def microstep_order(self) -> list[int] | None:
        """The nodes so that no edge but an exchange leads back; None where an advance can go round."""
        inner = [[edge[1] for edge in edges if not is_exchange(self, edge)] for edges in self.edges]
        indegree = [0] * len(self.nodes)
        for targets in inner:
            for target in targets:
                indegree[target] += 1
        queue = deque(node for node, count in enumerate(indegree) if not count)
        order: list[int] = []
        while queue:
            node = queue.popleft()
            order.append(node)
            for target in inner[node]:
                indegree[target] -= 1
                if not indegree[target]:
                    queue.append(target)
        return order if len(order) == len(self.nodes) else None

    def turns(self) -> bool:
        """Whether the cycle is turned at all."""
        return any(edge[3] for edges in self.edges for edge in edges)

    @cached_property
    def components(self) -> list[int]:
        """The number of each node's strongly connected component; a node of its own has a negative one."""
        plain = {source: [edge[1] for edge in edges] for source, edges in enumerate(self.edges)}
        component = [-1 - number for number in range(len(self.nodes))]
        for number, part in enumerate(cyclic(plain, plain)):
            for node in part:
                component[node] = number
        return component

    def endless_edge(self) -> Edge | None:
        """A turn that lies on a cycle of the product, so that it can perhaps be repeated for ever."""
        component = self.components
        for edges in self.edges:
            for edge in edges:
                if edge[3] and component[edge[0]] == component[edge[1]]:
                    return edge
        return None

    def most(self) -> tuple[int, list[Edge]]:
        """The most turns of any path, and such a path; only where no turn can be repeated for ever."""
        component = self.components
        members: dict[int, list[int]] = {}
        for node, number in enumerate(component):
            members.setdefault(number, []).append(node)
        best: dict[int, int] = {}
        arrival: dict[int, Edge | None] = {}
        for number in _topological(component, self.edges, members):
            group = members[number]
            value = max((best[node] for node in group if node in best), default=-1)
            if 0 in group:
                value = max(value, 0)
            entry = next((node for node in group if best.get(node, -1) == value), 0 if 0 in group else None)
            if entry is None or value < 0:
                continue
            for edge in _spread(self.edges, entry, lambda node, n=number: component[node] == n):  # type: ignore[misc]
                arrival[edge[1]] = edge
            for node in group:
                best[node] = value
            for node in group:
                for edge in self.edges[node]:
                    if component[edge[1]] != number and best.get(edge[1], -1) < value + edge[3]:
                        best[edge[1]] = value + edge[3]
                        arrival[edge[1]] = edge
        end = max(best, key=lambda node: best[node])
        return best[end], _back(arrival, end)


def _spread(edges: list[list[Edge]], start: int, inside: Callable[[int], bool]) -> Iterable[Edge]:
    """The edges of a tree that reaches every node of a component from one of them."""
    seen = {start}
    queue = deque([start])
    while queue:
        for edge in edges[queue.popleft()]:
            if inside(edge[1]) and edge[1] not in seen:
                seen.add(edge[1])
                queue.append(edge[1])
                yield edge


def _topological(component: list[int], edges: list[list[Edge]], members: dict[int, list[int]]) -> list[int]:
    indegree = dict.fromkeys(members, 0)
    following: dict[int, set[int]] = {number: set() for number in members}
    for out in edges:
        for source, target, _, _ in out:
            a, b = component[source], component[target]
            if a != b and b not in following[a]:
                following[a].add(b)
                indegree[b] += 1
    queue = deque(number for number, count in indegree.items() if not count)
    order: list[int] = []
    while queue:
        number = queue.popleft()
        order.append(number)
        for target in following[number]:
            indegree[target] -= 1
            if not indegree[target]:
                queue.append(target)
    return order


def _back(arrival: dict[int, Edge | None], end: int) -> list[Edge]:
    path: list[Edge] = []
    edge = arrival.get(end) if end else None
    seen = set()
    while edge is not None and edge[1] not in seen:
        seen.add(edge[1])
        path.append(edge)
        edge = arrival.get(edge[0]) if edge[0] else None
    return path[::-1]


def is_exchange(product: Product, edge: Edge) -> bool:
    return product.graph.system.steps[edge[2]].kind is StepKind.STAGE


def path_between(
    product: Product,
    sources: Iterable[int],
    goal: Callable[[Edge], bool],
    allowed: Callable[[Edge], bool] = lambda _edge: True,
) -> tuple[int, list[Edge]] | None:
    """A path with the fewest exchanges from one of the nodes to an edge that is the goal; with that number."""
    queue: deque[tuple[int, int]] = deque((node, 0) for node in sources)
    cost: dict[int, int] = {node: 0 for node, _ in queue}
    arrival: dict[int, Edge | None] = dict.fromkeys(cost)
    done: set[int] = set()
    found: tuple[int, Edge] | None = None
    while queue:
        node, spent = queue.popleft()
        if found is not None and spent >= found[0]:
            break
        if node in done:
            continue
        done.add(node)
        for edge in product.edges[node]:
            if not allowed(edge):
                continue
            extra = is_exchange(product, edge)
            if goal(edge) and (found is None or spent + extra < found[0]):
                found = spent + extra, edge
            if edge[1] not in cost or spent + extra < cost[edge[1]]:
                cost[edge[1]] = spent + extra
                arrival[edge[1]] = edge
                (queue.append if extra else queue.appendleft)((edge[1], spent + extra))
    return None if found is None else (found[0], _trail(arrival, found[1]))


def _trail(arrival: dict[int, Edge | None], last: Edge) -> list[Edge]:
    path = [last]
    before = arrival[last[0]]
    while before is not None:
        path.append(before)
        before = arrival[before[0]]
    return path[::-1]


def certain_edges(product: Product) -> Callable[[Edge], bool]:
    """Edges that every concrete configuration can follow: an agent's choice, or the only way on."""
    graph = product.graph

    def allowed(edge: Edge) -> bool:
        source = product.nodes[edge[0]][0]
        waits = graph.location(source).phase is Phase.WAITING
        return waits or len({target for _, target in graph.edges[source]}) == 1

    return allowed


def lasso(product: Product) -> tuple[list[Edge], list[Edge]] | None:
    """A path to a turn and a way round back to where it began, along edges that are certain: a run that turns
    the cycle for ever. None where there is none. The path begins at node 0, or at one of the starts if there are."""
    return next(lassos(product, certain_edges(product)), None)


def lassos(product: Product, allowed: Callable[[Edge], bool]) -> Iterator[tuple[list[Edge], list[Edge]]]:
    """Likewise, one for each turn on a way round, along edges that are ``allowed``; where one is not certain, a run may
    go elsewhere."""
    plain = {n: [edge[1] for edge in edges if allowed(edge)] for n, edges in enumerate(product.edges)}
    beginnings = [0] if product.starts is None else list(range(len(product.starts)))
    for part in cyclic(plain, plain):
        for node in sorted(part):
            for edge in product.edges[node]:
                if not (edge[3] and allowed(edge) and edge[1] in part):
                    continue
                arrives = _arrives_at(node)
                back = path_between(product, [edge[1]], arrives, allowed)
                stem = None if node in beginnings else path_between(product, beginnings, arrives)
                home = [] if edge[1] == node else (back[1] if back is not None else None)
                if home is not None and (stem is not None or node in beginnings):
                    yield [] if stem is None else stem[1], [edge, *home]


def _arrives_at(node: int) -> Callable[[Edge], bool]:
    return lambda edge: edge[1] == node
