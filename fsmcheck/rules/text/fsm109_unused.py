"""A field, an agent or a permission serves no purpose.

Every field is read or written somewhere, every agent is required somewhere, and for every state in an agent's
`canTransition` that state requires something from the agent.

## Why it matters
It is either left over, or the place that should use it is missing or misspelt.

## Example
```yaml
agents:
  planner: { canTransition: [plan, execute] }    # execute asks only the executor
```

## How to fix
Remove it, or add the requirement, guard, action or template that was meant to use it.

## Limits
Nothing is said where a part of `states` cannot be read.
A field counts as used wherever it is named: in `requires`, actions, guards or descriptions. Guards of other backends
are not searched, so nothing is said of fields where there is one. User properties are not searched
either. A name that is misspelt where it is used is reported as that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.rules.places import expressions_of, fields_named_in, writes_of
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.model import Spec
from fsmcheck.spec.wording import shown
from fsmcheck.spelling import nearest


def check(document: LoadedDocument) -> Iterator[Finding]:
    if document.spec is not None and document.is_intact(document.states_span):
        yield from _fields(document.spec)
        yield from _agents(document.spec)


def _fields(spec: Spec) -> Iterator[Finding]:
    guards = (guard for state in spec.states for transition in state.transitions for guard in transition.guards)
    if any(guard.expression is None for guard in guards):
        return
    used = {requirement.field.text for state in spec.states for requirement in state.requires}
    used.update(place.write.field.text for place in writes_of(spec))
    for place in expressions_of(spec):
        used |= fields_named_in(place.expression)
    known = used | _likely_meant(used, spec.field_by_name)
    for field in spec.fields:
        name = field.name
        if name.text not in known:
            message = f"the field {shown(name.text)} is neither read nor written"
            yield RULE.finding(message, name.span, "remove it, or use it", subject=Subject(field=name.text))


def _agents(spec: Spec) -> Iterator[Finding]:
    asked = {(state.name.text, requirement.agent.text) for state in spec.states for requirement in state.requires}
    names = {name for _, name in asked}
    meant = _likely_meant(names, spec.agent_by_name)
    for agent in spec.agents:
        who = agent.name.text
        if who in meant and who not in names:
            continue
        if who not in names:
            message = f"nothing is required from the agent {shown(who)}"
            yield RULE.finding(message, agent.name.span, "remove it, or require something", subject=Subject(agent=who))
            continue
        for allowed in agent.can_transition:
            if allowed.text in spec.state_by_name and (allowed.text, who) not in asked:
                message = f"{shown(who)} may act in {shown(allowed.text)}, which requires nothing from it"
                hint = f'remove {shown(allowed.text)} from "canTransition", or require something there'
                yield RULE.finding(message, allowed.span, hint, subject=Subject(allowed.text, agent=who))


def _likely_meant(used: Collection[str], declared: Collection[str]) -> set[str]:
    """The declared names that a misspelt one stands for; FSM102 or FSM103 reports the misspelling."""
    found = (nearest(name, declared) for name in used if name not in declared)
    return {name for name in found if name is not None}


RULE = Rule("FSM109", "unused", Severity.WARNING, check)
