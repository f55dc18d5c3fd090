"""From an abstract path to the inputs and writes of a concrete run, with values a person can read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from math import inf, nextafter
from typing import TYPE_CHECKING

from fsmcheck.cel.ast import Binary, BinaryOp, Expr, FieldRef, ListLiteral, Literal, walk
from fsmcheck.cel.types import Kind, Type
from fsmcheck.engines.moves import Move
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Spec
from fsmcheck.system.domains import TextClass, expressions
from fsmcheck.system.layout import Layout
from fsmcheck.system.ranges import STAGED_LIMIT
from fsmcheck.system.symbolic import BoolSlot, InClass, IntSlot, NumberSlot, SizedSlot, Slot
from fsmcheck.system.system import Step, System

if TYPE_CHECKING:
    from random import Random

Json = object
Choice = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Script:
    """What to do to make a run: the inputs, then one (agent, writes) an exchange, as JSON values."""

    inputs: Mapping[str, Json]
    exchanges: tuple[tuple[str, Mapping[str, Json]], ...]


LARGEST_COLLECTION = 5_000


@dataclass(frozen=True, slots=True)
class Style:
    """How values that the abstraction leaves open are filled in.

    ``fresh``: a new text each time, else the same again; ``shared``: one text for all fields; ``high``: the upper
    end of an interval; ``seed``: drawn at random from the literals of the spec and these; ``least_size``: of
    collections whose size is open; ``nought``: numbers are 0 where they may be.
    """

    fresh: bool = True
    shared: bool = False
    high: bool = False
    seed: int | None = None
    least_size: int = 0
    nought: bool = False


READABLE = (
    Style(),
    Style(fresh=False, shared=True),
    Style(fresh=False, high=True),
    Style(high=True),
)
RANDOM = tuple(Style(fresh=False, seed=seed) for seed in range(24))
STEADY = (Style(fresh=False, shared=True), Style(fresh=False, nought=True), Style(fresh=False, high=True))
"""The same again each time, for a machine that is to come back to where it was."""

ENDLESS = (Style(least_size=1100),)
"""Sizes beyond the limit on microsteps, for a machine that walks over a collection inside one advance."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The literals of a spec, from which values are drawn where a guard may look for one of them."""

    texts: tuple[str, ...]
    integers: tuple[int, ...]


def literals(spec: Spec) -> Pool:
    """The texts and integers that guards and actions name, integers with their neighbours, each in its natural order.

    Values that a field of an enum is compared with are left out: it needs no text to be thought of.
    """
    texts: set[str] = set()
    integers: set[int] = set()
    for expression in expressions(spec):
        of_enums = {id(each) for node in walk(expression) for each in _compared_with_enum(node)}
        for node in walk(expression):
            if isinstance(node, Literal) and isinstance(node.value, str) and node.value and id(node) not in of_enums:
                texts.add(node.value)
            elif isinstance(node, Literal) and isinstance(node.value, int) and not isinstance(node.value, bool):
                integers.update((node.value, node.value + 1, node.value - 1, -node.value))
    return Pool(tuple(sorted(texts)), tuple(sorted(value for value in integers if abs(value) <= STAGED_LIMIT)))


def _compared_with_enum(node: Expr) -> Sequence[Expr]:
    """What is written on the other side of an enum's field in a comparison: literals, and those in a list."""
    if not isinstance(node, Binary) or node.op not in (BinaryOp.EQ, BinaryOp.NE, BinaryOp.IN):
        return ()
    for side, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(side, FieldRef) and side.type.kind is Kind.ENUM:
            return other.elements if isinstance(other, ListLiteral) else (other,)
    return ()


