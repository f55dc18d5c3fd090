"""The unit of work: one document under one profile. What is searched for one of its obligations serves the others, so
that a unit is translated and searched by one process, and only what comes after that can be shared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field, replace
from functools import lru_cache

from fsmcheck.obligations.course import Course
from fsmcheck.options import Options
from fsmcheck.records import dataclass
from fsmcheck.results import SpecReport
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import LoadedDocument, load

MOST_LOADED = 2_000
"""Units that are kept as they were loaded; the others are loaded again when it is their turn."""


@dataclass(frozen=True, slots=True)
class Unit:
    """The document ``number`` of a source under a profile, with the options for its file.

    ``weight`` is about how much work it is: states and transitions; 0 where nothing has to be decided. ``loaded`` is
    left out where a unit goes to another process, or where there are very many: the text is shorter, and loading it is
    quick.
    """

    source: SourceFile
    number: int
    profile: str
    options: Options
    weight: int
    loaded: LoadedDocument | None = None

    @property
    def document(self) -> LoadedDocument:
        return self.loaded if self.loaded is not None else _loaded(self.source)[self.number]

    @property
    def bare(self) -> Unit:
        """The unit without the loaded document."""
        return replace(self, loaded=None)

    @property
    def whole(self) -> Unit:
        """The unit with the loaded document."""
        return replace(self, loaded=self.document)


@dataclass(frozen=True, slots=True)
class Reports:
    """The reports by the place of their units; not of all where the run was ``interrupted``."""

    by_place: dict[int, SpecReport] = field(hash=False)
    interrupted: bool = False


Progress = Callable[[int, int, str], None]
"""Called with how much is done, of how much, and of what, with what is being done."""

Work = Callable[[Unit, Course], SpecReport]
"""A function of a module, so that other processes find it."""


@lru_cache(maxsize=4)
def _loaded(source: SourceFile) -> tuple[LoadedDocument, ...]:
    return load(source)


def units(documents: Iterable[LoadedDocument], options: Options) -> list[Unit]:
    """The units of documents in their order; those of one source are in the order of its text, and none is missing."""
    found: list[Unit] = []
    number, source = 0, None
    for document in documents:
        number = number + 1 if document.source is source else 0
        source = document.source
        there = options.at(source.path)
        weight = _weight(document)
        kept = document if weight == 0 or len(found) < MOST_LOADED else None
        found += [Unit(source, number, profile, there, weight, kept) for profile in options.profiles]
    return found


def _weight(document: LoadedDocument) -> int:
    return 0 if document.spec is None else sum(1 + len(state.transitions) for state in document.spec.states)
