"""The nodes that pytest collects: a file, a spec in it under a profile, a rule or an obligation of that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

import pytest

from fsmcheck.check import RuleCrashError, check
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.options import Options
from fsmcheck.pytest_plugin.outcome import Outcome, outcome
from fsmcheck.pytest_plugin.planning import Planned, plain, planned
from fsmcheck.pytest_plugin.settings import Settings
from fsmcheck.reducer.configuration import Profile
from fsmcheck.results import SpecReport
from fsmcheck.source import SourceFile
from fsmcheck.spec.files import UnreadableFileError, read_source
from fsmcheck.spec.load import LoadedDocument, load
from fsmcheck.spec.recognise import holds_fsm

if TYPE_CHECKING:
    from _pytest._code.code import ExceptionInfo, TerminalRepr

_ENOUGH = 1_000_000
_NO_MARKS = str.maketrans("@[]", "___")
"""What means something to xdist in the name of a group."""


class ViolatedError(Exception):
    """An obligation does not hold; ``outcome`` says how."""

    def __init__(self, found: Outcome) -> None:
        super().__init__(found.message)
        self.outcome = found


class NothingKnownError(Exception):
    """The tool itself failed; the message is one sentence."""


class SpecFile(pytest.File):
    """A YAML file with specs."""

    @classmethod
    def of(cls, path: Path, parent: pytest.Collector) -> Self | None:
        """The node for a file; None where it holds no spec."""
        try:
            with path.open("rb") as file:
                data = file.read(_ENOUGH)
        except OSError:
            return None
        return cls.from_parent(parent, path=path) if holds_fsm(data) else None

    def collect(self) -> Iterator[SpecNode]:
        documents = self._documents()
        names = _distinct([_name(document, number) for number, document in enumerate(documents, 1)])
        for number, document in enumerate(documents):
            yield SpecNode.of(self, names[number], document, number)

    def _documents(self) -> tuple[LoadedDocument, ...]:
        source = self.source()
        if isinstance(source, UnreadableFileError):
            return (LoadedDocument(None, (source.fault,), source.source),)
        return load(source)

    def source(self) -> SourceFile | UnreadableFileError:
        """The text as it is now, under its whole path."""
        try:
            return read_source(str(self.path))
        except UnreadableFileError as error:
            return error


class SpecNode(pytest.Collector):
    """A spec. Under each profile it is checked once, when the first of its items is set up."""

    document: LoadedDocument
    number: int
    _found: dict[Profile, SpecReport | NothingKnownError]

    @classmethod
    def of(cls, parent: SpecFile, name: str, document: LoadedDocument, number: int) -> Self:
        """The node for the document of that number (0-based) in a file."""
        node = cls.from_parent(parent, name=name)
        node.document, node.number, node._found = document, number, {}
        return node

    @property
    def options(self) -> Options:
        """What to check in this file."""
        return self.config.stash[Settings.KEY].options.at(str(self.path))

    def collect(self) -> Iterator[ObligationItem]:
        try:
            found = [
                (each, profile)
                for profile in cast("tuple[Profile, ...]", self.options.profiles)
                for each in planned(self.document, profile, self.options)
            ]
        except Exception as error:
            raise self.CollectError(f"fsmcheck: the tool failed: {type(error).__name__}: {error}") from error
        return iter([ObligationItem.of(self, each, profile) for each, profile in found])

    def report(self, profile: Profile) -> SpecReport:
        """What came of the spec. Raises ``NothingKnownError``."""
        if profile not in self._found:
            self._found[profile] = self._checked(profile)
        found = self._found[profile]
        if isinstance(found, NothingKnownError):
            raise found
        return found

    def _checked(self, profile: Profile) -> SpecReport | NothingKnownError:
        from dataclasses import replace

        from fsmcheck.baseline import path_in
        from fsmcheck.suppress import allow_baseline

        settings = self.config.stash[Settings.KEY]
        items = [
            item
            for item in self.session.items
            if isinstance(item, ObligationItem) and item.parent is self and item.profile == profile
        ]
        wanted = tuple(sorted({item.planned.rule for item in items}))
        options = replace(settings.options, profile=profile, select=wanted, jobs=None)
        parent = cast("SpecFile", self.parent)
        try:
            report = check([parent.source()], options)
        except (RuleCrashError, DisagreementError) as error:
            return NothingKnownError(f"the tool failed, and nothing may be concluded: {error}")
        baseline = settings.config.baseline
        if baseline is not None:
            report = allow_baseline(report, settings.baseline, lambda checked: path_in(baseline, checked))
        if self.number >= len(report.specs):
            return NothingKnownError("the file has changed since its specs were collected")
        found = report.specs[self.number]
        asked = {item.planned.obligation for item in items if item.planned.obligation is not None}
        missing = asked - {record.id for record in found.obligations}
        if missing:
            return NothingKnownError(f"nothing was decided about {', '.join(sorted(missing))}")
        return found


class ObligationItem(pytest.Item):
    """A rule on the text of a spec, or an obligation."""

    planned: Planned
    profile: Profile

    @classmethod
    def of(cls, parent: SpecNode, each: Planned, profile: Profile) -> Self:
        """The item for what was planned."""
        name = f"{each.name}[{profile}]"
        # Given whole: pytest takes the brackets of a name for those of parameters only in IDs that it reads.
        item = cls.from_parent(parent, name=name, nodeid=f"{parent.nodeid}::{name}")
        item.planned, item.profile = each, profile
        told = {key: value for key, value in each.subject.as_dict().items() if key in ("state", "transition", "field")}
        item.add_marker(pytest.mark.fsmcheck(rule=each.rule, profile=profile, **told))
        if item.config.pluginmanager.hasplugin("xdist"):
            group = parent.nodeid.rpartition("::")[0] or parent.nodeid
            item.add_marker(pytest.mark.xdist_group(name=f"{group.translate(_NO_MARKS)}-{profile}"))
        return item

    def setup(self) -> None:
        try:
            cast("SpecNode", self.parent).report(self.profile)
        except NothingKnownError as error:
            raise pytest.fail.Exception(f"fsmcheck: {error}", pytrace=False) from None

    def runtest(self) -> None:
        node = cast("SpecNode", self.parent)
        found = outcome(node.report(self.profile), self.planned, node.config.stash[Settings.KEY], self._shown_path())
        self.user_properties.extend((f"fsmcheck.{key}", value) for key, value in found.properties)
        if found.kind == "failed":
            raise ViolatedError(found)
        if found.kind == "skipped":
            raise pytest.skip.Exception(found.message, _use_item_location=True)
        if found.kind == "xfailed":
            pytest.xfail(found.message)
        if found.kind == "noted":
            self.add_report_section("call", "stdout", found.text)

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """What is wrong with the spec, and nothing of how this tool is made."""
        if isinstance(excinfo.value, ViolatedError):
            return _told(excinfo.value.outcome, self._shown_path())
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.planned.line, self.name

    def _shown_path(self) -> str:
        root = self.config.rootpath
        return self.path.relative_to(root).as_posix() if self.path.is_relative_to(root) else str(self.path)


def _told(found: Outcome, path: str) -> str | TerminalRepr:
    try:
        from _pytest._code.code import ReprEntryNative, ReprExceptionInfo, ReprFileLocation, ReprTraceback
    except ImportError:
        return found.text
    body = ReprTraceback([ReprEntryNative([f"{found.text}\n"])], None, "native")
    return ReprExceptionInfo(reprtraceback=body, reprcrash=ReprFileLocation(path, found.line, found.message))


def _name(document: LoadedDocument, number: int) -> str:
    spec = document.spec
    if spec is None or spec.name is None:
        return f"document-{number}"
    return plain(spec.name.text)


def _distinct(names: list[str]) -> list[str]:
    return [name if names.index(name) == at else f"{name}#{at + 1}" for at, name in enumerate(names)]
