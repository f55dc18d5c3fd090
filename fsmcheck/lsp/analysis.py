"""What is known of a text at once: its documents, the findings that need no solver, the settings it is checked by."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path

from fsmcheck.baseline import BaselineError, path_in
from fsmcheck.baseline import read as read_baseline
from fsmcheck.cache.place import user_folder
from fsmcheck.check import BLOCKING, SOLVING, check_documents
from fsmcheck.config import Config, ConfigError, find
from fsmcheck.config import read as read_config
from fsmcheck.lsp.names import Names
from fsmcheck.lsp.positions import Lines
from fsmcheck.options import Options
from fsmcheck.records import dataclass
from fsmcheck.results import Report
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.catalogue import RULES
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import LoadedDocument, load
from fsmcheck.spec.model import Spec
from fsmcheck.spec.recognise import has_top_level_fsm
from fsmcheck.suppress import Key, allow_baseline

UNSAVED = "<unsaved>"
"""The path of a text that is no file."""

SLOW = frozenset(rule.id for rule in RULES if isinstance(rule, BehaviourRule)) | SOLVING
"""The rules that are decided in another process."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the server was started with: ``profile`` overrules the configuration, ``config`` is its file if named;
    ``cache`` is whether verdicts are remembered."""

    profile: str | None = None
    config: Path | None = None
    isolated: bool = False
    cache: bool = True


@dataclass(frozen=True, slots=True)
class Terms:
    """What a file is checked by; ``complaint`` says what is wrong with its configuration or baseline."""

    options: Options
    baseline: Path | None = None
    known: tuple[Key, ...] = ()
    complaint: str | None = None

    def judged(self, report: Report) -> Report:
        """The report with what is in the baseline marked as suppressed."""
        baseline = self.baseline
        if baseline is None or not self.known:
            return report
        return allow_baseline(report, self.known, lambda path: path_in(baseline, path))


def terms_for(path: str, folder: Path | None, settings: Settings) -> Terms:
    """The terms for a file, or for a text that is none in the folder that the editor has open."""
    where = folder if path == UNSAVED else Path(path).parent
    complaint, config = None, Config()
    try:
        if settings.config is not None:
            config = read_config(settings.config)
        elif where is not None and not settings.isolated:
            config = find(where)
    except ConfigError as error:
        complaint = str(error)
    options = Options(
        profile=settings.profile or config.profile,
        select=config.select,
        ignore=config.ignore,
        timeout=config.timeout,
        severities=config.severity,
        per_file_ignores=config.per_file_ignores,
        cache=user_folder() if settings.cache else None,
    )
    try:
        known = () if config.baseline is None else read_baseline(config.baseline)
    except BaselineError as error:
        return Terms(options, complaint=str(error))
    return Terms(options, config.baseline, known, complaint)


@dataclass(frozen=True)
class Analysis:
    """One version of a text. ``documents`` are empty and ``report`` None where it is no spec."""

    source: SourceFile
    lines: Lines
    terms: Terms
    documents: tuple[LoadedDocument, ...] = ()
    report: Report | None = None

    @property
    def is_decidable(self) -> bool:
        """Whether there is a document whose runs have a meaning, and a rule that asks about them."""
        if self.report is None or not any(self.terms.options.at(self.source.path).asks(rule) for rule in SLOW):
            return False
        return any(document.is_whole and not _is_blocked(document) for document in self.documents)

    @cached_property
    def names(self) -> tuple[Names, ...]:
        """The names in each document that could be read."""
        return tuple(Names(document.spec) for document in self.documents if document.spec is not None)

    def names_at(self, offset: int) -> Names | None:
        """The names of the document that an offset lies in."""
        return next((each for each in self.names if each.spec.span.start <= offset <= each.spec.span.end), None)

    def spec_near(self, offset: int) -> Spec | None:
        """The spec that an offset lies in, else the last that begins before it."""
        before = [each.spec for each in self.names if each.spec.span.start <= offset]
        return before[-1] if before else next((each.spec for each in self.names), None)


def _is_blocked(document: LoadedDocument) -> bool:
    return any(fault.rule in BLOCKING for fault in document.faults)


def analyse(path: str, text: str, encoding: str, terms: Terms) -> Analysis:
    """The analysis of a text. Raises ``RuleCrashError`` where a rule fails."""
    source, lines = SourceFile(path, text), Lines(text, encoding)
    if not has_top_level_fsm(text):
        return Analysis(source, lines, terms)
    documents = load(source)
    quick = replace(terms.options, profile=terms.options.profiles[0], ignore=(*terms.options.ignore, *SLOW))
    report = terms.judged(check_documents(documents, quick))
    return Analysis(source, lines, terms, documents, report)
