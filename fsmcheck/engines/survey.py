"""What is asked of an explored graph again and again, each worked out once: indices by state, ends, and loops."""

from __future__ import annotations

from functools import cached_property

from fsmcheck.engines.coverage import cyclic, longest_chain, microstep_edges, possibly_ends, surely_ends
from fsmcheck.engines.explicit import Graph
from fsmcheck.records import dataclass
from fsmcheck.system.system import Phase, StepKind


@dataclass(frozen=True)
class Survey:
    """Figures of one graph, whose search is over."""

    graph: Graph

    @cached_property
    def numbers_at(self) -> dict[str, list[int]]:
        """The configurations of each state, in the order they were reached."""
        found: dict[str, list[int]] = {}
        for number, place in enumerate(self.graph.locations):
            found.setdefault(self.graph.system.locations[place].state, []).append(number)
        return found

    @cached_property
    def done(self) -> list[int]:
        """The configurations in which the run is done."""
        return [n for n in range(len(self.graph.values)) if self.graph.location(n).phase is Phase.DONE]

    @cached_property
    def arrivals(self) -> dict[int, tuple[int, int]]:
        """The configurations in which a visit of a state has just begun, each with the first found of those before it
        and the step that begins the visit. It may be in the midst of another visit, too, where an exchange leads to it.
        """
        kinds = (StepKind.FIRE, StepKind.START)
        steps = self.graph.system.steps
        found: dict[int, tuple[int, int]] = {}
        for source, edges in enumerate(self.graph.edges):
            for step, target in edges:
                if steps[step].kind in kinds:
                    found.setdefault(target, (source, step))
        return found

    @cached_property
    def entered(self) -> dict[str, list[int]]:
        """The configurations of each state in which a visit has just begun."""
        by_state: dict[str, list[int]] = {}
        for number in sorted(self.arrivals):
            by_state.setdefault(self.graph.location(number).state, []).append(number)
        return by_state

    def path_to_visit(self, number: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """The steps to a configuration by one that begins a visit there (which the shortest path may not)."""
        source, step = self.arrivals[number]
        return [*self.graph.path(source), (source, step, self.graph.choice_between(source, step, number))]

    @cached_property
    def left(self) -> frozenset[str]:
        """The states that some path leaves by a transition."""
        steps = self.graph.system.steps
        taken = {step for edges in self.graph.edges for step, _ in edges}
        return frozenset(steps[step].source.state for step in taken if steps[step].kind is StepKind.FIRE)

    @cached_property
    def certain(self) -> list[bool]:
        """See ``surely_ends``."""
        return surely_ends(self.graph)

    @cached_property
    def possible(self) -> list[bool]:
        """See ``possibly_ends``."""
        return possibly_ends(self.graph)

    @cached_property
    def microsteps(self) -> dict[int, list[int]]:
        """See ``microstep_edges``."""
        return microstep_edges(self.graph)

    @cached_property
    def microstep_loops(self) -> list[frozenset[int]]:
        """The components of configurations that the machine can go round in inside one advance."""
        return cyclic(self.microsteps, self.microsteps)

    @cached_property
    def in_microstep_loop(self) -> frozenset[int]:
        """The configurations of those components."""
        return frozenset().union(*self.microstep_loops)

    @cached_property
    def longest_chain(self) -> int:
        """See ``longest_chain``."""
        return longest_chain(self.graph)
