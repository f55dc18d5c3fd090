"""FSM503 and FSM504: caps of the policy that leave no room; and the fewest exchanges to each terminal state."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.moves import graph_moves
from fsmcheck.obligations.case import Case, Finder
from fsmcheck.obligations.confirm import Run, ending
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.obligations.visits import left_within_caps
from fsmcheck.system.system import StepKind

VISITS_TRIED = 8
ENDS_TRIED = 24
"""Configurations, at the end of a run or where a state is left, of which a run is looked for that gets there."""
MOST_RAISED = 8
"""How far above a cap that is too low is looked for one that leaves room."""


def fewest_exchanges(case: Case) -> dict[str, int]:
    """For each terminal state the fewest exchanges of a run to it; states for which no run with as few as the
    abstraction admits was confirmed are left out."""
    graph = case.base
    if not graph.complete:
        from fsmcheck.obligations.by_diagram import fewest_by_diagram

        known = fewest_by_diagram(case)
        if known is not None:
            return known
    by_state: dict[str, list[int]] = {}
    for number in case.survey.done:
        by_state.setdefault(graph.location(number).state, []).append(number)
    found: dict[str, int] = {}
    for state, ends in by_state.items():
        least = min(graph.depths[number] for number in ends)
        if _is_shown_to_end(case, [number for number in ends if graph.depths[number] == least], state):
            found[state] = least
    return found


def done_finder(state: str | None) -> Finder:
    """Looks for a run that ends in a terminal state, the one given if there is one."""

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        place, status = ending(run)
        return (len(run) - 1, {}) if status == "done" and state in (None, place) else None

    return find


def _is_shown_to_end(case: Case, ends: Sequence[int], state: str | None = None) -> bool:
    """Whether a confirmed run along the path to one of some configurations ends, in the state given if there is one."""
    graph, find = case.base, done_finder(state)
    return any(case.show(graph, graph.path(number), find) is not None for number in ends[:ENDS_TRIED])


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
    soon = [number for number in ends if graph.depths[number] <= limit]
    if not _is_shown_to_end(case, soon or ends):
        return _open(obligation, graph)
    return Verdict(obligation, "proved", "witness") if soon else too_low(obligation, "explicit", fewest, limit)


def too_low(obligation: Obligation, method: str, fewest: int, limit: int) -> Verdict:
    """A violation of FSM503, where some run is known to end."""
    reason = f"no run ends with fewer than {fewest} exchanges"
    return Verdict(obligation, "violated", method, reason=reason, detail={"fewest": fewest, "limit": limit})


Counts = tuple[int, ...]


def _stage(case: Case, obligation: Obligation) -> Verdict:
    """Whether some visit leaves the state within the caps; searched from every entry, then shown on the reducer."""
    graph = case.base
    state = obligation.subject.state or ""
    if (obligation.rule, obligation.subject) in case.witnessed:
        return Verdict(obligation, "proved", "witness")
    if state not in case.survey.left:
        if graph.complete:
            return Verdict(obligation, "skipped", "none", reason="no run leaves the state")
        return _open(obligation, graph)
    found = _visits(case, graph, state, _caps(case))
    for path in found[:VISITS_TRIED]:
        entry, rest = path

        def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
            last = run[-1].advance.microsteps
            left = any(microstep.source == state for microstep in last)
            return (len(run) - 1, {}) if left and state in left_within_caps(case.spec, run) else None

        shown = case.show_moves(graph.system, graph_moves(graph, [*case.survey.path_to_visit(entry), *rest]), find)
        if shown is not None:
            return Verdict(obligation, "proved", "witness")
    if found or not graph.complete or not _is_shown_to_be_left(case, state):
        return _open(obligation, graph)
    detail = {"caps": list(_caps(case)), **_room_needed(case, graph, state)}
    return Verdict(obligation, "violated", "explicit", detail=detail)


def _room_needed(case: Case, graph: Graph, state: str) -> dict[str, Any]:
    """The cap that is too low whatever the other one is, by its key in the policy, and the fewest exchanges that a
    visit takes, in all or with one agent; empty where only both caps together are too low, or either by more than
    ``MOST_RAISED``."""
    total, each = _caps(case)
    if total is not None and not _visits(case, graph, state, (total, None)):
        for fewest in range(total + 1, total + MOST_RAISED + 1):
            if _visits(case, graph, state, (fewest, None)):
                return {"cap": "maxExchangesPerStage", "fewest": fewest}
    elif each is not None and not _visits(case, graph, state, (None, each)):
        for fewest in range(each + 1, each + MOST_RAISED + 1):
            if _visits(case, graph, state, (None, fewest)):
                return {"cap": "maxExchangesPerAgentPerStage", "fewest": fewest}
    return {}


def _caps(case: Case) -> tuple[int | None, int | None]:
    policy = case.spec.policy
    return policy.max_exchanges_per_stage, policy.max_exchanges_per_agent_per_stage


def _leaves(graph: Graph, step: int, state: str) -> bool:
    taken = graph.system.steps[step]
    return taken.kind is StepKind.FIRE and taken.source.state == state


def _is_shown_to_be_left(case: Case, state: str) -> bool:
    """Whether a confirmed run leaves a state, after however many exchanges."""
    graph = case.base

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        left = any(microstep.source == state for step in run for microstep in step.advance.microsteps)
        return (len(run) - 1, {}) if left else None

    leaving = [
        (number, *edge)
        for number in case.survey.numbers_at.get(state, ())
        for edge in graph.edges[number]
        if _leaves(graph, edge[0], state)
    ]
    for number, step, target in leaving[:ENDS_TRIED]:
        path = [*graph.path(number), (number, step, graph.choice_between(number, step, target))]
        if case.show(graph, path, find) is not None:
            return True
    return False


def _visits(
    case: Case, graph: Graph, state: str, caps: tuple[int | None, int | None]
) -> list[tuple[int, list[tuple[int, int, tuple[int, ...]]]]]:
    """Visits that leave the state within caps in all and for each agent: the configuration entered, and the path that
    leaves."""
    total, each = caps
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
