"""A proof by induction as a script in SMT-LIB 2 that stands alone.

It defines ``init``, each ``step_n``, ``inv`` and each ``bad_n`` once; the checks refer to them: the invariant holds
at the start (initiation), no step leads out of it (consecution), and excludes what must not happen (safety).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fsmcheck.engines.explicit import Key
from fsmcheck.engines.induction import Invariant
from fsmcheck.engines.invariant_text import invariant_at
from fsmcheck.engines.smtlib import Node, Nodes, Symbols, printed
from fsmcheck.records import dataclass
from fsmcheck.system.system import Event, Input, Step, System
from fsmcheck.system.terms import Sort

Parameters = Sequence[tuple[str, str]]
"""Names and sorts."""


@dataclass(frozen=True, slots=True)
class Script:
    """``text`` proves that in no run of the system an event of ``keys`` happens, ``bad_n`` being the nth key;
    ``checks`` names what it asks, in order."""

    text: str
    checks: tuple[str, ...]


def script(system: System, invariant: Invariant | None, keys: Sequence[Key], heading: Sequence[str]) -> Script:
    """Write a proof out. ``heading`` is put above it, as comments. Without an invariant it proves nothing: nothing is
    said to be reachable."""
    return _Writer(system, invariant, keys).script(heading)


class _Writer:
    def __init__(self, system: System, invariant: Invariant | None, keys: Sequence[Key]) -> None:
        self.system = system
        self.invariant = invariant
        self.keys = keys
        self.nodes = Nodes()
        self.symbols = Symbols(self.nodes)
        self.places = {location: f"at_{number}" for number, location in enumerate(system.locations)}
        self.state = [("at", "Location")]
        self.state += [(f"x_{n}", self.symbols.sort(variable.sort)) for n, variable in enumerate(system.variables)]
        self.following = [(f"{name}_next", sort) for name, sort in self.state]
        self.values = {variable.name: self.nodes.call(f"x_{n}") for n, variable in enumerate(system.variables)}

    def script(self, heading: Sequence[str]) -> Script:
        steps = [self._step(step) for step in self.system.steps]
        bads = [self._bad(key) for key in self.keys]
        definitions = ["; The start of a run.", _define("init", self.state, self._initial())]
        for number, (step, (parameters, body)) in enumerate(zip(self.system.steps, steps, strict=True)):
            definitions += [_comment(step.name), _define(f"step_{number}", parameters, body)]
        definitions += ["; The invariant.", _define("inv", self.state, self._invariant())]
        for number, (key, (parameters, body)) in enumerate(zip(self.keys, bads, strict=True)):
            definitions += [heading_of(key), _define(f"bad_{number}", parameters, body)]
        checks = self._checks([parameters for parameters, _ in steps], [parameters for parameters, _ in bads])
        constants = [f"(declare-const {name} {sort})" for name, sort in (*self.state, *self.following)]
        asked = [_check(*check) for check in checks]
        lines = [*map(_comment, heading), "(set-logic ALL)", *self._datatypes(), *definitions, *constants, *asked]
        return Script("\n".join(lines) + "\n", tuple(name for name, _, _ in checks))

    def _checks(
        self, steps: Sequence[Parameters], bads: Sequence[Parameters]
    ) -> list[tuple[str, Parameters, tuple[str, ...]]]:
        """Each check: its name, the constants it needs, and what must not be possible together."""
        here, refuted = _call("inv", self.state), f"(not {_call('inv', self.following)})"
        start = (_call("init", self.state), f"(not {here})")
        found: list[tuple[str, Parameters, tuple[str, ...]]] = [("initiation", (), start)]
        for number, parameters in enumerate(steps):
            taken = (here, _call(f"step_{number}", parameters), refuted)
            found.append((f"consecution of step_{number}", parameters[2 * len(self.state) :], taken))
        for number, parameters in enumerate(bads):
            happens = (here, _call(f"bad_{number}", parameters))
            found.append((f"safety of bad_{number}", parameters[len(self.state) :], happens))
        return found

    def _datatypes(self) -> list[str]:
        lines = [_comment(f"{name}: {place.state}, {place.phase.value}") for place, name in self.places.items()]
        lines.append(_datatype("Location", self.places.values()))
        for sort, name in self.symbols.sorts.items():
            values = [self.symbols.value(sort, index).head for index in range(sort.size)]
            lines += [_comment(f'{value}: "{label}"') for value, label in zip(values, sort.labels, strict=True)]
            lines.append(_datatype(name, values))
        lines += [_comment(f"x_{number}: {variable.name}") for number, variable in enumerate(self.system.variables)]
        return lines

    def _at(self, name: str, place: str) -> Node:
        return self.nodes.call("=", self.nodes.call(name), self.nodes.call(place))

    def _initial(self) -> Node:
        start = self._at("at", self.places[self.system.start])
        values = [
            self.nodes.call("=", self.values[v.name], self.symbols.value(v.sort, self.system.initial[v.name]))
            for v in self.system.variables
        ]
        return self.nodes.all([start, *values])

    def _invariant(self) -> Node:
        false = self.nodes.any(())
        if self.invariant is None:
            return false
        parts = []
        for location, place in self.places.items():
            formula = invariant_at(self.invariant, location, self.symbols, self.values)
            if formula is not false:
                parts.append(self.nodes.all([self._at("at", place), formula]))
        return self.nodes.any(parts)

    def _inputs(self, choices: Iterable[Input]) -> tuple[Parameters, dict[tuple[str, Sort], Node]]:
        """Parameters for inputs: one for each name and sort."""
        found: dict[tuple[str, Sort], tuple[str, str]] = {}
        for choice in choices:
            found.setdefault((choice.name, choice.sort), (f"i_{len(found)}", self.symbols.sort(choice.sort)))
        return tuple(found.values()), {key: self.nodes.call(name) for key, (name, _) in found.items()}

    def _step(self, step: Step) -> tuple[Parameters, Node]:
        parameters, named = self._inputs(step.inputs)
        values = {**self.values, **{choice.name: named[choice.name, choice.sort] for choice in step.inputs}}
        memo: dict[int, Node] = {}
        parts = [
            self._at("at", self.places[step.source]),
            self._at("at_next", self.places[step.target]),
            self.symbols.term(step.guard, values, memo),
            *self.symbols.bounds(step.inputs, values),
        ]
        for number, variable in enumerate(self.system.variables):
            update = step.updates.get(variable.name)
            value = self.values[variable.name] if update is None else self.symbols.term(update, values, memo)
            parts.append(self.nodes.call("=", self.nodes.call(f"x_{number}_next"), value))
        return (*self.state, *self.following, *parameters), self.nodes.all(parts)

    def _bad(self, key: Key) -> tuple[Parameters, Node]:
        happening = [
            (step, event)
            for step in self.system.steps
            for event in step.events
            if (event.rule, event.subject, event.case) == key
        ]
        choices = [choice for step, event in happening for choice in (*step.inputs, *event.inputs)]
        parameters, named = self._inputs(choices)
        parts = [self._happens(step, event, named) for step, event in happening]
        return (*self.state, *parameters), self.nodes.any(parts)

    def _happens(self, step: Step, event: Event, named: Mapping[tuple[str, Sort], Node]) -> Node:
        choices = (*step.inputs, *event.inputs)
        values = {**self.values, **{choice.name: named[choice.name, choice.sort] for choice in choices}}
        memo: dict[int, Node] = {}
        return self.nodes.all(
            [
                self._at("at", self.places[step.source]),
                self.symbols.term(step.guard, values, memo),
                self.symbols.term(event.condition, values, memo),
                *self.symbols.bounds(choices, values),
            ]
        )


def _define(name: str, parameters: Parameters, body: Node) -> str:
    listed = " ".join(f"({parameter} {sort})" for parameter, sort in parameters)
    return f"(define-fun {name} ({listed}) Bool\n  {printed(body)})"


def _call(name: str, parameters: Parameters) -> str:
    return f"({name} {' '.join(parameter for parameter, _ in parameters)})"


def _check(name: str, inputs: Parameters, claims: Sequence[str]) -> str:
    declared = [f"(declare-const {constant} {sort})" for constant, sort in inputs]
    asserted = [f"(assert {claim})" for claim in claims]
    return "\n".join([_comment(name), "(push 1)", *declared, *asserted, "(check-sat)", "(pop 1)"])


def _datatype(name: str, values: Iterable[str]) -> str:
    return f"(declare-datatypes (({name} 0)) (({' '.join(f'({value})' for value in values)})))"


def heading_of(key: Key) -> str:
    """The comment above the definition of an event that does not happen."""
    rule, subject, which = key
    named = " ".join([rule, *(f"{name} {value}" for name, value in subject.as_dict().items())])
    return _comment(f"{named}, {which}" if which else named)


def _comment(text: str) -> str:
    """One line of plain ASCII, whatever the names in the spec."""
    plain = text.encode("ascii", "backslashreplace").decode("ascii")
    return "; " + "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in plain)
