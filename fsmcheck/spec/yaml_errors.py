"""What a YAML scanner complains about, said for somebody who writes specs, with what to write instead."""

from __future__ import annotations

from collections.abc import Callable

from fsmcheck.diagnostics import Fault
from fsmcheck.records import dataclass
from fsmcheck.source import Span

_EXPRESSION_SIGNS = ("expression", "context.", "${", "{{")
DEEPEST = 50
_INDENT = "check the indentation: items of one list and keys of one map start in the same column"


@dataclass(frozen=True, slots=True)
class ScannerComplaint:
    """A complaint as the scanner words it; offsets are code points.

    ``context_offset`` is where its construct began, ``flow_offset`` the innermost ``[`` or ``{`` still open.
    """

    problem: str
    context: str
    offset: int
    context_offset: int | None = None
    flow_offset: int | None = None

    @property
    def start(self) -> int:
        return self.offset if self.context_offset is None else self.context_offset


def quote_hint(text: str, offset: int) -> str:
    """The advice to quote what stands on the line of ``offset``."""
    line_end = text.find("\n", offset)
    line = text[text.rfind("\n", 0, offset) + 1 : len(text) if line_end < 0 else line_end]
    noun = "expression" if any(sign in line for sign in _EXPRESSION_SIGNS) else "text"
    return f"quote the {noun}: put it between \"double\" or 'single' quotes"


def syntax_fault(text: str, complaint: ScannerComplaint) -> Fault:
    """The FSM001 fault for a complaint about ``text``."""
    for fragment, explain in _EXPLANATIONS:
        if fragment in complaint.problem or fragment in complaint.context:
            return explain(text, complaint)
    return _fault(text, complaint.offset, f"this is not valid YAML: {complaint.problem}", None)


def _fault(text: str, offset: int, message: str, hint: str | None) -> Fault:
    offset = max(0, min(offset, len(text)))
    return Fault("FSM001", message, Span(offset, min(offset + 1, len(text))), hint)


def _needs_quotes(text: str, offset: int, message: str) -> Fault:
    return _fault(text, offset, message, quote_hint(text, offset))


def _line_before(text: str, offset: int) -> str:
    return text[text.rfind("\n", 0, offset) + 1 : offset]


def _has_value_before(text: str, offset: int) -> bool:
    """Whether a key and something of its value stand before ``offset`` on its line."""
    _, colon, value = _line_before(text, offset).partition(": ")
    return bool(colon) and bool(value.strip())


def _unexpected_colon(text: str, complaint: ScannerComplaint) -> Fault:
    if _has_value_before(text, complaint.offset):
        return _needs_quotes(text, complaint.offset, "unquoted text cannot hold a colon followed by a space")
    return _fault(text, complaint.offset, "a key is not expected here", _INDENT)


def _expected_key(text: str, complaint: ScannerComplaint) -> Fault:
    if _line_before(text, complaint.offset).strip(" -"):
        message = "text follows a closing quote or bracket, expected the end of the value"
        return _needs_quotes(text, complaint.offset, message)
    return _fault(text, complaint.offset, "this line does not belong to the map before it", _INDENT)


def _expected_item(text: str, complaint: ScannerComplaint) -> Fault:
    return _fault(text, complaint.offset, 'this line does not belong to the list before it, expected "- "', _INDENT)


def _unclosed_flow(text: str, complaint: ScannerComplaint) -> Fault:
    start = complaint.start if complaint.flow_offset is None else complaint.flow_offset
    opened = text[start : start + 1]
    stray = text[complaint.offset : complaint.offset + 1]
    if stray in ("{", "[") and complaint.offset > start:
        message = f'unquoted text inside "{opened}" cannot hold "{stray}"'
        return _needs_quotes(text, complaint.offset, message)
    if stray in ("}", "]"):
        message = f'this "{stray}" does not close the "{opened}" before it'
        return _needs_quotes(text, complaint.offset, message)
    message = f'the "{opened}" opened here is not closed or a comma is missing'
    closing = {"[": "]", "{": "}"}.get(opened)
    advice = quote_hint(text, start)
    return _fault(text, start, message, advice if closing is None else f'close it with "{closing}", or {advice}')


def _bad_start(text: str, complaint: ScannerComplaint) -> Fault:
    character = text[complaint.offset : complaint.offset + 1]
    if character == "\t":
        return _fault(text, complaint.offset, "a tab is used for indentation, expected spaces", "indent with spaces")
    return _needs_quotes(text, complaint.offset, f'unquoted text cannot start with "{character}"')


def _bad_marker(text: str, complaint: ScannerComplaint) -> Fault:
    start = complaint.start
    return _needs_quotes(text, start, f'unquoted text cannot start with "{text[start : start + 1]}"')


def _open_quote(text: str, complaint: ScannerComplaint) -> Fault:
    start = complaint.start
    quote = text[start : start + 1]
    return _fault(text, start, "the quote opened here is never closed", f"close it with {quote}")


def _bad_escape(text: str, complaint: ScannerComplaint) -> Fault:
    message = "this is not an escape sequence of YAML"
    hint = "in double quotes a backslash starts an escape: double it, or use single quotes"
    return _fault(text, complaint.offset, message, hint)


def _missing_colon(text: str, complaint: ScannerComplaint) -> Fault:
    start = complaint.start
    return _fault(text, start, 'this line has no ":", expected "key: value"', "add the colon, or quote the text")


def _bad_list(text: str, complaint: ScannerComplaint) -> Fault:
    hint = "start the list on its own line, or quote the text"
    return _fault(text, complaint.offset, 'a "-" cannot start a list item here', hint)


def _bad_tag(text: str, complaint: ScannerComplaint) -> Fault:
    start = complaint.start
    return _needs_quotes(text, start, 'an unquoted "!" starts a YAML tag, expected text')


def _bad_directive(text: str, complaint: ScannerComplaint) -> Fault:
    return _fault(text, complaint.offset, "this YAML directive is not supported", "remove the line that starts with %")


def _bad_start_of_document(text: str, complaint: ScannerComplaint) -> Fault:
    hint = 'separate documents with a line "---"'
    return _fault(text, complaint.offset, "this does not belong to the document before it", hint)


def _too_deep(text: str, complaint: ScannerComplaint) -> Fault:
    return depth_fault(text, complaint.offset)


def depth_fault(text: str, offset: int) -> Fault:
    """The fault of a collection that is nested too deep."""
    message = f"collections are nested more than {DEEPEST} deep, the most that is read"
    return _fault(text, offset, message, "flatten the structure")


_EXPLANATIONS: tuple[tuple[str, Callable[[str, ScannerComplaint], Fault]], ...] = (
    ("maximum nesting depth", _too_deep),
    ("mapping values are not allowed", _unexpected_colon),
    ("mapping keys are not allowed", _bad_start),
    ("block sequence entries are not allowed", _bad_list),
    ("did not find expected key", _expected_key),
    ("did not find expected '-' indicator", _expected_item),
    ("did not find expected ','", _unclosed_flow),
    ("did not find expected node content", _unclosed_flow),
    ("found character that cannot start any token", _bad_start),
    ("while scanning an anchor", _bad_marker),
    ("while scanning an alias", _bad_marker),
    ("while scanning a block scalar", _bad_marker),
    ("found unexpected end of stream", _open_quote),
    ("found unexpected document indicator", _open_quote),
    ("while parsing a quoted scalar", _bad_escape),
    ("while scanning a simple key", _missing_colon),
    ("tag", _bad_tag),
    ("directive", _bad_directive),
    ("incompatible YAML document", _bad_directive),
    ("did not find expected <document start>", _bad_start_of_document),
)
