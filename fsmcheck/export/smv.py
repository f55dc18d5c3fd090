"""SMV, for NuSMV: the step that is taken and what it chooses are inputs, each variable has its own relation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fsmcheck.export import header
from fsmcheck.export.expressions import Printer, Syntax
from fsmcheck.export.model import Action, Cell, Choice, Model, Probe, Question
from fsmcheck.obligations.obligation import Question as Kind
from fsmcheck.system.system import Location, Phase
from fsmcheck.system.terms import BOOL, INT, TRUE, Sort

SYNTAX = Syntax(
    true="TRUE",
    false="FALSE",
    conjunction=" & ",
    disjunction=" | ",
    negation="!",
    equal="=",
    differs="!=",
    at_most="<=",
    choice=lambda condition, then, otherwise: f"(case {condition} : {then}; TRUE : {otherwise}; esac)",
    quotient=lambda left, right: f"({left} / {right})",
    remainder=lambda left, right: f"({left} mod {right})",
)

_HOW = (
    "NuSMV -r FILE says what holds, and the number of reachable states: the configurations, and those just after an",
    "event that is asked about. With -coi each question is looked at by itself.",
)
_ENDLESS = (Phase.WAITING, Phase.STUCK, Phase.FAILED)
_REST, _EVENT, _NONE = "at_rest", "event_seen", "no_event"


def render(model: Model) -> str:
    """The model as a file for NuSMV."""
    printer = Printer(SYNTAX, model.names, model.labels)
    steps: list[Action | Probe] = [
        *model.actions,
        *(probe for question in model.questions for probe in question.probes),
    ]
    lines = [f"-- {line}".rstrip() for line in header.lines(model, _HOW)]
    lines += ["", "MODULE main", "VAR", f"  at : {{{', '.join(model.locations.values())}}};"]
    lines += [f"  {cell.identifier} : {_type(cell.sort, cell.values, model)};" for cell in model.cells]
    lines += [f"  {_EVENT} : {{{', '.join([_NONE, *map(_seen, _observed(model))])}}};"]
    lines += ["IVAR", f"  step_taken : {{{', '.join([*(step.identifier for step in steps), _REST])}}};"]
    lines += _inputs(steps, model)
    lines += ["INIT", f"  {_start(model, printer)};"]
    for step in steps:
        lines += [
            "",
            f"-- {header.plain(step.title)}",
            f"TRANS step_taken = {step.identifier} -> {_enabled(step, model, printer)};",
        ]
    lines += [
        "",
        "-- Nothing more happens, or not now",
        f"TRANS step_taken = {_REST} -> {_EVENT} != {_NONE} | {_one_of(_resting(model))};",
    ]
    lines += ["", "-- What each step changes", _next_location(model)]
    lines += [_next(cell, model, printer) for cell in model.cells]
    lines += ["", "-- Nothing follows on an event that is asked about", _next_event(model)]
    for question in model.questions:
        lines += [
            "",
            f"-- {header.plain(f'{question.identifier}: {question.asked.told}')}",
            _specification(question, model),
        ]
    return "\n".join([*lines, ""])


def _resting(model: Model) -> list[str]:
    return [name for place, name in model.locations.items() if place.phase.at_rest]


def _observed(model: Model) -> list[Question]:
    return [question for question in model.questions if question.asked.question is not Kind.ENDS]


def _seen(question: Question) -> str:
    return f"saw_{question.identifier}_"


def _type(sort: Sort, values: Sequence[int], model: Model) -> str:
    if sort == BOOL:
        return "boolean"
    if sort is INT:
        return f"{values[0]}..{values[-1]}"
    return f"{{{', '.join(model.labels[sort.name, index] for index in range(sort.size))}}}"


def _inputs(steps: Iterable[Action | Probe], model: Model) -> list[str]:
    """One input for all choices of one identifier, wide enough for each."""
    widest: dict[str, tuple[Sort, Sequence[int]]] = {}
    for choice in (choice for step in steps for choice in step.choices):
        _, known = widest.get(choice.identifier, (choice.sort, choice.values))
        low, high = min(known[0], choice.values[0]), max(known[-1], choice.values[-1])
        widest[choice.identifier] = (choice.sort, range(low, high + 1))
    return [f"  {name} : {_type(sort, values, model)};" for name, (sort, values) in widest.items()]


def _start(model: Model, printer: Printer) -> str:
    parts = [f"at = {model.locations[model.start]}"]
    for cell in model.cells:
        value = printer.value(cell.sort, cell.initial)
        if cell.sort == BOOL:
            parts.append(cell.identifier if cell.initial else f"!{cell.identifier}")
        else:
            parts.append(f"{cell.identifier} = {value}")
    return " & ".join([*parts, f"{_EVENT} = {_NONE}"])


def _with_choices(step: Action | Probe, printer: Printer) -> Printer:
    return printer.with_names({choice.name: choice.identifier for choice in step.choices})


def _enabled(step: Action | Probe, model: Model, printer: Printer) -> str:
    condition = step.guard if isinstance(step, Action) else step.condition
    parts = [f"{_EVENT} = {_NONE}", f"at = {model.locations[step.source]}"]
    parts += [part for choice in step.choices if (part := _within(choice, printer))]
    if condition is not TRUE:
        parts.append(_with_choices(step, printer).operand(condition))
    return " & ".join(parts)


def _within(choice: Choice, printer: Printer) -> str:
    """That a choice lies among its values, as far as its type does not say so."""
    if choice.sort is INT:
        return f"{choice.identifier} >= {choice.values[0]} & {choice.identifier} <= {choice.values[-1]}"
    if len(choice.values) == choice.sort.size:
        return ""
    values = " | ".join(f"{choice.identifier} = {printer.value(choice.sort, value)}" for value in choice.values)
    return f"({values})"


def _next_location(model: Model) -> str:
    by_target: dict[Location, list[str]] = {}
    for action in model.actions:
        if action.source != action.target:
            by_target.setdefault(action.target, []).append(action.identifier)
    cases = [(names, f"next(at) = {model.locations[target]}") for target, names in by_target.items()]
    return _cases(cases, "next(at) = at")


def _next(cell: Cell, model: Model, printer: Printer) -> str:
    cases = []
    for action in model.actions:
        if cell.name in action.updates:
            value = _with_choices(action, printer).operand(action.updates[cell.name])
            cases.append(([action.identifier], f"next({cell.identifier}) = {value}"))
    return _cases(cases, f"next({cell.identifier}) = {cell.identifier}")


def _cases(cases: Sequence[tuple[Sequence[str], str]], otherwise: str) -> str:
    if not cases:
        return f"TRANS {otherwise};"
    lines = [f"    {_taken(names)} : {effect};" for names, effect in cases]
    return "\n".join(["TRANS case", *lines, f"    TRUE : {otherwise};", "  esac;"])


def _taken(names: Sequence[str]) -> str:
    return " | ".join(f"step_taken = {name}" for name in names)


def _next_event(model: Model) -> str:
    cases = [
        ([probe.identifier for probe in question.probes], f"next({_EVENT}) = {_seen(question)}")
        for question in _observed(model)
        if question.probes
    ]
    return _cases(cases, f"next({_EVENT}) = {_EVENT}")


def _specification(question: Question, model: Model) -> str:
    if question.asked.question is not Kind.ENDS:
        return f"INVARSPEC NAME {question.identifier} := {_EVENT} != {_seen(question)};"
    state = question.asked.obligation.subject.state
    done = _one_of([name for place, name in model.locations.items() if place.phase is Phase.DONE])
    resting = [name for place, name in model.locations.items() if place.state == state and place.phase in _ENDLESS]
    formula = f"AG (({_EVENT} = {_NONE} & {_one_of(resting)}) -> EF {done})"
    return f"CTLSPEC NAME {question.identifier} := {formula};"


def _one_of(names: Sequence[str]) -> str:
    return f"({' | '.join(f'at = {name}' for name in names)})" if names else "FALSE"
