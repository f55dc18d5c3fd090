"""Promela, for SPIN: one process, a location and guarded steps, each of them atomic.

A state of SPIN is a configuration: choices live in variables that are 0 again when a step is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fsmcheck.export import header
from fsmcheck.export.expressions import Printer, Syntax, split
from fsmcheck.export.model import Action, Choice, Model, Probe, Question
from fsmcheck.system import terms as t
from fsmcheck.system.terms import BOOL, INT, TRUE, Sort, SortKind, Term

SYNTAX = Syntax(
    true="true",
    false="false",
    conjunction=" && ",
    disjunction=" || ",
    negation="!",
    equal="==",
    differs="!=",
    at_most="<=",
    choice=lambda condition, then, otherwise: f"({condition} -> {then} : {otherwise})",
    quotient=lambda left, right: f"({left} / {right})",
    remainder=lambda left, right: f"({left} % {right})",
)

_HOW = (
    "spin -a -o2 FILE && cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan",
    "A state that SPIN stores is a configuration. A question is an assertion of its name: ./pan stops at the first",
    "violated, spin -t -p -g FILE shows the run; ./pan -c0 goes on and lists all.",
)
_MOST_SYMBOLS = 250
"""Symbolic names that SPIN has room for."""

_WIDE = 12
"""Values from which on a choice is written as a range."""


def render(model: Model) -> str:
    """The model as a file for SPIN."""
    first, *others = header.lines(model, _HOW)
    lines = [f"/* {first}", *(f" * {line}".rstrip() for line in others), " */", "", *_constants(model)]
    lines += ["", *_declarations(model), "", "active proctype machine()", "{", "end:", "  do"]
    printer = Printer(SYNTAX, model.names, model.labels)
    for action in model.actions:
        lines += [f"  /* {header.plain(action.title)} */", *_action(action, model, printer)]
    for question in model.questions:
        lines += [f"  /* {header.plain(f'{question.identifier}: {question.asked.told}')} */"]
        for probe in question.probes:
            lines += _probe(probe, question, model, printer)
    if not model.actions:
        lines.append("  :: false")
    return "\n".join([*lines, "  od", "}", ""])


def _symbols(model: Model) -> list[str]:
    """The names of locations and of finite values."""
    return [*model.locations.values(), *dict.fromkeys(model.labels.values())]


def _is_symbolic(model: Model) -> bool:
    """Whether SPIN has room for all symbols, so that it shows them by name in its traces."""
    return len(_symbols(model)) <= _MOST_SYMBOLS


def _constants(model: Model) -> list[str]:
    symbols = _symbols(model)
    if _is_symbolic(model):
        return [f"mtype = {{ {', '.join(symbols)} }};"]
    return [f"#define {name} {number}" for number, name in enumerate(symbols, 1)]


def _symbol_type(model: Model) -> str:
    return "mtype" if _is_symbolic(model) else "short" if len(_symbols(model)) < 2**15 else "int"


def _type(sort: Sort, values: Sequence[int], model: Model) -> str:
    if sort == BOOL:
        return "bool"
    if sort is not INT:
        return _symbol_type(model)
    low, high = values[0], values[-1]
    if low >= 0 and high <= 255:
        return "byte"
    return "short" if low >= -(2**15) and high < 2**15 else "int"


def _declarations(model: Model) -> list[str]:
    printer = Printer(SYNTAX, {}, model.labels)
    found = [f"{_symbol_type(model)} at = {model.locations[model.start]};"]
    for cell in model.cells:
        kind = _type(cell.sort, cell.values, model)
        found.append(f"{kind} {cell.identifier} = {printer.value(cell.sort, cell.initial)};")
    kinds: dict[str, str] = {}
    order = ("bool", "mtype", "byte", "short", "int")
    for choice in _choices(model):
        kind = _type(choice.sort, choice.values, model)
        kinds[choice.identifier] = max(kind, kinds.get(choice.identifier, kind), key=order.index)
    kinds |= _saved_types(model)
    found += [f"{kind} {name};" for name, kind in kinds.items()]
    # Always 0, and no part of the state: SPIN names the assertion that is violated by its text.
    return found + [f"hidden byte {question.identifier} = 0;" for question in model.questions]


def _choices(model: Model) -> Iterator[Choice]:
    for action in model.actions:
        yield from action.choices
    for question in model.questions:
        for probe in question.probes:
            yield from probe.choices


def _saved(identifier: str) -> str:
    return f"old_{identifier}_"


def _saved_types(model: Model) -> dict[str, str]:
    saved = {name for action in model.actions for name in _in_order(action.updates)[1]}
    return {_saved(cell.identifier): _type(cell.sort, cell.values, model) for cell in model.cells if cell.name in saved}


def _in_order(updates: Mapping[str, Term]) -> tuple[list[str], list[str]]:
    """An order in which a variable is read before it is written, as far as there is one; and the variables whose
    old value has to be kept because there is none."""
    read = {name: frozenset(t.variables([term])) for name, term in updates.items()}
    left = list(updates)
    order: list[str] = []
    saved: list[str] = []
    while left:
        unread = (name for name in left if not any(name in read[other] for other in left if other != name))
        following = next(unread, None)
        if following is None:
            following = left[0]
            saved.append(following)
        order.append(following)
        left.remove(following)
    return order, saved


def _assignments(updates: Mapping[str, Term], printer: Printer) -> list[str]:
    """Statements that give all variables their new values as if at once."""
    order, saved = _in_order(updates)
    names = printer.names
    found = [f"{_saved(names[name])} = {names[name]}" for name in saved]
    done: dict[str, str] = {}
    for name in order:
        text = printer.with_names(done).text(updates[name])
        found.append(f"{names[name]} = {text}")
        if name in saved:
            done[name] = _saved(names[name])
    return found + [f"{_saved(names[name])} = 0" for name in saved]


def _action(action: Action, model: Model, printer: Printer) -> list[str]:
    printer = printer.with_names({each.name: each.identifier for each in action.choices})
    effect = [*_assignments(action.updates, printer)]
    if action.source != action.target:
        effect.append(f"at = {model.locations[action.target]}")
    return _option(model.locations[action.source], action.guard, action.choices, effect, printer)


def _option(
    source: str, condition: Term, choices: Sequence[Choice], effect: Sequence[str], printer: Printer
) -> list[str]:
    """An option of the loop: choices are made inside it, and where the condition then fails nothing has happened."""
    before, after = split(condition, frozenset(choice.name for choice in choices))
    guard = f"at == {source}" if before is TRUE else f"at == {source} && {printer.operand(before)}"
    if not choices:
        return [f"  :: d_step {{ {guard} -> {'; '.join(effect or ['skip'])} }}"]
    resets = [f"{choice.identifier} = 0" for choice in choices]
    done = f"d_step {{ {'; '.join([*effect, *resets])} }}"
    lines = [f"  :: atomic {{ {guard} ->"]
    lines += [f"       {_chosen(choice, printer)};" for choice in choices]
    if after is TRUE:
        return [*lines, f"       {done} }}"]
    return [
        *lines,
        f"       if :: {printer.text(after)} -> {done}",
        f"       :: else -> d_step {{ {'; '.join(resets)} }} fi }}",
    ]


def _chosen(choice: Choice, printer: Printer) -> str:
    if len(choice.values) == 1:
        return f"{choice.identifier} = {printer.value(choice.sort, choice.values[0])}"
    if choice.sort.kind is SortKind.INT and len(choice.values) > _WIDE:
        return f"select ({choice.identifier} : {choice.values[0]} .. {choice.values[-1]})"
    options = " ".join(f":: {choice.identifier} = {printer.value(choice.sort, value)}" for value in choice.values)
    return f"if {options} fi"


def _probe(probe: Probe, question: Question, model: Model, printer: Printer) -> list[str]:
    printer = printer.with_names({each.name: each.identifier for each in probe.choices})
    found = [f"assert({question.identifier})"]
    return _option(model.locations[probe.source], probe.condition, probe.choices, found, printer)
