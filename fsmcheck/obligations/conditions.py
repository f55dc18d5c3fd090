"""The conditions of an induction over what a search reached, named by all that they say.

A condition is that from one location on, every step keeps to the set and no event happens; that a run begins inside
the set is part of the condition of the start. Z3's answer to it depends on nothing but the steps, the values with which
their two ends are reached, and the declarations of the variables; where all that is the same, so is the answer. It
sees values by their numbers, whatever texts they stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from fsmcheck.engines.explicit import Graph, Key
from fsmcheck.obligations.cache_digests import Terms, digest, step_digest
from fsmcheck.system.system import Location


class Conditions(Protocol):
    """Those that were found to hold, by their digests; whether any are kept at all."""

    @property
    def remembers(self) -> bool: ...

    def known(self, digests: Iterable[str]) -> frozenset[str]: ...

    def keep(self, digests: Iterable[str]) -> None: ...


def condition_digests(graph: Graph, keys: Sequence[Key]) -> dict[Location, str]:
    """The digest of the condition of each location, where events of ``keys`` are not to happen."""
    system, terms = graph.system, Terms(labels=False)
    shared = digest(
        "induction",
        *(f"{each.name!r}|{terms.sort(each.sort)}|{each.lower}|{each.domain}" for each in system.variables),
        repr(sorted(system.initial.items())),
        repr(system.start),
        repr(sorted(graph.packing.intervals.items())),
    )
    wanted = set(keys)
    sets: dict[Location, str] = {}

    def reached(location: Location) -> str:
        if location not in sets:
            sets[location] = digest(*map(repr, sorted(graph.members.get(location, ()))))
        return sets[location]

    found: dict[Location, str] = {}
    for location in system.locations:
        parts = [shared, repr(location), reached(location)]
        for step in system.steps_from.get(location, ()):
            excluded = [number for number, e in enumerate(step.events) if (e.rule, e.subject, e.case) in wanted]
            parts += [step_digest(step, terms), reached(step.target), repr(excluded)]
        found[location] = digest(*parts)
    return found
