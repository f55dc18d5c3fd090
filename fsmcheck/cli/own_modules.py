"""The command's own modules, found where they must be: a start imports some 250 of them, and to look for each one in
all ways in which a module can be there takes as long as to load it."""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

_PACKAGE = "fsmcheck."


class _Loader(SourceFileLoader):
    """Python's own loader, told what the system says of the file."""

    def __init__(self, name: str, path: str, status: os.stat_result) -> None:
        super().__init__(name, path)
        self._status = status

    def path_stats(self, path: str) -> Mapping[str, float]:
        return {"mtime": self._status.st_mtime, "size": self._status.st_size}


class OwnModules:
    """Finds the modules of the package in a folder, where there is a file of source for them; leaves all else to
    others."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        tag = sys.implementation.cache_tag
        is_usual = sys.pycache_prefix is None and not sys.flags.optimize and tag is not None
        self._ending = f".{tag}.pyc" if is_usual else None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(_PACKAGE):
            return None
        place = os.path.join(self._folder, *fullname.split(".")[1:])  # noqa: PTH118 - a start makes hundreds
        return self._spec(fullname, place, ".py") or self._spec(fullname, place, f"{os.sep}__init__.py")

    def _spec(self, name: str, place: str, ending: str) -> ModuleSpec | None:
        source = f"{place}{ending}"
        try:
            status = os.stat(source)  # noqa: PTH116
        except OSError:
            return None
        is_package = ending != ".py"
        found = ModuleSpec(name, _Loader(name, source, status), origin=source, is_package=is_package)
        found.has_location = True
        if is_package:
            found.submodule_search_locations = [place]
        if self._ending is not None:
            folder, _, file = source.rpartition(os.sep)
            found.cached = f"{folder}{os.sep}__pycache__{os.sep}{file[:-3]}{self._ending}"
        return found


def install() -> None:
    """Have the modules of this package found so from now on, where it lies in a folder, by all that would look for them
    along the path."""
    package = sys.modules[_PACKAGE[:-1]]
    if type(package.__loader__) is SourceFileLoader and package.__file__ is not None and PathFinder in sys.meta_path:
        own = OwnModules(os.path.dirname(package.__file__))  # noqa: PTH120
        sys.meta_path.insert(sys.meta_path.index(PathFinder), own)
