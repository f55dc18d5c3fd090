"""What must be the same on both ends of a cluster for reports to be the same."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from fsmcheck import __version__


def versions() -> dict[str, str]:
    """The versions of fsmcheck, of Z3 and of Python here."""
    try:
        z3 = version("z3-solver")
    except PackageNotFoundError:
        z3 = "unknown"
    return {"fsmcheck": __version__, "Z3": z3, "Python": ".".join(map(str, sys.version_info[:3]))}


def mismatch(found: Mapping[str, Mapping[str, str]]) -> str | None:
    """What differs on the first worker (by its name) on which something does; None where nothing does."""
    ours = versions()
    for worker, theirs in sorted(found.items()):
        for name, wanted in ours.items():
            there = theirs.get(name, "unknown")
            if there != wanted:
                return f'the worker "{worker}" has {name} {there}, and here it is {wanted}'
    return None
