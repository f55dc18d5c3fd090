"""Z3's library by itself: its Python package takes longer to import than an induction over a small spec takes in all.

Only what ``handles`` asks of it is declared here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from ctypes import CDLL, c_char_p, c_int, c_size_t, c_uint, c_void_p
from functools import cache
from importlib.util import find_spec
from typing import Any

from fsmcheck.shortage import is_loader_shortage

_TABLES = 18 << 20
"""Bytes of the tables that Z3 fills for every context, or somewhat more."""

_LARGE_PAGE = 2 << 20
_PREFER_LARGE_PAGES = 14  # MADV_HUGEPAGE

_TYPES: dict[str, Any] = {"p": c_void_p, "i": c_int, "u": c_uint, "s": c_char_p, "-": None}
_FUNCTIONS = {
    "mk_config": "p",
    "del_config": "- p",
    "mk_context": "p p",
    "del_context": "- p",
    "set_error_handler": "- pp",
    "get_error_code": "i p",
    "get_error_msg": "s pi",
    "mk_string_symbol": "p ps",
    "mk_bool_sort": "p p",
    "mk_int_sort": "p p",
    "mk_enumeration_sort": "p ppuppp",
    "mk_app": "p ppup",
    "mk_const": "p ppp",
    "mk_numeral": "p psp",
    "mk_true": "p p",
    "mk_false": "p p",
    "mk_eq": "p ppp",
    "mk_not": "p pp",
    "mk_ite": "p pppp",
    "mk_and": "p pup",
    "mk_or": "p pup",
    "mk_lt": "p ppp",
    "mk_le": "p ppp",
    "mk_add": "p pup",
    "mk_sub": "p pup",
    "mk_mul": "p pup",
    "mk_div": "p ppp",
    "substitute": "p ppupp",
    "simplify": "p pp",
    "mk_params": "p p",
    "params_inc_ref": "- pp",
    "params_dec_ref": "- pp",
    "params_set_uint": "- pppu",
    "mk_solver": "p p",
    "solver_inc_ref": "- pp",
    "solver_dec_ref": "- pp",
    "solver_set_params": "- ppp",
    "solver_push": "- pp",
    "solver_pop": "- ppu",
    "solver_assert": "- ppp",
    "solver_check": "i pp",
}
"""For each function, without ``Z3_`` in front, what it gives and what it takes: pointers, numbers, texts, nothing."""


class LibraryError(Exception):
    """Z3 refused something; the message is its own."""


class Library:
    """The functions by their names."""

    def __init__(self, loaded: CDLL) -> None:
        self._loaded = loaded

    def __getattr__(self, name: str) -> Callable[..., int]:
        result, _, arguments = _FUNCTIONS[name].partition(" ")
        function = self._loaded[f"Z3_{name}"]
        function.restype, function.argtypes = _TYPES[result], [_TYPES[each] for each in arguments]
        setattr(self, name, function)
        return function


@cache
def library() -> Library | None:
    """The library that came with the package; None where it did not. Raises ``MemoryError`` or ``OSError`` where it
    cannot be loaded."""
    path = own_library()
    if path is None:
        return None
    if sys.platform == "linux":
        _make_room(CDLL(None))
    try:
        return Library(CDLL(path))
    except OSError as error:
        if is_loader_shortage(str(error)):
            raise MemoryError from None
        raise


def _make_room(system: CDLL) -> None:
    """Have the tables of contexts lie in large pages, where there are any: to get them page by page takes as long as
    all else in a small induction. Whatever the system's allocator makes of this, it is no more than advice."""
    allocate, free, advise = system.malloc, system.free, system.madvise
    allocate.restype, allocate.argtypes = c_void_p, [c_size_t]
    free.restype, free.argtypes = None, [c_void_p]
    advise.restype, advise.argtypes = c_int, [c_void_p, c_size_t, c_int]
    for _ in range(2):  # glibc keeps what it gets of this size from the second time on
        block = allocate(_TABLES)
        if not block:
            return
        first = -(-block // _LARGE_PAGE) * _LARGE_PAGE
        advise(first, block + _TABLES - first, _PREFER_LARGE_PAGES)
        free(block)


def own_library() -> str | None:
    """Where the library is that came with the package, by its longest name; None where it did not."""
    package = find_spec("z3")
    ending = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    found = []
    for folder in (package.submodule_search_locations if package is not None else None) or ():
        inside = os.path.join(folder, "lib")  # noqa: PTH118 - see fsmcheck.cache.toolkit
        names = os.listdir(inside) if os.path.isdir(inside) else []  # noqa: PTH112, PTH208
        found += [os.path.join(inside, each) for each in names if each.startswith("libz3.") and ending in each]  # noqa: PTH118
    return max(found, default=None)
