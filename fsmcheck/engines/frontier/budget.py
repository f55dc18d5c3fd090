"""What a search of layers may use, and how it ends when that is not enough."""

from __future__ import annotations

import time

from fsmcheck.engines.diagram.budget import BudgetError
from fsmcheck.records import dataclass

MOST_WAYS = 1 << 20
"""Combinations of inputs of one part of a step."""


@dataclass(frozen=True, slots=True)
class FrontierLimits:
    """When to give up: megabytes of arrays, with why they are no more, and seconds of wall time."""

    megabytes: int = 320
    seconds: float = 10.0
    why: str = ""


class Budget:
    """Watches over the limits of one search; the time counts from its making. Raises ``BudgetError`` where a limit is
    reached."""

    def __init__(self, limits: FrontierLimits) -> None:
        self.limits = limits
        self._deadline = time.monotonic() + limits.seconds

    def extend(self, seconds: float) -> None:
        """Let the time for one more question count from now."""
        self._deadline = time.monotonic() + seconds

    def check_time(self) -> None:
        """Raises ``BudgetError`` once the time is up."""
        if time.monotonic() > self._deadline:
            raise BudgetError("out of time")

    def check_bytes(self, count: int) -> None:
        """Raises ``BudgetError`` where arrays take too much."""
        if count > self.limits.megabytes << 20:
            raise BudgetError(f"more than {self.limits.megabytes} MB{self.limits.why}")

    def check_ways(self, name: str, count: int) -> None:
        """Raises ``BudgetError`` where a step can be taken in too many ways."""
        if count > MOST_WAYS:
            raise BudgetError(f'step "{name}" has more than {MOST_WAYS} combinations of values')
