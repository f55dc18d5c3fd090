"""Small concrete domains that are exhaustive up to data independence, and canonical forms of stores at rest.

Only stores *at rest* are canonicalised: inside an advance the machine works on concrete values, so ``no-progress``
still compares concrete stores. Every replacement below keeps whether a field is set, and all that any guard,
index, divisor, enum target or condition of ``?:`` can ever learn of it.

What nothing learns of can still decide *when* an endless advance is noticed (an assignment that happens to change
nothing ends it a turn earlier), never whether it is endless: what is learnt evolves by itself, so once it repeats
it repeats for ever. The turn more can matter to the rules on freshness. So the domains always offer a value that
differs, and folding never makes a value change that would not: the longer run shows all that the shorter one does.

Where that argument fails (integers staged and then computed with, say) ``exact`` is False, and the oracle's
"holds" is worth no more than "incomplete".
"""

from __future__ import annotations

from itertools import combinations, product

from fsmcheck.cel.types import Kind, Type
from tests.oracle.counters import counters
from tests.oracle.expressions import Store, is_set
from tests.oracle.program import Program
from tests.oracle.reading import Reading

FRESH = tuple(f"fresh{number}" for number in range(1, 7))
FILLER = "~" * 24
LONG = 24
LARGEST = 400
CAP = 14
"""Most values of one field's domain; a longer one is cut and not exact."""


