"""Steps of a system as Python functions on packed configurations.

A configuration packs the values of the variables in a tuple of small integers (an integer variable by the
index of its interval). A term without integers is computed exactly; one with integers is *fuzzy*: a boolean
gets two expressions (may it be true, may it be false), an integer an interval, a finite value a set. So a
compiled step yields every successor that some concrete one has, and possibly more.

Where from and where to a step leads is not part of its function: steps that do the same share one.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from fsmcheck.engines.codegen import SUPPORT, Constants, Exact, FuzzyBool, FuzzyInt, FuzzySet, TermWriter
from fsmcheck.engines.packing import Packed, Packing
from fsmcheck.system import terms as t
from fsmcheck.system.system import Chooser, Event, Step
from fsmcheck.system.terms import Op, SortKind

Successor = tuple[Packed, tuple[int, ...], int]
"""New values, the chosen inputs, and a bit for each event of the step that may happen."""

StepFunction = Callable[[Packed, list[Successor]], None]

MOST_LOOPS = 20
"""Loops that Python nests in one function."""

MOST_EVENTS = 4_000
"""Events of one step: each is a bit of a number that the generated text computes."""

MOST_NAMED = 6
"""Values next to each other that are copied one by one; more are copied as a slice."""

MOST_STAGED = 100_000
"""Combinations of values that one step may bring from outside."""


TEXT_AT_ONCE = 100_000
"""Characters of generated text after which it is compiled: Python's compiler takes a kilobyte for every few lines."""


class TooWideError(Exception):
    """A step has too many inputs or events to be enumerated; the message says which."""

    def __init__(self, step: Step, what: str) -> None:
        super().__init__(f'step "{step.name}" has {what}')


class TooDeepError(TooWideError):
    """A term goes deeper than Python follows, as text or while it is written."""

    def __init__(self) -> None:
        Exception.__init__(self, "an expression is nested too deeply, or too many assignments build on each other")


class _Functions:
    """Functions of generated text, each text made once."""

    def __init__(self) -> None:
        self.constants = Constants()
        self._names: dict[str, str] = {}
        self._namespace: dict[str, object] = dict(SUPPORT)
        self._waiting: list[str] = []
        self._length = 0

    def name_of(self, arguments: str, body: list[str]) -> str:
        """The name of a function with that text."""
        text = f"({arguments}):\n" + "\n".join(body)
        name = self._names.get(text)
        if name is None:
            name = self._names[text] = f"f{len(self._names)}"
            self._waiting.append(f"def {name}{text}")
            self._length += len(text)
            if self._length > TEXT_AT_ONCE:
                self._define()
        return name

    def by_name(self) -> dict[str, object]:
        """The functions, once all are named."""
        self._define()
        self._namespace |= self.constants.by_name
        return self._namespace

    def _define(self) -> None:
        _define(self._waiting, self._namespace)
        self._waiting, self._length = [], 0


