"""Which states lie on the ways from a state back to it: held against walks of as many steps as there are states."""

from __future__ import annotations

import random

import pytest

from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.graph import TransitionGraph
from tests.oracle.generate import load_valid

STATES = 6


def graph_of(pairs: set[tuple[int, int]]) -> TransitionGraph:
    lines = ["fsm:", "  name: drawn", "  version: 1", "  initialState: s0", "  context: {}"]
    lines += ["  agents:", "    worker: { canTransition: [" + ", ".join(f"s{n}" for n in range(STATES)) + "] }"]
    lines.append("  states:")
    for source in range(STATES):
        targets = [f"s{target}" for target in range(STATES) if (source, target) in pairs]
        lines += [f"    s{source}:", "      transitions:"]
        lines += [f"        - toState: {target}" for target in [*targets, "end"]]
    lines += ["    end:", "      terminal: true"]
    spec = load_valid("\n".join(lines) + "\n")
    assert spec is not None
    return TransitionGraph(spec)


def joined(pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The pairs of states with a walk of one step or more from the first to the second."""
    found = set(pairs)
    for _ in range(STATES):
        found |= {(a, d) for a, b in found for c, d in pairs if b == c}
    return found


@pytest.mark.parametrize("seed", range(30))
def test_what_lies_around_a_state(seed: int) -> None:
    rng = random.Random(seed)
    every = [(a, b) for a in range(STATES) for b in range(STATES)]
    pairs = set(rng.sample(every, 8))
    graph, walks = graph_of(pairs), joined(pairs)
    for state in range(STATES):
        back = {f"s{n}" for n in range(STATES) if {(state, n), (n, state)} <= walks}
        assert graph.around(f"s{state}") == {f"s{state}"} | back
    assert graph.around("end") == {"end"}


def test_a_component_that_is_another_is_noticed() -> None:
    graph = graph_of({(0, 1), (1, 0)})
    graph.__dict__["_parts"] = [frozenset({"s0", "s1", "s2"})]
    with pytest.raises(DisagreementError, match="s2"):
        graph.around("s0")
