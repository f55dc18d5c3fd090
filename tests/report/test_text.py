from __future__ import annotations

import re
from dataclasses import replace

from fsmcheck.diagnostics import Cause, Subject
from fsmcheck.report.text import render
from fsmcheck.results import LOST_SPEC, Notice, ObligationRecord
from fsmcheck.source import SourceFile, Span
from tests.report.sample import SOURCE, consequence, finding, report


def test_a_finding_shows_place_source_help_related_story_and_what_follows() -> None:
    told = render(report(finding(story=("start", "   it turns")), consequence()))
    assert told == (
        "specs/loop.yaml:5:11: error FSM403 re-fires: it goes round\n"
        "    5 |         - toState: rest\n"
        "      |           ^^^^^^^^^^^^^\n"
        "    help: stop it\n"
        "    see: specs/loop.yaml:2:3: required here\n"
        "    how it happens (gated):\n"
        "        start\n"
        "           it turns\n"
        "    follows from it:\n"
        "        specs/loop.yaml:5:11: warning FSM405 not-awaited: it is there already\n"
        "\n"
        'specs/loop.yaml "loop", gated: 1 error, 1 warning\n'
        "    3 obligations: 1 proved, 1 violated, 1 unknown (proved by k-induction 1)\n"
        "    unknown: FSM204 (state work): limit reached; holds up to depth 7\n"
        '    fewest exchanges: 3 to "rest"\n'
        "    most microsteps in one advance: 2\n"
        "    loop work → rest → work: 2 exchanges a turn, turns without end, "
        "at most 4 in a run that ends within maxIterations\n"
        "\n"
        "1 spec: 1 error, 1 warning; 1 proved, 1 violated, 1 unknown\n"
    )


def test_a_spec_checked_under_both_profiles_counts_once() -> None:
    once = report()
    (spec,) = once.specs
    both = replace(once, specs=(spec, replace(spec, profile="eager")))
    assert "\n1 spec under both profiles: no findings" in render(both)


def test_colour_adds_escape_sequences_and_nothing_else() -> None:
    plain = render(report(finding(), consequence()))
    coloured = render(report(finding(), consequence()), colour=True)
    assert "\x1b" not in plain
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain
    assert "\x1b[1;31merror\x1b[0m" in coloured


def test_a_consequence_without_its_root_stands_alone() -> None:
    told = render(report(consequence()))
    assert told.startswith("specs/loop.yaml:5:11: warning FSM405")


def test_a_consequence_of_a_consequence_is_listed_under_the_root() -> None:
    middle = consequence()
    last = consequence(rule="FSM303", subject=Subject(state="rest"), caused_by=Cause("FSM405", middle.subject))
    told = render(report(last, middle, finding()))
    assert told.index("error FSM403") < told.index("follows from it") < told.index("FSM303") < told.index("FSM405")


def test_causes_in_a_circle_lose_nothing() -> None:
    first = finding(caused_by=Cause("FSM405", Subject(state="work", field="verdict")))
    told = render(report(first, consequence()))
    assert "FSM403 re-fires" in told
    assert "FSM405 not-awaited" in told


def test_a_suppressed_finding_is_counted_only() -> None:
    told = render(report(finding(suppressed="inline")))
    assert "re-fires" not in told
    assert "1 finding suppressed" in told
    assert "1 spec: no findings" in told


def test_hostile_text_cannot_move_the_cursor_or_fake_a_line() -> None:
    hostile = "\x1b[2J\x9b1m\rspecs/ok.yaml:1:1: fine\n\u202eevil\u2066\ud800\x00\u2028"
    source = SourceFile(f"a{hostile}.yaml", f"x: {hostile.replace(chr(10), '')}\n")
    bad = finding(hostile, help=hostile, span=Span(0, 5), subject=Subject(state=hostile), story=(hostile,))
    told = render(report(bad, source=source, name=hostile))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\u2028]", told)
    assert not any(line.startswith("specs/ok.yaml") for line in told.splitlines())
    told.encode()


def test_the_underline_follows_wide_and_combining_characters_and_tabs() -> None:
    text = "a:\t日本e\u0301 bad\n"
    source = SourceFile("w.yaml", text)
    start = text.index("bad")
    lines = render(report(finding(span=Span(start, start + 3)), source=source)).splitlines()
    assert lines[1] == "    1 | a: 日本e\u0301 bad"
    assert lines[2] == "      | " + " " * 9 + "^^^"


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "k: " + "x" * 5000 + "HERE" + "y" * 5000
    source = SourceFile("long.yaml", text)
    start = text.index("HERE")
    lines = render(report(finding(span=Span(start, start + 4)), source=source)).splitlines()
    assert len(lines[1]) < 200
    column = lines[2].index("^")
    assert lines[1][column : column + 4] == "HERE"


def test_a_span_over_lines_is_marked_to_the_end_of_its_first() -> None:
    lines = render(report(finding(span=Span(0, len(SOURCE.text))))).splitlines()
    assert lines[1:3] == ["    1 | fsm:", "      | ^^^^"]


def test_what_was_skipped_for_one_reason_is_listed_together() -> None:
    skipped = tuple(
        ObligationRecord(rule, rule, Subject(), "skipped", "none", 0.0, "FSM101 first") for rule in ("FSM204", "FSM301")
    )
    (spec,) = report().specs
    told = render(report(specs=(replace(spec, obligations=skipped),)))
    assert "    skipped: FSM204, FSM301: FSM101 first\n" in told
    assert "obligation" not in told


def test_an_interrupted_report_says_that_nothing_may_be_concluded() -> None:
    assert "interrupted, nothing may be concluded" in render(report(interrupted=True))


def test_lost_specs_are_counted_in_the_last_line() -> None:
    lost = (Notice(LOST_SPEC, "nothing was decided of a.yaml"), Notice(LOST_SPEC, "nothing was decided of b.yaml"))
    assert render(report(notices=lost)).endswith("; nothing was decided of 2 specs, so nothing may be concluded\n")
    assert "concluded" not in render(report(notices=(Notice("unused-allow", "of no use"),)))


def test_a_proof_of_nothing_is_counted_apart() -> None:
    (spec,) = report().specs
    vacuous = tuple(replace(each, vacuous=each.verdict == "proved") for each in spec.obligations)
    told = render(report(specs=(replace(spec, obligations=vacuous),)))
    assert "3 obligations: 1 proved (1 of them vacuous), 1 violated, 1 unknown" in told
    assert told.endswith("1 spec: no findings; 1 proved (1 of them vacuous), 1 violated, 1 unknown\n")
