"""The run that went wrong as a story and as a trace, made anew from the lines that were kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from fsmcheck.conformance.clauses import CLAUSES
from fsmcheck.monitoring.agreement import Disagreement
from fsmcheck.monitoring.decode import Decoder
from fsmcheck.monitoring.event import Place
from fsmcheck.monitoring.outcome import Telling
from fsmcheck.monitoring.runs import Run
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.monitors import Violation
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.reducer import begin, exchange
from fsmcheck.reducer.story import story, tell
from fsmcheck.reducer.trace import Trace, build_trace
from fsmcheck.spec.model import Spec

_MET_LATE = "the run was met in its middle: there is no trace of it"
_DEPARTED = "the run had departed before and was taken up from what was logged: there is no trace of it"
_CUT = "the run is too long to be kept: there is no trace of it"
_NOT_BEGUN = "the reference does not begin such a run: there is no trace of it"


def told_breach(spec: Spec, profile: Profile, decoder: Decoder, run: Run, found: Violation) -> Telling:
    """A run up to a breach, as the reference makes it."""
    steps = _steps(spec, profile, decoder, run)
    if isinstance(steps, str):
        return Telling(remark=steps)
    trace = build_trace(spec, profile, steps, violates=(found.rule, found.subject), detail=found.detail)
    return Telling(tuple(story(spec, trace, found.detail)), trace)


def told_departure(
    spec: Spec, profile: Profile, decoder: Decoder, run: Run, found: Disagreement, place: Place
) -> Telling:
    """A run up to a departure as it was logged; where the log is silent, as the reference has it.

    The trace says under ``departs`` what differs; replaying it shows just that.
    """
    steps = _steps(spec, profile, decoder, run)
    if isinstance(steps, str):
        return Telling(remark=steps)
    trace = build_trace(spec, profile, steps)
    _overlay(trace, found)
    departs: dict[str, JsonValue] = {
        "clause": found.clause,
        "says": CLAUSES[found.clause] if found.clause is not None else None,
        "step": len(steps) - 1,
        "path": found.path,
        "expected": found.expected,
        "logged": found.logged,
        "at": str(place),
    }
    trace["departs"] = departs
    return Telling(tuple(tell(trace)), trace)


def _overlay(trace: Trace, found: Disagreement) -> None:
    answer = dict(found.answer)
    rejected = answer.pop("rejected", None)
    taken = cast("list[dict[str, JsonValue]]", trace["steps"])
    if not taken:
        trace["start"] = answer
        return
    taken[-1]["advance"] = answer
    taken[-1].pop("rejected", None)
    if rejected is not None:
        taken[-1]["rejected"] = rejected


def _steps(spec: Spec, profile: Profile, decoder: Decoder, run: Run) -> Sequence[Step] | str:
    """The steps of a run, or why there are none."""
    if run.cut:
        return _CUT
    if not run.begun:
        return _DEPARTED if run.departed else _MET_LATE
    if not run.history:
        return _NOT_BEGUN
    steps: list[Step] = []
    for line in run.history:
        event = decoder.event(line)
        if event is None:
            continue
        if event.kind == "start":
            steps = [begin(spec, event.given, profile)]
        else:
            steps.append(exchange(spec, steps[-1].configuration, event.agent, event.given, profile))
    return steps
