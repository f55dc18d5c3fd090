"""The static order of a search: which variables share a level, and which levels lie side by side.

The variables of a field and the bookkeeping about it form a level, as long as their values together stay few; so
freshness is part of a field's value. Levels whose variables are copied into each other, compared, or changed by one
choice come close together. An input is placed right before the first level that it has to do with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import prod

from fsmcheck.engines.diagram.evaluate import Site
from fsmcheck.engines.packing import Packing
from fsmcheck.records import dataclass
from fsmcheck.system import terms as t
from fsmcheck.system.system import Event, Input, Step, System
from fsmcheck.system.terms import INT, Term

MOST_VALUES = 1024
"""Combinations of values that one level may have."""

STRONG, PLAIN, WEAK = 4.0, 1.0, 0.25
"""How close a copy or a shared choice, a guard, and an event pull variables together."""

FADING = 0.8

WIDEST = 24
"""Variables in one term after which it says little about which of them belong together."""

Pulls = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Order:
    """``levels[n]`` names the variables of a level; ``sites`` places every variable and input; ``zones[n]`` is the
    first place after a level's own, which inputs right before the level belong to."""

    levels: tuple[tuple[str, ...], ...]
    sites: Mapping[str, Site]
    zones: tuple[int, ...]


def own_names(event: Event, step: Step) -> dict[str, str]:
    """For each input of the step that an event with inputs of its own chooses once more: the name of that choice."""
    if not event.inputs:
        return {}
    inner = {choice.name for choice in event.inputs}
    used = t.variables([event.condition])
    chosen = (choice.name for choice in step.inputs if choice.name in used)
    return {name: name + "'" for name in chosen if name not in inner}


def all_inputs(system: System) -> dict[str, Input]:
    """Every input of a system, those that events choose once more included."""
    found: dict[str, Input] = {}
    for step in system.steps:
        found.update((choice.name, choice) for choice in step.inputs)
        by_name = {choice.name: choice for choice in step.inputs}
        for event in step.events:
            found.update((choice.name, choice) for choice in event.inputs)
            for name, copy in own_names(event, step).items():
                found[copy] = replace(by_name[name], name=copy)
    return found


@dataclass(frozen=True)
class Arrangement:
    """What both orders of a search have in common: the levels next to each other, and which variables and inputs have
    to do with each other."""

    packing: Packing
    levels: Sequence[Sequence[str]]
    touched: Sequence[tuple[tuple[str, ...], float]]

    @cached_property
    def inputs(self) -> dict[str, Input]:
        """Every input of the system, those that events choose once more included."""
        return all_inputs(self.packing.system)

    def order(self, *, backwards: bool = False) -> Order:
        """The order; ``backwards`` turns it round, for a second search that shares little with the first."""
        levels = self.levels[::-1] if backwards else self.levels
        return _placed(self, levels, _first_levels(self, levels))


def arranged(packing: Packing, check: Callable[[], None]) -> Arrangement:
    """The arrangement for a system. ``check`` is called now and then, and may raise whatever it likes.

    There is always a level, if only for the inputs of a system without variables.
    """
    touched = list(_touched(packing.system, check))
    pulls: Pulls = defaultdict(lambda: defaultdict(float))
    names = frozenset(packing.index)
    for together, strength in touched:
        _pull(pulls, [name for name in together if name in names], strength)
    return Arrangement(packing, _arranged(_grouped(packing, pulls), pulls) or [[]], touched)


def _touched(system: System, check: Callable[[], None]) -> Iterable[tuple[tuple[str, ...], float]]:
    """Which variables and inputs have to do with each other, and how much."""
    known: dict[int, tuple[str, ...]] = {}

    def read(term: Term) -> tuple[str, ...]:
        names = known.get(id(term))
        if names is None:
            names = known[id(term)] = tuple(t.variables([term]))
        return names

    for step in system.steps:
        by_input: dict[str, set[str]] = {}
        for name, term in step.updates.items():
            names = read(term)
            yield (name, *names), STRONG
            for choice in names:
                by_input.setdefault(choice, set()).add(name)
        inputs = {choice.name for choice in step.inputs}
        for choice, targets in by_input.items():
            if choice in inputs:
                yield (choice, *sorted(targets)), STRONG
        for conjunct in conjuncts(step.guard):
            yield read(conjunct), PLAIN
        for event in step.events:
            check()
            copies = own_names(event, step)
            names = read(event.condition)
            yield tuple(copies.get(name, name) for name in names) if copies else names, WEAK


