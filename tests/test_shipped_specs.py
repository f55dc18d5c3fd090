"""The tool against the verdicts that were worked out by hand, under the specs' own names and under others."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import fsmcheck
from fsmcheck.check import Options, check
from fsmcheck.diagnostics import Finding, Subject
from fsmcheck.results import SpecReport
from fsmcheck.source import SourceFile
from tests.renaming import Renaming, fresh, rotated

SPECS = Path(__file__).parent.parent / "specs"
FOLDERS = ("", "patterns/")


def verdicts(part: str) -> dict[str, Any]:
    return {
        folder + path: entry
        for folder in FOLDERS
        for path, entry in yaml.safe_load((SPECS / folder / "verdicts.yaml").read_text(encoding="utf-8"))[part].items()
    }


VERDICTS = {part: verdicts(part) for part in ("specs", "skipped")}
CASES = [(path, profile) for path, profiles in VERDICTS["specs"].items() for profile in profiles]
LOOP_CASES = [case for case in CASES if not case[0].startswith("patterns/")]
# Where the tool may still say "unknown" instead of the verdict worked out by hand, which stands: rules by spec.
MAY_BE_UNKNOWN = {"patterns/budget_exit.yaml": {"FSM501"}}
NAMINGS: dict[str, Callable[[str], Renaming] | None] = {"own": None, "fresh": fresh, "rotated": rotated}

# Their findings say that something goes wrong in a run, so they have to show one; the others say that none exists.
SHOWN_BY_A_RUN = frozenset(f"FSM{number}" for number in (204, 205, 301, 304, 401, 402, 403, 404, 405, 406, 407, 502))


@cache
def checked(path: str, profile: str, naming: str) -> tuple[SpecReport, Renaming | None]:
    text = (SPECS / path).read_text(encoding="utf-8")
    rename = NAMINGS[naming]
    renaming = rename(text) if rename else None
    source = SourceFile(path, renaming.spec(text) if renaming else text)
    (report,) = check([source], Options(profile=profile), None).specs
    return report, renaming


def key(subject: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(subject.items()))


def told(finding: Finding) -> tuple[Any, ...]:
    cause = finding.caused_by
    return (
        finding.rule,
        key(finding.subject.as_dict()),
        finding.severity.value,
        (cause.rule, key(cause.subject.as_dict())) if cause else None,
    )


def expected(path: str, profile: str, renaming: Renaming | None) -> set[tuple[Any, ...]]:
    def subject(entry: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
        return key(renaming.subject(entry["subject"]) if renaming else entry["subject"])

    return {
        (
            entry["rule"],
            subject(entry),
            entry["severity"],
            (entry["causedBy"]["rule"], subject(entry["causedBy"])) if "causedBy" in entry else None,
        )
        for entry in VERDICTS["specs"][path][profile]
    }


def test_every_shipped_spec_has_its_verdicts() -> None:
    files = {path.relative_to(SPECS).as_posix() for path in SPECS.rglob("*.yaml")}
    shipped = files - {f"{folder}verdicts.yaml" for folder in FOLDERS}
    assert shipped == set(VERDICTS["specs"])
    assert all(set(profiles) == {"gated", "eager"} for profiles in VERDICTS["specs"].values())


@pytest.mark.parametrize("naming", NAMINGS)
@pytest.mark.parametrize(("path", "profile"), CASES)
def test_the_report_is_the_one_worked_out_by_hand(path: str, profile: str, naming: str) -> None:
    report, renaming = checked(path, profile, naming)
    unknown = undecided(report)
    assert {rule for rule, _ in unknown} <= MAY_BE_UNKNOWN.get(path, set())
    wanted = {entry for entry in expected(path, profile, renaming) if entry[:2] not in unknown}
    wanted |= {("FSM901", subject, "warning", None) for _, subject in unknown}
    found = [told(finding) for finding in report.findings]
    assert len(found) == len(set(found))
    assert set(found) == wanted
    assert_that_the_rest_is_proved(report, skipped(path, renaming))
    assert_that_every_run_shown_replays(report)


def skipped(path: str, renaming: Renaming | None) -> set[tuple[Any, ...]]:
    entries = VERDICTS["skipped"].get(path, ())
    return {(e["rule"], key(renaming.subject(e["subject"]) if renaming else e["subject"])) for e in entries}


def undecided(report: SpecReport) -> set[tuple[Any, ...]]:
    return {(o.rule, key(o.subject.as_dict())) for o in report.obligations if o.verdict == "unknown"}


def assert_that_the_rest_is_proved(report: SpecReport, senseless: set[tuple[Any, ...]]) -> None:
    answered = {(finding.rule, finding.subject): "violated" for finding in report.findings}
    unknown = undecided(report)
    for obligation in report.obligations:
        named = (obligation.rule, key(obligation.subject.as_dict()))
        if named in unknown:
            continue
        wanted = "skipped" if named in senseless else answered.get((obligation.rule, obligation.subject), "proved")
        assert obligation.verdict == wanted, obligation


def assert_that_every_run_shown_replays(report: SpecReport) -> None:
    (document,) = fsmcheck.load(report.source)
    assert document.spec is not None
    for finding in report.findings:
        if finding.trace is None:
            assert finding.rule not in SHOWN_BY_A_RUN, finding
            continue
        trace = fsmcheck.parse_trace(json.dumps(dict(finding.trace)))
        assert trace["profile"] == report.profile
        assert trace["violates"] == {"rule": finding.rule, "subject": finding.subject.as_dict()}
        assert fsmcheck.replay(document.spec, trace) == []
        assert finding.story


@pytest.mark.parametrize(("path", "profile"), LOOP_CASES)
def test_no_refire_and_stuck_are_posed_wherever_they_can_be(path: str, profile: str) -> None:
    report, _ = checked(path, profile, "own")
    posed = {(obligation.rule, obligation.subject) for obligation in report.obligations}
    assert {("FSM403", Subject(state="execute", transition=index, field="outcome")) for index in range(3)} <= posed
    states = ("plan", "execute", "replan", "finish", "abort")
    assert {("FSM301", Subject(state=state)) for state in states} <= posed
