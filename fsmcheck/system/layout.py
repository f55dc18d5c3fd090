"""The variables of a system: one or two for each field, and the bookkeeping of freshness."""

from __future__ import annotations

from functools import cached_property

from fsmcheck.cel.types import Kind, Type
from fsmcheck.cel.values import MapValue, Value
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Operator, Spec
from fsmcheck.system import terms as t
from fsmcheck.system.domains import Domains
from fsmcheck.system.staleness import returning_stale
from fsmcheck.system.symbolic import (
    BoolSlot,
    InClass,
    IntSlot,
    NumberSlot,
    SizedSlot,
    Slot,
    safe,
    slot_terms,
    slot_variables,
)
from fsmcheck.system.system import Variable
from fsmcheck.system.terms import BOOL, INT, Term

EXCHANGED = "!exchanged"
"""Names of bookkeeping variables begin with an exclamation mark, as no field's do."""


def stale(state: str, field: str) -> str:
    """The variable that says: this field is the answer of an earlier visit of the state."""
    return f"!stale[{safe(state)},{safe(field)}]"


def unread(field: str) -> str:
    """The variable that says: an agent's value of this field that nothing has looked at."""
    return f"!unread[{safe(field)}]"


def preset(state: str, field: str) -> str:
    """The variable that says: this field was set when the state was entered, before its ``entry``."""
    return f"!preset[{safe(state)},{safe(field)}]"


