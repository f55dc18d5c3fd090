"""The reachable set of a search by diagrams as an invariant, for induction in Z3 and for certificates."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from fsmcheck.engines.diagram.mdd import END
from fsmcheck.engines.diagram.search import Diagram, deep_recursion
from fsmcheck.records import dataclass
from fsmcheck.system.system import Location

if TYPE_CHECKING:
    from fsmcheck.engines.formulas import Formulas
    from fsmcheck.system.system import System

Formula = TypeVar("Formula")


@dataclass(frozen=True)
class DiagramSet:
    """The sets of a complete search."""

    diagram: Diagram

    def membership(
        self,
        location: Location,
        has: Callable[[str, int], Formula],
        every: Callable[[Sequence[Formula]], Formula],
        some: Callable[[Sequence[Formula]], Formula],
    ) -> Formula:
        """Membership in the set of a location, one shared formula for each node: ``has`` says that a variable has a
        packed value, the others join formulas."""
        machine = self.diagram.ready
        atoms: dict[tuple[str, int], Formula] = {}

        def value(names: Sequence[str], values: Sequence[int]) -> Formula:
            for atom in zip(names, values, strict=True):
                if atom not in atoms:
                    atoms[atom] = has(*atom)
            return every([atoms[atom] for atom in zip(names, values, strict=True)])

        formulas = _Shared(self.diagram, value, every, some)
        root = self.diagram.reached[machine.location_numbers[location]]
        with deep_recursion():
            return formulas.of(root) if root else some([])

    def digest(self) -> str:
        """A digest of the sets, whatever their nodes and values are numbered; of those in this order of fields."""
        machine = self.diagram.ready
        known: dict[int, str] = {END: ""}

        def digest(node: int) -> str:
            if node not in known:
                level = machine.sets.level[node]
                ways = zip(machine.levels.values[level], machine.sets.children[node], strict=False)
                lines = sorted(f"{values}:{digest(child)}" for values, child in ways if child)
                known[node] = _sha256([f"{machine.order.levels[level]}", *lines])
            return known[node]

        with deep_recursion():
            found = [
                f"{location.state}/{location.phase.value}:{digest(node)}"
                for location, node in zip(machine.system.locations, self.diagram.reached, strict=True)
                if node
            ]
        return _sha256(sorted(found))

    def encoded(self, system: System) -> Formulas[Any]:
        from fsmcheck.engines.handles import encoded

        return encoded(system)

    def at(self, encoding: Formulas[Formula], location: Location, values: Mapping[str, Formula]) -> Formula:
        """Membership in Z3."""
        packing = self.diagram.ready.packing

        def has(name: str, value: int) -> Formula:
            spans = packing.intervals.get(name)
            if spans is None:
                return encoding.one_of(values[name], packing.system.by_name[name].sort, (value,))
            low, high = spans[value]
            bounds = [encoding.at_least(values[name], int(low))] if low != float("-inf") else []
            bounds += [encoding.at_most(values[name], int(high))] if high != float("inf") else []
            return encoding.all(bounds)

        return self.membership(location, has, encoding.all, encoding.any)


def _sha256(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


class _Shared(Generic[Formula]):
    """One formula for each node of a diagram. No closure: one that knows itself would hold Z3's memory until garbage is
    looked for."""

    def __init__(
        self,
        diagram: Diagram,
        value: Callable[[Sequence[str], Sequence[int]], Formula],
        every: Callable[[Sequence[Formula]], Formula],
        some: Callable[[Sequence[Formula]], Formula],
    ) -> None:
        self._machine = diagram.ready
        self._value = value
        self._every = every
        self._some = some
        self._made: dict[int, Formula] = {END: every([])}

    def of(self, node: int) -> Formula:
        """The formula of a node."""
        known = self._made.get(node)
        if known is not None:
            return known
        machine, some = self._machine, self._some
        level = machine.sets.level[node]
        ways: dict[int, list[Formula]] = {}
        for number, child in enumerate(machine.sets.children[node]):
            if child:
                found = self._value(machine.order.levels[level], machine.levels.values[level][number])
                ways.setdefault(child, []).append(found)
        parts = [[some(found)] if child == END else [some(found), self.of(child)] for child, found in ways.items()]
        self._made[node] = some([self._every(part) for part in parts])
        return self._made[node]
