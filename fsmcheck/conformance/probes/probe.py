"""What a probe is."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from fsmcheck.conformance.clauses import CLAUSES
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.source import SourceFile
from fsmcheck.spec.model import Spec

Exchange = tuple[str, Mapping[str, JsonValue]]


@dataclass(frozen=True)
class Probe:
    """A run of a small spec that a reducer which breaks ``clause`` gets wrong.

    ``fsm`` is the spec as YAML, without the key ``fsm``. ``profiles``: under which the question makes sense.
    ``times``: how often the run is made, one after the other, without loading the spec again.
    """

    clause: str
    name: str
    fsm: str
    exchanges: tuple[Exchange, ...] = ()
    inputs: Mapping[str, JsonValue] = field(default_factory=dict)
    profiles: tuple[Profile, ...] = ("gated", "eager")
    times: int = 1

    def __post_init__(self) -> None:
        if self.clause not in CLAUSES:
            raise ValueError(f"there is no clause {self.clause}")

    @cached_property
    def spec(self) -> Spec:
        from fsmcheck.spec.load import load

        text = "fsm:\n" + textwrap.indent(textwrap.dedent(self.fsm), "  ")
        (document,) = load(SourceFile(f"<probe {self.name}>", text))
        if document.spec is None or document.faults:
            raise ValueError(f"the probe {self.name} is no spec: {document.faults}")
        return document.spec


ASK = """
agents: { hand: { canTransition: [ask] } }
initialState: ask
"""
"""One agent and where it acts, for probes that are about something else."""


def at_start(context: str, *actions: str) -> str:
    """A spec whose run consists of the entry actions of its only state."""
    entry = ", ".join(actions)
    return f"""
initialState: rest
context: {{ {context} }}
states: {{ rest: {{ terminal: true, entry: [{entry}] }} }}
"""


def choosing(context: str, *guards: str) -> str:
    """A spec whose run goes to ``t1``, ``t2`` … by the first of some guards that holds, else to ``none``."""
    lines = [f"initialState: choose\ncontext: {{ {context} }}\nstates:\n  choose:\n    transitions:"]
    for number, guard in enumerate(guards, 1):
        lines.append(f"      - {{ toState: t{number}, guards: [{{ backend: cel, expression: {guard!r} }}] }}")
    lines.append("      - { toState: none }")
    lines.extend(f"  t{number}: {{ terminal: true }}" for number in range(1, len(guards) + 1))
    lines.append("  none: { terminal: true }\n")
    return "\n".join(lines)
