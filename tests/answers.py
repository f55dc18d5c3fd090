"""What Z3 says, on its way to the engines: to those that use its Python package, and to those that use its library."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import z3

from fsmcheck.engines import handles

Ask = Callable[[], z3.CheckSatResult]

_NUMBERS = {1: z3.sat, 0: z3.unknown, -1: z3.unsat}


def intercept(monkeypatch: pytest.MonkeyPatch, answer: Callable[[Ask], z3.CheckSatResult]) -> None:
    """Have every question to a solver answered by a function, which may ask the solver."""
    of_package, of_library = z3.Solver.check, handles.Solver.check

    def check(self: z3.Solver, *assumptions: z3.BoolRef) -> z3.CheckSatResult:
        return answer(lambda: of_package(self, *assumptions))

    def check_handles(self: handles.Solver) -> int:
        found = answer(lambda: _NUMBERS[of_library(self)])
        return next(number for number, each in _NUMBERS.items() if each == found)

    monkeypatch.setattr(z3.Solver, "check", check)
    monkeypatch.setattr(handles.Solver, "check", check_handles)
