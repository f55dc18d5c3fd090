from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from fsmcheck.diagnostics import Severity, Subject
from fsmcheck.report.junit import render
from fsmcheck.results import LOST_SPEC, Notice, Report, RuleRecord
from fsmcheck.source import SourceFile
from tests.report.sample import consequence, finding, report

RULES = (RuleRecord("FSM201", "unreachable-state", Severity.ERROR, "s", "d"),)


def cases(given: Report) -> dict[str, ET.Element]:
    root = ET.fromstring(render(given))
    found = {case.get("name", ""): case for case in root.iter("testcase")}
    assert root.get("tests") == str(len(found))
    for tag, key in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        assert root.get(key) == str(len(list(root.iter(tag))))
    return found


def test_a_case_for_each_obligation_and_each_rule_on_the_text() -> None:
    found = cases(report(finding(story=("start", "it turns")), consequence(), rules=RULES))
    assert list(found) == [
        "FSM403 re-fires (state work, transition 0, field verdict)",
        "FSM301 (state work)",
        "FSM204 (state work)",
        "FSM201 unreachable-state",
        "FSM405 not-awaited",
    ]
    failed, proved, unknown, passed, lesser = found.values()
    failure = failed.find("failure")
    assert failure is not None
    assert (failure.get("message"), failure.get("type"), failed.get("line")) == ("it goes round", "error", "5")
    assert failure.text == (
        "specs/loop.yaml:5:11: error FSM403 it goes round\nhelp: stop it\nhow it happens (gated):\n"
        "    start\n    it turns"
    )
    assert len(proved) == len(passed) == 0
    skipped = unknown.find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "unknown: limit reached"
    assert lesser.find("failure") is None
    assert "it is there already" in (lesser.findtext("system-out") or "")


def test_what_fails_the_run_fails_the_case() -> None:
    found = cases(report(consequence(), fail_on=Severity.WARNING))
    assert found["FSM405 not-awaited"].find("failure") is not None


def test_a_suppressed_finding_is_skipped_with_its_reason() -> None:
    found = cases(report(finding(suppressed="inline", justification="we keep it")))
    skipped = next(iter(found.values())).find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "suppressed (inline): we keep it"


def test_an_interrupted_run_is_an_error() -> None:
    assert cases(report(interrupted=True))["the run"].find("error") is not None


def test_a_spec_of_which_nothing_was_decided_is_an_error() -> None:
    given = report(notices=(Notice(LOST_SPEC, "lost"),))
    error = cases(given)["the run"].find("error")
    assert error is not None
    assert error.get("message") == "nothing was decided of 1 spec, so nothing may be concluded"


@pytest.mark.parametrize("hostile", ["\x00\x1b[2J\ud800\ufffe\uffff", "]]><evil/>&\"'", "\u202e\n\r\t"])
def test_hostile_text_is_well_formed_xml(hostile: str) -> None:
    bad = finding(hostile, subject=Subject(state=hostile), help=hostile, story=(hostile,), severity=Severity.ERROR)
    given = report(bad, source=SourceFile(hostile, "fsm:\n" * 9), name=hostile)
    rendered = render(given)
    rendered.encode()
    assert "<evil" not in rendered
    cases(given)
