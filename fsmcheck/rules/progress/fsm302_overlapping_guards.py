"""The guards of two transitions can hold at once, and only their order decides.

For two guarded transitions of a state, in all stores that a run has there with the requirements met: their guards are
never both true, or those of one imply those of the other, or both transitions lead to the same state and do the same.

## Why it matters
A case that both were written for goes to the first. Moving a transition, or adding one above, changes what the machine
does without a word.

## Example
```yaml
transitions:
  - { toState: urgent, guards: [{ backend: cel, expression: "context.size > 10" }] }
  - { toState: cheap, guards: [{ backend: cel, expression: "context.price < 5" }] }    # and if both?
```

## How to fix
Say in the guards which one is meant where both would hold. A specific transition before a general one is fine, and is
not reported.

## Limits
It is a note only where the two guards have no field in common: an exit on a budget before the guards on an outcome,
say. Transitions without guards are not compared.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.mentions import guard_expressions, mentioned
from fsmcheck.rules.naming import heading_for, names, state_of, transition_of
from fsmcheck.source import Span
from fsmcheck.spec.model import Spec, Transition
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    subject = verdict.obligation.subject
    state, earlier = state_of(spec, subject), transition_of(spec, subject)
    later = state.transitions[subject.other or 0]
    common = mentioned(guard_expressions(earlier)) & mentioned(guard_expressions(later))
    message = (
        f"in {shown(state.name.text)} the guards of {heading_for(state, earlier)} and of {heading_for(state, later)}"
        " can both be true: only their order decides"
    )
    hint = (
        f"make them exclude each other on {names(sorted(common))}"
        if common
        else "say in the guards which one is meant where both would hold"
    )
    related = (Related("the other guards", _guards(later)),)
    severity = None if common else Severity.INFO
    return RULE.finding(verdict, message, _guards(earlier), hint, related=related, severity=severity)


def _guards(transition: Transition) -> Span:
    spans = [guard.expression.span if guard.expression else guard.span for guard in transition.guards]
    return Span(spans[0].start, spans[-1].end) if spans else transition.target.span


RULE = BehaviourRule("FSM302", "overlapping-guards", Severity.WARNING, read)
