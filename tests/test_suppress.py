"""Comments and baselines that suppress findings, through the whole checker."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from fsmcheck.baseline import BaselineError, path_in, read
from fsmcheck.check import Options, check
from fsmcheck.cli.main import main
from fsmcheck.diagnostics import Finding
from fsmcheck.results import Report
from fsmcheck.source import SourceFile
from fsmcheck.suppress import allowances

ENTRY = {"path": "a", "spec": "b", "profile": "gated", "rule": "FSM403", "subject": []}
SPEC = """fsm:
  name: gate
  initialState: ask
  context:
    note: { type: string, default: "" }{unused}
  agents:
    boss: { canTransition: [ask] }
  states:
    ask:
      transitions:
        - toState: done
{above}
    lost:{beside}
      terminal: true
    done:
      terminal: true
"""


def spec(*, above: str = "", beside: str = "", unused: str = "") -> str:
    return SPEC.replace("{above}", above).replace("{beside}", beside).replace("{unused}", unused)


def checked(text: str, **options: object) -> Report:
    return check([SourceFile("gate.yaml", text)], Options(**{"select": ("FSM109", "FSM201"), **options}))  # type: ignore[arg-type]


def lost(report: Report) -> Finding:
    (found,) = [finding for one in report.specs for finding in one.findings if finding.rule == "FSM201"]
    return found


@pytest.mark.parametrize(
    "text",
    [
        spec(beside="  # fsmcheck: allow FSM201 - kept for old runs"),
        spec(above="    # fsmcheck: allow FSM201 - kept for old runs"),
        spec(above="    # fsmcheck: allow FSM201 - kept for old runs\n\n    # the next one is special"),
        spec(above="    #fsmcheck:allow fsm201 -- kept for old runs"),
        spec(beside="  # fsmcheck: allow FSM201: kept for old runs").replace("\n", "\r\n"),
    ],
)
def test_a_comment_beside_or_above_allows(text: str) -> None:
    report = checked(text)
    assert (lost(report).suppressed, lost(report).justification) == ("inline", "kept for old runs")
    assert report.notices == ()


@pytest.mark.parametrize("text", ["a # fsmcheck: allow FSM201 - no", "'a # fsmcheck: allow FSM201 - no'"])
def test_only_a_comment_allows_and_not_a_text(text: str) -> None:
    found, wrong = allowances(SourceFile("a.yaml", f"a:\n  b: {text}\n"))
    assert len(found) == (0 if text.startswith("'") else 1)
    assert wrong == ()


def test_a_block_of_text_holds_no_comments_but_its_header_does() -> None:
    text = "a: |  # fsmcheck: allow FSM201 - header\n  # fsmcheck: allow FSM301 - text\nb: 1\n"
    found, wrong = allowances(SourceFile("a.yaml", text))
    assert [(each.rules, each.line) for each in found] == [(("FSM201",), 1)]
    assert wrong == ()


def test_several_rules_at_once_and_those_that_were_not_needed_are_told() -> None:
    report = checked(spec(beside="  # fsmcheck: allow FSM201, FSM109 - both"))
    assert lost(report).suppressed == "inline"
    (notice,) = report.notices
    assert (notice.kind, notice.message) == (
        "unused-allow",
        "this comment allows FSM109 on line 13, where there is none",
    )


def test_a_rule_that_was_not_asked_for_cannot_be_found_unused() -> None:
    text = spec(above="    # fsmcheck: allow FSM403 - not now")
    assert checked(text).notices == ()
    assert len(checked(text, select=("FSM4",)).notices) == 1
    assert checked(text.replace("done\n", "nowhere\n", 1), select=("FSM4",)).notices == ()


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("allow FSM201", "this comment gives no reason"),
        (
            "allow fsm201,FSM405",
            'this comment gives no reason, expected "# fsmcheck: allow FSM201, FSM405 - reason"',
        ),
        ("allow FSM201 -  ", "this comment gives no reason"),
        ("allow FSM299 - x", 'there is no rule "FSM299" to allow'),
        ("alow FSM201 - x", "this comment is not understood"),
        ("allow no-authority - x", "this comment is not understood"),
    ],
)
def test_a_comment_that_is_malformed_allows_nothing_and_is_told(comment: str, message: str) -> None:
    report = checked(spec(beside=f"  # fsmcheck: {comment}"))
    assert lost(report).suppressed is None
    (notice,) = report.notices
    assert notice.kind == "malformed-allow"
    assert notice.message.startswith(message)


def test_one_comment_does_for_both_profiles() -> None:
    report = checked(spec(beside="  # fsmcheck: allow FSM201 - both"), profile="both")
    assert [finding.suppressed for one in report.specs for finding in one.findings if finding.rule == "FSM201"] == [
        "inline",
        "inline",
    ]
    assert report.notices == ()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gate.yaml").write_text(spec(), encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> int:
    return main(["check", "gate.yaml", "--select", "FSM201,FSM109", "--fail-on", "info", *arguments])


def test_a_baseline_lets_the_old_be_and_shows_the_new(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 1
    assert run("--baseline", "known.json", "--write-baseline") == 0
    assert json.loads((folder / "known.json").read_text(encoding="utf-8"))["schema"] == "fsmcheck.baseline/1"
    (folder / "gate.yaml").write_text("# moved\n\n" + spec(), encoding="utf-8")
    capsys.readouterr()
    assert run("--baseline", "known.json") == 0
    captured = capsys.readouterr()
    assert "suppressed" in captured.out
    assert captured.err == ""
    (folder / "gate.yaml").write_text(spec(unused="\n    more: { type: string }"), encoding="utf-8")
    assert run("--baseline", "known.json") == 1
    assert 'FSM109 unused: the field "more"' in capsys.readouterr().out


def test_a_baseline_that_holds_too_much_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("--baseline", "known.json", "--write-baseline")
    (folder / "gate.yaml").write_text(spec().replace("    lost:\n      terminal: true\n", ""), encoding="utf-8")
    capsys.readouterr()
    assert run("--baseline", "known.json") == 0
    assert "1 entry of the baseline is not found any more" in capsys.readouterr().err
    assert main(["check", "gate.yaml", "--select", "FSM109", "--baseline", "known.json"]) == 0
    assert capsys.readouterr().err == ""


def test_a_baseline_can_be_a_setting(folder: Path) -> None:
    (folder / ".fsmcheck.toml").write_text('baseline = "known.json"\n', encoding="utf-8")
    assert run("--write-baseline") == 0
    assert run() == 0
    assert run("--isolated") == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "known.json: there is no such file; --write-baseline writes it"),
        ("{", "this is no baseline"),
        ("[]", "this is no baseline"),
        ('{"schema": "fsmcheck.report/1", "findings": []}', "its schema is"),
        ('{"schema": "fsmcheck.baseline/1", "findings": [{"rule": 1}]}', "this is no baseline"),
        ('{"schema": "fsmcheck.baseline/1", "findings": {}}', "this is no baseline"),
        (f'{{"schema": "fsmcheck.baseline/1", "findings": [{json.dumps(ENTRY)}]}}', "this is no baseline"),
    ],
)
def test_what_is_no_baseline_is_a_usage_error(
    content: str | None, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (folder / "known.json").write_text(content, encoding="utf-8")
    with pytest.raises(BaselineError, match=message):
        read(Path("known.json"))
    assert run("--baseline", "known.json") == 2
    assert message in capsys.readouterr().err
    assert run("--write-baseline") == 2


def test_paths_are_relative_to_the_baseline(tmp_path: Path) -> None:
    assert path_in(tmp_path / "a" / "known.json", str(tmp_path / "b" / "x.yaml")) == "../b/x.yaml"
    assert path_in(tmp_path / "known.json", "<stdin>") == "<stdin>"


def test_notices_go_to_standard_error_and_into_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "gate.yaml").write_text(spec(above="    # fsmcheck: allow FSM201"), encoding="utf-8")
    run("--format", "json", "--output", "out.json")
    assert capsys.readouterr().err == (
        'gate.yaml:12:5: warning: this comment gives no reason, expected "# fsmcheck: allow FSM201 - reason"\n'
    )
    document = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, json.loads(files("fsmcheck.report").joinpath("report_schema.json").read_text()))
    (notice,) = document["notices"]
    assert (notice["kind"], notice["location"]["line"]) == ("malformed-allow", 12)


def test_statistics_count_by_rule(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "gate.yaml").write_text(spec(above="    # fsmcheck: allow FSM201 - old"), encoding="utf-8")
    assert run("--statistics") == 1
    assert capsys.readouterr().out == (
        "     2  FSM109  unused\n     0  FSM201  unreachable-state (1 suppressed)\n     2  in all (1 suppressed)\n"
    )
    assert run("--statistics", "--format", "json") == 2
