"""A rule could not be decided at this place.

Every obligation, that is every rule about behaviour at each place that it asks about, is decided within its limits.

## Why it matters
Nothing is known here: the rule may hold or not. Silence would look like a proof. So this is told of whatever rules are
selected, unless it is ignored itself (`--ignore FSM901`, the configuration, or a comment); selected alone, it asks
nothing.

## Example
```yaml
context:
  n: { type: integer }
states:
  work:
    transitions:
      - toState: done
        guards: [{ backend: cel, expression: "context.n * context.n * context.n == 17 * context.n + 1729" }]
```

## How to fix
Make the guards and values that it depends on simpler; where the reason is a limit, more time (`--timeout`) may do.

## Limits
The depth says up to how many steps no violation was found; it is no proof.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.mentions import requirement
from fsmcheck.rules.naming import heading_for, in_full
from fsmcheck.source import Span
from fsmcheck.spec.model import Spec
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    subject = verdict.obligation.subject
    message = f"{verdict.obligation.rule} is undecided for {_worded(spec, subject)}"
    if verdict.reason:
        message += f": {verdict.reason}"
    hint = "simplify the guards and values that it depends on"
    if (verdict.reason or "").startswith("limit reached"):
        hint = f"give it more time with --timeout, or {hint}"
    if (verdict.reason or "").startswith("memory: it took"):
        hint = f"give it more memory with --memory, or {hint}"
    if verdict.depth:
        hint += f"; nothing was found within {verdict.depth} {'step' if verdict.depth == 1 else 'steps'}"
    return RULE.finding(verdict, message, _span(spec, subject), hint)


def _worded(spec: Spec, subject: Subject) -> str:
    parts = []
    if subject.field is not None:
        parts.append(shown(subject.field))
    state = spec.state_by_name.get(subject.state or "")
    if state is not None and subject.transition is not None:
        place = f"{in_full(state, state.transitions[subject.transition])}"
        if subject.other is not None:
            place += f" and {heading_for(state, state.transitions[subject.other])}"
        parts.append(place)
    elif state is not None:
        parts.append(shown(state.name.text))
    return " in ".join(parts) or "the spec"


def _span(spec: Spec, subject: Subject) -> Span:
    state = spec.state_by_name.get(subject.state or "")
    if state is None:
        return spec.initial.span
    if subject.transition is not None:
        return state.transitions[subject.transition].target.span
    asked = requirement(state, subject.field)
    return state.name.span if asked is None else asked.span


RULE = BehaviourRule("FSM901", "undecided", Severity.WARNING, read)
