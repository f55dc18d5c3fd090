"""The report formats by name. Adding one: a module with a pure ``render(report) -> str`` and a name here.

A format that may become long also has ``pieces(report)``, which gives the same text bit by bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from fsmcheck.results import Report

NAMES = ("text", "json", "sarif", "junit", "github", "markdown", "html")


def render(name: str, report: Report) -> str:
    """The report in a format of ``NAMES``.

    Raises:
        ValueError: there is no such format.
    """
    return "".join(pieces(name, report))


def pieces(name: str, report: Report, **style: bool) -> Iterator[str]:
    """The same, bit by bit; ``style`` is what the format knows beside the report.

    Raises:
        ValueError: there is no such format.
    """
    if name not in NAMES:
        raise ValueError(f"there is no report format {name!r}; formats: {', '.join(NAMES)}")
    module = import_module(f"fsmcheck.report.{name}")
    return module.pieces(report, **style) if hasattr(module, "pieces") else iter((str(module.render(report, **style)),))
