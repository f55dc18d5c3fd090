"""What the guards of a state come to: in a concrete store, and as terms."""

from __future__ import annotations

from collections.abc import Sequence

from fsmcheck.outline import Outcome
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.guards import guard_result
from fsmcheck.reducer.store import Store
from fsmcheck.spec.model import Spec, State, Transition
from fsmcheck.system import terms as t
from fsmcheck.system.choices import Choices
from fsmcheck.system.expressions import Evaluator
from fsmcheck.system.guards import guard_fields, guard_terms
from fsmcheck.system.layout import Layout
from fsmcheck.system.symbolic import is_set
from fsmcheck.system.terms import FALSE, TRUE, Term

Vector = tuple[Outcome, ...]
"""One outcome a transition, in document order."""


def matrix_fields(spec: Spec, state: State, profile: Profile) -> tuple[str, ...]:
    """The fields that decide the outcomes, in the order declared.

    Under ``eager`` a transition without guards asks whether every requirement is met, so it reads those.
    """
    read = frozenset().union(*(guard_fields(transition) for transition in state.transitions))
    if profile == "eager" and any(not transition.guards for transition in state.transitions):
        read |= {requirement.field.text for requirement in state.requires}
    return tuple(field.name.text for field in spec.fields if field.name.text in read)


def outcomes(state: State, store: Store, profile: Profile) -> Vector:
    """What each transition's guards come to in a store, each transition tried for itself.

    A transition without guards is true; under ``eager``, if every requirement of the state is met. Whether
    requirements gate the others (``gated``) is not looked at.
    """
    met = all(store.is_set(requirement.field.text) for requirement in state.requires)
    return tuple(_outcome(transition, store, met or profile == "gated") for transition in state.transitions)


def _outcome(transition: Transition, store: Store, open_: bool) -> Outcome:
    if not transition.guards:
        return "true" if open_ else "false"
    for index, guard in enumerate(transition.guards):
        result = guard_result(index, guard, store)
        if result.fault is not None:
            return "error"
        if not result.holds:
            return "false"
    return "true"


def taken(vector: Vector) -> int | None:
    """The first transition that is enabled."""
    return next((index for index, outcome in enumerate(vector) if outcome == "true"), None)


@dataclass(frozen=True, slots=True)
class OutcomeTerms:
    """For each transition, when its guards are true and when one that is evaluated fails; ``side`` says when the
    guards are evaluated at all. ``choices`` holds the inputs of the abstraction that they use."""

    true: tuple[Term, ...]
    error: tuple[Term, ...]
    side: Term
    choices: Choices

    def admits(self, vector: Sequence[Outcome]) -> Term:
        """When the outcomes may be these."""
        pairs = zip(vector, self.true, self.error, strict=True)
        return t.and_(self.side, *(_is(outcome, true, error) for outcome, true, error in pairs))


def _is(outcome: Outcome, true: Term, error: Term) -> Term:
    match outcome:
        case "true":
            return true
        case "error":
            return t.and_(error, t.not_(true))
        case "false":
            return t.and_(t.not_(true), t.not_(error))


def outcome_terms(layout: Layout, state: State, profile: Profile) -> OutcomeTerms:
    """The outcomes of a state as terms over the variables of the store."""
    choices = Choices(f"outcome {state.name.text}")
    evaluator = Evaluator(layout.store, layout.types, layout.domains, choices, ("outcome", state.name.text))
    met = t.and_(*(is_set(layout.store[requirement.field.text]) for requirement in state.requires))
    true: list[Term] = []
    error: list[Term] = []
    for transition in state.transitions:
        terms = guard_terms(transition, evaluator, state.name.text)
        opaque = [guard.expression is None or guard.expression.ast is None for guard in transition.guards]
        holds = [FALSE if closed else term for closed, term in zip(opaque, terms.true, strict=True)]
        fails = [TRUE if closed else term for closed, term in zip(opaque, terms.fails, strict=True)]
        true.append(t.and_(*holds) if transition.guards or profile == "gated" else met)
        error.append(t.or_(*(t.and_(*holds[:number], failing) for number, failing in enumerate(fails))))
    return OutcomeTerms(tuple(true), tuple(error), met if profile == "gated" else TRUE, choices)
