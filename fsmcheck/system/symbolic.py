"""Symbolic values: what an expression or a field may be, as terms over the variables of the system."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from fsmcheck.cel.types import BOOLEAN, INTEGER, NUMBER, STRING, Kind, Type
from fsmcheck.records import dataclass
from fsmcheck.system import terms as t
from fsmcheck.system.domains import TextClass
from fsmcheck.system.terms import FALSE, TRUE, Term


@dataclass(frozen=True, slots=True)
class InClass:
    """A text that is a value of a text class: ``term`` has the class's sort."""

    text_class: TextClass
    term: Term


@dataclass(frozen=True, slots=True)
class SomeText:
    """A text of which only emptiness is known."""

    nonempty: Term


TextLeaf = str | InClass | SomeText
TextCases = tuple[tuple[Term, TextLeaf], ...]


@dataclass(frozen=True, slots=True)
class Sized:
    """A list or map: its size, for literals its elements, and known membership facts by element or key."""

    size: Term
    elements: tuple[Sym, ...] | None = None
    facts: Mapping[object, Term] | None = None


@dataclass(frozen=True, slots=True)
class Sym:
    """The value of an expression: whether evaluation fails, whether it is null, else the payload.

    The payload is a boolean or integer term, a term of the number sort, ``TextCases``, ``Sized``, or None
    where nothing is known of it (or it is the null literal).
    """

    type: Type
    error: Term
    null: Term
    payload: Term | TextCases | Sized | None

    @property
    def ok(self) -> Term:
        """Evaluates, and not to null."""
        return t.and_(t.not_(self.error), t.not_(self.null))

    def term(self) -> Term:
        if not isinstance(self.payload, Term):
            raise TypeError(f"no term for a {self.type}")
        return self.payload

    def cases(self) -> TextCases:
        if not isinstance(self.payload, tuple):
            raise TypeError(f"no text for a {self.type}")
        return self.payload

    def sized(self) -> Sized:
        if not isinstance(self.payload, Sized):
            raise TypeError(f"no size for a {self.type}")
        return self.payload


TextSlot = InClass


@dataclass(frozen=True, slots=True)
class BoolSlot:
    null: Term
    value: Term


@dataclass(frozen=True, slots=True)
class IntSlot:
    null: Term
    value: Term


@dataclass(frozen=True, slots=True)
class NumberSlot:
    """``region`` has the number sort; label 0 is null."""

    region: Term


@dataclass(frozen=True, slots=True)
class SizedSlot:
    size: Term
    facts: Mapping[object, Term]


Slot = TextSlot | BoolSlot | IntSlot | NumberSlot | SizedSlot
Store = Mapping[str, Slot]


def is_set(slot: Slot) -> Term:
    """Whether a field is set (semantics of *set* and *empty*)."""
    match slot:
        case InClass(term=term):
            return t.not_(t.eq(term, t.label(term.sort, 0)))
        case BoolSlot(null=null) | IntSlot(null=null):
            return t.not_(null)
        case NumberSlot(region=region):
            return t.not_(t.eq(region, t.label(region.sort, 0)))
        case SizedSlot(size=size):
            return t.lt(t.integer(0), size)


def emptied(slot: Slot) -> Slot:
    """The empty value of the same shape."""
    match slot:
        case InClass(text_class=text_class):
            return InClass(text_class, t.label(text_class.sort, 0))
        case BoolSlot():
            return BoolSlot(TRUE, FALSE)
        case IntSlot():
            return IntSlot(TRUE, t.integer(0))
        case NumberSlot(region=region):
            return NumberSlot(t.label(region.sort, 0))
        case SizedSlot(facts=facts):
            return SizedSlot(t.integer(0), dict.fromkeys(facts, FALSE))


def choose(condition: Term, then: Slot, otherwise: Slot) -> Slot:
    """``then`` where the condition holds, else ``otherwise``; both describe the same field."""
    match then, otherwise:
        case InClass(text_class=text_class, term=left), InClass(term=right):
            return InClass(text_class, t.ite(condition, left, right))
        case BoolSlot(null=n1, value=v1), BoolSlot(null=n2, value=v2):
            return BoolSlot(t.ite(condition, n1, n2), t.ite(condition, v1, v2))
        case IntSlot(null=n1, value=v1), IntSlot(null=n2, value=v2):
            return IntSlot(t.ite(condition, n1, n2), t.ite(condition, v1, v2))
        case NumberSlot(region=left), NumberSlot(region=right):
            return NumberSlot(t.ite(condition, left, right))
        case SizedSlot(size=left, facts=f1), SizedSlot(size=right, facts=f2):
            facts = {key: t.ite(condition, f1[key], f2[key]) for key in f1}
            return SizedSlot(t.ite(condition, left, right), facts)
        case _:
            raise TypeError("slots of different fields")


def slot_terms(slot: Slot) -> tuple[Term, ...]:
    """The terms of a slot in a fixed order, matching ``slot_variables``."""
    match slot:
        case InClass(term=term):
            return (term,)
        case BoolSlot(null=null, value=value) | IntSlot(null=null, value=value):
            return (null, value)
        case NumberSlot(region=region):
            return (region,)
        case SizedSlot(size=size, facts=facts):
            return (size, *facts.values())


def safe(name: str) -> str:
    """A name of the spec as part of a variable's name: an identifier as it is, any other quoted, so that no two
    variables share a name whatever the fields and states are called."""
    return name if name.isidentifier() and name.isascii() else json.dumps(name)


def slot_variables(name: str, slot: Slot) -> tuple[str, ...]:
    """The variable names of a field's slot, matching ``slot_terms``."""
    name = safe(name)
    match slot:
        case BoolSlot() | IntSlot():
            return (f"{name}.null", name)
        case SizedSlot(facts=facts):
            return (f"{name}.size", *(f"{name}.has[{key!r}]" for key in facts))
        case _:
            return (name,)


def of_slot(slot: Slot, kind: Type) -> Sym:
    """Reading a field."""
    match slot:
        case InClass():
            return Sym(kind, FALSE, FALSE, ((TRUE, slot),))
        case BoolSlot(null=null, value=value) | IntSlot(null=null, value=value):
            return Sym(kind, FALSE, null, value)
        case NumberSlot(region=region):
            return Sym(kind, FALSE, t.eq(region, t.label(region.sort, 0)), region)
        case SizedSlot(size=size, facts=facts):
            return Sym(kind, FALSE, FALSE, Sized(size, None, facts))


def truth(value: Term, error: Term = FALSE) -> Sym:
    return Sym(BOOLEAN, error, FALSE, value)


def whole(value: Term, error: Term = FALSE) -> Sym:
    return Sym(INTEGER, error, FALSE, value)


def real(region: Term, error: Term = FALSE) -> Sym:
    return Sym(NUMBER, error, FALSE, region)


def text(leaf: TextLeaf, error: Term = FALSE) -> Sym:
    return Sym(STRING, error, FALSE, ((TRUE, leaf),))


def shape(kind: Type) -> str:
    """Types whose payloads can be merged share a shape."""
    match kind.kind:
        case Kind.STRING | Kind.ENUM:
            return "text"
        case Kind.LIST | Kind.MAP:
            return "sized"
        case other:
            return str(other.value)


def map_cases(sym: Sym, change: Callable[[TextLeaf], Term]) -> Term:
    """A boolean that depends on which text a symbolic text is."""
    return t.or_(*(t.and_(condition, change(leaf)) for condition, leaf in sym.cases()))
