"""A counterexample is believed after the reference reducer ran it and a monitor, which sees only that run, agrees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from fsmcheck.diagnostics import Subject
from fsmcheck.kept_trace import KeptTrace
from fsmcheck.obligations.concretise import Script
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.guards import guard_result
from fsmcheck.reducer.json_values import to_json
from fsmcheck.reducer.mentions import mentioned_by_guards
from fsmcheck.reducer.monitors import violations, witnesses
from fsmcheck.reducer.record import Search, Step
from fsmcheck.reducer.reducer import InputError, begin, exchange
from fsmcheck.reducer.runnable import require_runnable
from fsmcheck.reducer.trace import build_trace
from fsmcheck.spec.model import Spec, Transition
from fsmcheck.system.events import BOTH, ONLY_EARLIER

Run = tuple[Step, ...]
REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class Shown:
    """A concrete run that shows something, cut off where it does, and the monitor's account of it."""

    run: Run
    detail: Mapping[str, Any]
    caps: bool

    def trace(self, spec: Spec, profile: Profile, violates: tuple[str, Subject] | None) -> Mapping[str, Any]:
        return KeptTrace.of(build_trace(spec, profile, self.run, violates=violates, caps=self.caps))


def perform(spec: Spec, profile: Profile, script: Script, *, caps: bool, begun: Run = ()) -> Run | None:
    """Run a script of a spec that can be run; None where its inputs are refused or an exchange is.

    ``begun`` are the first steps, where they are known from another run that was started the same way.
    """
    try:
        run = list(begun) or [begin(spec, script.inputs, profile, caps=caps)]
    except InputError:
        return None
    for agent, writes in script.exchanges[len(run) - 1 :]:
        step = exchange(spec, run[-1].configuration, agent, writes, profile, caps=caps)
        if step.rejected is not None:
            return None
        run.append(step)
    return tuple(run)


@dataclass
class Stage:
    """Where scripts are performed; remembers the runs, since many questions are asked of the same ones.

    ``spent`` counts the steps and microsteps of all questions so far, those of remembered runs as well: how soon the
    patience with one question ends must not depend on those asked before.
    """

    spec: Spec
    profile: Profile
    spent: int = 0
    _runs: dict[tuple[str, bool], Run | None] = field(default_factory=dict)
    _latest: dict[bool, tuple[Script, Run]] = field(default_factory=dict)
    _counted: set[tuple[str, bool]] = field(default_factory=set)

    def __post_init__(self) -> None:
        require_runnable(self.spec)

    def ask(self) -> None:
        """Begin another question."""
        self._counted.clear()

    def run(self, script: Script, *, caps: bool) -> Run | None:
        """A script's run, made once, and counted once for each question."""
        key = (repr(script), caps)
        if key not in self._runs:
            if len(self._runs) >= REMEMBERED:
                self._runs.pop(next(iter(self._runs)))
            begun = self._begun(script, caps=caps)
            run = self._runs[key] = perform(self.spec, self.profile, script, caps=caps, begun=begun)
            if run is not None:
                self._latest[caps] = (script, run)
        run = self._runs[key]
        if key not in self._counted:
            self._counted.add(key)
            self.spent += 1 if run is None else sum(1 + len(step.advance.microsteps) for step in run)
        return run

    def _begun(self, script: Script, *, caps: bool) -> Run:
        """The steps that a script has in common with the run performed last, which it may well branch off from."""
        before, run = self._latest.get(caps, (script, ()))
        if before.inputs != script.inputs or repr(before.inputs) != repr(script.inputs):
            return ()
        same = 0
        for one, other in zip(before.exchanges, script.exchanges, strict=False):
            if one != other or repr(one) != repr(other):
                break
            same += 1
        return run[: same + 1]

    def show(self, script: Script, find: Callable[[Run], tuple[int, Mapping[str, Any]] | None]) -> Shown | None:
        """Perform a script, within the caps of the policy if it fits, and look for something in it.

        ``find`` gives the step at which it is shown, and details; the run is cut off after that step.
        """
        for caps in (True, False):
            run = self.run(script, caps=caps)
            if run is not None:
                self.spent += sum(len(step.advance.microsteps) for step in run)
                found = find(run)
                if found is not None:
                    step, detail = found
                    return Shown(run[: step + 1], detail, caps)
                if run[-1].configuration.status != "capped":
                    return None
        return None


def violation_finder(
    spec: Spec, profile: Profile, rule: str, subject: Subject
) -> Callable[[Run], tuple[int, Mapping[str, Any]] | None]:
    """Looks for a violation with the monitors."""

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        for found in violations(spec, profile, run, rule):
            if found.rule == rule and found.subject == subject:
                return found.step, found.detail
        return None

    return find


def witness_finder(spec: Spec, rule: str, subject: Subject) -> Callable[[Run], tuple[int, Mapping[str, Any]] | None]:
    """Looks for a witness of something that can happen."""

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        for found in witnesses(spec, run):
            if found.rule == rule and found.subject == subject:
                return found.step, found.detail
        return None

    return find


def park_finder(state: str) -> Callable[[Run], tuple[int, Mapping[str, Any]] | None]:
    """Looks for a run that parks in a state."""

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        for number, step in enumerate(run):
            if step.configuration.state == state and step.configuration.status in ("waiting", "capped"):
                return number, {}
        return None

    return find


def overlap_finder(spec: Spec, subject: Subject, case: str) -> Callable[[Run], tuple[int, Mapping[str, Any]] | None]:
    """Looks for a store in which both, or only one, of two transitions have true guards."""
    state = spec.state_by_name[subject.state or ""]
    earlier, later = state.transitions[subject.transition or 0], state.transitions[subject.other or 0]
    wanted = (case in (BOTH, ONLY_EARLIER), case != ONLY_EARLIER)

    def fits(search: Search) -> bool:
        if search.state != state.name.text or search.unmet:
            return False
        return (_guards_hold(earlier, search), _guards_hold(later, search)) == wanted

    read = mentioned_by_guards(earlier) | mentioned_by_guards(later)

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        for number, step in enumerate(run):
            for microstep, search in enumerate(step.advance.searches()):
                if fits(search):
                    taken = microstep if microstep < len(step.advance.microsteps) else None
                    held = {name: to_json(search.store[name]) for name in search.store if name in read}
                    fields: list[object] = []
                    return number, {
                        "step": number,
                        "microstep": taken,
                        "reason": "overlap",
                        "fields": fields,
                        "store": held,
                    }
        return None

    return find


def _guards_hold(transition: Transition, search: Search) -> bool:
    return all(guard_result(index, guard, search.store).holds for index, guard in enumerate(transition.guards))


def ending(run: Sequence[Step]) -> tuple[str, str]:
    """The state and status in which a run rests."""
    return run[-1].configuration.state, run[-1].configuration.status
