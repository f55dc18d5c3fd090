"""Is a concrete value one of those that a symbolic one stands for?"""

from __future__ import annotations

from collections.abc import Mapping

from fsmcheck.cel.values import MapValue, Value
from fsmcheck.engines.validity import Validity
from fsmcheck.system import terms as t
from fsmcheck.system.choices import Choices
from fsmcheck.system.layout import Layout
from fsmcheck.system.symbolic import InClass, Sized, SomeText, Sym, TextLeaf, shape, slot_terms
from fsmcheck.system.terms import FALSE, TRUE, Term


def constants(layout: Layout, store: Mapping[str, Value]) -> dict[str, Term]:
    """The variables of a concrete store, as constants."""
    return {
        variable: term
        for name in layout.store
        for variable, term in layout.assignments(name, layout.of_value(name, store[name])).items()
    }


def possible(condition: Term, layout: Layout, store: Mapping[str, Value], choices: Choices) -> bool:
    """Whether a condition holds in a concrete store for some choice of the inputs."""
    closed = t.substitute(condition, constants(layout, store))
    if t.is_const(closed):
        return bool(closed.value)
    return Validity(()).constant_value(closed, choices.used_in([closed])) is not False


def admits(sym: Sym, value: Value, layout: Layout) -> Term:
    """When a symbolic value, which evaluates, stands for a concrete one."""
    if value is None:
        return t.and_(t.not_(sym.error), sym.null)
    if sym.payload is None:
        return t.not_(sym.error)
    return t.and_(sym.ok, _payload(sym, value, layout))


def _payload(sym: Sym, value: Value, layout: Layout) -> Term:
    match shape(sym.type), value:
        case "boolean", bool():
            return sym.term() if value else t.not_(sym.term())
        case "integer", int() if not isinstance(value, bool):
            return t.eq(sym.term(), t.integer(value))
        case "number", float():
            return t.eq(sym.term(), t.label(layout.domains.number_sort(), layout.domains.region(value)))
        case "text", str():
            return t.or_(*(t.and_(condition, _leaf(leaf, value)) for condition, leaf in sym.cases()))
        case "sized", tuple() | MapValue():
            return _sized(sym.sized(), value)
        case _:
            return FALSE


def _leaf(leaf: TextLeaf, value: str) -> Term:
    match leaf:
        case str():
            return t.boolean(leaf == value)
        case InClass(text_class=text_class, term=term):
            index = text_class.literals.get(value, text_class.other)
            return FALSE if index is None else t.eq(term, t.label(term.sort, index))
        case SomeText(nonempty=nonempty):
            return nonempty if value else t.not_(nonempty)


def _sized(sized: Sized, value: tuple[Value, ...] | MapValue) -> Term:
    facts = [fact if key in value else t.not_(fact) for key, fact in (sized.facts or {}).items()]
    return t.and_(t.eq(sized.size, t.integer(len(value))), *facts)


def same_slot(layout: Layout, name: str, slot: object, value: Value) -> Term:
    """When a symbolic slot of a field stands for a concrete value (the payload of a null does not matter)."""
    wanted = slot_terms(layout.of_value(name, value))
    terms = slot_terms(slot)  # type: ignore[arg-type]
    if value is None and len(terms) == 2:
        wanted, terms = wanted[:1], terms[:1]
    return t.and_(*(t.eq(one, other) for one, other in zip(terms, wanted, strict=True)), TRUE)
