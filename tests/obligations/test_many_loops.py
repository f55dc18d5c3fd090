"""FSM505 where more loops begin at one state than can be looked at: one without end is enough to tell, and none of
those looked at is not enough to prove."""

from __future__ import annotations

import json

import pytest

from fsmcheck.obligations.loops import MOST_CYCLES
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.obligations.run import run
from fsmcheck.reducer.replay import replay
from fsmcheck.reducer.trace import parse_trace
from fsmcheck.spec.model import Spec
from tests.oracle.generate import load_valid

WAYS = 5
LEVELS = 3


def many_loops(again: str) -> Spec:
    """A way of three states, each one of five, from "ask" back to it; ``again`` guards the first step."""
    names = [f"s{level}_{way}" for level in range(LEVELS) for way in range(WAYS)]
    values = ", ".join(f"w{way}" for way in range(WAYS))
    lines = [
        "fsm:",
        "  name: many-loops",
        "  version: 1",
        "  initialState: ask",
        "  context:",
        "    more: { type: enum, values: [once, enough] }",
        "    round: { type: integer, default: 0 }",
        *(f"    way{level}: {{ type: enum, values: [{values}] }}" for level in range(LEVELS)),
        f"  agents: {{ ann: {{ canTransition: [ask, {', '.join(names)}] }} }}",
        "  policy: { maxIterations: 50 }",
        "  states:",
        "    ask:",
        "      requires:",
        "        - { name: more, from: { agent: ann } }",
        "        - { name: way0, from: { agent: ann } }",
        "      transitions:",
    ]
    for way in range(WAYS):
        guard = f"context.more == 'once' && context.way0 == 'w{way}' && {again}"
        lines.append(f'        - {{ toState: s0_{way}, guards: [{{ backend: cel, expression: "{guard}" }}] }}')
    lines.append("        - { toState: done }")
    for level in range(LEVELS):
        for way in range(WAYS):
            lines += [f"    s{level}_{way}:"]
            if level + 1 == LEVELS:
                clear = 'more: "", way0: "", way1: "", way2: "", round: "${context.round + 1}"'
                lines.append(f"      transitions: [{{ toState: ask, onTransition: [assign: {{ {clear} }}] }}]")
                continue
            lines += [f"      requires: [{{ name: way{level + 1}, from: {{ agent: ann }} }}]", "      transitions:"]
            for next_way in range(WAYS):
                guard = f"context.way{level + 1} == 'w{next_way}'"
                target = f"s{level + 1}_{next_way}"
                lines.append(f'        - {{ toState: {target}, guards: [{{ backend: cel, expression: "{guard}" }}] }}')
    spec = load_valid("\n".join([*lines, "    done: { terminal: true }"]) + "\n")
    assert spec is not None
    return spec


def verdict_at_ask(spec: Spec) -> Verdict:
    assert WAYS**LEVELS > MOST_CYCLES
    found = run(spec, "gated", {"FSM505", "FSM501"}.__contains__, None).verdicts
    (only,) = [verdict for verdict in found if verdict.obligation.subject.state == "ask"]
    return only


@pytest.mark.parametrize(
    ("again", "verdict"), [("true", "violated"), ("context.round >= 0", "violated"), ("context.round < 3", "unknown")]
)
def test_one_loop_without_end_is_found_among_many(again: str, verdict: str) -> None:
    spec = many_loops(again)
    found = verdict_at_ask(spec)
    assert found.verdict == verdict, found.reason
    if verdict == "violated":
        assert found.trace is not None
        assert not replay(spec, parse_trace(json.dumps(dict(found.trace))))
