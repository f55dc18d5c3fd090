"""Values that agents (or whoever starts the run) choose for fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, isinf, nextafter

from fsmcheck.cel.types import Kind, Type
from fsmcheck.system import terms as t
from fsmcheck.system.choices import Choices
from fsmcheck.system.layout import Layout
from fsmcheck.system.ranges import STAGED_LIMIT
from fsmcheck.system.symbolic import BoolSlot, InClass, IntSlot, NumberSlot, SizedSlot, Slot
from fsmcheck.system.system import Chooser
from fsmcheck.system.terms import FALSE, TRUE, Term


def anything_set(layout: Layout, name: str, choices: Choices) -> Slot:
    """Any set value of a field, chosen by an agent or at the start."""
    slot = layout.store[name]
    chosen = chosen_value(layout, name, slot, choices)
    match chosen:
        case InClass(term=term):
            choices.restrict(term, nonzero=True)
        case NumberSlot(region=region):
            choices.restrict(region, nonzero=True)
        case SizedSlot(size=size):
            choices.restrict(size, nonzero=True)
        case _:
            pass
    return chosen


def chosen_value(layout: Layout, name: str, slot: Slot, choices: Choices) -> Slot:
    """A value of a field that an agent picks; label 0 (or size 0) where it may also pick none."""
    agent = Chooser.AGENT
    match slot:
        case InClass(text_class=text_class, term=term):
            domain = layout.domain_of(name)
            return InClass(text_class, choices.finite(("staged", name), term.sort, domain, agent))
        case BoolSlot():
            return BoolSlot(FALSE, choices.boolean(("staged", name), agent))
        case IntSlot():
            value = choices.integer(("staged", name), -STAGED_LIMIT, STAGED_LIMIT, agent)
            return IntSlot(FALSE, value)
        case NumberSlot(region=region):
            domain = (0, *_stageable_regions(layout.domains.cuts))
            return NumberSlot(choices.finite(("staged", name), region.sort, domain, agent))
        case SizedSlot(facts=facts):
            size = choices.integer(("staged", name, "size"), 0, STAGED_LIMIT, agent)
            member = {
                key: choices.boolean(("staged", name, repr(key)), agent)
                if _is_stageable(layout.types[name], key)
                else FALSE
                for key in facts
            }
            return SizedSlot(size, member)


def _stageable_regions(cuts: Sequence[float]) -> Iterator[int]:
    """The regions that hold a finite number: an agent cannot choose one between two doubles that have none between
    them, or beyond the largest."""
    below = -inf
    for place, cut in enumerate((*cuts, inf)):
        between = nextafter(below, inf) if isinf(cut) else nextafter(cut, -inf)
        if below < between < cut and not isinf(between):
            yield 2 + 2 * place
        if not isinf(cut):
            yield 3 + 2 * place
        below = cut


def _is_stageable(kind: Type, member: object) -> bool:
    """Whether a list with this element, or a map with this key, can be staged."""
    holds_integers = kind.element is not None and kind.element.kind is Kind.INTEGER
    return not (holds_integers and isinstance(member, int)) or abs(member) <= STAGED_LIMIT


def consistent(slot: Slot) -> Term:
    """A chosen collection has at least as many elements as distinct members that are asked about."""
    if not isinstance(slot, SizedSlot) or not slot.facts:
        return TRUE
    one, zero = t.integer(1), t.integer(0)
    total = zero
    for fact in slot.facts.values():
        total = t.add(total, t.ite(fact, one, zero))
    return t.le(total, slot.size)


def differs(layout: Layout, name: str, other: Slot) -> Term:
    """Whether another value of a field is not the one it has."""
    match layout.store[name], other:
        case InClass(text_class=text_class, term=old), InClass(term=new):
            free = FALSE if text_class.other is None else t.eq(new, t.label(new.sort, text_class.other))
            return t.or_(t.not_(t.eq(old, new)), free)
        case BoolSlot(value=old), BoolSlot(value=new):
            return t.not_(t.eq(old, new))
        case IntSlot(value=old), IntSlot(value=new):
            return t.not_(t.eq(old, new))
        case NumberSlot(region=old), NumberSlot(region=new):
            return t.or_(t.not_(t.eq(old, new)), t.one_of(new, range(2, new.sort.size, 2)))
        case _:
            return TRUE
