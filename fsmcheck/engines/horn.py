"""Spacer: Z3's solver for constrained Horn clauses, one relation per location.

Its answer is not trusted: the invariant is taken from it, and the caller re-checks initiation, consecution and
safety in a fresh context before anything is called proved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from fsmcheck.engines.explicit import Key
from fsmcheck.engines.smt import Encoding, Values
from fsmcheck.engines.solver import z3
from fsmcheck.records import dataclass
from fsmcheck.shortage import is_shortage
from fsmcheck.system.system import Location, System

RLIMIT = 30_000_000


@dataclass(frozen=True)
class SpacerInvariant:
    """An invariant from Spacer: for each location a formula over placeholders, in the context it was found in."""

    encoding: Encoding
    formulas: Mapping[Location, z3.BoolRef] = field(default_factory=dict)
    names: Sequence[str] = ()

    def encoded(self, system: System) -> Encoding:
        return Encoding(system)

    def at(self, encoding: Encoding, location: Location, values: Values) -> z3.BoolRef:
        """The formula at a location, moved into another context by its text."""
        formula = self.formulas.get(location)
        if formula is None:
            return z3.BoolVal(False, ctx=encoding.context)
        return _move(formula, encoding, {f"inv!{n}": values[name] for n, name in enumerate(self.names)})


def _move(formula: z3.ExprRef, encoding: Encoding, values: Mapping[str, z3.ExprRef]) -> z3.BoolRef:
    """Rebuild a quantifier-free formula in another context, with placeholders replaced."""
    memo: dict[int, z3.ExprRef] = {}
    stack = [formula]
    while stack:
        node = stack[-1]
        if node.get_id() in memo:
            stack.pop()
            continue
        if z3.is_quantifier(node) or z3.is_var(node):
            raise ValueError("the invariant is not quantifier-free")
        waiting = [child for child in node.children() if child.get_id() not in memo]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        memo[node.get_id()] = _rebuild(node, [memo[child.get_id()] for child in node.children()], encoding, values)
    return memo[formula.get_id()]


_NARY: Mapping[int, Callable[..., z3.ExprRef]] = {
    z3.Z3_OP_AND: z3.And,
    z3.Z3_OP_OR: z3.Or,
    z3.Z3_OP_NOT: z3.Not,
    z3.Z3_OP_IMPLIES: z3.Implies,
    z3.Z3_OP_ITE: z3.If,
    z3.Z3_OP_EQ: lambda a, b: a == b,
    z3.Z3_OP_DISTINCT: z3.Distinct,
    z3.Z3_OP_LE: lambda a, b: a <= b,
    z3.Z3_OP_GE: lambda a, b: a >= b,
    z3.Z3_OP_LT: lambda a, b: a < b,
    z3.Z3_OP_GT: lambda a, b: a > b,
    z3.Z3_OP_ADD: z3.Sum,
    z3.Z3_OP_SUB: lambda a, b: a - b,
    z3.Z3_OP_UMINUS: lambda a: -a,
    z3.Z3_OP_MUL: z3.Product,
    z3.Z3_OP_IDIV: lambda a, b: a / b,
    z3.Z3_OP_MOD: lambda a, b: a % b,
}


def _rebuild(
    node: z3.ExprRef, args: list[z3.ExprRef], encoding: Encoding, values: Mapping[str, z3.ExprRef]
) -> z3.ExprRef:
    kind = node.decl().kind()
    name = node.decl().name()
    if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
        return z3.BoolVal(kind == z3.Z3_OP_TRUE, ctx=encoding.context)
    if z3.is_int_value(node):
        return z3.IntVal(node.as_long(), ctx=encoding.context)
    if name in values:
        return values[name]
    if kind == z3.Z3_OP_DT_CONSTRUCTOR:
        return encoding.constructor(name)
    if kind in (z3.Z3_OP_DT_IS, z3.Z3_OP_DT_RECOGNISER):
        return args[0] == encoding.constructor(node.decl().params()[0].name())
    build = _NARY.get(kind)
    if build is None:
        raise ValueError(f"the invariant uses {name}")
    return build(*args)


@dataclass(frozen=True, slots=True)
class Answer:
    """``safe`` with an invariant, reachable (``safe`` False), or None with the reason."""

    safe: bool | None
    invariant: SpacerInvariant | None = None
    reason: str = ""


def solve(system: System, keys: Sequence[Key], rlimit: int = RLIMIT, seconds: float | None = None) -> Answer:
    """Ask Spacer whether any of the events can happen in some run, within a budget of Z3's units and wall time."""
    encoding = Encoding(system)
    context = encoding.context
    names = [variable.name for variable in system.variables]
    sorts = [encoding.sort_of(variable.sort) for variable in system.variables]
    relations = {
        location: z3.Function(f"at!{number}!rel", *sorts, z3.BoolSort(context))
        for number, location in enumerate(system.locations)
    }
    bad = z3.Function("bad!", z3.BoolSort(context))
    engine = z3.Fixedpoint(ctx=context)
    engine.set(engine="spacer")
    engine.set("fp.xform.inline_linear", False)
    engine.set("fp.xform.inline_eager", False)
    engine.set("rlimit", rlimit)
    if seconds is not None:
        engine.set("timeout", max(1, int(1000 * seconds)))
    for relation in relations.values():
        engine.register_relation(relation)
    engine.register_relation(bad)
    state = encoding.state(0)
    here = [state[name] for name in names]
    initial = [encoding.value(v.sort, system.initial[v.name]) for v in system.variables]
    engine.add_rule(relations[system.start](*initial))
    wanted = set(keys)
    for number, step in enumerate(system.steps):
        values = {**state, **encoding.inputs(step.inputs, 0)}
        memo: dict[int, z3.ExprRef] = {}
        guard = encoding.term(step.guard, values, memo)
        after = [
            encoding.term(step.updates[name], values, memo) if name in step.updates else state[name] for name in names
        ]
        body = encoding.all([relations[step.source](*here), guard, *encoding.input_bounds(step.inputs, values)])
        variables = [*here, *(values[choice.name] for choice in step.inputs)]
        _rule(engine, variables, relations[step.target](*after), body)
        for event in step.events:
            if (event.rule, event.subject, event.case) in wanted:
                happens = z3.And(relations[step.source](*here), encoding.happens(number, event, 0))
                own = encoding.inputs(event.inputs, encoding.own_depth(number, 0))
                _rule(engine, [*variables, *own.values()], bad(), happens)
    try:
        answer = engine.query(bad())
    except z3.Z3Exception as error:
        if is_shortage(error):
            raise
        return Answer(None, None, f"Spacer: {_said(error)}")
    if answer == z3.sat:
        return Answer(False)
    if answer != z3.unsat:
        return Answer(None, None, f"Spacer: {engine.reason_unknown()}")
    return _invariant(engine, encoding, relations, names)


