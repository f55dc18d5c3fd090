"""Which pairs of state and field may be stale when the state is entered again: by hand, and against all runs."""

from __future__ import annotations

import random

import pytest

from fsmcheck.reducer.monitors.moments import Leaving, Resting, moments
from fsmcheck.system.staleness import returning_stale
from tests.monitoring.logs import random_run
from tests.oracle.generate import generate, load_valid

SPEC = """
fsm:
  initialState: ask
  context:
    verdict: {{ type: enum, values: [go, back] }}
    note: {{ type: string }}
  agents: {{ ann: {{ canTransition: [ask, rest] }} }}
  states:
    ask:
      requires:
        - {{ name: verdict, from: {{ agent: ann }} }}
        - {{ name: note, from: {{ agent: ann }} }}
      entry: [{entry}]
      exit: [{exit}]
      transitions:
        - toState: rest
          guards: [{{ backend: cel, expression: "context.verdict == 'back'" }}]
          onTransition: [{on}]
        - {{ toState: end }}
    rest:
      requires: [{{ name: note, from: {{ agent: ann }} }}]
      entry: [{rest}]
      transitions: [{{ toState: {back}, onTransition: [{home}] }}]
    end: {{ terminal: true }}
"""
GROW = '{ assign: { note: "${context.note}" } }'
VERDICT = ("ask", "verdict")
NOTE = ("ask", "note")


def pairs(back: str = "ask", **actions: str) -> set[tuple[str, str]]:
    places = dict.fromkeys(("entry", "exit", "on", "rest", "home"), "") | actions
    spec = load_valid(SPEC.format(back=back, **places))
    assert spec is not None
    return set(returning_stale(spec))


def test_what_nothing_assigns_comes_back_stale() -> None:
    assert pairs() == {VERDICT, NOTE, ("rest", "note")}


def test_without_a_way_back_nothing_does() -> None:
    assert pairs(back="end") == set()


@pytest.mark.parametrize("place", ["entry", "exit", "on", "home", "rest"])
def test_an_assignment_anywhere_on_the_way_makes_fresh(place: str) -> None:
    found = pairs(**{place: '{ assign: { verdict: "" } }'})
    assert found == {NOTE, ("rest", "note")}


def test_any_value_will_do() -> None:
    assert VERDICT not in pairs(on="{ assign: { verdict: go } }")


def test_an_assignment_in_the_entry_of_the_other_state_is_fresh_for_both() -> None:
    assert pairs(rest='{ assign: { note: "" } }') == {VERDICT}


def test_an_assignment_on_leaving_is_fresh_for_the_state_it_leads_to() -> None:
    assert pairs(exit=GROW) == {VERDICT}


def test_what_is_assigned_on_one_way_only_comes_back_by_the_other() -> None:
    spec = load_valid(TWO_WAYS)
    assert spec is not None
    assert returning_stale(spec) == {VERDICT}


TWO_WAYS = """
fsm:
  initialState: ask
  context: { verdict: { type: enum, values: [go, back] } }
  agents: { ann: { canTransition: [ask] } }
  states:
    ask:
      requires: [{ name: verdict, from: { agent: ann } }]
      transitions:
        - { toState: long, guards: [{ backend: cel, expression: "context.verdict == 'go'" }] }
        - { toState: short, onTransition: [{ assign: { verdict: "" } }] }
    long: { transitions: [{ toState: longer }] }
    longer: { transitions: [{ toState: ask }] }
    short: { transitions: [{ toState: ask }] }
"""


SPECS = 120
RUNS = 8


def test_no_run_makes_stale_what_is_not_found() -> None:
    """A pair that is missed would be taken for fresh in every run, and FSM401, FSM403 and FSM404 for proved."""
    met = 0
    for seed in range(SPECS):
        spec = load_valid(generate(seed))
        assert spec is not None
        found = returning_stale(spec)
        rng = random.Random(seed)
        for _ in range(RUNS):
            for moment in moments(spec, random_run(spec, "eager" if seed % 2 else "gated", rng, longest=10)):
                match moment:
                    case Leaving(taken=taken, ledger=ledger):
                        state = taken.source
                    case Resting(record=record, ledger=ledger):
                        state = record.configuration.state
                    case _:
                        continue
                stale = {(state, name) for name in ledger.stale_in(state)}
                assert stale <= found, (seed, state, stale - found)
                met += len(stale)
    assert met > 200
