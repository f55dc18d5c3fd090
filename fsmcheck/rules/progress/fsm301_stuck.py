"""The machine can get stuck: every requirement is met and no transition is enabled.

In no reachable configuration of a state that is not terminal are all requirements met and all transitions closed.

## Why it matters
Nobody is summoned any more, so nothing can ever happen: the run hangs without an error.

## Example
```yaml
context:
  outcome: { type: enum, values: [done, replan, abort] }
states:
  execute:
    requires: [{ name: outcome, from: { agent: executor } }]
    transitions:                                       # and what of abort?
      - { toState: finish, guards: [{ backend: cel, expression: "context.outcome == 'done'" }] }
      - { toState: replan, guards: [{ backend: cel, expression: "context.outcome == 'replan'" }] }
```

## How to fix
Add a transition for the case that is missing, or a last one without guards.

## Limits
A guard that fails to evaluate counts as false here, as it does in a run; FSM304 reports the failure itself. The caps of
`policy` are not assumed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import Held, held
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.mentions import guard_expressions, mentioned
from fsmcheck.rules.naming import listed, state_of
from fsmcheck.spec.model import Spec, State
from fsmcheck.spec.wording import LONGEST_SHOWN, shown

_MOST_NAMED = 4


def read(spec: Spec, verdict: Verdict) -> Finding:
    state = state_of(spec, verdict.obligation.subject)
    name = shown(state.name.text)
    case = listed(_telling(state, verdict))
    message = f"{name} can have every requirement met and no transition enabled" + (f": with {case}" if case else "")
    hint = "add a transition for this case, or a last one without guards" if state.transitions else "add a transition"
    return RULE.finding(verdict, message, state.name.span, hint)


def _telling(state: State, verdict: Verdict) -> Iterator[str]:
    """The values, in the run, of the fields that the guards look at; the first few of them and how many more."""
    read_here = mentioned(e for transition in state.transitions for e in guard_expressions(transition))
    items = [item for item in held(verdict) if item.field in read_here]
    yield from map(_worded, items[:_MOST_NAMED])
    if len(items) > _MOST_NAMED:
        yield f"{len(items) - _MOST_NAMED} more"


def _worded(item: Held) -> str:
    return f"{shown(item.field)} {_value(item.value)}"


def _value(value: object) -> str:
    if value in (None, "", [], {}):
        return "empty"
    if isinstance(value, str):
        return shown(value)
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


RULE = BehaviourRule("FSM301", "stuck", Severity.ERROR, read)
