"""A slice answers its question as the whole system does."""

from __future__ import annotations

import pytest

from fsmcheck.engines.explicit import Limits, explore
from fsmcheck.system import terms as t
from fsmcheck.system.slice import cone, slice_system
from fsmcheck.system.system import Event, System
from fsmcheck.system.terms import BOOL
from fsmcheck.system.translate import translate
from tests.engines.systems import BAD, FLAG, Drawing
from tests.oracle.compare import profile_of
from tests.oracle.generate import generate, load_valid

LIMITS = Limits(configurations=4_000)
KEYS_TRIED = 12


def system_of(seed: int) -> System:
    spec = load_valid(generate(seed))
    assert spec is not None
    return translate(spec, profile_of(seed).value)


def keyed(event: Event) -> tuple[object, ...]:
    return event.rule, event.subject, event.case


@pytest.mark.parametrize("seed", range(2000, 2024))
def test_a_slice_shows_the_events_of_the_whole(seed: int) -> None:
    system = system_of(seed)
    whole = explore(system, LIMITS)
    if not whole.complete:
        pytest.skip("too large")
    shown = {key for key in whole.hits if key[0] != "FSM303"}
    keys = sorted({keyed(e) for s in system.steps for e in s.events if e.rule != "FSM303"}, key=repr)
    for key in keys[:: max(1, len(keys) // KEYS_TRIED)]:
        sliced = explore(slice_system(system, lambda event, key=key: keyed(event) == key), LIMITS)  # type: ignore[misc]
        assert sliced.complete
        assert len(sliced.values) <= len(whole.values)
        assert (key in sliced.hits) == (key in shown), key
        assert sliced.hits.keys() <= {key}


@pytest.mark.parametrize("seed", range(2000, 2016))
def test_a_slice_is_closed(seed: int) -> None:
    system = system_of(seed)
    for rule in ("FSM403", "FSM406", "FSM301"):
        sliced = slice_system(system, lambda event, rule=rule: event.rule == rule)  # type: ignore[misc]
        kept = {variable.name for variable in sliced.variables}
        assert kept == cone(system, lambda event, rule=rule: event.rule == rule)  # type: ignore[misc]
        assert sliced.initial.keys() == kept
        for step in sliced.steps:
            own = {choice.name for event in step.events for choice in event.inputs}
            roots = [step.guard, *step.updates.values(), *(event.condition for event in step.events)]
            assert t.variables(roots).keys() <= kept | own | {choice.name for choice in step.inputs}
            assert all(event.rule == rule for event in step.events)


def test_a_cone_reaches_as_far_as_values_flow() -> None:
    """p is asked about; it comes from q, q from r, and r from s; z comes from all of them and goes nowhere."""
    p, q, r, s = (t.var(name, BOOL) for name in "pqrs")
    drawing = Drawing("a", dict.fromkeys("pqrsz", FLAG))
    drawing.edge("a", "a", updates={"p": q, "q": r, "r": s, "s": t.not_(s), "z": t.and_(p, q, r, s)}, bad=p)
    system = drawing.system()
    assert cone(system, lambda event: event.rule == BAD[0]) == frozenset("pqrs")
    sliced = slice_system(system, lambda event: event.rule == BAD[0])
    assert BAD in explore(sliced).hits
    assert cone(system, lambda _event: False) == frozenset()
