"""Z3's memory is given back as soon as a question is answered, not when Python next looks for garbage: that is rare,
and knows nothing of what Z3 holds."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest

from fsmcheck.engines import handles
from fsmcheck.engines.diagram.invariant import DiagramSet
from fsmcheck.engines.diagram.search import explore_symbolically
from fsmcheck.engines.explicit import explore
from fsmcheck.engines.handles import Handles
from fsmcheck.engines.induction import Invariant, ReachableSet, check_induction
from fsmcheck.system.system import System
from tests.engines.systems import is_finite, system_of

SYSTEM = next(system for system in map(system_of, range(3100, 3124)) if is_finite(system) and len(system.steps) > 8)


@pytest.mark.parametrize(
    "invariant",
    [lambda system: ReachableSet(explore(system)), lambda system: DiagramSet(explore_symbolically(system))],
    ids=["search", "diagram"],
)
def test_nothing_of_an_induction_is_left(
    invariant: Callable[[System], Invariant], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[weakref.ref[object]] = []

    given_back: list[int] = []

    class Watched(Handles):
        def __init__(self, system: System) -> None:
            super().__init__(system)
            made.append(weakref.ref(self))

        def close(self) -> None:
            given_back.append(self.context)
            super().close()
            assert self.context == 0

    monkeypatch.setattr(handles, "Handles", Watched)
    shown = invariant(SYSTEM)
    gc.collect()
    gc.disable()
    try:
        assert check_induction(SYSTEM, shown, []).holds is True
        del shown
        assert len(made) == len(given_back) == 1
        assert made[0]() is None
    finally:
        gc.enable()
