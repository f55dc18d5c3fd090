"""What a monitor says, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fsmcheck.conformance.clauses import CLAUSES
from fsmcheck.diagnostics import Subject
from fsmcheck.monitoring.monitor import UNDETERMINED, Monitor
from fsmcheck.monitoring.outcome import Breach, Departure, Note, Outcome, Telling, Unjudged
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.narrate import shown

SCHEMA = "fsmcheck.monitor/1"

MOST_LINES = 40
"""Of a story; the middle of a longer one is left out."""

Slug = Callable[[str], str]


def text_lines(outcome: Outcome, slug: Slug) -> Iterator[str]:
    """One outcome for people. ``slug`` gives the name of a rule."""
    place = str(outcome.place)
    match outcome:
        case Departure():
            yield f"{place}: {_who(outcome)}: {_difference(outcome)}"
            clause = outcome.found.clause
            if clause is not None:
                yield f"    it breaks {clause}: {CLAUSES[clause]}"
            if outcome.unread:
                yield "    lines before it could not be read: an event of this run may be among them"
            yield from _told(outcome.telling)
        case Breach():
            violation = outcome.violation
            rule = f"{violation.rule} ({slug(violation.rule)})"
            yield f"{place}: {_who(outcome)}: breaks {rule} at {subject_text(violation.subject)}"
            yield from _told(outcome.telling)
        case Unjudged():
            about = f'run "{outcome.run}": ' if outcome.run is not None else ""
            yield f"{place}: {about}{outcome.message}"
        case Note():
            yield f"{place}: note: {outcome.message}"


def _who(outcome: Departure | Breach) -> str:
    when = f", {outcome.time}" if outcome.time else ""
    return f'run "{outcome.run}", step {outcome.step}{when}'


def _difference(outcome: Departure) -> str:
    found = outcome.found
    if found.path == "inputs":
        return f"departs from the spec: it starts though {found.expected}"
    if found.path == "rejected":
        expected = f"rejected as {found.expected}" if found.expected else "accepted"
        logged = "was accepted" if not found.logged else "was rejected"
        code = f" as {found.logged}" if isinstance(found.logged, str) and found.logged != "(no code)" else ""
        return f"departs from the spec: the exchange should be {expected} and {logged}{code}"
    return f"departs from the spec: {found.path} should be {shown(found.expected)} and is {shown(found.logged)}"


def _told(telling: Telling) -> Iterator[str]:
    story = telling.story
    if len(story) > MOST_LINES:
        half = MOST_LINES // 2
        story = (*story[:half], f"… {len(story) - 2 * half} lines left out …", *story[-half:])
    yield from (f"    {line}" for line in story)
    if telling.remark:
        yield f"    {telling.remark}"


def subject_text(subject: Subject) -> str:
    """The place that a breach is about: a state, and what of it."""
    parts = [f'"{subject.state}"'] if subject.state is not None else []
    if subject.transition is not None:
        parts.append(f"transition {subject.transition}")
    if subject.field is not None:
        parts.append(f'"{subject.field}"')
    return ", ".join(parts) or "the spec"


def as_json(outcome: Outcome, slug: Slug, trace_file: str | None = None) -> dict[str, JsonValue]:
    """One outcome as a line for programs."""
    data: dict[str, JsonValue] = {"kind": _KINDS[type(outcome)], "file": outcome.place.path, "line": outcome.place.line}
    match outcome:
        case Departure(found=found):
            data |= _run(outcome)
            data |= {"clause": found.clause, "path": found.path, "expected": found.expected, "logged": found.logged}
            if found.clause is not None:
                data["says"] = CLAUSES[found.clause]
            if outcome.unread:
                data["unreadBefore"] = True
        case Breach(violation=violation):
            data |= _run(outcome)
            subject: dict[str, JsonValue] = {**violation.subject.as_dict()}
            detail: dict[str, JsonValue] = dict(violation.detail)
            data |= {"rule": violation.rule, "slug": slug(violation.rule), "subject": subject, "detail": detail}
            data["count"] = outcome.count
        case Unjudged():
            data |= {"complaint": outcome.kind, "message": outcome.message}
            if outcome.run is not None:
                data["run"] = outcome.run
        case Note():
            data["message"] = outcome.message
    if trace_file is not None:
        data["trace"] = trace_file
    return data


_KINDS: Mapping[type, str] = {Departure: "departure", Breach: "violation", Unjudged: "complaint", Note: "note"}


def _run(outcome: Departure | Breach) -> dict[str, JsonValue]:
    data: dict[str, JsonValue] = {"run": outcome.run, "step": outcome.step}
    if outcome.time:
        data["time"] = outcome.time
    data["story"] = list(outcome.telling.story)
    if outcome.telling.remark:
        data["remark"] = outcome.telling.remark
    return data


def summary_json(monitor: Monitor, slug: Slug, *, interrupted: bool) -> dict[str, JsonValue]:
    """All in numbers, as the last line for programs."""
    tally = monitor.tally
    breaches: list[JsonValue] = [
        {"rule": rule, "slug": slug(rule), "subject": dict(subject.as_dict()), "count": count}
        for (rule, subject), count in sorted(tally.breaches.items(), key=lambda item: _order(item[0]))
    ]
    return {
        "kind": "summary",
        "schema": SCHEMA,
        "interrupted": interrupted,
        "lines": tally.lines,
        "events": tally.events,
        "ignored": tally.ignored,
        "notJudged": tally.skipped,
        "runs": {
            "seen": tally.runs,
            "ended": tally.ended,
            "open": monitor.open_runs,
            "joined": tally.joined,
            "departed": tally.departed,
            "restarted": tally.restarted,
            "dropped": tally.dropped,
            "refused": tally.refused,
        },
        "departures": dict(sorted(tally.departures.items())),
        "violations": breaches,
        "complaints": {**dict(sorted(tally.complaints.items()))},
    }


def _order(breach: tuple[str, Subject]) -> tuple[object, ...]:
    return breach[0], breach[1].sort_key()


def summary_lines(monitor: Monitor, slug: Slug, *, interrupted: bool) -> Iterator[str]:
    """All in numbers, for people."""
    tally = monitor.tally
    if interrupted:
        yield "interrupted: this is what was read until then"
    yield f"{_counted(tally.events, 'event')} of {_counted(tally.runs, 'run')}: {', '.join(_runs(monitor))}"
    for clause, count in sorted(tally.departures.items()):
        says = "what was logged does not tell which" if clause == UNDETERMINED else CLAUSES[clause]
        yield f"  {_counted(count, 'departure')} from {clause}: {says}"
    for (rule, subject), count in sorted(tally.breaches.items(), key=lambda item: _order(item[0])):
        yield f"  {_counted(count, 'violation')} of {rule} ({slug(rule)}) at {subject_text(subject)}"
    for kind, count in sorted(tally.complaints.items()):
        yield f"  {_counted(count, 'complaint')} of {kind}"
    if tally.ignored:
        yield f"  {_counted(tally.ignored, 'line')} passed over"
    if tally.skipped:
        yield f"  {_counted(tally.skipped, 'event')} not judged: the configuration of the run was not known"
    coverage = monitor.counts.coverage()
    entered = sum(count > 0 for count in coverage.states.values())
    taken = sum(count > 0 for count in coverage.transitions.values())
    yield (
        f"  covered: {entered} of {_counted(len(coverage.states), 'state')},"
        f" {taken} of {_counted(len(coverage.transitions), 'transition')}"
    )


def _runs(monitor: Monitor) -> Iterator[str]:
    tally = monitor.tally
    yield f"{tally.departed} departed"
    yield f"{tally.ended} ended"
    yield f"{monitor.open_runs} open"
    for count, what in (
        (tally.joined, "met in the middle"),
        (tally.restarted, "begun anew"),
        (tally.dropped, "dropped"),
        (tally.refused, "refused"),
    ):
        if count:
            yield f"{count} {what}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
