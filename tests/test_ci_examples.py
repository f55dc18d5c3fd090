"""The action and the examples of docs/ci.md do what they say."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
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
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
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
    workflows = [snippet for snippet in SNIPPETS if "jobs" in snippet]
    assert len(workflows) == 2
    for workflow in workflows:
        (step,) = [step for step in workflow["jobs"]["fsmcheck"]["steps"] if "fsmcheck" in step["uses"]]
        assert set(step["with"]) <= set(ACTION["inputs"])


def branched(folder: Path) -> str:
    """Make a repository of a folder with a commit on main, and a branch that adds a finding; the commit."""

    def git(*arguments: str) -> str:
        named = ["-c", "user.name=a", "-c", "user.email=a@localhost"]
        return subprocess.run(
            ["git", *named, *arguments], cwd=folder, check=True, capture_output=True, text=True
        ).stdout

    git("init", "--quiet", "--initial-branch=main")
    git("add", "specs")
    git("commit", "--quiet", "-m", "old")
    git("update-ref", "refs/remotes/origin/main", "main")
    git("checkout", "--quiet", "-b", "topic")
    (folder / "specs" / "new.yaml").write_text(UNREACHED.replace("name: a", "name: new"), encoding="utf-8")
    git("add", "specs")
    return git("rev-parse", "main").strip()


@needs_git
def test_the_workflow_of_a_pull_request_tells_only_what_is_new(folder: Path) -> None:
    branched(folder)
    (workflow,) = [snippet for snippet in SNIPPETS if snippet.get("name") == "machines of a pull request"]
    (checkout, step) = workflow["jobs"]["fsmcheck"]["steps"]
    assert checkout["with"]["fetch-depth"] == 0
    inputs = {name: value.replace("${{ github.base_ref }}", "main") for name, value in step["with"].items()}
    done = act(folder, **inputs)
    assert (done.returncode, done.stderr) == (1, "")
    assert re.findall(r"::error file=([^,]*),", done.stdout) == ["specs/new.yaml"]


def test_the_job_for_gitlab_runs(folder: Path) -> None:
    (job, _) = [snippet["fsmcheck"] for snippet in SNIPPETS if "fsmcheck" in snippet]
    (command,) = job["script"]
    assert main(shlex.split(command)[1:]) == 1
    root = ET.parse(folder / job["artifacts"]["reports"]["junit"]).getroot()
    assert root.get("failures") == "1"


@needs_git
def test_the_job_for_a_merge_request_tells_only_what_is_new(folder: Path) -> None:
    commit = branched(folder)
    (_, job) = [snippet["fsmcheck"] for snippet in SNIPPETS if "fsmcheck" in snippet]
    assert job["variables"]["GIT_DEPTH"] == "0"
    (command,) = job["script"]
    assert main(shlex.split(command.replace("$CI_MERGE_REQUEST_DIFF_BASE_SHA", commit))[1:]) == 1
    root = ET.parse(folder / job["artifacts"]["reports"]["junit"]).getroot()
    (failed,) = [case for case in root.iter("testcase") if case.find("failure") is not None]
    assert "new" in str(failed.get("classname"))


def test_the_hook_of_the_examples_exists() -> None:
    configs = [snippet for snippet in SNIPPETS if "repos" in snippet]
    manifest = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    for config in configs:
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
