"""The reachable set of a search by diagrams as an invariant, for induction in Z3 and for certificates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fsmcheck.engines.diagram.mdd import END
from fsmcheck.engines.diagram.search import Diagram, deep_recursion
from fsmcheck.system.system import Location

if TYPE_CHECKING:
    import z3

    from fsmcheck.engines.smt import Encoding, Values


@dataclass(frozen=True)
class DiagramSet:
    """The sets of a complete search: one shared formula for each node."""

    diagram: Diagram

    def at(self, encoding: Encoding, location: Location, values: Values) -> z3.BoolRef:
        """Membership in the set of a location."""
        machine = self.diagram.ready
        formulas: dict[int, z3.BoolRef] = {END: encoding.all([])}
        atoms: dict[tuple[str, int], z3.BoolRef] = {}

        def atom(name: str, value: int) -> z3.BoolRef:
            known = atoms.get((name, value))
            if known is None:
                known = atoms[name, value] = self._is(encoding, name, value, values)
            return known

        def formula(node: int) -> z3.BoolRef:
            known = formulas.get(node)
            if known is not None:
                return known
            level = machine.sets.level[node]
            names = machine.order.levels[level]
            by_child: dict[int, list[z3.BoolRef]] = {}
            for number, child in enumerate(machine.sets.children[node]):
                if child:
                    here = zip(names, machine.levels.values[level][number], strict=True)
                    by_child.setdefault(child, []).append(encoding.all([atom(name, value) for name, value in here]))
            parts = [encoding.all([encoding.any(ways), formula(child)]) for child, ways in by_child.items()]
            formulas[node] = encoding.any(parts)
            return formulas[node]

        root = self.diagram.reached[machine.location_numbers[location]]
        with deep_recursion():
            return formula(root) if root else encoding.any([])

    def _is(self, encoding: Encoding, name: str, value: int, values: Values) -> z3.BoolRef:
        """That a variable has a packed value."""
        packing = self.diagram.ready.packing
        term = values[name]
        spans = packing.intervals.get(name)
        if spans is None:
            sort = packing.system.by_name[name].sort
            return encoding.one_of(term, sort, (value,))
        low, high = spans[value]
        bounds = [term >= int(low)] if low != float("-inf") else []
        bounds += [term <= int(high)] if high != float("inf") else []
        return encoding.all(bounds)
