from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest

from fsmcheck.check import Options, check
from fsmcheck.diagnostics import Severity, Subject
from fsmcheck.report import sarif
from fsmcheck.report.sarif import render
from fsmcheck.results import LOST_SPEC, Notice, Report
from fsmcheck.source import SourceFile
from fsmcheck.spec.files import read_source
from tests.report.sample import consequence, finding, report

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "tests" / "data" / "sarif" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
FAULTY = ROOT / "specs" / "faulty" / "outcome_not_consumed.yaml"


def run_of(checked: Report) -> dict[str, object]:
    document = json.loads(render(checked))
    VALIDATOR.validate(document)
    (run,) = document["runs"]
    assert isinstance(run, dict)
    return run


@pytest.fixture(scope="module")
def text() -> str:
    return FAULTY.read_text(encoding="utf-8")


def checked(text: str, profile: str = "gated", select: tuple[str, ...] = ("FSM403",)) -> Report:
    return check([SourceFile("a b/outcome.yaml", text)], Options(profile=profile, select=select))


def test_a_real_counterexample_is_a_code_flow_through_the_source(text: str) -> None:
    run = run_of(checked(text))
    (result,) = run["results"]  # type: ignore[misc]
    assert (result["ruleId"], result["level"]) == ("FSM403", "error")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "a%20b/outcome.yaml"}
    assert set(place["region"]) == {"startLine", "startColumn", "endLine", "endColumn"}
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    told = [step["location"]["message"]["text"] for step in steps]
    assert told[0] == 'start with objective = "objective 1"'
    assert told[-2] == '"execute" → "replan" by transition 1'
    lines = text.splitlines()
    left = steps[-2]["location"]["physicalLocation"]["region"]["startLine"]
    assert lines[left - 1].strip() == "- toState: replan"
    assert steps[-1]["state"]["outcome"] == {"text": '"replan"'}


def test_every_rule_that_was_asked_for_comes_with_help(text: str) -> None:
    run = run_of(checked(text))
    rule, undecided = run["tool"]["driver"]["rules"]  # type: ignore[index]
    assert undecided["id"] == "FSM901"
    assert (rule["id"], rule["name"]) == ("FSM403", "re-fires")
    assert "## How to fix" in rule["help"]["markdown"]
    assert rule["shortDescription"]["text"].endswith(".")


def test_fingerprints_stay_when_lines_move_and_differ_by_subject(text: str) -> None:
    def prints(text: str) -> list[object]:
        results = run_of(checked(text, select=("FSM403", "FSM405", "FSM505")))["results"]
        return [result["partialFingerprints"] for result in results]  # type: ignore[attr-defined]

    before = prints(text)
    assert before == prints("# a line more\n\n" + text)
    assert len({json.dumps(each) for each in before}) == len(before) > 1


def test_specs_without_a_name_are_told_apart_by_their_files() -> None:
    pair = [report(finding(), source=SourceFile(path, "fsm:\n" * 9), name="") for path in ("a.yaml", "b.yaml")]
    prints = [run_of(each)["results"][0]["partialFingerprints"] for each in pair]  # type: ignore[index]
    assert prints[0] != prints[1]


def test_a_finding_on_the_text_is_told_once_for_both_profiles() -> None:
    text = "fsm:\n  name: a\n  initialState: a\n  states:\n    a: { terminal: true }\n    b: { terminal: true }\n"
    results = run_of(checked(text, "both", ("FSM201",)))["results"]
    assert [result["ruleId"] for result in results] == ["FSM201"]  # type: ignore[attr-defined]


def test_levels_related_places_and_suppressions() -> None:
    inline = consequence(suppressed="inline", justification="we keep it")
    old = consequence(suppressed="baseline", severity=Severity.INFO)
    run = run_of(report(finding(), inline, old))
    first, second, third = run["results"]  # type: ignore[misc]
    assert first["relatedLocations"][0]["message"] == {"text": "required here"}
    assert first["message"] == {"text": "it goes round\nhelp: stop it"}
    assert second["suppressions"] == [{"kind": "inSource", "justification": "we keep it"}]
    assert (third["level"], third["suppressions"]) == ("note", [{"kind": "external"}])


def test_an_interrupted_run_was_no_success() -> None:
    (invocation,) = run_of(report(interrupted=True))["invocations"]  # type: ignore[misc]
    assert invocation["executionSuccessful"] is False


def test_a_run_that_decided_nothing_of_a_spec_was_no_success() -> None:
    (invocation,) = run_of(report(notices=(Notice(LOST_SPEC, "lost"),)))["invocations"]  # type: ignore[misc]
    assert invocation["executionSuccessful"] is False
    assert [each["level"] for each in invocation["toolExecutionNotifications"]] == ["error", "warning"]


def test_notices_about_suppressions_are_notifications() -> None:
    (invocation,) = run_of(report(notices=(Notice("unused-allow", "of no use"),)))["invocations"]  # type: ignore[misc]
    assert invocation["toolExecutionNotifications"] == [{"level": "warning", "message": {"text": "of no use"}}]


def test_the_least_grave_are_left_out_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_RESULTS", 1)
    run = run_of(report(consequence(), finding()))
    (result,) = run["results"]  # type: ignore[misc]
    assert result["ruleId"] == "FSM403"
    (note,) = run["invocations"][0]["toolExecutionNotifications"]  # type: ignore[index]
    assert note["message"]["text"].startswith("1 more results")


def test_hostile_text_makes_no_link_and_no_invalid_document() -> None:
    hostile = '[click](https://example.org) \x1b[2J\u202e"</script>\ud800'
    source = SourceFile(f"/a dir/{hostile}.yaml", "fsm:\n" * 9)
    run = run_of(report(finding(hostile, subject=Subject(state=hostile)), source=source, name=hostile))
    (result,) = run["results"]  # type: ignore[misc]
    assert result["message"]["text"].startswith("\\[click](https")
    assert "\x1b" not in json.dumps(result, ensure_ascii=False)
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].startswith("file:///a%20dir/")


@pytest.mark.parametrize(
    ("name", "uri"), [(b"caf\xe9.yaml", "caf%E9.yaml"), ("café.yaml".encode(), "caf%C3%A9.yaml"), (b"./%a", "%25a")]
)
def test_a_file_is_named_by_its_bytes(name: bytes, uri: str) -> None:
    run = run_of(report(finding(), source=SourceFile(os.fsdecode(name), "fsm:\n" * 9)))
    (result,) = run["results"]  # type: ignore[misc]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_a_whole_shipped_spec_is_valid() -> None:
    run_of(check([read_source(str(FAULTY))], Options()))
