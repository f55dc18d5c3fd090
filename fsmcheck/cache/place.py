"""Where the cache is kept."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "FSMCHECK_CACHE_DIR"
FILE = "verdicts.sqlite3"


def user_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path | None:
    """The folder for this user: ``FSMCHECK_CACHE_DIR``, else where the platform keeps caches; None where there is no
    home either."""
    named = environment.get(VARIABLE)
    if named:
        return Path(named).absolute()
    if platform == "win32":
        local = environment.get("LOCALAPPDATA")
        return Path(local, "fsmcheck", "Cache") if local else None
    # The XDG base directory specification: a relative path in the variable is to be ignored.
    xdg = environment.get("XDG_CACHE_HOME", "")
    if platform != "darwin" and Path(xdg).is_absolute():
        return Path(xdg, "fsmcheck")
    home = environment.get("HOME", "")
    if not Path(home).is_absolute():
        return None
    return Path(home, "Library", "Caches", "fsmcheck") if platform == "darwin" else Path(home, ".cache", "fsmcheck")
