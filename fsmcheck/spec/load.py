"""Loading: the text of a file to specs, with all faults of each document at once."""

from __future__ import annotations

import re
from bisect import bisect_left

from fsmcheck import late
from fsmcheck.diagnostics import Fault
from fsmcheck.records import dataclass
from fsmcheck.source import SourceFile, Span
from fsmcheck.spec.decode_fields import decode_agents, decode_fields
from fsmcheck.spec.decode_states import StateDecoder
from fsmcheck.spec.expressions import ExpressionReader
from fsmcheck.spec.files import UnreadableFileError, read_source
from fsmcheck.spec.forms import (
    FaultLog,
    Keys,
    as_mapping,
    as_name,
    as_positive_integer,
    optional_text,
    wrong_form,
)
from fsmcheck.spec.literals import digest, plain_data
from fsmcheck.spec.model import Name, Policy, Spec
from fsmcheck.spec.nodes import Hole, MappingNode, Node, ScalarNode, YamlDocument
from fsmcheck.spec.wording import shown
from fsmcheck.spec.yaml_tree import compose
from fsmcheck.spelling import suggestion

_TOP_KEYS = ("fsm", "properties")
_FSM_KEYS = Keys(
    required=("initialState", "states"),
    optional=("name", "version", "description", "context", "agents", "policy"),
)
_POLICY_KEYS = ("maxIterations", "maxExchangesPerStage", "maxExchangesPerAgentPerStage", "checkpointEvery")
_LOOKS_LIKE_FSM = late.pattern(r"""^(?:\{\s*)?["']?fsm["']?\s*:""", re.MULTILINE)
_DISTORTING = frozenset({"FSM001", "FSM002"})


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """One document of a file. ``spec`` is None where nothing sensible could be built.

    ``faults`` are in the order of the text; their rules are FSM001-FSM005, and FSM102 for expressions that
    name undeclared fields. ``has_fsm`` is False where there is no ``fsm`` key, which is no fault of a file that
    a search came upon. ``states_span`` covers the value of ``states``.
    """

    spec: Spec | None
    faults: tuple[Fault, ...]
    source: SourceFile
    has_fsm: bool = True
    states_span: Span | None = None

    @property
    def is_whole(self) -> bool:
        """Whether ``spec`` holds all that was written: no part was left out as unreadable or malformed."""
        return self.spec is not None and not any(fault.rule in _DISTORTING for fault in self.faults)

    def is_intact(self, span: Span | None) -> bool:
        """Whether nothing inside ``span`` was left out as unreadable or malformed."""
        if span is None:
            return False
        first = bisect_left(self.faults, span.start, key=lambda fault: fault.span.start)
        behind = bisect_left(self.faults, max(span.end, span.start + 1), key=lambda fault: fault.span.start)
        return not any(fault.rule in _DISTORTING for fault in self.faults[first:behind])


def load_path(path: str) -> tuple[LoadedDocument, ...]:
    """The documents of a file, or of standard input for ``-``; a file that cannot be read is one with a fault."""
    try:
        source = read_source(path)
    except UnreadableFileError as error:
        return (LoadedDocument(None, (error.fault,), error.source),)
    return load(source)


def load(source: SourceFile) -> tuple[LoadedDocument, ...]:
    """The documents of a text, at least one.

    Documents without ``fsm`` are left out where another has it. Where none has, one is returned, with
    ``has_fsm`` False.
    """
    documents = compose(source)
    broken_is_spec = bool(_LOOKS_LIKE_FSM.search(source.text))
    specs = [
        _decode(source, document)
        for document in documents
        if _fsm_of(document) is not None or (document.root is None and broken_is_spec)
    ]
    if specs:
        return tuple(specs)
    faults = [fault for document in documents if document.root is None for fault in document.faults]
    if not faults:
        faults = [_missing_fsm(source, documents)]
    return (LoadedDocument(None, tuple(faults), source, has_fsm=False),)


