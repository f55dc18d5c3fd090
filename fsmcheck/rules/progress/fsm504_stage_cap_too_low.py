"""A state can never be left within the caps on exchanges per stage.

For each state that is entered and that some run leaves, some visit that leaves it stays within both
`maxExchangesPerStage` and `maxExchangesPerAgentPerStage`.

## Why it matters
Every run that gets there is cut off there.

## Example
```yaml
states:
  sign:
    requires:
      - { name: first, from: { agent: buyer } }
      - { name: second, from: { agent: seller } }      # two agents, so two exchanges
    transitions: [{ toState: done }]
policy: { maxExchangesPerStage: 1 }
```

## How to fix
Raise the cap to what one visit takes, with room for agents that do not answer everything at once.

## Limits
Only the shortest visit is counted. One agent may stage all that it owes in one exchange.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import number, text
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.naming import state_of
from fsmcheck.spec.model import Policy, Spec
from fsmcheck.spec.wording import shown

_PER_STAGE, _PER_AGENT = "maxExchangesPerStage", "maxExchangesPerAgentPerStage"


def read(spec: Spec, verdict: Verdict) -> Finding:
    state = state_of(spec, verdict.obligation.subject)
    key, cap = _cap(spec.policy, text(verdict, "cap"))
    fewest = number(verdict, "fewest")
    message = f'{shown(state.name.text)} cannot be left within "{key}" {cap}'
    if fewest is not None:
        message += f": it takes at least {fewest} exchanges" + (" with one agent" if key == _PER_AGENT else "")
    hint = "raise it" if fewest is None else f"raise it to at least {fewest}"
    related = tuple(
        Related(f"{shown(req.field.text)} is asked for from {shown(req.agent.text)}", req.span)
        for req in state.requires
    )
    return RULE.finding(verdict, message, spec.policy.place(key) or state.name.span, hint, related=related)


def _cap(policy: Policy, named: str) -> tuple[str, int | None]:
    """The cap that is too low: the one named, else the one for all agents, which is the harder to keep."""
    caps = {_PER_STAGE: policy.max_exchanges_per_stage, _PER_AGENT: policy.max_exchanges_per_agent_per_stage}
    key = named if named in caps else _PER_STAGE if caps[_PER_STAGE] is not None else _PER_AGENT
    return key, caps[key]


RULE = BehaviourRule("FSM504", "stage-cap-too-low", Severity.ERROR, read)
