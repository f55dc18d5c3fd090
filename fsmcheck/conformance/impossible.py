"""What a suite does not cover, asked of the engines: a run that covers it, or the proof that there is none."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import field

from fsmcheck.conformance.conduct import Scenario, reference_run
from fsmcheck.conformance.goals import Goal, covered, goals
from fsmcheck.conformance.instrument import WayOut, instrumented, instrumented_for_one, ways_out
from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations.bounds import most_microsteps
from fsmcheck.obligations.case import Case, make_case
from fsmcheck.obligations.confirm import witness_finder
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.reducer import MICROSTEP_LIMIT
from fsmcheck.reducer.trace import given_fields_json
from fsmcheck.spec.model import Spec
from fsmcheck.system.system import Location, Phase

_SECONDS = 30.0
"""For all questions about a suite; what is not answered by then is left open."""
_ROUNDS = 12
_PROVED = "no run gets there (proved)"
_PHASES = {"waiting": Phase.WAITING, "done": Phase.DONE, "stuck": Phase.STUCK, "failed": Phase.FAILED}


@dataclass
class Inquiry:
    """``runs`` cover some of the goals that were missing; ``why`` says of others that no run covers them."""

    spec: Spec
    profile: Profile
    runs: list[Scenario] = field(default_factory=list)
    why: dict[Goal, str] = field(default_factory=dict)
    _deadline: float = field(default_factory=lambda: time.monotonic() + _SECONDS)

    def ask(self, missing: Iterable[Goal]) -> None:
        """Look for runs and reasons until nothing is left that could be asked."""
        left = set(missing)
        known = {way.goal: way for way in ways_out(self.spec)}
        asked = [known[goal] for goal in goals(self.spec) if goal in left and goal in known]
        for _ in range(_ROUNDS):
            found = instrumented(self.spec, asked)
            if found is None:
                return
            spec, ends = found
            case = self._case(spec)
            taken = [way for way in asked if case.may_enter(ends[way.goal])]
            if not taken:
                self.why.update((way.goal, _PROVED) for way in asked)
                self._follow(case, left)
                break
            for way in taken:
                self._show(case, ends[way.goal])
            asked = [way for way in asked if way not in taken]
        if self.profile == "gated":
            self._ask_precisely(known[goal] for goal in left & set(known) - set(self.why))

    def _case(self, spec: Spec) -> Case:
        return make_case(spec, self.profile, Limits(seconds=max(0.1, self._deadline - time.monotonic())))

    def _ask_precisely(self, ways: Iterable[WayOut]) -> None:
        for way in sorted(ways, key=lambda way: way.goal):
            found = instrumented_for_one(self.spec, way) if way.first_false is not None else None
            if found is not None:
                case = self._case(found[0])
                if case.may_enter(found[1]):
                    self._show(case, found[1])
                else:
                    self.why[way.goal] = _PROVED

    def _show(self, case: Case, end: str) -> None:
        subject = Subject(state=end)
        graph = case.graph_for("FSM203", subject)
        hits = graph.hits.get(("FSM203", subject, ""), [])
        shown = case.show_hit(graph, hits, witness_finder(case.spec, "FSM203", subject))
        if shown is not None:
            made = tuple((step.agent or "", given_fields_json(step)) for step in shown.run[1:])
            self.runs.append(Scenario(given_fields_json(shown.run[0]), made))

    def covers(self, scenario: Scenario) -> set[Goal]:
        """What a run covers in the spec itself."""
        return set().union(*(covered(self.spec, step) for step in reference_run(self.spec, self.profile, scenario)))

    def _follow(self, case: Case, missing: set[Goal]) -> None:
        """What follows for the goals that are not about transitions, from a search that no way out cuts short."""
        where = _Where(self.spec, case, self.why)
        for goal in missing - set(self.why):
            reason = where.reason(goal)
            if reason is not None:
                self.why[goal] = reason


class _Where:
    """Where runs can get to, from a search of all of them."""

    def __init__(self, spec: Spec, case: Case, why: Mapping[Goal, str]) -> None:
        self.spec = spec
        self.case = case
        self.closed = case.base.complete
        self.reached = case.base.reached if self.closed else frozenset()
        self.untaken = {goal.what for goal in why if goal.kind == "transition"}

    def reason(self, goal: Goal) -> str | None:
        """Why no run meets a goal; None where that is not known."""
        match goal.kind:
            case "state":
                return None if self.case.may_enter(goal.what) else "no run enters it (proved)"
            case "action":
                return self._action(goal.what)
            case "write":
                return self._write(goal.what)
            case "status":
                return self._status(goal.what)
            case "cap":
                return self._cap(goal.what)
            case "rejection":
                return self._rejection(goal.what)
        return None

    def _waits(self, state: str) -> bool:
        """Whether a run may wait in a state."""
        return not self.closed or Location(state, Phase.WAITING) in self.reached

    def _action(self, what: str) -> str | None:
        for state in self.spec.states:
            name = state.name.text
            places = [f"{name} → {t.target.text} ({t.index})" for t in state.transitions]
            if any(what.startswith(f"{place} onTransition[") and place in self.untaken for place in places):
                return "its transition is never taken (proved)"
            if what.startswith(f"{name} entry[") and not self.case.may_enter(name):
                return "its state is never entered (proved)"
            if what.startswith(f"{name} exit[") and (state.terminal or all(place in self.untaken for place in places)):
                return "its state is never left" + ("" if state.terminal or not places else " (proved)")
        return None

    def _write(self, what: str) -> str | None:
        waiting = [s.name.text for s in self.spec.states if what.endswith(f" in {s.name.text}")]
        if waiting and not any(self._waits(state) for state in waiting):
            return "no run waits there (proved)"
        return None

    def _status(self, what: str) -> str | None:
        if what in _PHASES:
            phase = _PHASES[what]
            if self.closed and not any(location.phase is phase for location in self.reached):
                return "no run ends so (proved)" if what != "waiting" else "no run waits (proved)"
            return None
        if what in ("no-progress", "runaway"):
            most = most_microsteps(self.case)
            if most is not None and most <= MICROSTEP_LIMIT:
                return f"no advance takes more than {most} transition{'' if most == 1 else 's'} (proved)"
        return None

    def _cap(self, what: str) -> str | None:
        policy = self.spec.policy
        caps = {
            "maxIterations": policy.max_iterations,
            "maxExchangesPerStage": policy.max_exchanges_per_stage,
            "maxExchangesPerAgentPerStage": policy.max_exchanges_per_agent_per_stage,
        }
        names = list(caps)
        mine = caps[what] or 0
        for name in names[: names.index(what)]:
            cap = caps[name]
            if cap is not None and cap <= mine:
                return f"{name} ({cap}) ends a run before it"
        return None

    def _rejection(self, what: str) -> str | None:
        waiting = [state for state in self.spec.states if self._waits(state.name.text)]
        if not waiting and what != "not-waiting":
            return "no run waits (proved)"
        listed = [
            (agent.name.text, state, {req.field.text for req in state.requires if req.agent.text == agent.name.text})
            for agent in self.spec.agents
            for state in waiting
            if state.name.text in {name.text for name in agent.can_transition}
        ]
        match what:
            case "not-authorised":
                everybody = len(listed) == len(waiting) * len(self.spec.agents)
                if everybody and all(asked for _, _, asked in listed):
                    return "every agent is asked for something wherever a run waits, and may act there"
            case "not-writable":
                if all(set(self.spec.field_by_name) <= asked for _, _, asked in listed):
                    return "wherever an agent may act it may write every field"
            case "not-in-values":
                if not any(self.spec.field_by_name[name].type.values for _, _, asked in listed for name in asked):
                    return "no agent is asked for an enum where a run waits"
            case "type-mismatch" | "empty-value":
                if not any(asked for _, _, asked in listed):
                    return "nobody may act wherever a run waits"
            case "unknown-field":
                if not listed:
                    return "no agent lists a state in which a run waits"
        return None
