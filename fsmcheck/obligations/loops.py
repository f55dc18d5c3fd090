"""FSM501 and FSM505, and the figures of loops: how often a cycle can be turned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fsmcheck.engines.graph import TransitionGraph
from fsmcheck.engines.moves import Move, graph_moves
from fsmcheck.engines.turns import Edge, Product, is_exchange, lasso, path_between
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.confirm import Run, Shown
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.obligations.settle import has_integers
from fsmcheck.results import LoopBound

MOST_CYCLES = 64
MOST_NODES = 40_000
MOST_LAYERED = 1_500_000
REPEATS = 2


def cycles_of(case: Case) -> tuple[tuple[str, ...], ...] | None:
    """The elementary cycles of the spec's graph; None where there are too many to look at each."""
    found = TransitionGraph(case.spec).cycles(MOST_CYCLES + 1)
    return None if len(found) > MOST_CYCLES else found


def turns_in(run: Run, cycle: Sequence[str]) -> int:
    """How often a concrete run turns a cycle."""
    first = run[0].advance.microsteps
    visited = [first[0].source if first else run[0].configuration.state]
    for step in run:
        visited += [microstep.target for microstep in step.advance.microsteps]
    place = 0 if visited[0] == cycle[0] else -1
    turns = 0
    for state in visited[1:]:
        if place >= 0 and state == cycle[(place + 1) % len(cycle)]:
            place = (place + 1) % len(cycle)
            turns += place == 0
        else:
            place = 0 if state == cycle[0] else -1
    return turns


def moves_along(product: Product, edges: Sequence[Edge]) -> list[Move]:
    """The moves of a path of the product, from its first node on."""
    graph = product.graph
    path = []
    for source, target, step, _ in edges:
        before, after = product.nodes[source][0], product.nodes[target][0]
        path.append((before, step, graph.choice_between(before, step, after)))
    return graph_moves(graph, path)


def _show_turns(case: Case, product: Product, edges: Sequence[Edge], least: int) -> Shown | None:
    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        if turns_in(run, product.cycle) < least:
            return None
        last = len(run) - 1
        loop = list(product.cycle)
        return last, {"step": last, "microstep": None, "reason": "turns-without-end", "fields": [], "loop": loop}

    return case.show_moves(product.graph.system, moves_along(product, edges), find)


def decide_bounded(case: Case, obligation: Obligation) -> Verdict:
    """FSM501 or FSM505 for the loops that begin at the subject's state."""
    graph = case.base
    if not graph.complete:
        return Verdict(
            obligation,
            "unknown",
            "explicit",
            reason=f"limit reached: {graph.reason}",
            depth=max(0, graph.depth_covered - 1),
        )
    cycles = cycles_of(case)
    if cycles is None or len(graph.values) > MOST_NODES:
        return Verdict(obligation, "unknown", "explicit", reason="limit reached: too many loops or configurations")
    turned = False
    methods: list[str] = []
    for cycle in cycles:
        if cycle[0] != obligation.subject.state:
            continue
        product = case.product(cycle)
        turned = turned or product.turns()
        turning = classify(case, product)
        if turning.shown is not None:
            trace = turning.shown.trace(case.spec, case.profile, (obligation.rule, obligation.subject))
            return Verdict(obligation, "violated", "explicit", trace=trace, detail=turning.shown.detail)
        if turning.bounded is None:
            reason = f"no bound was found for the loop {' → '.join((*cycle, cycle[0]))}"
            return Verdict(obligation, "unknown", "explicit", reason=reason)
        methods.append(turning.method)
    if not turned:
        return Verdict(
            obligation, "proved", "explicit", reason="vacuous: no run goes round it without a detour", vacuous=True
        )
    return Verdict(obligation, "proved", max(methods, key=len, default="explicit"))


@dataclass(frozen=True, slots=True)
class Turning:
    """Whether a cycle is turned a bounded number of times (None: not known), and how that was decided; ``shown``
    is a run that turns it again and again where it is not."""

    bounded: bool | None
    method: str = "explicit"
    shown: Shown | None = None


def classify(case: Case, product: Product) -> Turning:
    """Decide whether a cycle can be turned without end."""
    if not _perhaps_endless(product):
        return Turning(True)
    found = lasso(product)
    if found is not None and any(is_exchange(product, edge) for edge in found[1]):
        stem, loop = found
        shown = _show_turns(case, product, [*stem, *loop * REPEATS], REPEATS)
        if shown is not None:
            return Turning(False, shown=shown)
    return Turning(True, "explicit+measure") if _measured(case, product) else Turning(None)


