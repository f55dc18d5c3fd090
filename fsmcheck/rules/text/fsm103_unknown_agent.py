"""A requirement asks an agent that is not declared.

`requires[].from.agent` names a key of `agents`.

## Why it matters
Nobody is there to be asked: the state waits for ever.

## Example
```yaml
agents:
  planner: { canTransition: [plan] }
states:
  plan:
    requires:
      - { name: roadmap, from: { agent: planer } }
```

## How to fix
Correct the spelling, or declare the agent with the states in which it may act.

## Limits
Names are compared exactly, upper and lower case included.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.splice import respelling
from fsmcheck.spec.wording import shown
from fsmcheck.spelling import suggestion


def check(document: LoadedDocument) -> Iterator[Finding]:
    spec = document.spec
    if spec is None:
        return
    for state in spec.states:
        for requirement in state.requires:
            agent = requirement.agent
            if agent.text not in spec.agent_by_name:
                field = requirement.field.text
                yield RULE.finding(
                    f"{shown(field)} is required from {shown(agent.text)}, which is not a declared agent",
                    agent.span,
                    suggestion(agent.text, spec.agent_by_name, "agents"),
                    subject=Subject(state.name.text, field=field, agent=agent.text),
                    fix=respelling(spec.source.text, agent.span, agent.text, spec.agent_by_name),
                )


RULE = Rule("FSM103", "unknown-agent", Severity.ERROR, check)
