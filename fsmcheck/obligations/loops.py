"""FSM501 and FSM505, and the figures of loops: how often a cycle can be turned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from fsmcheck.engines.most_within import most_within
from fsmcheck.engines.turns import Edge, Product, is_exchange, path_between
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.confirm import Run, Shown
from fsmcheck.obligations.endless import costs_of_turns, moves_along, show_endless, show_repeated, turns_in
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.obligations.settle import has_integers
from fsmcheck.records import dataclass
from fsmcheck.results import LoopBound

MOST_CYCLES = 64
"""Loops that begin at one state; where there are more, only those that turn without end are told."""

FEW_CYCLES = 8
"""Loops that are looked at where there are more than ``MOST_CYCLES`` of them: one without end is enough."""

MOST_FIGURES = 256
"""Loops whose figures are worked out."""

STARTS_TRIED = 12
"""Configurations in which a visit begins, of which a run is looked for that turns a loop with the fewest exchanges."""

MOST_NODES = 40_000
MOST_LAYERED = 1_500_000
"""Configurations times exchanges that are looked at for the turns under the policy, in all loops of a spec."""


def _show_turns(case: Case, product: Product, edges: Sequence[Edge], least: int) -> Shown | None:
    """A run along a path that turns the cycle that often."""

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        return (len(run) - 1, {}) if turns_in(run, product.cycle) >= least else None

    return case.show_moves(product.graph.system, moves_along(product, edges), find)


def _show_turn(case: Case, product: Product, edges: Sequence[Edge], most: int) -> Shown | None:
    """A run along a path, from where a visit of its first state begins, that turns the cycle once with so few
    exchanges."""

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        cheap = any(cost <= most for cost in costs_of_turns(run, product.cycle))
        return (len(run) - 1, {}) if cheap else None

    way = case.survey.path_to_visit(product.nodes[edges[0][0]][0])
    return case.show_moves(product.graph.system, moves_along(product, edges, way), find)


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
    cycles = case.transitions.cycles_from(obligation.subject.state or "", MOST_CYCLES)
    if len(graph.values) > MOST_NODES:
        cycles = None
    elif cycles is None:
        shown = _endless_among(case, case.transitions.some_cycles_from(obligation.subject.state or "", FEW_CYCLES))
        if shown is not None:
            return _endless(case, obligation, shown)
    if cycles is None:
        return Verdict(obligation, "unknown", "explicit", reason="limit reached: too many loops or configurations")
    turned = False
    methods: list[str] = []
    for cycle in cycles:
        turned = turned or case.rounds(cycle).turns()
        turning = classify(case, cycle)
        if turning.shown is not None:
            return _endless(case, obligation, turning.shown)
        if turning.bounded is None:
            reason = f"no bound was found for the loop {' → '.join((*cycle, cycle[0]))}"
            return Verdict(obligation, "unknown", "explicit", reason=reason)
        methods.append(turning.method)
    if not turned:
        return Verdict(
            obligation, "proved", "explicit", reason="vacuous: no run goes round it without a detour", vacuous=True
        )
    return Verdict(obligation, "proved", max(methods, key=len, default="explicit"))


def _endless_among(case: Case, cycles: Iterable[tuple[str, ...]]) -> Shown | None:
    """A run that turns one of some cycles without end."""
    return next((shown for cycle in cycles if (shown := classify(case, cycle).shown) is not None), None)


def _endless(case: Case, obligation: Obligation, shown: Shown) -> Verdict:
    trace = shown.trace(case.spec, case.profile, (obligation.rule, obligation.subject))
    return Verdict(obligation, "violated", "explicit", trace=trace, detail=shown.detail)


@dataclass(frozen=True, slots=True)
class Turning:
    """Whether a cycle is turned a bounded number of times (None: not known), and how that was decided; ``shown``
    is a run that turns it again and again where it is not."""

    bounded: bool | None
    method: str = "explicit"
    shown: Shown | None = None


def classify(case: Case, cycle: tuple[str, ...]) -> Turning:
    """Decide whether a cycle can be turned without end: by going round it again and again, or coming back to it."""
    known = case.turnings.get(cycle)
    if known is None:
        known = case.turnings[cycle] = _classify(case, cycle)
    return known


def _classify(case: Case, cycle: tuple[str, ...]) -> Turning:
    rounds = case.rounds(cycle)
    if not rounds.turns():
        return Turning(True)
    shown = show_endless(case, rounds)
    if shown is not None:
        return Turning(False, shown=shown)
    product = case.product(cycle)
    if not _perhaps_endless(product):
        return Turning(True)
    shown = show_endless(case, product)
    if shown is not None:
        return Turning(False, shown=shown)
    if _measured(case, product):
        return Turning(True, "explicit+measure")
    for turned in (rounds, product):
        shown = show_repeated(case, turned)
        if shown is not None:
            return Turning(False, shown=shown)
    return Turning(None)


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
    """The figures of the loops that some run turns, where the search was complete and small enough; of the first
    ``MOST_FIGURES`` of them."""
    return within_policy(case, (found for head in case.transitions.loop_heads() for found in figures_at(case, head)))


def figures_at(case: Case, head: str, surely: int = 0) -> Iterator[tuple[LoopBound, bool]]:
    """The figures of the loops that begin at a state, each with whether that of its turns under the policy is among
    them, as it is of the first so many of its loops."""
    graph = case.base
    if not graph.complete or len(graph.values) > MOST_NODES:
        return
    for number, cycle in enumerate(case.transitions.cycles_from(head, MOST_CYCLES) or ()):
        rounds = case.rounds(cycle)
        if rounds.turns():
            turning = classify(case, cycle).bounded
            cost, most = _cost_of_turn(case, rounds), _most_turns(case, rounds)
            under_policy = _under_policy(case, cycle) if number < surely else None
            yield LoopBound(cycle, cost, most, under_policy, turning), number < surely


def room_for(case: Case) -> int:
    """For how many loops, the first that are turned, there is room to work out their turns under the policy."""
    limit = case.spec.policy.max_iterations
    return 0 if limit is None else MOST_LAYERED // max(1, len(case.base.values) * limit)


def within_policy(case: Case, figures: Iterable[tuple[LoopBound, bool]]) -> tuple[LoopBound, ...]:
    """The first ``MOST_FIGURES`` figures, with the turns under the policy of those for which there is room."""
    found: list[LoopBound] = []
    room = room_for(case)
    for each, is_whole in islice(figures, MOST_FIGURES):
        under_policy = _under_policy(case, each.states) if len(found) < room and not is_whole else None
        found.append(each if is_whole else replace(each, turns_under_policy=under_policy))
    return tuple(found)


def _cost_of_turn(case: Case, rounds: Product) -> int | None:
    """The fewest exchanges of one turn; None where no run was found that turns the cycle with so few."""
    starts = range(len(rounds.starts or ()))
    cheapest = path_between(rounds, starts, _turns)
    if cheapest is None:
        return None
    for begun in (starts, *([start] for start in starts[:STARTS_TRIED])):
        found = path_between(rounds, begun, _turns)
        if found is not None and found[0] == cheapest[0] and _show_turn(case, rounds, found[1], found[0]) is not None:
            return found[0]
    return None


def _turns(edge: Edge) -> bool:
    return edge[3]


def _most_turns(case: Case, rounds: Product) -> int | None:
    """The most turns of any run; None where they are without end, or no run was found that has so many."""
    if rounds.endless_edge() is not None:
        return None
    product = case.product(rounds.cycle)
    if product.endless_edge() is not None:
        return None
    turns, path = product.most()
    return turns if _show_turns(case, product, path, turns) is not None else None


def _under_policy(case: Case, cycle: tuple[str, ...]) -> int | None:
    """The most turns of a run that ends within the cap on exchanges, where that is not too much to work out."""
    limit = case.spec.policy.max_iterations
    if limit is None:
        return None
    product = case.product(cycle)
    if len(product.nodes) * limit > MOST_LAYERED:
        return None
    for turns, path in most_within(product, limit):
        if _ends_within(case, product, path, turns):
            return turns
    return None


def _ends_within(case: Case, product: Product, path: Sequence[Edge], turns: int) -> bool:
    """Whether the reducer, caps in force, follows a path to a terminal state with that many turns."""

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        ended = run[-1].configuration.status == "done" and turns_in(run, product.cycle) >= turns
        return (len(run) - 1, {}) if ended else None

    shown = case.show_moves(product.graph.system, moves_along(product, path), find)
    return shown is not None and shown.caps
