"""A second look at a finished search before anything is claimed on its word.

Three checks that share as little as they can with the first search: another search in the opposite order of fields,
whose sets have to be closed under every step and of the same sizes; the steps as explicit search compiles them, taken
from configurations drawn at random; and, where the sets are small, induction in Z3.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from math import prod

from fsmcheck.engines.compile import StepFunction, Successor, TooWideError, compile_steps
from fsmcheck.engines.diagram.budget import BudgetError, DiagramLimits
from fsmcheck.engines.diagram.machine import Machine
from fsmcheck.engines.diagram.mdd import EMPTY
from fsmcheck.engines.diagram.search import Diagram, Key, deep_recursion, explore_backwards
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.packing import step_inputs
from fsmcheck.records import dataclass
from fsmcheck.system.system import Step

DRAWN = 100
"""Configurations from which steps are taken."""

MOST_WAYS = 512
"""Combinations of inputs up to which all successors of a step are looked at."""

_SEED = 7


@dataclass(frozen=True)
class Second:
    """The outcome: the other search, or why there is none."""

    diagram: Diagram | None
    reason: str = ""

    def denies(self, key: Key) -> bool:
        """Whether the other search finds, too, that an event never happens.

        Raises ``BudgetError`` where a limit is reached.
        """
        return self.diagram is not None and not self.diagram.happens(key)


def look_again(diagram: Diagram, limits: DiagramLimits) -> Second:
    """Check a complete search. Raises ``DisagreementError`` where the checks refute it."""
    try:
        with deep_recursion():
            _draw(diagram)
        other = explore_backwards(diagram, limits)
        if not other.complete:
            return Second(None, other.reason)
        if other.counts != diagram.counts:
            raise DisagreementError("two searches by diagrams find different numbers of configurations")
        _check_closed(other)
    except BudgetError as error:
        return Second(None, str(error))
    return Second(other)


def _check_closed(diagram: Diagram) -> None:
    """That the start is among the sets, and that no step leads out of them."""
    machine = diagram.ready
    sets = machine.sets
    start = diagram.reached[machine.location_numbers[machine.system.start]]
    with deep_recursion():
        closed = sets.minus(machine.initial(), start) == EMPTY
        for number, (source, target) in enumerate(machine.ends):
            image = machine.relation(number).image(diagram.reached[source])
            closed = closed and sets.minus(image, diagram.reached[target]) == EMPTY
    if not closed:
        raise DisagreementError("a step leads out of what a search by diagrams reached")


def _draw(diagram: Diagram) -> None:
    """That the steps as explicit search takes them do not lead out of the sets either."""
    machine = diagram.ready
    functions = _narrow_steps(machine)
    rng = random.Random(_SEED)  # noqa: S311 - a sample, no secret
    places = [place for place, node in enumerate(diagram.reached) if node]
    for drawn in range(DRAWN if functions else 0):
        place = places[drawn % len(places)] if drawn < len(places) else rng.choice(places)
        values = machine.packed(machine.sets.draw(diagram.reached[place], rng))
        leaving = {number: function for number, function in functions.items() if machine.ends[number][0] == place}
        _check_successors(diagram, values, leaving)


def _narrow_steps(machine: Machine) -> dict[int, StepFunction]:
    """The functions, by number, of the steps that can be taken in few ways, whatever events happen on them."""
    steps = machine.system.steps
    narrow = [number for number, step in enumerate(steps) if _ways(machine, step) <= MOST_WAYS]
    bare = tuple(replace(steps[number], events=(), inputs=step_inputs(steps[number])) for number in narrow)
    try:
        return dict(zip(narrow, compile_steps(machine.packing.of(bare)), strict=True))
    except TooWideError:
        return {}


def _ways(machine: Machine, step: Step) -> int:
    return prod(len(machine.packing.input_domain(choice)) for choice in step_inputs(step))


def _check_successors(diagram: Diagram, values: tuple[int, ...], functions: Mapping[int, StepFunction]) -> None:
    machine = diagram.ready
    for number, function in functions.items():
        out: list[Successor] = []
        function(values, out)
        target = diagram.reached[machine.ends[number][1]]
        for after, _, _ in out:
            if not machine.sets.has(target, machine.encoded(after)):
                raise DisagreementError("explicit search takes a step out of what a search by diagrams reached")
