"""Renaming a state, a field or an agent wherever it is named."""

from __future__ import annotations

import re

from fsmcheck.cel.scan import KEYWORDS, RESERVED
from fsmcheck.diagnostics import Edit
from fsmcheck.lsp.analysis import Analysis
from fsmcheck.lsp.fixes import applied, faults
from fsmcheck.lsp.names import Names, Occurrence, Thing
from fsmcheck.source import SourceFile, Span
from fsmcheck.spec.model import Spec
from fsmcheck.spec.splice import scalar
from fsmcheck.spec.wording import shown

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PROPERTIES = re.compile(r"^properties\s*:", re.MULTILINE)


class RefusedError(Exception):
    """A name cannot be changed; the message says why."""


def renameable(analysis: Analysis, offset: int) -> tuple[Occurrence, Names]:
    """What is named at an offset.

    Raises:
        RefusedError: nothing is, or the text has faults that may hide other places that name it.
    """
    names = analysis.names_at(offset)
    found = None if names is None else names.at(offset)
    if names is None or found is None:
        raise RefusedError("there is no name of a state, field or agent here")
    if any(fault.rule in ("FSM001", "FSM002", "FSM003") for each in analysis.documents for fault in each.faults):
        raise RefusedError("the file has faults that may hide other places, mend them first")
    return found, names


def renaming(analysis: Analysis, offset: int, new: str) -> tuple[Edit, ...]:
    """The edits that change a name everywhere.

    Raises:
        RefusedError: the name cannot be changed, or not to that.
    """
    found, names = renameable(analysis, offset)
    places = names.same(found)
    if new == found.name:
        return ()
    _check_name(names.spec, found.thing, new)
    if not all(place.is_exact for place in places):
        raise RefusedError(f"{shown(found.name)} is named in an expression whose layout hides the place")
    if found.thing is Thing.FIELD:
        _check_unseen(names.spec, found.name)
    text = analysis.source.text
    edits = tuple(Edit(place.span, new if place.in_expression else scalar(new, text, place.span)) for place in places)
    if faults(SourceFile(analysis.source.path, applied(text, edits))) != faults(analysis.source):
        raise RefusedError(f"with the name {shown(new)} the file would not read as before")
    return edits


def written_span(text: str, occurrence: Occurrence) -> Span:
    """The place of a name without its quotes."""
    start, end = occurrence.span.start, occurrence.span.end
    if not occurrence.in_expression and end - start > 1 and text[start] in "'\"" and text[end - 1] == text[start]:
        return Span(start + 1, end - 1)
    return occurrence.span


def _check_name(spec: Spec, thing: Thing, new: str) -> None:
    taken = {
        Thing.STATE: tuple(spec.state_by_name),
        Thing.FIELD: tuple(spec.field_by_name),
        Thing.AGENT: tuple(spec.agent_by_name),
    }
    if new in taken[thing]:
        raise RefusedError(f"there is a {thing.value} {shown(new)} already")
    if not new or not new.isprintable() or new != new.strip():
        raise RefusedError(f"a {thing.value} cannot be called so")
    if thing is Thing.FIELD and (not _IDENTIFIER.fullmatch(new) or new in KEYWORDS or new in RESERVED):
        raise RefusedError(f"expressions could not name a field {shown(new)}")


def _check_unseen(spec: Spec, name: str) -> None:
    """Refuse where the name stands in what is not understood."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    for state in spec.states:
        for transition in state.transitions:
            for guard in transition.guards:
                if guard.expression is None and word.search(guard.text):
                    raise RefusedError(f"a guard of the backend {shown(guard.backend.text)} may name it too")
    outside = spec.source.text[: spec.span.start] + spec.source.text[spec.span.end :]
    properties = _PROPERTIES.search(outside)
    if properties is not None and word.search(outside, properties.end()):
        raise RefusedError("a property may name it too")
