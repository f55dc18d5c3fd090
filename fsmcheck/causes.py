"""One root, one report: which finding is a consequence of which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fsmcheck.diagnostics import Cause, Finding
from fsmcheck.spec.model import Spec

Details = Mapping[tuple[str, object], Mapping[str, Any]]


class _Links:
    """The findings of one spec, by rule, with what each can be a consequence of."""

    def __init__(self, spec: Spec, findings: Iterable[Finding], details: Details) -> None:
        self.spec = spec
        self.details = details
        self.by_rule: dict[str, list[Finding]] = {}
        for finding in findings:
            self.by_rule.setdefault(finding.rule, []).append(finding)

    def at_state(self, rules: Iterable[str], state: str | None) -> Iterator[Finding]:
        for rule in rules:
            yield from (finding for finding in self.by_rule.get(rule, ()) if finding.subject.state == state)

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


def _never_entered(links: _Links, finding: Finding) -> Iterator[Finding]:
    """A target that only dead transitions, or states that are never entered, lead to."""
    target = finding.subject.state
    dead = {(f.subject.state, f.subject.transition): f for f in links.by_rule.get("FSM303", ())}
    unentered = {f.subject.state: f for f in links.by_rule.get("FSM203", ())}
    for state in links.spec.states:
        for transition in state.transitions:
            if transition.target.text != target or state.name.text == target:
                continue
            root = dead.get((state.name.text, transition.index)) or unentered.get(state.name.text)
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
    "FSM203": _never_entered,
    "FSM204": _blocked,
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
