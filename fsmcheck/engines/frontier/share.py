"""Terms of the same form made one, so that each is worked out once for all steps that leave a location."""

from __future__ import annotations

from dataclasses import replace

from fsmcheck.system.system import System
from fsmcheck.system.terms import Term


def with_shared_terms(system: System) -> System:
    """The same system, steps and events in the same order."""
    known: dict[tuple[object, ...], Term] = {}
    done: dict[int, Term] = {}

    def shared(term: Term) -> Term:
        found = done.get(id(term))
        if found is None:
            args = tuple(map(shared, term.args))
            key = (term.op, id(term.sort), term.value, *map(id, args))
            fresh = term if all(a is b for a, b in zip(args, term.args, strict=True)) else replace(term, args=args)
            found = done[id(term)] = known.setdefault(key, fresh)
        return found

    steps = tuple(
        replace(
            step,
            guard=shared(step.guard),
            updates={name: shared(term) for name, term in step.updates.items()},
            events=tuple(replace(event, condition=shared(event.condition)) for event in step.events),
        )
        for step in system.steps
    )
    return replace(system, steps=steps)
