"""Specs of which nothing was decided: what to say of them, and that the run is no success."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fsmcheck.cli import exits

if TYPE_CHECKING:
    from fsmcheck.results import Report


class LostSpecsError(click.ClickException):
    """Of some specs nothing was decided. The report tells all the rest, and is delivered before this is raised."""

    exit_code = exits.FAILED

    def __init__(self, report: Report) -> None:
        first, *others = (notice.message for notice in report.lost)
        more = f" (and {len(others)} more like that)" if others else ""
        super().__init__(f"{first}{more}; nothing may be concluded")
