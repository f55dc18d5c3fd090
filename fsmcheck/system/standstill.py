"""A system in which an advance that surely comes back to where it was goes no further.

A machine makes no progress once an advance reaches the same state with the same store again. Equal abstract stores do
not say that much, so that the translation lets every run go on. Here some ends are known: as long as the transitions
taken surely change no field, the store is that of every state reached since, and to enter one of these again is the
end. That it was reached is kept in a variable for each state which such transitions lead round to.

Whatever a run does is kept, up to that end and with the transition that leads there; so what never happens in this
system never happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from fsmcheck.system import terms as t
from fsmcheck.system.layout import Layout
from fsmcheck.system.symbolic import BoolSlot, InClass, IntSlot, NumberSlot, SizedSlot, Slot, safe, slot_variables
from fsmcheck.system.system import Location, Phase, Step, StepKind, System, Variable
from fsmcheck.system.terms import BOOL, FALSE, TRUE, Term
from fsmcheck.system.unasked import components

MOST_FOLLOWED = 10
"""States that are followed; where there are more, none is: each can double what is reached inside an advance."""


def with_standstill(system: System, layout: Layout) -> System | None:
    """The system with its sure ends for want of progress: as locations at rest, with the phase ``STUCK``. None where
    nothing leads round without a change, or too much does."""
    idle = {number: _unchanged(step, layout) for number, step in enumerate(system.steps) if step.kind is StepKind.FIRE}
    followed = _going_round(system.steps[number] for number, when in idle.items() if when is not FALSE)
    if len(followed) > MOST_FOLLOWED:
        # A way round of which a state is not followed would end at another one than the run does.
        idle = {number: when for number, when in idle.items() if when is TRUE}
        followed = _going_round(system.steps[number] for number in idle)
    if not 0 < len(followed) <= MOST_FOLLOWED:
        return None
    steps: list[Step] = []
    for number, step in enumerate(system.steps):
        steps += _followed(step, idle.get(number, FALSE), followed)
    fresh = tuple(Variable(name, BOOL) for name in followed.values())
    initial = {**system.initial, **dict.fromkeys(followed.values(), False)}
    return replace(system, variables=(*system.variables, *fresh), initial=initial, steps=tuple(steps))


def _followed(step: Step, idle: Term, followed: Mapping[str, str]) -> list[Step]:
    """The ways of a step that is taken without a change when ``idle`` holds: one that goes on, and one that ends where
    the store has not changed since its target was reached."""
    entered = followed.get(step.target.state)
    if step.target.phase is not Phase.RUNNING:
        return [replace(step, updates={**step.updates, **dict.fromkeys(followed.values(), FALSE)})]
    reached = {name: TRUE if name == entered else t.and_(idle, t.var(name, BOOL)) for name in followed.values()}
    again = FALSE if entered is None else t.and_(idle, t.var(entered, BOOL))
    onward = replace(step, guard=t.and_(step.guard, t.not_(again)), updates={**step.updates, **reached})
    if again is FALSE:
        return [onward]
    end = Location(step.target.state, Phase.STUCK)
    updates = {**step.updates, **dict.fromkeys(followed.values(), FALSE)}
    return [
        onward,
        replace(step, name=step.name + " again", target=end, guard=t.and_(step.guard, again), updates=updates),
    ]


def _going_round(steps: Iterable[Step]) -> dict[str, str]:
    """The states that some steps lead round to, each with the variable that says: an advance reached it with the
    store as it is."""
    taken = [(step.source.state, step.target.state) for step in steps]
    onward: dict[str, list[str]] = {state: [] for edge in taken for state in edge}
    for source, target in taken:
        onward[source].append(target)
    component = components(onward)
    round_ = {state for source, target in taken if component[source] == component[target] for state in (source, target)}
    return {state: f"!reached[{safe(state)}]" for state in onward if state in round_}


def _unchanged(step: Step, layout: Layout) -> Term:
    """When a step surely leaves every field as it was."""
    return t.and_(
        *(
            _same(slot, [step.updates.get(name, None) for name in slot_variables(field, slot)])
            for field, slot in layout.store.items()
            if any(name in step.updates for name in slot_variables(field, slot))
        )
    )


def _same(old: Slot, given: list[Term | None]) -> Term:
    """When a field surely keeps its value: each of the abstraction's values that stands for one value only."""
    match old:
        case InClass(text_class=text_class, term=before):
            (after,) = given
            some = FALSE if text_class.other is None else t.eq(before, t.label(before.sort, text_class.other))
            return t.and_(_equal(before, after), t.not_(some))
        case BoolSlot(null=null, value=value) | IntSlot(null=null, value=value):
            return t.and_(_equal(null, given[0]), t.or_(null, _equal(value, given[1])))
        case NumberSlot(region=region):
            (after,) = given
            return t.and_(_equal(region, after), t.eq(region, t.label(region.sort, 0)))
        case SizedSlot(size=size):
            return t.and_(_equal(size, given[0]), t.eq(size, t.integer(0)))


def _equal(before: Term, after: Term | None) -> Term:
    return TRUE if after is None else t.eq(before, after)
