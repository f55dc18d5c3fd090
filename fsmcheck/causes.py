"""One root, one report: which finding is a consequence of which."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fsmcheck.cel.values import is_empty
from fsmcheck.diagnostics import Cause, Finding
from fsmcheck.spec.model import Action, Constant, Operator, Spec, Write

if TYPE_CHECKING:
    # Most reports have nothing that needs it.
    from fsmcheck.ways import Ways

Details = Mapping[tuple[str, object], Mapping[str, Any]]


class _Links:
    """The findings of one spec, by rule, with what each can be a consequence of."""

    def __init__(self, spec: Spec, findings: Iterable[Finding], details: Details) -> None:
        self.spec = spec
        self.details = details
        self.by_rule: dict[str, list[Finding]] = {}
        for finding in findings:
            self.by_rule.setdefault(finding.rule, []).append(finding)
        self.dead = {
            (finding.subject.state or "", finding.subject.transition or 0): finding
            for finding in self.by_rule.get("FSM303", ())
        }
        self._beyond: dict[tuple[str, int], frozenset[str]] = {}

    def at_state(self, rules: Iterable[str], state: str | None) -> Iterator[Finding]:
        for rule in rules:
            yield from (finding for finding in self.by_rule.get(rule, ()) if finding.subject.state == state)

    @cached_property
    def open(self) -> Ways:
        """The transitions that are not known to be dead."""
        from fsmcheck.ways import Ways

        return Ways(self.spec, self.dead)

    @cached_property
    def all(self) -> Ways:
        """All transitions."""
        from fsmcheck.ways import Ways

        return Ways(self.spec, ())

    def beyond(self, state: str, index: int) -> frozenset[str]:
        """The states that a transition leads to, at once or further on, were all transitions taken."""
        if (state, index) not in self._beyond:
            target = self.spec.state_by_name[state].transitions[index].target.text
            self._beyond[state, index] = self.all.from_states([target])
        return self._beyond[state, index]

    def root(self, finding: Finding) -> Finding | None:
        return next(iter(_FINDERS.get(finding.rule, _none)(self, finding)), None)


def _none(_links: _Links, _finding: Finding) -> Iterator[Finding]:
    return iter(())


def _deadlock(links: _Links, finding: Finding) -> Iterator[Finding]:
    yield from links.at_state(["FSM108"], finding.subject.state)


def _blocked(links: _Links, finding: Finding) -> Iterator[Finding]:
    """What keeps a state from being left, or a transition of it from being taken."""
    subject = finding.subject
    yield from links.at_state(["FSM108", "FSM301", "FSM304", "FSM502"], subject.state)
    for transition in links.spec.state_by_name[subject.state or ""].transitions:
        if subject.transition in (None, transition.index):
            entered = links.spec.state_by_name[transition.target.text]
            written = {write.field.text for action in entered.entry for write in action.writes}
            for failure in links.at_state(["FSM304"], transition.target.text):
                if failure.subject.transition is None and failure.subject.field in written:
                    yield failure


def _no_end(links: _Links, finding: Finding) -> Iterator[Finding]:
    """What blocks the state, or every way from it to a terminal one further on."""
    yield from _blocked(links, finding)
    ends = {state.name.text for state in links.spec.states if state.terminal}
    reached = links.open.from_states([finding.subject.state or ""])
    if reached.isdisjoint(ends):
        for (state, index), dead in links.dead.items():
            if state in reached and not ends.isdisjoint(links.beyond(state, index)):
                yield from _blocked(links, dead)


def _never_set(links: _Links, finding: Finding) -> Iterator[Finding]:
    """What keeps every value of a field from the state whose description shows it."""
    place, name = finding.subject.state or "", finding.subject.field or ""
    field = links.spec.field_by_name[name]
    if field.default is not None and not is_empty(field.default.value):
        return
    unasked = {
        (f.subject.state or "", f.subject.agent or ""): f
        for f in links.by_rule.get("FSM108", ())
        if f.subject.field == name
    }
    if place in links.open.from_states(_set_in(links, links.open, name, unasked)):
        return
    holding = links.all.from_states(_set_in(links, links.all, name, ()))
    if place not in holding:
        return
    reached = links.open.from_states([links.spec.initial.text])
    for (state, _), root in unasked.items():
        onward = links.spec.state_by_name[state].transitions
        if state in reached and any(place in links.beyond(state, each.index) for each in onward):
            yield root
    for (state, index), dead in links.dead.items():
        beyond = links.beyond(state, index)
        if state in reached and place in beyond and (state in holding or not beyond.isdisjoint(holding)):
            yield dead


def _set_in(links: _Links, ways: Ways, field: str, unasked: Container[tuple[str, str]]) -> Iterator[str]:
    """The states that can be entered with a value of a field that was given on the way, or is given on entry."""
    for name in ways.from_states([links.spec.initial.text]):
        state = links.spec.state_by_name[name]
        is_staged = any(req.field.text == field and (name, req.agent.text) not in unasked for req in state.requires)
        if _sets(state.entry, field):
            yield name
        for transition in ways.onward(state):
            if is_staged or _sets(state.exit, field) or _sets(transition.actions, field):
                yield transition.target.text


def _sets(actions: Iterable[Action], field: str) -> bool:
    return any(
        write.field.text == field and not (action.operator is Operator.ASSIGN and _empties(write))
        for action in actions
        for write in action.writes
    )


def _empties(write: Write) -> bool:
    return isinstance(write.value, Constant) and is_empty(write.value.value)


def _never_entered(links: _Links, finding: Finding) -> Iterator[Finding]:
    """A target that only dead transitions, or states that are never entered, lead to."""
    target = finding.subject.state
    unentered = {f.subject.state: f for f in links.by_rule.get("FSM203", ())}
    for state in links.spec.states:
        for transition in state.transitions:
            if transition.target.text != target or state.name.text == target:
                continue
            root = links.dead.get((state.name.text, transition.index)) or unentered.get(state.name.text)
            if root is not None:
                yield root


def _at_field(rules: tuple[str, ...]) -> Callable[[_Links, Finding], Iterator[Finding]]:
    def find(links: _Links, finding: Finding) -> Iterator[Finding]:
        subject = finding.subject
        for rule in rules:
            for other in links.at_state([rule], subject.state):
                if rule == "FSM401" and not _names(links, other, subject.field):
                    continue
                if rule == "FSM401" or other.subject.field == subject.field:
                    yield other

    return find


def _names(links: _Links, finding: Finding, field: str | None) -> bool:
    detail = links.details.get((finding.rule, finding.subject), {})
    return any(entry.get("field") == field for entry in detail.get("fields", ()))


_FINDERS: Mapping[str, Callable[[_Links, Finding], Iterator[Finding]]] = {
    "FSM111": _never_set,
    "FSM203": _never_entered,
    "FSM204": _no_end,
    "FSM205": _deadlock,
    "FSM303": _blocked,
    "FSM403": _at_field(("FSM401",)),
    "FSM404": _at_field(("FSM401", "FSM403")),
    "FSM405": _at_field(("FSM401", "FSM403", "FSM404")),
}


def link(spec: Spec, findings: Iterable[Finding], details: Details) -> tuple[Finding, ...]:
    """The findings, each consequence with its root in ``caused_by``."""
    findings = tuple(findings)
    links = _Links(spec, findings, details)
    linked = []
    for finding in findings:
        root = links.root(finding)
        cause = Cause(root.rule, root.subject) if root is not None else finding.caused_by
        linked.append(replace(finding, caused_by=cause))
    return tuple(linked)
