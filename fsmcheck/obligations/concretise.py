"""From an abstract path to the inputs and writes of a concrete run, with values a person can read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf, nextafter

from fsmcheck.cel.types import Kind, Type
from fsmcheck.engines.compile import step_inputs
from fsmcheck.engines.explicit import Graph
from fsmcheck.spec.model import Spec
from fsmcheck.system.domains import TextClass
from fsmcheck.system.layout import Layout
from fsmcheck.system.symbolic import BoolSlot, InClass, IntSlot, NumberSlot, SizedSlot, Slot
from fsmcheck.system.system import Step
from fsmcheck.system.terms import INT

Json = object
Path = list[tuple[int, int, tuple[int, ...]]]
Choice = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Script:
    """What to do to make a run: the inputs, then one (agent, writes) an exchange, as JSON values."""

    inputs: Mapping[str, Json]
    exchanges: tuple[tuple[str, Mapping[str, Json]], ...]


@dataclass(frozen=True, slots=True)
class Style:
    """How values that the abstraction leaves open are filled in: a new text each time, or the same again."""

    fresh: bool
    shared: bool
    high: bool


STYLES = (
    Style(fresh=True, shared=False, high=False),
    Style(fresh=False, shared=True, high=False),
    Style(fresh=False, shared=False, high=True),
    Style(fresh=True, shared=False, high=True),
)


@dataclass
class Filler:
    """Chooses concrete values in one style."""

    layout: Layout
    style: Style
    used: dict[str, int] = field(default_factory=dict)

    def text(self, name: str, taken: Mapping[str, int]) -> str:
        """A readable text that is none of the distinguished ones."""
        base = "something" if self.style.shared else name
        while True:
            number = self.used.get(base, 0) + 1
            if self.style.fresh or number == 1:
                self.used[base] = number
            candidate = f"{base} {number if self.style.fresh else 1}"
            if candidate not in taken:
                return candidate
            base += "'"

    def of_class(self, name: str, text_class: TextClass, index: int) -> str:
        for literal, number in text_class.literals.items():
            if number == index:
                return literal
        kind = self.layout.types[name]
        if kind.kind is Kind.ENUM:
            return kind.values[0]
        return self.text(name, text_class.literals)

    def integer(self, low: float, high: float) -> int:
        first, second = (high, low) if self.style.high else (low, high)
        for bound in (first, second):
            if abs(bound) != inf:
                return int(bound)
        return 0

    def number(self, region: int) -> float:
        cuts = self.layout.domains.cuts
        if region % 2 == 1:
            return cuts[(region - 3) // 2]
        place = (region - 2) // 2
        low = cuts[place - 1] if place > 0 else -inf
        high = cuts[place] if place < len(cuts) else inf
        if low == -inf and high == inf:
            return 1.0
        if low == -inf:
            return high - 1.0 if high - 1.0 < high else nextafter(high, -inf)
        if high == inf:
            return low + 1.0 if low + 1.0 > low else nextafter(low, inf)
        return low + (high - low) / 2

    def element(self, name: str, kind: Type, number: int) -> Json:
        """A list element or map value of no importance."""
        match kind.kind:
            case Kind.INTEGER:
                return 1_000_000 + number
            case Kind.NUMBER:
                return 1_000_000.5 + number
            case Kind.BOOLEAN:
                return True
            case Kind.ENUM:
                return kind.values[0]
            case _:
                return f"{name} item {number}"

    def collection(self, name: str, size: int, members: tuple[object, ...], excluded: tuple[object, ...]) -> Json:
        kind = self.layout.types[name]
        element = kind.element or kind
        if kind.kind is Kind.MAP:
            keys = [str(member) for member in members]
            number = 0
            while len(keys) < size:
                number += 1
                if f"key {number}" not in excluded:
                    keys.append(f"key {number}")
            return {key: self.element(name, element, place) for place, key in enumerate(keys, 1)}
        items: list[Json] = list(members)
        number = 0
        while len(items) < size:
            number += 1
            item = self.element(name, element, number)
            if item not in excluded:
                items.append(item)
        return items

    def any_set(self, name: str) -> Json:
        """Some set value of a field that does not matter."""
        kind = self.layout.types[name]
        if kind.kind in (Kind.LIST, Kind.MAP):
            return self.collection(name, 1, (), ())
        if kind.kind is Kind.STRING:
            return self.text(name, {})
        return self.element(name, kind, 1)

    def value(self, name: str, slot: Slot, choice: Choice, spans: Mapping[str, tuple[float, float]]) -> Json | None:
        """The value that the inputs give a field; None where it is not staged."""
        match slot:
            case InClass(text_class=text_class, term=term):
                index = choice.get(str(term.value), 0)
                return None if index == 0 else self.of_class(name, text_class, index)
            case BoolSlot(value=term):
                return bool(choice[str(term.value)]) if str(term.value) in choice else None
            case IntSlot(value=term):
                if str(term.value) not in spans:
                    return None
                return self.integer(*spans.get(str(term.value), (0, 0)))
            case NumberSlot(region=term):
                region = choice.get(str(term.value), 0)
                return None if region == 0 else self.number(region)
            case SizedSlot(size=term, facts=facts):
                low, high = spans.get(str(term.value), (0, 0))
                members = tuple(key for key, fact in facts.items() if choice.get(str(fact.value), 0))
                floor = max(int(low), len(members))
                size = floor if not self.style.high or high == inf else min(int(high), floor + 8)
                return None if size == 0 else self.collection(name, size, members, tuple(facts))


def scripts(spec: Spec, layout: Layout, graph: Graph, path: Path) -> Iterator[Script]:
    """Concrete runs that may follow an abstract path, the most readable first."""
    for style in STYLES:
        yield _script(spec, graph, path, Filler(layout, style))


def _script(spec: Spec, graph: Graph, path: Path, filler: Filler) -> Script:
    given: dict[str, Json] = {}
    exchanges: list[tuple[str, Mapping[str, Json]]] = []
    for _, number, values in path:
        step = graph.system.steps[number]
        if step.source == graph.system.start:
            given = _staged(step, values, graph, filler)
            for name in spec.input_names:
                if name not in given:
                    given[name] = filler.any_set(name)
        elif step.agent is not None:
            exchanges.append((step.agent, _staged(step, values, graph, filler)))
    return Script(given, tuple(exchanges))


def _staged(step: Step, values: tuple[int, ...], graph: Graph, filler: Filler) -> dict[str, Json]:
    """The values that the chosen inputs give to fields; fields that were sliced away are left out."""
    choices = step_inputs(step)
    chosen = {choice.name: value for choice, value in zip(choices, values, strict=True)}
    spans = {
        choice.name: graph.packing.input_interval(choice, chosen[choice.name])
        for choice in choices
        if choice.sort is INT
    }
    found: dict[str, Json] = {}
    for name, staged in step.staged.items():
        if staged.write is not None and not chosen.get(staged.write, 0):
            continue
        value = filler.value(name, staged.slot, chosen, spans)
        if value is not None:
            found[name] = value
    return found
