"""Runs that turn a loop without end: a way round the abstract graph, and a run of the reducer that is really on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from fsmcheck.cel.ast import Comprehension, Macro, walk
from fsmcheck.cel.types import Kind
from fsmcheck.engines.moves import Move, graph_moves
from fsmcheck.engines.packing import Packed, Packing
from fsmcheck.engines.turns import Edge, Product, is_exchange, lasso, lassos
from fsmcheck.obligations.case import STYLES, Case, Path
from fsmcheck.obligations.concretise import STEADY, Style
from fsmcheck.obligations.confirm import Run, Shown
from fsmcheck.obligations.projection import stands_for
from fsmcheck.records import dataclass
from fsmcheck.reducer.mentions import mentioned_by_action, mentioned_by_guards
from fsmcheck.reducer.store import identity
from fsmcheck.spec.model import Spec
from fsmcheck.system.domains import expressions
from fsmcheck.system.system import Location, StepKind

REPEATS = 2

WAYS_LOOKED_AT, WAYS_TRIED = 200, 16
"""Ways round a cycle, where none of them is certain: of the first ones, runs are tried along the shortest."""


def turns_in(run: Run, cycle: Sequence[str]) -> int:
    """How often a concrete run turns a cycle."""
    return len(costs_of_turns(run, cycle))


def costs_of_turns(run: Run, cycle: Sequence[str]) -> list[int]:
    """The exchanges that each turn of a cycle took in a concrete run."""
    return _turning(run, cycle)[0]


def _turning(run: Run, cycle: Sequence[str]) -> tuple[list[int], int]:
    """The exchanges that each turn of a cycle took, and the place in it where the run ends, -1 where in none."""
    first = run[0].advance.microsteps
    state = first[0].source if first else run[0].configuration.state
    place = 0 if state == cycle[0] else -1
    spent = 0
    found: list[int] = []
    for step in run:
        spent += step.agent is not None
        for microstep in step.advance.microsteps:
            onward = (place + 1) % len(cycle)
            if place >= 0 and microstep.target == cycle[onward]:
                place = onward
                if place == 0:
                    found.append(spent)
            else:
                place = 0 if microstep.target == cycle[0] else -1
            if place == 0:
                spent = 0
    return found, place


def moves_along(product: Product, edges: Sequence[Edge], way: Path | None = None) -> list[Move]:
    """The moves of a path of the product, after those of a way to its first node (the shortest where None)."""
    graph = product.graph
    path = list(way) if way is not None else graph.path(product.nodes[edges[0][0]][0]) if edges else []
    for source, target, step, _ in edges:
        before, after = product.nodes[source][0], product.nodes[target][0]
        path.append((before, step, graph.choice_between(before, step, after)))
    return graph_moves(graph, path)


def show_endless(case: Case, product: Product) -> Shown | None:
    """A run that turns the cycle of a product again and again, and can for ever.

    That it turns a few times proves nothing: each time the way begins anew, the run has to be in a configuration that
    the one there stands for, since from every such one the way can be gone.
    """
    found = lasso(product)
    way = None if found is None else _way(product, *found)
    return None if way is None else show_way(case, product.cycle, way)


def show_repeated(case: Case, product: Product) -> Shown | None:
    """Likewise by a way of which it is not known whether every run can go it: this one can, as it comes back with the
    very values that it set out with in all fields that the spec looks at.

    What a machine does hangs on nothing else. (Nor can it stop for want of progress: inside one advance it would have
    been in a state with such values before, and gone round for ever.) Only the order of a map's keys is no part of its
    value: where a spec makes lists of it, nothing is shown.
    """
    if makes_lists_of_maps(case.spec):
        return None
    goes_on = _comes_back(case.spec, product.cycle)
    ways = sorted(islice(lassos(product, lambda _edge: True), WAYS_LOOKED_AT), key=lambda found: len(found[1]))
    for stem, loop in ways[:WAYS_TRIED]:
        way = _way(product, stem, loop)
        shown = None if way is None else _shown(case, product.cycle, way, goes_on, STEADY)
        if shown is not None:
            return shown
    return None


def _way(product: Product, stem: Sequence[Edge], loop: Sequence[Edge]) -> Way | None:
    begin = next((number for number, edge in enumerate(loop) if is_exchange(product, edge)), None)
    if begin is None:
        return None
    stem, loop = [*stem, *loop[:begin]], [*loop[begin:], *loop[:begin]]
    graph, parked = product.graph, product.nodes[loop[0][0]][0]
    each = sum(is_exchange(product, edge) for edge in loop)
    moves = moves_along(product, [*stem, *loop * REPEATS])
    return Way(graph.packing, moves, each, graph.location(parked), graph.values[parked])


@dataclass(frozen=True, slots=True)
class Way:
    """The moves of an abstract run that ends with ``REPEATS`` times the same way round, of so many exchanges ``each``;
    and the configuration in which it waits whenever the way begins anew."""

    packing: Packing
    moves: list[Move]
    each: int
    location: Location
    values: Packed


Moments = Sequence[int]
"""The steps of a run in which its way begins anew, and the last."""


def show_way(case: Case, cycle: Sequence[str], way: Way) -> Shown | None:
    """A run of the reducer that is really on a way round a cycle."""

    def is_on_it(run: Run, begins: Moments) -> bool:
        return all(stands_for(case.layout, way.packing, way.values, run[step].configuration.store) for step in begins)

    return _shown(case, cycle, way, is_on_it)


def _shown(
    case: Case,
    cycle: Sequence[str],
    way: Way,
    goes_on: Callable[[Run, Moments], bool],
    styles: Sequence[Style] = STYLES,
) -> Shown | None:
    """A run that goes a way ``REPEATS`` times, turning the cycle, and waits where it begins anew; ``goes_on`` says
    whether it can go it again and again."""
    system = way.packing.system
    exchanges = sum(system.steps[move.step].kind is StepKind.STAGE for move in way.moves)
    begins = [exchanges - way.each * left for left in range(REPEATS, -1, -1)]

    def is_parked(run: Run, step: int) -> bool:
        reached = run[step].configuration
        return (reached.state, reached.status) == (way.location.state, "waiting")

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        last = len(run) - 1
        if last != exchanges or turns_in(run, cycle) < REPEATS or not all(is_parked(run, step) for step in begins):
            return None
        if not goes_on(run, begins):
            return None
        detail = {"step": last, "microstep": None, "reason": "turns-without-end", "fields": [], "loop": list(cycle)}
        return last, detail

    return case.show_moves(system, way.moves, find, styles)


def _comes_back(spec: Spec, cycle: Sequence[str]) -> Callable[[Run, Moments], bool]:
    """Whether the last time round a run turned the cycle, and came back to the place in it and the values, of all
    fields that the spec looks at, with which it had set out."""
    fields = looked_at(spec)

    def comes_back(run: Run, begins: Moments) -> bool:
        before, after = (run[step].configuration.store for step in begins[-2:])
        if any(identity(before[name]) != identity(after[name]) for name in fields):
            return False
        turns, place = _turning(run[: begins[-2] + 1], cycle)
        more, end = _turning(run, cycle)
        return len(more) > len(turns) and place == end

    return comes_back


def makes_lists_of_maps(spec: Spec) -> bool:
    """Whether an expression of a spec may make a list of a map, by which the order of the keys can be told."""
    return any(
        isinstance(part, Comprehension)
        and part.macro in (Macro.MAP, Macro.FILTER)
        and part.range.type.kind is not Kind.LIST
        for expression in expressions(spec)
        for part in walk(expression)
    )


def looked_at(spec: Spec) -> frozenset[str]:
    """The fields that anything in a spec hangs on: what states require, and what guards and the values of actions
    mention."""
    found = {req.field.text for state in spec.states for req in state.requires}
    for state in spec.states:
        for transition in state.transitions:
            found |= mentioned_by_guards(transition)
        for actions in (state.entry, state.exit, *(transition.actions for transition in state.transitions)):
            found = found.union(*(mentioned_by_action(action) for action in actions))
    return frozenset(found)
