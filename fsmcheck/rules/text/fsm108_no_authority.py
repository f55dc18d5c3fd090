"""A state requires something from an agent that may not act there.

The agent of a requirement has the state in its `canTransition`.

## Why it matters
The agent is summoned and every exchange it makes is rejected, so the requirement is never met by it.

## Example
```yaml
agents:
  planner: { canTransition: [plan, finish] }
states:
  abort:
    requires:
      - { name: summary, from: { agent: planner } }    # abort is missing above
```

## How to fix
Add the state to the agent's `canTransition`, or ask an agent that may act there.

## Limits
Terminal states are left out, since nobody is asked there. Whether the machine gets to the state at all is not looked
at.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Finding, Fix, Related, Severity, Subject
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.model import Agent, Spec
from fsmcheck.spec.splice import after_item, scalar
from fsmcheck.spec.wording import shown


def check(document: LoadedDocument) -> Iterator[Finding]:
    spec = document.spec
    if spec is None:
        return
    for state in spec.states:
        for requirement in () if state.terminal else state.requires:
            agent = spec.agent_by_name.get(requirement.agent.text)
            name, field = state.name.text, requirement.field.text
            if agent is None or not document.is_intact(agent.span):
                continue
            if name in {allowed.text for allowed in agent.can_transition}:
                continue
            who = agent.name.text
            yield RULE.finding(
                f"{shown(name)} requires {shown(field)} from {shown(who)}, who may not act there",
                requirement.agent.span,
                f'add {shown(name)} to "canTransition" of {shown(who)}',
                subject=Subject(name, field=field, agent=who),
                related=(Related(f"the states in which {shown(who)} may act", agent.name.span),),
                fix=_permission(spec, agent, name),
            )


def _permission(spec: Spec, agent: Agent, state: str) -> Fix | None:
    if not agent.can_transition:
        return None
    text, first, last = spec.source.text, agent.can_transition[0].span, agent.can_transition[-1].span
    title = f'add {shown(state)} to "canTransition" of {shown(agent.name.text)}'
    return Fix(title, (after_item(text, first, last, scalar(state, text, last)),))


RULE = Rule("FSM108", "no-authority", Severity.ERROR, check)
