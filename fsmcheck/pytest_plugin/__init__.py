"""``pytest --fsmcheck``: every obligation of a spec as a test, and fixtures to test reducers with.

Loaded by pytest wherever fsmcheck is installed, so nothing but pytest is imported before somebody asks.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fsmcheck.pytest_plugin.fixtures import fsm_conformance, fsm_reducer, fsm_spec

if TYPE_CHECKING:
    from fsmcheck.pytest_plugin.nodes import SpecFile

__all__ = ["fsm_conformance", "fsm_reducer", "fsm_spec"]

_SUFFIXES = (".yaml", ".yml")
_MARKERS = (
    "fsmcheck(rule, severity, state): a rule or an obligation of a spec, collected by --fsmcheck",
    "fsm_spec(path, name=None, profile=None): the spec for the fixtures of fsmcheck",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("fsmcheck", "state machine specs")
    group.addoption("--fsmcheck", action="store_true", default=None, help="Collect the obligations of specs.")
    group.addoption("--fsmcheck-profile", metavar="PROFILE", help="gated, eager or both.")
    group.addoption("--fsmcheck-select", metavar="RULE,...", help="Only these rules: FSM403, or FSM4 for all 4xx.")
    group.addoption("--fsmcheck-ignore", metavar="RULE,...", help="All rules but these.")
    group.addoption("--fsmcheck-timeout", metavar="SECONDS", help="Time for one obligation.")
    group.addoption("--fsmcheck-fail-on", metavar="SEVERITY", help="The least severity that fails: error by default.")
    group.addoption("--fsmcheck-unknown", metavar="OUTCOME", help="What is undecided: fail, xfail, skip or pass.")
    group.addoption("--fsmcheck-spec", metavar="PATH", help="The spec for fixtures in tests without a marker.")
    parser.addini("fsmcheck", "Collect the obligations of specs, as --fsmcheck does.", type="bool", default=False)
    parser.addini("fsmcheck_profile", "gated, eager or both.", default="")
    parser.addini("fsmcheck_select", "Only these rules.", type="args", default=[])
    parser.addini("fsmcheck_ignore", "All rules but these.", type="args", default=[])
    parser.addini("fsmcheck_timeout", "Seconds for one obligation.", default="")
    parser.addini("fsmcheck_fail_on", "The least severity that fails.", default="")
    parser.addini("fsmcheck_unknown", "What is undecided: fail, xfail, skip or pass.", default="")
    parser.addini("fsmcheck_spec", "The spec for fixtures in tests without a marker.", default="")


def pytest_configure(config: pytest.Config) -> None:
    for marker in _MARKERS:
        config.addinivalue_line("markers", marker)
    if config.getoption("fsmcheck") or config.getini("fsmcheck"):
        from fsmcheck.pytest_plugin.settings import read
        from fsmcheck.pytest_plugin.telling import Telling

        settings = read(config)
        config.pluginmanager.register(_Collecting(), "fsmcheck-collecting")
        config.pluginmanager.register(Telling(), "fsmcheck-telling")
        config.stash[settings.KEY] = settings


class _Collecting:
    """What is done only where somebody asked for it."""

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> SpecFile | None:
        if file_path.suffix.lower() not in _SUFFIXES:
            return None
        from fsmcheck.pytest_plugin.nodes import SpecFile

        return SpecFile.of(file_path, parent)
