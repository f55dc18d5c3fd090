"""What one step of a run did, in enough detail to judge it without running it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Literal

from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Configuration
from fsmcheck.reducer.store import Store
from fsmcheck.source import Span
from fsmcheck.spec.model import Action, Requirement

Rejection = Literal[
    "not-waiting",
    "unknown-agent",
    "not-authorised",
    "unknown-field",
    "not-writable",
    "type-mismatch",
    "not-in-values",
    "empty-value",
]


@dataclass(frozen=True, slots=True)
class GuardFault:
    """Why a guard has no truth value.

    ``span`` is the failing part in the expression's text, None where the whole value is at fault. ``opaque``: its
    backend is not ``cel``, so nothing was evaluated. ``gave_up``: the evaluation used up its budget.
    """

    message: str
    span: Span | None = None
    opaque: bool = False
    gave_up: bool = False


@dataclass(frozen=True, slots=True)
class GuardResult:
    """A guard that was evaluated (its index in the transition) and whether it counted as true."""

    guard: int
    holds: bool
    fault: GuardFault | None = None


@dataclass(frozen=True, slots=True)
class Tried:
    """A transition that was tried, with the guards evaluated up to the first that was not true."""

    transition: int
    guards: tuple[GuardResult, ...]
    enabled: bool


@dataclass(frozen=True, slots=True)
class Search:
    """One look for an enabled transition of ``state`` in ``store``.

    ``tried`` is empty where an unmet requirement forbids trying any; ``enabled`` is the index of the first
    enabled transition; ``unmet`` the requirements without a value, in order.
    """

    state: str
    store: Store
    unmet: tuple[Requirement, ...]
    tried: tuple[Tried, ...]
    enabled: int | None


class Phase(Enum):
    """Which list of actions, in the order they run."""

    EXIT = "exit"
    TRANSITION = "onTransition"
    ENTRY = "entry"


@dataclass(frozen=True, slots=True)
class ActionFault:
    """Why an action failed: the index of the write in it, and the failing part in the expression's text.

    ``gave_up``: the evaluation used up its budget.
    """

    write: int
    message: str
    span: Span | None = None
    gave_up: bool = False


@dataclass(frozen=True, slots=True)
class Effect:
    """An action that ran, or failed, with the stores around it (the same where it failed).

    ``state`` is the state it belongs to (left for ``exit``, entered for ``entry``, the source for
    ``onTransition``, which alone has a ``transition``).
    """

    phase: Phase
    state: str
    transition: int | None
    action: Action
    before: Store
    after: Store
    fault: ActionFault | None = None


@dataclass(frozen=True, slots=True)
class Microstep:
    """A transition that was taken: the search that chose it, its actions in order, the stores around it."""

    source: str
    transition: int
    target: str
    search: Search
    effects: tuple[Effect, ...]
    before: Store
    store: Store


@dataclass(frozen=True, slots=True)
class Failure:
    """An attempt that did not happen because its last effect failed.

    ``search`` and ``transition`` are None for the entry of the initial state.
    """

    search: Search | None
    transition: int | None
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Advance:
    """What followed the start or an exchange.

    ``opening`` are the entry actions of the initial state (start only); ``began`` the store in which the
    search for transitions began; ``last`` the search that ended it, where one did; ``awaits`` the unmet
    requirements of a run that waits.
    """

    began: Store
    microsteps: tuple[Microstep, ...]
    awaits: tuple[Requirement, ...]
    opening: tuple[Effect, ...] = ()
    last: Search | None = None
    failure: Failure | None = None

    def searches(self) -> tuple[Search, ...]:
        """Every search in order; the n-th was made after n microsteps."""
        made = [microstep.search for microstep in self.microsteps]
        if self.failure is not None and self.failure.search is not None:
            made.append(self.failure.search)
        elif self.last is not None:
            made.append(self.last)
        return tuple(made)


@dataclass(frozen=True, slots=True)
class Step:
    """The start of a run (``agent`` and ``before`` are None) or one exchange, and the advance after it.

    ``given`` are the inputs or the writes as they came, JSON values; ``rejected`` the code of a refused exchange,
    whose advance is empty.
    """

    before: Configuration | None
    agent: str | None
    given: Mapping[str, object] = field(hash=False)
    rejected: Rejection | None
    advance: Advance
    configuration: Configuration