@dataclass
class Filler:
    """Chooses concrete values in one style."""

    layout: Layout
    style: Style
    pool: Pool
    used: dict[str, int] = field(default_factory=dict)

    @cached_property
    def random(self) -> Random:
        """What draws, from the seed of the style on."""
        from random import Random

        return Random(self.style.seed)  # noqa: S311 - no secret

    @property
    def drawing(self) -> bool:
        """Whether this value is drawn at random."""
        return self.style.seed is not None and self.random.random() < 0.7

    def text(self, name: str, taken: Mapping[str, int]) -> str:
        """A readable text that is none of the distinguished ones."""
        if self.pool.texts and self.drawing:
            drawn = self.random.choice(self.pool.texts)
            if drawn not in taken:
                return drawn
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
        """An integer of an interval."""
        inside = [value for value in self.pool.integers if low <= value <= high]
        if inside and self.drawing:
            return self.random.choice(inside)
        if low <= 0 <= high and not self.style.high:
            return 0
        near, far = sorted((low, high), key=abs)
        chosen = far if self.style.high and abs(far) != inf else near
        return int(chosen) if abs(chosen) != inf else 0

    def number(self, region: int) -> float:
        cuts = self.layout.domains.cuts
        if region % 2 == 1:
            return cuts[(region - 3) // 2]
        place = (region - 2) // 2
        low = cuts[place - 1] if place > 0 else -inf
        high = cuts[place] if place < len(cuts) else inf
        inside = [float(value) for value in (0, *self.pool.integers) if low < value < high]
        if self.style.nought and low < 0 < high:
            return 0.0
        if inside and self.drawing:
            return self.random.choice(inside)
        if low == -inf and high == inf:
            return 1.0
        if low == -inf:
            return high - 1.0 if high - 1.0 < high else nextafter(high, -inf)
        if high == inf:
            return low + 1.0 if low + 1.0 > low else nextafter(low, inf)
        return low + (high - low) / 2

    def element(self, name: str, kind: Type, number: int) -> Json:
        """A list element or map value of no importance."""
        if self.drawing:
            if kind.kind is Kind.STRING and self.pool.texts:
                return self.random.choice(self.pool.texts)
            if kind.kind is Kind.INTEGER and self.pool.integers:
                return self.random.choice(self.pool.integers)
            if kind.kind is Kind.NUMBER and self.pool.integers:
                return float(self.random.choice(self.pool.integers))
            if kind.kind is Kind.BOOLEAN:
                return self.random.random() < 0.5
            if kind.kind is Kind.ENUM:
                return self.random.choice(kind.values)
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
            if item not in excluded or number > 4 * size:
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
                high = min(high, LARGEST_COLLECTION)
                members = tuple(key for key, fact in facts.items() if choice.get(str(fact.value), 0))
                floor = max(int(low), len(members))
                size = floor if not self.style.high or high == inf else min(int(high), floor + 8)
                if self.style.seed is not None:
                    size = min(int(min(high, floor + 3)), floor + self.random.randrange(4))
                size = int(min(high, max(size, self.style.least_size)))
                return None if size == 0 else self.collection(name, size, members, tuple(facts))


def scripts(
    layout: Layout,
    system: System,
    moves: Sequence[Move],
    styles: Sequence[Style] = (*READABLE, *RANDOM),
    pool: Pool | None = None,
) -> Iterator[Script]:
    """Concrete runs that may follow the moves of an abstract one, the most readable first, each once.

    ``pool`` are the ``literals`` of the layout's spec, where they are known already.
    """
    spec = layout.spec
    pool = pool or literals(spec)
    seen: set[str] = set()
    for style in styles:
        script = _script(spec, system, moves, Filler(layout, style, pool))
        if repr(script) not in seen:
            seen.add(repr(script))
            yield script


def _script(spec: Spec, system: System, moves: Sequence[Move], filler: Filler) -> Script:
    given: dict[str, Json] = {}
    exchanges: list[tuple[str, Mapping[str, Json]]] = []
    for move in moves:
        step = system.steps[move.step]
        if step.source == system.start:
            given = _staged(step, move, filler)
            for name in spec.input_names:
                if name not in given:
                    given[name] = filler.any_set(name)
        elif step.agent is not None:
            exchanges.append((step.agent, _staged(step, move, filler)))
    return Script(given, tuple(exchanges))


def _staged(step: Step, move: Move, filler: Filler) -> dict[str, Json]:
    """The values that the chosen inputs give to fields; fields that were sliced away are left out."""
    found: dict[str, Json] = {}
    for name, staged in step.staged.items():
        written = staged.write is not None and move.chosen.get(staged.write, 0)
        if staged.write is not None and not written:
            continue
        value = filler.value(name, staged.slot, move.chosen, move.spans)
        if value is None and written:
            value = filler.any_set(name)
        if value is None and move.chosen.get(staged.write or "", 0):
            value = filler.any_set(name)  # that it is staged matters, its value was sliced away
        if value is not None:
            found[name] = value
    return found
