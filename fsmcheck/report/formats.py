"""The report formats by name. Adding one: a module with a pure ``render(report) -> str`` and a name here."""

from __future__ import annotations

from importlib import import_module

from fsmcheck.results import Report

NAMES = ("text", "json", "sarif", "junit", "github", "markdown", "html")


def render(name: str, report: Report) -> str:
    """The report in a format of ``NAMES``.

    Raises:
        ValueError: there is no such format.
    """
    if name not in NAMES:
        raise ValueError(f"there is no report format {name!r}; formats: {', '.join(NAMES)}")
    return str(import_module(f"fsmcheck.report.{name}").render(report))