def _missing_fsm(source: SourceFile, documents: tuple[YamlDocument, ...]) -> Fault:
    root = documents[0].root if documents else None
    log = FaultLog(source)
    span = log.headline(root.span) if root is not None else Span(0, 0)
    keys = [entry.name for entry in root.entries] if isinstance(root, MappingNode) else []
    near = next((key for key in keys if key.lower().strip() in ("fsm", "fms", "fsms")), None)
    if near is None:
        return Fault("FSM002", 'the document has no "fsm", expected it at the top', span, 'start with "fsm:"')
    return Fault("FSM002", f'the document has no "fsm", but {shown(near)}', span, 'did you mean "fsm"?')


def _fsm_of(document: YamlDocument) -> Node | None:
    entry = document.root.entry("fsm") if isinstance(document.root, MappingNode) else None
    return None if entry is None else entry.value


def _decode(source: SourceFile, document: YamlDocument) -> LoadedDocument:
    log = FaultLog(source, list(document.faults))
    node = _fsm_of(document)
    if isinstance(document.root, MappingNode):
        for entry in document.root.entries:
            if entry.name not in _TOP_KEYS:
                message = f"the document has the unknown key {shown(entry.name)}"
                log.add("FSM002", message, entry.key.span, suggestion(entry.name, ("properties",), "other keys"))
    spec = None if node is None else _spec(log, node)
    faults = sorted(log.faults, key=lambda fault: (fault.span, fault.rule, fault.message))
    states = _under(node, "states") if isinstance(node, MappingNode) else None
    return LoadedDocument(spec, tuple(faults), source, states_span=states.span if states else None)


def _spec(log: FaultLog, node: Node) -> Spec | None:
    mapping = as_mapping(log, node, '"fsm"', _FSM_KEYS)
    if mapping is None:
        return None
    fields = decode_fields(log, _under(mapping, "context"))
    agents = decode_agents(log, _under(mapping, "agents"))
    types = {field.name.text: field.type for field in fields or ()}
    reader = ExpressionReader(log, types, fields_known=fields is not None)
    states_node = _under(mapping, "states")
    states = None if states_node is None else StateDecoder(log, reader).states(states_node)
    name = _name(log, mapping)
    version = _version(log, _under(mapping, "version"))
    description = optional_text(log, mapping, "description", "the description of the spec")
    policy = _policy(log, _under(mapping, "policy"))
    initial_node = _under(mapping, "initialState")
    initial = None if initial_node is None else as_name(log, initial_node, '"initialState"')
    if fields is None or agents is None or not states:
        return None
    document = plain_data(mapping)
    return Spec(
        source=log.source,
        name=name,
        version=version,
        description=description,
        initial=initial or Name(states[0].name.text, log.headline((initial_node or mapping).span)),
        fields=fields,
        agents=agents,
        states=states,
        policy=policy,
        document=document,
        sha256=digest(document),
        span=mapping.span,
    )


def _name(log: FaultLog, mapping: MappingNode) -> Name | None:
    entry = mapping.entry("name")
    return None if entry is None else as_name(log, entry.value, '"name"')


def _version(log: FaultLog, node: Node | None) -> str | int | None:
    if node is None or isinstance(node, Hole):
        return None
    if isinstance(node, ScalarNode) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return node.value
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return node.text
    hint = f'quote it to make it text: "{node.text}"' if isinstance(node, ScalarNode) and node.text else None
    wrong_form(log, node, '"version"', "text or an integer", hint)
    return None


def _policy(log: FaultLog, node: Node | None) -> Policy:
    mapping = None if node is None else as_mapping(log, node, '"policy"', Keys(optional=_POLICY_KEYS))
    if mapping is None:
        return Policy()
    entries = [(key, mapping.entry(key)) for key in _POLICY_KEYS]
    caps = [None if entry is None else as_positive_integer(log, entry.value, f'"{key}"') for key, entry in entries]
    places = tuple((key, entry.value.span) for key, entry in entries if entry is not None)
    return Policy(caps[0], caps[1], caps[2], caps[3], mapping.span, places)


def _under(mapping: MappingNode, key: str) -> Node | None:
    entry = mapping.entry(key)
    return None if entry is None else entry.value
