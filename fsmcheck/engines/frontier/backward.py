"""Questions about what can still happen, answered inside the reachable sets, as in ``engines.diagram.backward``.

Sets are lists of arrays, one for each location. All of this may raise ``BudgetError``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from fsmcheck.engines.coverage import MICROSTEP_LIMIT
from fsmcheck.engines.diagram.search import deep_recursion
from fsmcheck.engines.frontier.arrays import Array, Growing, among_any, as_set, meet, minus, union
from fsmcheck.engines.frontier.search import ROWS, Frontier
from fsmcheck.system.system import Location, Phase, StepKind

Sets = list[Array]


def at(frontier: Frontier, wanted: Callable[[Location], bool]) -> Sets:
    """The reachable configurations at some locations."""
    empty = frontier.setting.codes.empty()
    return [
        frontier.at(place) if wanted(location) else empty for place, location in enumerate(frontier.system.locations)
    ]


def done(frontier: Frontier) -> Sets:
    """The reachable configurations in a terminal state."""
    return at(frontier, lambda location: location.phase is Phase.DONE)


def projected(frontier: Frontier, place: int, dropped: Iterable[str]) -> Array:
    """The reachable configurations of a location with some variables set to the first of their values."""
    codes = frontier.setting.codes
    rows = frontier.at(place)
    for name in dropped:
        rows = rows - codes.column(rows, name).astype(codes.kind) * codes.kind(codes.stride[name])
    return as_set(rows)


def can_reach(frontier: Frontier, targets: Sets) -> Sets:
    """The reachable configurations with some run into ``targets``, these included (EF)."""
    return _backwards(frontier, targets, certain=False)


def surely_reaches(frontier: Frontier, targets: Sets) -> Sets:
    """Those from which the agents can bring the run into ``targets`` whatever the abstraction chooses."""
    return _backwards(frontier, targets, certain=True)


def others(frontier: Frontier, sets: Sets) -> Sets:
    """The reachable configurations that are not in some sets."""
    return [minus(frontier.at(place), members) for place, members in enumerate(sets)]


def _backwards(frontier: Frontier, targets: Sets, *, certain: bool) -> Sets:
    good = list(targets)
    before: list[set[int]] = [set() for _ in good]
    for step in frontier.system.steps:
        before[frontier.number_of[step.target]].add(frontier.number_of[step.source])
    pending = dict.fromkeys(
        place for target, found in enumerate(good) if len(found) for place in sorted(before[target])
    )
    with deep_recursion():
        while pending:
            place = next(iter(pending))
            del pending[place]
            rest = minus(frontier.at(place), good[place])
            if not len(rest):
                continue
            waits = frontier.system.locations[place].phase is Phase.WAITING
            leading = rest[_leading(frontier, place, rest, good, every=certain and not waits)]
            if len(leading):
                good[place] = union((good[place], leading))
                pending.update(dict.fromkeys(sorted(before[place])))
    return good


def _leading(frontier: Frontier, place: int, rows: Array, good: Sets, *, every: bool) -> Array:
    """Which configurations of a location have a successor in some sets, and if ``every``, no other."""
    found = np.zeros(len(rows), bool)
    for start in range(0, len(rows), ROWS):
        block = rows[start : start + ROWS]
        known = frontier.setting.plain(block)
        leads, strays = np.zeros(len(block), bool), np.zeros(len(block), bool)
        for number in frontier.leaving[place]:
            target = good[frontier.number_of[frontier.system.steps[number].target]]
            if not len(target) and not every:
                continue
            step = frontier.steps[number]
            leads |= step.leading_to(known, ~leads & ~strays, partial(among_any, members=target))
            if every:
                strays |= step.leading_to(known, ~strays, partial(_outside, members=target))
        found[start : start + ROWS] = leads & ~strays
    return found


def _outside(numbers: Array, members: Array) -> Array:
    return ~among_any(numbers, members)


def turning(frontier: Frontier) -> tuple[Sets, int]:
    """The configurations on (or between) cycles of microsteps; and the most microsteps of one advance where there are
    none such.

    More than ``MICROSTEP_LIMIT`` are not counted.
    """
    left = at(frontier, lambda place: place.phase is Phase.RUNNING)
    longest = 0
    with deep_recursion():
        while any(map(len, left)):
            found = [meet(new, old) for new, old in zip(_fired(frontier, left), left, strict=True)]
            if _same(found, left):
                break
            left = found
            longest += 1
            if longest > MICROSTEP_LIMIT + 1:
                return left, longest - 1
        while any(map(len, left)):
            found = [_firing(frontier, place, left) for place in range(len(left))]
            if _same(found, left):
                break
            left = found
    return left, max(0, longest - 1)


def _same(one: Sets, other: Sets) -> bool:
    return list(map(len, one)) == list(map(len, other))


def _blocks(frontier: Frontier, rows: Array) -> Iterator[Array]:
    for start in range(0, len(rows), ROWS):
        frontier.budget.check_time()
        yield rows[start : start + ROWS]


def _fired(frontier: Frontier, sets: Sequence[Array], state: str | None = None) -> Sets:
    """What transitions lead to from some sets (only those to one state, if it is given)."""
    found: list[list[Array]] = [[frontier.setting.codes.empty()] for _ in sets]
    for place, rows in enumerate(sets):
        steps = [
            number
            for number in frontier.leaving[place]
            if frontier.system.steps[number].kind is StepKind.FIRE
            and state in (None, frontier.system.steps[number].target.state)
        ]
        for block in _blocks(frontier, rows) if steps else ():
            known = frontier.setting.plain(block)
            for number in steps:
                target = frontier.number_of[frontier.system.steps[number].target]
                found[target].append(frontier.steps[number].image(known))
    return [union(parts) for parts in found]


def _firing(frontier: Frontier, place: int, sets: Sequence[Array]) -> Array:
    """Those of a location from which a transition leads into some sets, these included."""
    steps = [number for number in frontier.leaving[place] if frontier.system.steps[number].kind is StepKind.FIRE]
    found = [sets[place][:0]]
    for block in _blocks(frontier, sets[place]) if steps else ():
        known = frontier.setting.plain(block)
        fires = np.zeros(len(block), bool)
        for number in steps:
            target = sets[frontier.number_of[frontier.system.steps[number].target]]
            fires |= frontier.steps[number].leading_to(known, ~fires, partial(among_any, members=target))
        found.append(block[fires])
    return np.concatenate(found)


def turns(frontier: Frontier, cycle: Sequence[str]) -> bool:
    """Whether some run goes once round a cycle of states without a detour."""
    here = Location(cycle[0], Phase.RUNNING)
    left = frontier.at(frontier.number_of[here]) if here in frontier.number_of else frontier.setting.codes.empty()
    with deep_recursion():
        for state, following in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
            if not len(left):
                break
            running = frontier.number_of[Location(state, Phase.RUNNING)]
            left = _entered(frontier, following, _reached_from(frontier, running, left, inside=True))
    return len(left) > 0


def _entered(frontier: Frontier, state: str, sets: Sequence[Array]) -> Array:
    """What transitions to a state lead to from some sets."""
    return _fired(frontier, sets, state)[frontier.number_of[Location(state, Phase.RUNNING)]]


def returns(frontier: Frontier, state: str) -> bool:
    """Whether some run may enter a state without end; see ``engines.diagram.backward``."""
    place = frontier.number_of.get(Location(state, Phase.RUNNING))
    if place is None:
        return False
    left = frontier.at(place)
    with deep_recursion():
        while len(left):
            again = meet(left, _entered(frontier, state, _reached_from(frontier, place, left)))
            if len(again) == len(left):
                break
            left = again
    return len(left) > 0


def _reached_from(frontier: Frontier, place: int, start: Array, *, inside: bool = False) -> Sets:
    """What some configurations of a location lead to, these included; ``inside``: without any transition."""
    kind = frontier.setting.codes.kind
    reached = [Growing(kind) for _ in frontier.system.locations]
    reached[place].add(start, 0)
    pending = {place: start}
    while pending:
        source = next(iter(pending))
        for block in _blocks(frontier, pending.pop(source)):
            known = frontier.setting.plain(block)
            for number in frontier.leaving[source]:
                step = frontier.system.steps[number]
                if inside and step.kind is StepKind.FIRE:
                    continue
                target = frontier.number_of[step.target]
                new = reached[target].new(frontier.steps[number].image(known))
                if len(new):
                    reached[target].add(new, 0)
                    pending[target] = union((pending[target], new)) if target in pending else new
        frontier.budget.check_bytes(frontier.nbytes + sum(found.nbytes for found in reached))
    return [found.whole.members for found in reached]
