"""--baseline and --write-baseline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsmcheck.cli.output import complain, write_file
from fsmcheck.records import dataclass

if TYPE_CHECKING:
    from fsmcheck.results import Report
    from fsmcheck.suppress import Key


@dataclass(frozen=True, slots=True)
class KnownFindings:
    """The findings in a baseline, or one that is still to be written; ``path`` is None where there is none."""

    path: Path | None
    keys: tuple[Key, ...]
    write: bool

    def applied(self, report: Report) -> Report:
        """The report with the findings of the baseline suppressed, written before if that was asked for."""
        if self.path is None or report.interrupted or (self.write and report.lost):
            return report
        from fsmcheck.baseline import path_in, read, written
        from fsmcheck.suppress import allow_baseline

        keys, path = self.keys, self.path
        if self.write:
            write_file(path, written(report, path))
            keys = read(path)
            complain(f"{len(keys)} findings written to {path}")
        return allow_baseline(report, keys, lambda checked: path_in(path, checked))


def known_findings(path: Path | None, *, write: bool) -> KnownFindings:
    """The baseline at a path, read before anything is checked.

    Raises:
        click.UsageError: it is none, or is to be written and has no path.
    """
    if path is None:
        if write:
            raise click.UsageError("--write-baseline needs --baseline FILE, or the setting baseline")
        return KnownFindings(None, (), write=False)
    if write:
        if not path.absolute().parent.is_dir():
            raise click.UsageError(f'there is no folder "{path.absolute().parent}" to write the baseline to')
        return KnownFindings(path, (), write=True)
    from fsmcheck.baseline import BaselineError, read

    try:
        return KnownFindings(path, read(path), write=False)
    except BaselineError as error:
        raise click.UsageError(str(error)) from None
