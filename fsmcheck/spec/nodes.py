"""The tree of a YAML document: what was written, resolved by YAML 1.2, with its places in the file."""

from __future__ import annotations

from enum import Enum

from fsmcheck.diagnostics import Fault
from fsmcheck.records import dataclass
from fsmcheck.source import Span


class Style(Enum):
    """How a scalar is written."""

    PLAIN = ""
    SINGLE = "'"
    DOUBLE = '"'
    LITERAL = "|"
    FOLDED = ">"


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """``value`` is resolved by the core schema of YAML 1.2; ``text`` is the content before that."""

    value: bool | int | float | str | None
    text: str
    style: Style
    span: Span


@dataclass(frozen=True, slots=True)
class SequenceNode:
    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Entry:
    """A key, always text, and its value."""

    key: ScalarNode
    value: Node

    @property
    def name(self) -> str:
        return self.key.text


@dataclass(frozen=True, slots=True)
class MappingNode:
    """``entries`` in the order written, without the duplicates (the first of each key stays).

    ``is_partial`` says that some were refused, so what is missing may have been written.
    """

    entries: tuple[Entry, ...]
    span: Span
    is_partial: bool = False

    def entry(self, name: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.name == name), None)


@dataclass(frozen=True, slots=True)
class Hole:
    """A place whose content was refused; a fault says so, and nothing more should be said about it."""

    span: Span


Node = ScalarNode | SequenceNode | MappingNode | Hole


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """One document of a file. ``root`` is None where the YAML was too broken to build a tree."""

    root: Node | None
    faults: tuple[Fault, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where something is being typed: a scalar that ends at the cursor, which may be empty.

    ``path`` leads there from the root of the document by keys and indices, for a key to the map that it is in.
    ``typed`` is the content before the cursor, ``siblings`` are the keys before it in its map.
    """

    path: tuple[str | int, ...]
    is_key: bool
    typed: str
    style: Style
    siblings: tuple[str, ...] = ()
