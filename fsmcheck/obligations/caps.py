"""FSM503 and FSM504: caps of the policy that leave no room; and the fewest exchanges to each terminal state."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.moves import graph_moves
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.confirm import Run
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.system.system import StepKind

VISITS_TRIED = 8


def fewest_exchanges(case: Case) -> dict[str, int]:
    """For each terminal state the fewest exchanges of a run to it; states for which no run was confirmed left out."""
    graph = case.base
    if not graph.complete:
        from fsmcheck.obligations.by_diagram import fewest_by_diagram

        known = fewest_by_diagram(case)
        if known is not None:
            return known
    found: dict[str, int] = {}
    for number in case.survey.done:
        location = graph.location(number)
        if location.state in found:
            continue

        def find(run: Run, state: str = location.state) -> tuple[int, Mapping[str, Any]] | None:
            configuration = run[-1].configuration
            return (len(run) - 1, {}) if (configuration.state, configuration.status) == (state, "done") else None

        if case.show(graph, graph.path(number), find) is not None:
            found[location.state] = graph.depths[number]
    return found


def _open(obligation: Obligation, graph: Graph) -> Verdict:
    reason = f"limit reached: {graph.reason}" if not graph.complete else "no run was confirmed"
    return Verdict(obligation, "unknown", "explicit", reason=reason, depth=max(0, graph.depth_covered - 1))


def decide_cap(case: Case, obligation: Obligation) -> Verdict:
    """FSM503 or FSM504."""
    return _total(case, obligation) if obligation.rule == "FSM503" else _stage(case, obligation)


def _total(case: Case, obligation: Obligation) -> Verdict:
    graph = case.base
    limit = case.spec.policy.max_iterations or 0
    ends = case.survey.done
    if not ends:
        if graph.complete:
            return Verdict(obligation, "skipped", "none", reason="no run reaches a terminal state (FSM204)")
        return _open(obligation, graph)
    fewest = min(graph.depths[number] for number in ends)
    if fewest > limit:
        return Verdict(
            obligation,
            "violated",
            "explicit",
            reason=f"the shortest run takes {fewest} exchanges",
            detail={"fewest": fewest, "limit": limit},
        )
    confirmed = fewest_exchanges(case)
    if confirmed and min(confirmed.values()) <= limit:
        return Verdict(obligation, "proved", "witness")
    return _open(obligation, graph)


Counts = tuple[int, ...]


def _stage(case: Case, obligation: Obligation) -> Verdict:
    """Whether some visit leaves the state within the caps; searched from every entry, then shown on the reducer."""
    graph = case.base
    state = obligation.subject.state or ""
    if state not in case.survey.left:
        if graph.complete:
            return Verdict(obligation, "skipped", "none", reason="no run leaves the state")
        return _open(obligation, graph)
    found = _visits(case, graph, state)
    for path in found[:VISITS_TRIED]:
        entry, rest = path

        def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
            last = run[-1].advance.microsteps
            left = any(microstep.source == state for microstep in last)
            return (len(run) - 1, {}) if left and _within(case, run, state) else None

        shown = case.show_moves(graph.system, graph_moves(graph, [*graph.path(entry), *rest]), find)
        if shown is not None:
            return Verdict(obligation, "proved", "witness")
    if found or not graph.complete:
        return _open(obligation, graph)
    return Verdict(obligation, "violated", "explicit", detail={"caps": _caps(case)})


def _caps(case: Case) -> list[int | None]:
    policy = case.spec.policy
    return [policy.max_exchanges_per_stage, policy.max_exchanges_per_agent_per_stage]


def _leaves(graph: Graph, step: int, state: str) -> bool:
    taken = graph.system.steps[step]
    return taken.kind is StepKind.FIRE and taken.source.state == state


def _visits(case: Case, graph: Graph, state: str) -> list[tuple[int, list[tuple[int, int, tuple[int, ...]]]]]:
    """Visits that leave the state within the caps: the configuration entered, and the path that leaves."""
    total, each = _caps(case)
    agents = sorted({req.agent.text for req in case.spec.state_by_name[state].requires})
    found = []
    for entry in case.survey.entered.get(state, ()):
        start = (entry, (0,) * len(agents))
        arrival: dict[tuple[int, Counts], tuple[tuple[int, Counts], int] | None] = {start: None}
        queue = deque([start])
        while queue:
            node = queue.popleft()
            leaving = next((edge for edge in graph.edges[node[0]] if _leaves(graph, edge[0], state)), None)
            if leaving is not None:
                found.append((entry, _trail(graph, arrival, node, leaving)))
                break
            for step, target in graph.edges[node[0]]:
                counts = node[1]
                agent = graph.system.steps[step].agent
                if agent is not None:
                    place = agents.index(agent)
                    counts = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
                    if (total is not None and sum(counts) > total) or (each is not None and max(counts) > each):
                        continue
                if (target, counts) not in arrival:
                    arrival[target, counts] = (node, step)
                    queue.append((target, counts))
    return found


def _trail(
    graph: Graph,
    arrival: Mapping[tuple[int, Counts], tuple[tuple[int, Counts], int] | None],
    node: tuple[int, Counts],
    leaving: tuple[int, int],
) -> list[tuple[int, int, tuple[int, ...]]]:
    path = [(node[0], leaving[0], graph.choice_between(node[0], *leaving))]
    before = arrival[node]
    while before is not None:
        earlier, step = before
        path.append((earlier[0], step, graph.choice_between(earlier[0], step, node[0])))
        node = earlier
        before = arrival[node]
    return path[::-1]


def _within(case: Case, run: Run, state: str) -> bool:
    """Whether the last visit of a state in a run that leaves it stayed within both caps."""
    total, each = _caps(case)
    exchanges: list[str] = []
    position = run[0].advance.microsteps[0].source if run[0].advance.microsteps else run[0].configuration.state
    for step in run:
        if step.agent is not None:
            exchanges.append(step.agent)
        for microstep in step.advance.microsteps:
            position = microstep.source
            fits = total is None or len(exchanges) <= total
            if position == state and fits and all(each is None or exchanges.count(a) <= each for a in exchanges):
                return True
            exchanges = []
    return False
