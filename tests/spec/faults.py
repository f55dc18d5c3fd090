"""Short ways to load a text and to write its faults down."""

from __future__ import annotations

from fsmcheck.diagnostics import Fault
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import LoadedDocument, load
from fsmcheck.spec.model import Spec

GUARDED = """\
fsm:
  initialState: a
  context:
    s: {{ type: string }}
    l: {{ type: list, of: string }}
  states:
    a:
      transitions:
        - toState: b
          guards:
            - backend: cel
              expression: {expression}
    b: {{ terminal: true }}
"""
GUARD_LINE = 12
GUARD_COLUMN = 27


def only(text: str) -> LoadedDocument:
    """The single document of a text."""
    (document,) = load(SourceFile("spec.yaml", text))
    return document


def spec_of(text: str) -> Spec:
    """The spec of a text without faults."""
    document = only(text)
    assert document.faults == ()
    assert document.spec is not None
    return document.spec


def guarded(expression: str) -> LoadedDocument:
    """A spec whose only guard is written as given, at ``GUARD_LINE`` and ``GUARD_COLUMN``."""
    return only(GUARDED.format(expression=expression))


def covered(document: LoadedDocument, fault: Fault) -> str:
    """The text that a fault underlines."""
    return document.source.text[fault.span.start : fault.span.end]


def summary(document: LoadedDocument) -> list[str]:
    """Each fault as ``line:column rule underlined text``."""
    lines = []
    for fault in document.faults:
        line, column = document.source.position(fault.span.start)
        lines.append(f"{line}:{column} {fault.rule} {covered(document, fault)}")
    return lines
