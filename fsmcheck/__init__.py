"""Static checks and proofs for state machines that drive LLM agents.

The public API; everything is imported when it is first asked for:

- ``load_path(path)``, ``load(source)``: the documents of a file or a text, each a ``Spec`` and its faults;
- ``check_sources(sources, options, progress)``: the whole check, as a ``Report``;
- ``start`` and ``exchange``: the reference reducer, one step at a time;
- ``parse_trace`` and ``replay``: a counterexample, and every difference when it is run again.
"""

from __future__ import annotations

from fsmcheck import first_moments as _first_moments  # noqa: F401 - before anything else is loaded

__version__ = "0.1.0"

TYPE_CHECKING = False  # that of typing, which takes long to load
if TYPE_CHECKING:
    from fsmcheck.check import check as check_sources
    from fsmcheck.diagnostics import Finding, Severity, Subject
    from fsmcheck.options import Options
    from fsmcheck.reducer.reducer import exchange, start
    from fsmcheck.reducer.replay import replay
    from fsmcheck.reducer.trace import parse_trace
    from fsmcheck.results import Report
    from fsmcheck.source import SourceFile
    from fsmcheck.spec.load import load, load_path
    from fsmcheck.spec.model import Spec

_PLACES = {
    "Finding": ("fsmcheck.diagnostics", "Finding"),
    "Options": ("fsmcheck.options", "Options"),
    "Report": ("fsmcheck.results", "Report"),
    "Severity": ("fsmcheck.diagnostics", "Severity"),
    "SourceFile": ("fsmcheck.source", "SourceFile"),
    "Spec": ("fsmcheck.spec.model", "Spec"),
    "Subject": ("fsmcheck.diagnostics", "Subject"),
    "check_sources": ("fsmcheck.check", "check"),
    "exchange": ("fsmcheck.reducer.reducer", "exchange"),
    "load": ("fsmcheck.spec.load", "load"),
    "load_path": ("fsmcheck.spec.load", "load_path"),
    "parse_trace": ("fsmcheck.reducer.trace", "parse_trace"),
    "replay": ("fsmcheck.reducer.replay", "replay"),
    "start": ("fsmcheck.reducer.reducer", "start"),
}

__all__ = [
    "Finding",
    "Options",
    "Report",
    "Severity",
    "SourceFile",
    "Spec",
    "Subject",
    "__version__",
    "check_sources",
    "exchange",
    "load",
    "load_path",
    "parse_trace",
    "replay",
    "start",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _PLACES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
