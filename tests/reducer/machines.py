"""Specs and runs for the tests of the reducer."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from fsmcheck.diagnostics import Subject
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.monitors import violations
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.reducer import MICROSTEP_LIMIT, exchange, start
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from fsmcheck.spec.model import Spec

Exchange = tuple[str, Mapping[str, object]]
Found = tuple[str, dict[str, str | int], int]


def spec_of(text: str) -> Spec:
    """The spec of a document whose ``fsm`` is ``text``."""
    (document,) = load(SourceFile("spec.yaml", "fsm:\n" + textwrap.indent(textwrap.dedent(text), "  ")))
    assert not document.faults, document.faults
    assert document.spec is not None
    return document.spec


def run_of(
    spec: Spec,
    *exchanges: Exchange,
    profile: Profile = "gated",
    inputs: Mapping[str, object] | None = None,
    caps: bool = True,
    microstep_limit: int = MICROSTEP_LIMIT,
) -> list[Step]:
    run = [start(spec, inputs or {}, profile, caps=caps, microstep_limit=microstep_limit)]
    for agent, writes in exchanges:
        before = run[-1].configuration
        run.append(exchange(spec, before, agent, writes, profile, caps=caps, microstep_limit=microstep_limit))
    return run


def statuses(run: Sequence[Step]) -> list[str]:
    return [f"{step.configuration.state} {step.configuration.status}" for step in run]


def breaches(spec: Spec, run: Sequence[Step], *rules: str, profile: Profile = "gated") -> list[Found]:
    """Rule, subject and step of the violations of some rules, or of all."""
    return [
        (found.rule, found.subject.as_dict(), found.step)
        for found in violations(spec, profile, run)
        if not rules or found.rule in rules
    ]


def at(state: str, transition: int | None = None, field: str | None = None) -> dict[str, str | int]:
    return Subject(state=state, transition=transition, field=field).as_dict()


def loop(*kept: str) -> Spec:
    """The planner and the executor; of the three triggers those in ``kept`` survive the edge back."""
    emptied = ", ".join(f'{name}: ""' for name in ("directive", "outcome", "result") if name not in kept)
    return spec_of(f"""
        initialState: plan
        context:
          plan: {{ type: string }}
          directive: {{ type: string }}
          result: {{ type: string }}
          outcome: {{ type: enum, values: [done, replan] }}
          history: {{ type: list, of: string }}
        agents:
          planner: {{ canTransition: [plan, replan] }}
          executor: {{ canTransition: [execute] }}
        states:
          plan:
            requires: [{{ name: plan, from: {{ agent: planner }} }}, {{ name: directive, from: {{ agent: planner }} }}]
            transitions: [{{ toState: execute }}]
          execute:
            description: "{{{{ context.directive }}}}"
            requires:
              - {{ name: result, from: {{ agent: executor }} }}
              - {{ name: outcome, from: {{ agent: executor }} }}
            exit: [{{ append: {{ history: "${{context.directive + ': ' + context.result}}" }} }}]
            transitions:
              - toState: done
                guards: [{{ backend: cel, expression: "context.outcome == 'done'" }}]
              - toState: replan
                guards: [{{ backend: cel, expression: "context.outcome == 'replan'" }}]
                onTransition: [{{ assign: {{ {emptied} }} }}]
          replan:
            requires: [{{ name: plan, from: {{ agent: planner }} }}, {{ name: directive, from: {{ agent: planner }} }}]
            transitions: [{{ toState: execute }}]
          done: {{ terminal: true }}
    """)
