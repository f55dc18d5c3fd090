"""The graph of transitions: states, and an edge from each to the targets of its transitions.

Guards are not looked at, so it has every path that a run can take and perhaps more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fsmcheck.spec.model import Spec

if TYPE_CHECKING:
    import networkx as nx

    Digraph = nx.DiGraph[str]


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

    def reachable_from(self, start: str) -> frozenset[str]:
        """The states on some path from ``start``, itself included; none where it is not declared."""
        import networkx as nx

        if start not in self._digraph:
            return frozenset()
        return frozenset({start} | nx.descendants(self._digraph, start))

    def leading_to(self, targets: Iterable[str]) -> frozenset[str]:
        """The states with a path to one of ``targets``, these included."""
        import networkx as nx

        found: set[str] = set()
        reverse = self._digraph.reverse(copy=False)
        for target in targets:
            if target in reverse and target not in found:
                found |= {target} | nx.descendants(reverse, target)
        return frozenset(found)

    def first_ahead(self, targets: Iterable[str]) -> dict[str, str]:
        """For each state with a path to one of ``targets``, these included, the first of them that it leads to."""
        first: dict[str, str] = {}
        for target in targets:
            pending = [target] if target in self._digraph else []
            while pending:
                state = pending.pop()
                if state not in first:
                    first[state] = target
                    pending.extend(self._digraph.predecessors(state))
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
        from itertools import islice

        import networkx as nx

        order = {name: position for position, name in enumerate(self.spec.state_by_name)}
        found = []
        for cycle in islice(nx.simple_cycles(self._digraph), limit):
            first = min(range(len(cycle)), key=lambda index: order[cycle[index]])
            found.append((*cycle[first:], *cycle[:first]))
        return tuple(sorted(found, key=lambda cycle: [order[name] for name in cycle]))
