"""Packed configurations: the values of a system's variables as a tuple of small integers."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from math import inf

from fsmcheck.engines import intervals as iv
from fsmcheck.engines.intervals import IntegerClasses, Interval
from fsmcheck.system.system import Input, Step, System
from fsmcheck.system.terms import BOOL, INT

Packed = tuple[int, ...]
"""The value of each variable: an index for a finite one, 0 or 1 for a boolean, the index of its interval for an
integer one."""


class Packing:
    """How the variables of a system are packed: their order and the intervals of the integer ones."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.classes = IntegerClasses(system)
        self.index = {variable.name: number for number, variable in enumerate(system.variables)}
        self.intervals: dict[str, tuple[Interval, ...]] = {
            variable.name: self.classes.intervals(variable.name, variable.lower)
            for variable in system.variables
            if variable.sort is INT
        }
        self._choices: dict[int, tuple[Input, ...]] = {}

    def choices(self, number: int) -> tuple[Input, ...]:
        """The ``step_inputs`` of a step by its number."""
        known = self._choices.get(number)
        if known is None:
            known = self._choices[number] = step_inputs(self.system.steps[number])
        return known

    def of(self, steps: tuple[Step, ...]) -> Packing:
        """The same packing of a system with other steps, whose terms compare integers as those of this one do."""
        other = copy(self)
        other.system = replace(self.system, steps=steps)
        other._choices = {}
        return other

    def initial(self) -> Packed:
        """The values before the run starts."""
        return tuple(self.pack(variable.name, self.system.initial[variable.name]) for variable in self.system.variables)

    def pack(self, name: str, value: bool | int) -> int:
        """The packed form of one variable's value."""
        if name in self.intervals:
            return iv.covering(self.intervals[name], (value, value))[0]
        return int(value)

    def input_domain(self, choice: Input) -> tuple[int, ...]:
        """The packed values that an input may have."""
        if choice.sort is INT:
            spans = self.classes.intervals(choice.name, None)
            low = -inf if choice.lower is None else choice.lower
            high = inf if choice.upper is None else choice.upper
            return iv.covering(spans, (low, high))
        if choice.sort is BOOL:
            return (0, 1)
        return choice.domain or tuple(range(choice.sort.size))

    def input_interval(self, choice: Input, value: int) -> Interval:
        """The interval of an integer input's packed value, within the input's bounds."""
        low, high = self.classes.intervals(choice.name, None)[value]
        floor = -inf if choice.lower is None else choice.lower
        ceiling = inf if choice.upper is None else choice.upper
        return (max(low, floor), min(high, ceiling))


def step_inputs(step: Step) -> tuple[Input, ...]:
    """The inputs of a step in the order in which a successor lists their values."""
    inner = {choice.name for event in step.events for choice in event.inputs}
    return tuple(choice for choice in step.inputs if choice.name not in inner)
