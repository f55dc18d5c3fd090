"""Answers in the terms of the protocol."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from fsmcheck.diagnostics import Edit
from fsmcheck.lsp import completion, fixes, rename
from fsmcheck.lsp.analysis import Analysis
from fsmcheck.lsp.hover import hover as hover_text
from fsmcheck.lsp.names import Occurrence
from fsmcheck.lsp.positions import Lines
from fsmcheck.lsp.session import Open, Session
from fsmcheck.lsp.symbols import flat, outline
from fsmcheck.report import sanitise
from fsmcheck.report.markdown import prose
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from fsmcheck.spec.model import Spec

_REQUEST_FAILED = -32803
_KINDS = {
    "state": types.CompletionItemKind.Class,
    "field": types.CompletionItemKind.Field,
    "agent": types.CompletionItemKind.Interface,
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
    "word": types.CompletionItemKind.Function,
}

Found = tuple[Open, Analysis]


def hover(
    session: Session,
    document: Open,
    analysis: Analysis,
    position: types.Position,
    capabilities: types.ClientCapabilities,
) -> types.Hover | None:
    """What stands under the cursor."""
    offset = analysis.lines.offset(position)
    wanted = capabilities.text_document and capabilities.text_document.hover
    is_markdown = _takes_markdown(wanted.content_format if wanted else None)
    names = analysis.names_at(offset)
    records = session.records(document, names.spec if names is not None else None)
    findings = [each.finding for each in document.shown]
    told = hover_text(analysis, offset, findings, records, is_markdown=is_markdown)
    if told is None:
        return None
    kind = types.MarkupKind.Markdown if is_markdown else types.MarkupKind.PlainText
    return types.Hover(types.MarkupContent(kind, told[0]), analysis.lines.range(told[1]))


def places(
    document: Open, analysis: Analysis, position: types.Position, *, declarations: bool | None
) -> list[types.Location]:
    """Where what is named under the cursor is declared, or referred to, or both (None)."""
    offset = analysis.lines.offset(position)
    names = analysis.names_at(offset)
    found = None if names is None else names.at(offset)
    if names is None or found is None:
        return []
    wanted = [each for each in names.same(found) if declarations is None or each.declares is declarations]
    return [types.Location(document.uri, _range(analysis, each)) for each in wanted]


def symbols(
    document: Open, analysis: Analysis, capabilities: types.ClientCapabilities
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """The outline of the file."""
    wanted = capabilities.text_document and capabilities.text_document.document_symbol
    found = outline((each.spec for each in analysis.names), analysis.lines)
    if wanted and wanted.hierarchical_document_symbol_support:
        return found
    return list(flat(found, document.uri))


def completions(
    document: Open, analysis: Analysis, position: types.Position, capabilities: types.ClientCapabilities
) -> list[types.CompletionItem]:
    """What can be written at the cursor."""
    offset = analysis.lines.offset(position)
    item = capabilities.text_document and capabilities.text_document.completion
    formats = item.completion_item.documentation_format if item and item.completion_item else None
    is_markdown = _takes_markdown(formats)
    spec = analysis.spec_near(offset) or next(iter(document.last_specs), None) or _spec_without_line(analysis, offset)
    return [
        types.CompletionItem(
            sanitise.line(each.label),
            kind=_KINDS[each.sort],
            detail=sanitise.line(each.detail) or None,
            documentation=_documentation(each.documentation, is_markdown=is_markdown),
            text_edit=types.TextEdit(analysis.lines.range(each.span), each.text),
            sort_text=f"{number:05}",
        )
        for number, each in enumerate(completion.completions(analysis.source.text, offset, spec))
    ]


def actions(document: Open, analysis: Analysis, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The quick fixes of the findings that touch a range."""
    wanted = params.context.only
    if wanted and not any(kind in ("", types.CodeActionKind.QuickFix) for kind in wanted):
        return []
    span = analysis.lines.span(params.range)
    found = []
    for each in document.shown:
        if each.finding.span.start > span.end or each.finding.span.end < span.start:
            continue
        for fix, mends in fixes.fixes(analysis, each.finding):
            found.append(
                types.CodeAction(
                    sanitise.line(fix.title),
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=[each.diagnostic],
                    is_preferred=mends or None,
                    edit=_edit(document, analysis.lines, fix.edits),
                )
            )
    return found


def renameable(found: Found | None, position: types.Position) -> types.PrepareRenamePlaceholder:
    """What would be renamed. Raises ``JsonRpcException`` where nothing can be."""
    _, analysis = _there(found)
    try:
        occurrence, _ = rename.renameable(analysis, analysis.lines.offset(position))
    except rename.RefusedError as error:
        raise JsonRpcException(sanitise.line(str(error)), _REQUEST_FAILED) from None
    span = rename.written_span(analysis.source.text, occurrence)
    return types.PrepareRenamePlaceholder(analysis.lines.range(span), occurrence.name)


def renaming(found: Found | None, position: types.Position, new: str) -> types.WorkspaceEdit:
    """The edits of a renaming. Raises ``JsonRpcException`` where it is refused."""
    document, analysis = _there(found)
    try:
        edits = rename.renaming(analysis, analysis.lines.offset(position), new)
    except rename.RefusedError as error:
        raise JsonRpcException(sanitise.line(str(error)), _REQUEST_FAILED) from None
    return _edit(document, analysis.lines, edits)


def _there(found: Found | None) -> Found:
    if found is None:
        raise JsonRpcException("the file is not open", _REQUEST_FAILED)
    return found


def _range(analysis: Analysis, occurrence: Occurrence) -> types.Range:
    return analysis.lines.range(rename.written_span(analysis.source.text, occurrence))


def _edit(document: Open, lines: Lines, edits: tuple[Edit, ...]) -> types.WorkspaceEdit:
    return types.WorkspaceEdit(
        changes={document.uri: [types.TextEdit(lines.range(each.span), each.text) for each in edits]}
    )


def _spec_without_line(analysis: Analysis, offset: int) -> Spec | None:
    """What can be read when the line that is being typed is left out."""
    start, end = analysis.lines.bounds(analysis.lines.position(offset).line)
    text = analysis.source.text[:start] + analysis.source.text[end:]
    return next((each.spec for each in load(SourceFile(analysis.source.path, text)) if each.spec is not None), None)


def _documentation(text: str, *, is_markdown: bool) -> types.MarkupContent | None:
    if not text:
        return None
    if is_markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, prose(text))
    return types.MarkupContent(types.MarkupKind.PlainText, sanitise.line(text))


def _takes_markdown(formats: object) -> bool:
    return not isinstance(formats, list | tuple) or not formats or types.MarkupKind.Markdown in formats
