"""What a suite has to cover, and what of it a step of a run covers."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel.ast import Binary, BinaryOp, Expr
from fsmcheck.cel.errors import EvaluationError
from fsmcheck.cel.evaluate import evaluate
from fsmcheck.records import dataclass
from fsmcheck.reducer.exchange import may_act
from fsmcheck.reducer.record import Effect, Search, Step
from fsmcheck.reducer.store import Store
from fsmcheck.spec.model import Action, Guard, Spec, State, Transition

KINDS = ("state", "transition", "guard", "condition", "action", "write", "status", "cap", "rejection")
"""``guard``: each guard true and false; ``condition``: of a conjunction, each part false with all others true (which,
with the transition taken, is MC/DC); ``write``: each field staged by each agent that is asked for it."""

_STATUSES = ("waiting", "done", "stuck", "no-progress", "runaway", "capped", "failed")
_REJECTIONS = (
    "not-waiting",
    "unknown-agent",
    "not-authorised",
    "unknown-field",
    "not-writable",
    "type-mismatch",
    "not-in-values",
    "empty-value",
)


@dataclass(frozen=True, slots=True, order=True)
class Goal:
    """One thing to cover, in words that name the place."""

    kind: str
    what: str


@dataclass(frozen=True, slots=True)
class Condition:
    """One part of the conjunction that the guards of a transition are."""

    text: str
    expr: Expr


def conditions(transition: Transition) -> tuple[Condition, ...]:
    """The parts of the conjunction, guards taken apart at ``&&``; empty where a guard cannot be read."""
    found: list[Condition] = []
    for guard in transition.guards:
        parts = conjuncts(guard)
        if not parts:
            return ()
        found.extend(parts)
    return tuple(found)


def conjuncts(guard: Guard) -> tuple[Condition, ...]:
    """One guard taken apart at ``&&``; empty where it cannot be read."""
    if guard.expression is None or guard.expression.ast is None:
        return ()
    text = guard.expression.text
    return tuple(Condition(_whole(text, e.span.start, e.span.end), e) for e in _parts(guard.expression.ast))


def _whole(text: str, start: int, end: int) -> str:
    """A part of a text with the parentheses around it that it needs; those at its ends are not in an operand's span."""
    depth = lowest = 0
    quote = ""
    for mark in text[start:end]:
        if quote or mark in "'\"":
            quote = "" if mark == quote else quote or mark
        else:
            depth += (mark == "(") - (mark == ")")
            lowest = min(lowest, depth)
    for _ in range(-lowest):
        start = text.rindex("(", 0, start)
    for _ in range(depth - lowest):
        end = text.index(")", end) + 1
    return text[start:end]


def _parts(expr: Expr) -> Iterator[Expr]:
    if isinstance(expr, Binary) and expr.op is BinaryOp.AND:
        yield from _parts(expr.left)
        yield from _parts(expr.right)
    else:
        yield expr


def truth(condition: Condition, store: Store) -> bool:
    """Whether a part holds; what fails to evaluate does not."""
    try:
        return evaluate(condition.expr, store) is True
    except EvaluationError:
        return False


def goals(spec: Spec) -> tuple[Goal, ...]:
    """All goals of a spec, whether they can be reached or not."""
    return tuple(dict.fromkeys(_goals(spec)))


def _goals(spec: Spec) -> Iterator[Goal]:
    for state in spec.states:
        name = state.name.text
        yield Goal("state", name)
        for phase, actions in (("entry", state.entry), ("exit", state.exit)):
            yield from (Goal("action", f"{name} {phase}[{number}]") for number in range(len(actions)))
        for agent in may_act(spec, name):
            writable = (req for req in state.requires if req.agent.text == agent)
            yield from (Goal("write", f"{req.field.text} by {agent} in {name}") for req in writable)
        if not state.terminal:
            for transition in state.transitions:
                yield from _transition_goals(state, transition)
    yield from (Goal("status", status) for status in _STATUSES if status != "capped" or _caps(spec))
    yield from (Goal("cap", cap) for cap in _caps(spec))
    yield from (Goal("rejection", code) for code in _REJECTIONS)


def _transition_goals(state: State, transition: Transition) -> Iterator[Goal]:
    place = f"{state.name.text} → {transition.target.text} ({transition.index})"
    yield Goal("transition", place)
    for number in range(len(transition.actions)):
        yield Goal("action", f"{place} onTransition[{number}]")
    for number in range(len(transition.guards)):
        yield Goal("guard", f"{place} guards[{number}] true")
        yield Goal("guard", f"{place} guards[{number}] false")
    parts = conditions(transition)
    if len(parts) > 1:
        yield from (Goal("condition", f"{place} only {part.text} false") for part in parts)


def _caps(spec: Spec) -> list[str]:
    policy = spec.policy
    caps = (
        ("maxIterations", policy.max_iterations),
        ("maxExchangesPerStage", policy.max_exchanges_per_stage),
        ("maxExchangesPerAgentPerStage", policy.max_exchanges_per_agent_per_stage),
    )
    return [name for name, cap in caps if cap is not None]


def covered(spec: Spec, step: Step) -> set[Goal]:
    """The goals that one step covers."""
    found = {Goal("status", step.configuration.status), Goal("state", step.configuration.state)}
    if step.configuration.cap is not None:
        found.add(Goal("cap", step.configuration.cap))
    if step.rejected is not None:
        found.add(Goal("rejection", step.rejected))
        return found
    if step.before is not None:
        found.update(Goal("write", f"{name} by {step.agent} in {step.before.state}") for name in step.given)
    found.update(_actions(spec, step.advance.opening))
    for microstep in step.advance.microsteps:
        found.add(Goal("state", microstep.target))
        found.add(Goal("transition", f"{microstep.source} → {microstep.target} ({microstep.transition})"))
        found.update(_actions(spec, microstep.effects))
    for search in step.advance.searches():
        found.update(_outcomes(spec, search))
    return found


def _outcomes(spec: Spec, search: Search) -> Iterator[Goal]:
    for tried in search.tried:
        transition = spec.state_by_name[search.state].transitions[tried.transition]
        place = f"{search.state} → {transition.target.text} ({transition.index})"
        for result in tried.guards:
            yield Goal("guard", f"{place} guards[{result.guard}] {str(result.holds).lower()}")
        parts = conditions(transition)
        if len(parts) > 1 and not tried.enabled:
            wrong = [part for part in parts if not truth(part, search.store)]
            if len(wrong) == 1:
                yield Goal("condition", f"{place} only {wrong[0].text} false")


def _actions(spec: Spec, effects: tuple[Effect, ...]) -> Iterator[Goal]:
    for effect in effects:
        state = spec.state_by_name[effect.state]
        if effect.transition is None:
            actions: tuple[Action, ...] = state.entry if effect.phase.value == "entry" else state.exit
            place = effect.state
        else:
            transition = state.transitions[effect.transition]
            actions = transition.actions
            place = f"{effect.state} → {transition.target.text} ({transition.index})"
        number = next(number for number, action in enumerate(actions) if action is effect.action)
        yield Goal("action", f"{place} {effect.phase.value}[{number}]")
