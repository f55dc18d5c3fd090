"""Guards on terms: when each is true, when it fails."""

from __future__ import annotations

from fsmcheck.cel.ast import mentioned_fields
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Transition
from fsmcheck.system import terms as t
from fsmcheck.system.expressions import Evaluator
from fsmcheck.system.terms import FALSE, Term


@dataclass(frozen=True, slots=True)
class GuardTerms:
    """The guards of one transition in one store: when each is true, when each fails to be a boolean."""

    true: tuple[Term, ...]
    fails: tuple[Term, ...]

    @property
    def all(self) -> Term:
        return t.and_(*self.true)

    @property
    def error(self) -> Term:
        """Some guard that is evaluated fails: those before it are true."""
        return t.or_(*(t.and_(*self.true[:number], fails) for number, fails in enumerate(self.fails)))


def guard_fields(transition: Transition) -> frozenset[str]:
    """The fields that the guards of a transition name."""
    return frozenset().union(
        *(
            mentioned_fields(guard.expression.ast)
            for guard in transition.guards
            if guard.expression is not None and guard.expression.ast is not None
        )
    )


def guard_terms(transition: Transition, evaluator: Evaluator, state: str) -> GuardTerms:
    """Translate the guards of a transition. A guard of another backend may hold or not."""
    true: list[Term] = []
    fails: list[Term] = []
    for number, guard in enumerate(transition.guards):
        if guard.expression is None or guard.expression.ast is None:
            key = (evaluator.scope.snapshot, "opaque", state, transition.index, number)
            true.append(evaluator.scope.choices.boolean(key))
            fails.append(FALSE)
            continue
        value = evaluator.evaluate(guard.expression.ast)
        true.append(evaluator.holds(value))
        fails.append(t.not_(value.ok))
    return GuardTerms(tuple(true), tuple(fails))
