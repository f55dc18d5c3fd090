"""Runs to what a search of layers holds: found backwards, each configuration from one of the rings before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fsmcheck.engines.diagram.search import deep_recursion
from fsmcheck.engines.diagram.traces import Point, Taken
from fsmcheck.engines.frontier.arrays import Array
from fsmcheck.engines.frontier.search import ROWS, Frontier, Hit, Key
from fsmcheck.system.system import StepKind


def runs_with(frontier: Frontier, key: Key) -> Iterator[list[Taken]]:
    """Runs on whose last step an event happens, the shortest first. Raises ``BudgetError`` where a limit is reached."""
    for hit in sorted(frontier.hits.get(key, ()), key=lambda hit: hit.ring):
        with deep_recursion():
            run = _hit(frontier, hit, key)
        yield run


def _hit(frontier: Frontier, hit: Hit, key: Key) -> list[Taken]:
    events = frontier.system.steps[hit.step].events
    event = next(event for event in events if (event.rule, event.subject, event.case) == key)
    inputs = frontier.steps[hit.step].inputs_for(hit.code, None, event)
    if inputs is None:
        raise AssertionError("a hit without inputs")
    return [*run_to(frontier, hit.place, hit.code), (frontier.setting.codes.decode(hit.code), hit.step, inputs)]


def runs_into(frontier: Frontier, wanted: Mapping[int, Array], most: int) -> Iterator[tuple[Point, list[Taken]]]:
    """Configurations of some sets (by location), one of each in each ring, with the shortest runs to them."""
    found: dict[tuple[int, int], int] = {}
    for place, members in wanted.items():
        rings = frontier.ring_of(place, members)
        for ring in range(len(frontier.rings)):
            here = rings == ring
            if here.any():
                found[ring, place] = int(members[here.argmax()])
    for (_, place), code in sorted(found.items())[:most]:
        with deep_recursion():
            run = run_to(frontier, place, code)
        yield Point(frontier.system.locations[place], frontier.setting.codes.decode(code)), run


def run_to(frontier: Frontier, place: int, code: int) -> list[Taken]:
    """The steps from the start to a configuration."""
    codes = frontier.setting.codes
    found: list[Taken] = []
    while ring := int(frontier.ring_of(place, codes.single(code))[0]):
        number, before = _entry(frontier, ring, place, code)
        inputs = frontier.steps[number].inputs_for(before, code)
        if inputs is None:
            raise AssertionError("a step without inputs")
        found.append((codes.decode(before), number, inputs))
        place, code = frontier.number_of[frontier.system.steps[number].source], before
    return found[::-1]


def _entry(frontier: Frontier, ring: int, place: int, code: int) -> tuple[int, int]:
    """A step that leads to a configuration of a ring, by its number, and the configuration before."""
    begins = frontier.rings[ring].begins
    exchange = frontier.rings[ring].exchanges != frontier.rings[ring - 1].exchanges
    for number, step in enumerate(frontier.system.steps):
        if frontier.number_of[step.target] != place or (step.kind is StepKind.STAGE) != exchange:
            continue
        rows = frontier.between(frontier.number_of[step.source], begins, ring)
        for start in range(0, len(rows), ROWS):
            leading = frontier.steps[number].leading(rows[start : start + ROWS], code)
            if len(leading):
                return number, int(leading[0])
        frontier.budget.check_time()
    raise AssertionError("a configuration that no step leads to")
