"""What ``fsmcheck monitor`` prints and writes as it goes."""

from __future__ import annotations

import json
import re
from pathlib import Path

from fsmcheck.cli.output import emit, emit_utf8, write_file
from fsmcheck.diagnostics import Severity
from fsmcheck.monitoring.coverage import table as coverage_table
from fsmcheck.monitoring.monitor import Monitor
from fsmcheck.monitoring.outcome import Breach, Departure, Outcome, Unjudged
from fsmcheck.monitoring.render import as_json, summary_json, summary_lines, text_lines
from fsmcheck.report import sanitise
from fsmcheck.rules.catalogue import RULES

MOST_TRACES = 1000
MOST_COMPLAINTS = 20
"""Of one kind that are told one by one to people."""

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


class Reporter:
    """Tells outcomes and keeps in mind whether any was grave: ``found``.

    ``least`` is the least severity that is, None for none at all.
    """

    def __init__(
        self, format_name: str, least: Severity | None, folder: Path | None, *, quiet: bool, lenient: bool
    ) -> None:
        self.found = False
        self._is_json = format_name == "json"
        self._least = least
        self._folder = folder
        self._quiet = quiet
        self._lenient = lenient
        self._traces = 0
        self._complaints: dict[str, int] = {}
        self._severity = {rule.id: rule.severity for rule in RULES}
        self._slugs = {rule.id: rule.slug for rule in RULES}

    def tell(self, outcome: Outcome) -> None:
        """Tell one outcome."""
        self.found = self.found or self._is_grave(outcome)
        file = self._written(outcome)
        if self._quiet:
            return
        if self._is_json:
            self._emit_json(as_json(outcome, self._slug, file))
            return
        if isinstance(outcome, Unjudged) and self._is_enough(outcome):
            return
        lines = list(text_lines(outcome, self._slug))
        if file is not None:
            lines.append(f"    trace: {file}")
        emit("".join(f"{sanitise.line(line)}\n" for line in lines))

    def _is_enough(self, outcome: Unjudged) -> bool:
        told = self._complaints[outcome.kind] = self._complaints.get(outcome.kind, 0) + 1
        if told == MOST_COMPLAINTS:
            emit(f"more complaints of {outcome.kind} are counted only\n")
        return told >= MOST_COMPLAINTS

    def summary(self, monitor: Monitor, *, table: bool, interrupted: bool) -> None:
        """Tell all in numbers."""
        if self._is_json:
            self._emit_json(summary_json(monitor, self._slug, interrupted=interrupted))
            return
        lines = list(summary_lines(monitor, self._slug, interrupted=interrupted))
        if table:
            lines.extend(coverage_table(monitor.counts.as_json()))
        emit("".join(f"{sanitise.line(line)}\n" for line in lines))

    def _slug(self, rule: str) -> str:
        return self._slugs[rule]

    def _emit_json(self, data: object) -> None:
        text = json.dumps(data, ensure_ascii=False)
        emit_utf8(sanitise.json_text(sanitise.scalar_values(text)) + "\n")

    def _is_grave(self, outcome: Outcome) -> bool:
        match outcome:
            case Departure():
                return True
            case Breach(violation=violation):
                return self._least is not None and self._severity[violation.rule].rank <= self._least.rank
            case Unjudged(kind=kind):
                return not self._lenient and kind != "unknown-field"
            case _:
                return False

    def _written(self, outcome: Outcome) -> str | None:
        """The file with the trace of an outcome."""
        if self._folder is None or not isinstance(outcome, Departure | Breach) or outcome.telling.trace is None:
            return None
        if self._traces >= MOST_TRACES:
            return None
        self._folder.mkdir(parents=True, exist_ok=True)
        self._traces += 1
        what = outcome.violation.rule if isinstance(outcome, Breach) else outcome.found.clause or "departure"
        run = _UNSAFE.sub("_", outcome.run)[:60]
        path = self._folder / f"{self._traces:03}-{run}-{what}.json"
        text = json.dumps(outcome.telling.trace, indent=2, ensure_ascii=False)
        write_file(path, sanitise.json_text(sanitise.scalar_values(text)) + "\n")
        return str(path)
