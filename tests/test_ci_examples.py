"""The action and the examples of docs/ci.md do what they say."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from fsmcheck.cli.main import main

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
SNIPPETS = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]
UNREACHED = "fsm:\n  name: a\n  initialState: a\n  states:\n    a: { terminal: true }\n    b: { terminal: true }\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / "a b.yaml").write_text(UNREACHED, encoding="utf-8")
    return tmp_path


def act(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the step that checks, with the inputs as the runner would put them into the environment."""
    given = {
        name: str(inputs.get(name.replace("-", "_"), about["default"])) for name, about in ACTION["inputs"].items()
    }
    step = STEPS["Check"]
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda match: given[match[1]], value)
        for name, value in step["env"].items()
    }
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    (programs / "python").unlink(missing_ok=True)
    (programs / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (programs / "python").chmod(0o755)
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            **environment,
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_no_input_is_pasted_into_a_script() -> None:
    for step in STEPS.values():
        assert "${{" not in step.get("run", "")


def test_the_action_annotates_summarises_and_writes_sarif(folder: Path) -> None:
    done = act(folder, paths="specs")
    assert (done.returncode, done.stderr) == (1, "")
    assert "::error file=specs/a b.yaml,line=6," in done.stdout
    assert (folder / "summary.md").read_text(encoding="utf-8").startswith("## fsmcheck: 1 error")
    assert json.loads((folder / "fsmcheck.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_inputs_of_the_action_reach_the_checker(folder: Path) -> None:
    arguments = "--ignore\nFSM201\n"
    assert act(folder, paths="specs/a b.yaml\nspecs", arguments=arguments, sarif_file="").returncode == 0
    assert not (folder / "fsmcheck.sarif").exists()
    assert act(folder, paths="specs", fail_on="fatal").returncode == 2


@pytest.mark.parametrize(
    "hostile", ["$(touch owned)", "; touch owned", "`touch owned`", "--output=owned", '" touch owned "']
)
def test_an_input_is_never_a_command_and_a_path_never_an_option(hostile: str, folder: Path) -> None:
    assert act(folder, paths=hostile, fail_on="", sarif_file="").returncode == 2
    assert act(folder, paths="specs", fail_on=hostile).returncode == 2
    assert not (folder / "owned").exists()


def test_the_workflow_uses_inputs_that_there_are() -> None:
    (workflow,) = [snippet for snippet in SNIPPETS if "jobs" in snippet]
    (step,) = [step for step in workflow["jobs"]["fsmcheck"]["steps"] if "fsmcheck" in step["uses"]]
    assert set(step["with"]) <= set(ACTION["inputs"])


def test_the_job_for_gitlab_runs(folder: Path) -> None:
    (job,) = [snippet["fsmcheck"] for snippet in SNIPPETS if "fsmcheck" in snippet]
    (command,) = job["script"]
    assert main(shlex.split(command)[1:]) == 1
    root = ET.parse(folder / job["artifacts"]["reports"]["junit"]).getroot()
    assert root.get("failures") == "1"


def test_the_hook_of_the_example_exists() -> None:
    (config,) = [snippet for snippet in SNIPPETS if "repos" in snippet]
    manifest = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {hook["id"] for hook in config["repos"][0]["hooks"]} <= {hook["id"] for hook in manifest}


def test_commands_of_the_page_run(folder: Path) -> None:
    commands = re.findall(r"^fsmcheck (.*)$", PAGE, re.MULTILINE)
    assert commands
    for command in commands:
        assert main(shlex.split(command)) == 1
    assert {path.name for path in folder.iterdir()} >= {"fsmcheck.sarif", "fsmcheck.json", "summary.md"}


@pytest.mark.parametrize("value", ["sarif", "sarif=", "=x", "serif=x", "sarif=missing/x", "sarif=specs"])
def test_another_report_needs_a_format_and_a_file(value: str, folder: Path) -> None:
    assert main(["check", "specs", "--report", value]) == 2
