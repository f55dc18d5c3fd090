"""The rules about behaviour, watched on runs as they happen.

What the monitors of ``reducer.monitors`` find at a step depends, but for a few cases that are recognised here, on
nothing but which fields are set at its turns, the way it took, and the bookkeeping before it. Production repeats
those all the time, whatever its texts are. So what was found is kept under them, and each is judged once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace

from fsmcheck.cel.ast import Binary, BinaryOp, Comprehension, Conditional, Expr, walk
from fsmcheck.cel.types import Kind
from fsmcheck.diagnostics import Subject
from fsmcheck.records import dataclass
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.mentions import mentioned_by_guards, mentioned_by_value
from fsmcheck.reducer.monitors import Violation, judged
from fsmcheck.reducer.monitors.ledger import Ledger, Origin
from fsmcheck.reducer.monitors.moments import Acting, Leaving, Moment, step_moments
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.runnable import expressions
from fsmcheck.spec.model import ActionValue, Spec

MOST_KEPT = 20_000

Breach = tuple[str, Subject]
_Control = tuple[frozenset[tuple[str, str]], frozenset[str], frozenset[str], bool]


@dataclass(frozen=True, slots=True)
class _Finding:
    """What was found once: the breaches, the bookkeeping after, the fields that actions wrote."""

    breaches: tuple[Breach, ...]
    control: _Control
    written: tuple[str, ...]


class Judge:
    """Judges step after step of many runs of one spec."""

    __slots__ = ("_kept", "_most", "_spec")

    def __init__(self, spec: Spec, most_kept: int = MOST_KEPT) -> None:
        self._spec = spec
        self._kept: OrderedDict[Hashable, _Finding] = OrderedDict()
        self._most = most_kept

    def breaches(self, number: int, step: Step, ledger: Ledger) -> tuple[tuple[Breach, ...], Ledger]:
        """The rules that a step breaks and where, and the bookkeeping after it."""
        if _has_faults(step):
            found, after = self.violations(number, step, ledger)
            return tuple((each.rule, each.subject) for each in found), after
        key = _signature(step, ledger)
        kept = self._kept.get(key)
        if kept is None:
            return self._first(number, step, ledger, key)
        self._kept.move_to_end(key)
        return kept.breaches, _advanced(kept, number, step, ledger)

    def violations(self, number: int, step: Step, ledger: Ledger) -> tuple[tuple[Violation, ...], Ledger]:
        """The same from scratch, with all that there is to tell."""
        found, after = step_moments(self._spec, number, step, ledger)
        return tuple(each for moment in found for each in judged(self._spec, moment)), after

    def _first(self, number: int, step: Step, ledger: Ledger, key: Hashable) -> tuple[tuple[Breach, ...], Ledger]:
        found, after = step_moments(self._spec, number, step, ledger)
        breaches = tuple((each.rule, each.subject) for moment in found for each in judged(self._spec, moment))
        if not any(self._depends_on_values(moment) for moment in found):
            self._kept[key] = _Finding(breaches, _control(after), tuple(_written(found)))
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return breaches, after

    def _depends_on_values(self, moment: Moment) -> bool:
        """Whether a monitor looks at more than whether fields are set."""
        if isinstance(moment, Leaving):
            transition = self._spec.state_by_name[moment.taken.source].transitions[moment.taken.transition]
            return bool(moment.ledger.stale_in(moment.taken.source) & mentioned_by_guards(transition))
        if isinstance(moment, Acting):
            return any(self._is_undecided(write.value, moment) for write in moment.effect.action.writes)
        return False

    def _is_undecided(self, value: ActionValue, moment: Acting) -> bool:
        """Whether it takes an evaluation to say if the value uses an empty text."""
        if not any(_branches(expression.ast) for expression in expressions(value) if expression.ast is not None):
            return False
        return any(
            self._spec.field_by_name[name].type.kind in (Kind.STRING, Kind.ENUM)
            and name not in moment.effect.before.set_fields
            for name in mentioned_by_value(value)
        )


def _branches(ast: Expr) -> bool:
    return any(
        isinstance(node, Conditional | Comprehension)
        or (isinstance(node, Binary) and node.op in (BinaryOp.AND, BinaryOp.OR))
        for node in walk(ast)
    )


def _has_faults(step: Step) -> bool:
    """Whether anything failed to evaluate, or the advance did not end by itself: judged anew each time."""
    advance = step.advance
    if advance.failure is not None or step.configuration.status in ("no-progress", "runaway"):
        return True
    searches = [microstep.search for microstep in advance.microsteps]
    if advance.last is not None:
        searches.append(advance.last)
    return any(result.fault is not None for search in searches for tried in search.tried for result in tried.guards)


def _signature(step: Step, ledger: Ledger) -> Hashable:
    configuration, advance = step.configuration, step.advance
    way = [
        (taken.source, taken.transition, taken.before.set_fields, *(each.after.set_fields for each in taken.effects))
        for taken in advance.microsteps
    ]
    opening = [(each.before.set_fields, each.after.set_fields) for each in advance.opening]
    return (
        ledger.stale,
        ledger.unread,
        ledger.visited,
        ledger.exchanged,
        step.agent is None,
        step.rejected is not None or frozenset(step.given),
        configuration.state,
        configuration.status,
        configuration.store.set_fields,
        tuple(way),
        tuple(opening),
    )


def _control(ledger: Ledger) -> _Control:
    return ledger.stale, ledger.unread, ledger.visited, ledger.exchanged


def _written(found: tuple[Moment, ...]) -> Iterator[str]:
    for moment in found:
        if isinstance(moment, Acting):
            yield from (write.field.text for write in moment.effect.action.writes)


def _advanced(kept: _Finding, number: int, step: Step, ledger: Ledger) -> Ledger:
    origins = ledger.origins
    staged = step.given if step.rejected is None and step.agent is not None else {}
    if staged or kept.written:
        origins = dict(origins)
        if staged:
            origins.update(dict.fromkeys(staged, Origin("staged", number, step.agent)))
        if kept.written:
            origins.update(dict.fromkeys(kept.written, Origin("action", number)))
    return Ledger(*kept.control, origins)


def joined(ledger: Ledger) -> Ledger:
    """The bookkeeping of a run that is met in its middle: who acted in this visit is not known, so somebody did."""
    return replace(ledger, exchanged=True)


def is_known(spec: Spec, found: Violation) -> bool:
    """Whether a breach in a run that was met in its middle is certainly one.

    That nobody was asked may also be because of an answer to a visit before the log began, which is another rule.
    """
    if found.rule != "FSM402":
        return True
    fields = found.detail["fields"]
    return isinstance(fields, list) and all(_is_renewed(spec, item) for item in fields if isinstance(item, dict))


def _is_renewed(spec: Spec, item: Mapping[str, JsonValue]) -> bool:
    collection = spec.field_by_name[str(item["field"])].type.kind in (Kind.LIST, Kind.MAP)
    return item["origin"] == "staged" or (item["origin"] == "action" and not collection)
