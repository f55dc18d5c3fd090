"""The outline of a checked spec as plain data: what pictures and pages show besides its findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from fsmcheck.records import dataclass

Outcome = Literal["true", "false", "error"]
"""What a guard comes to in a context; an evaluation error is not an enabled transition."""


@dataclass(frozen=True, slots=True)
class FieldOutline:
    """A field of the store: ``type`` as written (``enum(a, b)`` for an enum), who may write it and who reads it.

    ``writers`` are agents; ``readers``, ``assigners`` and ``emptiers`` name places, such as ``plan -> execute``.
    """

    name: str
    type: str
    description: str = ""
    writers: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    assigners: tuple[str, ...] = ()
    emptiers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StateOutline:
    """A state: ``requires`` pairs a field with the agent that is asked; ``entry`` and ``exit`` are actions in words.

    ``declared`` is False for a target that is no state.
    """

    name: str
    initial: bool = False
    terminal: bool = False
    declared: bool = True
    reachable: bool = True
    description: str = ""
    requires: tuple[tuple[str, str], ...] = ()
    entry: tuple[str, ...] = ()
    exit: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TransitionOutline:
    """A transition: ``index`` that in its state, ``guards`` as written, ``actions`` in words."""

    source: str
    target: str
    index: int
    guards: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    reachable: bool = True


@dataclass(frozen=True, slots=True)
class MatrixColumn:
    """One class of contexts of a state, that its guards do not tell apart, at the moment they are evaluated.

    ``context`` is a concrete one of them, of the fields that the guards read, as JSON data; ``outcomes`` what each
    transition's guards come to there, in document order, each transition tried for itself; ``taken`` the index that
    fires, None where none does (a gap); ``overlap`` whether a later one is enabled too. ``reachable`` is True where
    a run was seen to come to such a context (and ``context`` is that of the run), False where none does, None where
    it is not known.

    Under ``gated`` guards are evaluated once every requirement is met: required fields are set in every column, and
    a gap is where the machine would be stuck. Under ``eager`` they are evaluated whether or not requirements are
    met, and a transition without guards comes to false in a column where one is not; a gap with a requirement unmet
    is where the machine waits.
    """

    context: Mapping[str, Any]
    outcomes: tuple[Outcome, ...]
    taken: int | None
    overlap: bool
    reachable: bool | None = None


@dataclass(frozen=True, slots=True)
class GuardMatrix:
    """The guard matrix of a state: its transitions by classes of contexts.

    ``fields`` are those that the guards read (under ``eager`` also what a transition without guards waits for);
    ``omitted`` says how many columns were left out to keep it readable. ``complete`` is False where there may be
    classes for which no context was found, so that neither the columns nor ``omitted`` count them.
    """

    state: str
    fields: tuple[str, ...]
    columns: tuple[MatrixColumn, ...]
    omitted: int = 0
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Coverage:
    """What runs have exercised: how often each state was entered, each transition fired, each guard came to what.

    ``transitions`` by (state, index); ``guards`` by (state, index, guard) to the counts of true, false and error.
    """

    events: int
    states: Mapping[str, int] = field(default_factory=dict, hash=False)
    transitions: Mapping[tuple[str, int], int] = field(default_factory=dict, hash=False)
    guards: Mapping[tuple[str, int, int], tuple[int, int, int]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Outline:
    """A spec as nodes and edges, with what is known of each."""

    states: tuple[StateOutline, ...]
    transitions: tuple[TransitionOutline, ...]
    fields: tuple[FieldOutline, ...]
    policy: Mapping[str, Any] = field(default_factory=dict, hash=False)
    matrices: tuple[GuardMatrix, ...] = ()
    coverage: Coverage | None = None
