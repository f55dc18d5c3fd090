"""What the expressions of a spec can learn of each field: groups of fields that meet, literals, ways of reading."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel import ast
from fsmcheck.cel.types import Kind
from fsmcheck.spec import model
from tests.oracle.program import Program, plain

COMPARISONS = frozenset(
    {
        ast.BinaryOp.EQ,
        ast.BinaryOp.NE,
        ast.BinaryOp.LT,
        ast.BinaryOp.LE,
        ast.BinaryOp.GT,
        ast.BinaryOp.GE,
        ast.BinaryOp.IN,
    }
)
ARITHMETIC = frozenset({ast.BinaryOp.ADD, ast.BinaryOp.SUB, ast.BinaryOp.MUL, ast.BinaryOp.DIV, ast.BinaryOp.MOD})


class Reading:
    """A syntactic survey of a spec. Sets of ints are sets of field slots."""

    def __init__(self, program: Program) -> None:
        self.program = program
        count = len(program.names)
        self.parent = list(range(count))
        self.staged = {
            program.slots[requirement.field.text] for state in program.spec.states for requirement in state.requires
        }
        self.texts: list[set[str]] = [set() for _ in range(count)]
        self.given: list[set[str]] = [set() for _ in range(count)]
        self.numbers: list[set[int]] = [set() for _ in range(count)]
        self.integers: set[int] = set()
        self.fixed_texts: set[str] = set()
        self.keys: set[str] = set()
        self.map_values_read = False
        self.list_reads: list[set[str]] = [set() for _ in range(count)]
        self.flows: set[tuple[int, int]] = set()
        self.compared: set[int] = set()
        self.mixed: set[int] = set()
        self.computed: set[int] = set()
        self.echoed: set[int] = set()
        self.derived: dict[int, list[model.Write]] = {}
        self.relevant: set[int] = set()
        self.coarse = False
        self._survey()
        self.coarse = self.coarse or any(
            (self.compared | self.mixed) & self.group(slot)
            or not all(_differs(write, self.compared_texts(self.group(slot))) for write in writes)
            for slot, writes in self.derived.items()
        )

    # -- groups

    def find(self, slot: int) -> int:
        while self.parent[slot] != slot:
            slot = self.parent[slot]
        return slot

    def _join(self, slots: set[int]) -> None:
        first, *rest = sorted(slots) or [None]
        for other in rest:
            self.parent[self.find(other)] = self.find(first)  # type: ignore[arg-type]

    def group(self, slot: int) -> set[int]:
        """The fields whose values can meet this one's, by comparison or by flow."""
        root = self.find(slot)
        return {other for other in range(len(self.parent)) if self.find(other) == root}

    def compared_texts(self, group: set[int]) -> set[str]:
        """The literals that a field of the group is compared with, or that an enum it flows to can take."""
        kinds = self.program.types
        literals = set().union(*(self.texts[slot] for slot in group))
        if any(kinds[slot].kind is not Kind.ENUM for slot in group):
            literals.update(value for slot in group for value in kinds[slot].values)
        return literals

    def texts_of(self, group: set[int]) -> set[str]:
        """... and, where fields are compared with each other, those that actions or defaults give one of them."""
        texts = self.compared_texts(group)
        return texts.union(*(self.given[slot] for slot in group)) if self.compared & group else texts

    def numbers_of(self, group: set[int]) -> set[int]:
        return set().union(*(self.numbers[slot] for slot in group))

    # -- survey

    def _actions(self) -> Iterator[model.Action]:
        for state in self.program.spec.states:
            yield from state.entry
            yield from state.exit
            for transition in state.transitions:
                yield from transition.actions

    def guards(self) -> Iterator[ast.Expr]:
        for state in self.program.spec.states:
            for transition in state.transitions:
                for guard in transition.guards:
                    if guard.expression is not None and guard.expression.ast is not None:
                        yield guard.expression.ast

    def writes(self) -> Iterator[tuple[int, model.Write, list[ast.Expr]]]:
        """Target, write and the expressions in its value."""
        for action in self._actions():
            for write in action.writes:
                target = self.program.slots[write.field.text]
                match write.value:
                    case model.Expression(ast=node) if node is not None:
                        yield target, write, [node]
                    case model.Concatenation(parts=parts):
                        nodes = [part.ast for part in parts if isinstance(part, model.Expression)]
                        yield target, write, [node for node in nodes if node is not None]
                    case _:
                        yield target, write, []

    def slots(self, node: ast.Expr) -> set[int]:
        return {self.program.slots[name] for name in ast.mentioned_fields(node)}

    def _survey(self) -> None:
        for node in self.guards():
            self.relevant |= self.slots(node)
            self._read(node)
        feeds: list[tuple[int, set[int]]] = []
        for field in self.program.spec.fields:
            if field.default is not None:
                self._give(self.program.slots[field.name.text], plain(field.default.value))
        for target, write, nodes in self.writes():
            if write.key is not None:
                self.keys.add(write.key.text)
            if isinstance(write.value, model.Constant):
                self._give(target, plain(write.value.value))
            for node in nodes:
                self._flow(target, write, node)
                feeds.append((target, self.slots(node)))
                self._sensitive(node, self.program.types[target].kind)
        self._spread(feeds)

    def _spread(self, feeds: list[tuple[int, set[int]]]) -> None:
        """What feeds a relevant field is relevant; a list is read in the ways of those that it flows to."""
        before = -1
        while before != len(self.relevant):
            before = len(self.relevant)
            for target, sources in feeds:
                if target in self.relevant:
                    self.relevant |= sources
        changed = True
        while changed:
            changed = False
            for source, target in self.flows:
                if not self.list_reads[target] <= self.list_reads[source]:
                    self.list_reads[source] |= self.list_reads[target]
                    changed = True

    def _give(self, slot: int, value: object) -> None:
        """A literal value that a default or an action gives to a field."""
        items = value if isinstance(value, tuple) else (value,)
        if isinstance(value, frozenset):
            self.keys |= {str(key) for key, _ in value}
            items = tuple(item for _, item in value)
        for item in items:
            if isinstance(item, str):
                self.given[slot].add(item)
                self.fixed_texts.add(item)
            elif isinstance(item, (int, float)) and not isinstance(item, bool):
                self.numbers[slot].add(int(item))

    def _flow(self, target: int, write: model.Write, node: ast.Expr) -> None:
        sources = self.slots(node)
        kinds = self.program.types
        if kinds[target].kind is not Kind.LIST:
            self.echoed |= sources
        if (
            kinds[target].kind in (Kind.LIST, Kind.MAP)
            and write.key is None
            and any(other != target and kinds[other].kind is kinds[target].kind for other in sources)
        ):
            # Whether copying one collection over another changes it depends on contents, which are folded.
            self.coarse = True
        textual = (Kind.STRING, Kind.ENUM, Kind.LIST, Kind.MAP)
        numeric = (Kind.INTEGER, Kind.NUMBER)
        if isinstance(write.value, model.Concatenation):
            self.derived.setdefault(target, []).append(write)
        else:
            family = textual if kinds[target].kind in textual else numeric
            self._join({target} | {slot for slot in sources if kinds[slot].kind in family})
            for part in ast.walk(node):
                if isinstance(part, ast.Literal):
                    self._give(target, part.value)
                glued = isinstance(part, ast.Binary) and part.op is ast.BinaryOp.ADD and kinds[target].kind in textual
                if glued or (isinstance(part, ast.Call) and part.function == "string"):
                    self.derived.setdefault(target, []).append(write)
        self._read(node, target)

    def _sensitive(self, node: ast.Expr, target: Kind) -> None:
        """Fields whose exact value decides whether an action fails, or whether its result is empty."""
        if target is Kind.ENUM:
            self.relevant |= self.slots(node)
        for part in ast.walk(node):
            match part:
                case ast.Index(operand=operand, index=index):
                    self.relevant |= self.slots(operand) | self.slots(index)
                case ast.Conditional(condition=condition):
                    self.relevant |= self.slots(condition)
                case ast.Binary(op=ast.BinaryOp.DIV | ast.BinaryOp.MOD, right=right):
                    self.relevant |= self.slots(right)
                case _:
                    pass

    def _read(self, node: ast.Expr, target: int | None = None) -> None:
        """Collect how an expression reads fields; ``target`` is the list that a whole list flows to."""
        kinds = self.program.types
        match node:
            case ast.FieldRef(name=name) if kinds[self.program.slots[name]].kind is Kind.LIST:
                slot = self.program.slots[name]
                if target is None:
                    self.list_reads[slot].add("order")
                else:
                    self.flows.add((slot, target))
                return
            case ast.Has(operand=operand):
                self.keys |= {operand.name} if isinstance(operand, ast.Select) else set()
                return
            case ast.Call(function="size", args=(ast.FieldRef(name=name),)):
                slot = self.program.slots[name]
                self.list_reads[slot].add("size")
                # Lengths of texts are not covered by the domains.
                self.coarse = self.coarse or kinds[slot].kind not in (Kind.LIST, Kind.MAP)
                return
            case ast.Call(function="size" | "startsWith" | "endsWith" | "contains" | "matches" | "int" | "double"):
                self.coarse = True
            case ast.Comprehension(range=ast.FieldRef(name=name), body=body):
                self.list_reads[self.program.slots[name]].add("member")
                self._relate(node)
                self._read(body)
                return
            case ast.Select(name=name):
                self.map_values_read = True
                self.keys.add(name)
            case ast.Index(operand=operand, index=index):
                self._index(operand, index)
                self._read(index)
                return
            case ast.Binary(op=op) if op in COMPARISONS:
                self._compare(node)
                return
            case ast.Binary(op=op) if op in ARITHMETIC:
                self._compute(node)
        keeps = isinstance(node, (ast.Conditional, ast.Binary))
        for child in ast.children(node):
            self._read(child, target if keeps else None)

    def _compute(self, node: ast.Binary) -> None:
        kinds = self.program.types
        self.computed |= {slot for slot in self.slots(node) if kinds[slot].kind in (Kind.INTEGER, Kind.NUMBER)}
        for part in ast.walk(node):
            if isinstance(part, ast.Literal) and isinstance(part.value, int):
                self.integers.add(int(part.value))
            if isinstance(part, ast.Call) and part.function == "size":
                self.coarse = True

    def _index(self, operand: ast.Expr, index: ast.Expr) -> None:
        self.map_values_read = True
        for slot in self.slots(operand):
            self.list_reads[slot].add("order")
        if isinstance(index, ast.Literal) and isinstance(index.value, str):
            self.keys.add(index.value)
        elif self.program.mentioned(operand) & self.program.mask_of_kinds((Kind.MAP,)):
            self.coarse = True

    def _compare(self, node: ast.Binary) -> None:
        kinds = self.program.types
        if node.op is ast.BinaryOp.IN and isinstance(node.right, ast.FieldRef):
            slot = self.program.slots[node.right.name]
            self.list_reads[slot].add("member")
            if kinds[slot].kind is Kind.MAP:
                if isinstance(node.left, ast.Literal):
                    self.keys.add(str(node.left.value))
                else:
                    self.coarse = True
            self._relate(node)
            self._read(node.left)
            return
        self._relate(node)
        empties = [side for side in (node.left, node.right) if isinstance(side, ast.ListLiteral) and not side.elements]
        for side in (node.left, node.right):
            if empties and isinstance(side, ast.FieldRef):
                continue
            if isinstance(side, ast.FieldRef) and kinds[self.program.slots[side.name]].kind is Kind.MAP:
                self.coarse = True
            self._read(side)

    def _relate(self, node: ast.Expr) -> None:
        """Fields and literals that meet in a comparison."""
        kinds = self.program.types
        slots = self.slots(node)
        sized = {
            self.program.slots[name]
            for part in ast.walk(node)
            if isinstance(part, ast.Call) and part.function == "size"
            for name in ast.mentioned_fields(part)
        }
        met = slots - sized
        if sized and met:
            self.coarse = True
        numeric = {slot for slot in met if kinds[slot].kind in (Kind.INTEGER, Kind.NUMBER)}
        others = met - numeric
        self._join(numeric)
        self._join(others)
        if len(met) > 1:
            self.compared |= met
        self.mixed |= {slot for slot in met if kinds[slot].kind is Kind.LIST}
        for part in ast.walk(node):
            if not isinstance(part, ast.Literal):
                continue
            if isinstance(part.value, str):
                for slot in others:
                    self.texts[slot].add(part.value)
            elif isinstance(part.value, (int, float)) and not isinstance(part.value, bool):
                self.integers.add(int(part.value))
                for slot in met:
                    self.numbers[slot].add(int(part.value))


def _differs(write: model.Write, literals: set[str]) -> bool:
    """Whether a text put together by an action surely differs from each literal, by how it begins."""
    match write.value:
        case model.Concatenation(parts=[str() as prefix, *_]):
            pass
        case model.Expression(ast=ast.Binary(op=ast.BinaryOp.ADD, left=ast.Literal(value=str() as prefix))):
            pass
        case _:
            prefix = ""
    return all(not literal.startswith(prefix) or not literal for literal in literals)
