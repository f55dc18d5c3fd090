"""The bookkeeping of the transition system, variable by variable."""

from __future__ import annotations

import pytest

from fsmcheck.system.layout import EXCHANGED, preset, stale, unread
from fsmcheck.system.system import Step, System
from fsmcheck.system.terms import BOOL
from fsmcheck.system.translate import translate
from tests.oracle.generate import load_valid
from tests.system.naive import chosen, value

SPEC = """
fsm:
  initialState: ask
  context:
    note: { type: string }
    verdict: { type: enum, values: [go, back] }
    sure: { type: boolean }
    log: { type: list, of: string }
    kept: { type: string }
  agents:
    ann: { canTransition: [ask, grow] }
  states:
    ask:
      requires:
        - { name: note, from: { agent: ann } }
        - { name: verdict, from: { agent: ann } }
        - { name: sure, from: { agent: ann } }
      exit: [EXIT]
      transitions:
        - toState: grow
          guards: [{ backend: cel, expression: "context.verdict == 'go'" }]
          onTransition: [ON]
        - toState: ask
          guards: [{ backend: cel, expression: "context.note != 'x'" }]
        - { toState: grow }
    grow:
      description: "See {{ context.note }}"
      requires:
        - { name: log, from: { agent: ann } }
        - { name: kept, from: { agent: ann } }
      entry: [ENTRY]
      transitions: [{ toState: ask, guards: [{ backend: cel, expression: "context.kept == 'x'" }] }, { toState: end }]
    end: { terminal: true }
"""
NOTHING = "{ assign: { kept: '' } }"


def system(exit_: str = NOTHING, on: str = NOTHING, entry: str = "{ append: { log: more } }") -> System:
    spec = load_valid(SPEC.replace("EXIT", exit_).replace("ON", on).replace("ENTRY", entry))
    assert spec is not None
    return translate(spec, "eager")


def step(found: System, name: str) -> Step:
    return next(step for step in found.steps if step.name == name)


def before(found: System, **changes: bool | int) -> dict[str, bool | int]:
    """Everything is set, every bit as it is named."""
    values: dict[str, bool | int] = dict(found.initial)
    values |= {variable.name: 1 for variable in found.variables if variable.sort != BOOL}
    values |= {variable.name: False for variable in found.variables if variable.sort == BOOL}
    return values | changes


def after(found: System, name: str, bit: str, values: dict[str, bool | int]) -> set[bool]:
    """The values that a bit may have after a step; one that is not kept account of is never set."""
    if bit not in found.by_name:
        return {False}
    taken = step(found, name)
    term = taken.updates.get(bit)
    if term is None:
        return {bool(values[bit])}
    return {bool(value(term, {**values, **inputs})) for inputs in chosen(taken.inputs, (0, 1, 2))}


def bit_after(found: System, name: str, bit: str, **changes: bool | int) -> bool:
    (only,) = after(found, name, bit, before(found, **changes))
    return only


@pytest.mark.parametrize(("kept", "expected"), [("note", True), ("verdict", True)])
def test_what_is_still_set_on_leaving_is_stale(kept: str, expected: bool) -> None:
    assert bit_after(system(), "ask/0", stale("ask", kept)) is expected
    assert bit_after(system(), "ask/0", stale("ask", kept), **{kept: 0}) is False


def test_what_is_assigned_on_leaving_is_fresh() -> None:
    assign = "{ assign: { note: again } }"
    assert bit_after(system(on=assign), "ask/0", stale("ask", "note")) is False
    assert bit_after(system(exit_=assign), "ask/0", stale("ask", "note")) is False
    assert bit_after(system(on=assign), "ask/0", stale("ask", "verdict")) is True


def test_entry_of_the_target_makes_fresh_what_leaving_made_stale() -> None:
    name = stale("ask", "note")
    assert bit_after(system(entry="{ assign: { note: again } }"), "ask/0", name) is False
    assert bit_after(system(entry="{ assign: { note: '' } }"), "ask/0", name) is False
    assert bit_after(system(on="{ assign: { note: '' } }", entry="{ assign: { note: again } }"), "ask/0", name) is False


