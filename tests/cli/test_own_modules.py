"""The command finds its modules where Python would find them, and nothing else."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

import fsmcheck
from fsmcheck.cli.own_modules import OwnModules, install

PACKAGE = Path(fsmcheck.__file__).parent
NAMES = [
    ".".join(("fsmcheck", *(path.parent if path.stem == "__init__" else path.with_suffix("")).parts))
    for path in (each.relative_to(PACKAGE) for each in sorted(PACKAGE.rglob("*.py")))
    if path.as_posix() != "__init__.py"
]


def test_every_module_is_found_where_python_finds_it() -> None:
    assert len(NAMES) > 300
    finder = OwnModules(str(PACKAGE))
    for name in NAMES:
        parent = name.rpartition(".")[0]
        usual = PathFinder.find_spec(name, [str(PACKAGE.joinpath(*parent.split(".")[1:]))])
        found = finder.find_spec(name, None)
        assert usual is not None, name
        assert found is not None, name
        for what in ("name", "origin", "cached", "submodule_search_locations", "has_location", "parent"):
            assert getattr(found, what) == getattr(usual, what), (name, what)
        assert isinstance(found.loader, SourceFileLoader)
        assert isinstance(usual.loader, SourceFileLoader)
        assert found.loader.get_code(name) == usual.loader.get_code(name), name


@pytest.mark.parametrize("name", ["fsmcheck.nothing", "fsmcheck.cli.nothing", "fsmcheck", "yaml", "fsmchecks.cli"])
def test_what_is_not_there_or_not_ours_is_left_to_others(name: str) -> None:
    assert OwnModules(str(PACKAGE)).find_spec(name, None) is None


def loaded(folder: Path) -> ModuleType:
    spec = OwnModules(str(folder)).find_spec("fsmcheck.one.two", None)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_changed_is_compiled_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "one").mkdir()
    source = tmp_path / "one" / "two.py"
    source.write_text("value = 1\n", encoding="utf-8")
    module = loaded(tmp_path)
    assert module.value == 1
    assert Path(module.__cached__).is_file()
    before = source.stat()
    source.write_text("value = 2\n", encoding="utf-8")
    os.utime(source, (before.st_atime, before.st_mtime + 2))
    assert loaded(tmp_path).value == 2
    source.write_text("value = 30\n", encoding="utf-8")
    os.utime(source, (before.st_atime, before.st_mtime + 2))
    assert loaded(tmp_path).value == 30


def test_bytecode_of_other_kinds_lies_where_python_puts_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    spec = OwnModules(str(PACKAGE)).find_spec("fsmcheck.check", None)
    assert spec is not None
    assert spec.cached is not None
    assert spec.cached.startswith(str(tmp_path))


def test_who_was_asked_first_still_is(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [object(), *sys.meta_path]
    monkeypatch.setattr(sys, "meta_path", list(before))
    monkeypatch.setattr(fsmcheck, "__loader__", SourceFileLoader("fsmcheck", fsmcheck.__file__))
    install()
    assert [each for each in sys.meta_path if not isinstance(each, OwnModules)] == before
    (number,) = (number for number, each in enumerate(sys.meta_path) if isinstance(each, OwnModules))
    assert sys.meta_path[number + 1] is PathFinder


def test_nothing_is_installed_for_a_package_that_is_loaded_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    before = list(sys.meta_path)
    monkeypatch.setattr(fsmcheck, "__loader__", object())
    install()
    assert sys.meta_path == before


def test_optimised_python_runs_the_command(tmp_path: Path) -> None:
    for flags in ([], ["-O"], ["-OO"]):
        done = subprocess.run(
            [sys.executable, *flags, "-m", "fsmcheck", "--version"],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)}, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        assert done.stdout == f"fsmcheck {fsmcheck.__version__}\n"
