"""What actions lose and what they record: FSM406, FSM407."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel.types import Kind
from fsmcheck.diagnostics import Subject
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.mentions import mentioned_by_action
from fsmcheck.reducer.monitors.moments import Acting
from fsmcheck.reducer.monitors.uses import used_fields
from fsmcheck.reducer.monitors.violation import Violation, histories, violation
from fsmcheck.spec.model import Operator, Spec


def evidence_lost(_spec: Spec, moment: Acting) -> Iterator[Violation]:
    """FSM406: an ``assign`` empties an agent's value that nothing has looked at; its own values look first."""
    effect = moment.effect
    if effect.action.operator is not Operator.ASSIGN:
        return
    unread = moment.ledger.unread - mentioned_by_action(effect.action)
    for write in effect.action.writes:
        name = write.field.text
        if name in unread and effect.before.is_set(name) and not effect.after.is_set(name):
            fields = histories([name], effect.before, moment.ledger)
            yield _about("FSM406", moment, name, "emptied-unread", fields)


def records_empty(spec: Spec, moment: Acting) -> Iterator[Violation]:
    """FSM407: a value uses a string or enum that is empty."""
    effect = moment.effect
    used = {name for write in effect.action.writes for name in used_fields(write.value, effect.before)}
    for name in sorted(used):
        kind = spec.field_by_name[name].type.kind
        if kind in (Kind.STRING, Kind.ENUM) and not effect.before.is_set(name):
            yield _about("FSM407", moment, name, "empty-in-action", histories([name], effect.before, moment.ledger))


def _about(rule: str, moment: Acting, name: str, reason: str, fields: list[dict[str, JsonValue]]) -> Violation:
    effect = moment.effect
    subject = Subject(state=effect.state, transition=effect.transition, field=name)
    return violation(
        rule,
        subject,
        moment.step,
        moment.microstep,
        reason,
        fields,
        phase=effect.phase.value,
        targets=[write.field.text for write in effect.action.writes],
    )
