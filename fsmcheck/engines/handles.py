"""Terms as expressions of Z3's library itself, for proofs by induction: the same formulas as those of ``smt``, made
without the Python package. All of them live as long as their context, which has to be closed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import c_void_p
from typing import Any

from fsmcheck.engines.formulas import Formulas, as_c_text
from fsmcheck.engines.library import LibraryError, library
from fsmcheck.system.system import System
from fsmcheck.system.terms import Op, Sort, SortKind

Handle = int
"""The address of an expression."""

_SATISFIABLE, _UNSATISFIABLE = 1, -1


class Handles(Formulas[Handle]):
    """A system in a context of the library."""

    def __init__(self, system: System) -> None:
        super().__init__(system)
        found = library()
        if found is None:
            raise LibraryError("Z3's library is not where its package is")
        self.library = found
        config = self.library.mk_config()
        self.context = self.library.mk_context(config)
        self.library.del_config(config)
        if not self.context:
            raise LibraryError("out of memory")
        self.library.set_error_handler(self.context, None)  # the default one ends the process
        self._booleans = self.made(self.library.mk_bool_sort(self.context))
        self._integers = self.made(self.library.mk_int_sort(self.context))
        self._truths = (self.made(self.library.mk_false(self.context)), self.made(self.library.mk_true(self.context)))
        self._sorts: dict[str, tuple[Handle, tuple[Handle, ...]]] = {}
        self._numbers: dict[int, Handle] = {}
        self._solvers: list[Solver] = []

    def close(self) -> None:
        """Give everything back; nothing that was made here can be used any more."""
        for solver in self._solvers:
            solver.close()
        self._solvers.clear()
        if self.context:
            self.library.del_context(self.context)
        self.context = 0

    def made(self, handle: Handle | None) -> Handle:
        """What the library made. Raises ``LibraryError`` where it made nothing."""
        return handle or self.refused()

    def refused(self) -> Handle:
        """Raise what the library has to say."""
        code = self.library.get_error_code(self.context)
        said: object = self.library.get_error_msg(self.context, code)
        raise LibraryError(said.decode(errors="replace") if isinstance(said, bytes) else f"error {code}")

    def heed(self) -> None:
        """Raises ``LibraryError`` where what was done last failed."""
        if self.library.get_error_code(self.context):
            self.refused()

    def _symbol(self, name: str) -> Handle:
        return self.made(self.library.mk_string_symbol(self.context, as_c_text(name).encode()))

    def _sort(self, sort: Sort) -> tuple[Handle, tuple[Handle, ...]]:
        """A sort, and its values where it is finite: an enumeration with mangled names."""
        if sort.kind is SortKind.BOOL:
            return self._booleans, self._truths
        if sort.kind is SortKind.INT:
            return self._integers, ()
        known = self._sorts.get(sort.name)
        if known is None:
            known = self._sorts[sort.name] = self._enumeration(sort)
        return known

    def _enumeration(self, sort: Sort) -> tuple[Handle, tuple[Handle, ...]]:
        size = sort.size
        labels = _array([self._symbol(f"{sort.name}!{number}") for number in range(size)])
        values, tests = (c_void_p * size)(), (c_void_p * size)()
        make = self.library.mk_enumeration_sort
        made = self.made(make(self.context, self._symbol(f"sort!{sort.name}"), size, labels, values, tests))
        return made, tuple(self.made(self.library.mk_app(self.context, value, 0, None)) for value in values)

    def value(self, sort: Sort, value: bool | int) -> Handle:
        if sort.kind is not SortKind.INT:
            return self._sort(sort)[1][value]
        known = self._numbers.get(value)
        if known is None:
            text = str(int(value)).encode()
            known = self._numbers[value] = self.made(self.library.mk_numeral(self.context, text, self._integers))
        return known

    def named(self, name: str, sort: Sort) -> Handle:
        return self.made(self.library.mk_const(self.context, self._symbol(name), self._sort(sort)[0]))

    def equal(self, left: Handle, right: Handle) -> Handle:
        return self.library.mk_eq(self.context, left, right) or self.refused()

    def any(self, parts: Sequence[Handle]) -> Handle:
        if len(parts) == 1:
            return parts[0]
        return self.library.mk_or(self.context, len(parts), _array(parts)) or self.refused()

    def all(self, parts: Sequence[Handle]) -> Handle:
        if len(parts) == 1:
            return parts[0]
        return self.library.mk_and(self.context, len(parts), _array(parts)) or self.refused()

    def negation(self, part: Handle) -> Handle:
        return self.library.mk_not(self.context, part) or self.refused()

    def choice(self, condition: Handle, then: Handle, otherwise: Handle) -> Handle:
        return self.library.mk_ite(self.context, condition, then, otherwise) or self.refused()

    def compared(self, op: Op, left: Handle, right: Handle) -> Handle:
        make = self.library.mk_lt if op is Op.LT else self.library.mk_le
        return make(self.context, left, right) or self.refused()

    def computed(self, op: Op, left: Handle, right: Handle) -> Handle:
        if op is Op.DIV:
            return self.library.mk_div(self.context, left, right) or self.refused()
        return self._joining(op)(self.context, 2, _array((left, right))) or self.refused()

    def _joining(self, op: Op) -> Callable[..., Handle]:
        if op is Op.MUL:
            return self.library.mk_mul
        return self.library.mk_add if op is Op.ADD else self.library.mk_sub

    def moved(self, formula: Handle, pairs: Sequence[tuple[Handle, Handle]]) -> Handle:
        if not pairs:
            return formula
        before, after = zip(*pairs, strict=True)
        substitute = self.library.substitute
        return substitute(self.context, formula, len(pairs), _array(before), _array(after)) or self.refused()

    def is_plainly_true(self, formula: Handle) -> bool:
        """Whether a formula simplifies to truth."""
        return self.made(self.library.simplify(self.context, formula)) == self._truths[1]

    def solver(self, seed: int, rlimit: int) -> Solver:
        """A solver for questions about these expressions, which goes with them."""
        self._solvers.append(Solver(self, seed, rlimit))
        return self._solvers[-1]


def encoded(system: System) -> Formulas[Any]:
    """A context for formulas over a system: of the library, where it is found, or of the package. Close it."""
    if library() is not None:
        return Handles(system)
    from fsmcheck.engines.smt import Encoding

    return Encoding(system)


class Solver:
    """Says of one expression after the other whether it can be true."""

    def __init__(self, handles: Handles, seed: int, rlimit: int) -> None:
        self._handles = handles
        self._library, self._context = handles.library, handles.context
        self._solver = handles.made(self._library.mk_solver(self._context))
        self._library.solver_inc_ref(self._context, self._solver)
        parameters = handles.made(self._library.mk_params(self._context))
        self._library.params_inc_ref(self._context, parameters)
        for name, value in (("random_seed", seed), ("rlimit", rlimit)):
            symbol = handles.made(self._library.mk_string_symbol(self._context, name.encode()))
            self._library.params_set_uint(self._context, parameters, symbol, value)
            handles.heed()
        self._library.solver_set_params(self._context, self._solver, parameters)
        handles.heed()
        self._library.params_dec_ref(self._context, parameters)

    def decide(self, formula: Handle) -> bool | None:
        """Whether a formula is satisfiable; None when the solver does not know."""
        context, solver, heed = self._context, self._solver, self._handles.heed
        self._library.solver_push(context, solver)
        heed()
        self._library.solver_assert(context, solver, formula)
        heed()
        answer = self.check()
        self._library.solver_pop(context, solver, 1)
        heed()
        return True if answer == _SATISFIABLE else False if answer == _UNSATISFIABLE else None

    def check(self) -> int:
        """What the solver says of all that is asserted; 0, as of what it does not know, where it fails instead."""
        answer = self._library.solver_check(self._context, self._solver)
        return 0 if self._library.get_error_code(self._context) else answer

    def close(self) -> None:
        if self._solver:
            self._library.solver_dec_ref(self._context, self._solver)
        self._solver = 0


def _array(parts: Sequence[Handle]) -> object:
    return (c_void_p * len(parts))(*parts)
