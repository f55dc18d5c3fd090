"""A second look at a finished search before anything is claimed on its word.

Three checks that share as little as they can with the first search: another search in the opposite order of fields,
whose sets have to be closed under every step and of the same sizes; the steps as explicit search compiles them, taken
from configurations drawn at random; and, where the sets are small, induction in Z3.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from math import prod

from fsmcheck.engines.compile import StepFunction, Successor, TooWideError, compile_steps
from fsmcheck.engines.diagram.budget import BudgetError, DiagramLimits
from fsmcheck.engines.diagram.machine import Machine
from fsmcheck.engines.diagram.mdd import EMPTY
from fsmcheck.engines.diagram.search import Diagram, Key, deep_recursion, explore_symbolically
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
        other = explore_symbolically(diagram.system, limits, backwards=True)
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
    sets, numbers = machine.sets, machine.location_numbers
    with deep_recursion():
        closed = sets.minus(machine.initial(), diagram.reached[numbers[machine.system.start]]) == EMPTY
        for number, step in enumerate(machine.system.steps):
            image = machine.relation(number).image(diagram.at_source(number))
            closed = closed and sets.minus(image, diagram.reached[numbers[step.target]]) == EMPTY
    if not closed:
        raise DisagreementError("a step leads out of what a search by diagrams reached")


def _draw(diagram: Diagram) -> None:
    """That the steps as explicit search takes them do not lead out of the sets either."""
    machine = diagram.ready
    try:
        functions = compile_steps(machine.packing)
    except TooWideError:
        return
    narrow = [number for number, step in enumerate(machine.system.steps) if _ways(machine, step) <= MOST_WAYS]
    rng = random.Random(_SEED)  # noqa: S311 - a sample, no secret
    places = [place for place, node in enumerate(diagram.reached) if node]
    for drawn in range(DRAWN):
        place = places[drawn % len(places)] if drawn < len(places) else rng.choice(places)
        packed = machine.levels.decode(machine.sets.draw(diagram.reached[place], rng))
        values = tuple(packed[name] for name in machine.packing.index)
        location = machine.system.locations[place]
        leaving = (number for number in narrow if machine.system.steps[number].source == location)
        _check_successors(diagram, values, leaving, functions)


def _ways(machine: Machine, step: Step) -> int:
    return prod(len(machine.packing.input_domain(choice)) for choice in step_inputs(step))


def _check_successors(
    diagram: Diagram, values: tuple[int, ...], steps: Iterable[int], functions: tuple[StepFunction, ...]
) -> None:
    machine = diagram.ready
    for number in steps:
        out: list[Successor] = []
        functions[number](values, out)
        target = diagram.reached[machine.location_numbers[machine.system.steps[number].target]]
        for after, _, _ in out:
            packed = dict(zip(machine.packing.index, after, strict=True))
            if not machine.sets.has(target, machine.levels.encode(packed)):
                raise DisagreementError("explicit search takes a step out of what a search by diagrams reached")
