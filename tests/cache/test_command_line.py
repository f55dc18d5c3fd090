"""The cache on the command line, and what a warm start imports."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from fsmcheck.cache.place import FILE
from fsmcheck.cli import main as commands
from fsmcheck.cli.main import app, main
from fsmcheck.rules.catalogue import RULES
from fsmcheck.rules.ids import rule_ids

ROOT = Path(__file__).parents[2]
PLAIN = ROOT / "specs" / "planner_executor.yaml"
HEAVY = {"z3", "networkx", "celpy", "lark", "yaml", "pydantic", "rich", "hypothesis", "numpy"}
NEVER = {"celpy", "lark", "pydantic", "rich", "hypothesis", "email", "csv", "distributed"}
"""Not even imported by a cold start, in the process that decides."""
SLOW = {
    "argparse", "asyncio", "bz2", "concurrent", "decimal", "fractions", "html", "http", "importlib.metadata",
    "importlib.resources", "logging", "lzma", "multiprocessing", "numpy", "pdb", "random", "shutil", "socket",
    "statistics", "subprocess", "tempfile", "unicodedata", "unittest", "xml", "zipfile",
}  # fmt: skip
"""Modules of the standard library, and one that is not, that no check of a small spec has any use for."""
MOST_OWN = {"--version": 16, "--help": 19, "unchanged": 48, "edited": 229, "first": 233}
"""How many modules of ours a start may import: each one costs as much as a thousandth of it."""

IMPORTED = """
import sys
from pathlib import Path
from fsmcheck.cache import toolkit
toolkit.PACKAGE = Path({package!r})
toolkit.tool_digest.__defaults__ = (toolkit.PACKAGE, None)
toolkit.is_unchanged.__defaults__ = (toolkit.PACKAGE,)
from fsmcheck.cli.main import main
code = main({arguments!r})
sys.stdout.flush()
print(sorted(sys.modules), file=sys.stderr)
sys.exit(code)
"""
"""The package that is digested is another, so that nobody's edit of this one disturbs."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("FSMCHECK_CACHE_DIR", str(folder))
    return folder


def imported(arguments: list[str], tmp_path: Path, code: int = 0) -> tuple[set[str], str]:
    """The modules that a command imports in a process of its own, and what it prints."""
    package = tmp_path / "package"
    package.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED.format(package=str(package), arguments=arguments)],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return set(eval(done.stderr.strip().splitlines()[-1])), done.stdout


def own(modules: set[str]) -> int:
    return sum(name.partition(".")[0] == "fsmcheck" for name in modules)


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_need_few_modules(argument: str, cache: Path, tmp_path: Path) -> None:
    modules, _ = imported([argument], tmp_path)
    assert modules.isdisjoint(SLOW - {"shutil", "bz2", "lzma"})  # click asks shutil how wide the terminal is
    assert own(modules) <= MOST_OWN[argument]


def test_an_unchanged_spec_needs_few_modules(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "plain.yaml").write_text(PLAIN.read_text(encoding="utf-8"), encoding="utf-8")
    for _ in range(2):
        modules, _ = imported(["check", "plain.yaml", "--exit-zero"], tmp_path)
    assert modules.isdisjoint(SLOW | {"ctypes", "pickle", "fsmcheck.check", "fsmcheck.parallel.pool"})
    assert own(modules) <= MOST_OWN["unchanged"]


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["check", "--help"], ["cache", "info"]])
def test_help_and_version_import_nothing_heavy(arguments: list[str], cache: Path, tmp_path: Path) -> None:
    packages, out = imported(arguments, tmp_path)
    assert "click" in packages
    assert packages.isdisjoint(HEAVY)
    assert out


ALLOWED = """fsm:
  name: allowed
  initialState: here
  states:
    # fsmcheck: allow FSM110 - nothing follows yet
    here: {}
    # fsmcheck: allow FSM301 - there is none
    there: { terminal: true }
"""


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github", "markdown"])
def test_an_unchanged_spec_is_answered_without_anything_heavy(form: str, cache: Path, tmp_path: Path) -> None:
    (tmp_path / "plain.yaml").write_text(PLAIN.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "allowed.yaml").write_text(ALLOWED, encoding="utf-8")
    arguments = ["check", "plain.yaml", "allowed.yaml", "--exit-zero", "--format", form, "--select", "FSM1,FSM3,FSM405"]
    packages, cold = imported(arguments, tmp_path)
    assert "yaml" in packages
    assert packages.isdisjoint(NEVER)
    packages, warm = imported(arguments, tmp_path)
    assert packages.isdisjoint(HEAVY)
    assert warm.replace('"cached": true', '"cached": false') == cold


