from __future__ import annotations

from fsmcheck.diagnostics import Severity, Subject
from fsmcheck.report.github import render
from fsmcheck.results import Notice
from fsmcheck.source import SourceFile, Span
from tests.report.sample import SOURCE, consequence, finding, report


def test_annotations_come_gravest_first_with_the_story() -> None:
    note = consequence(severity=Severity.INFO)
    assert render(report(note, consequence(), finding(story=("start", "   50% done")))).splitlines() == [
        (
            "::error file=specs/loop.yaml,line=5,endLine=5,col=11,endColumn=23,title=FSM403 re-fires::"
            "it goes round%0Ahelp: stop it%0Ahow it happens (gated):%0Astart%0A   50%25 done"
        ),
        (
            "::warning file=specs/loop.yaml,line=5,endLine=5,col=11,endColumn=23,title=FSM405 not-awaited::"
            "it is there already"
        ),
        (
            "::notice file=specs/loop.yaml,line=5,endLine=5,col=11,endColumn=23,title=FSM405 not-awaited::"
            "it is there already"
        ),
        "fsmcheck: 1 spec: 1 error, 1 warning, 1 note; 1 proved, 1 violated, 1 unknown",
    ]


def test_columns_are_left_out_over_several_lines() -> None:
    first = render(report(finding(span=Span(0, len(SOURCE.text))))).splitlines()[0]
    assert first.startswith("::error file=specs/loop.yaml,line=1,endLine=6,title=")


def test_what_is_suppressed_is_not_shown() -> None:
    assert render(report(finding(suppressed="baseline"))).startswith("fsmcheck: 1 spec: no findings")


def test_hostile_text_starts_no_command_and_adds_no_property() -> None:
    hostile = "a\n::set-output name=x::y\r%0A,title=z::w\x1b"
    bad = finding(hostile, subject=Subject(state=hostile), help=hostile, story=(hostile,), span=Span(0, 1))
    lines = render(report(bad, source=SourceFile(hostile, "fsm:\n"))).splitlines()
    assert len(lines) == 2
    properties, _, _ = lines[0].removeprefix("::error ").partition("::")
    keys = [each.partition("=")[0] for each in properties.split(",")]
    assert keys == ["file", "line", "endLine", "col", "endColumn", "title"]
    assert "\x1b" not in lines[0]


def test_what_is_wrong_with_suppressions_is_a_warning_at_its_place() -> None:
    notices = (
        Notice("unused-allow", "this comment allows FSM302", SOURCE, Span(0, 3)),
        Notice("stale-baseline", "1 entry is\n::error::not found"),
    )
    assert render(report(notices=notices)).splitlines()[:2] == [
        (
            "::warning file=specs/loop.yaml,line=1,endLine=1,col=1,endColumn=3,title=fsmcheck unused-allow::"
            "this comment allows FSM302"
        ),
        "::warning title=fsmcheck stale-baseline::1 entry is\\n::error::not found",
    ]
