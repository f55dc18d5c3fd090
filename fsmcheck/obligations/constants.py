"""Guards that are true, or never true, whatever their fields hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from fsmcheck.records import dataclass
from fsmcheck.spec.model import Guard, Spec, State, Transition
from fsmcheck.system import terms as t
from fsmcheck.system.choices import Choices
from fsmcheck.system.domains import domains
from fsmcheck.system.expressions import Evaluator
from fsmcheck.system.layout import Layout
from fsmcheck.system.sampling import is_seen_to_vary
from fsmcheck.system.staging import consistent
from fsmcheck.system.system import Input, Variable
from fsmcheck.system.terms import Term

if TYPE_CHECKING:
    from fsmcheck.engines.validity import Validity


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
    judge = _Judge(layout)
    found: list[ConstantGuard] = []
    values: dict[str, bool | None] = {}
    for state in spec.states:
        for transition in state.transitions:
            for guard in transition.guards:
                if guard.expression is None or guard.expression.ast is None:
                    continue
                text = guard.expression.text
                if text not in values:
                    choices = Choices("guard")
                    evaluator = Evaluator(layout.store, layout.types, layout.domains, choices, "guard")
                    holds = evaluator.holds(evaluator.evaluate(guard.expression.ast))
                    values[text] = judge.constant_value(holds, choices)
                value = values[text]
                if value is not None:
                    found.append(ConstantGuard(state, transition, guard, value))
    return found


def unsatisfiable(spec: Spec, transition: Transition) -> bool:
    """Whether no values of their fields make the guards of a transition true together."""
    layout = Layout(spec, domains(spec))
    choices = Choices("guards")
    evaluator = Evaluator(layout.store, layout.types, layout.domains, choices, "guards")
    terms = []
    for guard in transition.guards:
        if guard.expression is None or guard.expression.ast is None:
            return False
        terms.append(evaluator.holds(evaluator.evaluate(guard.expression.ast)))
    return _Judge(layout).constant_value(t.and_(*terms), choices) is False


class _Judge:
    """Decides terms; the solver is only there once one is not obvious."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._validity: Validity | None = None

    def constant_value(self, term: Term, choices: Choices) -> bool | None:
        """The value that a term has in every store; None where it has both."""
        legal = self._legal
        if t.is_const(legal) or t.is_const(term):
            return self._constant(term, choices)
        if self._constant(t.and_(legal, term), choices) is False:
            return False
        return True if self._constant(t.or_(t.not_(legal), term), choices) is True else None

    @cached_property
    def _legal(self) -> Term:
        """What every store keeps to: what is in a collection counts for its size."""
        return t.and_(*(consistent(slot) for slot in self._layout.store.values()))

    @cached_property
    def _variables(self) -> Sequence[Variable]:
        return self._layout.variables()

    @cached_property
    def _by_name(self) -> Mapping[str, Variable | Input]:
        return {each.name: each for each in self._variables}

    def _constant(self, term: Term, choices: Choices) -> bool | None:
        if t.is_const(term):
            return bool(term.value)
        inputs = choices.used_in([term])
        if is_seen_to_vary(term, {**self._by_name, **{each.name: each for each in inputs}}):
            return None
        if self._validity is None:
            from fsmcheck.engines.validity import Validity

            self._validity = Validity(self._variables)
        return self._validity.constant_value(term, inputs)
