"""No path of transitions leads from this state to a terminal one.

Guards are not looked at: it is the graph alone that has no path.

## Why it matters
A run that gets here never ends: it stands still or goes round until a cap cuts it off.

## Example
```yaml
states:
  work: { transitions: [{ toState: check }, { toState: done }] }
  check: { transitions: [{ toState: recheck }] }
  recheck: { transitions: [{ toState: check }] }     # round and round
  done: { terminal: true }
```

## How to fix
Add a transition that leads out of the loop, or make the state terminal.

## Limits
Nothing is said where a part of `states` cannot be read.
Where no state is terminal at all only FSM106 is reported. A path in the graph need not be one that a run can take:
FSM204.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.engines.graph import TransitionGraph
from fsmcheck.rules.dangling import dangling, dead_ends
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.wording import shown


def check(document: LoadedDocument) -> Iterator[Finding]:
    spec = document.spec
    if spec is None or not document.is_intact(document.states_span) or not any(state.terminal for state in spec.states):
        return
    graph = TransitionGraph(spec)
    way_out = graph.states_with_way_out()
    causes = dead_ends(spec) | dangling(spec)
    ahead = graph.first_ahead([*dangling(spec), *dead_ends(spec)])
    for state in spec.states:
        name = state.name
        if name.text not in way_out:
            yield RULE.finding(
                f"no transitions lead from {shown(name.text)} to a terminal state",
                name.span,
                "add a transition that leads to a terminal state, or make this one terminal",
                subject=Subject(name.text),
                caused_by=causes.get(ahead.get(name.text, "")),
            )


RULE = Rule("FSM202", "no-way-out", Severity.ERROR, check)
