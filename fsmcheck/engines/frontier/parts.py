"""How a step falls into parts that can be taken one after the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from fsmcheck.engines.coverage import cyclic
from fsmcheck.engines.diagram.order import conjuncts
from fsmcheck.records import dataclass
from fsmcheck.system import terms as t
from fsmcheck.system.system import Step
from fsmcheck.system.terms import Term


@dataclass(frozen=True, slots=True)
class Atom:
    """Conditions and updates, the inputs that they depend on, and the variables that they read."""

    conditions: tuple[Term, ...]
    updates: Mapping[str, Term]
    inputs: frozenset[str]
    reads: frozenset[str]


def split_guard(step: Step, inputs: Collection[str]) -> tuple[list[Term], list[Term]]:
    """The conjuncts of a guard without inputs, and those with some."""
    plain: list[Term] = []
    rest: list[Term] = []
    for conjunct in conjuncts(step.guard):
        (plain if t.variables([conjunct]).keys().isdisjoint(inputs) else rest).append(conjunct)
    return plain, rest


def parted(step: Step, conditions: Sequence[Term], inputs: Collection[str]) -> list[Atom]:
    """The parts of a step, each before those that write what it reads, so that all may be taken in this order."""
    fixed: dict[str, Term] = {}
    atoms: list[Atom] = []
    for condition in conditions:
        atoms = _joined(atoms, _atom([condition], {}, inputs))
    for name, term in step.updates.items():
        atom = _atom([], {name: term}, inputs)
        if atom.inputs:
            atoms = _joined(atoms, atom)
        else:
            fixed[name] = term
    if fixed:
        atoms.append(_atom([], fixed, inputs))
    return _ordered(atoms)


def merged(atoms: Sequence[Atom]) -> Atom:
    """Several parts as one."""
    return Atom(
        tuple(condition for atom in atoms for condition in atom.conditions),
        {name: term for atom in atoms for name, term in atom.updates.items()},
        frozenset().union(*(atom.inputs for atom in atoms)),
        frozenset().union(*(atom.reads for atom in atoms)),
    )


def _atom(conditions: Sequence[Term], updates: Mapping[str, Term], inputs: Collection[str]) -> Atom:
    used = frozenset(t.variables([*conditions, *updates.values()]))
    return Atom(tuple(conditions), updates, used.intersection(inputs), used.difference(inputs))


def _joined(atoms: Sequence[Atom], new: Atom) -> list[Atom]:
    """One more part, made one with those that have inputs in common with it."""
    apart = [atom for atom in atoms if atom.inputs.isdisjoint(new.inputs)]
    return [*apart, merged([*(atom for atom in atoms if not atom.inputs.isdisjoint(new.inputs)), new])]


def _ordered(atoms: Sequence[Atom]) -> list[Atom]:
    before = {place: _later(atoms, place) for place in range(len(atoms))}
    rings = cyclic(before, before)
    if rings:
        inside = frozenset().union(*rings)
        rest = [atom for place, atom in enumerate(atoms) if place not in inside]
        return _ordered([*rest, *(merged([atoms[place] for place in sorted(ring)]) for ring in rings)])
    found: list[Atom] = []
    seen: set[int] = set()

    def visit(place: int) -> None:
        if place not in seen:
            seen.add(place)
            for after in before[place]:
                visit(after)
            found.append(atoms[place])

    for place in before:
        visit(place)
    return found[::-1]


def _later(atoms: Sequence[Atom], place: int) -> list[int]:
    """The parts that write what one reads."""
    reads = atoms[place].reads
    return [number for number, other in enumerate(atoms) if number != place and not reads.isdisjoint(other.updates)]
