"""The forms a node can have, and what to say (FSM002) where it has another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from fsmcheck.diagnostics import Fault, Fix, Subject
from fsmcheck.records import dataclass
from fsmcheck.source import SourceFile, Span
from fsmcheck.spec.model import Name
from fsmcheck.spec.nodes import Entry, Hole, MappingNode, Node, ScalarNode, SequenceNode
from fsmcheck.spec.splice import respelling
from fsmcheck.spec.wording import LONGEST_SHOWN, describe, shown
from fsmcheck.spelling import nearest, suggestion

_FALSE_FRIENDS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}


@dataclass(slots=True)
class FaultLog:
    """Collects the faults of one document while it is decoded."""

    source: SourceFile
    faults: list[Fault] = field(default_factory=list)

    def add(
        self,
        rule: str,
        message: str,
        span: Span,
        hint: str | None = None,
        subject: Subject | None = None,
        fix: Fix | None = None,
    ) -> None:
        self.faults.append(Fault(rule, message, span, hint, subject=subject or Subject(), fix=fix))

    def headline(self, span: Span) -> Span:
        """The part of a span on its first line: what is underlined for a collection of many lines."""
        line_end = self.source.text.find("\n", span.start, span.end)
        return span if line_end < 0 else Span(span.start, line_end)


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a map: ``required`` and ``optional`` ones."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @property
    def known(self) -> tuple[str, ...]:
        return self.required + self.optional


def wrong_form(log: FaultLog, node: Node, what: str, expected: str, hint: str | None = None) -> None:
    """Say that a node has another form than ``expected``, unless it was refused before."""
    if not isinstance(node, Hole):
        log.add("FSM002", f"{what} is {describe(node)}, expected {expected}", log.headline(node.span), hint)


def as_mapping(log: FaultLog, node: Node, what: str, keys: Keys | None = None) -> MappingNode | None:
    """The node as a map, its keys checked against ``keys``."""
    if not isinstance(node, MappingNode):
        wrong_form(log, node, what, "a map", _missing_space(node) or _as_map(keys))
        return None
    if keys is not None:
        _check_keys(log, node, what, keys)
    return node


def _missing_space(node: Node) -> str | None:
    if isinstance(node, ScalarNode) and isinstance(node.value, str) and ":" in node.text:
        return "put a space after the colon"
    return None


def _as_map(keys: Keys | None) -> str | None:
    if keys is None or not keys.required:
        return None
    return f"write {{ {', '.join(f'{key}: …' for key in keys.required)} }}"


def _check_keys(log: FaultLog, node: MappingNode, what: str, keys: Keys) -> None:
    written = {entry.name for entry in node.entries}
    for entry in node.entries:
        if entry.name not in keys.known:
            candidates = keys.known if nearest(entry.name, keys.known) else set(keys.known) - written
            hint = suggestion(entry.name, candidates, "expected keys")
            fix = respelling(log.source.text, entry.key.span, entry.name, set(candidates) - written)
            log.add("FSM002", f"{what} has the unknown key {shown(entry.name)}", entry.key.span, hint, fix=fix)
    for name in keys.required:
        if name not in written and not node.is_partial:
            log.add("FSM002", f'{what} has no "{name}"', log.headline(node.span), f'add "{name}"')


def entries_of(log: FaultLog, node: Node | None, what: str) -> tuple[Entry, ...] | None:
    """The entries of a map from names to anything; an empty name is a fault. None where it is no map."""
    if node is None:
        return ()
    mapping = as_mapping(log, node, what)
    if mapping is None:
        return None
    for entry in mapping.entries:
        if entry.name == "" and isinstance(entry.key.value, str):
            log.add("FSM002", f"{what} has an empty name as key, expected text", entry.key.span, "name it")
    return mapping.entries


def items_of(log: FaultLog, node: Node | None, what: str) -> tuple[Node, ...]:
    """The items of a list; none where it is absent or no list."""
    if node is None:
        return ()
    if not isinstance(node, SequenceNode):
        hint = 'start each item with "- "' if isinstance(node, MappingNode | ScalarNode) else None
        wrong_form(log, node, what, "a list", hint)
        return ()
    return node.items


def as_text(log: FaultLog, node: Node, what: str) -> ScalarNode | None:
    """The node as text."""
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return node
    hint = None
    if isinstance(node, ScalarNode) and node.text:
        hint = f'quote it to make it text: "{node.text[:LONGEST_SHOWN]}"'
    elif isinstance(node, MappingNode) and log.source.text.startswith("{", node.span.start):
        hint = 'an unquoted "{" starts a map: quote the text or the expression'
    elif isinstance(node, SequenceNode) and log.source.text.startswith("[", node.span.start):
        hint = 'an unquoted "[" starts a list: quote the text or the expression'
    wrong_form(log, node, what, "text", hint)
    return None


def as_name(log: FaultLog, node: Node, what: str) -> Name | None:
    """The node as a name: text that is not empty."""
    scalar = as_text(log, node, what)
    if scalar is None:
        return None
    if scalar.text == "":
        log.add("FSM002", f"{what} is empty, expected a name", scalar.span)
        return None
    return Name(scalar.text, scalar.span)


def as_boolean(log: FaultLog, node: Node, what: str) -> bool | None:
    """The node as a boolean."""
    if isinstance(node, ScalarNode) and isinstance(node.value, bool):
        return node.value
    friend = _FALSE_FRIENDS.get(node.text.lower()) if isinstance(node, ScalarNode) else None
    wrong_form(log, node, what, "true or false", None if friend is None else f"write {friend}")
    return None


def as_positive_integer(log: FaultLog, node: Node, what: str) -> int | None:
    """The node as an integer above zero."""
    value = node.value if isinstance(node, ScalarNode) else None
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    hint = "remove the quotes" if isinstance(value, str) and value.isdecimal() else None
    wrong_form(log, node, what, "a positive integer", hint)
    return None


def optional_text(log: FaultLog, mapping: MappingNode, key: str, what: str) -> str | None:
    """The text under a key, None where it is absent."""
    entry = mapping.entry(key)
    scalar = None if entry is None else as_text(log, entry.value, what)
    return None if scalar is None else scalar.text


def named_entries(entries: tuple[Entry, ...] | None) -> Iterator[tuple[Name, Node]]:
    """The keys as names, with their values."""
    for entry in entries or ():
        yield Name(entry.name, entry.key.span), entry.value
