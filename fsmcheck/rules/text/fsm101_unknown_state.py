"""A name stands for a state that is not declared.

`initialState`, `toState` and `canTransition` name keys of `states`.

## Why it matters
A machine cannot enter a state that does not exist: depending on the reducer the run crashes or stands still.

## Example
```yaml
initialState: plann      # declared is plan
```

## How to fix
Correct the spelling, or declare the state.

## Limits
Names are compared exactly, upper and lower case included.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.model import Name, Spec
from fsmcheck.spec.splice import respelling
from fsmcheck.spec.wording import shown
from fsmcheck.spelling import suggestion


def check(document: LoadedDocument) -> Iterator[Finding]:
    spec = document.spec
    if spec is None:
        return
    for name, what, subject in _names(spec):
        if name.text not in spec.state_by_name:
            message = f"{what} {shown(name.text)}, which is not a declared state"
            hint = suggestion(name.text, spec.state_by_name, "states")
            fix = respelling(spec.source.text, name.span, name.text, spec.state_by_name)
            yield RULE.finding(message, name.span, hint, subject=subject, fix=fix)


def _names(spec: Spec) -> Iterator[tuple[Name, str, Subject]]:
    yield spec.initial, "the run starts in", Subject()
    for agent in spec.agents:
        for name in agent.can_transition:
            yield name, f"{shown(agent.name.text)} may act in", Subject(agent=agent.name.text)
    for state in spec.states:
        for transition in state.transitions:
            yield transition.target, "the transition leads to", Subject(state.name.text, transition.index)


RULE = Rule("FSM101", "unknown-state", Severity.ERROR, check)
