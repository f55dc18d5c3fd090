"""Counters: numbers whose values beyond the last constant are all alike."""

from __future__ import annotations

from fsmcheck.cel import ast
from fsmcheck.cel.types import Kind
from fsmcheck.spec import model
from tests.oracle.reading import COMPARISONS, Reading


def counters(reading: Reading) -> tuple[set[int], set[int]]:
    """Numbers that only ever rise (or fall) by constants between resets to constants, and are only compared
    with constants: beyond the last constant all their values are alike."""
    rising: set[int] = set()
    falling: set[int] = set()
    for slot, kind in enumerate(reading.program.types):
        if kind.kind not in (Kind.INTEGER, Kind.NUMBER) or not _only_compared(reading, slot):
            continue
        steps = [_step(reading, slot, write, nodes) for target, write, nodes in reading.writes() if target == slot]
        if all(step is not None and step >= 0 for step in steps):
            rising.add(slot)
        elif all(step is not None and step <= 0 for step in steps):
            falling.add(slot)
    return rising, falling


def _step(reading: Reading, slot: int, write: model.Write, nodes: list[ast.Expr]) -> float | None:
    if not nodes:
        return 0
    match nodes:
        case [ast.Literal()]:
            return 0
        case [ast.Binary(op=op, left=ast.FieldRef(name=name), right=ast.Literal(value=int() | float() as by))] if (
            op in (ast.BinaryOp.ADD, ast.BinaryOp.SUB) and reading.program.slots[name] == slot
        ):
            return by if op is ast.BinaryOp.ADD else -by
    return None


def _only_compared(reading: Reading, slot: int) -> bool:
    name = reading.program.names[slot]
    if len(reading.group(slot)) > 1:
        return False
    for target, _, nodes in reading.writes():
        if target != slot and target in reading.relevant and any(slot in reading.slots(node) for node in nodes):
            return False
        if any(
            slot in reading.slots(part.condition)
            for node in nodes
            for part in ast.walk(node)
            if isinstance(part, ast.Conditional)
        ):
            return False
        if any(
            isinstance(part, ast.Index) and slot in reading.slots(part) for node in nodes for part in ast.walk(node)
        ):
            return False
    return all(_compared_only(node, name) for node in reading.guards())


def _compared_only(node: ast.Expr, name: str) -> bool:
    match node:
        case ast.Binary(op=op, left=ast.FieldRef(), right=ast.Literal()) if op in COMPARISONS:
            return True
        case ast.Binary(op=op, left=ast.Literal(), right=ast.FieldRef()) if op in COMPARISONS:
            return True
        case ast.Has():
            return True
        case ast.FieldRef(name=other):
            return other != name
    return all(_compared_only(child, name) for child in ast.children(node))
