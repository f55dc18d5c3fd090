"""The reachable set of a search by diagrams as an invariant, for induction in Z3 and for certificates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from fsmcheck.engines.diagram.mdd import END
from fsmcheck.engines.diagram.search import Diagram, deep_recursion
from fsmcheck.records import dataclass
from fsmcheck.system.system import Location

if TYPE_CHECKING:
    import z3

    from fsmcheck.engines.smt import Encoding, Values

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
        formulas: dict[int, Formula] = {END: every([])}
        atoms: dict[tuple[str, int], Formula] = {}

        def value(names: Sequence[str], values: Sequence[int]) -> Formula:
            for atom in zip(names, values, strict=True):
                if atom not in atoms:
                    atoms[atom] = has(*atom)
            return every([atoms[atom] for atom in zip(names, values, strict=True)])

        def formula(node: int) -> Formula:
            if node in formulas:
                return formulas[node]
            level = machine.sets.level[node]
            ways: dict[int, list[Formula]] = {}
            for number, child in enumerate(machine.sets.children[node]):
                if child:
                    found = value(machine.order.levels[level], machine.levels.values[level][number])
                    ways.setdefault(child, []).append(found)
            parts = [[some(found)] if child == END else [some(found), formula(child)] for child, found in ways.items()]
            formulas[node] = some([every(part) for part in parts])
            return formulas[node]

        root = self.diagram.reached[machine.location_numbers[location]]
        with deep_recursion():
            return formula(root) if root else some([])

    def at(self, encoding: Encoding, location: Location, values: Values) -> z3.BoolRef:
        """Membership in Z3."""
        packing = self.diagram.ready.packing

        def has(name: str, value: int) -> z3.BoolRef:
            spans = packing.intervals.get(name)
            if spans is None:
                return encoding.one_of(values[name], packing.system.by_name[name].sort, (value,))
            low, high = spans[value]
            bounds = [values[name] >= int(low)] if low != float("-inf") else []
            bounds += [values[name] <= int(high)] if high != float("inf") else []
            return encoding.all(bounds)

        return self.membership(location, has, encoding.all, encoding.any)
