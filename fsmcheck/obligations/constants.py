"""Guards that are true, or never true, whatever their fields hold."""

from __future__ import annotations

from dataclasses import dataclass

from fsmcheck.spec.model import Guard, Spec, State, Transition
from fsmcheck.system import terms as t
from fsmcheck.system.choices import Choices
from fsmcheck.system.domains import domains
from fsmcheck.system.expressions import Evaluator
from fsmcheck.system.layout import Layout
from fsmcheck.system.terms import Term


@dataclass(frozen=True, slots=True)
class ConstantGuard:
    """A guard with the same truth value in every store."""

    state: State
    transition: Transition
    guard: Guard
    value: bool


def constant_guards(spec: Spec) -> list[ConstantGuard]:
    """The constant guards of a spec whose names resolve and whose expressions check.

    A guard that fails to evaluate counts as false. Where the abstraction does not know a value, every value is
    allowed for, so that a guard which is called constant is one.
    """
    layout = Layout(spec, domains(spec))
    found: list[ConstantGuard] = []
    for state in spec.states:
        for transition in state.transitions:
            for number, guard in enumerate(transition.guards):
                if guard.expression is None or guard.expression.ast is None:
                    continue
                choices = Choices("guard")
                evaluator = Evaluator(layout.store, layout.types, layout.domains, choices, number)
                holds = evaluator.holds(evaluator.evaluate(guard.expression.ast))
                value = _constant(holds, layout, choices)
                if value is not None:
                    found.append(ConstantGuard(state, transition, guard, value))
    return found


def _constant(term: Term, layout: Layout, choices: Choices) -> bool | None:
    if t.is_const(term):
        return bool(term.value)
    from fsmcheck.engines.validity import constant_value

    names = t.variables([term])
    variables = tuple(variable for variable in layout.variables() if variable.name in names)
    return constant_value(term, variables, choices.used_in([term]))
