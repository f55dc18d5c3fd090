"""TLA+, for TLC: an action for each step, an invariant for each question; a file of its own tells TLC what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fsmcheck.export import header
from fsmcheck.export.expressions import Printer, Syntax
from fsmcheck.export.model import Action, Choice, Model, Probe, Question
from fsmcheck.system.terms import BOOL, INT, TRUE, Sort

SYNTAX = Syntax(
    true="TRUE",
    false="FALSE",
    conjunction=" /\\ ",
    disjunction=" \\/ ",
    negation="~",
    equal="=",
    differs="#",
    at_most="<=",
    choice=lambda condition, then, otherwise: f"(IF {condition} THEN {then} ELSE {otherwise})",
    quotient=lambda left, right: f"Quotient({left}, {right})",
    remainder=lambda left, right: f"Remainder({left}, {right})",
)

_ARITHMETIC = (
    "Abs(a) == IF a < 0 THEN -a ELSE a",
    "Quotient(a, b) == IF (a < 0) = (b < 0) THEN Abs(a) \\div Abs(b) ELSE -(Abs(a) \\div Abs(b))",
    "Remainder(a, b) == a - b * Quotient(a, b)",
)


def render(model: Model, module: str) -> str:
    """The model as a module, which has to be in a file of its name."""
    quoted = replace(model, labels={key: f'"{name}"' for key, name in model.labels.items()})
    printer = Printer(SYNTAX, quoted.names, quoted.labels)
    how = (
        f"This has to be in {module}.tla, with {module}.cfg beside it: java -cp tla2tools.jar tlc2.TLC {module}",
        "A distinct state of TLC is a configuration. The configuration file:",
        *(f"    {line}" for line in configuration(model).splitlines()),
    )
    lines = [f"{'-' * 20} MODULE {module} {'-' * 20}"]
    lines += [f"\\* {line}".rstrip() for line in header.lines(model, how)]
    names = ["at", *(cell.identifier for cell in model.cells)]
    lines += ["", "EXTENDS Integers", "", f"VARIABLES {', '.join(names)}", "", f"vars == <<{', '.join(names)}>>", ""]
    lines += [*_ARITHMETIC, "", "Types ==", f"  /\\ at \\in {_strings(model.locations.values())}"]
    lines += [f"  /\\ {cell.identifier} \\in {_set(cell.sort, cell.values, printer)}" for cell in model.cells]
    lines += ["", "Init ==", f'  /\\ at = "{model.locations[model.start]}"']
    lines += [f"  /\\ {cell.identifier} = {printer.value(cell.sort, cell.initial)}" for cell in model.cells]
    for action in model.actions:
        lines += ["", f"\\* {header.plain(action.title)}", *_action(action, model, printer)]
    steps = [f"  \\/ {action.identifier}" for action in model.actions]
    lines += ["", "Next ==", *(steps or ["  FALSE"]), "", "Spec == Init /\\ [][Next]_vars"]
    for question in model.questions:
        comment = header.plain(f"{question.identifier}: {question.asked.told}")
        lines += ["", f"\\* {comment}", *_invariant(question, model, printer)]
    return "\n".join([*lines, "", "=" * (48 + len(module)), ""])


def configuration(model: Model) -> str:
    """What TLC is to check, as the text of its configuration file."""
    invariants = ["Types", *(question.identifier for question in model.questions)]
    lines = ["SPECIFICATION Spec", "CHECK_DEADLOCK FALSE", *(f"INVARIANT {name}" for name in invariants)]
    return "\n".join([*lines, ""])


def _strings(names: Iterable[str]) -> str:
    return "{" + ", ".join(f'"{name}"' for name in names) + "}"


def _set(sort: Sort, values: Sequence[int], printer: Printer) -> str:
    if sort == BOOL and len(values) == 2:
        return "BOOLEAN"
    if sort is INT:
        return f"({values[0]})..{values[-1]}" if values[0] < 0 else f"{values[0]}..{values[-1]}"
    return "{" + ", ".join(printer.value(sort, value) for value in values) + "}"


def _chosen(choices: Sequence[Choice], printer: Printer) -> list[str]:
    """Quantifiers over choices."""
    return [f"  \\E {each.identifier} \\in {_set(each.sort, each.values, printer)} :" for each in choices]


def _with_choices(step: Action | Probe, printer: Printer) -> Printer:
    return printer.with_names({choice.name: choice.identifier for choice in step.choices})


def _action(action: Action, model: Model, printer: Printer) -> list[str]:
    inner = _with_choices(action, printer)
    lines = [f"{action.identifier} ==", *_chosen(action.choices, printer)]
    lines.append(f'    /\\ at = "{model.locations[action.source]}"')
    if action.guard is not TRUE:
        lines.append(f"    /\\ {inner.operand(action.guard)}")
    kept = []
    if action.source != action.target:
        lines.append(f'    /\\ at\' = "{model.locations[action.target]}"')
    else:
        kept.append("at")
    for cell in model.cells:
        if cell.name in action.updates:
            value = inner.operand(action.updates[cell.name])
            lines.append(f"    /\\ {cell.identifier}' = {f'({value})' if value.startswith('~') else value}")
        else:
            kept.append(cell.identifier)
    return [*lines, f"    /\\ UNCHANGED <<{', '.join(kept)}>>"] if kept else lines


def _invariant(question: Question, model: Model, printer: Printer) -> list[str]:
    """That the event cannot happen in a step from here."""
    if not question.probes:
        return [f"{question.identifier} == TRUE"]
    lines = []
    for probe in question.probes:
        inner = _with_choices(probe, printer)
        lines.append(f"{probe.identifier} ==")
        lines += _chosen(probe.choices, printer)
        lines.append(f'    /\\ at = "{model.locations[probe.source]}"')
        lines.append(f"    /\\ {inner.operand(probe.condition)}")
    seen = " \\/ ".join(probe.identifier for probe in question.probes)
    return [*lines, f"{question.identifier} == ~({seen})"]
