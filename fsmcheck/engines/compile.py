"""Steps of a system as Python functions on packed configurations.

A configuration packs the values of the variables in a tuple of small integers (an integer variable by the
index of its interval). A term without integers is computed exactly; one with integers is *fuzzy*: a boolean
gets two expressions (may it be true, may it be false), an integer an interval, a finite value a set. So a
compiled step yields every successor that some concrete one has, and possibly more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from fsmcheck.engines import intervals as iv
from fsmcheck.engines.intervals import IntegerClasses, Interval
from fsmcheck.system import terms as t
from fsmcheck.system.system import Input, Step, System
from fsmcheck.system.terms import BOOL, INT, Op, SortKind, Term

Packed = tuple[int, ...]
Successor = tuple[Packed, tuple[int, ...], int]
"""New values, the chosen inputs, and a bit for each event of the step that may happen."""


@dataclass(frozen=True, slots=True)
class Exact:
    code: str


@dataclass(frozen=True, slots=True)
class FuzzyBool:
    may_true: str
    may_false: str


@dataclass(frozen=True, slots=True)
class FuzzyInt:
    code: str


@dataclass(frozen=True, slots=True)
class FuzzySet:
    code: str


Code = Exact | FuzzyBool | FuzzyInt | FuzzySet

_INTERVAL_OPS = {Op.ADD: "_add", Op.SUB: "_sub", Op.MUL: "_mul", Op.DIV: "_div", Op.MOD: "_mod"}


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

    def initial(self) -> Packed:
        """The values before the run starts."""
        return tuple(
            self.pack(variable.name, self.system.initial[variable.name]) for variable in self.system.variables
        )

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


class _Writer:
    """Generates the code of one step."""

    def __init__(self, packing: Packing, inputs: Sequence[Input], constants: dict[str, object], tag: str) -> None:
        self.packing = packing
        self.level = {choice.name: number + 1 for number, choice in enumerate(inputs)}
        self.by_name = {choice.name: choice for choice in inputs}
        self.names = {choice.name: f"i{number}" for number, choice in enumerate(inputs)}
        self.constants = constants
        self.tag = tag
        self.shared: dict[int, int] = {}
        self.code: dict[int, Code] = {}
        self.levels: dict[int, int] = {}
        self.temps: list[list[str]] = [[] for _ in range(len(inputs) + 1)]
        self.keep: list[Term] = []

    def count(self, roots: Sequence[Term]) -> None:
        """Note which nodes are used more than once: they are computed once."""
        seen: set[int] = set()
        stack = list(roots)
        for root in roots:
            self.shared[id(root)] = self.shared.get(id(root), 0) + 1
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            self.keep.append(node)
            for arg in node.args:
                self.shared[id(arg)] = self.shared.get(id(arg), 0) + 1
                stack.append(arg)

    def level_of(self, term: Term) -> int:
        """After how many inputs are chosen a term can be computed."""
        known = self.levels.get(id(term))
        if known is None:
            if term.op is Op.VAR:
                known = self.level.get(str(term.value), 0)
            else:
                known = max((self.level_of(arg) for arg in term.args), default=0)
            self.levels[id(term)] = known
        return known

    def of(self, term: Term) -> Code:
        """The code of a term, through a temporary where it is shared."""
        known = self.code.get(id(term))
        if known is not None:
            return known
        code = self._generate(term)
        if term.args and self.shared.get(id(term), 0) > 1:
            code = self._temporary(code, self.level_of(term))
        self.code[id(term)] = code
        return code

    def _temporary(self, code: Code, level: int) -> Code:
        def save(text: str) -> str:
            name = f"t{sum(map(len, self.temps))}"
            self.temps[level].append(f"{name} = {text}")
            return name

        match code:
            case FuzzyBool(may_true=true, may_false=false):
                return FuzzyBool(save(true), save(false))
            case Exact(code=text):
                return Exact(save(text))
            case FuzzyInt(code=text):
                return FuzzyInt(save(text))
            case FuzzySet(code=text):
                return FuzzySet(save(text))

    def _constant(self, prefix: str, value: object) -> str:
        name = f"{prefix}{len(self.constants)}"
        self.constants[name] = value
        return name

    def _variable(self, term: Term) -> Code:
        name = str(term.value)
        if name in self.names:
            if term.sort is INT:
                choice = self.by_name[name]
                spans = {
                    value: self.packing.input_interval(choice, value) for value in self.packing.input_domain(choice)
                }
                return FuzzyInt(f"{self._constant('K', spans)}[{self.names[name]}]")
            return Exact(self.names[name])
        place = f"v[{self.packing.index[name]}]"
        if term.sort is INT:
            return FuzzyInt(f"{self._constant('K', self.packing.intervals[name])}[{place}]")
        return Exact(place)

    def _generate(self, term: Term) -> Code:
        match term.op:
            case Op.CONST:
                if term.sort is INT:
                    return FuzzyInt(f"({int(term.value)}, {int(term.value)})")
                return Exact(str(int(term.value)))
            case Op.VAR:
                return self._variable(term)
            case Op.NOT:
                inner = self.of(term.args[0])
                if isinstance(inner, Exact):
                    return Exact(f"(not {inner.code})")
                true, false = self.modes(term.args[0])
                return FuzzyBool(false, true)
            case Op.AND | Op.OR:
                return self._junction(term)
            case Op.ITE:
                return self._ite(term)
            case Op.EQ if term.args[0].sort is not INT:
                return self._equal(term)
            case Op.EQ | Op.LT | Op.LE:
                return self._compare(term)
            case _:
                left, right = (self.interval(arg) for arg in term.args)
                return FuzzyInt(f"{_INTERVAL_OPS[term.op]}({left}, {right})")

    def modes(self, term: Term) -> tuple[str, str]:
        """Two expressions: may a boolean term be true, may it be false."""
        code = self.of(term)
        match code:
            case Exact(code=text):
                return text, f"(not {text})"
            case FuzzyBool(may_true=true, may_false=false):
                return true, false
            case _:
                raise TypeError("not a boolean term")

    def interval(self, term: Term) -> str:
        code = self.of(term)
        if not isinstance(code, FuzzyInt):
            raise TypeError("not an integer term")
        return code.code

    def value_set(self, term: Term) -> str:
        code = self.of(term)
        return f"({code.code},)" if isinstance(code, Exact) else code.code if isinstance(code, FuzzySet) else ""

    def _junction(self, term: Term) -> Code:
        word, dual = (" and ", " or ") if term.op is Op.AND else (" or ", " and ")
        codes = [self.of(arg) for arg in term.args]
        if all(isinstance(code, Exact) for code in codes):
            return Exact("(" + word.join(self.modes(arg)[0] for arg in term.args) + ")")
        modes = [self.modes(arg) for arg in term.args]
        return FuzzyBool(
            "(" + word.join(true for true, _ in modes) + ")", "(" + dual.join(false for _, false in modes) + ")"
        )

    def _ite(self, term: Term) -> Code:
        condition, then, otherwise = term.args
        true, false = self.modes(condition)
        exact = isinstance(self.of(condition), Exact)
        if term.sort is INT:
            a, b = self.interval(then), self.interval(otherwise)
            if exact:
                return FuzzyInt(f"({a} if {true} else {b})")
            return FuzzyInt(f"(({a} if not {false} else _join({a}, {b})) if {true} else {b})")
        if term.sort is BOOL:
            (t1, f1), (t2, f2) = self.modes(then), self.modes(otherwise)
            if exact and isinstance(self.of(then), Exact) and isinstance(self.of(otherwise), Exact):
                return Exact(f"({t1} if {true} else {t2})")
            return FuzzyBool(
                f"(({true} and {t1}) or ({false} and {t2}))", f"(({true} and {f1}) or ({false} and {f2}))"
            )
        first, second = self.of(then), self.of(otherwise)
        if exact and isinstance(first, Exact) and isinstance(second, Exact):
            return Exact(f"({first.code} if {true} else {second.code})")
        a, b = self.value_set(then), self.value_set(otherwise)
        return FuzzySet(f"(({a} if {true} else ()) + ({b} if {false} else ()))")

    def _equal(self, term: Term) -> Code:
        left, right = (self.of(arg) for arg in term.args)
        if isinstance(left, Exact) and isinstance(right, Exact):
            return Exact(f"({left.code} == {right.code})")
        a, b = (self.value_set(arg) for arg in term.args)
        return FuzzyBool(f"_meet({a}, {b})", f"_apart({a}, {b})")

    def _compare(self, term: Term) -> Code:
        a, b = (self.interval(arg) for arg in term.args)
        match term.op:
            case Op.EQ:
                return FuzzyBool(f"_may_equal({a}, {b})", f"_may_differ({a}, {b})")
            case Op.LT:
                return FuzzyBool(f"({a}[0] < {b}[1])", f"({a}[1] >= {b}[0])")
            case _:
                return FuzzyBool(f"({a}[0] <= {b}[1])", f"({a}[1] > {b}[0])")


def _meet(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    return not set(left).isdisjoint(right)


def _apart(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    return len(set(left) | set(right)) > 1


_SUPPORT: dict[str, object] = {
    "_add": iv.add,
    "_sub": iv.sub,
    "_mul": iv.mul,
    "_div": iv.div,
    "_mod": iv.mod,
    "_join": iv.join,
    "_may_equal": iv.may_equal,
    "_may_differ": iv.may_differ,
    "_meet": _meet,
    "_apart": _apart,
    "_covering": iv.covering,
}

StepFunction = Callable[[Packed, list[Successor]], None]


class _StepSource:
    """The source of one step's function: nested loops over inputs, guards checked as early as they can be."""

    def __init__(self, packing: Packing, step: Step, constants: dict[str, object], number: int) -> None:
        self.packing = packing
        self.step = step
        self.constants = constants
        self.number = number
        inner = {choice.name for event in step.events for choice in event.inputs}
        self.inputs = tuple(choice for choice in step.inputs if choice.name not in inner)
        self.writer = _Writer(packing, self.inputs, constants, str(number))
        self.plain = [(bit, event) for bit, event in enumerate(step.events) if not event.inputs]
        self.nested = [(bit, event) for bit, event in enumerate(step.events) if event.inputs]

    def lines(self) -> list[str]:
        writer, step = self.writer, self.step
        conjuncts = step.guard.args if step.guard.op is Op.AND else (step.guard,)
        writer.count([*conjuncts, *step.updates.values(), *(event.condition for _, event in self.plain)])
        by_level: list[list[str]] = [[] for _ in range(len(self.inputs) + 1)]
        for conjunct in conjuncts:
            by_level[writer.level_of(conjunct)].append(writer.modes(conjunct)[0])
        updates = self._updates()
        events = " | ".join(
            f"({1 << bit} if {writer.modes(event.condition)[0]} else 0)" for bit, event in self.plain
        )
        lines = [f"def step{self.number}(v, out):"]
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
        nested = "".join(f" | e{self.number}_{bit}(v)" for bit, _ in self.nested)
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
                    spans = self.writer._constant("K", self.packing.intervals[name])
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
        parts = [self.slots.get(place, f"v[{place}]") for place in range(len(self.packing.index))]
        return "(" + ", ".join(parts) + ",)"

    def nested_lines(self) -> list[str]:
        """Functions for events that quantify over inputs of their own."""
        lines: list[str] = []
        for bit, event in self.nested:
            outer = [choice for choice in self.step.inputs if choice.name in t.variables([event.condition])]
            names = {choice.name for choice in event.inputs}
            every = [*event.inputs, *(choice for choice in outer if choice.name not in names)]
            writer = _Writer(self.packing, every, self.constants, f"{self.number}_{bit}")
            conjuncts = event.condition.args if event.condition.op is Op.AND else (event.condition,)
            writer.count(conjuncts)
            checks: list[list[str]] = [[] for _ in range(len(every) + 1)]
            for conjunct in conjuncts:
                checks[writer.level_of(conjunct)].append(writer.modes(conjunct)[0])
            lines.append(f"def e{self.number}_{bit}(v):")
            indent = "    "
            for level in range(len(every) + 1):
                if level:
                    lines.append(f"{indent}for i{level - 1} in {self.packing.input_domain(every[level - 1])!r}:")
                    indent += "    "
                lines += [indent + temp for temp in writer.temps[level]]
                skip = "continue" if level else "return 0"
                lines += [f"{indent}if not {check}: {skip}" for check in checks[level]]
            lines += [f"{indent}return {1 << bit}", "    return 0"]
        return lines


def compile_steps(packing: Packing) -> tuple[StepFunction, ...]:
    """One function per step of the system, in the system's order: it appends the successors to a list."""
    constants: dict[str, object] = {}
    lines: list[str] = []
    for number, step in enumerate(packing.system.steps):
        source = _StepSource(packing, step, constants, number)
        lines += source.nested_lines()
        lines += source.lines()
    namespace: dict[str, object] = {**_SUPPORT, **constants}
    exec(compile("\n".join(lines), "<transition system>", "exec"), namespace)
    return tuple(namespace[f"step{number}"] for number in range(len(packing.system.steps)))  # type: ignore[misc]


def step_inputs(step: Step) -> tuple[Input, ...]:
    """The inputs of a step in the order in which a successor lists their values."""
    inner = {choice.name for event in step.events for choice in event.inputs}
    return tuple(choice for choice in step.inputs if choice.name not in inner)
