"""--diff: the findings that were there at a git revision are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsmcheck.cli.discover import STDIN
from fsmcheck.records import dataclass

if TYPE_CHECKING:
    from fsmcheck.results import Report
    from fsmcheck.source import SourceFile
    from fsmcheck.spec.files import UnreadableFileError

    Check = Callable[[Sequence[SourceFile | UnreadableFileError]], Report]


@dataclass(frozen=True, slots=True)
class Before:
    """What the files that are checked held at ``revision``, those left out that were not there."""

    revision: str
    texts: Mapping[str, bytes]

    def applied(self, report: Report, check: Check) -> Report:
        """The report with the findings suppressed that ``check`` has of the files as they were.

        A file that did not change is not checked again; one that could not be read then has only new findings.
        """
        if report.interrupted or not self.texts:
            return report
        from fsmcheck.suppress import allow_known, baseline_keys

        sources = {spec.source.path: spec.source for spec in report.specs}
        then = {path: source for path, text in self.texts.items() if (source := _decoded(path, text)) is not None}
        same = {path for path, source in then.items() if sources.get(path) == source}
        old = check([source for path, source in then.items() if path not in same and path in sources])
        unchanged = (spec for spec in report.specs if spec.source.path in same)
        # What a comment let be is new once the comment is gone.
        known = [
            key
            for spec in (*unchanged, *old.specs)
            for finding, key in baseline_keys(spec, spec.source.path)
            if finding.suppressed != "inline"
        ]
        found = allow_known(report, known, f'it was there at "{self.revision}"')
        return replace(found, interrupted=old.interrupted)


def files_before(revision: str | None, paths: Sequence[str]) -> Before | None:
    """The files as they were at a git revision, read before anything is checked; None without one.

    Raises:
        click.UsageError: there is no such revision or no repository, or a path is not in it.
    """
    if revision is None:
        return None
    if STDIN in paths:
        raise click.UsageError("--diff compares files, and standard input is none")
    from fsmcheck.revision import RevisionError, contents, find
    from fsmcheck.spec.files import MOST_BYTES

    try:
        return Before(revision, contents(find(revision, Path.cwd()), paths, MOST_BYTES))
    except RevisionError as error:
        raise click.UsageError(f"--diff: {error}") from None


def _decoded(path: str, text: bytes) -> SourceFile | None:
    from fsmcheck.spec.files import UnreadableFileError, decode_source

    try:
        return decode_source(path, text)
    except UnreadableFileError:
        return None
