"""Ways round on which nobody may be asked; what each spec does was worked out by hand."""

from __future__ import annotations

import pytest

from fsmcheck.spec.model import Spec
from fsmcheck.system.unasked import going_round_unasked
from tests.oracle import brute
from tests.oracle.generate import load_valid
from tests.oracle.machine import Profile
from tests.oracle.turning import turning

LOOP = """fsm:
  name: loop
  initialState: ask
  context:
    word: {{ type: enum, values: [go, stop] }}
    note: {{ type: string }}
    count: {{ type: integer }}
    flag: {{ type: boolean }}
    free: {{ type: boolean, default: false }}
  agents: {{ ann: {{ canTransition: [ask] }} }}
  states:
    ask:
      requires:
        - {{ name: word, from: {{ agent: ann }} }}
        - {{ name: note, from: {{ agent: ann }} }}
        - {{ name: count, from: {{ agent: ann }} }}
        - {{ name: flag, from: {{ agent: ann }} }}
      entry: [{entry}]
      transitions:
        - {{ toState: ask, guards: [{{ backend: cel, expression: "{guard}" }}], onTransition: [{actions}] }}
        - {{ toState: done }}
    done: {{ terminal: true }}
"""
FREE = "assign: { free: true }"
ASKS = [
    ("context.word == 'go'", 'assign: { word: "" }', FREE),
    ("'go' == context.word && context.free", "assign: { word: null }", FREE),
    ("context.word in ['go', 'stop']", 'assign: { word: "" }', FREE),
    ("context.word != ''", 'assign: { word: "" }', FREE),
    ("has(context.note)", 'assign: { note: "" }', FREE),
    ("context.count < 3", "assign: { count: null }", FREE),
    ("3 > -context.count + 1", "assign: { count: null }", FREE),
    ("context.count != null || context.flag", "assign: { count: null, flag: null }", FREE),
    ("context.flag", "assign: { flag: null }", FREE),
    ("context.flag == false", "assign: { flag: null }", FREE),
    ("context.word == 'go'", "assign: { free: true }", 'assign: { word: "" }'),
]
MAY_NOT = [
    ("context.word == 'go'", FREE, FREE),
    ("context.word == 'go'", 'assign: { word: "" }', "assign: { word: go }"),
    ("context.word == 'go'", 'assign: { word: "${context.word}" }', FREE),
    ("context.word == 'go' || context.free", 'assign: { word: "" }', FREE),
    ("context.word != 'go'", 'assign: { word: "" }', FREE),
    ("context.word == ''", 'assign: { word: "" }', FREE),
    ("context.word in ['', 'go']", 'assign: { word: "" }', FREE),
    ("!(context.word == 'go')", 'assign: { word: "" }', FREE),
    ("context.note == context.word", 'assign: { note: "" }', FREE),
    ("context.note < 'b'", 'assign: { note: "" }', FREE),
    ("context.count == null", "assign: { count: null }", FREE),
    ("context.word == 'go'", 'assign: { note: "" }', FREE),
    ("true", 'assign: { word: "" }', FREE),
]


def spec_of(text: str) -> Spec:
    spec = load_valid(text)
    assert spec is not None
    return spec


@pytest.mark.parametrize(("guard", "actions", "entry"), ASKS)
def test_what_is_emptied_and_cannot_be_done_without_is_asked_for(guard: str, actions: str, entry: str) -> None:
    spec = spec_of(LOOP.format(guard=guard, actions=actions, entry=entry))
    assert going_round_unasked(spec) == frozenset()


@pytest.mark.parametrize(("guard", "actions", "entry"), MAY_NOT)
def test_otherwise_nobody_may_be_asked(guard: str, actions: str, entry: str) -> None:
    spec = spec_of(LOOP.format(guard=guard, actions=actions, entry=entry))
    assert going_round_unasked(spec) == {("ask", 0)}


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("first", range(2000, 2120, 30))
def test_only_such_ways_are_gone_within_an_advance(first: int, profile: Profile) -> None:
    """Brute force: the states of an advance that turns in a circle are joined by transitions of that kind."""
    seen = 0
    for seed in range(first, first + 30):
        spec = spec_of(turning(seed))
        unasked = {state for state, _ in going_round_unasked(spec)}
        for rule, subject in brute.explore(spec, profile).failing():
            if rule == "FSM502":
                seen += 1
                assert subject.state in unasked, seed
    assert seen
