"""YAML text to trees of nodes, from the events of libyaml's parser.

Nothing is constructed by the YAML library: scalars are resolved in ``scalars``, and what a spec has no use for
(aliases, anchors, merge keys, tags) is refused here with a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field, replace
from itertools import islice
from typing import Any

import yaml

from fsmcheck import late
from fsmcheck.diagnostics import Fault, Related
from fsmcheck.records import dataclass
from fsmcheck.source import SourceFile, Span
from fsmcheck.spec.nodes import (
    Cursor,
    Entry,
    Hole,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    Style,
    YamlDocument,
)
from fsmcheck.spec.scalars import MOST_DIGITS, NumberTooLongError, resolve_plain
from fsmcheck.spec.wording import shown
from fsmcheck.spec.yaml_errors import DEEPEST, ScannerComplaint, depth_fault, quote_hint, syntax_fault

MOST_CHARACTERS = 1_000_000
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DISPUTED = "\x85\u2028\u2029"
_MOST_TOLD = 20
_TAG = late.pattern(r"![^\s,\[\]{}]*")
_BOM = "\ufeff"
_CORE = "tag:yaml.org,2002:"


@dataclass(slots=True)
class _Open:
    """A collection whose end has not been met. ``parts`` alternates keys and values in a mapping."""

    is_mapping: bool
    start: int
    refused: bool
    parts: list[Node] = field(default_factory=list)


class _TooDeepError(Exception):
    def __init__(self, offset: int) -> None:
        super().__init__()
        self.offset = offset


def compose(source: SourceFile) -> tuple[YamlDocument, ...]:
    """All documents of a file; what cannot be parsed ends the last one with a fault (FSM001) and no root."""
    text = source.text
    whole = Span(0, len(text))
    if len(text) > MOST_CHARACTERS:
        message = f"the text is longer than {MOST_CHARACTERS} characters, the most that is read"
        return (YamlDocument(None, (Fault("FSM001", message, Span(0, 0), "split it into several files"),), whole),)
    if _FORBIDDEN.search(text):
        places = (found.start() for found in _FORBIDDEN.finditer(text))
        return (YamlDocument(None, tuple(_forbidden(text, place) for place in islice(places, _MOST_TOLD)), whole),)
    return tuple(_Composer(text).documents())


def _forbidden(text: str, place: int) -> Fault:
    """What is wrong with a character: YAML has no such, or ends a line at it before version 1.2 and not since."""
    name = f"U+{ord(text[place]):04X}"
    message = (
        f"{name} ends a line for some readers of YAML and not for others"
        if text[place] in _DISPUTED
        else f"the control character {name} is not allowed in YAML"
    )
    return Fault("FSM001", message, Span(place, place + 1), "remove it, or write it as an escape in double quotes")


_STYLES: dict[str | None, Style] = {None: Style.PLAIN, **{style.value: style for style in Style}}
_BLOCKS = (Style.LITERAL, Style.FOLDED)


def _events(text: str) -> Iterator[Any]:
    """The events of a text, as ``yaml.parse`` gives them, which asks twice for each."""
    loader = yaml.CSafeLoader(text)
    try:
        while (event := loader.get_event()) is not None:
            yield event
            if isinstance(event, yaml.StreamEndEvent):
                return
    finally:
        loader.dispose()


class _Composer:
    """Builds the trees of one text. ``faults`` are those of the document being built."""

    def __init__(self, text: str) -> None:
        self._text = text
        # libyaml swallows a byte-order mark without counting it, so it never sees one.
        self._bare = text.lstrip(_BOM)
        self._shift = len(text) - len(self._bare)
        self._faults: list[Fault] = []

    def documents(self) -> Iterator[YamlDocument]:
        start = 0
        stack: list[_Open] = []
        root: Node | None = None
        scalar, ending = yaml.ScalarEvent, (yaml.MappingEndEvent, yaml.SequenceEndEvent)
        try:
            for event in _events(self._bare):
                if isinstance(event, scalar):
                    root = self._scalar(event)
                elif isinstance(event, ending):
                    root = self._close(stack.pop(), event)
                elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
                    stack.append(self._open(event, len(stack)))
                    continue
                elif isinstance(event, yaml.AliasEvent):
                    root = self._alias(event)
                elif isinstance(event, yaml.DocumentEndEvent):
                    yield YamlDocument(root, tuple(self._faults), Span(start, self._end(event)))
                    start, root, self._faults = self._end(event), None, []
                    continue
                else:
                    start = self._start(event) if isinstance(event, yaml.DocumentStartEvent) else start
                    continue
                if stack:
                    stack[-1].parts.append(root)
        except yaml.MarkedYAMLError as error:
            fault = syntax_fault(self._text, self._complaint(error, stack))
        except _TooDeepError as error:
            fault = depth_fault(self._text, error.offset)
        except yaml.YAMLError:
            fault = Fault("FSM001", "this is not valid YAML", Span(0, 0))
        else:
            return
        yield YamlDocument(None, (*self._faults, fault), Span(start, len(self._text)))

    def _start(self, event: Any) -> int:
        return int(event.start_mark.index) + self._shift

    def _end(self, event: Any) -> int:
        return int(event.end_mark.index) + self._shift

    def _complaint(self, error: yaml.MarkedYAMLError, stack: list[_Open]) -> ScannerComplaint:
        mark, context_mark = error.problem_mark, error.context_mark
        context_offset = None if context_mark is None else context_mark.index + self._shift
        offset = (context_offset or 0) if mark is None else mark.index + self._shift
        starts = [opened.start for opened in stack if self._text[opened.start : opened.start + 1] in ("{", "[")]
        flow_offset = starts[-1] if starts else None
        return ScannerComplaint(error.problem or "", error.context or "", offset, context_offset, flow_offset)

    def _fault(self, message: str, span: Span, hint: str | None, rule: str = "FSM001") -> None:
        self._faults.append(Fault(rule, message, span, hint))

    def _open(self, event: Any, depth: int) -> _Open:
        start = self._start(event)
        if depth >= DEEPEST:
            raise _TooDeepError(start)
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        refused = self._refuse_properties(event, (_CORE + "map",) if is_mapping else (_CORE + "seq",))
        return _Open(is_mapping, start, refused)

    def _refuse_properties(self, event: Any, tags: tuple[str, ...]) -> bool:
        """Complain of an anchor or a tag other than ``tags``; whether the tag makes the value meaningless."""
        start = self._start(event)
        if event.anchor is not None:
            hint = f"write the value out where it is used, or {quote_hint(self._text, start)}"
            self._fault(f'the anchor "&{event.anchor}" is not supported', Span(start, start + 1), hint)
        if event.tag is None or event.tag in tags:
            return False
        tag = _TAG.search(self._text, start)
        shown, span = ("!", Span(start, start + 1)) if tag is None else (tag.group(), Span(*tag.span()))
        hint = quote_hint(self._text, start) if isinstance(event, yaml.ScalarEvent) else "remove it"
        self._fault(f'an unquoted "!" starts a YAML tag, and the tag "{shown}" is not supported', span, hint)
        return True

    def _alias(self, event: Any) -> Node:
        span = Span(self._start(event), self._end(event))
        hint = f"write the value out, or {quote_hint(self._text, span.start)}"
        self._fault(f'the alias "*{event.anchor}" is not supported', span, hint)
        return Hole(span)

    def _scalar(self, event: Any) -> ScalarNode:
        span = Span(event.start_mark.index + self._shift, event.end_mark.index + self._shift)
        style, text = _STYLES[event.style], event.value
        if style in _BLOCKS:
            span = Span(span.start, span.start + len(self._text[span.start : span.end].rstrip()))
        is_marked = event.anchor is not None or event.tag is not None
        refused = is_marked and self._refuse_properties(event, (_CORE + "str",))
        if refused and style is Style.PLAIN:
            text = self._text[span.start : span.end]
        if style is not Style.PLAIN or refused or event.tag is not None:
            return ScalarNode(text, text, style, span)
        try:
            return ScalarNode(resolve_plain(text), text, style, span)
        except NumberTooLongError:
            message = f"the number has {len(text)} digits, at most {MOST_DIGITS} are read"
            self._fault(message, span, "write a smaller number, or quote it to make it text")
            return ScalarNode(text, text, style, span)

    def _close(self, opened: _Open, event: Any) -> Node:
        written_end = self._end(event)
        # The end of a block collection lies behind the comments that follow it.
        is_flow = self._end(event) > self._start(event)
        end = written_end if is_flow or not opened.parts else opened.parts[-1].span.end
        span = Span(opened.start, end)
        if opened.refused:
            return Hole(span)
        if opened.is_mapping:
            faults_before = len(self._faults)
            entries = self._entries(opened.parts)
            is_partial = len(self._faults) > faults_before
            return Hole(span) if entries is None else MappingNode(entries, span, is_partial)
        return SequenceNode(tuple(opened.parts), span)

    def _entries(self, parts: list[Node]) -> tuple[Entry, ...] | None:
        """The entries of a mapping; None where a key shows that it was meant as text."""
        seen: dict[str, Entry] = {}
        meant_as_text = False
        for key, value in zip(parts[::2], parts[1::2], strict=True):
            if not isinstance(key, ScalarNode):
                self._refuse_key(key)
                meant_as_text = meant_as_text or isinstance(key, MappingNode)
                continue
            text = key.text
            if text == "<<" and key.style is Style.PLAIN:
                self._fault('the merge key "<<" is not supported', key.span, "write the keys out")
                continue
            if not isinstance(key.value, str):
                self._refuse_scalar_key(key)
            first = seen.get(text)
            if first is not None:
                related = (Related("first written here", first.key.span),)
                message = f"the key {shown(text)} is written twice in one map"
                self._faults.append(Fault("FSM001", message, key.span, "remove or rename one of them", related))
                continue
            seen[text] = Entry(key, _placed(value, key.span))
        return None if meant_as_text else tuple(seen.values())

    def _refuse_key(self, key: Node) -> None:
        if isinstance(key, MappingNode):
            message = 'an unquoted "{" starts a YAML map, which cannot be a key'
            self._fault(message, key.span, quote_hint(self._text, key.span.start))
        elif isinstance(key, SequenceNode):
            self._fault("a list cannot be a key, expected text", key.span, "quote the text")

    def _refuse_scalar_key(self, key: ScalarNode) -> None:
        if key.text == "":
            self._fault("a key is missing, expected text", key.span, 'write "key: value"', "FSM002")
            return
        kind = {bool: "a boolean", int: "an integer", float: "a number"}.get(type(key.value), "null")
        name = shown(key.text)
        self._fault(f"the key {name} is {kind}, expected text", key.span, f"quote it: {name}", "FSM002")


def _placed(value: Node, key: Span) -> Node:
    """A value that was left out takes the place of its key, so that there is something to point at."""
    if isinstance(value, ScalarNode) and value.span.end == value.span.start:
        return replace(value, span=key)
    return value


_MARK = "\ue000"
_KEY_SO_FAR = late.pattern(r"[ \t]*(?:- +)*[\w.-]*")


def cursor_at(text: str, offset: int) -> Cursor | None:
    """What is being typed at an offset, judged by the text before it; None in a comment or where that is no YAML."""
    before = text[: min(offset, MOST_CHARACTERS)].lstrip(_BOM)
    line = before[before.rfind("\n") + 1 :]
    endings = (":", "", '"', "'") if _KEY_SO_FAR.fullmatch(line) else ("", '"', "'")
    found = (_marked(before + _MARK + ending) for ending in endings)
    return None if _FORBIDDEN.search(before) else next((cursor for cursor in found if cursor is not None), None)


def _marked(text: str) -> Cursor | None:
    """The cursor that the mark stands for; what follows the mark may be broken."""
    path: list[tuple[bool, list[str]]] = []
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            match event:
                case yaml.DocumentStartEvent():
                    path = []
                case yaml.MappingStartEvent() | yaml.SequenceStartEvent() if len(path) >= DEEPEST:
                    return None
                case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                    _count(path, "")
                    path.append((isinstance(event, yaml.MappingStartEvent), []))
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    path.pop()
                case yaml.ScalarEvent() if _MARK in event.value:
                    return _cursor(path, str(event.value), Style(event.style or ""))
                case yaml.ScalarEvent() | yaml.AliasEvent():
                    _count(path, getattr(event, "value", None) or "")
    except yaml.YAMLError:
        pass
    return None


def _count(path: list[tuple[bool, list[str]]], part: str) -> None:
    if path:
        path[-1][1].append(part)


def _cursor(path: list[tuple[bool, list[str]]], value: str, style: Style) -> Cursor:
    is_key = bool(path) and path[-1][0] and len(path[-1][1]) % 2 == 0
    steps: list[str | int] = []
    for number, (is_mapping, parts) in enumerate(path):
        is_last = number == len(path) - 1
        if is_last and is_key:
            break
        # Outside the last collection, the one that leads on is among the parts already.
        done = len(parts) if is_last else len(parts) - 1
        steps.append(parts[done - 1] if is_mapping else done)
    siblings = tuple(path[-1][1][::2]) if path and path[-1][0] else ()
    return Cursor(tuple(steps), is_key, value[: value.index(_MARK)], style, siblings)
