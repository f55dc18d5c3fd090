"""Leaving a state on earlier answers: FSM401, FSM402, FSM403, FSM404."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Subject
from fsmcheck.reducer.guards import guard_result
from fsmcheck.reducer.mentions import mentioned_by_action, mentioned_by_guards
from fsmcheck.reducer.monitors.candidates import candidates
from fsmcheck.reducer.monitors.moments import Leaving
from fsmcheck.reducer.monitors.violation import Violation, histories, violation
from fsmcheck.reducer.record import Phase
from fsmcheck.spec.model import Spec, Transition


def without_exchange(spec: Spec, moment: Leaving) -> Iterator[Violation]:
    """FSM401, or else FSM402: nobody was asked in this visit."""
    if moment.ledger.exchanged:
        return
    taken, ledger = moment.taken, moment.ledger
    state = spec.state_by_name[taken.source]
    stale = ledger.stale_in(taken.source)
    read = stale & mentioned_by_guards(state.transitions[taken.transition])
    complete = bool(state.requires) and not taken.search.unmet
    subject = Subject(state=taken.source)
    if taken.source in ledger.visited and (read or (complete and stale)):
        fields = histories(stale if complete else read, taken.before, ledger)
        reason = "guards-read-stale" if read else "complete-and-stale"
        yield violation("FSM401", subject, moment.step, moment.microstep, reason, fields, transition=taken.transition)
    elif complete:
        fields = histories((req.field.text for req in state.requires), taken.before, ledger)
        yield violation(
            "FSM402", subject, moment.step, moment.microstep, "complete-on-entry", fields, transition=taken.transition
        )


def re_fires(spec: Spec, moment: Leaving) -> Iterator[Violation]:
    """FSM403: the guards of the transition taken were decided by a stale answer."""
    taken, ledger = moment.taken, moment.ledger
    transition = spec.state_by_name[taken.source].transitions[taken.transition]
    for name in sorted(ledger.stale_in(taken.source) & mentioned_by_guards(transition)):
        if _could_be_false(spec, transition, name, moment):
            subject = Subject(state=taken.source, transition=taken.transition, field=name)
            fields = histories([name], taken.before, ledger)
            yield violation("FSM403", subject, moment.step, moment.microstep, "stale-trigger", fields)


def _could_be_false(spec: Spec, transition: Transition, name: str, moment: Leaving) -> bool:
    """Whether some other set value of the field would have made the guards false in the same store."""
    store = moment.taken.before
    guards = tuple(enumerate(transition.guards))
    for value in candidates(spec.field_by_name[name].type, name, transition, store):
        other = store.updated({name: value})
        if not all(guard_result(index, guard, other).holds for index, guard in guards):
            return True
    return False


def stale_evidence(_spec: Spec, moment: Leaving) -> Iterator[Violation]:
    """FSM404: an action of the state being left uses a stale answer."""
    taken, ledger = moment.taken, moment.ledger
    stale = ledger.stale_in(taken.source)
    for effect in taken.effects:
        if effect.phase is Phase.ENTRY:
            continue
        for name in sorted(stale & mentioned_by_action(effect.action)):
            subject = Subject(state=effect.state, transition=effect.transition, field=name)
            yield violation(
                "FSM404",
                subject,
                moment.step,
                moment.microstep,
                "stale-in-action",
                histories([name], taken.before, ledger),
                transition=taken.transition,
                phase=effect.phase.value,
                targets=[write.field.text for write in effect.action.writes],
            )
