"""What the chunks of the differential test found, added up over all processes; what hypothesis may do; a cache of its
own for every test."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("unhurried", deadline=None)  # a busy machine is no fault
settings.load_profile("unhurried")


# Whoever is started in the background has interrupts ignored, and so would all that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

_CACHES = Path(tempfile.mkdtemp(prefix="fsmcheck-tests-"))
_NUMBER = count()


def pytest_runtest_setup() -> None:
    """Tests share no cache, neither with each other nor with whoever runs them."""
    os.environ["FSMCHECK_CACHE_DIR"] = str(_CACHES / str(next(_NUMBER)))


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line, called in the process of a test, starts no others unless it is told to: what the test has
    replaced would not be replaced in them."""
    monkeypatch.setattr("fsmcheck.cli.check.cores", lambda: None)
    monkeypatch.setattr("fsmcheck.cli.graph.cores", lambda: None)


def pytest_unconfigure() -> None:
    shutil.rmtree(_CACHES, ignore_errors=True)


def _tallies(config: pytest.Config) -> list[dict[str, Any]]:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = [report for kind in ("passed", "failed") for report in (reporter.stats.get(kind, ()) if reporter else ())]
    return [value for report in reports for name, value in report.user_properties if name == "tally"]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """A rule that was never put to the test fails the run."""
    from tests.oracle.compare import Tally

    found = _tallies(session.config)
    total = Tally()
    for data in found:
        total.add(data)
    session.config.stash[_TOTAL] = total
    if total.specs >= _WHOLE and total.never_found():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


_TOTAL: pytest.StashKey[Any] = pytest.StashKey()
_WHOLE = 1000


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The table of rules against outcomes."""
    total = config.stash.get(_TOTAL, None)
    if total is not None and total.specs:
        terminalreporter.section("product against brute force")
        terminalreporter.write_line(total.table())
        if total.specs >= _WHOLE and total.never_found():
            terminalreporter.write_line(f"never put to the test: {', '.join(total.never_found())}", red=True)
