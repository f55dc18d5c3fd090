"""The graph of transitions: states, and an edge from each to the targets of its transitions.

Guards are not looked at, so it has every path that a run can take and perhaps more. What a walk over the edges
answers is answered so; networkx, whose import costs as much as the check of a small spec, is there for cycles that a
short search does not exhaust and for components, and to confirm before anything is reported on a walk's word. Advice
on how to mend what is found goes without it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from fsmcheck.engines.coverage import cyclic
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Spec

if TYPE_CHECKING:
    import networkx as nx

    Digraph = nx.DiGraph[str]


MOST_WALKED = 200_000
"""Steps of the search for the cycles through one state."""


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

    def around(self, state: str) -> frozenset[str]:
        """The states on the ways from a declared state back to itself, this one included."""
        found = _closure(self._following, [state]) & _closure(self._preceding, [state])
        part = next((part for part in self._parts if state in part), frozenset((state,)))
        if part != found:
            raise DisagreementError(f"walks over the transitions and their components disagree on {part ^ found}")
        return found

    @cached_property
    def _parts(self) -> list[frozenset[str]]:
        """The strongly connected components that hold a cycle."""
        names, edges = self._numbered
        return [frozenset(names[number] for number in part) for part in cyclic(edges, edges)]

    @cached_property
    def _numbered(self) -> tuple[list[str], dict[int, list[int]]]:
        """The states, and the edges between their places among them."""
        names = list(self._following)
        place = {name: number for number, name in enumerate(names)}
        return names, {place[name]: [place[target] for target in targets] for name, targets in self._following.items()}

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

    @cached_property
    def _loops(self) -> dict[str, frozenset[str]]:
        """The first state of every cycle, with the states of its cycles: what is strongly connected to it when the
        states before it are left out."""
        names, edges = self._numbered
        found: dict[int, frozenset[int]] = {}
        pending: list[Iterable[int]] = [edges]
        while pending:
            for part in cyclic(edges, pending.pop()):
                first = min(part)
                found[first] = part
                pending.append(part - {first})
        return {names[first]: frozenset(names[number] for number in found[first]) for first in sorted(found)}

    def loop_heads(self) -> tuple[str, ...]:
        """The states that come first, in the order written, in some cycle."""
        return tuple(self._loops)

    def cycles_from(self, head: str, limit: int) -> tuple[tuple[str, ...], ...] | None:
        """The elementary cycles in which a state comes first in the order written, sorted by that order; None where
        there are more than ``limit``, or they take too long to find."""
        found, all_found = self._cycles(head, limit)
        return found if all_found else None

    def some_cycles_from(self, head: str, limit: int) -> tuple[tuple[str, ...], ...]:
        """All of them where there are no more than ``limit``, else those that are found first."""
        return self._cycles(head, limit)[0]

    def _cycles(self, head: str, limit: int) -> tuple[tuple[tuple[str, ...], ...], bool]:
        inside = self._loops.get(head)
        if inside is None:
            return (), True
        order = {name: position for position, name in enumerate(self._following)}
        found, all_found = _cycles_through(head, self._following, inside, limit)
        return tuple(sorted(found, key=lambda cycle: [order[name] for name in cycle])), all_found


def _cycles_through(
    head: str, following: dict[str, list[str]], inside: frozenset[str], limit: int
) -> tuple[list[tuple[str, ...]], bool]:
    """The elementary cycles through a state inside a component, by walking simple paths from it and remembering from
    where there was no way back without crossing the path (Johnson, 1975); and whether these are all."""
    found: list[tuple[str, ...]] = []
    path, fruitful = [head], [False]
    waiting: dict[str, set[str]] = {}
    blocked: set[str] = {head}
    ahead = [iter([target for target in following[head] if target in inside])]
    walked = 0
    while path:
        walked += 1
        if len(found) > limit or walked > MOST_WALKED:
            return found[:limit], False
        target = next(ahead[-1], None)
        if target == head:
            found.append(tuple(path))
            fruitful[-1] = True
        elif target is not None:
            if target not in blocked:
                path.append(target)
                blocked.add(target)
                fruitful.append(False)
                ahead.append(iter([after for after in following[target] if after in inside]))
        else:
            state, useful = path.pop(), fruitful.pop()
            ahead.pop()
            if useful:
                _unblock(state, blocked, waiting)
            else:
                for after in following[state]:
                    if after in inside:
                        waiting.setdefault(after, set()).add(state)
            if fruitful:
                fruitful[-1] = fruitful[-1] or useful
    return found, len(found) <= limit


def _unblock(state: str, blocked: set[str], waiting: dict[str, set[str]]) -> None:
    pending = [state]
    while pending:
        each = pending.pop()
        if each in blocked:
            blocked.discard(each)
            pending.extend(waiting.pop(each, ()))


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
