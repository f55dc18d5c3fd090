"""The hook, under the real pre-commit in a real git repository. The program is that of this environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
MANIFEST = ROOT / ".pre-commit-hooks.yaml"
GOOD = ROOT / "specs" / "planner_executor.yaml"

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


class Repository:
    """A git repository whose hooks come from a copy of our manifest."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "user"
        programs = folder / "bin"
        programs.mkdir()
        program = programs / "fsmcheck"
        program.write_text(f'#!/bin/sh\necho called >> "{folder}/calls"\nexec "{sys.executable}" -m fsmcheck "$@"\n')
        program.chmod(0o755)
        self.calls = folder / "calls"
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))},
            "HOME": str(folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "PRE_COMMIT_HOME": str(folder / "cache"),
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
        }
        hooks = folder / "hooks"
        for path in (hooks, self.path):
            path.mkdir()
            self.git("init", "--quiet", cwd=path)
            self.git("config", "user.name", "a", cwd=path)
            self.git("config", "user.email", "a@localhost", cwd=path)
        shutil.copy(MANIFEST, hooks)
        self.git("add", ".", cwd=hooks)
        self.git("commit", "--quiet", "-m", "hooks", cwd=hooks)
        revision = self.git("rev-parse", "HEAD", cwd=hooks).stdout.strip()
        # The language is the one thing that is not the manifest's: nothing is to be installed here.
        hook = {"id": "fsmcheck", "language": "system"}
        config = {"repos": [{"repo": str(hooks), "rev": revision, "hooks": [hook]}]}
        (self.path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")

    def git(self, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return self.run("git", *arguments, cwd=cwd, check=True)

    def run(self, *command: str, cwd: Path | None = None, check: bool = False) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=cwd or self.path, env=self.environment, capture_output=True, encoding="utf-8", check=check
        )

    def put(self, name: str, text: str) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.git("add", ".")

    def hook(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-m", "pre_commit", "run", *arguments)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_the_manifest_is_valid() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(MANIFEST)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_commit_with_a_faulty_spec_is_refused_and_one_that_is_mended_is_not(repository: Repository) -> None:
    good = GOOD.read_text(encoding="utf-8")
    repository.put("machine.yaml", good.replace("toState: done", "toState: dune", 1))
    assert repository.run(sys.executable, "-m", "pre_commit", "install").returncode == 0
    refused = repository.run("git", "commit", "-m", "machine")
    assert refused.returncode == 1
    line = good[: good.index("toState: done")].count("\n") + 1
    assert f"machine.yaml:{line}:20: error FSM101 unknown-state: " in refused.stdout + refused.stderr
    repository.put("machine.yaml", good)
    accepted = repository.run("git", "commit", "-m", "machine")
    assert accepted.returncode == 0, accepted.stdout + accepted.stderr
    assert "FSM" not in accepted.stdout + accepted.stderr


def test_it_is_quiet_about_other_files_and_not_even_started_without_yaml(repository: Repository) -> None:
    repository.put("notes.txt", "nothing")
    done = repository.hook("--files", "notes.txt")
    assert (done.returncode, repository.calls.exists()) == (0, False)
    repository.put("other.yaml", "a: 1\n")
    done = repository.hook("--files", "other.yaml", "--verbose")
    assert (done.returncode, repository.calls.exists()) == (0, True)
    assert "spec" not in done.stdout


def test_many_files_over_processes_are_all_checked(repository: Repository) -> None:
    unreached = "fsm:\n  initialState: a\n  states:\n    a: { terminal: true }\n    b: { terminal: true }\n"
    for number in range(12):
        repository.put(f"specs/m{number}.yaml", unreached if number % 2 else unreached.replace("    b: { te", "    #"))
    done = repository.hook("--all-files")
    assert done.returncode == 1
    found = [line.partition(":")[0] for line in done.stdout.splitlines() if " FSM201 " in line]
    assert sorted(found) == sorted(f"specs/m{number}.yaml" for number in range(1, 12, 2))


def test_args_of_the_user_and_the_configuration_of_the_repository_are_followed(repository: Repository) -> None:
    path = repository.path / ".pre-commit-config.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    config["repos"][0]["hooks"][0]["args"] = ["--fail-on", "info"]
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    repository.put("pyproject.toml", "[tool.fsmcheck]\nseverity.FSM201 = 'info'\nselect = ['FSM201']\n")
    repository.put(
        "a.yaml", "fsm:\n  initialState: a\n  states:\n    a: { terminal: true }\n    b: { terminal: true }\n"
    )
    repository.put("b.yaml", "b: 1\n")
    done = repository.hook("--all-files")
    assert done.returncode == 1
    assert "a.yaml:5:5: info FSM201" in done.stdout
    assert "b.yaml" not in done.stdout


def test_with_diff_only_what_a_commit_adds_is_refused(repository: Repository) -> None:
    path = repository.path / ".pre-commit-config.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    config["repos"][0]["hooks"][0]["args"] = ["--diff", "HEAD"]
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    unreached = "fsm:\n  name: m\n  initialState: a\n  states:\n    a: { terminal: true }\n    b: { terminal: true }\n"
    repository.put("m.yaml", unreached)
    repository.git("commit", "--quiet", "-m", "known")
    assert repository.run(sys.executable, "-m", "pre_commit", "install").returncode == 0
    repository.git("mv", "m.yaml", "moved.yaml")
    repository.put("moved.yaml", unreached + "# a comment\n")
    moved = repository.run("git", "commit", "-m", "moved")
    assert moved.returncode == 0, moved.stdout + moved.stderr
    repository.put("moved.yaml", unreached + "    c: { terminal: true }\n")
    refused = repository.run("git", "commit", "-m", "worse")
    assert refused.returncode == 1
    told = refused.stdout + refused.stderr
    assert [line.split(":")[1] for line in told.splitlines() if " FSM201 " in line] == ["7"]
