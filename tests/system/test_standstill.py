"""Where an advance surely makes no progress: nothing that a run does is lost by stopping there."""

from __future__ import annotations

import json
from itertools import product

import pytest

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Graph, explore
from fsmcheck.obligations.obligation import QUESTIONS, Question
from fsmcheck.spec.model import Spec
from fsmcheck.system.domains import domains
from fsmcheck.system.layout import Layout
from fsmcheck.system.standstill import MOST_FOLLOWED, with_standstill
from fsmcheck.system.system import Phase
from fsmcheck.system.translate import translate
from tests.oracle import brute
from tests.oracle.generate import generate, load_valid
from tests.oracle.machine import Profile
from tests.oracle.turning import turning

TWO = """fsm:
  name: two
  initialState: plan
  context:
    verdict: { type: enum, values: [again, good] }
    result: { type: string }
    one: { type: string, default: "" }
    other: { type: string, default: "" }
    count: { type: integer, default: 0 }
    entries: { type: list, of: string, default: [a] }
  agents:
    planner: { canTransition: [plan] }
    executor: { canTransition: [execute] }
  states:
    plan:
      requires:
        - { name: verdict, from: { agent: planner } }
        - { name: one, from: { agent: planner } }
        - { name: other, from: { agent: planner } }
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "context.verdict == 'good'" }] }
        - toState: execute
          guards: [{ backend: cel, expression: "context.verdict == 'again'" }]
    execute:
      requires: [{ name: result, from: { agent: executor } }]
      exit: [EXIT]
      transitions:
        - { toState: plan }
    done: { terminal: true }
"""
FIRST = ("FSM401", Subject(state="plan"))
SECOND = ("FSM401", Subject(state="execute"))

EXITS = {
    # The executor's answer leads back to "plan", which is left at once for "execute", where the advance began: all that
    # "plan" asks for is there, and "one" and "other" are stale. "execute" is not left again.
    "nothing": ("assign: { count: 0 }", {FIRST}),
    "an enum as it is": ("assign: { verdict: again }", {FIRST}),
    "a copy of itself": ('assign: { verdict: "${context.verdict}" }', {FIRST}),
    # From here on the store may change each time round: "execute" is left again, on the result of its first visit.
    "a list that grows": ('append: { entries: "${context.result}" }', {FIRST, SECOND}),
    "a counter": ('assign: { count: "${context.count + 1}" }', {FIRST, SECOND}),
    "another list of one": (
        "assign: { entries: \"${context.entries == ['a'] ? ['b'] : ['a']}\" }",
        {FIRST, SECOND},
    ),
    "two texts change places": ('assign: { one: "${context.other}", other: "${context.one}" }', {FIRST, SECOND}),
}


def spec_of(text: str) -> Spec:
    spec = load_valid(text)
    assert spec is not None
    return spec


def searched(spec: Spec, profile: str) -> Graph | None:
    system = with_standstill(translate(spec, profile), Layout(spec, domains(spec)))
    return None if system is None else explore(system)


def happening(graph: Graph, rules: tuple[str, ...]) -> set[tuple[str, Subject]]:
    return {(rule, subject) for rule, subject, _ in graph.hits if rule in rules}


@pytest.mark.parametrize(("exits", "expected"), EXITS.values(), ids=EXITS)
def test_the_way_back_ends_where_it_began_unless_something_changes(
    exits: str, expected: set[tuple[str, Subject]]
) -> None:
    graph = searched(spec_of(TWO.replace("EXIT", exits)), "gated")
    assert graph is not None
    assert happening(graph, ("FSM401",)) == expected


def test_each_state_is_followed_where_it_can_be_come_back_to() -> None:
    spec = spec_of(TWO.replace("EXIT", "assign: { count: 0 }"))
    system = with_standstill(translate(spec, "gated"), Layout(spec, domains(spec)))
    assert system is not None
    assert {v.name for v in system.variables if v.name.startswith("!reached")} == {
        "!reached[plan]",
        "!reached[execute]",
    }
    ends = [step for step in system.steps if step.target.phase is Phase.STUCK and step.name.endswith(" again")]
    assert {(step.source.state, step.target.state) for step in ends} == {("plan", "execute"), ("execute", "plan")}


def test_nothing_is_followed_where_no_way_leads_round() -> None:
    onward = TWO.replace("EXIT", "assign: { count: 0 }").replace("- { toState: plan }", "- { toState: done }")
    assert searched(spec_of(onward), "gated") is None


def ring(count: int) -> str:
    states = "\n".join(
        f"    s{n}: {{ transitions: [{{ toState: done, guards: [{{ backend: cel, expression: context.go == 'x' }}] }},"
        f" {{ toState: s{(n + 1) % count} }}] }}"
        for n in range(count)
    )
    return f"""fsm:
  name: ring
  initialState: s0
  context:
    go: {{ type: string }}
  agents: {{}}
  states:
{states}
    done: {{ terminal: true }}
"""


def test_too_many_are_not_followed() -> None:
    assert searched(spec_of(ring(MOST_FOLLOWED)), "gated") is not None
    assert searched(spec_of(ring(MOST_FOLLOWED + 1)), "gated") is None


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize(
    ("draw", "first"), [*product([turning], range(0, 120, 20)), *product([generate], range(7000, 7080, 20))]
)
def test_whatever_a_run_does_happens_there_as_well(draw: object, first: int, profile: Profile) -> None:
    """Brute force on concrete stores finds violations; each is an event of the search that stops."""
    searches = violated = 0
    for seed in range(first, first + 20):
        spec = spec_of(draw(seed))  # type: ignore[operator]
        graph = searched(spec, profile.value)
        if graph is None or not graph.complete:
            continue
        searches += 1
        try:
            failing = brute.explore(spec, profile).failing()
        except brute.NotCoveredError:
            continue
        for rule, subject in failing:
            if QUESTIONS.get(rule) is Question.NEVER:
                violated += 1
                assert (rule, subject, "") in graph.hits, (seed, json.dumps(subject.as_dict()), rule)
    assert searches
    assert violated
