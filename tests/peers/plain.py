"""The transition system searched in the plainest way, whole numbers within a bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fsmcheck.system.system import Event, Input, Location, System
from fsmcheck.system.terms import INT, Op, Term
from tests.system.naive import OPERATIONS, chosen, truncated

Key = tuple[str, object, str]


class TooManyError(Exception):
    """There are more configurations than were asked for."""


def _quotient(left: int, right: int) -> int:
    """A division by zero has some value; the models take this one."""
    return truncated(left, right or 1)


_TOTAL = {
    **OPERATIONS,
    Op.DIV: _quotient,
    Op.MOD: lambda left, right: left - (right or 1) * _quotient(left, right),
}


def _value(term: Term, values: Mapping[str, bool | int]) -> bool | int:
    if term.op is Op.CONST:
        return term.value  # type: ignore[return-value]
    if term.op is Op.VAR:
        return values[str(term.value)]
    if term.op is Op.ITE:
        condition, then, otherwise = term.args
        return _value(then if _value(condition, values) else otherwise, values)
    if term.op is Op.AND:
        return all(_value(arg, values) for arg in term.args)
    if term.op is Op.OR:
        return any(_value(arg, values) for arg in term.args)
    return _TOTAL[term.op](*(_value(arg, values) for arg in term.args))


def _chosen(choices: tuple[Input, ...], bound: int) -> Iterator[dict[str, bool | int]]:
    return chosen(choices, tuple(range(-bound, bound + 1)))


def search(system: System, bound: int, is_asked: Callable[[Event], bool], most: int) -> tuple[int, frozenset[Key]]:
    """How many configurations there are, and which events happen in them.

    Raises:
        TooManyError: there are more than ``most``.
    """
    lowest = {variable.name: variable.lower for variable in system.variables if variable.sort is INT}

    def within(values: Mapping[str, bool | int]) -> bool:
        return all(max(-bound, -bound if low is None else low) <= values[name] <= bound for name, low in lowest.items())

    start = (system.start, tuple(system.initial[variable.name] for variable in system.variables))
    names = [variable.name for variable in system.variables]
    seen: set[tuple[Location, tuple[bool | int, ...]]] = {start}
    queue = [start]
    happened: set[Key] = set()
    while queue:
        location, packed = queue.pop()
        before = dict(zip(names, packed, strict=True))
        for step in system.steps_from.get(location, ()):
            for event in step.events:
                key = (event.rule, event.subject, event.case)
                if is_asked(event) and key not in happened:
                    every = tuple({each.name: each for each in (*step.inputs, *event.inputs)}.values())
                    if any(
                        _value(step.guard, values) and _value(event.condition, values)
                        for inputs in _chosen(every, bound)
                        for values in [{**before, **inputs}]
                    ):
                        happened.add(key)
            for inputs in _chosen(step.inputs, bound):
                values = {**before, **inputs}
                if not _value(step.guard, values):
                    continue
                after = {**before, **{name: _value(term, values) for name, term in step.updates.items()}}
                reached = (step.target, tuple(after[name] for name in names))
                if within(after) and reached not in seen:
                    seen.add(reached)
                    queue.append(reached)
                    if len(seen) > most:
                        raise TooManyError
    return len(seen), frozenset(happened)
