"""Other people's logs: under which names they hold what an event is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from fsmcheck.monitoring.event import EVENT_KINDS, EventKind
from fsmcheck.records import dataclass
from fsmcheck.source import SourceFile
from fsmcheck.spec.nodes import MappingNode, Node, ScalarNode

PARTS = (
    "run",
    "event",
    "agent",
    "writes",
    "inputs",
    "rejected",
    "state",
    "status",
    "store",
    "cap",
    "awaits",
    "microsteps",
    "advance",
    "time",
)
"""What can be found under another name."""

Path = tuple[str, ...]


class MappingError(Exception):
    """A mapping cannot be read; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class LogMapping:
    """Where the parts of an event are.

    ``paths`` of keys for each of ``PARTS``, None for what the log does not have: without ``run`` all events belong
    to one run after the other, without ``rejected`` nothing is known of refusals. ``events`` are the log's names of
    events; ``ignore_others`` lets lines with other names, or with none, be.
    """

    paths: Mapping[str, Path | None] = field(default_factory=lambda: {part: (part,) for part in PARTS})
    events: Mapping[str, EventKind] = field(default_factory=lambda: {kind: kind for kind in EVENT_KINDS})
    ignore_others: bool = False

    def renamed(self, pairs: Iterable[tuple[str, str]]) -> LogMapping:
        """With some parts elsewhere: pairs of a part and a dotted path, or an empty text for what is not logged.

        Raises ``MappingError``.
        """
        paths = dict(self.paths)
        for part, path in pairs:
            if part not in PARTS:
                raise MappingError(f'there is no part "{part}" of an event; parts: {", ".join(PARTS)}')
            paths[part] = _path(part, path)
        return LogMapping(paths, self.events, self.ignore_others)


def _path(part: str, text: str) -> Path | None:
    if not text:
        if part == "event":
            raise MappingError('"event" has to be somewhere in the log')
        return None
    keys = tuple(text.split("."))
    if not all(keys):
        raise MappingError(f'"{text}" is no path: expected keys with dots between them')
    return keys


def read_mapping(source: SourceFile) -> LogMapping:
    """The mapping in a YAML (or JSON) file: parts and their paths, ``events`` and ``others``.

    Raises ``MappingError``.
    """
    from fsmcheck.spec.yaml_tree import compose

    documents = compose(source)
    faults = [fault for document in documents for fault in document.faults]
    if faults or len(documents) != 1:
        reason = faults[0].message if faults else "expected one document"
        raise MappingError(f"{source.path}: {reason}")
    root = documents[0].root
    if not isinstance(root, MappingNode):
        raise MappingError(f"{source.path}: expected a map from parts of an event to paths")
    try:
        return _decoded(root)
    except MappingError as error:
        raise MappingError(f"{source.path}: {error}") from None


def _decoded(root: MappingNode) -> LogMapping:
    pairs = [(entry.name, _text(entry.name, entry.value)) for entry in root.entries if entry.name in PARTS]
    unknown = [entry.name for entry in root.entries if entry.name not in (*PARTS, "events", "others")]
    if unknown:
        raise MappingError(f'there is no part "{unknown[0]}" of an event; parts: {", ".join(PARTS)}, events, others')
    events, others = root.entry("events"), root.entry("others")
    mapping = LogMapping().renamed(pairs)
    told = _text("others", others.value) if others is not None else "complain"
    if told not in ("complain", "ignore"):
        raise MappingError('"others" is neither "complain" nor "ignore"')
    names = mapping.events if events is None else _events(events.value)
    return LogMapping(mapping.paths, names, told == "ignore")


def _events(node: Node) -> Mapping[str, EventKind]:
    """From each kind of event to the log's name for it, or a list of names; what is left out has its own name."""
    if not isinstance(node, MappingNode):
        raise MappingError('"events" is no map from kinds of events to names')
    found: dict[str, EventKind] = {}
    named: set[str] = set()
    for entry in node.entries:
        if entry.name not in EVENT_KINDS:
            raise MappingError(f'there is no event "{entry.name}"; events: {", ".join(EVENT_KINDS)}')
        named.add(entry.name)
        value = entry.value
        items = (value,) if isinstance(value, ScalarNode) else getattr(value, "items", ())
        for item in items:
            found[_text(entry.name, item)] = entry.name
    return found | {kind: kind for kind in EVENT_KINDS if kind not in named}


def _text(name: str, node: Node) -> str:
    if isinstance(node, ScalarNode) and (isinstance(node.value, str) or node.value is None):
        return node.value or ""
    raise MappingError(f'"{name}" is no text')
