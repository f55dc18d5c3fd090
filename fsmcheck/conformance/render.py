"""What came of an examination, in words, and as traces."""

from __future__ import annotations

import json
from collections.abc import Iterator

from fsmcheck.conformance.clauses import CLAUSES
from fsmcheck.conformance.conduct import Deviation
from fsmcheck.conformance.examine import Examination, Miss
from fsmcheck.conformance.verdict import Break, broken_clauses
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.trace import Trace, build_trace

_SHOWN = 3
_LONGEST = 160


def lines(examination: Examination) -> Iterator[str]:
    """The verdict for a person, broken clauses first."""
    breaks = broken_clauses(examination.misses)
    for broken in breaks:
        yield from _break(broken)
    told = {id(miss) for broken in breaks for miss in broken.misses}
    following = {clause for broken in breaks for clause in broken.may_follow}
    others = [m for m in examination.misses if id(m) not in told and (m.job.clause or "") not in following]
    if others and any(miss.job.clause is None for miss in others):
        yield "besides, it differs in runs of specs:"
        yield from _misses(tuple(miss for miss in others if miss.job.clause is None))
    for job, failure in examination.failures:
        yield f'it fails in "{job.name}": {failure}'
    if examination.cut_short:
        yield "the rest of the runs was not made"
    yield summary(examination, breaks)


def summary(examination: Examination, breaks: tuple[Break, ...]) -> str:
    """One line."""
    if examination.passed:
        return f"{examination.runs} runs: the reducer does what the spec language says"
    parts = []
    if breaks:
        parts.append(f"breaks {', '.join(broken.clause for broken in breaks)}")
    if examination.failures:
        parts.append(f"fails by {', '.join(dict.fromkeys(failure.name for _, failure in examination.failures))}")
    return f"{examination.runs} runs, {len(examination.misses)} differ: the reducer {' and '.join(parts)}"


def _break(broken: Break) -> Iterator[str]:
    yield f"it breaks {broken.clause}: {broken.says}"
    yield from _misses(broken.misses)
    if broken.may_follow:
        yield f"    may follow from this: {', '.join(broken.may_follow)}"


def _misses(misses: tuple[Miss, ...]) -> Iterator[str]:
    for miss in misses[:_SHOWN]:
        about = "" if miss.job.clause else f", which is about {miss.deviation.clause}"
        yield f'    in "{miss.job.name}", {miss.job.profile}{about}:'
        for line in run_lines(miss):
            yield f"        {line}"
    if len(misses) > _SHOWN:
        yield f"    and in {len(misses) - _SHOWN} more"


def run_lines(miss: Miss) -> Iterator[str]:
    """A run up to where it differs, one line an event."""
    difference = miss.deviation.difference
    if difference.path == "load":
        yield f"the spec is refused: {_value(difference.actual)}"
        return
    yield f"start with {_value(dict(miss.scenario.inputs))}" if miss.scenario.inputs else "start"
    for number, (agent, writes) in enumerate(miss.scenario.exchanges[: difference.step], 1):
        yield f"{number}. {agent} stages {_value(dict(writes))}"
    yield f"then {difference.path} should be {_value(difference.expected)} and is {_value(difference.actual)}"


def _value(value: JsonValue) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def trace_of(miss: Miss) -> Trace | None:
    """The run up to the difference as the reference makes it; ``diverges`` says what the reducer answered instead.

    None where no run began.
    """
    found: Deviation = miss.deviation
    if not found.run:
        return None
    trace = build_trace(miss.job.spec, miss.job.profile, found.run)
    difference = found.difference
    trace["diverges"] = {
        "clause": found.clause,
        "says": CLAUSES[found.clause],
        "step": difference.step,
        "path": difference.path,
        "expected": difference.expected,
        "actual": difference.actual,
        "answer": dict(found.answer),
    }
    return trace