@dataclass(frozen=True)
class Layout:
    """How the store of a spec is laid out in variables."""

    spec: Spec
    domains: Domains

    @cached_property
    def types(self) -> dict[str, Type]:
        return {field.name.text: field.type for field in self.spec.fields}

    @cached_property
    def store(self) -> dict[str, Slot]:
        """Every field read from its variables."""
        return {name: self._slot(name, kind) for name, kind in self.types.items()}

    def _slot(self, name: str, kind: Type) -> Slot:
        variable = safe(name)
        match kind.kind:
            case Kind.STRING | Kind.ENUM:
                text_class = self.domains.text[name]
                return InClass(text_class, t.var(variable, text_class.sort))
            case Kind.BOOLEAN:
                return BoolSlot(t.var(f"{variable}.null", BOOL), t.var(variable, BOOL))
            case Kind.INTEGER:
                return IntSlot(t.var(f"{variable}.null", BOOL), t.var(variable, INT))
            case Kind.NUMBER:
                return NumberSlot(t.var(variable, self.domains.number_sort()))
            case _:
                facts = {key: t.var(f"{variable}.has[{key!r}]", BOOL) for key in self.domains.members.get(name, ())}
                return SizedSlot(t.var(f"{variable}.size", INT), facts)

    def of_value(self, name: str, value: Value) -> Slot:
        """The slot that holds a constant."""
        match self.types[name].kind:
            case Kind.STRING | Kind.ENUM:
                text_class = self.domains.text[name]
                other = 0 if text_class.other is None else text_class.other
                return InClass(text_class, t.label(text_class.sort, text_class.literals.get(str(value or ""), other)))
            case Kind.BOOLEAN:
                return BoolSlot(t.boolean(value is None), t.boolean(value is True))
            case Kind.INTEGER:
                number = value if isinstance(value, int) else 0
                return IntSlot(t.boolean(value is None), t.integer(number))
            case Kind.NUMBER:
                region = self.domains.region(float(value)) if isinstance(value, int | float) else 0
                return NumberSlot(t.label(self.domains.number_sort(), region))
            case _:
                items = value if isinstance(value, tuple | MapValue) else ()
                facts = {key: t.boolean(key in items) for key in self.domains.members.get(name, ())}
                return SizedSlot(t.integer(len(items)), facts)

    def assignments(self, name: str, slot: Slot) -> dict[str, Term]:
        """The variables of a field and the terms that a slot gives them."""
        return dict(zip(slot_variables(name, self.store[name]), slot_terms(slot), strict=True))

    def default(self, name: str) -> Slot:
        """What a field that is no input starts as; inputs start empty until they are given."""
        field = self.spec.field_by_name[name]
        value: Value = field.default.value if field.default is not None else None
        if value is None and field.type.kind in (Kind.STRING, Kind.ENUM):
            value = ""
        return self.of_value(name, value)

    @cached_property
    def requirements(self) -> tuple[tuple[str, str], ...]:
        """The pairs of state and field that it requires, once each."""
        pairs = {(state.name.text, req.field.text): None for state in self.spec.states for req in state.requires}
        return tuple(pairs)

    @cached_property
    def stale_pairs(self) -> frozenset[tuple[str, str]]:
        """The pairs of state and required field that are kept account of: the others are never stale."""
        return returning_stale(self.spec)

    @cached_property
    def stale_for(self) -> dict[str, tuple[str, ...]]:
        """The states for which a field may be stale."""
        found: dict[str, list[str]] = {}
        for state, name in self.requirements:
            if (state, name) in self.stale_pairs:
                found.setdefault(name, []).append(state)
        return {name: tuple(states) for name, states in found.items()}

    @cached_property
    def answered(self) -> tuple[str, ...]:
        """The fields that some state requires."""
        return tuple(dict.fromkeys(field for _, field in self.requirements))

    @cached_property
    def presets_of(self) -> dict[str, tuple[str, ...]]:
        """The fields of ``presets`` by their state."""
        found: dict[str, list[str]] = {}
        for state, name in sorted(self.presets):
            found.setdefault(state, []).append(name)
        return {state: tuple(names) for state, names in found.items()}

    @cached_property
    def presets(self) -> frozenset[tuple[str, str]]:
        """Required fields that the state's own entry appends or puts to, without assigning them."""
        found: set[tuple[str, str]] = set()
        for state in self.spec.states:
            grown = {w.field.text for a in state.entry if a.operator is not Operator.ASSIGN for w in a.writes}
            assigned = {w.field.text for a in state.entry if a.operator is Operator.ASSIGN for w in a.writes}
            required = {req.field.text for req in state.requires}
            found |= {(state.name.text, name) for name in required & grown - assigned}
        return frozenset(found)

    @cached_property
    def bookkeeping(self) -> tuple[str, ...]:
        """The names of the boolean bookkeeping variables."""
        names = [EXCHANGED]
        names += [stale(state, field) for state, field in self.requirements if (state, field) in self.stale_pairs]
        names += [unread(field) for field in self.answered]
        names += [preset(state, field) for state, field in sorted(self.presets)]
        return tuple(names)

    def variables(self) -> tuple[Variable, ...]:
        """All variables, those of the store first, in the order of the spec."""
        found: list[Variable] = []
        for name, slot in self.store.items():
            for var_name, term in zip(slot_variables(name, slot), slot_terms(slot), strict=True):
                lower = 0 if isinstance(slot, SizedSlot) and term.sort is INT else None
                found.append(Variable(var_name, term.sort, lower, self.domain_of(name), name))
        found += [Variable(name, BOOL) for name in self.bookkeeping]
        return tuple(found)

    def domain_of(self, name: str) -> tuple[int, ...]:
        """The labels that a field of an enum can have; empty for every label of the sort."""
        kind = self.types[name]
        if kind.kind is not Kind.ENUM:
            return ()
        literals = self.domains.text[name].literals
        if len(literals) == 1:
            return ()
        return tuple(sorted({0, *(literals[text] for text in kind.values if text in literals)}))

    def initial(self) -> dict[str, bool | int]:
        """The value of every variable before the run starts."""
        values: dict[str, bool | int] = dict.fromkeys(self.bookkeeping, False)
        for name in self.store:
            for var_name, term in self.assignments(name, self.default(name)).items():
                values[var_name] = term.value  # type: ignore[assignment]
        return values