def test_what_grows_stays_stale() -> None:
    name = stale("grow", "log")
    assert bit_after(system(on="{ append: { log: x } }"), "ask/0", name, **{name: True}) is True
    assert bit_after(system(on="{ assign: { log: [] } }"), "ask/0", name, **{name: True}) is False


def test_staging_makes_fresh() -> None:
    found = system()
    name = stale("ask", "note")
    values = before(found, **{name: True})
    stage = step(found, "ask<ann")
    slot = stage.staged["note"].slot
    for inputs in chosen(stage.inputs, (0, 1, 2)):
        written = bool(value(slot.term, {**values, **inputs}))  # type: ignore[union-attr]
        assert bool(value(stage.updates[name], {**values, **inputs})) is not written
        assert bool(value(stage.updates[unread("note")], {**values, **inputs})) is written
        assert value(stage.updates[EXCHANGED], {**values, **inputs}) is True


def test_a_guard_reads_what_it_names_and_so_do_those_tried_before() -> None:
    found = system()
    name = unread("note")
    assert bit_after(found, "ask/0", name, **{name: True}) is True
    assert bit_after(found, "ask/1", name, **{name: True}) is False
    assert bit_after(found, "ask/2", name, **{name: True}) is False


def test_an_action_reads_what_its_value_names() -> None:
    name = unread("note")
    found = system(exit_='{ append: { log: "${context.note}" } }')
    assert bit_after(found, "ask/0", name, **{name: True}) is False


def test_leaving_uses_booleans_and_enums_by_their_presence() -> None:
    found = system()
    assert bit_after(found, "ask/0", unread("sure"), **{unread("sure"): True}) is False
    assert bit_after(found, "ask/0", unread("note"), **{unread("note"): True}) is True


def test_parking_reads_the_description_of_that_state_alone() -> None:
    found = system()
    name = unread("note")
    assert bit_after(found, "park grow", name, **{name: True}) is False
    assert bit_after(found, "park ask", name, **{name: True}) is True


def test_a_visit_begins_on_entering() -> None:
    found = system()
    for name in ("ask/0", "ask/1"):
        assert bit_after(found, name, EXCHANGED, **{EXCHANGED: True}) is False
    assert bit_after(found, "park ask", EXCHANGED, **{EXCHANGED: True}) is True


def test_what_was_set_before_entry_is_remembered() -> None:
    found = system()
    name = preset("grow", "log")
    assert bit_after(found, "ask/0", name, **{"log.size": 2}) is True
    assert bit_after(found, "ask/0", name, **{"log.size": 0}) is False
    assert preset("grow", "kept") not in found.by_name


def lost(found: System, field: str, **changes: bool | int) -> bool:
    taken = step(found, "ask/0")
    values = before(found, **changes)
    conditions = [e.condition for e in taken.events if e.rule == "FSM406" and e.subject.field == field]
    return any(value(condition, {**values, **i}) for condition in conditions for i in chosen(taken.inputs, (0, 1)))


def test_what_is_emptied_unread_is_lost() -> None:
    name = unread("note")
    found = system(on="{ assign: { note: '' } }")
    assert lost(found, "note", **{name: True})
    assert not lost(found, "note", **{name: False})
    assert not lost(found, "note", **{name: True}, note=0)
    assert not lost(system(on="{ assign: { note: more } }"), "note", **{name: True})
    read = system(exit_='{ append: { log: "${context.note}" } }', on="{ assign: { note: '' } }")
    assert not lost(read, "note", **{name: True})


def test_nothing_is_stale_at_the_start() -> None:
    found = system()
    start = step(found, "start")
    for name in (stale("ask", "note"), unread("note"), EXCHANGED):
        assert not value(start.updates[name], before(found)) if name in start.updates else not found.initial[name]