def _said(error: z3.Z3Exception) -> str:
    """What an exception says, which may be bytes, as the library gave them."""
    said = error.args[0] if error.args else ""
    return said.decode(errors="replace") if isinstance(said, bytes) else str(error)


def _rule(engine: z3.Fixedpoint, variables: Sequence[z3.ExprRef], head: z3.BoolRef, body: z3.BoolRef) -> None:
    clause = z3.Implies(body, head)
    engine.add_rule(z3.ForAll(list(variables), clause) if variables else clause)


def _invariant(
    engine: z3.Fixedpoint, encoding: Encoding, relations: Mapping[Location, z3.FuncDeclRef], names: Sequence[str]
) -> Answer:
    formulas: dict[Location, z3.BoolRef] = {}
    by_name = {relation.name(): location for location, relation in relations.items()}
    answer = engine.get_answer()
    parts = answer.children() if z3.is_and(answer) else [answer]
    for part in parts:
        body = part.body() if z3.is_quantifier(part) else part
        if not z3.is_eq(body):
            continue
        head, formula = body.children()
        if not z3.is_app(head) or head.decl().name() not in by_name:
            continue
        closed = _close(formula, head.children(), encoding, names)
        if closed is None:
            return Answer(None, None, "Spacer: unexpected form of invariant")
        formula = closed
        formulas[by_name[head.decl().name()]] = formula
    return Answer(True, SpacerInvariant(encoding, formulas, tuple(names)))


def _close(
    formula: z3.BoolRef, arguments: Sequence[z3.ExprRef], encoding: Encoding, names: Sequence[str]
) -> z3.BoolRef | None:
    """Replace the bound variables of a relation's arguments by placeholders ``inv!n``, n the argument's place."""
    if not all(z3.is_var(argument) for argument in arguments):
        return None
    indices = [z3.get_var_index(argument) for argument in arguments]
    if len(set(indices)) != len(indices):
        return None
    replacements: list[z3.ExprRef] = [z3.BoolVal(False, ctx=encoding.context)] * (max(indices, default=-1) + 1)
    for place, index in enumerate(indices):
        sort = encoding.sort_of(encoding.system.by_name[names[place]].sort)
        replacements[index] = z3.Const(f"inv!{place}", sort)
    return z3.substitute_vars(formula, *replacements) if replacements else formula