class Domains:
    """What agents and inputs may bring, field by field, and how a store at rest is folded.

    ``generosity`` widens every domain and every fold by that much: a test of the claim that zero is enough.
    """

    def __init__(self, program: Program, generosity: int = 0) -> None:
        self.program = program
        self.generosity = generosity
        self.reading = reading = Reading(program)
        self.rising, self.falling = counters(reading)
        self.exact = True
        self.brought = reading.staged | {program.slots[name] for name in program.spec.input_names}
        self.top = max((abs(number) for number in reading.integers), default=0) + 1 + generosity
        for slot in self.brought:
            if program.types[slot].kind in (Kind.INTEGER, Kind.NUMBER) and reading.computed & reading.group(slot):
                self.exact = False
        if reading.coarse:
            self.exact = False
        self.values = [self._values(slot, extra=False) for slot in range(len(program.names))]
        self.candidates = [self._values(slot, extra=True) for slot in range(len(program.names))]
        self._folds = [self._fold(slot) for slot in range(len(program.names))]

    def _values(self, slot: int, *, extra: bool) -> tuple[object, ...]:
        """The set values to bring; ``extra`` ones besides for questions like FSM403's."""
        kind = self.program.types[slot]
        if kind.kind is Kind.LIST:
            found = self._lists(slot, kind.element, extra)
        elif kind.kind is Kind.MAP:
            found = self._maps(slot, kind.element)
        else:
            found = [value for value in self._scalars(slot, kind, extra) if is_set(value)]
        if len(found) > CAP << 2 * self.generosity and not extra:
            if slot in self.brought:
                self.exact = False
            found = found[: CAP << 2 * self.generosity]
        return tuple(found)

    def _scalars(self, slot: int, kind: Type | None, extra: bool) -> list[object]:
        group = self.reading.group(slot)
        scalar = kind.kind if kind is not None else Kind.STRING
        if scalar is Kind.BOOLEAN:
            return [False, True]
        if scalar is Kind.ENUM:
            return list(kind.values) if kind is not None else []
        if scalar is Kind.STRING:
            literals = sorted(self.reading.texts_of(group))
            # Unknown texts can only be told apart where fields of the group meet, or where an old one was recorded
            # that a new one may differ from; a third one needs three fields.
            compared = bool((self.reading.compared | self.reading.mixed) & group)
            meeting = compared or len(group) > 1 or bool(self.reading.echoed & group)
            fresh = 1 + meeting + (compared and len(group) > 2) + self.generosity
            return [*FRESH[: fresh + extra], *(value for value in literals if value)]
        around = self.reading.numbers_of(group)
        reach = 2 if extra or len(group) > 1 or self.reading.computed & group else 1
        reach += self.generosity
        if not around:
            numbers = list(range(reach + 1))
        else:
            numbers = sorted({number + shift for number in around for shift in range(-reach, reach + 1)})
        return [float(number) for number in numbers] if scalar is Kind.NUMBER else [int(number) for number in numbers]

    def _lists(self, slot: int, element: Type | None, extra: bool) -> list[object]:
        kinds = self.reading.list_reads[slot]
        top = self.length_kept(slot) + extra
        if not kinds & {"member", "order"}:
            return [(self._filler(element),) * length for length in range(1, top + 1)]
        items = self._scalars(slot, element, extra)
        if element is None or element.kind is Kind.STRING:
            items.append("")
        found: list[object] = []
        if "order" in kinds:
            self.exact = self.exact and slot not in self.brought
            for length in range(1, min(top, 2) + 1):
                found.extend(product(items, repeat=length))
            return [*found, *((items[0],) * length for length in range(3, top + 1))]
        for count in range(1, len(items) + 1):
            for chosen in combinations(items, count):
                lengths = range(count, max(top, count) + 1) if "size" in kinds else (count,)
                found.extend((*chosen, *(chosen[0],) * (length - count)) for length in lengths)
        return found

    def _maps(self, slot: int, element: Type | None) -> list[object]:
        known = sorted(self.reading.keys)
        items = self._scalars(slot, element, extra=False) if self.reading.map_values_read else [self._filler(element)]
        top = self.top if "size" in self.reading.list_reads[slot] else 1
        found: list[object] = []
        for count in range(len(known) + 1):
            for chosen, values in product(combinations(known, count), product(items, repeat=count)):
                if len(found) > LARGEST:
                    self.exact = self.exact and slot not in self.brought
                    return found
                entries = list(zip(chosen, values, strict=True))
                # Keys that the spec does not name are only counted: one value serves for all of them.
                for others in range(0 if count else 1, max(top - count, 1) + 1):
                    filled = [(f"other key {number}", items[0]) for number in range(others)]
                    found.append(frozenset((*entries, *filled)))
        return found

    @staticmethod
    def _filler(element: Type | None) -> object:
        fillers: dict[Kind, object] = {Kind.INTEGER: 0, Kind.NUMBER: 0.0, Kind.BOOLEAN: False}
        return fillers.get(element.kind, FILLER) if element is not None else FILLER

    def length_kept(self, slot: int) -> int:
        """Lists longer than this are not told apart from ones of this length."""
        return self.top if "size" in self.reading.list_reads[slot] else 1 + self.generosity

    def _fold(self, slot: int) -> object:
        """How the field is folded: a function of its value, or None where it is kept."""
        kind = self.program.types[slot]
        reading = self.reading
        if kind.kind is Kind.LIST:
            kinds = reading.list_reads[slot]
            if "order" in kinds:
                return None
            filler, kept = self._filler(kind.element), self.length_kept(slot)
            if "member" not in kinds:
                return lambda value: (filler,) * min(len(value), kept)

            def membership(value: tuple[object, ...]) -> object:
                items = tuple(sorted(set(value), key=lambda item: (str(type(item)), str(item))))
                length = min(len(value), max(kept, len(items)))
                return (*items, *items[:1] * (length - len(items)))

            return membership
        alike = not (reading.compared | reading.mixed) & reading.group(slot)
        if kind.kind is Kind.STRING and (slot not in reading.relevant or (alike and not self._fails_on(slot))):
            # Only what grows and grows: a short text may well be put together again, and then nothing changes.
            known = {*reading.texts_of(reading.group(slot)), *reading.fixed_texts}
            return lambda value: value if len(value) <= LONG or value in known else FILLER
        if kind.kind in (Kind.INTEGER, Kind.NUMBER):
            numbers = reading.numbers_of(reading.group(slot)) or {0}
            low, high = min(numbers) - 4 - self.generosity, max(numbers) + 4 + self.generosity
            if slot not in reading.relevant:
                return lambda value: value if value is None else type(value)(min(max(value, low), high))
            if slot in self.rising:
                return lambda value: value if value is None else type(value)(min(value, high))
            if slot in self.falling:
                return lambda value: value if value is None else type(value)(max(value, low))
        return None

    def _fails_on(self, slot: int) -> bool:
        """Whether the exact text may decide if an action fails: it flows to an enum (keys of maps are ``coarse``)."""
        return any(self.program.types[other].kind is Kind.ENUM for other in self.reading.group(slot))

    def canonical(self, store: Store) -> Store:
        """The representative of a store at rest."""
        return tuple(
            value if fold is None else fold(value)  # type: ignore[operator]
            for fold, value in zip(self._folds, store, strict=True)
        )

    def abstract(self, store: Store) -> tuple[object, ...]:
        """The store as section 6 abstracts it, for comparing reachable sets: a text is empty, a literal it is
        compared with, or ``*``; a collection is its size up to ``length_kept``; all else is itself."""
        parts: list[object] = []
        for slot, value in enumerate(store):
            kind = self.program.types[slot].kind
            if kind is Kind.STRING:
                literal = value == "" or value in self.reading.compared_texts(self.reading.group(slot))
                parts.append(value if literal else "*")
            elif kind in (Kind.LIST, Kind.MAP):
                parts.append(min(len(value), self.length_kept(slot)))  # type: ignore[arg-type]
            else:
                parts.append(value)
        return tuple(parts)

    def initial_stores(self) -> list[Store]:
        """Every way to give the inputs."""
        base = self.program.initial_values()
        slots = [self.program.slots[name] for name in self.program.spec.input_names]
        stores = []
        for choice in product(*(self.values[slot] for slot in slots)):
            store = list(base)
            for slot, value in zip(slots, choice, strict=True):
                store[slot] = value
            stores.append(tuple(store))
        return stores


def guard_values(program: Program, domains: Domains, slot: int) -> tuple[object, ...]:
    """Every value of a field that a guard may meet, the empty one included (FSM305)."""
    return (program.empties[slot], *domains.candidates[slot])
