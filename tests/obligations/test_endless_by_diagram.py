"""Loops without end, and stages left within their caps, where even the machine alone is too large to be searched."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from fsmcheck.engines.explicit import Limits
from fsmcheck.engines.packing import Packing
from fsmcheck.engines.way_round import Ways
from fsmcheck.obligations import case as cases
from fsmcheck.obligations.by_diagram import decide_by_diagram
from fsmcheck.obligations.case import Case, make_case, obligations_of
from fsmcheck.obligations.decide import decide, profile_named
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.reducer.replay import replay
from fsmcheck.reducer.trace import parse_trace
from fsmcheck.spec.model import Spec
from fsmcheck.system.system import Location, Phase
from tests.oracle.generate import generate, load_valid

QUESTIONS = 12
"""Fields of three values, all read at the end: three to the twelfth configurations and more."""


def form(policy: str, again: str = "context.verdict == 'again'", keep: str = "") -> Spec:
    """A form whose questions are asked one after the other; whoever reviews it has it filled in anew."""
    fields = [f"f{number}" for number in range(QUESTIONS)]
    lines = [
        "fsm:",
        "  name: form",
        "  version: 1",
        "  initialState: ask0",
        "  context:",
        *(f"    {name}: {{ type: enum, values: [a, b, c] }}" for name in fields),
        "    verdict: { type: enum, values: [fine, again] }",
        "    round: { type: integer, default: 0 }",
        f"  agents: {{ ann: {{ canTransition: [{', '.join(f'ask{n}' for n in range(QUESTIONS))}, review] }} }}",
        f"  policy: {{ {policy} }}" if policy else "",
        "  states:",
    ]
    for number, name in enumerate(fields):
        following = f"ask{number + 1}" if number + 1 < QUESTIONS else "review"
        lines += [
            f"    ask{number}:",
            f"      requires: [{{ name: {name}, from: {{ agent: ann }} }}]",
            f"      transitions: [{{ toState: {following} }}]",
        ]
    same = " && ".join(f"context.{name} == 'a'" for name in fields)
    empty = ", ".join(f'{name}: ""' for name in fields)
    lines += [
        "    review:",
        "      requires: [{ name: verdict, from: { agent: ann } }]",
        "      transitions:",
        f'        - {{ toState: refused, guards: [{{ backend: cel, expression: "{same}" }}] }}',
        f'        - {{ toState: ask0, guards: [{{ backend: cel, expression: "{again}" }}],',
        f'            onTransition: [assign: {{ verdict: "", {empty}{keep} }}] }}',
        "        - { toState: done }",
        "    done: { terminal: true }",
        "    refused: { terminal: true }",
    ]
    spec = load_valid("\n".join(line for line in lines if line) + "\n")
    assert spec is not None
    return spec


def case_of(spec: Spec, profile: str = "gated") -> Case:
    return make_case(spec, profile_named(profile), Limits())


def verdicts(case: Case, rule: str) -> dict[str | None, Verdict]:
    return {each.subject.state: decide(case, each) for each in obligations_of(case) if each.rule == rule}


@pytest.mark.parametrize(("policy", "rule"), [("maxIterations: 60", "FSM505"), ("", "FSM501")])
def test_a_loop_without_end_is_shown_on_the_reducer(policy: str, rule: str) -> None:
    spec = form(policy)
    case = case_of(spec)
    found = verdicts(case, rule)["ask0"]
    assert not case.base.complete
    assert (found.verdict, found.method) == ("violated", "diagram")
    assert found.trace is not None
    trace = parse_trace(json.dumps(dict(found.trace)))
    assert not replay(spec, trace)
    # Twice round, each time all questions and the review.
    assert len(found.trace["steps"]) == 2 * (QUESTIONS + 1)


def test_a_loop_that_a_counter_ends_is_not_said_to_be_without_end() -> None:
    bounded = form(
        "maxIterations: 60", "context.verdict == 'again' && context.round < 2", ', round: "${context.round + 1}"'
    )
    found = verdicts(case_of(bounded), "FSM505")["ask0"]
    assert found.verdict in ("proved", "unknown")
    unbounded = form("maxIterations: 60", "context.verdict == 'again'", ', round: "${context.round + 1}"')
    found = verdicts(case_of(unbounded), "FSM505")["ask0"]
    assert found.verdict in ("violated", "unknown")


def test_a_stage_that_can_be_left_within_its_cap_is_shown_to_be() -> None:
    found = verdicts(case_of(form("maxExchangesPerStage: 1")), "FSM504")
    assert {found[f"ask{number}"].verdict for number in range(QUESTIONS)} == {"proved"}
    assert (found["review"].verdict, found["review"].method) == ("proved", "witness")


def test_a_stage_that_cannot_is_not() -> None:
    """Two agents are asked in "review", each time anew."""
    text = form("maxExchangesPerStage: 1", keep=", round: 0").source.text
    two = (
        text.replace(", round: 0", ', note: ""')
        .replace("agents: { ann:", "agents: { bob: { canTransition: [review] }, ann:")
        .replace(
            "requires: [{ name: verdict, from: { agent: ann } }]",
            "requires: [{ name: verdict, from: { agent: ann } }, { name: note, from: { agent: bob } }]",
        )
    )
    two = two.replace("    round:", "    note: { type: string }\n    round:")
    spec = load_valid(two)
    assert spec is not None
    found = verdicts(case_of(spec), "FSM504")
    assert found["review"].verdict != "proved"
    assert found["ask3"].verdict == "proved"


def test_the_walk_agrees_with_the_graph_of_all_configurations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the walk shows a loop without end, the graph of all knows it too, and mostly the other way round."""
    counts: Counter[tuple[str, str]] = Counter()
    for seed in range(60):
        spec = load_valid(generate(seed))
        if spec is None:
            continue
        profile = ("gated", "eager")[seed % 2]
        plain = case_of(spec, profile)
        with monkeypatch.context() as patch:
            patch.setattr(cases, "WHOLE", 1)
            cut_off = make_case(spec, profile_named(profile), Limits(configurations=1))
            for obligation in obligations_of(cut_off):
                if obligation.rule in ("FSM501", "FSM504", "FSM505"):
                    walked = decide_by_diagram(cut_off, obligation)
                    known = decide(plain, obligation)
                    verdict = "open" if walked is None else walked.verdict
                    counts[verdict, known.verdict] += 1
                    assert (verdict, known.verdict) not in {("violated", "proved"), ("proved", "violated")}, seed
                    if walked is not None and walked.trace is not None:
                        assert not replay(spec, parse_trace(json.dumps(dict(walked.trace)))), seed
    assert counts["violated", "violated"] > 10
    assert counts["violated", "violated"] > 3 * counts["open", "violated"]


