"""Whether a spec can be run at all: names resolve and expressions were read."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel.ast import mentioned_fields
from fsmcheck.spec.model import Action, ActionValue, Concatenation, Constant, Expression, Spec, State


class UnrunnableSpecError(Exception):
    """A spec has faults that leave a run without meaning; ``problems`` are one sentence each."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def require_runnable(spec: Spec) -> None:
    """Raise ``UnrunnableSpecError`` unless every name that a run follows is declared and every expression was read."""
    problems = tuple(dict.fromkeys(_problems(spec)))
    if problems:
        raise UnrunnableSpecError(problems)


def _problems(spec: Spec) -> Iterator[str]:
    if spec.initial.text not in spec.state_by_name:
        yield f'the initial state "{spec.initial.text}" is not declared'
    for state in spec.states:
        for requirement in state.requires:
            yield from _unknown_field(spec, requirement.field.text, state)
        yield from _action_problems(spec, (*state.entry, *state.exit), state)
        for transition in state.transitions:
            if transition.target.text not in spec.state_by_name:
                yield f'the target "{transition.target.text}" of state "{state.name.text}" is not declared'
            yield from _action_problems(spec, transition.actions, state)
            for guard in transition.guards:
                if guard.expression is not None:
                    yield from _expression_problems(spec, guard.expression, state)


def _action_problems(spec: Spec, actions: tuple[Action, ...], state: State) -> Iterator[str]:
    for action in actions:
        for write in action.writes:
            yield from _unknown_field(spec, write.field.text, state)
            for expression in expressions(write.value):
                yield from _expression_problems(spec, expression, state)


def expressions(value: ActionValue) -> tuple[Expression, ...]:
    """The expressions in an action's value."""
    match value:
        case Constant():
            return ()
        case Expression():
            return (value,)
        case Concatenation(parts=parts):
            return tuple(part for part in parts if isinstance(part, Expression))


def _expression_problems(spec: Spec, expression: Expression, state: State) -> Iterator[str]:
    if expression.ast is None:
        yield f'an expression of state "{state.name.text}" could not be read: {expression.text}'
        return
    for name in sorted(mentioned_fields(expression.ast)):
        yield from _unknown_field(spec, name, state)


def _unknown_field(spec: Spec, name: str, state: State) -> Iterator[str]:
    if name not in spec.field_by_name:
        yield f'the field "{name}" of state "{state.name.text}" is not declared'
