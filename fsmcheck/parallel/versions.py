"""What must be the same on both ends of a cluster for reports to be the same."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from fsmcheck import __version__
from fsmcheck.cache.toolkit import versions as libraries


def versions() -> dict[str, str]:
    """The versions of fsmcheck, of Z3 and of Python here."""
    return {"fsmcheck": __version__, "Z3": z3_version(), "Python": ".".join(map(str, sys.version_info[:3]))}


def mismatch(found: Mapping[str, Mapping[str, str]]) -> str | None:
    """What differs on the first worker (by its name) on which something does; None where nothing does."""
    ours = versions()
    for worker, theirs in sorted(found.items()):
        for name, wanted in ours.items():
            there = theirs.get(name, "unknown")
            if there != wanted:
                return f'the worker "{worker}" has {name} {there}, and here it is {wanted}'
    return None


def z3_version() -> str:
    """The version of Z3, as the name of its folder of metadata says; "unknown" where there is no such thing."""
    for name in libraries(tuple(sys.path)):
        package, _, rest = name.partition("-")
        if package.lower() == "z3_solver":
            return rest.removesuffix(".dist-info").removesuffix(".egg-info").partition("-")[0]
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("z3-solver")
    except PackageNotFoundError:
        return "unknown"
