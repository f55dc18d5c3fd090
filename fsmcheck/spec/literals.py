"""Nodes to literal values and to plain JSON data."""

from __future__ import annotations

import hashlib
import json
import math

from fsmcheck.cel.values import MapValue, Value
from fsmcheck.spec.embedded import Brackets, embedded_expressions
from fsmcheck.spec.nodes import Hole, MappingNode, Node, ScalarNode, SequenceNode


def literal_value(node: Node) -> Value:
    """The value as written: lists become tuples, maps ``MapValue``; what was refused is null."""
    match node:
        case ScalarNode(value=value):
            return value
        case SequenceNode(items=items):
            return tuple(literal_value(item) for item in items)
        case MappingNode(entries=entries):
            pairs: dict[Value, Value] = {entry.name: literal_value(entry.value) for entry in entries}
            return MapValue(pairs)
        case Hole():
            return None


def is_readable(node: Node) -> bool:
    """Whether nothing in the node was refused."""
    match node:
        case ScalarNode():
            return True
        case SequenceNode(items=items):
            return all(is_readable(item) for item in items)
        case MappingNode(entries=entries):
            return all(is_readable(entry.value) for entry in entries)
        case Hole():
            return False


def text_with_expression(node: Node) -> ScalarNode | None:
    """The first text in the node that holds a ``${ … }``."""
    match node:
        case ScalarNode(value=str() as text):
            hits = embedded_expressions(text, Brackets.VALUE)
            return node if hits and hits[0].inner is not None else None
        case SequenceNode(items=items):
            found = (text_with_expression(item) for item in items)
        case MappingNode(entries=entries):
            found = (text_with_expression(entry.value) for entry in entries)
        case _:
            return None
    return next((scalar for scalar in found if scalar is not None), None)


def plain_data(node: Node) -> object:
    """The node as JSON data; infinities, NaN and what was refused are null."""
    if isinstance(node, ScalarNode):
        value = node.value
        return value if not isinstance(value, float) or math.isfinite(value) else None
    match node:
        case SequenceNode(items=items):
            return [plain_data(item) for item in items]
        case MappingNode(entries=entries):
            return {entry.key.text: plain_data(entry.value) for entry in entries}
        case Hole():
            return None


def digest(document: object) -> str:
    """The SHA-256 of the canonical JSON of plain data: sorted keys, no white space, ASCII."""
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