DECIDED = """
import sys
from pathlib import Path
from fsmcheck.check import check
from fsmcheck.options import Options
from fsmcheck.spec.files import read_source
report = check([read_source({path!r})], Options(cache=Path({cache!r})))
print(sorted(sys.modules))
print({{each.method for spec in report.specs for each in spec.obligations}})
"""
"""Everything in one process, without a child that would import what the parent does not."""

GUARD = "context.outcome == 'replan'"
LIBRARY = "fsmcheck.engines.library"


def test_what_deciding_imports(tmp_path: Path) -> None:
    """Z3, and of it no more than its library, is for conditions that are new; another text in a guard makes none."""
    packages = []
    for text in ("a new plan", "another plan"):
        spec = tmp_path / "spec.yaml"
        edited = f"{GUARD} && context.objective != '{text}'"
        spec.write_text(PLAIN.read_text(encoding="utf-8").replace(GUARD, edited), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-c", DECIDED.format(path=str(spec), cache=str(tmp_path / "cache"))],
            env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        names, methods = map(eval, done.stdout.splitlines())
        assert "explicit+induction" in methods
        packages.append(set(names))
    assert LIBRARY in packages[0]
    for modules, path in zip(packages, ("first", "edited"), strict=True):
        assert modules.isdisjoint(SLOW)
        assert own(modules) <= MOST_OWN[path]
    assert packages[0].isdisjoint(NEVER | {"z3"})
    assert packages[1].isdisjoint(NEVER | {"z3", "networkx", "numpy", LIBRARY})


def test_exit_codes_stay(cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(ALLOWED.replace("    # fsmcheck: allow FSM110 - nothing follows yet\n", ""), encoding="utf-8")
    codes, texts = [], []
    for more in ([], [], ["--no-cache"], ["--exit-zero"], ["--ignore", "FSM1,FSM2,FSM3"]):
        codes.append(main(["check", str(path), *more]))
        texts.append(capsys.readouterr().out)
    assert codes == [1, 1, 1, 0, 0]
    assert texts[0] == texts[1] == texts[2]


def test_no_cache_keeps_nothing(cache: Path) -> None:
    assert main(["check", str(PLAIN), "--no-cache", "--select", "FSM1"]) == 0
    assert not cache.exists()
    assert main(["check", str(PLAIN), "--select", "FSM1"]) == 0
    assert (cache / FILE).is_file()


@pytest.mark.parametrize("kind", ["file", "folder", "nonsense"])
def test_a_place_that_will_not_do_is_no_failure(kind: str, cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if kind == "file":
        cache.write_text("", encoding="utf-8")
    else:
        cache.mkdir()
        if kind == "folder":
            (cache / FILE).mkdir()
        else:
            (cache / FILE).write_text("nonsense" * 1000, encoding="utf-8")
    for _ in range(2):
        assert main(["check", str(PLAIN), "--select", "FSM1"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["cache", "info"]) == 0


def test_info_and_clear(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out == f"removed 0 answers and 0 verdicts, 0 bytes from {cache / FILE}\n"
    main(["check", str(PLAIN), "--select", "FSM1,FSM301"])
    capsys.readouterr()
    assert main(["cache", "info"]) == 0
    place, held = capsys.readouterr().out.splitlines()
    assert place == str(cache / FILE)
    assert held.startswith("1 answer and ")
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out.startswith("removed 1 answer and ")
    assert list(cache.iterdir()) == []


def test_a_cache_that_cannot_be_cleared(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (cache / FILE).mkdir(parents=True)
    assert main(["cache", "clear"]) == 3
    assert "cannot be removed" in capsys.readouterr().err


def test_without_a_home_there_is_none(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("FSMCHECK_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert main(["check", str(PLAIN), "--select", "FSM1"]) == 0
    for command in ("info", "clear"):
        capsys.readouterr()
        assert main(["cache", command]) == 0
        assert capsys.readouterr().out.startswith("there is no cache")


def test_the_short_helps_are_those_of_the_commands() -> None:
    context = click.Context(app)
    for name, short in commands._COMMANDS.items():
        command = app.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(500) == short


def test_rules_are_known_by_name_without_importing_them() -> None:
    assert rule_ids() == tuple(rule.id for rule in RULES)


def test_the_cache_needs_nothing_that_a_check_needs() -> None:
    module = importlib.import_module("fsmcheck.remembered")
    assert not {"z3", "yaml"} & set(vars(module))
