"""Which fields guards and actions mention: a matter of the text, whether or not it is evaluated."""

from __future__ import annotations

from fsmcheck.cel.ast import mentioned_fields
from fsmcheck.once import once
from fsmcheck.reducer.runnable import expressions
from fsmcheck.spec.model import Action, ActionValue, Transition


@once
def mentioned_by_guards(transition: Transition) -> frozenset[str]:
    """The fields that any guard of the transition mentions."""
    asts = [guard.expression.ast for guard in transition.guards if guard.expression is not None]
    return frozenset().union(*(mentioned_fields(ast) for ast in asts if ast is not None))


@once
def mentioned_by_value(value: ActionValue) -> frozenset[str]:
    """The fields that an action's value mentions."""
    asts = [expression.ast for expression in expressions(value)]
    return frozenset().union(*(mentioned_fields(ast) for ast in asts if ast is not None))


@once
def mentioned_by_action(action: Action) -> frozenset[str]:
    """The fields that any value of the action mentions; its targets are not mentioned by being written."""
    return frozenset().union(*(mentioned_by_value(write.value) for write in action.writes))
