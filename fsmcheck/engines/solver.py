"""Z3, loaded in one place.

Z3's own package looks for its library in the current folder first, and settles for that of another version in the
system where its own cannot be loaded. Neither may decide anything here.
"""

from __future__ import annotations

import builtins
import ctypes
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

from fsmcheck.shortage import is_loader_shortage

__all__ = ["z3"]


def _own_library() -> Path | None:
    """The library that came with the package, by its longest name; None where the package has to find it elsewhere."""
    package = find_spec("z3")
    folders = (package.submodule_search_locations if package is not None else None) or ()
    return max((each for folder in folders for each in (Path(folder) / "lib").glob("libz3.*")), default=None)


def _load() -> None:
    """Import the package. Raises MemoryError where there is too little for its library."""
    own = _own_library()
    said = StringIO()
    try:
        if own is not None:
            ctypes.CDLL(str(own))
            builtins.Z3_LIB_DIRS = [str(own.parent)]  # type: ignore[attr-defined]
        with redirect_stdout(said):  # where it does not find its library it prints what to do
            import z3  # noqa: F401
    except Exception as error:
        if is_loader_shortage(f"{error} {said.getvalue()}"):
            raise MemoryError from None
        raise


_load()
import z3  # noqa: E402