SMALL = """
fsm:
  name: small
  version: 1
  initialState: ask
  context: { verdict: { type: enum, values: [go, back] }, seen: { type: boolean, default: false } }
  agents: { ann: { canTransition: [ask] } }
  policy: { maxIterations: 9 }
  states:
    ask:
      requires: [{ name: verdict, from: { agent: ann } }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "GUARD" }] }
        - { toState: ask, onTransition: [{ assign: { verdict: "", seen: true } }] }
    done: { terminal: true }
"""


@pytest.mark.parametrize(
    ("guard", "rounds"), [("context.verdict == 'go'", (1, 1)), ("context.seen", None), ("context.verdict != ''", None)]
)
def test_a_lasso_worked_out_by_hand(guard: str, rounds: tuple[int, int] | None) -> None:
    """The first round sets ``seen``; from then on each comes back to where it began, if the guard lets it."""
    spec = load_valid(SMALL.replace("GUARD", guard))
    assert spec is not None
    case = case_of(spec)
    graph = case.base
    waiting = Location("ask", Phase.WAITING)
    start = next(number for number in range(len(graph.values)) if graph.location(number) == waiting)
    found = Ways(Packing(graph.system)).lasso(waiting, graph.values[start], ("ask",))
    if rounds is None:
        assert found is None
        return
    assert found is not None
    # Staging, then the way back, then parking again.
    stem, loop = len(found.stem) // 3, len(found.loop) // 3
    kept = "seen" in graph.packing.index
    assert (stem, loop) == (rounds if kept else (0, 1))