def conjuncts(guard: Term) -> Sequence[Term]:
    """The parts of a guard, all of which have to hold."""
    return guard.args if guard.op is t.Op.AND else (guard,)


def _pull(pulls: Pulls, names: Sequence[str], strength: float) -> None:
    names = list(dict.fromkeys(names))
    if not 1 < len(names) <= WIDEST:
        return
    weight = strength / (len(names) - 1)
    for name in names:
        for other in names:
            if other != name:
                pulls[name][other] += weight


def _width(packing: Packing, name: str) -> int:
    if name in packing.intervals:
        return len(packing.intervals[name])
    return packing.system.by_name[name].sort.size


def _grouped(packing: Packing, pulls: Pulls) -> list[list[str]]:
    """Levels: a field's variables and the bookkeeping that is most drawn to them, cut where the values get many."""
    owner: dict[str, str] = {}
    for variable in packing.system.variables:
        if variable.field is not None:
            owner[variable.name] = variable.field
    for variable in packing.system.variables:
        if variable.field is None:
            drawn: dict[str, float] = defaultdict(float)
            for other, weight in pulls[variable.name].items():
                if other in packing.index and packing.system.by_name[other].field is not None:
                    drawn[owner[other]] += weight
            owner[variable.name] = max(drawn, key=lambda field: drawn[field], default="")
    groups: list[list[str]] = []
    latest: dict[str, int] = {}
    for variable in packing.system.variables:
        field = owner[variable.name]
        if not field or field not in latest or not _fits(packing, [*groups[latest[field]], variable.name]):
            latest[field] = len(groups)
            groups.append([])
        groups[latest[field]].append(variable.name)
    return groups


def _fits(packing: Packing, names: Iterable[str]) -> bool:
    return prod(_width(packing, name) for name in names) <= MOST_VALUES


def _arranged(groups: list[list[str]], pulls: Pulls) -> list[list[str]]:
    """One group after another, always the one that those just placed pull most."""
    group_of = {name: number for number, group in enumerate(groups) for name in group}
    between: list[dict[int, float]] = [defaultdict(float) for _ in groups]
    for number, group in enumerate(groups):
        for name in group:
            for other, weight in pulls[name].items():
                if group_of[other] != number:
                    between[number][group_of[other]] += weight
    left = dict.fromkeys(range(len(groups)))
    score = dict.fromkeys(left, 0.0)
    found: list[list[str]] = []
    while left:
        chosen = max(left, key=lambda number: (score[number], sum(between[number].values()), -number))
        del left[chosen]
        found.append(groups[chosen])
        for number in left:
            score[number] = score[number] * FADING + between[chosen].get(number, 0.0)
    return found


def _first_levels(arrangement: Arrangement, levels: Sequence[Sequence[str]]) -> dict[str, int]:
    """For each input the first level that it has to do with."""
    level_of = {name: number for number, level in enumerate(levels) for name in level}
    first = dict.fromkeys(arrangement.inputs, len(levels) - 1)
    for together in dict.fromkeys(names for names, _ in arrangement.touched):
        inputs = [name for name in together if name in first]
        if inputs:
            top = min((level_of[name] for name in together if name in level_of), default=len(levels) - 1)
            for name in inputs:
                first[name] = min(first[name], top)
    return first


def _placed(arrangement: Arrangement, levels: Sequence[Sequence[str]], first: Mapping[str, int]) -> Order:
    packing, inputs = arrangement.packing, arrangement.inputs
    at_level: dict[int, list[str]] = {}
    for name, level in first.items():
        at_level.setdefault(level, []).append(name)
    sites: dict[str, Site] = {}
    zones = []
    for number, names in enumerate(levels):
        for name in at_level.get(number, ()):
            sites[name] = _input_site(packing, inputs[name], len(sites))
        for name in names:
            sites[name] = Site(len(sites), range(_width(packing, name)), packing.intervals.get(name))
        zones.append(len(sites))
    return Order(tuple(map(tuple, levels)), sites, tuple(zones))


def _input_site(packing: Packing, choice: Input, place: int) -> Site:
    values = packing.input_domain(replace(choice, name=choice.name.removesuffix("'")))
    if choice.sort is not INT:
        return Site(place, values)
    original = replace(choice, name=choice.name.removesuffix("'"))
    return Site(place, values, [packing.input_interval(original, value) for value in values])