class _StepSource:
    """The source of one step's function: nested loops over inputs, guards checked as early as they can be."""

    def __init__(self, packing: Packing, step: Step, functions: _Functions) -> None:
        self.packing = packing
        self.step = step
        self.functions = functions
        self.constants = functions.constants
        inner = {choice.name for event in step.events for choice in event.inputs}
        self.inputs = tuple(choice for choice in step.inputs if choice.name not in inner)
        self.writer = TermWriter(packing, self.inputs, self.constants)
        self.plain = [(bit, event) for bit, event in enumerate(step.events) if not event.inputs]
        self.nested = [(bit, event) for bit, event in enumerate(step.events) if event.inputs]

    def check_width(self) -> None:
        """Raises ``TooWideError`` where the step cannot be enumerated in reasonable time, or at all."""
        if len(self.step.events) > MOST_EVENTS:
            raise TooWideError(self.step, f"more than {MOST_EVENTS} events")
        sizes = (len(self.packing.input_domain(each)) for each in self.inputs if each.chooser is Chooser.AGENT)
        if prod(sizes) > MOST_STAGED:
            raise TooWideError(self.step, f"more than {MOST_STAGED} combinations of values")

    def _check_loops(self, loops: int) -> None:
        if loops > MOST_LOOPS:
            raise TooWideError(self.step, f"more than {MOST_LOOPS} values to choose")

    def name(self) -> str:
        """The name of the step's function."""
        return self.functions.name_of("v, out", self._body())

    def _body(self) -> list[str]:
        writer, step = self.writer, self.step
        conjuncts = step.guard.args if step.guard.op is Op.AND else (step.guard,)
        writer.count([*conjuncts, *step.updates.values(), *(event.condition for _, event in self.plain)])
        by_level: list[list[str]] = [[] for _ in range(len(self.inputs) + 1)]
        for conjunct in conjuncts:
            by_level[writer.level_of(conjunct)].append(writer.modes(conjunct)[0])
        updates = self._updates()
        self._check_loops(len(self.inputs) + len(updates))
        events = " | ".join(f"({1 << bit} if {writer.modes(event.condition)[0]} else 0)" for bit, event in self.plain)
        lines: list[str] = []
        indent = "    "
        for level in range(len(self.inputs) + 1):
            if level:
                domain = self.packing.input_domain(self.inputs[level - 1])
                lines.append(f"{indent}for i{level - 1} in {domain!r}:")
                indent += "    "
            lines += [indent + temp for temp in writer.temps[level]]
            skip = "continue" if level else "return"
            lines += [f"{indent}if not {check}: {skip}" for check in by_level[level]]
        chosen = "(" + "".join(f"i{number}, " for number in range(len(self.inputs))) + ")"
        for name, code in updates:
            lines.append(f"{indent}for {name} in {code}:")
            indent += "    "
        nested = "".join(f" | {self._nested(bit, event)}(v)" for bit, event in self.nested)
        lines.append(f"{indent}out.append(({self._packed()}, {chosen}, {events or '0'}{nested}))")
        return lines

    def _updates(self) -> list[tuple[str, str]]:
        """Loops over the values that a fuzzy update may give; exact updates go straight into the tuple."""
        loops: list[tuple[str, str]] = []
        self.slots: dict[int, str] = {}
        for name, term in self.step.updates.items():
            place = self.packing.index[name]
            code = self.writer.of(term)
            match code:
                case Exact(code=text):
                    self.slots[place] = f"int({text})" if term.sort.kind is SortKind.BOOL else text
                case FuzzyInt(code=text):
                    spans = self.constants.name_of(self.packing.intervals[name])
                    loops.append((f"u{place}", f"_covering({spans}, {text})"))
                    self.slots[place] = f"u{place}"
                case FuzzyBool(may_true=true, may_false=false):
                    loops.append((f"u{place}", f"(((1,) if {true} else ()) + ((0,) if {false} else ()))"))
                    self.slots[place] = f"u{place}"
                case FuzzySet(code=text):
                    loops.append((f"u{place}", f"set({text})"))
                    self.slots[place] = f"u{place}"
        return loops

    def _packed(self) -> str:
        if not self.slots:
            return "v"
        parts: list[str] = []
        kept = 0
        for place in [*sorted(self.slots), len(self.packing.index)]:
            if place - kept > MOST_NAMED:
                parts.append(f"*v[{kept}:{place}]")
            else:
                parts += [f"v[{each}]" for each in range(kept, place)]
            if place in self.slots:
                parts.append(self.slots[place])
            kept = place + 1
        return "(" + ", ".join(parts) + ",)"

    def _nested(self, bit: int, event: Event) -> str:
        """The name of a function for an event that quantifies over inputs of its own."""
        outer = [choice for choice in self.step.inputs if choice.name in t.variables([event.condition])]
        names = {choice.name for choice in event.inputs}
        every = [*event.inputs, *(choice for choice in outer if choice.name not in names)]
        self._check_loops(len(every))
        writer = TermWriter(self.packing, every, self.constants)
        conjuncts = event.condition.args if event.condition.op is Op.AND else (event.condition,)
        writer.count(conjuncts)
        checks: list[list[str]] = [[] for _ in range(len(every) + 1)]
        for conjunct in conjuncts:
            checks[writer.level_of(conjunct)].append(writer.modes(conjunct)[0])
        lines: list[str] = []
        indent = "    "
        for level in range(len(every) + 1):
            if level:
                lines.append(f"{indent}for i{level - 1} in {self.packing.input_domain(every[level - 1])!r}:")
                indent += "    "
            lines += [indent + temp for temp in writer.temps[level]]
            skip = "continue" if level else "return 0"
            lines += [f"{indent}if not {check}: {skip}" for check in checks[level]]
        return self.functions.name_of("v", [*lines, f"{indent}return {1 << bit}", "    return 0"])


def compile_steps(packing: Packing) -> tuple[StepFunction, ...]:
    """One function per step of the system, in the system's order: it appends the successors to a list.

    Raises ``TooWideError`` where a step cannot be enumerated, ``TooDeepError`` where one cannot be written.
    """
    try:
        return _compiled(packing)
    except (RecursionError, SyntaxError):  # of what is written here, nothing but its depth can be wrong
        raise TooDeepError from None


def _compiled(packing: Packing) -> tuple[StepFunction, ...]:
    functions = _Functions()
    names = []
    for step in packing.system.steps:
        source = _StepSource(packing, step, functions)
        source.check_width()
        names.append(source.name())
    by_name = functions.by_name()
    return tuple(by_name[name] for name in names)  # type: ignore[misc]


def _define(texts: list[str], namespace: dict[str, object]) -> None:
    """Make the functions of generated texts, which have no text of the spec in them."""
    exec(compile("\n".join(texts), "<transition system>", "exec"), namespace)  # noqa: S102 - see above
