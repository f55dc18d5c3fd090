"""The graph of transitions: states, and an edge from each to the targets of its transitions.

Guards are not looked at, so it has every path that a run can take and perhaps more. What a walk over the edges
answers is answered so; networkx, whose import costs as much as the check of a small spec, is there for cycles that a
short search does not exhaust and for components, and to confirm before anything is reported on a walk's word.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.spec.model import Spec

if TYPE_CHECKING:
    import networkx as nx

    Digraph = nx.DiGraph[str]


_SHORT_WALK = 2_000


@dataclass(frozen=True)
class TransitionGraph:
    """The graph of a spec. Transitions to undeclared states are no edges; terminal states have none."""

    spec: Spec

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The pairs of states, each once, in the order written."""
        declared = self.spec.state_by_name
        pairs = {
            (state.name.text, transition.target.text): None
            for state in self.spec.states
            if not state.terminal
            for transition in state.transitions
            if transition.target.text in declared
        }
        return tuple(pairs)

    @cached_property
    def _digraph(self) -> Digraph:
        import networkx as nx

        graph: Digraph = nx.DiGraph()
        graph.add_nodes_from(self.spec.state_by_name)
        graph.add_edges_from(self.edges)
        return graph

    @cached_property
    def _following(self) -> dict[str, list[str]]:
        return _adjacency(self.spec.state_by_name, self.edges)

    @cached_property
    def _preceding(self) -> dict[str, list[str]]:
        return _adjacency(self.spec.state_by_name, [(target, source) for source, target in self.edges])

    def reachable_from(self, start: str) -> frozenset[str]:
        """The states on some path from ``start``, itself included; none where it is not declared."""
        found = _closure(self._following, [start])
        if len(found) < len(self._following) and start in found:
            import networkx as nx

            self._agree(found, {start} | nx.descendants(self._digraph, start))
        return found

    def leading_to(self, targets: Iterable[str]) -> frozenset[str]:
        """The states with a path to one of ``targets``, these included."""
        targets = [target for target in targets if target in self._preceding]
        found = _closure(self._preceding, targets)
        if len(found) < len(self._preceding):
            import networkx as nx

            reverse = self._digraph.reverse(copy=False)
            self._agree(found, set(targets).union(*(nx.descendants(reverse, target) for target in targets)))
        return found

    def _agree(self, walked: frozenset[str], known: set[str]) -> None:
        if walked != known:
            raise DisagreementError(f"a walk over the transitions and networkx disagree on {walked ^ known}")

    def first_ahead(self, targets: Iterable[str]) -> dict[str, str]:
        """For each state with a path to one of ``targets``, these included, the first of them that it leads to."""
        first: dict[str, str] = {}
        for target in targets:
            for state in _closure(self._preceding, [target]) - first.keys():
                first[state] = target
        return first

    def reachable_states(self) -> frozenset[str]:
        """The states on some path from the initial state."""
        return self.reachable_from(self.spec.initial.text)

    def states_with_way_out(self) -> frozenset[str]:
        """The states with a path to a terminal state, the terminal ones included."""
        return self.leading_to(state.name.text for state in self.spec.states if state.terminal)

    def components(self) -> tuple[tuple[str, ...], ...]:
        """The strongly connected components that hold a cycle; states and components in the order written."""
        import networkx as nx

        order = {name: position for position, name in enumerate(self.spec.state_by_name)}
        found = [
            tuple(sorted(component, key=order.__getitem__))
            for component in nx.strongly_connected_components(self._digraph)
            if len(component) > 1 or any(self._digraph.has_edge(name, name) for name in component)
        ]
        return tuple(sorted(found, key=lambda component: order[component[0]]))

    def cycles(self, limit: int = 1000) -> tuple[tuple[str, ...], ...]:
        """The elementary cycles, at most ``limit`` of them, each from its first state in the order written."""
        order = {name: position for position, name in enumerate(self.spec.state_by_name)}
        found = self._few_cycles(order)
        if found is None:
            found = self._many_cycles(order, limit)
        return tuple(sorted(found, key=lambda cycle: [order[name] for name in cycle])[:limit])

    def _few_cycles(self, order: dict[str, int]) -> list[tuple[str, ...]] | None:
        """All elementary cycles by walking every simple path; None where that takes more than a short while."""
        found: list[tuple[str, ...]] = []
        walked = 0
        for first, place in order.items():
            paths: list[tuple[str, ...]] = [(first,)]
            while paths:
                path = paths.pop()
                walked += 1
                if walked > _SHORT_WALK:
                    return None
                for target in self._following[path[-1]]:
                    if target == first:
                        found.append(path)
                    elif order[target] > place and target not in path:
                        paths.append((*path, target))
        return found

    def _many_cycles(self, order: dict[str, int], limit: int) -> list[tuple[str, ...]]:
        from itertools import islice

        import networkx as nx

        found = []
        for cycle in islice(nx.simple_cycles(self._digraph), limit):
            first = min(range(len(cycle)), key=lambda index: order[cycle[index]])
            found.append((*cycle[first:], *cycle[:first]))
        return found


def _adjacency(states: Iterable[str], edges: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {state: [] for state in states}
    for source, target in edges:
        found[source].append(target)
    return found


def _closure(following: dict[str, list[str]], starts: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    pending = [start for start in starts if start in following]
    while pending:
        state = pending.pop()
        if state not in found:
            found.add(state)
            pending.extend(following[state])
    return frozenset(found)
