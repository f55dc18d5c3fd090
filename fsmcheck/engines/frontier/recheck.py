"""A second look at a finished search before anything is claimed on its word.

Another search with the digits in the opposite order has to find as many configurations at each location and in each
layer, and the same events. And the steps as explicit search compiles them, taken from configurations drawn at random,
have to stay inside, and show no other event.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import prod

from fsmcheck.engines.compile import StepFunction, Successor, TooWideError, compile_steps
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.frontier.arrays import has
from fsmcheck.engines.frontier.budget import FrontierLimits
from fsmcheck.engines.frontier.search import Frontier, explore_layers
from fsmcheck.engines.packing import step_inputs
from fsmcheck.records import dataclass

DRAWN = 300
"""Configurations from which steps are taken."""

MOST_WAYS = 512
"""Combinations of inputs up to which all successors of a step are looked at."""

_SEED = 7


@dataclass(frozen=True)
class Second:
    """The outcome: the other search, or why there is none."""

    frontier: Frontier | None
    reason: str = ""


def look_again(frontier: Frontier, limits: FrontierLimits) -> Second:
    """Check a complete search. Raises ``DisagreementError`` where the checks refute it."""
    _draw(frontier)
    other = explore_layers(frontier.system, limits, backwards=True)
    if not other.complete:
        return Second(None, other.reason)
    if other.counts != frontier.counts or other.depths != frontier.depths:
        raise DisagreementError("two searches of layers find different numbers of configurations")
    if other.hits.keys() != frontier.hits.keys():
        raise DisagreementError("two searches of layers see different events happen")
    return Second(other)


def _draw(frontier: Frontier) -> None:
    functions = _narrow_steps(frontier)
    rng = random.Random(_SEED)  # noqa: S311 - a sample, no secret
    places = [place for place, found in enumerate(frontier.reached) if len(found)]
    for drawn in range(DRAWN if functions else 0):
        place = places[drawn % len(places)] if drawn < len(places) else rng.choice(places)
        members = frontier.at(place)
        _check(frontier, place, int(members[rng.randrange(len(members))]), functions)


def _narrow_steps(frontier: Frontier) -> dict[int, StepFunction]:
    """The functions, by number, of the steps that can be taken in few ways."""
    packing = frontier.setting.packing
    narrow = [
        number
        for number, step in enumerate(frontier.system.steps)
        if prod(len(packing.input_domain(choice)) for choice in step_inputs(step)) <= MOST_WAYS
    ]
    some = packing.of(tuple(frontier.system.steps[number] for number in narrow))
    try:
        return dict(zip(narrow, compile_steps(some), strict=True))
    except TooWideError:
        return {}


def _check(frontier: Frontier, place: int, code: int, functions: Mapping[int, StepFunction]) -> None:
    codes = frontier.setting.codes
    values = codes.decode(code)
    for number in frontier.leaving[place]:
        step = frontier.system.steps[number]
        out: list[Successor] = []
        if number in functions:
            functions[number](values, out)
        target = frontier.at(frontier.number_of[step.target])
        for after, _, events in out:
            if not has(target, codes.encode(after)):
                raise DisagreementError("explicit search takes a step out of what a search of layers reached")
            for bit, event in enumerate(step.events):
                if events >> bit & 1 and (event.rule, event.subject, event.case) not in frontier.hits:
                    raise DisagreementError(f"explicit search sees {event.rule} happen, a search of layers does not")
