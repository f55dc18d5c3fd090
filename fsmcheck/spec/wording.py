"""Nodes and names as messages word them."""

from __future__ import annotations

from fsmcheck.spec.nodes import Hole, MappingNode, Node, ScalarNode, SequenceNode

LONGEST_SHOWN = 40


def shown(text: str) -> str:
    """Text for a message: on one line, in double quotes, shortened."""
    flat = " ".join(text.split())
    return f'"{flat}"' if len(flat) <= LONGEST_SHOWN else f'"{flat[:LONGEST_SHOWN]}…"'


def describe(node: Node) -> str:
    """What a node is, for "… is X, expected Y"."""
    match node:
        case MappingNode():
            return "a map"
        case SequenceNode():
            return "a list"
        case ScalarNode(value=None, text=""):
            return "empty"
        case ScalarNode(value=None):
            return "null"
        case ScalarNode(value=bool()):
            return f"the boolean {node.text}"
        case ScalarNode(value=int()):
            return f"the integer {node.text[:LONGEST_SHOWN]}"
        case ScalarNode(value=float()):
            return f"the number {node.text[:LONGEST_SHOWN]}"
        case ScalarNode():
            return f"the text {shown(node.text)}"
        case Hole():
            return "unreadable"
