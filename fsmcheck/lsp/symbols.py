"""The outline of a file: fields, agents and states with their transitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from fsmcheck.lsp.positions import Lines
from fsmcheck.outlining.fields import type_text
from fsmcheck.report import sanitise
from fsmcheck.source import Span
from fsmcheck.spec.model import Name, Spec, State


def outline(specs: Iterable[Spec], lines: Lines) -> list[types.DocumentSymbol]:
    """One symbol a spec, with its parts below it."""
    return [_spec(spec, lines) for spec in specs]


def flat(
    symbols: Iterable[types.DocumentSymbol], uri: str, within: str | None = None
) -> Iterator[types.SymbolInformation]:
    """The same for an editor that wants a list."""
    for symbol in symbols:
        place = types.Location(uri, symbol.selection_range)
        yield types.SymbolInformation(place, symbol.name, symbol.kind, container_name=within)
        yield from flat(symbol.children or (), uri, symbol.name)


def _spec(spec: Spec, lines: Lines) -> types.DocumentSymbol:
    fields = (
        _symbol(each.name, types.SymbolKind.Field, each.span, lines, type_text(each.type)) for each in spec.fields
    )
    agents = (_symbol(each.name, types.SymbolKind.Interface, each.span, lines, "agent") for each in spec.agents)
    states = (_state(spec, state, lines) for state in spec.states)
    children = sorted((*fields, *agents, *states), key=lambda each: (each.range.start.line, each.range.start.character))
    if spec.name is None:
        symbol = _symbol(Name("fsm", Span(spec.span.start, spec.span.start)), types.SymbolKind.Module, spec.span, lines)
    else:
        symbol = _symbol(spec.name, types.SymbolKind.Module, spec.span, lines)
    symbol.children = children
    return symbol


def _state(spec: Spec, state: State, lines: Lines) -> types.DocumentSymbol:
    trait = "initial" if state.name.text == spec.initial.text else "terminal" if state.terminal else ""
    symbol = _symbol(state.name, types.SymbolKind.Class, state.span, lines, trait)
    symbol.children = [
        _symbol(
            Name(f"→ {each.target.text}", each.target.span),
            types.SymbolKind.Event,
            each.span,
            lines,
            " && ".join(guard.text.strip() for guard in each.guards),
        )
        for each in state.transitions
    ]
    return symbol


def _symbol(name: Name, kind: types.SymbolKind, span: Span, lines: Lines, detail: str = "") -> types.DocumentSymbol:
    whole = Span(min(span.start, name.span.start), max(span.end, name.span.end))
    title, words = sanitise.line(name.text) or '""', sanitise.line(detail)
    return types.DocumentSymbol(title, kind, lines.range(whole), lines.range(name.span), words or None)
