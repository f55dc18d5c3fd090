"""What of a transition system depends on whole numbers, sizes of lists and maps included."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from fsmcheck.records import dataclass
from fsmcheck.system import terms as t
from fsmcheck.system.system import Event, System
from fsmcheck.system.terms import INT, Term


@dataclass(frozen=True)
class WholeNumbers:
    """Answers for one system."""

    system: System

    @cached_property
    def _tainted(self) -> frozenset[str]:
        """The variables that are whole numbers, or into whose values one finds its way."""
        readers: dict[str, set[str]] = {}
        found = {variable.name for variable in self.system.variables if variable.sort is INT}
        for step in self.system.steps:
            for name, term in step.updates.items():
                for read, sort in t.variables([term]).items():
                    readers.setdefault(read, set()).add(name)
                    if sort is INT:
                        found.add(name)
        frontier = list(found)
        while frontier:
            for name in readers.get(frontier.pop(), set()) - found:
                found.add(name)
                frontier.append(name)
        return frozenset(found)

    def _in(self, terms: Iterable[Term]) -> str | None:
        """A variable of the terms that is a whole number or depends on one."""
        for name, sort in t.variables(terms).items():
            if sort is INT or name in self._tainted:
                return name
        return None

    @cached_property
    def of_machine(self) -> str | None:
        """What makes the machine itself depend on them: a variable that a guard reads; None where it does not."""
        return self._in([step.guard for step in self.system.steps])

    def of_event(self, event: Event) -> bool:
        """Whether the condition of an event depends on them."""
        return self._in([event.condition]) is not None
