"""Words for outcomes that are no plain pass, and the verdicts counted at the end: silence is no proof."""

from __future__ import annotations

from collections import Counter

import pytest

_NAMES = ("proved", "vacuous", "violated", "unknown", "skipped")


class Telling:
    """What the terminal says besides the outcomes of tests."""

    def pytest_report_teststatus(self, report: pytest.CollectReport | pytest.TestReport) -> tuple[str, str, str] | None:
        if report.when == "call" and report.passed and _property(report, "note") is not None:
            return "noted", "n", "NOTED"
        return None

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        reports = [
            report
            for kind in ("passed", "noted", "failed", "skipped", "xfailed")
            for report in terminalreporter.stats.get(kind, ())
            if _property(report, "verdict") is not None and report.when == "call"
        ]
        if not reports:
            return
        terminalreporter.section("fsmcheck")
        for report in reports:
            note = _property(report, "note")
            if note is not None:
                terminalreporter.write_line(f"{report.nodeid}: {note}")
            elif _property(report, "verdict") == "unknown":
                reason = _property(report, "reason") or "no reason given"
                terminalreporter.write_line(f"{report.nodeid}: undecided: {reason}", yellow=True)
        counts = Counter(_property(report, "verdict") for report in reports)
        told = ", ".join(f"{counts[name]} {name}" for name in _NAMES if counts[name] or name in ("proved", "unknown"))
        terminalreporter.write_line(f"obligations: {told}")


def _property(report: pytest.CollectReport | pytest.TestReport, name: str) -> str | None:
    pairs = getattr(report, "user_properties", ())
    return next((str(value) for key, value in pairs if key == f"fsmcheck.{name}"), None)
