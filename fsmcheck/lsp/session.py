"""The open texts: what is known of each, and what the editor is told when.

What costs little is found at once, on one thread, for the newest text only. What takes long waits until nobody has
typed for a moment, and is decided in a process that is killed when the text changes after all.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from pathlib import Path

from lsprotocol import types

from fsmcheck.diagnostics import Finding
from fsmcheck.lsp.analysis import SLOW, Analysis, Settings, Terms, analyse, terms_for
from fsmcheck.lsp.diagnostics import Shown, carried, of_notices, shown, visible
from fsmcheck.lsp.verdicts import decide
from fsmcheck.records import dataclass
from fsmcheck.results import Notice, ObligationRecord, Report
from fsmcheck.spec.model import Spec

PAUSE = 0.4
"""Seconds without a change after which runs are looked at."""

_MOST_CHECKS = 4
"""Processes at a time, where there are twice as many processors."""

Publish = Callable[[types.PublishDiagnosticsParams], None]
Tell = Callable[[str], None]


@dataclass(slots=True)
class Open:
    """An open text. ``analysis`` may lag behind ``text``; ``report`` is that of ``decided``, an earlier text or this.

    ``slow`` are findings about runs, at their places in the text that was analysed last; ``is_marked`` says whether
    the editor shows anything.
    """

    uri: str
    path: str
    text: str
    version: int | None
    analysis: Analysis | None = None
    analysed: asyncio.Task[None] | None = None
    deciding: asyncio.Task[None] | None = None
    decided: str | None = None
    decided_by: Terms | None = None
    report: Report | None = None
    slow: tuple[Finding, ...] = ()
    shown: tuple[Shown, ...] = ()
    is_marked: bool = False
    last_specs: tuple[Spec, ...] = ()
    complaints: set[str] = field(default_factory=set)


class Session:
    """The texts that one editor has open. ``encoding`` is set when it was agreed on."""

    def __init__(self, settings: Settings, publish: Publish, tell: Tell) -> None:
        self.encoding = "utf-16"
        self.folder: Path | None = None
        self._settings = settings
        self._publish = publish
        self._tell = tell
        self._open: dict[str, Open] = {}
        self._thread = ThreadPoolExecutor(1)
        self._turn = asyncio.Semaphore(max(1, min(_MOST_CHECKS, (os.cpu_count() or 1) // 2)))

    def opened(self, uri: str, path: str, text: str, version: int | None) -> None:
        """A text was opened; one that was open already is replaced."""
        before = self._open.get(uri)
        if before is not None:
            _cancel(before.deciding)
        self._open[uri] = document = Open(uri, path, text, version)
        self._start(document)

    def changed(self, uri: str, text: str, version: int | None) -> None:
        """The text of an open document is another now."""
        document = self._open.get(uri)
        if document is not None:
            document.text, document.version = text, version
            self._start(document)

    async def saved(self, uri: str) -> None:
        """Look again where the configuration is another, or where the last check came to nothing."""
        document = self._open.get(uri)
        if document is None:
            return
        await self.current(uri)
        terms = terms_for(document.path, self.folder, self._settings)
        is_busy = document.deciding is not None and not document.deciding.done()
        is_same = document.analysis is not None and document.analysis.terms == terms
        if self._open.get(uri) is document and not (is_same and (is_busy or document.decided == document.text)):
            self._start(document)

    def closed(self, uri: str) -> None:
        """Forget a text, and take its findings off the screen."""
        document = self._open.pop(uri, None)
        if document is not None:
            _cancel(document.deciding)
            self._publish(types.PublishDiagnosticsParams(uri, []))

    async def current(self, uri: str) -> tuple[Open, Analysis] | None:
        """An open text with the analysis of its newest version; None where it is not open or cannot be analysed."""
        while (document := self._open.get(uri)) is not None:
            analysed = document.analysed
            if analysed is not None:
                await asyncio.shield(analysed)
            if analysed is document.analysed and self._open.get(uri) is document:
                analysis = document.analysis
                is_new = analysis is not None and analysis.source.text == document.text
                return (document, analysis) if analysis is not None and is_new else None
        return None

    def records(self, document: Open, spec: Spec | None) -> Sequence[ObligationRecord] | None:
        """The verdicts on a spec of a text; None where they are not known for the text as it is."""
        report, analysis = document.report, document.analysis
        if report is None or analysis is None or document.decided != document.text or spec is None:
            return None
        number = next((n for n, each in enumerate(analysis.documents) if each.spec is spec), None)
        if number is None:
            return None
        # Under two profiles each document is reported on twice.
        each = len(report.specs) // len(analysis.documents)
        return [record for spec in report.specs[number * each : (number + 1) * each] for record in spec.obligations]

    async def stop(self) -> None:
        """Kill what runs."""
        tasks = [task for each in self._open.values() for task in (each.analysed, each.deciding) if task is not None]
        self._open.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _start(self, document: Open) -> None:
        _cancel(document.deciding)
        document.analysed = asyncio.create_task(self._analyse(document))
        document.deciding = asyncio.create_task(self._decide(document, document.analysed))

    async def _analyse(self, document: Open) -> None:
        text, version = document.text, document.version

        def work() -> Analysis | None:
            if document.text is not text or self._open.get(document.uri) is not document:
                return None
            terms = terms_for(document.path, self.folder, self._settings)
            return analyse(document.path, text, self.encoding, terms)

        before = document.analysis
        try:
            analysis = await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except Exception as error:  # noqa: BLE001 - a rule that fails must not end the server
            self._complain(document, f"internal error: {type(error).__name__}: {error}")
            return
        if analysis is None or document.text is not text or self._open.get(document.uri) is not document:
            return
        if before is not None:
            document.slow = carried(document.slow, before.source.text, text)
        if document.decided == text and document.report is not None:
            document.slow = _slow(document.report)
        elif not analysis.is_decidable:
            document.slow = ()
        document.analysis = analysis
        document.last_specs = tuple(each.spec for each in analysis.names) or document.last_specs
        self._complain(document, analysis.terms.complaint)
        self._show(document, version, analysis)

    async def _decide(self, document: Open, analysed: asyncio.Task[None]) -> None:
        await asyncio.shield(analysed)
        analysis = document.analysis
        if analysis is None or analysis.source.text is not document.text or not analysis.is_decidable:
            return
        if document.decided == document.text and document.decided_by == analysis.terms:
            return
        version = document.version
        await asyncio.sleep(PAUSE)
        async with self._turn:
            answer = await decide(analysis.source, analysis.terms.options)
        if document.analysis is not analysis or self._open.get(document.uri) is not document:
            return
        if isinstance(answer, str):
            self._complain(document, f"the runs of this spec could not be looked at: {answer}")
            return
        report = analysis.terms.judged(answer)
        document.decided, document.decided_by, document.report = analysis.source.text, analysis.terms, report
        document.slow = _slow(report)
        self._show(document, version, analysis)

    def _show(self, document: Open, version: int | None, analysis: Analysis) -> None:
        """Tell the editor what is known: from the whole check where there is one of this text."""
        lines, whole = analysis.lines, document.report if document.decided == analysis.source.text else None
        report = whole or analysis.report
        findings = () if report is None else visible(report)
        if whole is None:
            findings = (*findings, *document.slow)
        document.shown = shown(findings, lines, document.uri)
        notices: tuple[Notice, ...] = () if report is None else report.notices
        diagnostics = [*(each.diagnostic for each in document.shown), *of_notices(notices, lines)]
        if report is None and not document.is_marked:
            return
        document.is_marked = bool(diagnostics)
        self._publish(types.PublishDiagnosticsParams(document.uri, diagnostics, version))

    def _complain(self, document: Open, message: str | None) -> None:
        """Say something once."""
        if message is not None and message not in document.complaints:
            document.complaints.add(message)
            self._tell(message)


def _slow(report: Report) -> tuple[Finding, ...]:
    return tuple(each for each in visible(report) if each.rule in SLOW)


def _cancel(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
