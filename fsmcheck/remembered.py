"""The main job for those who asked before: sources that did not change are answered from the cache.

An answer is all that is said of one source: its reports and the notices about its comments. Nothing here imports a
rule or a solver before some source has to be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from enum import Enum
from hashlib import sha256
from typing import TYPE_CHECKING

from fsmcheck import __version__
from fsmcheck.cache.codec import MisfitError, decoded, encoded
from fsmcheck.cache.store import Store
from fsmcheck.cache.toolkit import is_unchanged, tool_digest
from fsmcheck.options import Options
from fsmcheck.parallel.losses import has_losses
from fsmcheck.results import Notice, Report, RuleRecord, SpecReport
from fsmcheck.source import SourceFile

if TYPE_CHECKING:
    from fsmcheck.spec.files import UnreadableFileError

Progress = Callable[[int, int, str], None]

_ANSWER = "answer"
_ABOUT = "about"
_WITHOUT_EFFECT = frozenset({"jobs", "memory", "cluster", "cache", "per_file_ignores"})
"""Options that change no answer; what is ignored in one file is among those that its ``ignore`` names."""

_NOWHERE = SourceFile("", "")


Answer = tuple[tuple[SpecReport, ...], tuple[Notice, ...]]
"""What is said of one source."""

About = tuple[str, tuple[RuleRecord, ...]]
"""What every report says of the tool: the version of Z3, and all rules."""


def check(
    sources: Sequence[SourceFile | UnreadableFileError], options: Options, progress: Progress | None = None
) -> Report:
    """Check every document of every source, or remember what was found in the same text before.

    The report is the one that ``fsmcheck.check.check`` gives, but for the seconds that verdicts took and for
    ``cached``. Certificates are always made anew. Raises ``RuleCrashError`` where a rule fails.
    """
    if options.cache is None or options.certificates or len({_identity(source) for source in sources}) < len(sources):
        return _fresh(sources, options, progress)
    with Store(options.cache) as store:
        return _Memory(store, options, tool_digest(store)).check(sources, progress)


def _fresh(sources: Sequence[SourceFile | UnreadableFileError], options: Options, progress: Progress | None) -> Report:
    from fsmcheck.check import check as check_anew

    return check_anew(sources, options, progress)


def _identity(source: SourceFile | UnreadableFileError) -> object:
    return source if isinstance(source, SourceFile) else id(source)


class _Memory:
    """The answers in a store to what may be asked with these options of this version of the tool."""

    def __init__(self, store: Store, options: Options, tool: str) -> None:
        self.store = store
        self.options = options
        self.tool = tool

    def check(self, sources: Sequence[SourceFile | UnreadableFileError], progress: Progress | None) -> Report:
        about = self._about()
        keys = {source: self._key(source) for source in sources if isinstance(source, SourceFile)}
        known = self._known(keys) if about is not None else {}
        rest = [source for source in sources if not isinstance(source, SourceFile) or source not in known]
        if not rest and about is not None:
            z3, rules = about
            asked = tuple(rule for rule in rules if self.options.wants(rule.id))
            report = Report(self.options.profile, (), __version__, z3, rules=asked)
        else:
            self.store.close()  # no connection may be open where children are forked
            report = _fresh(rest, self.options, progress)
        found = _by_source(report, [source if isinstance(source, SourceFile) else source.source for source in rest])
        if found is None:
            return report if len(rest) == len(sources) else _fresh(sources, self.options, progress)
        if rest and not report.interrupted and is_unchanged():
            whole = {source: answer for source, answer in found.items() if not any(map(has_losses, answer[0]))}
            self._keep({keys[source]: (source, answer) for source, answer in whole.items() if source in keys})
            if about is None:
                self._keep_about(report)
        found |= known
        plain = [source if isinstance(source, SourceFile) else source.source for source in sources]
        specs = tuple(spec for source in plain for spec in found[source][0])
        return replace(report, specs=specs, notices=tuple(each for source in plain for each in found[source][1]))

    def _key(self, source: SourceFile) -> str:
        options = self.options.at(source.path)
        asked = [f"{each.name}={_told(getattr(options, each.name))}" for each in fields(Options)]
        parts = [part for part in asked if part.partition("=")[0] not in _WITHOUT_EFFECT]
        return digest(self.tool, source.text, *parts)

    def _about(self) -> About | None:
        data = self.store.get(_ABOUT, self.tool)
        try:
            about: About | None = None if data is None else decoded(About, data, _NOWHERE)
        except MisfitError:
            return None
        return about

    def _known(self, keys: Mapping[SourceFile, str]) -> dict[SourceFile, Answer]:
        rows = self.store.get_many(_ANSWER, keys.values())
        known = {}
        for source, key in keys.items():
            if key in rows:
                try:
                    specs, notices = decoded(Answer, rows[key], source)
                except MisfitError:
                    continue
                if specs and all(spec.profile in self.options.profiles for spec in specs):
                    known[source] = (tuple(map(_cached, specs)), notices)
        return known

    def _keep(self, answers: Mapping[str, tuple[SourceFile, Answer]]) -> None:
        rows = {}
        for key, (source, answer) in answers.items():
            try:
                rows[key] = encoded(Answer, answer, source)
            except (MisfitError, RecursionError):
                continue
        self.store.put_many(_ANSWER, rows)

    def _keep_about(self, report: Report) -> None:
        from fsmcheck.check import rule_records

        about = (report.z3_version, rule_records(Options()))
        self.store.put_many(_ABOUT, {self.tool: encoded(About, about, _NOWHERE)})


def _by_source(report: Report, sources: Sequence[SourceFile]) -> dict[SourceFile, Answer] | None:
    """The parts of a report about each source; None where it is about others, too."""
    specs: dict[SourceFile, list[SpecReport]] = {source: [] for source in sources}
    notices: dict[SourceFile, list[Notice]] = {source: [] for source in sources}
    for spec in report.specs:
        if spec.source not in specs:
            return None
        specs[spec.source].append(spec)
    for notice in report.notices:
        if notice.source is None or notice.source not in notices:
            return None
        notices[notice.source].append(notice)
    return {source: (tuple(specs[source]), tuple(notices[source])) for source in sources}


def _cached(spec: SpecReport) -> SpecReport:
    return replace(spec, obligations=tuple(replace(each, cached=True) for each in spec.obligations))


def _told(value: object) -> str:
    if isinstance(value, Enum):
        return repr(value.value)
    return f"({','.join(map(_told, value))})" if isinstance(value, tuple) else repr(value)


def digest(*parts: str) -> str:
    """A digest of texts in this order."""
    whole = sha256()
    for part in parts:
        data = part.encode(errors="surrogatepass")
        whole.update(f"{len(data)}:".encode())
        whole.update(data)
    return whole.hexdigest()
