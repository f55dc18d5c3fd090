"""Outlines made by hand, for the tests of the page: a small loop, one with hostile text in every place, large ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from fsmcheck.diagnostics import Finding, Related, Severity, Subject
from fsmcheck.outline import (
    Coverage,
    FieldOutline,
    GuardMatrix,
    MatrixColumn,
    Outline,
    StateOutline,
    TransitionOutline,
)
from fsmcheck.results import Bounds, Certificate, LoopBound, Notice, ObligationRecord, Report, RuleRecord, SpecReport
from fsmcheck.source import SourceFile, Span
from tests.report import sample

HOSTILE = (
    "</script><script>window.pwned=1</script><!--<img src=x onerror=window.pwned=1>-->"
    "\u2028\u2029\u202e\x1b[31m\udc80'\"&amp;`${window.pwned=1}`{{x}}"
)

LOOP = Outline(
    states=(
        StateOutline("work", initial=True, requires=(("verdict", "judge"),), description="Do it."),
        StateOutline("rest", terminal=True),
        StateOutline("attic", reachable=False),
    ),
    transitions=(
        TransitionOutline("work", "rest", 0, ("context.verdict == 'good'",), ('verdict = ""',)),
        TransitionOutline("work", "work", 1, ("context.verdict != 'good'",)),
        TransitionOutline("attic", "rest", 0, reachable=False),
    ),
    fields=(
        FieldOutline("verdict", "enum(good, bad)", "How it went.", ("judge",), ("work -> rest",)),
        FieldOutline("size", "integer"),
    ),
    policy={"maxIterations": 8},
    matrices=(
        GuardMatrix(
            "work",
            ("verdict",),
            (
                MatrixColumn({"verdict": "good"}, ("true", "false"), 0, overlap=False, reachable=True),
                MatrixColumn({"verdict": "bad"}, ("true", "true"), 0, overlap=True, reachable=True),
                MatrixColumn({"verdict": "odd"}, ("false", "error"), None, overlap=False, reachable=None),
                MatrixColumn({"verdict": "ugly"}, ("false", "false"), None, overlap=False, reachable=False),
                MatrixColumn({"verdict": ""}, ("false", "false"), None, overlap=False, reachable=True),
            ),
        ),
    ),
    coverage=Coverage(9, {"work": 3, "rest": 1}, {("work", 0): 2}, {("work", 0, 0): (2, 1, 0)}),
)


def loop() -> Report:
    """A machine of three states with a finding at its first transition."""
    return with_outline(sample.report(sample.finding()), LOOP)


def with_outline(report: Report, outline: Outline) -> Report:
    return replace(report, specs=tuple(replace(spec, outline=outline) for spec in report.specs))


def hostile(text: str = HOSTILE) -> Report:
    """A report with the same hostile text wherever a report can hold foreign text."""
    subject = Subject(state=text, transition=0, field=text, agent=text, property=text)
    store = {text: text}
    advance = {
        "microsteps": [],
        "state": text,
        "status": text,
        "store": store,
        "awaits": [{"field": text, "agent": text}],
    }
    moved = {**advance, "microsteps": [{"from": text, "transition": 0, "to": text, "store": store}]}
    step = {"agent": text, "writes": store, "rejected": text, "advance": moved}
    finding = Finding(
        rule="FSM403",
        slug=text,
        severity=Severity.ERROR,
        message=text,
        span=Span(0, 4),
        subject=subject,
        help=text,
        related=(Related(text, Span(1, 3)),),
        trace={"inputs": store, "start": advance, "steps": [step]},
        story=(text, text),
        stale=((text,), (text,)),
    )
    outline = Outline(
        states=(StateOutline(text, True, False, True, True, text, ((text, text),), (text,), (text,)),),
        transitions=(TransitionOutline(text, text, 0, (text,), (text,)),),
        fields=(FieldOutline(text, text, text, (text,), (text,), (text,), (text,)),),
        policy={text: text},
        matrices=(GuardMatrix(text, (text,), (MatrixColumn(store, ("true",), 0, overlap=False),)),),
    )
    spec = SpecReport(
        SourceFile(text.replace("\n", ""), f"{text}\n{text}"),
        "gated",
        text,
        text,
        (finding, replace(finding, suppressed="inline", justification=text, trace=None)),
        (ObligationRecord(text, "FSM403", subject, "unknown", text, 1.0, text, 3, certificate=text),),
        Bounds(((text, 1),), 1, (LoopBound((text,), 1, 1, 1),)),
        (Certificate(text, ((text, subject),), {"kind": text, "method": text}, text),),
        {(text, None): Span(0, 3)},
        outline,
    )
    rule = RuleRecord("FSM403", text, Severity.ERROR, text, f"{text}\n\n# {text}\n\n- {text}\n\n    {text}\n")
    notice = Notice("unused-allow", text, spec.source, Span(0, 1))
    return Report("gated", (spec,), text, text, rules=(rule,), notices=(notice,))


def chain(length: int) -> Report:
    """A machine of as many states in a row, each with a way back to the one before."""
    names = [f"stage_{number}" for number in range(length)]
    states = tuple(StateOutline(name, name == names[0], name == names[-1]) for name in names)
    forth = [TransitionOutline(one, two, 0) for one, two in pairwise(names)]
    back = [TransitionOutline(two, one, 1, ("context.again",)) for one, two in pairwise(names[:-1])]
    return with_outline(sample.report(sample.finding()), Outline(states, (*forth, *back), ()))
