"""Z3, loaded in one place.

Z3's own package looks for its library in the current folder first, and settles for that of another version in the
system where its own cannot be loaded. Neither may decide anything here.
"""

from __future__ import annotations

import builtins
import ctypes
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from fsmcheck.engines.library import own_library
from fsmcheck.shortage import is_loader_shortage

__all__ = ["z3"]


def _load() -> None:
    """Import the package. Raises MemoryError where there is too little for its library."""
    own = own_library()
    said = StringIO()
    try:
        if own is not None:
            ctypes.CDLL(own)
            builtins.Z3_LIB_DIRS = [str(Path(own).parent)]  # type: ignore[attr-defined]
        with redirect_stdout(said):  # where it does not find its library it prints what to do
            import z3  # noqa: F401
    except Exception as error:
        if is_loader_shortage(f"{error} {said.getvalue()}"):
            raise MemoryError from None
        raise


_load()
import z3  # noqa: E402