def _perhaps_endless(product: Product) -> bool:
    """Whether some turn lies on a cycle that an exchange is part of; inside one advance the machine stops."""
    component = product.components
    alive = {
        component[edge[0]]
        for edges in product.edges
        for edge in edges
        if is_exchange(product, edge) and component[edge[0]] == component[edge[1]]
    }
    return any(
        edge[3] and component[edge[0]] == component[edge[1]] and component[edge[0]] in alive
        for edges in product.edges
        for edge in edges
    )


def _measured(case: Case, product: Product) -> bool:
    """Whether a progress measure bounds the turns where the finite graph cannot."""
    if not has_integers(product.graph.system):
        return False
    from fsmcheck.engines.ranking import bounded_by_measure

    return bounded_by_measure(product, case.floor)


def loop_bounds(case: Case) -> tuple[LoopBound, ...]:
    """The figures of every loop that some run turns, where the search was complete and small enough."""
    graph = case.base
    cycles = cycles_of(case)
    if not graph.complete or cycles is None or len(graph.values) > MOST_NODES:
        return ()
    found = []
    for cycle in cycles:
        product = case.product(cycle)
        if product.turns():
            found.append(_bound(case, product))
    return tuple(found)


def _bound(case: Case, product: Product) -> LoopBound:
    entered = [
        node for node, (_, place) in enumerate(product.nodes) if place == 0 and (node == 0 or node in product.entered)
    ]
    cheapest = path_between(product, entered, lambda edge: edge[3])
    per_turn = None
    if cheapest is not None:
        stem = path_between(product, [0], lambda edge: edge[1] == cheapest[1][0][0])
        path = [*(stem[1] if stem is not None else []), *cheapest[1]]
        if _show_turns(case, product, path, 1) is not None:
            per_turn = cheapest[0]
    most = None
    if product.endless_edge() is None:
        turns, path = product.most()
        if _show_turns(case, product, path, turns) is not None:
            most = turns
    limit = case.spec.policy.max_iterations
    under = None
    if limit is not None and len(product.nodes) * limit <= MOST_LAYERED:
        layered = _most_within(product, limit)
        if layered is not None and _ends_within(case, product, layered[1], layered[0]):
            under = layered[0]
    turning = classify(case, product).bounded
    return LoopBound(product.cycle, per_turn, most, under, turning)


def _most_within(product: Product, limit: int) -> tuple[int, list[Edge]] | None:
    """The most turns of a path to a terminal state with at most ``limit`` exchanges, and the path."""
    order = product.microstep_order()
    if order is None:
        return None
    best: list[dict[int, int]] = [{0: 0}]
    arrival: list[dict[int, Edge]] = [{}]
    for spent in range(limit + 1):
        layer, came = best[spent], arrival[spent]
        following: dict[int, int] = {}
        next_came: dict[int, Edge] = {}
        for node in order:
            value = layer.get(node)
            if value is None:
                continue
            for edge in product.edges[node]:
                into, by = (following, next_came) if is_exchange(product, edge) else (layer, came)
                if into.get(edge[1], -1) < value + edge[3]:
                    into[edge[1]] = value + edge[3]
                    by[edge[1]] = edge
        best.append(following)
        arrival.append(next_came)
    ends = [
        (value, spent, node)
        for spent in range(limit + 1)
        for node, value in best[spent].items()
        if product.is_done(node)
    ]
    if not ends:
        return None
    turns, spent, node = max(ends, key=lambda end: (end[0], -end[1], -end[2]))
    path: list[Edge] = []
    while node in arrival[spent]:
        edge = arrival[spent][node]
        path.append(edge)
        spent -= is_exchange(product, edge)
        node = edge[0]
    return turns, path[::-1]


def _ends_within(case: Case, product: Product, path: Sequence[Edge], turns: int) -> bool:
    """Whether the reducer, caps in force, follows a path to a terminal state with that many turns."""

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        ended = run[-1].configuration.status == "done" and turns_in(run, product.cycle) >= turns
        return (len(run) - 1, {}) if ended else None

    shown = case.show_moves(product.graph.system, moves_along(product, path), find)
    return shown is not None and shown.caps
