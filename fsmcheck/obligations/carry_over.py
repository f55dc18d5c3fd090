"""What was found of a spec before its guards were written differently, where they decide the same.

Kept of a complete search, which Z3 confirmed: the texts of the guards, and the values with which each state is
evaluated.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fsmcheck.diagnostics import Subject
from fsmcheck.kept_trace import KeptTrace
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.confirm import overlap_finder, violation_finder
from fsmcheck.obligations.kept_search import kept_members, members_of
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question, Verdict
from fsmcheck.obligations.recheck import SEARCHED_TWICE
from fsmcheck.obligations.reruns import Reruns
from fsmcheck.obligations.same_guards import (
    Asked,
    Before,
    decide_the_same,
    guards_of,
    variables_digest,
    with_guards,
)
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.trace import identity
from fsmcheck.same_json import same_json
from fsmcheck.spec.model import Spec
from fsmcheck.system.events import BOTH

Key = tuple[str, Subject]
Found = tuple[dict[Key, Verdict], tuple[Obligation, ...]]
"""Verdicts, and the obligations in their order."""

MOST_CHANGED = 20
"""States with other guards from which on nobody asks whether they decide the same."""


def kept_for_later(case: Case) -> dict[str, object]:
    """What ``carried_over`` has to know of a case, as plain JSON data."""
    variables = case.whole.system.variables
    return {
        "guards": {state.name.text: guards_of(state) for state in case.spec.states},
        "variables": variables_digest(variables),
        "width": len(variables),
        "members": kept_members(case.whole),
    }


def carried_over(
    row: Mapping[str, Any],
    found: tuple[Sequence[Verdict], Sequence[Obligation]],
    spec: Spec,
    profile: Profile,
    rules: Container[str],
) -> Found | None:
    """The verdicts and the plan of a spec, from those found of one that differs only in its guards; None where these
    may decide otherwise, or a violation is not shown again.

    Raises:
        LookupError, TypeError, AttributeError, ValueError: what was kept is of another form.
    """
    kept, plan = found
    guards = {state.name.text: guards_of(state) for state in spec.states}
    before = {name: tuple(map(tuple, texts)) for name, texts in row["guards"].items()}
    changed = frozenset(name for name in guards if guards[name] != before[name])
    asked = _asked(row, {name: before[name] for name in changed}, spec, profile) if changed else Asked()
    if asked is None or any(_tells_of_guards(verdict, changed) for verdict in kept):
        return None
    again = _Again(spec, profile, changed)
    known: dict[Key, Verdict] = {}
    for verdict in kept:
        still = again.judged(verdict) if verdict.trace is not None else verdict
        if still is None:
            return None
        known[still.obligation.rule, still.obligation.subject] = still
    return _with_asked(known, plan, asked, profile, rules)


def _asked(
    row: Mapping[str, Any], before: Mapping[str, Sequence[Sequence[str]]], spec: Spec, profile: Profile
) -> Asked | None:
    old = with_guards(spec, before) if len(before) <= MOST_CHANGED else None
    if old is None:
        return None
    members = {name: members_of(row["members"], name, row["width"]) for name in before}
    return decide_the_same(Before(old, row["variables"], members), spec, profile, frozenset(before))


def _tells_of_guards(verdict: Verdict, changed: frozenset[str]) -> bool:
    """Whether a verdict says why, in terms of guards that have changed."""
    about = verdict.obligation.rule == "FSM303" and verdict.obligation.subject.state in changed
    return about and verdict.verdict == "violated"


class _Again:
    """Violations of a spec before some guards were changed, as those of the spec as it is now."""

    def __init__(self, spec: Spec, profile: Profile, changed: frozenset[str]) -> None:
        self._changed = changed
        self._before: Mapping[str, Any] | None = None
        self._identity = identity(spec)
        self._reruns = Reruns(spec, profile)

    def judged(self, verdict: Verdict) -> Verdict | None:
        """A violation with the trace of its run on the spec as it is now. Where that comes through a state whose guards
        have changed it is performed again; None where it does not come out the same, or is judged otherwise."""
        if not isinstance(verdict.trace, KeptTrace):
            return None
        if self._before is None:
            self._before = verdict.trace.form["spec"]
        kept = verdict.trace.of_spec(self._before, self._identity)
        if kept.mentions(self._changed) and not self._is_judged_so(kept, verdict):
            return None
        return replace(verdict, trace=kept)

    def _is_judged_so(self, kept: KeptTrace, verdict: Verdict) -> bool:
        obligation, reruns = verdict.obligation, self._reruns
        run = reruns.of(kept, obligation)
        if run is None:
            return False
        told = dict(verdict.detail or {})
        match QUESTIONS.get(obligation.rule):
            case Question.NEVER:
                find = violation_finder(reruns.spec, reruns.profile, obligation.rule, obligation.subject)
            case Question.OVERLAP:
                find = overlap_finder(reruns.spec, obligation.subject, BOTH)
                told.pop("stores", None)  # two of them are of other runs
            case _:
                return True
        found = find(run)
        return found is not None and found[0] == len(run) - 1 and same_json(found[1], told)


def _with_asked(
    known: Mapping[Key, Verdict], plan: Sequence[Obligation], asked: Asked, profile: Profile, rules: Container[str]
) -> Found | None:
    """With what is asked besides, none of which happens, and without what no longer is."""
    verdicts = {key: verdict for key, verdict in known.items() if key not in asked.dropped}
    every = {(each.rule, each.subject): each for each in plan if (each.rule, each.subject) not in asked.dropped}
    confirmed = any(verdict.method == SEARCHED_TWICE for verdict in known.values())
    for rule, subject in asked.added if "FSM304" in rules else ():
        taken = known.get(("FSM303", Subject(state=subject.state, transition=subject.transition)))
        if not confirmed or taken is None or taken.verdict != "proved":
            return None
        every[rule, subject] = Obligation(rule, subject, profile)
        verdicts[rule, subject] = Verdict(every[rule, subject], "proved", SEARCHED_TWICE)
    return verdicts, tuple(every[key] for key in sorted(every, key=lambda key: (key[0], key[1].sort_key())))
