"""An action can write a value that is made of an empty text.

The value of an `append`, `put` or `assign` never uses a string or an enum that is empty, other than to compare or test
it.

## Why it matters
The record has a hole in it, and nothing says so: text put together from nothing is still text.

## Example
```yaml
onTransition:
  - assign: { outcome: "", result: "" }
  - append: { history: "${ context.result }" }    # emptied just above
```

## How to fix
Record first and empty afterwards. Where the field may be missing, test it: `context.result != '' ? … : …`.

## Limits
`==`, `!=`, `has`, `size` and the condition of `?:` are tests; every other operator uses its operands. Under the eager
profile a state can be left before all its requirements are met: guards that name only one of them let the others be
empty.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import text, texts
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.mentions import requirement, value_mention
from fsmcheck.rules.naming import names, state_of
from fsmcheck.source import Span
from fsmcheck.spec.model import Action, Constant, Operator, Spec, State
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    subject = verdict.obligation.subject
    state, field = state_of(spec, subject), subject.field or ""
    actions = _actions(state, subject.transition, text(verdict, "phase"))
    found = _using(actions, field, texts(verdict, "targets"))
    action, span = found or (None, state.name.span)
    into = names(dict.fromkeys(write.field.text for write in action.writes)) if action else "a field"
    message = f"the value for {into} can use {shown(field)} while it is empty"
    emptied = None if action is None else _emptied_before(actions, action, field)
    related = (Related(f"{shown(field)} is emptied here", emptied),) if emptied is not None else ()
    return RULE.finding(verdict, message, span, _help(state, verdict, emptied), related=related)


def _actions(state: State, transition: int | None, phase: str) -> tuple[Action, ...]:
    if transition is not None:
        return state.transitions[transition].actions
    return {"entry": state.entry, "exit": state.exit}.get(phase) or (*state.entry, *state.exit)


def _using(actions: tuple[Action, ...], field: str, targets: tuple[str, ...]) -> tuple[Action, Span] | None:
    fitting = [action for action in actions if tuple(write.field.text for write in action.writes) == targets]
    return value_mention(fitting, field) or value_mention(actions, field)


def _emptied_before(actions: tuple[Action, ...], action: Action, field: str) -> Span | None:
    for earlier in actions[: actions.index(action)]:
        for write in earlier.writes if earlier.operator is Operator.ASSIGN else ():
            if write.field.text == field and isinstance(write.value, Constant):
                return write.span
    return None


def _help(state: State, verdict: Verdict, emptied: Span | None) -> str:
    field = verdict.obligation.subject.field or ""
    if emptied is not None:
        return "move this before the assign that empties it"
    if requirement(state, field) is not None and verdict.obligation.profile == "eager":
        return f"make the guards wait for it: \"context.{field} != ''\""
    return f"test it: \"context.{field} != '' ? … : …\""


RULE = BehaviourRule("FSM407", "records-empty", Severity.WARNING, read)
